"""What git's messages mean."""

from __future__ import annotations

import pytest

from provenance.origin.git_command import Finished
from provenance.origin.git_failure import Remedy, classify, redirection

ID = "1" * 40
URL, HOST = "https://example.org/r", "example.org"


@pytest.mark.parametrize(
    ("said", "remedy", "says"),
    [
        (f"fatal: remote error: upload-pack: not our ref {ID}", Remedy.ABSENT_ID, ID),
        (
            f"error: Server does not allow request for unadvertised object {ID}",
            Remedy.REFUSED_ID,
            "refuses direct fetch",
        ),
        (f"fatal: remote error: want {ID} not valid", Remedy.REFUSED_ID, "refuses direct fetch"),
        ("fatal: dumb http transport does not support shallow capabilities", Remedy.REFUSED_ID, "refuses"),
        ("fatal: unable to access 'x': The requested URL returned error: 301", Remedy.REDIRECT, "redirects"),
        (
            "fatal: unable to access 'x': The requested URL returned error: 429",
            Remedy.PASSING,
            "rate limited",
        ),
        ("fatal: unable to access 'x': The requested URL returned error: 503", Remedy.PASSING, "broke off"),
        ("error: RPC failed; curl 56\nfatal: early EOF", Remedy.PASSING, "broke off"),
        (
            "fatal: unable to access 'x': The requested URL returned error: 403",
            Remedy.FINAL,
            "forbids access",
        ),
        (
            "fatal: could not read Username for 'x': terminal prompts disabled",
            Remedy.FINAL,
            "credential helper",
        ),
        ("fatal: Authentication failed for 'x'", Remedy.FINAL, "credential helper"),
        ("git@x: Permission denied (publickey).\nfatal: Could not read", Remedy.FINAL, "ssh"),
        ("Host key verification failed.\nfatal: Could not read", Remedy.FINAL, "known_hosts"),
        ("fatal: repository 'x' not found", Remedy.FINAL, "there is no repository"),
        ("ERROR: Repository not found.\nfatal: Could not read", Remedy.FINAL, "there is no repository"),
        ("fatal: '/x' does not appear to be a git repository", Remedy.FINAL, "there is no repository"),
        ("fatal: unable to access 'x': Could not resolve host: x", Remedy.DOWN, "cannot be resolved"),
        ("ssh: Could not resolve hostname x: Name unknown", Remedy.DOWN, "cannot be resolved"),
        ("fatal: unable to access 'x': Failed to connect to x port 1", Remedy.DOWN, "cannot be reached"),
        ("ssh: connect to host x port 22: Connection refused", Remedy.DOWN, "cannot be reached"),
        ("fatal: unable to access 'x': SSL certificate problem: expired", Remedy.FINAL, "TLS"),
        ("fatal: transport 'ext' not allowed", Remedy.FINAL, "not allowed"),
        ("fatal: write error: No space left on device", Remedy.FINAL, "no room left"),
        ("error: packfile ./objects/pack/pack-1.pack does not match index", Remedy.CORRUPT, "broken"),
        ("fatal: bad config line 1 in file config", Remedy.CORRUPT, "broken"),
        ("remote: fatal: packfile x does not match index\nfatal: odd", Remedy.FINAL, "odd"),
        ("fatal: something new\nmore of it", Remedy.FINAL, "something new"),
        ("no prefix", Remedy.FINAL, "no prefix"),
        ("", Remedy.FINAL, "code 128"),
    ],
)
def test_messages(said: str, remedy: Remedy, says: str) -> None:
    failure = classify(Finished(128, b"", said), url=URL, host=HOST)
    assert failure is not None
    assert failure.remedy is remedy
    assert says in failure.message


def test_a_failure_names_the_ids_that_it_is_about() -> None:
    said = f"fatal: remote error: upload-pack: not our ref {ID}\nfatal: git upload-pack: not our ref {ID}"
    failure = classify(Finished(128, b"", said), url=URL, host=HOST)
    assert failure is not None
    assert failure.ids == {ID}


def test_success_is_no_failure_whatever_is_said() -> None:
    assert (
        classify(
            Finished(0, b"", "warning: filtering not recognized by server, ignoring"), url=URL, host=HOST
        )
        is None
    )


def test_a_child_that_was_ended_says_why() -> None:
    failure = classify(Finished(0, b"", "", stopped="it took too long"), url=URL, host=HOST)
    assert failure is not None
    assert failure.message == f"fetching from {URL} was ended: it took too long"


@pytest.mark.parametrize(
    ("trace", "target"),
    [
        ("x <= Recv header: Location: https://h/new/info/refs?service=git-upload-pack\ny", "https://h/new"),
        ("<= Recv header: location: /new.git/info/refs?service=git-upload-pack", "/new.git"),
        ("<= Recv header: location: https://h/login?to=/r", None),
        ("<= Recv header: server: x", None),
    ],
)
def test_redirections(trace: str, target: str | None) -> None:
    assert redirection(trace) == target

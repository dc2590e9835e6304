from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.links.forges import Forge
from provenance.links.permalinks import (
    permalink,
    public_url,
    repository_url,
    swhid,
    without_secrets,
)

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
GITHUB = "https://github.com/o/r"


@pytest.mark.parametrize(
    "git",
    [
        "https://github.com/o/r",
        "https://github.com/o/r.git",
        "https://github.com/o/r/",
        "http://github.com/o/r.git/",
        "https://user:secret@github.com/o/r",
        "ssh://git@github.com/o/r.git",
        "ssh://git@github.com:22/o/r.git",
        "git://github.com/o/r.git",
        "git@github.com:o/r.git",
        "github.com:o/r",
    ],
)
def test_every_way_to_name_a_repository_has_one_page(git: str) -> None:
    assert repository_url(git) == GITHUB
    assert permalink(git, COMMIT, "a.py", LineRange(1, 1)) == f"{GITHUB}/blob/{COMMIT}/a.py#L1"


@pytest.mark.parametrize(
    "git",
    [
        "",
        "/srv/r.git",
        "../r",
        "file:///srv/r",
        "C:/r",
        "https://",
        "https://host",
        "ext::sh -c x",
        "https://[::1/r",
    ],
)
def test_what_has_no_page(git: str) -> None:
    assert repository_url(git) is None
    assert permalink(git, COMMIT, "a.py", LineRange(1, 1)) is None
    assert swhid(git, BLOB, COMMIT, "a.py", LineRange(1, 1)) == (
        f"swh:1:cnt:{BLOB};anchor=swh:1:rev:{COMMIT};path=/a.py;lines=1"
    )


@pytest.mark.parametrize(
    ("git", "page"),
    [
        ("https://code.example.org/o/r.git", "https://code.example.org/o/r"),
        ("http://127.0.0.1:8080/r.git", "http://127.0.0.1:8080/r"),
        ("https://[::1]:8080/r", "https://[::1]:8080/r"),
        ("https://github.com.example.net/o/r", "https://github.com.example.net/o/r"),
    ],
)
def test_a_host_whose_form_is_not_known(git: str, page: str) -> None:
    assert repository_url(git) == page


def test_an_unknown_host_has_no_permalink() -> None:
    assert permalink("https://code.example.org/o/r", COMMIT, "a.py", LineRange(1, 1)) is None


@pytest.mark.parametrize(
    ("git", "link", "one", "several"),
    [
        (
            "git://git.kernel.org/pub/scm/git/git.git",
            f"https://git.kernel.org/pub/scm/git/git.git/tree/a/b.py?id={COMMIT}",
            "#n7",
            "#n10",
        ),
        (
            "https://android.googlesource.com/platform/build",
            f"https://android.googlesource.com/platform/build/+/{COMMIT}/a/b.py",
            "#7",
            "#10",
        ),
        (
            "https://bitbucket.example.org/scm/KEY/name.git",
            f"https://bitbucket.example.org/projects/KEY/repos/name/browse/a/b.py?at={COMMIT}",
            "#7",
            "#10-20",
        ),
        (
            "ssh://git@bitbucket.example.org:7999/~user/name.git",
            f"https://bitbucket.example.org/users/user/repos/name/browse/a/b.py?at={COMMIT}",
            "#7",
            "#10-20",
        ),
        (
            "https://dev.azure.com/org/project/_git/name",
            f"https://dev.azure.com/org/project/_git/name?path=/a/b.py&version=GC{COMMIT}",
            "&line=7&lineEnd=8&lineStartColumn=1&lineEndColumn=1",
            "&line=10&lineEnd=21&lineStartColumn=1&lineEndColumn=1",
        ),
        ("https://hf.co/o/r", f"https://huggingface.co/o/r/blob/{COMMIT}/a/b.py", "#L7", "#L10-L20"),
    ],
)
def test_further_hosts_have_their_own_forms(git: str, link: str, one: str, several: str) -> None:
    assert permalink(git, COMMIT, "a/b.py", None) == link
    assert permalink(git, COMMIT, "a/b.py", LineRange(7, 7)) == link + one
    assert permalink(git, COMMIT, "a/b.py", LineRange(10, 20)) == link + several


def test_a_configured_host_has_a_permalink() -> None:
    git = "https://code.example.org:8443/o/r.git"
    hosts = {"code.example.org:8443": Forge.GITEA}
    assert permalink(git, COMMIT, "a.py", LineRange(1, 2), hosts) == (
        f"https://code.example.org:8443/o/r/src/commit/{COMMIT}/a.py#L1-L2"
    )
    assert permalink(git, COMMIT, "a.py", None, {"code.example.org": Forge.GITLAB}) == (
        f"https://code.example.org:8443/o/r/-/blob/{COMMIT}/a.py"
    )
    assert permalink(
        "http://code.example.org/o/r", COMMIT, "a.py", None, {"code.example.org": Forge.GITHUB}
    ) == (f"http://code.example.org/o/r/blob/{COMMIT}/a.py")


@pytest.mark.parametrize(
    "git",
    ["https://o.github.io/r", "https://docs.gitlab.com/o/r", "https://git.postgresql.org/git/postgresql.git"],
)
def test_hosts_whose_names_or_addresses_tell_too_little(git: str) -> None:
    assert permalink(git, COMMIT, "a.py", None) is None


def test_a_name_of_bytes_that_are_no_text_is_encoded_as_git_has_it() -> None:
    assert permalink(GITHUB, COMMIT, "caf\udce9.py", None) == f"{GITHUB}/blob/{COMMIT}/caf%E9.py"


@pytest.mark.parametrize(
    ("git", "shown"),
    [
        (GITHUB, GITHUB),
        ("https://user:secret@host/r", "https://host/r"),
        ("https://token@host:8080/r", "https://host:8080/r"),
        ("ssh://git:secret@host/r", "ssh://git@host/r"),
        ("git@host:o/r", "git@host:o/r"),
        ("https://user:secret@[::1/r", "https://[::1/r"),
        ("https://user:sec/ret@host/r", "https://host/r"),
        ("https://me@corp.example:secret@host/r", "https://host/r"),
        ("https://user:secret@host/r@v1", "https://host/r@v1"),
        ("https://host:8080/r@v1", "https://host:8080/r@v1"),
        ("https://host/r@v1", "https://host/r@v1"),
        ("HTTPS://user:p%40secret@host/r", "HTTPS://host/r"),
        ("ssh://git@host/r", "ssh://git@host/r"),
        ("ssh://git@host:22/r", "ssh://git@host:22/r"),
        ("user:secret@host:o/r", "user@host:o/r"),
        ("host:o/r@v1", "host:o/r@v1"),
        ("/srv/a:b@c", "/srv/a:b@c"),
        ("/srv/r", "/srv/r"),
        (
            "https://h.example/r/blob/HEAD@%7B2019-04-21T09:31:40Z%7D/a",
            "https://h.example/r/blob/HEAD@%7B2019-04-21T09:31:40Z%7D/a",
        ),
        ("https://h.example/keys/r.git?x=1", "https://h.example/keys/r.git?x=1"),
        ("https://h.example/r?a=1;token=SEC?RET;b=2#sig=SECRET", "https://h.example/r?a=1;b=2"),
        ("https://h.example/r?a?token=SECRET", "https://h.example/r"),
        ("https://h.example/r.git?private_token=SECRET", "https://h.example/r.git"),
        ("https://h.example/r.git#access_token=SECRET", "https://h.example/r.git"),
        ("https://h.example/git/?p=r.git&job_token=SECRET&x=1", "https://h.example/git/?p=r.git&x=1"),
        ("https://h.example/git/?p=r.git", "https://h.example/git/?p=r.git"),
    ],
)
def test_no_password_is_shown(git: str, shown: str) -> None:
    assert public_url(git) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a.py:1: no such line", "a.py:1: no such line"),
        ("see a@b, c?key=d", "see a@b, c?key=d"),
        ("https://me:SECRET@h/r: gone, ask me@h", "https://h/r: gone, ask me@h"),
        ("'https://SECRET@h/r' and HTTPS://SECRET@h/r", "'https://h/r' and HTTPS://h/r"),
        ("ssh://git:SECRET@h/r or git@h:r", "ssh://git@h/r or git@h:r"),
        ("https://h/r?a=1&api_key=SECRET&b=2#L8: gone", "https://h/r?a=1&api_key=…&b=2#L8: gone"),
        ("swh:1:cnt:0;origin=https://me:SEC/RET@h/r;lines=1", "swh:1:cnt:0;origin=https://h/r;lines=1"),
        ("https://h/keys/r?x=1#L8-L9", "https://h/keys/r?x=1#L8-L9"),
    ],
)
def test_no_secret_is_told(text: str, shown: str) -> None:
    assert without_secrets(text) == shown


def test_swhid() -> None:
    assert swhid("git@github.com:o/r.git", BLOB, COMMIT, "a;b/100%.py", LineRange(99, 103)) == (
        f"swh:1:cnt:{BLOB};origin={GITHUB};anchor=swh:1:rev:{COMMIT};path=/a%3Bb/100%25.py;lines=99-103"
    )
    assert swhid(GITHUB, BLOB, COMMIT[:12], "a.py", LineRange(9, 9)) == (
        f"swh:1:cnt:{BLOB};origin={GITHUB};path=/a.py;lines=9"
    )
    assert swhid(GITHUB, None, COMMIT, "a.py", LineRange(9, 9)) is None


texts = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(["https://", "git@", "github.com", "/", ":", "o", "?token=", "&", "#", "@", "[", "x"])
    ).map("".join),
)


@given(texts)
def test_no_text_raises(text: str) -> None:
    repository_url(text)
    public_url(text)
    without_secrets(text)
    permalink(text, text, text, LineRange(1, 1))
    swhid(text, BLOB, text, text, LineRange(1, 1))


@given(texts)
def test_what_is_shown_once_is_shown_so_again(text: str) -> None:
    if "@" not in text:
        shown = public_url(text)
        assert public_url(shown) == shown

"""The Hugging Face hub's raw-file endpoint, over real HTTP."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import ssl
import subprocess
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from support.listening import Recorder
from support.tunnel import tunnel
from support.webserver import Asked, Reply, WebServer, serve_web

from provenance.answers import Acquired, Artifact, Unreached
from provenance.evidence import Content, OriginKind
from provenance.extract.decode import NotText, decode
from provenance.origin.address import AddressPolicy
from provenance.origin.http import HttpSession, Limits
from provenance.origin.hub import HubOrigin, hub_repository
from provenance.origins import NetworkOrigins, NetworkReach, closing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from provenance.answers import Answer

GIT = "https://huggingface.co/openai-community/gpt2"
PIN = "607a30d783dfa663caf39e06633721c8d4cfcd7e"
OTHER = "11c5a3d5811f50298f278a704980280950aedb10"
CONFIG = b'{\n  "n_embd": 768\n}\n'
PATH = f"/openai-community/gpt2/raw/{PIN}/config.json"
NAME = f"huggingface.co{PATH}"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PLAIN = {"Content-Type": "text/plain; charset=utf-8"}


pytestmark = pytest.mark.usefixtures("plain_network")


@pytest.fixture(autouse=True)
def _token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")


def hub(
    web: WebServer,
    *,
    limit: int = 1000,
    limits: Limits | None = None,
    policy: AddressPolicy | None = None,
    listener: Recorder | None = None,
) -> HubOrigin:
    session = HttpSession(
        policy or AddressPolicy(allow_local=True),
        limits=limits or Limits(),
        sleep=lambda _: None,
        now=lambda: NOON,
    )
    return HubOrigin(session=session, listener=listener or Recorder(), url=web.url, size_limit=limit)


def ask(origin: HubOrigin, path: str = "config.json", *, git: str = GIT, revision: str = PIN) -> Answer:
    answers: Mapping[str, Answer] = origin.acquire(git, revision, [path])
    assert list(answers) == [path]
    return answers[path]


def acquired(answer: Answer) -> Acquired:
    assert isinstance(answer, Acquired), answer
    return answer


def unreached(answer: Answer) -> Unreached:
    assert isinstance(answer, Unreached), answer
    return answer


@pytest.mark.parametrize(
    ("git", "repository"),
    [
        (GIT, "openai-community/gpt2"),
        (f"{GIT}.git", "openai-community/gpt2"),
        (f"{GIT}/", "openai-community/gpt2"),
        (f"{GIT}.git/", "openai-community/gpt2"),
        ("https://huggingface.co/gpt2", "gpt2"),
        ("https://hf.co/openai-community/gpt2", None),
        ("https://HuggingFace.co:443/a/b", "a/b"),
        ("https://user:secret@huggingface.co/a/b", "a/b"),
        ("https://huggingface.co/datasets/rajpurkar/squad", "datasets/rajpurkar/squad"),
        ("https://huggingface.co/datasets/squad", "datasets/squad"),
        ("https://huggingface.co/spaces/a/b.c", "spaces/a/b.c"),
        ("http://huggingface.co/a/b", None),
        ("ssh://git@hf.co/a/b", None),
        ("git@hf.co:a/b", None),
        ("https://huggingface.co:8443/a/b", None),
        ("https://huggingface.co.example.org/a/b", None),
        ("https://xhuggingface.co/a/b", None),
        ("https://example.org/huggingface.co/a/b", None),
        ("https://huggingface.co@example.org/a/b", None),
        ("https://huggingface.co/a/b/c", None),
        ("https://huggingface.co/", None),
        ("https://huggingface.co", None),
        ("https://huggingface.co/../b", None),
        ("https://huggingface.co/a/..", None),
        ("https://huggingface.co/a//b", None),
        ("https://huggingface.co/a%2fb/c", None),
        ("https://huggingface.co/a/b?token=x", None),
        ("https://huggingface.co/a/b#c", None),
        ("https://huggingface.co:port/a/b", None),
        ("https://[huggingface.co/a/b", None),
        ("/home/huggingface.co/a", None),
        ("", None),
    ],
)
def test_what_is_on_the_hub(git: str, repository: str | None) -> None:
    assert hub_repository(git) == repository


def test_a_file(web: WebServer) -> None:
    web.routes[PATH] = Reply(CONFIG, headers=PLAIN)
    listener = Recorder()
    artifact = Artifact(NAME, hashlib.sha256(CONFIG).hexdigest())
    assert ask(hub(web, listener=listener)) == Acquired(
        "config.json", Content.of(CONFIG), OriginKind.HUB, artifact=artifact, notes=(f"read from {NAME}",)
    )
    assert web.paths == [PATH]
    assert "authorization" not in web.asked[0].headers, "no token is sent, whatever the environment has"
    assert listener.said == [f"asking for {NAME}"]


def test_a_file_that_is_sent_compressed(web: WebServer) -> None:
    web.routes[PATH] = Reply(gzip.compress(CONFIG), headers={**PLAIN, "Content-Encoding": "gzip"})
    answer = acquired(ask(hub(web)))
    assert answer.content == Content.of(CONFIG)
    assert answer.artifact == Artifact(NAME, hashlib.sha256(CONFIG).hexdigest())


def test_files_one_by_one(web: WebServer) -> None:
    web.routes[PATH] = Reply(CONFIG)
    answers = hub(web).acquire(GIT, PIN, {"config.json", "a.json"})
    assert sorted(answers) == ["a.json", "config.json"]
    assert isinstance(answers["a.json"], Unreached)
    assert isinstance(answers["config.json"], Acquired)


def test_no_answer_for_another_host(web: WebServer) -> None:
    assert hub(web).acquire("https://example.org/a/b", PIN, ["config.json"]) == {}
    assert web.asked == []


@pytest.mark.parametrize(
    ("git", "revision", "path", "asked"),
    [
        (GIT, "607a30d", "config.json", "/openai-community/gpt2/raw/607a30d/config.json"),
        (GIT, "refs/pr/1", "a/b.json", "/openai-community/gpt2/raw/refs%2Fpr%2F1/a/b.json"),
        (GIT, "v1.0", "a b/ü?#%2e.json", "/openai-community/gpt2/raw/v1.0/a%20b/%C3%BC%3F%23%252e.json"),
        (GIT, "x y?#", "...", "/openai-community/gpt2/raw/x%20y%3F%23/..."),
        (GIT, "main", "\udcff.json", "/openai-community/gpt2/raw/main/%FF.json"),
        (GIT, "main", "a\\..\\b\n", "/openai-community/gpt2/raw/main/a%5C..%5Cb%0A"),
        (GIT, "main", "@host:80", "/openai-community/gpt2/raw/main/%40host%3A80"),
        ("https://huggingface.co/gpt2", "main", "a.json", "/gpt2/raw/main/a.json"),
        ("https://huggingface.co/datasets/a/b", "main", "a.json", "/datasets/a/b/raw/main/a.json"),
    ],
)
def test_addresses(web: WebServer, git: str, revision: str, path: str, asked: str) -> None:
    web.routes[asked] = Reply(CONFIG)
    answer = acquired(ask(hub(web), path, git=git, revision=revision))
    assert web.paths == [asked]
    assert answer.path == path
    assert answer.artifact is not None
    assert answer.artifact.name == f"huggingface.co{asked}"


@pytest.mark.parametrize(
    ("revision", "path"),
    [
        ("..", "config.json"),
        (".", "config.json"),
        ("", "config.json"),
        ("a/../..", "config.json"),
        ("-x", "config.json"),
        ("main", ""),
        ("main", "/config.json"),
        ("main", "../config.json"),
        ("main", "a/../../config.json"),
        ("main", "a/./config.json"),
        ("main", "a//config.json"),
        ("main", "a/"),
        ("main", "\ud800"),
        ("main", "a" * 3000),
        ("\ud800", "a"),
    ],
)
def test_what_could_lead_elsewhere_is_not_asked(web: WebServer, revision: str, path: str) -> None:
    answer = unreached(ask(hub(web), path, revision=revision))
    assert "is not asked" in answer.message
    assert web.asked == []


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=404), "there is no such file or revision"),
        (Reply(status=401), "not shown to everybody (status 401: private or gated)"),
        (Reply(status=403), "not shown to everybody (status 403: private or gated)"),
        (Reply(status=500), "status 500"),
        (Reply(status=503), "is not able to answer now (status 503)"),
        (Reply(status=204), "status 204"),
        (Reply(status=429, headers={"Retry-After": "3600"}), "until 2026-05-01 13:00:00 UTC"),
        (Reply(bytes(1001)), "too large"),
        (Reply(iter([bytes(600), bytes(600)])), "too large"),
        (Reply(gzip.compress(bytes(1001)), headers={"Content-Encoding": "gzip"}), "too large"),
        (Reply(CONFIG, headers={"Content-Length": "100", "Connection": "close"}), "breaks off"),
        (Reply(b"<html>", headers={"Content-Type": "text/html; charset=utf-8"}), "a web page, not the file"),
        (Reply(CONFIG, headers={"X-Repo-Commit": OTHER}), f"the answer is of commit {OTHER}"),
        (Reply(status=302, headers={"Location": "file:///etc/passwd"}), "redirects to another scheme"),
        (Reply(status=302), "redirects to nowhere"),
        (Reply(status=302, headers={"Location": PATH}), "redirects more than 5 times"),
    ],
)
def test_no_file(web: WebServer, reply: Reply, words: str) -> None:
    web.routes[PATH] = reply
    answer = unreached(ask(hub(web)))
    assert words in answer.message
    assert answer.message.startswith(NAME)


def test_that_a_commit_needs_its_full_id_is_said_where_it_is_short(web: WebServer) -> None:
    assert "full id" in unreached(ask(hub(web), revision="607a30d")).message
    assert "full id" not in unreached(ask(hub(web))).message


def test_a_hub_that_asks_for_fewer_requests_is_left_alone(web: WebServer) -> None:
    web.routes[PATH] = Reply(status=429, headers={"Retry-After": "3600"})
    origin = hub(web)
    for _ in range(3):
        assert "13:00:00" in unreached(ask(origin)).message
    assert len(web.asked) == 1


def test_a_hub_that_says_when_is_asked_again(web: WebServer) -> None:
    web.routes[PATH] = [Reply(status=429, headers={"Retry-After": "0"}), Reply(CONFIG)]
    assert acquired(ask(hub(web))).content.data == CONFIG


def test_a_hub_that_cannot_be_reached_is_asked_once(web: WebServer) -> None:
    closed = WebServer(port=1)
    origin = hub(closed)
    assert "cannot be reached" in unreached(ask(origin)).message
    assert "cannot be reached" in unreached(ask(origin, "other.json")).message
    assert web.asked == []


def test_a_slow_hub_is_asked_once(web: WebServer) -> None:
    done = threading.Event()

    def dripping() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x"
            if done.wait(0.1):
                return

    web.routes[PATH] = lambda _: Reply(dripping())
    origin = hub(web, limits=Limits(total=0.3))
    assert "too slow" in unreached(ask(origin)).message
    assert "it is not asked again" in unreached(ask(origin, "other.json")).message
    done.set()
    assert web.paths == [PATH]


def test_a_repository_that_was_renamed(web: WebServer) -> None:
    old = f"/gpt2/raw/{PIN}/config.json"
    web.routes[old] = Reply(status=307, headers={"Location": PATH})
    web.routes[PATH] = Reply(CONFIG)
    answer = acquired(ask(hub(web), git="https://huggingface.co/gpt2"))
    assert answer.artifact is not None
    assert answer.artifact.name == f"huggingface.co{old}"
    assert answer.notes == (f"read from huggingface.co{old}, which leads to {web.url}{PATH}",)


def test_a_redirect_to_another_host(web: WebServer) -> None:
    with serve_web() as other:
        web.routes[PATH] = Reply(status=302, headers={"Location": f"{other.url}/f?token=SECRET"})
        other.routes["/f?token=SECRET"] = Reply(CONFIG)
        answer = acquired(ask(hub(web)))
        assert answer.content.data == CONFIG
        assert answer.notes == (f"read from {NAME}, which leads to {other.url}/f",)


def test_a_redirect_to_this_machine_is_refused(web: WebServer) -> None:
    with serve_web() as other:
        web.routes[PATH] = Reply(status=302, headers={"Location": f"{other.url}/f"})
        other.routes["/f"] = Reply(CONFIG)
        answer = unreached(ask(hub(web, policy=AddressPolicy(trusted=frozenset({web.endpoint})))))
        assert answer.refused
        assert "is refused" in answer.message
        assert other.asked == []


def test_a_hub_that_is_not_allowed(web: WebServer) -> None:
    answer = unreached(ask(hub(web, policy=AddressPolicy())))
    assert answer.refused
    assert web.asked == []


@pytest.mark.parametrize(
    ("revision", "commit", "note"),
    [
        ("607a30d", PIN, f"huggingface.co says that 607a30d is commit {PIN}"),
        ("main", OTHER, f"huggingface.co says that main is commit {OTHER}"),
        ("607a30d", "not a commit", None),
        ("607a30d", "", None),
        (PIN, PIN, None),
    ],
)
def test_the_commit_that_the_hub_states_is_a_note_and_no_pin(
    web: WebServer, revision: str, commit: str, note: str | None
) -> None:
    web.routes[PATH.replace(PIN, revision)] = Reply(CONFIG, headers={"X-Repo-Commit": commit})
    answer = acquired(ask(hub(web), revision=revision))
    assert answer.notes[1:] == ((note,) if note else ())
    assert answer.proof == ()


def test_content_in_lfs_comes_as_its_pointer(web: WebServer) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 548105171\n" % (b"a" * 64)
    web.routes[PATH] = Reply(pointer, headers=PLAIN)
    answer = acquired(ask(hub(web)))
    assert isinstance(decode(answer.content.data, answer.path), NotText)


def test_a_page_of_html_that_is_a_file(web: WebServer) -> None:
    path = PATH.replace("config.json", "index.html")
    web.routes[path] = Reply(b"<html>", headers=PLAIN)
    assert acquired(ask(hub(web), "index.html")).content.data == b"<html>"


def test_an_empty_file(web: WebServer) -> None:
    web.routes[PATH] = Reply(b"")
    assert acquired(ask(hub(web))).content == Content.of(b"")


def test_what_is_asked_for_looks_like_any_other_request(web: WebServer) -> None:
    seen: list[Asked] = []

    def answer(asked: Asked) -> Reply:
        seen.append(asked)
        return Reply(CONFIG)

    web.routes[PATH] = answer
    acquired(ask(hub(web), git="https://user:secret@huggingface.co/openai-community/gpt2"))
    assert seen[0].headers["user-agent"].startswith("prov/")
    assert "secret" not in str(seen)


# --- as a run asks it, over https


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of the hub's name that signs itself, with its key in the same file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed, so no certificate can be made")
    file, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=huggingface.co",
         "-addext", "subjectAltName=DNS:huggingface.co", "-keyout", key, "-out", file],
        check=True,
        capture_output=True,
    )  # fmt: skip
    file.write_bytes(file.read_bytes() + key.read_bytes())
    return file


@pytest.mark.parametrize("git", [GIT, f"{GIT}.git"])
def test_a_run_asks_the_hub_over_https(
    git: str, tmp_path: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CERT", str(certificate))
    with tunnel() as proxy:
        proxy.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        proxy.context.load_cert_chain(certificate)
        proxy.answers[PATH] = CONFIG
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        with closing(NetworkOrigins(Recorder(), NetworkReach(tmp_path, cache=tmp_path / "cache"))) as origins:
            assert origins is not None
            answers = origins.raw(git, PIN, ["config.json", "gone.json"])
        assert proxy.asked == [
            "huggingface.co:443",
            PATH,
            "huggingface.co:443",
            PATH.replace("config", "gone"),
        ]
    assert acquired(answers["config.json"]).artifact == Artifact(NAME, hashlib.sha256(CONFIG).hexdigest())
    assert "no such file" in unreached(answers["gone.json"]).message


def test_a_run_asks_nobody_for_what_is_not_on_the_hub(tmp_path: Path) -> None:
    origins = NetworkOrigins(Recorder(), NetworkReach(tmp_path))
    for git in ("https://github.com/openai/gpt-2", "engine.git", "http://huggingface.co/a/b", "ext::sh -c x"):
        assert origins.raw(git, PIN, ["config.json"]) == {}
    assert set(vars(origins)) == {"_listener", "_reach", "_making"}, "nothing was made for it"

from __future__ import annotations

import hashlib
import html
import io
import json
import os
import re
import tarfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.webserver import Reply, WebServer, serve_web

from provenance.answers import Acquired, Answer, Artifact, Lacking, Unreached
from provenance.citation import Release
from provenance.evidence import Content, OriginKind, Verdict
from provenance.origin.address import AddressPolicy
from provenance.origin.artifact import Bounds
from provenance.origin.http import HttpSession, Login
from provenance.origin.listener import Silent
from provenance.origin.pip_configuration import open_session, read_configuration
from provenance.origin.release import ReleaseOrigin

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.usefixtures("plain_network")

RELEASE = Release("Some_Project", "1.0")
MODEL = b"def model():\n    return 1\n"
JSON = "application/vnd.pypi.simple.v1+json"
HTML = "application/vnd.pypi.simple.v1+html"


@dataclass(frozen=True, slots=True)
class Published:
    """A release file, and how an index lists it."""

    name: str
    data: bytes
    sha256: str | None = "right"
    href: str | None = None
    yanked: str | None = None
    size: int | None = None

    @property
    def digest(self) -> str | None:
        return hashlib.sha256(self.data).hexdigest() if self.sha256 == "right" else self.sha256


class Heard(Silent):
    def __init__(self) -> None:
        self.said: list[str] = []
        self.received: list[tuple[str, int]] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    def advance(self, what: str, *, received: int, objects: int = 0) -> None:
        assert objects == 0
        self.received.append((what, received))


@dataclass(slots=True)
class Setting:
    """An origin in front of a server."""

    origin: ReleaseOrigin
    heard: Heard = field(default_factory=Heard)

    def acquire(self, *paths: str, release: Release = RELEASE) -> Mapping[str, Answer]:
        return self.origin.acquire(release, paths)


def setting(
    *servers: WebServer,
    offline: bool = False,
    limit: int = 1_000_000,
    bounds: Bounds | None = None,
    login: Login | None = None,
) -> Setting:
    policy = AddressPolicy(trusted=frozenset(server.endpoint for server in servers))
    session = HttpSession(
        policy, sleep=lambda _: None, logins={server.endpoint: login for server in servers if login}
    )
    heard = Heard()
    origin = ReleaseOrigin(
        session=session,
        indexes=[f"{server.url}/simple/" for server in servers],
        listener=heard,
        offline=offline,
        download_limit=limit,
        bounds=bounds or Bounds(),
    )
    return Setting(origin, heard)


def sdist(
    files: Mapping[str, bytes],
    *,
    name: str = "some_project-1.0.tar.gz",
    links: Mapping[str, str] | None = None,
) -> Published:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for path, data in files.items():
            info = tarfile.TarInfo(f"some_project-1.0/{path}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for path, target in (links or {}).items():
            info = tarfile.TarInfo(f"some_project-1.0/{path}")
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return Published(name, made.getvalue())


def wheel(files: Mapping[str, bytes], *, name: str = "some_project-1.0-py3-none-any.whl") -> Published:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return Published(name, made.getvalue())


SDIST = sdist({"src/pkg/model.py": MODEL, "setup.py": b""})
WHEEL = wheel({"pkg/model.py": MODEL, "pkg/built.py": b"built\n", "some_project-1.0.dist-info/RECORD": b""})


def page_json(files: tuple[Published, ...]) -> bytes:
    listed = [
        {
            "filename": file.name,
            "url": file.href or f"../../files/{file.name}",
            "hashes": {"sha256": file.digest} if file.digest else {},
            "yanked": file.yanked if file.yanked is not None else False,
        }
        | ({} if file.size is None else {"size": file.size})
        for file in files
    ]
    return json.dumps({"meta": {"api-version": "1.0"}, "name": "some-project", "files": listed}).encode()


def page_html(files: tuple[Published, ...], base: str = "") -> bytes:
    links = []
    for file in files:
        fragment = f"#sha256={file.digest}" if file.digest else ""
        yanked = "" if file.yanked is None else f' data-yanked="{html.escape(file.yanked)}"'
        href = file.href or f"../../files/{file.name}"
        links.append(f'<a href="{href}{fragment}"{yanked}>{file.name}</a><br/>')
    head = f'<head><base href="{base}"></head>' if base else ""
    return f"<!DOCTYPE html><html>{head}<body>{''.join(links)}</body></html>".encode()


def publish(web: WebServer, *files: Published, form: str = JSON) -> None:
    body = page_json(files) if form == JSON else page_html(files)
    web.routes["/simple/some-project/"] = Reply(body, headers={"Content-Type": form})
    web.routes |= {f"/files/{file.name}": Reply(file.data) for file in files}


def artifact(file: Published) -> Artifact:
    return Artifact(file.name, hashlib.sha256(file.data).hexdigest())


def unreached(answer: Answer) -> str:
    assert isinstance(answer, Unreached), answer
    return answer.message


@pytest.mark.parametrize("form", [JSON, HTML, "text/html; charset=utf-8"])
def test_a_file_of_the_source_distribution(web: WebServer, form: str) -> None:
    publish(web, WHEEL, SDIST, form=form)
    here = setting(web)
    answers = here.acquire("src/pkg/model.py")
    assert answers == {
        "src/pkg/model.py": Acquired(
            "src/pkg/model.py",
            Content.of(MODEL),
            OriginKind.RELEASE,
            artifact=artifact(SDIST),
            notes=("read from some_project-1.0/src/pkg/model.py in some_project-1.0.tar.gz",),
        )
    }
    assert web.paths == ["/simple/some-project/", "/files/some_project-1.0.tar.gz"]
    assert JSON in web.asked[0].headers["accept"]
    assert HTML in web.asked[0].headers["accept"]
    assert here.heard.said == ["Some_Project==1.0: reading some_project-1.0.tar.gz"]
    assert here.heard.received[-1] == (SDIST.name, len(SDIST.data))


def test_the_wheel_has_what_the_source_distribution_lacks(web: WebServer) -> None:
    publish(web, SDIST, WHEEL)
    answers = setting(web).acquire("src/pkg/model.py", "src/pkg/built.py", "src/pkg/none.py")
    assert isinstance(answers["src/pkg/model.py"], Acquired)
    built = answers["src/pkg/built.py"]
    assert isinstance(built, Acquired)
    assert (built.content.data, built.artifact) == (b"built\n", artifact(WHEEL))
    assert answers["src/pkg/none.py"] == Lacking(
        Verdict.NO_PATH, "some_project-1.0-py3-none-any.whl has no such file"
    )
    assert len(web.asked) == 3


def test_a_release_that_has_a_wheel_alone(web: WebServer) -> None:
    native = wheel({}, name="some_project-1.0-cp311-cp311-linux_x86_64.whl")
    publish(web, native, WHEEL)
    assert isinstance(setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"], Acquired)
    assert web.paths[1:] == [f"/files/{WHEEL.name}"]


def test_links_with_a_base(web: WebServer) -> None:
    listed = Published(SDIST.name, SDIST.data, href=f"deep/{SDIST.name}")
    body = page_html((listed,), base=f"{web.url}/elsewhere/")
    web.routes["/simple/some-project/"] = Reply(body, headers={"Content-Type": "text/html"})
    web.routes[f"/elsewhere/deep/{SDIST.name}"] = Reply(SDIST.data)
    assert isinstance(setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"], Acquired)


def test_links_are_relative_to_where_the_page_was_in_the_end(web: WebServer) -> None:
    publish(web, SDIST)
    web.routes["/mirror/simple/some-project/"] = web.routes["/simple/some-project/"]
    web.routes["/simple/some-project/"] = Reply(
        status=301, headers={"Location": "/mirror/simple/some-project/"}
    )
    web.routes[f"/mirror/files/{SDIST.name}"] = Reply(SDIST.data)
    assert isinstance(setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"], Acquired)


@pytest.mark.parametrize(
    ("listed", "wanted", "found"),
    [
        ("1.0", "1.0.0", True),
        ("1.0.0", "1.0", True),
        ("1.0", "1.0.post1", False),
        ("1.0", "1.00", True),
        ("1.0rc1", "1.0", False),
        ("1.0rc1", "1.0.RC1", True),
        ("1.0", "nonsense", False),
    ],
)
def test_versions_are_compared_as_versions(web: WebServer, listed: str, wanted: str, found: bool) -> None:
    publish(web, Published(f"some_project-{listed}.tar.gz", SDIST.data))
    answer = setting(web).acquire("src/pkg/model.py", release=Release("some.project", wanted))
    assert isinstance(answer["src/pkg/model.py"], Acquired if found else Unreached)


@pytest.mark.parametrize("form", [JSON, HTML])
def test_a_yanked_file_is_read_with_a_note(web: WebServer, form: str) -> None:
    publish(web, Published(SDIST.name, SDIST.data, yanked="broken build"), form=form)
    answer = setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"]
    assert isinstance(answer, Acquired)
    assert answer.notes[0] == "some_project-1.0.tar.gz was yanked: broken build"


WRONG = "0" * 64


@pytest.mark.parametrize("form", [JSON, HTML])
@pytest.mark.parametrize(
    ("digest", "words"),
    [
        (None, "states no sha256 for some_project-1.0.tar.gz"),
        ("abc", "states no sha256 for some_project-1.0.tar.gz"),
        (WRONG, f"is not what the package index promises: its sha256 is .*, not {WRONG}"),
    ],
)
def test_a_file_without_its_right_digest_is_not_used(
    web: WebServer, form: str, digest: str | None, words: str
) -> None:
    publish(web, Published(SDIST.name, SDIST.data, sha256=digest), form=form)
    message = unreached(setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"])
    assert re.search(words, message)


def test_a_bad_source_distribution_does_not_hide_the_wheel(web: WebServer) -> None:
    publish(web, Published(SDIST.name, SDIST.data, sha256=WRONG), WHEEL)
    answers = setting(web).acquire("src/pkg/model.py", "src/pkg/none.py")
    assert isinstance(answers["src/pkg/model.py"], Acquired)
    assert "promises" in unreached(answers["src/pkg/none.py"])


@pytest.mark.parametrize(
    ("links", "path", "expected"),
    [
        ({"pkg/link.py": "../src/pkg/model.py"}, "pkg/link.py", Verdict.EXACT),
        ({"pkg/link.py": "other.py", "pkg/other.py": "../src/pkg/model.py"}, "pkg/link.py", Verdict.NOT_TEXT),
        ({"pkg/link.py": "../../../etc/passwd"}, "pkg/link.py", Verdict.NOT_TEXT),
        ({"pkg/link.py": "/etc/passwd"}, "pkg/link.py", Verdict.NOT_TEXT),
        ({"pkg/link.py": "gone.py"}, "pkg/link.py", Verdict.NOT_TEXT),
        ({"pkg": "src/pkg"}, "pkg/none.py", Verdict.NO_PATH),
    ],
)
def test_a_link_is_followed_once_within_the_archive(
    web: WebServer, links: Mapping[str, str], path: str, expected: Verdict
) -> None:
    publish(web, sdist({"src/pkg/model.py": MODEL}, links=links))
    answer = setting(web).acquire(path)[path]
    if expected is Verdict.EXACT:
        assert isinstance(answer, Acquired)
        assert answer.content.data == MODEL
    else:
        assert isinstance(answer, Lacking)
        assert answer.verdict is expected


def test_what_could_be_two_files_is_neither(web: WebServer) -> None:
    publish(web, wheel({"pkg/m.py": b"1", "some_project-1.0.data/purelib/pkg/m.py": b"2"}))
    answer = setting(web).acquire("src/pkg/m.py")["src/pkg/m.py"]
    assert isinstance(answer, Lacking)
    assert "pkg/m.py, some_project-1.0.data/purelib/pkg/m.py" in answer.message


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (Reply(status=404), "the package index has no project some-project"),
        (Reply(status=403), "status 403"),
        (Reply(status=429), "asks for fewer requests (status 429)"),
        (Reply(status=429, headers={"Retry-After": "7200"}), "status 429), until"),
        (Reply(b"{", headers={"Content-Type": JSON}), "cannot be read"),
        (Reply(b"[]", headers={"Content-Type": JSON}), "cannot be read"),
        (Reply(b"[" * 200_000, headers={"Content-Type": JSON}), "cannot be read"),
        (Reply(b'{"meta": {"api-version": "2.0"}}', headers={"Content-Type": JSON}), "cannot be read"),
        (Reply(b"", headers={"Content-Type": "text/html"}), "has no file of Some_Project==1.0"),
        (Reply(page_html(()), headers={"Content-Type": "text/html"}), "has no file of Some_Project==1.0"),
        (Reply(b"<a><b>" * 3000, headers={"Content-Type": "text/html"}), "package index"),
        (Reply(status=302, headers={"Location": "http://10.0.0.1/"}), "https://"),
    ],
)
def test_pages_that_list_nothing(web: WebServer, page: Reply, words: str) -> None:
    web.routes["/simple/some-project/"] = page
    assert words in unreached(setting(web).acquire("a/b.py")["a/b.py"])


def test_an_index_that_is_busy_at_first(web: WebServer) -> None:
    publish(web, SDIST)
    page = web.routes["/simple/some-project/"]
    assert isinstance(page, Reply)
    web.routes["/simple/some-project/"] = [Reply(status=429), Reply(status=503), page]
    assert isinstance(setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"], Acquired)


def test_the_next_index_is_asked(web: WebServer) -> None:
    with serve_web() as other:
        publish(other, SDIST)
        assert isinstance(setting(web, other).acquire("src/pkg/model.py")["src/pkg/model.py"], Acquired)
        assert web.paths == ["/simple/some-project/"]


@pytest.mark.parametrize(
    "href",
    [
        "http://10.0.0.1/some_project-1.0.tar.gz",
        "https://10.0.0.1/some_project-1.0.tar.gz",
        "https://localhost/some_project-1.0.tar.gz",
        "file:///etc/some_project-1.0.tar.gz",
        "ftp://host.example/some_project-1.0.tar.gz",
    ],
)
@pytest.mark.parametrize("form", [JSON, HTML])
def test_a_link_to_where_nobody_may_go(web: WebServer, href: str, form: str) -> None:
    publish(web, Published(SDIST.name, SDIST.data, href=href), form=form)
    answer = setting(web).acquire("src/pkg/model.py")["src/pkg/model.py"]
    assert "is refused" in unreached(answer)
    assert isinstance(answer, Unreached)
    assert answer.refused


@pytest.mark.parametrize("size", [None, 2_000_000])
def test_a_file_that_is_too_large(web: WebServer, size: int | None) -> None:
    big = sdist({"a.py": os.urandom(1_200_000)})
    publish(web, Published(big.name, big.data, size=size))
    assert "too large" in unreached(setting(web).acquire("a.py")["a.py"])
    assert len(web.asked) == (2 if size is None else 1)


def test_the_bound_holds_for_all_files_of_a_release_together(web: WebServer) -> None:
    publish(web, sdist({"a.py": os.urandom(600_000)}), wheel({"b/c.py": os.urandom(600_000)}))
    assert "too large" in unreached(setting(web).acquire("src/b/c.py")["src/b/c.py"])


def test_members_and_bombs_are_bounded(web: WebServer) -> None:
    publish(web, sdist({"a.py": bytes(100_000), "b.py": b""}))
    for bounds in (Bounds(member=50_000), Bounds(inflated=50_000), Bounds(members=1)):
        assert "cannot be used" in unreached(setting(web, bounds=bounds).acquire("a.py")["a.py"])


def test_a_file_that_is_no_archive(web: WebServer) -> None:
    publish(web, Published("some_project-1.0.tar.gz", b"text"))
    assert "cannot be used" in unreached(setting(web).acquire("a.py")["a.py"])


def test_hostile_names_are_never_matched(web: WebServer, tmp_path: Path) -> None:
    publish(web, wheel({"../../etc/passwd": b"x", "/etc/passwd": b"x", "ok/a.py": b""}))
    answers = setting(web).acquire("../../etc/passwd", "/etc/passwd", "etc/passwd")
    assert {type(answer) for answer in answers.values()} == {Lacking}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("project", ["../x", "-x", "a b", "", "a/b", "a?b", "a#b"])
def test_a_name_that_is_none_is_not_asked(web: WebServer, project: str) -> None:
    answer = setting(web).acquire("a.py", release=Release(project, "1.0"))["a.py"]
    assert "is no project name" in unreached(answer)
    assert web.asked == []


def test_offline_and_without_an_index(web: WebServer) -> None:
    assert "offline" in unreached(setting(web, offline=True).acquire("a.py")["a.py"])
    assert "no package index" in unreached(setting().acquire("a.py")["a.py"])
    assert web.asked == []


def test_a_login_reaches_pages_and_files_and_no_message(web: WebServer) -> None:
    publish(web, Published(SDIST.name, SDIST.data, href=f"{web.url}/files/{SDIST.name}"))
    here = setting(web, login=Login("user", "SECRET"))
    assert isinstance(here.acquire("src/pkg/model.py")["src/pkg/model.py"], Acquired)
    assert {asked.headers["authorization"] for asked in web.asked} == {"Basic dXNlcjpTRUNSRVQ="}
    web.routes.clear()
    told = repr(here.acquire("src/pkg/model.py")) + repr(here.heard.said)
    assert "SECRET" not in told
    assert "dXNlcjpTRUNSRVQ" not in told


@pytest.mark.network
@pytest.mark.skipif(not os.environ.get("PROV_TEST_NETWORK"), reason="PROV_TEST_NETWORK is not set")
@pytest.mark.parametrize(
    ("release", "path", "blob"),
    [
        (
            Release("tensor2tensor", "1.0.14"),
            "tensor2tensor/models/common_layers.py",
            "1e70505701300c3079d0ff497663263f44d2fc9e",
        ),
        (
            Release("transformers", "5.6.1"),
            "src/transformers/models/gpt2/modeling_gpt2.py",
            "7bb2a7cd74af1c0f245e5cadcd5402f02f797293",
        ),
    ],
)
def test_real_releases(release: Release, path: str, blob: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    configuration = read_configuration(os.environ, home=Path.home())
    session = open_session(configuration, AddressPolicy())
    origin = ReleaseOrigin(session=session, indexes=configuration.indexes, listener=Silent())
    answer = origin.acquire(release, [path])[path]
    assert isinstance(answer, Acquired), answer
    assert answer.content.blob == blob

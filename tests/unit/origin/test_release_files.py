"""All text files of a release: what two releases are compared by."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from support.webserver import Reply, WebServer

from provenance.answers import ReleaseFiles, Unreached
from provenance.citation import Release
from provenance.origin import release as module
from provenance.origin.address import AddressPolicy
from provenance.origin.http import HttpSession
from provenance.origin.listener import Silent
from provenance.origin.release import ReleaseOrigin

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.usefixtures("plain_network")

RELEASE = Release("thing", "1.0")
FILES = {
    "src/pkg/model.py": b"one = 1\n",
    "setup.py": b"",
    "logo.png": b"\0\1\2",
    "pkg.egg-info/PKG-INFO": b"x",
}


def sdist(files: Mapping[str, bytes], links: Mapping[str, str] | None = None) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for path, data in files.items():
            info = tarfile.TarInfo(f"thing-1.0/{path}")
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for path, target in (links or {}).items():
            info = tarfile.TarInfo(f"thing-1.0/{path}")
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return made.getvalue()


def wheel(files: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return made.getvalue()


def publish(web: WebServer, files: Mapping[str, bytes], *, sha256: str = "") -> None:
    listed = []
    for name, data in files.items():
        web.routes[f"/files/{name}"] = Reply(data)
        digest = sha256 or hashlib.sha256(data).hexdigest()
        listed.append({"filename": name, "url": f"{web.url}/files/{name}", "hashes": {"sha256": digest}})
    page = json.dumps({"meta": {"api-version": "1.0"}, "name": "thing", "files": listed}).encode()
    kind = {"Content-Type": "application/vnd.pypi.simple.v1+json"}
    web.routes["/simple/thing/"] = Reply(page, headers=kind)


def read(web: WebServer, *paths: str, offline: bool = False) -> ReleaseFiles | Unreached:
    session = HttpSession(AddressPolicy(trusted=frozenset({web.endpoint})), sleep=lambda _: None)
    origin = ReleaseOrigin(
        session=session, indexes=[f"{web.url}/simple/"], listener=Silent(), offline=offline
    )
    return origin.files(RELEASE, paths)


def test_all_text_files_by_their_paths_without_the_folder_around_them(web: WebServer) -> None:
    data = sdist(FILES, {"link.py": "src/pkg/model.py"})
    publish(web, {"thing-1.0.tar.gz": data})
    found = read(web, "src/pkg/model.py", "pkg/model.py", "link.py", "logo.png", "gone.py")
    assert isinstance(found, ReleaseFiles)
    assert found.files == {path: data for path, data in FILES.items() if path != "logo.png"}
    assert found.artifact.name == "thing-1.0.tar.gz"
    assert found.artifact.sha256 == hashlib.sha256(data).hexdigest()
    assert found.paths == {"src/pkg/model.py": "src/pkg/model.py", "link.py": "src/pkg/model.py"}


def test_a_wheel_has_them_without_the_folder_that_the_repository_keeps_them_in(web: WebServer) -> None:
    publish(web, {"thing-1.0-py3-none-any.whl": wheel({"pkg/model.py": b"one = 1\n"})})
    found = read(web, "src/pkg/model.py")
    assert isinstance(found, ReleaseFiles)
    assert found.paths == {"src/pkg/model.py": "pkg/model.py"}


def test_where_a_source_distribution_cannot_be_used_a_wheel_is(web: WebServer) -> None:
    publish(web, {"thing-1.0.tar.gz": b"broken", "thing-1.0-py3-none-any.whl": wheel({"pkg/m.py": b"1\n"})})
    found = read(web, "pkg/m.py")
    assert isinstance(found, ReleaseFiles)
    assert found.artifact.name == "thing-1.0-py3-none-any.whl"


def test_large_files_and_what_is_too_much_are_left_out(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_LARGEST_TEXT", 4)
    monkeypatch.setattr(module, "_MOST_TEXT", 10)
    publish(
        web,
        {"thing-1.0.tar.gz": sdist({"a": b"12345", "b": b"1234", "c": b"1234", "d": b"1234", "e": b"12"})},
    )
    found = read(web, "a", "b")
    assert isinstance(found, ReleaseFiles)
    assert set(found.files) == {"b", "c", "e"}
    assert found.paths == {"b": "b"}


@pytest.mark.parametrize(("sha256", "says"), [("a" * 64, "not what the package index promises"), ("", "")])
def test_bytes_that_are_not_promised_are_not_read(web: WebServer, sha256: str, says: str) -> None:
    publish(web, {"thing-1.0.tar.gz": sdist(FILES)}, sha256=sha256)
    found = read(web)
    assert isinstance(found, Unreached) is bool(says)
    assert says in getattr(found, "message", "")


def test_nobody_is_asked_offline(web: WebServer) -> None:
    found = read(web, offline=True)
    assert isinstance(found, Unreached)
    assert "offline" in found.message
    assert web.asked == []


def test_an_index_that_has_no_such_project_is_no_answer(web: WebServer) -> None:
    assert isinstance(read(web), Unreached)

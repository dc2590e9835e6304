"""What stands in for a repository that is not there: releases, and an archive by blob id."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tarfile
from typing import TYPE_CHECKING

import pytest
from support.project import ARCHIVE, Cite, Project, World
from support.webserver import Reply, WebServer, serve_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

CODE = "def one():\n    return 1\n\n\ndef two():\n    return 2\n"
TWO = "def two():\n    return 2\n"
RELEASE = "some-thing==1.0"


def sdist(files: dict[str, str]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"some_thing-1.0/{path}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return made.getvalue()


def publish(index: WebServer, data: bytes, *, sha256: str = "", served: bytes | None = None) -> None:
    """List a release, and serve its file."""
    page = {
        "meta": {"api-version": "1.0"},
        "name": "some-thing",
        "files": [
            {
                "filename": "some_thing-1.0.tar.gz",
                "url": f"{index.url}/files/some_thing-1.0.tar.gz",
                "hashes": {"sha256": sha256 or hashlib.sha256(data).hexdigest()},
            }
        ],
    }
    kind = {"Content-Type": "application/vnd.pypi.simple.v1+json"}
    index.routes["/simple/some-thing/"] = Reply(json.dumps(page).encode(), headers=kind)
    index.routes["/files/some_thing-1.0.tar.gz"] = Reply(data if served is None else served)


@pytest.fixture
def index(world: World) -> Iterator[WebServer]:
    """A package index that pip is configured for."""
    with serve_web() as server:
        world.project.environ["PIP_INDEX_URL"] = f"{server.url}/simple/"
        yield server


def unable(handler: BaseHTTPRequestHandler) -> bool:
    """Answer that the server cannot answer now."""
    handler.send_error(503)
    return True


def cite(world: World, *cites: Cite) -> str:
    commit = world.repository.commit({"pkg/m.py": CODE})
    world.project.manifest(
        world.source(commit[:12], RELEASE), *(cites or [Cite("two", "pkg/m.py", "5-6", TWO)])
    )
    return commit


def forget(project: Project) -> None:
    project.db.unlink(missing_ok=True)
    shutil.rmtree(project.cache, ignore_errors=True)


def test_a_release_stands_in_and_nothing_ties_it_to_the_commit(world: World, index: WebServer) -> None:
    world.go_down()
    data = sdist({"pkg/m.py": CODE})
    publish(index, data)
    commit = cite(world)
    ran = world.project.fetch()
    assert "artifact (pypi some_thing-1.0.tar.gz)" in ran.out
    found = world.project.verify()["two"]
    assert (found["verdict"], found["assurance"], found["origin"]) == ("exact", "artifact", "pypi")
    assert found["revision"] == commit[:12], "it was never resolved"
    assert found["symbol"] == "two"
    lock = json.loads(world.project.lock.read_bytes())["sources"][world.url][commit[:12]]
    assert lock["revision"] is None
    assert lock["paths"]["pkg/m.py"]["proof"] == "artifact"
    assert lock["paths"]["pkg/m.py"]["artifact"] == {
        "name": "some_thing-1.0.tar.gz",
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    index.asked.clear()
    assert world.project.verify()["two"]["assurance"] == "artifact"
    assert index.asked == []
    assert world.project.verify("--assurance", "locked", code=3)["two"]["verdict"] == "unavailable"


def test_an_artifact_cannot_refute(world: World, index: WebServer) -> None:
    world.go_down()
    publish(index, sdist({"pkg/m.py": CODE.replace("2", "3")}))
    cite(world, Cite("two", "pkg/m.py", "5-6", TWO), Cite("gone", "pkg/n.py", "1"))
    found = world.project.verify(code=3)
    assert found["two"]["verdict"] == "unavailable"
    assert "cannot refute" in found["two"].text("message")
    assert "changed" in found["two"].text("message")
    assert found["gone"]["verdict"] == "unavailable"


def test_release_bytes_with_the_locked_blob_are_locked(world: World, index: WebServer) -> None:
    publish(index, sdist({"pkg/m.py": CODE}))
    commit = cite(world)
    world.project.fetch()
    lock = world.project.lock.read_bytes()
    assert index.asked == [], "git was there"
    world.go_down()
    forget(world.project)
    found = world.project.verify()["two"]
    assert (found["verdict"], found["assurance"], found["origin"]) == ("exact", "locked", "pypi")
    assert found["revision"] == commit
    world.project.fetch()
    assert world.project.lock.read_bytes() == lock, "a proof by commit is not given up for one by an artifact"
    assert world.project.verify("--assurance", "commit", code=3)["two"]["verdict"] == "unavailable"


def test_what_a_release_brought_is_proven_once_git_can_be_reached(world: World, index: WebServer) -> None:
    publish(index, sdist({"pkg/m.py": CODE}))
    cite(world)
    world.server.responder = unable
    assert world.project.fetch().code == 0
    assert world.project.verify()["two"]["assurance"] == "artifact"
    world.server.responder = None
    world.project.fetch()
    assert world.project.verify()["two"]["assurance"] == "commit"


def test_a_release_that_is_not_what_the_index_promises_is_not_used(world: World, index: WebServer) -> None:
    world.go_down()
    publish(index, sdist({"pkg/m.py": CODE}), served=sdist({"pkg/m.py": CODE + "# more\n"}))
    cite(world)
    found = world.project.verify(code=3)["two"]
    assert "is not what the package index promises" in found.text("message")


def test_a_release_that_the_index_lacks_leaves_git_s_answer(world: World, index: WebServer) -> None:
    world.go_down()
    cite(world)
    found = world.project.verify(code=3)["two"]
    assert "has no project some-thing" in found.text("message")
    assert "cannot be reached" in found.text("message")
    assert index.paths == ["/simple/some-thing/"]


def test_an_index_that_limits_requests_is_asked_again_when_it_says(world: World, index: WebServer) -> None:
    world.go_down()
    publish(index, sdist({"pkg/m.py": CODE}))
    page = index.routes["/simple/some-thing/"]
    assert isinstance(page, Reply)
    index.routes["/simple/some-thing/"] = [Reply(status=429, headers={"Retry-After": "0"}), page]
    cite(world)
    assert world.project.verify()["two"]["assurance"] == "artifact"
    assert index.paths.count("/simple/some-thing/") == 2


def test_a_release_stands_in_for_a_revision_that_is_gone(world: World, index: WebServer) -> None:
    publish(index, sdist({"pkg/m.py": CODE}))
    cite(world)
    world.project.manifest(world.source("f" * 40, RELEASE), Cite("two", "pkg/m.py", "5-6", TWO))
    found = world.project.verify()["two"]
    assert (found["verdict"], found["assurance"]) == ("exact", "artifact")


def test_the_archive_answers_by_blob_id_for_a_repository_that_is_gone(world: World, tmp_path: Path) -> None:
    commit = world.repository.commit({"pkg/m.py": CODE})
    world.project.manifest(world.source(commit), Cite("two", "pkg/m.py", "5-6", TWO))
    world.project.fetch()
    world.go_down()
    forget(world.project)
    path = world.open_archive(tmp_path, world.repository.blob(commit, "pkg/m.py"), CODE.encode())
    found = world.project.verify()["two"]
    assert (found["verdict"], found["assurance"], found["origin"]) == ("exact", "locked", "swh")
    assert world.archive.asked == [f"{ARCHIVE}:443", path]
    forget(world.project)
    world.archive.answers[path] = CODE.encode() + b"# more\n"
    found = world.project.verify()["two"]
    assert found["origin"] == "lock", "bytes with another id are not used"

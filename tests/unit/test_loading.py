from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

import pytest
from support.origins import FakeOrigins, commit
from support.workspace import CODE, GIT, Workspace, cite, cited, source

from provenance.loading import load
from provenance.project import LockFiles
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from provenance.answers import Answer, Want
    from provenance.loading import Loading

MADE = commit({"valve.py": CODE.encode()})
AT = source(MADE.id)


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(MADE, "v1")
    return made


def loaded(space: Workspace) -> Loading:
    with space.store() as store:
        return load(space.files, store, LockFiles(space.project))


def test_a_manifest_is_stored_once_for_as_long_as_it_is_the_same(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write(cite(AT))
    (first,) = loaded(space).loaded
    with monkeypatch.context() as patched:
        patched.setattr("provenance.manifest.parse", None)
        (again,) = loaded(space).loaded
    assert again.stored == first.stored
    space.write(cite(AT), title="another")
    (changed,) = loaded(space).loaded
    assert changed.stored.title == "another"


def test_a_name_that_cannot_be_written_down_is_a_problem(space: Workspace) -> None:
    file = space.write(cite(AT))
    file.rename(file.with_name("\udcff.yaml"))
    space.write(cite(AT))
    found = loaded(space)
    assert [item.file.name for item in found.loaded] == ["manifests/a.yaml"]
    assert found.problems == ["manifests/\udcff.yaml: the name is not UTF-8"]
    assert len(space.locked().problems) == 2


def test_what_another_run_stored_meanwhile_is_left_to_it(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write(cite(AT))
    (theirs,) = loaded(space).loaded
    monkeypatch.setattr(Store, "manifests", lambda _: {})  # as it was before they wrote
    (ours,) = loaded(space).loaded
    assert ours.stored.id == theirs.stored.id


def test_what_a_verdict_depends_on_is_in_the_stamp(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def stamp() -> str:
        (found,) = loaded(space).loaded
        return found.stamp

    space.write(cite(AT))
    stamps = [stamp()]
    assert stamp() == stamps[0]
    space.write(cite(AT), title="another")
    stamps.append(stamp())
    space.fetch()
    stamps.append(stamp())
    space.lock_path.write_text("{}")
    stamps.append(stamp())
    monkeypatch.setattr("provenance.loading.__version__", "99")
    stamps.append(stamp())
    assert len(set(stamps)) == len(stamps)


def test_one_malformed_lock_is_told_once(space: Workspace) -> None:
    for name in ("a", "b", "c"):
        space.write(cite(AT), name=name)
    space.lock_path.write_text("[]")
    loading = loaded(space)
    assert len(loading.problems) == 1
    assert [item.lock_file for item in loading.loaded] == [None, None, None]


SECRET = "hunter2"
WITH_SECRET = f"https://me:{SECRET}@github.com/example/engine"


class Strict(FakeOrigins):
    """Remembers the URLs it is asked."""

    def acquire(self, git: str, wants: Collection[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        self.asked.append(git)
        yield from super().acquire(git, wants, refresh=refresh)


def test_a_secret_in_a_url_is_used_to_ask_and_kept_nowhere(space: Workspace) -> None:
    space.origins = Strict(commits=space.origins.commits)
    space.write(cite(source(MADE.id, git=WITH_SECRET)))
    for _ in range(2):
        space.fetch(space.asking(refresh=True))
    seen = space.verify()
    assert space.origins.asked[0] == WITH_SECRET
    assert space.origins.asked.count(WITH_SECRET) == 2
    assert seen.only.citation.source.git == GIT
    connection = sqlite3.connect(space.root / "evidence.db")
    assert SECRET not in "\n".join(connection.iterdump())
    connection.close()
    files = [file for file in space.root.rglob("*") if file.is_file() and file.suffix != ".yaml"]
    assert {"prov.lock", "evidence.db"} <= {file.name for file in files}
    assert all(SECRET.encode() not in file.read_bytes() for file in files)
    (locked,) = cited(space.locked().findings)
    assert locked.citation.source.git == GIT


@pytest.mark.parametrize("text", ["@", "://", "@ ://", "a@b " * 10, "https://example.org "])
def test_a_manifest_of_one_long_line_is_read_in_no_time(space: Workspace, text: str) -> None:
    citation = cite(AT, quote=text * (1_000_000 // len(text)))
    space.write(citation)
    loaded(space)
    start = time.perf_counter()
    assert loaded(space).written == {}
    assert time.perf_counter() - start < 5

"""Manifests moved along in place, and prov.lock with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.origins import commit
from support.workspace import CODE, OPEN, Workspace, cite, source

from provenance.citation import LineRange
from provenance.drift.deciding import Decision
from provenance.drift.drifting import Drifted
from provenance.drift.writing import Written, write
from provenance.loading import load
from provenance.manifest import Repin
from provenance.project import LockFiles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OLD = commit({"valve.py": CODE.encode()}, "old")
NEW = commit({"lib/valve.py": b"# licence\n" + CODE.encode()}, "new")
SHORT = NEW.id[:12]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(OLD)
    made.origins.add(NEW, SHORT)
    made.write(cite(source(OLD.id[:12])))
    made.origins.names[OLD.id[:12]] = OLD.id
    made.fetch()
    return made


def repin(git: str = source("x").git, lines: str = "6-7", name: str = "open") -> Repin:
    return Repin(name, git, SHORT, "lib/valve.py", LineRange.parse(lines))


def written(
    workspace: Workspace,
    *repins: Repin,
    path: str = "manifests/a.yaml",
    meanwhile: Callable[[], object] = lambda: None,
) -> Written:
    decision = Decision({path: list(repins)}, ["look here"], [])
    with workspace.store() as store:
        locks = LockFiles(workspace.project)
        loaded = load(workspace.files, store, locks).loaded
        drifted = Drifted(manifests={item.stored.path: item for item in loaded})
        meanwhile()
        return write(
            decision, drifted, workspace.files, store, LockFiles(workspace.project), workspace.asking()
        )


def text(workspace: Workspace, name: str = "a") -> str:
    return (workspace.root / f"manifests/{name}.yaml").read_text(encoding="utf-8")


def test_a_manifest_and_its_lock_move_along(workspace: Workspace) -> None:
    done = written(workspace, repin())
    assert done.lines == [
        f"wrote manifests/a.yaml: 1 citation re-pinned to {SHORT}",
        "wrote manifests/prov.lock",
    ]
    assert (done.notes, done.problems, done.lacks) == (["look here"], [], False)
    assert f"revision: {SHORT}" in text(workspace)
    assert OPEN.split("\n")[0] in text(workspace)
    assert workspace.lock.commit(source("x").git, SHORT) == NEW.id
    assert workspace.lock.commit(source("x").git, OLD.id[:12]) is None
    assert workspace.verify().verdicts == {"open": "exact"}
    assert {item.judgement.verdict for item in workspace.locked().findings} == {"exact"}
    before = text(workspace), workspace.lock_path.read_bytes()
    again = written(workspace, repin())
    assert (again.lines, again.problems) == ([], [])
    assert (text(workspace), workspace.lock_path.read_bytes()) == before


def test_a_lock_that_a_killed_run_left_behind_is_brought_along(workspace: Workspace) -> None:
    before = workspace.lock_path.read_bytes()
    written(workspace, repin())
    after = workspace.lock_path.read_bytes()
    workspace.lock_path.write_bytes(before)
    assert written(workspace, repin()).lines == ["wrote manifests/prov.lock"]
    assert workspace.lock_path.read_bytes() == after


def test_a_manifest_that_changed_meanwhile_is_left_as_it_is(workspace: Workspace) -> None:
    lock = workspace.lock_path.read_bytes()
    file = workspace.root / "manifests/a.yaml"

    def edit() -> None:
        file.write_text("# seen\n" + file.read_text(encoding="utf-8"), encoding="utf-8")

    done = written(workspace, repin(), meanwhile=edit)
    assert done.lines == []
    (problem,) = done.problems
    assert problem.startswith("manifests/a.yaml: changed meanwhile")
    assert OLD.id[:12] in text(workspace)
    assert workspace.lock_path.read_bytes() == lock


def test_a_manifest_that_is_gone_is_told(workspace: Workspace) -> None:
    file = workspace.root / "manifests/a.yaml"
    workspace.write(cite(source(OLD.id[:12])), name="b")
    done = written(workspace, repin(), meanwhile=file.unlink)
    assert done.lines == []
    assert "cannot be read" in done.problems[0]


def test_what_cannot_be_written_is_told_with_its_place(workspace: Workspace) -> None:
    before = text(workspace)
    done = written(workspace, repin(name="close"))
    assert done.lines == []
    assert done.problems == ["manifests/a.yaml:1: there is no citation 'close' to re-pin"]
    assert text(workspace) == before


def test_a_link_to_a_manifest_stays_one(workspace: Workspace) -> None:
    file = workspace.root / "manifests/a.yaml"
    kept = workspace.root / "kept.yaml"
    file.rename(kept)
    file.symlink_to(kept)
    assert written(workspace, repin()).problems == []
    assert file.is_symlink()
    assert SHORT in kept.read_text(encoding="utf-8")


def test_other_manifests_and_what_the_lock_says_of_them_stay(workspace: Workspace) -> None:
    workspace.write(cite(source(OLD.id[:12]), "other"), name="b")
    workspace.fetch()
    entries = dict(workspace.lock.citations)
    other = text(workspace, "b")
    assert written(workspace, repin()).problems == []
    assert text(workspace, "b") == other
    assert workspace.lock.citations["b.yaml", "other"] == entries["b.yaml", "other"]
    assert workspace.lock.commit(source("x").git, OLD.id[:12]) == OLD.id


def test_a_pin_that_cannot_be_had_is_told_and_the_manifest_is_written(workspace: Workspace) -> None:
    del workspace.origins.names[SHORT]
    done = written(workspace, repin())
    assert done.lacks
    assert any("the lock has no entry for engine" in note for note in done.notes)
    assert SHORT in text(workspace)

"""What is remembered of a citation, and by which names it is found."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.origins import commit
from support.stored import COMMIT, CONTENT, file, judged, manifest, put
from support.workspace import CODE, GIT, Workspace, cite, cite_value, source

from provenance.answers import Unreached
from provenance.citation import Quantity, Term
from provenance.errors import StoreError, UsageError
from provenance.log import log
from provenance.project import LockFiles, Project
from provenance.report.log import Log, Named
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from provenance.store.records import NamedCitation

OLD = commit({"valve.py": CODE.encode(), "config.json": b'{"width": 3}\n'}, "old")
NEW = commit({"valve.py": b"# licence\n" + CODE.encode()}, "new")
A, B = "manifests/a.yaml", "manifests/b.yaml"
SUM = Quantity("sum", (Term("a", "1 + 1", "2"),))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(OLD, "v1")
    made.origins.add(NEW, "v2")
    return made


def logged(workspace: Workspace, locator: str) -> Log:
    with Store(str(workspace.root / "evidence.db"), "log") as store:
        return log(locator, store, workspace.project, LockFiles(workspace.project))


def refused(workspace: Workspace, locator: str) -> str:
    with pytest.raises(UsageError) as caught:
        logged(workspace, locator)
    return str(caught.value)


def verdicts(found: Log) -> list[tuple[str, str]]:
    return [(entry.verdict, entry.revision) for entry in found.entries]


def test_every_change_is_an_entry_and_the_newest_comes_first(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    workspace.verify()
    workspace.verify()  # the same again is no news
    workspace.write(cite(source("v2")))
    workspace.verify()
    workspace.write(cite(source("v2"), lines="6-7"))
    workspace.verify()
    found = logged(workspace, "open")
    assert verdicts(found) == [("exact", NEW.id), ("shifted", NEW.id), ("exact", OLD.id)]
    assert [(entry.run, entry.command) for entry in found.entries] == [(3, "test"), (2, "test"), (1, "test")]
    assert {(entry.assurance, entry.origin) for entry in found.entries} == {("commit", "git")}
    assert (found.named, found.is_cited, found.gone) == (Named(A, "open"), True, ())
    assert found.citation is not None
    assert str(found.citation.lines) == "6-7"


@pytest.mark.parametrize(
    ("locator", "id_"),
    [
        ("open", "open"),
        (" open ", "open"),
        ("a.yaml#open", "open"),
        ("manifests/a.yaml#open", "open"),
        ("./manifests/a.yaml#open", "open"),
        ("valve.py:5-6", "open"),
        ("valve.py#L5-L6", "open"),
        ("valve.py:5", "open"),
        (f"{GIT}/blob/v1/valve.py#L5-L6", "open"),
        (f"{GIT}/blob/{OLD.id}/valve.py#L8", "close"),
        ("valve.py:8–9", "close"),
        ("config.json", "width"),
        ("config.json#/width", "width"),
        ("sum", "sum"),
        ("a.yaml#sum", "sum"),
        ("a#b", "a#b"),
        ("a.yaml#a#b", "a#b"),
    ],
)
def test_a_citation_is_found_by_whatever_means_it_alone(workspace: Workspace, locator: str, id_: str) -> None:
    one = source("v1")
    workspace.write(
        cite(one),
        cite(one, "close", lines="8-9", quote=None),
        cite(one, "a#b", lines="12-15", quote=None),
        cite_value(one, "/width", "3"),
        quantities=(SUM,),
    )
    workspace.verify()
    found = logged(workspace, locator)
    assert found.named == Named(A, id_)
    assert verdicts(found) == [("holds", "")] if id_ == "sum" else found.entries[0].revision == OLD.id


def test_all_citations_are_looked_through_once_however_many_have_the_id(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        workspace.write(cite(source("v1")), name=name)
    workspace.verify()
    asked: list[str] = []
    named = Store.named

    def noting(store: Store, name: str) -> list[NamedCitation]:
        asked.append(name)
        return named(store, name)

    monkeypatch.setattr(Store, "named", noting)
    assert "means several citations" in refused(workspace, "open")
    assert asked == ["open"]


def test_several_meanings_are_listed(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")), cite(source("v1"), "around", lines="4-9", quote=None))
    workspace.write(cite(source("v1")), name="b")
    workspace.verify()
    both = f"\n  {A}#open\n  {B}#open"
    assert refused(workspace, "open") == f"open means several citations:{both}"
    assert refused(workspace, "valve.py:5-6") == f"valve.py:5-6 means several citations:{both}"
    assert refused(workspace, "valve.py:6").endswith(f"\n  {A}#around{both}")
    assert logged(workspace, "valve.py:4-9").named == Named(A, "around")
    assert logged(workspace, "b.yaml#open").named == Named(B, "open")


def test_more_meanings_than_anybody_reads_are_counted(workspace: Workspace) -> None:
    for number in range(25):
        workspace.write(cite(source("v1")), name=f"m{number:02}")
    workspace.verify()
    said = refused(workspace, "open")
    assert said.count("\n") == 21
    assert said.endswith("\n  and 5 more")


@pytest.mark.parametrize("locator", ["nope", "b.yaml#open", "#open", "other.py:1-2", "#", "a.yaml#"])
def test_what_means_nothing_is_told(workspace: Workspace, locator: str) -> None:
    workspace.write(cite(source("v1")))
    workspace.verify()
    assert (
        refused(workspace, locator)
        == f"{locator}: no citation has this id, path or link, and none had this id"
    )


def test_a_locator_that_names_no_place_is_told(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    workspace.verify()
    assert refused(workspace, "") == ": no place is named"


def test_what_has_gone_is_remembered_by_its_id(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")), cite(source("v1"), "stays", lines="1", quote=None))
    workspace.verify()
    workspace.write(cite(source("v1"), "stays", lines="1", quote=None))
    workspace.verify()
    found = logged(workspace, "open")
    assert (found.named, found.is_cited, found.citation) == (Named(A, "open"), False, None)
    assert verdicts(found) == [("exact", OLD.id)]
    assert logged(workspace, "a.yaml#open") == found


@pytest.mark.parametrize("next_run", [Workspace.fetch, Workspace.verify])
def test_what_manifests_have_goes_before_what_has_gone(
    workspace: Workspace, next_run: Callable[[Workspace], object]
) -> None:
    workspace.write(cite(source("v1")))
    workspace.verify()
    (workspace.root / A).rename(workspace.root / B)
    next_run(workspace)
    assert logged(workspace, "valve.py:5-6").named == Named(B, "open")
    found = logged(workspace, "open")
    assert (found.named, found.gone) == (Named(B, "open"), (Named(A, "open"),))
    assert logged(workspace, "a.yaml#open").is_cited is False


def test_what_was_never_judged_by_bytes_has_no_history(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    workspace.fetch()
    (workspace.root / "evidence.db").unlink()
    workspace.origins.down = Unreached("the host is down")
    workspace.verify()
    assert refused(workspace, "open") == (
        f"{A}#open: no verdict is recorded; prov verify records what it finds in an origin's bytes"
    )


def test_a_link_with_the_full_revision_is_understood_by_the_lock(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    workspace.fetch()
    (workspace.root / "evidence.db").unlink()
    workspace.verify()
    assert logged(workspace, f"{GIT}/blob/{OLD.id}/valve.py#L5-L6").named == Named(A, "open")
    workspace.lock_path.write_text("no lock at all")
    assert logged(workspace, "valve.py:5-6").named == Named(A, "open")


def test_a_document_that_was_read_is_as_a_manifest(tmp_path: Path) -> None:
    with Store(str(tmp_path / "evidence.db"), "scan") as store:
        stored = put(store, manifest(cite(source(COMMIT)), path="docs/guide.md"))
        with store.transaction() as transaction:
            transaction.put_file(file(), CONTENT, ())
            transaction.put_verdicts(stored, [judged(item) for item in store.citations(stored)])
    project = Project(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/guide.md").touch()
    with Store(str(tmp_path / "evidence.db")) as store:
        for locator in ("guide.md#open", f"{GIT}/blob/{COMMIT}/valve.py#L5-L6"):
            found = log(locator, store, project, LockFiles(project))
            assert (found.named, found.entries[0].command) == (Named("docs/guide.md", "open"), "scan")


def test_without_a_database_there_is_no_history_and_none_is_made(workspace: Workspace) -> None:
    where = workspace.root / "evidence.db"
    assert refused(workspace, "open") == (
        f"there is no evidence database {where} yet, and so no history; prov verify makes it"
    )
    assert not where.exists()
    where.touch()
    assert "no evidence database" in refused(workspace, "open")


def test_an_older_database_is_brought_up_and_a_newer_one_is_not_touched(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    workspace.verify()
    where = workspace.root / "evidence.db"
    with sqlite3.connect(where) as connection:
        connection.executescript("DROP TABLE drifts; UPDATE schema_version SET version = 3")
    connection.close()
    assert verdicts(logged(workspace, "open")) == [("exact", OLD.id)]
    with sqlite3.connect(where) as connection:
        connection.execute("UPDATE schema_version SET version = 99")
    connection.close()
    with pytest.raises(StoreError, match="use a newer prov"):
        logged(workspace, "open")


def test_a_database_elsewhere_has_its_history_too(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    url = f"sqlite:///{workspace.root}/other.db?timeout=5"
    replace(workspace, db=url).verify()
    with Store(url) as store:
        found = log("open", store, workspace.project, LockFiles(workspace.project))
    assert verdicts(found) == [("exact", OLD.id)]


def test_no_heavy_library_is_loaded(workspace: Workspace) -> None:
    workspace.write(cite(source("v1")))
    workspace.verify()
    code = """
import sys
from provenance.cli.main import prov
prov.main(["log", "open", "--format", "json"], standalone_mode=False)
print({"sqlalchemy", "requests", "git", "yaml", "rich", "pygments", "jinja2", "tree_sitter"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=workspace.root, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("\nset()\n")

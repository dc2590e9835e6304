"""What became of citations elsewhere, as it is kept."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.stored import COMMIT, manifest, put
from support.workspace import cite, source

from provenance.citation import LineRange
from provenance.errors import StoreError
from provenance.evidence import Assurance
from provenance.history import Commit
from provenance.relocation import LEVELS, Confidence, Drift, Relocation, Spot, Status
from provenance.store.records import StoredDrift
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATH = "manifests/a.yaml"
NEW = "b" * 40
BY = Commit("c" * 40, "2020-01-01T00:00:00+00:00", "Move it")
START = Spot(COMMIT, "valve.py", LineRange(5, 6))
MOVED = Relocation(
    Status.MOVED, Spot(NEW, "valve.py", LineRange(6, 7)), confidence=Confidence.HIGH, commit=BY.id
)

KINDS = ("{}", "sqlite:///{}?timeout=5")


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind; the second is read through SQLAlchemy."""
    with Store(str(request.param).format(tmp_path / "evidence.db"), "drift") as made:
        yield made


def drift(
    found: Relocation = MOVED, *, to: str = "latest", name: str = "open", commit: Commit | None = BY
) -> Drift:
    """A result of `prov drift`."""
    return Drift(
        PATH,
        cite(source("v1"), name),
        START,
        found,
        LEVELS[found.status],
        diff="-a\n+b\n" if found.status is Status.EDITED else "",
        commit=commit,
        to=to,
        reached=NEW,
        assurance=Assurance.COMMIT,
        notes=("latest is a commit",),
    )


def remember(store: Store, *drifts: Drift) -> None:
    with store.transaction() as transaction:
        transaction.put_drifts(drifts)


def expected(given: Drift, found: StoredDrift) -> StoredDrift:
    """What is to come back of a result."""
    slim = replace(given.relocation, notes=(), text=None, old_text=None)
    notes = (*given.relocation.notes, *given.notes)
    return StoredDrift(
        given.to, given.reached, given.start, slim, given.diff, given.commit, notes, found.when
    )


@pytest.mark.parametrize(
    "found",
    [
        MOVED,
        Relocation(
            Status.EDITED,
            Spot(NEW, "ü/é.py", LineRange(1, 9)),
            "a sentence",
            similarity=0.25,
            confidence=Confidence.LOW,
            commit=BY.id,
            edits=3,
            text="a text\nthat is not kept",
            old_text="another",
            notes=("one", "two\x1b[2J"),
        ),
        Relocation(
            Status.AMBIGUOUS,
            candidates=(Spot(NEW, "a.py", LineRange(1, 2)), Spot(NEW, "b\udcff.json", None)),
        ),
        Relocation(Status.UNCHANGED, Spot("engine==2.0", "config.json", None), similarity=1.0),
        Relocation(Status.DELETED, commit=BY.id),
    ],
)
def test_what_became_of_a_citation_comes_back_as_it_was(store: Store, found: Relocation) -> None:
    put(store, manifest())
    given = drift(found, commit=BY if found.commit else None)
    remember(store, given)
    (kept,) = store.drifts(PATH, "open")
    assert kept == expected(given, kept)
    assert kept.when.endswith("+00:00")


def test_a_commit_that_could_not_be_read_is_known_by_its_id(store: Store) -> None:
    put(store, manifest())
    remember(store, drift(commit=None))
    (kept,) = store.drifts(PATH, "open")
    assert (kept.commit, kept.relocation.commit) == (None, BY.id)


def test_the_last_answer_for_a_target_stands(store: Store) -> None:
    put(store, manifest())
    remember(store, drift(), drift(to="v2"))
    remember(store, drift(Relocation(Status.DELETED)))
    assert {item.target: item.relocation.status for item in store.drifts(PATH, "open")} == {
        "latest": Status.DELETED,
        "v2": Status.MOVED,
    }


def test_it_goes_with_its_citation_and_stays_with_one_that_changed(store: Store) -> None:
    two = cite(source("v1"), "two")
    put(store, manifest(cite(source("v1")), two))
    remember(store, drift(), drift(name="two"), drift(name="gone"))
    assert store.drifts(PATH, "gone") == [], "a citation that no manifest has has no row to hang on"
    put(store, manifest(cite(source("v1"), lines="1-2"), title="edited"))
    assert len(store.drifts(PATH, "open")) == 1
    put(store, manifest(two, title="edited again"))
    assert store.drifts(PATH, "open") == store.drifts(PATH, "two") == []


def test_many_are_written_by_a_few_statements(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import Connection

    names = [f"c{number}" for number in range(2_000)]
    put(store, manifest(*(cite(source("v1"), name) for name in names)))
    calls: list[str] = []
    real = Connection.exec_driver_sql

    def counted(self: Connection, statement: str, *rest: object) -> object:
        calls.append(statement)
        return real(self, statement, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Connection, "exec_driver_sql", counted)
    remember(store, *(drift(name=name) for name in names))
    assert len([one for one in calls if "drifts" in one]) == 2
    assert all(len(store.drifts(PATH, name)) == 1 for name in ("c0", "c1999"))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=())))
def test_no_text_is_in_the_way(tmp_path: Path, text: str) -> None:
    with Store(str(tmp_path / "evidence.db")) as store:
        put(store, manifest())
        end = Spot(NEW, text, LineRange(1, 1))
        found = Relocation(Status.EDITED, end, text, commit=BY.id, notes=(text,), candidates=(end,))
        remember(store, replace(drift(found, commit=replace(BY, subject=text)), diff=text))
        (kept,) = store.drifts(PATH, "open")
    shown = text.encode("utf-8", "backslashreplace").decode()
    assert kept.relocation.end == Spot(NEW, shown, LineRange(1, 1))
    assert kept.relocation.candidates == (end,)
    assert (kept.relocation.message, kept.diff, kept.notes[0]) == (shown, shown, shown)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE drifts SET status = 'nope'",
        "UPDATE drifts SET candidates = '[[1]]'",
        "UPDATE drifts SET to_first = 9, to_last = 3",
        "UPDATE drifts SET confidence = 'very'",
        "UPDATE drifts SET from_path = 5.5 || x'ff'",
        "UPDATE drifts SET notes = '{'",
    ],
)
def test_rows_that_prov_did_not_write_are_told(tmp_path: Path, sql: str) -> None:
    with Store(str(tmp_path / "evidence.db")) as store:
        put(store, manifest())
        remember(store, drift())
        connection = sqlite3.connect(tmp_path / "evidence.db")
        with connection:
            connection.execute(sql)
        connection.close()
        with pytest.raises(StoreError):
            store.drifts(PATH, "open")

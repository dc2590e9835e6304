from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.origins import commit
from support.stored import COMMIT, CONTENT, file, judged, manifest, put, released
from support.workspace import CODE, GIT, OPEN, cite, source

from provenance import __version__
from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    LineRange,
    Manifest,
    Quantity,
    Release,
    Source,
    Term,
)
from provenance.errors import InvalidRecord, StoreError
from provenance.evidence import Content, Difference, Judgement, OriginKind, Symbol, Verdict
from provenance.store import rows as forms
from provenance.store.records import CitedFile, NamedCitation, StoredFile, StoredVerdict
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KINDS = ("{}", "sqlite:///{}?timeout=5", "sqlite://")


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind; the last two are read through SQLAlchemy."""
    with Store(str(request.param).format(tmp_path / "evidence.db"), "test") as made:
        yield made


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "evidence.db"), "test") as made:
        yield made


def query(folder: Path, sql: str) -> list[tuple[object, ...]]:
    """Read the local database as a person would, with nothing of prov's."""
    connection = sqlite3.connect(folder / "evidence.db")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def change(folder: Path, sql: str, *parameters: object) -> None:
    """Change the local database behind the store's back."""
    connection = sqlite3.connect(folder / "evidence.db")
    with connection:
        assert connection.execute(sql, parameters).rowcount > 0
    connection.close()


@pytest.mark.parametrize("url", ["{}", "sqlite:///{}", "sqlite:///{}?timeout=5", "sqlite+pysqlite:///{}"])
def test_a_file_is_one_however_it_is_named(tmp_path: Path, url: str) -> None:
    with Store(url.format(tmp_path / "evidence.db")) as made:
        put(made, manifest())
    with Store(str(tmp_path / "evidence.db")) as made:
        assert set(made.manifests()) == {"manifests/a.yaml"}


def test_what_is_not_there_is_not_there(store: Store) -> None:
    assert store.manifests() == {}
    assert store.pin(GIT, "v1") is None
    assert store.file(GIT, "v1", "valve.py") is None
    assert store.content(CONTENT.blob) is None
    assert store.object(COMMIT) is None
    assert store.outline(CONTENT.blob, "python") is None
    assert store.symbols(CONTENT.blob, LineRange(1, 2)) is None
    assert store.excerpt_digest(CONTENT.blob, LineRange(1, 2)) is None
    assert store.cited_files() == []
    assert store.named("open") == []
    assert store.files_with(CONTENT.blob) == set()
    assert store.history("a.yaml", "open") == []
    assert list(store.contents()) == []


RICH = Manifest(
    "manifests/rich.yaml",
    "Transformer · “first”",
    "https://example.org/page",
    (
        Source("a", GIT, "12345678", "MIT", (Release("engine", "1e10"), Release("engine", "1.0"))),
        Source("b", GIT, "v2"),
    ),
    (
        Citation(
            "z",
            Source("b", GIT, "v2"),
            "ü/é.py",
            LineRange(3, 3),
            EvidenceKind.CONTEXTUAL,
            "claim\x1b[2J",
            "a component",
            "quote\r\n\u2028\0",
            Expectation("partial", "because", date(2027, 6, 30)),
        ),
        Citation(
            "a",
            Source("a", GIT, "12345678", "MIT", (Release("engine", "1e10"), Release("engine", "1.0"))),
            "x.py",
            LineRange(1, 999_999_999),
            EvidenceKind.DIRECT,
        ),
    ),
)


def test_a_manifest_comes_back_as_it_was(store: Store) -> None:
    stored = put(store, RICH)
    assert store.manifests() == {RICH.path: stored}
    found = list(store.citations(stored))
    assert tuple(item.citation for item in found) == RICH.citations
    assert [item.digest for item in found] == [item.digest() for item in RICH.citations]
    assert [item.place for item in found] == [item.place_digest() for item in RICH.citations]
    assert [item.verdict for item in found] == [None, None]
    assert set(store.sources(stored).values()) == set(RICH.sources)
    assert store.expects(stored)
    assert {(item.source.name, item.path) for item in store.wanted(stored)} == {
        ("b", "ü/é.py"),
        ("a", "x.py"),
    }


def test_a_check_is_as_much_as_the_quick_way_needs(store: Store) -> None:
    stored = put(store, RICH)
    (first, second) = store.checks(stored)
    assert (first.first, first.last, first.quote, first.path) == (3, 3, "quote\r\n\u2028\0", "ü/é.py")
    assert store.sources(stored)[first.source].name == "b"
    assert (second.quote, second.inputs, second.verdict, second.assurance) == (None, None, None, None)


def test_a_manifest_is_replaced_with_all_that_hangs_on_it(local: Store, tmp_path: Path) -> None:
    old = put(local, manifest(cite(source("v1")), cite(source("v1"), "two")))
    with local.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(old, [judged(item) for item in local.citations(old)])
    new = put(local, manifest(cite(source("v2"), "three")))
    assert [item.citation.id for item in local.citations(new)] == ["three"]
    assert query(tmp_path, "SELECT name, revision FROM sources") == [("engine", "v2")]
    assert query(tmp_path, "SELECT count(*) FROM verdicts") == [(0,)]
    assert len(local.history("manifests/a.yaml", "open")) == 1


def test_a_source_that_changed_is_changed_for_all_that_cite_it(store: Store) -> None:
    put(store, manifest(cite(source("v1")), cite(source("v1", name="other"), "two")))
    new = put(store, manifest(cite(source("v2")), cite(source("v2"), "two")))
    assert set(store.sources(new).values()) == {source("v2")}
    assert [item.citation.source for item in store.citations(new)] == [source("v2")] * 2
    assert [item.place for item in store.citations(new)] == [cite(source("v2")).place_digest()] * 2


def test_a_manifest_that_is_forgotten_leaves_its_history(local: Store, tmp_path: Path) -> None:
    stored, other = put(local, manifest()), put(local, manifest(path="manifests/b.yaml"))
    with local.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(stored, [judged(item) for item in local.citations(stored)])
        transaction.forget_manifests([stored.path, "gone.yaml"])
    assert local.manifests() == {other.path: other}
    assert query(tmp_path, "SELECT count(*) FROM citations") == [(1,)]
    assert len(local.history(stored.path, "open")) == 1


def test_foreign_keys_are_enforced(store: Store) -> None:
    with pytest.raises(StoreError, match="FOREIGN KEY"), store.transaction() as transaction:
        transaction.put_file(file(), None, ())
    assert store.file(GIT, COMMIT, "valve.py") is None


def test_an_id_is_one_manifests_own(store: Store) -> None:
    put(store, manifest())
    put(store, manifest(path="manifests/b.yaml"))
    named = CitedFile(GIT, "v1", "valve.py")
    assert store.named("open") == [
        NamedCitation("manifests/a.yaml", named, LineRange(5, 6)),
        NamedCitation("manifests/b.yaml", named, LineRange(5, 6)),
    ]
    with pytest.raises(StoreError, match="UNIQUE"):
        put(store, manifest(cite(source("v1")), cite(source("v1")), path="manifests/c.yaml"))


def break_off(store: Store, made: Manifest) -> None:
    with store.transaction() as transaction:
        transaction.put_manifest(made, "1" * 64)
        transaction.put_pin(GIT, "v1", COMMIT)
        message = "in the middle"
        raise InvalidRecord(message)


def test_all_of_a_transaction_stands_or_nothing(store: Store) -> None:
    put(store, manifest())
    with pytest.raises(InvalidRecord, match="in the middle"):
        break_off(store, manifest(title="new"))
    assert [item.title for item in store.manifests().values()] == ["A document"]
    assert store.pin(GIT, "v1") is None
    put(store, manifest(title="newer"))
    assert [item.title for item in store.manifests().values()] == ["newer"]


def test_a_first_transaction_that_fails_is_not_in_the_way_of_the_next(store: Store) -> None:
    with pytest.raises(InvalidRecord, match="in the middle"):
        break_off(store, manifest())
    put(store, manifest())
    assert set(store.manifests()) == {"manifests/a.yaml"}


def test_a_pin_is_what_was_resolved_last(store: Store) -> None:
    with store.transaction() as transaction:
        transaction.put_pin(GIT, "v1", "1" * 40)
        transaction.put_pin(GIT, "v2", "3" * 40)
    with store.transaction() as transaction:
        transaction.put_pin(GIT, "v1", "2" * 40)
    assert (store.pin(GIT, "v1"), store.pin(GIT, "v2"), store.pin("x", "v1")) == ("2" * 40, "3" * 40, None)


LACKING = StoredFile(
    GIT, COMMIT, "gone.py", None, None, OriginKind.GIT, None, Verdict.NO_PATH, "no such path", ("a note",)
)


def test_files_and_what_proves_them_come_back(store: Store) -> None:
    made = commit({"valve.py": CODE.encode()})
    proof = made.proof("valve.py")
    for _ in range(2):  # what is there already is not put twice
        with store.transaction() as transaction:
            transaction.put_file(file(notes=("a note",)), CONTENT, proof)
            transaction.put_file(released(), CONTENT, ())
            transaction.put_file(LACKING, None, ())
    assert store.file(GIT, COMMIT, "valve.py") == file(notes=("a note",))
    assert store.file(GIT, "v1", "valve.py") == released()
    assert store.file(GIT, COMMIT, "gone.py") == LACKING
    assert store.content(CONTENT.blob) == CONTENT
    assert list(store.contents()) == [CONTENT]
    assert [store.object(item.id) for item in proof] == [item.data for item in proof]
    assert store.files_with(CONTENT.blob) == {(GIT, COMMIT, "valve.py"), (GIT, "v1", "valve.py")}


def test_a_file_is_what_was_answered_last(store: Store) -> None:
    with store.transaction() as transaction:
        transaction.put_file(replace(LACKING, path="valve.py"), None, ())
        transaction.put_file(file(), CONTENT, ())
    assert store.file(GIT, COMMIT, "valve.py") == file()


def test_the_same_content_is_kept_once(local: Store, tmp_path: Path) -> None:
    with local.transaction() as transaction:
        for name in ("a.py", "b.py"):
            transaction.put_file(file(name), CONTENT, ())
    assert query(tmp_path, "SELECT blob, size FROM contents") == [(CONTENT.blob, len(CONTENT.data))]


def test_an_outline_is_one_a_language_and_its_definitions_are_rows(local: Store, tmp_path: Path) -> None:
    symbols = [Symbol("Valve", LineRange(4, 9)), Symbol("Valve.open", LineRange(5, 6))]
    for data in ("{}", '{"x": 1}'):
        with local.transaction() as transaction:
            transaction.put_file(file(), CONTENT, ())
            transaction.put_outline(CONTENT.blob, "python", data, symbols)
    assert local.outline(CONTENT.blob, "python") == '{"x": 1}'
    assert local.outline(CONTENT.blob, "lua") is None
    assert query(tmp_path, "SELECT name, first, last FROM symbols ORDER BY ordinal") == [
        ("Valve", 4, 9),
        ("Valve.open", 5, 6),
    ]
    change(tmp_path, "UPDATE outlines SET version = '0'")
    assert local.outline(CONTENT.blob, "python") is None, "another version of prov may outline otherwise"


def verdicts(store: Store, manifest_path: str = "manifests/a.yaml") -> list[Verdict | None]:
    stored = store.manifests()[manifest_path]
    return [item.verdict.judgement.verdict if item.verdict else None for item in store.citations(stored)]


def test_a_verdict_comes_back_with_its_excerpt(store: Store) -> None:
    stored = put(store, manifest())
    (item,) = store.citations(stored)
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(stored, [judged(item)])
    (found,) = store.citations(stored)
    assert found.verdict == judged(item).verdict
    assert store.symbols(CONTENT.blob, LineRange(5, 6)) == ("Valve.open", ())
    assert store.excerpt_digest(CONTENT.blob, LineRange(5, 6)) is not None
    (check,) = store.checks(stored)
    assert (check.inputs, check.verdict, check.assurance) == ("inputs", "exact", "commit")
    assert store.cited_in(CitedFile(GIT, "v1", "valve.py")) == [("manifests/a.yaml", found)]
    assert store.cited_files() == [CitedFile(GIT, "v1", "valve.py")]


ranges = st.integers(1, 10**9 - 1).flatmap(
    lambda first: st.builds(LineRange, st.just(first), st.integers(first, 10**9 - 1))
)
text = st.text(st.characters(codec="utf-8"), max_size=20)
judgements = st.builds(
    Judgement,
    st.sampled_from(Verdict),
    text,
    st.none() | st.sampled_from(Difference),
    st.none() | st.floats(0, 1),
    st.lists(ranges, max_size=3).map(tuple),
    st.none() | ranges,
    st.lists(ranges, max_size=3).map(tuple),
    text,
    st.lists(text, max_size=3).map(tuple),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(judgement=judgements)
def test_every_judgement_comes_back(store: Store, judgement: Judgement) -> None:
    stored = put(store, manifest())
    (item,) = store.citations(stored)
    verdict = StoredVerdict("inputs", judgement, "v1", None, None, None)
    with store.transaction() as transaction:
        transaction.put_verdicts(stored, [replace(judged(item, blob=False), verdict=verdict)])
    (found,) = store.citations(stored)
    assert found.verdict == verdict


def judge(store: Store, verdict: Verdict, *, inputs: str = "inputs") -> None:
    stored = store.manifests()["manifests/a.yaml"]
    items = list(store.citations(stored))
    with store.transaction() as transaction:
        transaction.put_verdicts(stored, [judged(item, verdict, inputs=inputs) for item in items])


def test_the_history_records_changes_alone(store: Store) -> None:
    put(store, manifest())
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
    for verdict in (Verdict.EXACT, Verdict.EXACT, Verdict.CHANGED, Verdict.CHANGED, Verdict.EXACT):
        judge(store, verdict, inputs=f"inputs of {verdict}")
    entries = store.history("manifests/a.yaml", "open")
    assert [item.verdict for item in entries] == ["exact", "changed", "exact"]
    assert {(item.revision, item.blob, item.assurance, item.origin) for item in entries} == {
        (COMMIT, CONTENT.blob, "commit", "git")
    }
    assert all(item.when.endswith("+00:00") for item in entries)


def test_the_history_of_a_citation_is_its_own(store: Store) -> None:
    put(store, manifest(cite(source("v1")), cite(source("v1"), "two")))
    put(store, manifest(path="manifests/b.yaml"))
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
    judge(store, Verdict.EXACT)
    assert len(store.history("manifests/a.yaml", "two")) == 1
    assert store.history("manifests/b.yaml", "open") == []
    put(store, manifest(title="edited"))  # replaced: its citations have new numbers, and the history goes on
    judge(store, Verdict.EXACT)
    judge(store, Verdict.ABSENT)
    assert [item.verdict for item in store.history("manifests/a.yaml", "open")] == ["exact", "absent"]


def test_the_history_says_which_run_of_which_prov_found_what(tmp_path: Path) -> None:
    where = str(tmp_path / "evidence.db")
    for command, verdict in (("fetch", Verdict.EXACT), ("verify", Verdict.CHANGED)):
        with Store(where, command) as store:
            put(store, manifest())
            with store.transaction() as transaction:
                transaction.put_file(file(), CONTENT, ())
            judge(store, verdict, inputs=command)
    with Store(where) as store:
        assert [
            (item.run, item.command, item.version) for item in store.history("manifests/a.yaml", "open")
        ] == [
            (1, "fetch", __version__),
            (2, "verify", __version__),
        ]
        assert (store.remembered("open"), store.remembered("other")) == (["manifests/a.yaml"], [])


def test_the_history_of_a_quantity_is_kept_too(store: Store) -> None:
    stated = Quantity("sum", (Term("a", "1 + 1", "2"),))
    for verdict in (Verdict.HOLDS, Verdict.HOLDS, Verdict.BROKEN):
        stored = put(store, replace(manifest(title=verdict.value), quantities=(stated,)))
        judged_now = [
            replace(item, version="1", judgement=Judgement(verdict)) for item in store.quantities(stored)
        ]
        with store.transaction() as transaction:
            transaction.put_quantities(stored, judged_now)
    entries = store.history("manifests/a.yaml", "sum")
    assert [(item.verdict, item.revision, item.assurance) for item in entries] == [
        ("holds", "", None),
        ("broken", "", None),
    ]


def test_one_run_is_one_row_however_many_transactions_it_has(local: Store, tmp_path: Path) -> None:
    put(local, manifest())
    with local.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
    assert query(tmp_path, "SELECT * FROM runs") == [], "a run that changes nothing leaves no trace"
    judge(local, Verdict.EXACT)
    judge(local, Verdict.CHANGED)
    assert query(tmp_path, "SELECT id, command FROM runs") == [(1, "test")]
    with Store(str(tmp_path / "evidence.db"), "another") as other:
        judge(other, Verdict.ABSENT)
    assert query(tmp_path, "SELECT id, command FROM runs") == [(1, "test"), (2, "another")]


def test_verdicts_of_a_manifest_that_another_run_replaced_are_dropped(store: Store) -> None:
    old = put(store, manifest())
    items = list(store.citations(old))
    put(store, manifest(cite(source("v9"), "other")))
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(old, [judged(item) for item in items if item.citation.id == "gone"])
        transaction.put_verdicts(
            old, [replace(judged(item), citation=replace(item, id=999)) for item in items]
        )
    assert verdicts(store) == [None]


def test_a_tally_is_kept_and_goes_with_its_manifest(store: Store) -> None:
    stored = put(store, manifest())
    with store.transaction() as transaction:
        transaction.put_tally(stored, "s" * 64, "[]")
    assert store.manifests()[stored.path] == replace(stored, stamp="s" * 64, tally="[]")
    put(store, manifest())
    assert store.manifests()[stored.path].stamp == "s" * 64
    put(store, manifest(title="edited"))
    assert store.manifests()[stored.path].stamp is None


def test_what_did_not_change_in_a_manifest_keeps_its_verdict(store: Store) -> None:
    stored = put(store, manifest(cite(source("v1"), "a"), cite(source("v1"), "b")))
    items = list(store.citations(stored))
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(stored, [judged(item) for item in items])
    changed = manifest(
        cite(source("v1"), "c"), replace(cite(source("v1"), "b"), claim="new"), cite(source("v1"), "a")
    )
    after = list(store.citations(put(store, changed)))
    assert [item.id for item in after[1:]] == [items[1].id, items[0].id]
    assert [item.citation.id for item in after] == ["c", "b", "a"]
    assert [item.verdict is not None for item in after] == [False, True, True]
    assert after[1].citation.claim == "new"


@pytest.mark.parametrize("data", [b"", b"other bytes", CONTENT.data + b"\n", CONTENT.data[:-1]])
def test_damaged_bytes_are_told_when_they_are_read(local: Store, tmp_path: Path, data: bytes) -> None:
    with local.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
    change(tmp_path, "UPDATE contents SET data = ?", data)
    told = f"damaged: the bytes stored as blob {CONTENT.blob} have the id {Content.of(data).blob}"
    with pytest.raises(StoreError, match=told):
        local.content(CONTENT.blob)
    with pytest.raises(StoreError, match=told):
        list(local.contents())


@pytest.mark.parametrize(
    ("read", "value", "told"),
    [
        (forms.text_of, 1, "should hold text holds int"),
        (forms.strings_of, "[", "should hold JSON is malformed"),
        (forms.strings_of, "{}", "should hold a list holds something else"),
        (forms.ranges_of, "[[3, 1]]", "should hold a pair of lines"),
        (forms.ranges_of, '[["1", 2]]', "should hold a pair of lines"),
        (forms.text_of, None, "should hold text holds NoneType"),
        (forms.maybe_text, b"x", "should hold text holds bytes"),
        (forms.number_of, "1", "should hold a whole number holds str"),
        (forms.bytes_of, "x", "should hold bytes holds str"),
    ],
)
def test_a_column_that_holds_something_else_is_told(
    read: Callable[[object], object], value: object, told: str
) -> None:
    with pytest.raises(StoreError, match=told):
        read(value)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE verdicts SET verdict = 'nope'",
        "UPDATE verdicts SET found_at = 'garbage'",
        "UPDATE citations SET first = -5",
        "UPDATE sources SET alternates = '{'",
    ],
)
def test_rows_that_prov_did_not_write_are_told(local: Store, tmp_path: Path, sql: str) -> None:
    stored = put(local, manifest(cite(source("v1"))))
    with local.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(stored, [judged(item) for item in local.citations(stored)])
    change(tmp_path, sql)
    with pytest.raises(StoreError):
        list(local.citations(stored))


def test_the_view_reads_as_a_reviewer_would_ask(local: Store, tmp_path: Path) -> None:
    stored = put(local, manifest(cite(source("v1")), cite(source("v1"), "two", lines="8", quote=None)))
    (first, _) = local.citations(stored)
    with local.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(stored, [judged(first)])
    assert query(
        tmp_path,
        "SELECT manifest, citation, verdict, assurance, repository, revision, path, first, last, symbol, claim"
        " FROM evidence ORDER BY citation",
    ) == [
        (
            "manifests/a.yaml",
            "open",
            "exact",
            "commit",
            GIT,
            COMMIT,
            "valve.py",
            5,
            6,
            "Valve.open",
            "a claim",
        ),
        ("manifests/a.yaml", "two", None, None, GIT, None, "valve.py", 8, 8, None, "a claim"),
    ]
    assert query(tmp_path, "SELECT document, quote, excerpt FROM evidence WHERE symbol NOT NULL") == [
        ("A document", OPEN, OPEN)
    ]


def test_a_local_file_is_written_ahead_and_keys_hold(local: Store, tmp_path: Path) -> None:
    put(local, manifest())
    assert query(tmp_path, "PRAGMA journal_mode") == [("wal",)]
    assert query(tmp_path, "PRAGMA integrity_check") == [("ok",)]
    assert query(tmp_path, "PRAGMA foreign_key_check") == []


def test_reading_a_local_file_imports_no_sqlalchemy(local: Store, tmp_path: Path) -> None:
    put(local, manifest())
    code = (
        "import sys; from provenance.store.store import Store\n"
        "with Store(sys.argv[1]) as store: assert list(store.manifests()) == ['manifests/a.yaml']\n"
        "assert 'sqlalchemy' not in sys.modules"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "evidence.db")]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[3])

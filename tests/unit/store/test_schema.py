from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.schema import CreateTable
from support.stored import CONTENT, file, judged, manifest, put

from provenance.errors import StoreError
from provenance.store import queries, schema
from provenance.store.queries import VERSION
from provenance.store.records import StoredDocument
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection, Dialect

QUERIES = {
    name: value
    for name, value in vars(queries).items()
    if isinstance(value, str) and value.strip().startswith("SELECT") and ("FROM" in value)
}


@pytest.fixture
def made(tmp_path: Path) -> str:
    """A database that the schema made."""
    file = tmp_path / "made.db"
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        schema.prepare(connection)
    engine.dispose()
    return str(file)


def parameters(sql: str) -> dict[str, int | str]:
    return dict.fromkeys(re.findall(r":(\w+)", sql), "x")


def test_every_query_is_looked_at() -> None:
    assert len(QUERIES) >= 20
    assert {"CITATIONS", "CHECKS", "FILE", "LAST_HISTORY", "SCHEMA_VERSION"} <= set(QUERIES)


@pytest.mark.parametrize("name", QUERIES)
def test_the_plain_sql_runs_on_the_schema(made: str, name: str) -> None:
    sql = QUERIES[name]
    connection = sqlite3.connect(made)
    plain = connection.execute(sql, parameters(sql))
    columns = [item[0] for item in plain.description]
    connection.close()
    engine = create_engine(f"sqlite+pysqlite:///{made}")
    with engine.connect() as other:
        assert list(other.execute(text(sql), parameters(sql)).keys()) == columns
    engine.dispose()


def test_what_is_stored_is_asked_for_by_some_query() -> None:
    """A column that nobody reads is told here, but for those that are for people."""
    for_people = {
        "manifests.url", "pins.seen", "contents.size", "objects.kind", "files.seen", "files.id",
        "excerpts.text", "symbols.ordinal", "symbols.name", "symbols.first",
        "symbols.last", "symbols.blob",
    }  # fmt: skip
    words = set(re.findall(r"\w+", " ".join(QUERIES.values())))
    unread = {
        f"{table.name}.{column.name}"
        for table in schema.metadata.tables.values()
        for column in table.columns
        if column.name not in words
    }
    assert unread <= for_people


@pytest.mark.parametrize("dialect", [postgresql.dialect(), mysql.dialect()])  # type: ignore[no-untyped-call]
def test_another_database_can_hold_the_tables(dialect: Dialect) -> None:
    for table in schema.metadata.sorted_tables:
        assert table.name in str(CreateTable(table).compile(dialect=dialect))


def test_a_new_database_has_its_version_in_one_row(made: str) -> None:
    connection = sqlite3.connect(made)
    assert connection.execute("SELECT version FROM schema_version").fetchall() == [(queries.VERSION,)]
    connection.close()


def test_every_reference_is_a_foreign_key(made: str) -> None:
    engine = create_engine(f"sqlite:///{made}")
    told = inspect(engine)
    referring = {
        f"{table}.{key['constrained_columns'][0]} -> {key['referred_table']}"
        for table in told.get_table_names()
        for key in told.get_foreign_keys(table)
    }
    engine.dispose()
    assert {
        "sources.manifest_id -> manifests",
        "citations.manifest_id -> manifests",
        "citations.source_id -> sources",
        "verdicts.citation_id -> citations",
        "files.blob -> contents",
        "excerpts.blob -> contents",
        "history.run_id -> runs",
    } <= referring


def add_a_colour(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE manifests ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'"))


def paint_it(connection: Connection) -> None:
    connection.execute(text("UPDATE manifests SET colour = 'red'"))


def fail(_connection: Connection) -> None:
    message = "the step cannot be taken"
    raise StoreError(message)


@pytest.fixture
def filled(tmp_path: Path) -> str:
    where = str(tmp_path / "evidence.db")
    with Store(where) as store:
        put(store, manifest())
    return where


def rows(where: str, sql: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(where)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def test_an_older_database_is_brought_up_step_by_step(filled: str) -> None:
    engine = create_engine(f"sqlite:///{filled}")
    for _ in range(2):  # the second time there is nothing left to do
        with engine.begin() as connection:
            schema.prepare(
                connection, version=VERSION + 2, upgrades={VERSION: add_a_colour, VERSION + 1: paint_it}
            )
    engine.dispose()
    assert rows(filled, "SELECT path, colour FROM manifests") == [("manifests/a.yaml", "red")]
    assert rows(filled, "SELECT version FROM schema_version") == [(VERSION + 2,)]


def test_an_upgrade_that_fails_leaves_what_was(filled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        schema.prepare,
        "__kwdefaults__",
        {"version": VERSION + 2, "upgrades": {VERSION: add_a_colour, VERSION + 1: fail}},
    )
    with Store(filled) as store, pytest.raises(StoreError, match="the step cannot be taken"):
        put(store, manifest())
    assert rows(filled, "SELECT version FROM schema_version") == [(VERSION,)]
    assert "colour" not in {row[1] for row in rows(filled, "PRAGMA table_info(manifests)")}


def test_an_older_database_is_read_as_empty_until_it_is_upgraded(
    filled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provenance.store.database.VERSION", VERSION + 1)
    monkeypatch.setattr(
        schema.prepare, "__kwdefaults__", {"version": VERSION + 1, "upgrades": {VERSION: add_a_colour}}
    )
    with Store(filled) as store:
        assert store.manifests() == {}
        with store.transaction():
            pass
        assert set(store.manifests()) == {"manifests/a.yaml"}


def test_a_database_of_version_1_keeps_its_contents_and_its_history(tmp_path: Path) -> None:
    where = str(tmp_path / "evidence.db")
    old = sqlite3.connect(where)
    old.executescript((Path(__file__).parent / "version1.sql").read_text())
    old.close()
    with Store(where) as store:
        assert store.manifests() == {}  # it is read as empty until something is written
        put(store, manifest())
        assert set(store.manifests()) == {"manifests/a.yaml"}
        assert [content.data for content in store.contents()] == [b"foo\n"]
        assert [entry.verdict for entry in store.history("manifests/a.yaml", "foo")] == ["exact"]
    made = sqlite3.connect(str(tmp_path / "made.db"))
    with Store(str(tmp_path / "made.db")) as store, store.transaction():
        pass
    tables = (
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN ('citations', 'verdicts')"
    )
    assert sorted(rows(where, tables)) == sorted(made.execute(tables))
    made.close()
    assert rows(where, "SELECT verdict FROM evidence") == [(None,)]


def test_a_database_of_version_3_keeps_its_evidence_and_reads_documents_anew(
    tmp_path: Path, filled: str
) -> None:
    with Store(filled) as store:
        judge(store)
        with store.transaction() as transaction:
            transaction.put_documents([(StoredDocument("docs/a.md", "digest", "{}", "commits"), "{}")])
    old = sqlite3.connect(filled)
    old.executescript(
        "DROP TABLE drifts; DROP INDEX citations_by_name; UPDATE schema_version SET version = 3;"
    )
    old.close()
    with Store(filled) as store:
        assert (
            store.history("manifests/a.yaml", "open") == []
        )  # it is read as empty until something is written
        with store.transaction():
            pass
        assert set(store.manifests()) == {"manifests/a.yaml"}
        assert [entry.verdict for entry in store.history("manifests/a.yaml", "open")] == ["exact"]
        assert store.documents() == {}
        assert store.drifts("manifests/a.yaml", "open") == []
    with Store(str(tmp_path / "made.db")) as store, store.transaction():
        pass
    tables = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    assert rows(filled, tables) == rows(str(tmp_path / "made.db"), tables)


def judge(store: Store) -> None:
    """Record a verdict on the manifest's citation."""
    (stored,) = store.manifests().values()
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_verdicts(stored, [judged(item) for item in store.citations(stored)])


def make_newer(where: str) -> None:
    connection = sqlite3.connect(where)
    connection.execute("UPDATE schema_version SET version = 99")
    connection.commit()
    connection.close()


def test_a_newer_database_is_left_alone(filled: str) -> None:
    make_newer(filled)
    with Store(filled) as store:
        assert store.manifests() == {}
        with pytest.raises(
            StoreError, match=r"evidence\.db cannot be used: it has schema version 99.*newer prov"
        ):
            put(store, manifest(title="new"))
    assert rows(filled, "SELECT title FROM manifests") == [("A document",)]


def foreign(where: str) -> None:
    connection = sqlite3.connect(where)
    connection.execute("CREATE TABLE moz_cookies (id INTEGER)")
    connection.commit()
    connection.close()


def foreign_with_a_version(where: str) -> None:
    connection = sqlite3.connect(where)
    connection.execute("CREATE TABLE schema_version (version INTEGER)")
    connection.execute("CREATE TABLE manifests (id INTEGER)")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("make", [foreign, foreign_with_a_version])
@pytest.mark.parametrize("url", ["{}", "sqlite+pysqlite:///{}"])
def test_another_programs_database_is_left_alone(
    tmp_path: Path, make: Callable[[str], None], url: str
) -> None:
    where = str(tmp_path / "cookies.db")
    make(where)
    before = rows(where, "SELECT * FROM sqlite_master")
    with Store(url.format(where)) as store, pytest.raises(StoreError, match="not a database of prov's"):
        put(store, manifest())
    assert rows(where, "SELECT * FROM sqlite_master") == before


@pytest.mark.parametrize(
    "data", [b"not a database at all, but a text\n" * 100, b"SQLite format 3\0" + b"\xff" * 4080]
)
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(data)
    with Store(str(file)) as store:
        with pytest.raises(StoreError, match=r"notes\.txt"):
            store.manifests()
        with pytest.raises(StoreError, match=r"notes\.txt cannot be used"):
            put(store, manifest())
    assert file.read_bytes() == data


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    (tmp_path / "evidence.db").touch()
    with Store(str(tmp_path / "evidence.db")) as store:
        assert store.manifests() == {}
        put(store, manifest())
        assert set(store.manifests()) == {"manifests/a.yaml"}


def test_folders_are_made_when_something_is_written(tmp_path: Path) -> None:
    where = tmp_path / "build" / "deep" / "evidence.db"
    with Store(str(where)) as store:
        assert store.manifests() == {}
        assert not where.parent.exists()
        put(store, manifest())
    assert where.exists()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("nosuch://user:SECRET@host/db", "nosuch://… is not one that SQLAlchemy can open here"),
        ("nosuch+driver://user:SECRET@host/db", "is not one that SQLAlchemy can open here"),
        ("sqlite+nosuch:///x", "is not one that SQLAlchemy can open here"),
        ("postgresql+nosuch://user:SECRET@host/db", "is not one that SQLAlchemy can open here"),
        ("://user:SECRET@host", "is not one that SQLAlchemy can open here"),
        ("mysql+pymysql://user:SECRET@host:port/db", "is not one that SQLAlchemy can open here"),
        ("sqlite:////nonexistent/folder/x.db?timeout=1", "unable to open database file"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_without_its_password(url: str, told: str) -> None:
    with Store(url) as store:
        with pytest.raises(StoreError) as caught:
            store.manifests()
        assert told in str(caught.value)
        assert "SECRET" not in str(caught.value)
        with pytest.raises(StoreError):
            put(store, manifest())

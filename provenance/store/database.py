"""How a database is reached: a local SQLite file by `sqlite3` for reading, all else by SQLAlchemy."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from provenance.errors import StoreError
from provenance.store.queries import SCHEMA_VERSION, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import Connection, Engine

Value = str | int | float | bytes | None
"""What a column holds."""

Row = tuple[Value, ...]

_BUSY = 30.0
"""Seconds that a writer waits for another one."""

_SQLITE_URL = "sqlite:///"


class Reader(Protocol):
    """Answers one query at a time."""

    def rows(self, sql: str, parameters: Mapping[str, Value]) -> Iterator[Row]:
        """The rows of a query, as they are read.

        Raises:
            StoreError: the database cannot be read.
        """

    def close(self) -> None:
        """Let go of the database."""


class Database:
    """One evidence database, made when it is first written to."""

    def __init__(self, where: str) -> None:
        self.where = "sqlite://" if where == ":memory:" else where
        """A path, or any SQLAlchemy URL."""
        self.file = _local_file(self.where)
        """The SQLite file; None where the database is elsewhere."""
        self._engine: Engine | None = None
        self._reader: Reader | None = None
        self._prepared = False

    def reader(self) -> Reader | None:
        """Something that answers queries; None where there is no database yet."""
        if self._reader is None:
            if self.file is not None:
                self._reader = _LocalReader.open(self.file)
            else:
                with self.transaction():
                    pass
                self._reader = _EngineReader(self._made_engine())
        return self._reader

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction: committed at the end of the block, rolled back where it raises.

        Raises:
            StoreError: the database cannot be written: a full disk, no permission, another program's file.
        """
        from sqlalchemy.exc import SQLAlchemyError

        from provenance.store.schema import prepare

        try:
            if self.file is not None:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            with self._made_engine().begin() as connection:
                if not self._prepared:
                    prepare(connection)
                yield connection
            self._prepared = True
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            raise StoreError(self._explained(_reason(error))) from error
        except StoreError as error:
            raise StoreError(self._explained(str(error))) from error

    def is_there(self) -> bool:
        """Whether there is a database that can be read; an older one is brought up first.

        Raises:
            StoreError: it is a newer prov's, or another program's.
        """
        file = self.file
        if self.reader() is None and file is not None and file.is_file() and file.stat().st_size:
            with self.transaction():
                pass
        return self.reader() is not None

    def close(self) -> None:
        """Let go of the database."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None
            self._prepared = False

    def _explained(self, reason: str) -> str:
        if reason.startswith("the evidence database"):
            return reason
        return f"the evidence database {self.shown()} cannot be used: {reason}"

    def shown(self) -> str:
        """The path or the URL, without a password."""
        if self.file is not None:
            return str(self.file)
        from sqlalchemy import make_url

        return make_url(self.where).render_as_string(hide_password=True)

    def _made_engine(self) -> Engine:
        if self._engine is None:
            self._engine = _engine(self.where, self.file)
        return self._engine


def _local_file(where: str) -> Path | None:
    """The SQLite file that a path or URL names; None for another kind of database."""
    if "://" not in where:
        return Path(where)
    if where.startswith(_SQLITE_URL) and "?" not in where and where != f"{_SQLITE_URL}:memory:":
        return Path(where.removeprefix(_SQLITE_URL))
    return None


def _engine(where: str, file: Path | None) -> Engine:
    from sqlalchemy import URL, create_engine, event
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError

    try:
        url = where if file is None else URL.create("sqlite", database=str(file))
        options = {} if file is None else {"connect_args": {"timeout": _BUSY}}
        engine = create_engine(url, **options)
    except (NoSuchModuleError, ImportError) as error:
        raise StoreError(_not_opened(where, str(error))) from error
    except (ArgumentError, ValueError):  # not chained: some versions quote the URL, with its password
        raise StoreError(_not_opened(where, "it is no URL such as dialect://user@host/name")) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
    return engine


def _not_opened(where: str, reason: str) -> str:
    shown = f"{where.partition('://')[0]}://…"
    return f"the evidence database {shown} is not one that SQLAlchemy can open here: {reason}"


def _configure(connection: sqlite3.Connection, _record: object) -> None:
    # SQLAlchemy's recipe for SQLite: we begin transactions, for the driver would begin them too late.
    connection.isolation_level = None
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _reason(error: Exception) -> str:
    """The driver's own words, without SQLAlchemy's statement and link around them."""
    return str(getattr(error, "orig", None) or error)


class _LocalReader:
    """Reads a SQLite file with the standard library alone."""

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self._file = file
        self._connection = connection

    @classmethod
    def open(cls, file: Path) -> _LocalReader | None:
        """Open a file that is there, and of this schema; None where it must first be made or upgraded."""
        if not file.is_file() or file.stat().st_size == 0:
            return None
        connection = None
        for mode in (
            "mode=ro",
            "immutable=1",
        ):  # the second where the folder cannot be written, as in a read-only checkout
            try:
                connection = sqlite3.connect(
                    f"{file.absolute().as_uri()}?{mode}", uri=True, timeout=_BUSY, isolation_level=None
                )
                row = connection.execute(SCHEMA_VERSION).fetchone()
            except sqlite3.DatabaseError as error:
                if connection is not None:
                    connection.close()
                if isinstance(error, sqlite3.OperationalError):
                    continue
                raise _damaged(file, error) from error
            if row is not None and row[0] == VERSION:
                return cls(file, connection)
            connection.close()
            return None
        return None

    def rows(self, sql: str, parameters: Mapping[str, Value]) -> Iterator[Row]:
        try:
            # No "yield from": a reader that stops half-way would close the cursor after its connection.
            for row in self._connection.execute(sql, parameters):  # noqa: UP028
                yield row
        except sqlite3.Error as error:
            raise _damaged(self._file, error) from error

    def close(self) -> None:
        self._connection.close()


def _damaged(file: Path, error: Exception) -> StoreError:
    return StoreError(f"the evidence database {file} cannot be read: {error}; delete it and run prov fetch")


class _EngineReader:
    """Reads any database through SQLAlchemy."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def rows(self, sql: str, parameters: Mapping[str, Value]) -> Iterator[Row]:
        from sqlalchemy import text
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self._engine.connect() as connection:
                found: list[Row] = [tuple(row) for row in connection.execute(text(sql), dict(parameters))]
        except SQLAlchemyError as error:
            message = f"the evidence database cannot be read: {_reason(error)}"
            raise StoreError(message) from error
        yield from found

    def close(self) -> None:
        """Nothing of its own is held: the engine is the database's."""

"""What a crawl has had: one SQLite file per start URL, so that a crawl goes on where it was and the next is cheap.

There is no list of what is left to do. A crawl asks for pages in an order that follows from the pages themselves,
so one that was cut off goes the same way again, and what it has had is answered from here.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Self, TypeVar

from provenance.origin.visit import Validators

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_VERSION = 1
_GOES_ON = timedelta(hours=24)
"""How long after its beginning a crawl that was cut off still goes on, rather than anew: what RFC 9309, 2.4, allows
robots.txt to be kept."""
_REMEMBERED = 10
"""Crawls for which the answer of a page is kept that none of them came by."""
_BUSY = 30.0
"""Seconds that a writer waits for another one."""
_Result = TypeVar("_Result")
_SUFFIXES = ("", "-journal", "-wal", "-shm")
_SCHEMA = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS crawl (
    version INTEGER NOT NULL, run INTEGER NOT NULL, began TEXT NOT NULL, ended INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS answers (
    url TEXT PRIMARY KEY, run INTEGER NOT NULL, kind TEXT NOT NULL, status INTEGER NOT NULL, type TEXT NOT NULL,
    robots TEXT NOT NULL, target TEXT NOT NULL, etag TEXT NOT NULL, modified TEXT NOT NULL, body BLOB NOT NULL
) WITHOUT ROWID;
COMMIT;
"""


class Kind(StrEnum):
    """What an answer is."""

    BODY = "body"
    MOVED = "moved"
    """A redirect."""
    OTHER = "other"
    """A body that was not wanted."""
    GONE = "gone"
    """A status that says there is no such page for us."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer."""

    kind: Kind
    status: int = 200
    type: str = ""
    """`Content-Type`, as the server writes it."""
    robots: str = ""
    """`X-Robots-Tag`, likewise."""
    target: str = ""
    """Where a redirect leads."""
    validators: Validators = field(default_factory=Validators)
    body: bytes = field(default=b"", repr=False)
    current: bool = True
    """Whether it was had in the crawl that is going on, and so needs not be asked for again."""


class WebCache:
    """The answers of crawls that began at one URL. Losing it costs requests and nothing else.

    It is whole at any moment: an answer is one transaction. What cannot be read is made anew, and where nothing can be
    written the crawl goes on without it; `fault` then says why.
    """

    def __init__(self, file: Path) -> None:
        """Name the file; it is opened by `begin`."""
        self.file = file
        self.fault: str | None = None
        self._connection: sqlite3.Connection | None = None
        self._run = 0

    @classmethod
    def of(cls, folder: Path, start: str, *, credentials: bool) -> Self:
        """The one for a start URL.

        Args:
            folder: the user's cache of crawls.
            start: where the crawl begins.
            credentials: whether the user's are used: what they show is not for a crawl without them.
        """
        name = hashlib.sha256(f"{int(credentials)} {start}".encode("utf-8", "surrogatepass")).hexdigest()
        return cls(folder / f"{name[:32]}.sqlite")

    def begin(self, now: datetime, *, anew: bool = False) -> bool:
        """Begin a crawl, or go on with one that was cut off.

        Args:
            now: the time, with its zone.
            anew: whether to begin in any case.

        Returns:
            Whether there is one to go on with, and it has had anything.
        """
        return bool(self._kept_up(lambda connection: self._begin(connection, now, anew=anew)))

    def end(self) -> None:
        """Say that the crawl has come to its end: the next one asks anew. What no late crawl came by is let go."""
        self._kept_up(
            lambda one: one.execute("DELETE FROM answers WHERE run < ?", (self._run - _REMEMBERED,))
        )
        self._kept_up(lambda one: one.execute("UPDATE crawl SET ended = 1 WHERE run = ?", (self._run,)))

    def get(self, url: str) -> Kept | None:
        """What was last had from a URL."""
        return self._kept_up(lambda connection: self._get(connection, url))

    def put(self, url: str, kept: Kept) -> None:
        """Keep an answer."""
        row = (
            *(url, self._run, kept.kind.value, kept.status, kept.type, kept.robots, kept.target),
            *(kept.validators.etag, kept.validators.modified, zlib.compress(kept.body, 1)),
        )
        marks = ", ".join("?" * len(row))
        self._kept_up(lambda one: one.execute(f"INSERT OR REPLACE INTO answers VALUES ({marks})", row))  # noqa: S608

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _begin(self, connection: sqlite3.Connection, now: datetime, *, anew: bool) -> bool:
        connection.execute("BEGIN IMMEDIATE")
        try:
            found = connection.execute("SELECT run, began, ended FROM crawl").fetchone()
            self._run, began, ended = found or (0, now.isoformat(), 1)
            goes_on = not ended and not anew and timedelta() <= now - datetime.fromisoformat(began) < _GOES_ON
            if not goes_on:
                self._run += 1
                connection.execute("DELETE FROM crawl")
                values = (_VERSION, self._run, now.isoformat())
                connection.execute("INSERT INTO crawl VALUES (?, ?, ?, 0)", values)
            # One that ended before it had anything is no crawl to a person.
            some = "SELECT 1 FROM answers WHERE run = ? LIMIT 1"
            has_had = goes_on and connection.execute(some, (self._run,)).fetchone() is not None
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        return has_had

    def _get(self, connection: sqlite3.Connection, url: str) -> Kept | None:
        row = connection.execute("SELECT * FROM answers WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        _, run, kind, status, type_, robots, target, etag, modified, body = row
        return Kept(
            *(Kind(kind), status, type_, robots, target),
            validators=Validators(etag, modified),
            body=zlib.decompress(body),
            current=run == self._run,
        )

    def _kept_up(self, do: Callable[[sqlite3.Connection], _Result]) -> _Result | None:
        """Do something with the file; what is no such file is made anew once, and what still fails is a fault."""
        for is_last in (False, True):
            try:
                if self.fault is not None:
                    return None
                if self._connection is None:
                    self._connection = _open(self.file)
                return do(self._connection)
            except (sqlite3.Error, zlib.error, OSError, ValueError, TypeError) as error:
                self.close()
                if is_last or not _is_damage(error):
                    self.fault = str(error)
                    return None
                _remove(self.file)
        return None


def _open(file: Path) -> sqlite3.Connection:
    """Open the file, made where it is not there; for its user alone, as pages may be shown to nobody else."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600))
    connection = sqlite3.connect(file, timeout=_BUSY, isolation_level=None)
    try:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
            connection.executescript(_SCHEMA)
        _check(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection) -> None:
    """Refuse what another version has made."""
    if connection.execute("SELECT count(*) FROM crawl WHERE version <> ?", (_VERSION,)).fetchone() != (0,):
        message = "made by another version"
        raise ValueError(message)


def _is_damage(error: Exception) -> bool:
    """Whether it is the file that is wrong, and not the disk or another run."""
    if isinstance(error, sqlite3.OperationalError):
        return "no such" in str(error)  # a table or column: somebody else's database
    return not isinstance(error, OSError)


def _remove(file: Path) -> None:
    for suffix in _SUFFIXES:
        with suppress(OSError):
            file.with_name(file.name + suffix).unlink()

"""What a shell can complete from an evidence database: a file of this machine is read, and no other is asked."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from provenance.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.store.database import Row, Value

IDS = """
SELECT name, path FROM citations WHERE substr(name, 1, length(:begin)) = :begin
UNION SELECT name, '' FROM quantities WHERE substr(name, 1, length(:begin)) = :begin ORDER BY 1 LIMIT :most
"""

PLACES = """
SELECT DISTINCT path, first, last FROM citations
WHERE substr(path, 1, length(:begin)) = :begin OR instr(path, '/' || :begin) > 0
ORDER BY path, first, last LIMIT :most
"""
"""Of paths, a component of which begins so; of values without lines, `first` is null."""

SOURCES = """
SELECT DISTINCT name FROM sources WHERE substr(name, 1, length(:begin)) = :begin ORDER BY name LIMIT :most
"""


class Named(NamedTuple):
    """A citation or a quantity."""

    id: str
    path: str
    """Empty for a quantity."""


class Place(NamedTuple):
    """Cited lines, or a whole file."""

    path: str
    lines: str
    """Such as `99-103`; empty where none are cited."""


def ids(where: str, begin: str, most: int) -> list[Named]:
    """Citations and quantities whose ids begin so.

    Args:
        where: the database, as for `Database`.
        begin: how they begin.
        most: how many at the most.

    Raises:
        StoreError: the database cannot be read.
    """
    return [Named(str(name), str(path)) for name, path in _rows(where, IDS, {"begin": begin, "most": most})]


def places(where: str, begin: str, most: int) -> list[Place]:
    """Cited places in files one component of whose paths begins so.

    Raises:
        StoreError: the database cannot be read.
    """
    found = _rows(where, PLACES, {"begin": begin, "most": most})
    return [Place(str(path), _lines(first, last)) for path, first, last in found]


def sources(where: str, begin: str, most: int) -> list[str]:
    """Names of sources that begin so.

    Raises:
        StoreError: the database cannot be read.
    """
    return [str(name) for (name,) in _rows(where, SOURCES, {"begin": begin, "most": most})]


def _lines(first: Value, last: Value) -> str:
    if first is None:
        return ""
    return str(first) if first == last else f"{first!s}-{last!s}"


def _rows(where: str, sql: str, parameters: Mapping[str, Value]) -> list[Row]:
    with closing(Database(where)) as database:
        reader = database.reader() if database.file is not None else None
        return [] if reader is None else list(reader.rows(sql, parameters))

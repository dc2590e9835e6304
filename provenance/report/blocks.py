"""What a report for people is made of, before it is known where it is read: lines, sentences, code and tables.

These are named tuples: each is made in a third of the time that a data class takes, and `prov show` is waited for.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from provenance.evidence import Level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Style(StrEnum):
    """How text looks where there is colour; the names are those that rich gives them."""

    BOLD = "bold"
    DIM = "dim"
    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
    MAGENTA = "magenta"
    CYAN = "cyan"


LEVEL_STYLES = {
    Level.OK: Style.GREEN,
    Level.WARNING: Style.YELLOW,
    Level.FAILURE: Style.RED,
    Level.UNAVAILABLE: Style.MAGENTA,
}


class Span(NamedTuple):
    """A piece of a line, which is visible text."""

    text: str
    style: Style | None = None
    link: str | None = None
    """Where it leads, on a terminal that has links."""


_NOTHING = Span("")


class Line(NamedTuple):
    """A line that is not wrapped; without spans it is blank."""

    spans: tuple[Span, ...] = ()
    code: bool = False
    """Whether it is code, which stays whole however narrow the terminal is."""

    @property
    def text(self) -> str:
        """All that it says."""
        return "".join(span.text for span in self.spans)


class Prose(NamedTuple):
    """A sentence, on as many lines as it takes."""

    text: str
    style: Style | None = None
    indent: int = 0
    """Characters before each of its lines."""
    lead: Span = _NOTHING
    """What stands in the indent of the first line; it is shorter."""


class Column(NamedTuple):
    """A column of a table."""

    head: str = ""
    least: int | None = None
    """Characters that it is given at the least where there is little room; None where it is never made narrower."""


class Row(NamedTuple):
    """A row of a table, and what stands below it."""

    cells: tuple[Span, ...]
    below: Iterable[Block] = ()
    """Gone through once at the most."""


class Rows(Protocol):
    """A tuple, or what makes rows as it is gone through."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Row]: ...


class Table(NamedTuple):
    """Rows with cells below each other."""

    columns: tuple[Column, ...]
    rows: Rows
    """Gone through twice: for how wide they are, and to be printed."""
    shortened: int
    """Which column alone is made narrower, and its cells cut, where text is not for a terminal; from 0."""
    indent: int = 0
    """Characters before each row, but not before what stands below it."""


class CodeLine(NamedTuple):
    """A line of an excerpt or of its context, its text visible."""

    number: int | None
    """1-based; None where it is not known."""
    text: str
    marked: bool
    """Whether it is one of the lines that were asked for."""


class Code(NamedTuple):
    """Lines of a file, with their numbers."""

    lines: tuple[CodeLine, ...]
    path: str
    """Of the file, which may tell its language."""
    language: str | None
    """Its name, where that is known."""
    indent: int = 0


Block = Line | Prose | Table | Code

BLANK = Line()


def line(text: str, style: Style | None = None) -> Line:
    """A line of one piece."""
    return Line((Span(text, style),))

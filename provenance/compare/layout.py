"""White space that carries no meaning: a canonical form in which it is gone.

Blank lines and trailing white space are dropped; what stays of a line is its indentation in columns and its body. Two
stretches are the same where the bodies are, and one shift takes every indentation to the other's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

BLANK = " \t\f\v\r"
"""What counts as white space. No-break spaces and their kin do not: they are a difference of typography."""
_INNER_TAB = re.compile(r"[^\s] *\t")
_WIDTHS = (8, 4, 2, 1, 3, 5, 6, 7)
"""Columns that a tab may be shown as, the likeliest first."""


class Inner(Enum):
    """How a display may treat tabs behind a line's first letter."""

    STOPS = "stops"
    """They fill up to the next tab stop."""
    PLAIN = "plain"
    """Each is as many spaces."""
    KEPT = "kept"
    """They stay; only the indentation was turned into spaces."""


class Layout(NamedTuple):
    """One way in which tabs may have become spaces."""

    width: int
    """Columns from one tab stop to the next."""
    inner: Inner

    def spread(self, line: str) -> str:
        """The line with its tabs as spaces."""
        if "\t" not in line:
            return line
        match self.inner:
            case Inner.STOPS:
                return line.expandtabs(self.width)
            case Inner.PLAIN:
                return line.replace("\t", " " * self.width)
            case Inner.KEPT:
                body = line.lstrip(BLANK)
                return line[: len(line) - len(body)].expandtabs(self.width) + body


def layouts(quote: str, source: str) -> tuple[Layout, ...]:
    """The ways that are worth trying; one where there are no tabs."""
    if "\t" not in quote and "\t" not in source:
        return (Layout(_WIDTHS[0], Inner.STOPS),)
    inner = _INNER_TAB.search(quote) or _INNER_TAB.search(source)
    kinds = tuple(Inner) if inner else (Inner.STOPS,)
    return tuple(Layout(width, kind) for width in _WIDTHS for kind in kinds)


@dataclass(frozen=True, slots=True)
class Canon:
    """The lines of a stretch that are not blank."""

    first: int
    """The stretch's first line, 1-based, blank or not."""
    last: int
    """Its last line; `first - 1` where it has none."""
    numbers: Sequence[int]
    """1-based line numbers, ascending."""
    indents: Sequence[int]
    """Columns before each body."""
    bodies: Sequence[str]
    """The lines without white space at their ends."""

    @classmethod
    def of(cls, lines: Sequence[str], layout: Layout, *, first: int = 1) -> Canon:
        """Lines as they stand, the first of which has the number `first`."""
        numbers: list[int] = []
        indents: list[int] = []
        bodies: list[str] = []
        for number, line in enumerate(lines, first):
            spread = layout.spread(line).rstrip(BLANK)
            body = spread.lstrip(BLANK)
            if body:
                numbers.append(number)
                indents.append(len(spread) - len(body))
                bodies.append(body)
        return cls(first, first + len(lines) - 1, numbers, indents, bodies)

    def __len__(self) -> int:
        return len(self.bodies)


class Place(NamedTuple):
    """Where a quote stands, line upon line."""

    start: int
    """Index into the source's canonical lines."""
    shift: int
    """Columns by which the quote is indented more than the source; less than 0 where it is dedented."""


def places(quote: Canon, source: Canon) -> Iterator[Place]:
    """Every place where the quote's lines stand one after another, in the file's order; linear time.

    Lines are compared by body and by the step of indentation from the line before, so that no shift has to be guessed.
    The first two lines' steps are left to `_shift`, since the first line may have lost its indentation.
    """
    size = len(quote)
    if not size or size > len(source):
        return
    ids: dict[tuple[int, str], int] = {}
    needle = [ids.setdefault(step, len(ids)) for step in _steps(quote)][2:]
    hay = [ids.get(step, -1) for step in _steps(source)] if needle else []
    starts = (at - 2 for at in _occurrences(needle, hay)) if needle else iter(range(len(source) - size + 1))
    for start in starts:
        if start < 0 or quote.bodies[0] != source.bodies[start]:
            continue
        if size > 1 and quote.bodies[1] != source.bodies[start + 1]:
            continue
        shift = _shift(quote, source, start)
        if shift is not None:
            yield Place(start, shift)


def _steps(canon: Canon) -> Iterator[tuple[int, str]]:
    before = 0
    for indent, body in zip(canon.indents, canon.bodies, strict=True):
        yield indent - before, body
        before = indent


def _shift(quote: Canon, source: Canon, start: int) -> int | None:
    """The one shift of all lines, or of all but a first line whose own indentation is lost, in whole or in part."""
    own = quote.indents[0] - source.indents[start]
    if len(quote) == 1:
        return own
    rest = quote.indents[1] - source.indents[start + 1]
    lost = rest <= quote.indents[0] < rest + source.indents[start]
    return rest if own == rest or lost else None


def _occurrences(needle: Sequence[int], hay: Sequence[int]) -> Iterator[int]:
    """Where a sequence stands in another, overlaps included (Knuth, Morris and Pratt 1977)."""
    borders = [0] * len(needle)
    held = 0
    for index in range(1, len(needle)):
        while held and needle[index] != needle[held]:
            held = borders[held - 1]
        held += needle[index] == needle[held]
        borders[index] = held
    held = 0
    for index, item in enumerate(hay):
        while held and item != needle[held]:
            held = borders[held - 1]
        held += item == needle[held]
        if held == len(needle):
            yield index - held + 1
            held = borders[held - 1]

"""Omission marks: what a document puts where it leaves code out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.layout import BLANK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.layout import Canon

_ELLIPSIS = re.compile(r"\u2026+|\.{3,}")
_BRACKETS = (("(", ")"), ("[", "]"), ("<", ">"), ("{", "}"))
_MOST_ELLIPSES = 5_000
"""A line with more of them is taken for code."""
MOST_MARKS = 1_000
"""Marks in a row that are checked; more of them are not believed."""
_LONGEST = 120
"""A longer line is never a mark (characters)."""
_DOTS = r"(?:\u2026+|\.{3,}|\. \. \.|\u22ee|\u22ef)"
_GONE = r"(?:omitted|elided|skipped|snipped|hidden|removed|left\s+out|not\s+shown)"
_WORDS = rf"(?:snip|(?:(?:some|more|rest|code|lines|the|of)\s++){{0,4}}{_GONE})"
_STATED = (
    r"(?:lines?\s++(?P<first>[0-9]{1,9})(?:\s*+(?:[-\u2010-\u2015\u2212]|\.\.|to)\s*+(?P<last>[0-9]{1,9}))?"
    r"|(?P<count>[0-9]{1,9})\s++(?:more\s++)?lines?)"
)
_MARK = (
    re.compile(  # possessive: white space between two things that may be missing is tried in one way alone
        rf"(?P<open>\#+|//+|--+|;+|%+|/\*+|<!--+|\*+)?\s*+(?P<bracket>[\[(<{{])?\s*+(?P<dots>{_DOTS})?\s*+\(?"
        rf"(?:{_STATED}(?:\s++(?:(?:are|were|is)\s++)?(?P<gone>{_GONE}))?|(?P<words>-*\s*+{_WORDS}\s*+-*))?"
        rf"\)?\s*+(?P<more>{_DOTS})?\s*+[\])>}}]?\s*+(?:\*+/|--+>?)?",
        re.IGNORECASE,
    )
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A line that stands for lines left out."""

    first: int | None = None
    """The first line that it says is left out; None where it names none. As written, so it may be nonsense."""
    last: int | None = None
    """The last one."""
    count: int | None = None
    """How many lines it says are left out, where it says only that."""

    @property
    def states(self) -> bool:
        """Whether it says which lines, or how many, are left out."""
        return self.first is not None or self.count is not None

    def __str__(self) -> str:
        if self.first is None:
            return f"{self.count} lines"
        return f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"


_FREE = Mark()


def mark(body: str) -> Mark | None:
    """Read a line, without the white space at its ends, as a mark; None where it cannot be one."""
    if not _ELLIPSIS.sub("", body).strip(BLANK):
        return Mark()
    found = _MARK.fullmatch(body) if len(body) <= _LONGEST else None
    if found is None or any(body.count(left) != body.count(right) for left, right in _BRACKETS):
        return None
    dots, framed = found["dots"] or found["more"], found["open"] or found["bracket"]
    if found["first"] or found["count"]:
        if not (found["gone"] or dots):
            return None
    elif not dots and not (found["words"] and framed):
        return None
    if found["bracket"] == "{" and not found["words"]:
        return None  # `{ ... }` is a block, whose ellipsis stands for its inside
    first = int(found["first"]) if found["first"] else None
    last = int(found["last"]) if found["last"] else first
    return Mark(first, last, int(found["count"]) if found["count"] else None)


class Row(NamedTuple):
    """One line of a quote that is not blank, and what may be meant by it."""

    indent: int
    """Columns."""
    body: str
    parts: tuple[str, ...]
    """The body between its inline ellipses, without the white space beside them; the whole body where it has none.
    An empty first or last part means that the line begins or ends with an ellipsis."""
    mark: Mark | None
    """What it says is left out, if it is a mark and not code."""

    @property
    def plain(self) -> bool:
        """Whether it can only be code, letter by letter."""
        return self.mark is None and len(self.parts) == 1

    def as_code(self) -> Row:
        """The row read as code."""
        return Row(self.indent, self.body, (self.body,), None)

    def shows(self, body: str) -> bool:
        """Whether one source line's body is what it shows; leftmost matching, so linear time."""
        if len(self.parts) == 1:
            return body == self.body
        head, *middle, tail = self.parts
        at = len(head)
        if not body.startswith(head):
            return False
        for part in middle:
            found = body.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return len(body) - at >= len(tail) and body.endswith(tail)


def rows(quote: Canon) -> list[Row]:
    """The quote's lines, each with every meaning that it may have."""
    return [
        Row(indent, body, _parts(body), mark(body))
        for indent, body in zip(quote.indents, quote.bodies, strict=True)
    ]


def _parts(body: str) -> tuple[str, ...]:
    if "..." not in body and "\u2026" not in body:
        return (body,)
    head, *rest = _ELLIPSIS.split(body)
    if not rest or len(rest) > _MOST_ELLIPSES:
        return (body,)
    *middle, tail = rest
    return (head.rstrip(), *(part for part in map(str.strip, middle) if part), tail.lstrip())


def readings(quote: Sequence[Row], source: Canon) -> list[list[Row]]:
    """The quote with its marks told from code, the reading to try first first.

    A line is code where the source has the same line after the same line. A second reading takes whatever can be a mark
    for one: a mark may happen to look like a line that stands nearby.
    """
    if all(row.plain for row in quote):
        return [list(quote)]
    known = set(source.bodies)
    pairs = set(zip(source.bodies, source.bodies[1:], strict=False))
    first = _reading(quote, known, pairs, trusting=True)
    second = _reading(quote, known, pairs, trusting=False)
    return [first] if first == second else [first, second]


def _reading(
    quote: Sequence[Row], known: set[str], pairs: set[tuple[str, str]], *, trusting: bool
) -> list[Row]:
    read: list[Row] = []
    for row in quote:
        if row.plain or (row.mark and not trusting):
            meant = row
        else:
            before = read[-1] if read and read[-1].plain else None
            stands = row.body in known if before is None else (before.body, row.body) in pairs
            meant = row.as_code() if stands else row
        if not (meant.mark == _FREE and read and read[-1].mark == _FREE):  # a second one says nothing more
            read.append(meant)
    return read

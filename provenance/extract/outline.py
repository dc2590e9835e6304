"""The definitions and statements of a file, and what they say of a range of its lines.

An outline is made once from a syntax tree (`provenance.extract.symbols`) and kept; asking it needs no tree.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import Self

from provenance.citation import LineRange
from provenance.errors import InvalidRecord
from provenance.evidence import Symbol


@dataclass(frozen=True, slots=True)
class Outline:
    """What stands where in a file. Lines past its end are in no definition."""

    definitions: tuple[Symbol, ...] = ()
    """In the file's order, an outer one before those inside it."""
    statements: tuple[LineRange, ...] = ()
    """Runs of two lines or more that belong together, in the file's order: simple statements and headers."""
    notes: tuple[str, ...] = ()
    """Why there is no outline, where there is none."""
    _firsts: list[int] = field(init=False, repr=False, compare=False)
    _parents: list[int] = field(init=False, repr=False, compare=False)
    """By a definition's index the index of the one around it, or -1."""
    _starts: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parents: list[int] = []
        open_ones: list[int] = []
        for index, definition in enumerate(self.definitions):
            while open_ones and self.definitions[open_ones[-1]].lines.last < definition.lines.first:
                open_ones.pop()
            parents.append(open_ones[-1] if open_ones else -1)
            open_ones.append(index)
        object.__setattr__(self, "_firsts", [definition.lines.first for definition in self.definitions])
        object.__setattr__(self, "_parents", parents)
        object.__setattr__(self, "_starts", [statement.first for statement in self.statements])

    def symbol(self, lines: LineRange) -> str | None:
        """The name of the smallest definition that holds the whole range, the range's own included."""
        index = self._holder(lines)
        return None if index < 0 else self.definitions[index].name

    def symbols(self, lines: LineRange) -> tuple[str, ...]:
        """The names of the definitions that lie wholly inside the range, without `symbol` itself."""
        first = bisect_left(self._firsts, lines.first)
        end = bisect_right(self._firsts, lines.last)
        if first == end:
            return ()
        holder = self._holder(lines)
        return tuple(
            self.definitions[index].name
            for index in range(first, end)
            if index != holder and self.definitions[index].lines.last <= lines.last
        )

    def cuts(self, lines: LineRange) -> str | None:
        """A note where the range holds one part of a simple statement or header, and not the other."""
        cut = self._across(lines.first - 1) or self._across(lines.last)
        return None if cut is None else f"the range cuts the statement at lines {cut} in two"

    def _holder(self, lines: LineRange) -> int:
        """The index of the smallest definition that holds the range, or -1."""
        index = bisect_right(self._firsts, lines.first) - 1
        while index >= 0 and self.definitions[index].lines.last < lines.last:
            index = self._parents[index]
        return index

    def _across(self, line: int) -> LineRange | None:
        """The statement that holds both this line and the next.

        Statements follow one another and share a line at most, so the last that starts by then ends last.
        """
        index = bisect_right(self._starts, line) - 1
        if index < 0 or self.statements[index].last <= line:
            return None
        return self.statements[index]

    def to_json(self) -> str:
        """One short line of JSON, from which `from_json` makes the same outline."""
        form = {
            "definitions": [(item.name, item.lines.first, item.lines.last) for item in self.definitions],
            "statements": [(item.first, item.last) for item in self.statements],
            "notes": self.notes,
        }
        return json.dumps(form, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote.

        Raises:
            InvalidRecord: it is something else.
        """
        try:
            form = json.loads(text)
            return cls(
                tuple(Symbol(str(name), LineRange(first, last)) for name, first, last in form["definitions"]),
                tuple(LineRange(first, last) for first, last in form["statements"]),
                tuple(str(note) for note in form["notes"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            message = "a stored outline is not one: fetch again with --refresh"
            raise InvalidRecord(message) from error

"""Whole definitions: followed by their names, and answered as a whole.

A range whose first line begins a definition, or whose last line ends one, does so at the other revision, too.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.relocating.body import Stretch
from provenance.compare.relocating.definition import Definition
from provenance.compare.relocating.indented import block, block_around, blocks_called, is_leading
from provenance.compare.relocating.naming import mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.relocating.body import Body
    from provenance.extract.outline import Outline

_ALIKE = 0.6
"""Share of lines in common from which on a definition is taken for what carried lines belong to."""
_FAR = 60
"""Lines by which the end of a definition may be from where the lines were carried."""


class Shape(NamedTuple):
    """What definitions a range begins and ends with."""

    head: Definition | None
    from_decorator: bool
    """Whether the range begins with the decorators, too."""
    tail: Definition | None
    blanks: int
    """Blank lines at the range's end."""

    @property
    def whole(self) -> Definition | None:
        """The one definition that the range is; None where it is something else."""
        is_one = self.head is not None and self.tail is not None and self.head.header == self.tail.header
        return self.head if is_one else None


class Definitions:
    """The definitions of one file."""

    def __init__(self, lines: Sequence[str], outline: Outline | None) -> None:
        """Take them from an outline; where there is none, they are told by how the lines are laid out."""
        self._lines = lines
        self._known = None if outline is None else [*self._outlined(outline)]

    def _outlined(self, outline: Outline) -> Iterator[Definition]:
        for found in outline.definitions:
            first, last = found.lines.first - 1, found.lines.last - 1
            header = first
            if is_leading(self._lines[first]):
                word = re.compile(rf"\b{re.escape(found.name.rpartition('.')[2])}\b")
                inside = range(first, last + 1)
                named = (
                    at for at in inside if word.search(self._lines[at]) and not is_leading(self._lines[at])
                )
                header = next(named, first)
            yield Definition(found.name, first, header, last)

    def beginning(self, line: int) -> Definition | None:
        """The outermost definition whose header, or first decorator, a line is."""
        if self._known is None:
            return block(self._lines, line)
        return next((found for found in self._known if line in {found.first, found.header}), None)

    def ending(self, line: int, first: int) -> Definition | None:
        """The outermost definition that ends on a line and begins on another or behind it."""
        if self._known is None:
            found = block(self._lines, first)
            return found if found is not None and found.last == line else None
        return next((found for found in self._known if found.last == line and found.header >= first), None)

    def called(self, name: str) -> Iterator[Definition]:
        """The definitions of a name, dotted where a grammar tells what they stand in."""
        if self._known is None:
            return blocks_called(self._lines, name)
        return (found for found in self._known if found.name == name)

    def around(self, lines: Stretch) -> Definition | None:
        """The definition that begins with lines, or else is hardly more than them."""
        if self._known is None:
            return block_around(self._lines, *lines)
        for found in self._known:
            if lines.first in {found.first, found.header}:
                return found
        best = max(self._known, key=lambda found: _overlap(found, lines), default=None)
        return best if best is not None and _overlap(best, lines) >= _ALIKE else None


def shape_of(lines: Stretch, text: Sequence[str], definitions: Definitions) -> Shape | None:
    """What a range begins and ends with; None where neither is a definition's."""
    last = lines.last
    while last > lines.first and not text[last].strip():
        last -= 1
    head = definitions.beginning(lines.first)
    if head is not None and head.header > last:
        head = None
    tail = definitions.ending(last, lines.first)
    if head is None and tail is None:
        return None
    from_decorator = head is not None and lines.first == head.first != head.header
    return Shape(head, from_decorator, tail, lines.last - last)


def snapped(
    shape: Shape, carried: Stretch, text: Sequence[str], definitions: Definitions, alike: float
) -> Stretch:
    """Carried lines with the edges of the definitions that the range began and ended with.

    Args:
        shape: of the range where it is cited.
        carried: where its lines were carried.
        text: the lines of the file that they are in.
        definitions: of that file.
        alike: share of what the range said that stands in the carried lines, 0 to 1.
    """
    first, last = carried
    if shape.whole is not None:
        found = _counterpart(shape.whole, carried, definitions, alike)
        if found is None:
            return carried
        first, last = (found.first if shape.from_decorator else found.header), found.last
    elif shape.tail is not None:
        last = _tail(shape.tail, carried, definitions)
    for _ in range(shape.blanks):
        if last + 1 < len(text) and not text[last + 1].strip():
            last += 1
    return Stretch(first, last)


def namesake(
    name: str, old: Body, lines: Stretch, before: Definitions, new: Body, after: Definitions
) -> Definition | None:
    """The definition of the same name in another version of a file, the one with the likest header among several.

    None where there is none, or where several that were alike became fewer: which of them is left cannot be told.
    """
    same, were = list(after.called(name)), len(list(before.called(name)))
    if len(same) <= 1:
        return same[0] if same and were <= 1 else None
    word = mentions(name.rpartition(".")[2])
    inside = range(lines.first, lines.last + 1)
    header = next((at for at in inside if word.search(old.lines[at]) and not is_leading(old.lines[at])), None)
    if header is None or len(same) < were:
        return None
    ours = Counter(old.tokens(header))
    ranked = sorted((-_dice(ours, Counter(new.tokens(found.header))), found) for found in same)
    return ranked[0][1] if ranked[0][0] < ranked[1][0] and -ranked[0][0] >= _ALIKE else None


def _dice(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def _tail(tail: Definition, carried: Stretch, definitions: Definitions) -> int:
    """The end of the definition that a range ended with."""
    near = [found for found in definitions.called(tail.name) if _overlap(found, carried) > 0]
    found = max(near, key=lambda found: _overlap(found, carried), default=None)
    is_near = found is not None and found.header >= carried.first and abs(found.last - carried.last) <= _FAR
    return found.last if found is not None and is_near else carried.last


def _counterpart(
    wanted: Definition, carried: Stretch, definitions: Definitions, alike: float
) -> Definition | None:
    """The definition that one became: by its name, unless its lines went to another one as they were."""
    same = list(definitions.called(wanted.name))
    overlapping = [found for found in same if _overlap(found, carried) > 0]
    if overlapping:
        return max(overlapping, key=lambda found: _overlap(found, carried))
    around = definitions.around(carried)
    if len(same) == 1 and (around is None or alike < _ALIKE):
        return same[0]
    return around


def _overlap(found: Definition, lines: Stretch) -> float:
    """How much a definition and some lines have in common: 1 where they are the same, at most 0 where nothing."""
    shared = min(found.last, lines.last) - max(found.first, lines.first) + 1
    return 2 * shared / (found.last - found.first + 1 + lines.last - lines.first + 1)

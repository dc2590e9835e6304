"""From the lines that hold something of a range to the range that they make: which of them are its edges.

What a line holds is the weight of the tokens that it has from the range. A line is firm where it is certain that it is
one of the range's: it is the same line, and not only like one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from provenance.compare.relocating.body import Stretch

if TYPE_CHECKING:
    from provenance.compare.relocating.body import Body

_SCATTERED = 0.5
"""Share of a range below which what is left of it must stand together."""
_SLIGHT = 0.8
"""Weight below which a line that is not firm does not begin a range."""
_STRAY = 0.3
"""Share of what is held that a line far from the others must have."""
_FAR = 3
"""Times the weight of a stray line that what stands between it and the others has at least."""
_LESSER = 0.4
"""Share that the lesser part of a range has where it was cut in two."""
_APART = 3
"""New lines between two parts."""


@dataclass(slots=True)
class Holding:
    """The new lines that hold something of a range, and how much; it is pruned in place."""

    kept: dict[int, float] = field(default_factory=dict)
    """By line, 0-based: the weight of what it holds."""
    firm: set[int] = field(default_factory=set)
    same: set[int] = field(default_factory=set)
    """Those that say the same as one of the range's, but may be another that does."""

    def add(self, line: int, weight: float, *, is_firm: bool, is_same: bool = True) -> None:
        """A line holds something more."""
        self.kept[line] = self.kept.get(line, 0.0) + weight
        if is_firm:
            self.firm.add(line)
        if is_same:
            self.same.add(line)

    @property
    def total(self) -> float:
        """The weight of all that is held."""
        return sum(self.kept.values())

    def keep(self, lines: list[int]) -> None:
        """Forget all other lines."""
        self.kept = {line: self.kept[line] for line in lines}


def gather(holding: Holding, total: float, old: Body, lines: Stretch, new: Body) -> None:
    """Leave the part alone that a person would call the range, where it fell apart; `total` is what it weighed."""
    if holding.total < _SCATTERED * total:
        _narrow(holding, 3 * (lines.last - lines.first + 1) + 10)
    _unsplit(holding, old, lines, new)


def edged(holding: Holding, old: Body, lines: Stretch, new: Body) -> Stretch | None:
    """From the first to the last line that holds something, without strays and blank edges; None where nothing does."""
    held, sums = _summed(holding)
    first, end = 0, len(held)
    while end - first > 1 and _is_slight(holding, held[first], held[first + 1]):
        first += 1
    while end - first > 1:
        total = sums[end] - sums[first]
        if _is_stray(holding, held[first], held[first + 1], total, new):
            first += 1
        elif _is_stray(holding, held[end - 1], held[end - 2], total, new):
            end -= 1
        else:
            break
    held = held[first:end]
    return _without_blanks(Stretch(held[0], held[-1]), old, lines, new) if held else None


def _narrow(holding: Holding, most: int) -> None:
    """Leave the heavier side of the widest gap alone, until what is left spans no more lines than it may."""
    held, sums = _summed(holding)
    first, end = 0, len(held)
    gaps = sorted(range(1, len(held)), key=lambda at: held[at - 1] - held[at])
    for cut in gaps:  # the widest first
        if held[end - 1] - held[first] < most:
            break
        if first < cut < end:
            is_above = sums[cut] - sums[first] >= sums[end] - sums[cut]
            first, end = (first, cut) if is_above else (cut, end)
    holding.keep(held[first:end])


def _unsplit(holding: Holding, old: Body, lines: Stretch, new: Body) -> None:
    """Leave the greater part alone where something was put in that the range does not belong to as a whole.

    That is so where lines stand between that are indented less than all of the range, such as another header.
    """
    base = old.indent(*lines)
    held, sums = _summed(holding)
    first, end = 0, len(held)
    for cut in range(1, len(held)):
        before, after = held[cut - 1], held[cut]
        if not first < cut < end or after - before <= _APART or new.indent(before + 1, after - 1) >= base:
            continue
        above, below = sums[cut] - sums[first], sums[end] - sums[cut]
        if min(above, below) < _LESSER * (above + below):
            first, end = (first, cut) if above > below else (cut, end)
    holding.keep(held[first:end])


def _summed(holding: Holding) -> tuple[list[int], list[float]]:
    """The lines that hold something, and how much the first n of them hold."""
    held = sorted(holding.kept)
    return held, list(accumulate((holding.kept[at] for at in held), initial=0.0))


def _is_slight(holding: Holding, first: int, following: int) -> bool:
    """Whether a line says too little for a range to begin with it."""
    if first in holding.firm or (first in holding.same and following == first + 1):
        return False
    return holding.kept[first] < _SLIGHT


def _is_stray(holding: Holding, at: int, nearest: int, total: float, new: Body) -> bool:
    """Whether a line at the edge only looks like one of the range's."""
    if at in holding.firm or holding.kept[at] >= _STRAY * total:
        return False
    first, last = min(at, nearest) + 1, max(at, nearest) - 1
    return last - first + 1 >= _APART and new.weigh(first, last) > _FAR * holding.kept[at]


def _without_blanks(found: Stretch, old: Body, lines: Stretch, new: Body) -> Stretch:
    """A range begins and ends with a blank line only if it did so before."""
    first, last = found
    if old.lines[lines.first].strip():
        while first < last and not new.lines[first].strip():
            first += 1
    if old.lines[lines.last].strip():
        while first < last and not new.lines[last].strip():
            last -= 1
    return Stretch(first, last)

"""From the lines that hold something of a range to the range that they make: which of them are its edges.

What a line holds is the weight of the tokens that it has from the range. A line is firm where it is certain that it is
one of the range's: it is the same line, and not only like one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    held = sorted(holding.kept)
    while len(held) > 1 and _is_slight(holding, held[0], held[1]):
        del held[0]
    while len(held) > 1:
        total = sum(holding.kept[at] for at in held)
        if _is_stray(holding, held[0], held[1], total, new):
            del held[0]
        elif _is_stray(holding, held[-1], held[-2], total, new):
            del held[-1]
        else:
            break
    return _without_blanks(Stretch(held[0], held[-1]), old, lines, new) if held else None


def _narrow(holding: Holding, most: int) -> None:
    """Leave the heavier side of the widest gap alone, until what is left spans no more lines than it may."""
    held = sorted(holding.kept)
    while len(held) > 1 and held[-1] - held[0] >= most:
        cut = max(range(1, len(held)), key=lambda at: held[at] - held[at - 1])
        held = max(held[:cut], held[cut:], key=lambda part: sum(holding.kept[at] for at in part))
    holding.keep(held)


def _unsplit(holding: Holding, old: Body, lines: Stretch, new: Body) -> None:
    """Leave the greater part alone where something was put in that the range does not belong to as a whole.

    That is so where lines stand between that are indented less than all of the range, such as another header.
    """
    base = old.indent(*lines)
    held = sorted(holding.kept)
    for at in range(1, len(held)):
        if held[at] - held[at - 1] <= _APART or new.indent(held[at - 1] + 1, held[at] - 1) >= base:
            continue
        parts = sorted((held[:at], held[at:]), key=lambda part: sum(holding.kept[line] for line in part))
        if sum(holding.kept[line] for line in parts[0]) < _LESSER * holding.total:
            holding.keep(parts[1])
            _unsplit(holding, old, lines, new)
            return


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

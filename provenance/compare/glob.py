"""A quote with omission marks: marks are gaps, and the text between them has to stand letter by letter, in order."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange
from provenance.compare.gaps import describe, rim
from provenance.compare.laying import Attempt, Gap, Sheet, lay, pieces
from provenance.compare.marks import MOST_MARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.gaps import Gone, Ground
    from provenance.compare.laying import Hole
    from provenance.compare.layout import Canon
    from provenance.compare.marks import Mark, Row

_MOST_SHIFTS = 32
"""Indentations that are tried."""
_MOST_STARTS = 256
"""Places that are tried for the first line of a quote that may stand anywhere."""
_LEAD = 8
"""Lines by which the places for a quote's beginning are told apart."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A quote that stands in a stretch of source lines, but for what is left out."""

    lines: LineRange
    """From the first quoted line to the last; the whole stretch where marks at the ends reach out to its ends."""
    shift: int
    """Columns by which the quote is indented more than the source."""
    omitted: tuple[LineRange, ...] = ()
    """Lines that marks stand for."""
    unmarked: tuple[LineRange, ...] = ()
    """Lines left out without a mark."""
    lies: tuple[str, ...] = ()
    """What marks state that is not so."""
    idle: bool = False
    """Whether a mark stands for no line."""
    before: LineRange | None = None
    """Lines right above that marks before the first line stand for, where they are no part of the stretch."""
    behind: LineRange | None = None
    """Lines right below that marks behind the last line stand for, likewise."""


class _Way(NamedTuple):
    """How a quote may be indented."""

    shift: int
    lost: bool
    """Whether its first line has lost its own indentation."""


def fill(rows: Sequence[Row], source: Canon, ground: Ground) -> Fit | None:
    """The quote as the whole stretch, first line to last; marks at its ends stand for lines up to the ends.

    Args:
        rows: The quote, its marks told from code.
        source: The stretch.
        ground: The file that it is from.
    """
    if not source or all(row.mark for row in rows):
        return None
    sheet = Sheet(source, ground)
    lying = None
    for shift, lost in _ways(rows, source):
        holes = _laid(pieces(rows, shift, lost=lost), sheet, 0, lost=lost, closed=True)
        if holes:
            fit = _fit(sheet, LineRange(source.first, source.last), shift, holes)
            if not fit.lies:
                return fit
            lying = lying or fit
    return lying


def stand(rows: Sequence[Row], source: Canon, ground: Ground, near: int) -> list[Fit]:
    """The quote wherever it stands, in the file's order, each time as tightly as can be.

    Args:
        rows: The quote, its marks told from code; those at its ends stand for nothing here, but have to be true.
        source: Where to look.
        ground: The file that it is from.
        near: The line whose surroundings matter most, where there are too many places.
    """
    shown = [index for index, row in enumerate(rows) if not row.mark]
    if not shown:
        return []
    core = rows[shown[0] : shown[-1] + 1]
    before = [row.mark for row in rows[: shown[0]] if row.mark][: MOST_MARKS + 1]
    behind = [row.mark for row in rows[shown[-1] + 1 :] if row.mark][: MOST_MARKS + 1]
    sheet = Sheet(source, ground)
    fits: dict[int, Fit] = {}
    cut: dict[_Way, Sequence[str | Gap] | None] = {}
    for start in _starts(core, source, near):
        for way in _ways_at(core, source, start):
            shift, lost = way
            if lost and before:
                continue
            if way not in cut and len(cut) < _MOST_SHIFTS:
                cut[way] = pieces(core, shift, lost=lost)
            holes = _laid(cut.get(way), sheet, start, lost=lost, closed=False)
            if holes is None:
                cut[way] = None  # what does not fit behind this line does not behind a later one
            elif holes:
                fit = _bounded(before, behind, sheet, start, (shift, holes))
                fits[fit.lines.last] = fit
    return list(fits.values())


def _laid(
    cut: Sequence[str | Gap] | None, sheet: Sheet, start: int, *, lost: bool, closed: bool
) -> list[Hole] | None:
    """Where marks that state lines want the pieces to be, or else where the pieces stand."""
    if cut is None:
        return None
    guided = any(mark.states for piece in cut if isinstance(piece, Gap) for mark in piece.marks)
    holes = lay(cut, sheet, Attempt(start, lost, closed, guided))
    return lay(cut, sheet, Attempt(start, lost, closed, guided=False)) if guided and not holes else holes


def _starts(rows: Sequence[Row], source: Canon, near: int) -> list[int]:
    """Where a quote's first lines stand: the indices of its first line, as many as are worth trying."""
    bodies = source.bodies
    match rows[0].parts:
        case (_,):
            lead = [row.body for row in takewhile(lambda row: row.plain, rows[:_LEAD])]
            size, only = len(lead), rows[0].body
            found = [
                index
                for index, body in enumerate(bodies)
                if body == only and bodies[index : index + size] == lead
            ]
        case ("", following, *_):
            found = [index for index, body in enumerate(bodies) if following in body]
        case (head, *_):
            found = [index for index, body in enumerate(bodies) if body.startswith(head)]
        case _:
            found = []
    if len(found) > _MOST_STARTS:
        found = sorted(sorted(found, key=lambda index: abs(source.numbers[index] - near))[:_MOST_STARTS])
    return found


def _ways_at(rows: Sequence[Row], source: Canon, start: int) -> list[_Way]:
    """How a quote may be indented that begins with a certain line."""
    if not rows[0].parts[0]:
        return [_Way(0, lost=False)]
    straight = _Way(rows[0].indent - source.indents[start], lost=False)
    lost = len(rows) > 1 and source.indents[start] > 0
    return [straight, _Way(rows[0].indent, lost=True)] if lost else [straight]


def _ways(rows: Sequence[Row], source: Canon) -> list[_Way]:
    """How a quote may be indented that begins with a stretch's first line, or with a mark."""
    if not rows[0].mark and rows[0].parts[0]:
        return _ways_at(rows, source, 0)
    telling = next((row for row in rows if not row.mark and row.parts[0]), None)
    if telling is None:
        return [_Way(0, lost=False)]
    starts = _starts([telling], source, source.first)
    counted = Counter(telling.indent - source.indents[start] for start in starts)
    return [_Way(shift, lost=False) for shift, _ in counted.most_common(_MOST_SHIFTS)]


def _bounded(
    before: Sequence[Mark], behind: Sequence[Mark], sheet: Sheet, start: int, laid: tuple[int, list[Hole]]
) -> Fit:
    """The fit from its first line to its last, with what marks at its ends state checked against its neighbours."""
    shift, holes = laid
    numbers = sheet.source.numbers
    end = max(start, sheet.below(holes[-1].begin) - 1)
    lines = LineRange(numbers[start], numbers[end])
    inside = _fit(sheet, lines, shift, holes[:-1])
    ends = rim(before, behind, lines, sheet.ground)
    return replace(inside, lies=(*inside.lies, *ends.lies), before=ends.before, behind=ends.behind)


def _fit(sheet: Sheet, lines: LineRange, shift: int, holes: Sequence[Hole]) -> Fit:
    found: list[Gone] = []
    for gap, begin, end in holes:
        if gap.marks:
            left = sheet.below(begin)
            right = max(left, bisect_right(sheet.starts, end) - 1)
            found.append(describe(gap, sheet.source, sheet.ground, left, right))
    return Fit(
        lines,
        shift,
        omitted=tuple(gone for each in found for gone in each.lines),
        lies=tuple(lie for each in found for lie in each.lies),
        idle=any(each.idle for each in found),
    )

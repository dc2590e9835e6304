"""A quote whose lines stand in the source in order, with lines between them that no mark stands for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange
from provenance.compare.gaps import describe, rim
from provenance.compare.glob import Fit
from provenance.compare.laying import Gap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.gaps import Ground
    from provenance.compare.layout import Canon
    from provenance.compare.marks import Mark, Row

_MOST_SHIFTS = 16
"""Indentations that are tried."""
_MOST_WINDOWS = 64
"""Stretches that are compared for the tightest."""
_MOST_STEPS = 2_000_000
"""Lines looked at in all."""


class _Line(NamedTuple):
    row: Row
    marks: tuple[Mark, ...]
    """The marks before it."""


class _Held(NamedTuple):
    source: Canon
    shift: int
    at: Sequence[int]
    """Indices of the source's lines at which the quote's stand."""


def scattered(
    rows: Sequence[Row], source: Canon, ground: Ground, *, through: int | None = None
) -> Fit | None:
    """The tightest stretch that holds the quote's lines in order, under one shift of the indentation.

    Args:
        rows: The quote, its marks told from code.
        source: Where to look.
        ground: The file that it is from.
        through: A line number that one of the quote's lines has to stand at.
    """
    lines, tail = _quoted(rows)
    if not lines or len(lines) > len(source):
        return None
    search = _Search(lines, source)
    best: tuple[int, _Held] | None = None
    for shift in _shifts(lines, source):
        search.shift = shift
        for held in search.windows() if through is None else search.through(through):
            size = source.numbers[held[-1]] - source.numbers[held[0]]
            if best is None or size < best[0]:
                best = (size, _Held(source, shift, held))
    return _fit(lines, tail, ground, best[1]) if best else None


def _quoted(rows: Sequence[Row]) -> tuple[list[_Line], tuple[Mark, ...]]:
    """The quote's lines of code, and the marks behind the last."""
    lines: list[_Line] = []
    marks: list[Mark] = []
    for row in rows:
        if row.mark:
            marks.append(row.mark)
        else:
            lines.append(_Line(row, tuple(marks)))
            marks = []
    return lines, tuple(marks)


def _shifts(lines: Sequence[_Line], source: Canon) -> list[int]:
    """Shifts under which the quote's rarest line stands somewhere, the commonest first."""
    counts = Counter(source.bodies)
    plain = [line.row for line in lines if line.row.plain]
    if not plain:
        return [0]
    rarest = min(plain, key=lambda row: counts[row.body])
    shifts = Counter(
        rarest.indent - indent
        for indent, body in zip(source.indents, source.bodies, strict=True)
        if body == rarest.body
    )
    return [shift for shift, _ in shifts.most_common(_MOST_SHIFTS)]


class _Search:
    """A bounded search for indices of the source's lines at which the quote's lines stand."""

    def __init__(self, lines: Sequence[_Line], source: Canon) -> None:
        self._lines = lines
        self._source = source
        self._steps = _MOST_STEPS
        self.shift = 0
        """Columns by which the quote is indented more."""

    def windows(self) -> Iterator[list[int]]:
        """Stretches that hold the lines, each as tight as its last line allows."""
        start = 0
        for _ in range(_MOST_WINDOWS):
            held = self._run(0, start, 1)
            if held is None:
                return
            tight = self._run(len(self._lines) - 1, held[-1], -1) or held[::-1]
            yield tight[::-1]
            start = tight[-1] + 1

    def through(self, number: int) -> Iterator[list[int]]:
        """Stretches that hold the lines, one of them at a certain line number."""
        if number not in self._source.numbers:
            return
        here = self._source.numbers.index(number)
        for order in range(len(self._lines)):
            if self._stands(order, here):
                before, behind = self._run(order, here, -1), self._run(order, here, 1)
                if before and behind:
                    yield before[:0:-1] + behind

    def _run(self, order: int, index: int, step: int) -> list[int] | None:
        """Indices for the quote's lines from `order` to its end or beginning, each the nearest that is left."""
        held: list[int] = []
        while 0 <= order < len(self._lines):
            while 0 <= index < len(self._source) and self._steps > 0 and not self._stands(order, index):
                index += step
                self._steps -= 1
            if not 0 <= index < len(self._source) or self._steps <= 0:
                return None
            held.append(index)
            order, index = order + step, index + step
            self._steps -= 1
        return held

    def _stands(self, order: int, index: int) -> bool:
        row = self._lines[order].row
        if not row.shows(self._source.bodies[index]):
            return False
        if row.indent - self.shift == self._source.indents[index] or not row.parts[0]:
            return True
        may_be_lost = order == 0 and len(self._lines) > 1 and not self._lines[0].marks
        return may_be_lost and row.indent == self.shift


def _fit(lines: Sequence[_Line], tail: tuple[Mark, ...], ground: Ground, held: _Held) -> Fit:
    source = held.source
    omitted: list[LineRange] = []
    unmarked: list[LineRange] = []
    lies: list[str] = []
    idle = False
    for line, left, right in zip(lines[1:], held.at, held.at[1:], strict=False):
        if line.marks:
            gone = describe(Gap(line.marks), source, ground, left + 1, right)
            omitted += gone.lines
            lies += gone.lies
            idle |= gone.idle
        elif right > left + 1:
            unmarked.append(LineRange(source.numbers[left] + 1, source.numbers[right] - 1))
    span = LineRange(source.numbers[held.at[0]], source.numbers[held.at[-1]])
    ends = rim(lines[0].marks, tail, span, ground)
    return Fit(
        span,
        held.shift,
        tuple(omitted),
        tuple(unmarked),
        (*lies, *ends.lies),
        idle=idle,
        before=ends.before,
        behind=ends.behind,
    )

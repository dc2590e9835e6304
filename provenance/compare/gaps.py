"""What the gaps of a quote stand for, and whether what marks state of them is true."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange
from provenance.compare.marks import MOST_MARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.laying import Gap
    from provenance.compare.layout import Canon
    from provenance.compare.marks import Mark

_MOST_NAMED = 3
"""Marks that a message names."""


class Ground(NamedTuple):
    """The lines of a file, as far as marks can speak of them."""

    last: int
    """How many there are."""
    solid: Sequence[int]
    """Numbers of those that are not blank, ascending."""

    def down(self, line: int) -> int:
        """The line itself where it is not blank, else the next such line, else the one past the file's end."""
        at = bisect_left(self.solid, line)
        return self.solid[at] if at < len(self.solid) else self.last + 1

    def up(self, line: int) -> int:
        """The first of the blank lines right above a line; the line itself where there are none."""
        at = bisect_left(self.solid, line)
        return self.solid[at - 1] + 1 if at else 1


class Room(NamedTuple):
    """The lines that the marks of one gap may speak of, and those that they have to account for."""

    first: int
    """The first line that they may speak of."""
    begin: int
    """The first that they have to account for; blank lines at the gap's edges may be counted in or not."""
    end: int
    """One past the last that they have to account for."""
    stop: int
    """One past the last that they may speak of."""


class Gone(NamedTuple):
    """What a gap stands for."""

    lines: tuple[LineRange, ...]
    """The lines left out; none or one range."""
    lies: tuple[str, ...]
    """What its marks state that is not so."""
    idle: bool
    """Whether it stands for no line."""


class Rim(NamedTuple):
    """What marks before a quote's first line and behind its last stand for, next to the lines that it shows."""

    before: LineRange | None
    behind: LineRange | None
    lies: tuple[str, ...]
    """What they state that is not so."""


def describe(gap: Gap, source: Canon, ground: Ground, left: int, right: int) -> Gone:
    """What a gap between canonical lines stands for: those from `left` on, up to `right`, which is not one of them.

    At an end of the stretch marks have to account for the lines up to that end, and may speak of further ones.
    """
    first = source.numbers[left - 1] + 1 if left else source.first
    last = source.numbers[right] - 1 if right < len(source) else source.last
    inner = source.numbers[left:right]
    stating = [mark for mark in gap.marks if mark.states]
    if gap.inline and not stating:
        return Gone((LineRange(inner[0], inner[-1]),) if inner else (), (), idle=False)
    room = Room(first if left else 1, first, last + 1, last + 1)
    if right == len(source):
        room = room._replace(end=inner[-1] + 1 if inner else first, stop=ground.last + 1)
    if stating and not _reach(gap.marks, room, ground):
        gone = LineRange(inner[0], inner[-1]) if inner else None
        where = f"it was {'line' if len(gone) == 1 else 'lines'} {gone}" if gone else "none was"
        return Gone((LineRange(first, last),) if first <= last else (), (_lie(stating, where),), idle=False)
    if not gap.free:
        first = max(source.first, gap.marks[0].first or first)
        last = min(source.last, gap.marks[-1].last or last)
    idle = first > last and not gap.inline and not any(mark.first or mark.count for mark in stating)
    return Gone((LineRange(first, last),) if first <= last else (), (), idle)


def rim(before: Sequence[Mark], behind: Sequence[Mark], shown: LineRange, ground: Ground) -> Rim:
    """What marks at a quote's ends stand for; what they state has to be next to the lines shown, and in the file."""
    above = Room(1, shown.first, shown.first, shown.first)
    below = Room(shown.last + 1, shown.last + 1, shown.last + 1, ground.last + 1)
    lies = tuple(
        _lie([mark for mark in marks if mark.states], "the file has no such lines next to the quote")
        for marks, room in ((before, above), (behind, below))
        if not _reach(marks, room, ground)
    )
    if lies:
        return Rim(None, None, lies)
    first = _top(before, shown.first, ground) if before else shown.first
    stop = _reach(behind, below, ground) if behind else shown.last + 1
    return Rim(
        LineRange(first, shown.first - 1) if first < shown.first else None,
        LineRange(shown.last + 1, stop - 1) if stop > shown.last + 1 else None,
        (),
    )


def _reach(marks: Sequence[Mark], room: Room, ground: Ground) -> int:
    """One past the last line for which marks can stand, one next to the other; 0 where what they state is not so.

    After each mark, any line from `low` to `high` may be the one to go on with: a count leaves open whether blank lines
    are counted in, and a mark that states nothing stands for as many lines as are wanted.
    """
    if len(marks) > MOST_MARKS:
        return 0
    low, high = room.first, min(ground.down(room.begin), room.stop)
    for mark in marks:
        if mark.first is not None and mark.last is not None:
            if not low <= mark.first <= high or mark.last < mark.first:
                return 0
            low = high = mark.last + 1
        elif mark.count is not None:
            low, high = low + mark.count, high + mark.count
        else:
            high = room.stop
        if low > room.stop:
            return 0
        high = min(ground.down(high), room.stop)
    return high if high >= room.end else 0


def _top(marks: Sequence[Mark], line: int, ground: Ground) -> int:
    """The first line for which marks right before a line can stand, where all that they state is true."""
    top = ground.up(line)
    for mark in reversed(marks):
        if not mark.states:
            return 1
        top = ground.up(top - mark.count if mark.count is not None else mark.first or top)
    return top


def _lie(stating: Sequence[Mark], where: str) -> str:
    said = ", ".join(map(str, stating[:_MOST_NAMED])) + (" and more" if len(stating) > _MOST_NAMED else "")
    return f"a mark states that {said} were left out, where {where}"

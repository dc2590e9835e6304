"""What the gaps of a quote stand for, and whether what marks state of them is true."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.laying import Gap
    from provenance.compare.layout import Canon
    from provenance.compare.marks import Mark

ANY_LINE = 1_000_000_000
"""Past every file's end."""
_MOST_NAMED = 3
"""Marks that a message names."""


class Gone(NamedTuple):
    """What a gap stands for."""

    lines: tuple[LineRange, ...]
    """The lines left out; none or one range."""
    lies: tuple[str, ...]
    """What its marks state that is not so."""
    idle: bool
    """Whether it stands for no line."""


def describe(gap: Gap, source: Canon, left: int, right: int) -> Gone:
    """What a gap between canonical lines stands for: those from `left` on, up to `right`, which is not one of them.

    A gap at an end of the stretch reaches as far out as its marks state.
    """
    first = source.numbers[left - 1] + 1 if left else source.first
    last = source.numbers[right] - 1 if right < len(source) else source.last
    inner = source.numbers[left:right]
    if not gap.marks:
        return Gone((LineRange(inner[0], inner[-1]),) if inner else (), (), idle=False)
    low, high = first if left else 1, last if right < len(source) else ANY_LINE
    lie = untruth(gap.marks, low, high, inner)
    stated = [mark for mark in gap.marks if mark.first is not None]
    if not lie and not gap.free:
        first = max(source.first, min(mark.first or 0 for mark in stated))
        last = min(source.last, max(mark.last or 0 for mark in stated))
    idle = first > last and not gap.inline and not stated
    return Gone((LineRange(first, last),) if first <= last else (), (lie,) if lie else (), idle)


def untruth(marks: Sequence[Mark], low: int, high: int, inner: Sequence[int]) -> str:
    """What marks state that is not so; empty where all is true.

    Args:
        marks: All the marks of one gap.
        low: The first line that they may speak of; blank lines at the gap's edges may be counted in or not.
        high: The last one.
        inner: The numbers of the lines left out that are not blank.
    """
    stated = [(mark.first, mark.last) for mark in marks if mark.first is not None and mark.last is not None]
    true = all(low <= first <= last <= high for first, last in stated)
    if inner and len(stated) == len(marks):
        true &= min(first for first, _ in stated) <= inner[0] and inner[-1] <= max(last for _, last in stated)
    if len(marks) == 1 and (count := marks[0].count) is not None:
        most = high - low + 1 if low > 1 and high < ANY_LINE else ANY_LINE
        true = (inner[-1] - inner[0] + 1 if inner else 1) <= count <= most
    if true:
        return ""
    stating = [mark for mark in marks if mark.states]
    said = ", ".join(map(str, stating[:_MOST_NAMED])) + (" and more" if len(stating) > _MOST_NAMED else "")
    if not inner:
        return f"a mark states that {said} were left out, where none was"
    gone = LineRange(inner[0], inner[-1])
    return f"a mark states that {said} were left out, where it was {'line' if len(gone) == 1 else 'lines'} {gone}"

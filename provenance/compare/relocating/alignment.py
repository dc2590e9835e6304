"""Which lines of two texts are the same: patience diff, with a longest common subsequence where nothing stands once.

Source: Bram Cohen's patience diff, as git describes it (`--patience`, git-diff(1)).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.lcs import pairs
from provenance.compare.relocating.body import says

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_CLOSES = re.compile(r"[)\]}]|end\b|else\b|except\b|catch\b|finally\b")
_MOST_SLIDES = 100
_FEW = 3
"""Lines of a run that may be the same by chance."""
_MORE, _SOME = 1.5, 2
"""How many times as many lines, and how many besides, must be the same by their keys for that."""
_MOST_CELLS = 4_000_000
"""Of a table for the longest common subsequence: a bit each."""


class Run(NamedTuple):
    """Lines that are the same in both texts."""

    old: int
    """0-based."""
    new: int
    size: int


class Gap(NamedTuple):
    """What stands between two runs, in the old text and in the new one; an end is not included."""

    old: int
    old_end: int
    new: int
    new_end: int

    @property
    def has_both(self) -> bool:
        """Whether there is something on both sides."""
        return self.old < self.old_end and self.new < self.new_end


class Alignment:
    """The runs of two texts, ascending, and the gaps between them."""

    def __init__(self, runs: Sequence[Run], sizes: tuple[int, int]) -> None:
        self.runs = runs
        self.sizes = sizes
        """How many lines each text has."""
        self._starts = [run.old for run in runs]

    def run_at(self, old: int) -> Run | None:
        """The run that holds a line of the old text."""
        at = bisect_right(self._starts, old) - 1
        if at >= 0 and old < self.runs[at].old + self.runs[at].size:
            return self.runs[at]
        return None

    def runs_of(self, old: int, old_end: int) -> Iterator[Run]:
        """The parts of runs that lie in a stretch of the old text."""
        at = max(0, bisect_right(self._starts, old) - 1)
        while at < len(self.runs) and self.runs[at].old < old_end:
            run = self.runs[at]
            first, end = max(run.old, old), min(run.old + run.size, old_end)
            if first < end:
                yield Run(first, run.new + first - run.old, end - first)
            at += 1

    def gaps(self) -> Iterator[Gap]:
        """All gaps, those with one empty side too."""
        old = new = 0
        for run in (*self.runs, Run(*self.sizes, 0)):
            if run.old > old or run.new > new:
                yield Gap(old, run.old, new, run.new)
            old, new = run.old + run.size, run.new + run.size

    def gaps_of(self, old: int, old_end: int) -> Iterator[Gap]:
        """The gaps that hold lines of a stretch of the old text."""
        at = max(0, bisect_right(self._starts, old) - 1)
        before = self.runs[at] if self.runs and self._starts[at] <= old else Run(0, 0, 0)
        start = (before.old + before.size, before.new + before.size)
        for run in (*self.runs[at + 1 if before.size else at :], Run(*self.sizes, 0)):
            if start[0] < run.old and start[0] < old_end and run.old > old:
                yield Gap(start[0], run.old, start[1], run.new)
            if run.old >= old_end:
                break
            start = (run.old + run.size, run.new + run.size)


def realigned(
    found: Alignment, old: Sequence[str], new: Sequence[str], key: Callable[[str], str]
) -> Alignment:
    """An alignment without the runs that are there by chance, where code was indented anew.

    A line that stands at another depth now can be the same as another line at that depth. Where many more lines are the
    same by their keys, that is so.

    Args:
        found: of both texts.
        old: the lines.
        new: the lines.
        key: what a line says whatever its white space.
    """
    held: list[Run] = []
    part: list[Run] = []
    for run in (*found.runs, Run(*found.sizes, 0)):
        if run.size <= _FEW and run.old < found.sizes[0]:
            part.append(run)
            continue
        start = Run(held[-1].old + held[-1].size, held[-1].new + held[-1].size, 0) if held else Run(0, 0, 0)
        held += [] if _is_chance(part, Gap(start.old, run.old, start.new, run.new), old, new, key) else part
        held += [run] if run.size else []
        part = []
    return found if len(held) == len(found.runs) else Alignment(held, found.sizes)


def _is_chance(
    runs: Sequence[Run], gap: Gap, old: Sequence[str], new: Sequence[str], key: Callable[[str], str]
) -> bool:
    """Whether many more lines of a stretch are the same by their keys than as they are."""
    same = sum(says(old[at]) for run in runs for at in range(run.old, run.old + run.size))
    lines = min(gap.old_end - gap.old, gap.new_end - gap.new)
    if not runs or lines < _MORE * same + _SOME:
        return False
    keys = [key(line) for line in old[gap.old : gap.old_end]]
    there = align(keys, [key(line) for line in new[gap.new : gap.new_end]])
    by_key = sum(says(keys[at]) for run in there.runs for at in range(run.old, run.old + run.size))
    return by_key >= _MORE * same + _SOME


def align(old: Sequence[str], new: Sequence[str]) -> Alignment:
    """Find the lines that two texts have in common, in order."""
    found: list[Run] = []
    # What is still to be compared: a stack, for a file is as long as whoever wrote it wants it to be.
    regions = [Gap(0, len(old), 0, len(new))]
    while regions:
        region = regions.pop()
        head, middle, tail = _trimmed(old, new, region)
        found += [run for run in (head, tail) if run.size]
        if middle.has_both:
            anchors = _anchors(old, new, middle) or _common(old, new, middle)
            if anchors:
                regions += (gap for gap in _between(anchors, middle) if gap.has_both)
                found += [Run(i, j, 1) for i, j in anchors]
    runs = _compact(old, new, _joined(sorted(found)))
    return Alignment(_slid(old, new, runs), (len(old), len(new)))


def _trimmed(old: Sequence[str], new: Sequence[str], region: Gap) -> tuple[Run, Gap, Run]:
    """What is the same at both ends of a region, and what is between."""
    i, i_end, j, j_end = region
    while i < i_end and j < j_end and old[i] == new[j]:
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and old[i_end - 1] == new[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
    head = Run(region.old, region.new, i - region.old)
    return head, Gap(i, i_end, j, j_end), Run(i_end, j_end, region.old_end - i_end)


def _anchors(old: Sequence[str], new: Sequence[str], region: Gap) -> list[tuple[int, int]]:
    """The longest chain of lines that stand once on each side and come in the same order on both."""
    ours, theirs = old[region.old : region.old_end], new[region.new : region.new_end]
    our_counts, their_counts = Counter(ours), Counter(theirs)
    where = {line: at for at, line in enumerate(theirs, region.new)}
    chain = [
        (at, where[line])
        for at, line in enumerate(ours, region.old)
        if our_counts[line] == 1 == their_counts.get(line) and says(line)
    ]
    ends: list[int] = []
    piles: list[int] = []
    before: list[int] = []
    for at, (_, right) in enumerate(chain):
        pile = bisect_left(ends, right)
        before.append(piles[pile - 1] if pile else -1)
        ends[pile : pile + 1] = [right]
        piles[pile : pile + 1] = [at]
    held: list[tuple[int, int]] = []
    at = piles[-1] if piles else -1
    while at >= 0:
        held.append(chain[at])
        at = before[at]
    return held[::-1]


def _between(anchors: Sequence[tuple[int, int]], region: Gap) -> Iterator[Gap]:
    i, j = region.old, region.new
    for old, new in anchors:
        yield Gap(i, old, j, new)
        i, j = old + 1, new + 1
    yield Gap(i, region.old_end, j, region.new_end)


def _common(old: Sequence[str], new: Sequence[str], region: Gap) -> list[tuple[int, int]]:
    """A longest common subsequence of the lines that say something.

    Blank lines and brackets stand everywhere: they are the same where the lines next to them are.
    """
    ours = _telling(old, region.old, region.old_end)
    theirs = _telling(new, region.new, region.new_end)
    if not ours or not theirs or len(ours) * len(theirs) > _MOST_CELLS:
        return []
    found = pairs([old[at] for at in ours], [new[at] for at in theirs])
    return [(ours[left], theirs[right]) for left, right in found]


def _telling(lines: Sequence[str], first: int, end: int) -> list[int]:
    return [at for at in range(first, end) if says(lines[at])]


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Runs that follow one another on both sides are one."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last is not None and last.old + last.size == run.old and last.new + last.size == run.new:
            joined[-1] = Run(last.old, last.new, last.size + run.size)
        else:
            joined.append(run)
    return joined


def _compact(old: Sequence[str], new: Sequence[str], runs: Sequence[Run]) -> list[Run]:
    """The same pairs, but a run stands next to the one before it where the new text has the same lines there, too.

    Of all longest common subsequences that is the one that a person would see.
    """
    held: list[Run] = []
    for at, run in enumerate(runs):
        before = held[-1] if held else Run(0, 0, 0)
        after = runs[at + 1] if at + 1 < len(runs) else Run(len(old), len(new), 0)
        apart = run.old - before.old - before.size
        near = before.new + before.size + apart
        is_tied = run.old + run.size == after.old and run.new + run.size == after.new
        if near < run.new and not is_tied and _same(old, new, run, near):
            held.append(Run(run.old, near, run.size))
        else:
            held.append(run)
    return _joined(held)


def _same(old: Sequence[str], new: Sequence[str], run: Run, start: int) -> bool:
    return all(old[run.old + at] == new[start + at] for at in range(run.size))


def _slid(old: Sequence[str], new: Sequence[str], runs: Sequence[Run]) -> list[Run]:
    """The same number of pairs, with lines that were put in, or taken out, where a person would say that they were.

    Such lines can slide where what they end with stands before them, too, or what they begin with behind them. They,
    and what follows them, are to begin with a line that is indented little and stands behind a blank one, and not with
    one that closes what stands before it.
    """
    held = list(runs)
    for at in range(len(held) - 1):
        before, after = held[at], held[at + 1]
        i, j = before.old + before.size, before.new + before.size
        if i == after.old:
            by = _best(new, j, after.new, before.size, after.size)
        elif j == after.new:
            by = _best(old, i, after.old, before.size, after.size)
        else:
            continue
        if by:
            held[at] = Run(before.old, before.new, before.size + by)
            held[at + 1] = Run(after.old + by, after.new + by, after.size - by)
    return [run for run in held if run.size]


def _best(lines: Sequence[str], first: int, end: int, most_up: int, most_down: int) -> int:
    """By how many lines a stretch should slide; down is positive."""
    up = 0
    while up < min(most_up, _MOST_SLIDES) and lines[first - up - 1] == lines[end - up - 1]:
        up += 1
    down = 0
    while (
        down < min(most_down, _MOST_SLIDES)
        and end + down < len(lines)
        and lines[first + down] == lines[end + down]
    ):
        down += 1
    if not up and not down:
        return 0
    return min(range(-up, down + 1), key=lambda by: (*_ugliness(lines, first + by, end + by), -by))


def _ugliness(lines: Sequence[str], first: int, end: int) -> tuple[int, int]:
    """How odd it would be for a stretch to begin on a line and to end before another."""
    closes, depth = 0, 0
    for at in (first, end):
        text = lines[at].lstrip() if at < len(lines) else ""
        closes += bool(_CLOSES.match(text))
        is_after_blank = at == 0 or not lines[at - 1].strip()
        depth += (
            2 * (len(lines[at]) - len(text) if text else 0)
            + (not is_after_blank)
            + (not text and at < len(lines))
        )
    return closes, depth

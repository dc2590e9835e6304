"""Which lines became which where lines were rewritten: by their tokens, since code is laid out anew, split and joined.

Lines that say the same whatever their white space are paired first; between them tokens are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.lcs import pairs
from provenance.compare.relocating.alignment import Gap, align
from provenance.compare.relocating.body import weight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.compare.relocating.body import Body

_MOST_TOKENS = 6_000
"""Of either side of a gap whose tokens are compared."""
_ENOUGH = 0.5
"""Share of the lighter one of two lines that must stand in the other."""
_SOME = 0.4
"""Share of the heavier one of two lines at the same place that must stand in the other."""
_JOINED = 0.7
"""Share of a line that must stand in the one that it was joined with."""
_FEW = 20
"""Lines without a pair that are taken for what stands at their place."""
_LINE = 1.0
"""Weight of a line that says something."""
_TELLING = 2.0
"""Weight of what two lines must have in common to be joined."""


class Pair(NamedTuple):
    """A line and one that it became, or a part of it."""

    old: int
    """0-based."""
    new: int
    shared: float
    """Weight of the tokens that they have in common."""


def paired(old: Body, new: Body, gap: Gap) -> list[Pair]:
    """The lines of a gap that belong together, ascending; a line may be split into several, or joined with others."""
    if not gap.has_both:
        return []
    i, i_end, j, j_end = gap
    found: list[Pair] = []
    inner = align(old.keys(i, i_end), new.keys(j, j_end))
    for run in inner.runs:
        same = range(i + run.old, i + run.old + run.size)
        found += (Pair(at, j + run.new + at - i - run.old, old.weight(at)) for at in same)
    for rest in inner.gaps():
        if rest.has_both:
            found += _by_tokens(old, new, Gap(i + rest.old, i + rest.old_end, j + rest.new, j + rest.new_end))
    found.sort()
    return sorted([*found, *_left(old, new, gap, found)])


def _left(old: Body, new: Body, gap: Gap, found: Sequence[Pair]) -> Iterator[Pair]:
    """Pairs of lines that have none, by what stands before and behind them."""
    i, j = gap.old, gap.new
    for pair in (*found, Pair(gap.old_end, gap.new_end, 0.0)):
        if 0 < pair.old - i == pair.new - j <= _FEW:
            yield from _in_place(old, new, i, j, pair.old - i)
        else:
            beside = [at for at in (j - 1, pair.new) if gap.new <= at < gap.new_end]
            yield from _joined(old, new, range(i, pair.old), beside)
        i, j = pair.old + 1, pair.new + 1


def _in_place(old: Body, new: Body, i: int, j: int, count: int) -> Iterator[Pair]:
    """As many lines on each side: each became the one at its place, if it has something of it."""
    for at in range(count):
        shared = _in_common(old, i + at, new, j + at)
        if shared >= _SOME * max(old.weight(i + at), new.weight(j + at)):
            yield Pair(i + at, j + at, shared)


def _joined(old: Body, new: Body, lines: range, beside: Sequence[int]) -> Iterator[Pair]:
    """Lines that were joined with what stands beside them, in whatever order."""
    for old_at in lines:
        for near in beside:
            shared = _in_common(old, old_at, new, near)
            if shared >= max(_TELLING, _JOINED * old.weight(old_at)):
                yield Pair(old_at, near, shared)
                break


def _in_common(old: Body, line: int, new: Body, other: int) -> float:
    """The weight of the tokens that two lines have in common, in whatever order."""
    both = Counter(old.tokens(line)) & Counter(new.tokens(other))
    return sum(weight(token) * count for token, count in both.items())


def _by_tokens(old: Body, new: Body, gap: Gap) -> Iterator[Pair]:
    ours = [(token, at) for at in range(gap.old, gap.old_end) for token in old.tokens(at)]
    theirs = [(token, at) for at in range(gap.new, gap.new_end) for token in new.tokens(at)]
    if max(len(ours), len(theirs)) > _MOST_TOKENS:
        return
    matched = pairs([token for token, _ in ours], [token for token, _ in theirs])
    shared: dict[tuple[int, int], float] = defaultdict(float)
    for left, right in _compact(ours, theirs, matched):
        shared[ours[left][1], theirs[right][1]] += weight(ours[left][0])
    found = [
        Pair(i, j, common)
        for (i, j), common in shared.items()
        if common >= _ENOUGH * min(old.weight(i), new.weight(j))
    ]
    for _, group in groupby(sorted(found), key=lambda pair: pair.old):
        yield from _together(list(group), new, shared)


def _together(found: Sequence[Pair], new: Body, shared: Mapping[tuple[int, int], float]) -> Sequence[Pair]:
    """Of the lines that one became those that stand together with the one that holds most of it."""
    best = max(range(len(found)), key=lambda at: found[at].shared)
    old = found[best].old

    def are_next(at: int) -> bool:
        between = range(found[at].new + 1, found[at + 1].new)
        return all(new.weight(line) < _LINE or shared.get((old, line), 0.0) >= _LINE for line in between)

    first = last = best
    while first and are_next(first - 1):
        first -= 1
    while last < len(found) - 1 and are_next(last):
        last += 1
    return found[first : last + 1]


def _compact(
    ours: Sequence[tuple[str, int]], theirs: Sequence[tuple[str, int]], matched: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """The same number of matches, each on the line of the one before it where that line has the token, too."""
    last = -1
    for left, right in matched:
        at = right
        if last >= 0:
            token, line = ours[left][0], theirs[last][1]
            near = last + 1
            while near < right and theirs[near][1] == line and theirs[near][0] != token:
                near += 1
            at = near if near < right and theirs[near] == (token, line) else right
        yield left, at
        last = at

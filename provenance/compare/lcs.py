"""How long the longest common subsequence is.

Bit-parallel: Heikki Hyyrö, "Bit-Parallel LCS-length Computation Revisited" (AWOCA 2004). One row of the table is one
integer, in which a cleared bit is a place where the length grows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLOCK = 8_192
"""Tokens that are compared exactly. A longer sequence is cut into blocks, which bounds time and memory; their sum is
never more than the true length."""


def common(left: Sequence[str], right: Sequence[str]) -> int:
    """The length of the longest common subsequence; a lower bound where `left` is longer than a block."""
    short = min(len(left), len(right))
    head = 0
    while head < short and left[head] == right[head]:
        head += 1
    tail = 0
    while tail < short - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    a, b = left[head : len(left) - tail], right[head : len(right) - tail]
    if not a or not b:
        return head + tail
    cuts = [(0, 0), *_cuts(a, b), (len(a), len(b))]
    return head + tail + sum(_length(a[i:k], b[j:m]) for (i, j), (k, m) in pairwise(cuts))


def _cuts(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Where to cut long sequences: at runs of tokens that each has once, or in proportion where there are none."""
    if len(a) <= _BLOCK:
        return []
    anchors = _anchors(a, b)
    cuts: list[tuple[int, int]] = []
    for target in range(_BLOCK, len(a), _BLOCK):
        at = bisect_left(anchors, (target, 0))
        pair = anchors[at] if at < len(anchors) and anchors[at][0] < target + _BLOCK // 2 else None
        pair = pair or (target, target * len(b) // len(a))
        if not cuts or (pair[0] > cuts[-1][0] and pair[1] >= cuts[-1][1]):
            cuts.append(pair)
    return cuts


def _anchors(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Runs of tokens that each has once: the longest chain that is in the same order in both (patience sorting)."""
    ours, theirs = _once(a), _once(b)
    pairs = sorted((at, theirs[run]) for run, at in ours.items() if run in theirs)
    ends: list[int] = []
    piles: list[tuple[int, int]] = []
    before: list[int] = []
    for at, (_, right) in enumerate(pairs):
        pile = bisect_left(ends, right)
        before.append(piles[pile - 1][1] if pile else -1)
        ends[pile : pile + 1] = [right]
        piles[pile : pile + 1] = [(right, at)]
    chain: list[tuple[int, int]] = []
    at = piles[-1][1] if piles else -1
    while at >= 0:
        chain.append(pairs[at])
        at = before[at]
    return chain[::-1]


def _once(items: Sequence[str]) -> dict[tuple[str, ...], int]:
    """Runs of four tokens that stand in one place only, and where."""
    runs = list(zip(items, items[1:], items[2:], items[3:], strict=False))
    counts = Counter(runs)
    return {run: at for at, run in enumerate(runs) if counts[run] == 1}


def _length(a: Sequence[str], b: Sequence[str]) -> int:
    row = (1 << len(a)) - 1
    for row in rows(a, b):  # noqa: B007 - only the last one counts
        pass
    return len(a) - row.bit_count()


def rows(a: Sequence[str], b: Sequence[str]) -> Iterator[int]:
    """The table's rows, one for each item of `b`.

    In the row for `b[n]` bit i is clear where `b[: n + 1]` has one item more in common with `a[: i + 1]` than with
    `a[:i]`.
    """
    masks: dict[str, int] = {}
    present = set(b)
    for index, item in enumerate(a):
        if item in present:
            masks[item] = masks.get(item, 0) | 1 << index
    every = (1 << len(a)) - 1
    row = every
    for item in b:
        if mask := masks.get(item):
            matched = row & mask
            row = ((row + matched) | (row - matched)) & every
        yield row


def pairs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """The indices of one longest common subsequence, ascending; memory is len(a) times len(b) bits."""
    table = list(rows(a, b))
    held: list[tuple[int, int]] = []
    i, j = len(a) - 1, len(b) - 1
    while i >= 0 and j >= 0:
        if table[j] >> i & 1:
            i -= 1
        elif j and not table[j - 1] >> i & 1:
            j -= 1
        else:
            held.append((i, j))
            i, j = i - 1, j - 1
    return held[::-1]

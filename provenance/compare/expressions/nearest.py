"""The stretch of a file whose tokens come closest to those of an expression that stands nowhere in it.

Tokens and pairs of them vote for where the expression's first one would be, rare ones counting most. Around the best
few places the tokens are compared in order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from heapq import nlargest
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.lcs import pairs

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

_WORD = re.compile(r"\w+|[^\w\s]")
"""What `provenance.extract.tokens.words` finds."""
_MOST_TOKENS = 1_000
"""Of an expression that are compared."""
_MOST_HOLDERS = 64
"""Places that may share a feature; what more of them share tells nothing."""
_MOST_VOTES = 100_000
"""In all; rare features vote first."""
_PLACES = 6
"""Places that are compared, beside the cited one."""
_REACH = 500_000
"""Characters before and behind the beginning of the cited lines that are looked at."""
_BEFORE, _BEHIND = 4, 40
"""Tokens before and behind a place that are looked at, for a short expression."""
_MARGIN = 0.05
"""What another place has to gain over the cited one."""

_Feature = str | tuple[str, str]


class Stretch(NamedTuple):
    """A part of a file, and how close it comes."""

    start: int
    """Index of its first character."""
    end: int
    """One past its last character."""
    share: float
    """Share of the expression's tokens that stand in it, in order."""


def nearest(code: str, text: str, cited: tuple[int, int]) -> Stretch | None:
    """The stretch that comes closest, one at the cited lines where that is as good; None where nothing is shared.

    Args:
        code: The expression.
        text: The file.
        cited: Where the cited lines begin and end in it, in characters.
    """
    ours = _WORD.findall(code)[:_MOST_TOKENS]
    if not ours:
        return None
    cut = max(0, cited[0] - _REACH)
    text = text[cut : cited[0] + _REACH]
    theirs = _WORD.findall(text)
    before = len(_WORD.findall(text, 0, cited[0] - cut))
    home = range(before, before + len(_WORD.findall(text, cited[0] - cut, cited[1] - cut)))
    best: tuple[float, _Held] | None = None
    for start in _starts(ours, theirs, home):
        held = _compared(ours, theirs, start)
        dice = _dice(held.shared, len(ours), len(held.place))
        rated = dice + _MARGIN if held.place.start in home else dice
        if held.shared and (best is None or rated > best[0]):
            best = rated, held
    if best is None:
        return None
    _, (place, shared) = best
    spans = list(islice(_WORD.finditer(text), place.start, place.stop))
    return Stretch(cut + spans[0].start(), cut + spans[-1].end(), shared / len(ours))


class _Held(NamedTuple):
    place: range
    """Indices of the file's tokens, from the first that is shared to the last."""
    shared: int
    """How many are."""


def _starts(ours: Sequence[str], theirs: Sequence[str], home: range) -> list[int]:
    """Where in the file's tokens the expression may begin, the likeliest first, with some at the cited lines."""
    votes = _votes(ours, theirs)
    best = nlargest(_PLACES, votes, key=lambda start: (votes[start], -abs(start - home.start)))
    here = nlargest(_PLACES, filter(home.__contains__, votes), key=lambda start: (votes[start], -start))
    return list(dict.fromkeys([*here, *best, home.start]))


def _votes(ours: Sequence[str], theirs: Sequence[str]) -> dict[int, float]:
    """For each index of the file's tokens at which the expression may begin, how much speaks for it."""
    wanted: defaultdict[_Feature, list[int]] = defaultdict(list)
    for index, feature in _features(ours):
        wanted[feature].append(index)
    holders: defaultdict[_Feature, list[int]] = defaultdict(list)
    for index, feature in _features(theirs, set(ours)):
        if feature in wanted and len(holders[feature]) <= _MOST_HOLDERS:
            holders[feature].append(index)
    votes: defaultdict[int, float] = defaultdict(float)
    left = _MOST_VOTES
    telling = [feature for feature, held in holders.items() if len(held) <= _MOST_HOLDERS]
    for feature in sorted(telling, key=lambda feature: len(holders[feature]) * len(wanted[feature])):
        count = len(holders[feature]) * len(wanted[feature])
        left -= count
        if left < 0:
            break
        for index in holders[feature]:
            for order in wanted[feature]:
                votes[index - order] += 1 / count
    return votes


def _features(tokens: Sequence[str], known: Container[str] | None = None) -> Iterator[tuple[int, _Feature]]:
    """What two sequences of tokens may share, each with its index: tokens that are known, and such pairs of them."""
    before: str | None = None
    for index, token in enumerate(tokens):
        if known is not None and token not in known:
            before = None
            continue
        yield index, token
        if before is not None:
            yield index - 1, (before, token)
        before = token


def _compared(ours: Sequence[str], theirs: Sequence[str], start: int) -> _Held:
    """What is shared around a place where the expression may begin, as tightly as can be."""
    size = len(ours)
    begin = max(0, start - max(_BEFORE, size // 8))
    window = theirs[begin : start + size + max(_BEHIND, size)]
    left = [begin + index for _, index in pairs(ours, window)]  # of all ways to match as many, the leftmost
    if not left:
        return _Held(range(0), 0)
    stop = left[-1] + 1 - begin
    right = [begin + stop - 1 - index for _, index in reversed(pairs(ours[::-1], window[:stop][::-1]))]
    return max(
        (_trimmed(left, size), _trimmed(right, size)),
        key=lambda held: _dice(held.shared, size, len(held.place)),
    )


def _trimmed(held: Sequence[int], size: int) -> _Held:
    """Matched tokens without those at the ends that are too far from the others."""
    last = max(range(len(held)), key=lambda at: _dice(at + 1, size, held[at] + 1 - held[0]))
    first = max(range(last + 1), key=lambda at: _dice(last + 1 - at, size, held[last] + 1 - held[at]))
    return _Held(range(held[first], held[last] + 1), last + 1 - first)


def _dice(shared: int, left: int, right: int) -> float:
    return 2 * shared / (left + right)

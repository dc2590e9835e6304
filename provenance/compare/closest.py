"""The stretch of a file that comes closest to a quote that stands nowhere in it.

Lines vote for the place of the quote's beginning by what they share with it, rare things counting most. The best few
places and the cited range are then compared token by token.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange
from provenance.compare.lcs import common
from provenance.extract.tokens import words

if TYPE_CHECKING:
    from provenance.compare.layout import Canon
    from provenance.extract.lines import Text

_MOST_CHARACTERS = 500_000
"""Of a quote or a stretch that are cut into tokens."""
_LINE_CHARACTERS = 1_000
"""Of one line that take part in the vote."""
_MOST_HOLDERS = 64
"""Lines that may share a feature; what more of them share tells nothing."""
_MOST_VOTES = 100_000
"""In all; rare features vote first."""
_PLACES = 4
"""Places that are compared for a beginning, and for an end."""
_FEW = 1_000
"""Lines of a quote up to which so many are, and half as many beyond."""
_FINALISTS = 2
"""Stretches that are compared in order, and not as bags of tokens."""
_MANY = 20_000
"""Tokens of a quote from which on only one is."""
_CHEAP = 4_000_000
"""Pairs of tokens up to which a stretch's edges are moved line by line."""
_MOVES = 12
"""How often they are."""
_MARGIN = 0.05
"""What a part of the cited range has to gain to be shown in its stead."""


class Stretch(NamedTuple):
    """Source lines, and how close they come."""

    lines: LineRange
    share: float
    """Share of the quote's tokens that stand in it, in order."""
    dice: float
    """The same, with the stretch's own tokens counted against it: it orders stretches of any length."""


class _Scale:
    """Weighs stretches of one file against one quote."""

    def __init__(self, quote: str, text: Text) -> None:
        self.words = words(quote[:_MOST_CHARACTERS])
        self._bag = Counter(self.words)
        self._text = text

    def of(self, lines: LineRange) -> list[str]:
        """A stretch's tokens."""
        taken: list[str] = []
        left = _MOST_CHARACTERS
        for line in self._text.slice(lines):
            taken.append(line[:left])
            left -= len(line) + 1
            if left <= 0:
                break
        return words("\n".join(taken))

    def glance(self, lines: LineRange) -> float:
        """Dice over bags of tokens: quick, and never less than in order."""
        theirs = self.of(lines)
        return _dice((self._bag & Counter(theirs)).total(), len(self.words), len(theirs))

    def weigh(self, lines: LineRange) -> Stretch:
        """Dice over tokens in order."""
        theirs = self.of(lines)
        shared = common(self.words, theirs)
        share = shared / len(self.words) if self.words else 0.0
        return Stretch(lines, share, _dice(shared, len(self.words), len(theirs)))


def _dice(shared: int, left: int, right: int) -> float:
    return 2 * shared / (left + right) if left + right else 0.0


def closest(quote: Canon, source: Canon, text: Text, cited: LineRange) -> Stretch:
    """The stretch that comes closest; the cited range where it is as good as any other.

    Args:
        quote: The quote's lines of code.
        source: The file's lines.
        text: The file.
        cited: The cited range; it lies within the file.
    """
    scale = _Scale("\n".join(quote.bodies), text)
    rated = sorted(((scale.glance(lines), lines) for lines in _windows(quote, source)), reverse=True)
    best: Stretch | None = None
    for bound, lines in rated[: _FINALISTS if len(scale.words) <= _MANY else 1]:
        if best is None or bound > best.dice:
            stretch = _trimmed(scale.weigh(lines), scale, source)
            best = stretch if best is None or stretch.dice > best.dice else best
    if best and scale.glance(cited) + (_MARGIN if cited.holds(best.lines) else 0.0) < best.dice:
        return best
    here = scale.weigh(cited)
    margin = _MARGIN if best and cited.holds(best.lines) else 0.0
    return best if best and best.dice > here.dice + margin else here


def _windows(quote: Canon, source: Canon) -> set[LineRange]:
    """Where the quote may begin and end, by the votes of single lines."""
    votes = _votes(quote, source)
    size, last = len(quote), len(source) - 1
    most = _PLACES if size <= _FEW else _PLACES // 2
    best = nlargest(most, votes, key=lambda place: (votes[place], -place))
    found: set[LineRange] = set()
    for begin in best:
        for end in best:
            if -size < end - begin <= size + _PLACES:
                first = min(max(begin, 0), last)
                found.add(
                    LineRange(source.numbers[first], source.numbers[min(max(end + size - 1, first), last)])
                )
    return found


def _votes(quote: Canon, source: Canon) -> dict[int, float]:
    """For each index of the source at which the quote may begin, how much speaks for it."""
    ours: defaultdict[str, list[int]] = defaultdict(list)
    for index, body in enumerate(quote.bodies):
        for feature in _features(body):
            ours[feature].append(index)
    theirs: defaultdict[str, list[int]] = defaultdict(list)
    for index, body in enumerate(source.bodies):
        for feature in ours.keys() & _features(body):
            if len(theirs[feature]) <= _MOST_HOLDERS:
                theirs[feature].append(index)
    telling = [
        (len(holders) * len(ours[feature]), feature)
        for feature, holders in theirs.items()
        if len(holders) <= _MOST_HOLDERS
    ]
    votes: defaultdict[int, float] = defaultdict(float)
    left = _MOST_VOTES
    for pairs, feature in sorted(telling):
        left -= pairs
        if left < 0:
            break
        for index in theirs[feature]:
            for order in ours[feature]:
                votes[index - order] += 1 / pairs
    return votes


def _features(body: str) -> set[str]:
    """What lines may share: their words, and the whole of them."""
    short = body[:_LINE_CHARACTERS]
    return {short, *words(short)}


def _trimmed(stretch: Stretch, scale: _Scale, source: Canon) -> Stretch:
    """The stretch with its edges moved while that brings it closer."""
    first = bisect_left(source.numbers, stretch.lines.first)
    last = bisect_left(source.numbers, stretch.lines.last)
    for _ in range(_MOVES):
        if len(scale.words) * len(scale.of(stretch.lines)) > _CHEAP:
            break
        moved = [
            (begin, end, scale.weigh(LineRange(source.numbers[begin], source.numbers[end])))
            for begin, end in ((first - 1, last), (first + 1, last), (first, last - 1), (first, last + 1))
            if 0 <= begin <= end < len(source)
        ]
        begin, end, better = max(moved, key=lambda move: move[2].dice, default=(first, last, stretch))
        if better.dice <= stretch.dice:
            break
        first, last, stretch = begin, end, better
    return stretch

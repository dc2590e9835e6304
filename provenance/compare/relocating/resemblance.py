"""How much of one text is in another."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from provenance.compare.lcs import common, pairs
from provenance.compare.relocating.body import weight
from provenance.extract.tokens import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.relocating.body import Body, Stretch

_MOST_TOKENS = 8_000
_TELLING = 0.5
"""Weight above which a token tells code from other code."""
_LINE = 1.2
"""Weight above which a line does."""
_MOST_HOLDERS = 1_000
"""Files that may share a line; what more of them share tells nothing."""
_CLOSE = 0.02
"""Difference of two shares that tells nothing."""
_RENAMED = 0.4
"""Share of the lines of a file that make another one what became of it."""


def similarity(old: str, new: str) -> float:
    """Share of the old text's tokens that stand, in order, in the new one, 0 to 1."""
    ours = words(old)
    return common(ours, words(new)) / len(ours) if ours else float(not words(new))


def is_same_code(old: Body, lines: Stretch, new: Body, other: Stretch, least: float) -> bool:
    """Whether lines have enough in common with what they are said to have become: one whole line, or telling words."""
    before = {old.key(at) for at in range(lines.first, lines.last + 1) if old.weight(at) >= _LINE}
    if not before.isdisjoint(new.keys(other.first, other.last + 1)):
        return True
    return telling(old, lines, new, other) >= least


def telling(old: Body, lines: Stretch, new: Body, other: Stretch) -> float:
    """Share of the words that tell something which stand, in order, in other lines, 0 to 1."""
    ours = _words(old, lines)
    if not ours:
        return 1.0
    total = sum(map(weight, ours))
    return sum(weight(ours[at]) for at, _ in pairs(ours, _words(new, other))) / total


def _words(body: Body, lines: Stretch) -> list[str]:
    found = (token for at in range(lines.first, lines.last + 1) for token in body.tokens(at))
    return [token for token in found if weight(token) > _TELLING][:_MOST_TOKENS]


class Heirs:
    """New files, and which of them a file became that is gone: by the lines that they share."""

    def __init__(self, bodies: Sequence[Body]) -> None:
        """Go through the lines of new files."""
        self._totals: list[int] = []
        self._holders: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, body in enumerate(bodies):
            bag = _bag(body)
            self._totals.append(bag.total())
            for key, count in bag.items():
                self._holders[key].append((number, count))

    def of(self, old: Body) -> list[int]:
        """The numbers of those that are like a file, and equally so; none where none is like it."""
        mine = _bag(old)
        shared: Counter[int] = Counter()
        for key, count in mine.items():
            holders = self._holders.get(key, ())
            if len(holders) <= _MOST_HOLDERS:
                for number, other in holders:
                    shared[number] += min(count, other)
        total = mine.total()
        shares = {number: common / max(1, total, self._totals[number]) for number, common in shared.items()}
        best = max(shares.values(), default=0.0)
        return sorted(at for at, share in shares.items() if best > _RENAMED and share >= best - _CLOSE)


def _bag(body: Body) -> Counter[str]:
    return Counter(key for key in body.keys(0, len(body)) if len(key) > 3)  # noqa: PLR2004 - shorter ones stand in every file

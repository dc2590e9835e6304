"""How much of one text is in another."""

from __future__ import annotations

from collections import Counter
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


def became(old: Body, others: Sequence[Body]) -> int | None:
    """Which of some new files a file that is gone became, by the lines that they share; None where it is none."""
    mine = _bag(old)
    best, most = None, _RENAMED
    for at, other in enumerate(others):
        theirs = _bag(other)
        share = (mine & theirs).total() / max(1, mine.total(), theirs.total())
        if share > most:
            best, most = at, share
    return best


def _bag(body: Body) -> Counter[str]:
    return Counter(key for key in body.keys(0, len(body)) if len(key) > 3)  # noqa: PLR2004 - shorter ones stand in every file

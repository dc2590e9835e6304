"""At most one quote for each mention, and each block for one mention unless it is what several cite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.compare.quoting.relations import Relation
from provenance.compare.quoting.weighing import SHARED, Option, Tier, weigh
from provenance.evidence import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from provenance.citation import LineRange
    from provenance.compare.quoting.frames import Framed
    from provenance.compare.quoting.relations import Candidate
    from provenance.compare.quoting.weighing import Weight

    Place = tuple[str, LineRange | None]

MOST_JUDGED = 12
"""Readings that are compared for a mention."""

_ABOVE = frozenset({Relation.BEFORE, Relation.NEAR})
_BELOW = frozenset({Relation.DIRECTLY_AFTER, Relation.AFTER})
_HABIT = 2
"""Quotes on one side of their links from which on a document is taken to put them there."""
_AS_EVER, _AGAINST = 1.25, 0.6
_FULLY = 3
"""Places after the point that scores are told apart by."""


def unjudged(candidates: Sequence[Candidate], options: Sequence[Option]) -> tuple[Candidate, Framed] | None:
    """What is to be compared next for a mention; None where enough is known.

    Args:
        candidates: The mention's, the likeliest first.
        options: What was compared, in the order in which this function asked for it.
    """
    if options and _settles(options[-1]):
        return None
    asked = {(option.candidate.key, option.reading) for option in options}
    held = {option.candidate.key for option in options if option.holds}
    if len(options) >= MOST_JUDGED:
        return None
    for candidate in candidates:
        for reading in candidate.readings:
            if candidate.key not in held and (candidate.key, reading) not in asked:
                return candidate, reading
    return None


def _settles(option: Option) -> bool:
    """Whether nothing less likely can be a better quote."""
    return option.judgement is not None and option.judgement.verdict in SHARED


def choose(options: Sequence[Sequence[Option]]) -> tuple[Option | None, ...]:
    """For each mention its quote, if it has one: what holds before what does not, the likelier before others.

    Args:
        options: For each mention of a document what its candidates were found to be.
    """
    chosen: dict[int, Option] = {}
    owners = _Owners()
    _serve(_bids(options, (Tier.HOLDS, Tier.STANDS), {}), chosen, owners)
    _serve(_bids(options, (Tier.RESEMBLES,), _habits(chosen.values())), chosen, owners)
    return tuple(chosen.get(at) for at in range(len(options)))


@dataclass(frozen=True, slots=True)
class _Bid:
    mention: int
    option: Option
    weight: Weight

    @property
    def is_absent(self) -> bool:
        """Whether nothing in the file comes close, so that how close it comes says nothing."""
        return self.option.judgement is not None and self.option.judgement.verdict is Verdict.ABSENT

    @property
    def rank(self) -> tuple[int, float, int, int, tuple[int, bool, tuple[int, int]]]:
        """The best first; no two of a document's are equal."""
        candidate = self.option.candidate
        score = -round(self.weight.score, _FULLY)
        return (
            self.weight.tier,
            score,
            candidate.distance,
            self.mention,
            candidate.rank,
        )


def _bids(
    options: Sequence[Sequence[Option]], tiers: Iterable[Tier], habits: dict[Relation, float]
) -> list[_Bid]:
    """Each candidate with the reading that does best, the best candidate of all first."""
    found: list[_Bid] = []
    for mention, every in enumerate(options):
        best: dict[tuple[int, tuple[int, int] | None], _Bid] = {}
        for option in every:
            weight = weigh(option, habits.get(option.candidate.relation, 1.0))
            if weight is None or weight.tier not in tiers:
                continue
            bid = _Bid(mention, option, weight)
            key = option.candidate.key
            if key not in best or _reads_better(bid, best[key]):
                best[key] = bid
        found.extend(best.values())
    return sorted(found, key=lambda bid: bid.rank)


def _reads_better(bid: _Bid, other: _Bid) -> bool:
    """Whether a reading does better than one that was tried before, which is the plainer."""
    if bid.weight.tier != other.weight.tier:
        return bid.weight.tier < other.weight.tier
    score, least = round(bid.weight.score, _FULLY), round(other.weight.score, _FULLY)
    if (score == least or bid.is_absent) and bid.weight.tier is Tier.RESEMBLES:
        return bid.option.reading == bid.option.candidate.bare  # what was taken off is no code
    return score > least


def _serve(bids: Iterable[_Bid], chosen: dict[int, Option], owners: _Owners) -> None:
    for bid in bids:
        if bid.mention not in chosen and owners.take(bid.option):
            chosen[bid.mention] = bid.option


def _habits(chosen: Iterable[Option]) -> dict[Relation, float]:
    """Where the document's quotes stand tells where those stand that cannot be compared."""
    above = below = 0
    for option in chosen:
        above += option.candidate.relation in _ABOVE
        below += option.candidate.relation in _BELOW
    if max(above, below) < _HABIT or above == below:
        return {}
    usual, other = (_ABOVE, _BELOW) if above > below else (_BELOW, _ABOVE)
    return dict.fromkeys(usual, _AS_EVER) | dict.fromkeys(other, _AGAINST)


class _Owners:
    """Whose quote each block is."""

    def __init__(self) -> None:
        self._blocks: dict[int, set[Place]] = {}
        """The places whose quotes are of a block, whole or in part."""
        self._whole: dict[int, set[Place]] = {}
        self._lines: dict[tuple[int, int], set[Place]] = {}
        """Those whose quotes are a part of a block, by the block and the line."""

    def take(self, option: Option) -> bool:
        """Give a block, or a part of one, to a mention; False where it is another's."""
        candidate = option.candidate
        place = candidate.place.place
        shared = option.judgement is not None and option.judgement.verdict in SHARED
        if not shared and any(owners - {place} for owners in self._overlapping(candidate)):
            return False
        self._blocks.setdefault(candidate.block, set()).add(place)
        if candidate.part is None:
            self._whole.setdefault(candidate.block, set()).add(place)
        else:
            for line in range(candidate.part[0], candidate.part[1] + 1):
                self._lines.setdefault((candidate.block, line), set()).add(place)
        return True

    def _overlapping(self, candidate: Candidate) -> Iterator[set[Place]]:
        if candidate.part is None:
            yield self._blocks.get(candidate.block, set())
        else:
            yield self._whole.get(candidate.block, set())
            for line in range(candidate.part[0], candidate.part[1] + 1):
                yield self._lines.get((candidate.block, line), set())

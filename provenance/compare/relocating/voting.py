"""Where a block may begin: its lines vote for a place by what they share with new lines, and rare things count most."""

from __future__ import annotations

from collections import defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from provenance.compare.relocating.body import Body, Stretch

FINALISTS = 8
"""Places that are handed on."""
_MOST_HOLDERS = 50
"""Pairs of lines that may say the same; what more of them say tells nothing of a place."""
_WORD = 0.25
"""What a shared word counts, against a shared line."""
_AROUND = 0.5
"""What the lines around a block count, against its own."""
_SHORT = 2
"""Characters of a word that tells nothing."""
_NEAR = 3
"""Lines by which votes for one place may differ."""

_Spot = tuple[int, int]
"""A site, by its number, and a line."""


class Added(NamedTuple):
    """New lines of a file."""

    body: Body
    stretches: Sequence[tuple[int, int]]
    """The first line of each, and the one behind its last."""


class Ballot:
    """The new lines of a step, by what they say."""

    def __init__(self, sites: Iterable[Added], wanted: Container[str] | None = None) -> None:
        """Go through the lines of some files.

        Args:
            sites: the files.
            wanted: what will be asked for; everything where it is left out.
        """
        self._holders: dict[str, list[_Spot]] = defaultdict(list)
        for number, site in enumerate(sites):
            for first, end in site.stretches:
                for at in range(first, end):
                    for feature in features(site.body, at):
                        if wanted is None or feature in wanted:
                            self._holders[feature].append((number, at))

    def places(self, body: Body, lines: Stretch, window: Stretch) -> list[_Spot]:
        """Where a block may begin, the most voted for first.

        Args:
            body: the text that the block stood in.
            lines: the block.
            window: the block and what is around it that went, too.
        """
        voters: dict[str, list[int]] = defaultdict(list)
        for at in range(window.first, window.last + 1):
            for feature in features(body, at):
                voters[feature].append(at)
        votes: dict[_Spot, float] = defaultdict(float)
        for feature, asked in voters.items():
            holders = self._holders.get(feature, ())
            if not 0 < len(holders) * len(asked) <= _MOST_HOLDERS:
                continue
            for voter in asked:
                worth = body.weight(voter) if feature.startswith("=") else _WORD
                worth *= 1.0 if lines.first <= voter <= lines.last else _AROUND
                for site, at in holders:
                    votes[site, at - voter + lines.first] += worth / len(holders)
        return _peaks(votes)


def features(body: Body, at: int) -> Iterator[str]:
    """What lines may share: all that they say, and their words."""
    key = body.key(at)
    if key:
        yield f"={key}"
        yield from {token for token in body.tokens(at) if len(token) > _SHORT}


def _peaks(votes: Mapping[_Spot, float]) -> list[_Spot]:
    """The best places, each with the votes for the lines next to it."""
    best = nlargest(FINALISTS * 8, votes, key=lambda place: votes[place])
    blurred = {
        (site, at): sum(votes.get((site, at + by), 0.0) / (1 + abs(by)) for by in range(-_NEAR, _NEAR + 1))
        for site, at in best
    }
    chosen: list[_Spot] = []
    for site, at in sorted(blurred, key=lambda place: -blurred[place]):
        if all(site != other or abs(at - there) > _NEAR for other, there in chosen):
            chosen.append((site, at))
        if len(chosen) == FINALISTS:
            break
    return chosen

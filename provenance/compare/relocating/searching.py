"""A block that went from its place, looked for among the lines that the same step adds, in any file.

The places that its lines vote for are compared line by line and token by token, together with the lines around the
block that went with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.carrying import Carried, Change
from provenance.compare.relocating.voting import Added, Ballot, features

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_AROUND = 12
"""Lines before and after a block that may have gone with it."""
_STAYS = "\0"
"""In place of a line that was there before: no line says so."""
_SURE = 0.9
"""Share from which on a block is found whatever stands around it."""
_CONTEXT = 0.3
"""What the lines around a block count, against the block."""


class Site(NamedTuple):
    """A file that a step adds lines to."""

    path: str
    body: Body
    """The file after the step."""
    added: Sequence[tuple[int, int]]
    """The stretches that the step added: the first line of each, and the one behind its last."""


class Find(NamedTuple):
    """A place that a block may have gone to."""

    path: str
    lines: Stretch
    kept: float
    """Share of the block that stands there, by weight."""
    around: float
    """Share of the lines around it that stand there, too; 0 where none went with it."""
    evidence: float
    """Weight of all that stands there."""
    is_whole: bool
    """Whether it is the same lines."""
    own: frozenset[int]
    """Those of the lines that come from the block."""

    @property
    def score(self) -> float:
        """By which places are ordered."""
        return self.kept + _CONTEXT * self.around


class Block(NamedTuple):
    """Lines that went, and what went with them."""

    body: Body
    lines: Stretch
    gone: Stretch
    """The lines around them, themselves included, that went in the same step."""
    own: frozenset[int]
    """Those of the lines that count."""

    @property
    def window(self) -> Stretch:
        """As many of the lines that went as are looked at."""
        first = max(self.gone.first, self.lines.first - _AROUND)
        return Stretch(first, min(self.gone.last, self.lines.last + _AROUND))


class Search:
    """All that one step adds, to be searched for blocks that went in it."""

    def __init__(self, sites: Iterable[Site]) -> None:
        """Take the files that the step adds lines to."""
        self._sites = list(sites)
        self._ballot: Ballot | None = None
        self._was_asked = False

    @property
    def size(self) -> int:
        """Lines that the step adds."""
        return sum(end - first for site in self._sites for first, end in site.added)

    def find(self, block: Block) -> list[Find]:
        """The places that a block may have gone to, the best first; none of them overlaps another."""
        window = block.window
        voted = self._voters(block.body, window).places(block.body, block.lines, window)
        finds = (_compared(block, self._sites[number], start) for number, start in voted)
        distinct: list[Find] = []
        for find in sorted((find for find in finds if find is not None), key=lambda find: -find.score):
            if not any(_overlap(find, other) for other in distinct):
                distinct.append(find)
        return distinct

    def _voters(self, body: Body, window: Stretch) -> Ballot:
        """The new lines: for the first block those alone that have something of it, for more of them all."""
        if self._ballot is not None:
            return self._ballot
        added = [Added(site.body, site.added) for site in self._sites]
        if self._was_asked:
            self._ballot = Ballot(added)
            return self._ballot
        self._was_asked = True
        wanted = {one for at in range(window.first, window.last + 1) for one in features(body, at)}
        return Ballot(added, wanted)


def _overlap(one: Find, other: Find) -> bool:
    are_near = one.lines.first <= other.lines.last and other.lines.first <= one.lines.last
    return one.path == other.path and are_near


def _compared(block: Block, site: Site, start: int) -> Find | None:
    """How much of a block stands at a place."""
    window, lines = block.window, block.lines
    inner = Stretch(lines.first - window.first, lines.last - window.first)
    first, there = _shown(block, site, start)
    change = Change(block.body.part(window), there)
    own = frozenset(at - window.first for at in block.own)
    carried = change.carry(inner, own)
    if _stands(block, site, start):  # a copy next to this one is not to be taken for it
        by = start - first
        size = lines.last - lines.first + 1
        is_whole = list(there.lines[by : by + size]) == list(block.body.lines[lines.first : lines.last + 1])
        here = Stretch(by, by + lines.last - lines.first)
        carried = Carried(here, 1.0, is_whole, frozenset(at - inner.first + by for at in own))
    elif carried is None or carried.kept < _SURE:
        # What stands around it may have gone there in another order, and be in the way.
        inside = frozenset(at - lines.first for at in block.own)
        alone = Change(block.body.part(lines), there).carry(Stretch(0, lines.last - lines.first), inside)
        carried = alone if alone is not None and alone.kept >= _SURE else carried
    if carried is None:
        return None
    around, weight = _context(change, inner)
    return Find(
        site.path,
        Stretch(carried.lines.first + first, carried.lines.last + first),
        carried.kept,
        around / weight if weight else 0.0,
        carried.kept * sum(change.old.weight(at) for at in own) + around,
        carried.is_whole,
        frozenset(at + first for at in carried.own),
    )


def _stands(block: Block, site: Site, start: int) -> bool:
    """Whether a block, whatever its white space, stands among the new lines where it is looked for."""
    size = block.lines.last - block.lines.first + 1
    is_new = any(first <= start and start + size <= end for first, end in site.added)
    return is_new and site.body.keys(start, start + size) == block.body.keys(
        block.lines.first, block.lines.last + 1
    )


def _shown(block: Block, site: Site, start: int) -> tuple[int, Body]:
    """The lines around a place, from which line on; those that were there before match nothing."""
    window, lines = block.window, block.lines
    size = lines.last - lines.first + 1
    slack = _AROUND + size // 2
    first = max(0, start - (lines.first - window.first) - slack)
    end = min(len(site.body), start + size + (window.last - lines.last) + slack)
    shown = [_STAYS] * (end - first)
    for begin, stop in site.added:
        for at in range(max(begin, first), min(stop, end)):
            shown[at - first] = site.body.lines[at]
    return first, Body(shown)


def _context(change: Change, inner: Stretch) -> tuple[float, float]:
    """The weight of the lines around a block that stand there, too, and of all that are around it."""
    around = weight = 0.0
    for part in (Stretch(0, inner.first - 1), Stretch(inner.last + 1, len(change.old) - 1)):
        if part.first <= part.last:
            found = change.carry(part)
            all_of_it = change.old.weigh(*part)
            weight += all_of_it
            around += found.kept * all_of_it if found else 0.0
    return around, weight

"""Lines carried over one step: where they are after a change of their file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.relocating.alignment import align, realigned
from provenance.compare.relocating.body import Stretch, key, says
from provenance.compare.relocating.edges import Holding, edged, gather
from provenance.compare.relocating.pairing import paired

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from provenance.compare.relocating.alignment import Alignment, Gap
    from provenance.compare.relocating.body import Body
    from provenance.compare.relocating.pairing import Pair

_TELLING = 1.2
"""Weight of a line that is known again where it was put."""
_NEAR = 10
"""Lines from a range at which one of its own may have been put."""


class Carried(NamedTuple):
    """Where lines are after a step."""

    lines: Stretch
    kept: float
    """Share of what the lines said, by weight, that is still there, 0 to 1."""
    is_whole: bool
    """Whether they are the same lines, with nothing between them that was not."""
    own: frozenset[int]
    """Those of them that come from the lines, and were not put in between."""


class Change:
    """Two versions of a file, or two files, aligned; what is found out for one range serves the next."""

    def __init__(self, old: Body, new: Body) -> None:
        """Align two texts."""
        self.old = old
        self.new = new
        self.alignment: Alignment = realigned(align(old.lines, new.lines), old.lines, new.lines, key)
        self._paired: dict[Gap, list[Pair]] = {}

    def carry(self, lines: Stretch, own: Collection[int] | None = None) -> Carried | None:
        """Where lines of the old text are in the new one; None where nothing of them is left.

        Args:
            lines: from the first to the last of them.
            own: those among them that count; all of them where it is left out.
        """
        own = range(lines.first, lines.last + 1) if own is None else own
        whole = self.whole(lines)
        if whole is not None:
            by = whole.first - lines.first
            return Carried(whole, 1.0, is_whole=True, own=frozenset(at + by for at in own))
        holding, lost = self._hold(lines, own)
        total = sum(self.old.weight(at) for at in own)
        gather(holding, total, self.old, lines, self.new)
        found = edged(holding, self.old, lines, self.new)
        if found is None:
            return None
        found = self._closed(lines, self._with_reordered(lost, found, holding))
        kept = min(1.0, holding.total / total) if total else 1.0
        still = frozenset(at for at in holding.kept if found.first <= at <= found.last)
        return Carried(found, kept, is_whole=False, own=still)

    def whole(self, lines: Stretch) -> Stretch | None:
        """Where lines are that are the same, with nothing between them that was not; None where they are not."""
        run = self.alignment.run_at(lines.first)
        if run is None or lines.last >= run.old + run.size:
            return None
        by = run.new - run.old
        return Stretch(lines.first + by, lines.last + by)

    def is_certain(self, lines: Stretch) -> bool:
        """Whether the run of equal lines that holds some cannot be another one that says the same."""
        run = self.alignment.run_at(lines.first)
        if run is None:
            return False
        if run.size == len(self.old) == len(self.new):
            return True
        first = max(run.old, lines.first - _NEAR)
        last = min(run.old + run.size - 1, lines.last + _NEAR)
        return self.old.is_told_apart(first, last, self.new)

    def _hold(self, lines: Stretch, own: Collection[int]) -> tuple[Holding, list[int]]:
        """The new lines that hold something of old ones, and those old ones of which nothing is held."""
        holding = Holding()
        lost = set(own)
        for run in self.alignment.runs_of(lines.first, lines.last + 1):
            for at in range(run.old, run.old + run.size):
                if at in lost:
                    holding.add(at + run.new - run.old, self.old.weight(at), is_firm=True)
                    lost.discard(at)
        for gap in self.alignment.gaps_of(lines.first, lines.last + 1):
            for pair in self._pairs(gap):
                if pair.old in own:
                    is_same = self.old.key(pair.old) == self.new.key(pair.new)
                    is_firm = is_same and pair.shared >= 1
                    holding.add(pair.new, pair.shared, is_firm=is_firm, is_same=is_same)
                    lost.discard(pair.old)
        return holding, sorted(lost)

    def _pairs(self, gap: Gap) -> list[Pair]:
        found = self._paired.get(gap)
        if found is None:
            found = self._paired[gap] = paired(self.old, self.new, gap)
        return found

    def _with_reordered(self, lost: Sequence[int], found: Stretch, holding: Holding) -> Stretch:
        """The lines, with those of them that a step put before or behind the others."""
        first, last = found
        for at in lost:
            if self.old.weight(at) < _TELLING:
                continue
            places = self._added.get(self.old.key(at), ())
            near = [place for place in places if found.first - _NEAR <= place <= found.last + _NEAR]
            if len(near) == 1 and near[0] not in holding.kept:
                holding.add(near[0], self.old.weight(at), is_firm=True)
                first, last = min(first, near[0]), max(last, near[0])
        return Stretch(first, last)

    def _closed(self, lines: Stretch, found: Stretch) -> Stretch:
        """The lines, ended where the bracket that ended them stands now: `}` may have become `} else {`."""
        closer = self.old.lines[lines.last].strip()
        if not closer or says(closer) or lines.first == lines.last:
            return found
        before = self.alignment.run_at(lines.last - 1)
        if before is None:
            return found
        at = before.new + lines.last - before.old
        if found.first < at < found.last and self.new.lines[at].strip().startswith(closer):
            return Stretch(found.first, at)
        return found

    @cached_property
    def _added(self) -> dict[str, list[int]]:
        """What the lines say that are new, and where."""
        found: dict[str, list[int]] = {}
        for gap in self.alignment.gaps():
            for at in range(gap.new, gap.new_end):
                found.setdefault(self.new.key(at), []).append(at)
        return found

"""What one step makes of lines: left where they were, carried to another file, gone, or in several places. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.relocating.body import Stretch
    from provenance.compare.relocating.carrying import Carried
    from provenance.compare.relocating.searching import Find

_GOOD = 0.6
"""Share of the lines that must be left in their file, or else the rest of the step is searched for them."""
_LEAST = 0.2
"""Share below which what is left in their file is no more than chance."""
_BETTER = 0.2
"""By how much a place elsewhere must hold more."""
_SURE = 0.9
"""Share from which on a place holds the lines as they were, but for a trifle."""
_CLOSE = 0.05
"""Difference of two scores that tells nothing."""
_SLIGHT = 5.0
"""Weight of lines that say so little that they must be found as they were."""
_LIKELY = 0.75
_HALF = 0.5
_SOME = 0.4
_EVIDENCE = 3.0
_MUCH = 6.0


class Chosen(NamedTuple):
    """Where lines are after a step."""

    path: str
    lines: Stretch
    kept: float
    """Share of them that is still there, by weight, 0 to 1."""
    is_whole: bool
    """Whether they are the same lines."""
    was_found: bool
    """Whether they were searched for, and not carried along with their file."""
    own: frozenset[int] | None = None
    """Those of them that come from the lines; None for all of them."""


class Several(NamedTuple):
    """Places that are equally good."""

    places: tuple[Chosen, ...]
    """The best first."""


def is_settled(carried: Carried | None) -> bool:
    """Whether enough of the lines is left in their file not to look elsewhere."""
    return carried is not None and carried.kept >= _GOOD


def choose(
    path: str, carried: Carried | None, finds: Sequence[Find], weight: float
) -> Chosen | Several | None:
    """Decide where lines are after a step.

    Args:
        path: of the file that they stood in, after the step.
        carried: what is left of them there.
        finds: other places that hold some of them, the best first.
        weight: how much the lines say.

    Returns:
        None where they are gone.
    """
    kept = carried.kept if carried is not None else 0.0
    likely = [find for find in finds if _is_likely(find, weight) and find.kept > kept + _BETTER]
    if likely:
        rivals = [find for find in likely if find.score > likely[0].score - _CLOSE]
        if len(rivals) == 1:
            return _chosen(likely[0])
        if all(find.kept >= _SURE for find in rivals):
            return Several(tuple(_chosen(find) for find in rivals))
    if carried is not None and kept >= _LEAST:
        return Chosen(path, carried.lines, kept, carried.is_whole, was_found=False, own=carried.own)
    return None


def _is_likely(find: Find, weight: float) -> bool:
    """Whether a place holds so much of the lines, or of what went with them, that it is not chance."""
    if find.kept >= (_SURE if weight < _SLIGHT else _LIKELY) and find.evidence >= _EVIDENCE:
        return True
    if find.kept >= _HALF and find.kept * weight >= _MUCH:
        return True
    return find.kept >= _SOME and find.around >= _HALF and find.evidence >= _MUCH


def _chosen(find: Find) -> Chosen:
    return Chosen(find.path, find.lines, find.kept, find.is_whole, was_found=True, own=find.own)

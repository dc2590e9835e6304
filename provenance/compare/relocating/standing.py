"""Lines that are the same in two texts, told by what stands around them: the quick way, which most lines take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.compare.relocating.body import Stretch

if TYPE_CHECKING:
    from provenance.compare.relocating.body import Body

_AROUND = 3
"""Lines before and after that must be the same, too."""
_TELLING = 3.0
"""Weight of lines that are known again where they stand once."""


def is_there(old: Body, lines: Stretch, new: Body) -> bool:
    """Whether lines stand in another text as they are, in one place or in several."""
    return "\n".join(("", *old.lines[lines.first : lines.last + 1], "")) in new.text


def standing(old: Body, lines: Stretch, new: Body) -> Stretch | None:
    """Where lines are in another text, if they stand there once together with those around them.

    They must stand once in the old text, too, or it would not be clear which of them they are. None where it is not.
    """
    first = max(0, lines.first - _AROUND)
    last = min(len(old) - 1, lines.last + _AROUND)
    wanted = "\n".join(("", *old.lines[first : last + 1], ""))
    at = new.text.find(wanted)
    if at < 0 or new.text.find(wanted, at + 1) >= 0:
        return None
    if old.weigh(first, last) < _TELLING or not old.is_told_apart(first, last, new):
        return None
    by = new.text.count("\n", 0, at) - first
    return Stretch(lines.first + by, lines.last + by)

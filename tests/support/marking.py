"""Texts with a range in them, as tables of tests show them."""

from __future__ import annotations

import re
from typing import NamedTuple

from provenance.compare.relocating.body import Body, Stretch

_LINE = re.compile(r"[ \t]*([.|])(.*)")


class Marked(NamedTuple):
    """A text, and lines of it."""

    body: Body
    lines: Stretch | None
    """From the first line that is marked to the last one; None where none is."""

    @property
    def range(self) -> Stretch:
        """The lines, where there are some."""
        assert self.lines is not None
        return self.lines


def marked(text: str) -> Marked:
    """Read a text of which each line begins with a mark: `|` in the range, `.` outside it.

    White space before the mark is none of the line's, and lines without a mark are none of the text's.
    """
    found = [match for match in map(_LINE.fullmatch, text.split("\n")) if match is not None]
    inside = [at for at, match in enumerate(found) if match[1] == "|"]
    lines = Stretch(inside[0], inside[-1]) if inside else None
    return Marked(Body([match[2] for match in found]), lines)

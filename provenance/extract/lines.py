"""What a line is: what git and the forges count.

An LF ends a line, a last LF starts none, an empty file has none. A CR before LF belongs to the terminator; a
lone CR, form feed, VT, NEL, U+2028 and U+2029 end nothing.
"""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.citation import LineRange

_BOM = "\ufeff"


def normalise(text: str) -> str:
    """The text with LF terminators, without a leading BOM and without one last LF."""
    return text.removeprefix(_BOM).replace("\r\n", "\n").removesuffix("\n")


class Text:
    """A decoded file as lines."""

    def __init__(self, text: str, *, encoding: str = "utf-8", notes: tuple[str, ...] = ()) -> None:
        self.text = normalise(text)
        """LF terminators, no BOM, no last LF."""
        self.encoding = encoding
        """The codec that the file's bytes were read with, by Python's name for it."""
        self.notes = notes
        """What a reader should know of the decoding."""
        self._empty = not text

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their terminators; `lines[0]` is line 1."""
        return [] if self._empty else self.text.split("\n")

    @cached_property
    def _ends(self) -> list[int]:
        """How many characters the first n lines have, terminators left out; the last item counts them all.

        Line n ends in `text` at `_ends[n] + n - 1`. Sums of lengths are made without a step of Python a line,
        and with them an excerpt is one slice, however long the file is.
        """
        return list(accumulate(map(len, () if self._empty else self.text.split("\n")), initial=0))

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self._ends) - 1

    def slice(self, lines: LineRange) -> list[str]:
        """The lines of a range; those past the end are missing."""
        return self.lines[lines.first - 1 : lines.last]

    def excerpt(self, lines: LineRange) -> str:
        """The lines of a range joined by LF, without a last LF; those past the end are missing."""
        return self._between(lines.first, lines.last)

    def is_excerpt(self, quote: str, first: int, last: int) -> bool:
        """Whether a quote is these lines, 1-based and inclusive, and all of them are there."""
        return last < len(self._ends) and self._between(first, last) == normalise(quote)

    def _between(self, first: int, last: int) -> str:
        ends = self._ends
        if last >= len(ends):
            last = len(ends) - 1
        if first > last:
            return ""
        return self.text[ends[first - 1] + first - 1 : ends[last] + last - 1]

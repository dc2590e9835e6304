"""Pieces of text that flow into lines, as a browser lays them out (HTML, "The innerText getter")."""

from __future__ import annotations

import re
from array import array

LINE = 1
"""A break after which a new line begins."""
PARAGRAPH = 2
"""One with a blank line."""

_SPACE = re.compile("[ \t\n\f\r]+")
"""ASCII white space alone collapses: a no-break space is text."""


class Flow:
    """Lines that grow. Each knows on which line of the HTML it begins."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.numbers = array("L")
        """The line of the HTML, 1-based, of each line."""
        self.codes = bytearray()
        """1 for each line that stands as it is in the HTML, all of it; else 0."""
        self._pieces: list[str] = []
        self._number = 1
        self._space = False
        self._break = 0
        self._is_code = False
        self._is_prose = False

    @property
    def index(self) -> int:
        """Of the line that is being written; of the last one where that is empty."""
        return len(self.lines) if self._pieces else max(0, len(self.lines) - 1)

    def inline(self, text: str, number: int) -> None:
        """Text whose white space collapses.

        Args:
            text: without entities.
            number: the line of the HTML on which it begins.
        """
        shown = _SPACE.sub(" ", text)
        words = shown.strip(" ")
        if shown.startswith(" "):
            self._space = True
        if words:
            before = text[: len(text) - len(text.lstrip(" \t\n\f\r"))]
            self._begin(number + before.count("\n"))
            if self._space and self._pieces and not self._pieces[-1].endswith("\t"):
                self._pieces.append(" ")
            self._pieces.append(words)
            self._is_prose = True
            self._space = shown.endswith(" ")

    def verbatim(self, text: str, number: int) -> None:
        """Text as it stands, each LF in it the end of a line."""
        self._is_code = True
        first, *others = text.split("\n")
        self._write(first, number)
        for offset, line in enumerate(others, 1):
            self._end(number + offset - 1)
            self._is_code = True
            self._write(line, number + offset)

    def tab(self, number: int) -> None:
        """The end of a table's cell, with another one behind it."""
        self._begin(number)
        self._pieces.append("\t")
        self._space = False

    def space(self) -> None:
        """What stands where a break would be, could the line end here."""
        self._space = True

    def newline(self, number: int) -> None:
        """The end of a line, and be it an empty one."""
        self._begin(number)
        self._end(number)

    def part(self, size: int) -> None:
        """The end of what flows together: what comes next begins on a line of its own.

        Args:
            size: `LINE` or `PARAGRAPH`.
        """
        if self._pieces:
            self._end(self._number)
        self._space = self._is_code = False
        self._break = max(self._break, size)

    def _write(self, text: str, number: int) -> None:
        if text:
            self._begin(number)
            if self._space and self._pieces:
                self._pieces.append(" ")
            self._space = False
            self._pieces.append(text)

    def _begin(self, number: int) -> None:
        """Make room for what comes, where something ended before it."""
        if self._break == PARAGRAPH and self.lines and self.lines[-1]:
            self.lines.append("")
            self.numbers.append(self.numbers[-1])
            self.codes.append(0)
        self._break = 0
        if not self._pieces:
            self._number = number

    def _end(self, number: int) -> None:
        if not self._pieces:
            self._begin(number)
        self.lines.append("".join(self._pieces))
        self.numbers.append(self._number)
        self.codes.append(self._is_code and not self._is_prose)
        self._is_code = self._is_prose = False
        self._pieces.clear()
        self._space = False

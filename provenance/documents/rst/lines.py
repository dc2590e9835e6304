"""The document's own lines, beside what docutils makes of them: it expands tabs, strips ends and miscounts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_TAB = 8
_NO_LINE_END = re.compile("[\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
"""What Python takes for a line end, and git and forges do not."""
_NEAR = 12
"""How many lines off a line number may be."""


class Lines:
    """A document's lines; numbers are 1-based."""

    def __init__(self, text: str) -> None:
        self.own = text.replace("\r\n", "\n").split("\n")
        """As they stand, without their ends."""
        self.plain = [_NO_LINE_END.sub(" ", line).expandtabs(_TAB).rstrip() for line in self.own]
        """As docutils sees them."""
        self._cursor = 1

    def __len__(self) -> int:
        return len(self.own)

    def find(self, text: Sequence[str], hint: int) -> int | None:
        """The line near that one on which this text begins, whatever its indentation; None where it does not."""
        hint = min(max(hint, 1), len(self.own))
        for away in range(_NEAR + 1):
            for line in (hint + away, hint - away):
                if self._stands(text, line):
                    return line
        return None

    def clamped(self, line: int) -> int:
        """That line, or the nearest that there is."""
        return min(max(line, 1), len(self.own))

    def dedented(self, text: Sequence[str], first: int) -> list[str]:
        """This text as it stands in the document from that line on: with its tabs and what ends its lines."""
        shown = []
        for number, line in enumerate(text, first):
            plain, own, body = self.plain[number - 1], self.own[number - 1], line.lstrip()
            if plain.lstrip() == body:
                shown.append(_cut(own, _width(plain) - _width(line)))
            elif body and plain.endswith(body) and "\t" not in own:  # behind the mark of a list
                shown.append(" " * _width(line) + own.rstrip()[-len(body) :])
            else:
                shown.append(line)  # a cell of a table
        return shown

    def slice(self, first: int, last: int) -> str:
        """These lines as they stand."""
        return "\n".join(self.own[first - 1 : last])

    def _stands(self, text: Sequence[str], first: int) -> bool:
        if first < 1 or first + len(text) - 1 > len(self.plain):
            return False
        return all(line.strip() in self.plain[first - 1 + at] for at, line in enumerate(text))


def _width(line: str) -> int:
    return len(line) - len(line.lstrip())


def _cut(line: str, columns: int) -> str:
    """A line without its first columns, where these are white space; a tab that reaches beyond them leaves spaces."""
    column = 0
    for at, character in enumerate(line):
        if column >= columns or not character.isspace():
            return " " * (column - columns if column > columns else 0) + line[at:]
        column += _TAB - column % _TAB if character == "\t" else 1
    return ""

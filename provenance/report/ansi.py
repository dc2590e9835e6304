"""Colour on a terminal, by hand: a few codes need no library."""

from __future__ import annotations

from enum import StrEnum

from provenance.evidence import Level


class Style(StrEnum):
    """How text looks: parameters of SGR (ECMA-48, section 8.3.117)."""

    BOLD = "1"
    DIM = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    MAGENTA = "35"
    CYAN = "36"


LEVEL_STYLES = {
    Level.OK: Style.GREEN,
    Level.WARNING: Style.YELLOW,
    Level.FAILURE: Style.RED,
    Level.UNAVAILABLE: Style.MAGENTA,
}


class Paint:
    """Styles text, or leaves it alone."""

    def __init__(self, *, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, style: Style) -> str:
        """The text in a style, which ends with it."""
        return f"\x1b[{style}m{text}\x1b[0m" if self._colour and text else text

    def diff(self, line: str) -> str:
        """A line of a unified diff, by its first character."""
        match line[:1]:
            case "+":
                return self(line, Style.GREEN)
            case "-":
                return self(line, Style.RED)
            case "@":
                return self(line, Style.CYAN)
            case _:
                return line

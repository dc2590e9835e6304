"""Where a report for people is read, and so how it is laid out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from provenance.report.inert import no_commands
from provenance.report.plain import lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provenance.report.blocks import Block

_NARROW = 40
"""Columns up to which there is no room for a table."""
_DUMB = frozenset({"dumb", "unknown"})
"""Terminals (values of TERM) that take neither colours nor anything back."""
_NO_LINKS = frozenset({"linux"})
"""Terminals (values of TERM) that cannot follow a link."""


class Layout(Enum):
    """How blocks become lines."""

    PLAIN = auto()
    """As programs and files have them."""
    NARROW = auto()
    """Nothing beside each other that does not fit."""
    TABLE = auto()
    """Tables whose cells are wrapped."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a report is read on; by default a file or a pipe."""

    width: int
    """In characters."""
    layout: Layout = Layout.PLAIN
    colour: bool = False
    links: bool = False
    """Whether what stands in a report may be a link (OSC 8); only where there is colour."""


def screen(width: int, environ: Mapping[str, str], *, terminal: bool) -> Screen:
    """Decide how to lay out.

    Args:
        width: how many columns there are.
        environ: the environment, of which `NO_COLOR` and `TERM` count.
        terminal: whether it is a terminal.
    """
    if not terminal:
        return Screen(width)
    wide = Layout.PLAIN if is_dumb(environ) else Layout.TABLE
    layout = Layout.NARROW if width <= _NARROW else wide
    colour = not is_dumb(environ) and not environ.get("NO_COLOR")
    return Screen(width, layout, colour, colour and environ.get("TERM") not in _NO_LINKS)


def is_dumb(environ: Mapping[str, str]) -> bool:
    """Whether a terminal does nothing but show lines, as the environment has it."""
    return environ.get("TERM") in _DUMB


def printed(blocks: Sequence[Block], on: Screen) -> str:
    """A report as text, with its last line's end.

    Rich is imported only where there is a terminal that it is needed for.
    """
    if on.layout is not Layout.PLAIN or on.colour:
        from provenance.report.terminal import drawn

        text = drawn(blocks, on)
    else:
        text = "".join(f"{line.text}\n" for line in lines(blocks, on.width))
    return no_commands(text)

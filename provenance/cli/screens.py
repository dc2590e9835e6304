"""What a person reads reports on: a terminal, as wide as it is, or a file or pipe."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from provenance.report.screen import screen

if TYPE_CHECKING:
    from typing import TextIO

    from provenance.report.screen import Screen

_USUAL = (100, 24)
"""Columns and lines where there is no terminal."""


def screen_of(stream: TextIO) -> Screen:
    """What is at the other end of a stream. `COLUMNS` goes before the terminal's own width."""
    return screen(shutil.get_terminal_size(_USUAL).columns, os.environ, terminal=stream.isatty())

"""What a definition is, here: a name and lines."""

from __future__ import annotations

from typing import NamedTuple


class Definition(NamedTuple):
    """A definition in a file; lines are 0-based, both ends included."""

    name: str
    """Dotted where a grammar tells what it stands in."""
    first: int
    """Of its first decorator."""
    header: int
    """Of its own header."""
    last: int

"""What the messages of several comparisons say alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.citation import LineRange

CLOSE = 0.5
"""The least similarity of what counts as the source of what a document shows."""
MOST_FOUND = 100
"""Places that are listed."""


def plural(word: str, count: int) -> str:
    """A word as it stands behind a number."""
    return word if count == 1 else f"{word}s"


def length(count: int) -> str:
    """How many lines a file has, in a sentence about a range that ends past its end."""
    return f"the file has {count} {plural('line', count)}" if count else "the file is empty"


def places(nearest: LineRange, count: int) -> str:
    """The nearest of so many places, and how many others there are."""
    more = count - 1
    return f"{nearest} and at {more} other {plural('place', more)}" if more else str(nearest)


def moved(by: int) -> str:
    """How far below the cited lines something stands; above them where that is less than nothing."""
    return f"{abs(by)} {plural('line', abs(by))} further {'down' if by > 0 else 'up'}"


def not_close(share: float) -> str:
    """Why what a document shows is `absent`."""
    return f"nothing in the file comes close; the best similarity is {share}"

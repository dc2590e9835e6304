"""Which ways of showing tabs as spaces are worth trying on a whole file.

There are some twenty, and each costs a pass over the file. A look that is blind for white space finds where a few of
the quote's lines may stand; a way is viable where it makes them the same there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.layout import Canon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.layout import Layout

_SAMPLE = 32
"""Lines of the quote that are tried."""
_MOST_PLACES = 16
"""Places at which one line is tried."""


class _Line(NamedTuple):
    key: str
    """What is left of it without white space; empty where it may be something else than code."""
    text: str


def viable(quote: Sequence[str | None], source: Sequence[str], ways: Sequence[Layout]) -> tuple[Layout, ...]:
    """The ways under which the quote may stand in the source; none where it cannot.

    Args:
        quote: The quote's lines; None for each that may be something else than code.
        source: The source's lines.
        ways: The ways to choose from.
    """
    if len(ways) == 1:
        return tuple(ways)
    ours, theirs = _kept(quote), _kept(source)
    where: dict[str, list[int]] = {line.key: [] for line in ours if line.key}
    for index, line in enumerate(theirs):
        if line.key in where and len(where[line.key]) <= _MOST_PLACES:
            where[line.key].append(index)
    if not all(where.values()):
        return ()
    code = [order for order, line in enumerate(ours) if line.key]
    telling = [order for order in code if len(where[ours[order].key]) <= _MOST_PLACES] or code
    sample = telling[:: len(telling) // _SAMPLE + 1]
    return tuple(
        way
        for way in ways
        if all(_stands(_pair(ours, order), theirs, where[ours[order].key], way) for order in sample)
    )


def _kept(lines: Sequence[str | None]) -> list[_Line]:
    """The lines that are not blank."""
    return [
        _Line("", "") if line is None else _Line("".join(line.split()), line)
        for line in lines
        if line is None or line.strip()
    ]


def _pair(ours: Sequence[_Line], order: int) -> Sequence[_Line]:
    """A line and the one behind it, if that is code; the first alone, since it may have lost its indentation."""
    paired = order and order + 1 < len(ours) and ours[order + 1].key
    return ours[order : order + 2] if paired else ours[order : order + 1]


def _stands(ours: Sequence[_Line], theirs: Sequence[_Line], starts: Sequence[int], way: Layout) -> bool:
    """Whether a line, with the one behind it where that follows in the source too, is the same at one of its places."""
    there = [theirs[start : start + 2] for start in starts[:_MOST_PLACES]]
    paired = [pair for pair in there if [line.key for line in pair] == [line.key for line in ours]]
    size = len(ours) if paired else 1
    shown = Canon.of([line.text for line in ours[:size]], way)
    return any(_alike(shown, Canon.of([line.text for line in pair[:size]], way)) for pair in paired or there)


def _alike(ours: Canon, theirs: Canon) -> bool:
    return ours.bodies == theirs.bodies and (
        ours.indents[-1] - ours.indents[0] == theirs.indents[-1] - theirs.indents[0]
    )

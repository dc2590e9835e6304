"""Where a page states a dimension that no shape has: `a vocabulary of 50,257 tokens`, in prose or in code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.compare.arithmetic.dimensions import missing
from provenance.compare.numbers import numbers_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from provenance.citation import Term
    from provenance.documents.layout import Layout, Piece

_BEFORE = re.compile(r"(?:[^\s\d\[\]]+ ){0,3}[^\s\d\[\],;]{0,20}\Z")
_BEHIND = re.compile(r"[^\s\d\[\],;.]{0,20}(?: [^\W\d_][\w-]{0,20})?")
_AROUND = 60
"""Characters before a number that are looked at."""
_LONGEST = 2_000
"""Characters of a line that are looked at."""


def stated_dimensions(
    layout: Layout,
    pieces: Sequence[Piece],
    terms: Sequence[Term],
    shapes: Sequence[str],
    skip: Collection[int],
) -> list[str]:
    """A short piece of text for each dimension of the terms that no shape has, where the page states it first.

    Args:
        layout: The page.
        pieces: Its evidence, whose claims and excerpts count too.
        terms: What is calculated.
        shapes: Those that are known.
        skip: The indices of lines that calculate, such as those of the table, and so state no dimension.
    """
    wanted = dict.fromkeys(missing(terms, shapes), "")
    left = set(wanted)
    for line, code in _lines(layout, pieces, skip) if wanted else ():
        for found in numbers_in(line, code=code):
            if found.value in left:
                left.discard(found.value)
                wanted[found.value] = _piece(line, found.start, found.end)
        if not left:
            break
    return [text for text in wanted.values() if text]


def _lines(layout: Layout, pieces: Sequence[Piece], skip: Collection[int]) -> Iterator[tuple[str, bool]]:
    """The lines that may state a dimension, and whether they are code."""
    for index in range(layout.title + 1, layout.end):
        line = layout.lines[index]
        if index not in skip and "=" not in line and "\\" not in line:
            yield line[:_LONGEST], False
    yield from ((piece.claim[:_LONGEST], False) for piece in pieces)
    for piece in pieces:
        yield from ((line[:_LONGEST], True) for line in (piece.quote or "").split("\n"))


def _piece(line: str, start: int, end: int) -> str:
    before = _BEFORE.search(line[max(0, start - _AROUND) : start])
    behind = _BEHIND.match(line, end)
    return f"{before[0] if before else ''}{line[start:end]}{behind[0] if behind else ''}".strip()

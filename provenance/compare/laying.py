"""Laying a quote's pieces on source lines, each at the leftmost place that is left for it.

That finds a fit wherever there is one, and reads the source once: there is no backtracking.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.layout import Canon
    from provenance.compare.marks import Mark, Row


_MOST_MARKS = 64
"""Marks in a row that are heeded."""


class Gap(NamedTuple):
    """Text that is left out."""

    marks: tuple[Mark, ...] = ()
    """The marks that stand for it."""
    inline: bool = False
    """Whether an ellipsis within a line stands for it."""

    @property
    def free(self) -> bool:
        """Whether it may stand for more than its marks state."""
        return self.inline or not all(mark.first is not None for mark in self.marks)


class Sheet:
    """Canonical lines as one text, each between LFs."""

    def __init__(self, source: Canon) -> None:
        self.source = source
        lines = [" " * indent + body for indent, body in zip(source.indents, source.bodies, strict=True)]
        self.text = "\n" + "".join(line + "\n" for line in lines)
        self.starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        """Offset of the LF before each line, and of the one after the last."""


class Attempt(NamedTuple):
    """One way of laying a quote on a sheet."""

    start: int
    """Index of the canonical line on which it begins."""
    lost: bool
    """Whether the first line has lost its own indentation."""
    closed: bool
    """Whether it has to reach the sheet's end."""
    guided: bool
    """Whether the lines that marks state say where the next piece stands."""


class Hole(NamedTuple):
    """A gap, and the text that it turned out to be: offsets into the sheet's text."""

    gap: Gap
    begin: int
    end: int


def lay(tokens: Sequence[str | Gap], sheet: Sheet, attempt: Attempt) -> list[Hole] | None:
    """The gaps as they turn out, and one at the quote's end; nothing where it does not fit.

    An empty list says that the first piece does not stand at the start, None that a later one is not to be found.
    """
    floor = position = sheet.starts[attempt.start]
    if attempt.lost:
        floor = position = position + 1 + sheet.source.indents[attempt.start]
    end = len(sheet.text)
    holes: list[Hole] = []
    gap: Gap | None = None
    for order, token in enumerate(tokens):
        if isinstance(token, Gap):
            gap = token
            continue
        shared = position > floor and token[0] == "\n" and sheet.text[position - 1] == "\n"
        begin = position - shared
        if attempt.closed and order == len(tokens) - 1:
            at = end - len(token)
            fits = (at == begin if gap is None else at >= begin) and sheet.text.startswith(token, at)
        else:
            at = begin if gap is None else _seek(token, sheet, begin, gap, guided=attempt.guided)
            fits = at >= begin and sheet.text.startswith(token, at)
        if not fits:
            return None if order else []
        if gap is not None:
            holes.append(Hole(gap, position, at))
        position, gap = at + len(token), None
    if gap is None and attempt.closed and position != end:
        return None
    holes.append(Hole(gap or Gap(), position, end - 1 if attempt.closed else position))
    return holes


def _seek(token: str, sheet: Sheet, begin: int, gap: Gap, *, guided: bool) -> int:
    """Where a piece behind a gap has to stand; -1 where it cannot."""
    stated = [mark.last for mark in gap.marks if mark.last is not None]
    if not guided or not stated:
        return sheet.text.find(token, begin)
    behind = sheet.starts[bisect_right(sheet.source.numbers, max(stated))]
    return sheet.text.find(token, max(begin, behind)) if gap.free else behind


def pieces(rows: Sequence[Row], shift: int, *, lost: bool) -> list[str | Gap] | None:
    """The quote as pieces and gaps by turns; None where a line would begin left of the margin."""
    tokens: list[str | Gap] = []
    for gaps, run in groupby(_cut(rows, shift, lost=lost), key=lambda piece: isinstance(piece, Gap)):
        pieces = list(run)
        if None in pieces:
            return None
        if gaps:
            merged = [piece for piece in pieces if isinstance(piece, Gap)]
            marks = tuple(mark for gap in merged[:_MOST_MARKS] for mark in gap.marks)
            tokens.append(Gap(marks, any(gap.inline for gap in merged)))
        else:
            first, *others = (piece for piece in pieces if isinstance(piece, str))
            tokens.append(first + "".join(piece[1:] for piece in others))  # lines share the LF between them
    return tokens


def _cut(rows: Sequence[Row], shift: int, *, lost: bool) -> Iterator[str | Gap | None]:
    for order, row in enumerate(rows):
        if row.mark:
            yield Gap((row.mark,))
            continue
        indent = row.indent - shift
        head, *rest = row.parts
        if indent < 0 and head:
            yield None
        margin = "" if lost and not order else "\n" + " " * indent
        if not rest:
            yield f"{margin}{head}\n"
            continue
        if head:
            yield margin + head
        *middle, tail = rest
        for part in middle:
            yield Gap(inline=True)
            yield part
        yield Gap(inline=True)
        if tail:
            yield f"{tail}\n"

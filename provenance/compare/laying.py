"""Laying a quote's pieces on source lines, each at the leftmost place that is left for it.

That finds a fit wherever there is one, and reads the source once: there is no backtracking.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.marks import MOST_MARKS, Mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.gaps import Ground
    from provenance.compare.layout import Canon
    from provenance.compare.marks import Row


class Gap(NamedTuple):
    """Text that is left out."""

    marks: tuple[Mark, ...] = ()
    """The marks that stand for it, an ellipsis within a line being one that states nothing."""
    inline: bool = False
    """Whether there is such an ellipsis among them."""

    @property
    def free(self) -> bool:
        """Whether it may stand for more than its marks state."""
        return not all(mark.first is not None for mark in self.marks)


class Sheet:
    """Canonical lines as one text, each between LFs."""

    def __init__(self, source: Canon, ground: Ground) -> None:
        self.source = source
        self.ground = ground
        """The whole file."""
        lines = [" " * indent + body for indent, body in zip(source.indents, source.bodies, strict=True)]
        self.text = "\n" + "".join(line + "\n" for line in lines)
        self.starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        """Offset of the LF before each line, and of the one after the last."""

    def below(self, position: int) -> int:
        """Index of the first line of which no letter stands before an offset."""
        return bisect_left(self.starts, position - 1)


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
            at = begin
            if gap is not None:
                at = _seek(token, sheet, begin, gap, _least(gap, sheet, position) if attempt.guided else None)
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


def _seek(token: str, sheet: Sheet, begin: int, gap: Gap, least: int | None) -> int:
    """Where a piece behind a gap has to stand; -1 where it cannot."""
    if least is None:
        return sheet.text.find(token, begin)
    return sheet.text.find(token, max(begin, least)) if gap.free else least


def _least(gap: Gap, sheet: Sheet, position: int) -> int | None:
    """The offset before which marks that state lines let no piece stand; None where they state nothing."""
    if not any(mark.states for mark in gap.marks):
        return None
    numbers = sheet.source.numbers
    left = sheet.below(position)
    line = numbers[left - 1] + 1 if left else 1
    for mark in gap.marks:
        line = max(line, mark.last + 1) if mark.last is not None else line + (mark.count or 0)
    return sheet.starts[bisect_left(numbers, line)]


def pieces(rows: Sequence[Row], shift: int, *, lost: bool) -> list[str | Gap] | None:
    """The quote as pieces and gaps by turns; None where a line would begin left of the margin."""
    tokens: list[str | Gap] = []
    for gaps, run in groupby(_cut(rows, shift, lost=lost), key=lambda piece: isinstance(piece, Gap)):
        pieces = list(run)
        if None in pieces:
            return None
        if gaps:
            merged = [piece for piece in pieces if isinstance(piece, Gap)]
            marks = tuple(mark for gap in merged[: MOST_MARKS + 1] for mark in gap.marks)
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
            yield Gap((Mark(),), inline=True)
            yield part
        yield Gap((Mark(),), inline=True)
        if tail:
            yield f"{tail}\n"

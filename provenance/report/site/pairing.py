"""A quote beside the source: which lines belong together, and which words of them differ. Bounded work, no I/O."""

from __future__ import annotations

import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.lcs import pairs
from provenance.compare.marks import mark

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.citation import LineRange

_TOKEN = re.compile(r"\w+|[^\w\s]")
_MOST_LINES = 1_000
"""Lines of either side that are matched, the equal ones at both ends aside; what is left is paired in order."""
_MOST_TOKENS = 400
"""Words of a line that are matched; a line with more differs as a whole."""
_LONGEST = 2_000
"""Characters of a line that is taken apart; a longer one differs as a whole."""
_BLOCK = 32
"""Lines of a block in which the most alike are paired; in a larger one they are paired in order."""
_ALIKE = 0.4
"""Share of words that two lines have in common at the least, to be shown as one that was changed."""

Mark = tuple[int, int]
"""A stretch of a line: its first character, and the one after its last, from 0."""


class Sort(StrEnum):
    """What a row of the comparison is."""

    SAME = "same"
    CHANGED = "changed"
    """Both sides have the line, and words of it differ."""
    QUOTE = "quote"
    """The quote alone has it."""
    SOURCE = "source"
    """The source alone has it."""
    MARK = "mark"
    """A line of the quote that stands for what is left out."""
    OMITTED = "omitted"
    """A line of the source that such a mark stands for."""


class Side(NamedTuple):
    """One line of one side."""

    at: int
    """Its place among the lines of its side, from 0."""
    marks: tuple[Mark, ...] = ()
    """What the other side has not."""


class Row(NamedTuple):
    """Lines that stand beside each other."""

    sort: Sort
    quote: Side | None = None
    source: Side | None = None


def beside(
    quote: Sequence[str],
    source: Sequence[str],
    *,
    first: int = 1,
    omitted: Sequence[LineRange] = (),
    indents: bool = False,
) -> list[Row]:
    """Lay a quote beside the source; every line of both is there once, in its order.

    White space is no difference, as it is none to most verdicts.

    Args:
        quote: the quote's lines.
        source: the source's lines.
        first: the number of the first of these in its file, from 1.
        omitted: the lines of the file that marks in the quote stand for.
        indents: whether indentation is the difference, and is to be marked.
    """
    rows = [*_rows(quote, source, _matched(quote, source), _Left(first, tuple(omitted)))]
    return _indented(rows, quote, source) if indents else rows


class _Left(NamedTuple):
    """Lines that are left out by a mark."""

    first: int
    omitted: tuple[LineRange, ...]

    def holds(self, at: int) -> bool:
        """Whether a line of the source, by its place, is one of them."""
        return any(self.first + at in lines for lines in self.omitted)


def _matched(quote: Sequence[str], source: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of lines that are equal but for white space, ascending on both sides."""
    left, right = [" ".join(line.split()) for line in quote], [" ".join(line.split()) for line in source]
    short = min(len(left), len(right))
    head = next((at for at in range(short) if left[at] != right[at]), short)
    tail = next((at for at in range(short - head) if left[-1 - at] != right[-1 - at]), short - head)
    ends = len(left) - tail, len(right) - tail
    stops = min(ends[0], head + _MOST_LINES), min(ends[1], head + _MOST_LINES)
    found = [(at, at) for at in range(head)]
    found += [(i + head, j + head) for i, j in pairs(left[head : stops[0]], right[head : stops[1]])]
    found += [(ends[0] + at, ends[1] + at) for at in range(tail)]
    return found


def _rows(
    quote: Sequence[str], source: Sequence[str], matched: Sequence[tuple[int, int]], left: _Left
) -> Iterator[Row]:
    i = j = 0
    for at, to in [*matched, (len(quote), len(source))]:
        yield from _block(quote, source, range(i, at), range(j, to), left)
        if at < len(quote) and to < len(source):
            yield Row(Sort.SAME, Side(at), Side(to))
        i, j = at + 1, to + 1


def _block(
    quote: Sequence[str], source: Sequence[str], ours: range, theirs: range, left: _Left
) -> Iterator[Row]:
    """Lines between two that are equal: those that are alike beside each other, the others alone."""
    shown = [at for at in ours if mark(quote[at].strip()) is None]
    given = [at for at in theirs if not left.holds(at)]
    plain, together = set(shown), dict(_alike(quote, source, shown, given))
    at = theirs.start
    for mine in ours:
        if mine not in together:
            yield Row(Sort.QUOTE if mine in plain else Sort.MARK, quote=Side(mine))
            continue
        other = together[mine]
        yield from _alone(range(at, other), left)
        yield _changed(quote[mine], source[other], mine, other)
        at = other + 1
    yield from _alone(range(at, theirs.stop), left)


def _alone(places: range, left: _Left) -> Iterator[Row]:
    for at in places:
        yield Row(Sort.OMITTED if left.holds(at) else Sort.SOURCE, source=Side(at))


def _alike(
    quote: Sequence[str], source: Sequence[str], ours: Sequence[int], theirs: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of lines that may be one another's, in order on both sides: those with the most words in common."""
    if max(len(ours), len(theirs)) > _BLOCK:
        yield from zip(ours, theirs, strict=False)
        return
    others = [_words(source[at]) for at in theirs]
    scores = [[_likeness(mine, other) for other in others] for mine in (_words(quote[at]) for at in ours)]
    best = [[0.0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i in range(len(ours) - 1, -1, -1):
        for j in range(len(theirs) - 1, -1, -1):
            taken = scores[i][j] + best[i + 1][j + 1] if scores[i][j] else 0.0
            best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
    i = j = 0
    while i < len(ours) and j < len(theirs):
        if scores[i][j] and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            yield ours[i], theirs[j]
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1


def _words(line: str) -> Counter[str]:
    return Counter(_TOKEN.findall(line[:_LONGEST])[:_MOST_TOKENS])


def _likeness(ours: Counter[str], theirs: Counter[str]) -> float:
    """The share of words that two lines have in common; 0 where it is too small for them to be one line."""
    size = max(ours.total(), theirs.total())
    share = (ours & theirs).total() / size if size else 0.0
    return share if share >= _ALIKE else 0.0


def _changed(ours: str, theirs: str, at: int, to: int) -> Row:
    is_long = max(len(ours), len(theirs)) > _LONGEST
    left, right = ([] if is_long else [*_TOKEN.finditer(line)] for line in (ours, theirs))
    if is_long or max(len(left), len(right)) > _MOST_TOKENS:
        return Row(Sort.CHANGED, Side(at, ((0, len(ours)),)), Side(to, ((0, len(theirs)),)))
    common = pairs([token[0] for token in left], [token[0] for token in right])
    if len(common) == len(left) == len(right):
        return Row(Sort.SAME, Side(at), Side(to))
    marks = _marks(ours, left, {i for i, _ in common}), _marks(theirs, right, {j for _, j in common})
    return Row(Sort.CHANGED, Side(at, marks[0]), Side(to, marks[1]))


def _marks(line: str, tokens: Sequence[re.Match[str]], common: set[int]) -> tuple[Mark, ...]:
    """The words that are not common; those with white space alone between them are one mark."""
    found: list[Mark] = []
    for at, token in enumerate(tokens):
        if at in common:
            continue
        start = token.start()
        if found and not line[found[-1][1] : start].strip():
            start = found.pop()[0]
        found.append((start, token.end()))
    return tuple(found)


def _indented(rows: Sequence[Row], quote: Sequence[str], source: Sequence[str]) -> list[Row]:
    """The rows with the indentations marked that are shifted otherwise than most."""
    shifts = [
        _indent(source[row.source.at]) - _indent(quote[row.quote.at])
        for row in rows
        if row.quote is not None and row.source is not None and quote[row.quote.at].strip()
    ]
    usual = Counter(shifts).most_common(1)[0][0] if shifts else 0
    found = []
    for row in rows:
        if row.sort is Sort.SAME and row.quote is not None and row.source is not None:
            ours, theirs = _indent(quote[row.quote.at]), _indent(source[row.source.at])
            if quote[row.quote.at].strip() and theirs - ours != usual:
                marks = [((0, size),) if size else () for size in (ours, theirs)]
                found.append(
                    Row(Sort.CHANGED, row.quote._replace(marks=marks[0]), row.source._replace(marks=marks[1]))
                )
                continue
        found.append(row)
    return found


def _indent(line: str) -> int:
    """Characters of white space that a line begins with."""
    return len(line) - len(line.lstrip())

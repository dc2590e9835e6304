"""What a citation's page shows of the code: which lines the quote is laid beside, and what stands around them. Pure."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate, islice, takewhile
from typing import TYPE_CHECKING

from provenance.citation import Kind, LineRange
from provenance.evidence import Difference, Verdict
from provenance.extract.lines import normalise
from provenance.report.site.code import LONGEST, Lines, bare, listing, rows_html
from provenance.report.site.pairing import Sort, beside
from provenance.report.site.views import Fold, Shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.evidence import Evidence

_CONTEXT = 15
"""Lines before and after that unfold."""
_MOST = 2_000
"""Lines of a quote and of a stretch that are shown."""
MOST_CHARACTERS = 300_000
"""Characters of each of them."""

_ELSEWHERE = frozenset({Verdict.SHIFTED, Verdict.CHANGED, Verdict.ABSENT, Verdict.OUT_OF_RANGE})
"""Verdicts by which a quote is best laid beside other lines than those that are cited."""


def shown(evidence: Evidence, source: Lines | None, most: int = MOST_CHARACTERS) -> Shown:
    """What is shown of a citation.

    Args:
        evidence: the citation, judged.
        source: all lines of its file; None where they are not at hand.
        most: characters that are shown of the quote, of the lines beside it, and so on.
    """
    quote, unquoted = _quote(evidence, most)
    stretch = None if source is None else _stretch(evidence, len(source))
    if source is None or stretch is None:
        return Shown(quote=None if quote is None else bare(quote), unquoted=unquoted)
    around = _around(source, stretch, most)
    whole, stretch = stretch, _cut(stretch, source, most)
    cited = _cited(evidence, source, stretch, most)
    found = replace(around, stretch=stretch, cut=len(whole) - len(stretch), unquoted=unquoted, cited=cited)
    if quote is None or evidence.kind is not Kind.QUOTE:
        code = listing(source, range(stretch.first, stretch.last + 1))
        return replace(found, source=code, quote=None if quote is None else bare(quote))
    rows = beside(
        quote.plain,
        source.plain[stretch.first - 1 : stretch.last],
        first=stretch.first,
        omitted=evidence.judgement.omitted,
        indents=evidence.judgement.difference is Difference.WHITESPACE,
    )
    return replace(
        found,
        compared=rows_html(rows, quote, source, stretch.first),
        has_marks=any(row.sort in {Sort.CHANGED, Sort.QUOTE, Sort.SOURCE} for row in rows),
    )


def _quote(evidence: Evidence, most: int) -> tuple[Lines | None, int]:
    """What the document shows, None where it shows nothing that has lines; and how many lines more there would be."""
    citation = evidence.citation
    text = citation.expression if citation.quote is None else citation.quote
    if text is None:
        return None, 0
    lines = normalise(text).split("\n")
    fitting = _fitting(lines, most)
    return Lines(lines[:fitting]), len(lines) - fitting


def _fitting(lines: Iterable[str], most: int) -> int:
    """How many lines are shown: as many as a page has room for, and one at the least.

    Args:
        lines: in the order in which they are taken.
        most: characters there is room for.
    """
    sizes = accumulate(min(len(line), LONGEST) for line in islice(lines, _MOST))
    return max(1, sum(1 for _ in takewhile(lambda size: size <= most, sizes)))


def _cut(lines: LineRange, source: Lines, most: int) -> LineRange:
    """As many of these lines as are shown."""
    fitting = _fitting((source.plain[at] for at in range(lines.first - 1, lines.last)), most)
    return LineRange(lines.first, min(lines.last, lines.first + fitting - 1))


def _stretch(evidence: Evidence, count: int) -> LineRange | None:
    """The lines that are shown of a file with so many; None where it has none of them."""
    judgement, cited = evidence.judgement, evidence.citation.lines
    nearest = next(iter(judgement.found_at), None)
    lines = cited or nearest
    if judgement.verdict in _ELSEWHERE and nearest is not None:
        lines = nearest
    elif cited is not None and judgement.suggestion is not None and not cited.holds(judgement.suggestion):
        lines = judgement.suggestion
    return None if lines is None else _within(lines, count)


def _within(lines: LineRange, count: int) -> LineRange | None:
    return LineRange(lines.first, min(lines.last, count)) if lines.first <= count else None


def _around(source: Lines, lines: LineRange, most: int) -> Shown:
    """The lines before and after."""
    above = range(max(1, lines.first - _CONTEXT), lines.first)
    above = above[-_fitting((source.plain[number - 1] for number in reversed(above)), most) :]
    below = range(lines.last + 1, min(len(source), lines.last + _CONTEXT) + 1)
    below = below[: _fitting((source.plain[number - 1] for number in below), most)]
    return Shown(_fold(source, above, "above"), _fold(source, below, "below"))


def _fold(source: Lines, numbers: range, where: str) -> Fold | None:
    if not numbers:
        return None
    word = "line" if len(numbers) == 1 else "lines"
    return Fold(f"{len(numbers)} {word} {where}", listing(source, numbers))


def _cited(evidence: Evidence, source: Lines, stretch: LineRange, most: int) -> Fold | None:
    """The cited lines, where the quote is laid beside others."""
    cited = evidence.citation.lines
    lines = None if cited is None else _within(cited, len(source))
    if lines is None or stretch.holds(lines) or lines.holds(stretch):
        return None
    lines = _cut(lines, source, most)
    return Fold(
        f"What stands at the cited lines {lines}", listing(source, range(lines.first, lines.last + 1))
    )

"""The verdicts at the pin, in the order in which they are tried."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.compare.closest import closest
from provenance.compare.diff import unified
from provenance.compare.difference import difference
from provenance.compare.invisible import invisible
from provenance.compare.layout import Canon
from provenance.compare.question import Question
from provenance.compare.wording import CLOSE, MOST_FOUND, length, moved, not_close, places, plural
from provenance.evidence import Difference, Judgement, Verdict
from provenance.extract.lines import normalise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.glob import Fit
    from provenance.extract.lines import Text
    from provenance.extract.tokens import Lexer

_BOM = "\ufeff"
_MOST_NAMED = 5
"""Ranges that a message names."""


def matches(quote: str, lines: LineRange, text: Text) -> bool:
    """Whether the quote is the cited lines, line terminators and a leading BOM aside: the verdict `exact`."""
    every = text.lines
    if lines.last > len(every):
        return False
    excerpt = "\n".join(every[lines.first - 1 : lines.last])
    wanted = normalise(quote)
    return excerpt == wanted or excerpt.removeprefix(_BOM) == wanted


def judge(
    quote: str | None, lines: LineRange, text: Text, *, lexer: Lexer | None = None, path: str = ""
) -> Judgement:
    """Compare a quote with the lines that it is cited for, from `out-of-range` down.

    Args:
        quote: The quote as the document shows it; None where it shows none.
        lines: The cited range.
        text: The file.
        lexer: Cuts the file's language into tokens; None where the language is not known.
        path: The file's name, for the diff.
    """
    if lines.last > len(text):
        return _out_of_range(quote, lines, text)
    if quote is None:
        found = Judgement(Verdict.UNQUOTED)
    elif matches(quote, lines, text):
        found = Judgement(Verdict.EXACT, similarity=1.0)
    else:
        found = _compared(Question(quote, lines, text), lexer, path)
    hidden = invisible(text.excerpt(lines))
    return replace(found, notes=(*found.notes, f"the cited lines hold {hidden}")) if hidden else found


def _compared(question: Question, lexer: Lexer | None, path: str) -> Judgement:
    if not question.plain:
        return Judgement(Verdict.ABSENT, "the quote is empty", similarity=0.0)
    return (
        _whitespace(question)
        or _elided(question)
        or _anchored(question)
        or _partial(question)
        or _shifted(question)
        or _changed(question, lexer, path)
    )


def _out_of_range(quote: str | None, lines: LineRange, text: Text) -> Judgement:
    count = len(text)
    holds = length(count)
    found = Question(quote, lines, text).places if quote is not None and count else []
    if not found:
        return Judgement(Verdict.OUT_OF_RANGE, holds)
    return Judgement(
        Verdict.OUT_OF_RANGE,
        f"{holds}; the quote stands at {places(found[0].lines, len(found))}",
        similarity=1.0,
        found_at=tuple(fit.lines for fit in found[:MOST_FOUND]),
        suggestion=found[0].lines,
        omitted=found[0].omitted,
        notes=_notes(found[0]),
    )


def _whitespace(question: Question) -> Judgement | None:
    return Judgement(Verdict.WHITESPACE, similarity=1.0) if question.whole() else None


def _elided(question: Question) -> Judgement | None:
    fit = question.filled()
    if fit is None or fit.lies:
        return None
    message = f"{_ranges(fit.omitted)} left out" if fit.omitted else ""
    return Judgement(Verdict.ELIDED, message, similarity=1.0, omitted=fit.omitted, notes=_notes(fit))


def _anchored(question: Question) -> Judgement | None:
    if len(question.lines) > 1 or len(question.plain) == 1:
        return None
    line = question.lines.first
    fit = next((fit for fit in question.places if _shows(fit, line)), None)
    fit = fit or next((fit for fit in question.around if not fit.unmarked), None)
    if fit is None or len(fit.lines) == 1:
        return None
    return Judgement(
        Verdict.ANCHORED,
        f"the quote is {_ranges([fit.lines])}",
        similarity=1.0,
        suggestion=fit.lines,
        omitted=fit.omitted,
        notes=_notes(fit),
    )


def _shows(fit: Fit, line: int) -> bool:
    return line in fit.lines and not any(line in gone for gone in fit.omitted)


def _partial(question: Question) -> Judgement | None:
    cited = question.lines
    single = len(cited) == 1
    if single and len(question.plain) == 1:
        return None
    fit = next(iter(question.around if single else question.within()), None)
    if fit is None:
        return None
    gone = list(fit.omitted)
    unmarked = list(fit.unmarked)
    if cited.first < fit.lines.first:
        marked, bare = _split(LineRange(cited.first, fit.lines.first - 1), fit.before)
        gone, unmarked = [*marked, *gone], [*bare, *unmarked]
    if fit.lines.last < cited.last:
        marked, bare = _split(LineRange(fit.lines.last + 1, cited.last), fit.behind)
        gone, unmarked = [*gone, *marked], [*unmarked, *bare]
    tighter = fit.lines != cited
    message = f"the quote leaves out {_ranges(unmarked)} without a mark"
    return Judgement(
        Verdict.PARTIAL,
        f"{message}; {fit.lines} holds it" if tighter else message,
        similarity=1.0,
        suggestion=fit.lines,
        omitted=tuple(gone),
        notes=_notes(fit),
    )


def _split(lines: LineRange, marked: LineRange | None) -> tuple[list[LineRange], list[LineRange]]:
    """Lines left out at an end of the range: those that marks there stand for, and those that none does."""
    if marked is None:
        return [], [lines]
    bare = [*_between(lines.first, marked.first - 1), *_between(marked.last + 1, lines.last)]
    return _between(max(marked.first, lines.first), min(marked.last, lines.last)), bare


def _between(first: int, last: int) -> list[LineRange]:
    return [LineRange(first, last)] if first <= last else []


def _shifted(question: Question) -> Judgement | None:
    found = question.places
    if not found:
        return None
    nearest = found[0].lines
    return Judgement(
        Verdict.SHIFTED,
        f"the quote stands at {places(nearest, len(found))}, {_moved(question.lines, nearest)}",
        similarity=1.0,
        found_at=tuple(fit.lines for fit in found[:MOST_FOUND]),
        suggestion=nearest,
        omitted=found[0].omitted,
        notes=_notes(found[0]),
    )


def _moved(cited: LineRange, found: LineRange) -> str:
    if found.holds(cited):
        return "which is longer than the cited range"
    return moved(found.first - cited.first or found.last - cited.last)


def _changed(question: Question, lexer: Lexer | None, path: str) -> Judgement:
    code, text = question.code, question.text
    ours = Canon.of(code, question.layout)
    if not ours:
        return Judgement(Verdict.ABSENT, "the quote holds nothing but omission marks", similarity=0.0)
    lying = next(iter(question.lying()), None)
    if lying:
        lines, share, message = lying.lines, 1.0, lying.lies[0]
        sort = Difference.CODE
    else:
        lines, share, _ = closest(ours, question.source(), text, question.lines)
        share = round(share, 4)
        if share < CLOSE:
            return Judgement(Verdict.ABSENT, not_close(share), similarity=share)
        sort = difference("\n".join(code), text.excerpt(lines), lexer)
        message = f"the quote differs in {sort}"
    away = not question.lines.holds(lines)
    if away:
        message += f"; {lines} comes closest"
    return Judgement(
        Verdict.CHANGED,
        message,
        difference=sort,
        similarity=share,
        found_at=(lines,),
        suggestion=lines if away else None,
        diff=unified(question.quote, text.slice(lines), lines, path=path),
    )


def _notes(fit: Fit) -> tuple[str, ...]:
    notes = []
    if fit.shift:
        way = "indented" if fit.shift > 0 else "dedented"
        notes.append(f"the quote is {way} by {abs(fit.shift)} {plural('column', abs(fit.shift))}")
    if fit.idle:
        notes.append("an omission mark stands for no line")
    return tuple(notes)


def _ranges(ranges: Sequence[LineRange]) -> str:
    named = ", ".join(str(lines) for lines in ranges[:_MOST_NAMED])
    more = f" and {len(ranges) - _MOST_NAMED} more stretches" if len(ranges) > _MOST_NAMED else ""
    one = len(ranges) == 1 and len(ranges[0]) == 1
    return f"{'line' if one else 'lines'} {named}{more}"

"""The verdicts on an expression: a line or more of code that a document shows, found on the file's syntax tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.compare.diff import unified
from provenance.compare.difference import difference
from provenance.compare.expressions.nearest import nearest
from provenance.compare.expressions.seeking import Seeker
from provenance.compare.invisible import invisible
from provenance.compare.wording import CLOSE, MOST_FOUND, length, moved, not_close, places, plural
from provenance.evidence import Difference, Judgement, Verdict
from provenance.extract.lines import normalise
from provenance.extract.symbols import lexer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.expressions.fitting import Fit
    from provenance.extract.code import Span
    from provenance.extract.lines import Text
    from provenance.extract.syntax import Syntax

_BLANK = " \t\n\r\f\v\u00a0\u200b\u2060\ufeff"
"""What means nothing at an expression's ends."""
_MOST_NAMED = 5
"""Arguments, or stretches that marks stand for, that a message names."""
_LONGEST_NAME = 60
"""Characters of one of them that are shown."""
_MOST_COMPARED = 20_000
"""Characters of an expression that stands nowhere by which the closest stretch is found."""
_MOST_CUT = 8_000
"""Characters of it and of that stretch up to which it is told what sort of difference there is."""


def judge_expression(
    expression: str, lines: LineRange, text: Text, *, syntax: Syntax | None, path: str = ""
) -> Judgement:
    """Compare an expression with the code that begins at the lines that it is cited for.

    Args:
        expression: The expression as the document shows it.
        lines: The cited range; what it is cited for begins there, and may end behind it.
        text: The file.
        syntax: The file's syntax tree. None where its language is not known: words, signs and balanced brackets then
            stand in for the tree.
        path: The file's name, for the diff.
    """
    seeker = Seeker(normalise(expression).strip(_BLANK).rstrip(_BLANK + "\\"), lines, text, syntax)
    if lines.last > len(text):
        return _out_of_range(seeker, len(text))
    found = _compared(seeker, text, path, syntax)
    hidden = invisible(text.excerpt(lines))
    return replace(found, notes=(*found.notes, f"the cited lines hold {hidden}")) if hidden else found


def _compared(seeker: Seeker, text: Text, path: str, syntax: Syntax | None) -> Judgement:
    if not seeker.expression:
        return Judgement(Verdict.ABSENT, "the expression is empty", similarity=0.0)
    if seeker.is_verbatim():
        return Judgement(Verdict.EXACT, similarity=1.0)
    return _here(seeker) or _shifted(seeker) or _changed(seeker, text, path, syntax)


def _out_of_range(seeker: Seeker, count: int) -> Judgement:
    holds = length(count)
    found = seeker.anywhere() if seeker.expression and count else []
    if not found:
        return Judgement(Verdict.OUT_OF_RANGE, holds)
    return Judgement(
        Verdict.OUT_OF_RANGE,
        f"{holds}; the expression stands at {places(seeker.span(found[0]), len(found))}",
        similarity=1.0,
        found_at=tuple(map(seeker.span, found[:MOST_FOUND])),
        suggestion=seeker.span(found[0]),
        notes=_notes(found[0], seeker) + _ended(seeker),
    )


def _here(seeker: Seeker) -> Judgement | None:
    fit = seeker.here()
    if fit is None:
        return None
    notes = _notes(fit, seeker)
    if fit.left:
        message = f"the expression leaves out {_arguments(len(fit.left))} without a mark"
        return Judgement(Verdict.PARTIAL, message, similarity=1.0, notes=notes)
    if seeker.is_same(fit):
        return Judgement(Verdict.EXACT, similarity=1.0)
    if not fit.is_marked:
        return Judgement(Verdict.WHITESPACE, similarity=1.0)
    message = f"left out: {_named(fit.marked, seeker)}" if fit.marked else ""
    return Judgement(Verdict.ELIDED, message, similarity=1.0, notes=notes)


def _shifted(seeker: Seeker) -> Judgement | None:
    found = seeker.anywhere()
    if not found:
        return None
    place = seeker.span(found[0])
    return Judgement(
        Verdict.SHIFTED,
        f"the expression stands at {places(place, len(found))}, {moved(place.first - seeker.lines.first)}",
        similarity=1.0,
        found_at=tuple(map(seeker.span, found[:MOST_FOUND])),
        suggestion=place,
        notes=_notes(found[0], seeker) + _ended(seeker),
    )


def _changed(seeker: Seeker, text: Text, path: str, syntax: Syntax | None) -> Judgement:
    shown = seeker.expression[:_MOST_COMPARED]
    code = shown.replace("\u2026", " ")
    notes = _reasons(seeker)
    if not (seeker.wanted.readings or seeker.wanted.is_long):
        return Judgement(Verdict.ABSENT, "the expression holds no code", similarity=0.0, notes=notes)
    found = nearest(code, text.text, _characters(seeker.lines, text))
    share = round(found.share, 4) if found else 0.0
    if found is None or share < CLOSE:
        return Judgement(Verdict.ABSENT, not_close(share), similarity=share, notes=notes)
    first = text.text.count("\n", 0, found.start) + 1
    lines = LineRange(first, first + text.text.count("\n", found.start, found.end))
    sort = _sort(code, text.text[found.start : found.end], syntax)
    message = f"the expression differs in {sort}"
    if sort in {Difference.WHITESPACE, Difference.COMMENTS}:  # neither is one to an expression
        sort = Difference.CODE
        message = f"the expression's tokens stand at {lines}, and are no piece of code in themselves there"
    away = lines.first not in seeker.lines
    if away:
        message += f"; {lines} comes closest"
    return Judgement(
        Verdict.CHANGED,
        message,
        difference=sort,
        similarity=share,
        found_at=(lines,),
        suggestion=lines if away else None,
        diff=unified(shown.split("\n"), text.slice(lines), lines, path=path),
        notes=notes,
    )


def _sort(code: str, source: str, syntax: Syntax | None) -> Difference:
    if len(code) + len(source) > _MOST_CUT:
        return Difference.CODE
    return difference(code, source, lexer(syntax.language) if syntax else None)


def _characters(lines: LineRange, text: Text) -> tuple[int, int]:
    """Where lines begin and end in a file's text."""
    start = sum(len(line) + 1 for line in text.lines[: lines.first - 1])
    return start, start + len(text.excerpt(lines))


def _reasons(seeker: Seeker) -> tuple[str, ...]:
    """What a person should know of an expression that stands nowhere."""
    notes = []
    if seeker.wanted.is_long:
        notes.append("the expression is too long to be looked for token by token: only its very text was")
    if seeker.wanted.fault:
        notes.append(f"the expression does not parse: {seeker.wanted.fault}")
    held = seeker.elsewhere()
    if held is not None:
        line, kind = held
        where = f"inside a {kind}" if kind else "as a part of something larger"
        notes.append(f"its text stands at line {line}, {where}")
    return tuple(notes) + _ended(seeker)


def _ended(seeker: Seeker) -> tuple[str, ...]:
    return ("the search took too long and was ended early",) if seeker.is_spent else ()


def _notes(fit: Fit, seeker: Seeker) -> tuple[str, ...]:
    notes = []
    if fit.left:
        notes.append(f"left out without a mark: {_named(fit.left, seeker)}")
    if fit.idle:
        notes.append(f"an omission mark stands for no {'argument' if all(fit.idle) else 'code'}")
    return tuple(notes)


def _named(stretches: Sequence[Span], seeker: Seeker) -> str:
    """Stretches of the file, as they stand there."""
    named = []
    for stretch in stretches[:_MOST_NAMED]:
        shown = seeker.shown(stretch)
        named.append(shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1]}…")
    more = len(stretches) - _MOST_NAMED
    return ", ".join(named) + (f" and {more} more" if more > 0 else "")


def _arguments(count: int) -> str:
    return f"{count} {plural('argument', count)}"

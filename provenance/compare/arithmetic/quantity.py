"""Whether the arithmetic that a document shows holds: terms, total, repetition, statements and shapes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from provenance.compare.arithmetic.dimensions import counts, undimensioned
from provenance.compare.arithmetic.evaluation import Unreadable, tidy
from provenance.compare.arithmetic.figures import (
    added,
    clipped,
    figure,
    is_count,
    known,
    read,
    readable,
    refuted,
    summed,
    written,
)
from provenance.compare.arithmetic.statements import disagreements, inexact
from provenance.compare.numbers import shown
from provenance.evidence import Judgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from provenance.citation import Quantity
    from provenance.compare.arithmetic.figures import Figures, Known

_MOST_TOLD = 5
"""Sentences in a message."""
_MOST_NOTES = 5


def judge_quantity(quantity: Quantity) -> Judgement:
    """Whether every equation holds, and everything that is stated agrees; never an exception.

    Checked in this order, and told in it, up to five failures: the terms, their sum, the repetition, the statements,
    and whether each dimension of a calculation stands in a shape of the document, and one of a product in square
    brackets. What cannot be read is a failure. Equations that stand alone, with no value that they are of, have to hold
    each by itself.
    """
    figures = read(quantity)
    facts = known(figures)
    wrong = list(_failures(quantity, figures, facts))
    if not wrong:
        return Judgement(Verdict.HOLDS, notes=tuple(_notes(quantity, figures, facts)))
    more = len(wrong) - _MOST_TOLD
    told = "; ".join(wrong[:_MOST_TOLD]) + (f"; and {more:,} more" if more > 0 else "")
    return Judgement(Verdict.BROKEN, told)


def summary(quantity: Quantity) -> str:
    """The quantity on one line for people, such as `1,050,624 × 6 = 6,303,744` or `512 × 2048 + 2048 = 1,050,624`."""
    facts = known(read(quantity))
    total = figure(quantity.total) if quantity.total is not None else _shown(facts.total)
    overall = figure(quantity.overall) if quantity.overall is not None else _shown(facts.overall)
    if quantity.repeated is not None:
        line = f"{total} × {figure(quantity.repeated)} = {overall}"
    elif quantity.terms:
        line = f"{summed(written(term.calculation) for term in quantity.terms)} = {total}"
    elif quantity.total is not None or quantity.overall is not None:
        line = f"= {total if quantity.total is not None else overall}"
    else:
        line = tidy(quantity.statements[0]) if quantity.statements else "nothing to calculate"
    return clipped(line)


def _shown(value: Fraction | None) -> str:
    return "?" if value is None else shown(value)


def _failures(quantity: Quantity, figures: Figures, facts: Known) -> Iterator[str]:
    yield from _terms(figures)
    yield from _sum(figures)
    yield from _repetition(figures, facts)
    terms = {stated for row in figures.rows if (stated := readable(row.stated)) is not None}
    yield from disagreements(quantity.statements, facts, terms)
    yield from undimensioned(quantity)


def _terms(figures: Figures) -> Iterator[str]:
    """Terms that do not come to what the document says."""
    for row in figures.rows:
        calculated, stated = row.calculated, row.stated
        if isinstance(calculated, Unreadable):
            yield f"{row.name}{calculated}"
        if isinstance(stated, Unreadable):
            yield f"{row.name}its value: {stated}"
        if isinstance(calculated, Unreadable) or isinstance(stated, Unreadable):
            continue
        if calculated != stated:
            yield row.name + refuted(f"{written(row.term.calculation)} = {shown(stated)}", calculated)


def _sum(figures: Figures) -> Iterator[str]:
    """Terms that do not come to the total together."""
    if isinstance(figures.total, Unreadable):
        yield f"total: {figures.total}"
    if not figures.rows:
        return
    total = added(row.stated for row in figures.rows)
    if isinstance(total, str):
        yield f"the sum of the terms: {total}"
    elif total is not None and readable(figures.total) not in {None, total}:
        parts = summed(shown(stated) for row in figures.rows if (stated := readable(row.stated)) is not None)
        yield refuted(f"{parts} = {_shown(readable(figures.total))}", total)


def _repetition(figures: Figures, facts: Known) -> Iterator[str]:
    """A total that, taken so often, is not the overall value."""
    repeated, overall = figures.repeated, figures.overall
    if isinstance(repeated, Unreadable):
        yield f"repeated: {repeated}"
    elif repeated is not None and not is_count(repeated):
        yield f"repeated: {shown(repeated)} is no whole number above 0"
    if isinstance(overall, Unreadable):
        yield f"overall: {overall}"
    elif overall is not None and facts.total is not None and facts.repeated is not None:
        right = facts.total * facts.repeated
        if right != overall:
            yield refuted(f"{shown(facts.total)} × {shown(facts.repeated)} = {shown(overall)}", right)


def _notes(quantity: Quantity, figures: Figures, facts: Known) -> Iterator[str]:
    """What a reader should know of a quantity that holds."""
    if (
        not quantity.terms
        and not quantity.statements
        and None in {facts.total, facts.repeated, figures.overall}
    ):
        yield "nothing to calculate"
    elif (
        readable(figures.overall) not in {None, facts.total}
        and facts.total is not None
        and not facts.repeated
    ):
        yield f"{_shown(facts.overall)} was not checked: how often the total is taken is not stated"
    for text in islice(inexact(quantity.statements), _MOST_NOTES):
        yield f"{text} is not exact, and was not checked"
    yield from islice(counts(quantity), _MOST_NOTES)

"""The figures of a quantity: its numbers as exact values, and how messages show them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from provenance.compare.arithmetic.evaluation import Unreadable, bounded, evaluate, tidy
from provenance.compare.numbers import shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.citation import Quantity, Term

_LONGEST = 160
"""Characters of a calculation that a message shows."""
_LONGEST_NAME = 60
_MOST_SUMMANDS = 6
_WHOLE = re.compile(r"(?<![\w.,])[0-9]{4,}(?![\w.,])")

Figure = Fraction | Unreadable | None
"""A number as stated; why it cannot be read; or None where none is stated."""


@dataclass(frozen=True, slots=True)
class Row:
    """A term, worked out."""

    term: Term
    calculated: Fraction | Unreadable
    """What its calculation comes to."""
    stated: Fraction | Unreadable
    """What the document says it comes to."""

    @property
    def name(self) -> str:
        """The term's name as the beginning of a message; empty where it has none."""
        name = clipped(self.term.name, _LONGEST_NAME)
        return f"{name}: " if name else ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What a quantity states, read."""

    rows: tuple[Row, ...]
    total: Figure
    repeated: Figure
    overall: Figure


@dataclass(frozen=True, slots=True)
class Known:
    """What a quantity comes to, as stated, or else as it follows from what is stated."""

    total: Fraction | None
    repeated: Fraction | None
    """A whole number above 0, where it is known."""
    overall: Fraction | None


def read(quantity: Quantity) -> Figures:
    """Work out every calculation and number of a quantity, the statements aside."""
    rows = (Row(term, evaluate(term.calculation), evaluate(term.equals)) for term in quantity.terms)
    total, repeated, overall = (
        None if text is None else evaluate(text)
        for text in (quantity.total, quantity.repeated, quantity.overall)
    )
    return Figures(tuple(rows), total, repeated, overall)


def known(figures: Figures) -> Known:
    """What is known of a quantity; what is stated goes before what would follow."""
    repeated = readable(figures.repeated) if is_count(figures.repeated) else None
    total, overall = readable(figures.total), readable(figures.overall)
    if total is None and figures.rows:
        total = readable(added(row.stated for row in figures.rows))
    if total is None and overall is not None and repeated:
        total = overall / repeated
    if overall is None and total is not None and repeated:
        overall = total * repeated
    return Known(total, repeated, overall)


def readable(figure: Figure | str) -> Fraction | None:
    """The figure, where it is a number."""
    return figure if isinstance(figure, Fraction) else None


def is_count(figure: Figure) -> bool:
    """Whether it is a whole number above 0."""
    return isinstance(figure, Fraction) and figure.denominator == 1 and figure > 0


def added(figures: Iterable[Fraction | Unreadable]) -> Fraction | str | None:
    """The sum, or why it was not calculated; None where a figure cannot be read."""
    total = Fraction(0)
    for figure in figures:
        if isinstance(figure, Unreadable):
            return None
        fits = bounded(total + figure)
        if isinstance(fits, str):
            return fits
        total = fits
    return total


def clipped(text: str, most: int = _LONGEST) -> str:
    """A text on one line, cut where it is too long for a message."""
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 1]}…"


def written(calculation: str) -> str:
    """A calculation as messages show it, with the thousands of its whole numbers parted."""
    return _WHOLE.sub(lambda match: f"{int(match[0]):,}", clipped(tidy(calculation)))


def figure(text: str) -> str:
    """A number as messages show it, with its thousands parted; as it is where it cannot be read."""
    value = evaluate(text)
    return clipped(text) if isinstance(value, Unreadable) else shown(value)


def summed(parts: Iterable[str]) -> str:
    """Parts with plus signs between them, the middle cut out where there are too many."""
    listed = list(parts)
    if len(listed) > _MOST_SUMMANDS:
        listed = [*listed[: _MOST_SUMMANDS - 2], "…", listed[-1]]
    return " + ".join(listed)


def refuted(equation: str, right: Fraction) -> str:
    """Say that an equation does not hold, and what would be right."""
    return f"{equation} does not hold; {shown(right)} would be right"

"""What a document states of a quantity elsewhere: numbers and equations, which must all agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.compare.arithmetic.evaluation import LONGEST, Unreadable, equation, evaluate, factors, signs
from provenance.compare.arithmetic.figures import clipped, refuted, written
from provenance.compare.numbers import number, plain, shown
from provenance.compare.typeset import TIMES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from fractions import Fraction

    from provenance.compare.arithmetic.figures import Known


@dataclass(frozen=True, slots=True)
class _Stated:
    """A statement that holds in itself."""

    sides: tuple[str, ...]
    """In plain form; never none."""
    value: Fraction
    """What all of them come to."""

    @property
    def products(self) -> list[tuple[Fraction, ...]]:
        """The factors of those sides that multiply two values."""
        return [pair for pair in map(factors, self.sides) if len(pair) == _PAIR]

    def __str__(self) -> str:
        return _shown(self.sides)


_PAIR = 2


def disagreements(statements: Sequence[str], known: Known, terms: Collection[Fraction] = ()) -> Iterator[str]:
    """What is wrong with statements, a sentence each, in their order.

    A number must be the total or the overall value. An equation must hold, and come to one of them as well; where it
    multiplies two values and comes to the overall one, they are the total and how often it is taken. A calculation may
    also be that of a term, told once more.

    Args:
        statements: What the document states.
        known: What the quantity comes to.
        terms: What its terms come to.
    """
    stated: list[_Stated] = []
    told = _contradiction(known)
    for text in statements:
        read = _read(text, known, told)
        if isinstance(read, str):
            yield read
        elif read:
            stated.append(read)
    known = _completed(known, stated)
    if known.total is None and known.overall is None:
        yield from _differing(stated, known)
        return
    for each in stated:
        if each.value in {known.total, known.overall}:
            if each.value != known.total and known.total is not None and known.repeated is not None:
                wanted = sorted((known.total, known.repeated))
                if any(sorted(pair) != wanted for pair in each.products):
                    yield f"{each} does not multiply the total {shown(known.total)} by {shown(known.repeated)}"
        elif each.value not in terms or not any(map(signs, each.sides)):
            yield f"the document also states {each}, and {_expected(known)}"


def inexact(statements: Sequence[str]) -> list[str]:
    """The statements that state nothing exact, as in `≈ 6.3 million`."""
    return [clipped(text) for text in statements if len(text) <= LONGEST and not equation(text)]


def _contradiction(known: Known) -> tuple[Fraction, Fraction, Fraction] | None:
    """Total, repetition and overall value, where they contradict each other: that is told once."""
    if known.total is None or known.repeated is None or known.overall is None:
        return None
    return (
        None
        if known.total * known.repeated == known.overall
        else (known.total, known.repeated, known.overall)
    )


def _read(text: str, known: Known, told: tuple[Fraction, Fraction, Fraction] | None) -> _Stated | str | None:
    """A statement; what is wrong with it; or None where nothing in it is exact, or where it was told.

    Args:
        text: As the document has it.
        known: What the quantity comes to.
        told: Two factors and a result that were told not to agree.
    """
    sides = equation(text) if len(text) <= LONGEST else (text,)
    if not sides:
        return None
    if sides[0].startswith(TIMES) and known.total is not None:
        sides = (f"{shown(known.total)} {sides[0]}", *sides[1:])
    values: list[Fraction] = []
    for side in sides:
        whole = side == plain(text).strip()
        value = evaluate(text if whole else side)
        if isinstance(value, Unreadable):
            part = "" if whole else f" in {clipped(side)},"
            return f"the statement {clipped(text)}:{part} {value}"
        values.append(value)
    right = next((value for side, value in zip(sides, values, strict=True) if signs(side)), values[0])
    if any(value != right for value in values):
        return None if told is not None and _is_told(sides, values, told) else refuted(_shown(sides), right)
    return _Stated(sides, right)


def _is_told(
    sides: Sequence[str], values: Sequence[Fraction], told: tuple[Fraction, Fraction, Fraction]
) -> bool:
    """Whether an equation says no more than that two factors come to a result."""
    *pair, result = told
    return all(
        value == result if signs(side) == 0 else sorted(factors(side)) == sorted(pair)
        for side, value in zip(sides, values, strict=True)
    )


def _shown(sides: Sequence[str]) -> str:
    """An equation as messages show it: numbers that stand alone with their thousands parted."""
    shows = []
    for side in sides:
        value = number(side)
        shows.append(written(side) if value is None else shown(value))
    return clipped(" = ".join(shows))


def _completed(known: Known, stated: Sequence[_Stated]) -> Known:
    """What is known, with the overall value that an equation makes of the total where nothing else tells it."""
    if known.overall is None and known.total is not None:
        for each in stated:
            if any(known.total in pair for pair in each.products):
                return replace(known, overall=each.value)
    return known


def _expected(known: Known) -> str:
    if known.total is None and known.overall is not None:
        return f"the overall value is {shown(known.overall)}"
    total = f"the total is {shown(known.total)}" if known.total is not None else ""
    if known.overall in {None, known.total}:
        return total
    return f"{total} and the overall value {shown(known.overall)}"


def _differing(stated: Sequence[_Stated], known: Known) -> Iterator[str]:
    """Statements that do not agree, where nothing but they says what the quantity is: the first one is believed.

    Equations alone may be of many things, and hold each by itself.
    """
    if not stated or (known.repeated is None and all(len(each.sides) > 1 for each in stated)):
        return
    first = stated[0].value
    times = known.repeated or 1
    for allowed in ({first, first * times}, {first, first / times}):
        if all(each.value in allowed for each in stated):
            return
    for each in stated[1:]:
        if each.value not in {first, first * times}:
            yield f"the document states {stated[0]}, and also {each}"

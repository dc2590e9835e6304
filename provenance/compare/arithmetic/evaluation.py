"""Arithmetic that documents show, worked out exactly and within bounds.

Numbers with separators, `+ - × · * / ^ **`, brackets and unary signs, in plain, Unicode and LaTeX form. Words behind a
number are labels: `× 6 layers` is × 6. Two values side by side are an error, never a product.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, assert_never

from provenance.compare.arithmetic.calculation import LONGEST, Kind, Step, Token, Unreadable, steps, tokens
from provenance.compare.numbers import plain
from provenance.compare.typeset import NEARLY, TIMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["LONGEST", "Unreadable", "bounded", "equation", "evaluate", "factors", "operands", "signs", "tidy"]

_LARGEST = 10**1_000
"""Of a numerator and a denominator, at every step."""
_MOST_BITS = _LARGEST.bit_length()
_REMEMBERED = 256
"""Calculations that are kept worked out: a quantity asks for each of its own several times."""
_EQUALS = re.compile(rf"(=+|{NEARLY})")
_PARTS_DIGITS = re.compile(r"[_, ]")


class _Value(NamedTuple):
    """What was worked out so far of a part of a calculation."""

    exact: Fraction
    factors: tuple[Fraction, ...]
    """The values whose product it is; itself alone where it is none."""


def evaluate(text: str) -> Fraction | Unreadable:
    """Work a calculation out; a lone number is one too.

    A value over 10^1000, or one that takes more than 1,000 digits, is not worked out.
    """
    value = _worked_out(text[: LONGEST + 1])
    return value if isinstance(value, Unreadable) else value.exact


def factors(text: str) -> tuple[Fraction, ...]:
    """The values that a calculation multiplies last: 3 and 5 for `(1 + 2) × 5`; none where it cannot be worked out."""
    value = _worked_out(text[: LONGEST + 1])
    return () if isinstance(value, Unreadable) else value.factors


def operands(text: str) -> tuple[Fraction, ...]:
    """The numbers that are written in a calculation, in order, exponents left out; none where it cannot be read."""
    order = _order(text[: LONGEST + 1])
    if isinstance(order, Unreadable):
        return ()
    found: list[Fraction] = []
    begins: list[int] = []
    """For each value that waits, where in `found` its own numbers begin."""
    for step in order:
        match step.kind:
            case Kind.NUMBER:
                begins.append(len(found))
                found.append(step.value)
            case Kind.SIGN:
                right = begins.pop()
                if step.sign == "^":
                    del found[right:]
            case _:
                pass
    return tuple(found)


def signs(text: str) -> int:
    """How many signs stand between values, 0 for a lone number; -1 where the calculation cannot be read."""
    order = _order(text[: LONGEST + 1])
    return -1 if isinstance(order, Unreadable) else sum(step.kind is Kind.SIGN for step in order)


def equation(text: str) -> tuple[str, ...]:
    """The sides of `A = B = C` in plain form; one side where nothing is equated.

    What follows a `≈` is not exact: neither it nor anything behind it is a side. A first side that is empty, as in
    `= 16,384`, is none.
    """
    exact, nearly, _ = plain(text).partition(NEARLY)
    sides = [side.strip() for side in _EQUALS.split(exact)[::2]]
    if len(sides) > 1 or nearly:
        sides = sides[1:] if not sides[0] else sides
    return tuple(sides)


def tidy(text: str) -> str:
    r"""The plain form in which a manifest keeps a calculation or an equation.

    `$1{,}050{,}624 \times 6 = 6{,}303{,}744$` is `1050624 × 6 = 6303744`: no separators, one space around a sign
    between two values (none around `^`), words kept. An equation may begin with `=` or with `×`. A text that cannot
    be read comes back as it is, white space at its ends aside.
    """
    if len(text) > LONGEST:
        return text.strip()
    sides = _EQUALS.split(plain(text).strip())
    for index in range(0, len(sides), 2):
        side = sides[index].strip()
        first = index == 0
        if first and not side and len(sides) > 1:
            continue
        parts = tokens(side, goes_on=first and side.startswith(TIMES))
        if isinstance(parts, Unreadable) or isinstance(steps(parts), Unreadable):
            return text.strip()
        sides[index] = "".join(_laid_out(parts)).strip()
    return " ".join(side[:1] if side.startswith("=") else side for side in sides if side)


def _laid_out(parts: Sequence[Token]) -> Iterator[str]:
    for index, part in enumerate(parts):
        match part.kind:
            case Kind.NUMBER:
                yield _PARTS_DIGITS.sub("", part.text)
            case Kind.SIGN:
                yield "^" if part.text == "^" else f" {part.text} "
            case Kind.LABEL:
                yield f" {' '.join(part.text.split())}"
            case Kind.OPEN | Kind.CLOSE:
                yield "" if _idle(parts, index) else part.text
            case Kind.PREFIX:
                yield part.text
            case _:
                assert_never(part.kind)


def _idle(parts: Sequence[Token], index: int) -> bool:
    """Whether a bracket does no more than raise one number, as in `2^(6)`."""
    start = index if parts[index].kind is Kind.OPEN else index - 2
    kinds = [part.kind for part in parts[max(0, start - 1) : start + 3]]
    return kinds == [Kind.SIGN, Kind.OPEN, Kind.NUMBER, Kind.CLOSE] and parts[start - 1].text == "^"


@lru_cache(maxsize=_REMEMBERED)
def _order(text: str) -> Sequence[Step] | Unreadable:
    parts = tokens(text)
    return parts if isinstance(parts, Unreadable) else steps(parts)


@lru_cache(maxsize=_REMEMBERED)
def _worked_out(text: str) -> _Value | Unreadable:
    order = _order(text)
    if isinstance(order, Unreadable):
        return order
    values: list[_Value] = []
    for step in order:
        value = _result(step, values)
        wrong = value if isinstance(value, str) else bounded(value.exact)
        if isinstance(value, str) or isinstance(wrong, str):
            return Unreadable(str(wrong), step.column)
        values.append(value)
    return values.pop()


def _result(step: Step, values: list[_Value]) -> _Value | str:
    """Take what a step works on from the values that wait, and work it out; or say why that cannot be."""
    if step.kind is Kind.NUMBER:
        return _alone(step.value)
    right = values.pop()
    if step.kind is Kind.PREFIX:
        return _alone(-right.exact) if step.sign == "-" else right
    left = values.pop()
    if step.sign == TIMES:
        return _Value(left.exact * right.exact, left.factors + right.factors)
    value = _combined(left.exact, step.sign, right.exact)
    return value if isinstance(value, str) else _alone(value)


def _combined(left: Fraction, sign: str, right: Fraction) -> Fraction | str:
    match sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "/":
            return left / right if right else "the division is by zero"
        case _:
            return _power(left, right)


def _alone(value: Fraction) -> _Value:
    return _Value(value, (value,))


def _power(base: Fraction, exponent: Fraction) -> Fraction | str:
    """A power; how large it becomes is known before it is worked out."""
    if exponent.denominator != 1:
        return "the exponent is no whole number"
    if base == 0 and exponent < 0:
        return "the division is by zero"
    if base in {0, 1, -1}:
        return base ** (2 + exponent.numerator % 2) if exponent else Fraction(1)
    bits = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(exponent.numerator) > _MOST_BITS:
        return _too_large(
            larger=(abs(base) > 1) == (exponent > 0), whole=1 in {abs(base.numerator), base.denominator}
        )
    return Fraction(base**exponent.numerator)


def bounded(value: Fraction) -> Fraction | str:
    """The value, or why it is too large to go on with: what is added up over and over has to stay small."""
    over, under = abs(value.numerator), value.denominator
    if over <= _LARGEST and under <= _LARGEST:
        return value
    beyond = over > under * _LARGEST or under > over * _LARGEST
    return _too_large(larger=over > under, whole=beyond)


def _too_large(*, larger: bool, whole: bool) -> str:
    """Say that a value is not worked out.

    Args:
        larger: Whether it is more than 1.
        whole: Whether it is that far from 1; else it takes too many digits alone.
    """
    if not whole:
        return "the value takes more than 1,000 digits, and was not calculated"
    limit = "larger than 10^1000" if larger else "smaller than 10^-1000"
    return f"the value is {limit}, and was not calculated"

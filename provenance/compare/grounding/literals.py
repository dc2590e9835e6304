"""The numbers that stand in code: literals of any notation, digits in names, and what it works out of literals."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.numbers import numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BASED = r"0[xX][0-9a-fA-F](?:_?[0-9a-fA-F]){0,63}+|0[bB][01](?:_?[01]){0,255}+|0[oO][0-7](?:_?[0-7]){0,85}+"
_DECIMAL = (
    r"(?:[0-9]++(?:[_'][0-9]++)*+(?:\.[0-9]++)?+|(?<![0-9])\.[0-9]++)(?:[eE][+-]?[0-9]{1,3}(?![0-9]))?+"
)
_LITERAL = re.compile(rf"(?P<minus>[-\u2212][ \t]?\(?[ \t]?)?(?P<literal>{_BASED}|{_DECIMAL})")
_TYPESET = re.compile(
    r"[0-9][,~{\u00a0\u2009\u202f ]{1,2}[0-9]{3}"
    r"|[%^\\\u00d7\u2212\u00b2\u00b3\u00b9\u2070-\u2079\u00bc-\u00be\u2150-\u215e]"
)
"""In a line with numbers that are written as documents do: `2,048`, `10^-6`, `10%`."""
_OPERATOR = re.compile(
    r"[uUlLfF]{0,3}[ \t)]{0,4}(?P<sign>\*\*|\*|<<|//?|\u00d7|\u00b7|\^|[-+\u2212])[ \t(]{0,4}"
    r"(?P<minus>[-\u2212][ \t]?\(?)?"
)
"""What joins two literals of one line to a calculation."""
_MOST_TERMS = 16
"""Literals in a row that are taken for one calculation."""
_LONGEST_JOINT = 24
"""Characters between two such literals."""
_LONGEST = 300
"""A literal of more characters is no number that a claim states."""
_MOST_BITS = 1_024
"""A power or a shift that would have more is not worked out."""


class _Term(NamedTuple):
    sign: str
    """The operator before it; empty for the first one."""
    value: Fraction | int


def numbers_of(code: str) -> Iterator[Fraction | int]:
    """The numbers of code, those of its calculations too; where a minus stands before one, also the one below zero."""
    terms: list[_Term] = []
    end = 0
    for match in _LITERAL.finditer(code):
        start = match.start("literal")
        joint = _OPERATOR.fullmatch(code, end, start) if terms and start - end <= _LONGEST_JOINT else None
        end = match.end()
        value = _worth(match["literal"])
        if value is None:
            continue
        minus = match["minus"] is not None
        yield value
        if minus:
            yield -value
        if joint and len(terms) < _MOST_TERMS:
            terms.append(_Term(joint["sign"], -value if joint["minus"] else value))
        else:
            if len(terms) > 1:
                yield from _calculated(terms)
            terms = [_Term("", -value if minus else value)]
    if len(terms) > 1:
        yield from _calculated(terms)
    for line in filter(_TYPESET.search, code.split("\n")):
        for found in numbers_in(line):
            yield found.value
            yield abs(found.value)


def _worth(literal: str) -> Fraction | int | None:
    if len(literal) > _LONGEST:
        return None
    if literal.isdecimal():
        return int(literal)
    digits = literal.replace("_", "").replace("'", "")
    if digits.isdecimal():
        return int(digits)
    return int(digits, 0) if digits[1] in "xXbBoO" else Fraction(digits)


def _calculated(terms: Sequence[_Term]) -> Iterator[Fraction]:
    """What two or more literals come to, and what their beginnings do: powers first, then from left to right."""
    factors: list[_Term] = []
    for term in terms:
        if factors and term.sign in {"**", "^"}:
            power = _power(Fraction(factors[-1].value), Fraction(term.value))
            if power is None:
                return
            yield power
            factors[-1] = _Term(factors[-1].sign, power)
        else:
            factors.append(term)
    result = Fraction(factors[0].value)
    for term in factors[1:]:
        applied = _applied(result, term)
        if applied is None:
            return
        result = applied
        yield result
        yield -result


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if not base or exponent.denominator != 1 or abs(exponent) * size > _MOST_BITS:
        return None
    return Fraction(base ** int(exponent))


def _applied(left: Fraction, term: _Term) -> Fraction | None:
    right = Fraction(term.value)
    match term.sign:
        case "*" | "\u00d7" | "\u00b7":
            return left * right
        case "/" | "//":
            return left / right if right else None
        case "<<":
            return left * 2 ** int(right) if right.denominator == 1 and 0 <= right <= _MOST_BITS else None
        case "+":
            return left + right
        case _:
            return left - right

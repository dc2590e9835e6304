"""How documents and code write numbers, as exact values.

`1e-6`, `0.000001` and `10^{-6}` are one number, and so are `2,048`, `2{,}048` and `2048`. Nothing here is a float, and
nothing is run as code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from provenance.compare import typeset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_MOST_DIGITS = 400
"""Digits of a literal that is read, and of a number that is shown in full."""
_MOST_PLACES = 10_000
"""A power of ten with a larger exponent, of either sign, is not read."""
_VULGAR: Mapping[str, Fraction] = MappingProxyType(
    {
        sign: Fraction(*map(int, value))
        for sign, value in zip(
            "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
            ("12", "13", "23", "14", "34", "15", "25", "35", "45", "16", "56", "18", "38", "58", "78"),
            strict=True,
        )
    }
)
"""Signs of a whole fraction, and what they are worth."""
_BASES: Mapping[str, int] = MappingProxyType({"x": 16, "o": 8, "b": 2})

_LETTER = r"A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f"
"""What makes one word with a digit beside it, within a class of a pattern. Ideographs do not: they know no spaces."""
_DIGITS = r"[0-9]++(?:_[0-9]++)*+"
_COMMAS = r"[1-9][0-9]{0,2}(?:,[0-9]{3})++(?![0-9]|,[0-9])"
_SPACES = r"[1-9][0-9]{0,2}(?:\ [0-9]{3})++(?!\ ?[0-9])"
_EXPONENT = r"[+-]?[0-9]++"
_TEN = rf"10\ ?(?:\^|\*\*)\ ?(?P<%s>{_EXPONENT}|\(\ ?{_EXPONENT}\ ?\))"
_OTHER_BASES = "|".join(
    rf"0[{name}{name.upper()}](?P<{name}>[{digits}]++(?:_[{digits}]++)*+)"
    for name, digits in (("x", "0-9A-Fa-f"), ("o", "0-7"), ("b", "01"))
)
_MIXED = rf"(?P<mixed>[0-9]{{0,9}})(?P<vulgar>[{''.join(_VULGAR)}])"
_POINT = rf"(?P<places>\.{_DIGITS}|\.(?=[eE][+-]?[0-9]))?+"
_BARE = rf"(?<![0-9{_LETTER}.)\]])(?P<bare>\.{_DIGITS})"
_SCALE = rf"(?:[eE](?P<exponent>{_EXPONENT}))?+"
_TIMES = rf"(?:\ ?[×*x]\ ?{_TEN % 'times'}(?!\.?[0-9]))?"
_PERCENT = r"(?P<percent>%(?![\w(%]))?+"


def literal(whole: str, scale: str = "") -> str:
    """The pattern of a literal without its sign.

    Args:
        whole: How the digits before the point may stand.
        scale: What may stand behind the digits beside an exponent.
    """
    decimal = rf"(?:(?P<whole>{whole}){_POINT}|{_BARE}){_SCALE}{scale}"
    return rf"(?:{_OTHER_BASES}|{_MIXED}|{decimal}){_PERCENT}"


SPACED = rf"{_COMMAS}|{_SPACES}|{_DIGITS}"
"""Digits as they stand in a text that is nothing but a number, or a calculation."""
_SUFFIX = r"(?:[uU]?[lL]{1,2}|[uU]|[iuf](?:8|16|32|64|128|size)|[fFdDjnsxX]|ms|us|ns|px)"
"""What may be written right behind a literal: suffixes of programming languages, and units that scale nothing."""
_BEGIN = rf"(?:(?P<sign>(?<![0-9{_LETTER})\]])-)|(?<![0-9{_LETTER}])(?<![0-9{_LETTER})\]]\.)|(?<=[0-9][xX]))"
_END = rf"(?!\.[0-9])(?:(?![0-9{_LETTER}])|(?={_SUFFIX}(?![0-9{_LETTER}]))|(?=[xX][0-9]))"
_SEPARATORS = dict.fromkeys(map(ord, "_, ."))
_DIGIT = re.compile(rf"[0-9{''.join(_VULGAR)}]")
_IN_PROSE = rf"(?<![0-9],){_COMMAS}|(?<![0-9]\ )(?=[0-9]{{1,3}}\ 0[0-9]{{2}}){_SPACES}|{_DIGITS}"


@lru_cache(maxsize=3)
def _pattern(form: str) -> re.Pattern[str]:
    """How a number is found in `prose` and in `code`, or is the `whole` text."""
    power = _TEN % "power"
    match form:
        case "prose":
            return re.compile(f"{_BEGIN}(?:{power}|{literal(_IN_PROSE, _TIMES)}){_END}")
        case "code":
            return re.compile(f"{_BEGIN}(?:{power}|{literal(_DIGITS, _TIMES)}){_END}")
        case _:
            return re.compile(rf"(?P<sign>[+-])?(?:{power}|{literal(SPACED, _TIMES)}\.?)")


@dataclass(frozen=True, slots=True)
class Found:
    """A number that stands in a text."""

    value: Fraction
    text: str
    """As it stands there."""
    start: int
    """Offsets in the text, in characters: the literal is `text[start:end]`."""
    end: int


def plain(text: str) -> str:
    r"""LaTeX and Unicode forms of arithmetic made plain: `$512 \times 2{,}048$` is `512 × 2,048`.

    Multiplication is `×` (or `*`, as it was), division `/`, a raised number `^(6)`, a fraction `((a)/(b))`, a sign of
    what is not exact `≈`. Thin and no-break spaces between groups of three digits are commas. Doing it twice changes
    nothing more.
    """
    return typeset.read(text).text


def number(text: str) -> Fraction | None:
    """Read one literal, which must be the whole text, white space at its ends aside; None where it is none.

    Groups of three may be parted by commas or spaces, any digits by `_`. `50%` is 1/2. A literal of more than 400
    digits, or with a power of ten beyond ±10,000, is None.
    """
    found = _pattern("whole").fullmatch(plain(text).strip())
    return worth(found.groupdict()) if found else None


def numbers_in(text: str, *, code: bool = False) -> Iterator[Found]:
    """The number literals in prose or code, each as long as it can be, in order.

    A sign belongs to a number where no digit, letter or closing bracket stands before it: `8-16` is 8 and 16. Digits
    that are part of a name or a version (`conv2d`, `1.0.14`, `10k`) are no numbers; `3x3` is two. A plain space groups
    digits only where it must (`12 000`). What `number` does not read for its size is left out.

    Args:
        text: Any text; linear time.
        code: Whether a comma between digits parts two numbers, as in `(1,512)`, and never groups them.
    """
    made = typeset.read(text)
    for found in _matches(_pattern("code" if code else "prose"), made.text):
        value = worth(found.groupdict())
        if value is not None:
            start, end = made.start(found.start()), made.end(found.end())
            yield Found(value, text[start:end], start, end)


def _matches(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Where the pattern matches, in order: it is tried where there is a digit, which is quicker than everywhere."""
    at, ended = 0, -1
    while digit := _DIGIT.search(text, at):
        first, found = digit.start(), None
        for start in range(max(at, first - 2), first + 1):  # a sign and a point may stand before it
            if not found and (start == first or text[start] in "-."):
                found = pattern.match(text, start)
        glued = found and text[found.start() - 1 : found.start()] in {"x", "X"}
        if found and (not glued or ended == found.start() - 1):
            at = ended = found.end()
            yield found
        else:  # such as `a3x3`, which is a name
            at = digit.end()


def worth(parts: Mapping[str, str | None]) -> Fraction | None:
    """What a match of a literal comes to, by the groups of its pattern; None where it is too large to be read."""
    value = _unscaled(parts)
    if value is None:
        return None
    for exponent in filter(None, map(parts.get, ("exponent", "power", "times"))):
        places = exponent.strip("() ")
        if len(places) > len(f"+{_MOST_PLACES}") or abs(int(places)) > _MOST_PLACES:
            return None
        value = _shifted(value, int(places))
    if parts["percent"]:
        value /= 100
    return -value if parts.get("sign") == "-" else value


def _unscaled(parts: Mapping[str, str | None]) -> Fraction | None:
    """A literal without sign, percentage and power of ten."""
    if parts["whole"] or parts["bare"]:
        whole, places = _digits(parts["whole"]), _digits(parts["places"] or parts["bare"])
        if len(whole) + len(places) > _MOST_DIGITS:
            return None
        return _shifted(Fraction(int(whole + places)), -len(places))
    if parts["vulgar"]:
        return int(parts["mixed"] or "0") + _VULGAR[parts["vulgar"]]
    for name, base in _BASES.items():
        if digits := _digits(parts[name]):
            return Fraction(int(digits, base)) if len(digits) <= _MOST_DIGITS else None
    return Fraction(1)  # a power of ten alone


def _digits(text: str | None) -> str:
    return text.translate(_SEPARATORS) if text else ""


def _shifted(value: Fraction, places: int) -> Fraction:
    """The value times a power of ten."""
    if not places:
        return value
    return value * _ten(places) if places > 0 else value / _ten(-places)


@lru_cache(maxsize=64)
def _ten(places: int) -> int:
    return int(10**places)


_MOST = 10**_MOST_DIGITS
_LEAD = 2
"""Places of a number that is not shown in full."""


def shown(value: Fraction) -> str:
    """A number for people: `1,050,624`, `0.000001` or `1/3`; of more than 400 digits, `about 1.23 × 10^456`."""
    over, under = value.numerator, value.denominator
    if abs(over) >= _MOST or under >= _MOST:
        return _about(value)
    if under == 1:
        return f"{over:,}"
    places = _places(under)
    if places is None:
        return f"{over:,}/{under:,}"
    whole, rest = divmod(abs(over) * 10**places // under, 10**places)
    return f"{'-' if over < 0 else ''}{whole:,}.{rest:0{places}}"


def _places(under: int) -> int | None:
    """How many decimal places a denominator makes; None where they have no end."""
    twos = (under & -under).bit_length() - 1
    under >>= twos
    fives = 0
    while under % 5 == 0:
        under //= 5
        fives += 1
    return max(twos, fives) if under == 1 else None


def _about(value: Fraction) -> str:
    """The first digits and the power of ten, cut and not rounded."""
    over, under = abs(value.numerator), value.denominator
    power = (over.bit_length() - under.bit_length()) * 30_103 // 100_000 - 1  # too small by 3 at most
    shift = power - _LEAD
    digits = over // (under * 10**shift) if shift > 0 else over * 10**-shift // under
    while digits >= 10 ** (_LEAD + 1):
        digits //= 10
        power += 1
    whole, rest = divmod(digits, 10**_LEAD)
    return f"about {'-' if value < 0 else ''}{whole}.{rest:0{_LEAD}} × 10^{power}"

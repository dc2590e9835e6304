"""Which numbers of a sentence say something of code, and what they may be there.

`10%` may be 0.1 or 10, `5 minutes` 300, `4k` 4,096, and 0.045 stands for 0.044715. Digits of names, exponents of
symbols and indices are no statements.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from provenance.compare.grounding.mention import Mention, Sort
from provenance.compare.grounding.units import THOUSANDS, meant
from provenance.compare.numbers import number, numbers_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.compare.grounding.standing import Glance
    from provenance.compare.numbers import Found

_TRIVIAL = frozenset(Fraction(sign * halves, 2) for halves in (0, 1, 2, 4, 6) for sign in (1, -1))
"""0 to 3 and a half, of either sign. Code has them as `[-1]`, `// 2`, `>> 1`, or as so many things in a row, and prose
counts with them what the code only lists.
"""

_RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_NUMERIC = re.compile(rf"[0-9{_RAISED}\u00bc-\u00be\u2150-\u215e]")
_BY_ITSELF = (
    r"(?<![^\s(=])(?:[0-3](?:[\u00d7x][0-3])*+|(?P<number>(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:e-?[0-9]++)?+))"
    r"(?![^\s,.;:)])(?![.,:][0-9])"
)
_PLAIN = re.compile(_BY_ITSELF)
"""A number that can be read in one way only, or the least ones, which need not be read."""
_UNCOMMON = re.compile(
    rf"[$%*^\\{_RAISED}\u00bc-\u00be\u2150-\u215e]|(?<!\w)(?<![0-9][\u00d7.])(?<![0-9]e-)(?=[0-9])(?!{_BY_ITSELF})"
)
"""A digit of any other number, or a sign that may make something else of one."""

_SCALED = re.compile(
    r"(?<![\w.,-])(?P<digits>[0-9]++(?:,[0-9]{3})*+(?:\.(?P<places>[0-9]++))?+)(?P<unit>[kKMGTB]|[kKMGT]i?[bB])(?!\w)"
)
"""`4k`, `37k`, `124M`, `16MiB`."""
_UNIT = re.compile(r"[ \u00a0-]?(?P<unit>\\?%|per\s?cent|[A-Za-z\u00b5\u03bc]{1,12})(?!\w)")
_POWER = re.compile(
    rf"(?:(?<![\w.,])(?P<base>[0-9]{{1,9}})|(?<=[\w)}}\]]))[ ]?"
    rf"(?:(?:\^|\*\*)[ ]?(?P<open>[{{(])?(?P<plain>[-\u2212]?[0-9]{{1,4}})(?![\w.])(?(open)[}})])"
    rf"|(?P<raised>\u207b?[{_RAISED}]{{1,4}}))"
)
"""`2^16`, `2¹⁶`, and the exponent alone of a symbol's power."""
_LOWERED = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u2212", "0123456789--"
)
_MOST_BITS = 1_024
"""A power that would have more is no number of a claim."""

_BEFORE = 12
"""Characters before a number that are looked at for what it is part of."""
_FROM_ZERO = re.compile(r"(?<![\w.])0 ?(?:\.{2,3}|[-\u2010-\u2015\u2026,]|to|through|and) ?$")
"""The beginning of a range, for whose end code often has the first number behind it."""
_OVER = re.compile(r"(?<![\w.])([0-9]{1,9}) ?/ ?$")
_UNDER = re.compile(r" ?/ ?([0-9]{1,9})(?![\w.])")
"""The other parts of a fraction, before and behind a number."""
_DECIMAL = re.compile(r"-?(?P<whole>[0-9]*)\.(?P<places>[0-9]+)")
_FEWEST_DIGITS = 2
"""Digits of a decimal that may have been rounded: a single one is no measure."""
_MOST_PLACES = 12

_NAMING = frozenset("#@_")
"""What makes a name of a number behind it: `#7`, `x_12`."""
_JOINING = frozenset("-\u2010\u2011/:.'\u2019")
"""What makes it part of a name behind a letter: `GPT-2`, `WMT'17`, `model.py:12`."""


def amounts(prose: str, glance: Glance) -> Iterator[Mention]:
    """The numbers of a text without what it shows as code, those left out that are not worth a word.

    Where a glance finds all of them in the code as they are written, none is read.
    """
    if not _NUMERIC.search(prose):
        return
    if not _UNCOMMON.search(prose):
        plain = (match["number"] for match in _PLAIN.finditer(prose))
        if all(glance.number(digits) for digits in plain if digits):
            return
    for match in _SCALED.finditer(prose):
        value, unit = number(match["digits"]), match["unit"]
        if value is not None:
            places = len(match["places"] or "") - 3 * THOUSANDS[unit]
            yield Mention(match.start(), match[0], Sort.NUMBER, meant(value, unit), places)
    yield from (mention for match in _POWER.finditer(prose) if (mention := _power(match)))
    prose = _POWER.sub(_without_power, prose)
    for found in numbers_in(prose):
        worth = found.value not in _TRIVIAL and not _within_name(found, prose)
        mention = _mention(found, prose) if worth else None
        if mention:
            yield mention


def quoted_amounts(code: str) -> Iterator[Mention]:
    """The numbers in what a claim shows as code."""
    for found in numbers_in(code, code=True):
        if found.value not in _TRIVIAL and not _within_code(found, code):
            yield Mention(found.start, found.text, Sort.NUMBER, (found.value,))


def _power(match: re.Match[str]) -> Mention | None:
    """A power of a number other than 10, which is read with its factor."""
    if match["base"] is None or match["base"] == "10":
        return None
    base, exponent = int(match["base"]), int((match["plain"] or match["raised"]).translate(_LOWERED))
    if not base or abs(exponent) * base.bit_length() > _MOST_BITS:
        return None
    value = Fraction(base) ** exponent
    return None if value in _TRIVIAL else Mention(match.start(), match[0], Sort.NUMBER, (value,))


def _without_power(match: re.Match[str]) -> str:
    """Blanks for what has been read, and for an exponent that says nothing by itself."""
    return match[0] if match["base"] == "10" else " " * len(match[0])


def _within_name(found: Found, prose: str) -> bool:
    """Whether the digits are part of a name, an index or a place: `GPT-2`, `x_{12}`, `3D`, `#7`, `model.py:12`."""
    before, ahead = prose[found.start - 1 : found.start], prose[found.start - 2 : found.start - 1]
    if before in _NAMING or (before in _JOINING and ahead.isalpha()) or (before == "{" and ahead == "_"):
        return True
    behind = prose[found.end : found.end + 2]
    return (behind[:1] in {"D", "d"} and not behind[1:].isalpha()) or _within_code(found, prose)


def _within_code(found: Found, text: str) -> bool:
    r"""Whether the digits are those of an escape, a code point, or a code such as 007: `\x80`, `U+3002`."""
    before, ahead = text[found.start - 1 : found.start], text[found.start - 2 : found.start - 1]
    if before == "\\" or (ahead == "\\" and before in {"x", "u"}) or (ahead in {"U", "u"} and before == "+"):
        return True
    return found.text[:1] == "0" and found.text[1:2].isdigit()


def _mention(found: Found, prose: str) -> Mention | None:
    """A number with what it may be in code; None where it is a simple part of something, such as 50 % or 5/10."""
    unit = _UNIT.match(prose, found.end)
    name = unit["unit"] if unit else ""
    if found.text.endswith("%"):
        parts = {found.value * 100}
    elif name in {"%", "\\%"} or name.startswith("per"):
        parts = {found.value / 100}
    else:
        parts = _fractions(found, prose)
    if not _TRIVIAL.isdisjoint(parts):
        return None
    values = [*meant(found.value, name), *parts]
    if _FROM_ZERO.search(prose[max(0, found.start - _BEFORE) : found.start]):
        values.append(found.value + 1)
    return Mention(found.start, found.text, Sort.NUMBER, tuple(values), _places(found.text))


def _fractions(found: Found, prose: str) -> set[Fraction]:
    """The fractions that a number is part of."""
    over = _OVER.search(prose[max(0, found.start - _BEFORE) : found.start])
    under = _UNDER.match(prose, found.end)
    fractions = {int(over[1]) / found.value} if over else set()
    return fractions | ({found.value / int(under[1])} if under and int(under[1]) else set())


def _places(text: str) -> int | None:
    """To how many places a decimal may have been rounded; None where it is exact."""
    match = _DECIMAL.fullmatch(text)
    if match is None or len((match["whole"] + match["places"]).lstrip("0")) < _FEWEST_DIGITS:
        return None
    return len(match["places"]) if len(match["places"]) <= _MOST_PLACES else None

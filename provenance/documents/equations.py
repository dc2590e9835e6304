"""The equations of numbers alone that stand in prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.compare.arithmetic.evaluation import tidy
from provenance.documents.accounting import decimal

if TYPE_CHECKING:
    from collections.abc import Iterator

DIGITS = r"[0-9]+(?:\.[0-9]+)?"
"""A tidy number, as a pattern."""
WORDS = r"(?: [^\W\d_][\w-]*+)*+"
"""What names the instances behind a tidy number, as a pattern."""
OF_PARAMETERS = re.compile(r"\b(?:[Pp]arameters?|values)\b")
"""What makes a sentence one of parameters."""

_INSIDE = r"-0-9()+−×·*/÷^=_⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_RUN = re.compile(rf"[0-9(](?:[{_INSIDE}]|[.,'’](?=[0-9])|x(?= ?[0-9])| (?=[-0-9(+−×·*/÷^=]|x ?[0-9]))*+")
"""A stretch of prose that may be arithmetic."""
_JOINED = re.compile(r"[\w}\\]\Z|[-+−×·*/÷^=] ?\Z")
"""What stands before arithmetic that is a part of more, such as of a name or a calculation with names."""
_ARITHMETIC = re.compile(r"[0-9(][-0-9 ().+−×·*/÷^=]*")
"""A tidy calculation or equation, with nothing else in it."""
_OPERATOR = re.compile(r"[-+−×·*/÷^]")
_REPETITION = re.compile(rf"{DIGITS}{WORDS} [×*] {DIGITS}{WORDS}(?: = {DIGITS})?")
_UNIT = re.compile(
    r"\s*(?:[a-z-]{1,20} )?(?:[kKMBGT](?:i?[bB])?\b|%|(?i:additions?|billion|bits?|bytes?|dimensions?|features?|flops?|"
    r"heads?|macs?|million|multipl[a-z]+|operations?|percent|positions?|seconds?|steps?|thousand|tokens?|trillion|"
    r"words?|ms)\b)"
)
"""What follows a number that counts no parameters."""
_LOOKED_AT = 60


def equations(text: str) -> Iterator[tuple[str, bool]]:
    """The equations in order: all that are typeset, and plain ones in a sentence of parameters.

    Each comes in its tidy form, and with whether a unit follows it, such as `bytes` or `million`.
    """
    parts = text.split("$")
    plain = OF_PARAMETERS.search(text) is not None
    for number, part in enumerate(parts):
        typeset = number % 2 == 1 and number < len(parts) - 1
        for shown, behind in [(part, len(part))] if typeset else _runs(part) if plain else ():
            equation = tidy(shown) if "=" in shown else ""
            # Of words, only what names the instances may stand in one: `1,024 × 6 layers = 6,144`.
            if is_arithmetic(equation) or _REPETITION.fullmatch(equation):
                rest = parts[number + 1] if typeset else part[behind : behind + _LOOKED_AT]
                yield equation, _UNIT.match(rest[:_LOOKED_AT]) is not None


def _runs(text: str) -> Iterator[tuple[str, int]]:
    """The stretches of prose that have an equals sign, and neither begin nor end within something else.

    Each with the offset at which it ends.
    """
    for run in _RUN.finditer(text):
        shown = run[0]
        left = shown.partition("=")[0]
        if shown.startswith("(") and left.count("(") == left.count(")") + 1:
            shown = shown[1:]  # brackets around an equation are the sentence's
        if shown.endswith(")") and shown.count(")") == shown.count("(") + 1:
            shown = shown[:-1]
        before, behind = text[max(0, run.start() - 2) : run.start()], text[run.end() : run.end() + 1]
        if (
            "=" in shown
            and not _JOINED.search(before)
            and (not behind.isalnum() or _UNIT.match(text, run.end()))
        ):
            yield shown, run.end()


def is_arithmetic(text: str) -> bool:
    """Whether a tidy text is a number, a calculation or an equation, and has nothing else in it."""
    sides = text.split("=")
    return (
        _ARITHMETIC.fullmatch(text) is not None
        and all(side.count("(") == side.count(")") and any(map(str.isdigit, side)) for side in sides)
        and (len(sides) == 1 or _OPERATOR.search(text) is not None)
    )


def result(text: str) -> str | None:
    """The number that a tidy calculation or equation ends with; None where that is another calculation."""
    return decimal(text.rpartition("=")[2].strip())

"""How a calculation is written: its numbers, signs, brackets and labels, and the order in which it is worked out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, assert_never

from provenance.compare import typeset
from provenance.compare.numbers import SPACED, literal, worth
from provenance.compare.typeset import TIMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LONGEST = 2_000
"""Characters of a calculation that is read."""
_DEEPEST = 100
"""Brackets within brackets."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A calculation that cannot be read, or cannot be worked out."""

    message: str
    """What is wrong, without the place."""
    column: int
    """Where, in the text as given: 1-based, in characters."""

    def __str__(self) -> str:
        return f"column {self.column}: {self.message}"


class Kind(Enum):
    """What a part of a calculation is."""

    NUMBER = auto()
    SIGN = auto()
    """Between two values: `+`, `-`, `×`, `/` or `^`."""
    PREFIX = auto()
    """Before one value: `+` or `-`."""
    OPEN = auto()
    CLOSE = auto()
    LABEL = auto()
    """Words behind a value, such as the unit in `6 layers`: they are not worked out."""


class Token(NamedTuple):
    """A part of a calculation."""

    kind: Kind
    text: str
    """A sign in its one plain form; all else as it stands in the plain text."""
    column: int
    """In the text as given: 1-based, in characters."""
    value: Fraction = Fraction(0)
    """Of a number."""


class Step(NamedTuple):
    """One step in the order of working out, operands first (postfix)."""

    kind: Kind
    """`NUMBER`, `SIGN` or `PREFIX`."""
    sign: str
    column: int
    """Of the number or the sign: 1-based, in characters of the text as given."""
    value: Fraction


_WORD = r"[^\W\d](?:\w|[-'’](?=[^\W\d]))*"
_NUMBER = re.compile(rf"{literal(SPACED)}(?!\.?[0-9])")
_LABEL = re.compile(rf"{_WORD}|\(\s*{_WORD}(?:[\s,]+{_WORD})*\s*\)")
_SIGN = re.compile(rf"\*\*|[-+{TIMES}*/^]|[xX](?=\s*[0-9.(\[])")
_PLAIN_SIGNS = {"*": TIMES, "x": TIMES, "X": TIMES, "**": "^"}
_ANYTHING = re.compile(r"\\?[\w.]+|\S")
_SPACE = re.compile(r"\s*")
_PARTNERS = {")": "(", "]": "["}
_SCALES = frozenset(
    {"dozen", "hundred", "thousand", "million", "billion", "trillion", "squared", "cubed", "percent"}
)
"""Words that change what the number before them is worth."""
_GLUED_SCALES = re.compile(r"[kKmMbBGTP]|[kKMGTP]i?[bB]|[bm]n")
"""The same, where they stand right behind it, as in `10k`."""
_FULL_STOPS = " \t\r\n.,;:"
"""What may end a text and is no part of its last number."""

_LOOSE, _TIGHT, _PREFIX, _TIGHTEST = 1, 2, 3, 4
_BINDS = {"+": _LOOSE, "-": _LOOSE, TIMES: _TIGHT, "/": _TIGHT, "^": _TIGHTEST}
"""How closely a sign binds; a prefix binds between: `-2^2` is -4, as it is on paper and in Python."""


class _Reader:
    """One pass over a calculation."""

    def __init__(self, made: typeset.Plain, *, valued: bool) -> None:
        self.made = replace(made, text=made.text.rstrip(_FULL_STOPS))
        self.at = 0
        self.valued = valued
        """Whether a value stands right before, so that a sign, a label, a closing bracket or the end may follow."""

    def run(self) -> list[Token] | Unreadable:
        found: list[Token] = []
        while not self.ended():
            token = self.behind() if self.valued else self.value()
            if isinstance(token, Unreadable):
                return token
            found.append(token)
            self.valued = token.kind in {Kind.NUMBER, Kind.CLOSE, Kind.LABEL}
        return found if self.valued else self.wrong("a number is missing" if found else "there is no number")

    def ended(self) -> bool:
        space = _SPACE.match(self.made.text, self.at)
        self.at = space.end() if space else self.at
        return self.at == len(self.made.text)

    def value(self) -> Token | Unreadable:
        """What may stand where a value is due."""
        number = _NUMBER.match(self.made.text, self.at)
        if number:
            value = worth(number.groupdict())
            if value is None:
                return self.wrong("the number has more than 400 digits, or a power of ten beyond ±10,000")
            return self.token(Kind.NUMBER, number.end(), value=value)
        match self.made.text[self.at]:
            case "-" | "+":
                return self.token(Kind.PREFIX, self.at + 1)
            case "(" | "[":
                return self.token(Kind.OPEN, self.at + 1)
            case ")" | "]" | "*" | "/" | "^" | "×":
                return self.wrong(f"a number is missing before {self.named()}")
            case _:
                return self.wrong(f"{self.named()} is no number")

    def behind(self) -> Token | Unreadable:
        """What may stand behind a value."""
        text = self.made.text
        if sign := _SIGN.match(text, self.at):
            return self.token(Kind.SIGN, sign.end(), _PLAIN_SIGNS.get(sign[0], sign[0]))
        if text[self.at] in _PARTNERS:
            return self.token(Kind.CLOSE, self.at + 1)
        if _NUMBER.match(text, self.at):
            return self.wrong(f"there is no sign before {self.named()}")
        label = _LABEL.match(text, self.at)
        wrong = self.misleads(label[0]) if label else self.stray(text[self.at])
        return self.token(Kind.LABEL, label.end()) if label and not wrong else self.wrong(wrong)

    def stray(self, sign: str) -> str:
        """What is wrong with a character behind a value that begins nothing."""
        match sign:
            case "(" | "[":
                return f"there is no sign before {sign}"
            case ",":
                return "the comma does not part groups of three digits"
            case "≈":
                return "≈ is not exact"
            case _:
                return f"{self.named()} is no part of a calculation"

    def misleads(self, label: str) -> str:
        """Why words behind a value are more than a label; empty where they are none the more."""
        for word in re.findall(_WORD, label):
            if word.lower().removesuffix("s") in _SCALES:
                return f"{word!r} changes the number before it, which has to be written out"
        glued = self.at > 0 and not self.made.text[self.at - 1].isspace()
        if glued and _GLUED_SCALES.fullmatch(label):
            return f"{label!r} changes the number before it, which has to be written out"
        if label in {"x", "X"}:  # in `2 x -3` it may be a sign, and in `2 x - 3` a name
            return f"there is no number behind {label!r}, which is × before one"
        numeric = [sign.isnumeric() for sign in label]
        if any(numeric if glued else numeric[:2]):
            return f"there is no sign before {self.named()}"
        return ""

    def token(self, kind: Kind, end: int, text: str = "", value: Fraction = Fraction(0)) -> Token:
        start, self.at = self.at, end
        return Token(kind, text or self.made.text[start:end], self.made.start(start) + 1, value)

    def wrong(self, message: str) -> Unreadable:
        return Unreadable(message, self.made.start(self.at) + 1)

    def named(self) -> str:
        """What stands here, so that a message can name it."""
        found = _ANYTHING.match(self.made.text, self.at)
        return f"{found[0][:20]!r}" if found else "the end"


def tokens(text: str, *, goes_on: bool = False) -> list[Token] | Unreadable:
    """The parts of a calculation, in order; a value where a value is due, so the brackets alone remain to be matched.

    Args:
        text: As a document shows it, typeset or plain; of at most 2,000 characters. Full stops and commas at its end
            are no part of it.
        goes_on: Whether it goes on from a value that stands elsewhere, as `× 6` does.
    """
    if len(text) > LONGEST:
        return Unreadable(f"the text is longer than {LONGEST:,} characters, and was not read", LONGEST + 1)
    return _Reader(typeset.read(text), valued=goes_on).run()


def steps(parts: Sequence[Token]) -> list[Step] | Unreadable:
    """The order in which the parts of a calculation are worked out.

    Brackets go first, and `^` goes from the right, all else from the left (the shunting-yard algorithm).
    """
    done: list[Step] = []
    held: list[Token] = []
    depth = 0
    for part in parts:
        match part.kind:
            case Kind.NUMBER:
                done.append(_step(part))
            case Kind.LABEL:
                pass
            case Kind.CLOSE:
                depth -= 1
                done += _released(held, lambda waiting: waiting.kind is not Kind.OPEN)
                if not held or held.pop().text != _PARTNERS[part.text]:
                    return Unreadable(f"{part.text} closes no bracket", part.column)
            case Kind.SIGN | Kind.PREFIX | Kind.OPEN:
                done += _released(held, partial(_goes_first, part))
                held.append(part)
                depth += part.kind is Kind.OPEN
            case _:
                assert_never(part.kind)
        if depth > _DEEPEST:
            return Unreadable(f"there are more than {_DEEPEST} brackets within brackets", part.column)
    done += _released(held, lambda waiting: waiting.kind is not Kind.OPEN)
    return Unreadable(f"{held[-1].text} is not closed", held[-1].column) if held else done


def _released(held: list[Token], ready: Callable[[Token], bool]) -> Iterator[Step]:
    """Take the signs that wait, the last one first, for as long as they are ready."""
    while held and ready(held[-1]):
        yield _step(held.pop())


def _goes_first(part: Token, waiting: Token) -> bool:
    """Whether a sign that waits is worked out before one that follows."""
    if part.kind is not Kind.SIGN or waiting.kind is Kind.OPEN:
        return False
    binds = _PREFIX if waiting.kind is Kind.PREFIX else _BINDS[waiting.text]
    return binds > _BINDS[part.text] or (binds == _BINDS[part.text] and part.text != "^")


def _step(part: Token) -> Step:
    return Step(part.kind, "" if part.kind is Kind.NUMBER else part.text, part.column, part.value)

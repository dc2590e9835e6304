"""A file's text as it is compared: lines, what lines have in common whatever their white space, tokens with weights.

Nothing here knows a language. A token is a word or another character; quotation marks are all alike.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from provenance.extract.tokens import words

if TYPE_CHECKING:
    from collections.abc import Sequence

_QUOTES = str.maketrans({'"': "'", "`": "'"})
_LONGEST = 2_000
"""Characters of one line that are cut into tokens: what follows hardly tells two lines apart."""
_MARK = 0.2
"""Weight of a token that is no word."""
_COMMON = 0.4
"""Weight of a word that stands in all code."""
_SHORT = 0.7
"""Weight of a word of one or two characters."""
_APART = 0.5
"""Share of what lines say that must be said once for them not to be mistaken for a copy."""
_DEEP = 1_000_000
"""How far lines are indented that are blank: more than any other."""
_WORD = re.compile(r"\w")
_COMMON_WORDS = frozenset(
    words(
        """
        self this cls def class function func fn return if else elif for while in is not and or import from as try
        except finally raise throw throws catch new null None nil true false True False public private protected
        static final void int str string bool boolean const let var val end do then with pass the a of to be float
        double char unsigned struct type package use mod pub impl async await yield print assert
        """
    )
)


class Stretch(NamedTuple):
    """Lines of a file, 0-based, both ends included."""

    first: int
    last: int


def weight(token: str) -> float:
    """How much a token tells of what it stands in, 0 to 1."""
    if token in _COMMON_WORDS:
        return _COMMON
    if not (token[0].isalnum() or token[0] == "_"):
        return _MARK
    return _SHORT if len(token) <= 2 else 1.0  # noqa: PLR2004 - one letter or two


class Body:
    """One file's lines, 0-based here, unlike everywhere else: they are indices."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        """Without their ends."""
        self._keys: dict[int, str] = {}
        self._tokens: dict[int, list[str]] = {}
        self._weights: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each line stands here."""
        return Counter(self.lines)

    def is_told_apart(self, first: int, last: int, other: Body) -> bool:
        """Whether enough of what lines say is said once, here and in another text: else it could be a copy."""
        total = self.weigh(first, last)
        ours, theirs = self.counts, other.counts
        once = sum(
            self.weight(at)
            for at in range(first, last + 1)
            if ours[self.lines[at]] == 1 == theirs[self.lines[at]]
        )
        return once >= _APART * total > 0

    @cached_property
    def text(self) -> str:
        """The lines, each with a line end before it and behind it."""
        return "\n".join(("", *self.lines, ""))

    def key(self, at: int) -> str:
        """What a line says whatever its white space, its quotation marks and a comma at its end."""
        found = self._keys.get(at)
        if found is None:
            found = self._keys[at] = key(self.lines[at])
        return found

    def keys(self, first: int, end: int) -> list[str]:
        """What lines say; `end` is not included."""
        return [self.key(at) for at in range(first, end)]

    def tokens(self, at: int) -> list[str]:
        """The tokens of a line."""
        found = self._tokens.get(at)
        if found is None:
            found = self._tokens[at] = _tokens(self.lines[at])
        return found

    def weight(self, at: int) -> float:
        """How much a line tells: the weights of its tokens together."""
        found = self._weights.get(at)
        if found is None:
            found = self._weights[at] = sum(map(weight, self.tokens(at)))
        return found

    def part(self, lines: Stretch) -> Body:
        """Some of the lines, as a text of their own."""
        return Body(self.lines[lines.first : lines.last + 1])

    def indent(self, first: int, last: int) -> int:
        """How far the line that is indented least is indented, blank ones aside; both ends included."""
        lines = self.lines[first : last + 1]
        return min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=_DEEP)

    def weigh(self, first: int, last: int) -> float:
        """How much lines tell; both ends included."""
        return sum(self.weight(at) for at in range(first, last + 1))


def _tokens(line: str) -> list[str]:
    return words(line[:_LONGEST].translate(_QUOTES))


def says(line: str) -> bool:
    """Whether there is a word in a line; blank ones and brackets stand everywhere."""
    return _WORD.search(line) is not None


def key(line: str) -> str:
    """What a line says whatever its white space, its quotation marks and a comma at its end."""
    return "".join(line.translate(_QUOTES).split()).removesuffix(",")

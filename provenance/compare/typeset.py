"""Typeset arithmetic made plain: what LaTeX and Unicode make of signs, digits and brackets, undone.

One pass from left to right. It keeps where each character came from, so that a place in the plain text can be told
in the text as it was given.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMES = "×"
"""The one sign of multiplication in plain text, beside `*`."""
NEARLY = "≈"
"""The one sign of what is not exact in plain text."""
_THIN = "\u202f"
"""Stands for every space that may part thousands, until it is known whether it does."""
_FOREIGN = "\u2216"
"""Stands for a backslash that begins nothing known, so that a second pass leaves it alone."""

_SIGNS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys("·⋅∙\u2a2f✕✖", TIMES),
        **dict.fromkeys("\u2212\ufe63\uff0d", "-"),
        **dict.fromkeys("÷\u2215\u2044", "/"),
        **dict.fromkeys("\u2243\u2245", NEARLY),
        **dict.fromkeys("~\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009", _THIN),
        **dict.fromkeys("\u200a\u202f\u205f\u3000", _THIN),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", ""),
    }
)
"""Characters with a plain meaning of their own."""
_ESCAPES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(",;:>", _THIN),
        **dict.fromkeys(" \n\t\\", " "),
        **dict.fromkeys("!/-$", ""),
        **{sign: sign for sign in "%#&_"},
        "{": "(",
        "}": ")",
    }
)
"""What a backslash makes of the character behind it."""
_FONTS = (
    "text textrm textbf textit textsf texttt textnormal mathrm mathbf mathit mathsf mathtt mathnormal operatorname "
    "mbox left right big Big bigl bigr Bigl Bigr displaystyle textstyle quad qquad enspace ensuremath mathord mathbin"
)
_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("times", "cdot", "bullet", "ast"), TIMES),
        **dict.fromkeys(("approx", "simeq", "thickapprox", "approxeq"), NEARLY),
        **dict.fromkeys(("thinspace", "nobreakspace"), _THIN),
        **dict.fromkeys(_FONTS.split(), " "),
        "div": "/",
    }
)
"""LaTeX commands; what a font or a size holds is kept. The names of others stay, for what they do is not known."""
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac"})
_OVER = ")/("
"""What the end of a fraction's numerator becomes."""

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SPECIAL = re.compile(rf"[\\${{}}^⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹{re.escape(''.join(_SIGNS))}]")
"""Where something else than a plain character may begin; a class alone is found quickly."""
_SPELLED = re.compile(
    r"(?P<delimiter>(?:\$|\\[()\[\]])+)"
    r"|\\(?P<name>[A-Za-z]+)"
    r"|\\(?P<escaped>[\s\S]?)"
    r"|(?P<power>\^ ?\{)"
    r"|(?P<brace>[{}])"
    r"|(?P<raised>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)"
)
_OPEN = re.compile(r"\s*\{")
_THOUSANDS = re.compile(
    rf"(?<![0-9A-Za-z.,_])(?<![0-9]{_THIN})[1-9][0-9]{{0,2}}(?:{_THIN}[0-9]{{3}})++(?!{_THIN}?[0-9])"
)
_APOSTROPHES = re.compile(
    r"(?<![0-9A-Za-z.,_'\u2019])[1-9][0-9]{0,2}(?:(?:'[0-9]{3})++|(?:\u2019[0-9]{3})++)(?!['\u2019]?[0-9A-Za-z])"
)
"""A number whose thousands apostrophes part. They become `_`, which parts digits in prose and in code."""
_UNDERSCORES = str.maketrans("'\u2019", "__")
_DASH = re.compile(r"[\u2010-\u2013](?=\s*[-0-9.(\[\u2010-\u2013])")
"""A dash before a number, a bracket or another sign."""


class _Piece(NamedTuple):
    """A stretch of the plain text, and what it was made of."""

    at: int
    """Its offset in the plain text."""
    start: int
    """Offsets in the text as given."""
    end: int
    copied: bool
    """Whether it is the same, character by character."""


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain text that knows what it was made of."""

    text: str
    pieces: tuple[_Piece, ...] = field(default=(), repr=False)
    """In order; none where the text is as it was given."""

    def start(self, at: int) -> int:
        """Where the character at an offset began in the text as given; its end for the offset behind the last."""
        if not self.pieces:
            return at
        if at >= len(self.text):
            return self.pieces[-1].end
        piece = self._piece(at)
        return piece.start + (at - piece.at if piece.copied else 0)

    def end(self, at: int) -> int:
        """Where what stands before an offset of 1 or more ended in the text as given."""
        if not self.pieces:
            return at
        piece = self._piece(at - 1)
        return piece.start + at - piece.at if piece.copied else piece.end

    def _piece(self, at: int) -> _Piece:
        return self.pieces[bisect_right(self.pieces, at, key=lambda piece: piece.at) - 1]


class _Reading:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.pieces: list[_Piece] = []
        self.size = 0
        self.closers: list[str] = []
        """What the braces that are open become when they close."""

    def put(self, piece: str, start: int, end: int, *, copied: bool = False) -> None:
        if piece:
            self.pieces.append(_Piece(self.size, start, end, copied))
            self.out.append(piece)
            self.size += len(piece)

    def run(self) -> Plain:
        at = 0
        while found := _SPECIAL.search(self.text, at):
            self.put(self.text[at : found.start()], at, found.start(), copied=True)
            at = self.special(found.start())
        self.put(self.text[at:], at, len(self.text), copied=True)
        text = _THOUSANDS.sub(lambda groups: groups[0].replace(_THIN, ","), "".join(self.out))
        return Plain(_finished(text.replace(_THIN, " ")), tuple(self.pieces))

    def special(self, start: int) -> int:
        """Write what begins at an offset; where to go on."""
        found = _SPELLED.match(self.text, start)
        if found is None:
            self.put(_SIGNS.get(self.text[start], self.text[start]), start, start + 1)
            return start + 1
        end = found.end()
        match found.lastgroup:
            case "delimiter":
                between = self.text[start - 1 : start].isalnum() and self.text[end : end + 1].isalnum()
                self.put(" " if between else "", start, end)
            case "name":
                return self.command(found["name"], start, end)
            case "escaped":
                known = found["escaped"] in _ESCAPES
                end = end if known else start + 1
                self.put(_ESCAPES[found["escaped"]] if known else _FOREIGN, start, end)
            case "power":
                self.put("^(", start, end)
                self.closers.append(")")
            case "brace":
                return self.brace(found[0], start, end)
            case _:
                self.put(f"^({found[0].translate(_RAISED)})", start, end)
        return end

    def command(self, name: str, start: int, end: int) -> int:
        opened = _OPEN.match(self.text, end) if name in _FRACTIONS else None
        if opened:
            self.put("((", start, opened.end())
            self.closers.append(_OVER)
            return opened.end()
        behind = self.text[end : end + 1]
        apart = " " if behind and not behind.isspace() else ""
        self.put(_COMMANDS.get(name, f"\\{name}{apart}"), start, end)
        return end

    def brace(self, brace: str, start: int, end: int) -> int:
        if brace == "{":
            self.closers.append("")
            return end
        closer = self.closers.pop() if self.closers else ""
        if closer != _OVER:
            self.put(closer, start, end)
            return end
        opened = _OPEN.match(self.text, end)
        if opened is None:
            self.put(")/())", start, end)
            return end
        self.put(_OVER, start, opened.end())
        self.closers.append("))")
        return opened.end()


def read(text: str) -> Plain:
    """The text without LaTeX and with plain signs; linear time."""
    return _Reading(text).run() if _SPECIAL.search(text) else Plain(_finished(text))


def _finished(text: str) -> str:
    """What takes a number as a whole, and keeps every character's place."""
    if "'" in text or "\u2019" in text:
        text = _APOSTROPHES.sub(lambda groups: groups[0].translate(_UNDERSCORES), text)
    return _DASH.sub("-", text)

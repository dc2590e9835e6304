"""Code in colour, for pages: lines in pieces, each with a class. All of Pygments here, loaded when it is needed."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pygments.lexer import Lexer
    from pygments.token import _TokenType

_LARGEST = 200_000
"""Characters of the largest file that is highlighted: lexers are regular expressions, and code can be hostile."""
_LONGEST = 2_000
"""Characters of the longest line of such a file; what has longer ones was written by a program."""
_IN_ALL = 3_000_000
"""Characters that are highlighted in one run: a lexer reads some 400,000 a second."""


class Piece(NamedTuple):
    """A run of characters of one kind."""

    style: str
    """A class of the style sheet; empty for what looks like any other text."""
    text: str


Pieces = tuple[Piece, ...]
"""One line, whole."""


class Colours:
    """Highlights files, as many as are reasonable; the others stay as they are."""

    def __init__(self) -> None:
        self._left = _IN_ALL
        self._lexers: dict[str, Lexer | None] = {}
        self._styles: dict[_TokenType, str] = {}

    def lines(self, text: str, path: str, language: str | None) -> list[Pieces] | None:
        """The lines of a file in pieces; None where it is not highlighted.

        Args:
            text: the file, with LF terminators.
            path: its name, which tells the language where `language` does not.
            language: its name, where that is known.
        """
        if len(text) > min(_LARGEST, self._left) or max(map(len, text.split("\n"))) > _LONGEST:
            return None
        key = language or path.rpartition("/")[2].rpartition(".")[2]
        if key not in self._lexers:
            self._lexers[key] = _lexer(path, language)
        lexer = self._lexers[key]
        if lexer is None:
            return None
        self._left -= len(text)
        try:
            found = [*_lines(self._pieces(lexer, text))]
        except Exception:  # noqa: BLE001 - many people's lexers read a stranger's text; colours are no evidence
            return None
        is_whole = "\n".join("".join(piece.text for piece in line) for line in found) == text
        return found if is_whole else None

    def _pieces(self, lexer: Lexer, text: str) -> Iterator[Piece]:
        # Without what `get_tokens` does to line ends before: a lone CR ends no line.
        for _, kind, value in lexer.get_tokens_unprocessed(text):
            if kind not in self._styles:
                self._styles[kind] = _style(kind)
            yield Piece(self._styles[kind], value)


def _lines(pieces: Iterable[Piece]) -> Iterator[Pieces]:
    """Pieces, cut where lines end; neighbours of one style become one."""
    line: list[Piece] = []
    for style, text in pieces:
        parts = text.split("\n")
        for part, following in pairwise([*parts, None]):
            if part:
                if line and line[-1].style == style:
                    line[-1] = Piece(style, line[-1].text + part)
                else:
                    line.append(Piece(style, part))
            if following is not None:
                yield tuple(line)
                line = []
    yield tuple(line)


def _style(kind: _TokenType) -> str:
    """The class of a kind of token: few, so that each can be told from the others."""
    from pygments.token import Comment, Keyword, Name, Number, String, Token

    known = (
        (Comment.Preproc, "p"),
        (Comment, "c"),
        (Keyword, "k"),
        (String, "s"),
        (Number, "m"),
        (Name.Function, "f"),
        (Name.Class, "f"),
        (Name.Decorator, "p"),
        (Name.Tag, "k"),
        (Name.Attribute, "p"),
        (Token.Operator.Word, "k"),
    )
    return next((style for each, style in known if kind[: len(each)] == each), "")


def _lexer(path: str, language: str | None) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        if language is not None:
            return get_lexer_by_name(language)
        return get_lexer_for_filename(path.rpartition("/")[2])
    except ClassNotFound:
        return None

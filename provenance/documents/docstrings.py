"""Python source -> elements: its docstrings, each as a plain document of its own, and its comments."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.document import Prose, Where
from provenance.documents.ignoring import Scopes, ignored_lines
from provenance.documents.numbering import Numbering
from provenance.documents.plain import read_plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.document import Element

_QUOTES = re.compile(r"[rRuUbBfF]{0,3}(?P<quotes>\"\"\"|'''|\"|')")
_NO_CODE = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.ENCODING})
_BEFORE_STATEMENT = frozenset({tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT})


@dataclass(frozen=True, slots=True)
class _Text:
    """Text within source: a docstring without its quotes, or a comment without its sign."""

    first: int
    """Its first line, 1-based."""
    text: str
    is_comment: bool
    alone: bool
    """Whether it begins its line."""


def read_docstrings(text: str) -> Iterator[Element]:
    """Read Python source with LF terminators. Code between docstrings and comments is no part of the document.

    A docstring is any string that is a statement by itself, for those beneath an attribute speak of code too. Each
    is a section. From the first line that is no Python only comments that have a line of their own are read.
    """
    numbering = Numbering()
    scopes = Scopes(lambda: numbering.order)
    for part in _joined(_texts(text)):
        numbering.open_section()
        if part.is_comment:
            yield from _remark(part, numbering, scopes)
            continue
        scopes.begin()
        yield from numbering.adopt(read_plain(part.text, first_line=part.first))
        scopes.end()
    yield from scopes.ignores()


def _remark(part: _Text, numbering: Numbering, scopes: Scopes) -> Iterator[Element]:
    """A comment; lines of it that ignore citations are none of its text."""
    lines = part.text.split("\n")
    comments = ignored_lines(lines)
    shown = "\n".join("" if at in comments else line for at, line in enumerate(lines))
    places = [
        (Where(part.first + at, part.first + at, numbering.order, numbering.section), said)
        for at, said in comments.items()
    ]
    if not shown.strip():
        for where, said in places:
            scopes.note(where, said)
        return
    scopes.begin()
    for where, said in places:
        scopes.note_within(where, said)
    yield Prose(numbering.where(part.first, part.first + len(lines) - 1), shown)
    scopes.end()


def _texts(text: str) -> Iterator[_Text]:
    """Docstrings and comments in their order."""
    last: tokenize.TokenInfo | None = None
    starts_statement = True
    held: tokenize.TokenInfo | None = None
    for token in _tokens(text):
        last = token
        if token.type == tokenize.COMMENT:
            yield _comment(token.start[0], token.line[: token.start[1]], token.string)
        if token.type in _NO_CODE:
            continue
        if held is not None and token.type in {tokenize.NEWLINE, tokenize.ENDMARKER}:
            yield _docstring(held)
        held = token if starts_statement and token.type == tokenize.STRING else None
        starts_statement = token.type in _BEFORE_STATEMENT
    if last is None or last.type != tokenize.ENDMARKER:
        reached = 0 if last is None else last.end[0]
        for number, line in enumerate(text.split("\n")[reached:], reached + 1):
            if line.lstrip().startswith("#"):
                yield _comment(number, "", line.lstrip())


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """The tokens up to the end, or to where the text is no Python."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            # Before Python 3.12 a string that does not end is one character of no kind, and no error.
            if token.type == tokenize.ERRORTOKEN and token.string in {"'", '"'}:
                return
            yield token
    except (SyntaxError, tokenize.TokenError, ValueError, LookupError, RecursionError):
        return


def _comment(line: int, before: str, text: str) -> _Text:
    return _Text(line, text.lstrip("#"), is_comment=True, alone=not before.strip())


def _docstring(token: tokenize.TokenInfo) -> _Text:
    """A string as it stands in the source: escapes stay what they are, so that lines keep their numbers.

    The first line gets the indentation of the others.
    """
    opening = _QUOTES.match(token.string)
    quotes = opening["quotes"] if opening else ""
    text = token.string[opening.end() if opening else 0 :].removesuffix(quotes)
    return _Text(token.start[0], " " * token.start[1] + text, is_comment=False, alone=True)


def _joined(texts: Iterable[_Text]) -> Iterator[_Text]:
    """Comments on successive lines are one text, where nothing else stands on those lines."""
    lines: list[str] = []
    first = 0
    for text in texts:
        follows = text.is_comment and text.alone and first + len(lines) == text.first
        if lines and not follows:
            yield _Text(first, "\n".join(lines), is_comment=True, alone=True)
            lines = []
        if text.is_comment and text.alone:
            first = first if lines else text.first
            lines.append(text.text)
        else:
            yield text
    if lines:
        yield _Text(first, "\n".join(lines), is_comment=True, alone=True)

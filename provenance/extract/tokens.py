"""Tokens of code: what a lexer is, the generic one that serves every language, and when two strings are the same.

The generic one knows neither strings nor comments: a token is a word or one other character that is no white space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.extract.languages import Quoting

_WORD = re.compile(r"\w+|[^\w\s]")
_PREFIX = re.compile(rb"[A-Za-z]*")
_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
_BRACES = re.compile(rb"\{\{|\}\}|[{}]")


class Token(NamedTuple):
    """The smallest piece of code that means something."""

    text: str
    is_comment: bool
    """Whether the language takes it for a comment; a generic lexer never does."""


class Lexer(Protocol):
    """Cuts code of one language into tokens; code that does not parse is cut as well as can be."""

    def __call__(self, code: str) -> Sequence[Token]:
        """The tokens in their order, white space left out."""


def words(code: str) -> list[str]:
    """The texts of the generic tokens."""
    return _WORD.findall(code)


def generic(code: str) -> list[Token]:
    """The lexer for a language that nothing is known of."""
    return [Token(word, is_comment=False) for word in words(code)]


def string_key(text: bytes, quoting: Quoting | None) -> bytes:
    """What two string literals have in common that differ in their quotation marks alone.

    The letters before the mark count, in whatever case and order. A quotation mark is the same with a backslash before
    it and without, save where a backslash is an ordinary character. The key begins with a quotation mark, as no other
    token does; text that is no literal is its own key.

    Args:
        text: The literal as it stands in the file, UTF-8.
        quoting: How the language quotes; None where every literal is its own key.
    """
    if quoting is None:
        return text
    found = _PREFIX.match(text)
    at = found.end() if found else 0
    mark = next((sign.encode() for sign in quoting.marks if text.startswith(sign.encode(), at)), None)
    if mark is None or len(text) < at + 2 * len(mark) or not text.endswith(mark):
        return text
    prefix = bytes(sorted(text[:at].lower()))
    letters = set(prefix.decode("ascii"))
    body = text[at + len(mark) : -len(mark)]
    if b"\\" in body and not letters & quoting.raw:
        signs = {sign[:1].encode() for sign in quoting.marks}
        body = _ESCAPE.sub(lambda escape: escape[1] if escape[1] in signs else escape[0], body)
    if letters & quoting.filled and b"{" in body:
        body = _plain_inside(body)
    return b'"%s"%s' % (prefix, body)


def _plain_inside(body: bytes) -> bytes:
    """The text of a literal with the quotation marks of the code in its braces made one."""
    parts: list[bytes] = []
    depth = at = 0
    for brace in _BRACES.finditer(body):
        piece = body[at : brace.start()]
        parts.append(piece.replace(b"'", b'"') if depth else piece)
        at = brace.start()
        if depth or len(brace[0]) == 1:  # a brace that is doubled is text, outside of code
            sign = brace[0]
            depth = max(0, depth + sign.count(b"{") - sign.count(b"}"))
    parts.append(body[at:])
    return b"".join(parts)

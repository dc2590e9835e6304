"""Tokens of code: what a lexer is, and the generic one that serves every language.

The generic one knows neither strings nor comments: a token is a word or one other character that is no white space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+|[^\w\s]")


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

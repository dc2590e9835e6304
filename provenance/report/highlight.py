"""Code in colour, on a terminal. All of Pygments is here, and it is loaded when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

_LARGEST = 100_000
"""Characters that are highlighted at the most: lexers are regular expressions, and code can be hostile."""


def highlighted(lines: list[str], path: str, language: str | None) -> list[str]:
    """The same lines in colour; as they are where the language is not known.

    Args:
        lines: visible text. An escape sequence in code would otherwise pass for one of the highlighter's.
        path: the file's name, which tells the language where `language` does not.
        language: its name, where that is known.
    """
    from pygments import highlight
    from pygments.formatters.terminal import TerminalFormatter

    code = "\n".join(lines) + "\n"
    lexer = _lexer(path, language) if len(code) <= _LARGEST else None
    if lexer is None:
        return lines
    coloured = highlight(code, lexer, TerminalFormatter()).removesuffix("\n").split("\n")
    return coloured if len(coloured) == len(lines) else lines


def _lexer(path: str, language: str | None) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        # By its name where there is one: a file name has every lexer loaded that could be meant.
        if language is not None:
            return get_lexer_by_name(language, stripnl=False)
        return get_lexer_for_filename(path, stripnl=False)
    except ClassNotFound:
        return None

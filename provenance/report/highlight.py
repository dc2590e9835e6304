"""Code in colour, on a terminal. All of Pygments is here, and it is loaded when it is first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.report.blocks import Line, Span, Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pygments.lexer import Lexer

_LARGEST = 100_000
"""Characters that are highlighted at the most: lexers are regular expressions, and code can be hostile."""

_STYLES = {
    "Token.Comment": Style.DIM,
    "Token.Comment.Preproc": Style.CYAN,
    "Token.Keyword": Style.MAGENTA,
    "Token.Operator.Word": Style.MAGENTA,
    "Token.Name.Builtin": Style.CYAN,
    "Token.Name.Exception": Style.CYAN,
    "Token.Name.Function": Style.BOLD,
    "Token.Name.Class": Style.BOLD,
    "Token.Name.Decorator": Style.MAGENTA,
    "Token.Name.Tag": Style.MAGENTA,
    "Token.Literal.String": Style.GREEN,
    "Token.Literal.Number": Style.CYAN,
}
"""What is told apart, in colours that are legible on light and on dark; by the names of Pygments' types of tokens."""


def highlighted(texts: Sequence[str], path: str, language: str | None) -> list[Line]:
    """Lines of code in colour; as they are where the language is not known.

    Args:
        texts: visible text. An escape sequence in code would otherwise pass for one of ours.
        path: the file's name, which tells the language where `language` does not.
        language: its name, where that is known.
    """
    plain = [Line((Span(text),)) for text in texts]
    code = "\n".join(texts) + "\n"
    lexer = _lexer(path, language) if len(code) <= _LARGEST else None
    if lexer is None:
        return plain
    lines: list[list[Span]] = [[]]
    for token, text in lexer.get_tokens(code):
        style = _style(str(token))
        first, *others = text.split("\n")
        lines[-1].append(Span(first, style))
        lines.extend([Span(other, style)] for other in others)
    coloured = [Line(tuple(span for span in spans if span.text)) for spans in lines[:-1]]
    # A lexer may leave out or add what it takes for nothing: then the code itself is shown.
    return coloured if [line.text for line in coloured] == list(texts) else plain


def _style(token: str) -> Style | None:
    """The style of a type of token, or of the nearest one that it is a kind of."""
    while token not in _STYLES and "." in token:
        token = token.rpartition(".")[0]
    return _STYLES.get(token)


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

"""What sort of difference there is between a quote and the source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.evidence import Difference
from provenance.extract.tokens import generic

if TYPE_CHECKING:
    from provenance.extract.tokens import Lexer

_TYPESET = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005", " "),
        **dict.fromkeys("\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
        "\u2026": "...",
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
    }
)
"""What typesetting makes of plain characters, and back."""
_MOST_CHARACTERS = 500_000
"""Of both sides together that are cut into tokens; what is longer differs in code, or in white space alone."""
_RUN = re.compile(r"-+")


def _plain(text: str) -> str:
    """The text as it was before it was typeset; a dash may have been several hyphens, so runs of them count as one."""
    return _RUN.sub("-", text.translate(_TYPESET))


def difference(quote: str, source: str, lexer: Lexer | None) -> Difference:
    """The slightest sort of difference that explains all of it, judged on the language's tokens where it is known."""
    if len(quote) + len(source) > _MOST_CHARACTERS:
        same = "".join(quote.split()) == "".join(source.split())
        return Difference.WHITESPACE if same else Difference.CODE
    lex = lexer or generic
    if [token.text for token in lex(quote)] == [token.text for token in lex(source)]:
        return Difference.WHITESPACE
    if quote.translate(_TYPESET) != quote or source.translate(_TYPESET) != source:
        quote, source = _plain(quote), _plain(source)
    ours, theirs = lex(quote), lex(source)
    if [token.text for token in ours] == [token.text for token in theirs]:
        return Difference.TYPOGRAPHY
    if [token.text for token in ours if not token.is_comment] == [
        token.text for token in theirs if not token.is_comment
    ]:
        return Difference.COMMENTS
    return Difference.CODE

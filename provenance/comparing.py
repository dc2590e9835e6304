"""What a citation shows, compared with a file: by its kind, and the same quote with the same lines once a run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from provenance.errors import InvalidRecord
from provenance.extract.languages.table import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from provenance.citation import Citation, LineRange
    from provenance.evidence import Judgement
    from provenance.extract.languages import Language
    from provenance.extract.languages.table import Languages
    from provenance.extract.lines import Text
    from provenance.extract.syntax import Syntax
    from provenance.extract.tokens import Token
    from provenance.places import Place


class Comparing:
    """Compares citations with files, and knows what quotes it has compared with stored ones."""

    def __init__(self, languages: Languages = PLAIN) -> None:
        """Compare.

        Args:
            languages: tell how a changed quote is cut into tokens.
        """
        self._languages = languages
        self._known: dict[tuple[str, str, LineRange, str], Judgement] = {}
        """By blob, path, cited lines and quote."""

    def compared(self, citation: Citation, text: Text, place: Place | None) -> Judgement:
        """Compare what a citation shows with its file.

        Args:
            citation: what is compared.
            text: the file.
            place: where it is stored; None for one that is not.
        """
        if place is None:
            return compared(citation, text, lambda: None, self._languages)
        blob = place.file.blob
        if citation.quote is None or citation.lines is None or blob is None:
            return compared(citation, text, place.syntax, self._languages)
        key = blob, citation.path, citation.lines, citation.quote
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = compared(citation, text, place.syntax, self._languages)
        return found


def compared(
    citation: Citation, text: Text, syntax: Callable[[], Syntax | None], languages: Languages = PLAIN
) -> Judgement:
    """Compare what a citation shows with a file. Most runs compare nothing that was not exact before.

    Args:
        citation: the lines that it cites are those of this file.
        text: the file.
        syntax: makes the file's tree, which expressions alone are compared with.
        languages: tell how a changed quote is cut into tokens.
    """
    if citation.value is not None:
        from provenance.compare.values.value import judge_value

        return judge_value(citation.value, citation.lines, text, path=citation.path)
    if citation.lines is None:
        message = f"the citation {citation.id} has no lines, and no value to look for"
        raise InvalidRecord(message)
    if citation.expression is not None:
        from provenance.compare.expressions.expression import judge_expression

        tree = syntax()
        return judge_expression(citation.expression, citation.lines, text, syntax=tree, path=citation.path)
    from provenance.compare.judge import judge

    language = languages.of(citation.path)
    tokens = None if language is None else partial(_lex, language)
    return judge(citation.quote, citation.lines, text, lexer=tokens, path=citation.path)


def _lex(language: Language, code: str) -> Sequence[Token]:
    """Tokens of a language; its grammar is loaded when a quote really differs."""
    from provenance.extract.symbols import lexer

    return lexer(language)(code)

"""Markdown -> elements, by markdown-it: CommonMark with tables, strikethrough and HTML."""

from __future__ import annotations

from heapq import merge
from typing import TYPE_CHECKING

from provenance.document import Block, Where
from provenance.documents.html import Reader
from provenance.documents.markdown.controls import Controls
from provenance.documents.markdown.destinations import Definitions
from provenance.documents.markdown.fences import read_info
from provenance.documents.markdown.front import without_front_matter
from provenance.documents.markdown.inline import Paragraph, Setting
from provenance.documents.markdown.parser import parser
from provenance.documents.numbering import Numbering
from provenance.documents.plain import read_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

    from provenance.document import Element

_CONTAINERS = frozenset({"list_item", "blockquote", "tr", "table"})
_SHOWN = frozenset({"inline", "fence", "code_block"})


def read_markdown(text: str) -> Iterator[Element]:
    """Read Markdown. The text has LF terminators; what stands in it is found on the lines that are named.

    Front matter is no part of the document. Prose is as the document writes it, emphasis, code spans and comments
    included, so that what is found in it can be found in the document too.
    """
    controls = Controls(text)
    source = controls.away(without_front_matter(text))
    env: dict[str, dict[str, dict[str, object]]] = {}
    try:
        tokens = parser().parse(source, env)
    except (RuntimeError, LookupError, ValueError):  # deeper than Python can go, or a fault of the parser's
        return read_plain(text)
    lines = source.split("\n")
    return _Reader(lines, Definitions(env.get("references", {}), lines), controls).read(tokens)


class _Reader:
    """One pass over the tokens of a document. HTML's reader knows the containers, for some are HTML's."""

    def __init__(self, lines: list[str], definitions: Definitions, controls: Controls) -> None:
        self._lines = lines
        self._definitions = definitions
        self._controls = controls
        self._numbers = Numbering()
        self._html = Reader(self._numbers)
        self._fed = 0
        """How many lines have been read."""
        self._entered: list[bool] = []
        self._in_heading = False
        self._in_row = False

    def read(self, tokens: list[Token]) -> Iterator[Element]:
        """All elements in their order, those that are HTML's among the others."""
        elements = [element for token in tokens for element in self._token(token)]
        yield from merge(elements, self._html.finish(), key=lambda element: element.where.order)
        yield from self._html.ignores

    def _token(self, token: Token) -> Iterator[Element]:
        """What a token holds itself."""
        if token.nesting:
            self._boundary(token.type.rpartition("_")[0], token.nesting)
        elif token.map is not None:
            if self._html.preformatted:
                self._verbatim(token.map[1])
            elif token.type == "html_block":
                self._html.feed(self._controls.back(token.content), token.map[0] + 1)
            elif token.type in _SHOWN:
                self._html.begin()
                yield from self._shown(token, token.map)
                self._html.end()
            self._fed = token.map[1]

    def _shown(self, token: Token, span: list[int]) -> Iterator[Element]:
        """Running text, or code."""
        if token.type == "inline":
            yield from self._paragraph(token, span)
        elif token.type == "fence":
            yield from self._fence(token, span)
        else:
            yield from self._indented(token, span)

    def _boundary(self, kind: str, nesting: int) -> None:
        """Something opens (1) or closes (-1)."""
        opens = nesting > 0
        if kind == "heading":
            self._in_heading = opens and not self._html.preformatted
            self._numbers.section += self._in_heading
        elif kind in _CONTAINERS:
            self._in_row = opens and kind == "tr"
            if opens:
                # Within a `<pre>` there is no Markdown, and nothing to enter.
                self._entered.append(not self._html.preformatted)
                if self._entered[-1]:
                    self._open(kind)
            elif self._entered.pop():
                self._close(kind)

    def _open(self, kind: str) -> None:
        """A container begins; a table is none, and what a comment above it speaks of."""
        if kind != "tr":
            self._html.begin()
        if kind != "table":
            self._html.enter()

    def _close(self, kind: str) -> None:
        if kind != "table":
            self._html.leave()
        if kind != "tr":
            self._html.end()

    def _verbatim(self, end: int) -> None:
        """Lines within a `<pre>` that began in a piece of HTML which ended at a blank line."""
        text = "".join(f"{line}\n" for line in self._lines[self._fed : end])
        self._html.feed(self._controls.back(text), self._fed + 1)

    def _where(self, line: int, last: int) -> Where:
        order = self._numbers.order
        self._numbers.order += 1
        return Where(line, last, order, self._numbers.section, self._html.nest, heading=self._in_heading)

    def _paragraph(self, token: Token, span: list[int]) -> Iterator[Element]:
        """Running text.

        A first line that holds nothing but a form feed belongs to a paragraph, and is trimmed off.
        """
        begins = token.content.partition("\n")[0]
        first = next((line for line in range(*span) if begins in self._lines[line]), span[0])
        setting = Setting(
            self._definitions, self._where, self._html.ignore_within, self._controls.back, self._in_row
        )
        return Paragraph(token, first + 1, setting).elements()

    def _fence(self, token: Token, span: list[int]) -> Iterator[Element]:
        info = read_info(token.info, token.content)
        text = "\n".join(token.content.removesuffix("\n").split("\n")[info.skipped :])
        if text.strip():
            where = self._where(span[0] + 1, span[1])
            first = span[0] + 2 + info.skipped
            yield Block(
                where, self._controls.back(text), first, info.language, self._controls.back(info.title)
            )

    def _indented(self, token: Token, span: list[int]) -> Iterator[Element]:
        text = self._controls.back(token.content.removesuffix("\n"))
        if text.strip():
            yield Block(self._where(span[0] + 1, span[1]), text, span[0] + 1)

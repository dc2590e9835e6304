"""The text of one paragraph: what is prose in it, and which links."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.document import STAND_IN, Link, Prose
from provenance.documents.ignoring import ignored
from provenance.documents.markdown.destinations import written
from provenance.documents.markdown.parser import LABEL, SPAN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from markdown_it.token import Token

    from provenance.document import Element, Where
    from provenance.documents.markdown.destinations import Definitions

_ANCHOR = re.compile(r"<a\s", re.IGNORECASE)
_ANCHOR_END = re.compile(r"</a\s*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a paragraph's text needs of the document around it."""

    definitions: Definitions
    where: Callable[[int, int], Where]
    """The place of the next element, by its first and last line."""
    ignore: Callable[[str, int, int], None]
    """Takes what a comment says behind `prov: ignore`, its first line and its last."""
    back: Callable[[str], str]
    """Text as the document has it."""
    in_cell: bool
    """Whether it stands in a table's cell, where each `|` has a backslash that the parser took off."""


class Paragraph:
    """One inline token of markdown-it."""

    def __init__(self, token: Token, line: int, setting: Setting) -> None:
        self._content = token.content
        self._tokens = token.children or []
        self._setting = setting
        self._first = line
        self._counted = (0, line)
        self._closing = _closing(self._tokens)
        self._prose: list[str] = []
        self._taken = 0
        self._links: list[Callable[[], Iterator[Link]]] = []

    def elements(self) -> Iterator[Element]:
        """The prose, and the links that it has stand-ins for."""
        index = 0
        while index < len(self._tokens):
            index = self._step(index)
        self._pass_over(len(self._content), len(self._content), "")
        text = self._as_written("".join(self._prose))
        if text.strip():
            where = self._setting.where(self._first, self._first + text.count("\n"))
            yield Prose(where, text)
        for link in self._links:
            yield from link()

    def _step(self, index: int) -> int:
        """Take a token; the index of the next."""
        token = self._tokens[index]
        start, end = token.meta.get(SPAN, (0, 0))
        close = self._closing[index]
        if token.type == "link_open":
            self._link(token, self._tokens[index + 1 : close])
        elif token.type == "image":
            self._pass_over(start, end, "")
        elif token.type == "html_inline" and (said := _ignored(token.content)) is not None:
            line = self._line(start)
            self._setting.ignore(self._setting.back(said), line, self._line(end))
            self._pass_over(start, end, "")
        elif token.type == "html_inline" and _ANCHOR.match(token.content) and close > index:
            self._tags(start, self._tokens[close].meta[SPAN][1])
        elif token.type == "html_inline" and "=" in token.content and not token.content.startswith("<!--"):
            # An attribute can hold an address: one that is a link, or one that nobody sees.
            self._tags(start, end)
            return index + 1
        else:
            return index + 1
        return max(close, index) + 1

    def _link(self, token: Token, inner: Sequence[Token]) -> None:
        start, end = token.meta[SPAN]
        line = self._line(start)
        if LABEL in token.meta:
            destination = self._setting.definitions.of(token)
            raw, raw_line = destination.raw, destination.line
        else:
            raw = self._as_written(written(token, self._content))
            raw_line = self._line(token.meta["destination"])
        last = self._line(end)
        url = self._setting.back(str(token.attrs["href"]))
        text = self._setting.back("".join(map(self._shown, inner)))

        def link() -> Iterator[Link]:
            yield Link(self._setting.where(line, last), url, self._setting.back(raw), raw_line, text)

        self._links.append(link)
        self._pass_over(start, end, STAND_IN)

    def _shown(self, token: Token) -> str:
        """What a token of a link's text shows."""
        if token.type in {"softbreak", "hardbreak"}:
            return "\n"
        if token.type == "code_inline":
            code = self._content[slice(*token.meta[SPAN])]
            return code.strip("`") if "\n" in code else token.content
        return token.content if token.type in {"text", "image"} else ""

    def _tags(self, start: int, end: int) -> None:
        """Links in HTML; tags that are none leave a space."""
        from provenance.documents.html import read_html

        line = self._line(start)
        source = self._as_written(self._content[start:end])
        found = [each for each in read_html(source, first_line=line) if isinstance(each, Link)]

        def links() -> Iterator[Link]:
            for each in found:
                yield replace(each, where=self._setting.where(each.where.line, each.where.last))

        self._links.append(links)
        self._pass_over(start, end, STAND_IN * len(found) or " ")

    def _pass_over(self, start: int, end: int, instead: str) -> None:
        """Put something in the place of what stands between two offsets, and keep its line ends."""
        self._prose += (
            self._content[self._taken : start],
            instead,
            "\n" * self._content.count("\n", start, end),
        )
        self._taken = end

    def _as_written(self, text: str) -> str:
        text = self._setting.back(text)
        return text.replace("|", "\\|") if self._setting.in_cell else text

    def _line(self, offset: int) -> int:
        """The line of an offset; each is at or after the one before, so that nothing is counted twice."""
        start, line = self._counted
        line += self._content.count("\n", start, offset)
        self._counted = (max(start, offset), line)
        return line


def _ignored(content: str) -> str | None:
    """What a comment says behind `prov: ignore`; None where it is something else."""
    if not content.startswith("<!--"):
        return None
    return ignored(content.removeprefix("<!--").removesuffix("-->"))


def _closing(tokens: Sequence[Token]) -> list[int]:
    """For each token the index of the token that closes it as a link, or 0; looked for from the end, once."""
    closing = [0] * len(tokens)
    link = anchor = 0
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.type == "link_close":
            link = index
        elif token.type == "html_inline" and _ANCHOR_END.match(token.content):
            anchor = index
        elif token.type == "link_open":
            closing[index] = link
        elif token.type == "html_inline":
            closing[index] = anchor
    return closing

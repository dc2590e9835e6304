"""Where a link leads, as the document writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.documents.markdown.parser import DESTINATION, LABEL, SPAN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markdown_it.token import Token

_PREFIX = re.compile(r"[ \t>]*")
"""What quotations and lists put before a line."""
_LABEL = re.compile(r"(?:[^\[\]\\]*+\[)?(?:[^\[\]\\]|\\.)*+\]:")
"""A line up to the end of a definition's label, which may have begun on a line before."""
_WORD = re.compile(r"(?<=\s)\S")


@dataclass(frozen=True, slots=True)
class Destination:
    """An address where it stands."""

    raw: str
    line: int
    """1-based."""


def written(token: Token, content: str) -> str:
    """The address of an inline link or an autolink, as its paragraph has it; empty where it is empty."""
    start: int = token.meta[DESTINATION]
    if token.markup == "autolink":
        end: int = token.meta[SPAN][1]
        return content[start : end - 1]
    return _destination(content, start)[0]


class Definitions:
    """The definitions that links refer to."""

    def __init__(self, references: Mapping[str, Mapping[str, object]], lines: Sequence[str]) -> None:
        self._references = references
        self._lines = lines
        self._found: dict[str, Destination] = {}

    def of(self, token: Token) -> Destination:
        """Where the address of a link by reference stands; each definition is looked through once."""
        label: str = token.meta[LABEL]
        if label not in self._found:
            self._found[label] = self._find(label, str(token.attrs["href"]))
        return self._found[label]

    def _find(self, label: str, url: str) -> Destination:
        span = self._references[label]["map"]
        first, last = span if isinstance(span, list) else (0, 0)
        for index in range(first, last):
            line = self._lines[index]
            for start in _beginnings(line):
                raw, address = _destination(line, start)
                if address == url:
                    return Destination(raw, index + 1)
        return Destination("", first + 1)


def _beginnings(line: str) -> Iterator[int]:
    """Where on a line a definition's destination may begin: a line's start, after a label, after white space.

    A destination ends at white space, so that the whole is linear.
    """
    label = _LABEL.match(line)
    if label is not None:
        yield label.end()
    prefix = _PREFIX.match(line)
    yield 0 if prefix is None else prefix.end()
    for word in _WORD.finditer(line):
        yield word.start()


def _destination(text: str, start: int) -> tuple[str, str]:
    """A destination as it is written, without angle brackets, and as it is meant."""
    from markdown_it.helpers import parseLinkDestination

    found = parseLinkDestination(text, start, len(text))
    if not found.ok:
        return "", ""
    raw = text[start : found.pos]
    return raw[1:-1] if raw.startswith("<") else raw, found.str

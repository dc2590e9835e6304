"""HTML text -> tags, text and comments, with their places: the standard's tokenizer in one pass over the text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from html.entities import html5
from string import ascii_letters
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

VERBATIM = frozenset({"script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp"})
"""Elements whose content is text up to their end tag, whatever it looks like."""

_KEPT_TO_THE_END = frozenset({"script", "style"})

# Possessive throughout: what one part has taken is never given back, so no text is read twice.
_NAME = re.compile(r"[a-zA-Z][^ \t\n\r\f/>]*+")
_ATTRIBUTE = re.compile(
    r"""([^ \t\n\r\f/>][^ \t\n\r\f/>=]*+)
        (?:[ \t\n\r\f]*+=[ \t\n\r\f]*+(?:"([^"]*+)"|'([^']*+)'|([^ \t\n\r\f>]*+)))?""",
    re.VERBOSE,
)
_BEGINS = frozenset(ascii_letters + "/!?")
"""What makes markup of a `<` before it."""
_GAP = re.compile(r"[ \t\n\r\f/]*+")
_COMMENT_END = re.compile(r"--!?>")
_REFERENCE = re.compile(
    r"&(?:#[0-9]{1,8};?|#[xX][0-9a-fA-F]{1,8};?|[a-zA-Z][a-zA-Z0-9]{1,31}(?:;|(?![a-zA-Z0-9=])))"
)
_ENDLESS_NUMBER = re.compile(r"&#[0-9]{9,};?")
"""A number that no character has; Python refuses to read one of more than 4,300 digits."""
_CLOSING = {name: re.compile(rf"</{name}(?=[ \t\n\r\f/>])", re.IGNORECASE | re.ASCII) for name in VERBATIM}


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute of a start tag."""

    name: str
    """In lower case."""
    raw: str
    """The value as it stands in the document, without its quotation marks."""
    line: int
    """The line on which the value begins, 1-based."""

    @property
    def value(self) -> str:
        """The value with its character references decoded."""
        return decoded_value(self.raw)


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag."""

    name: str
    """In lower case."""
    attributes: tuple[Attribute, ...]
    """As they stand; of two with one name the first counts."""
    line: int
    last: int
    closed: bool = False
    """Whether it ends in `/>`."""
    classes: tuple[str, ...] = ()
    """What its `class` lists."""

    def get(self, name: str) -> Attribute | None:
        """The attribute of that name."""
        for each in self.attributes:
            if each.name == name:
                return each
        return None

    def value(self, name: str) -> str:
        """The decoded value of that attribute; empty where there is none."""
        found = self.get(name)
        return found.value if found else ""


@dataclass(frozen=True, slots=True)
class End:
    """An end tag."""

    name: str
    line: int
    last: int


@dataclass(frozen=True, slots=True)
class Text:
    """Text between tags."""

    text: str
    """With its character references decoded."""
    raw: str
    """As it stands in the document."""
    line: int
    last: int


@dataclass(frozen=True, slots=True)
class Comment:
    """What stands between `<!--` and `-->`."""

    text: str
    line: int
    """The line on which `text` begins."""
    last: int


Token = Tag | End | Text | Comment


def tokens(text: str, first_line: int = 1, *, unended: bool = True) -> Iterator[Token]:
    """The tokens of a text, or of a piece of one, in order. Any text is read; what the standard drops is dropped.

    Two things are read where the standard loses the rest of the document: a tag that never ends is text, and an
    element whose content is verbatim but which is never closed is read as any other.

    Args:
        text: the document, or a piece of one.
        first_line: the number of its first line.
        unended: whether a tag that never ends is text; the standard drops it.
    """
    return _Tokenizer(text, first_line).read(unended=unended)


def decoded(raw: str) -> str:
    """Text with its character references decoded."""
    if "&" not in raw:
        return raw
    return unescape(_ENDLESS_NUMBER.sub("\ufffd", raw) if "&#" in raw else raw)


def decoded_value(raw: str) -> str:
    """An attribute's value decoded: unlike in text, `&sect=1` is no reference there."""
    return _REFERENCE.sub(_character, raw) if "&" in raw else raw


def _character(match: re.Match[str]) -> str:
    reference = match[0]
    return unescape(reference) if reference[1] == "#" else html5.get(reference[1:], reference)


class _Tokenizer:
    """Goes over the text once; `_line` is always that of the offset `_counted`, and both only grow."""

    def __init__(self, text: str, first_line: int) -> None:
        self._text = text
        self._line = first_line
        self._counted = 0
        self._at = 0
        """Where what was read last ends."""
        self._never: set[str] = set()
        """Names of which no end tag follows."""

    def read(self, *, unended: bool) -> Iterator[Token]:
        text = self._text
        rest = len(text)
        shown = at = 0
        while (start := text.find("<", at)) >= 0:
            begin = text[start + 1 : start + 2]
            if begin not in _BEGINS:
                at = start + 1
                continue
            spans: list[tuple[str, int, int]] = []
            end = self._declared(start) if begin in "!?" else self._tag(start, spans)
            if end is None:
                rest = rest if unended else start
                break
            if start > shown:
                yield self._shown(shown, start)
            yield from self._markup(start, end, spans)
            at = shown = self._at
        if shown < rest:
            yield self._shown(shown, rest)

    def _markup(self, start: int, end: int, spans: list[tuple[str, int, int]]) -> Iterator[Token]:
        """The token of markup that ends there, and the verbatim text after it."""
        text = self._text
        self._at = end
        if text.startswith("</", start):
            if name := _NAME.match(text, start + 2):
                yield End(name[0].lower(), self._line_at(start), self._line_at(end))
        elif text[start + 1] not in "!?":
            tag = self._start_tag(start, end, spans)
            yield tag
            if tag.name in VERBATIM and not tag.closed:
                self._at = self._verbatim_end(tag.name, end)
                if self._at > end:
                    yield self._shown(end, self._at, coded=tag.name != "xmp")
        elif text.startswith("<!--", start):
            yield self._comment(start + 4, end)

    def _declared(self, start: int) -> int | None:
        """Where a comment, a declaration or a processing instruction ends."""
        if not self._text.startswith("<!--", start):
            return self._text.find(">", start) + 1 or None
        if self._text.startswith((">", "->"), start + 4):
            return self._text.index(">", start) + 1
        end = _COMMENT_END.search(self._text, start + 4)
        return end.end() if end else len(self._text)

    def _tag(self, start: int, spans: list[tuple[str, int, int]]) -> int | None:
        """Where a tag ends, None where it never does; its attributes' names and places are put into `spans`."""
        text = self._text
        name = _NAME.match(text, start + (2 if text[start + 1] == "/" else 1))
        if name is None:
            return text.find(">", start) + 1 or None
        at = name.end()
        if text.startswith(">", at):
            return at + 1
        while True:
            gap = _GAP.match(text, at)
            at = gap.end() if gap else at
            attribute = _ATTRIBUTE.match(text, at)
            if attribute is None:
                return at + 1 if at < len(text) else None
            group = attribute.lastindex or 1
            spans.append((attribute[1].lower(), *(attribute.span(group) if group > 1 else (at, at))))
            at = attribute.end()

    def _start_tag(self, start: int, end: int, spans: list[tuple[str, int, int]]) -> Tag:
        name = _NAME.match(self._text, start + 1)
        called = name[0].lower() if name else ""
        line = self._line_at(start)
        closed = self._text[end - 2] == "/"
        if not spans:
            return Tag(called, (), line, self._line_at(end), closed)
        attributes = tuple(
            Attribute(each, self._text[begin:stop], self._line_at(begin)) for each, begin, stop in spans
        )
        listed = next((each.value for each in attributes if each.name == "class"), "")
        # In `<a href=b/>` the slash is the value's.
        closed = closed and spans[-1][2] != end - 1
        return Tag(called, attributes, line, self._line_at(end), closed, tuple(listed.split()))

    def _comment(self, begin: int, end: int) -> Comment:
        stop = begin
        if end > begin + 2:
            stop = end - 3 if self._text.endswith("-->", begin, end) else end
            stop = end - 4 if self._text.endswith("--!>", begin, end) else stop
        return Comment(self._text[begin:stop], self._line_at(begin), self._line_at(end))

    def _verbatim_end(self, name: str, at: int) -> int:
        """Where verbatim content ends: at the end tag. Where none follows a script has the rest, others nothing."""
        found = None if name in self._never else _CLOSING[name].search(self._text, at)
        if found:
            return found.start()
        self._never.add(name)
        return len(self._text) if name in _KEPT_TO_THE_END else at

    def _shown(self, start: int, end: int, *, coded: bool = True) -> Text:
        raw = self._text[start:end]
        line = self._line_at(start)
        last = self._line_at(end) - raw.endswith("\n")
        return Text(decoded(raw) if coded else raw, raw, line, last)

    def _line_at(self, offset: int) -> int:
        self._line += self._text.count("\n", self._counted, offset)
        self._counted = offset
        return self._line

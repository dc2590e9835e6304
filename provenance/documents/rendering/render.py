"""HTML -> the lines that a reader of the page sees, with the links on them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING, NamedTuple

from provenance.documents.rendering.elements import (
    BREAKS,
    VOID,
    columns,
    ended_by,
    fenced_by,
    is_hidden,
    is_verbatim,
)
from provenance.documents.rendering.flow import LINE, Flow

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONG_REFERENCE = re.compile("&#(?:[0-9]{9,}+|[xX][0-9a-fA-F]{9,}+)")
"""No character has such a number, and Python refuses to read the longest of them."""
_REFRESH = re.compile(r"\s*[0-9.]*\s*[;,]\s*url\s*=\s*[\"']?(?P<url>[^\"']+)", re.IGNORECASE)
"""Where a page sends its readers on to (HTML, "http-equiv=refresh")."""
_LOOKED_THROUGH = 64
"""Open elements among which the one is looked for that a start tag ends: a bound for hostile nesting."""
_LONGEST_URL = 4096
"""Characters of an address that is kept."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link of a page."""

    href: str
    """As it stands there, entities decoded."""
    rel: frozenset[str]
    """What it says of the link, in lower case."""
    index: int
    """Of the line, among the lines of the text, on which it ends."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a page shows."""

    text: str
    """Lines, joined by LF."""
    numbers: Sequence[int]
    """The line of the HTML, 1-based, on which each of them begins."""
    codes: Sequence[int]
    """1 for each of them that is preformatted, else 0."""
    anchors: tuple[Anchor, ...]
    """In their order."""
    title: str
    """What `<title>` says, on one line."""
    title_number: int
    """The line of the HTML on which it says so."""
    base: str | None
    """What addresses are relative to, where the page says so itself."""
    canonical: str | None
    """The address that the page calls its own."""
    robots: frozenset[str]
    """What it asks of crawlers: `noindex`, `nofollow`, `none`."""


def render(html: str) -> Rendered:
    """Lay out a page. Whatever the text is, it is taken as the nearest thing to HTML."""
    text = html.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    renderer = _Renderer(text.count("\n") + 1)
    renderer.feed(_LONG_REFERENCE.sub("\ufffd", text) + "\n")
    # Not closed: what is left is a tag or a comment that the text ends within, which browsers drop, and which
    # the parser would read again from each of its characters on.
    return renderer.rendered()


@dataclass(slots=True)
class _Row:
    """A row of a table."""

    owed: int = 0
    """Tabs before the next cell: as many as the one before it has columns."""
    in_cell: bool = False
    broken: bool = False
    """Whether a block stands in one of its cells, so that it is no line."""


class _Open(NamedTuple):
    """An element that has begun, and what held before it did."""

    tag: str
    hidden: bool
    verbatim: bool
    row: _Row | None
    anchor: tuple[str, frozenset[str]] | None


class _Renderer(HTMLParser):
    """Hears of tags and text, and lets the text flow."""

    def __init__(self, lines: int) -> None:
        super().__init__(convert_charrefs=True)
        self._flow = Flow()
        self._last = lines
        self._open: list[_Open] = []
        self._names: Counter[str] = Counter()
        self._hidden = False
        self._verbatim = False
        self._fresh = False
        """Whether a verbatim element has just begun: its first LF is not shown."""
        self._row: _Row | None = None
        self._titling = False
        self._title: list[str] | None = None
        self._title_number = 1
        self._anchors: list[Anchor] = []
        self._base: str | None = None
        self._canonical: str | None = None
        self._robots: set[str] = set()

    def rendered(self) -> Rendered:
        """What there is once all is told."""
        while self._open:
            self._close()
        self._flow.part(LINE)
        numbers = self._flow.numbers
        for index, number in enumerate(numbers):
            if number > self._last:  # a character reference to an LF is one line of HTML and two of text
                numbers[index] = self._last
        return Rendered(
            "\n".join(self._flow.lines),
            numbers,
            self._flow.codes,
            tuple(self._anchors),
            " ".join("".join(self._title or ()).split()),
            self._title_number,
            self._base,
            self._canonical,
            frozenset(self._robots),
        )

    @property
    def _number(self) -> int:
        return self.getpos()[0]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in reversed(attrs)}
        self._note(tag, attributes)
        self._end_implied(tag)
        if tag in VOID:
            self._void(tag)
            return
        anchor = None
        if tag == "a" and "href" in attributes and len(attributes["href"]) <= _LONGEST_URL:
            anchor = attributes["href"], frozenset(attributes.get("rel", "").lower().split())
        self._open.append(_Open(tag, self._hidden, self._verbatim, self._row, anchor))
        self._names[tag] += 1
        if tag == "title" and self._title is None and not self._hidden:
            self._title, self._title_number, self._titling = [], self._number, True
        self._hidden = self._hidden or is_hidden(tag, attributes)
        if not self._hidden:
            self._begin(tag, attributes)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag == "br":
            self._void(tag)
        if not self._names[tag]:
            return
        while self._open[-1].tag != tag:
            self._close()
        self._close()

    def handle_data(self, data: str) -> None:
        if self._titling and self._title is not None:
            self._title.append(data)
        if self._hidden:
            return
        number = self._number
        if self._verbatim:
            skipped = self._fresh and data.startswith("\n")
            self._flow.verbatim(data[1:] if skipped else data, number + skipped)
        else:
            self._flow.inline(data, number)
        self._fresh = False

    def parse_marked_section(self, i: int, report: int = 1) -> int:
        """Take `<![…` for a comment, as browsers do; the base would raise where it is none of SGML's."""
        return self.parse_bogus_comment(i, bool(report))

    def unknown_decl(self, data: str) -> None:
        """Leave out what is no HTML."""

    def _note(self, tag: str, attributes: dict[str, str]) -> None:
        """Keep what an element says of the page rather than to its reader."""
        href = attributes.get("href", "")
        if tag == "base" and self._base is None and 0 < len(href) <= _LONGEST_URL:
            self._base = href
        elif tag == "link" and "canonical" in attributes.get("rel", "").lower().split():
            if self._canonical is None and 0 < len(href) <= _LONGEST_URL:
                self._canonical = href
        elif tag == "meta" and attributes.get("name", "").strip().lower() in {"robots", "prov"}:
            self._robots.update(attributes.get("content", "").lower().replace(",", " ").split())
        elif tag == "meta" and attributes.get("http-equiv", "").strip().lower() == "refresh":
            elsewhere = _REFRESH.match(attributes.get("content", "")[:_LONGEST_URL])
            if elsewhere is not None:
                self._anchors.append(Anchor(elsewhere["url"].strip(), frozenset(), self._flow.index))
        elif tag == "area" and 0 < len(href) <= _LONGEST_URL:
            rel = frozenset(attributes.get("rel", "").lower().split())
            self._anchors.append(Anchor(href, rel, self._flow.index))

    def _end_implied(self, tag: str) -> None:
        """End the elements whose end tags may be left out before this one."""
        ended = ended_by(tag)
        if not any(self._names[name] for name in ended):
            return
        fences = fenced_by(tag)
        for depth in range(1, min(len(self._open), _LOOKED_THROUGH) + 1):
            name = self._open[-depth].tag
            if name in fences:
                return
            if name in ended:
                for _ in range(depth):
                    self._close()
                return

    def _void(self, tag: str) -> None:
        if self._hidden:
            return
        self._fresh = False
        if tag != "br":
            self._part(tag)
        elif self._in_cell:
            self._flow.space()
        else:
            self._flow.newline(self._number)

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        """Let an element that is shown begin."""
        verbatim = is_verbatim(tag, attributes)
        if self._row is not None and self._in_cell and (tag == "table" or (verbatim and tag in BREAKS)):
            self._row.broken = True
        self._part(tag)
        if verbatim:
            self._verbatim = self._fresh = True
        if tag == "table":
            self._row = None
        elif tag == "tr":
            self._row = _Row()
        elif tag in {"td", "th"}:
            self._begin_cell(columns(attributes))

    def _begin_cell(self, taken: int) -> None:
        row = self._row
        if row is None or row.broken:
            self._flow.part(LINE)
            return
        for _ in range(row.owed):
            self._flow.tab(self._number)
        row.owed, row.in_cell = taken, True

    @property
    def _in_cell(self) -> bool:
        """Whether a cell is open in which lines do not end."""
        return self._row is not None and self._row.in_cell and not self._row.broken

    def _part(self, tag: str) -> None:
        size = BREAKS.get(tag, 0)
        if size and self._in_cell:
            self._flow.space()
        elif size:
            self._flow.part(size)

    def _close(self) -> None:
        """End the innermost element."""
        was = self._open.pop()
        self._names[was.tag] -= 1
        if was.anchor is not None:
            self._anchors.append(Anchor(*was.anchor, self._flow.index))
        if was.tag == "title":
            self._titling = False
        shown, self._hidden = not self._hidden, was.hidden
        self._verbatim = was.verbatim
        if was.tag in {"td", "th"} and self._row is not None:
            self._row.in_cell = False
        if was.tag in {"table", "tr"}:
            self._row = was.row
        if shown:
            self._part(was.tag)

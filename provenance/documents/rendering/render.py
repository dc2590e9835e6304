"""HTML -> the lines that a reader of the page sees, with the links on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from provenance.documents.html.stack import VOID, Opened, Stack
from provenance.documents.html.tokens import Comment, End, Tag, Text, tokens
from provenance.documents.rendering.elements import BREAKS, columns, is_hidden, is_verbatim
from provenance.documents.rendering.flow import LINE, Flow

if TYPE_CHECKING:
    from collections.abc import Sequence

_REFRESH = re.compile(r"\s*[0-9.]*\s*[;,]\s*url\s*=\s*[\"']?(?P<url>[^\"']+)", re.IGNORECASE)
"""Where a page sends its readers on to (HTML, "http-equiv=refresh")."""
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
    renderer = _Renderer()
    renderer.feed(text)
    return renderer.rendered(text.count("\n") + 1)


@dataclass(slots=True)
class _Row:
    """A row of a table."""

    owed: int = 0
    """Tabs before the next cell: as many as the one before it has columns."""
    in_cell: bool = False
    broken: bool = False
    """Whether a block stands in one of its cells, so that it is no line."""


class _Before(NamedTuple):
    """What held before an element began."""

    hidden: bool
    verbatim: bool
    row: _Row | None


class _Renderer:
    """Goes over tags and text, and lets the text flow."""

    def __init__(self) -> None:
        self._flow = Flow()
        self._stack = Stack()
        self._line = 1
        """On which the token begins that is being read."""
        self._hidden = False
        self._verbatim = False
        self._fresh = False
        """Whether a verbatim element has just begun: its first LF is not shown."""
        self._row: _Row | None = None
        self._titling = False
        self._title: list[str] | None = None
        self._title_number = 1
        self._link: tuple[str, frozenset[str]] | None = None
        """The one that is open."""
        self._anchors: list[Anchor] = []
        self._base: str | None = None
        self._canonical: str | None = None
        self._robots: set[str] = set()

    def feed(self, text: str) -> None:
        """Read the page: LF ends its lines."""
        for token in tokens(text, unended=False):
            self._line = token.line
            match token:
                case Text():
                    self._text(token.text)
                case Tag():
                    self._start(token)
                case End():
                    self._end(token.name)
                case Comment():
                    pass  # nobody sees it

    def rendered(self, last: int) -> Rendered:
        """What there is once all is read.

        Args:
            last: the page's last line.
        """
        self._close_to(0)
        self._flow.part(LINE)
        numbers = self._flow.numbers
        for index, number in enumerate(numbers):
            if number > last:  # a character reference to an LF is one line of HTML and two of text
                numbers[index] = last
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

    # Tokens

    def _text(self, text: str) -> None:
        if self._titling and self._title is not None:
            self._title.append(text)
        if self._hidden:
            return
        if self._verbatim:
            skipped = self._fresh and text.startswith("\n")
            self._flow.verbatim(text[1:] if skipped else text, self._line + skipped)
        else:
            self._flow.inline(text, self._line)
        self._fresh = False

    def _start(self, tag: Tag) -> None:
        self._note(tag)
        self._close_to(self._stack.closed_by_start(tag.name))
        if tag.name in VOID:
            self._void(tag.name)
            return
        if tag.name == "a":
            self._end_link()  # links do not nest
            self._link = _link(tag)
        elif tag.name == "title" and self._title is None and not self._hidden:
            self._title, self._title_number, self._titling = [], tag.line, True
        before = _Before(self._hidden, self._verbatim, self._row)
        self._stack.push(Opened(tag.name, closing=[partial(self._leave, tag.name, before)]))
        self._hidden = self._hidden or is_hidden(tag)
        if not self._hidden:
            self._begin(tag)
        if tag.closed:
            self._close_to(len(self._stack) - 1)

    def _end(self, name: str) -> None:
        if name == "br":
            self._void(name)
        elif name == "a":
            self._end_link()
        depth = self._stack.closed_by_end(name)
        if depth is not None:
            self._close_to(depth)

    def _close_to(self, depth: int) -> None:
        while len(self._stack) > depth:
            self._stack.pop().close(self._line)

    # What an element does

    def _note(self, tag: Tag) -> None:
        """Keep what an element says of the page rather than to its reader."""
        if tag.name == "meta":
            self._note_meta(tag)
        elif tag.name in {"area", "base", "link"} and (link := _link(tag)) and link[0]:
            href, rel = link
            if tag.name == "area":
                self._anchors.append(Anchor(href, rel, self._flow.index))
            elif tag.name == "base":
                self._base = self._base or href
            elif "canonical" in rel:
                self._canonical = self._canonical or href

    def _note_meta(self, tag: Tag) -> None:
        content = tag.value("content")
        if tag.value("name").strip().lower() in {"robots", "prov"}:
            self._robots.update(content.lower().replace(",", " ").split())
        elif tag.value("http-equiv").strip().lower() == "refresh":
            elsewhere = _REFRESH.match(content[:_LONGEST_URL])
            if elsewhere is not None:
                self._anchors.append(Anchor(elsewhere["url"].strip(), frozenset(), self._flow.index))

    def _end_link(self) -> None:
        if self._link is not None:
            self._anchors.append(Anchor(*self._link, self._flow.index))
            self._link = None

    def _void(self, name: str) -> None:
        if self._hidden:
            return
        self._fresh = False
        if name != "br":
            self._part(name)
        elif self._in_cell:
            self._flow.space()
        else:
            self._flow.newline(self._line)

    def _begin(self, tag: Tag) -> None:
        """Let an element that is shown begin."""
        verbatim = is_verbatim(tag)
        if (
            self._row is not None
            and self._in_cell
            and (tag.name == "table" or (verbatim and tag.name in BREAKS))
        ):
            self._row.broken = True
        self._part(tag.name)
        if verbatim:
            self._verbatim = self._fresh = True
        if tag.name == "table":
            self._row = None
        elif tag.name == "tr":
            self._row = _Row()
        elif tag.name in {"td", "th"}:
            self._begin_cell(columns(tag))

    def _begin_cell(self, taken: int) -> None:
        row = self._row
        if row is None or row.broken:
            self._flow.part(LINE)
            return
        for _ in range(row.owed):
            self._flow.tab(self._line)
        row.owed, row.in_cell = taken, True

    @property
    def _in_cell(self) -> bool:
        """Whether a cell is open in which lines do not end."""
        return self._row is not None and self._row.in_cell and not self._row.broken

    def _part(self, name: str) -> None:
        size = BREAKS.get(name, 0)
        if size and self._in_cell:
            self._flow.space()
        elif size:
            self._flow.part(size)

    def _leave(self, name: str, before: _Before, _: int) -> None:
        """An element ends."""
        if name == "a":
            self._end_link()
        elif name == "title":
            self._titling = False
        shown, self._hidden = not self._hidden, before.hidden
        self._verbatim = before.verbatim
        if name in {"td", "th"} and self._row is not None:
            self._row.in_cell = False
        if name in {"table", "tr"}:
            self._row = before.row
        if shown:
            self._part(name)


def _link(tag: Tag) -> tuple[str, frozenset[str]] | None:
    """Where a tag leads, and what it says of that."""
    found = tag.get("href")
    href = found.value if found is not None else ""
    if found is None or len(href) > _LONGEST_URL:
        return None
    return href, frozenset(tag.value("rel").lower().split())

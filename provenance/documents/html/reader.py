"""HTML -> the elements of a document, in one pass with a stack of open elements."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.document import STAND_IN, Where
from provenance.documents.html.addresses import embedded_in, link_of
from provenance.documents.html.codes import Codes
from provenance.documents.html.containers import Captions, Nests
from provenance.documents.html.drafts import CodeDraft, CommentDraft, Draft, LinkDraft, ProseDraft
from provenance.documents.html.marks import is_caption, is_unseen
from provenance.documents.html.stack import BLOCKS, HEADINGS, OUTSIDE, VOID, Opened, Stack
from provenance.documents.html.tokens import VERBATIM, Comment, End, Tag, Text, decoded, tokens
from provenance.documents.ignoring import Scopes, ignored
from provenance.documents.numbering import Numbering

if TYPE_CHECKING:
    from provenance.document import Element, Ignore
    from provenance.documents.html.addresses import Address

_DROPPED = (VERBATIM - {"xmp"}) | {"template", "svg", "math"}
_PASSED = VOID | _DROPPED | {"html", "body", "main", "ul", "ol", "dl", "menu"}
"""Elements that a comment above them does not speak of as a whole: it speaks of the first that begins within."""


class Reader:
    """Reads a document, or pieces of one: see `provenance.documents.html`."""

    def __init__(self, numbering: Numbering | None = None, *, whole: bool = False) -> None:
        self._numbering = numbering or Numbering()
        self._whole = whole
        self._stack = Stack()
        self._nests = Nests(self._numbering)
        self._captions = Captions()
        self._drafts: list[Draft] = []
        self._prose: ProseDraft | None = None
        self._link: LinkDraft | None = None
        self._codes = Codes(self._new_code)
        self._scopes = Scopes(lambda: self._numbering.order)
        self._behind: list[tuple[Where, str]] = []
        """Comments behind the text so far of the paragraph that is open."""
        self.ignores: list[Ignore] = []
        """The comments that ignore citations, once all has been read."""
        self._dropped = 0
        self._heading = 0
        self._line = 1

    @property
    def nest(self) -> tuple[int, ...]:
        """The containers that are open."""
        return self._nests.current

    @property
    def preformatted(self) -> bool:
        """Whether a `<pre>` is open."""
        return self._codes.current is not None

    def feed(self, text: str, first_line: int = 1) -> None:
        """Read on: a piece of HTML that begins on that line."""
        for token in tokens(text, first_line):
            self._line = token.last
            match token:
                case Text():
                    self._text(token)
                case Tag():
                    self._start(token)
                case End():
                    self._end(token)
                case Comment():
                    self._comment(token)
            self._codes.settle(token if isinstance(token, Tag) else None)
        if not self._whole:
            self._flush()

    def enter(self) -> None:
        """A container that is no HTML begins, such as Markdown's list item."""
        self._flush()
        opened = Opened(OUTSIDE)
        opened.closing.append(self._nests.open())
        self._stack.push(opened)

    def leave(self) -> None:
        """The container entered last ends, and with it what was opened in it and not closed."""
        depth = self._stack.closed_by_end(OUTSIDE)
        if depth is not None:
            self._close_to(depth)

    def finish(self) -> list[Element]:
        """All elements, in their order; what is open is closed."""
        self._close_to(0)
        self._flush()
        kept = [draft for draft in self._drafts if draft.kept]
        self.ignores = list(self._scopes.ignores())
        if not self._whole:
            return [draft.element(draft.where(draft.order, draft.nest)) for draft in kept]
        _renumber_captions(kept)
        self.ignores = _renumbered(self.ignores, kept)
        nests = self._nests.reduced(kept)
        return [draft.element(draft.where(place, nests[draft.nest])) for place, draft in enumerate(kept)]

    def begin(self) -> None:
        """Something that is no HTML begins: a paragraph, a list item, a block."""
        self._flush()
        self._scopes.begin()

    def end(self) -> None:
        """It ends."""
        self._scopes.end()

    def ignore_within(self, said: str, line: int, last: int) -> None:
        """A comment in the middle of a paragraph that is no HTML, by what it says behind `prov: ignore`."""
        self._scopes.note_within(self._beside(line, last), said)

    # Tokens

    def _text(self, token: Text) -> None:
        if self._dropped:
            return
        text, line = token.text, token.line
        if self._codes.current is not None:
            self._codes.add(text, line)
            if self._link is not None:
                self._link.shown.append(text)
            return
        if text.count("\n") != token.raw.count("\n"):
            text = "\n".join(_on_one_line(each) for each in token.raw.split("\n"))
        text = text.replace("\r\n", "\n").replace(STAND_IN, " ")
        self._captions.add(text)
        if self._link is not None:
            self._link.shown.append(text)
        else:
            self._running(text, line)

    def _running(self, text: str, line: int) -> None:
        if self._prose is None:
            if text.isspace():
                return
            self._scopes.begin()
            self._prose = ProseDraft(*self._place(line))
            self._drafts.append(self._prose)
        elif not text.isspace():
            self._settle_within()
        self._prose.add(text, line)

    def _comment(self, token: Comment) -> None:
        text = token.text.replace("\r\n", "\n").replace(STAND_IN, " ")
        shown = text.lstrip()
        said = ignored(shown)
        if said is not None and not self._dropped:
            where = self._beside(token.line, token.last)
            if self._prose is None:
                self._scopes.note(where, said, len(self._stack))
            else:
                self._behind.append((where, said))
        elif shown and not self._dropped:
            line = token.line + text.count("\n", 0, len(text) - len(shown))
            text = shown.rstrip()
            draft = CommentDraft(*self._place(line), text=text, last=line + text.count("\n"))
            self._drafts.append(draft)

    def _end(self, token: End) -> None:
        if token.name == "a" and self._link is not None:
            self._end_link(token.last)
        depth = self._stack.closed_by_end(token.name)
        if depth is not None:
            self._close_to(depth)
        elif token.name == "p":
            self._flush()

    def _start(self, tag: Tag) -> None:
        self._close_to(self._stack.closed_by_start(tag.name))
        block = tag.name in BLOCKS
        if block:
            behind = self._end_text()
            for where, said in behind:  # what they stand above begins here
                self._scopes.note(where, said, len(self._stack))
        is_scope = block and self._is_scope(tag)
        if is_scope:
            self._scopes.begin()
        if tag.attributes and not self._dropped and not is_unseen(tag):
            self._links(tag)
        if tag.name in VOID:
            self._void(tag)
            return
        if tag.closed and tag.name in VERBATIM:
            return
        opened = Opened(tag.name)
        if is_scope:
            opened.closing.append(lambda _: self._scopes.end())
        if block:
            opened.closing.append(lambda _: self._flush())
        self._stack_effects(tag, opened)
        self._stack.push(opened)

    def _is_scope(self, tag: Tag) -> bool:
        """Whether a comment above an element speaks of all of it."""
        is_seen = not self._dropped and not is_unseen(tag) and not (tag.closed and tag.name in VERBATIM)
        return is_seen and tag.name not in _PASSED

    def _void(self, tag: Tag) -> None:
        if tag.name != "br" or self._dropped:
            return
        if self._codes.current is not None:
            self._codes.break_line()
        elif self._link is not None:
            self._link.shown.append(" ")
        else:
            self._running(" ", tag.line)

    # What an element does while it is open

    def _stack_effects(self, tag: Tag, opened: Opened) -> None:
        if self._dropped or tag.name in _DROPPED or is_unseen(tag):
            self._drop(tag, opened)
            return
        if tag.name in HEADINGS:
            self._open_heading(opened)
        if self._nests.counts(tag.name):
            opened.closing.append(self._nests.open(soft=self._whole and tag.name == "div"))
        if tag.name == "a" and self._link is not None:
            opened.closing.append(self._end_link)
        if tag.name == "figure":
            opened.closing.append(self._captions.open_figure())
        if self._codes.current is None and is_caption(tag):
            self._open_caption(tag, opened)
        self._codes.open(tag, opened, self._stack.top, self.nest)

    def _drop(self, tag: Tag, opened: Opened) -> None:
        if tag.name in {"td", "th"}:
            self._codes.numbered()
        self._dropped += 1
        opened.closing.append(self._undrop)

    def _undrop(self, _: int) -> None:
        self._dropped -= 1

    def _open_heading(self, opened: Opened) -> None:
        self._numbering.open_section()
        self._heading += 1
        opened.closing.append(self._close_heading)

    def _close_heading(self, _: int) -> None:
        self._flush()
        self._heading -= 1

    def _open_caption(self, tag: Tag, opened: Opened) -> None:
        self._flush()
        around = len(self._stack) - 1
        first = self._numbering.order

        def close(_: int) -> None:
            self._flush()
            self._captions.end(first, self._numbering.order, None if tag.name == "figcaption" else around)

        self._captions.begin()
        opened.closing.append(close)

    # Links

    def _links(self, tag: Tag) -> None:
        if tag.name == "a" and self._link is not None:
            self._end_link(tag.line)
        address = link_of(tag)
        if address is not None and tag.name == "a":
            if self._codes.current is None:
                self._running(STAND_IN, tag.line)
            self._link = self._new_link(address, tag)
        elif address is not None:
            self._new_link(address, tag)
        for embedded in embedded_in(tag):
            self._new_link(embedded, tag)

    def _new_link(self, address: Address, tag: Tag) -> LinkDraft:
        link = LinkDraft(*self._place(tag.line), address=address, last=tag.last)
        self._drafts.append(link)
        return link

    def _end_link(self, line: int) -> None:
        if self._link is not None:
            self._link.last = line
            self._link = None

    def _new_code(self, line: int, language: str) -> CodeDraft:
        code = CodeDraft(*self._place(line), language=language)
        self._captions.give(code)
        self._drafts.append(code)
        return code

    # Places

    def _place(self, line: int) -> tuple[int, int, int, tuple[int, ...], bool]:
        order = self._numbering.order
        self._numbering.order += 1
        return order, line, self._numbering.section, self._nests.current, self._heading > 0

    def _beside(self, line: int, last: int) -> Where:
        """The place of what takes no order of its own."""
        return Where(line, last, self._numbering.order, self._numbering.section)

    def _flush(self) -> None:
        """The paragraph ends, and with it what it is in."""
        self._settle_within()
        self._end_text()

    def _settle_within(self) -> None:
        """The comments behind the paragraph's text so far are in the middle of it, or the last that it has."""
        for where, said in self._behind:
            self._scopes.note_within(where, said)
        self._behind = []

    def _end_text(self) -> list[tuple[Where, str]]:
        """The paragraph ends; gives the comments that stand behind all of its text."""
        behind, self._behind = self._behind, []
        if self._prose is not None:
            self._prose.end()
            self._prose = None
            self._scopes.end()
        return behind

    def _close_to(self, depth: int) -> None:
        while len(self._stack) > depth:
            opened = self._stack.pop()
            opened.close(self._line)
            self._captions.forget(len(self._stack))
        self._scopes.close(len(self._stack))


def _renumber_captions(kept: list[Draft]) -> None:
    orders = [draft.order for draft in kept]
    for draft in kept:
        if isinstance(draft, CodeDraft) and draft.caption:
            first, last = bisect_left(orders, draft.caption[0]), bisect_right(orders, draft.caption[1]) - 1
            draft.caption = (first, last) if first <= last else None


def _renumbered(ignores: list[Ignore], kept: list[Draft]) -> list[Ignore]:
    """The same, with the orders that elements have in the end."""
    orders = [draft.order for draft in kept]
    found = []
    for each in ignores:
        where = replace(each.where, order=bisect_left(orders, each.where.order))
        first, behind = (bisect_left(orders, order) for order in each.covers or (0, 0))
        found.append(replace(each, where=where, covers=(first, behind) if first < behind else None))
    return found


def _on_one_line(raw: str) -> str:
    return decoded(raw).replace("\n", " ")

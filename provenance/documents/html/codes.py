"""Where code is in HTML: in `<pre>`, in the cells of a table of code lines, in the items of a numbered list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.documents.html.marks import is_code_cell, language_of, title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from provenance.documents.html.drafts import CodeDraft
    from provenance.documents.html.stack import Opened
    from provenance.documents.html.tokens import Tag

PREFORMATTED = frozenset({"pre", "listing", "xmp"})
_LINE_BOXES = frozenset({"div", "li", "p", "tr"})
_LISTS = frozenset({"ol", "ul"})
_WRAPPERS = frozenset({"div", "figure", "pre", "code", "table", "ol", "section"})
_REACH = 8
"""How many elements may stand between the one that names a language and the code: a table, its rows, its cells."""


@dataclass(slots=True)
class _Rows:
    """A table or a list whose rows may be lines of code."""

    line: int
    nest: tuple[int, ...]
    listed: bool
    """Whether this is a list, each of whose items is a line."""
    numbered: bool = False
    """Whether line numbers stand in the row that is open."""
    code: CodeDraft | None = None


class Codes:
    """Tells from the tags which text is code."""

    def __init__(self, begin: Callable[[int, str], CodeDraft]) -> None:
        self._begin = begin
        """Given the line and the language."""
        self._rows: list[_Rows] = []
        self._fresh = False
        """Whether a `<pre>` has just been opened, whose first line break is no text."""
        self.current: CodeDraft | None = None
        """The code that is open."""

    def add(self, text: str, line: int) -> None:
        """Text within the code that is open."""
        code = self.current
        if code is None:
            return
        if self._fresh and text.startswith(("\n", "\r\n")):
            text = text[text.index("\n") + 1 :]
            line += 1
        if not (code.between and text.isspace()):
            code.add(text, line)

    def settle(self, tag: Tag | None) -> None:
        """A token has been read, which may be a tag."""
        self._fresh = tag is not None and tag.name in PREFORMATTED

    def break_line(self) -> None:
        """`<br>`."""
        if self.current is not None:
            self.current.break_line(always=True)

    def numbered(self) -> None:
        """A cell of line numbers begins."""
        if self._rows:
            self._rows[-1].numbered = True

    def open(self, tag: Tag, opened: Opened, around: Opened | None, nest: tuple[int, ...]) -> None:
        """An element begins within another and in these containers."""
        self._tell_language(tag, opened, around)
        if self.current is not None:
            self._within(tag, opened, self.current)
        elif tag.name in PREFORMATTED:
            self.current = self._begin(tag.line, opened.language)
            self.current.title = title_of(tag) or self.current.title
            opened.closing.append(self._close)
        elif tag.name == "table" or (tag.name == "ol" and "linenums" in tag.classes):
            self._rows.append(_Rows(tag.line, nest, listed=tag.name == "ol"))
            opened.closing.append(self._close_rows)
        elif self._rows:
            self._in_rows(tag, opened, self._rows[-1])

    def _tell_language(self, tag: Tag, opened: Opened, around: Opened | None) -> None:
        if around and around.reach:
            opened.language, opened.reach = around.language, around.reach - 1
        if tag.attributes and tag.name in _WRAPPERS and (language := language_of(tag)):
            opened.language, opened.reach = language, _REACH

    def _within(self, tag: Tag, opened: Opened, code: CodeDraft) -> None:
        if tag.name == "code" or tag.name in PREFORMATTED:
            if tag.name != "code" and code.blank:
                code.restart()
            code.language = language_of(tag) or code.language or opened.language
            code.title = code.title or title_of(tag)
        if tag.name in _LISTS or (tag.name == "li" and code.between):
            code.between, before = tag.name != "li", code.between

            def restore(_: int) -> None:
                code.between = before

            opened.closing.append(restore)
        if tag.name in _LINE_BOXES:
            code.break_line(always=False)
            size = code.size()
            opened.closing.append(lambda _: code.break_line(always=code.size() == size))

    def _in_rows(self, tag: Tag, opened: Opened, rows: _Rows) -> None:
        if tag.name == "tr":
            rows.numbered = False
        cell = tag.name in {"td", "th"} and is_code_cell(tag, beside_numbers=rows.numbered)
        if not cell and not (rows.listed and tag.name == "li"):
            return
        if rows.code is None:
            rows.code = self._begin(rows.line, opened.language)
            rows.code.nest = rows.nest
        code = self.current = rows.code

        def close(line: int) -> None:
            self.current = None
            code.end_cell(line)

        opened.closing.append(close)

    def _close(self, line: int) -> None:
        if self.current is not None:
            self.current.last = line
            self.current = None

    def _close_rows(self, line: int) -> None:
        code = self._rows.pop().code
        if code is not None:
            code.last = line

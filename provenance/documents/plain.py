"""Plain text -> elements: paragraphs, and stretches that are fenced or indented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.document import Block, Prose, Where
from provenance.documents.ignoring import Scopes, ignored_lines
from provenance.documents.markdown.fences import read_info
from provenance.documents.numbering import Numbering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.document import Element

_FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}+|~{3,}+)(?P<info>[^`]*)")
_PROMPT = ">>>"
_CODE_INDENT = 4
_TAB = 4
"""How many columns a tab reaches to, as in Markdown."""


def read_plain(text: str, *, first_line: int = 1) -> Iterator[Element]:
    """Read text without markup. It has LF terminators.

    Args:
        text: what is read; where all of it is indented, that indentation is no mark of code.
        first_line: the line of the document on which it begins.
    """
    return _Reader(text, first_line).elements()


class _Reader:
    """A position in the lines, and what was read before it."""

    def __init__(self, text: str, first_line: int) -> None:
        self._lines = text.split("\n")
        self._first = first_line
        self._numbering = Numbering()
        self._scopes = Scopes(lambda: self._numbering.order)
        indents = (_indent(line) for line in self._lines if line.strip())
        self._margin = min(indents, default=0)
        self._at = 0
        self._literal_beyond: int | None = None
        """The indentation of a paragraph that ended in `::`; what is indented more is code."""

    def elements(self) -> Iterator[Element]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip():
                self._at += 1
                continue
            fence = _FENCE.fullmatch(line)
            if (
                fence is None
                and not line.lstrip().startswith(_PROMPT)
                and _indent(line) < self._code_indent()
            ):
                yield from self._paragraph()
                continue
            self._scopes.begin()
            if fence is not None:
                yield from self._fence(fence)
            elif line.lstrip().startswith(_PROMPT):
                yield self._dialogue()
            else:
                yield self._indented()
            self._scopes.end()
        yield from self._scopes.ignores()

    def _code_indent(self) -> int:
        """The indentation from which on a line, after a blank one, is code."""
        usual = self._margin + _CODE_INDENT
        return usual if self._literal_beyond is None else min(usual, self._literal_beyond + 1)

    def _fence(self, opening: re.Match[str]) -> Iterator[Element]:
        """A fence; one that is never closed takes the rest."""
        start = self._at
        rest = range(start + 1, len(self._lines))
        end = next((number for number in rest if _closes(self._lines[number], opening["mark"])), None)
        self._literal_beyond = None
        self._at = len(self._lines) if end is None else end + 1
        body = self._lines[start + 1 : self._at if end is None else end]
        info = read_info(opening["info"], "")
        code = "\n".join(_less_indented(line, _indent(self._lines[start])) for line in body)
        if code.strip():
            where = self._numbering.where(self._first + start, self._first + self._at - 1)
            yield Block(where, code, self._first + start + 1, info.language, info.title)

    def _dialogue(self) -> Element:
        """A dialogue with an interpreter, up to a blank line."""
        start = self._at
        while self._at < len(self._lines) and self._lines[self._at].strip():
            self._at += 1
        return self._block(start, self._at, "pycon")

    def _indented(self) -> Element:
        """Lines that are indented, blank ones between them included."""
        start = end = self._at
        least = self._code_indent()
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.strip():
                if _indent(line) < least:
                    break
                end = self._at
            self._at += 1
        self._literal_beyond = None
        self._at = end + 1
        return self._block(start, self._at, "")

    def _block(self, start: int, end: int, language: str) -> Element:
        lines = self._lines[start:end]
        common = min(_indent(line) for line in lines if line.strip())
        where = self._numbering.where(self._first + start, self._first + end - 1)
        return Block(where, "\n".join(_less_indented(line, common) for line in lines), where.line, language)

    def _paragraph(self) -> Iterator[Element]:
        """Lines up to a blank one, a fence or a prompt; those that are comments are none of its text."""
        start = self._at
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if not line.strip() or _FENCE.fullmatch(line) or line.lstrip().startswith(_PROMPT):
                break
            self._at += 1
        lines = self._lines[start : self._at]
        comments = ignored_lines(lines)
        shown = [at for at in range(len(lines)) if at not in comments]
        if not shown:
            for at, said in comments.items():
                self._scopes.note(self._beside(start + at), said)
            return
        self._literal_beyond = _indent(lines[shown[-1]]) if lines[shown[-1]].rstrip().endswith("::") else None
        self._scopes.begin()
        for at, said in comments.items():
            self._scopes.note_within(self._beside(start + at), said)
        begin, end = shown[0], shown[-1] + 1
        text = "\n".join("" if at in comments else lines[at] for at in range(begin, end))
        yield Prose(self._numbering.where(self._first + start + begin, self._first + start + end - 1), text)
        self._scopes.end()

    def _beside(self, at: int) -> Where:
        """The place of what takes no order of its own, by the offset of its line."""
        return Where(self._first + at, self._first + at, self._numbering.order, self._numbering.section)


def _closes(line: str, mark: str) -> bool:
    """Whether a line is nothing but a fence's mark, or a longer one."""
    line = line.strip(" \t")
    return line.startswith(mark) and not line.strip(mark[0])


def _indent(line: str) -> int:
    """How many columns of spaces and tabs a line begins with."""
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    return len(blank.expandtabs(_TAB)) if "\t" in blank else len(blank)


def _less_indented(line: str, columns: int) -> str:
    """A line without its first columns, as far as they are blank."""
    blank = line[: len(line) - len(line.lstrip(" \t"))]
    if "\t" in blank:
        blank = blank.expandtabs(_TAB)
    return blank[columns:] + line.lstrip(" \t")

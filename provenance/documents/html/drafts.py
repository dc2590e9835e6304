"""Elements in the making: what of a paragraph, a link or a block has been read so far."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.document import STAND_IN, Block, Link, Prose, Where

if TYPE_CHECKING:
    from provenance.document import Element
    from provenance.documents.html.addresses import Address

_WHITE = " \t\n\r\f\v"


@dataclass(slots=True)
class Draft(ABC):
    """What all drafts have."""

    order: int
    line: int
    section: int
    nest: tuple[int, ...]
    heading: bool
    last: int = 0

    @property
    def kept(self) -> bool:
        """Whether there is anything to it."""
        return True

    def where(self, order: int, nest: tuple[int, ...]) -> Where:
        """Its place, under the number and in the containers that it has in the end."""
        return Where(self.line, max(self.line, self.last), order, self.section, nest, heading=self.heading)

    @abstractmethod
    def element(self, where: Where) -> Element:
        """The element that it became."""


@dataclass(slots=True)
class ProseDraft(Draft):
    """Running text; line breaks are put in so that each line of it stands where it does in the document."""

    _parts: list[str] = field(default_factory=list)
    _broken: int = 0

    def add(self, text: str, line: int) -> None:
        """Append text that stands on that line."""
        if not self._parts:
            shown = text.lstrip(_WHITE)
            line += text.count("\n", 0, len(text) - len(shown))
            text = shown
            if not text:
                return
            self.line = line
        missing = line - self.line - self._broken
        if missing > 0:
            self._parts.append("\n" * missing)
            self._broken += missing
        self._parts.append(text)
        self._broken += text.count("\n")

    @property
    def kept(self) -> bool:
        """Whether there is more than stand-ins and white space."""
        return any(part != STAND_IN and part.strip(_WHITE) for part in self._parts)

    def element(self, where: Where) -> Prose:
        """The paragraph."""
        return Prose(where, "".join(self._parts).rstrip(_WHITE))

    def end(self) -> None:
        """Note on which line it ends."""
        text = "".join(self._parts)
        self.last = self.line + text.rstrip(_WHITE).count("\n")


@dataclass(slots=True)
class LinkDraft(Draft):
    """A link whose end may not have come yet."""

    address: Address = field(kw_only=True)
    shown: list[str] = field(default_factory=list)

    def element(self, where: Where) -> Link:
        """The link."""
        return Link(where, self.address.url, self.address.raw, self.address.line, "".join(self.shown))


@dataclass(slots=True)
class CodeDraft(Draft):
    """Preformatted text, gathered from one element or from the cells of a table."""

    language: str = ""
    title: str = ""
    caption: tuple[int, int] | None = None
    first: int = 0
    between: bool = False
    """Whether this is between elements each of which is a line, where white space is no text."""
    _done: list[str] = field(default_factory=list)
    _parts: list[str] = field(default_factory=list)
    _ended: bool = True
    """Whether the last character so far is a line break."""

    @property
    def blank(self) -> bool:
        """Whether the cell holds nothing yet."""
        return not any(part.strip(_WHITE) for part in self._parts)

    def add(self, text: str, line: int) -> None:
        """Append text that stands on that line."""
        if not text:
            return
        self.first = self.first or line
        self._parts.append(text)
        self._ended = text.endswith("\n")

    def break_line(self, *, always: bool) -> None:
        """End the line, unless it has just begun and `always` is not said."""
        if always or not self._ended:
            self._parts.append("\n")
            self._ended = True

    def size(self) -> int:
        """Changes when anything is added."""
        return len(self._parts)

    def restart(self) -> None:
        """Forget the cell's text."""
        self._parts.clear()
        self._ended = True
        if not self._done:
            self.first = 0

    def end_cell(self, line: int) -> None:
        """The cell is one line, or several, of the text."""
        self.first = self.first or line
        text = "".join(self._parts).replace("\r\n", "\n")
        shown = text.lstrip("\n")
        if not self._done:
            self.first += len(text) - len(shown)
        self._done.append(shown.rstrip("\n"))
        self._parts.clear()
        self._ended = True

    @property
    def kept(self) -> bool:
        """Whether there is any text."""
        return not self.blank or any(each.strip(_WHITE) for each in self._done)

    def element(self, where: Where) -> Block:
        """The block."""
        last = "".join(self._parts).replace("\r\n", "\n").removesuffix("\n")
        text = "\n".join([*self._done, last] if last else self._done) if self._done else last
        return Block(where, text, self.first or self.line, self.language, self.title, self.caption)


@dataclass(slots=True)
class CommentDraft(Draft):
    """A comment."""

    text: str = ""

    def element(self, where: Where) -> Prose:
        """The comment, as running text."""
        return Prose(where, self.text)

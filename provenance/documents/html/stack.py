"""The open elements of an HTML document: which of them a start tag closes, and which an end tag does.

A selection of the standard's rules, those that decide what is inside what. Each question costs the same however deep
the document is: for each name the depths at which it is open are kept.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

VOID = frozenset(
    {
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    }
)
"""Elements that hold nothing and have no end tag."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

OUTSIDE = "#"
"""The name of a container that is no HTML, such as Markdown's list item: no tag in it closes what is around it."""

_TABLE_PARTS = frozenset({"caption", "tbody", "td", "tfoot", "th", "thead", "tr"})

_ENDS_PARAGRAPH = HEADINGS | frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "center",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "header",
        "hgroup",
        "hr",
        "listing",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "ul",
        "xmp",
    }
)

BLOCKS = _ENDS_PARAGRAPH | _TABLE_PARTS | frozenset({"body", "dd", "dt", "html", "li", "option", "template"})
"""Elements before and behind which a paragraph ends."""

_HOLDS_BLOCKS = BLOCKS | frozenset(
    {"audio", "button", "canvas", "datalist", "math", "noscript", "object", "select", "svg", "video"}
)
"""Elements whose end tag closes the blocks that are left open in them: no other's does."""

_BARRIERS = ("table", "td", "th", "caption", "template", "object", OUTSIDE)

_TABLE = ("table", "template", OUTSIDE)

_CLOSES = {
    "li": ((*_BARRIERS, "ul", "ol", "menu"), ("li",)),
    "dt": ((*_BARRIERS, "dl"), ("dt", "dd")),
    "dd": ((*_BARRIERS, "dl"), ("dt", "dd")),
    "option": (_BARRIERS, ("option",)),
    "td": ((*_TABLE, "tr"), ("td", "th")),
    "th": ((*_TABLE, "tr"), ("td", "th")),
    "tr": (_TABLE, ("tr", "td", "th", "caption")),
    "tbody": (_TABLE, tuple(_TABLE_PARTS)),
    "thead": (_TABLE, tuple(_TABLE_PARTS)),
    "tfoot": (_TABLE, tuple(_TABLE_PARTS)),
}
"""For a start tag: within which elements, and which elements it closes there."""


@dataclass(slots=True)
class Opened:
    """An element that is open."""

    name: str
    language: str = ""
    """Of the code in it, as far as it or what is close around it says."""
    reach: int = 0
    """How many elements further in that language still counts."""
    closing: list[Callable[[int], None]] = field(default_factory=list)
    """What is to be done when it closes, given the line."""

    def close(self, line: int) -> None:
        """It closes on that line."""
        for each in reversed(self.closing):
            each(line)


class Stack:
    """The open elements, the innermost last."""

    def __init__(self) -> None:
        self._opened: list[Opened] = []
        self._depths: defaultdict[str, list[int]] = defaultdict(list)
        self._blocks: list[int] = []

    def __len__(self) -> int:
        return len(self._opened)

    @property
    def top(self) -> Opened | None:
        """The innermost."""
        return self._opened[-1] if self._opened else None

    def push(self, opened: Opened) -> None:
        """Open an element."""
        self._depths[opened.name].append(len(self._opened))
        if opened.name in BLOCKS or opened.name == OUTSIDE:
            self._blocks.append(len(self._opened))
        self._opened.append(opened)

    def pop(self) -> Opened:
        """Close the innermost."""
        opened = self._opened.pop()
        self._depths[opened.name].pop()
        if self._blocks and self._blocks[-1] == len(self._opened):
            self._blocks.pop()
        return opened

    def closed_by_start(self, name: str) -> int:
        """The depth down to which elements close when a start tag of that name comes."""
        depth = len(self._opened)
        if name in _ENDS_PARAGRAPH:
            depth = self._within(depth, (*_BARRIERS, "button"), ("p",))
            if name in HEADINGS and self.top and self.top.name in HEADINGS:
                depth = min(depth, len(self._opened) - 1)
        if name in _CLOSES:
            limits, closed = _CLOSES[name]
            depth = self._within(depth, limits, closed)
        return depth

    def closed_by_end(self, name: str) -> int | None:
        """The depth down to which elements close at an end tag of that name; None where it closes none."""
        if self._opened and self._opened[-1].name == name:
            return len(self._opened) - 1
        at = self._deepest(name)
        if at < 0:
            return None
        if name == OUTSIDE:
            limit = -1
        elif name == "table" or name in _TABLE_PARTS:
            limit = self._deepest(*({"table", "template", OUTSIDE} - {name}))
        elif name in _HOLDS_BLOCKS:
            limit = self._deepest(*(each for each in _BARRIERS if each != name))
        else:
            limit = self._blocks[-1] if self._blocks else -1
        return at if at > limit else None

    def _deepest(self, *names: str) -> int:
        deepest = -1
        for name in names:
            depths = self._depths.get(name)
            if depths and depths[-1] > deepest:
                deepest = depths[-1]
        return deepest

    def _within(self, depth: int, limits: tuple[str, ...], names: tuple[str, ...]) -> int:
        """The outermost of the innermost open elements of these names that stands within all limits."""
        found = [self._depths[name][-1] for name in names if self._depths.get(name)]
        if not found:
            return depth
        limit = self._deepest(*limits)
        return min([depth, *(at for at in found if at > limit)])

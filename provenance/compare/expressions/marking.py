"""Which tokens of an expression are code, which are layout, and which are omission marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

from provenance.extract.code import CLOSES, COMMA, OPENS, Steps
from provenance.extract.tokens import string_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.extract.code import Edge, Span
    from provenance.extract.languages import Quoting
    from provenance.extract.syntax import Syntax

MARK = "\u2026".encode()
"""What is always a mark, but in a string."""
_ELLIPSIS = b"..."
_COMMENT = re.compile(rb"[#/*<!\-;%\s]*(?:(?:\xe2\x80\xa6)+|\.{3,})[*/\->\s]*")
"""A comment that is an ellipsis, whatever signs the language writes comments with."""
_ENDS = re.compile(rb"[\w\x80-\xff)\]]")
"""What a bracket follows that is an index."""
_WORD = re.compile(rb"[\w\x80-\xff]")
_FEW = 1_000
"""Steps that are enough to look at one comma."""


class Named:
    """An expression with a name in each mark's place, for the grammar to read."""

    def __init__(self, shown: bytes) -> None:
        self._shown = shown
        self.name = b""
        """A name that stands nowhere in the expression; empty where there are no marks."""
        self.data = shown
        """The expression with it; spaces keep it apart from other names."""
        self._ends = [0]
        """Where each name ends in the data, with the spaces around it."""
        self._grown = [0]
        """How much longer the data is up to there than what is shown."""
        if MARK in shown:
            self._name()

    def _name(self) -> None:
        number = 0
        while b"omitted%d" % number in self._shown:
            number += 1
        self.name = b"omitted%d" % number
        head, *rest = self._shown.split(MARK)
        pieces = [head]
        size = len(head)
        for before, behind in zip([head, *rest], rest, strict=False):
            left = b" " if not before or _WORD.match(before[-1:]) else b""
            right = b" " if _WORD.match(behind[:1]) else b""
            mark = left + self.name + right
            size += len(mark)
            self._ends.append(size)
            self._grown.append(self._grown[-1] + len(mark) - len(MARK))
            size += len(behind)
            pieces += [mark, behind]
        self.data = b"".join(pieces)

    def shown(self, start: int, end: int) -> bytes:
        """What is shown where a stretch of the data is."""
        return self._shown[self._at(start) : self._at(end)]

    def _at(self, offset: int) -> int:
        before = bisect_right(self._ends, offset) - 1
        return max(0, min(offset - self._grown[before], len(self._shown)))


class Role(Enum):
    """What a token of an expression may mean that is not code for sure."""

    LAYOUT = auto()
    MARK = auto()
    CODE_OR_MARK = auto()
    LAYOUT_OR_MARK = auto()


@dataclass(slots=True)
class Cut:
    """An expression that is cut into tokens. Its lists go by the same index."""

    named: Named
    quoting: Quoting | None
    syntax: Syntax | None = None
    """Of the expression with names for its marks, where there is a grammar."""
    keys: list[bytes] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    """What ends right before each; empty where nothing can."""
    comments: set[int] = field(default_factory=set)
    """Indices of those that are comments."""
    clean: bool = False
    """Whether it parses, so that its statements can be told apart."""
    block: bool = False
    """Whether it ends within a block of its own."""
    _known: tuple[list[bool], list[bool], Span | None] | None = None

    def add(self, key: bytes, start: int, end: int) -> None:
        """One more token."""
        self.keys.append(key)
        self.starts.append(start)
        self.ends.append(end)

    def restore(self) -> None:
        """A mark within a string or a comment is its own text."""
        name = self.named.name
        for index, key in enumerate(self.keys):
            if name in key and key != name:
                shown = self.named.shown(self.starts[index], self.ends[index])
                self.keys[index] = string_key(shown, self.quoting)

    @property
    def nested(self) -> Sequence[bool]:
        """For each token, whether it stands in brackets."""
        return self._brackets()[0]

    @property
    def indexed(self) -> Sequence[bool]:
        """For each token, whether the bracket around it is that of an index."""
        return self._brackets()[1]

    @property
    def odd(self) -> Span | None:
        """A bracket that has no other."""
        return self._brackets()[2]

    def _brackets(self) -> tuple[list[bool], list[bool], Span | None]:
        self._known = self._known or self._bracketed()
        return self._known

    def _bracketed(self) -> tuple[list[bool], list[bool], Span | None]:
        opened: list[tuple[int, bool]] = []
        nested: list[bool] = []
        indexed: list[bool] = []
        odd: int | None = None
        for index, key in enumerate(self.keys):
            if key in CLOSES:
                if opened and self.keys[opened[-1][0]] == CLOSES[key]:
                    opened.pop()
                else:
                    odd = index if odd is None else odd
            nested.append(bool(opened))
            indexed.append(bool(opened) and opened[-1][1])
            if key in OPENS:
                start = self.starts[index]
                opened.append(
                    (index, key == b"[" and start > 0 and bool(_ENDS.match(self.named.data, start - 1)))
                )
        if opened and odd is None:
            odd = opened[-1][0]
        return nested, indexed, None if odd is None else (self.starts[odd], self.ends[odd])


def roles_of(cut: Cut) -> dict[int, Role]:
    """By their indices, the tokens that are not code, or need not be."""
    roles = dict.fromkeys(_spare_commas(cut), Role.LAYOUT)
    for index in cut.comments:
        is_ellipsis = _COMMENT.fullmatch(cut.keys[index]) is not None
        roles[index] = Role.LAYOUT_OR_MARK if is_ellipsis else Role.LAYOUT
    if cut.named.name or _ELLIPSIS in cut.keys:
        for index, key in enumerate(cut.keys):
            if key == cut.named.name:
                roles[index] = Role.MARK
            elif key == _ELLIPSIS and _stands_alone(cut, index):
                roles[index] = Role.CODE_OR_MARK
    return roles


def fault_of(cut: Cut) -> str:
    """Where an expression does not parse, in its own columns; empty where it does, or where marks may be why."""
    if cut.syntax is not None and not cut.syntax.root.has_error:
        return ""
    span = cut.odd or (None if cut.syntax is None else cut.syntax.fault())
    if span is None:
        return ""
    start, end = span
    if cut.named.name and cut.named.name in cut.named.data[max(0, start - 1) : end + 1]:
        return ""
    lines = cut.named.shown(0, start).decode("utf-8", "replace").split("\n")
    column = f"column {len(lines[-1]) + 1}"
    return f"line {len(lines)}, {column}" if b"\n" in cut.named.data else column


def _spare_commas(cut: Cut) -> Iterator[int]:
    """Indices of the commas before a closing bracket that mean nothing there."""
    last = -1
    for index, key in enumerate(cut.keys):
        if key in CLOSES and last >= 0 and cut.keys[last] == COMMA and cut.syntax is not None:
            comma = cut.syntax.leaves(cut.starts[last], Steps(_FEW))
            if comma is not None and comma.spare():
                yield last
        if index not in cut.comments:
            last = index


def _stands_alone(cut: Cut, index: int) -> bool:
    """Whether `...` stands where an argument or a statement would, alone; in an index it is code."""
    if cut.indexed[index]:
        return False
    deep, last = cut.nested[index], len(cut.keys) - 1
    before = cut.keys[index - 1] if index else None
    behind = cut.keys[index + 1] if index < last else None
    starts = (
        before is None
        or before == COMMA
        or before in OPENS
        or (before in {b":", b";"} and not deep)
        or b"\n" in cut.named.data[cut.ends[index - 1] : cut.starts[index]]
    )
    ends = (
        behind is None
        or behind == COMMA
        or behind in CLOSES
        or not deep
        or b"\n" in cut.named.data[cut.ends[index] : cut.starts[index + 1]]
    )
    return starts and ends

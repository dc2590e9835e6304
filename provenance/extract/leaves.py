"""The leaves of a syntax tree, one after another from any place on, and the runs of siblings that begin at one.

A whole tree is never walked: what is looked at is what is asked for, and every step is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from provenance.extract.code import BREAK, CLOSES, COMMA, NO_EDGE, Edge
from provenance.extract.kinds import ERROR
from provenance.extract.tokens import string_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, TreeCursor

    from provenance.extract.code import Span, Steps
    from provenance.extract.syntax import Syntax

_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_BRACKETS = _OPENING | _CLOSING
_DEEP = 5
"""A copy of a place costs a step for each 2**5 nodes around it, for they are copied too."""
CROWDED = 8
"""A way down costs a step for each 2**8 siblings that it passes: comments, for one, can only be passed one by one."""
_LOST = b"\0"
"""Begins the key of a token behind text that no leaf holds, as broken code has it: it is like no other token."""
_INVISIBLE = " \t\n\r\f\v\\\u00a0\u200b\u2060\ufeff"
"""What may stand between leaves: white space, line continuations, and what passes for white space."""
_LONG = 8
"""A leaf costs a step for each 2**8 bytes of it."""
_NESTED = 3
"""Nodes from an atom down to a leaf of it."""
_MOST_ITEMS = 50
"""Items of a list that are named."""


class TreeLeaves:
    """A place among the leaves of a syntax tree; comments and layout are passed over, an atom is one leaf."""

    __slots__ = (
        "_around",
        "_cursor",
        "_data",
        "_heeds",
        "_kinds",
        "_reached",
        "_special",
        "_steps",
        "_syntax",
        "edge",
        "end",
        "hollow",
        "is_comment",
        "key",
        "start",
    )

    def __init__(
        self, syntax: Syntax, cursor: TreeCursor, steps: Steps, around: list[str] | None, reached: int
    ) -> None:
        self._syntax = syntax
        self._data = syntax.data
        self._kinds = syntax.kinds
        self._special = syntax.kinds.special
        self._cursor = cursor
        self._steps = steps
        self._around = around
        """The types of the nodes around the cursor's, from the root down; None where no edges are wanted."""
        self._reached = reached
        """Where the leaf before ends, whatever it was."""
        self.start = self.end = 0
        self.key = b""
        self.edge: Edge | None = NO_EDGE
        self._heeds = False
        self.is_comment = False
        """Whether this is a comment, or the token behind one: only what begins with `first` stops at comments."""
        self.hollow = False
        """Whether a block was passed that holds nothing, as behind a header without a body."""

    @classmethod
    def at(cls, syntax: Syntax, offset: int, steps: Steps, *, bounded: bool) -> Self | None:
        """The leaf or atom that begins at an offset; None where there is none, or one that is no token."""
        cursor = syntax.tree.walk()
        around: list[str] | None = [_kind(cursor)] if bounded else None
        while (passed := cursor.goto_first_child_for_byte(offset)) is not None:
            steps.left -= 1 + (passed >> CROWDED)
            if steps.left <= 0:
                return None
            if around is not None:
                around.append(_kind(cursor))
        if around is not None:
            around.pop()
        leaves = cls(syntax, cursor, steps, around, offset)
        return leaves if leaves.take(at=offset) else None

    @classmethod
    def after(cls, syntax: Syntax, offset: int, steps: Steps) -> Self:
        """The first token that ends behind an offset, or a comment or the like if that is around it."""
        cursor = syntax.tree.walk()
        while (passed := cursor.goto_first_child_for_byte(offset)) is not None:
            steps.left -= 1 + (passed >> CROWDED)
        leaves = cls(syntax, cursor, steps, None, offset)
        node = cursor.node
        if node is not None and node.start_byte < offset:
            leaves.start, leaves.end = node.start_byte, node.end_byte
        elif not leaves.take():
            leaves.advance()
        return leaves

    @classmethod
    def first(cls, syntax: Syntax, steps: Steps, *, telling: bool) -> Self:
        """The first token, to go on from; comments are stopped at, too.

        Args:
            syntax: The file.
            steps: What it may cost.
            telling: Whether edges are told.
        """
        leaves = cls(syntax, syntax.tree.walk(), steps, [] if telling else None, 0)
        leaves.heed_comments()
        return leaves

    def heed_comments(self) -> None:
        """Go to the first leaf, and stop at comments from now on."""
        self._heeds = True
        self._down()
        if not self.take():
            self.advance()

    @property
    def in_block(self) -> bool:
        """Whether this is within a block that is not the whole file; only where edges are told."""
        return self._around is not None and any(kind in self._kinds.edged for kind in self._around[1:])

    def fork(self) -> Self:
        """The same place, to go on from elsewhere."""
        cursor, around = self._copy(self._cursor), _copied(self._around)
        place = type(self)(self._syntax, cursor, self._steps, around, self._reached)
        place.start, place.end, place.key, place.edge = self.start, self.end, self.key, self.edge
        return place

    def advance(self) -> None:
        """Go on to the next token."""
        if self._around is not None:
            self._advance_telling(self._around)
            return
        cursor, steps = self._cursor, self._steps
        while steps.left > 0:
            left = steps.left - 1
            while not cursor.goto_next_sibling():
                left -= 1
                if not cursor.goto_parent():
                    self._finish()
                    return
            while cursor.goto_first_child():
                left -= 1
            steps.left = left
            if self.take():
                return
        self._finish()

    def take(self, at: int | None = None) -> bool:
        """Take what is under the cursor; False where that is no token, or begins elsewhere than it should."""
        node = self._cursor.node
        if node is None:
            return False
        kind = node.type
        special = kind in self._special
        if special:
            if kind in self._kinds.fragments:
                node = self._atom(node)
                kind = node.type
            self.is_comment = kind in self._kinds.comments
            if kind in self._kinds.silent and not (self.is_comment and self._heeds):
                self._reached = node.end_byte
                return False
        start, end, reached = node.start_byte, node.end_byte, self._reached
        self.start, self.end, self._reached = start, end, end
        if start == end or (at is not None and start != at):
            self.key = b""
            self.hollow = self.hollow or kind in self._kinds.edged
            return False
        data = self._data
        self.key = data[start:end]
        if special and kind in self._kinds.atoms:
            self._steps.left -= (end - start) >> _LONG
            self.key = string_key(self.key, self._kinds.quoting)
        if reached < start and data[reached:start] != b" " and not is_blank(data[reached:start]):
            self.key = _LOST + self.key
        return True

    def spare(self) -> bool:
        """Whether the comma here would mean nothing before a closing bracket."""
        side = self._copy(self._cursor)
        kind = _kind(side) if side.goto_parent() else ERROR
        if kind == ERROR or kind not in self._kinds.lists:
            return False
        if kind not in self._kinds.tuples:
            return True
        side.goto_first_child()
        while (node := side.node) is not None and node.start_byte < self.start and node.type != ",":
            self._steps.left -= 1
            side.goto_next_sibling()
        return node is not None and node.start_byte < self.start

    def past_runs(self, before: bytes | None) -> Iterator[tuple[int, Self]]:
        """Each node that begins here, and in a list or a block each run of siblings; short ones first."""
        level, around = self._copy(self._cursor), _copied(self._around)
        while (node := level.node) is not None and self._steps.left > 0:
            up = self._copy(level)
            parent = up.node if up.goto_parent() else None
            if parent is None or parent.type not in self._kinds.lists:
                if node.is_named:
                    yield node.end_byte, self._behind(level, around, node.end_byte)
            elif node.type in _CLOSING or (node.type in _OPENING and parent.start_byte == self.start):
                pass  # the list's own
            else:
                closer = self._closer(up, around) if before in CLOSES else None
                yield from self._along(level, around) if closer is None else ((closer.start, closer),)
            if parent is None or parent.start_byte != self.start:
                return
            level = up
            if around is not None:
                around.pop()

    def rest(self, *, opened: bool) -> tuple[list[Span], Self] | None:
        """The last items of a call's or a definition's list, and the place of its closing bracket."""
        level, around = self._copy(self._cursor), _copied(self._around)
        while True:
            up = self._copy(level)
            parent = up.node if up.goto_parent() else None
            if parent is None or not (opened or self.key == COMMA):
                return None
            if parent.type in self._kinds.calls:
                break
            if self.key == COMMA or parent.start_byte != self.start:
                return None
            level = up
            if around is not None:
                around.pop()
        items: list[Span] = []
        while (node := level.node) is not None and node.type not in _BRACKETS:
            if node.is_named and node.type not in self._kinds.silent and len(items) < _MOST_ITEMS:
                items.append((node.start_byte, node.end_byte))
            self._steps.left -= 1
            if self._steps.left <= 0 or not level.goto_next_sibling():
                return None
        return (items, self._at(level, around)) if items else None

    def _closer(self, up: TreeCursor, around: list[str] | None) -> Self | None:
        """The bracket that closes a list, if one does."""
        side = self._copy(up)
        side.goto_last_child()
        return self._at(side, _copied(around)) if _kind(side) in _CLOSING else None

    def _along(self, level: TreeCursor, around: list[str] | None) -> Iterator[tuple[int, Self]]:
        """The runs of siblings from one on, each one further, up to a bracket that closes around them."""
        side = self._copy(level)
        depth = 0
        while (node := side.node) is not None and self._steps.left > 0:
            kind = node.type
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth < 0:
                return
            if not depth and kind not in self._kinds.silent:
                yield node.end_byte, self._behind(side, around, node.end_byte)
            self._steps.left -= 1
            if not side.goto_next_sibling():
                return

    def _behind(self, cursor: TreeCursor, around: list[str] | None, end: int) -> Self:
        """The place behind a whole node, which ends there."""
        behind = type(self)(self._syntax, self._copy(cursor), self._steps, _copied(around), end)
        behind.advance()
        return behind

    def _at(self, cursor: TreeCursor, around: list[str] | None) -> Self:
        """The place of the leaf or atom under a cursor."""
        place = type(self)(self._syntax, cursor, self._steps, around, len(self._data))
        place.take()
        place.edge = self.edge
        return place

    def _copy(self, cursor: TreeCursor) -> TreeCursor:
        """Another cursor at the same node.

        Not `TreeCursor.copy`: with tree-sitter 0.26 the copy frees memory that is in use.
        """
        self._steps.left -= 1 + (cursor.depth >> _DEEP)
        copy = self._syntax.tree.walk()
        copy.reset_to(cursor)
        return copy

    def _atom(self, leaf: Node) -> Node:
        """The atom around a fragment, with the cursor moved there; the fragment itself where there is none."""
        cursor = self._cursor
        for climbed in range(1, _NESTED + 1):
            node = cursor.node if cursor.goto_parent() else None
            if node is not None and node.type in self._kinds.atoms:
                if self._around is not None:
                    del self._around[-climbed:]
                return node
        while cursor.node != leaf and cursor.goto_first_child_for_byte(leaf.start_byte) is not None:
            pass
        return leaf

    def _down(self) -> None:
        """Go down to the first leaf."""
        kind = _kind(self._cursor)
        while self._cursor.goto_first_child():
            self._steps.left -= 1
            if self._around is not None:
                self._around.append(kind)
                kind = _kind(self._cursor)

    def _advance_telling(self, around: list[str]) -> None:
        """Go on to the next token, and tell what ends on the way."""
        cursor, blocks = self._cursor, self._kinds.edged
        edge: Edge | None = NO_EDGE
        while self._steps.left > 0:
            self._steps.left -= 1
            while not cursor.goto_next_sibling():
                self._steps.left -= 1
                if not cursor.goto_parent():
                    self._finish()
                    return
                around.pop()
                if edge is not None and _kind(cursor) in blocks:
                    edge = Edge(edge.closes + 1)
            if around and around[-1] == ERROR:
                edge = None
            elif edge is not None and around and around[-1] in blocks:
                edge = edge.then(BREAK)
            self._down()
            if self.take():
                self.edge = edge
                return
        self._finish()

    def _finish(self) -> None:
        self.start = self.end = len(self._data)
        self.key = b""


def _kind(cursor: TreeCursor) -> str:
    node = cursor.node
    return "" if node is None else node.type


def is_blank(gap: bytes) -> bool:
    """Whether text between leaves is none: white space, line continuations, and what passes for white space."""
    return gap.isspace() or not gap.decode("utf-8", "replace").strip(_INVISIBLE)


def _copied(kinds: list[str] | None) -> list[str] | None:
    return None if kinds is None else kinds.copy()

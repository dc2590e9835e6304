"""Syntax trees. All of tree-sitter is here and in `leaves` and `symbols`; it is loaded when it is first needed.

A file with syntax errors has a tree as well. Nothing here recurses: a tree is as deep as whoever wrote the file
wants it to be.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Self

from provenance.extract.code import Steps, line_starts
from provenance.extract.kinds import Kinds
from provenance.extract.leaves import CROWDED, TreeLeaves
from provenance.extract.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Parser, Tree

    from provenance.extract.code import Span
    from provenance.extract.languages import Language
    from provenance.extract.lines import Text

_LARGEST = 4 * 1024 * 1024
"""Bytes of a file that is still parsed."""

_PATIENCE = 10.0
"""Seconds for one file, several times what the largest needs: some inputs take quadratic time, such as a file
of nothing but line continuations."""

_MOST_SILENT = 2_000
"""Steps over the comments behind a stretch of code, up to the end of what holds both."""

_DEEPEST = 5_000
"""Brackets that may be open at once."""
_OPENING = (b"(", b"[", b"{", b"<")
_BRACKET = re.compile(rb"[()\[\]{}<>]")
_BLANK = re.compile(rb"\s*+")
_LINKS = (b".", b"?.", b"&.", b"->", b"::")
"""What a link of a chain of calls begins with."""

_SMALL = 8_192
"""Bytes of Python that are parsed without a look at the clock: the worst of them take half a second."""
_TINY = 512
"""The same where grammars are slower at their worst."""


@dataclass(frozen=True, slots=True)
class NoSyntax:
    """A file that has no syntax tree."""

    reason: str
    """Why, as a note says it: `the file is longer than 4 MiB`."""


class Syntax:
    """The syntax tree of one file, for whoever asks where code stands in it."""

    def __init__(self, data: bytes, tree: Tree, language: Language) -> None:
        self.data = data
        """The file in UTF-8, what cannot be encoded replaced; offsets are into this."""
        self.tree = tree
        self.language = language
        self.kinds = Kinds.of(language)
        self._root = tree.root_node

    @classmethod
    def of(cls, text: Text, language: Language) -> Self | NoSyntax:
        """Parse a file."""
        return cls.of_bytes(text.text.encode("utf-8", "replace"), language)

    @classmethod
    def of_bytes(cls, data: bytes, language: Language) -> Self | NoSyntax:
        """Parse UTF-8 text."""
        tree = _parse(data, language)
        return tree if isinstance(tree, NoSyntax) else cls(data, tree, language)

    @property
    def root(self) -> Node:
        """The tree's root."""
        return self._root

    @cached_property
    def starts(self) -> Sequence[int]:
        """The offset at which each line begins; `starts[0]` is line 1."""
        return line_starts(self.data)

    @property
    def gap(self) -> str:
        """A regular expression for what may stand between two tokens and mean nothing, comments left aside."""
        return self.language.gap

    def leaves(self, offset: int, steps: Steps, *, bounded: bool = False) -> TreeLeaves | None:
        """The leaves from the one that begins at an offset; None where none does, or a comment or the like.

        Args:
            offset: In bytes.
            steps: What it may cost.
            bounded: Whether the leaves tell where statements and blocks end.
        """
        return TreeLeaves.at(self, offset, steps, bounded=bounded)

    def whole(self, start: int, end: int, *, single: bool = False, led: bool = False) -> bool:
        """Whether a stretch is a piece of code in itself; comments behind it do not matter.

        That is a node, a run of items in a list or of statements in a block, or the header of a statement from its
        first word on, with the bracket or without that its body begins with. Half of an operation is none, nor is what
        stands behind `async`.

        Args:
            start: The first byte's offset, that of a leaf.
            end: One past the last byte.
            single: Whether it has to be within one statement.
            led: Whether a mark stands before it, for whatever it takes to make up a piece of code.
        """
        node = self._root.descendant_for_byte_range(start, end)
        if not self.language.is_nested:
            return self._is_piece(node, start, end, single=single, led=led)
        if node is not None and node.type in self.language.undivided:
            return Plain(self.data).whole(start, end)
        # How statements are told apart is not asked: brackets and words say where they end.
        return self._is_piece(node, start, end, led=led) or self._is_part(node, start, end)

    def _is_piece(
        self, node: Node | None, start: int, end: int, *, single: bool = False, led: bool = False
    ) -> bool:
        """The same, in so far as the smallest node around a stretch tells."""
        while node is not None and node.type not in self.kinds.fragments:
            statements = single and node.type in self.kinds.blocks
            if node.start_byte == start and self._reaches(node, end) and not statements:
                return True
            first, last = _child(node, start), _child(node, end - 1)
            if first is None or last is None or first.start_byte != start or node.type in self.kinds.atoms:
                return False
            if self._reaches(last, end):
                return (led or self._is_run(node, first)) and (not statements or first == last)
            if node.type not in self.language.wrappers or last.type not in self.language.definitions:
                return False
            start, node = last.start_byte, last  # decorators, and the header of what they stand before
        return False

    def _is_part(self, node: Node | None, start: int, end: int) -> bool:
        """Whether a stretch is a row of nodes or a header, and cuts no operation in two.

        Such is `name(a, b)` where a type stands before it. A link of a chain, as `.name(a, b)`, is one too.
        """
        if node is None or node.type in self._whole_kinds:
            return False
        opens = self._opens(end)
        if not opens and not Plain(self.data).whole(start, end):
            return False
        is_header = opens or self._opens_behind(node, end)
        is_link = self.data.startswith(_LINKS, start)
        cut_left = frozenset() if is_link else self.language.operations
        cut_right = frozenset() if is_header else self.language.operations
        if node.type in cut_left and not (is_header and node.start_byte == start):
            return False
        first, last = _child(node, start), _child(node, end - 1)
        while first is not None and first.start_byte < start:
            if first.type in cut_left or first.type in self.kinds.atoms:
                return False
            first = _child(first, start)
        while last is not None and last.end_byte > end:
            if last.type in cut_right or last.type in self.kinds.atoms:
                return False
            last = _child(last, end - 1)
        return first is not None and first.start_byte == start and last is not None and last.end_byte == end

    @cached_property
    def _whole_kinds(self) -> frozenset[str]:
        """Nodes of which no part is a piece of code."""
        return self.kinds.atoms | self.kinds.fragments | self.kinds.comments

    def _opens(self, end: int) -> bool:
        """Whether the sign ends at an offset that a block begins with."""
        sign = next((sign for sign in self.kinds.bodies if self.data.endswith(sign, 0, end)), b"")
        leaf = self._root.descendant_for_byte_range(end - len(sign), end) if sign else None
        if leaf is None or leaf.type.encode() != sign:
            return False
        block = leaf.parent
        return block is not None and block.type in self.kinds.blocks and block.start_byte == leaf.start_byte

    def _opens_behind(self, node: Node, end: int) -> bool:
        """Whether a block begins within a node right behind an offset."""
        gap = _BLANK.match(self.data, end)
        behind = end if gap is None else gap.end()
        at: Node | None = node
        while at is not None and not (at.start_byte == behind and at.type in self.kinds.blocks):
            at = _child(at, behind)
        return at is not None

    def _is_run(self, node: Node, first: Node) -> bool:
        """Whether children of a node, from one of them on, may be a piece of code."""
        if node.type in self.kinds.lists:
            return first.is_named or node.is_error
        return node.type in self.kinds.headed and node.child(0) == first

    def begins_statement(self, offset: int, steps: Steps) -> bool:
        """Whether a statement begins at an offset."""
        cursor = self.tree.walk()
        statements = self._root.type in self.kinds.blocks
        while (passed := cursor.goto_first_child_for_byte(offset)) is not None:
            steps.left -= 1 + (passed >> CROWDED)
            node = cursor.node
            if node is None or (statements and node.start_byte == offset):
                return node is not None
            statements = node.type in self.kinds.blocks
        return False

    def inside(self, start: int, end: int) -> str:
        """What sort of text holds a stretch that is no code: `comment` or `string`; empty where it is code."""
        node = self._root.descendant_for_byte_range(start, end)
        kind = "" if node is None else node.type
        if kind in self.language.comments:
            return "comment"
        return "string" if kind in self.kinds.fragments or kind in self.kinds.atoms else ""

    def fault(self) -> Span | None:
        """The first node that does not parse; None where all does."""
        if not self._root.has_error:
            return None
        cursor = self.tree.walk()
        while (node := cursor.node) is not None and not (node.is_error or node.is_missing):
            if node.has_error and cursor.goto_first_child():
                continue
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return self._root.start_byte, self._root.end_byte
        return None if node is None else (node.start_byte, node.end_byte)

    def _reaches(self, node: Node, end: int) -> bool:
        """Whether a node ends at an offset, but for layout and comments."""
        if node.end_byte <= end:
            return node.end_byte == end
        if node.end_byte == end + 1 and node.type in self.language.comments:
            return self.data.endswith(b"\n", 0, end + 1)
        steps = Steps(_MOST_SILENT)
        behind = TreeLeaves.after(self, end, steps)
        return behind.start >= node.end_byte and steps.left > 0


def _child(node: Node, offset: int) -> Node | None:
    """The first child that ends behind an offset.

    Not `Node.first_child_for_byte`: where there is none, tree-sitter 0.26 hands out a node that crashes when asked.
    """
    cursor = node.walk()
    return None if cursor.goto_first_child_for_byte(offset) is None else cursor.node


@lru_cache
def _grammar(name: str, function: str) -> Grammar | None:
    """A grammar; None where it is not installed, or is made for another version of tree-sitter."""
    try:
        from tree_sitter import Language as Grammar

        capsule: object = getattr(import_module(name), function)()
        return Grammar(capsule)
    except (AttributeError, ImportError, ValueError):
        return None


def _parse(data: bytes, language: Language) -> Tree | NoSyntax:
    """The syntax tree of UTF-8 text; of a short one, which may stop right before what ends its last statement."""
    from tree_sitter import Parser

    if len(data) > _LARGEST:
        return NoSyntax(f"the file is longer than {_LARGEST // (1024 * 1024)} MiB")
    is_piece = bool(language.piece) and language.opening.encode() not in data
    grammar = _grammar(language.grammar, language.piece if is_piece else language.function)
    if grammar is None:
        return NoSyntax(f"the grammar {language.grammar} cannot be loaded: {language.remedy(upgrade=True)}")
    if language.is_nested and _is_too_deep(data):
        return NoSyntax("its brackets are nested too deep")
    parser = Parser(grammar)
    small = _TINY if language.is_nested else _SMALL
    tree = _parsed(parser, data, small)
    if (
        language.ending
        and len(data) <= _SMALL
        and not isinstance(tree, NoSyntax)
        and tree.root_node.has_error
    ):
        ended = _parsed(parser, b"%s %s" % (data, language.ending.encode()), small)  # on its last line
        return tree if isinstance(ended, NoSyntax) or ended.root_node.has_error else ended
    return tree


def _parsed(parser: Parser, data: bytes, small: int) -> Tree | NoSyntax:
    if len(data) <= small:
        return parser.parse(data)
    deadline = time.monotonic() + _PATIENCE

    def late(_offset: int, _has_error: bool) -> bool:
        return time.monotonic() > deadline

    def read(offset: int, _point: object) -> bytes:
        # Some grammars read the same text again and again between two looks at the clock: to them the file ends.
        return data[offset:] if time.monotonic() <= deadline else b""

    try:
        tree = parser.parse(read, progress_callback=late)
    except ValueError:
        tree = None
    if tree is None or time.monotonic() > deadline:
        return NoSyntax(f"it was not parsed within {_PATIENCE:.0f} seconds")
    return tree


def _is_too_deep(data: bytes) -> bool:
    """Whether more brackets are open at once than in any code that is meant to be read.

    At the end of such a file tree-sitter may take a time that is quadratic in their number, and look at no clock.
    """
    if sum(map(data.count, _OPENING)) <= _DEEPEST:
        return False
    depth = 0
    for sign in _BRACKET.finditer(data):
        depth = depth + 1 if sign[0] in _OPENING else max(0, depth - 1)
        if depth > _DEEPEST:
            return True
    return False

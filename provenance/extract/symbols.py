"""Outlines and tokens from syntax trees.

A file with syntax errors has a tree as well, and what can be told from it is told. Nothing here recurses: a
tree is as deep as whoever wrote the file wants it to be.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from provenance.citation import LineRange
from provenance.evidence import Symbol
from provenance.extract.outline import Outline
from provenance.extract.syntax import NoSyntax, Syntax
from provenance.extract.tokens import Token, generic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node, Tree

    from provenance.extract.languages import Language
    from provenance.extract.lines import Text
    from provenance.extract.tokens import Lexer

__all__ = ["Outline", "lexer", "outline", "outline_of"]


def outline(text: Text, language: Language) -> Outline:
    """The definitions and statements of a file; empty, with a note, where they cannot be told."""
    return outline_of(Syntax.of(text, language))


def outline_of(syntax: Syntax | NoSyntax) -> Outline:
    """The same of a file that has been parsed."""
    if isinstance(syntax, NoSyntax):
        return Outline(notes=(f"no symbols: {syntax.reason}",))
    reader = _Reader(syntax.data, syntax.language)
    reader.read(syntax.root)
    return Outline(
        # An inner definition can begin on its outer one's first line only in code that does not parse.
        tuple(sorted(reader.definitions, key=lambda found: (found.lines.first, -found.lines.last))),
        tuple(sorted(reader.statements)),
    )


def lexer(language: Language | None) -> Lexer:
    """What cuts code of a language into tokens: by its grammar where there is one."""
    return generic if language is None else partial(_tokens, language=language)


def _tokens(code: str, language: Language) -> list[Token]:
    """The leaves of the code's tree, and whatever stands between them."""
    data = code.encode("utf-8", "replace")
    syntax = Syntax.of_bytes(data, language)
    if isinstance(syntax, NoSyntax):
        return generic(code)
    tokens: list[Token] = []
    end = 0
    for node in _leaves(syntax.tree, language.atoms):
        start = node.start_byte
        if start > end:
            tokens += generic(data[end:start].decode("utf-8", "replace"))
        text = data[start : node.end_byte].decode("utf-8", "replace")
        if node.type in language.undivided:
            tokens += generic(text)
        elif text.strip() and node.type not in language.layout:
            # A comment that reaches to the next line's beginning is the same where no line follows.
            tokens.append(Token(text.rstrip("\n"), is_comment=node.type in language.comments))
        end = node.end_byte
    return tokens + generic(data[end:].decode("utf-8", "replace"))


def _leaves(tree: Tree, atoms: frozenset[str]) -> Iterator[Node]:
    """The nodes without children, and the atoms, in the file's order."""
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None and (node.type in atoms or not node.child_count):
            yield node
        elif cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


_SEPARATORS = frozenset({",", ";"})


class _Part(NamedTuple):
    """A body or a statement that is still to be read."""

    node: Node
    scope: str
    """The dotted name of the definition around it."""
    first: int
    """The line on which it begins with what leads it; 0 where nothing does."""


class _Reader:
    """Collects definitions and statements; simple statements are looked into where a language has bodies in them."""

    def __init__(self, data: bytes, language: Language) -> None:
        self._data = data
        self._language = language
        self._bodies = language.blocks | language.groups
        self._telling = self._bodies | language.compounds | language.definitions | language.wrappers
        """What is looked at even where it is on one line."""
        self._open: list[_Part] = []
        self.definitions: list[Symbol] = []
        self.statements: list[LineRange] = []

    def read(self, root: Node) -> None:
        """Read a whole tree."""
        self._open.append(_Part(root, "", 0))
        while self._open:
            part = self._open.pop()
            if part.node.type in self._bodies:
                self._body(part)
            else:
                self._statement(part)

    def _body(self, part: _Part) -> None:
        """Each child is a statement; what leads a definition belongs to it."""
        first = 0
        for child in part.node.named_children:
            kind = child.type
            if kind in self._language.leading:
                self._keep_together(_first(child), _last(child))
                first = first or _first(child)
            elif kind not in self._language.comments:
                if kind in self._telling or child.start_point.row != child.end_point.row:
                    self._open.append(_Part(child, part.scope, first))
                first = 0

    def _statement(self, part: _Part) -> None:
        node = part.node
        parts = self._named(node)
        if parts is None and node.type in self._language.wrappers:
            around, inner = self._unwrapped(node)
            parts = None if inner is None else self._named(inner)
            if inner is not None and parts is not None:
                for one in around:
                    self._keep_together(_first(one), _last(one))
                self._definition(inner, parts, part, _last(node))
                return
        if parts is not None:
            self._definition(node, parts, part, _last(node))
        elif self._language.is_nested or node.type in self._language.compounds:
            self._pieces(node, part.scope)
        else:
            self._keep_together(_first(node), _last(node))

    def _named(self, node: Node) -> tuple[Node, ...] | None:
        """The parts of a definition's name; None where a node is no definition."""
        language = self._language
        return language.naming(node) if node.is_named and node.type in language.definitions else None

    def _unwrapped(self, node: Node) -> tuple[list[Node], Node | None]:
        """What is around the one definition in a wrapper, and the definition; None where there is not one."""
        language = self._language
        around: list[Node] = []
        while node.type in language.wrappers:
            inner: Node | None = None
            for child in node.named_children:
                if child.type in language.wrappers or self._named(child) is not None:
                    if inner is not None:
                        return [], None
                    inner = child
                elif child.type not in language.comments:
                    around.append(child)
            if inner is None:
                return [], None
            if self._named(inner) is not None:
                return around, inner
            node = inner
        return [], None

    def _definition(self, node: Node, parts: tuple[Node, ...], part: _Part, last: int) -> None:
        scope = part.scope
        name = ".".join(filter(None, (self._text(one) for one in parts)))
        if name:
            scope = f"{scope}.{name}" if scope else name
            first = part.first or _first(part.node)
            self.definitions.append(Symbol(scope, LineRange(first, max(first, last))))
        self._pieces(node, scope)

    def _text(self, node: Node) -> str:
        """A part of a name as it is shown; empty where it says nothing."""
        # Not `node.text`: for a tree that was parsed in pieces it reads them all again.
        text = self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")
        text = (
            text
            if text.isidentifier()
            else "".join(text.split()).strip("\"'`").replace("::", ".").replace("\\", ".")
        )
        return "" if text in self._language.holders else text

    def _pieces(self, node: Node, scope: str) -> None:
        """What a statement, a clause or a header says on its own, between the bodies and definitions within it."""
        language = self._language
        first = last = 0
        open_ones = [iter(node.children)]
        while open_ones:
            child = next(open_ones[-1], None)
            if child is None:
                open_ones.pop()
                continue
            kind, begins, ends = child.type, _first(child), _last(child)
            if kind in language.comments or child.start_byte == child.end_byte:
                continue
            if not first and kind in _SEPARATORS:  # it belongs to what is before
                continue
            if self._is_apart(child, kind):
                self._open.append(_Part(child, scope, 0))
                if ends > begins or begins > last or kind not in self._bodies:
                    self._keep_together(first, last)
                    first = last = 0
                    continue
            if not first and kind in language.leading:
                self._keep_together(begins, ends)
            elif self._is_made_up(child, kind, over_lines=ends > begins, begins_piece=not first):
                open_ones.append(iter(child.children))
            else:
                first, last = first or begins, ends
        self._keep_together(first, last)

    def _is_made_up(self, node: Node, kind: str, *, over_lines: bool, begins_piece: bool) -> bool:
        """Whether a node within a statement has to be looked into."""
        language = self._language
        if not language.is_nested or not node.child_count or kind in language.atoms:
            return False
        return over_lines or (
            begins_piece and bool(language.leading) and node.children[0].type in language.leading
        )

    def _is_apart(self, node: Node, kind: str) -> bool:
        """Whether a node within a statement is read for itself."""
        if not node.is_named:  # a keyword may be called as what it begins
            return False
        return kind in self._bodies or kind in self._language.compounds or self._named(node) is not None

    def _keep_together(self, first: int, last: int) -> None:
        if last > first:
            self.statements.append(LineRange(first, last))


def _first(node: Node) -> int:
    """The line that a node begins on."""
    return node.start_point.row + 1


def _last(node: Node) -> int:
    """The last line that a node has a character on."""
    end = node.end_point
    return end.row + 1 if end.column or end.row == node.start_point.row else end.row

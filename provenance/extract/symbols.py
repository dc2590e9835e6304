"""Outlines and tokens from syntax trees.

A file with syntax errors has a tree as well, and what can be told from it is told. Nothing here recurses: a
tree is as deep as whoever wrote the file wants it to be.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

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
        if text.strip() and node.type not in language.layout:
            tokens.append(Token(text, is_comment=node.type in language.comments))
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


class _Reader:
    """Collects definitions and statements, without looking into simple statements."""

    def __init__(self, data: bytes, language: Language) -> None:
        self._data = data
        self._language = language
        self._open: list[tuple[Node, str]] = []
        """Bodies that are still to be read, each with the dotted name of the definition around it."""
        self.definitions: list[Symbol] = []
        self.statements: list[LineRange] = []

    def read(self, root: Node) -> None:
        """Read a whole tree."""
        self._open.append((root, ""))
        while self._open:
            body, scope = self._open.pop()
            for statement in body.named_children:
                self._statement(statement, scope)

    def _statement(self, node: Node, scope: str) -> None:
        language, kind = self._language, node.type
        if kind in language.wrappers:
            for child in node.named_children:
                if child.type in language.definitions:
                    self._definition(child, scope, node)
                else:
                    self._keep_together(_first(child), _last(child))
        elif kind in language.definitions:
            self._definition(node, scope, node)
        elif kind in language.compounds:
            self._compound(node, scope)
        elif kind in language.blocks:
            self._open.append((node, scope))
        elif kind not in language.comments:
            self._keep_together(_first(node), _last(node))

    def _definition(self, node: Node, scope: str, whole: Node) -> None:
        field = node.child_by_field_name(self._language.name_field)
        # Not `field.text`: for a tree that was parsed in pieces it reads them all again.
        name = (
            "" if field is None else self._data[field.start_byte : field.end_byte].decode("utf-8", "replace")
        )
        if name:
            scope = f"{scope}.{name}" if scope else name
            self.definitions.append(Symbol(scope, LineRange(_first(whole), _last(whole))))
        self._compound(node, scope)

    def _compound(self, node: Node, scope: str) -> None:
        """A header, and below it bodies and further clauses."""
        language = self._language
        header: int | None = None
        last = _first(node)
        for child in node.children:
            kind = child.type
            if kind in language.blocks or kind in language.compounds:
                header = header or last
                self._statement(child, scope)
            elif kind not in language.comments:
                last = _last(child)
        self._keep_together(_first(node), header or last)

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

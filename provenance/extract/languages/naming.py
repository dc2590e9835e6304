"""What definitions are called: which nodes hold the parts of their names.

Nothing here asks a node for its parent: tree-sitter would look for it from the root down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node


def by_name(node: Node) -> tuple[Node, ...]:
    """What stands in the field `name`."""
    return field_of(node, "name")


def field_of(node: Node, name: str) -> tuple[Node, ...]:
    """What stands in a field."""
    found = node.child_by_field_name(name)
    return () if found is None else (found,)


def first_of(node: Node, kinds: frozenset[str]) -> tuple[Node, ...]:
    """The first child of some kinds: the name, where a grammar gives it no field."""
    return next(((child,) for child in node.children if child.type in kinds), ())


def along(node: Node, *fields: str) -> Iterator[Node]:
    """A node, and what stands in the first of the fields that it has, and so on."""
    at: Node | None = node
    while at is not None:
        yield at
        at = next(filter(None, map(at.child_by_field_name, fields)), None)

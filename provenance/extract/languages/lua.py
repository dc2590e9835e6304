"""Lua."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, Quoting, kinds
from provenance.extract.languages.naming import along, by_name, first_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NAMES = kinds("variable_list")
_VALUES = kinds("expression_list")
_FUNCTION = kinds("function_definition")


def _name_of(node: Node) -> tuple[Node, ...] | None:
    """The name of a function, or what a function is assigned to."""
    if node.type == "function_declaration":
        return _dotted(by_name(node))
    if node.type == "field":
        value = node.child_by_field_name("value")
        return by_name(node) if value is not None and value.type in _FUNCTION else None
    values = first_of(node, _VALUES)
    if not values or not first_of(values[0], _FUNCTION):
        return None
    names = first_of(node, _NAMES)
    return _dotted(by_name(names[0])) if names else ()


def _dotted(name: tuple[Node, ...]) -> tuple[Node, ...]:
    """The parts of `a.b:c`."""
    found: list[Node] = []
    for part in along(name[0], "table") if name else ():
        own = part.child_by_field_name("field") or part.child_by_field_name("method")
        found += [own or part] if own is not None or part.type == "identifier" else []
    return tuple(reversed(found))


LUA = Language(
    name="lua",
    title="Lua",
    grammar="tree_sitter_lua",
    extra="lua",
    definitions=kinds("assignment_statement field function_declaration"),
    naming=_name_of,
    wrappers=kinds("variable_declaration"),
    compounds=kinds(
        "do_statement else_statement elseif_statement for_statement if_statement repeat_statement while_statement"
    ),
    blocks=kinds("ERROR block chunk"),
    comments=kinds("comment hash_bang_line"),
    atoms=kinds("comment string"),
    fragments=kinds("\" ' [[ ]] -- comment_content escape_sequence string_content"),
    quoting=Quoting(marks=('"', "'")),
    bodies=("do", "else", "function", "repeat", "then"),
    lists=kinds("arguments expression_list parameters table_constructor variable_list"),
    calls=kinds("arguments parameters"),
    operations=kinds(
        "assignment_statement binary_expression bracket_index_expression dot_index_expression function_call"
        " method_index_expression unary_expression"
    ),
)

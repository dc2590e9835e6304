"""Kotlin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, kinds
from provenance.extract.languages.naming import by_name, first_of

if TYPE_CHECKING:
    from tree_sitter import Node

_IDENTIFIER = kinds("identifier")
_CONSTRUCTOR = kinds("constructor")


def _name_of(node: Node) -> tuple[Node, ...]:
    match node.type:
        case "secondary_constructor":
            return first_of(node, _CONSTRUCTOR)
        case "function_declaration":
            return _receiver(node) + by_name(node)
        case _:
            return by_name(node)


def _receiver(node: Node) -> tuple[Node, ...]:
    """The type that a function is added to: it stands before a dot and the name."""
    held: Node | None = None
    for child in node.children:
        if child.type == "." and held is not None:
            return first_of(held, _IDENTIFIER)
        if child.type == "identifier":
            return ()
        held = child if child.type == "user_type" else None
    return ()


KOTLIN = Language(
    name="kotlin",
    title="Kotlin",
    grammar="tree_sitter_kotlin",
    extra="kotlin",
    definitions=kinds(
        "class_declaration companion_object function_declaration object_declaration secondary_constructor"
    ),
    naming=_name_of,
    leading=kinds("annotation"),
    compounds=kinds(
        "anonymous_initializer catch_block do_while_statement finally_block for_statement if_expression"
        " try_expression when_entry while_statement"
    ),
    blocks=kinds("ERROR block class_body enum_class_body lambda_literal source_file"),
    comments=kinds("block_comment line_comment shebang"),
    atoms=kinds("character_literal multiline_string_literal string_literal"),
    fragments=kinds('" \' """ escape_sequence interpolation string_content'),
    lists=kinds(
        "class_parameters collection_literal function_value_parameters lambda_parameters"
        " multi_variable_declaration type_arguments type_parameters value_arguments"
    ),
    calls=kinds("class_parameters function_value_parameters value_arguments"),
    operations=kinds(
        "as_expression assignment binary_expression call_expression index_expression infix_expression"
        " navigation_expression range_expression unary_expression"
    ),
)

"""C#."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, kinds
from provenance.extract.languages.naming import by_name

if TYPE_CHECKING:
    from tree_sitter import Node


def _name_of(node: Node) -> tuple[Node, ...] | None:
    """A property is a definition where it has code of its own, and a field otherwise."""
    if node.type == "property_declaration" and not _has_code(node):
        return None
    return by_name(node)


def _has_code(node: Node) -> bool:
    accessors = node.child_by_field_name("accessors")
    if accessors is None:
        value = node.child_by_field_name("value")
        return value is not None and value.type == "arrow_expression_clause"
    return any(one.child_by_field_name("body") is not None for one in accessors.named_children)


CSHARP = Language(
    name="csharp",
    title="C#",
    grammar="tree_sitter_c_sharp",
    extra="csharp",
    ending=";",
    definitions=kinds(
        "class_declaration constructor_declaration delegate_declaration destructor_declaration enum_declaration"
        " interface_declaration local_function_statement method_declaration namespace_declaration"
        " property_declaration record_declaration struct_declaration"
    ),
    naming=_name_of,
    leading=kinds("attribute_list"),
    compounds=kinds(
        "catch_clause checked_statement do_statement finally_clause fixed_statement for_statement"
        " foreach_statement if_statement labeled_statement lock_statement switch_statement try_statement"
        " unsafe_statement using_statement while_statement"
    ),
    blocks=kinds(
        "ERROR accessor_list block compilation_unit declaration_list enum_member_declaration_list preproc_elif"
        " preproc_else preproc_if switch_body switch_section"
    ),
    comments=kinds("comment"),
    atoms=kinds("character_literal interpolated_string_expression raw_string_literal string_literal"),
    fragments=kinds(
        "\" ' character_literal_content escape_sequence interpolation interpolation_quote interpolation_start"
        " raw_string_content raw_string_end raw_string_start string_content string_literal_content"
        " string_literal_encoding"
    ),
    lists=kinds(
        "argument_list attribute_argument_list base_list bracketed_argument_list bracketed_parameter_list"
        " collection_expression initializer_expression parameter_list switch_expression tuple_expression"
        " tuple_pattern type_argument_list type_parameter_list"
    ),
    calls=kinds("argument_list attribute_argument_list parameter_list"),
    operations=kinds(
        "as_expression assignment_expression binary_expression cast_expression conditional_access_expression"
        " conditional_expression element_access_expression invocation_expression is_expression"
        " member_access_expression postfix_unary_expression prefix_unary_expression"
    ),
)

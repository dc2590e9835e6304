"""Rust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, Quoting, kinds
from provenance.extract.languages.naming import along, by_name

if TYPE_CHECKING:
    from tree_sitter import Node


def _name_of(node: Node) -> tuple[Node, ...]:
    """An `impl` is called as the type that it is for, whatever trait it is of."""
    if node.type != "impl_item":
        return by_name(node)
    found = node.child_by_field_name("type")
    if found is None:
        return ()
    *_, name = along(found, "type", "name")
    return (name,)


RUST = Language(
    name="rust",
    title="Rust",
    grammar="tree_sitter_rust",
    extra="rust",
    ending=";",
    definitions=kinds(
        "enum_item function_item function_signature_item impl_item macro_definition mod_item struct_item"
        " trait_item union_item"
    ),
    naming=_name_of,
    leading=kinds("attribute_item"),
    compounds=kinds("else_clause macro_rule"),
    blocks=kinds(
        "ERROR block declaration_list enum_variant_list field_declaration_list match_block source_file"
    ),
    groups=kinds("foreign_mod_item"),
    comments=kinds("block_comment line_comment shebang"),
    atoms=kinds("block_comment line_comment raw_string_literal string_literal"),
    fragments=kinds(
        '// /* */ " doc_comment escape_sequence inner_doc_comment_marker outer_doc_comment_marker'
        " string_content"
    ),
    quoting=Quoting(marks=('"',), raw=frozenset("r")),
    lists=kinds(
        "arguments array_expression closure_parameters field_initializer_list ordered_field_declaration_list"
        " parameters slice_pattern struct_pattern token_tree tuple_expression tuple_pattern"
        " tuple_struct_pattern tuple_type type_arguments type_parameters use_list"
    ),
    calls=kinds("arguments parameters"),
    operations=kinds(
        "assignment_expression binary_expression call_expression compound_assignment_expr field_expression"
        " index_expression range_expression reference_expression try_expression type_cast_expression"
        " unary_expression"
    ),
    tuples=kinds("tuple_expression tuple_pattern tuple_type"),
)

"""PHP, with the HTML around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, kinds
from provenance.extract.languages.naming import by_name

if TYPE_CHECKING:
    from tree_sitter import Node


def _name_of(node: Node) -> tuple[Node, ...] | None:
    """A namespace is a definition where braces say how far it reaches."""
    if node.type == "namespace_definition" and node.child_by_field_name("body") is None:
        return None
    return by_name(node)


PHP = Language(
    name="php",
    title="PHP",
    grammar="tree_sitter_php",
    function="language_php",
    extra="php",
    piece="language_php_only",
    opening="<?",
    ending=";",
    definitions=kinds(
        "class_declaration enum_declaration function_definition interface_declaration method_declaration"
        " namespace_definition trait_declaration"
    ),
    naming=_name_of,
    leading=kinds("attribute_group"),
    compounds=kinds(
        "catch_clause declare_statement do_statement else_clause else_if_clause finally_clause for_statement"
        " foreach_statement if_statement switch_statement try_statement while_statement"
    ),
    blocks=kinds(
        "ERROR case_statement colon_block compound_statement declaration_list default_statement"
        " enum_declaration_list program property_hook_list switch_block"
    ),
    groups=kinds("attribute_list match_block text_interpolation"),
    comments=kinds("comment"),
    atoms=kinds("encapsed_string heredoc nowdoc shell_command_expression string"),
    fragments=kinds("\" ' ` <<< escape_sequence heredoc_end heredoc_start nowdoc_string string_content"),
    undivided=kinds("text"),
    lists=kinds(
        "anonymous_function_use_clause arguments array_creation_expression attribute_group formal_parameters"
        " list_literal match_block match_condition_list namespace_use_group sequence_expression type_list"
    ),
    calls=kinds("arguments formal_parameters"),
    operations=kinds(
        "assignment_expression augmented_assignment_expression binary_expression cast_expression"
        " conditional_expression function_call_expression member_access_expression member_call_expression"
        " nullsafe_member_access_expression nullsafe_member_call_expression scoped_call_expression"
        " subscript_expression unary_op_expression"
    ),
)

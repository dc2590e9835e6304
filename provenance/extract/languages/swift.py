"""Swift."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, kinds
from provenance.extract.languages.naming import by_name, first_of

if TYPE_CHECKING:
    from tree_sitter import Node

_DEINIT = kinds("deinit")


def _name_of(node: Node) -> tuple[Node, ...] | None:
    match node.type:
        case "deinit_declaration":
            return first_of(node, _DEINIT)
        case "property_declaration" if node.child_by_field_name("computed_value") is None:
            return None
        case _:
            return by_name(node)


SWIFT = Language(
    name="swift",
    title="Swift",
    grammar="tree_sitter_swift",
    extra="swift",
    definitions=kinds(
        "class_declaration deinit_declaration function_declaration init_declaration property_declaration"
        " protocol_declaration protocol_function_declaration"
    ),
    naming=_name_of,
    leading=kinds("attribute"),
    compounds=kinds(
        "catch_block do_statement for_statement guard_statement if_statement repeat_while_statement"
        " switch_statement while_statement"
    ),
    blocks=kinds(
        "ERROR class_body enum_class_body function_body protocol_body source_file statements switch_entry"
    ),
    comments=kinds("comment multiline_comment shebang_line"),
    atoms=kinds("line_string_literal multi_line_string_literal raw_string_literal"),
    fragments=kinds(
        '" """ interpolated_expression line_str_text multi_line_str_text raw_str_end_part raw_str_part'
        " str_escaped_char"
    ),
    lists=kinds(
        "array_literal dictionary_literal function_declaration init_declaration lambda_function_type_parameters"
        " tuple_expression tuple_type type_arguments type_parameters value_arguments"
    ),
    calls=kinds("value_arguments"),
    operations=kinds(
        "additive_expression as_expression assignment call_expression comparison_expression"
        " conjunction_expression disjunction_expression equality_expression infix_expression"
        " multiplicative_expression navigation_expression nil_coalescing_expression postfix_expression"
        " prefix_expression range_expression ternary_expression"
    ),
)

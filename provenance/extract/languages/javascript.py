"""JavaScript and TypeScript."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, Quoting, kinds
from provenance.extract.languages.naming import along, by_name, field_of

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS = kinds("arrow_function class function_expression generator_function")
"""What makes a definition of whatever it is assigned to."""


def _name_of(node: Node) -> tuple[Node, ...] | None:
    match node.type:
        case "variable_declarator" | "public_field_definition":
            return by_name(node) if _holds_function(node, "value") else None
        case "field_definition":
            return field_of(node, "property") if _holds_function(node, "value") else None
        case "pair":
            return field_of(node, "key") if _holds_function(node, "value") else None
        case "assignment_expression":
            return _assigned(node) if _holds_function(node, "right") else None
        case "export_statement":
            return _exported(node)
        case _:
            return by_name(node)


def _holds_function(node: Node, field: str) -> bool:
    value = node.child_by_field_name(field)
    return value is not None and value.type in _FUNCTIONS


def _assigned(node: Node) -> tuple[Node, ...]:
    """The names in `exports.a`, `A.prototype.b` and the like."""
    left = node.child_by_field_name("left")
    if left is None or left.type not in {"identifier", "member_expression"}:
        return ()
    names: list[Node] = []
    for part in along(left, "object"):
        name = part.child_by_field_name("property") if part.type == "member_expression" else part
        if name is not None and name.type in {"identifier", "property_identifier"}:
            names.append(name)
    return tuple(reversed(names))


def _exported(node: Node) -> tuple[Node, ...] | None:
    """The word `default`, where what is exported so has no name."""
    if not _holds_function(node, "value"):
        return None
    value = node.child_by_field_name("value")
    if value is None or by_name(value):
        return None
    return next(((child,) for child in node.children if child.type == "default"), None)


JAVASCRIPT = Language(
    name="javascript",
    title="JavaScript",
    grammar="tree_sitter_javascript",
    extra="javascript",
    ending=";",
    definitions=kinds(
        "assignment_expression class class_declaration export_statement field_definition function_declaration"
        " generator_function_declaration method_definition pair variable_declarator"
    ),
    naming=_name_of,
    holders=kinds("exports module prototype this"),
    wrappers=kinds("export_statement expression_statement lexical_declaration variable_declaration"),
    leading=kinds("decorator"),
    compounds=kinds(
        "catch_clause do_statement else_clause finally_clause for_in_statement for_statement if_statement"
        " labeled_statement switch_statement try_statement while_statement with_statement"
    ),
    blocks=kinds("ERROR class_body program statement_block switch_body switch_case switch_default"),
    groups=kinds("jsx_element"),
    comments=kinds("comment hash_bang_line html_comment"),
    atoms=kinds("string template_string"),
    fragments=kinds("\" ' ` escape_sequence html_character_reference string_fragment template_substitution"),
    undivided=kinds("jsx_text"),
    quoting=Quoting(marks=('"', "'")),
    lists=kinds(
        "arguments array array_pattern export_clause formal_parameters named_imports object object_pattern"
        " sequence_expression"
    ),
    calls=kinds("arguments formal_parameters"),
    operations=kinds(
        "assignment_expression augmented_assignment_expression binary_expression"
        " call_expression member_expression subscript_expression ternary_expression"
        " unary_expression update_expression"
    ),
    tuples=kinds("array array_pattern"),
)

TYPESCRIPT = replace(
    JAVASCRIPT,
    name="typescript",
    title="TypeScript",
    grammar="tree_sitter_typescript",
    function="language_typescript",
    extra="typescript",
    definitions=(JAVASCRIPT.definitions - kinds("field_definition"))
    | kinds(
        "abstract_class_declaration abstract_method_signature enum_declaration function_signature"
        " interface_declaration internal_module method_signature module public_field_definition"
        " type_alias_declaration"
    ),
    wrappers=JAVASCRIPT.wrappers | kinds("ambient_declaration"),
    blocks=JAVASCRIPT.blocks | kinds("enum_body interface_body"),
    operations=JAVASCRIPT.operations | kinds("as_expression satisfies_expression"),
    groups=frozenset(),
    undivided=frozenset(),
    lists=JAVASCRIPT.lists | kinds("implements_clause object_type tuple_type type_arguments type_parameters"),
)

TSX = replace(
    TYPESCRIPT,
    name="tsx",
    title="TSX",
    function="language_tsx",
    groups=JAVASCRIPT.groups,
    undivided=JAVASCRIPT.undivided,
)

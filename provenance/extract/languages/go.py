"""Go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, kinds
from provenance.extract.languages.naming import along, by_name, first_of

if TYPE_CHECKING:
    from tree_sitter import Node

_PARAMETER = kinds("parameter_declaration")
_TYPE = kinds("generic_type type_identifier")


def _name_of(node: Node) -> tuple[Node, ...]:
    """A method's name stands behind the name of the type that it is for."""
    receiver = node.child_by_field_name("receiver")
    parameter = () if receiver is None else first_of(receiver, _PARAMETER)
    owner = () if not parameter else _type_in(parameter[0])
    return owner + by_name(node)


def _type_in(parameter: Node) -> tuple[Node, ...]:
    """The name of a type behind pointers and brackets, and before its own parameters."""
    found = parameter.child_by_field_name("type")
    while found is not None and found.type in {"parenthesized_type", "pointer_type"}:
        found = next(iter(found.named_children), None)
    if found is None:
        return ()
    *_, name = along(found, "type")
    return (name,) if name.type == "type_identifier" else ()


GO = Language(
    name="go",
    title="Go",
    grammar="tree_sitter_go",
    extra="go",
    definitions=kinds("function_declaration method_declaration type_alias type_spec"),
    naming=_name_of,
    wrappers=kinds("type_declaration"),
    compounds=kinds(
        "expression_switch_statement for_statement if_statement labeled_statement select_statement"
        " type_switch_statement"
    ),
    blocks=kinds(
        "ERROR block communication_case default_case expression_case field_declaration_list source_file"
        " statement_list type_case"
    ),
    groups=kinds("const_declaration import_declaration import_spec_list interface_type var_spec_list"),
    comments=kinds("comment"),
    layout=frozenset({"\n"}),
    atoms=kinds("interpreted_string_literal raw_string_literal"),
    fragments=kinds('" ` escape_sequence interpreted_string_literal_content raw_string_literal_content'),
    lists=kinds(
        "argument_list expression_list import_spec_list literal_value parameter_list type_arguments"
        " type_parameter_list"
    ),
    calls=kinds("argument_list parameter_list"),
    operations=kinds(
        "binary_expression call_expression index_expression selector_expression slice_expression"
        " type_assertion_expression unary_expression"
    ),
)

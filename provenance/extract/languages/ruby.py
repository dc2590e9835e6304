"""Ruby."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, kinds
from provenance.extract.languages.naming import by_name, field_of

if TYPE_CHECKING:
    from tree_sitter import Node


def _name_of(node: Node) -> tuple[Node, ...]:
    """The name, behind the object that a method is for alone."""
    return field_of(node, "object") + by_name(node)


RUBY = Language(
    name="ruby",
    title="Ruby",
    grammar="tree_sitter_ruby",
    extra="ruby",
    definitions=kinds("class method module singleton_method"),
    naming=_name_of,
    holders=kinds("self"),
    compounds=kinds("case case_match elsif for if in_clause rescue singleton_class unless until when while"),
    blocks=kinds(
        "ERROR begin begin_block block block_body body_statement do do_block else end_block ensure"
        " parenthesized_statements program then"
    ),
    comments=kinds("comment"),
    atoms=kinds("delimited_symbol heredoc_body string subshell"),
    fragments=kinds('" ` :" escape_sequence heredoc_content heredoc_end interpolation string_content'),
    bodies=("{", "do", "then"),
    gap=r"[\s\\;]*+",
    lists=kinds(
        "argument_list array array_pattern block_parameters exceptions hash hash_pattern lambda_parameters"
        " left_assignment_list method_parameters right_assignment_list"
    ),
    calls=kinds("argument_list lambda_parameters method_parameters"),
    operations=kinds("assignment binary call conditional element_reference operator_assignment unary"),
)

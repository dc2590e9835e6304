"""Scala."""

from __future__ import annotations

from provenance.extract.languages.language import Language, kinds

SCALA = Language(
    name="scala",
    title="Scala",
    grammar="tree_sitter_scala",
    extra="scala",
    definitions=kinds(
        "class_definition enum_definition function_declaration function_definition given_definition"
        " object_definition package_object trait_definition"
    ),
    leading=kinds("annotation"),
    compounds=kinds(
        "case_clause catch_clause do_while_expression finally_clause for_expression try_expression"
        " while_expression"
    ),
    blocks=kinds(
        "ERROR block case_block compilation_unit enum_body indented_block indented_cases template_body"
        " with_template_body"
    ),
    comments=kinds("block_comment comment"),
    atoms=kinds("comment interpolated_string"),
    fragments=kinds('// " """ escape_sequence interpolation'),
    bodies=("{", "="),
    lists=kinds(
        "arguments bindings class_parameters enumerators identifiers namespace_selectors parameters"
        " tuple_expression tuple_pattern tuple_type type_arguments type_parameters"
    ),
    calls=kinds("arguments class_parameters parameters"),
    operations=kinds(
        "assignment_expression call_expression field_expression infix_expression postfix_expression"
        " prefix_expression"
    ),
)

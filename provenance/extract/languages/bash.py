"""Bash, and shell scripts on the whole."""

from __future__ import annotations

from provenance.extract.languages.language import Language, kinds

BASH = Language(
    name="bash",
    title="Bash",
    grammar="tree_sitter_bash",
    extra="bash",
    definitions=kinds("function_definition"),
    compounds=kinds("c_style_for_statement for_statement while_statement"),
    blocks=kinds(
        "ERROR case_item compound_statement do_group elif_clause else_clause if_statement program subshell"
    ),
    groups=kinds("case_statement list"),
    comments=kinds("comment"),
    layout=frozenset({"\n"}),
    atoms=kinds("ansi_c_string raw_string string translated_string"),
    fragments=kinds('" string_content'),
    bodies=("{", "then", "do"),
    breaks=kinds(";"),
    gap=r"[\s\\;]*+",
    lists=kinds("array command declaration_command"),
    calls=frozenset(),
    operations=kinds("binary_expression unary_expression"),
)

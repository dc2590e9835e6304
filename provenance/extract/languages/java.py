"""Java."""

from __future__ import annotations

from provenance.extract.languages.language import Language, kinds

JAVA = Language(
    name="java",
    title="Java",
    grammar="tree_sitter_java",
    extra="java",
    ending=";",
    definitions=kinds(
        "annotation_type_declaration class_declaration compact_constructor_declaration constructor_declaration"
        " enum_declaration interface_declaration method_declaration record_declaration"
    ),
    leading=kinds("annotation marker_annotation"),
    compounds=kinds(
        "catch_clause do_statement enhanced_for_statement finally_clause for_statement if_statement"
        " labeled_statement synchronized_statement try_statement try_with_resources_statement while_statement"
    ),
    blocks=kinds(
        "ERROR annotation_type_body block class_body constructor_body enum_body enum_body_declarations"
        " interface_body module_body program switch_block switch_block_statement_group"
    ),
    groups=kinds("enum_constant"),
    comments=kinds("block_comment line_comment"),
    atoms=kinds("string_literal"),
    fragments=kinds('" """ escape_sequence multiline_string_fragment string_fragment string_interpolation'),
    lists=kinds(
        "annotation_argument_list argument_list array_initializer element_value_array_initializer"
        " formal_parameters inferred_parameters resource_specification type_arguments type_list type_parameters"
    ),
    calls=kinds("annotation_argument_list argument_list formal_parameters"),
    operations=kinds(
        "array_access assignment_expression binary_expression cast_expression field_access"
        " instanceof_expression method_invocation ternary_expression unary_expression update_expression"
    ),
)

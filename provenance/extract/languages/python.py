"""Python, and what is written in its syntax."""

from __future__ import annotations

from provenance.extract.languages.language import Language, Quoting

PYTHON = Language(
    name="python",
    title="Python",
    grammar="tree_sitter_python",
    definitions=frozenset({"class_definition", "function_definition"}),
    wrappers=frozenset({"decorated_definition"}),
    compounds=frozenset(
        {
            "case_clause",
            "elif_clause",
            "else_clause",
            "except_clause",
            "finally_clause",
            "for_statement",
            "if_statement",
            "match_statement",
            "try_statement",
            "while_statement",
            "with_statement",
        }
    ),
    blocks=frozenset({"ERROR", "block", "module"}),
    is_nested=False,
    comments=frozenset({"comment"}),
    layout=frozenset({"line_continuation"}),
    atoms=frozenset({"string"}),
    fragments=frozenset(
        {
            "escape_interpolation",
            "escape_sequence",
            "interpolation",
            "string_content",
            "string_end",
            "string_start",
        }
    ),
    quoting=Quoting(
        marks=('"""', "'''", '"', "'"), raw=frozenset("r"), filled=frozenset("ft")
    ),  # Python's reference, 2.7.1 "String and Bytes literals"
    bodies=(":",),
    breaks=frozenset({";"}),
    gap=r"[\s\\;]*+",
    lists=frozenset(
        {
            "argument_list",
            "class_pattern",
            "dict_pattern",
            "dictionary",
            "dictionary_comprehension",
            "expression_list",
            "generator_expression",
            "global_statement",
            "import_from_statement",
            "import_statement",
            "lambda_parameters",
            "list",
            "list_comprehension",
            "list_pattern",
            "nonlocal_statement",
            "parameters",
            "pattern_list",
            "set",
            "set_comprehension",
            "subscript",
            "tuple",
            "tuple_pattern",
            "type_parameter",
            "with_clause",
        }
    ),
    calls=frozenset({"argument_list", "parameters"}),
    tuples=frozenset({"expression_list", "pattern_list", "subscript", "tuple", "tuple_pattern"}),
)

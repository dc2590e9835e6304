"""C, C++ and CUDA."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.extract.languages.language import Language, Quoting, kinds
from provenance.extract.languages.naming import along, by_name

if TYPE_CHECKING:
    from tree_sitter import Node

_TYPES = kinds("class_specifier enum_specifier struct_specifier union_specifier")
_AROUND = kinds("attributed_declarator parenthesized_declarator reference_declarator")
"""Declarators that hold another one in no field."""
_NAMES = kinds(
    "destructor_name field_identifier identifier namespace_identifier operator_cast operator_name type_identifier"
)


def _name_of(node: Node) -> tuple[Node, ...] | None:
    match node.type:
        case "function_definition":
            return _declared(node)
        case "type_definition":
            held = node.child_by_field_name("type")
            is_named = held is None or held.type not in _TYPES or bool(by_name(held))
            return None if is_named or not _has_body(held) else _declared(node)
        case kind if kind in _TYPES:
            return _qualified(by_name(node)) if _has_body(node) else None
        case _:
            return _qualified(by_name(node))


def _has_body(node: Node | None) -> bool:
    return node is not None and node.child_by_field_name("body") is not None


def _declared(node: Node) -> tuple[Node, ...]:
    """The name deep within a declarator, behind what says of what type it is."""
    at = node.child_by_field_name("declarator")
    while at is not None:
        inner = at.child_by_field_name("declarator")
        if inner is None and at.type in _AROUND:
            inner = next(iter(at.named_children), None)
        if inner is None:
            return _qualified((at,))
        at = inner
    return ()


def _qualified(names: tuple[Node, ...]) -> tuple[Node, ...]:
    """The parts of `a::b<c>::d`, without what stands in angle brackets."""
    found: list[Node] = []
    at = names[0] if names else None
    while at is not None and at.type == "qualified_identifier":
        scope = at.child_by_field_name("scope")
        found += [] if scope is None else [_bare(scope)]
        at = at.child_by_field_name("name")
    if at is not None and at.type == "nested_namespace_specifier":
        return (at,)
    last = None if at is None else _bare(at)
    return (*found, last) if last is not None and last.type in _NAMES else tuple(found)


def _bare(node: Node) -> Node:
    *_, name = along(node, "name")
    return name


C = Language(
    name="c",
    title="C",
    grammar="tree_sitter_c",
    extra="c",
    ending=";",
    definitions=kinds(
        "enum_specifier function_definition preproc_function_def struct_specifier type_definition union_specifier"
    ),
    naming=_name_of,
    compounds=kinds(
        "do_statement else_clause for_statement if_statement labeled_statement linkage_specification"
        " seh_except_clause seh_finally_clause seh_try_statement switch_statement while_statement"
    ),
    blocks=kinds(
        "ERROR case_statement compound_statement declaration_list field_declaration_list preproc_elif"
        " preproc_elifdef preproc_else preproc_if preproc_ifdef translation_unit"
    ),
    groups=kinds("enumerator_list"),
    comments=kinds("comment"),
    layout=frozenset({"\n", "\\\n", "\\\r\n"}),
    atoms=kinds("char_literal string_literal"),
    fragments=kinds("\" ' L' L\" U' U\" character escape_sequence string_content u' u\" u8' u8\""),
    undivided=kinds("preproc_arg"),
    gap=r"[\s\\;]*+",
    lists=kinds("argument_list enumerator_list initializer_list parameter_list preproc_params"),
    calls=kinds("argument_list parameter_list"),
    operations=kinds(
        "assignment_expression binary_expression call_expression cast_expression conditional_expression"
        " field_expression pointer_expression subscript_expression unary_expression update_expression"
    ),
)

CPP = replace(
    C,
    name="cpp",
    title="C++",
    grammar="tree_sitter_cpp",
    extra="cpp",
    definitions=C.definitions | kinds("class_specifier concept_definition namespace_definition"),
    wrappers=kinds("template_declaration"),
    compounds=C.compounds | kinds("catch_clause for_range_loop try_statement"),
    atoms=C.atoms | kinds("raw_string_literal"),
    fragments=C.fragments | kinds('LR" R" UR" raw_string_content raw_string_delimiter u8R" uR"'),
    quoting=Quoting(marks=('"',), raw=frozenset("r")),
    lists=C.lists | kinds("lambda_capture_specifier template_argument_list template_parameter_list"),
)

CUDA = replace(CPP, name="cuda", title="CUDA", grammar="tree_sitter_cuda", extra="cuda")

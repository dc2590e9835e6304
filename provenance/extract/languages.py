"""Which language a file is in, by its name; what a grammar must tell for symbols and tokens to be found.

This is the seam where grammars plug in: a record here and a distribution that has the grammar. A file in no
language that stands here has lines, and no symbols.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Quoting:
    """How the strings of a language are quoted whose quotation marks mean the same."""

    marks: tuple[str, ...]
    """Those that may stand for one another, longer ones before shorter ones that they begin with."""
    raw: frozenset[str]
    """Prefix letters, in lower case, with which a backslash is an ordinary character."""
    filled: frozenset[str]
    """Prefix letters, in lower case, with which braces hold code."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language, and the node types of its tree-sitter grammar that matter here."""

    name: str
    """As reports and the database say it: `python`."""
    grammar: str
    """The module that holds the grammar; its function `language` returns it."""
    suffixes: tuple[str, ...] = field(repr=False)
    """Ends of file names, in lower case, with the dot."""
    filenames: frozenset[str] = field(repr=False)
    """Whole file names."""
    definitions: frozenset[str] = field(repr=False)
    """What has a name, a header and a body."""
    name_field: str = field(repr=False)
    """The field of a definition that holds its name."""
    wrappers: frozenset[str] = field(repr=False)
    """What stands around a definition and belongs to it, such as its decorators."""
    compounds: frozenset[str] = field(repr=False)
    """Other statements, and clauses of statements, that have a header and a body."""
    blocks: frozenset[str] = field(repr=False)
    """Bodies, and the file itself: their children are statements, simple ones unless they are of these."""
    comments: frozenset[str] = field(repr=False)
    layout: frozenset[str] = field(repr=False)
    """Leaves that are white space to the language."""
    atoms: frozenset[str] = field(repr=False)
    """What is one token though the grammar divides it, such as a string."""
    fragments: frozenset[str] = field(repr=False)
    """What divides an atom and is no code of its own, such as a quotation mark; what else is in one may be code."""
    quoting: Quoting | None = field(repr=False)
    """None where each quotation mark has its own meaning."""
    bodies: tuple[str, ...] = field(repr=False)
    """Text without which a statement has no body."""
    breaks: frozenset[str] = field(repr=False)
    """Leaves that say no more than the end of a line does, such as a semicolon."""
    gap: str = field(repr=False)
    """A regular expression, without captures and backtracking, for what may stand between two tokens and mean nothing,
    comments left aside."""
    lists: frozenset[str] = field(repr=False)
    """What holds items one after another, such as arguments: an omission mark may stand for a run of them, as for a
    run of statements in one of the `blocks`."""
    calls: frozenset[str] = field(repr=False)
    """The lists, in brackets, that a call and a definition have: arguments and parameters."""
    tuples: frozenset[str] = field(repr=False)
    """The lists in which a comma behind a lone item means something; in others a last comma is layout."""

    def __hash__(self) -> int:
        """Quick, for what is kept by language."""
        return hash(self.name)


PYTHON = Language(
    name="python",
    grammar="tree_sitter_python",
    suffixes=(".py", ".pyi", ".pyw"),
    filenames=frozenset({"SConscript", "SConstruct", "wscript"}),
    definitions=frozenset({"class_definition", "function_definition"}),
    name_field="name",
    wrappers=frozenset({"decorated_definition"}),
    compounds=frozenset(
        {
            "case_clause",
            "elif_clause",
            "else_clause",
            "except_clause",
            "except_group_clause",
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

LANGUAGES = (PYTHON,)


def language_of(path: str) -> Language | None:
    """The language of a file, as far as its name tells.

    Args:
        path: with forward slashes; only its last part matters.
    """
    name = path.rpartition("/")[2]
    lower = name.lower()
    for language in LANGUAGES:
        if name in language.filenames or lower.endswith(language.suffixes):
            return language
    return None

"""Which language a file is in, by its name; what a grammar must tell for symbols and tokens to be found.

This is the seam where grammars plug in: a record here and a distribution that has the grammar. A file in no
language that stands here has lines, and no symbols.
"""

from __future__ import annotations

from dataclasses import dataclass, field


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

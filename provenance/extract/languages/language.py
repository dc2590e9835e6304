"""What a language's grammar must tell for symbols, statements and tokens to be found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from provenance.extract.languages.naming import by_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    Naming: TypeAlias = Callable[[Node], tuple[Node, ...] | None]
    """Finds what a node is called that may be a definition: the nodes that hold the parts of its name, outer ones
    first; none where it has no name; None where it is no definition after all."""


def kinds(names: str) -> frozenset[str]:
    """Types of node, which stand one behind the other with spaces between."""
    return frozenset(names.split())


@dataclass(frozen=True, slots=True)
class Quoting:
    """How the strings of a language are quoted whose quotation marks mean the same."""

    marks: tuple[str, ...]
    """Those that may stand for one another, longer ones before shorter ones that they begin with."""
    raw: frozenset[str] = frozenset()
    """Prefix letters, in lower case, with which a backslash is an ordinary character."""
    filled: frozenset[str] = frozenset()
    """Prefix letters, in lower case, with which braces hold code."""


_DOUBLE = Quoting(marks=('"',))


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language, and the node types of its tree-sitter grammar that matter here."""

    name: str
    """As reports, the configuration and the database say it: `python`."""
    title: str
    """As people write it: `Python`."""
    grammar: str
    """The module that holds the grammar."""
    function: str = field(default="language", repr=False)
    """Its function that returns the grammar."""
    extra: str = field(default="", repr=False)
    """The extra of prov's distribution that brings the grammar; empty where it always comes along."""
    piece: str = field(default="", repr=False)
    """The function for code that is a piece of a file, where that takes a grammar of its own."""
    opening: str = field(default="", repr=False)
    """Text without which code is such a piece."""
    ending: str = field(default="", repr=False)
    """What ends a statement, for a piece of code that stops right before it."""

    definitions: frozenset[str] = field(repr=False)
    """What may have a name, a header and a body."""
    naming: Naming = field(default=by_name, repr=False)
    holders: frozenset[str] = field(default=frozenset(), repr=False)
    """Parts of names that say no more than where something is kept, such as `prototype`; they are left out."""
    wrappers: frozenset[str] = field(default=frozenset(), repr=False)
    """What stands around a definition and belongs to it, such as its decorators or `export`."""
    leading: frozenset[str] = field(default=frozenset(), repr=False)
    """What stands before a definition and belongs to it, each on lines of its own, such as attributes."""
    compounds: frozenset[str] = field(repr=False)
    """Other statements, and clauses of statements, that have a header and a body."""
    blocks: frozenset[str] = field(repr=False)
    """Bodies, and the file itself: their children are statements, simple ones unless they are of these."""
    groups: frozenset[str] = field(default=frozenset(), repr=False)
    """Statements whose children are told apart as those of a block are, such as a list of imports in brackets."""
    is_nested: bool = field(default=True, repr=False)
    """Whether bodies and definitions stand within expressions too, so that these have to be looked into."""

    comments: frozenset[str] = field(repr=False)
    layout: frozenset[str] = field(default=frozenset(), repr=False)
    """Leaves that are white space to the language."""
    atoms: frozenset[str] = field(repr=False)
    """What is one token though the grammar divides it, such as a string."""
    fragments: frozenset[str] = field(repr=False)
    """What divides an atom and is no code of its own, such as a quotation mark; what else is in one may be code."""
    undivided: frozenset[str] = field(default=frozenset(), repr=False)
    """Leaves that hold several tokens, since the grammar does not look into them."""
    quoting: Quoting | None = field(default=_DOUBLE, repr=False)
    """None where no string is like another one that is spelt otherwise."""
    bodies: tuple[str, ...] = field(default=("{",), repr=False)
    """Text without which a statement has no body."""
    breaks: frozenset[str] = field(default=frozenset({";"}), repr=False)
    """Leaves that say no more than the end of a line does, such as a semicolon."""
    gap: str = field(default=r"[\s;]*+", repr=False)
    """A regular expression, without captures and backtracking, for what may stand between two tokens and mean nothing,
    comments left aside."""
    lists: frozenset[str] = field(repr=False)
    """What holds items one after another, such as arguments: an omission mark may stand for a run of them, as for a
    run of statements in one of the `blocks`."""
    calls: frozenset[str] = field(repr=False)
    """The lists, in brackets, that a call and a definition have: arguments and parameters."""
    operations: frozenset[str] = field(default=frozenset(), repr=False)
    """What half of means something else than it does in the whole: operations, calls, attributes. Runs of other nodes
    count as pieces of code where `is_nested`."""
    tuples: frozenset[str] = field(default=frozenset(), repr=False)
    """The lists in which a comma behind a lone item means something; in others a last comma is layout."""

    def __hash__(self) -> int:
        """Quick, for what is kept by language."""
        return hash(self.name)

    def remedy(self, *, upgrade: bool = False) -> str:
        """The command that brings the grammar: `pip install 'prov-verify[go]'`."""
        what = f"'prov-verify[{self.extra}]'" if self.extra else "prov-verify"
        return f"pip install {'--upgrade ' if upgrade else ''}{what}"

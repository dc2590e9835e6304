"""A language's types of node, put together as those ask for them who walk a tree."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.extract.languages import Language, Quoting

ERROR = "ERROR"
"""tree-sitter's name of a node that holds what it could not make sense of."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Those of one language."""

    silent: frozenset[str]
    """Leaves that are no tokens."""
    special: frozenset[str]
    """These, fragments and atoms: what is not a token as it stands."""
    comments: frozenset[str]
    atoms: frozenset[str]
    fragments: frozenset[str]
    blocks: frozenset[str]
    """Those whose children are statements."""
    edged: frozenset[str]
    """Those of them whose ends no token tells, so that they have to be told beside the tokens."""
    lists: frozenset[str]
    """Those of which a mark may stand for a run of children."""
    headed: frozenset[str]
    """Those that have a header and a body."""
    calls: frozenset[str]
    tuples: frozenset[str]
    bodies: tuple[bytes, ...]
    quoting: Quoting | None

    @staticmethod
    @lru_cache
    def of(language: Language) -> Kinds:
        """Those of a language."""
        silent = language.comments | language.layout | language.breaks
        return Kinds(
            silent=silent,
            special=silent | language.fragments | language.atoms,
            comments=language.comments,
            atoms=language.atoms,
            fragments=language.fragments,
            blocks=language.blocks - {ERROR},
            edged=frozenset() if language.is_nested else language.blocks - {ERROR},
            lists=language.lists | language.blocks,
            headed=language.definitions | language.compounds | language.wrappers,
            calls=language.calls,
            tuples=language.tuples,
            bodies=tuple(sign.encode() for sign in language.bodies),
            quoting=language.quoting,
        )

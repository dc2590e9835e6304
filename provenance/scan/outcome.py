"""What came of reading a document beside its citations, and how the evidence database keeps it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from provenance.errors import StoreError
from provenance.evidence import Sighted, Unread, Verdict
from provenance.links.targets import RefKind
from provenance.scan.resolving import Asked

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_Made = TypeVar("_Made")


STANDING = frozenset(
    {
        Verdict.EXACT,
        Verdict.WHITESPACE,
        Verdict.ELIDED,
        Verdict.ANCHORED,
        Verdict.UNQUOTED,
        Verdict.PARTIAL,
        Verdict.SHIFTED,
    }
)
"""Verdicts with which what a document means stands in the file: a commit that has it can be named for a branch."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What every run must know of a document, be it read anew or not."""

    asked: tuple[Asked, ...] = ()
    """Its links whose revision moves, or could not be told."""
    cited: int = 0
    """How many citations it has, those left aside that need no repository."""
    moving: int = 0
    """How many of its citations are judged at a branch's commit of today."""
    unread: int = 0
    """How much in it looks like a citation and is not understood."""
    ignores: bool = False
    """Whether a comment ignores one of its citations, so that levels depend on more than verdicts."""

    def to_json(self) -> str:
        """As it is kept."""
        asked = [[item.git, item.rest, item.ref.name, item.stated] for item in self.asked]
        form = {"asked": asked, "cited": self.cited, "moving": self.moving, "unread": self.unread}
        return json.dumps(form | {"ignores": self.ignores})

    @classmethod
    def from_json(cls, text: str) -> Brief:
        """Read what `to_json` wrote.

        Raises:
            StoreError: it is something else.
        """

        def made() -> Brief:
            form = json.loads(text)
            asked = [Asked(git, rest, RefKind[ref], stated) for git, rest, ref, stated in form["asked"]]
            cited, moving, unread = (int(form[key]) for key in ("cited", "moving", "unread"))
            return cls(tuple(asked), cited, moving, unread, bool(form["ignores"]))

        return _kept(made)


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a citation stands in its document, and what is to be told of it there."""

    line: int
    """1-based; in a notebook that of the cell's source."""
    cell: int | None
    cited: str
    """The link or place as the document has it, without secrets."""
    raw_line: int
    """The line on which that is written, 1-based."""
    moving: str | None
    """The branch that it names; None where it is pinned."""
    written: str | None
    """That as the link has it, such as `refs/heads/main`."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What stands beside a document's citations."""

    stands: Mapping[str, Stand]
    """By citation id."""
    unread: tuple[Unread, ...]

    def to_json(self) -> str:
        """As it is kept."""
        stands = {
            id_: [item.line, item.cell, item.cited, item.raw_line, item.moving, item.written, item.notes]
            for id_, item in self.stands.items()
        }
        unread = [
            [item.sighted.line, item.sighted.cell, item.sighted.cited, item.message] for item in self.unread
        ]
        return json.dumps({"stands": stands, "unread": unread}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, document: str) -> Outcome:
        """Read what `to_json` wrote of a document.

        Raises:
            StoreError: it is something else.
        """

        def made() -> Outcome:
            form = json.loads(text)
            stands = {
                str(id_): Stand(line, cell, cited, raw_line, moving, written, tuple(notes))
                for id_, (line, cell, cited, raw_line, moving, written, notes) in form["stands"].items()
            }
            unread = tuple(
                Unread(Sighted(document, line, cell, cited), message)
                for line, cell, cited, message in form["unread"]
            )
            return cls(stands, unread)

        return _kept(made)


def _kept(made: Callable[[], _Made]) -> _Made:
    try:
        return made()
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        message = f"the evidence database is damaged: {error}; delete it and scan again"
        raise StoreError(message) from error

"""Where cited lines are at another revision. Frozen records without I/O."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from provenance.evidence import Level

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.citation import Citation, LineRange
    from provenance.errors import Position
    from provenance.evidence import Assurance
    from provenance.history import Commit


class Status(StrEnum):
    """What became of cited lines."""

    UNCHANGED = "unchanged"
    """The same path, the same lines, the same text."""
    MOVED = "moved"
    """The same path and text, other lines."""
    RENAMED = "renamed"
    """The same text in a file of another path."""
    EDITED = "edited"
    """Found, and the text differs."""
    AMBIGUOUS = "ambiguous"
    """Two places or more are equally good, and none is taken."""
    DELETED = "deleted"
    UNAVAILABLE = "unavailable"
    """It could not be told; this says nothing about the lines."""


class Confidence(StrEnum):
    """How sure it is where lines are."""

    HIGH = "high"
    """They were followed commit by commit, or the file is the same, and nothing speaks against it."""
    LOW = "low"


LEVELS: Mapping[Status, Level] = MappingProxyType(
    {
        Status.UNCHANGED: Level.OK,
        Status.MOVED: Level.OK,
        Status.RENAMED: Level.OK,
        Status.EDITED: Level.WARNING,
        Status.AMBIGUOUS: Level.WARNING,
        Status.DELETED: Level.FAILURE,
        Status.UNAVAILABLE: Level.UNAVAILABLE,
    }
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Lines of a file at a revision."""

    revision: str
    """Full commit id; or the revision as written, or a release, where no commit is known."""
    path: str
    lines: LineRange | None
    """None for a value that stands on no line of its own."""


@dataclass(frozen=True, slots=True)
class Relocation:
    """What became of lines, without the citation that they are of."""

    status: Status
    end: Spot | None = None
    """Where they are; None where they are gone, where several places are equally good, or where it cannot be told."""
    message: str = ""
    """One sentence for a person; empty where the status says it all."""
    similarity: float | None = None
    """Share of the old lines' tokens that stand, in order, in the new ones, 0 to 1; None where there are none."""
    confidence: Confidence | None = None
    """None where it could not be told."""
    candidates: tuple[Spot, ...] = ()
    """`ambiguous` only: the places, the best first."""
    commit: str | None = None
    """Full id of the commit that moved, edited or deleted them; None where none did, or it is not known."""
    edits: int = 0
    """How many commits edited them; 0 where none did, or it is not known."""
    text: str | None = None
    """The lines as they are at `end`, joined by LF, without a last LF."""
    old_text: str | None = None
    """The lines as they were."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of a citation's lines at another revision."""

    manifest: str
    """The manifest's path, relative to the project's root."""
    citation: Citation
    start: Spot
    """Where it is cited."""
    relocation: Relocation
    level: Level
    diff: str = ""
    """`edited` only: unified, from the old lines to the new ones."""
    commit: Commit | None = None
    """The commit that moved, edited or deleted the lines."""
    to: str = ""
    """What was asked for: the revision as written on the command line, or `latest`."""
    reached: str | None = None
    """What that was: a full commit id, or a release; None where it was not found out."""
    assurance: Assurance | None = None
    """Of the cited lines at their pin."""
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Unique in its manifest."""
        return self.citation.id

    @property
    def status(self) -> Status:
        """What became of the lines."""
        return self.relocation.status

    @property
    def position(self) -> Position | None:
        """Where the manifest states it."""
        return self.citation.position

"""The way that one range takes through history, as far as it has been followed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.compare.relocating.body import Stretch
    from provenance.drift.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Shift:
    """A time in which the lines stayed the same, and what is above them changed."""

    timeline: Timeline
    start: int
    """The point at which it begins."""
    end: int
    blob: str
    """The content of the file at its beginning."""
    lines: Stretch
    """Where the lines stood then."""


@dataclass(frozen=True, slots=True)
class Start:
    """Lines at the older revision."""

    path: str
    blob: str
    lines: Stretch

    def trail(self) -> Trail:
        """The beginning of their way."""
        own = frozenset(range(self.lines.first, self.lines.last + 1))
        return Trail(self.path, self.blob, self.lines, own, self)


@dataclass(slots=True)
class Trail:
    """A range on its way; it changes as it is followed."""

    path: str
    blob: str
    """The content of the file that the lines stand in now."""
    lines: Stretch
    own: frozenset[int]
    """Those of the lines that come from the cited ones, and were not put in between."""
    origin: Start
    """Where they are cited."""
    at: int = 0
    """The point of the way up to which they have been followed."""
    edits: list[str] = field(default_factory=list)
    """Commits that changed the lines, the oldest first."""
    moves: list[str] = field(default_factory=list)
    """Commits that carried them to another file, or past other lines."""
    shift: Shift | None = None
    """The last time in which their line numbers changed."""
    suspect: str | None = None
    """A commit on another side of the next merge that took them away there."""
    ended_by: str | None = None
    """The commit that took them away."""
    reason: str = ""
    """How they ended, for a person."""
    is_readable: bool = True
    """False where a content that was needed was no text, or could not be had."""
    least: float = 1.0
    """The smallest share of them that a step left."""
    worst: str | None = None
    """The commit whose step that was."""
    rivals: Sequence[Trail] = ()
    """Where they may be instead: places that were equally good."""

    @property
    def has_ended(self) -> bool:
        """Whether there is nothing to follow any more."""
        return self.ended_by is not None or not self.is_readable or bool(self.rivals)

    def fork(self) -> Trail:
        """A copy that goes a way of its own."""
        return replace(self, edits=[*self.edits], moves=[*self.moves])

    def go(self, lines: Stretch, own: frozenset[int] | None = None) -> None:
        """Stand on other lines; where nothing is said of those that count, they are as many lines on."""
        by = lines.first - self.lines.first
        self.own = frozenset(at + by for at in self.own) if own is None else own
        self.lines = lines

    def end(self, commit: str, reason: str = "") -> None:
        """The lines are gone."""
        self.ended_by, self.reason = commit, reason

    def adopt(self, other: Trail) -> None:
        """Go where a copy has gone."""
        self.path, self.blob, self.lines, self.own = other.path, other.blob, other.lines, other.own
        self.edits, self.moves, self.shift = other.edits, other.moves, other.shift
        self.least, self.worst = other.least, other.worst
        self.ended_by, self.reason = other.ended_by, other.reason

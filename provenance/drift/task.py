"""What one repository's worker is given, and what it reports. Records, and who follows lines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from provenance.drift.pinned import unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from provenance.citation import LineRange
    from provenance.drift.concluding import Concluded
    from provenance.drift.follow import Place
    from provenance.drift.pinned import Pinned
    from provenance.history import Commit, History
    from provenance.relocation import Drift, Relocation


class Follower(Protocol):
    """Who tells where lines went; `provenance.drift.follow` is one."""

    def follow(self, history: History, old: str, new: str, places: Sequence[Place], /) -> list[Relocation]:
        """What became of each place, from one commit to another."""

    def follow_contents(
        self, old: Mapping[str, bytes], new: Mapping[str, bytes], revision: str, places: Sequence[Place], /
    ) -> list[Relocation]:
        """What became of each place, from some files to others."""


class Numbered(NamedTuple):
    """A citation, and its number in the order of the run."""

    number: int
    pinned: Pinned

    @property
    def place(self) -> tuple[str, LineRange]:
        """The file and the lines that are followed."""
        return self.pinned.stands_at, self.pinned.block


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of one repository."""

    git: str = field(repr=False)
    """Its URL as the manifest writes it, with what may be secret in it."""
    citations: tuple[Numbered, ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """What became of one citation, and what is to be known to re-pin it."""

    number: int
    """In the order of the run."""
    pinned: Pinned
    drift: Drift
    tag: str | None = None
    """The name of the revision that it was followed to, where that is a tag."""
    obstacle: str = ""
    """Why it cannot be re-pinned, though its lines are the same."""
    refused: str = ""
    """Why prov itself would not ask: exit code 2."""


def reported(
    item: Numbered,
    concluded: Concluded,
    *,
    commit: Commit | None = None,
    notes: tuple[str, ...] = (),
    revision: str | None = None,
    reached: str | None = None,
    tag: str | None = None,
) -> Followed:
    """A citation that was followed: to `reached`, from `revision`, the full commit id of its pin where it is known."""
    found = concluded.relocation
    drift = item.pinned.drift(
        found, diff=concluded.diff, commit=commit, notes=notes, revision=revision, reached=reached
    )
    return Followed(item.number, item.pinned, drift, tag, concluded.obstacle)


def unfollowed(
    item: Numbered, message: str, *, refused: bool = False, notes: tuple[str, ...] = ()
) -> Followed:
    """A citation of which it could not be told what became of it."""
    drift = item.pinned.drift(unknown(message), notes=notes)
    return Followed(item.number, item.pinned, drift, refused=message if refused else "")

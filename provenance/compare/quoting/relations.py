"""How a mention and a block stand to each other, and how likely that makes the block its quote."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.compare.quoting.cited import Cited
    from provenance.compare.quoting.frames import Framed


class Relation(StrEnum):
    """Where a block stands, seen from the mention."""

    INSIDE = "inside"
    """The mention is in the block, such as in a comment."""
    CAPTION = "caption"
    """The mention is the block's caption, or its title names the file."""
    DIRECTLY_AFTER = "directly after"
    """Nothing but the rest of the mention's paragraph is between."""
    AFTER = "after"
    BEFORE = "before"
    """The block ends where the mention's paragraph begins."""
    NEAR = "near"
    """Further up."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A block, or a part of one, that may be the quote of a mention."""

    mention: int
    """Which of the sheet's mentions, from 0."""
    place: Cited
    block: int
    """The block's order."""
    relation: Relation
    likelihood: float
    """0 to 1, by where it stands and what it looks like; what it says is not compared yet."""
    readings: tuple[Framed, ...]
    """The ways in which its text can be read, the plainest first; the first is the text as it is."""
    part: tuple[int, int] | None = None
    """The lines of the block that it is, from 0, inclusive; None for all of them."""
    sure: bool = False
    """Whether the document says that it is the quote: by a comment within it, a caption, a header, printed numbers."""
    defines: bool = False
    """Whether the block begins with the definition of the name that the link shows."""
    distance: int = 0
    """Lines between the two."""
    alone: bool = False
    """Whether it is the stretch of a block that has the cited line's number: what is left of a block that as a whole
    is no quote."""

    @property
    def key(self) -> tuple[int, tuple[int, int] | None]:
        """Tells a mention's candidates apart."""
        return self.block, self.part

    @property
    def rank(self) -> tuple[int, bool, tuple[int, int]]:
        """Orders a mention's candidates where nothing else does: parts of a block before all of it."""
        return self.block, self.part is None, self.part or (0, 0)

    @property
    def bare(self) -> Framed:
        """The reading with everything taken off that is no code, both sides of a diff left in."""
        return next((each for each in reversed(self.readings) if not each.side), self.readings[0])

    @property
    def text(self) -> str:
        """The text as it is."""
        return self.readings[0].text

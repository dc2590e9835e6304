"""What a document claims: sources, line ranges, citations. Frozen records without I/O."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from provenance.errors import InvalidRecord

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from provenance.errors import Position

_RANGE = re.compile(r"(?P<first>[0-9]{1,9})(?:\s*[-\u2010-\u2015\u2212]\s*(?P<last>[0-9]{1,9}))?")
"""`60`, `99-103`, and the dashes that typesetting makes of the hyphen."""


@dataclass(frozen=True, slots=True, order=True)
class LineRange:
    """A run of lines."""

    first: int
    """1-based, inclusive."""
    last: int
    """1-based, inclusive; never before `first`."""

    def __post_init__(self) -> None:
        if self.first < 1:
            message = f"line {self.first} does not exist: lines count from 1"
            raise InvalidRecord(message)
        if self.last < self.first:
            message = f"the range {self.first}-{self.last} is reversed"
            raise InvalidRecord(message)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `60` or `99-103` (any dash).

        Raises:
            InvalidRecord: the text is no range, is reversed, or starts at line 0.
        """
        match = _RANGE.fullmatch(text.strip())
        if match is None:
            message = f"{text!r} is not a line range such as 60 or 99-103"
            raise InvalidRecord(message)
        first = int(match["first"])
        return cls(first, int(match["last"] or first))

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __contains__(self, line: int) -> bool:
        return self.first <= line <= self.last

    def holds(self, other: LineRange) -> bool:
        """Whether every line of `other` is one of these."""
        return self.first <= other.first and other.last <= self.last

    def overlaps(self, other: LineRange) -> bool:
        """Whether at least one line is in both."""
        return self.first <= other.last and other.first <= self.last

    def distance(self, other: LineRange) -> int:
        """How many lines apart the two begin or end, whichever is nearer; 0 where they share an edge."""
        return min(abs(self.first - other.first), abs(self.last - other.last))

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


class EvidenceKind(StrEnum):
    """How a citation bears on its document's claim."""

    DIRECT = "direct"
    CONTEXTUAL = "contextual"


@dataclass(frozen=True, slots=True)
class Release:
    """A release artifact on the package index that pip is configured for."""

    project: str
    """The project's name on the index, as written."""
    version: str
    """The exact version."""

    def __str__(self) -> str:
        return f"{self.project}=={self.version}"


@dataclass(frozen=True, slots=True)
class Source:
    """A repository at a pinned revision."""

    name: str
    """The key in the manifest's `sources`."""
    git: str
    """The repository's URL, as written."""
    revision: str
    """A commit id, full or short, a tag or a branch, as written."""
    license: str | None = None
    """SPDX identifier of the cited code's licence."""
    alternates: tuple[Release, ...] = ()
    """Other places that hold the same files, in the order in which they are asked."""
    position: Position | None = field(default=None, compare=False)
    """Where the manifest defines it."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A verdict other than ok that is known, and counts as a warning until a date."""

    verdict: str
    """The verdict that is expected, one of `provenance.evidence.Verdict`'s values."""
    because: str
    """Why it is accepted."""
    until: date
    """The last day on which it is."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim's pointer into a source."""

    id: str
    """Unique in its manifest."""
    source: Source
    path: str
    """Path in the repository, with forward slashes, relative to its root."""
    lines: LineRange
    evidence: EvidenceKind
    claim: str = ""
    """What the document says of the cited lines."""
    of: str | None = None
    """Contextual evidence only: the component it is evidence for."""
    quote: str | None = None
    """The excerpt as the document shows it; None where it shows none."""
    expect: Expectation | None = None
    position: Position | None = field(default=None, compare=False)
    """Where the manifest states it."""

    def place_digest(self) -> str:
        """Digest of where the citation points: repository, revision as written, path and range."""
        return _digest([self.source.git, self.source.revision, self.path, self.lines.first, self.lines.last])

    def digest(self) -> str:
        """Digest of all that is judged: where the citation points, and the quote."""
        return _digest([self.place_digest(), "range" if self.quote is None else "quote", self.quote])


def _digest(parts: Sequence[object]) -> str:
    """SHA-256 over a JSON array, whose quoting keeps the parts apart; 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """The citations that stand in one document."""

    path: str
    """Relative to the project's root, with forward slashes."""
    title: str
    """The document's title."""
    url: str | None
    sources: tuple[Source, ...]
    citations: tuple[Citation, ...]

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

DASH = r"[-\u2010-\u2015\u2212]"
"""The hyphen, and what typesetting makes of it."""

_RANGE = re.compile(rf"(?P<first>[0-9]{{1,9}})(?:\s*{DASH}\s*(?P<last>[0-9]{{1,9}}))?")
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


class Kind(StrEnum):
    """What sort of thing is judged."""

    QUOTE = "quote"
    EXPRESSION = "expression"
    VALUE = "value"
    RANGE = "range"
    QUANTITY = "quantity"
    PIN = "pin"


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
    stated: str | None = None
    """The revision that the document names elsewhere, such as in its line of sources; it must be the same commit."""
    position: Position | None = field(default=None, compare=False)
    """Where the manifest defines it."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """A verdict other than ok that is known, and counts as a warning. A manifest's names a verdict and a date."""

    verdict: str | None
    """The verdict that is expected, one of `provenance.evidence.Verdict`'s values; None for any."""
    because: str
    """Why it is accepted."""
    until: date | None
    """The last day on which it is; None where it has no end."""


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """An entry of a JSON, YAML or TOML file, and what the document says it is."""

    pointer: str
    """RFC 6901, such as `/n_embd`; the empty one is the whole file."""
    equals: str
    """As written; `768` is a number where the file has one."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim's pointer into a source. It shows a quote, an expression or a value, or none of them."""

    id: str
    """Unique in its manifest."""
    source: Source
    path: str
    """Path in the repository, with forward slashes, relative to its root."""
    lines: LineRange | None
    """None for a value alone, which its pointer finds."""
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
    expression: str | None = None
    """Code that stands within the lines, as the document shows it."""
    value: ExpectedValue | None = None

    def __post_init__(self) -> None:
        shown = [part for part in (self.quote, self.expression, self.value) if part is not None]
        if len(shown) > 1:
            message = f"the citation {self.id} has more than one of quote, expression and value"
            raise InvalidRecord(message)
        if self.lines is None and self.value is None:
            message = f"the citation {self.id} has no lines, and no value to look for"
            raise InvalidRecord(message)

    @property
    def kind(self) -> Kind:
        """What is compared."""
        if self.quote is not None:
            return Kind.QUOTE
        if self.expression is not None:
            return Kind.EXPRESSION
        return Kind.RANGE if self.value is None else Kind.VALUE

    def place_digest(self) -> str:
        """Digest of where the citation points: repository, revision as written, path and range."""
        first, last = (self.lines.first, self.lines.last) if self.lines else (None, None)
        return _digest([self.source.git, self.source.revision, self.path, first, last])

    def digest(self) -> str:
        """Digest of all that is judged: where the citation points, and what it shows."""
        shown: object = self.expression if self.quote is None else self.quote
        if self.value is not None:
            shown = [self.value.pointer, self.value.equals]
        return _digest([self.place_digest(), self.kind.value, shown])

    def basis(self) -> str:
        """Digest of all that a result depends on beside the file: what is judged, and the claim."""
        return _digest([self.digest(), self.claim])


def _digest(parts: Sequence[object]) -> str:
    """SHA-256 over a JSON array, whose quoting keeps the parts apart; 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Term:
    """One row of a sum that a document shows."""

    name: str
    calculation: str
    """As the document shows it, such as `512 × 2048`."""
    equals: str
    """What the document says it comes to."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """Arithmetic that a document shows. Numbers are text as written: judging them reads them."""

    id: str
    """Unique in its manifest, among citations as well."""
    terms: tuple[Term, ...] = ()
    total: str | None = None
    """What the terms come to together."""
    repeated: str | None = None
    """How often the total is taken."""
    overall: str | None = None
    """What that comes to."""
    statements: tuple[str, ...] = ()
    """What the document says of the same quantity elsewhere: a number, or an equation."""
    shapes: tuple[str, ...] = ()
    """The shapes that the document states, such as `[B batch, 512 d]`: dimensions come out of them."""
    expect: Expectation | None = None
    position: Position | None = field(default=None, compare=False)
    """Where the manifest states it."""


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
    quantities: tuple[Quantity, ...] = ()

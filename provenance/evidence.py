"""What was found: contents and their proof, excerpts, verdicts, evidence. Frozen records without I/O."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Self

from provenance.citation import Quantity
from provenance.errors import InvalidRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.citation import Citation, Expectation, Kind, LineRange, Source
    from provenance.errors import Position

_OBJECT_ID = re.compile(r"[0-9a-f]{40}")


def object_id(kind: str, data: bytes) -> str:
    """The id that git gives to an object: SHA-1 over its kind, size and bytes.

    Source: Git's documentation, "Git Internals - Git Objects" (object storage).
    """
    digest = hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def is_object_id(text: str) -> bool:
    """Whether `text` is a full object id: 40 lower-case hexadecimal digits."""
    return _OBJECT_ID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Content:
    """The bytes of one file at one revision."""

    blob: str
    """The git blob id, which the bytes have been checked against."""
    data: bytes = field(repr=False)

    @classmethod
    def of(cls, data: bytes) -> Self:
        """Name the bytes by their blob id."""
        return cls(object_id("blob", data), data)

    @classmethod
    def checked(cls, blob: str, data: bytes) -> Self:
        """Bytes that must have a certain id.

        Raises:
            InvalidRecord: they have another.
        """
        actual = object_id("blob", data)
        if actual != blob:
            message = f"the bytes stored as blob {blob} have the id {actual}"
            raise InvalidRecord(message)
        return cls(blob, data)


@dataclass(frozen=True, slots=True)
class GitObject:
    """A commit or a tree as git stores it, whose id has been checked."""

    id: str
    kind: str
    """`commit` or `tree`."""
    data: bytes = field(repr=False)
    """The object's bytes, without git's header."""


class Assurance(StrEnum):
    """How sure it is that the bytes are those of the pinned revision, the surest first."""

    COMMIT = "commit"
    LOCKED = "locked"
    ARTIFACT = "artifact"


class OriginKind(StrEnum):
    """Where bytes came from."""

    GIT = "git"
    RELEASE = "pypi"
    ARCHIVE = "swh"
    HUB = "hub"
    """The Hugging Face hub's raw-file endpoint."""
    LOCK = "lock"


class Verdict(StrEnum):
    """What the comparison at the pinned revision says."""

    EXACT = "exact"
    WHITESPACE = "whitespace"
    ELIDED = "elided"
    ANCHORED = "anchored"
    UNQUOTED = "unquoted"
    PARTIAL = "partial"
    SHIFTED = "shifted"
    CHANGED = "changed"
    ABSENT = "absent"
    OUT_OF_RANGE = "out-of-range"
    NOT_TEXT = "not-text"
    NO_PATH = "no-path"
    NO_REVISION = "no-revision"
    UNAVAILABLE = "unavailable"
    HOLDS = "holds"
    BROKEN = "broken"


class Level(StrEnum):
    """How much a verdict matters, the worst last."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"
    UNAVAILABLE = "unavailable"


DEFAULT_LEVELS: Mapping[Verdict, Level] = MappingProxyType(
    {
        Verdict.EXACT: Level.OK,
        Verdict.WHITESPACE: Level.OK,
        Verdict.ELIDED: Level.OK,
        Verdict.ANCHORED: Level.OK,
        Verdict.UNQUOTED: Level.OK,
        Verdict.PARTIAL: Level.WARNING,
        Verdict.SHIFTED: Level.FAILURE,
        Verdict.CHANGED: Level.FAILURE,
        Verdict.ABSENT: Level.FAILURE,
        Verdict.OUT_OF_RANGE: Level.FAILURE,
        Verdict.NOT_TEXT: Level.FAILURE,
        Verdict.NO_PATH: Level.FAILURE,
        Verdict.NO_REVISION: Level.FAILURE,
        Verdict.UNAVAILABLE: Level.UNAVAILABLE,
        Verdict.HOLDS: Level.OK,
        Verdict.BROKEN: Level.FAILURE,
    }
)


class Difference(StrEnum):
    """What sort of difference a changed quote shows, the slightest first."""

    WHITESPACE = "whitespace"
    TYPOGRAPHY = "typography"
    COMMENTS = "comments"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition in a source file."""

    name: str
    """Dotted from the module's top, such as `GPT2MLP.forward`."""
    lines: LineRange
    """From its first decorator to its last line."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a comparison says, and why."""

    verdict: Verdict
    message: str = ""
    """One sentence for a person; empty where the verdict says it all."""
    difference: Difference | None = None
    """`changed` only."""
    similarity: float | None = None
    """Share of the quote's tokens that stand, in order, in the stretch it was compared with, 0 to 1."""
    found_at: tuple[LineRange, ...] = ()
    """Where the quote stands, the nearest first; for `changed`, the closest stretch."""
    suggestion: LineRange | None = None
    """The range that the citation should have."""
    omitted: tuple[LineRange, ...] = ()
    """The cited lines that a mark in the quote stands for."""
    diff: str = ""
    """`changed` only: unified, from the quote to the source."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The cited lines as they stand in the content, with the symbols around them."""

    lines: LineRange
    text: str
    """The lines joined by LF, without a last LF and without a BOM."""
    symbol: str | None = None
    """The smallest definition that holds the whole range."""
    symbols: tuple[str, ...] = ()
    """The definitions inside the range, outermost first, in the file's order."""


@dataclass(frozen=True, slots=True)
class Sighted:
    """Where a citation stands in a document that was read itself."""

    path: str
    """The document's, relative to the project's root."""
    line: int
    """1-based; in a notebook that of the cell's source."""
    cell: int | None
    """A notebook's cell, 1-based; None elsewhere."""
    cited: str
    """The link or place as the document has it, without secrets."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What looks like a citation in a document and is not understood."""

    sighted: Sighted
    message: str
    """Why it is not."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A citation and all that is known of it."""

    manifest: str
    """The manifest's path, relative to the project's root."""
    citation: Citation
    judgement: Judgement
    revision: str
    """Full commit id, or the revision as written where it was never resolved."""
    level: Level
    blob: str | None = None
    symbol: str | None = None
    symbols: tuple[str, ...] = ()
    assurance: Assurance | None = None
    """None where nothing was judged."""
    origin: OriginKind | None = None
    notes: tuple[str, ...] = ()
    """The judgement's notes and those of the way to the bytes."""
    ungrounded: tuple[str, ...] = ()
    """Numbers and names of the claim that do not stand in the cited lines: advice."""
    sighted: Sighted | None = None
    """Where it stands in a document; None where a manifest states it."""
    permalink: str | None = None
    """A link to the place, in the form of the repository's host; None where that is not known."""

    @property
    def id(self) -> str:
        """Unique in its manifest."""
        return self.citation.id

    @property
    def kind(self) -> Kind:
        """What was compared."""
        return self.citation.kind

    @property
    def place(self) -> LineRange | None:
        """The lines that it is about: those that are cited, or those where a value was found."""
        return self.citation.lines or next(iter(self.judgement.found_at), None)

    @property
    def position(self) -> Position | None:
        """Where the manifest states it."""
        return self.citation.position

    @property
    def expect(self) -> Expectation | None:
        """The verdict that is known, if one is."""
        return self.citation.expect


@dataclass(frozen=True, slots=True)
class Statement:
    """What a document states beside its citations, and whether it holds: arithmetic, or a pin."""

    manifest: str
    """The manifest's path, relative to the project's root."""
    id: str
    """Unique in its manifest."""
    kind: Kind
    """`quantity` or `pin`."""
    shown: str
    """What is stated, on one line."""
    judgement: Judgement
    """`holds` or `broken`; `unavailable` where a pin could not be compared."""
    level: Level
    about: Quantity | Source
    """The quantity, or the source whose pin is stated."""
    revision: str | None = None
    """Of the source: its full commit id, or as written where it was never resolved. None for a quantity."""
    notes: tuple[str, ...] = ()

    @property
    def position(self) -> Position | None:
        """Where the manifest states it."""
        return self.about.position

    @property
    def expect(self) -> Expectation | None:
        """The verdict that is known, if one is."""
        return self.about.expect if isinstance(self.about, Quantity) else None


Finding = Evidence | Statement
"""One result of a run."""


@dataclass(frozen=True, slots=True)
class Summary:
    """How many results stand how."""

    total: int
    ok: int
    warning: int
    failure: int
    unavailable: int
    assurance: Mapping[Assurance, int]
    """Of those that could be judged, how many were proven how."""
    statements: int = 0
    """How many of all are no citations: arithmetic and pins."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change of a verdict, or of what it rests on."""

    run: int
    """The run's number: those count that found something new."""
    when: str
    """When the run began: UTC, ISO 8601."""
    command: str
    """What was run, such as `verify`."""
    version: str
    """Of the prov that ran."""
    verdict: str
    revision: str
    """Full commit id, or the revision as written where it was never resolved; empty for a quantity, which has none."""
    blob: str | None
    assurance: str | None
    origin: str | None

"""What the store hands out: rows as frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from provenance.answers import Artifact
    from provenance.citation import Citation, LineRange, Quantity, Source
    from provenance.evidence import Excerpt, Judgement, OriginKind, Verdict
    from provenance.history import Commit
    from provenance.relocation import Relocation, Spot


@dataclass(frozen=True, slots=True)
class StoredManifest:
    """A manifest as it was when it was last read."""

    id: int
    path: str
    sha256: str
    """Of the file's bytes."""
    title: str
    url: str | None
    """As the manifest has it."""
    stamp: str | None
    """Digest of everything under which `tally` holds; None where it must be counted anew."""
    tally: str | None
    """JSON: the manifest's verdicts, counted."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it was when it was last read."""

    path: str
    """Relative to the project's root, with forward slashes."""
    digest: str
    """Of its bytes, and of all else that reading it depends on."""
    brief: str
    """JSON: what every run must know of it, such as its links whose revision moves."""
    resolution: str
    """Digest of the commits that those were taken to mean."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What is known of one path at one revision."""

    git: str
    revision: str
    """Full commit id, or the revision as written where it was never resolved."""
    path: str
    """As cited."""
    blob: str | None
    """None where the answer is `verdict`."""
    stands_at: str | None
    """The path after symbolic links."""
    origin: OriginKind
    artifact: Artifact | None
    verdict: Verdict | None
    """`no-path` or `not-text` where that is the answer."""
    message: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A judgement as it is kept, and under which inputs it holds."""

    inputs: str
    """Digest of all inputs and of prov's version."""
    judgement: Judgement
    revision: str
    blob: str | None
    assurance: str | None
    origin: str | None
    ungrounded: tuple[str, ...] = ()
    """Numbers and names of the claim that do not stand in the cited lines."""


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """A citation with the verdict that was last recorded for it."""

    id: int
    citation: Citation
    place: str
    """Digest of source, revision, path and range."""
    digest: str
    """Digest of all that is judged."""
    basis: str
    """Digest of that and of the claim."""
    verdict: StoredVerdict | None


@dataclass(frozen=True, slots=True)
class StoredQuantity:
    """A quantity, and what judging it said."""

    id: int
    quantity: Quantity
    version: str | None = None
    """Of the prov that judged it; None where none has, and then the rest is missing, too."""
    shown: str = ""
    """The sum on one line."""
    judgement: Judgement | None = None


class Check(NamedTuple):
    """As little of a citation as one that was exact before needs to be judged; 100,000 are made a second."""

    id: int
    first: int
    """Of the lines; the two are None for a value that its pointer finds, which has no quote to compare."""
    last: int
    quote: str | None
    basis: str
    """Digest of all that is judged, and of the claim."""
    path: str
    source: int
    """The source's number in the store."""
    inputs: str | None
    """Under which `verdict` holds; None where there is none."""
    verdict: str | None
    assurance: str | None


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A path that some citation needs."""

    source: Source
    path: str


@dataclass(frozen=True, slots=True, order=True)
class CitedFile:
    """A file that some citation points into."""

    git: str
    """The repository's URL, as written."""
    revision: str
    """As written."""
    path: str


@dataclass(frozen=True, slots=True)
class NamedCitation:
    """A citation that an id means."""

    manifest: str
    file: CitedFile
    lines: LineRange | None
    """None for a value that its pointer finds."""


@dataclass(frozen=True, slots=True)
class StoredDrift:
    """What `prov drift` last found out about a citation at one target.

    `unavailable` is never among it: where it could not be told, what was known before stays. A citation that was cited
    elsewhere or otherwise since then has another `start` now.
    """

    target: str
    """What was asked for, as `Drift.to` has it: a revision as written, a release, or `latest`."""
    reached: str | None
    """What that was: a full commit id, or a release; None where it was not found out."""
    start: Spot
    """Where the lines were cited."""
    relocation: Relocation
    """What became of them, without the texts, and without notes: they are below."""
    diff: str
    """`edited` only: unified, from the old lines to the new ones."""
    commit: Commit | None
    """The commit that moved, edited or deleted them; None where only `relocation.commit` is known of it, or nothing."""
    notes: tuple[str, ...]
    """All that are to be told."""
    when: str
    """When it was written: UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class NewVerdict:
    """What a run found out about one citation, to be recorded."""

    citation: StoredCitation
    verdict: StoredVerdict
    excerpt: Excerpt | None
    """Of the verdict's blob; None where the lines are none that it has."""

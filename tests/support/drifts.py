"""Drift as a run would yield it, for tests of what is made from it."""

from __future__ import annotations

from dataclasses import dataclass

from provenance.citation import Citation, EvidenceKind, ExpectedValue, LineRange, Source
from provenance.errors import Position
from provenance.evidence import Assurance, Level
from provenance.history import Commit
from provenance.relocation import LEVELS, Confidence, Drift, Relocation, Spot, Status

GIT = "https://github.com/tensorflow/tensor2tensor"
OLD = "0c66117d4297d6f778d415790bfbce6cfafe1239"
NEW = "ef1fccebe8d2c0cf482f41f9d940e2938c816c78"
BY = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
COMMIT = Commit(BY, "2019-02-14T09:41:00+01:00", "Split the encoder")


@dataclass(frozen=True)
class Followed:
    """A result in the making; what is left out is as for lines that stayed."""

    id: str = "conv-relu"
    status: Status = Status.UNCHANGED
    path: str = "models/transformer.py"
    lines: LineRange | None = LineRange(10, 20)  # noqa: RUF009 - it is frozen
    new_path: str | None = None
    """Where it is not the old one."""
    offset: int = 0
    longer: int = 0
    """Lines that the new range has more."""
    source: str = "tensor2tensor"
    git: str = GIT
    revision: str = NEW
    to: str = "latest"
    message: str = ""
    similarity: float | None = None
    confidence: Confidence | None = Confidence.HIGH
    candidates: tuple[Spot, ...] = ()
    commit: Commit | None = None
    edits: int = 0
    diff: str = ""
    level: Level | None = None
    manifest: str = "manifests/x.yaml"
    line: int | None = 12
    value: ExpectedValue | None = None
    assurance: Assurance | None = Assurance.COMMIT
    notes: tuple[str, ...] = ()

    def drift(self) -> Drift:
        """The record."""
        position = None if self.line is None else Position(self.manifest, self.line)
        citation = Citation(
            self.id,
            Source(self.source, self.git, OLD[:12]),
            self.path,
            self.lines,
            EvidenceKind.DIRECT,
            value=self.value,
            position=position,
        )
        unknown = self.status is Status.UNAVAILABLE
        found = Relocation(
            self.status,
            self._end(),
            self.message,
            self.similarity,
            None if unknown else self.confidence,
            self.candidates,
            None if self.commit is None else self.commit.id,
            self.edits,
        )
        return Drift(
            self.manifest,
            citation,
            Spot(OLD, self.path, self.lines),
            found,
            self.level or LEVELS[self.status],
            self.diff,
            self.commit,
            self.to,
            assurance=None if unknown else self.assurance,
            notes=self.notes,
        )

    def _end(self) -> Spot | None:
        if self.status in {Status.DELETED, Status.AMBIGUOUS, Status.UNAVAILABLE}:
            return None
        lines = self.lines
        if lines is not None:
            lines = LineRange(lines.first + self.offset, lines.last + self.offset + self.longer)
        return Spot(self.revision, self.new_path or self.path, lines)

"""Evidence as verify would yield it, for tests of what is made from it."""

from __future__ import annotations

from dataclasses import dataclass

from provenance.citation import Citation, EvidenceKind, LineRange, Source
from provenance.errors import Position
from provenance.evidence import DEFAULT_LEVELS, Assurance, Evidence, Judgement, OriginKind, Summary, Verdict
from provenance.links.permalinks import permalink

GIT = "https://github.com/tensorflow/tensor2tensor"
COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"


@dataclass(frozen=True)
class Made:
    """A result in the making; what is left out is as for a quote that holds."""

    id: str = "conv-relu"
    verdict: Verdict = Verdict.EXACT
    judgement: Judgement | None = None
    git: str = GIT
    path: str = "tensor2tensor/models/common_layers.py"
    lines: LineRange = LineRange(1160, 1194)  # noqa: RUF009 - it is frozen
    quote: str | None = "x"
    claim: str = ""
    of: str | None = None
    manifest: str = "manifests/x.yaml"
    line: int | None = 12
    assurance: Assurance | None = Assurance.COMMIT
    notes: tuple[str, ...] = ()
    ungrounded: tuple[str, ...] = ()

    def evidence(self) -> Evidence:
        """The record."""
        judgement = self.judgement or Judgement(self.verdict)
        kind = EvidenceKind.DIRECT if self.of is None else EvidenceKind.CONTEXTUAL
        position = None if self.line is None else Position(self.manifest, self.line)
        source = Source("tensor2tensor", self.git, COMMIT[:12])
        citation = Citation(
            self.id, source, self.path, self.lines, kind, self.claim, self.of, self.quote, position=position
        )
        judged = self.assurance is not None
        return Evidence(
            self.manifest,
            citation,
            judgement,
            COMMIT,
            DEFAULT_LEVELS[judgement.verdict],
            blob=BLOB if judged else None,
            symbol="conv_hidden_relu",
            assurance=self.assurance,
            origin=OriginKind.GIT if judged else None,
            notes=self.notes,
            ungrounded=self.ungrounded,
            permalink=permalink(self.git, COMMIT, self.path, self.lines),
        )


SUMMARY = Summary(9, 6, 3, 0, 0, {Assurance.COMMIT: 9})

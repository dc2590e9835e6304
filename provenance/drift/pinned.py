"""Citations at their pins: which of them are followed, from where, and which are not, and why. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.citation import Kind, LineRange
from provenance.evidence import Verdict
from provenance.relocation import LEVELS, Confidence, Drift, Relocation, Spot, Status

if TYPE_CHECKING:
    from provenance.citation import Citation
    from provenance.drift.targets import Target
    from provenance.evidence import Evidence
    from provenance.history import Commit

_FOLLOWED = frozenset(
    {
        Verdict.EXACT,
        Verdict.WHITESPACE,
        Verdict.ELIDED,
        Verdict.ANCHORED,
        Verdict.UNQUOTED,
        Verdict.PARTIAL,
    }
)
"""Verdicts at the pin with which the cited lines are those that the document means."""
SAME = frozenset({Status.UNCHANGED, Status.MOVED, Status.RENAMED})
"""What is said of lines whose text is the same."""


@dataclass(frozen=True, slots=True)
class Pinned:
    """A citation as it was judged at its pin, and where it is to be followed to."""

    evidence: Evidence
    target: Target
    stands_at: str
    """The path of the cited file after symbolic links."""

    @property
    def citation(self) -> Citation:
        """What is cited."""
        return self.evidence.citation

    @property
    def start(self) -> Spot:
        """Where it is cited; a value without lines is where its pointer found it."""
        return Spot(self.evidence.revision, self.citation.path, self.evidence.place)

    @property
    def verdict(self) -> Verdict:
        """What was found at the pin."""
        return self.evidence.judgement.verdict

    @property
    def is_followed(self) -> bool:
        """Whether it holds at its pin, so that there is something to follow."""
        return self.verdict in _FOLLOWED

    @property
    def block(self) -> LineRange:
        """The lines that are followed: those that are cited, or all that a quote around one line shows."""
        suggestion = self.evidence.judgement.suggestion
        if self.verdict is Verdict.ANCHORED and suggestion is not None:
            return suggestion
        # A value that stands on no line of its own is followed by the first line of its file.
        return self.evidence.place or LineRange(1, 1)

    def drift(
        self,
        found: Relocation,
        *,
        diff: str = "",
        commit: Commit | None = None,
        notes: tuple[str, ...] = (),
        revision: str | None = None,
        reached: str | None = None,
    ) -> Drift:
        """What became of it, as it is reported.

        Args:
            found: what became of its lines.
            diff: `edited` only.
            commit: the one that did it.
            notes: what else is to be told.
            revision: the pin's commit, where its evidence lacks that.
            reached: the commit or the release that it was followed to.
        """
        evidence = self.evidence
        return Drift(
            manifest=evidence.manifest,
            citation=evidence.citation,
            start=replace(self.start, revision=revision or evidence.revision),
            relocation=found,
            level=LEVELS[found.status],
            diff=diff,
            commit=commit,
            to=self.target.written,
            reached=reached,
            assurance=evidence.assurance,
            notes=notes,
        )


def unknown(message: str) -> Relocation:
    """It could not be told."""
    return Relocation(Status.UNAVAILABLE, message=message)


def not_followed(pinned: Pinned) -> Relocation:
    """Why a citation that does not hold at its pin is not followed."""
    judgement = pinned.evidence.judgement
    said = f"not followed: at its pin it is {judgement.verdict}"
    if judgement.verdict is Verdict.SHIFTED:
        places = ", ".join(map(str, judgement.found_at[:3]))
        return unknown(
            f"{said}, the quote stands at {places}; mend its lines first, see prov verify (found_at)"
        )
    if judgement.verdict is Verdict.UNAVAILABLE:
        return unknown(f"{said}: {judgement.message}")
    return unknown(f"{said}{f', {judgement.message}' if judgement.message else ''}; see prov verify")


def stayed(pinned: Pinned, commit: str) -> Relocation:
    """What is said of a citation whose pin is the commit that it would be followed to."""
    end = Spot(commit, pinned.citation.path, pinned.evidence.place)
    return Relocation(Status.UNCHANGED, end, similarity=1.0, confidence=Confidence.HIGH)


def shown(citation: Citation) -> str:
    """A word for what a citation shows."""
    return "lines" if citation.kind is Kind.RANGE else citation.kind.value

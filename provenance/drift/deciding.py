"""Which citations are re-pinned, and to what. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.citation import Kind
from provenance.drift.pinned import SAME
from provenance.evidence import Verdict, is_object_id
from provenance.manifest import Repin
from provenance.relocation import Confidence, Status

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from provenance.drift.drifting import Drifted
    from provenance.drift.task import Followed
    from provenance.relocation import Spot

_HEXADECIMAL = re.compile(r"[0-9a-f]{7,40}")
_SHORT = 12
"""Digits of a commit id that is written, at the least."""


@dataclass(slots=True)
class Decision:
    """What is to be written."""

    repins: dict[str, list[Repin]] = field(default_factory=dict)
    """By the manifest's path."""
    notes: list[str] = field(default_factory=list)
    """What a person must look at, one sentence each."""
    problems: list[str] = field(default_factory=list)
    """What was asked for and is not done. Exit code 2."""


def decide(drifted: Drifted) -> Decision:
    """Choose what is safe to write: lines whose text is the same, and edits that were agreed to.

    Nothing is written to a manifest whose lock cannot be read, nor where bytes contradict a lock.
    """
    decision = Decision()
    if drifted.contradicts:
        decision.problems.append("nothing is written: what was found contradicts a lock")
        return decision
    lost = {path for path, manifest in drifted.manifests.items() if manifest.lock_file is None}
    decision.problems += [f"{path}: nothing is written: its lock cannot be read" for path in sorted(lost)]
    for item in drifted.followed:
        if item.drift.manifest not in lost:
            _decide(item, drifted.accepted, decision)
    return decision


def _decide(item: Followed, accepted: AbstractSet[tuple[str, str]], decision: Decision) -> None:
    drift = item.drift
    name, status, end = f"{drift.manifest}#{drift.id}", drift.status, drift.relocation.end
    is_accepted = (drift.manifest, drift.id) in accepted
    if is_accepted and status is not Status.EDITED:
        decision.notes.append(f"{name} is {status}: there is no edit to accept")
    chosen = status in SAME or (is_accepted and status is Status.EDITED)
    if not chosen or end is None:
        return
    if not is_object_id(end.revision):
        note = f"nothing is re-pinned to {end.revision}: a release is no revision of the repository"
        if note not in decision.notes:
            decision.notes.append(note)
        return
    if end.revision == drift.start.revision:
        return  # it is there already, whatever the revision is called
    reason = item.obstacle if status in SAME else refusal(item)
    if reason and status in SAME:
        decision.notes.append(f"{name} stays where it is: {reason}")
        return
    if reason:
        decision.problems.append(f"--accept {name}: {reason}")
        return
    if drift.relocation.confidence is Confidence.LOW:
        decision.notes.append(f"{name} is re-pinned with low confidence: look whether it means these lines")
    decision.repins.setdefault(drift.manifest, []).append(_repin(item, end))


def refusal(item: Followed) -> str:
    """Why an edit cannot be accepted for a person; empty where it can."""
    citation, verdict = item.pinned.citation, item.pinned.verdict
    if citation.kind in {Kind.EXPRESSION, Kind.VALUE}:
        return f"a citation's {citation.kind} is for a person to edit: the file's text does not say what it becomes"
    if verdict is Verdict.ELIDED:
        return "its quote has omission marks, and which lines they are to stand for is for a person to say"
    if verdict is Verdict.PARTIAL:
        return "its quote leaves lines out, and which of the new ones it is to show is for a person to say"
    if item.drift.relocation.text is None:
        return "its new text is not at hand"
    return ""


def _repin(item: Followed, end: Spot) -> Repin:
    drift, citation, text = item.drift, item.pinned.citation, item.drift.relocation.text
    quote = None
    if drift.status is Status.EDITED and citation.quote is not None and text is not None:
        quote = text + "\n" if citation.quote.endswith("\n") else text
    lines = None if citation.lines is None else end.lines
    revision = written_revision(citation.source.revision, drift.start.revision, end.revision, item.tag)
    return Repin(drift.id, citation.source.git, revision, end.path, lines, quote)


def written_revision(was: str, old: str, new: str, tag: str | None) -> str:
    """The revision in the form of the one that stands there.

    Args:
        was: the old one as it is written.
        old: its full commit id.
        new: the new one's full commit id.
        tag: its tag, where one was asked for.
    """
    digits = was.lower()
    if _HEXADECIMAL.fullmatch(digits) and old.startswith(digits):
        return new[: max(len(digits), _SHORT)]
    return tag or new

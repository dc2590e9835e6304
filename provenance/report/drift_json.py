"""Drift -> JSON: one document, or a line a result, as `json` writes those of verify."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.evidence import is_object_id
from provenance.links.permalinks import permalink, public_url
from provenance.report.json import line, write_document

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from provenance.evidence import Summary
    from provenance.relocation import Drift, Spot

DRIFT_SCHEMA = "prov/drift/1"


def result(drift: Drift) -> dict[str, object]:
    """One result, as the contract fixes it: its keys and their order are an interface.

    What is not known is null; so is `to` where the lines are gone, or where none of several places is taken.
    """
    citation, found = drift.citation, drift.relocation
    git, end = citation.source.git, found.end
    return {
        "manifest": drift.manifest,
        "id": citation.id,
        "kind": citation.kind,
        "source": citation.source.name,
        "git": public_url(git),
        "target": drift.to,
        "status": found.status,
        "level": drift.level,
        "message": found.message,
        "from": _spot(drift.start),
        "to": None if end is None else _spot(end),
        "similarity": found.similarity,
        "diff": drift.diff,
        "confidence": found.confidence,
        "candidates": [_spot(spot) for spot in found.candidates],
        "commit": _commit(drift),
        "notes": list(dict.fromkeys((*found.notes, *drift.notes))),
        "assurance": drift.assurance,
        "permalink": None if end is None else _link(git, end),
    }


def _spot(spot: Spot) -> dict[str, object]:
    """A place; `first` and `last` are null where it has no lines."""
    lines = spot.lines
    return {
        "revision": spot.revision,
        "path": spot.path,
        "first": None if lines is None else lines.first,
        "last": None if lines is None else lines.last,
    }


def _commit(drift: Drift) -> dict[str, str | None] | None:
    """The commit; one that could not be read has its id alone."""
    if drift.commit is not None:
        return {"id": drift.commit.id, "date": drift.commit.date, "subject": drift.commit.subject}
    known = drift.relocation.commit
    return None if known is None else {"id": known, "date": None, "subject": None}


def _link(git: str, spot: Spot) -> str | None:
    """A link that stays true: a release is no revision of the repository, and a branch moves on."""
    return permalink(git, spot.revision, spot.path, spot.lines) if is_object_id(spot.revision) else None


def write_json(stream: TextIO, summary: Summary, drifts: Iterable[Drift]) -> None:
    """Write one document, a result a line."""
    write_document(stream, DRIFT_SCHEMA, summary, map(result, drifts))


def write_jsonl(stream: TextIO, drifts: Iterable[Drift]) -> None:
    """Write each result as a line of its own."""
    stream.writelines(line(result(drift)) + "\n" for drift in drifts)

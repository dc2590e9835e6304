"""Rows of `drifts` <-> records: what became of citations at other revisions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.history import Commit
from provenance.relocation import Confidence, Relocation, Spot, Status
from provenance.store.records import StoredDrift
from provenance.store.rows import json_of, maybe_text, number_of, readable, strings_json, strings_of, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.relocation import Drift
    from provenance.store.database import Row, Value


def drift_values(citation: int, drift: Drift, now: str) -> dict[str, Value]:
    """A row of `drifts`.

    Args:
        citation: its number in the store.
        drift: what became of it.
        now: UTC, ISO 8601.
    """
    found, commit = drift.relocation, drift.commit
    notes = [_storable(note) for note in dict.fromkeys((*found.notes, *drift.notes))]
    return {
        "citation_id": citation,
        "target": _storable(drift.to),
        "reached": drift.reached,
        "status": found.status.value,
        "message": _storable(found.message),
        **_spot_values("from", drift.start),
        **_spot_values("to", found.end),
        "similarity": found.similarity,
        "confidence": found.confidence,
        "candidates": _spots_json(found.candidates),
        "diff": _storable(drift.diff),
        "edits": found.edits,
        "commit_id": found.commit if commit is None else commit.id,
        "commit_date": None if commit is None else commit.date,
        "commit_subject": None if commit is None else _storable(commit.subject),
        "notes": strings_json(notes),
        "seen": now,
    }


@readable
def drift_of(row: Row) -> StoredDrift:
    """A row of `queries.DRIFTS`."""
    target, reached, status, message = row[:4]
    similarity, confidence, candidates, diff, edits, commit, date, subject, notes, seen = row[12:]
    start = _spot_of(row[4:8])
    if start is None:
        error = "a drift begins nowhere"
        raise ValueError(error)
    known = maybe_text(commit)
    return StoredDrift(
        target=text_of(target),
        reached=maybe_text(reached),
        start=start,
        relocation=Relocation(
            status=Status(text_of(status)),
            end=_spot_of(row[8:12]),
            message=text_of(message),
            similarity=float(similarity) if isinstance(similarity, int | float) else None,
            confidence=None if confidence is None else Confidence(text_of(confidence)),
            candidates=tuple(map(_candidate_of, json_of(candidates))),
            commit=known,
            edits=number_of(edits),
        ),
        diff=text_of(diff),
        commit=None if known is None or date is None else Commit(known, text_of(date), text_of(subject)),
        notes=strings_of(notes),
        when=text_of(seen),
    )


def _spot_values(side: str, spot: Spot | None) -> dict[str, Value]:
    lines = None if spot is None else spot.lines
    return {
        f"{side}_revision": None if spot is None else _storable(spot.revision),
        f"{side}_path": None if spot is None else _storable(spot.path),
        f"{side}_first": None if lines is None else lines.first,
        f"{side}_last": None if lines is None else lines.last,
    }


def _spot_of(row: Row) -> Spot | None:
    revision, path, first, last = row
    if revision is None:
        return None
    lines = None if first is None else LineRange(number_of(first), number_of(last))
    return Spot(text_of(revision), text_of(path), lines)


def _spots_json(spots: Sequence[Spot]) -> str:
    """Places as they are kept; the lines of each are null where it has none."""
    return json.dumps(
        [
            [spot.revision, spot.path, *((spot.lines.first, spot.lines.last) if spot.lines else (None, None))]
            for spot in spots
        ]
    )


def _candidate_of(item: object) -> Spot:
    match item:
        case [str(revision), str(path), int(first), int(last)]:
            return Spot(revision, path, LineRange(first, last))
        case [str(revision), str(path), None, None]:
            return Spot(revision, path, None)
        case _:
            message = f"a column that should hold a place holds {item!r}"
            raise ValueError(message)


def _storable(text: str) -> str:
    r"""Text that a database takes: `\udcff` is spelled out where a name in git is no UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

"""What became of a value: its file is followed by the lines around it, and the value itself by its pointer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.drift.pinned import SAME, unknown
from provenance.evidence import Verdict
from provenance.extract.lines import Text
from provenance.relocation import Confidence, Relocation, Spot, Status

if TYPE_CHECKING:
    from provenance.citation import ExpectedValue, LineRange
    from provenance.drift.landing import Landing
    from provenance.drift.pinned import Pinned
    from provenance.evidence import Judgement


def valued(pinned: Pinned, found: Relocation, landing: Landing) -> Relocation:
    """Read what became of the lines that a value stands on as what became of the value.

    Args:
        pinned: the citation of the value.
        found: what became of its lines.
        landing: the files of the revision that it is followed to.
    """
    value = pinned.citation.value
    if value is None or found.status is Status.UNAVAILABLE:
        return found
    # Lines that are gone say nothing of a value whose file is still there.
    path = pinned.stands_at if found.end is None else found.end.path
    text = landing.text(path)
    if text is None:
        return found
    if not isinstance(text, Text):
        return unknown(f"{path} is {text.reason} there")
    return _landed(pinned, value, found, Spot(landing.revision, path, None), text)


def _landed(pinned: Pinned, value: ExpectedValue, found: Relocation, file: Spot, text: Text) -> Relocation:
    """What the pointer finds in the file."""
    from provenance.compare.values.value import judge_value

    judgement = judge_value(value, None, text, path=file.path)
    place = next(iter(judgement.found_at), None)
    confidence = found.confidence if found.end is not None else Confidence.HIGH
    match judgement.verdict:
        case Verdict.EXACT:
            return _same(pinned, found, replace(file, lines=place), judgement, confidence)
        case Verdict.CHANGED:
            return replace(
                found,
                status=Status.EDITED,
                end=replace(file, lines=place),
                message=judgement.message,
                similarity=None,
                confidence=confidence,
                candidates=(),
                text=None if place is None else text.excerpt(place),
            )
        case _ if _is_readable(value, text, file.path):
            return replace(
                found,
                status=Status.DELETED,
                end=None,
                message=judgement.message,
                similarity=None,
                confidence=confidence,
                candidates=(),
            )
        case _:
            return unknown(f"{file.path}: {judgement.message}")


def _same(
    pinned: Pinned, found: Relocation, place: Spot, judgement: Judgement, confidence: Confidence | None
) -> Relocation:
    """A value that is what it was, at the lines where it is now."""
    lines = _lines(pinned, found, place.lines)
    start = pinned.start
    if place.path not in {pinned.stands_at, start.path}:
        status = Status.RENAMED
    else:
        status = Status.UNCHANGED if lines == start.lines else Status.MOVED
    is_edited = found.status is Status.EDITED
    notes = ("the value is the same, and lines around it were edited",) if is_edited else ()
    return Relocation(
        status,
        replace(place, lines=lines),
        similarity=1.0,
        confidence=confidence,
        commit=None if status is Status.UNCHANGED else found.commit,
        notes=(*found.notes, *judgement.notes, *notes),
    )


def _lines(pinned: Pinned, found: Relocation, place: LineRange | None) -> LineRange | None:
    """The cited lines, as long as they are the same and hold the value; else the value's own."""
    end = None if found.end is None else found.end.lines
    cites = pinned.citation.lines is not None and found.status in SAME
    if cites and end is not None and (place is None or end.holds(place)):
        return end
    return place


def _is_readable(value: ExpectedValue, text: Text, path: str) -> bool:
    """Whether a file can be read as data, so that what is not found in it is not there."""
    from provenance.errors import InvalidRecord
    from provenance.extract.data.lookup import find
    from provenance.extract.data.pointer import parts
    from provenance.extract.data.values import Unreadable

    try:
        return not isinstance(find(text.text, path, parts(value.pointer)), Unreadable)
    except InvalidRecord:
        return False

"""From where a range has been followed to what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.citation import LineRange
from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.definitions import Shape, shape_of, snapped
from provenance.compare.relocating.resemblance import is_same_code, similarity, telling
from provenance.relocation import Confidence, Relocation, Spot, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from provenance.drift.bodies import Bodies
    from provenance.drift.timeline import Timeline
    from provenance.drift.trail import Shift, Start, Trail
    from provenance.history import Link, TreeEntry

_LEAST = 0.3
"""Share of the telling words that must be left of lines that were edited bit by bit, none of which is as it was."""
_SLIGHT = 0.4
"""Share that a step must have left for it alone to be believed."""
_DOUBTFUL = 0.5
"""Share below which a step left so little of the lines that what it left may be something else."""
_UNLIKE = 0.4
"""Similarity below which lines that were found may be others."""
_MOST_CANDIDATES = 10
_TELLING = 4.0
"""Weight of lines that are known again where they stand once."""


class Ending:
    """Says what became of lines, of one repository between two revisions."""

    def __init__(
        self,
        bodies: Bodies,
        revision: str,
        entries: Mapping[str, TreeEntry],
        *,
        walked: bool,
        aside: Callable[[Link], Iterable[Timeline]] = lambda _link: (),
    ) -> None:
        """Take what there is to look at.

        Args:
            bodies: the repository's contents.
            revision: what the newer revision is called in answers.
            entries: what stands there at the paths that are cited.
            walked: whether history was walked, commit by commit.
            aside: tells of a link that is a merge what ways it brings in.
        """
        self._aside = aside
        self._bodies = bodies
        self._revision = revision
        self._entries = entries
        self._walked = walked

    def of(self, start: Start, trail: Trail) -> Relocation:
        """What became of lines that have been followed to the end."""
        body = self._bodies.body(start.blob, start.path)
        if body is None:
            return _unavailable(self._bodies.why_not(start.blob, start.path))
        if trail.rivals:
            return self._rivals(start, body, trail)
        if not trail.is_readable:
            return _unavailable(trail.reason)
        if trail.ended_by is not None:
            return self._gone(start, body, trail.ended_by, trail.reason)
        return self._alive(start, body, trail)

    def _alive(self, start: Start, body: Body, trail: Trail, *, doubtful: bool = False) -> Relocation:
        new = self._bodies.body(trail.blob, trail.path)
        if new is None:
            return _unavailable(self._bodies.why_not(trail.blob, trail.path))
        lines = trail.lines
        if trail.edits:
            shape = self._shape(start)
            if shape is not None:
                lines = self._snapped(shape, start, body, trail, new)
            is_definition = shape is not None and shape.whole is not None
            is_doubtful = len(trail.edits) > 1 or trail.least < _SLIGHT
            if is_doubtful and not is_definition and not is_same_code(body, start.lines, new, lines, _LEAST):
                return self._gone(start, body, trail.worst or trail.edits[-1], "hardly a word of it is left")
            lines = _restored(body, start.lines, new, lines)
        return self._told(start, body, new, trail, lines, doubtful=doubtful)

    def _told(
        self, start: Start, body: Body, new: Body, trail: Trail, lines: Stretch, *, doubtful: bool
    ) -> Relocation:
        old_text, text = _text(body, start.lines), _text(new, lines)
        status, commit = self._status(start, trail, lines, is_same=old_text == text)
        alike = 1.0 if old_text == text else similarity(old_text, text)
        is_low = doubtful or not self._walked or trail.least < _DOUBTFUL or alike < _UNLIKE
        return Relocation(
            status,
            self._spot(trail.path, lines),
            similarity=alike,
            confidence=Confidence.LOW if is_low else Confidence.HIGH,
            commit=commit if self._walked else None,
            edits=len(set(trail.edits)) if status is Status.EDITED and self._walked else 0,
            text=text,
            old_text=old_text,
        )

    def _status(
        self, start: Start, trail: Trail, lines: Stretch, *, is_same: bool
    ) -> tuple[Status, str | None]:
        """What became of lines that are still there, and the commit that did it."""
        if not is_same:
            return Status.EDITED, next(reversed([*trail.moves, *trail.edits]), None)
        if trail.path != start.path:
            return Status.RENAMED, next(reversed(trail.moves), None)
        if lines != start.lines:
            return Status.MOVED, self._shifted_by(trail)
        return Status.UNCHANGED, None

    def _shifted_by(self, trail: Trail) -> str | None:
        """The commit that brought the lines where they are."""
        shift = trail.shift
        if shift is None:
            return next(reversed([*trail.moves, *trail.edits]), None)
        link = self._arrival(shift, trail, shift.timeline, shift.start + 1, shift.end)
        for way in self._aside(link):
            if self._is_there(shift, trail, way, way.length):
                return self._arrival(shift, trail, way, 1, way.length).commit
        return link.commit

    def _arrival(self, shift: Shift, trail: Trail, timeline: Timeline, low: int, high: int) -> Link:
        """The link of a way that brought lines to where they are, if they were not there before and left again."""
        while low < high:
            middle = (low + high) // 2
            if self._is_there(shift, trail, timeline, middle):
                high = middle
            else:
                low = middle + 1
        return timeline.link(low - 1)

    def _is_there(self, shift: Shift, trail: Trail, timeline: Timeline, at: int) -> bool:
        """Whether lines that were shifted already stood where they are at a point of a way."""
        entry = timeline.entry(at, trail.path)
        if entry is None or not entry.is_file or entry.id == shift.blob:
            return False
        change = self._bodies.change((shift.blob, trail.path), (entry.id, trail.path))
        return change is not None and change.whole(shift.lines) == trail.lines

    def _gone(self, start: Start, body: Body, commit: str, reason: str) -> Relocation:
        """Lines that a commit took away; they may be there again."""
        entry = self._entries.get(start.path)
        again = self._again(start, body, entry) if entry is not None and entry.is_file else None
        if again is not None:
            return again
        return Relocation(
            Status.DELETED,
            message=reason,
            confidence=Confidence.HIGH if self._walked else Confidence.LOW,
            commit=commit if self._walked else None,
            old_text=_text(body, start.lines),
        )

    def _again(self, start: Start, body: Body, entry: TreeEntry) -> Relocation | None:
        """The same lines in the same file, where they stand once."""
        new = self._bodies.body(entry.id, start.path)
        if new is None or body.weigh(*start.lines) < _TELLING:
            return None
        found = _only(body.lines[start.lines.first : start.lines.last + 1], new.lines)
        if found is None:
            return None
        lines = Stretch(found, found + start.lines.last - start.lines.first)
        text = _text(body, start.lines)
        return Relocation(
            Status.UNCHANGED if lines == start.lines else Status.MOVED,
            self._spot(start.path, lines),
            message="the lines were taken away, and are there again",
            similarity=1.0,
            confidence=Confidence.LOW,
            text=text,
            old_text=text,
        )

    def _rivals(self, start: Start, body: Body, trail: Trail) -> Relocation:
        """Places that were equally good: those are left that were not deleted since."""
        alive = [rival for rival in _flat(trail.rivals) if not rival.has_ended]
        spots = list(dict.fromkeys(self._spot(rival.path, rival.lines) for rival in alive))
        if not spots:
            lost = next((rival for rival in _flat(trail.rivals) if not rival.is_readable), None)
            if lost is not None:
                return _unavailable(lost.reason)
            ended = next(rival for rival in _flat(trail.rivals) if rival.ended_by is not None)
            return self._gone(start, body, ended.ended_by or "", ended.reason)
        if len(spots) == 1:
            return self._alive(start, body, alive[0], doubtful=True)
        return Relocation(
            Status.AMBIGUOUS,
            message=f"{len(spots)} places have the same lines",
            confidence=Confidence.LOW,
            candidates=tuple(spots[:_MOST_CANDIDATES]),
            commit=next(reversed(alive[0].moves), None) if self._walked else None,
            old_text=_text(body, start.lines),
        )

    def _shape(self, start: Start) -> Shape | None:
        definitions = self._bodies.definitions(start.blob, start.path)
        body = self._bodies.body(start.blob, start.path)
        return None if definitions is None or body is None else shape_of(start.lines, body.lines, definitions)

    def _snapped(self, shape: Shape, start: Start, body: Body, trail: Trail, new: Body) -> Stretch:
        definitions = self._bodies.definitions(trail.blob, trail.path)
        if definitions is None:
            return trail.lines
        kept = telling(body, start.lines, new, trail.lines)
        return snapped(shape, trail.lines, new.lines, definitions, kept)

    def _spot(self, path: str, lines: Stretch) -> Spot:
        return Spot(self._revision, path, LineRange(lines.first + 1, lines.last + 1))


def still(bodies: Bodies, start: Start, revision: str) -> Relocation:
    """Lines of a file that is the same at both revisions."""
    body = bodies.body(start.blob, start.path)
    if body is None:
        return _unavailable(bodies.why_not(start.blob, start.path))
    text = _text(body, start.lines)
    spot = Spot(revision, start.path, LineRange(start.lines.first + 1, start.lines.last + 1))
    return Relocation(
        Status.UNCHANGED, spot, similarity=1.0, confidence=Confidence.HIGH, text=text, old_text=text
    )


def _unavailable(reason: str) -> Relocation:
    return Relocation(Status.UNAVAILABLE, message=reason)


def _text(body: Body, lines: Stretch) -> str:
    return "\n".join(body.lines[lines.first : lines.last + 1])


def _only(wanted: Sequence[str], lines: Sequence[str]) -> int | None:
    """Where some lines stand one after the other, if they do so once."""
    text, part = "\n".join(("", *lines, "")), "\n".join(("", *wanted, ""))
    at = text.find(part)
    if at < 0 or text.find(part, at + 1) >= 0:
        return None
    return text.count("\n", 0, at)


def _restored(body: Body, lines: Stretch, new: Body, found: Stretch) -> Stretch:
    """Lines that were edited on the way, where they stand again as they were."""
    wanted = body.lines[lines.first : lines.last + 1]
    first = max(0, found.first - len(wanted))
    at = _only(wanted, new.lines[first : found.last + len(wanted) + 1])
    return found if at is None else Stretch(first + at, first + at + len(wanted) - 1)


def _flat(trails: Iterable[Trail]) -> list[Trail]:
    """Trails, and in place of those that forked again where they forked to."""
    found: list[Trail] = []
    for trail in trails:
        found += _flat(trail.rivals) if trail.rivals else [trail]
    return found

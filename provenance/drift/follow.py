"""Where lines of one revision are at another: history is walked from one to the other, or both ends are compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from provenance.compare.relocating.body import Stretch
from provenance.drift.bodies import Bodies
from provenance.drift.ending import Ending, still
from provenance.drift.timeline import Ends, Way
from provenance.drift.trail import Start
from provenance.drift.walking import Walker
from provenance.evidence import object_id
from provenance.history import FileChange, Link, NoWay, TreeEntry
from provenance.relocation import Relocation, Status

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from provenance.answers import Unreached
    from provenance.citation import LineRange
    from provenance.drift.trail import Trail
    from provenance.history import History

_MOST_LINKS = 200_000
"""Links of a way that are walked; a longer one is compared end to end."""
_MANY = 6
"""Places from which on all that happens on the way is read at once."""
_MOST_READ = 20_000
"""Links of a way that is: what happens on them is held in memory."""
_TOGETHER = 2_000
"""Contents that are asked for in one request."""
_MOST_FORKS = 8
"""Places that are equally good and are each followed."""
_FILE = "100644"


class Place(NamedTuple):
    """Lines of a file at the older revision."""

    path: str
    lines: LineRange


@dataclass(frozen=True, slots=True)
class _Route:
    """How one gets from one revision to another."""

    links: Sequence[Link]
    is_direct: bool
    """Whether one of the two descends from the other."""
    note: str = ""
    """What a reader should know of it."""


def follow(history: History, old: str, new: str, places: Sequence[Place]) -> list[Relocation]:
    """Find where lines of one commit are at another.

    Args:
        history: the repository's past.
        old: full id of the commit at which the places are cited.
        new: full id of the other.
        places: lines of files.

    Returns:
        One answer a place, in their order.

    Raises:
        ProvError: a commit is not here, or the cached repository is broken.
    """
    bodies = Bodies(history)
    paths = {place.path for place in places}
    before, after = history.entries(old, paths), history.entries(new, paths)
    answers: dict[int, Relocation] = {}
    starts: dict[int, Start] = {}
    bodies.have({before[path].id for path in paths if path in before and before[path].is_file})
    for at, place in enumerate(places):
        start = _start(place, before.get(place.path), bodies)
        if isinstance(start, Relocation):
            answers[at] = start
        elif after.get(place.path) == before[place.path]:
            answers[at] = still(bodies, start, new)
        else:
            starts[at] = start
    if starts:
        answers |= _Follower(history, bodies, old, new, after).follow(starts)
    return [answers[at] for at in range(len(places))]


def follow_contents(
    old: Mapping[str, bytes], new: Mapping[str, bytes], revision: str, places: Sequence[Place]
) -> list[Relocation]:
    """Find where lines of some files are in others, such as those of two releases.

    Args:
        old: files by path.
        new: files by path.
        revision: what the new ones are called in answers.
        places: lines of the old ones.
    """
    contents = _Held({object_id("blob", data): data for data in (*old.values(), *new.values())})
    bodies = Bodies(contents)
    before, after = _entries(old), _entries(new)
    changes = [
        FileChange(path, before.get(path), after.get(path))
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    ]
    answers = []
    # One walker for all places: what it makes of the changes serves the next place, too.
    walker, ends = Walker(None, bodies), Ends(changes, Link(revision, revision, revision))
    ending = Ending(bodies, revision, after, walked=False)
    for place in places:
        start = _start(place, before.get(place.path), bodies)
        if isinstance(start, Relocation):
            answers.append(start)
            continue
        if before[place.path] == after.get(place.path):
            answers.append(still(bodies, start, revision))
            continue
        trail = start.trail()
        walker.walk(trail, ends, into_merges=False)
        answers.append(ending.of(start, trail))
    return answers


class _Follower:
    """Follows the places of one repository from one revision to another."""

    def __init__(
        self, history: History, bodies: Bodies, old: str, new: str, after: Mapping[str, TreeEntry]
    ) -> None:
        self._history = history
        self._bodies = bodies
        self._old = old
        self._new = new
        self._after = after
        self._walker = Walker(history, bodies)

    def follow(self, starts: Mapping[int, Start]) -> dict[int, Relocation]:
        """Follow places, those of one file one after the other."""
        route = _route(self._history, self._old, self._new)
        ordered = sorted(starts, key=lambda at: (starts[at].path, starts[at].lines))
        answers: dict[int, Relocation] = {}
        if route.links:
            self._fetch(route.links, {start.path for start in starts.values()})
            timeline = Way(self._history, route.links)
            if len(starts) >= _MANY and len(route.links) <= _MOST_READ:
                timeline.read()
            ending = Ending(
                self._bodies, self._new, self._after, walked=route.is_direct, aside=self._walker.aside
            )
            for at in ordered:
                answers[at] = ending.of(starts[at], self._walked(starts[at], timeline))
        again = [at for at in ordered if at not in answers or _is_weak(answers[at], route)]
        if again:
            step = self._history.between(self._old, self._new)
            ends = Ends(step.changes, step.link)
            ending = Ending(self._bodies, self._new, self._after, walked=False)
            for at in again:
                trail = starts[at].trail()
                self._walker.walk(trail, ends, into_merges=False)
                answers[at] = ending.of(starts[at], trail)
        if route.note:
            answers = {at: _noted(answer, route.note) for at, answer in answers.items()}
        return answers

    def _walked(self, start: Start, timeline: Way) -> Trail:
        trail = start.trail()
        waiting, left = [trail], _MOST_FORKS
        while waiting:
            one = waiting.pop()
            self._walker.walk(one, timeline)
            if len(one.rivals) > left:
                one.rivals = one.rivals[:left]
            left -= len(one.rivals)
            waiting += one.rivals
        return trail

    def _fetch(self, links: Sequence[Link], paths: Collection[str]) -> None:
        """Bring all versions of the cited files here, in few requests, where not all of them are."""
        last = {entry.id for entry in self._after.values() if entry.is_file}
        if not self._history.lacks(last):
            return
        wanted: dict[str, None] = {}
        for step in self._history.steps(links, paths):
            for change in step.changes:
                wanted |= {
                    one.id: None for one in (change.old, change.new) if one is not None and one.is_file
                }
        blobs = list(wanted)
        for first in range(0, len(blobs), _TOGETHER):
            self._bodies.have(blobs[first : first + _TOGETHER])


def _route(history: History, old: str, new: str) -> _Route:
    """The way through history; where neither is the other's ancestor, by way of what both descend from."""
    way = history.way(old, new)
    if not isinstance(way, NoWay):
        return _checked(way, is_direct=True)
    note = f"{way.reason}: compared end to end"
    base = history.base(old, new)
    if base is None:
        return _Route((), is_direct=False, note=note)
    back, forth = history.way(old, base), history.way(base, new)
    if isinstance(back, NoWay) or isinstance(forth, NoWay):
        return _Route((), is_direct=False, note=note)
    route = _checked([*back, *forth], is_direct=False)
    by_way = f"{way.reason}: followed by way of {base[:12]}, which both descend from"
    return route if route.note else replace(route, note=by_way)


def _checked(links: Sequence[Link], *, is_direct: bool) -> _Route:
    if len(links) > _MOST_LINKS:
        return _Route((), is_direct=False, note=f"{len(links):,} commits lie between: compared end to end")
    return _Route(links, is_direct)


def _is_weak(answer: Relocation, route: _Route) -> bool:
    """Whether an answer by way of a common ancestor should be looked for end to end: the lines may be younger."""
    return not route.is_direct and answer.status in {Status.DELETED, Status.UNAVAILABLE}


def _start(place: Place, entry: TreeEntry | None, bodies: Bodies) -> Start | Relocation:
    """Lines to be followed, or why they cannot be."""
    if entry is None:
        return Relocation(Status.UNAVAILABLE, message=f"{place.path} is no file at the cited revision")
    if not entry.is_file:
        return Relocation(Status.UNAVAILABLE, message=f"{place.path} is a {entry.kind} at the cited revision")
    body = bodies.body(entry.id, place.path)
    if body is None:
        return Relocation(Status.UNAVAILABLE, message=bodies.why_not(entry.id, place.path))
    if place.lines.last > len(body):
        return Relocation(
            Status.UNAVAILABLE, message=f"{place.path} has {len(body)} lines at the cited revision"
        )
    return Start(place.path, entry.id, Stretch(place.lines.first - 1, place.lines.last - 1))


def _noted(answer: Relocation, note: str) -> Relocation:
    return replace(answer, notes=(*answer.notes, note))


def _entries(files: Mapping[str, bytes]) -> dict[str, TreeEntry]:
    return {path: TreeEntry(_FILE, object_id("blob", data)) for path, data in files.items()}


class _Held:
    """Contents that are at hand."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents

    def have(self, _blobs: Collection[str], /) -> Mapping[str, Unreached]:
        """They are here."""
        return {}

    def read(self, blob: str) -> bytes | None:
        """The bytes of one."""
        return self._contents.get(blob)

"""Following lines step by step. What a step makes of them is decided in `compare.relocating`; here it is fed.

A time in which a file changes elsewhere is passed in one stride: where the first and the last version have the lines in
one run of equal lines that cannot be mistaken for another, nothing in between needs to be looked at. Where they do not,
the time is halved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.compare.relocating.standing import is_there, standing
from provenance.compare.relocating.stepping import Chosen, Several
from provenance.drift.finding import Finder
from provenance.drift.timeline import Way
from provenance.drift.trail import Shift
from provenance.history import Link, NoWay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.compare.relocating.body import Stretch
    from provenance.drift.bodies import Bodies
    from provenance.drift.timeline import Timeline
    from provenance.drift.trail import Trail
    from provenance.history import History, TreeEntry

_SOON = 10
"""Links after which a file that was taken away may come again."""
_MOST_NESTED = 3
"""Merges within merges whose own commits are walked."""
_MOST_LINKS = 5_000
"""Commits that a merge may bring for them to be walked one by one."""


class Walker:
    """Follows lines along timelines of one repository."""

    def __init__(self, history: History | None, bodies: Bodies) -> None:
        """Follow lines.

        Args:
            history: whose merges are looked into; None where there are none.
            bodies: the contents.
        """
        self._history = history
        self._bodies = bodies
        self._ways: dict[tuple[str, str], Way | None] = {}
        self._finder = Finder(bodies)

    def walk(self, trail: Trail, timeline: Timeline, *, into_merges: bool = True) -> None:
        """Follow lines to the end of a timeline, or to their own.

        Args:
            trail: the lines; where they are is written there.
            timeline: the way, and what happens on it.
            into_merges: whether the commits that a merge brings are walked one by one.
        """
        self._walk(trail, timeline, 0 if into_merges else _MOST_NESTED)

    def _walk(self, trail: Trail, timeline: Timeline, depth: int) -> None:
        while not trail.has_ended and trail.at < timeline.length:
            self._advance(trail, timeline, depth)

    def _advance(self, trail: Trail, timeline: Timeline, depth: int) -> None:
        """Follow lines as long as they stay in files of one path.

        Nothing recurses here: there may be as many changes as there are commits.
        """
        path = trail.path
        goals = [timeline.length]
        while goals and not trail.has_ended and trail.path == path:
            goal = goals[-1]
            if trail.at >= goal or self._stride(trail, timeline, goal):
                goals.pop()
            elif goal - trail.at == 1:
                self._step(trail, timeline, depth)
            else:
                goals.append((trail.at + goal) // 2)

    def _stride(self, trail: Trail, timeline: Timeline, goal: int) -> bool:
        """Pass a time in which only what is around the lines changes; False where it is not that simple."""
        entry = timeline.entry(goal, trail.path)
        if entry is None or not entry.is_file:
            return False
        if entry.id == trail.blob:
            trail.at = goal
            return True
        there = self._whole(trail, entry.id, is_next=goal - trail.at == 1)
        if there is None:
            return False
        if there != trail.lines:
            trail.shift = Shift(timeline, trail.at, goal, trail.blob, trail.lines)
        trail.go(there)
        trail.blob, trail.at = entry.id, goal
        return True

    def _whole(self, trail: Trail, blob: str, *, is_next: bool) -> Stretch | None:
        """Where the same lines are in another version of their file, if that is certain."""
        old, new = self._bodies.body(trail.blob, trail.path), self._bodies.body(blob, trail.path)
        if old is None or new is None or not is_there(old, trail.lines, new):
            return None
        there = standing(old, trail.lines, new)
        if there is not None:
            return there
        change = self._bodies.change((trail.blob, trail.path), (blob, trail.path))
        if change is None or not (is_next or change.is_certain(trail.lines)):
            return None
        return change.whole(trail.lines)

    def _step(self, trail: Trail, timeline: Timeline, depth: int) -> None:
        """Follow lines through one link that is not simple."""
        link = timeline.link(trail.at)
        trail.suspect = None
        new = timeline.entry(trail.at + 1, trail.path)
        if depth < _MOST_NESTED and self._through_merge(trail, link, depth):
            return
        heirs = (
            [(new, trail.path)] if new is not None and new.is_file else self._finder.heirs(trail, timeline)
        )
        if len(heirs) > 1:
            whole = [
                Chosen(path, trail.lines, 1.0, is_whole=True, was_found=True, own=trail.own)
                for _, path in heirs
            ]
            trail.rivals = [self._rival(trail, place, timeline) for place in whole]
            return
        entry, path = heirs[0] if heirs else (None, trail.path)
        match self._finder.found(trail, timeline, entry, path):
            case Chosen() as chosen:
                self._land(trail, chosen, timeline)
            case Several(places=places):
                trail.rivals = [self._rival(trail, place, timeline) for place in places]
            case None:
                if new is not None or not self._returns(trail, timeline):
                    self._lose(trail, timeline, entry, path)

    def _returns(self, trail: Trail, timeline: Timeline) -> bool:
        """Whether a file that is gone comes again under another path soon, as it was; the lines are there then."""
        for at, change in timeline.later(trail.at + 1, _SOON):
            if change.old is None and change.new is not None and change.new.id == trail.blob:
                trail.moves.append(timeline.link(at).commit)
                trail.path, trail.at, trail.shift = change.path, at + 1, None
                return True
        return False

    def _lose(self, trail: Trail, timeline: Timeline, entry: TreeEntry | None, path: str) -> None:
        """Tell lines that are gone from a file that is not to be read."""
        commit = trail.suspect or timeline.link(trail.at).commit
        why = "" if entry is None else self._bodies.why_not(entry.id, path)
        why = self._bodies.why_not(trail.blob, trail.path) or why
        if why:
            trail.is_readable, trail.reason = False, why
            return
        if self._finder.was_cut(timeline, trail.at):
            trail.is_readable = False
            trail.reason = (
                f"commit {commit[:12]} took the lines away, and changed more files than are searched for them"
            )
            return
        new = timeline.entry(trail.at + 1, trail.path)
        if new is None:
            trail.end(commit, f"{trail.path} was deleted")
        else:
            trail.end(commit, "" if new.is_file else f"{trail.path} became a {new.kind}")

    def _through_merge(self, trail: Trail, link: Link, depth: int) -> bool:
        """Follow lines along the commits that a merge brings, where they alone changed the file.

        The steps are smaller, and it is told which commit it was.
        """
        history = self._history
        if history is None or link.commit != link.new:
            return False  # the way leads back
        for inner in self.aside(link):
            if not _is_its_own(inner, trail):
                continue
            aside = trail.fork()
            aside.at = 0
            self._walk(aside, inner, depth + 1)
            if not aside.has_ended:
                aside.at = 0
                self._walk(aside, Way(history, [Link(inner.end, link.new, link.new)]), _MOST_NESTED)
            if aside.has_ended:
                # The merge as a whole may have kept what one of its commits took away.
                trail.suspect = aside.ended_by
                return False
            trail.adopt(aside)
            trail.at += 1
            return True
        return False

    def aside(self, link: Link) -> Iterator[Way]:
        """The ways that a merge brings in, each from where it parted."""
        history = self._history
        if history is None or link.commit != link.new:
            return
        for other in history.sides(link.new):
            key = (link.old, other)
            if key not in self._ways and other != link.old:
                self._ways[key] = _parted(history, link.old, other)
            found = self._ways.get(key)
            if found is not None:
                yield found

    def _land(self, trail: Trail, chosen: Chosen, timeline: Timeline) -> None:
        """Stand where a step has brought the lines."""
        commit = timeline.link(trail.at).commit
        if chosen.path != trail.path or chosen.was_found:
            trail.moves.append(commit)
        if not chosen.is_whole:
            trail.edits.append(commit)
        trail.at += 1
        entry = timeline.entry(trail.at, chosen.path)
        assert entry is not None  # noqa: S101 - the lines were found there
        trail.path, trail.blob, trail.lines = chosen.path, entry.id, chosen.lines
        is_all = (
            chosen.own is None or self._finder.definition(trail) is not None
        )  # what is put into a definition is its own
        own = range(chosen.lines.first, chosen.lines.last + 1) if is_all or chosen.own is None else chosen.own
        trail.own = frozenset(own)
        if chosen.kept < trail.least:
            trail.least, trail.worst = chosen.kept, commit
        trail.shift = trail.suspect = None

    def _rival(self, trail: Trail, chosen: Chosen, timeline: Timeline) -> Trail:
        rival = trail.fork()
        self._land(rival, chosen, timeline)
        return rival


def _parted(history: History, one: str, other: str) -> Way | None:
    """The way to a commit from where it parted from another; None where there is none, or it is too long."""
    base = history.base(one, other)
    links = NoWay("") if base is None else history.way(base, other)
    if isinstance(links, NoWay) or not 0 < len(links) <= _MOST_LINKS:
        return None
    return Way(history, links)


def _is_its_own(way: Way, trail: Trail) -> bool:
    """Whether a file was the same where a way begins, and is another where it ends."""
    then, now = way.entry(0, trail.path), way.entry(way.length, trail.path)
    return then is not None and then.id == trail.blob and then != now

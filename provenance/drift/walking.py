"""Following lines step by step. What a step makes of them is decided in `compare.relocating`; here it is fed.

A time in which a file changes elsewhere is passed in one stride: where the first and the last version have the lines in
one run of equal lines that cannot be mistaken for another, nothing in between needs to be looked at. Where they do not,
the time is halved.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from provenance.compare.relocating.body import Stretch
from provenance.compare.relocating.definitions import Shape, namesake, shape_of
from provenance.compare.relocating.naming import mentions
from provenance.compare.relocating.resemblance import became, telling
from provenance.compare.relocating.searching import Block, Find, Search, Site
from provenance.compare.relocating.standing import is_there, standing
from provenance.compare.relocating.stepping import Chosen, Several, choose, is_settled
from provenance.drift.timeline import Way
from provenance.drift.trail import Shift
from provenance.history import Link, NoWay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.relocating.body import Body
    from provenance.compare.relocating.carrying import Change
    from provenance.drift.bodies import Bodies
    from provenance.drift.timeline import Timeline
    from provenance.drift.trail import Start, Trail
    from provenance.history import FileChange, History, TreeEntry

_MOST_FILES = 400
"""Files of one step that are searched; those that are named alike come first."""
_MOST_LINES = 200_000
"""Lines of them together."""
_MOST_HELD = 400_000
"""Lines of steps whose new lines are held for the next search."""
_ANCHORED = 0.25
"""Share of the telling words of a definition that one of the same name must have."""
_SOON = 10
"""Links after which a file that was taken away may come again."""
_SURE = 0.9
"""Share of a definition that is found whatever its name is."""
_MUCH = 12.0
"""Weight of a definition's lines that are not found elsewhere by chance."""
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
        self._shapes: dict[Start, Shape | None] = {}
        self._searches: OrderedDict[tuple[Link, str], Search] = OrderedDict()

    def walk(self, trail: Trail, timeline: Timeline, *, nested: bool = False) -> None:
        """Follow lines to the end of a timeline, or to their own.

        Args:
            trail: the lines; where they are is written there.
            timeline: the way, and what happens on it.
            nested: whether merges are taken as they are, and not walked commit by commit.
        """
        self._walk(trail, timeline, _MOST_NESTED if nested else 0)

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
        new = timeline.entry(trail.at + 1, trail.path)
        if depth < _MOST_NESTED and self._through_merge(trail, link, depth):
            return
        target = new, trail.path
        if new is None or not new.is_file:
            target = self._renamed(trail, timeline)
        match self._found(trail, timeline, *target):
            case Chosen() as chosen:
                self._land(trail, chosen, timeline)
            case Several(places=places):
                trail.rivals = [self._rival(trail, place, timeline) for place in places]
            case None:
                if new is not None or not self._returns(trail, timeline):
                    self._lose(trail, timeline, *target)

    def _found(
        self, trail: Trail, timeline: Timeline, entry: TreeEntry | None, path: str
    ) -> Chosen | Several | None:
        """Where lines are after a step: in what their file became, or elsewhere."""
        body = self._bodies.body(trail.blob, trail.path)
        change = None if entry is None else self._bodies.change((trail.blob, trail.path), (entry.id, path))
        carried = change.carry(trail.lines, trail.own) if change is not None else None
        if body is None or is_settled(carried):
            return choose(path, carried, (), 0.0)
        weight = sum(map(body.weight, trail.own))
        finds = self._search(trail, timeline).find(_block(trail, body, change))
        whole = self._definition(trail)
        if whole is not None:
            there = None if entry is None else self._named(trail, whole, entry.id, path)
            if there is not None and not any(find.path == path and find.kept >= _SURE for find in finds):
                return there
            finds = [find for find in finds if self._may_be(find, whole, weight, timeline, trail.at)]
        return choose(path, carried, finds, weight)

    def _definition(self, trail: Trail) -> Shape | None:
        """What definition the cited lines are; None where they are something else."""
        start = trail.origin
        if start not in self._shapes:
            body = self._bodies.body(start.blob, start.path)
            definitions = self._bodies.definitions(start.blob, start.path)
            shape = shape_of(start.lines, body.lines, definitions) if body and definitions else None
            self._shapes[start] = shape if shape is not None and shape.whole is not None else None
        return self._shapes[start]

    def _named(self, trail: Trail, shape: Shape, blob: str, path: str) -> Chosen | None:
        """The definition of the same name in what a file became."""
        definitions, new = self._bodies.definitions(blob, path), self._bodies.body(blob, path)
        before, body = (
            self._bodies.definitions(trail.blob, trail.path),
            self._bodies.body(trail.blob, trail.path),
        )
        if definitions is None or new is None or before is None or body is None or shape.whole is None:
            return None
        name = shape.whole.name
        found = namesake(name, body, trail.lines, before, new, definitions)
        if found is None:
            return None
        lines = Stretch(found.first if shape.from_decorator else found.header, found.last)
        alike = telling(body, trail.lines, new, lines)
        return Chosen(path, lines, alike, is_whole=False, was_found=False) if alike >= _ANCHORED else None

    def _may_be(self, find: Find, shape: Shape, weight: float, timeline: Timeline, at: int) -> bool:
        """Whether a place can be where a definition went: it has its name, or else so much that it was renamed."""
        entry = timeline.entry(at + 1, find.path)
        body = None if entry is None else self._bodies.body(entry.id, find.path)
        if body is None or shape.whole is None:
            return False
        word = mentions(shape.whole.name.rpartition(".")[2])
        is_named = any(word.search(line) for line in body.lines[find.lines.first : find.lines.last + 1])
        return is_named or find.kept >= _SURE or find.kept * weight >= _MUCH

    def _returns(self, trail: Trail, timeline: Timeline) -> bool:
        """Whether a file that is gone comes again under another path soon, as it was; the lines are there then."""
        for at in range(trail.at + 1, min(trail.at + 1 + _SOON, timeline.length)):
            for change in timeline.changes(at):
                if change.old is None and change.new is not None and change.new.id == trail.blob:
                    trail.moves.append(timeline.link(at).commit)
                    trail.path, trail.at, trail.shift = change.path, at + 1, None
                    return True
        return False

    def _renamed(self, trail: Trail, timeline: Timeline) -> tuple[TreeEntry | None, str]:
        """The file that a file became which is gone, if it became one."""
        added = [
            change
            for change in timeline.changes(trail.at)
            if change.new is not None
            and change.new.is_file
            and (change.old is None or not change.old.is_file)
        ]
        added.sort(key=lambda change: _unlike(change.path, trail.path))
        for change in added:
            if change.new is not None and change.new.id == trail.blob:
                return change.new, change.path
        body = self._bodies.body(trail.blob, trail.path)
        if body is None:
            return None, trail.path
        known = [(change, other) for change, other in self._within(added) if other is not None]
        at = became(body, [other for _, other in known])
        return (None, trail.path) if at is None else (known[at][0].new, known[at][0].path)

    def _lose(self, trail: Trail, timeline: Timeline, entry: TreeEntry | None, path: str) -> None:
        """Tell lines that are gone from a file that is not to be read."""
        commit = timeline.link(trail.at).commit
        why = "" if entry is None else self._bodies.why_not(entry.id, path)
        why = self._bodies.why_not(trail.blob, trail.path) or why
        if why:
            trail.is_readable, trail.reason = False, why
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
        for other in history.sides(link.new):
            inner = None if other == link.old else self._side(history, trail, link, other)
            if inner is None:
                continue
            aside = trail.fork()
            aside.at = 0
            self._walk(aside, inner, depth + 1)
            if not aside.has_ended:
                aside.at = 0
                self._walk(aside, Way(history, [Link(other, link.new, link.new)]), _MOST_NESTED)
            if aside.has_ended:
                return False  # the merge as a whole may have kept what one of its commits took away
            trail.adopt(aside)
            trail.at += 1
            return True
        return False

    def _side(self, history: History, trail: Trail, link: Link, other: str) -> Way | None:
        """The way that a merge brings in, where the file was the same at its beginning."""
        key = (link.old, other)
        if key not in self._ways:
            base = history.base(link.old, other)
            way = () if base is None else history.way(base, other)
            is_walked = not isinstance(way, NoWay) and 0 < len(way) <= _MOST_LINKS
            self._ways[key] = Way(history, way) if is_walked and not isinstance(way, NoWay) else None
        inner = self._ways[key]
        if inner is None:
            return None
        then, now = inner.entry(0, trail.path), inner.entry(inner.length, trail.path)
        is_its_own = then is not None and then.id == trail.blob and then != now
        return inner if is_its_own else None

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
            chosen.own is None or self._definition(trail) is not None
        )  # what is put into a definition is its own
        own = range(chosen.lines.first, chosen.lines.last + 1) if is_all or chosen.own is None else chosen.own
        trail.own = frozenset(own)
        trail.least = min(trail.least, chosen.kept)
        trail.shift = None

    def _rival(self, trail: Trail, chosen: Chosen, timeline: Timeline) -> Trail:
        rival = trail.fork()
        self._land(rival, chosen, timeline)
        return rival

    def _search(self, trail: Trail, timeline: Timeline) -> Search:
        """What a step adds; it serves the next lines that went in it, too."""
        changes = timeline.changes(trail.at)
        key = (timeline.link(trail.at), trail.path if len(changes) > _MOST_FILES else "")
        found = self._searches.get(key)
        if found is None:
            found = self._searches[key] = Search(self._sites(trail, changes))
            while len(self._searches) > 1 and sum(one.size for one in self._searches.values()) > _MOST_HELD:
                self._searches.popitem(last=False)
        self._searches.move_to_end(key)
        return found

    def _sites(self, trail: Trail, changes: Sequence[FileChange]) -> Iterator[Site]:
        """The files that a step adds lines to, those first that are named alike."""
        ordered = sorted(changes, key=lambda change: _unlike(change.path, trail.path))
        for change, body in self._within(ordered):
            if body is None or change.new is None:
                continue
            if change.old is None or not change.old.is_file:
                yield Site(change.path, body, [(0, len(body))])
                continue
            diff = self._bodies.change((change.old.id, change.path), (change.new.id, change.path))
            if diff is not None:
                added = [(gap.new, gap.new_end) for gap in diff.alignment.gaps() if gap.new < gap.new_end]
                yield Site(change.path, body, added)

    def _within(self, changes: Sequence[FileChange]) -> Iterator[tuple[FileChange, Body | None]]:
        """As many changed files as are looked at, their contents brought here together."""
        chosen = [change for change in changes if change.new is not None and change.new.is_file][:_MOST_FILES]
        olds = [change.old.id for change in chosen if change.old is not None and change.old.is_file]
        self._bodies.have({*olds, *(change.new.id for change in chosen if change.new is not None)})
        lines = 0
        for change in chosen:
            body = None if change.new is None else self._bodies.body(change.new.id, change.path)
            lines += len(body) if body is not None else 0
            if lines > _MOST_LINES:
                break
            yield change, body


def _block(trail: Trail, body: Body, change: Change | None) -> Block:
    """The lines, and what went with them: all of the file where it is gone."""
    if change is None:
        return Block(body, trail.lines, Stretch(0, len(body) - 1), trail.own)
    first, last = trail.lines
    for gap in change.alignment.gaps_of(first, last + 1):
        first, last = min(first, gap.old), max(last, gap.old_end - 1)
    return Block(body, trail.lines, Stretch(first, last), trail.own)


def _unlike(path: str, other: str) -> tuple[bool, bool, bool]:
    """How little a path is like another, for ordering."""
    folder, _, name = path.rpartition("/")
    other_folder, _, other_name = other.rpartition("/")
    ending, other_ending = name.rpartition(".")[2], other_name.rpartition(".")[2]
    return path != other and name != other_name, folder != other_folder, ending != other_ending

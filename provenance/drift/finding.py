"""Where lines are after one step: in what their file became, under their name, or among what the step adds.

The decisions are those of `compare.relocating`; here they are fed with contents.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from provenance.compare.relocating.body import Stretch
from provenance.compare.relocating.definitions import Shape, namesake, shape_of
from provenance.compare.relocating.naming import mentions
from provenance.compare.relocating.resemblance import Heirs, telling
from provenance.compare.relocating.searching import Block, Find, Search, Site
from provenance.compare.relocating.stepping import Chosen, Several, choose, is_settled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.compare.relocating.body import Body
    from provenance.compare.relocating.carrying import Change
    from provenance.drift.bodies import Bodies
    from provenance.drift.timeline import Timeline
    from provenance.drift.trail import Start, Trail
    from provenance.history import FileChange, Link, TreeEntry

_MOST_FILES = 400
"""Files that one step changes and that are searched; those that are named alike come first."""
_MOST_ADDED = 4_000
"""Files that it adds."""
_MOST_LINES = 400_000
"""Lines of them together."""
_MOST_HELD = 400_000
"""Lines of steps whose new lines are held for the next search."""
_ANCHORED = 0.25
"""Share of the telling words of a definition that one of the same name must have."""
_SURE = 0.9
"""Share of a definition that is found whatever its name is."""
_MUCH = 12.0
"""Weight of a definition's lines that are not found elsewhere by chance."""


class Finder:
    """Finds lines after steps of one repository's history."""

    def __init__(self, bodies: Bodies) -> None:
        """Look into contents."""
        self._bodies = bodies
        self._shapes: dict[Start, Shape | None] = {}
        self._searches: OrderedDict[tuple[Link, str], Search] = OrderedDict()
        self._heirs: tuple[Link, Sequence[FileChange], Heirs] | None = None
        self._cut: set[Link] = set()
        """Steps that change more than is searched."""

    def found(
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
        whole = self.definition(trail)
        if whole is not None:
            there = None if entry is None else self._named(trail, whole, entry.id, path)
            if there is not None and not any(find.path == path and find.kept >= _SURE for find in finds):
                return there
            finds = [find for find in finds if self._may_be(find, whole, weight, timeline, trail.at)]
        return choose(path, carried, finds, weight)

    def heirs(self, trail: Trail, timeline: Timeline) -> list[tuple[TreeEntry, str]]:
        """What a file became which is gone: none, one, or several that are it and are named equally alike."""
        added = [
            change
            for change in timeline.changes(trail.at)
            if change.new is not None
            and change.new.is_file
            and (change.old is None or not change.old.is_file)
        ]
        same = [change for change in added if change.new is not None and change.new.id == trail.blob]
        if same:
            least = min(_unlike(change.path, trail.path) for change in same)
            alike = [change for change in same if _unlike(change.path, trail.path) == least]
            return [(change.new, change.path) for change in alike if change.new is not None]
        body = self._bodies.body(trail.blob, trail.path)
        if body is None:
            return []
        known, heirs = self._added(timeline, trail.at, added)
        likest = [known[at] for at in heirs.of(body)]
        if not likest:
            return []
        chosen = min(likest, key=lambda change: _unlike(change.path, trail.path))
        least = _unlike(chosen.path, trail.path)
        is_clear = sum(_unlike(change.path, trail.path) == least for change in likest) == 1
        # Where two are equally like it, the lines themselves are searched for.
        return [(chosen.new, chosen.path)] if is_clear and chosen.new is not None else []

    def was_cut(self, timeline: Timeline, at: int) -> bool:
        """Whether a step changes more than is searched."""
        return timeline.link(at) in self._cut

    def _added(
        self, timeline: Timeline, at: int, added: Sequence[FileChange]
    ) -> tuple[Sequence[FileChange], Heirs]:
        """The files that a step adds, and who tells which of them is like another."""
        link = timeline.link(at)
        if self._heirs is None or self._heirs[0] != link:
            known = [(change, body) for change, body in self._within(added, link) if body is not None]
            self._heirs = link, [change for change, _ in known], Heirs([body for _, body in known])
        return self._heirs[1], self._heirs[2]

    def definition(self, trail: Trail) -> Shape | None:
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
        before = self._bodies.definitions(trail.blob, trail.path)
        body = self._bodies.body(trail.blob, trail.path)
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

    def _search(self, trail: Trail, timeline: Timeline) -> Search:
        """What a step adds; it serves the next lines that went in it, too."""
        changes = timeline.changes(trail.at)
        key = (timeline.link(trail.at), trail.path if len(changes) > _MOST_FILES else "")
        found = self._searches.get(key)
        if found is None:
            found = self._searches[key] = Search(self._sites(trail, changes, key[0]))
            while len(self._searches) > 1 and sum(one.size for one in self._searches.values()) > _MOST_HELD:
                self._searches.popitem(last=False)
        self._searches.move_to_end(key)
        return found

    def _sites(self, trail: Trail, changes: Sequence[FileChange], link: Link) -> Iterator[Site]:
        """The files that a step adds lines to, those first that are named alike."""
        ordered = sorted(changes, key=lambda change: _unlike(change.path, trail.path))
        for change, body in self._within(ordered, link):
            if body is None or change.new is None:
                continue
            if change.old is None or not change.old.is_file:
                yield Site(change.path, body, [(0, len(body))])
                continue
            diff = self._bodies.change((change.old.id, change.path), (change.new.id, change.path))
            if diff is not None:
                added = [(gap.new, gap.new_end) for gap in diff.alignment.gaps() if gap.new < gap.new_end]
                yield Site(change.path, body, added)

    def _within(self, changes: Sequence[FileChange], link: Link) -> Iterator[tuple[FileChange, Body | None]]:
        """As many changed files as are looked at, their contents brought here together."""
        files = [change for change in changes if change.new is not None and change.new.is_file]
        added = [change for change in files if change.old is None or not change.old.is_file]
        others = [change for change in files if change.old is not None and change.old.is_file]
        kept = {*added[:_MOST_ADDED], *others[:_MOST_FILES]}
        chosen = [change for change in files if change in kept]
        olds = [change.old.id for change in chosen if change.old is not None and change.old.is_file]
        self._bodies.have({*olds, *(change.new.id for change in chosen if change.new is not None)})
        if len(chosen) < len(files):
            self._cut.add(link)
        lines = 0
        for change in chosen:
            body = None if change.new is None else self._bodies.body(change.new.id, change.path)
            lines += len(body) if body is not None else 0
            if lines > _MOST_LINES:
                self._cut.add(link)
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

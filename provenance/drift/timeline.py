"""A way through history, and what stands at which path along it.

It is looked up where it is needed: most of the way a file stays what it is, and nothing of that is read.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from provenance.history import FileChange, History, Link, TreeEntry


class Timeline(Protocol):
    """Revisions one after the other. A point is a number: 0 is where it begins, and each link leads to the next."""

    @property
    def length(self) -> int:
        """How many links there are; also the number of the last point."""

    def link(self, at: int) -> Link:
        """The link that leads from a point to the next."""

    def entry(self, at: int, path: str) -> TreeEntry | None:
        """What stands at a path at a point; None where nothing does, or a folder."""

    def changes(self, at: int) -> Sequence[FileChange]:
        """All that the link from a point to the next changes."""

    def later(self, at: int, count: int) -> Iterator[tuple[int, FileChange]]:
        """What the next links change, each change with the point that its link leads from."""


class Way:
    """A way that links of a history make."""

    def __init__(self, history: History, links: Sequence[Link]) -> None:
        """Look along links.

        Args:
            history: whose past it is.
            links: each begins where the one before it ends; at least one.
        """
        self._history = history
        self._links = links
        self._entries: dict[tuple[int, str], TreeEntry | None] = {}
        self._changes: dict[int, tuple[FileChange, ...]] = {}
        self._events: dict[str, _Events] | None = None

    def read(self) -> None:
        """Read all that happens on the way in one go, for many paths will be asked for."""
        events: dict[str, _Events] = {}
        index = {(link.old, link.new): at for at, link in enumerate(self._links)}
        for step in self._history.steps(self._links):
            at = index[step.link.old, step.link.new]
            self._changes[at] = step.changes
            for change in step.changes:
                events.setdefault(change.path, _Events(change.old)).add(at + 1, change.new)
        for at in range(len(self._links)):
            self._changes.setdefault(at, ())
        self._events = events

    @property
    def length(self) -> int:
        """How many links there are."""
        return len(self._links)

    @property
    def end(self) -> str:
        """The commit at which it ends."""
        return self._links[-1].new

    def link(self, at: int) -> Link:
        """The link that leads from a point to the next."""
        return self._links[at]

    def entry(self, at: int, path: str) -> TreeEntry | None:
        """What stands at a path at a point."""
        if self._events is not None:
            events = self._events.get(path)
            if events is not None:
                return events.entry(at)
            at = 0  # nothing ever happens to it
        key = (at, path)
        if key not in self._entries:
            commit = self._links[at].old if at < len(self._links) else self._links[-1].new
            self._entries[key] = self._history.entries(commit, [path]).get(path)
        return self._entries[key]

    def changes(self, at: int) -> Sequence[FileChange]:
        """All that the link from a point to the next changes."""
        if at not in self._changes:
            steps = list(self._history.steps([self._links[at]]))
            self._changes[at] = steps[0].changes if steps else ()
        return self._changes[at]

    def later(self, at: int, count: int) -> Iterator[tuple[int, FileChange]]:
        """What the next links change, each change with the point that its link leads from."""
        links = self._links[at : at + count]
        if self._events is None:
            points = {(link.old, link.new): at + number for number, link in enumerate(links)}
            for step in self._history.steps(links):
                point = points[step.link.old, step.link.new]
                yield from ((point, change) for change in step.changes)
        else:
            for point in range(at, at + len(links)):
                yield from ((point, change) for change in self._changes[point])


class _Events:
    """What happens to one path on a way."""

    __slots__ = ("_entries", "_points")

    def __init__(self, first: TreeEntry | None) -> None:
        self._points = [0]
        self._entries = [first]

    def add(self, at: int, entry: TreeEntry | None) -> None:
        """From a point on something else stands there."""
        self._points.append(at)
        self._entries.append(entry)

    def entry(self, at: int) -> TreeEntry | None:
        """What stands there at a point."""
        return self._entries[bisect_right(self._points, at) - 1]


class Ends:
    """Two revisions alone, with all that differs between them as one step."""

    length = 1

    def __init__(self, changes: Sequence[FileChange], link: Link) -> None:
        """Take what differs.

        Args:
            changes: of all paths.
            link: the two revisions.
        """
        self._changes = changes
        self._link = link
        self._by_path: Mapping[str, FileChange] = {change.path: change for change in changes}

    def link(self, _at: int, /) -> Link:
        """The two revisions."""
        return self._link

    def entry(self, at: int, path: str) -> TreeEntry | None:
        """What stands at a path that differs."""
        change = self._by_path.get(path)
        if change is None:
            return None
        return change.new if at else change.old

    def changes(self, _at: int, /) -> Sequence[FileChange]:
        """All that differs."""
        return self._changes

    def later(self, _at: int, _count: int, /) -> Iterator[tuple[int, FileChange]]:
        """Nothing comes later."""
        return iter(())

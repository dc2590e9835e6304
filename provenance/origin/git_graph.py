"""Commits and their parents: which way leads from one to another, and where two of them meet. Pure.

A history may be cut off: a commit can be named as a parent and not be known itself.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from provenance.history import Link

if TYPE_CHECKING:
    from collections.abc import Sequence

_ONE, _OTHER, _STALE = 1, 2, 4
"""From which end a commit has been reached, and that it lies behind one that was reached from both."""
_BOTH = _ONE | _OTHER


class CommitGraph:
    """What is known of a history. Commits are numbered, so that a large one stays small in memory."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._ids: list[str] = []
        self._parents: list[tuple[int, ...] | None] = []
        """None for a commit that is only named as a parent."""
        self._children: list[list[int]] = []
        self._known = 0
        self._known_heights: list[int] = []

    def __len__(self) -> int:
        """How many commits are known with their parents."""
        return self._known

    def __contains__(self, commit: str) -> bool:
        """Whether a commit is known with its parents."""
        number = self._numbers.get(commit)
        return number is not None and self._parents[number] is not None

    def add(self, commit: str, parents: Sequence[str]) -> None:
        """Take in a commit; one that is known stays as it is.

        Args:
            commit: its full id.
            parents: full ids, in the commit's order.
        """
        number = self._number(commit)
        if self._parents[number] is not None:
            return
        above = tuple(map(self._number, parents))
        self._parents[number] = above
        self._known_heights = []
        self._known += 1
        for parent in above:
            self._children[parent].append(number)

    def way(self, old: str, new: str) -> list[Link] | None:
        """The links from one known commit to another; None where neither is known to descend from the other.

        Of a merge the first parent is taken that is the older end or descends from it.
        """
        links = self._way_up(old, new)
        if links is not None:
            return links
        back = self._way_up(new, old)
        if back is None:
            return None
        return [Link(link.new, link.old, link.commit) for link in reversed(back)]

    def bases(self, one: str, other: str) -> list[str]:
        """The commits that both descend from, or are, without those that another of them descends from.

        Only what is younger than them is looked at: commits are painted from both ends, those first that are farthest
        from a root, as git does it (commit-reach.c, "paint down to common").
        """
        marks = {self._numbers[one]: _ONE}
        marks[self._numbers[other]] = marks.get(self._numbers[other], 0) | _OTHER
        heights = self._heights()
        waiting = [(-heights[number], number) for number in marks]
        heapify(waiting)
        undecided = len(waiting)
        found: list[int] = []
        while undecided and waiting:
            _, number = heappop(waiting)
            mark = marks[number]
            undecided -= not mark & _STALE
            if mark == _BOTH:
                found.append(number)
                mark |= _STALE
            for parent in self._parents[number] or ():
                before = marks.get(parent)
                marks[parent] = (before or 0) | mark
                if before is None:
                    heappush(waiting, (-heights[parent], parent))
                    undecided += not mark & _STALE
                elif not before & _STALE and mark & _STALE:
                    undecided -= 1
        return [self._ids[number] for number in sorted(found)]

    def _heights(self) -> list[int]:
        """By number: how many commits the longest way from a commit to a root has."""
        if len(self._known_heights) == len(self._ids):
            return self._known_heights
        heights = [0] * len(self._ids)
        left = [len(parents or ()) for parents in self._parents]
        ready = [number for number, count in enumerate(left) if not count]
        while ready:
            number = ready.pop()
            for child in self._children[number]:
                heights[child] = max(heights[child], heights[number] + 1)
                left[child] -= 1
                if not left[child]:
                    ready.append(child)
        self._known_heights = heights
        return heights

    def is_cut(self, commit: str) -> bool:
        """Whether something that comes before a commit is not known."""
        return any(self._parents[number] is None for number in self._ancestors(commit))

    def _number(self, commit: str) -> int:
        number = self._numbers.setdefault(commit, len(self._ids))
        if number == len(self._ids):
            self._ids.append(commit)
            self._parents.append(None)
            self._children.append([])
        return number

    def _way_up(self, old: str, new: str) -> list[Link] | None:
        start, here = self._numbers[old], self._numbers[new]
        younger = self._descendants(start)
        if here not in younger:
            return None
        links: list[Link] = []
        while here != start:
            parent = next(one for one in self._parents[here] or () if one in younger)
            links.append(Link(self._ids[parent], self._ids[here], self._ids[here]))
            here = parent
        links.reverse()
        return links

    def _descendants(self, number: int) -> set[int]:
        """A commit and all that descend from it."""
        found, ahead = {number}, [number]
        while ahead:
            for child in self._children[ahead.pop()]:
                if child not in found:
                    found.add(child)
                    ahead.append(child)
        return found

    def _ancestors(self, commit: str) -> set[int]:
        """A commit and all that it descends from, those that are not known too."""
        number = self._numbers[commit]
        found, ahead = {number}, [number]
        while ahead:
            for parent in self._parents[ahead.pop()] or ():
                if parent not in found:
                    found.add(parent)
                    ahead.append(parent)
        return found

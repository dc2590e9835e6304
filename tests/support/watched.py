"""A history in memory that has more than files, lacks some of them, and counts what is asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from support.remembered import Remembered

from provenance.answers import Unreached
from provenance.evidence import object_id
from provenance.history import TreeEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from provenance.history import Link, Step

Thing = str | bytes | TreeEntry
"""What stands at a path: a file's text or bytes, or anything else."""
Tree = Mapping[str, Thing]

SYMLINK = TreeEntry("120000", object_id("blob", b"elsewhere.py"))
SUBMODULE = TreeEntry("160000", "5" * 40)
UNREACHED = "the server does not answer"


class Watched(Remembered):
    """Commits, each with all that stands in it."""

    def __init__(self, trees: Mapping[str, Tree], parents: Mapping[str, Sequence[str]]) -> None:
        files = {
            name: {path: _data(thing) for path, thing in tree.items() if not isinstance(thing, TreeEntry)}
            for name, tree in trees.items()
        }
        super().__init__(files, parents)
        for name, tree in trees.items():
            others = {path: thing for path, thing in tree.items() if isinstance(thing, TreeEntry)}
            self._trees[self.ids[name]] |= others
        self._lost: set[str] = set()
        """Contents that nobody has."""
        self._far: set[str] = set()
        """Contents that have to be fetched."""
        self.asked: Counter[str] = Counter()
        """How often each method was called."""
        self.seen: set[str] = set()
        """The blobs that were read."""
        self.whole_steps = 0
        """Links of which all changes were listed, and not those of some paths alone."""

    @classmethod
    def row(cls, *trees: Tree) -> Watched:
        """Commits in a row, called `0`, `1` and so on."""
        names = [str(number) for number in range(len(trees))]
        parents = {name: names[:at][-1:] for at, name in enumerate(names)}
        return cls(dict(zip(names, trees, strict=True)), parents)

    def lose(self, *things: Thing) -> None:
        """No one has these contents."""
        self._lost |= {
            object_id("blob", _data(thing)) for thing in things if not isinstance(thing, TreeEntry)
        }

    def forget(self) -> None:
        """No content is here any more; all but the lost ones can be had."""
        self._far = set(self._blobs) - self._lost

    def name(self, commit: str | None) -> str | None:
        """The name of a commit."""
        return next((name for name, one in self.ids.items() if one == commit), None)

    def steps(self, links: Sequence[Link], paths: Collection[str] | None = None) -> Iterator[Step]:
        self.asked["steps"] += 1
        self.whole_steps += len(links) if paths is None else 0
        return super().steps(links, paths)

    def entries(self, commit: str, paths: Collection[str]) -> Mapping[str, TreeEntry]:
        self.asked["entries"] += 1
        return super().entries(commit, paths)

    def lacks(self, blobs: Collection[str]) -> Collection[str]:
        return [blob for blob in blobs if blob in self._far or blob in self._lost or blob not in self._blobs]

    def have(self, blobs: Collection[str]) -> Mapping[str, Unreached]:
        if self.lacks(blobs):
            self.asked["requests"] += 1
        self._far.difference_update(blobs)
        return {blob: Unreached(UNREACHED) for blob in self.lacks(blobs)}

    def read(self, blob: str) -> bytes | None:
        self.asked["read"] += 1
        self.seen.add(blob)
        return None if self.lacks([blob]) else self._blobs[blob]


def _data(thing: Thing) -> bytes:
    assert not isinstance(thing, TreeEntry)
    return thing.encode() if isinstance(thing, str) else thing

"""A history that is held in memory, for properties that are tried many times over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from provenance.evidence import object_id
from provenance.history import Commit, FileChange, Link, NoWay, Step, TreeEntry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from types import TracebackType

    from provenance.answers import Unreached

Files = dict[str, bytes]


class Remembered:
    """Commits, each with all of its files; their ids are made of their names."""

    def __init__(self, trees: Mapping[str, Files], parents: Mapping[str, Sequence[str]]) -> None:
        self.ids = {name: object_id("commit", name.encode()) for name in trees}
        self._blobs = {object_id("blob", data): data for files in trees.values() for data in files.values()}
        self._trees = {
            self.ids[name]: {
                path: TreeEntry("100644", object_id("blob", data)) for path, data in files.items()
            }
            for name, files in trees.items()
        }
        self._parents = {self.ids[name]: [self.ids[one] for one in of] for name, of in parents.items()}

    @classmethod
    def line(cls, *trees: Files) -> Remembered:
        """Commits in a row, called `0`, `1` and so on."""
        names = [str(number) for number in range(len(trees))]
        parents = {name: names[:at][-1:] for at, name in enumerate(names)}
        return cls(dict(zip(names, trees, strict=True)), parents)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing has to be closed."""

    def way(self, old: str, new: str) -> Sequence[Link] | NoWay:
        forth, back = self._up(new, old), self._up(old, new)
        if forth is not None:
            return [Link(one, other, other) for other, one in reversed(forth)]
        if back is not None:
            return [Link(one, other, one) for one, other in back]
        return NoWay("neither is an ancestor of the other")

    def _up(self, start: str, end: str) -> list[tuple[str, str]] | None:
        """From a commit to one that came before it, by the first parent that leads there."""
        if start == end:
            return []
        for parent in self._parents[start]:
            rest = self._up(parent, end)
            if rest is not None:
                return [(start, parent), *rest]
        return None

    def sides(self, commit: str) -> Sequence[str]:
        return self._parents[commit]

    def base(self, one: str, other: str) -> str | None:
        both = self._before(one) & self._before(other)
        return max(both, key=lambda commit: len(self._before(commit)), default=None)

    def _before(self, commit: str) -> frozenset[str]:
        return frozenset({commit}).union(*map(self._before, self._parents[commit]))

    def steps(self, links: Sequence[Link], paths: Collection[str] | None = None) -> Iterator[Step]:
        for link in links:
            old, new = self._trees[link.old], self._trees[link.new]
            changed = sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))
            changes = [FileChange(path, old.get(path), new.get(path)) for path in changed]
            kept = tuple(change for change in changes if paths is None or change.path in paths)
            if kept:
                yield Step(link, kept)

    def between(self, old: str, new: str) -> Step:
        link = Link(old, new, new)
        return next(self.steps([link]), Step(link, ()))

    def entries(self, commit: str, paths: Collection[str]) -> Mapping[str, TreeEntry]:
        return {path: entry for path, entry in self._trees[commit].items() if path in paths}

    def lacks(self, blobs: Collection[str]) -> Collection[str]:
        return [blob for blob in blobs if blob not in self._blobs]

    def have(self, blobs: Collection[str]) -> Mapping[str, Unreached]:  # noqa: ARG002 - the protocol's
        return {}

    def read(self, blob: str) -> bytes | None:
        return self._blobs.get(blob)

    def commits(self, ids: Collection[str]) -> Mapping[str, Commit]:
        names = {one: name for name, one in self.ids.items()}
        return {one: Commit(one, "2020-09-13T12:26:40+00:00", names[one]) for one in ids if one in names}

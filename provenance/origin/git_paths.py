"""The files of a commit whose paths end as somebody wrote them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Protocol

from provenance.answers import Unreached
from provenance.origin.git_objects import root_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from provenance.evidence import GitObject
    from provenance.proof import Entry

_TREE = b"40000"
_MOST_ENTRIES = 2_000_000
"""Entries of trees that are looked at for one commit, files and folders; a large repository has half a million."""
_MOST_FOUND = 20
"""Paths that are told of one end."""


class Trees(Protocol):
    """Where the trees of a repository are looked up."""

    def tree(self, wanted: str) -> tuple[GitObject, dict[bytes, Entry]] | None:
        """A tree and its entries; None where it is not here."""


def ending_so(
    commit: GitObject, ends: Collection[str], trees: Trees
) -> Mapping[str, tuple[str, ...]] | Unreached:
    """The paths of a commit's files that end with whole parts of paths, in git's order.

    Args:
        commit: whose files.
        ends: such as `valve.py` and `engine/valve.py`.
        trees: hands them out.

    Returns:
        Up to twenty paths for each end; why, where the trees are not to be had or too many.

    Raises:
        GitFault: an object is not what it should be.
    """
    by_name: dict[bytes, list[str]] = defaultdict(list)
    for end in ends:
        by_name[_encoded(end.rpartition("/")[2])].append(end)
    found: dict[str, list[str]] = {end: [] for end in ends}
    for path in _files(root_of(commit), set(by_name), trees):
        if isinstance(path, Unreached):
            return path
        shown = path.decode("utf-8", "surrogateescape")
        for end in by_name[path.rpartition(b"/")[2]]:
            if f"/{shown}".endswith(f"/{end}") and len(found[end]) < _MOST_FOUND:
                found[end].append(shown)
    return {end: tuple(paths) for end, paths in found.items()}


def _files(root: str, names: set[bytes], trees: Trees) -> Iterator[bytes | Unreached]:
    """The paths of all files that have one of some names, folder by folder."""
    left = [(b"", root)]
    seen = 0
    while left:
        folder, tree = left.pop()
        opened = trees.tree(tree)
        if opened is None:
            yield Unreached(f"tree {tree[:12]} is not in the cache")
            return
        entries = opened[1]
        seen += len(entries)
        if seen > _MOST_ENTRIES:
            yield Unreached(f"the commit has more than {_MOST_ENTRIES:,} files and folders")
            return
        inside: list[tuple[bytes, str]] = []
        for name, entry in entries.items():
            path = folder + name
            if entry.mode == _TREE:
                inside.append((path + b"/", entry.id))
            elif name in names:
                yield path
        left.extend(reversed(inside))


def _encoded(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")

"""Proof that a blob stands at a path of a commit: the commit names a tree, that names the next, the last the blob.

Source of the formats: Git's documentation, "Git Internals - Git Objects"; a tree entry is `mode SP name NUL id`.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from provenance.errors import InvalidRecord
from provenance.evidence import object_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TREE_LINE = re.compile(rb"tree ([0-9a-f]{40})\n")
_ID_BYTES = 20
_TREES_HELD = 128
"""Checked trees that are held at once."""


class Entry(NamedTuple):
    """One line of a tree."""

    mode: bytes
    """`100644`, `100755`, `120000` (symbolic link), `40000` (tree) or `160000` (submodule)."""
    name: bytes
    id: str


def tree_of(commit: bytes) -> str:
    """The id of the tree that a commit object names.

    Raises:
        InvalidRecord: the bytes are no commit.
    """
    match = _TREE_LINE.match(commit)
    if match is None:
        message = "it does not begin with its tree"
        raise InvalidRecord(message)
    return match[1].decode()


def entries(tree: bytes) -> Iterator[Entry]:
    """The entries of a tree object.

    Raises:
        InvalidRecord: the bytes are no tree.
    """
    start = 0
    while start < len(tree):
        space = tree.find(b" ", start)
        end = tree.find(b"\0", space)
        after = end + 1 + _ID_BYTES
        if space < 0 or end < 0 or after > len(tree):
            message = "it is cut off"
            raise InvalidRecord(message)
        yield Entry(tree[start:space], tree[space + 1 : end], tree[end + 1 : after].hex())
        start = after


class Prover:
    """Follows paths from commits to blobs through stored objects, each hashed when it is first read.

    What commits and folders have in common is checked once; of large folders that matters.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        """Prove from stored objects.

        Args:
            read: the bytes of a commit or tree by id, None where they are not stored.
        """
        self._read = read
        self._roots: dict[str, str] = {}
        self._trees: OrderedDict[str, dict[bytes, str]] = OrderedDict()

    def proves(self, commit: str, path: str, blob: str) -> bool:
        """Whether the objects lead from a commit id to a blob id at a path.

        Args:
            commit: full commit id.
            path: where the bytes stand, after symbolic links.
            blob: the blob id to arrive at.
        """
        found = self._roots.get(commit) or self._root(commit)
        try:
            names = path.encode("utf-8", "surrogateescape").split(b"/")
        except UnicodeEncodeError:  # half a surrogate pair is no name in git
            return False
        for name in names:
            tree = None if found is None else self._tree(found)
            found = None if tree is None else tree.get(name)
        return found is not None and found == blob

    def _root(self, commit: str) -> str | None:
        data = self._checked("commit", commit)
        if data is None:
            return None
        try:
            self._roots[commit] = tree_of(data)
        except InvalidRecord:
            return None
        return self._roots[commit]

    def _tree(self, wanted: str) -> dict[bytes, str] | None:
        """A tree's ids by name. What is missing is looked for again: it may be stored meanwhile."""
        if wanted in self._trees:
            self._trees.move_to_end(wanted)
            return self._trees[wanted]
        data = self._checked("tree", wanted)
        if data is None:
            return None
        found: dict[bytes, str] = {}
        try:
            for entry in entries(data):
                found.setdefault(entry.name, entry.id)
        except InvalidRecord:
            return None
        self._trees[wanted] = found
        if len(self._trees) > _TREES_HELD:
            self._trees.popitem(last=False)
        return found

    def _checked(self, kind: str, id: str) -> bytes | None:  # noqa: A002 - git's word
        data = self._read(id)
        return data if data is not None and object_id(kind, data) == id else None

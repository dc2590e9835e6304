"""Proof that a blob stands at a path of a commit: the commit names a tree, that names the next, the last the blob.

Source of the formats: Git's documentation, "Git Internals - Git Objects"; a tree entry is `mode SP name NUL id`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from provenance.errors import InvalidRecord
from provenance.evidence import object_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TREE_LINE = re.compile(rb"tree ([0-9a-f]{40})\n")
_ID_BYTES = 20


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


def proves(read: Callable[[str], bytes | None], commit: str, path: str, blob: str) -> bool:
    """Whether stored objects lead from a commit id to a blob id at a path, each hashed as it is read.

    Args:
        read: the bytes of a commit or tree by id, None where they are not stored.
        commit: full commit id.
        path: where the bytes stand, after symbolic links.
        blob: the blob id to arrive at.
    """
    data = _checked(read, "commit", commit)
    if data is None:
        return False
    try:
        found = tree_of(data)
        for name in path.encode("utf-8", "surrogateescape").split(b"/"):
            tree = _checked(read, "tree", found)
            if tree is None:
                return False
            at_name = next((entry.id for entry in entries(tree) if entry.name == name), None)
            if at_name is None:
                return False
            found = at_name
    except (InvalidRecord, UnicodeEncodeError):  # half a surrogate pair is no name in git
        return False
    return found == blob


def _checked(read: Callable[[str], bytes | None], kind: str, id: str) -> bytes | None:  # noqa: A002 - git's word
    data = read(id)
    return data if data is not None and object_id(kind, data) == id else None

"""What changes between commits, as `git diff-tree` tells it: many pairs through one process, path by path.

Source of the format: git-diff-tree(1), "RAW OUTPUT FORMAT" with `-z`.
"""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

from provenance.history import FileChange, Step, TreeEntry
from provenance.origin.git_command import GitFault
from provenance.origin.git_stream import separated
from provenance.origin.git_tree import components

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from provenance.history import Link

_DIFF_TREE = (
    "--literal-pathspecs",
    "diff-tree",
    "--stdin",
    "-r",
    "--raw",
    "-z",
    "--no-renames",
    "--no-abbrev",
    "--ignore-submodules=none",
    "--always",
    "--",
)
"""`--always` has each pair answered, so that an answer is known to be complete when the next one begins."""
_MOST_PATHSPECS = 50
"""git compares each path of each tree with every one of them: many are quicker told apart here."""
_PARTS = 5
"""Of a record: the two modes, the first behind a colon, the two ids, and a letter."""
_NOTHING = "000000"
"""The mode of what is not there."""
_WRITTEN_TOGETHER = 500
"""Questions, of 82 bytes each."""


def arguments(paths: Collection[str] | None) -> tuple[str, ...]:
    """The arguments of git for a walk.

    Args:
        paths: the only paths that count, None for all.
    """
    names = sorted(encoded(paths)) if paths is not None else []
    # A list of arguments is text in the encoding of the file system.
    return (*_DIFF_TREE, *(map(os.fsdecode, names) if len(names) <= _MOST_PATHSPECS else ()))


def encoded(paths: Collection[str]) -> frozenset[bytes]:
    """Paths as git has them, without those that no tree can hold."""
    split = map(components, paths)
    return frozenset(b"/".join(names) for names in split if names is not None)


def questions(links: Iterable[Link]) -> Iterator[bytes]:
    """What `git diff-tree --stdin` reads: a commit, and the one that it is compared with."""
    source = iter(links)
    while window := list(itertools.islice(source, _WRITTEN_TOGETHER)):
        yield "".join(f"{link.commit} {_other(link)}\n" for link in window).encode("ascii")


def steps(
    links: Sequence[Link], pieces: Iterable[bytes], paths: Collection[str] | None = None
) -> Iterator[Step]:
    """The steps that an output tells of; links without changes are left out.

    Args:
        links: what was asked, in order.
        pieces: the output.
        paths: the only paths that count, None for all.

    Raises:
        GitFault: it is no answer to that.
    """
    wanted = encoded(paths) if paths is not None else None
    answers = separated(pieces, b"\0")
    asked = iter(links)
    link: Link | None = None
    changes: list[FileChange] = []
    for part in answers:
        if not part.startswith(b":"):
            if link is not None and changes:
                yield Step(link, tuple(changes))
            link, changes = next(asked, None), []
            if link is None or part != link.commit.encode():
                raise _confused(part)
            continue
        path = next(answers, None)
        if link is None or path is None:
            raise _confused(part)
        if wanted is None or path in wanted:
            changes.append(_change(part, path, is_back=link.commit == link.old))
    if link is not None and changes:
        yield Step(link, tuple(changes))
    if next(asked, None) is not None:
        raise _confused()


def _other(link: Link) -> str:
    return link.new if link.commit == link.old else link.old


def _change(record: bytes, path: bytes, *, is_back: bool) -> FileChange:
    parts = record.decode("ascii", "replace").split(" ")
    if len(parts) != _PARTS:
        raise _confused(record)
    before, after = _entry(parts[0][1:], parts[2]), _entry(parts[1], parts[3])
    old, new = (after, before) if is_back else (before, after)
    return FileChange(path.decode("utf-8", "surrogateescape"), old, new)


def _entry(mode: str, one: str) -> TreeEntry | None:
    return None if mode == _NOTHING else TreeEntry(mode, one)


def _confused(part: bytes = b"") -> GitFault:
    said = part[:100].decode("utf-8", "backslashreplace")
    return GitFault(f"git diff-tree does not answer what it was asked: {said!r}")

"""Git objects as they are stored: read from a cache repository, each one's id checked against its bytes.

Formats: Git's documentation, "Git Internals - Git Objects", git-cat-file(1) for `--batch`, and
gitformat-signature(5) for the lines that follow a commit's header.
"""

from __future__ import annotations

import itertools
import os
import re
import select
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn, Self

from provenance.errors import InvalidRecord
from provenance.evidence import GitObject, is_object_id, object_id
from provenance.origin.git_command import GitFault
from provenance.proof import Entry, entries, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

    from provenance.origin.git_command import GitProcess

_WINDOW = 512
"""Requests that are written before their answers are read: 41 bytes each, well within a pipe's 64 KiB."""
_KEPT_TREES = 8 << 20
"""Bytes of trees that are kept parsed; parsed they take about ten times as much."""
_CHUNK = 1 << 16
_SILENCE = 30.0
"""Seconds that `git cat-file` may take to go on: it reads local files."""
_HEADER = re.compile(rb"([0-9a-f]{40}) (commit|tree|blob|tag) (\d+)\n")
_PARENT_LINE = re.compile(rb"parent ([0-9a-f]{40})\n")
_COMMITTER_TIME = re.compile(rb"\ncommitter [^\n]*> (\d{1,12}) ")


class CorruptCache(GitFault):
    """A repository of the cache does not hold what it should; it can be thrown away and made anew."""


@dataclass(frozen=True, slots=True)
class Read:
    """An object that is there."""

    id: str
    kind: str
    """`commit`, `tree`, `blob` or `tag`."""
    size: int
    """Bytes."""
    data: bytes | None = field(repr=False)
    """Checked against the id; None where the object is larger than the reader's limit."""


class MalformedObject(GitFault):
    """An object has the id that it should, and is none that git would write."""


def parse_tree(tree: GitObject) -> dict[bytes, Entry]:
    """The entries of a tree by name.

    Raises:
        MalformedObject: the bytes are no tree.
    """
    found: dict[bytes, Entry] = {}
    try:
        for entry in entries(tree.data):
            found.setdefault(entry.name, entry)
    except InvalidRecord as error:
        message = f"tree {tree.id} is malformed: {error}"
        raise MalformedObject(message) from error
    return found


def root_of(commit: GitObject) -> str:
    """The id of a commit's root tree.

    Raises:
        MalformedObject: the bytes are no commit.
    """
    try:
        return tree_of(commit.data)
    except InvalidRecord as error:
        message = f"commit {commit.id} is malformed: {error}"
        raise MalformedObject(message) from error


def parents_of(commit: GitObject) -> list[str]:
    """The ids of a commit's parents."""
    header = commit.data.partition(b"\n\n")[0] + b"\n"
    return [parent.decode() for parent in _PARENT_LINE.findall(header)]


def time_of(commit: GitObject) -> int:
    """When it was committed, in seconds since 1970; 0 where it does not say."""
    match = _COMMITTER_TIME.search(commit.data.partition(b"\n\n")[0])
    return int(match[1]) if match is not None else 0


class _Talker:
    """A `git cat-file` process, whose answers are waited for within bounds.

    For an object whose file was cut off git writes fewer bytes than it promised, and then waits for the next question.
    """

    def __init__(self, process: GitProcess) -> None:
        self._process = process
        self._descriptor = process.stdout.fileno()
        self._poll = select.poll()
        self._poll.register(self._descriptor, select.POLLIN)
        self._unread = b""
        self._at = 0
        self._closed = False

    def ask(self, window: list[str]) -> bool:
        """Write questions; False where the process has ended."""
        try:
            self._process.stdin.write("".join(f"{one}\n" for one in window).encode())
            self._process.stdin.flush()
        except OSError:
            return False
        return True

    def line(self) -> bytes:
        """One line with its end; less where no more comes."""
        line = b""
        while True:
            end = self._unread.find(b"\n", self._at) + 1
            line += self._take(end - self._at if end else len(self._unread))
            if end or not self._fill():
                return line

    def exactly(self, size: int) -> bytes:
        """So many bytes; fewer where no more come."""
        parts = [self._take(size)]
        left = size - len(parts[0])
        while left and self._fill():
            parts.append(self._take(left))
            left -= len(parts[-1])
        return b"".join(parts)

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._process.kill()
        self._process.close()

    def _take(self, size: int) -> bytes:
        taken = self._unread[self._at : self._at + size]
        self._at += len(taken)
        return taken

    def _fill(self) -> bool:
        if self._closed or not self._poll.poll(_SILENCE * 1000):
            return False
        self._unread, self._at = os.read(self._descriptor, _CHUNK), 0
        return bool(self._unread)


class ObjectReader:
    """Reads the objects of one repository through two `git cat-file` processes. For one thread at a time."""

    def __init__(self, start: Callable[[tuple[str, ...]], GitProcess], limit: int) -> None:
        self._start = start
        self._limit = limit
        self._contents: _Talker | None = None
        self._presence: _Talker | None = None
        self._trees: OrderedDict[str, tuple[GitObject, dict[bytes, Entry]]] = OrderedDict()
        self._weight = 0
        self._commit: Read | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; the next read starts them again."""
        for talker in (self._contents, self._presence):
            if talker is not None:
                talker.close()
        self._contents = self._presence = None

    def missing(self, ids: Iterable[str]) -> list[str]:
        """Those of the ids that the repository does not hold, in their order.

        Raises:
            CorruptCache: git cannot say.
        """
        lacking: list[str] = []
        for window in _windows(ids):
            talker = self._presence = self._presence or _Talker(
                self._start(("cat-file", "--batch-check=%(objecttype)"))
            )
            self._ask(talker, window)
            for one in window:
                answer = talker.line()
                if answer == b"%s missing\n" % one.encode():
                    lacking.append(one)
                elif answer not in {b"commit\n", b"tree\n", b"blob\n", b"tag\n"}:
                    self._fail(one)
        return lacking

    def read(self, wanted: str) -> Read | None:
        """One object; None where the repository does not hold it.

        Raises:
            CorruptCache: its bytes do not have its id, or git cannot read it.
        """
        return next(self.read_all([wanted]))

    def read_all(self, ids: Iterable[str]) -> Iterator[Read | None]:
        """Objects in the order of their ids, one in memory at a time; None for one that is not there.

        Raises:
            CorruptCache: the bytes of one do not have its id, or git cannot read it.
        """
        for window in _windows(ids):
            talker = self._contents = self._contents or _Talker(self._start(("cat-file", "--batch")))
            self._ask(talker, window)
            unread = len(window)
            try:
                for one in window:
                    found = self._answer(talker, one)
                    unread -= 1
                    yield found
            finally:
                if unread and self._contents is talker:  # its next answers would be to these questions
                    talker.close()
                    self._contents = None

    def commit(self, wanted: str) -> Read | None:
        """As `read`, and remembers the last one: citations of one commit follow one another."""
        if self._commit is None or self._commit.id != wanted:
            self._commit = self.read(wanted)
        return self._commit

    def tree(self, wanted: str) -> tuple[GitObject, dict[bytes, Entry]] | None:
        """A tree and its entries; None where the repository does not hold it.

        Raises:
            CorruptCache: see `read`.
            MalformedObject: it is no tree, or larger than the limit.
        """
        kept = self._trees.get(wanted)
        if kept is not None:
            self._trees.move_to_end(wanted)
            return kept
        found = self.read(wanted)
        if found is None:
            return None
        if found.kind != "tree" or found.data is None:
            message = f"{wanted} is a {found.kind} of {found.size} bytes, where a tree is expected"
            raise MalformedObject(message)
        tree = GitObject(found.id, found.kind, found.data)
        opened = self._trees[wanted] = (tree, parse_tree(tree))
        self._weight += found.size
        while self._weight > _KEPT_TREES and len(self._trees) > 1:
            _, (oldest, _) = self._trees.popitem(last=False)
            self._weight -= len(oldest.data)
        return opened

    def _ask(self, talker: _Talker, window: list[str]) -> None:
        for one in window:
            if not is_object_id(one):
                message = f"{one!r} is no object id"
                raise MalformedObject(message)
        if not talker.ask(window):
            self._fail(window[0])

    def _answer(self, talker: _Talker, wanted: str) -> Read | None:
        header = talker.line()
        if header == b"%s missing\n" % wanted.encode():
            return None
        match = _HEADER.fullmatch(header)
        if match is None or match[1].decode() != wanted:
            self._fail(wanted)
        kind, size = match[2].decode(), int(match[3])
        if size > self._limit:
            self._skip(talker, size + 1, wanted)
            return Read(wanted, kind, size, None)
        data = talker.exactly(size)
        if talker.exactly(1) != b"\n" or object_id(kind, data) != wanted:
            self._fail(wanted)
        return Read(wanted, kind, size, data)

    def _skip(self, talker: _Talker, size: int, wanted: str) -> None:
        while size:
            skipped = len(talker.exactly(min(size, _CHUNK)))
            if not skipped:
                self._fail(wanted)
            size -= skipped

    def _fail(self, wanted: str) -> NoReturn:
        self.close()
        message = f"the cached repository does not hold {wanted} in one piece"
        raise CorruptCache(message)


def _windows(ids: Iterable[str]) -> Iterator[list[str]]:
    source = iter(ids)
    while window := list(itertools.islice(source, _WINDOW)):
        yield window

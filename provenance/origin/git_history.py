"""The past of one git repository, read from the cache: ways through it, what changes on them, and contents."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Self
from weakref import WeakSet

from provenance.answers import Unreached
from provenance.errors import RefusedURL
from provenance.evidence import GitObject, is_object_id
from provenance.history import Commit, Link, NoWay, Step, TreeEntry
from provenance.origin import git_walk
from provenance.origin.git_command import GitFault
from provenance.origin.git_commit import described
from provenance.origin.git_graph import CommitGraph
from provenance.origin.git_objects import CorruptCache, parents_of, root_of, time_of
from provenance.origin.git_stream import FailedChild, separated, stream
from provenance.origin.git_tree import look_up

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from provenance.origin.git_command import GitProcess, Limits
    from provenance.origin.git_fetch import Failed, Fetcher
    from provenance.origin.git_objects import ObjectReader

MOST_COMMITS = 500_000
"""Commits of one history that are held in memory, at about 400 bytes each."""


class GitHistory:
    """The past of one repository, as far as it is in the cache. For one thread."""

    def __init__(
        self,
        commits: Collection[str],
        *,
        reader: ObjectReader,
        fetcher: Fetcher,
        start: Callable[[tuple[str, ...]], GitProcess],
        limits: Limits,
        failed: Mapping[str, Failed],
        close: Callable[[GitHistory, CorruptCache | None], None],
    ) -> None:
        """Read a repository of the cache.

        Args:
            commits: those that it was opened for, and that are here.
            reader: reads its objects.
            fetcher: brings blobs into it.
            start: starts git in it.
            limits: bounds on git.
            failed: why others are not here, by full id.
            close: told when the history is closed, and what in it turned out to be broken.
        """
        self._commits = tuple(commits)
        self._reader = reader
        self._fetcher = fetcher
        self._start = start
        self._limits = limits
        self._failed = failed
        self._close = close
        self._graph = CommitGraph()
        self._loaded: list[str] = []
        self._walks: WeakSet[Generator[Step]] = WeakSet()
        """A walk that its caller lets go of ends by itself."""
        self._broken: CorruptCache | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all processes. A repository that turned out to be broken is thrown away."""
        for walk in list(self._walks):
            walk.close()
        self._reader.close()
        self._close(self, self._broken)

    def way(self, old: str, new: str) -> Sequence[Link] | NoWay:
        """The links that lead from one commit to another, the oldest first where that is the newer one.

        Raises:
            GitFault: git or the cache cannot be used.
        """
        if old == new and is_object_id(old):
            return ()
        for one in (old, new):
            if not self._knows(one):
                return NoWay(self._why_missing(one))
        links = self._graph.way(old, new)
        return links if links is not None else NoWay(self._why_apart(old, new))

    def sides(self, commit: str) -> Sequence[str]:
        """The parents of a commit, in their order.

        Raises:
            GitFault: the commit is not here, or the cache cannot be used.
        """
        return parents_of(self._commit(commit))

    def base(self, one: str, other: str) -> str | None:
        """The newest commit that both descend from; None where there is none or it is not known.

        Raises:
            GitFault: git or the cache cannot be used.
        """
        if not (self._knows(one) and self._knows(other)):
            return None
        bases = [base for base in self._graph.bases(one, other) if base in self._graph]
        return max(bases, key=lambda base: time_of(self._commit(base)), default=None)

    def steps(self, links: Sequence[Link], paths: Collection[str] | None = None) -> Iterator[Step]:
        """What changes on the way, link by link; links without changes are left out.

        Raises:
            GitFault: a commit is not here, or git or the cache cannot be used.
        """
        self._check_here(one for link in links for one in (link.old, link.new))
        if paths is not None and not paths:
            return iter(())
        walk = self._walk(links, paths)
        self._walks.add(walk)
        return walk

    def between(self, old: str, new: str) -> Step:
        """All that differs between two commits.

        Raises:
            GitFault: a commit is not here, or git or the cache cannot be used.
        """
        link = Link(old, new, new)
        return next(self.steps([link]), Step(link, ())) if old != new else Step(link, ())

    def entries(self, commit: str, paths: Collection[str]) -> Mapping[str, TreeEntry]:
        """What stands at some paths; those where nothing stands, or a folder, are left out.

        Raises:
            GitFault: the commit is not here, or the cache cannot be used.
        """
        root = root_of(self._commit(commit))
        with self._noticing():
            found = ((path, look_up(root, path, self._reader)) for path in dict.fromkeys(paths))
            return {path: TreeEntry(*entry) for path, entry in found if entry is not None}

    def lacks(self, blobs: Collection[str]) -> Collection[str]:
        """Which of some blobs are not here, without asking anybody."""
        with self._noticing():
            return self._reader.missing(dict.fromkeys(one for one in blobs if is_object_id(one)))

    def have(self, blobs: Collection[str]) -> Mapping[str, Unreached]:
        """Make sure that blobs are here, in as few requests as can be."""
        asked = dict.fromkeys(one for one in blobs if is_object_id(one))
        try:
            with self._noticing():
                failed = dict(self._fetcher.objects(asked, self._commits))
        except (RefusedURL, GitFault) as error:
            refused = isinstance(error, RefusedURL)
            failed = dict.fromkeys(asked, Unreached(str(error), refused=refused))
        odd = {one: Unreached(f"{one!r} is no object id") for one in blobs if one not in asked}
        return failed | odd

    def read(self, blob: str) -> bytes | None:
        """A blob's bytes, checked against its id; None where it is not here, or larger than prov reads of one file.

        Raises:
            GitFault: the cache cannot be used.
        """
        with self._noticing():
            read = self._reader.read(blob)
        return read.data if read is not None and read.kind == "blob" else None

    def commits(self, ids: Collection[str]) -> Mapping[str, Commit]:
        """Date and subject of commits; what is not here is left out.

        Raises:
            GitFault: the cache cannot be used.
        """
        asked = dict.fromkeys(one for one in ids if is_object_id(one))
        with self._noticing():
            reads = [read for read in self._reader.read_all(asked) if read is not None]
        return {
            read.id: described(read.id, read.data)
            for read in reads
            if read.kind == "commit" and read.data is not None
        }

    def _walk(self, links: Sequence[Link], paths: Collection[str] | None) -> Generator[Step]:
        process = self._start(git_walk.arguments(paths))
        pieces = stream(process, git_walk.questions(links), self._limits)
        with self._noticing():
            yield from git_walk.steps(links, pieces, paths)

    def _knows(self, commit: str) -> bool:
        """Whether the graph has a commit, once what is here of its history was read."""
        if commit in self._graph:
            return True
        is_open = is_object_id(commit) and commit not in self._failed and len(self._graph) < MOST_COMMITS
        if not is_open or self._reader.missing([commit]):
            return False
        self._load([one for one in dict.fromkeys((*self._commits, commit)) if one not in self._graph])
        return commit in self._graph

    def _load(self, commits: list[str]) -> None:
        """Read the parents of all that comes before some commits, at once."""
        room = MOST_COMMITS - len(self._graph)
        process = self._start(("rev-list", "--parents", f"--max-count={room}", "--stdin"))
        names = [*commits, *(f"^{one}" for one in self._loaded)]
        pieces = stream(process, (f"{name}\n".encode("ascii") for name in names), self._limits)
        try:
            for line in separated(pieces, b"\n"):
                one, *parents = line.decode("ascii").split(" ")
                self._graph.add(one, parents)
        except FailedChild:  # something that should come before is not here
            self._load_what_is_here(commits)
        self._loaded.extend(commits)

    def _load_what_is_here(self, commits: list[str]) -> None:
        """Read the parents of all that comes before some commits, as far as it can be followed."""
        ahead = dict.fromkeys(commits)
        while ahead and len(self._graph) < MOST_COMMITS:
            following: dict[str, None] = {}
            for read in self._reader.read_all(ahead):
                if read is not None and read.kind == "commit" and read.data is not None:
                    parents = parents_of(GitObject(read.id, read.kind, read.data))
                    self._graph.add(read.id, parents)
                    following.update(dict.fromkeys(parents))
            ahead = {one: None for one in following if one not in self._graph}

    def _why_missing(self, commit: str) -> str:
        if commit in self._failed:
            return self._failed[commit].message
        if not is_object_id(commit):
            return f"{commit!r} is no full commit id"
        if len(self._graph) >= MOST_COMMITS:
            return f"its history has more than {MOST_COMMITS:,} commits: prov walks no further"
        return f"commit {commit[:12]} is not in the cached history"

    def _why_apart(self, old: str, new: str) -> str:
        meet = bool(self._graph.bases(old, new))
        apart = "neither is an ancestor of the other" if meet else "they share no history"
        if not (self._graph.is_cut(old) or self._graph.is_cut(new)):
            return apart
        if len(self._graph) >= MOST_COMMITS:
            return f"{apart} among the newest {MOST_COMMITS:,} commits: prov walks no further"
        return f"{apart} as far as history goes: the repository that it comes from is a shallow clone"

    def _commit(self, commit: str) -> GitObject:
        self._check_here([commit])
        with self._noticing():
            read = self._reader.commit(commit)
        if read is None or read.kind != "commit" or read.data is None:
            message = f"{commit[:12]} is no commit of the cached history"
            raise GitFault(message)
        return GitObject(read.id, read.kind, read.data)

    def _check_here(self, commits: Iterable[str]) -> None:
        unsure = [one for one in dict.fromkeys(commits) if one not in self._graph]
        absent = [one for one in unsure if not is_object_id(one)] or self._reader.missing(unsure)
        if absent:
            raise GitFault(self._why_missing(absent[0]))

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Remember that the repository is broken, so that the next run gets a new one."""
        try:
            yield
        except FailedChild as error:
            message = f"the cached history is broken: {error}"
            self._broken = CorruptCache(message)
            raise self._broken from error
        except CorruptCache as error:
            self._broken = error
            raise

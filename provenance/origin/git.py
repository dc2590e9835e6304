"""The origin that is a git repository: revisions resolved, contents acquired and proven."""

from __future__ import annotations

import itertools
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from provenance.answers import Acquired, Unreached
from provenance.errors import ProvError, RefusedURL
from provenance.evidence import GitObject
from provenance.origin import git_moved
from provenance.origin.git_acquire import acquire, newest_with
from provenance.origin.git_cache import GitCache
from provenance.origin.git_command import DEFAULT_LIMITS, GitCommand, GitFault, Limits
from provenance.origin.git_environment import Recipe
from provenance.origin.git_fetch import Fetcher
from provenance.origin.git_history import GitHistory
from provenance.origin.git_objects import CorruptCache, ObjectReader
from provenance.origin.git_paths import ending_so
from provenance.origin.git_references import KnownReferences
from provenance.origin.git_remote import GitRemotes
from provenance.origin.git_resolve import Resolver
from provenance.origin.git_whole import WholeHistories

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path
    from types import TracebackType

    from provenance.answers import Answer, Resolution, Want
    from provenance.origin.address import AddressPolicy
    from provenance.origin.git_remote import Site
    from provenance.origin.listener import Listener
    from provenance.references import References

__all__ = ["GitOrigin", "Limits"]

_BATCH = 1000
"""Wants that are fetched together; what is known of them is in memory, their contents are not."""
_HISTORY_DEPTH = 100
"""Commits behind each tip that are looked at for a content which lost its own."""


class GitOrigin:
    """Gets contents from git repositories through a cache of bare ones. Safe to use from several threads."""

    def __init__(
        self,
        cache: Path,
        *,
        policy: AddressPolicy,
        listener: Listener,
        offline: bool = False,
        credentials: bool = True,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        """Use a cache; nothing is made or reached before it is needed.

        Args:
            cache: the folder of the cache.
            policy: which URLs and addresses may be reached.
            listener: told how it goes.
            offline: whether nothing may be asked of the network.
            credentials: whether git may use what the user configured to authenticate.
            limits: bounds on time and size.
        """
        self._cache = GitCache(cache.absolute(), patience=2 * limits.seconds)
        recipe = Recipe(credentials=credentials, allow_local=policy.allow_local, home=self._cache.home)
        self._command = GitCommand(recipe, limits)
        self._remotes = GitRemotes(self._command, policy, listener, limits, credentials=credentials)
        self._listener = listener
        self._offline = offline
        self._limits = limits
        self._references = KnownReferences()
        self._readers: set[ObjectReader] = set()
        self._histories: set[GitHistory] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that histories, and answers which were not read to their end, have left running."""
        for history in list(self._histories):
            history.close()
        for reader in list(self._readers):
            reader.close()

    def resolve(self, url: str, names: Collection[str]) -> dict[str, Resolution]:
        """Find the commits that revisions as written name.

        Args:
            url: the repository's URL, as written.
            names: commit ids, full or short, tags and branches.
        """
        try:
            site = self._remotes.open(url)
            try:
                return self._resolver(site).resolve(names)
            except CorruptCache as error:
                self._renew(self._prepared(site), error)
                return self._resolver(site).resolve(names)
        except (RefusedURL, GitFault) as error:
            return dict.fromkeys(names, _unreached(error))

    def references(self, url: str, *, everything: bool = False) -> References | Unreached:
        """What a repository lists; its server is asked once a run.

        Args:
            url: the repository's URL, as written.
            everything: whether the default branch is asked for too, and what is neither branch nor tag.
        """
        try:
            site = self._remotes.open(url)
            return self._references.ask(
                site.key, lambda: self._listed(site, everything=everything), everything=everything
            )
        except (RefusedURL, GitFault) as error:
            return _unreached(error)

    def acquire(
        self, url: str, wants: Collection[Want], *, refresh: bool = False
    ) -> Iterator[tuple[Want, Answer]]:
        """Get files, with the proof that their commits hold them. Every want is answered once.

        Args:
            url: the repository's URL, as written.
            wants: files at full commit ids.
            refresh: whether the server is asked for commits too that are in the cache.
        """
        # In this order what one commit and one folder have in common is read once.
        ordered = iter(sorted(dict.fromkeys(wants), key=lambda want: (want.commit, want.path)))
        while batch := list(itertools.islice(ordered, _BATCH)):
            yield from self._batch(url, batch, refresh=refresh)

    def reachable(self, url: str, path: str, blob: str) -> str | None:
        """A commit that branches or tags lead to and that has a blob at a path; None where none is known.

        Looks at the newest commits alone.
        """
        try:
            site = self._remotes.open(url)
            directory = self._prepared(site)
            tips = self._resolver(site).tips()
            with self._reading(directory) as reader:
                self._fetcher(site, directory, reader).history([tip.name for tip in tips], _HISTORY_DEPTH)
                return newest_with(path, blob, [tip.commit for tip in tips], reader)
        except (RefusedURL, GitFault):
            return None

    def paths(
        self, url: str, commit: str, ends: Collection[str]
    ) -> Mapping[str, tuple[str, ...]] | Unreached:
        """The paths of a commit's files that end with whole parts of paths, such as `valve.py`.

        Args:
            url: the repository's URL, as written.
            commit: full commit id.
            ends: the ends of paths.
        """
        try:
            site = self._remotes.open(url)
            directory = self._prepared(site)
            with self._reading(directory) as reader:
                failed = self._fetcher(site, directory, reader).commits([commit])
                read = None if failed else reader.commit(commit)
                if read is None or read.data is None:
                    message = (
                        failed[commit].message if failed else f"commit {commit[:12]} is not in the cache"
                    )
                    return Unreached(message)
                return ending_so(GitObject(read.id, read.kind, read.data), ends, reader)
        except (RefusedURL, GitFault) as error:
            return _unreached(error)

    def history(self, url: str, commits: Collection[str]) -> GitHistory | Unreached:
        """See to it that commits are in the cache, and all that comes before them: commits and trees, no files.

        Args:
            url: the repository's URL, as written.
            commits: full commit ids.

        Returns:
            What can be read there, to be closed by the caller. A commit that could not be had is told of where it is
            asked for; where none could be had, why.
        """
        try:
            site = self._remotes.open(url)
            directory = self._prepared(site, "history")
            try:
                return self._history(site, directory, commits)
            except CorruptCache as error:
                if self._offline:
                    raise
                self._renew(directory, error)
                return self._history(site, directory, commits)
        except (RefusedURL, GitFault) as error:
            return _unreached(error)

    def _listed(self, site: Site, *, everything: bool) -> References | Unreached:
        try:
            return self._resolver(site).references(everything=everything)
        except CorruptCache as error:
            self._renew(self._prepared(site), error)
            return self._resolver(site).references(everything=everything)

    def _history(self, site: Site, directory: Path, commits: Collection[str]) -> GitHistory | Unreached:
        with ExitStack() as stack:
            reader = stack.enter_context(self._reading(directory))
            fetcher = self._fetcher(site, directory, reader, whole=True)
            histories = WholeHistories(
                directory,
                cache=self._cache,
                command=self._command,
                reader=reader,
                fetcher=None if self._offline else fetcher,
                limits=self._limits,
            )
            failed = histories.ensure(commits)
            here = [one for one in commits if one not in failed]
            if failed and not here:
                return Unreached(next(iter(failed.values())).message)
            opened = GitHistory(
                here,
                reader=reader,
                fetcher=fetcher,
                start=lambda arguments: self._command.reader(arguments, directory),
                limits=self._limits,
                failed=failed,
                close=lambda history, broken: self._closed(history, directory, broken),
            )
            self._histories.add(opened)
            self._readers.discard(reader)
            stack.pop_all()  # the history closes its reader
            return opened

    def _closed(self, history: GitHistory, directory: Path, broken: CorruptCache | None) -> None:
        is_open = history in self._histories
        self._histories.discard(history)
        if is_open and broken is not None and not self._offline:
            self._renew(directory, broken)

    def _batch(self, url: str, batch: list[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        """Answer every want, once more with a new cache where the old one turns out to be broken."""
        left = dict.fromkeys(batch)
        error: ProvError | None = None
        notes: tuple[str, ...] | None = None
        for _ in range(2):
            try:
                site = self._remotes.open(url)
                directory = self._prepared(site)
                if error is not None:
                    self._renew(directory, error)
                with self._reading(directory) as reader:
                    fetcher = self._fetcher(site, directory, reader)
                    for want, answer in acquire(list(left), reader, fetcher, refresh=refresh):
                        del left[want]
                        if isinstance(answer, Acquired):
                            notes = self._moved(site, directory) if notes is None else notes
                            yield want, replace(answer, notes=(*answer.notes, *notes))
                        else:
                            yield want, answer
            except (RefusedURL, GitFault) as raised:
                error = raised
                if self._offline or not isinstance(raised, CorruptCache):
                    break
            else:
                return
        if error is not None:
            yield from ((want, _unreached(error)) for want in left)

    def _moved(self, site: Site, directory: Path) -> tuple[str, ...]:
        """That a repository is somewhere else now, as this run has seen it or an earlier one."""
        address = self._remotes.moved(site)
        if address is None:
            address = git_moved.kept(directory)
        else:
            git_moved.keep(directory, address)
        return (git_moved.note(site.name, address),) if address else ()

    def _prepared(self, site: Site, purpose: str = "objects") -> Path:
        directory = self._cache.directory(site.key, purpose)
        self._cache.ensure(directory)
        return directory

    def _renew(self, directory: Path, error: ProvError) -> None:
        self._listener.say(f"{error}: it is made anew")
        self._cache.discard(directory)

    @contextmanager
    def _reading(self, directory: Path) -> Iterator[ObjectReader]:
        reader = ObjectReader(lambda arguments: self._command.reader(arguments, directory), self._limits.blob)
        self._readers.add(reader)
        try:
            yield reader
        finally:
            self._readers.discard(reader)
            reader.close()

    def _fetcher(self, site: Site, directory: Path, reader: ObjectReader, *, whole: bool = False) -> Fetcher:
        return Fetcher(
            site,
            directory,
            remotes=None if self._offline else self._remotes,
            cache=self._cache,
            reader=reader,
            listener=self._listener,
            whole=whole,
        )

    def _resolver(self, site: Site) -> Resolver:
        return Resolver(
            site,
            remotes=None if self._offline else self._remotes,
            cache=self._cache,
            command=self._command,
            listener=self._listener,
            known=self._references,
        )


def _unreached(error: ProvError) -> Unreached:
    return Unreached(str(error), refused=isinstance(error, RefusedURL))

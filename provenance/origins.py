"""The origins of a run, made when they are first needed."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from provenance.answers import Answer, ReleaseFiles, Resolution, Unreached, Want
    from provenance.citation import Release
    from provenance.history import History
    from provenance.origin.address import AddressPolicy
    from provenance.origin.archive import ArchiveOrigin
    from provenance.origin.git import GitOrigin
    from provenance.origin.http import HttpSession
    from provenance.origin.hub import HubOrigin
    from provenance.origin.listener import Listener
    from provenance.origin.pip_configuration import PipConfiguration
    from provenance.origin.release import ReleaseOrigin
    from provenance.references import References


class Origins(Protocol):
    """Whoever can be asked for revisions and contents. Called from several threads."""

    def resolve(self, git: str, names: Collection[str]) -> dict[str, Resolution]:
        """Full commit ids of revisions as written."""

    def references(self, git: str, *, everything: bool = False) -> References | Unreached:
        """The branches and tags of a repository, or all that it lists; it is asked once."""

    def acquire(self, git: str, wants: Collection[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        """Contents of a repository, proven from their commits."""

    def reachable(self, git: str, path: str, blob: str) -> str | None:
        """A commit that a branch or tag holds, and that has the blob at the path."""

    def paths(
        self, git: str, commit: str, ends: Collection[str]
    ) -> Mapping[str, tuple[str, ...]] | Unreached:
        """The paths of a commit's files that end with whole parts of paths, by those ends."""

    def history(self, git: str, commits: Collection[str]) -> History | Unreached:
        """The past of commits, to be closed by the caller; why, where none of them can be had."""

    def raw(self, git: str, revision: str, paths: Collection[str]) -> Mapping[str, Answer]:
        """Files of a repository without git, by path as cited; none where its host has no way to ask for them."""

    def release(self, release: Release, paths: Collection[str]) -> Mapping[str, Answer]:
        """Contents of a release artifact, by path as cited."""

    def release_files(self, release: Release, paths: Collection[str]) -> ReleaseFiles | Unreached:
        """All text files of a release artifact, within bounds, and where among them the cited ones stand."""

    def archive(self, blob: str) -> Answer:
        """A content by its blob id, from an archive."""

    def close(self) -> None:
        """Let go of child processes and connections."""


@dataclass(frozen=True, slots=True)
class NetworkReach:
    """What the command line allows."""

    root: Path
    """The project's root, which relative paths are meant from."""
    allow_local: bool = False
    allow_hosts: frozenset[str] = frozenset()
    credentials: bool = True
    cache: Path | None = None
    """Where bare repositories are kept; None for the user's cache folder."""
    offline: bool = False
    """Whether nobody is asked: what the cache has is read."""


@contextmanager
def closing(origins: NetworkOrigins | None) -> Iterator[NetworkOrigins | None]:
    """Let go of origins at the end of a block; None, where nobody may be asked, stays None."""
    try:
        yield origins
    finally:
        if origins is not None:
            origins.close()


class NetworkOrigins:
    """git, the Hugging Face hub, the package index that pip is configured for, and the Software Heritage archive.

    Nothing of them is imported before somebody must be asked.
    """

    def __init__(self, listener: Listener, reach: NetworkReach) -> None:
        self._listener = listener
        self._reach = reach
        self._making = threading.RLock()

    def resolve(self, git: str, names: Collection[str]) -> dict[str, Resolution]:
        """Full commit ids of revisions as written."""
        return self._git_origin().resolve(self._located(git), names)

    def references(self, git: str, *, everything: bool = False) -> References | Unreached:
        """The branches and tags of a repository, or all that it lists; it is asked once."""
        return self._git_origin().references(self._located(git), everything=everything)

    def acquire(self, git: str, wants: Collection[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        """Contents of a repository, proven from their commits."""
        return self._git_origin().acquire(self._located(git), wants, refresh=refresh)

    def reachable(self, git: str, path: str, blob: str) -> str | None:
        """A commit that a branch or tag holds, and that has the blob at the path."""
        return self._git_origin().reachable(self._located(git), path, blob)

    def paths(
        self, git: str, commit: str, ends: Collection[str]
    ) -> Mapping[str, tuple[str, ...]] | Unreached:
        """The paths of a commit's files that end with whole parts of paths, by those ends."""
        return self._git_origin().paths(self._located(git), commit, ends)

    def history(self, git: str, commits: Collection[str]) -> History | Unreached:
        """The past of commits, to be closed by the caller; why, where none of them can be had."""
        return self._git_origin().history(self._located(git), commits)

    def raw(self, git: str, revision: str, paths: Collection[str]) -> Mapping[str, Answer]:
        """Files of a repository without git, by path as cited; none where its host has no way to ask for them."""
        from provenance.origin.hub import hub_repository

        if hub_repository(git) is None:
            return {}
        with self._making:
            origin = self._hub
        return origin.acquire(git, revision, paths)

    def release(self, release: Release, paths: Collection[str]) -> Mapping[str, Answer]:
        """Contents of a release artifact, by path as cited."""
        with self._making:
            origin = self._release
        return origin.acquire(release, paths)

    def release_files(self, release: Release, paths: Collection[str]) -> ReleaseFiles | Unreached:
        """All text files of a release artifact, within bounds, and where among them the cited ones stand."""
        with self._making:
            origin = self._release
        return origin.files(release, paths)

    def archive(self, blob: str) -> Answer:
        """A content by its blob id, from an archive."""
        with self._making:
            origin = self._archive
        return origin.acquire(blob)

    def close(self) -> None:
        """Let go of child processes and connections."""
        if "_git" in self.__dict__:
            self._git.close()

    def _located(self, git: str) -> str:
        """A URL as written; a relative path is meant from the project's root, wherever prov is run."""
        is_path = "://" not in git and ":" not in git.partition("/")[0]
        is_allowed = self._reach.allow_local and is_path and not git.startswith("-")
        return str(self._reach.root / git) if is_allowed else git

    def _git_origin(self) -> GitOrigin:
        with self._making:
            return self._git

    @cached_property
    def _git(self) -> GitOrigin:
        from provenance.origin.git import GitOrigin

        return GitOrigin(
            self._reach.cache or _user_cache(),
            policy=self._policy,
            listener=self._listener,
            offline=self._reach.offline,
            credentials=self._reach.credentials,
        )

    @cached_property
    def _policy(self) -> AddressPolicy:
        from provenance.origin.address import AddressPolicy

        return AddressPolicy(allow_local=self._reach.allow_local, allow_hosts=self._reach.allow_hosts)

    @cached_property
    def _pip(self) -> PipConfiguration:
        from provenance.origin.pip_configuration import read_configuration

        return read_configuration(os.environ, home=Path.home())

    @cached_property
    def _session(self) -> HttpSession:
        from provenance.origin.pip_configuration import open_session

        return open_session(self._pip, self._policy, credentials=self._reach.credentials)

    @cached_property
    def _release(self) -> ReleaseOrigin:
        from provenance.origin.release import ReleaseOrigin

        return ReleaseOrigin(
            session=self._session,
            indexes=self._pip.indexes,
            listener=self._listener,
            offline=self._reach.offline,
        )

    @cached_property
    def _hub(self) -> HubOrigin:
        from provenance.origin.hub import HubOrigin

        return HubOrigin(session=self._session, listener=self._listener)

    @cached_property
    def _archive(self) -> ArchiveOrigin:
        from provenance.origin.archive import ArchiveOrigin

        return ArchiveOrigin(session=self._session, listener=self._listener, offline=self._reach.offline)


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("prov", appauthor=False)

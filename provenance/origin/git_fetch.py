"""Bringing commits, trees and blobs into a repository of the cache, in few requests.

The short way is one fetch for all commits with their trees, and one for all blobs, each by id, so that
neither references nor history are sent. A server that gives no object by id is asked for its branches and
tags; one that ignores filters sends the blobs along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from provenance.answers import Lacking, Unreached
from provenance.evidence import Verdict
from provenance.origin.git_environment import REMOTE
from provenance.origin.git_failure import Failure, Remedy
from provenance.origin.git_objects import CorruptCache
from provenance.origin.git_revision import parse_refs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from provenance.origin.git_cache import GitCache
    from provenance.origin.git_objects import ObjectReader
    from provenance.origin.git_remote import GitRemotes, Site
    from provenance.origin.git_revision import Ref
    from provenance.origin.listener import Listener

_FETCH = ("fetch", "--progress", "--no-tags", "--no-write-fetch-head", "--recurse-submodules=no", "--stdin")
_NO_HAVES = ("-c", "fetch.negotiationAlgorithm=noop")
_UNFILTERED = "--no-filter"
_FILTERED = "--filter=blob:none"
_ALL_DEPTHS = "--depth=2147483647"
"""Without end (shallow.h, `INFINITE_DEPTH`). A depth makes git ask for commits that are here already: their files may
not be."""
_EVEN_CUT_OFF = "--update-shallow"
"""From a server that is a shallow clone git would take nothing, and look for what the server lacks without end."""
_MOST_ABSENT = 100
"""How often a fetch is made again without an id that the server does not have: it names one at a time."""
_FILTER_IGNORED = "filtering not recognized"

Failed = Lacking | Unreached


class _Extent(NamedTuple):
    """How much is fetched."""

    options: tuple[str, ...]
    """Of `git fetch`."""
    tells: bool = False
    """Whether the server is told which references are here, and leaves out what they hold."""


_BY_ID = _Extent((_FILTERED,))
_FILES_ALONE = _Extent(("--depth=1", _UNFILTERED))
_TREES_ALONE = _Extent(("--depth=1", _FILTERED))
_HISTORY = _Extent((_FILTERED, _EVEN_CUT_OFF), tells=True)
_HISTORY_WITH_FILES = _Extent((_UNFILTERED, _ALL_DEPTHS, _EVEN_CUT_OFF))
_WITH_ALL_BRANCHES = {
    _TREES_ALONE: _Extent((_FILTERED,)),
    _FILES_ALONE: _Extent((_UNFILTERED, _ALL_DEPTHS)),
}
"""Which commit a branch holds is seen in its history alone."""


def list_refs(
    remotes: GitRemotes | None, site: Site, directory: Path, *, everything: bool = False
) -> dict[str, Ref] | Failure:
    """What a server lists: branches and tags, and the rest only where it is needed: it may be much.

    Raises:
        RefusedURL: an address is not allowed.
        GitFault: git or the cache cannot be used.
    """
    listed = listing(remotes, site, directory, everything=everything)
    return listed if isinstance(listed, Failure) else parse_refs(listed)


def listing(remotes: GitRemotes | None, site: Site, directory: Path, *, everything: bool) -> bytes | Failure:
    """The same as git prints it, and with it what the default branch is called.

    Raises:
        RefusedURL: an address is not allowed.
        GitFault: git or the cache cannot be used.
    """
    if remotes is None:
        return Failure(Remedy.FINAL, "offline: only full commit ids can be used")
    # The default branch is told with everything alone: a pattern for it makes a server send no less.
    which = ("--symref",) if everything else ("--heads", "--tags")
    answer = remotes.call(site, ("ls-remote", *which, REMOTE), directory)
    if isinstance(answer, Failure):
        _check_cache(answer)
        return answer
    return answer.out


def _check_cache(failure: Failure) -> None:
    if failure.remedy is Remedy.CORRUPT:
        raise CorruptCache(failure.message)


class Fetcher:
    """Fetches into one repository of the cache, for one thread."""

    def __init__(
        self,
        site: Site,
        directory: Path,
        *,
        remotes: GitRemotes | None,
        cache: GitCache,
        reader: ObjectReader,
        listener: Listener,
        whole: bool = False,
    ) -> None:
        """Fetch into a repository.

        Args:
            site: the remote repository.
            directory: the repository in the cache.
            remotes: None where nothing may be asked of the network.
            cache: the cache.
            reader: reads the repository.
            listener: told which way was taken.
            whole: whether commits come with all that is before them, as far as no reference of the repository holds it.
        """
        self._site = site
        self._directory = directory
        self._remotes = remotes
        self._cache = cache
        self._reader = reader
        self._listener = listener
        self._trees = _HISTORY if whole else _TREES_ALONE
        self._files = _HISTORY_WITH_FILES if whole else _FILES_ALONE
        self._said: set[str] = set()
        self._asked_all: set[_Extent] = set()

    def commits(self, ids: Iterable[str], *, again: bool = False) -> dict[str, Failed]:
        """Get commits and their trees.

        Args:
            ids: full commit ids.
            again: ask the server for those too that are here.

        Returns:
            Why, for each that could not be had.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        wanted = list(dict.fromkeys(ids))
        again = again and self._remotes is not None
        missing = wanted if again else self._reader.missing(wanted)
        if not missing:
            return {}
        if self._remotes is None:
            return {one: Unreached(f"offline, and commit {one[:12]} is not in the cache") for one in missing}
        with self._cache.writing(self._directory):
            # Another run may have brought them while this one waited.
            missing = missing if again else self._reader.missing(missing)
            return self._commits(missing, self._trees)

    def absent(self, ids: list[str]) -> dict[str, Failed]:
        """Get commits that are not here. Only for the one writer, who has asked for the network.

        Returns:
            Why, for each that could not be had.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        return self._commits(ids, self._trees) if ids else {}

    def objects(self, ids: Iterable[str], commits: Iterable[str]) -> dict[str, Unreached]:
        """Get blobs (or trees that are missing) by id.

        Args:
            ids: their ids.
            commits: commits that hold them, for servers that give no object by id.

        Returns:
            Why, for each that could not be had.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        missing = self._reader.missing(dict.fromkeys(ids))
        if not missing:
            return {}
        if self._remotes is None:
            return {
                one: Unreached(f"offline, and object {one[:12]} is absent from this partial clone")
                for one in missing
            }
        with self._cache.writing(self._directory):
            missing = self._reader.missing(missing)
            failed, refused = self._by_id(missing, _BY_ID)
            if refused:
                self._say(
                    f"{self._site.host} refuses blobs by id: whole commits are fetched from {self._site.name}"
                )
                whole = self._commits(list(dict.fromkeys(commits)), self._files)
                failed |= dict.fromkeys(refused, next(iter(whole.values()))) if whole else {}
            lacking = self._reader.missing(missing)
        self._check_sent(lacking, refused or failed)
        return {
            one: Unreached(
                f"object {one[:12]} is absent from this partial clone: "
                + (failed[one].message if one in failed else f"{self._site.host} did not send it")
            )
            for one in lacking
        }

    def history(self, tips: Sequence[str], depth: int) -> None:
        """Get the newest commits of some references, with their trees; what cannot be had is left out.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        if self._remotes is not None and tips:
            with self._cache.writing(self._directory):
                self._by_id(list(tips), _Extent((f"--depth={depth}", _FILTERED)))

    def _commits(self, ids: list[str], extent: _Extent) -> dict[str, Failed]:
        """Get commits by id, or with the branches and tags that hold them."""
        failed, refused = self._by_id(ids, extent)
        if not refused:
            self._check_sent(self._reader.missing(ids), failed)
            return failed
        self._say(
            f"{self._site.host} refuses direct fetch by id: "
            f"all branches and tags of {self._site.name} are fetched instead"
        )
        if extent not in self._asked_all:
            self._asked_all.add(extent)
            failure = self._fetch_all(_WITH_ALL_BRANCHES.get(extent, extent))
            if failure is not None:
                return failed | dict.fromkeys(refused, Unreached(failure.message))
        for one in self._reader.missing(refused):
            failed[one] = Lacking(
                Verdict.NO_REVISION,
                f"the server refuses direct fetch by id, and none of its branches or tags holds {one}",
            )
        return failed

    def _by_id(self, ids: list[str], extent: _Extent) -> tuple[dict[str, Failed], list[str]]:
        """Fetch objects by id; one that fails loses no other.

        Returns:
            Why, for each that could not be had; and those that the server does not give by id.
        """
        pending, failed = list(ids), dict[str, Failed]()
        for _ in range(_MOST_ABSENT):
            failure = self._fetch(pending, extent) if pending else None
            if failure is None:
                return failed, []
            named = [one for one in pending if one in failure.ids]
            if failure.remedy is Remedy.REFUSED_ID:
                return failed, pending
            if failure.remedy is not Remedy.ABSENT_ID or not named:
                return failed | dict.fromkeys(pending, Unreached(failure.message)), []
            for one in named:
                failed[one] = Lacking(Verdict.NO_REVISION, f"{self._site.name} does not hold {one}")
            pending = [one for one in pending if one not in failure.ids]
        message = (
            f"{self._site.host} lacks {_MOST_ABSENT} or more of the objects that are cited: "
            "the rest was not asked for"
        )
        return failed | dict.fromkeys(pending, Unreached(message)), []

    @staticmethod
    def _check_sent(lacking: list[str], excused: Collection[str]) -> None:
        """Notice a repository that does not show what was just written to it: a pack or its index is broken."""
        for one in lacking:
            if one not in excused:
                message = f"the cached repository does not show {one[:12]}, which was just fetched"
                raise CorruptCache(message)

    def _fetch(self, wanted: Sequence[str], extent: _Extent) -> Failure | None:
        if self._remotes is None:
            return Failure(Remedy.FINAL, "offline")
        feed = "".join(f"{one}\n" for one in wanted).encode("utf-8", "surrogateescape")
        # Without branches there is nothing to compare with the server's, and nothing that it need be told.
        before = () if extent.tells else _NO_HAVES
        answer = self._remotes.call(
            self._site, [*before, *_FETCH, *extent.options, REMOTE], self._directory, feed=feed
        )
        if isinstance(answer, Failure):
            _check_cache(answer)
            return answer
        if _FILTER_IGNORED in answer.err:
            self._say(f"{self._site.host} ignores filters: {self._site.name} is fetched with all its files")
        return None

    def _fetch_all(self, extent: _Extent) -> Failure | None:
        """Fetch every branch and tag, by name: a pattern would want references to be made here."""
        refs = list_refs(self._remotes, self._site, self._directory)
        return refs if isinstance(refs, Failure) else self._fetch(list(refs), extent)

    def _say(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._listener.say(text)

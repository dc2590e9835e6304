"""Revisions as written to full commit ids: by the references that a server lists, else by all commits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.answers import Resolved, Unreached
from provenance.origin import git_revision
from provenance.origin.git_environment import REMOTE
from provenance.origin.git_failure import Failure, Remedy
from provenance.origin.git_fetch import list_refs, listing
from provenance.origin.git_objects import CorruptCache, ObjectReader
from provenance.origin.git_revision import Kind
from provenance.references import References, beyond_branches_and_tags, is_short_id

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from provenance.answers import Resolution
    from provenance.origin.git_cache import GitCache
    from provenance.origin.git_command import GitCommand
    from provenance.origin.git_references import KnownReferences
    from provenance.origin.git_remote import GitRemotes, Site
    from provenance.origin.git_revision import Ref
    from provenance.origin.listener import Listener

_COMMITS_ALONE = (
    "fetch",
    "--progress",
    "--no-tags",
    "--no-write-fetch-head",
    "--recurse-submodules=no",
    "--prune",
    "--filter=tree:0",
    REMOTE,
    "+refs/heads/*:refs/heads/*",
    "+refs/tags/*:refs/tags/*",
)
_MOST_BRANCHES = 40
_MOST_TAGS = 40
_FIRST = {"refs/heads/main": 0, "refs/heads/master": 1}


class Resolver:
    """Resolves revisions of one repository, for one thread."""

    def __init__(
        self,
        site: Site,
        *,
        remotes: GitRemotes | None,
        cache: GitCache,
        command: GitCommand,
        listener: Listener,
        known: KnownReferences,
    ) -> None:
        """Resolve revisions.

        Args:
            site: the remote repository.
            remotes: None where nothing may be asked of the network.
            cache: where the list of commits is kept.
            command: runs git.
            listener: told which way was taken.
            known: what was listed in this run.
        """
        self._site = site
        self._remotes = remotes
        self._cache = cache
        self._command = command
        self._listener = listener
        self._known = known

    def resolve(self, names: Collection[str]) -> dict[str, Resolution]:
        """Find the commit that each revision names.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        answers: dict[str, Resolution] = {}
        open_names: list[str] = []
        for name in names:
            match git_revision.kind_of(name):
                case Kind.FULL:
                    answers[name] = Resolved(name.lower())
                case Kind.NONE:
                    answers[name] = git_revision.unpinned(name)
                case Kind.NAME:
                    open_names.append(name)
        return answers | self._by_refs(open_names) if open_names else answers

    def references(self, *, everything: bool) -> References | Unreached:
        """What the server lists.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        listed = listing(self._remotes, self._site, self._directory(), everything=everything)
        if isinstance(listed, Failure):
            return Unreached(listed.message)
        moved = None if self._remotes is None else self._remotes.moved(self._site)
        return git_revision.references(listed, everything=everything, moved=moved or None)

    def tips(self) -> list[Ref]:
        """Some branches and tags, the most likely ones first; none where they cannot be had.

        Raises:
            RefusedURL: an address is not allowed.
            GitFault: git or the cache cannot be used.
        """
        refs = self._refs(everything=False)
        if isinstance(refs, Failure):
            return []
        branches = [ref for ref in refs.values() if ref.name.startswith("refs/heads/")]
        tags = [ref for ref in refs.values() if ref.name.startswith("refs/tags/")]
        branches.sort(key=lambda ref: (_FIRST.get(ref.name, len(_FIRST)), ref.name))
        return branches[:_MOST_BRANCHES] + tags[-_MOST_TAGS:]

    def _by_refs(self, names: list[str]) -> dict[str, Resolution]:
        refs = self._refs(everything=any(map(beyond_branches_and_tags, names)))
        if isinstance(refs, Failure):
            return dict.fromkeys(names, Unreached(refs.message))
        answers: dict[str, Resolution] = {}
        short: list[str] = []
        for name in names:
            known = git_revision.named(name, refs)
            if known is None and is_short_id(name):
                known = git_revision.among_tips(name, refs)
                if known is None:
                    short.append(name)
                    continue
            answers[name] = known or git_revision.unknown(name)
        return answers | self._by_commits(short) if short else answers

    def _refs(self, *, everything: bool) -> dict[str, Ref] | Failure:
        known = self._known.get(self._site.key, everything=everything)
        if isinstance(known, References):
            return git_revision.refs_of(known)
        return list_refs(self._remotes, self._site, self._directory(), everything=everything)

    def _directory(self) -> Path:
        directory = self._cache.directory(self._site.key, "objects")
        self._cache.ensure(directory)
        return directory

    def _by_commits(self, names: list[str]) -> dict[str, Resolution]:
        """Look for short ids among all commits: whether one is ambiguous, part of them cannot tell."""
        directory = self._cache.directory(self._site.key, "commits")
        self._listener.say(
            f"servers take full commit ids only: the list of all commits of {self._site.name} is fetched "
            f"to find {', '.join(names)}"
        )
        try:
            return self._among_commits(names, directory)
        except CorruptCache as error:
            self._listener.say(f"{error}: it is made anew")
            self._cache.discard(directory)
            return self._among_commits(names, directory)

    def _among_commits(self, names: list[str], directory: Path) -> dict[str, Resolution]:
        self._cache.ensure(directory)
        if self._remotes is None:
            return dict.fromkeys(names, Unreached("offline"))
        with self._cache.writing(directory):
            answer = self._remotes.call(self._site, _COMMITS_ALONE, directory)
            if isinstance(answer, Failure):
                if answer.remedy is Remedy.CORRUPT:
                    raise CorruptCache(answer.message)
                return dict.fromkeys(names, Unreached(answer.message))
            return {name: self._expand(name, directory) for name in names}

    def _expand(self, name: str, directory: Path) -> Resolution:
        listed = self._command.read(("rev-parse", f"--disambiguate={name.lower()}"), directory)
        if listed.code:
            message = "the list of commits in the cache is broken"
            raise CorruptCache(message)
        ids = listed.out.decode("ascii", "replace").split()
        # Their kinds alone are looked at: with a limit of 0 no bytes are kept.
        with ObjectReader(lambda arguments: self._command.reader(arguments, directory), limit=0) as reader:
            kinds = list(reader.read_all(ids))
        commits = [read.id for read in kinds if read is not None and read.kind == "commit"]
        return git_revision.among_commits(name, commits)

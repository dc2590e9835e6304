"""What links mean today: a repository, a revision and a path for each, the references asked for once a run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from provenance.answers import Unreached
from provenance.compare.refs import readings
from provenance.links.permalinks import public_url
from provenance.links.swhids import ARCHIVE_HOST
from provenance.links.targets import ContentLink, FileLink, NotUnderstood, PlainPlace, RefKind, RelativeLink
from provenance.references import beyond_branches_and_tags, is_short_id
from provenance.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.compare.refs import Reading
    from provenance.links.targets import Target
    from provenance.origins import Origins
    from provenance.project import Repository
    from provenance.references import References

ARCHIVE = f"https://{ARCHIVE_HOST}"
"""Where a content is had by its id alone."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A link whose revision is not told by its looks, and is asked for in every run as long as it moves."""

    git: str
    """The repository's URL, without secrets."""
    rest: str
    """Revision and path, joined."""
    ref: RefKind
    """What the link's form says of the revision."""
    stated: str | None = None
    """The revision, where the link itself tells where it ends."""

    def readings(self, known: References) -> tuple[Reading, ...]:
        """What it may mean, the likeliest first."""
        return readings(self.rest, known, self.ref, stated=self.stated)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A file that a link may lead to."""

    git: str
    """As it is asked."""
    revision: str
    """A full commit id where the link's own revision moves, else as the link has it."""
    path: str
    moving: str | None = None
    """The branch that the link names; None where it is pinned."""
    written: str | None = None
    """The revision as the link has it, where it moves; None where nobody could be asked whether it does."""
    blob: str | None = None
    """The content's id, where the link names it."""
    notes: tuple[str, ...] = ()

    @property
    def public(self) -> str:
        """The repository's URL as it is kept and shown."""
        return public_url(self.git)


def asked(target: Target | NotUnderstood, repository: Repository | None) -> Asked | None:
    """What must be asked about a link before its file can be; None where its revision looks like a commit's id.

    That a tag is called like a short one is found out by whoever resolves it.
    """
    match target:
        case FileLink():
            revision = target.revision
            stated = revision if target.stated else None
            return (
                None
                if is_short_id(revision)
                else Asked(public_url(target.git), target.rest, target.ref, stated)
            )
        case PlainPlace(path=path) if repository is not None:
            revision, git = repository.revision, public_url(repository.git)
            rest = f"{revision}/{repository.within(path)}"
            return None if is_short_id(revision) else Asked(git, rest, RefKind.ANY, revision)
        case PlainPlace() | RelativeLink() | ContentLink() | NotUnderstood():
            return None
        case _:
            assert_never(target)


class Resolving:
    """Asks repositories what their branches and tags are, once a run."""

    def __init__(self, origins: Origins | None, *, jobs: int) -> None:
        self._origins = origins
        self._jobs = jobs
        self._known: dict[str, References | Unreached] = {}

    def ask(self, items: Iterable[Asked]) -> None:
        """Ask the repositories of links, some at once; none is asked twice for the same."""
        missing: dict[str, bool] = {}
        for item in items:
            everything = beyond_branches_and_tags(item.rest)
            if not self._knows(item.git, everything=everything):
                missing[item.git] = missing.get(item.git, False) or everything
        if self._origins is None:
            unasked = Unreached("its revision is a name, and --offline asks nobody what that is")
            self._known |= dict.fromkeys(missing, unasked)
            return
        origins = self._origins

        def references(wish: tuple[str, bool]) -> Iterator[tuple[str, References | Unreached]]:
            git, everything = wish
            yield git, origins.references(git, everything=everything)

        self._known |= dict(Workers(missing.items(), references, jobs=self._jobs).results())

    def _knows(self, git: str, *, everything: bool) -> bool:
        known = self._known.get(git)
        return isinstance(known, Unreached) or (known is not None and (known.everything or not everything))

    def meanings(self, target: Target, repository: Repository | None) -> tuple[Meaning, ...]:
        """The files that a link may lead to, the likeliest first; none for a file of the project itself."""
        item = asked(target, repository)
        if item is not None:
            return self._named(item, target.notes if isinstance(target, FileLink) else ())
        match target:
            case FileLink(git=git, revision=revision, path=path, notes=notes):
                return (Meaning(git, revision, path, notes=notes),)
            case ContentLink():
                return (_content(target),)
            case PlainPlace(path=path) if repository is not None:
                return (Meaning(repository.git, repository.revision, repository.within(path)),)
            case PlainPlace() | RelativeLink():
                return ()
            case _:
                assert_never(target)

    def today(self, item: Asked) -> tuple[tuple[str, str | None], ...]:
        """The paths that a link may name today, with their commits; nothing where that cannot be told."""
        known = self._known[item.git]
        if isinstance(known, Unreached):
            return ()
        return tuple((reading.path, reading.commit) for reading in item.readings(known))

    def moves(self, item: Asked) -> bool:
        """Whether a link's revision may be another commit tomorrow, or may be told then at all."""
        known = self._known[item.git]
        if isinstance(known, Unreached):
            return True
        return any(reading.moves or reading.commit is None for reading in item.readings(known))

    def _named(self, item: Asked, notes: tuple[str, ...]) -> tuple[Meaning, ...]:
        known = self._known[item.git]
        if isinstance(known, Unreached):  # whoever asks for the file is told the same
            first = readings(item.rest, None, item.ref, stated=item.stated)[0]
            return (Meaning(item.git, first.revision, first.path, moving=first.revision, notes=notes),)
        return tuple(
            Meaning(
                item.git,
                reading.commit if reading.moves and reading.commit is not None else reading.revision,
                reading.path,
                moving=reading.name or reading.revision if reading.moves else None,
                written=reading.revision if reading.moves else None,
                notes=(*notes, *reading.notes),
            )
            for reading in item.readings(known)
        )


def _content(link: ContentLink) -> Meaning:
    """A content by its commit where the identifier tells that, else by its id alone."""
    if link.origin is not None and link.revision is not None and link.path is not None:
        return Meaning(link.origin, link.revision, link.path, blob=link.blob)
    return Meaning(ARCHIVE, link.blob, link.path or "content", blob=link.blob)


def resolution_digest(resolving: Resolving, items: Iterable[Asked]) -> str:
    """Digest of what moving links mean today, 64 hexadecimal digits."""
    meant = [[item.git, item.rest, item.ref.name, resolving.today(item)] for item in items]
    return hashlib.sha256(json.dumps(meant).encode()).hexdigest()

"""From what a person writes to the files that may be meant: by a manifest's source, by a URL, by a link."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from provenance.answers import Lacking, Resolved, Unreached
from provenance.citation import Source
from provenance.cite.wish import NotFound
from provenance.compare.refs import readings
from provenance.documents.names import slug
from provenance.errors import UsageError
from provenance.evidence import is_object_id
from provenance.links.locators import IdLocator, PathLocator, parse_locator
from provenance.links.permalinks import public_url
from provenance.links.reading import read_link
from provenance.links.swhids import names_swhid
from provenance.links.targets import ContentLink, FileLink, NotUnderstood
from provenance.loading import load
from provenance.lock import Lock
from provenance.references import beyond_branches_and_tags, is_short_id

if TYPE_CHECKING:
    from provenance.citation import LineRange
    from provenance.cite.wish import Wish
    from provenance.gather import Asking
    from provenance.links.anchors import Anchor
    from provenance.links.forges import Hosts
    from provenance.loading import Loaded
    from provenance.project import LockFiles, ManifestFile
    from provenance.references import References
    from provenance.store.store import Store

Files = Callable[[], Sequence["ManifestFile"]]

_CANDIDATES = 20
"""Meanings that an error lists at the most."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What is at hand: manifests, evidence, and who may be asked."""

    places: Sequence[Files]
    """Where sources are looked for, in turn: the first that has the name counts."""
    store: Store
    lock_files: LockFiles
    asking: Asking
    hosts: Hosts
    """What further hosts run."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A file that may be meant."""

    source: Source
    """With the revision under which it is asked for; without secrets."""
    path: str
    lock: Lock = field(default_factory=Lock, repr=False)
    notes: tuple[str, ...] = ()
    moves: bool = False
    """Whether the revision as it was written may be another commit tomorrow."""


@dataclass(frozen=True, slots=True)
class Aimed:
    """The files that may be meant, the likeliest first, and the lines of them."""

    aims: tuple[Aim, ...]
    lines: LineRange | None
    ends: bool = False
    """Whether the end of a path will do."""
    blob: str | None = None
    """The content's id, where an identifier names it."""
    manifests: tuple[Loaded, ...] = ()
    """Those that have the source."""
    written: Mapping[str, str] = field(default_factory=dict, repr=False)
    """URLs with the secrets that they were written with, by what they are without."""


def aim(wish: Wish, desk: Desk) -> Aimed | NotFound:
    """Say which file is meant, asking what a branch or a tag is today.

    Raises:
        UsageError: the locator names no place, or several sources have the name.
        StoreError: the evidence database cannot be used.
    """
    locator = wish.locator.strip()
    if "://" in locator or names_swhid(locator):
        if wish.source is not None or wish.git is not None:
            message = "a link names its repository itself: leave --source, --git and --revision out"
            raise UsageError(message)
        return _linked(locator, desk)
    path, lines = _path(locator)
    if wish.source is not None:
        return _by_source(wish.source, path, lines, desk)
    if wish.git is None or wish.revision is None:
        message = (
            f"{locator}: of which repository? Name a manifest's source with --source, or --git and --revision"
        )
        raise UsageError(message)
    git = public_url(wish.git)
    written = {git: wish.git} if git != wish.git else {}
    source = Source(name_of(git), git, wish.revision)
    found = _pinned(source, path, desk, written)
    return found if isinstance(found, NotFound) else Aimed((found,), lines, ends=True, written=written)


def name_of(git: str) -> str:
    """What a source is called after its repository."""
    return slug(git.rstrip("/").rpartition("/")[2].removesuffix(".git"))


def _path(locator: str) -> tuple[str, LineRange | None]:
    """A path, and lines of it.

    Raises:
        UsageError: it is none.
    """
    match parse_locator(locator):
        case PathLocator(path=path, lines=lines):
            return path, lines
        case IdLocator(id=path):
            return path, None
        case found:
            message = f"{locator}: {getattr(found, 'message', 'this is no path')}"
            raise UsageError(message)


def _by_source(name: str, path: str, lines: LineRange | None, desk: Desk) -> Aimed:
    """A path of a source that some manifest has.

    Raises:
        UsageError: none has it, or several do that mean different commits.
    """
    problems: list[str] = []
    known: set[str] = set()
    for files in desk.places:
        loading = load(files(), desk.store, desk.lock_files, desk.asking.languages)
        problems += loading.problems
        found: list[tuple[Loaded, Source]] = []
        for manifest in loading.loaded:
            sources = desk.store.sources(manifest.stored).values()
            known |= {source.name for source in sources}
            found += [(manifest, source) for source in sources if source.name == name]
        if found:
            manifest, source = _only(name, found)
            return Aimed(
                (Aim(source, path, manifest.lock),),
                lines,
                ends=True,
                manifests=tuple(manifest for manifest, _ in found),
                written=loading.written,
            )
    listed = f"; there are {', '.join(sorted(known)[:_CANDIDATES])}" if known else ""
    message = "\n".join([f"no manifest has a source that is called {name}{listed}", *problems])
    raise UsageError(message)


def _only(name: str, found: Sequence[tuple[Loaded, Source]]) -> tuple[Loaded, Source]:
    """The first of several that are the same; one with a commit in its lock goes before others.

    Raises:
        UsageError: they are not the same.
    """
    gits = {source.git for _, source in found}
    locked = {item.lock.commit(source.git, source.revision) for item, source in found} - {None}
    revisions = {source.revision for _, source in found}
    if len(gits) > 1 or len(locked) > 1 or (len(revisions) > 1 and not _are_one(revisions | locked)):
        shown = [
            f"{item.stored.path}: {source.git} {source.revision}" for item, source in found[:_CANDIDATES]
        ]
        rest = [f"and {len(found) - _CANDIDATES} more"] if len(found) > _CANDIDATES else []
        head = f"several sources are called {name}; name the manifest with --append, or use --git and --revision:"
        message = "\n  ".join([head, *shown, *rest])
        raise UsageError(message)
    sure = ((item, source) for item, source in found if item.lock.commit(source.git, source.revision))
    return next(sure, found[0])


def _are_one(revisions: Collection[str | None]) -> bool:
    """Whether all of them are one commit's id, at different lengths."""
    ids = [revision.lower() for revision in revisions if revision is not None]
    longest = max(ids, key=len)
    return all(is_short_id(one) and longest.startswith(one) for one in ids)


def _pinned(source: Source, path: str, desk: Desk, written: Mapping[str, str]) -> Aim | NotFound:
    """A file at the commit that a revision is today."""
    git, revision = source.git, source.revision
    if is_object_id(revision.lower()):
        return Aim(Source(source.name, git, revision.lower()), path)
    if desk.asking.origins is None:
        commit = desk.store.pin(git, revision)
        if commit is None:
            return NotFound(Unreached(f"which commit {revision} is, is not known, and --offline asks nobody"))
        return Aim(Source(source.name, git, commit), path)
    match desk.asking.origins.resolve(written.get(git, git), {revision})[revision]:
        case Resolved(commit=commit, moves=moves):
            if not moves:
                with desk.store.transaction() as transaction:
                    transaction.put_pin(git, revision, commit)
            notes = (_moved(revision, commit),) if moves else ()
            return Aim(Source(source.name, git, commit), path, notes=notes, moves=moves)
        case failure:
            return not_found(failure)


def _moved(revision: str, commit: str) -> str:
    return f"{revision} moves: what is cited is {commit}, its commit of today"


def not_found(failure: Lacking | Unreached) -> NotFound:
    """Why there is nothing to cite; what prov itself would not ask is a problem of whoever asked for it."""
    is_refused = isinstance(failure, Unreached) and failure.refused
    return NotFound(failure, (failure.message,) if is_refused else ())


def _linked(url: str, desk: Desk) -> Aimed | NotFound:
    match read_link(url, desk.hosts):
        case FileLink() as link:
            return _of_link(link, desk)
        case ContentLink(origin=str(origin), revision=str(revision), path=str(path)) as link:
            source = Source(name_of(origin), public_url(origin), revision)
            return Aimed((Aim(source, path),), _lines(link.anchor), blob=link.blob)
        case ContentLink():
            message = f"{url}: the identifier names a content, and not its repository, commit and path"
        case NotUnderstood(message=why):
            message = f"{url}: {why}"
        case _:
            message = f"{url}: the link names no file in a form that is known"
    raise UsageError(message)


def _lines(anchor: Anchor | None) -> LineRange | None:
    """The lines of a link.

    Raises:
        UsageError: no file has them.
    """
    if anchor is not None and anchor.lines is None:
        message = f"the range {anchor} is reversed, or names line 0: lines count from 1"
        raise UsageError(message)
    return None if anchor is None else anchor.lines


def _of_link(link: FileLink, desk: Desk) -> Aimed | NotFound:
    """What a link means today. A branch's name can hold slashes: the repository's own list tells where it ends."""
    lines = _lines(link.anchor)
    references: References | None = None
    if not is_short_id(link.revision):
        if desk.asking.origins is None:
            return NotFound(Unreached(f"{link.revision} is a name, and --offline asks nobody what that is"))
        everything = beyond_branches_and_tags(link.rest)
        listed = desk.asking.origins.references(link.git, everything=everything)
        if isinstance(listed, Unreached):
            return not_found(listed)
        references = listed
    stated = link.revision if link.stated else None
    aims: list[Aim] = []
    for reading in readings(link.rest, references, link.ref, stated=stated):
        notes = (*link.notes, *reading.notes)
        name = name_of(link.git)
        if reading.commit is None:
            found = _pinned(Source(name, link.git, reading.revision), reading.path, desk, {})
            if isinstance(found, NotFound):
                return found
            aims.append(Aim(found.source, found.path, notes=(*notes, *found.notes), moves=found.moves))
            continue
        told = (_moved(reading.name or reading.revision, reading.commit),) if reading.moves else ()
        source = Source(name, link.git, reading.commit)
        aims.append(Aim(source, reading.path, notes=(*notes, *told), moves=reading.moves))
    return Aimed(tuple(aims), lines)

"""A citation added to a manifest's file, or to a new one: once, whole or not at all."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.answers import Resolved
from provenance.cite.writing import citation_of, manifest_of
from provenance.documents.names import Names, slug
from provenance.errors import UsageError
from provenance.extract.lines import normalise
from provenance.files import leads_out, replace_bytes
from provenance.links.permalinks import public_url
from provenance.manifest import parse
from provenance.manifest.appending import terminated
from provenance.manifest.composing import empty
from provenance.project import MANIFEST_ENDINGS
from provenance.references import is_short_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from provenance.citation import Citation, Manifest, Source
    from provenance.cite.aiming import Desk
    from provenance.cite.wish import Found, Words
    from provenance.project import ManifestFile, Project

    Pin = Callable[[Source], str | None]
    """The commit of a source, as far as anybody knows it."""

_ID_DIGITS = 12
"""Digits of a commit in the name of a source."""


@dataclass(frozen=True, slots=True)
class Appended:
    """What became of it."""

    manifest: str
    """The file, relative to the project's root."""
    id: str
    """Of the citation, which may have been there before."""
    source: str | None = None
    """The name of the source that was added; None where none was."""
    is_new: bool = True
    """Whether anything was written."""


def pins(desk: Desk, file: ManifestFile | None) -> Pin:
    """What tells which commits a manifest's sources mean: its lock, the evidence database, or the repository.

    Args:
        desk: what is at hand.
        file: the manifest; None where it is to be made.
    """

    def pin(source: Source) -> str | None:
        git = public_url(source.git)
        locked = None if file is None else desk.lock_files.of(file).lock.commit(git, source.revision)
        known = locked or desk.store.pin(git, source.revision)
        if known is not None or desk.asking.origins is None:
            return known
        found = desk.asking.origins.resolve(source.git, {source.revision})[source.revision]
        return found.commit if isinstance(found, Resolved) else None

    return pin


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be written."""

    citation: Citation
    with_source: bool


def there(target: Path, project: Project) -> ManifestFile | None:
    """The manifest that a citation is to be added to; None where it is to be made.

    Raises:
        UsageError: what is there is no file, or none is to be made there.
    """
    try:
        is_file = target.is_file()
    except OSError as error:
        message = f"{target}: cannot be read: {error.strerror or error}"
        raise UsageError(message) from error
    if is_file:
        return project.manifest_files([str(target)])[0]
    if os.path.lexists(target):
        message = f"{target}: not a file"
        raise UsageError(message)
    if target.suffix not in MANIFEST_ENDINGS:
        message = f"{target}: a manifest's name ends in {' or '.join(MANIFEST_ENDINGS)}"
        raise UsageError(message)
    if leads_out(target, project.root):
        message = f"{target}: a link leads out of the project"
        raise UsageError(message)
    return None


def append(target: Path, project: Project, found: Found, words: Words, pin: Pin) -> Appended:
    """Add a citation, and its source where the manifest lacks it; one that is there already stays the only one.

    Args:
        target: the manifest, which is made where it is not there.
        project: that it is a part of.
        found: the place.
        words: what the citation says beside it.
        pin: tells which commits sources mean.

    Raises:
        UsageError: it cannot be read or written, or changed meanwhile; an id is taken; the lines cannot be quoted.
        DiskFault: there is no room for it; the file stands as it was.
    """
    name = project.name(target)
    with _alone(project.root):
        file = there(target, project)
        read = b"" if file is None else file.read()
        data = empty(_title(target)) if file is None else terminated(read)
        manifest = parse(data, name)
        if isinstance(manifest, tuple):
            raise UsageError("\n".join(map(str, manifest)))
        sources = [source for source in manifest.sources if _is_same(source, found, pin)]
        known = _known(manifest, sources, found, words)
        if known is not None:
            return Appended(name, known.id, is_new=False)
        plan = _plan(manifest, sources, found, words)
        made = manifest_of(data, manifest, found, plan.citation, with_source=plan.with_source)
        if (there(target, project) is None) != (file is None) or (file is not None and file.read() != read):
            message = f"{name}: changed meanwhile, and is left as it is; run prov cite again"
            raise UsageError(message)
        replace_bytes(Path(os.path.realpath(target)), made)  # a link stays one
    added = plan.citation.source.name if plan.with_source else None
    return Appended(name, plan.citation.id, added)


def _title(target: Path) -> str:
    """What a new manifest is called: a person will know better."""
    return slug(target.stem)


def _is_same(source: Source, found: Found, pin: Pin) -> bool:
    """Whether a source of the manifest is the repository and the commit of a place."""
    if public_url(source.git) != public_url(found.source.git):
        return False
    written = source.revision
    if written == found.source.revision and not found.moves:
        return True
    if found.commit is None:
        return False
    is_begun = is_short_id(written) and found.commit.startswith(written.lower())
    return is_begun or pin(source) == found.commit


def _known(manifest: Manifest, sources: Sequence[Source], found: Found, words: Words) -> Citation | None:
    """The citation of the same lines that says the same; what was not asked for, it may say as it likes."""
    names = {source.name for source in sources}
    for one in manifest.citations:
        is_there = one.source.name in names and (one.path, one.lines) == (found.path, found.lines)
        asked = (
            (words.id, one.id),
            (words.claim, one.claim),
            (words.evidence, one.evidence),
            (words.of, one.of),
        )
        says = all(wanted is None or wanted == has for wanted, has in asked)
        if is_there and says and normalise(one.quote or "") == normalise(found.quoted):
            return one
    return None


def _plan(manifest: Manifest, sources: Sequence[Source], found: Found, words: Words) -> _Plan:
    """The citation with an id and a source of its own manifest.

    Raises:
        UsageError: the id that is asked for is taken.
    """
    taken = {one.id for one in manifest.citations} | {one.id for one in manifest.quantities}
    citation = citation_of(found, words, taken)
    if sources:
        same = next((source for source in sources if source.name == found.source.name), sources[0])
        return _Plan(replace(citation, source=same), with_source=False)
    names = Names(source.name for source in manifest.sources)
    stem = found.source.name
    pinned = f"{stem}-{slug((found.commit or found.source.revision)[:_ID_DIGITS])}"
    source = replace(found.source, name=names.take(pinned if stem in names else stem), stated=None)
    return _Plan(replace(citation, source=source), with_source=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One run at a time adds to the manifests of a project: of two that read the same, one would be lost."""
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError as error:
        message = f"{folder}: cannot be opened: {error.strerror or error}"
        raise UsageError(message) from error
    try:
        with suppress(OSError):  # a file system may have no locks
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)

"""A manifest with citations re-pinned in place: every byte outside of what changes stays as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.errors import ManifestError, Position
from provenance.links.permalinks import public_url
from provenance.manifest.fields import LINE, PROSE
from provenance.manifest.guarding import guarded
from provenance.manifest.load import parse
from provenance.manifest.moving import moved
from provenance.manifest.nodes import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.citation import Citation, LineRange, Manifest

_UNSPEAKABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Repin:
    """Where a citation is to point."""

    id: str
    """The citation's id."""
    git: str
    """URL of its source as the manifest writes it; user information may have been taken off."""
    revision: str
    """What is to be written. A source whose revision is the short form of it, or the long one, is there already."""
    path: str
    """Path in the repository, with forward slashes."""
    lines: LineRange | None
    """None leaves the lines as they are. A value that has none gets none."""
    quote: str | None = None
    """An edit that was accepted: the new text, last line end included. None leaves the quote byte for byte."""


@dataclass(frozen=True, slots=True)
class Repinned:
    """A manifest after that."""

    data: bytes
    """The file; equal to what it was where nothing is to change."""
    changed: tuple[str, ...]
    """Ids of the citations that changed, or whose source did, in the manifest's order."""
    notes: tuple[str, ...]
    """What a person must look at, one sentence each."""


def repin(data: bytes, name: str, repins: Sequence[Repin]) -> Repinned | tuple[ManifestError, ...]:
    """Re-pin citations of a manifest, in its text.

    What was written is read again, and is refused where it does not say what was meant.

    Args:
        data: the file's bytes.
        name: its path relative to the project's root, with forward slashes; errors begin with it.
        repins: at most one for each of its citations; the others stay where they are.

    Returns:
        The manifest re-pinned, or all the reasons why it cannot be.
    """
    old = parse(data, name)
    if isinstance(old, tuple):
        return old
    faults = tuple(_faults(old, repins))
    if faults:
        return faults
    new, notes = moved(old, {repin.id: repin for repin in repins})
    changed = tuple(
        after.id for before, after in zip(old.citations, new.citations, strict=True) if before != after
    )
    if not changed:
        return Repinned(data, (), ())
    written = guarded(data, old, new, done="re-pinned in place", by_hand="re-pin it by hand")
    return (written,) if isinstance(written, ManifestError) else Repinned(written, changed, notes)


def _faults(manifest: Manifest, repins: Sequence[Repin]) -> Iterator[ManifestError]:
    """What is asked for and cannot be written."""
    citations = {citation.id: citation for citation in manifest.citations}
    seen: dict[str, Repin] = {}
    for repin in repins:
        citation = citations.get(repin.id)
        if citation is None:
            yield ManifestError(
                Position(manifest.path, 1), f"there is no citation {shown(repin.id)} to re-pin"
            )
            continue
        position = citation.position or Position(manifest.path, 1)
        for reason in _reasons(citation, repin):
            yield ManifestError(position, f"{citation.id} cannot be re-pinned: {reason}")
        if seen.setdefault(repin.id, repin) != repin:
            yield ManifestError(position, f"{citation.id} cannot be re-pinned to two places at once")


def _reasons(citation: Citation, repin: Repin) -> Iterator[str]:
    if public_url(citation.source.git) != public_url(repin.git):
        yield f"its source is {public_url(citation.source.git)}, and not {public_url(repin.git)}"
    for what, text in (("revision", repin.revision), ("path", repin.path)):
        if LINE.pattern.fullmatch(text) is None or _UNSPEAKABLE.search(text):
            yield f"the {what} {shown(text)} cannot stand in a manifest"
    if repin.quote is None:
        return
    if citation.quote is None:
        yield f"it has no quote that could be replaced, its kind is {citation.kind}"
    if PROSE.pattern.fullmatch(repin.quote) is None or _UNSPEAKABLE.search(repin.quote):
        yield "the new quote cannot stand in a manifest"

"""A manifest changed in its text, and read again before anybody writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.errors import ManifestError, Position
from provenance.manifest.load import parse
from provenance.manifest.placing import unmarked
from provenance.manifest.rewriting import rewritten

if TYPE_CHECKING:
    from provenance.citation import Citation, Manifest, Quantity


def guarded(data: bytes, old: Manifest, new: Manifest, *, done: str, by_hand: str) -> bytes | ManifestError:
    """The bytes of a manifest with the changes from one record to another, if they say what was meant.

    Args:
        data: the file's bytes.
        old: what `parse` reads in them.
        new: what is to be read in them then.
        done: what was done, for an error: `re-pinned in place`.
        by_hand: what a person can do instead.
    """
    mark, text = unmarked(data)
    written = mark + rewritten(text, old, new).encode("utf-8")
    found = parse(written, old.path)
    if found == new:
        return written
    position, reason = _misread(old, new, found)
    return ManifestError(position, f"nothing is written: {done}, {reason}; {by_hand}")


def _misread(
    old: Manifest, new: Manifest, found: Manifest | tuple[ManifestError, ...]
) -> tuple[Position, str]:
    """Where a manifest is written in a way that does not bear the change, and what came of it."""
    start = Position(old.path, 1)
    if isinstance(found, tuple):
        return start, f"it could not be read ({found[0].message})"
    pairs = (*zip(new.citations, found.citations, strict=False),)
    sums = (*zip(new.quantities, found.quantities, strict=False),)
    wrong = {one.id for one, two in pairs if one != two} | {one.id for one, two in sums if one != two}
    items: tuple[Citation | Quantity, ...] = (*old.citations, *old.quantities)
    first = next((item for item in items if item.id in wrong), None)
    return (first and first.position) or start, "it would say something else"

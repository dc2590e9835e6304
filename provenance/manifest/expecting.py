"""A manifest in which known verdicts are put down: every byte outside of its `expect` entries stays as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.errors import ManifestError, Position
from provenance.manifest.guarding import guarded
from provenance.manifest.load import parse
from provenance.manifest.nodes import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from provenance.citation import Citation, Expectation, Manifest, Quantity


@dataclass(frozen=True, slots=True)
class Expecting:
    """A manifest after that."""

    data: bytes
    """The file; equal to what it was where nothing is to change."""
    added: tuple[str, ...]
    """Ids of what had no `expect` before, in the manifest's order, citations first."""
    renewed: tuple[str, ...]
    """Ids of what had another one."""


def expecting(
    data: bytes, name: str, expects: Mapping[str, Expectation]
) -> Expecting | tuple[ManifestError, ...]:
    """Put `expect` entries into a manifest, in its text.

    What was written is read again, and is refused where it does not say what was meant.

    Args:
        data: the file's bytes.
        name: its path relative to the project's root, with forward slashes; errors begin with it.
        expects: by ids of its citations and quantities; the others keep what they have. Each names a verdict and a day.

    Returns:
        The manifest with them, or all the reasons why it cannot be.

    Raises:
        InvalidRecord: an expectation names no verdict or no day.
    """
    old = parse(data, name)
    if isinstance(old, tuple):
        return old
    new = _with(old, expects)
    items: tuple[Citation | Quantity, ...] = (*old.citations, *old.quantities)
    had = {item.id: item.expect for item in items}
    missing = tuple(
        ManifestError(Position(name, 1), f"there is nothing named {shown(id_)} of which it could be said")
        for id_ in expects
        if id_ not in had
    )
    if missing:
        return missing
    changed = tuple(_changed(old, new))
    if not changed:
        return Expecting(data, (), ())
    written = guarded(data, old, new, done="with what is expected put in place", by_hand="put it in by hand")
    if isinstance(written, ManifestError):
        return (written,)
    added = tuple(id_ for id_ in changed if had[id_] is None)
    return Expecting(written, added, tuple(id_ for id_ in changed if had[id_] is not None))


def _with(manifest: Manifest, expects: Mapping[str, Expectation]) -> Manifest:
    citations = tuple(replace(item, expect=expects.get(item.id, item.expect)) for item in manifest.citations)
    quantities = tuple(
        replace(item, expect=expects.get(item.id, item.expect)) for item in manifest.quantities
    )
    return replace(manifest, citations=citations, quantities=quantities)


def _changed(old: Manifest, new: Manifest) -> Iterator[str]:
    yield from (
        one.id for one, two in zip(old.citations, new.citations, strict=True) if one.expect != two.expect
    )
    yield from (
        one.id for one, two in zip(old.quantities, new.quantities, strict=True) if one.expect != two.expect
    )

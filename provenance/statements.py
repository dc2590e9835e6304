"""What manifests state beside their citations, judged: arithmetic, and pins. No content is needed for either."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from provenance import __version__
from provenance.citation import Kind, Quantity, Source
from provenance.evidence import is_object_id
from provenance.links.permalinks import public_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from provenance.evidence import Judgement
    from provenance.loading import Loaded
    from provenance.store.records import StoredQuantity
    from provenance.store.store import Store


class Stated(NamedTuple):
    """A statement and what judging it says, before that is weighed."""

    id: str
    kind: Kind
    shown: str
    """What is stated, on one line."""
    judgement: Judgement
    about: Quantity | Source
    revision: str | None = None
    """Of a source whose pin is stated: its full commit id, or as written where that is not known."""


def reckoned(item: StoredQuantity) -> StoredQuantity:
    """A quantity, judged by this version of prov."""
    stated = _quantity(item.quantity)
    return replace(item, version=__version__, shown=stated.shown, judgement=stated.judgement)


def _quantity(quantity: Quantity) -> Stated:
    from provenance.compare.arithmetic.quantity import judge_quantity, summary  # most runs have no new one

    return Stated(quantity.id, Kind.QUANTITY, summary(quantity), judge_quantity(quantity), quantity)


def stated_in(manifest: Loaded, store: Store) -> Iterator[Stated]:
    """Judge what a stored manifest states; arithmetic that was judged before is not judged again."""

    def commit(source: Source) -> str | None:
        git, revision = source.git, source.revision
        return manifest.lock.commit(git, revision) or store.pin(git, revision)

    for item in store.quantities(manifest.stored):
        if item.judgement is not None and item.version == __version__:
            yield Stated(item.quantity.id, Kind.QUANTITY, item.shown, item.judgement, item.quantity)
        else:
            yield _quantity(item.quantity)
    yield from _pins(store.sources(manifest.stored).values(), commit)


def judged(
    quantities: Iterable[Quantity], sources: Iterable[Source], commit: Callable[[Source], str | None]
) -> Iterator[Stated]:
    """Judge arithmetic, then pins.

    Args:
        quantities: a manifest's.
        sources: a manifest's.
        commit: what is known of the commit that a source's revision as written stands for.
    """
    yield from map(_quantity, quantities)
    yield from _pins(sources, commit)


def _pins(sources: Iterable[Source], commit: Callable[[Source], str | None]) -> Iterator[Stated]:
    for source in sources:
        if source.stated is not None:
            yield _pin(source, source.stated, commit)


def _pin(source: Source, stated: str, commit: Callable[[Source], str | None]) -> Stated:
    from provenance.compare.pins import judge_pin

    revision = source.revision.lower()
    known = revision if is_object_id(revision) else commit(source)
    return Stated(
        f"{source.name} @ {stated}",
        Kind.PIN,
        f"{public_url(source.git)} @ {stated}",
        judge_pin(stated, source.revision, known),
        source,
        known or source.revision,
    )

"""An import over a manifest that is there: the page says what it says, and what a person added is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from provenance.citation import Citation, Manifest, Quantity, Source
from provenance.documents.names import Names
from provenance.errors import ManifestError, Position

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

_Record = TypeVar("_Record", Source, Citation, Quantity)


@dataclass(frozen=True, slots=True)
class Merge:
    """A manifest after an import."""

    manifest: Manifest
    """Equal to the one that was there where the page says nothing new."""
    changes: tuple[str, ...]
    """What is new, changed, or kept although the page does not have it; nothing where nothing changes."""
    kept: tuple[str, ...] = ()
    """What is kept although the page does not have it, be there changes or none."""


def merge(there: Manifest, page: Manifest, *, where: str = "on the page") -> Merge:
    """Bring a manifest up to its page.

    The page gives the title, a source's URL, revision and what is stated of it, and all of a citation and a
    quantity but `expect`. Kept are the document's URL, a source's name, licence and alternates, every
    `expect`, the order, and the sources, citations and quantities that the page does not have: whether a
    person added those, or the page lost them, cannot be told.

    Args:
        there: what is there.
        page: what the page says.
        where: what it is that does not have what is kept.

    Raises:
        ManifestError: the page gives a name to a citation that the manifest has for a quantity, or the other
            way round.
    """
    sources = _pair(there.sources, page.sources, (_pin, _git, _name))
    names = Names(source.name for source in there.sources)
    named = {new: _source(old, new, names) for new, old in sources}
    pinned = {old: named[new] for new, old in sources if old is not None}
    citations = [
        (replace(new, source=named[new.source], expect=None if old is None else old.expect), old)
        for new, old in _pair(there.citations, page.citations, (_id, _stem, _use))
    ]
    quantities = [
        (replace(new, expect=None if old is None else old.expect), old)
        for new, old in _pair(there.quantities, page.quantities, (_id, _sum))
    ]
    manifest = replace(
        there,
        title=page.title,
        sources=_joined(there.sources, [(named[new], old) for new, old in sources]),
        citations=tuple(
            replace(each, source=pinned.get(each.source, each.source))
            for each in _joined(there.citations, citations)
        ),
        quantities=_joined(there.quantities, quantities),
    )
    cited = tuple(f"{old.id}: not {where}, kept" for old in _left(there.citations, citations))
    counted = tuple(f"quantity {old.id}: not {where}, kept" for old in _left(there.quantities, quantities))
    if manifest == there:
        return Merge(there, (), cited + counted)
    _refuse_clashes(manifest, there)
    changes = [
        *([] if there.title == page.title else [f"title: {there.title} -> {page.title}"]),
        *(change for new, old in sources for change in _source_changes(old, named[new])),
        *(change for new, old in citations for change in _citation_changes(old, new)),
        *cited,
        *(change for new, old in quantities for change in _quantity_changes(old, new)),
        *counted,
    ]
    return Merge(manifest, tuple(changes), cited + counted)


_Pairs = list[tuple[_Record, _Record | None]]
"""Each record of the page, and the one in the manifest that it is."""


def _joined(there: Sequence[_Record], pairs: _Pairs[_Record]) -> tuple[_Record, ...]:
    """The records that are there, each as the page has it where it does, and then those that are new."""
    updated = {old: new for new, old in pairs if old is not None}
    return tuple(chain((updated.get(old, old) for old in there), (new for new, old in pairs if old is None)))


def _left(there: Sequence[_Record], pairs: _Pairs[_Record]) -> list[_Record]:
    """The records that are there and not on the page."""
    found = {old for _, old in pairs}
    return [old for old in there if old not in found]


def _pair(
    there: Sequence[_Record], page: Sequence[_Record], keys: Sequence[Callable[[_Record], Hashable]]
) -> _Pairs[_Record]:
    """Find the records of the page in the manifest, by the first key that finds one."""
    found: dict[_Record, _Record] = {}
    for key in keys:
        taken = set(found.values())
        left = {key(old): old for old in reversed(there) if old not in taken}
        for new in page:
            if new not in found and (old := left.pop(key(new), None)) is not None:
                found[new] = old
    return [(new, found.get(new)) for new in page]


def _pin(source: Source) -> Hashable:
    return source.git, source.revision


def _git(source: Source) -> Hashable:
    return source.git


def _name(source: Source) -> Hashable:
    return source.name


def _id(record: Citation | Quantity) -> Hashable:
    return record.id


def _stem(citation: Citation) -> Hashable:
    """What stays the same when a page uses an id once more, and the range is appended to it."""
    return citation.id.removesuffix(f"-{citation.lines}"), citation.lines, citation.path


def _use(citation: Citation) -> Hashable:
    """What stays the same of an expression when its component has another name."""
    if citation.expression is None:
        return citation.id
    return citation.expression, citation.lines, citation.path


def _sum(quantity: Quantity) -> Hashable:
    """What stays the same of a quantity when its component has another name."""
    return replace(quantity, id="", expect=None)


def _source(old: Source | None, new: Source, names: Names) -> Source:
    """The source as it will stand in the manifest: under its own name there, or one that nothing else has."""
    if old is not None:
        return replace(old, git=new.git, revision=new.revision, stated=new.stated)
    return replace(new, name=names.take(new.name))


def _refuse_clashes(manifest: Manifest, there: Manifest) -> None:
    """One name for a citation and a quantity would make a manifest that cannot be read."""
    cited = {citation.id: citation.position for citation in there.citations}
    counted = {quantity.id: quantity.position for quantity in there.quantities}
    ids = {citation.id for citation in manifest.citations}
    for quantity in manifest.quantities:
        if quantity.id in ids:
            position = cited.get(quantity.id) or counted.get(quantity.id) or Position(there.path, 1)
            message = f"the id {quantity.id} stands here, and the page has another thing of that name: rename this one"
            raise ManifestError(position, message)


def _source_changes(old: Source | None, new: Source) -> Iterator[str]:
    if old is None:
        yield f"source {new.name}: new"
        return
    if old.git != new.git:
        yield f"source {new.name}: git {old.git} -> {new.git}"
    if old.revision != new.revision:
        alternates = "; its alternates are kept, and may hold other files" if new.alternates else ""
        yield f"source {new.name}: revision {old.revision} -> {new.revision}{alternates}"
    if old.stated != new.stated:
        yield f"source {new.name}: stated {old.stated or 'nowhere'} -> {new.stated or 'nowhere'}"


def _citation_changes(old: Citation | None, new: Citation) -> Iterator[str]:
    if old is None:
        yield f"{new.id}: new"
        return
    facts = {
        "id": old.id != new.id,
        "source": old.source.name != new.source.name,
        "path": old.path != new.path,
        "lines": old.lines != new.lines,
        "evidence": (old.evidence, old.of) != (new.evidence, new.of),
        "claim": old.claim != new.claim,
        "quote": old.quote != new.quote,
        "expression": old.expression != new.expression,
        "value": old.value != new.value,
    }
    yield from _changed(old.id, facts)


def _quantity_changes(old: Quantity | None, new: Quantity) -> Iterator[str]:
    if old is None:
        yield f"quantity {new.id}: new"
        return
    facts = {
        "id": old.id != new.id,
        "terms": old.terms != new.terms,
        "total": old.total != new.total,
        "repeated": old.repeated != new.repeated,
        "overall": old.overall != new.overall,
        "statements": old.statements != new.statements,
        "shapes": old.shapes != new.shapes,
    }
    yield from _changed(f"quantity {old.id}", facts)


def _changed(what: str, facts: Mapping[str, bool]) -> Iterator[str]:
    changed = [name for name, differs in facts.items() if differs]
    if changed:
        yield f"{what}: {', '.join(changed)} changed"

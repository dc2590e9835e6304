"""An import over a manifest that is there: the page says what it says, and what a person added is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from provenance.citation import Citation, Manifest, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

_Record = TypeVar("_Record", Source, Citation)


@dataclass(frozen=True, slots=True)
class Merge:
    """A manifest after an import."""

    manifest: Manifest
    """Equal to the one that was there where the page says nothing new."""
    changes: tuple[str, ...]
    """What is new, changed, or kept although the page does not have it; nothing where nothing changes."""


def merge(there: Manifest, page: Manifest) -> Merge:
    """Bring a manifest up to its page.

    The page gives the title, a source's URL and revision, and all of a citation but its `expect`. Kept are
    the document's URL, a source's name, licence and alternates, every `expect`, the order, and the sources
    and citations that the page does not have: whether a person added those, or the page lost them, cannot
    be told.
    """
    sources = _pair(there.sources, page.sources, (_pin, _git, _name))
    names = {source.name for source in there.sources}
    named = {new: _source(old, new, names) for new, old in sources}
    pinned = {old: named[new] for new, old in sources if old is not None}
    citations = [
        (replace(new, source=named[new.source], expect=None if old is None else old.expect), old)
        for new, old in _pair(there.citations, page.citations, (_id, _stem))
    ]
    updated = {old: new for new, old in citations if old is not None}
    kept = {old: replace(old, source=pinned.get(old.source, old.source)) for old in there.citations}
    manifest = replace(
        there,
        title=page.title,
        sources=(
            *(pinned.get(old, old) for old in there.sources),
            *(named[new] for new, old in sources if old is None),
        ),
        citations=(
            *(updated.get(old, kept[old]) for old in there.citations),
            *(new for new, old in citations if old is None),
        ),
    )
    if manifest == there:
        return Merge(there, ())
    changes = [
        *([] if there.title == page.title else [f"title: {there.title} -> {page.title}"]),
        *(change for new, old in sources for change in _source_changes(old, named[new])),
        *(change for new, old in citations for change in _citation_changes(old, new)),
        *(f"{old.id}: not on the page, kept" for old in there.citations if old not in updated),
    ]
    return Merge(manifest, tuple(changes))


def _pair(
    there: Sequence[_Record], page: Sequence[_Record], keys: Sequence[Callable[[_Record], Hashable]]
) -> list[tuple[_Record, _Record | None]]:
    """Each record of the page, and the one in the manifest that it is, by the first key that finds one."""
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


def _id(citation: Citation) -> Hashable:
    return citation.id


def _stem(citation: Citation) -> Hashable:
    """What stays the same when a page uses an id once more, and the range is appended to it."""
    return citation.id.removesuffix(f"-{citation.lines}"), citation.lines, citation.path


def _source(old: Source | None, new: Source, names: set[str]) -> Source:
    """The source as it will stand in the manifest: under its own name there, or one that nothing else has."""
    if old is not None:
        return replace(old, git=new.git, revision=new.revision)
    name = new.name
    number = 1
    while name in names:
        number += 1
        name = f"{new.name[:92]}-{number}"
    names.add(name)
    return replace(new, name=name)


def _source_changes(old: Source | None, new: Source) -> Iterator[str]:
    if old is None:
        yield f"source {new.name}: new"
        return
    if old.git != new.git:
        yield f"source {new.name}: git {old.git} -> {new.git}"
    if old.revision != new.revision:
        alternates = "; its alternates are kept, and may hold other files" if new.alternates else ""
        yield f"source {new.name}: revision {old.revision} -> {new.revision}{alternates}"


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
    }
    changed = [name for name, differs in facts.items() if differs]
    if changed:
        yield f"{old.id}: {', '.join(changed)} changed"

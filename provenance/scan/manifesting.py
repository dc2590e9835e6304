"""What was found in documents as one manifest, for whoever wants to keep citations there from now on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from provenance.citation import Manifest
from provenance.documents.names import Names, slug
from provenance.documents.pages import Page
from provenance.errors import UsageError
from provenance.importing import Import, write
from provenance.manifest import parse, render

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from provenance.citation import Citation, Source
    from provenance.importing import Imported
    from provenance.scan.scanning import ScannedDocument
    from provenance.store.store import Store


def write_manifest(
    target: Path, title: str, documents: Iterable[ScannedDocument], store: Store
) -> Imported | None:
    """Write the citations of documents into a manifest, or bring up to them the one that is there.

    A branch is pinned to the commit at which it was judged. Results that need no repository have no place in it. What a
    person adds to it stays: claims, what they are evidence for, the title, and what `importing.write` keeps.

    Returns:
        What became of it; None where there is nothing to write.

    Raises:
        UsageError: what is there is no manifest, or it cannot be written.
        DiskFault: there is no room for it.
    """
    manifest = _manifest(title, documents, store)
    if not manifest.citations:
        return None
    errors = parse(render(manifest).encode(), target.as_posix())
    if isinstance(errors, tuple):
        message = "\n".join(["the links cannot be written as a manifest:", *map(str, errors)])
        raise UsageError(message)
    return write(Import("the documents", Page(manifest, ()), target, is_wordless=True))


def _manifest(title: str, documents: Iterable[ScannedDocument], store: Store) -> Manifest:
    names, sources = Names(), _Sources()
    citations: list[Citation] = []
    for document in documents:
        if document.batch is None:
            continue
        # Named for its document, so that a name means the same citation whatever stands in other documents.
        where = slug(document.name.rpartition(".")[0] or document.name)
        for item in store.citations(document.batch.manifest.stored):
            citation = item.citation
            id_ = names.take(f"{citation.id}-{where}")
            # What a comment ignores stands in the document: a manifest would need a verdict and a date.
            citations.append(replace(citation, id=id_, source=sources.of(citation.source), expect=None))
    return Manifest("", title, None, sources.all, tuple(citations))


class _Sources:
    """The sources of several documents, each once."""

    def __init__(self) -> None:
        self._names = Names()
        self._by_pin: dict[tuple[str, str], Source] = {}

    def of(self, source: Source) -> Source:
        """The one that has the repository and the revision of a document's."""
        pin = source.git, source.revision
        if pin not in self._by_pin:
            self._by_pin[pin] = replace(source, name=self._names.take(source.name))
        return self._by_pin[pin]

    @property
    def all(self) -> tuple[Source, ...]:
        """In the order in which they were met."""
        return tuple(self._by_pin.values())

"""A manifest's records -> YAML, in one stable form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.manifest.expectations import written
from provenance.manifest.fields import VERSION
from provenance.manifest.scalars import block, fits_block, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import Citation, Manifest, Quantity, Source


def render(manifest: Manifest) -> str:
    """The manifest as YAML, which `parse` reads back as an equal record."""
    return "".join(f"{line}\n" for line in _manifest(manifest))


def _manifest(manifest: Manifest) -> Iterator[str]:
    yield f"prov: {VERSION}"
    yield f"title: {scalar(manifest.title)}"
    if manifest.url is not None:
        yield f"url: {scalar(manifest.url)}"
    yield "sources:" if manifest.sources else "sources: {}"
    for source in manifest.sources:
        yield from _source(source)
    yield "citations:" if manifest.citations else "citations: []"
    for citation in manifest.citations:
        yield from _citation(citation)
    if manifest.quantities:
        yield "quantities:"
    for quantity in manifest.quantities:
        yield from _quantity(quantity)


def _source(source: Source) -> Iterator[str]:
    yield f"  {scalar(source.name)}:"
    yield f"    git: {scalar(source.git)}"
    yield f"    revision: {scalar(source.revision)}"
    if source.license is not None:
        yield f"    license: {scalar(source.license)}"
    if source.alternates:
        yield "    alternates:"
        yield from (f"      - pypi: {release}" for release in source.alternates)
    if source.stated is not None:
        yield f"    stated: {scalar(source.stated)}"


def _citation(citation: Citation) -> Iterator[str]:
    yield f"  - id: {scalar(citation.id)}"
    yield f"    source: {scalar(citation.source.name)}"
    yield f"    path: {scalar(citation.path)}"
    if citation.lines is not None:
        yield f"    lines: {citation.lines}"
    yield f"    evidence: {citation.evidence}"
    if citation.of is not None:
        yield f"    of: {scalar(citation.of)}"
    if citation.claim:
        yield f"    claim: {_text(citation.claim)}"
    if citation.quote is not None:
        yield f"    quote: {_text(citation.quote)}"
    if citation.expression is not None:
        yield f"    expression: {_text(citation.expression)}"
    if citation.value is not None:
        pointer, equals = citation.value.pointer, citation.value.equals
        yield f"    value: {{pointer: {scalar(pointer, flow=True)}, equals: {scalar(equals, flow=True)}}}"
    if citation.expect is not None:
        yield f"    expect: {written(citation.expect)}"


def _quantity(quantity: Quantity) -> Iterator[str]:
    yield f"  - id: {scalar(quantity.id)}"
    if quantity.terms:
        yield "    terms:"
    for term in quantity.terms:
        parts = {"name": term.name, "calculation": term.calculation, "equals": term.equals}
        shown = ", ".join(f"{key}: {scalar(text, flow=True)}" for key, text in parts.items())
        yield f"      - {{{shown}}}"
    for key, text in (
        ("total", quantity.total),
        ("repeated", quantity.repeated),
        ("overall", quantity.overall),
    ):
        if text is not None:
            yield f"    {key}: {scalar(text)}"
    for key, texts in (("statements", quantity.statements), ("shapes", quantity.shapes)):
        if texts:
            yield f"    {key}:"
            yield from (f"      - {scalar(text)}" for text in texts)
    if quantity.expect is not None:
        yield f"    expect: {written(quantity.expect)}"


def _text(text: str) -> str:
    """Several lines as a literal block beneath a key four columns in, where a block can hold them."""
    return "\n".join(block(text, 4, 2)) if "\n" in text and fits_block(text) else scalar(text)

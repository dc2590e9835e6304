"""A manifest's records -> YAML, in one stable form."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.manifest.fields import VERSION
from provenance.manifest.nodes import NOT_YAML

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import Citation, Expectation, Manifest, Quantity, Source

_PLAIN = re.compile(r"(?!(?:---|\.\.\.)(?: |$))(?:[^\s\-?:,\[\]{}#&*!|>'\"%@`]|[-?:](?=\S))(?:.*\S)?")
"""What may stand without quotes, in a block: YAML 1.1, "Plain" scalars."""
_NOT_PLAIN = re.compile(r": | #|:$")
_NOT_PLAIN_IN_FLOW = re.compile(r"[,\[\]{}:?]|^-| #")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def render(manifest: Manifest) -> str:
    """The manifest as YAML, which `parse` reads back as an equal record."""
    return "".join(f"{line}\n" for line in _manifest(manifest))


def _manifest(manifest: Manifest) -> Iterator[str]:
    yield f"prov: {VERSION}"
    yield f"title: {_scalar(manifest.title)}"
    if manifest.url is not None:
        yield f"url: {_scalar(manifest.url)}"
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
    yield f"  {_scalar(source.name)}:"
    yield f"    git: {_scalar(source.git)}"
    yield f"    revision: {_scalar(source.revision)}"
    if source.license is not None:
        yield f"    license: {_scalar(source.license)}"
    if source.alternates:
        yield "    alternates:"
        yield from (f"      - pypi: {release}" for release in source.alternates)
    if source.stated is not None:
        yield f"    stated: {_scalar(source.stated)}"


def _citation(citation: Citation) -> Iterator[str]:
    yield f"  - id: {_scalar(citation.id)}"
    yield f"    source: {_scalar(citation.source.name)}"
    yield f"    path: {_scalar(citation.path)}"
    if citation.lines is not None:
        yield f"    lines: {citation.lines}"
    yield f"    evidence: {citation.evidence}"
    if citation.of is not None:
        yield f"    of: {_scalar(citation.of)}"
    if citation.claim:
        yield f"    claim: {_text(citation.claim)}"
    if citation.quote is not None:
        yield f"    quote: {_text(citation.quote)}"
    if citation.expression is not None:
        yield f"    expression: {_text(citation.expression)}"
    if citation.value is not None:
        pointer, equals = citation.value.pointer, citation.value.equals
        yield f"    value: {{pointer: {_scalar(pointer, flow=True)}, equals: {_scalar(equals, flow=True)}}}"
    if citation.expect is not None:
        yield f"    expect: {_expectation(citation.expect)}"


def _quantity(quantity: Quantity) -> Iterator[str]:
    yield f"  - id: {_scalar(quantity.id)}"
    if quantity.terms:
        yield "    terms:"
    for term in quantity.terms:
        parts = {"name": term.name, "calculation": term.calculation, "equals": term.equals}
        shown = ", ".join(f"{key}: {_scalar(text, flow=True)}" for key, text in parts.items())
        yield f"      - {{{shown}}}"
    for key, text in (
        ("total", quantity.total),
        ("repeated", quantity.repeated),
        ("overall", quantity.overall),
    ):
        if text is not None:
            yield f"    {key}: {_scalar(text)}"
    for key, texts in (("statements", quantity.statements), ("shapes", quantity.shapes)):
        if texts:
            yield f"    {key}:"
            yield from (f"      - {_scalar(text)}" for text in texts)
    if quantity.expect is not None:
        yield f"    expect: {_expectation(quantity.expect)}"


def _expectation(expect: Expectation) -> str:
    because = _scalar(expect.because, flow=True)
    return f"{{verdict: {expect.verdict}, because: {because}, until: {expect.until.isoformat()}}}"


def _text(text: str) -> str:
    """Several lines as a literal block beneath a key four columns in, where a block can hold them."""
    if "\n" not in text or not text.strip("\n") or "\r" in text or NOT_YAML.search(text):
        return _scalar(text)
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    # Where the first line does not show how far the block is indented, the header says so.
    indent = "2" if text[0] in " \t\n" else ""
    chomping = "-" if ends == 0 else "" if ends == 1 else "+"
    lines = (f"      {line}" if line else "" for line in body.split("\n"))
    return f"|{indent}{chomping}\n" + "\n".join(lines) + "\n" * (ends - 1 if ends > 1 else 0)


def _scalar(text: str, *, flow: bool = False) -> str:
    """One line: plain where that means the same, else in double quotes with what cannot be seen escaped."""
    refused = _NOT_PLAIN_IN_FLOW if flow else _NOT_PLAIN
    if text.isprintable() and _PLAIN.fullmatch(text) and not refused.search(text):
        return text
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    if code <= 0xFF:  # noqa: PLR2004 - the widths of YAML's three escapes
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004

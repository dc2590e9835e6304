"""reStructuredText documents, Sphinx's included.

Docutils reads the structure (`structure`), from which it is kept to run no directive and no role; what is within a
paragraph is read here (`inline`), because docutils does not say where a link stands. It is given a document in pieces
(`pieces`), since the time that it takes grows with the square of the lines. A piece on which it fails (it recurses over
what is nested, and has bugs), or that would take it too long, is read by its lines alone (`plain`).

A URL that stands by itself in the text stays in the prose, as does an undefined reference. What a role or a literal
marks is in the prose without its marks. A paragraph's prose comes before its links, a caption before its block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.document import Element

__all__ = ["read_rst"]


def read_rst(text: str) -> Iterator[Element]:
    """The elements of a reStructuredText document, in their order. Any text is read, LF and CRLF end lines."""
    from provenance.documents.rst.lines import Lines
    from provenance.documents.rst.reader import elements_of
    from provenance.documents.rst.structure import trees

    lines = Lines(text)
    yield from elements_of(trees(lines.plain), lines)

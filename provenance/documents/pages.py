"""Evidence pages -> manifests. The form of a page is described in `provenance.documents.layout`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.citation import Citation, EvidenceKind, Manifest
from provenance.documents.expressions import read_expressions
from provenance.documents.layout import Layout
from provenance.documents.names import Names, slug
from provenance.documents.quantities import read_quantities
from provenance.documents.remarks import Remark, on_code, on_sources
from provenance.documents.sources import read_sources
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.citation import LineRange, Source
    from provenance.documents.expressions import Expression
    from provenance.documents.layout import Piece

_CLOSE = "\u00d7"
"""The sign of the button that closes a panel."""


@dataclass(frozen=True, slots=True)
class Page:
    """What an evidence page says."""

    manifest: Manifest
    """All that the page asserts; the path is a file name made of the title."""
    remarks: tuple[Remark, ...]
    """In the page's order."""


def read_page(text: str, name: str) -> Page:
    """Read an evidence page.

    Args:
        text: the page's text; CRLF, a BOM and no-break spaces do no harm.
        name: what positions call it.

    Raises:
        PageError: the text is no evidence page, or one whose evidence cannot be told.
    """
    layout = Layout(text, name)
    title, component = _title(layout)
    all_pieces = layout.pieces()
    pieces, remarks = _distinct(all_pieces)
    expressions, left_out = read_expressions(layout, pieces)
    sources = read_sources(layout, pieces)
    names = Names()
    # What the page names itself comes first, for it is called by that name elsewhere.
    quoted = [
        _citation(piece, id_, sources.cited[piece.pin])
        for piece, id_ in zip(pieces, _ids([(piece.id, piece.lines) for piece in pieces], names), strict=True)
    ]
    arithmetic = read_quantities(layout, pieces, slug(component))
    quantities = tuple(replace(each, id=names.take(each.id)) for each in arithmetic.quantities)
    called = [(f"{slug(component)}-expression", expression.lines) for expression in expressions]
    used = [
        _use(expression, id_, sources.cited[expression.piece.pin])
        for expression, id_ in zip(expressions, _ids(called, names), strict=True)
    ]
    manifest = Manifest(
        f"{slug(title)}.yaml",
        title,
        None,
        (*sources.cited.values(), *sources.stated),
        (*quoted, *used),
        quantities,
    )
    remarks += [*left_out, *sources.remarks, *arithmetic.remarks]
    remarks += [*on_sources(layout, all_pieces), *on_code(layout, pieces)]
    remarks.sort(key=lambda remark: remark.position.line)
    return Page(manifest, tuple(remarks))


def _title(layout: Layout) -> tuple[str, str]:
    """The model and its component, and the component alone.

    The first line has both (`Transformer · LayerNorm`), and after them at times the site's name: what follows
    the component's own heading is left out. Where it has the model alone, the component is the line above the
    sign that closes its panel.
    """
    head = layout.head
    if not head:
        raise PageError(layout.at(0), "expected the page's title before its code and sources")
    first, *others = (line.strip() for line in head)
    parts = first.split(" · ")
    if len(parts) > 1:
        headings = set(others)
        last = max((i for i, part in enumerate(parts) if i and part in headings), default=len(parts) - 1)
        return " · ".join(parts[: last + 1]), parts[last]
    if _CLOSE in others[1:]:
        component = others[others.index(_CLOSE, 1) - 1]
        return f"{first} · {component}", component
    return first, first


def _distinct(pieces: list[Piece]) -> tuple[list[Piece], list[Remark]]:
    """The pieces of evidence without those that a page repeats word for word."""
    distinct: dict[Piece, None] = {}
    remarks: list[Remark] = []
    for piece in pieces:
        if piece in distinct:
            remarks.append(Remark(piece.at, f"the evidence {piece.id} stands above already, and counts once"))
        distinct[piece] = None
    return list(distinct), remarks


def _ids(called: Iterable[tuple[str, LineRange]], names: Names) -> Iterator[str]:
    """An id for each citation; one that is used more than once gets its range each time."""
    called = list(called)
    uses = Counter(id_ for id_, _ in called)
    once = {id_: names.take(id_) for id_, count in uses.items() if count == 1}
    for id_, lines in called:
        yield once[id_] if id_ in once else names.take(f"{id_}-{lines}")


def _citation(piece: Piece, id_: str, source: Source) -> Citation:
    kind = EvidenceKind.DIRECT if piece.of is None else EvidenceKind.CONTEXTUAL
    return Citation(
        id_, source, piece.path, piece.lines, kind, piece.claim, piece.of, piece.quote, position=piece.at
    )


def _use(expression: Expression, id_: str, source: Source) -> Citation:
    return Citation(
        id_,
        source,
        expression.piece.path,
        expression.lines,
        EvidenceKind.DIRECT,
        position=expression.at,
        expression=expression.text,
    )

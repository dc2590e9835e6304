"""Evidence pages -> citations. The form of a page is described in `provenance.documents.layout`."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.citation import Citation, EvidenceKind, Manifest, Source
from provenance.documents.layout import Layout, Piece
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import LineRange
    from provenance.errors import Position

_CLOSE = "\u00d7"
"""The sign of the button that closes a panel."""
_NAME_LENGTH = 100
"""Characters of the longest name that a manifest takes."""
_SLUG_LENGTH = 80
"""Characters of the longest file name, without its ending."""
_SHORT_PIN = 12
"""Characters of a revision in a source's name."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a page that a person should know, and that keeps nothing from being imported."""

    position: Position
    message: str

    def __str__(self) -> str:
        return f"{self.position}: {self.message}"


@dataclass(frozen=True, slots=True)
class Page:
    """What an evidence page says."""

    manifest: Manifest
    """Its citations; the path is a file name made of the title."""
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
    title = _title(layout)
    all_pieces = layout.pieces()
    pieces, remarks = _distinct(all_pieces)
    sources = _sources(pieces)
    citations = tuple(
        _citation(piece, id_, sources[_pin(piece)]) for piece, id_ in zip(pieces, _ids(pieces), strict=True)
    )
    manifest = Manifest(f"{slug(title)}.yaml", title, None, tuple(sources.values()), citations)
    remarks += [*_on_sources(layout, all_pieces), *_on_code(layout, pieces)]
    remarks.sort(key=lambda remark: remark.position.line)
    return Page(manifest, tuple(remarks))


def slug(title: str) -> str:
    """A file name for a title: ASCII letters, digits and hyphens, 1 to 80 of them."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    found = re.sub(r"[^a-z0-9]+", "-", plain)[:_SLUG_LENGTH].strip("-")
    # A title in another script still gets a name that no other title has.
    return found or f"page-{hashlib.sha256(title.encode('utf-8', 'replace')).hexdigest()[:12]}"


def _title(layout: Layout) -> str:
    """The model and its component.

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
        return " · ".join(parts[: last + 1])
    if _CLOSE in others[1:]:
        return f"{first} · {others[others.index(_CLOSE, 1) - 1]}"
    return first


def _distinct(pieces: list[Piece]) -> tuple[list[Piece], list[Remark]]:
    """The pieces of evidence without those that a page repeats word for word."""
    distinct: dict[Piece, None] = {}
    remarks: list[Remark] = []
    for piece in pieces:
        if piece in distinct:
            remarks.append(Remark(piece.at, f"the evidence {piece.id} stands above already, and counts once"))
        distinct[piece] = None
    return list(distinct), remarks


_Pin = tuple[str, str, str]


def _pin(piece: Piece) -> _Pin:
    return piece.owner, piece.repository, piece.revision


def _sources(pieces: list[Piece]) -> dict[_Pin, Source]:
    """A source for each pin, named by its repository and by as much more as tells it from the others."""
    pins = {_pin(piece): piece.at for piece in pieces}
    owners = Counter(repository for _, repository in {(owner, name) for owner, name, _ in pins})
    revisions = Counter((owner, repository) for owner, repository, _ in pins)
    sources: dict[_Pin, Source] = {}
    taken: set[str] = set()
    for pin, position in pins.items():
        owner, repository, revision = pin
        name = repository if owners[repository] == 1 else f"{owner}-{repository}"
        if revisions[owner, repository] > 1:
            name = f"{name}-{revision[:_SHORT_PIN]}"
        url = f"https://github.com/{owner}/{repository}"
        sources[pin] = Source(_untaken(name, taken), url, revision, position=position)
    return sources


def _ids(pieces: list[Piece]) -> Iterator[str]:
    """An id for each citation; one that the page uses more than once gets its range each time."""
    uses = Counter(piece.id for piece in pieces)
    taken = {id_ for id_, count in uses.items() if count == 1}
    for piece in pieces:
        yield piece.id if uses[piece.id] == 1 else _untaken(f"{piece.id}-{piece.lines}", taken)


def _untaken(name: str, taken: set[str]) -> str:
    """The name, bounded, with a number where it is taken already; it is taken from now on."""
    candidate = name[:_NAME_LENGTH].rstrip()
    number = 1
    while candidate in taken:
        number += 1
        candidate = f"{name[: _NAME_LENGTH - 8]}-{number}"
    taken.add(candidate)
    return candidate


def _citation(piece: Piece, id_: str, source: Source) -> Citation:
    kind = EvidenceKind.DIRECT if piece.of is None else EvidenceKind.CONTEXTUAL
    return Citation(
        id_, source, piece.path, piece.lines, kind, piece.claim, piece.of, piece.quote, position=piece.at
    )


def _on_sources(layout: Layout, pieces: list[Piece]) -> Iterator[Remark]:
    if layout.announced not in {None, len(pieces)}:
        message = f"the page announces {layout.announced} sources, and {len(pieces)} can be read"
        yield Remark(layout.at(layout.sources), message)
    for piece in pieces:
        if piece.quote is None:
            yield Remark(piece.at, f"the evidence {piece.id} shows no excerpt after `Read code excerpt`")
    for position in layout.headings_in_code():
        yield Remark(
            position, "this reads as a heading of evidence, but no pointer and pin follow: taken for code"
        )


def _on_code(layout: Layout, pieces: list[Piece]) -> Iterator[Remark]:
    by_lines: dict[LineRange, list[Piece]] = {}
    for piece in pieces:
        by_lines.setdefault(piece.lines, []).append(piece)
    shown = layout.shown()
    for excerpt in shown:
        place = excerpt.place
        copies = [p for p in by_lines.get(place.lines, ()) if f"/{p.path}".endswith(f"/{place.file}")]
        if not copies:
            yield Remark(excerpt.at, f"{place} stands under Code alone: no pinned revision is known for it")
        for piece in copies:
            if piece.quote != excerpt.quote:
                where = _first_difference(excerpt.quote or "", piece.quote or "")
                yield Remark(
                    excerpt.at,
                    f"from its line {where} on, the excerpt of {place} differs from its copy under Sources "
                    f"(line {piece.at.line} of the page), which is used",
                )
    for entry in layout.listed():
        if not any(entry.holds(excerpt.place) for excerpt in shown):
            yield Remark(layout.code, f"the code list names {entry}, and no excerpt of it follows")


def _first_difference(one: str, other: str) -> int:
    """The 1-based number of the first line in which two texts differ."""
    pairs = zip(one.split("\n"), other.split("\n"), strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 1)

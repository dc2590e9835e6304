"""What is odd about a page, and keeps nothing from being imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.documents.places import Places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import LineRange
    from provenance.documents.layout import Layout, Piece
    from provenance.errors import Position


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a page that a person should know, and that keeps nothing from being imported."""

    position: Position
    message: str

    def __str__(self) -> str:
        return f"{self.position}: {self.message}"


def on_sources(layout: Layout, pieces: list[Piece]) -> Iterator[Remark]:
    """What is odd about the evidence, repeated pieces included."""
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


def on_code(layout: Layout, pieces: list[Piece]) -> Iterator[Remark]:
    """Where the excerpts under `Code` and those of the evidence differ."""
    by_name: dict[tuple[str, LineRange], list[Piece]] = {}
    for piece in pieces:
        by_name.setdefault((_last(piece.path), piece.lines), []).append(piece)
    for excerpt in layout.shown:
        place = excerpt.place
        named = by_name.get((_last(place.file), place.lines), ())
        copies = [piece for piece in named if piece.is_in(place.file)]
        if not copies:
            yield Remark(
                excerpt.at,
                f"{place} stands under Code alone: no evidence has these lines, and it is not checked",
            )
        for piece in copies:
            if piece.quote != excerpt.quote:
                where = _first_difference(excerpt.quote or "", piece.quote or "")
                yield Remark(
                    excerpt.at,
                    f"from its line {where} on, the excerpt of {place} differs from its copy under Sources "
                    f"(line {piece.at.line} of the page), which is used",
                )
    shown = Places(excerpt.place for excerpt in layout.shown)
    for entry in layout.listed:
        if not shown.lie_in(entry):
            yield Remark(layout.code, f"the code list names {entry}, and no excerpt of it follows")


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _first_difference(one: str, other: str) -> int:
    """The 1-based number of the first line in which two texts differ."""
    pairs = zip(one.split("\n"), other.split("\n"), strict=False)
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 1)

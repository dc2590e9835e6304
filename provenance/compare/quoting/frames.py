"""The ways in which a block's text can be read as a quote: what the document puts around code is its frame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.compare.quoting.headers import header
from provenance.compare.quoting.printed import printed
from provenance.compare.quoting.remarks import has_links, without_remarks
from provenance.compare.quoting.sides import sides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.citation import LineRange

NUMBERS = "line numbers are printed beside the code and were taken off"
HEADER = "a header that names the file stands above the code and was taken off"
REMARKS = "comments that link to the code stand in the quote and were taken off"
NEW_SIDE = "the quote is a diff; its new side was compared"
OLD_SIDE = "the quote is a diff; its old side was compared"


@dataclass(frozen=True, slots=True)
class Framed:
    """One way to read a block as a quote."""

    text: str
    """The code, joined by LF."""
    notes: tuple[str, ...] = ()
    """What was taken off, in plain words; none where the text is the block's own."""
    header_path: str | None = None
    """The file that a header names."""
    numbers: tuple[int, ...] | None = None
    """The line numbers that were printed, in their order."""
    side: bool = False
    """Whether it is one side of a diff."""


def frames(text: str, path: str, lines: LineRange | None, *, language: str = "") -> tuple[Framed, ...]:
    """Every way to read a block as a quote, the plainest first; the first is the text as it is.

    Args:
        text: The block's text.
        path: The cited path.
        lines: The cited range; None where the link names none that can be.
        language: What the document says the block is, in lower case.
    """
    plain = Framed(text)
    bare = _bare(text, path, lines)
    found = [plain]
    if bare.text != plain.text and bare.text.strip():
        found.append(bare)
    both = sides(bare.text.split("\n"), language)
    for note, side in zip((NEW_SIDE, OLD_SIDE), both or (), strict=False):
        shown = "\n".join(_trimmed(side))
        if shown and all(shown != other.text for other in found):
            found.append(Framed(shown, (*bare.notes, note), bare.header_path, bare.numbers, side=True))
    return tuple(found)


def _bare(text: str, path: str, cited: LineRange | None) -> Framed:
    """The text with all of its frame taken off."""
    lines: list[str] = text.split("\n")
    notes: list[str] = []
    remarks = without_remarks(lines) if has_links(text) else None
    if remarks is not None:
        lines = _trimmed(remarks)
        notes.append(REMARKS)
    head = header(lines, path)
    if head and head.height < len(lines):
        lines = lines[head.height :]
        notes.append(HEADER)
    else:
        head = None
    numbered = printed(lines, cited, named=head is not None)
    if numbered:
        lines = _trimmed(numbered.lines)
        notes.append(NUMBERS)
    return Framed(
        "\n".join(lines) if notes else text,
        tuple(notes),
        head.path if head else None,
        numbered.numbers if numbered else None,
    )


def _trimmed(lines: Sequence[str]) -> list[str]:
    """The lines without blank ones at the ends: what stood there is gone."""
    solid = [at for at, line in enumerate(lines) if line.strip()]
    return list(lines[solid[0] : solid[-1] + 1]) if solid else []

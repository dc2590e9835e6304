"""Sources and citations as lines of YAML, and a manifest that has none yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from provenance.manifest.fields import VERSION
from provenance.manifest.scalars import block, double_quoted, fits_block, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.citation import Citation, Release, Source

STEP = 2
"""Spaces by which one thing stands within another, where a file does not show it."""


class Field(NamedTuple):
    """A key, and its value."""

    key: str
    value: str | tuple[Release, ...]


def empty(title: str) -> bytes:
    """A manifest without sources and citations, to which some are to be added."""
    return f"prov: {VERSION}\ntitle: {scalar(title)}\nsources: {{}}\ncitations: []\n".encode()


def item(citation: Citation, *, spelled: bool = False) -> str:
    """A citation as it stands in a manifest's list, each line indented by two spaces.

    Args:
        citation: one with a quote, or with nothing to compare.
        spelled: whether all of it is in ASCII on one line a key, with escapes for the rest.
    """
    return "".join(f"{line}\n" for line in item_lines(citation, STEP, " ", spelled=spelled))


def item_lines(citation: Citation, column: int, gap: str, *, spelled: bool) -> Iterator[str]:
    """The lines of an item of a list whose dash stands in a column."""
    inner = column + 1 + len(gap)
    for at, line in enumerate(block_lines(citation_fields(citation), inner, spelled=spelled)):
        start = f"{' ' * column}-{gap}" if not at else " " * inner
        yield start + line if line else ""


def citation_fields(citation: Citation) -> list[Field]:
    """What is written of a citation, in the order in which manifests have it."""
    fields = [
        Field("id", citation.id),
        Field("source", citation.source.name),
        Field("path", citation.path),
        Field("lines", str(citation.lines)),
        Field("evidence", citation.evidence.value),
    ]
    optional = (("of", citation.of), ("claim", citation.claim), ("quote", citation.quote))
    return fields + [Field(key, value) for key, value in optional if value]


def source_fields(source: Source) -> list[Field]:
    """The same of a source. What a document states of a revision is not another's."""
    fields = [Field("git", source.git), Field("revision", source.revision)]
    if source.license is not None:
        fields.append(Field("license", source.license))
    if source.alternates:
        fields.append(Field("alternates", source.alternates))
    return fields


def block_lines(fields: Sequence[Field], column: int, *, spelled: bool) -> Iterator[str]:
    """The lines of keys in a column, each without the spaces before it."""
    for field in fields:
        value = field.value
        if not isinstance(value, str):
            yield f"{field.key}:"
            yield from (f"{' ' * STEP}- pypi: {one}" for one in value)
        elif spelled:
            yield f"{field.key}: {spelled_out(value)}"
        elif "\n" in value and fits_block(value):
            header, *body = block(value, column, STEP)
            yield f"{field.key}: {header}"
            yield from (line[column:] for line in body)
        else:
            yield f"{field.key}: {scalar(value)}"


def spelled_out(text: str, *, flow: bool = False) -> str:
    """In ASCII, without two number signs in a row, which some CI systems look for.

    Args:
        text: what is to be read back.
        flow: whether it stands between braces or brackets.
    """
    if text.isascii() and text.isprintable() and "##" not in text:
        return scalar(text, flow=flow)
    return in_ascii(double_quoted(text))


def in_ascii(quoted: str) -> str:
    """What stands in double quotes, with escapes for all that is not ASCII, and for one of two number signs."""
    quoted = quoted.replace("##", r"#\x23")
    return "".join(one if one.isascii() else _escape(ord(one)) for one in quoted)


def _escape(code: int) -> str:
    if code <= 0xFF:  # noqa: PLR2004 - the widths of YAML's three escapes
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004

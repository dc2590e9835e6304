"""A citation added at the end of a manifest's text, with its source where that is new: every other byte stays."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from provenance.errors import ManifestError, Position
from provenance.manifest.adding import end_in_block
from provenance.manifest.composing import (
    STEP,
    block_lines,
    citation_fields,
    in_ascii,
    item_lines,
    source_fields,
    spelled_out,
)
from provenance.manifest.load import parse
from provenance.manifest.nodes import NOT_YAML
from provenance.manifest.placing import Edit, composed, edited, line_ending, places_of, unmarked
from provenance.manifest.scalars import double_quoted, scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import yaml

    from provenance.citation import Citation, Manifest, Release, Source
    from provenance.manifest.composing import Field
    from provenance.manifest.placing import Entry, Places

    Where = Callable[[str, Entry, int], int]

_TO_LINE_END = re.compile(r"[^\n]*?(?=\r?\n|\Z)")
_BLANK_LINES = re.compile(r"(?:\r?\n[ \t]*(?=\r?\n|\Z))*(?:\r?\n|\Z)")
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")
_DASH = re.compile(r"-(?P<gap> +)\Z")


class _Layout(NamedTuple):
    """How a manifest is written, beside what `Places` says."""

    column: int
    """Spaces before the file's keys."""
    is_flow: bool
    """Whether the whole file is written in braces."""
    is_quoted: bool
    """Whether its keys are in double quotes, as JSON has them."""
    citations_column: int
    """Spaces before the dashes of the citations."""
    citations_flow: bool
    """Whether the citations are written in brackets."""
    holders: Mapping[str, tuple[int, int]]
    """By `sources` and `citations`: where the value of that key begins, and the index after it."""


def terminated(data: bytes) -> bytes:
    """A manifest's bytes with an end of the last line: what is added would end it, and a block on it has one then."""
    if data.endswith(b"\n"):
        return data
    return data + line_ending(data.decode("utf-8", "replace"), len(data)).encode()


class Appended(NamedTuple):
    """A manifest with a citation more."""

    data: bytes
    manifest: Manifest
    """What is read in that."""


def appended(
    data: bytes, old: Manifest, source: Source | None, citation: Citation, *, spelled: bool = False
) -> Appended | ManifestError:
    """Add a citation to a manifest, in its text.

    What was written is read again, and is refused where it does not say what was meant.

    Args:
        data: the file's bytes, whose last line has an end.
        old: what `parse` reads in them.
        source: one that is to be added, too; None where the citation's stands there.
        citation: one with a quote, or with nothing to compare, whose id is not used there.
        spelled: whether what is added is in ASCII, with escapes for the rest.

    Returns:
        The file's new bytes, or why they cannot be written.
    """
    new = replace(
        old,
        sources=old.sources if source is None else (*old.sources, source),
        citations=(*old.citations, citation),
    )
    mark, text = unmarked(data)
    found: Manifest | tuple[ManifestError, ...] = old
    for written in _ways(text, source, citation, spelled=spelled):
        made = mark + written.encode("utf-8", "surrogatepass")
        found = parse(made, old.path)
        if found == new:
            return Appended(made, new)
    reason = f" ({found[0].message})" if isinstance(found, tuple) else ""
    message = f"nothing is written: the citation cannot be added in place{reason}; add it by hand"
    return ManifestError(Position(old.path, 1), message)


def _ways(text: str, source: Source | None, citation: Citation, *, spelled: bool) -> Iterator[str]:
    """The text with the additions, in the ways that may be right, the likeliest first.

    Blank lines at the end of a block that keeps them are its own, and others are nobody's.
    """
    root = composed(text)
    writer = _Writer(text, places_of(text, root), _layout(root), spelled=spelled)
    wheres: tuple[Where, Where] = (end_in_block, _behind_blank_lines)
    for for_source, for_citation in product(wheres, wheres):
        edits = [*writer.citation(citation, for_citation)]
        edits += writer.source(source, for_source) if source is not None else ()
        yield edited(text, edits)


def _layout(root: yaml.MappingNode) -> _Layout:
    parts = {key.value: value for key, value in root.value}
    citations = parts["citations"]
    return _Layout(
        root.start_mark.column,
        bool(root.flow_style),
        root.value[0][0].style == '"',
        citations.start_mark.column,
        bool(citations.flow_style),
        {
            name: (parts[name].start_mark.index, parts[name].end_mark.index)
            for name in ("sources", "citations")
        },
    )


def _behind_blank_lines(text: str, entry: Entry, column: int) -> int:
    end = end_in_block(text, entry, column)
    blank = _BLANK_LINES.match(text, end)
    return end if blank is None else blank.end()


class _Writer:
    """Lays out what is added like what stands there."""

    def __init__(self, text: str, found: Places, layout: _Layout, *, spelled: bool) -> None:
        self._text = text
        self._places = found
        self._layout = layout
        self._spelled = spelled

    def citation(self, citation: Citation, where: Where) -> Iterator[Edit]:
        """A citation at the end of the list."""
        found, layout = self._places, self._layout
        start, end = layout.holders["citations"]
        last = _last(found.citations)
        if last is None and not layout.is_flow:
            yield from self._opened(
                start, end, item_lines(citation, layout.column + STEP, " ", spelled=self._spelled)
            )
        elif last is None or layout.citations_flow:
            yield self._in_flow(start, last, self._braces(citation_fields(citation)))
        else:
            dash = _DASH.search(self._text, 0, last.start)
            gap = " " if dash is None else dash["gap"]
            lines = item_lines(citation, layout.citations_column, gap, spelled=self._spelled)
            yield self._below(where(self._text, last, layout.citations_column), [*self._apart(), *lines])

    def source(self, source: Source, where: Where) -> Iterator[Edit]:
        """A source behind the last one."""
        found, layout = self._places, self._layout
        start, end = layout.holders["sources"]
        last = _last(found.sources)
        if last is None and not layout.is_flow:
            column = layout.column + STEP
            yield from self._opened(start, end, self._source(source, column, column + STEP))
        elif last is None or found.sources_flow:
            written = f"{self._in_braces(source.name)}: {self._braces(source_fields(source))}"
            yield self._in_flow(start, last, written)
        else:
            column = found.sources_column
            lines = self._source(source, column, column + STEP if last.flow else last.column)
            yield self._below(where(self._text, last, column), lines)

    def _source(self, source: Source, column: int, inner: int) -> Iterator[str]:
        yield f"{' ' * column}{self._scalar(source.name)}:"
        for line in block_lines(source_fields(source), inner, spelled=self._spelled):
            yield " " * inner + line if line else ""

    def _scalar(self, text: str, *, flow: bool = False) -> str:
        return spelled_out(text, flow=flow) if self._spelled else scalar(text, flow=flow)

    def _braces(self, fields: Sequence[Field]) -> str:
        """Fields in braces on one line; all in double quotes in a file whose keys are."""
        return f"{{{', '.join(f'{self._in_braces(key)}: {self._value(value)}' for key, value in fields)}}}"

    def _value(self, value: str | tuple[Release, ...]) -> str:
        if isinstance(value, str):
            return self._in_braces(value)
        key = self._in_braces("pypi")
        return f"[{', '.join(f'{{{key}: {self._in_braces(str(one))}}}' for one in value)}]"

    def _in_braces(self, text: str) -> str:
        return self._quoted(text) if self._layout.is_quoted else self._scalar(text, flow=True)

    def _quoted(self, text: str) -> str:
        """In double quotes: as JSON has them, where YAML takes that."""
        written = json.dumps(text, ensure_ascii=False)
        if not self._spelled and not NOT_YAML.search(written):
            return written
        return in_ascii(double_quoted(text)) if self._spelled else double_quoted(text)

    def _in_flow(self, start: int, last: Entry | None, written: str) -> Edit:
        """Something within brackets or braces: on a line of its own where what stands before it is on one."""
        if last is None:
            return Edit(start + 1, start + 1, written)
        line = self._text.rfind("\n", 0, last.start) + 1
        before = self._text[line : last.start]
        margin = before[: len(before) - len(before.lstrip(" \t"))]
        own = line > start and (not before.strip(" \t") or ":" in before)
        between = f",{line_ending(self._text, last.end)}{margin}" if own else ", "
        return Edit(last.end, last.end, between + written)

    def _opened(self, start: int, end: int, lines: Iterator[str]) -> Iterator[Edit]:
        """Lines below a key in the place of its empty brackets or braces."""
        head = len(self._text[:start].rstrip(" "))
        yield Edit(head, end, "")
        rest = _TO_LINE_END.match(self._text, end)
        yield self._below(end if rest is None else rest.end(), [*lines])

    def _below(self, at: int, lines: Iterable[str]) -> Edit:
        """Lines behind the line that ends there, or before the one that begins there."""
        ending = line_ending(self._text, at)
        if at and self._text[at - 1] == "\n":
            return Edit(at, at, "".join(line + ending for line in lines))
        return Edit(at, at, "".join(ending + line for line in lines))

    def _apart(self) -> list[str]:
        """A blank line, where the last two citations have one between them."""
        entries = [self._places.citations[id_] for id_ in [*self._places.citations][-2:]]
        if len(entries) == 1:
            return []
        between = self._text[entries[0].end : entries[1].start]
        return [""] if _BLANK_LINE.search(between) else []


def _last(entries: Mapping[str, Entry]) -> Entry | None:
    return entries[[*entries][-1]] if entries else None

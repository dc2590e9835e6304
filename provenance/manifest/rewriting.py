"""The text of a manifest, changed only where two records differ: everything else stays, character for character."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.manifest.adding import added
from provenance.manifest.expectations import expected
from provenance.manifest.placing import Edit, body_end, body_step, edited, places
from provenance.manifest.requoting import out_of_block, requoted, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.citation import Citation, LineRange, Manifest, Source
    from provenance.manifest.placing import Entry, Places

_LINES = re.compile(r"(\s*)[0-9]+(?:(\s*[^\s0-9]\s*)[0-9]+)?(\s*)")
"""A range as it is written: what stands around its numbers and between them."""


def rewritten(text: str, old: Manifest, new: Manifest) -> str:
    """The text of a manifest with the changes from one record to another.

    Args:
        text: the file without its byte order mark.
        old: what `parse` reads in it.
        new: the same with other revisions of sources, with sources added behind others, with other sources,
            paths, lines and quotes of citations, and with other expectations of citations and quantities.
    """
    writer = _Writer(text, places(text))
    made = (*writer.sources(old, new), *writer.citations(old, new), *writer.quantities(old, new))
    return edited(text, made)


@dataclass(frozen=True, slots=True)
class _Writer:
    text: str
    places: Places

    def sources(self, old: Manifest, new: Manifest) -> Iterator[Edit]:
        """What changes in the sources, and those that are added."""
        known = {source.name: source for source in old.sources}
        behind: dict[str, list[Source]] = {}
        name = ""
        for source in new.sources:
            if source.name not in known:
                behind.setdefault(name, []).append(source)
                continue
            name = source.name
            if source.revision != known[name].revision:
                yield self._line(self.places.sources[name], "revision", source.revision)
        for name, sources in behind.items():
            yield from added(self.text, self.places, name, sources)

    def citations(self, old: Manifest, new: Manifest) -> Iterator[Edit]:
        """What changes in the citations."""
        for before, after in zip(old.citations, new.citations, strict=True):
            if before == after:
                continue
            entry = self.places.citations[before.id]
            if before.source.name != after.source.name:
                yield self._line(entry, "source", after.source.name)
            yield from self._citation(entry, before, after)
            yield from expected(self.text, entry, before.expect, after.expect)

    def quantities(self, old: Manifest, new: Manifest) -> Iterator[Edit]:
        """What changes in the quantities, which is what is expected of them."""
        for before, after in zip(old.quantities, new.quantities, strict=True):
            if before == after:
                continue
            entry = self.places.quantities[before.id]
            yield from expected(self.text, entry, before.expect, after.expect)

    def _citation(self, entry: Entry, before: Citation, after: Citation) -> Iterator[Edit]:
        if before.path != after.path:
            yield self._line(entry, "path", after.path)
        if after.lines is not None and before.lines != after.lines:
            yield self._line(entry, "lines", _range(entry.values["lines"].value, after.lines))
        if after.quote is not None and before.quote != after.quote:
            yield from requoted(self.text, entry, after.quote)

    def _line(self, entry: Entry, key: str, value: str) -> Edit:
        """A value of one line in the place of another, in the same kind of quotes or block where they hold it."""
        span = entry.values[key]
        if not span.is_block:
            return Edit(span.start, span.end, respelled(span, value))
        if not value.isprintable():
            return out_of_block(self.text, entry, span, value)
        margin = " " * (entry.column + body_step(self.text, span, entry.column))
        start = self.text.index("\n", span.start) + 1
        return Edit(start, body_end(self.text, span, entry.column), margin + value)


def _range(written: str, lines: LineRange) -> str:
    """A range with the dash and the white space of the one that stands there."""
    match = _LINES.fullmatch(written)
    before, dash, behind = match.groups() if match is not None else ("", None, "")
    if lines.first == lines.last:
        return f"{before}{lines.first}{behind}"
    return f"{before}{lines.first}{dash or '-'}{lines.last}{behind}"

"""The cited files of one manifest, with what their citations have in common worked out once."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from provenance import __version__
from provenance.errors import StoreError
from provenance.extract.lines import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.citation import Source
    from provenance.extract.decode import NotText
    from provenance.extract.outline import Outline
    from provenance.extract.syntax import Syntax
    from provenance.gather import Standing
    from provenance.reading import Reading
    from provenance.store.records import StoredFile


class Place:
    """A cited file within one manifest, with what its citations have in common worked out once."""

    __slots__ = ("_exact", "_prefix", "_reading", "_text", "standing")

    def __init__(self, standing: Standing, reading: Reading) -> None:
        self.standing = standing
        self._reading = reading
        self._text: Text | NotText | None = None
        self._exact: Text | None = None
        self._prefix = self._digest_prefix()

    @property
    def file(self) -> StoredFile:
        """What the store holds; only where nothing failed."""
        if self.standing.file is None:
            message = "a file whose origin failed has no content"
            raise StoreError(message)
        return self.standing.file

    def text(self) -> Text | NotText | None:
        """The decoded content; None where the path has none."""
        file = self.standing.file
        if self._text is None and file is not None and file.blob is not None:
            self._text = self._reading.text(file.blob, file.path)
        return self._text

    def is_exact(self, quote: str | None, first: int, last: int) -> bool:
        """Whether a quote is certain lines of the content: the hot path, without a record."""
        if self._exact is None:
            text = self.text()
            self._exact = text if isinstance(text, Text) else Text("")
        return quote is not None and self._exact.is_excerpt(quote, first, last)

    def outline(self) -> Outline | None:
        """The content's outline; None where its language is not known."""
        file = self.standing.file
        return None if file is None or file.blob is None else self._reading.outline(file.blob, file.path)

    def syntax(self) -> Syntax | None:
        """The content's syntax tree; None where its language is not known, or it cannot be parsed."""
        file = self.standing.file
        return None if file is None or file.blob is None else self._reading.syntax(file.blob, file.path)

    def inputs(self, basis: str) -> str | None:
        """All that a verdict depends on: a digest of file and prov's version, and the citation's own basis."""
        return None if self._prefix is None else self._prefix + basis

    def _digest_prefix(self) -> str | None:
        file = self.standing.file
        if self.standing.failure is not None or file is None:
            return None
        parts = [__version__, self.standing.revision, file.blob, self.standing.assurance, file.origin]
        language = self._reading.languages.of(file.path)
        parts += [file.verdict, file.message, None if language is None else language.name, *file.notes]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class Places:
    """The cited files of one manifest."""

    def __init__(
        self,
        sources: Mapping[int, Source],
        standings: Mapping[tuple[str, str, str], Standing],
        reading: Reading,
    ) -> None:
        self._sources = sources
        self._standings = standings
        self._reading = reading
        self._by_number: dict[tuple[int, str], Place] = {}
        self._by_key: dict[tuple[str, str, str], Place] = {}

    @property
    def has_failures(self) -> bool:
        """Whether anything that was asked for so far could not be had."""
        return any(place.standing.failure is not None for place in self._by_key.values())

    def complete(self) -> None:
        """Make the outlines that the store lacks."""
        for place in self._by_key.values():
            file = place.standing.file
            if file is not None and file.blob is not None:
                self._reading.complete(file.blob, file.path)

    def numbered(self, source: int, path: str) -> Place:
        """By a source's number in the store: the quick way."""
        place = self._by_number.get((source, path))
        if place is None:
            place = self._by_number[source, path] = self.of(self._sources[source], path)
        return place

    def of(self, source: Source, path: str) -> Place:
        """By source and path."""
        key = source.git, source.revision, path
        if key not in self._by_key:
            self._by_key[key] = Place(self._standings[key], self._reading)
        return self._by_key[key]

"""A tree of nodes -> a manifest's records, or every error that the file has."""

from __future__ import annotations

from datetime import date
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, assert_never

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    LineRange,
    Manifest,
    Release,
    Source,
)
from provenance.errors import InvalidRecord, Position
from provenance.manifest.fields import (
    ALTERNATE,
    CITATION,
    EXPECT,
    MANIFEST,
    NAME,
    RELEASE,
    SOURCE,
    Unjudged,
)
from provenance.manifest.nodes import Broken, Errors, Mapping, Node, Scalar, Sequence, read, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.errors import ManifestError
    from provenance.manifest.fields import Table

_NEAR = 64
"""Characters of the longest word for which a near miss is sought."""
_KNOWN = 1000
"""Words among which it is sought."""

_MERGE = "merge keys are refused: write the keys out"

_Found = dict[str, Node]
"""The values of a table, by key."""


def parse(data: bytes, name: str) -> Manifest | tuple[ManifestError, ...]:
    """Read a manifest.

    Args:
        data: the file's bytes.
        name: its path relative to the project's root, with forward slashes; errors begin with it.

    Returns:
        The manifest, or all errors of the file in its order. They are values, so that a manifest that cannot
        be read does not stop the others.
    """
    errors = Errors(name)
    root = read(data, errors)
    manifest = None if root is None else _Loader(errors).manifest(root)
    if manifest is None or errors.count:
        return errors.told()
    return manifest


class _Loader:
    """Walks a tree. A method whose node is wrong adds an error and returns what keeps the walk going."""

    def __init__(self, errors: Errors) -> None:
        self._errors = errors
        self._file = errors.file
        self._sources: dict[str, Source | None] | None = None
        """By name, None where a definition has errors; None where the manifest has no sources to speak of."""

    def manifest(self, root: Node) -> Manifest | None:
        found = self._table(root, MANIFEST)
        if found is None:
            return None
        self._text(found, MANIFEST, "prov")
        title = self._text(found, MANIFEST, "title")
        url = self._text(found, MANIFEST, "url")
        self._sources = self._all_sources(found.get("sources"))
        citations = self._citations(self._items(found, "citations"))
        sources = tuple(source for source in (self._sources or {}).values() if source is not None)
        return Manifest(self._file, title or "", url, sources, citations)

    def _all_sources(self, node: Node | None) -> dict[str, Source | None] | None:
        if type(node) is not Mapping:
            if node is not None:
                self._not(node, "a mapping of names to repositories")
            return None
        sources: dict[str, Source | None] = {}
        places: dict[str, int] = {}
        for name, value in node.pairs:
            if name.value in places:
                first = places[name.value]
                self._errors.at(name, f"the source {shown(name.value)} is defined already, on line {first}")
                continue
            places[name.value] = name.line
            if name.value == "<<":
                self._errors.at(name, _MERGE)
            elif NAME.pattern.fullmatch(name.value) is None:
                self._not(name, NAME.expected)
            else:
                sources[name.value] = self._source(name, value)
        return sources

    def _source(self, name: Scalar, node: Node) -> Source | None:
        before = self._errors.count
        found = self._table(node, SOURCE)
        if found is None:
            return None
        git = self._text(found, SOURCE, "git")
        revision = self._text(found, SOURCE, "revision")
        licence = self._text(found, SOURCE, "license")
        releases = [self._alternate(item) for item in self._items(found, "alternates")]
        if git is None or revision is None or self._errors.count > before:
            return None
        alternates = tuple(release for release in releases if release is not None)
        return Source(
            name.value, git, revision, licence, alternates, Position(self._file, name.line, name.column)
        )

    def _alternate(self, node: Node) -> Release | None:
        found = self._table(node, ALTERNATE)
        text = None if found is None else self._text(found, ALTERNATE, "pypi")
        match = None if text is None else RELEASE.pattern.fullmatch(text)
        return None if match is None else Release(match[1], match[2])

    def _citations(self, nodes: list[Node]) -> tuple[Citation, ...]:
        citations: list[Citation] = []
        places: dict[str, int] = {}
        for node in nodes:
            found = self._table(node, CITATION)
            if found is None:
                continue
            citation = self._citation(node, found)
            if citation is not None:
                citations.append(citation)
            named = found.get("id")
            if type(named) is not Scalar:
                continue
            if named.value in places:
                first = places[named.value]
                self._errors.at(named, f"the id {shown(named.value)} is used already, on line {first}")
            else:
                places[named.value] = named.line
        return tuple(citations)

    def _citation(self, node: Node, found: _Found) -> Citation | None:
        before = self._errors.count
        id_ = self._text(found, CITATION, "id")
        source = self._reference(found)
        path = self._text(found, CITATION, "path")
        lines = self._lines(found)
        evidence = self._text(found, CITATION, "evidence")
        of = self._text(found, CITATION, "of")
        claim = self._text(found, CITATION, "claim")
        quote = self._text(found, CITATION, "quote")
        expect = self._expectation(found["expect"]) if "expect" in found else None
        if self._errors.count > before or source is None or lines is None:
            return None
        return Citation(
            id_ or "",
            source,
            path or "",
            lines,
            EvidenceKind(evidence or ""),
            claim or "",
            of,
            quote,
            expect,
            Position(self._file, node.line, node.column),
        )

    def _reference(self, found: _Found) -> Source | None:
        name = self._text(found, CITATION, "source")
        if name is None or self._sources is None:
            return None
        if name not in self._sources:
            hint = self._hint(name, self._sources)
            self._errors.at(found["source"], f"there is no source {shown(name)} under sources{hint}")
            return None
        return self._sources[name]

    def _lines(self, found: _Found) -> LineRange | None:
        text = self._text(found, CITATION, "lines")
        if text is None:
            return None
        try:
            return LineRange.parse(text)
        except InvalidRecord as error:
            self._errors.at(found["lines"], str(error))
            return None

    def _expectation(self, node: Node) -> Expectation | None:
        found = self._table(node, EXPECT)
        if found is None:
            return None
        verdict = self._text(found, EXPECT, "verdict")
        because = self._text(found, EXPECT, "because")
        until = self._text(found, EXPECT, "until")
        if verdict is None or because is None or until is None:
            return None
        try:
            return Expectation(verdict, because, date.fromisoformat(until))
        except ValueError:
            self._errors.at(
                found["until"], f"there is no day {shown(until)}; expected a date such as 2027-06-30"
            )
            return None

    # What any table, list or text has to be.

    def _table(self, node: Node, table: Table) -> _Found | None:
        """The values of a table by key; None where the node is no mapping."""
        if type(node) is not Mapping:
            self._not(node, str(table))
            return None
        found: _Found = {}
        keys: dict[str, Scalar] = {}
        for key, value in node.pairs:
            word = key.value
            if word in keys:
                self._errors.at(key, f"the key {shown(word)} stands here again, after line {keys[word].line}")
                continue
            keys[word] = key
            field = table.fields.get(word)
            if field is None:
                self._unknown(key, table)
            elif type(field.kind) is Unjudged:
                self._errors.at(key, f"{field.kind.plural} are not judged by this version of prov")
            else:
                found[word] = value
        for word, field in table.fields.items():
            if word not in found:
                if field.required:
                    self._errors.at(node, f"{table.name} needs the key {word}: {field.description}")
            elif field.only_with is not None:
                self._belongs(keys[word], found, table, field.only_with)
        return found

    def _belongs(self, key: Scalar, found: _Found, table: Table, only_with: tuple[str, str]) -> None:
        other, wanted = only_with
        node = found.get(other)
        if type(node) is Scalar and node.value != wanted and node.value in table.text(other).words:
            self._errors.at(key, f"{key.value} goes with {other}: {wanted} alone")

    def _unknown(self, key: Scalar, table: Table) -> None:
        if key.value == "<<":
            self._errors.at(key, _MERGE)
            return
        hint = self._hint(key.value, table.fields)
        self._errors.at(key, f"unknown key {shown(key.value)}; expected {table}{hint}")

    def _text(self, found: _Found, table: Table, key: str) -> str | None:
        """A checked scalar; None where the key is missing or its value is wrong."""
        node = found.get(key)
        if node is None:
            return None
        kind = table.text(key)
        if type(node) is Scalar and kind.pattern.fullmatch(node.value) is not None:
            return node.value
        hint = self._hint(node.value, kind.words) if type(node) is Scalar else ""
        self._not(node, f"{key}: {kind.expected}{hint}")
        return None

    def _items(self, found: _Found, key: str) -> list[Node]:
        node = found.get(key)
        if type(node) is Sequence:
            return node.items
        if node is not None:
            self._not(node, f"{key}: a list")
        return []

    def _not(self, node: Node, expected: str) -> None:
        match node:
            case Scalar(value):
                what = shown(value) if value else "nothing"
            case Sequence():
                what = "a list"
            case Mapping():
                what = "a mapping"
            case Broken():
                return
            case _:
                assert_never(node)
        self._errors.at(node, f"found {what}; expected {expected}")

    def _hint(self, word: str, known: Iterable[str]) -> str:
        """The question whether a near miss was meant, or nothing."""
        if self._errors.full or len(word) > _NEAR:
            return ""
        near = get_close_matches(word, islice(known, _KNOWN), 1)
        return f"; did you mean {near[0]}?" if near else ""

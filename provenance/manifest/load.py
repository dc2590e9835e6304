"""A tree of nodes -> a manifest's records, or every error that the file has."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    ExpectedValue,
    LineRange,
    Manifest,
    Quantity,
    Release,
    Source,
    Term,
)
from provenance.errors import InvalidRecord, Position
from provenance.manifest.checks import MERGE, Checks
from provenance.manifest.fields import (
    ALTERNATE,
    CITATION,
    EXPECT,
    EXPECT_BROKEN,
    MANIFEST,
    NAME,
    QUANTITY,
    RELEASE,
    SOURCE,
    TERM,
    VALUE,
)
from provenance.manifest.nodes import Errors, Mapping, Scalar, read, shown

if TYPE_CHECKING:
    from provenance.errors import ManifestError
    from provenance.manifest.checks import Found
    from provenance.manifest.fields import Table
    from provenance.manifest.nodes import Node


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


class _Loader(Checks):
    """Walks a tree of nodes."""

    def __init__(self, errors: Errors) -> None:
        super().__init__(errors)
        self._file = errors.file
        self._sources: dict[str, Source | None] | None = None
        """By name, None where a definition has errors; None where the manifest has no sources to speak of."""
        self._ids: dict[str, int] = {}
        """The line of each id."""

    def manifest(self, root: Node) -> Manifest | None:
        found = self._table(root, MANIFEST)
        if found is None:
            return None
        self._text(found, MANIFEST, "prov")
        title = self._text(found, MANIFEST, "title")
        url = self._text(found, MANIFEST, "url")
        self._sources = self._all_sources(found.get("sources"))
        citations = self._citations(self._items(found, "citations"))
        quantities = self._quantities(self._items(found, "quantities"))
        sources = tuple(source for source in (self._sources or {}).values() if source is not None)
        return Manifest(self._file, title or "", url, sources, citations, quantities)

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
                self._errors.at(name, MERGE)
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
        stated = self._text(found, SOURCE, "stated")
        if git is None or revision is None or self._errors.count > before:
            return None
        alternates = tuple(release for release in releases if release is not None)
        position = Position(self._file, name.line, name.column)
        return Source(name.value, git, revision, licence, alternates, stated, position)

    def _alternate(self, node: Node) -> Release | None:
        found = self._table(node, ALTERNATE)
        text = None if found is None else self._text(found, ALTERNATE, "pypi")
        match = None if text is None else RELEASE.pattern.fullmatch(text)
        return None if match is None else Release(match[1], match[2])

    def _citations(self, nodes: list[Node]) -> tuple[Citation, ...]:
        citations: list[Citation] = []
        for node in nodes:
            found = self._table(node, CITATION)
            if found is None:
                continue
            citation = self._citation(node, found)
            if citation is not None:
                citations.append(citation)
            self._use(found.get("id"))
        return tuple(citations)

    def _quantities(self, nodes: list[Node]) -> tuple[Quantity, ...]:
        quantities: list[Quantity] = []
        for node in nodes:
            found = self._table(node, QUANTITY)
            if found is None:
                continue
            quantity = self._quantity(node, found)
            if quantity is not None:
                quantities.append(quantity)
            self._use(found.get("id"))
        return tuple(quantities)

    def _use(self, named: Node | None) -> None:
        """Take note of an id, and of one that is used twice."""
        if type(named) is not Scalar:
            return
        if named.value in self._ids:
            first = self._ids[named.value]
            self._errors.at(named, f"the id {shown(named.value)} is used already, on line {first}")
        else:
            self._ids[named.value] = named.line

    def _quantity(self, node: Node, found: Found) -> Quantity | None:
        before = self._errors.count
        id_ = self._text(found, QUANTITY, "id")
        terms = [self._term(item) for item in self._items(found, "terms")]
        total = self._text(found, QUANTITY, "total")
        repeated = self._text(found, QUANTITY, "repeated")
        overall = self._text(found, QUANTITY, "overall")
        statements = self._texts(found, QUANTITY, "statements")
        shapes = self._texts(found, QUANTITY, "shapes")
        expect = self._expectation(found["expect"], EXPECT_BROKEN) if "expect" in found else None
        if self._errors.count > before:
            return None
        return Quantity(
            id_ or "",
            tuple(term for term in terms if term is not None),
            total,
            repeated,
            overall,
            statements,
            shapes,
            expect,
            Position(self._file, node.line, node.column),
        )

    def _term(self, node: Node) -> Term | None:
        found = self._table(node, TERM)
        if found is None:
            return None
        name = self._text(found, TERM, "name")
        calculation = self._text(found, TERM, "calculation")
        equals = self._text(found, TERM, "equals")
        if name is None or calculation is None or equals is None:
            return None
        return Term(name, calculation, equals)

    def _citation(self, node: Node, found: Found) -> Citation | None:
        before = self._errors.count
        id_ = self._text(found, CITATION, "id")
        source = self._reference(found)
        path = self._text(found, CITATION, "path")
        lines = self._lines(found)
        evidence = self._text(found, CITATION, "evidence")
        of = self._text(found, CITATION, "of")
        claim = self._text(found, CITATION, "claim")
        quote = self._text(found, CITATION, "quote")
        expression = self._text(found, CITATION, "expression")
        value = self._value(found["value"]) if "value" in found else None
        expect = self._expectation(found["expect"], EXPECT) if "expect" in found else None
        if id_ is None or source is None or path is None or evidence is None:
            return None
        if self._errors.count > before or (lines is None and value is None):
            return None
        return Citation(
            id_,
            source,
            path,
            lines,
            EvidenceKind(evidence),
            claim or "",
            of,
            quote,
            expect,
            Position(self._file, node.line, node.column),
            expression,
            value,
        )

    def _value(self, node: Node) -> ExpectedValue | None:
        found = self._table(node, VALUE)
        if found is None:
            return None
        pointer = self._text(found, VALUE, "pointer")
        equals = self._text(found, VALUE, "equals")
        return None if pointer is None or equals is None else ExpectedValue(pointer, equals)

    def _reference(self, found: Found) -> Source | None:
        name = self._text(found, CITATION, "source")
        if name is None or self._sources is None:
            return None
        if name not in self._sources:
            hint = self._hint(name, self._sources)
            self._errors.at(found["source"], f"there is no source {shown(name)} under sources{hint}")
            return None
        return self._sources[name]

    def _lines(self, found: Found) -> LineRange | None:
        text = self._text(found, CITATION, "lines")
        if text is None:
            return None
        try:
            return LineRange.parse(text)
        except InvalidRecord as error:
            self._errors.at(found["lines"], str(error))
            return None

    def _expectation(self, node: Node, table: Table) -> Expectation | None:
        found = self._table(node, table)
        if found is None:
            return None
        verdict = self._text(found, table, "verdict")
        because = self._text(found, table, "because")
        until = self._text(found, table, "until")
        if verdict is None or because is None or until is None:
            return None
        try:
            return Expectation(verdict, because, date.fromisoformat(until))
        except ValueError:
            self._errors.at(
                found["until"], f"there is no day {shown(until)}; expected a date such as 2027-06-30"
            )
            return None

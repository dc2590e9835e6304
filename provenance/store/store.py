"""The one class that reads and writes the evidence database."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Self

from provenance import __version__
from provenance.citation import LineRange
from provenance.errors import InvalidRecord, StoreError
from provenance.evidence import Content
from provenance.proof import Prover
from provenance.store import queries
from provenance.store.database import Database
from provenance.store.records import (
    Check,
    CitedFile,
    NamedCitation,
    StoredDocument,
    WantedFile,
)
from provenance.store.rows import (
    bytes_of,
    citation_of,
    file_of,
    history_of,
    manifest_of,
    maybe_text,
    number_of,
    quantity_of,
    source_of,
    strings_of,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from provenance.citation import Source
    from provenance.evidence import HistoryEntry
    from provenance.store.database import Row, Value
    from provenance.store.records import (
        StoredCitation,
        StoredDrift,
        StoredFile,
        StoredManifest,
        StoredQuantity,
    )
    from provenance.store.writing import Transaction


class Store:
    """Evidence, kept. Reads need no transaction; whatever is written together is one.

    Every method raises `StoreError` where the database cannot be used.
    """

    def __init__(self, where: str, command: str = "prov") -> None:
        self._database = Database(where)
        self._command = command
        self._run: int | None = None
        self.prover = Prover(self.object)
        """Proves contents from the stored commits and trees."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    @property
    def name(self) -> str:
        """The database's path or URL, without a password."""
        return self._database.shown()

    def is_there(self) -> bool:
        """Whether there is a database already; one of an older prov is brought up to date."""
        return self._database.is_there()

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Write: all of the block, or nothing of it."""
        from provenance.store.writing import Transaction

        with self._database.transaction() as connection:
            transaction = Transaction(connection, run=self._run, command=self._command, now=_now())
            yield transaction
        self._run = transaction.run

    def manifests(self) -> dict[str, StoredManifest]:
        """Every manifest that is known, by path."""
        found = (manifest_of(row) for row in self._rows(queries.MANIFESTS))
        return {manifest.path: manifest for manifest in found}

    def documents(self) -> dict[str, StoredDocument]:
        """Every document that has been read, by path."""
        rows = self._rows(queries.DOCUMENTS)
        found = (
            StoredDocument(text_of(path), text_of(digest), text_of(brief), text_of(resolution))
            for path, digest, brief, resolution in rows
        )
        return {document.path: document for document in found}

    def outcome(self, document: str) -> str | None:
        """What came of reading a document beside its citations, as it was put; None where it has not been read."""
        for (data,) in self._rows(queries.OUTCOME, path=document):
            return text_of(data)
        return None

    def sources(self, manifest: StoredManifest) -> dict[int, Source]:
        """A manifest's sources by their number in the database."""
        rows = self._rows(queries.SOURCES, manifest=manifest.id)
        return {number_of(row[0]): source_of(row[1:8], manifest.path) for row in rows}

    def quantities(self, manifest: StoredManifest) -> list[StoredQuantity]:
        """A manifest's arithmetic, in its order, as it was last judged."""
        rows = self._rows(queries.QUANTITIES, manifest=manifest.id)
        return [quantity_of(row, manifest.path) for row in rows]

    def wanted(self, manifest: StoredManifest) -> list[WantedFile]:
        """The files that a manifest's citations need."""
        sources = self.sources(manifest)
        rows = self._rows(queries.WANTED, manifest=manifest.id)
        return [WantedFile(sources[number_of(source)], text_of(path)) for source, path in rows]

    def ids(self, manifest: StoredManifest) -> Iterator[str]:
        """The ids of a manifest's citations and quantities."""
        return (text_of(name) for (name,) in self._rows(queries.IDS, manifest=manifest.id))

    def expects(self, manifest: StoredManifest) -> bool:
        """Whether a citation of the manifest carries `expect`, so that its level depends on the day."""
        return any(True for _ in self._rows(queries.EXPECTING, manifest=manifest.id))

    def checks(self, manifest: StoredManifest) -> Iterator[Check]:
        """As little of a manifest's citations as the quick way to a verdict needs."""
        return map(Check._make, self._rows(queries.CHECKS, manifest=manifest.id))

    def citations(self, manifest: StoredManifest, *, by_file: bool = False) -> Iterator[StoredCitation]:
        """A manifest's citations with their last verdicts, in its order, or those of each file together."""
        sources = self.sources(manifest)
        asked = queries.CITATIONS_BY_FILE if by_file else queries.CITATIONS
        for row in self._rows(asked, manifest=manifest.id):
            yield citation_of(row, sources[number_of(row[19])], manifest.path)

    def pin(self, git: str, revision: str) -> str | None:
        """The commit that a revision as written was last resolved to."""
        for (commit,) in self._rows(queries.PIN, git=git, revision=revision):
            return text_of(commit)
        return None

    def file(self, git: str, revision: str, path: str) -> StoredFile | None:
        """What is known of a path at a revision."""
        for row in self._rows(queries.FILE, git=git, revision=revision, path=path):
            return file_of(row)
        return None

    def content(self, blob: str) -> Content | None:
        """The bytes of a blob, hashed as they are read.

        Raises:
            StoreError: they have another id than the one they are stored under.
        """
        for (data,) in self._rows(queries.CONTENT, blob=blob):
            return _checked(blob, data)
        return None

    def contents(self) -> Iterator[Content]:
        """Every content, hashed as it is read."""
        for blob, data in self._rows(queries.CONTENTS):
            yield _checked(text_of(blob), data)

    def object(self, id: str) -> bytes | None:  # noqa: A002 - git's word
        """The bytes of a commit or tree, unchecked: proving hashes them."""
        for (data,) in self._rows(queries.OBJECT, id=id):
            return bytes_of(data)
        return None

    def outline(self, blob: str, language: str) -> str | None:
        """A stored outline of a content, made by this version of prov."""
        for (data,) in self._rows(queries.OUTLINE, blob=blob, language=language, version=__version__):
            return text_of(data)
        return None

    def symbols(self, blob: str | None, lines: LineRange | None) -> tuple[str | None, tuple[str, ...]] | None:
        """The symbols of an excerpt: the one around it, and those inside; None where there is no excerpt."""
        if blob is None or lines is None:
            return None
        for symbol, inside in self._rows(queries.EXCERPT, blob=blob, first=lines.first, last=lines.last):
            return maybe_text(symbol), strings_of(inside)
        return None

    def excerpt_digest(self, blob: str | None, lines: LineRange | None) -> str | None:
        """SHA-256 of a stored excerpt; None where there is none, as past a file's end."""
        if blob is None or lines is None:
            return None
        for (digest,) in self._rows(queries.EXCERPT_DIGEST, blob=blob, first=lines.first, last=lines.last):
            return text_of(digest)
        return None

    def cited_files(self) -> list[CitedFile]:
        """Every file that some citation points into."""
        rows = self._rows(queries.CITED_FILES)
        return [CitedFile(text_of(git), text_of(revision), text_of(path)) for git, revision, path in rows]

    def citing(self, file: CitedFile) -> set[str]:
        """The manifests that cite a file."""
        rows = self._rows(queries.CITING, path=file.path, git=file.git, revision=file.revision)
        return {text_of(path) for (path,) in rows}

    def cited_in(self, file: CitedFile) -> list[tuple[str, StoredCitation]]:
        """The citations of a file, by their lines, each with its manifest's path."""
        rows = self._rows(queries.CITED_IN, path=file.path, git=file.git, revision=file.revision)
        found = []
        for row in rows:
            manifest = text_of(row[-1])
            found.append((manifest, citation_of(row[:-1], source_of(row[20:27], manifest), manifest)))
        return found

    def named(self, name: str) -> list[NamedCitation]:
        """The citations that have an id, which is one manifest's own."""
        return [
            NamedCitation(
                text_of(manifest),
                CitedFile(text_of(git), text_of(revision), text_of(path)),
                None if first is None else LineRange(number_of(first), number_of(last)),
            )
            for manifest, git, revision, path, first, last in self._rows(queries.NAMED, name=name)
        ]

    def stating(self, name: str) -> set[str]:
        """The manifests that have a quantity of that id, or a stated pin: `gpt-2 @ 9b63575`."""
        source, _, stated = name.rpartition(" @ ")
        rows = self._rows(queries.STATING, name=name, source=source, stated=stated)
        return {text_of(path) for (path,) in rows}

    def files_with(self, blob: str) -> set[tuple[str, str, str]]:
        """URL, revision (full, where it is known) and path of the files that have a content."""
        rows = self._rows(queries.FILES_WITH, blob=blob)
        return {(text_of(git), text_of(revision), text_of(path)) for git, revision, path in rows}

    def history(self, manifest: str, citation: str) -> list[HistoryEntry]:
        """How a verdict of a citation or a quantity came to be what it is, oldest first."""
        return [history_of(row) for row in self._rows(queries.HISTORY, manifest=manifest, citation=citation)]

    def remembered(self, citation: str) -> list[str]:
        """The manifests, by their paths, in which an id had a verdict once: of a citation or a quantity."""
        return [text_of(manifest) for (manifest,) in self._rows(queries.REMEMBERED, citation=citation)]

    def drifts(self, manifest: str, citation: str) -> list[StoredDrift]:
        """What became of a citation at the targets that `prov drift` was asked for, the latest answer first.

        Args:
            manifest: its path, relative to the project's root.
            citation: its id.
        """
        from provenance.store.drifts import drift_of

        return [drift_of(row) for row in self._rows(queries.DRIFTS, manifest=manifest, citation=citation)]

    def _rows(self, sql: str, **parameters: Value) -> Iterator[Row]:
        reader = self._database.reader()
        return iter(()) if reader is None else reader.rows(sql, parameters)


def _checked(blob: str, data: Value) -> Content:
    try:
        return Content.checked(blob, bytes_of(data))
    except InvalidRecord as error:
        message = f"the evidence database is damaged: {error}; delete it, prov fetch makes it anew"
        raise StoreError(message) from error


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

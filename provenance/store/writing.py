"""What is written to the evidence database, within one transaction. Importing this imports SQLAlchemy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Insert, Table, TextClause, Update, bindparam, delete, insert, select, text, update
from sqlalchemy.sql.compiler import SQLCompiler

from provenance import __version__
from provenance.store import queries, schema
from provenance.store.drifts import drift_values
from provenance.store.records import StoredManifest
from provenance.store.rows import number_of, strings_json, text_of, verdict_values
from provenance.store.values import citation_values, excerpt_values, file_values, history_key, quantity_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from provenance.citation import Manifest, Source
    from provenance.evidence import Content, GitObject, Symbol
    from provenance.relocation import Drift
    from provenance.store.database import Value
    from provenance.store.records import (
        NewVerdict,
        StoredDocument,
        StoredFile,
        StoredQuantity,
    )

# Portable: no dialect's own "on conflict".
_NEW_CONTENT = text(
    "INSERT INTO contents (blob, size, data) SELECT :blob, :size, :data"
    " WHERE NOT EXISTS (SELECT 1 FROM contents WHERE blob = :blob)"
)
_NEW_OBJECT = text(
    "INSERT INTO objects (id, kind, data) SELECT :id, :kind, :data"
    " WHERE NOT EXISTS (SELECT 1 FROM objects WHERE id = :id)"
)
_NEW_EXCERPT = text(
    "INSERT INTO excerpts (blob, first, last, text, sha256, symbol, symbols)"
    " SELECT :blob, :first, :last, :text, :sha256, :symbol, :symbols WHERE NOT EXISTS"
    " (SELECT 1 FROM excerpts WHERE blob = :blob AND first = :first AND last = :last)"
)

_KNOWN_EXCERPT = text(
    "UPDATE excerpts SET symbol = :symbol, symbols = :symbols WHERE blob = :blob AND first = :first AND last = :last"
)
"""What its symbols are depends on the language that the file is taken to be in."""

_OLD_CITATION = text("DELETE FROM citations WHERE id = :id")
_OLD_SOURCE = text("DELETE FROM sources WHERE id = :id")
_MOVED_CITATION = (
    update(schema.citations)
    .where(schema.citations.c.id == bindparam("row"))
    .values(
        {column.name: bindparam(f"new_{column.name}") for column in schema.citations.c if column.name != "id"}
    )
)
_OLD_DOCUMENT = text("DELETE FROM documents WHERE path = :path")
_OLD_DRIFT = text("DELETE FROM drifts WHERE citation_id = :citation_id AND target = :target")
_OLD_VERDICT = text("DELETE FROM verdicts WHERE citation_id = :id")


class _Known(NamedTuple):
    """A row that is there: its number, and its other columns in the schema's order."""

    id: int
    values: tuple[Value, ...]


class Transaction:
    """Writes that stand or fall together."""

    def __init__(self, connection: Connection, *, run: int | None, command: str, now: str) -> None:
        self._connection = connection
        self._command = command
        self._now = now
        self.run = run
        """The run's number once it has recorded something."""

    def put_manifest(self, manifest: Manifest, sha256: str) -> StoredManifest:
        """Bring a manifest and its citations up to what its file says now.

        What did not change keeps its row, and so its verdict; another run may be judging by it.
        """
        stored = StoredManifest(
            self._manifest_number(manifest, sha256),
            manifest.path,
            sha256,
            manifest.title,
            manifest.url,
            stamp=None,
            tally=None,
        )
        connection = self._connection
        old_sources = self._known_rows(schema.sources, stored.id)
        sources = {source: self._put_source(stored.id, source, old_sources) for source in manifest.sources}
        old = self._known_rows(schema.citations, stored.id)
        fresh: list[dict[str, Value]] = []
        moved: list[dict[str, Value]] = []
        for ordinal, citation in enumerate(manifest.citations):
            values = citation_values(stored.id, sources[citation.source], ordinal, citation)
            was = old.pop(citation.id, None)
            if was is None:
                fresh.append(values)
            elif was.values != tuple(values.values()):
                moved.append({f"new_{key}": value for key, value in values.items()} | {"row": was.id})
        _put_rows(connection, _OLD_CITATION, [{"id": was.id} for was in old.values()])
        _put_rows(connection, _MOVED_CITATION, moved)
        _put_rows(connection, insert(schema.citations), fresh)
        _put_rows(connection, _OLD_SOURCE, [{"id": was.id} for was in old_sources.values()])
        connection.execute(delete(schema.quantities).where(schema.quantities.c.manifest_id == stored.id))
        sums = [quantity_values(stored.id, *item) for item in enumerate(manifest.quantities)]
        _put_rows(connection, insert(schema.quantities), sums)
        return stored

    def _manifest_number(self, manifest: Manifest, sha256: str) -> int:
        manifests = schema.manifests
        values = {
            "sha256": sha256,
            "title": manifest.title,
            "url": manifest.url,
            "stamp": None,
            "tally": None,
        }
        known = select(manifests.c.id, manifests.c.sha256).where(manifests.c.path == manifest.path)
        for number, was in self._connection.execute(known):
            if was != sha256:
                self._connection.execute(update(manifests).where(manifests.c.id == number).values(values))
            return _new_number((number,))
        made = self._connection.execute(insert(manifests).values(values | {"path": manifest.path}))
        return _new_number(made.inserted_primary_key)

    def _known_rows(self, table: Table, manifest: int) -> dict[str, _Known]:
        """A manifest's rows of a table by their names."""
        names = [column.name for column in table.c]
        found = self._connection.execute(select(table).where(table.c.manifest_id == manifest))
        where = names.index("name")
        return {row[where]: _Known(row[0], tuple(row[1:])) for row in found}

    def forget_manifests(self, gone: Iterable[str]) -> None:
        """Remove manifests whose files are no longer there; their history stays."""
        for path in gone:
            self._connection.execute(delete(schema.manifests).where(schema.manifests.c.path == path))

    def put_documents(self, documents: Iterable[tuple[StoredDocument, str]]) -> None:
        """Keep what came of reading documents beside their citations, which are manifests'."""
        rows: list[dict[str, Value]] = [
            {
                "path": document.path,
                "digest": document.digest,
                "brief": document.brief,
                "resolution": document.resolution,
                "outcome": outcome,
            }
            for document, outcome in documents
        ]
        _put_rows(self._connection, _OLD_DOCUMENT, [{"path": row["path"]} for row in rows])
        _put_rows(self._connection, insert(schema.documents), rows)

    def put_tally(self, manifest: StoredManifest, stamp: str | None, tally: str | None) -> None:
        """Remember a manifest's counted verdicts and what they depend on."""
        row = schema.manifests.c.id == manifest.id
        self._connection.execute(update(schema.manifests).where(row).values(stamp=stamp, tally=tally))

    def put_quantities(self, manifest: StoredManifest, judged: Iterable[StoredQuantity]) -> None:
        """Remember what judging quantities said; one that another run has replaced is gone, and stays so."""
        quantities = schema.quantities
        keys: dict[str, tuple[Value, ...]] = {}
        for item in judged:
            if item.judgement is not None:
                keys[item.quantity.id] = (item.judgement.verdict.value, "", None, None, None)
                values = {
                    "version": item.version,
                    "shown": item.shown,
                    "verdict": item.judgement.verdict.value,
                    "message": item.judgement.message,
                    "notes": strings_json(item.judgement.notes),
                }
                self._connection.execute(update(quantities).where(quantities.c.id == item.id).values(values))
        self._put_history(manifest.path, keys)

    def put_drifts(self, drifts: Iterable[Drift]) -> None:
        """Remember what became of citations, each for its target; of one that is gone from its manifest nothing is."""
        numbers: dict[str, dict[str, int]] = {}
        rows: list[dict[str, Value]] = []
        for drift in drifts:
            if drift.manifest not in numbers:
                numbers[drift.manifest] = self._citation_numbers(drift.manifest)
            number = numbers[drift.manifest].get(drift.id)
            if number is not None:
                rows.append(drift_values(number, drift, self._now))
        _put_rows(self._connection, _OLD_DRIFT, [_keyed(row) for row in rows])
        _put_rows(self._connection, insert(schema.drifts), rows)

    def _citation_numbers(self, manifest: str) -> dict[str, int]:
        """A manifest's citations by their ids."""
        citations, manifests = schema.citations, schema.manifests
        wanted = select(citations.c.name, citations.c.id).join(
            manifests, manifests.c.id == citations.c.manifest_id
        )
        return {
            text_of(name): number_of(number)
            for name, number in self._connection.execute(wanted.where(manifests.c.path == manifest))
        }

    def put_pin(self, git: str, revision: str, commit: str) -> None:
        """Remember what a revision as written was resolved to."""
        pins = schema.pins
        self._connection.execute(delete(pins).where(pins.c.git == git, pins.c.revision == revision))
        values = {"git": git, "revision": revision, "commit_id": commit, "seen": self._now}
        self._connection.execute(insert(pins).values(values))

    def put_file(self, file: StoredFile, content: Content | None, proof: Sequence[GitObject]) -> None:
        """Keep an answer: the bytes and what proves them, or that there are none."""
        connection, files = self._connection, schema.files
        if content is not None:
            values = {"blob": content.blob, "size": len(content.data), "data": content.data}
            connection.execute(_NEW_CONTENT, values)
        if proof:
            objects = [{"id": item.id, "kind": item.kind, "data": item.data} for item in proof]
            connection.execute(_NEW_OBJECT, objects)
        connection.execute(
            delete(files).where(
                files.c.git == file.git, files.c.revision == file.revision, files.c.path == file.path
            )
        )
        connection.execute(insert(files).values(file_values(file) | {"seen": self._now}))

    def put_outline(self, blob: str, language: str, data: str, symbols: Sequence[Symbol]) -> None:
        """Keep a content's outline, and its definitions as rows that people can read."""
        connection, outlines = self._connection, schema.outlines
        connection.execute(delete(outlines).where(outlines.c.blob == blob, outlines.c.language == language))
        connection.execute(delete(schema.symbols).where(schema.symbols.c.blob == blob))
        values = {"blob": blob, "language": language, "version": __version__, "data": data}
        connection.execute(insert(outlines).values(values))
        rows = [
            {
                "blob": blob,
                "ordinal": number,
                "name": symbol.name,
                "first": symbol.lines.first,
                "last": symbol.lines.last,
            }
            for number, symbol in enumerate(symbols)
        ]
        if rows:
            connection.execute(insert(schema.symbols), rows)

    def put_verdicts(self, manifest: StoredManifest, new: Sequence[NewVerdict]) -> None:
        """Record verdicts, and in the history those that differ from the last ones."""
        if not new:
            return
        connection = self._connection
        excerpts = [
            excerpt_values(item.verdict.blob, item.excerpt) for item in new if item.excerpt is not None
        ]
        if excerpts:
            _put_rows(connection, _KNOWN_EXCERPT, excerpts)
            _put_rows(connection, _NEW_EXCERPT, excerpts)
        _put_rows(connection, _OLD_VERDICT, [{"id": item.citation.id} for item in new])
        known = set(
            connection.execute(
                select(schema.citations.c.id).where(schema.citations.c.manifest_id == manifest.id)
            ).scalars()
        )  # another run may have replaced the manifest meanwhile
        rows = [verdict_values(item.citation.id, item.verdict) for item in new if item.citation.id in known]
        if rows:
            _put_rows(connection, insert(schema.verdicts), rows)
        self._put_history(manifest.path, {item.citation.citation.id: history_key(item) for item in new})

    def _put_history(self, manifest: str, keys: Mapping[str, tuple[Value, ...]]) -> None:
        """Record what differs from what was last recorded, by the id of the citation or quantity."""
        if not keys:
            return
        connection = self._connection
        rows = connection.execute(text(queries.LAST_HISTORY), {"manifest": manifest})
        last = {row[0]: tuple(row[1:]) for row in rows}
        names = ("verdict", "revision", "blob", "assurance", "origin")
        changed = {name: key for name, key in keys.items() if last.get(name) != key}
        if not changed:
            return
        fixed: dict[str, Value] = {"run_id": self._run_number(), "manifest": manifest}
        entries = [
            fixed | {"citation": name} | dict(zip(names, key, strict=True)) for name, key in changed.items()
        ]
        _put_rows(connection, insert(schema.history), entries)

    def _run_number(self) -> int:
        if self.run is None:
            values = {"started": self._now, "version": __version__, "command": self._command}
            self.run = _new_number(
                self._connection.execute(insert(schema.runs).values(values)).inserted_primary_key
            )
        return self.run

    def _put_source(self, manifest: int, source: Source, known: dict[str, _Known]) -> int:
        sources = schema.sources
        values: dict[str, Value] = {
            "manifest_id": manifest,
            "name": source.name,
            "git": source.git,
            "revision": source.revision,
            "license": source.license,
            "alternates": json.dumps([[item.project, item.version] for item in source.alternates]),
            "stated": source.stated,
            "line": source.position.line if source.position else 1,
        }
        was = known.pop(source.name, None)
        if was is None:
            return _new_number(self._connection.execute(insert(sources).values(values)).inserted_primary_key)
        if was.values != tuple(values.values()):
            self._connection.execute(update(sources).where(sources.c.id == was.id).values(values))
        return was.id


def _put_rows(
    connection: Connection, statement: Insert | Update | TextClause, rows: Sequence[Mapping[str, Value]]
) -> None:
    """Run a statement for many rows, compiled once: four times as fast as letting SQLAlchemy see to each row."""
    if not rows:
        return
    columns = list(rows[0]) if isinstance(statement, Insert) else None
    compiled = statement.compile(dialect=connection.dialect, column_keys=columns)
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 - what a statement on data compiles to
    names = compiled.positiontup
    parameters = [tuple(row[name] for name in names) for row in rows] if names else list(rows)
    connection.exec_driver_sql(str(compiled), parameters)


def _keyed(row: Mapping[str, Value]) -> dict[str, Value]:
    """What a row of `drifts` is told from others by."""
    return {name: row[name] for name in ("citation_id", "target")}


def _new_number(key: Sequence[object] | None) -> int:
    number = key[0] if key else None
    assert isinstance(number, int)  # noqa: S101 - an integer primary key is what the schema says
    return number

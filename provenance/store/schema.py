"""The schema of evidence.db, stated once, and how an older file becomes a newer one.

Importing this module imports SQLAlchemy's core (about 0.3 s): do it where the database is made or written.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    delete,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy import Float as Real
from sqlalchemy import update as update_row

from provenance.errors import StoreError
from provenance.store.queries import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sqlalchemy import Connection

metadata = MetaData()

schema_version = Table(
    "schema_version",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
)

manifests = Table(
    "manifests",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("path", Text, nullable=False, unique=True, comment="relative to the project's root"),
    Column("sha256", String(64), nullable=False, comment="of the file that was read"),
    Column("title", Text, nullable=False),
    Column("url", Text),
    Column("stamp", String(64), comment="digest of all inputs under which `tally` holds"),
    Column("tally", Text, comment="JSON: verdicts and assurances, counted"),
)

sources = Table(
    "sources",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("manifest_id", ForeignKey("manifests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("git", Text, nullable=False),
    Column("revision", Text, nullable=False, comment="as written"),
    Column("license", Text),
    Column("alternates", Text, nullable=False, comment="JSON: project and version of each release"),
    Column("stated", Text, comment="the revision that the document names elsewhere"),
    Column("line", Integer, nullable=False),
)

quantities = Table(
    "quantities",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("manifest_id", ForeignKey("manifests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("ordinal", Integer, nullable=False, comment="its place in the manifest"),
    Column("name", Text, nullable=False, comment="the quantity's id in its manifest"),
    Column("terms", Text, nullable=False, comment="JSON: name, calculation and result of each"),
    Column("total", Text),
    Column("repeated", Text),
    Column("overall", Text),
    Column("statements", Text, nullable=False, comment="JSON: strings"),
    Column("shapes", Text, nullable=False, comment="JSON: strings"),
    Column("expect_verdict", Text),
    Column("expect_because", Text),
    Column("expect_until", Text, comment="ISO date"),
    Column("line", Integer, nullable=False, comment="of the manifest"),
    Column("version", Text, comment="of the prov that judged it; empty where none has"),
    Column("shown", Text, comment="the sum on one line"),
    Column("verdict", Text),
    Column("message", Text),
    Column("notes", Text, comment="JSON: strings"),
)

citations = Table(
    "citations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("manifest_id", ForeignKey("manifests.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("source_id", ForeignKey("sources.id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False, comment="its place in the manifest"),
    Column("name", Text, nullable=False, comment="the citation's id in its manifest"),
    Column("path", Text, nullable=False, index=True),
    Column("first", Integer, comment="1-based, inclusive; empty for a value that its pointer finds"),
    Column("last", Integer, comment="1-based, inclusive"),
    Column("evidence", Text, nullable=False),
    Column("of", Text),
    Column("claim", Text, nullable=False),
    Column("quote", Text),
    Column("expression", Text),
    Column("pointer", Text, comment="of a value, RFC 6901"),
    Column("equals", Text, comment="what the value should be, as written"),
    Column("expect_verdict", Text),
    Column("expect_because", Text),
    Column("expect_until", Text, comment="ISO date"),
    Column("line", Integer, nullable=False, comment="of the manifest"),
    Column("place", String(64), nullable=False, comment="digest of source, revision, path and range"),
    Column("digest", String(64), nullable=False, comment="digest of all that is judged"),
    Column("basis", String(64), nullable=False, comment="digest of that and of the claim"),
    UniqueConstraint("manifest_id", "name"),
    Index("cited_files", "source_id", "path"),
)

_BY_NAME = Index("citations_by_name", citations.c.name)

documents = Table(
    "documents",
    metadata,
    Column(
        "path", Text, primary_key=True, comment="relative to the project's root; a manifest is made of it"
    ),
    Column("digest", String(64), nullable=False, comment="of bytes, configuration and version of prov"),
    Column("brief", Text, nullable=False, comment="JSON: what every run must know of it"),
    Column(
        "resolution",
        String(64),
        nullable=False,
        comment="digest of the commits that those were taken to mean",
    ),
    Column(
        "outcome",
        Text,
        nullable=False,
        comment="JSON: where its citations stand in it, and what is told beside",
    ),
)

pins = Table(
    "pins",
    metadata,
    Column("git", Text, primary_key=True),
    Column("revision", Text, primary_key=True, comment="as written"),
    Column("commit_id", String(40), nullable=False),
    Column("seen", Text, nullable=False, comment="UTC, ISO 8601"),
)

contents = Table(
    "contents",
    metadata,
    Column("blob", String(40), primary_key=True, comment="git blob id"),
    Column("size", Integer, nullable=False, comment="bytes"),
    Column("data", LargeBinary, nullable=False),
)

objects = Table(
    "objects",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("kind", Text, nullable=False, comment="commit or tree"),
    Column("data", LargeBinary, nullable=False, comment="without git's header"),
)

files = Table(
    "files",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("git", Text, nullable=False),
    Column("revision", Text, nullable=False, comment="full commit id, or as written if never resolved"),
    Column("path", Text, nullable=False, comment="as cited"),
    Column("blob", ForeignKey("contents.blob"), comment="empty where there is no text"),
    Column("stands_at", Text, comment="the path after symbolic links"),
    Column("origin", Text, nullable=False),
    Column("artifact", Text, comment="a release file's name"),
    Column("artifact_sha256", String(64)),
    Column("verdict", Text, comment="no-path or not-text, where that is the answer"),
    Column("message", Text),
    Column("notes", Text, nullable=False, comment="JSON: strings"),
    Column("seen", Text, nullable=False, comment="UTC, ISO 8601"),
    UniqueConstraint("git", "revision", "path"),
)

outlines = Table(
    "outlines",
    metadata,
    Column("blob", ForeignKey("contents.blob", ondelete="CASCADE"), primary_key=True),
    Column("language", Text, primary_key=True),
    Column("version", Text, nullable=False, comment="of prov"),
    Column("data", Text, nullable=False, comment="JSON: definitions and statements"),
)

symbols = Table(
    "symbols",
    metadata,
    Column("blob", ForeignKey("contents.blob", ondelete="CASCADE"), primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    Column("name", Text, nullable=False, index=True),
    Column("first", Integer, nullable=False),
    Column("last", Integer, nullable=False),
)

excerpts = Table(
    "excerpts",
    metadata,
    Column("blob", ForeignKey("contents.blob", ondelete="CASCADE"), primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("last", Integer, primary_key=True),
    Column("text", Text, nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("symbol", Text),
    Column("symbols", Text, nullable=False, comment="JSON: strings"),
)

runs = Table(
    "runs",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("started", Text, nullable=False, comment="UTC, ISO 8601"),
    Column("version", Text, nullable=False, comment="of prov"),
    Column("command", Text, nullable=False),
)

verdicts = Table(
    "verdicts",
    metadata,
    Column("citation_id", ForeignKey("citations.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "inputs", Text, nullable=False, comment="digests of the file with prov's version, and of the citation"
    ),
    Column("verdict", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("difference", Text),
    Column("similarity", Real),
    Column("found_at", Text, nullable=False, comment="JSON: pairs of lines"),
    Column("suggestion", Text, comment="JSON: a pair of lines"),
    Column("omitted", Text, nullable=False, comment="JSON: pairs of lines"),
    Column("diff", Text, nullable=False),
    Column("notes", Text, nullable=False, comment="JSON: strings"),
    Column("revision", Text, nullable=False),
    Column("blob", ForeignKey("contents.blob")),
    Column("assurance", Text),
    Column("origin", Text),
    Column("ungrounded", Text, nullable=False, comment="JSON: strings"),
)

history = Table(
    "history",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    Column("manifest", Text, nullable=False),
    Column("citation", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("revision", Text, nullable=False),
    Column("blob", String(40)),
    Column("assurance", Text),
    Column("origin", Text),
    Index("history_of_citation", "manifest", "citation", "id"),
)

drifts = Table(
    "drifts",
    metadata,
    Column("citation_id", ForeignKey("citations.id", ondelete="CASCADE"), primary_key=True),
    Column("target", Text, primary_key=True, comment="what was asked for, as written, or latest"),
    Column("reached", Text, comment="what that was: a full commit id, or a release"),
    Column("status", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("from_revision", Text, nullable=False, comment="the pin"),
    Column("from_path", Text, nullable=False),
    Column("from_first", Integer, comment="1-based, inclusive; empty for a value on no line of its own"),
    Column("from_last", Integer, comment="1-based, inclusive"),
    Column("to_revision", Text, comment="empty where the lines are gone, or none of several places is taken"),
    Column("to_path", Text),
    Column("to_first", Integer),
    Column("to_last", Integer),
    Column("similarity", Real),
    Column("confidence", Text),
    Column("candidates", Text, nullable=False, comment="JSON: revision, path, first and last of each"),
    Column("diff", Text, nullable=False),
    Column("edits", Integer, nullable=False, comment="how many commits edited them; 0 where unknown"),
    Column("commit_id", Text, comment="of the commit that moved, edited or deleted them"),
    Column("commit_date", Text, comment="ISO 8601"),
    Column("commit_subject", Text),
    Column("notes", Text, nullable=False, comment="JSON: strings"),
    Column("seen", Text, nullable=False, comment="UTC, ISO 8601"),
)

EVIDENCE_VIEW = """
CREATE VIEW evidence AS
SELECT m.path AS manifest, c.name AS citation, v.verdict, v.assurance, s.git AS repository, v.revision,
       c.path, c.first, c.last, e.symbol, c.claim, c.quote, c.expression, c.pointer, c.equals,
       e.text AS excerpt, v.message, v.diff, v.ungrounded, v.origin, v.blob, m.title AS document
FROM citations c
JOIN manifests m ON m.id = c.manifest_id
JOIN sources s ON s.id = c.source_id
LEFT JOIN verdicts v ON v.citation_id = c.id
LEFT JOIN excerpts e ON e.blob = v.blob AND e.first = c.first AND e.last = c.last
"""
"""What a reviewer wants to read, one row a citation."""


def _read_manifests_anew(connection: Connection) -> None:
    """1 -> 2: expressions, values and arithmetic. Contents and history stay; manifests are read and judged again."""
    connection.execute(text("DROP VIEW evidence"))
    made_of_manifests = (verdicts, citations, quantities, sources, manifests)
    metadata.drop_all(connection, made_of_manifests)
    metadata.create_all(connection, made_of_manifests)
    connection.execute(text(EVIDENCE_VIEW))


def _add_documents(connection: Connection) -> None:
    """2 -> 3: documents that are read themselves."""
    metadata.create_all(connection, (documents,))


def _add_drifts(connection: Connection) -> None:
    """3 -> 4: what became of citations elsewhere. Of documents more is kept than was: they are read anew."""
    metadata.create_all(connection, (drifts,))
    _BY_NAME.create(connection, checkfirst=True)
    connection.execute(delete(documents))


UPGRADES: Mapping[int, Callable[[Connection], None]] = MappingProxyType(
    {1: _read_manifests_anew, 2: _add_documents, 3: _add_drifts}
)
"""From a version to the next, by the version it starts at."""


def prepare(
    connection: Connection,
    *,
    version: int = VERSION,
    upgrades: Mapping[int, Callable[[Connection], None]] = UPGRADES,
) -> None:
    """Create the schema in an empty database, or upgrade an older one, within the caller's transaction.

    Raises:
        StoreError: the database was made by a newer prov, or is some other program's.
    """
    found = _found_version(connection)
    if found is None:
        metadata.create_all(connection)
        connection.execute(text(EVIDENCE_VIEW))
        connection.execute(insert(schema_version).values(version=version))
        return
    if found > version:
        message = (
            f"it has schema version {found}, and this prov knows {version}: use a newer prov, or another --db"
        )
        raise StoreError(message)
    for step in range(found, version):
        if step not in upgrades:
            message = f"its schema is version {found}, which no prov made: delete it and run prov fetch"
            raise StoreError(message)
        upgrades[step](connection)
    if found < version:
        connection.execute(update_row(schema_version).values(version=version))


def _found_version(connection: Connection) -> int | None:
    names = set(inspect(connection).get_table_names())
    if schema_version.name in names:
        found: int | None = connection.execute(select(schema_version.c.version)).scalar()
        if found is not None:
            return found
    elif not names:
        return None
    message = "it is not a database of prov's: name another one with --db"
    raise StoreError(message)

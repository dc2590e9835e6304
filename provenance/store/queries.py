"""The questions that the store asks, as plain SQL with named parameters.

They run on `sqlite3` directly, so that reading a local file needs no SQLAlchemy, and through SQLAlchemy on
any other database. A test holds them to the schema.
"""

from __future__ import annotations

VERSION = 4
"""The schema version that these queries are written for."""

SCHEMA_VERSION = "SELECT version FROM schema_version"

MANIFESTS = "SELECT id, path, sha256, title, url, stamp, tally FROM manifests"

CITATION_COLUMNS = """
c.id, c.name, c.path, c.first, c.last, c.evidence, c.of, c.claim, c.quote, c.expression, c.pointer, c.equals,
c.expect_verdict, c.expect_because, c.expect_until, c.line, c.place, c.digest, c.basis,
s.id, s.name, s.git, s.revision, s.license, s.alternates, s.stated, s.line,
v.inputs, v.verdict, v.message, v.difference, v.similarity, v.found_at, v.suggestion, v.omitted, v.diff, v.notes,
v.revision, v.blob, v.assurance, v.origin, v.ungrounded
"""

CITATION_TABLES = """
FROM citations c JOIN sources s ON s.id = c.source_id LEFT JOIN verdicts v ON v.citation_id = c.id
"""

CITATIONS = f"SELECT {CITATION_COLUMNS} {CITATION_TABLES} WHERE c.manifest_id = :manifest ORDER BY c.ordinal"

CITATIONS_BY_FILE = (
    f"SELECT {CITATION_COLUMNS} {CITATION_TABLES} WHERE c.manifest_id = :manifest"
    " ORDER BY c.source_id, c.path, c.ordinal"
)

CHECKS = """
SELECT c.id, c.first, c.last, c.quote, c.basis, c.path, c.source_id, v.inputs, v.verdict, v.assurance
FROM citations c LEFT JOIN verdicts v ON v.citation_id = c.id
WHERE c.manifest_id = :manifest ORDER BY c.ordinal
"""
"""As little of each citation as an exact one needs to be judged."""

SOURCES = """
SELECT s.id, s.name, s.git, s.revision, s.license, s.alternates, s.stated, s.line, m.path
FROM sources s JOIN manifests m ON m.id = s.manifest_id WHERE s.manifest_id = :manifest ORDER BY s.line, s.id
"""

WANTED = "SELECT DISTINCT source_id, path FROM citations WHERE manifest_id = :manifest"

QUANTITIES = """
SELECT id, name, terms, total, repeated, overall, statements, shapes,
       expect_verdict, expect_because, expect_until, line, version, shown, verdict, message, notes
FROM quantities WHERE manifest_id = :manifest ORDER BY ordinal
"""

IDS = """
SELECT name FROM citations WHERE manifest_id = :manifest
UNION ALL SELECT name FROM quantities WHERE manifest_id = :manifest
"""

EXPECTING = """
SELECT 1 FROM citations WHERE manifest_id = :manifest AND expect_because IS NOT NULL
UNION ALL SELECT 1 FROM quantities WHERE manifest_id = :manifest AND expect_because IS NOT NULL LIMIT 1
"""

DOCUMENTS = "SELECT path, digest, brief, resolution FROM documents"

OUTCOME = "SELECT outcome FROM documents WHERE path = :path"

PIN = "SELECT commit_id FROM pins WHERE git = :git AND revision = :revision"

FILE = """
SELECT git, revision, path, blob, stands_at, origin, artifact, artifact_sha256, verdict, message, notes
FROM files WHERE git = :git AND revision = :revision AND path = :path
"""

CONTENT = "SELECT data FROM contents WHERE blob = :blob"

CONTENTS = "SELECT blob, data FROM contents"

OBJECT = "SELECT data FROM objects WHERE id = :id"

OUTLINE = "SELECT data FROM outlines WHERE blob = :blob AND language = :language AND version = :version"

EXCERPT = "SELECT symbol, symbols FROM excerpts WHERE blob = :blob AND first = :first AND last = :last"

EXCERPT_DIGEST = "SELECT sha256 FROM excerpts WHERE blob = :blob AND first = :first AND last = :last"

CITED_FILES = """
SELECT DISTINCT s.git, s.revision, c.path FROM citations c JOIN sources s ON s.id = c.source_id
"""

CITED_IN = (
    f"SELECT {CITATION_COLUMNS}, m.path {CITATION_TABLES} JOIN manifests m ON m.id = c.manifest_id"
    " WHERE c.path = :path AND s.git = :git AND s.revision = :revision ORDER BY c.first, c.last, m.path"
)

CITING = """
SELECT DISTINCT m.path FROM sources s JOIN citations c ON c.source_id = s.id JOIN manifests m ON m.id = s.manifest_id
WHERE s.git = :git AND s.revision = :revision AND c.path = :path
"""

NAMED = """
SELECT m.path, s.git, s.revision, c.path, c.first, c.last FROM citations c
JOIN sources s ON s.id = c.source_id JOIN manifests m ON m.id = c.manifest_id
WHERE c.name = :name ORDER BY m.path
"""

STATING = """
SELECT m.path FROM quantities q JOIN manifests m ON m.id = q.manifest_id WHERE q.name = :name
UNION
SELECT m.path FROM sources s JOIN manifests m ON m.id = s.manifest_id WHERE s.name = :source AND s.stated = :stated
"""
"""The manifests with a quantity of that name, or with a source of that name for which that pin is stated."""

FILES_WITH = "SELECT git, revision, path FROM files WHERE blob = :blob"

LAST_HISTORY = """
SELECT h.citation, h.verdict, h.revision, h.blob, h.assurance, h.origin FROM history h
WHERE h.manifest = :manifest
  AND h.id = (SELECT MAX(l.id) FROM history l WHERE l.manifest = h.manifest AND l.citation = h.citation)
"""

HISTORY = """
SELECT r.id, r.started, r.command, r.version, h.verdict, h.revision, h.blob, h.assurance, h.origin FROM history h
JOIN runs r ON r.id = h.run_id WHERE h.manifest = :manifest AND h.citation = :citation ORDER BY h.id
"""

REMEMBERED = "SELECT DISTINCT manifest FROM history WHERE citation = :citation ORDER BY manifest"

DRIFTS = """
SELECT d.target, d.reached, d.status, d.message, d.from_revision, d.from_path, d.from_first, d.from_last,
       d.to_revision, d.to_path, d.to_first, d.to_last, d.similarity, d.confidence, d.candidates, d.diff, d.edits,
       d.commit_id, d.commit_date, d.commit_subject, d.notes, d.seen
FROM drifts d JOIN citations c ON c.id = d.citation_id JOIN manifests m ON m.id = c.manifest_id
WHERE m.path = :manifest AND c.name = :citation ORDER BY d.seen DESC, d.target
"""

-- An evidence database as version 1 of the schema made it, with one manifest, its evidence and its history.
CREATE TABLE schema_version (
    version INTEGER NOT NULL,
    PRIMARY KEY (version)
);
CREATE TABLE manifests (
    id INTEGER NOT NULL,
    path TEXT NOT NULL,
    sha256 VARCHAR(64) NOT NULL,
    title TEXT NOT NULL,
    url TEXT,
    stamp VARCHAR(64),
    tally TEXT,
    PRIMARY KEY (id),
    UNIQUE (path)
);
CREATE TABLE pins (
    git TEXT NOT NULL,
    revision TEXT NOT NULL,
    commit_id VARCHAR(40) NOT NULL,
    seen TEXT NOT NULL,
    PRIMARY KEY (git, revision)
);
CREATE TABLE contents (
    blob VARCHAR(40) NOT NULL,
    size INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (blob)
);
CREATE TABLE objects (
    id VARCHAR(40) NOT NULL,
    kind TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE runs (
    id INTEGER NOT NULL,
    started TEXT NOT NULL,
    version TEXT NOT NULL,
    command TEXT NOT NULL,
    PRIMARY KEY (id)
);
CREATE TABLE sources (
    id INTEGER NOT NULL,
    manifest_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    git TEXT NOT NULL,
    revision TEXT NOT NULL,
    license TEXT,
    alternates TEXT NOT NULL,
    line INTEGER NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(manifest_id) REFERENCES manifests (id) ON DELETE CASCADE
);
CREATE INDEX ix_sources_manifest_id ON sources (manifest_id);
CREATE TABLE files (
    id INTEGER NOT NULL,
    git TEXT NOT NULL,
    revision TEXT NOT NULL,
    path TEXT NOT NULL,
    blob VARCHAR(40),
    stands_at TEXT,
    origin TEXT NOT NULL,
    artifact TEXT,
    artifact_sha256 VARCHAR(64),
    verdict TEXT,
    message TEXT,
    notes TEXT NOT NULL,
    seen TEXT NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (git, revision, path),
    FOREIGN KEY(blob) REFERENCES contents (blob)
);
CREATE TABLE outlines (
    blob VARCHAR(40) NOT NULL,
    language TEXT NOT NULL,
    version TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (blob, language),
    FOREIGN KEY(blob) REFERENCES contents (blob) ON DELETE CASCADE
);
CREATE TABLE symbols (
    blob VARCHAR(40) NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (blob, ordinal),
    FOREIGN KEY(blob) REFERENCES contents (blob) ON DELETE CASCADE
);
CREATE INDEX ix_symbols_name ON symbols (name);
CREATE TABLE excerpts (
    blob VARCHAR(40) NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    text TEXT NOT NULL,
    sha256 VARCHAR(64) NOT NULL,
    symbol TEXT,
    symbols TEXT NOT NULL,
    PRIMARY KEY (blob, first, last),
    FOREIGN KEY(blob) REFERENCES contents (blob) ON DELETE CASCADE
);
CREATE TABLE history (
    id INTEGER NOT NULL,
    run_id INTEGER NOT NULL,
    manifest TEXT NOT NULL,
    citation TEXT NOT NULL,
    verdict TEXT NOT NULL,
    revision TEXT NOT NULL,
    blob VARCHAR(40),
    assurance TEXT,
    origin TEXT,
    PRIMARY KEY (id),
    FOREIGN KEY(run_id) REFERENCES runs (id)
);
CREATE INDEX history_of_citation ON history (manifest, citation, id);
CREATE TABLE citations (
    id INTEGER NOT NULL,
    manifest_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    name TEXT NOT NULL,
    path TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    "of" TEXT,
    claim TEXT NOT NULL,
    quote TEXT,
    expect_verdict TEXT,
    expect_because TEXT,
    expect_until TEXT,
    line INTEGER NOT NULL,
    place VARCHAR(64) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE (manifest_id, name),
    FOREIGN KEY(manifest_id) REFERENCES manifests (id) ON DELETE CASCADE,
    FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE
);
CREATE INDEX ix_citations_path ON citations (path);
CREATE INDEX cited_files ON citations (source_id, path);
CREATE INDEX ix_citations_manifest_id ON citations (manifest_id);
CREATE TABLE verdicts (
    citation_id INTEGER NOT NULL,
    inputs TEXT NOT NULL,
    verdict TEXT NOT NULL,
    message TEXT NOT NULL,
    difference TEXT,
    similarity FLOAT,
    found_at TEXT NOT NULL,
    suggestion TEXT,
    omitted TEXT NOT NULL,
    diff TEXT NOT NULL,
    notes TEXT NOT NULL,
    revision TEXT NOT NULL,
    blob VARCHAR(40),
    assurance TEXT,
    origin TEXT,
    PRIMARY KEY (citation_id),
    FOREIGN KEY(citation_id) REFERENCES citations (id) ON DELETE CASCADE,
    FOREIGN KEY(blob) REFERENCES contents (blob)
);
CREATE VIEW evidence AS
SELECT m.path AS manifest, c.name AS citation, v.verdict, v.assurance, s.git AS repository, v.revision,
       c.path, c.first, c.last, e.symbol, c.claim, c.quote, e.text AS excerpt, v.message, v.diff, v.origin,
       v.blob, m.title AS document
FROM citations c
JOIN manifests m ON m.id = c.manifest_id
JOIN sources s ON s.id = c.source_id
LEFT JOIN verdicts v ON v.citation_id = c.id
LEFT JOIN excerpts e ON e.blob = v.blob AND e.first = c.first AND e.last = c.last;
INSERT INTO schema_version VALUES (1);
INSERT INTO manifests VALUES (1, 'manifests/a.yaml', '0000000000000000000000000000000000000000000000000000000000000000', 'A document', NULL, 'stamp', '[["exact", "commit", 1]]');
INSERT INTO sources VALUES (1, 1, 'engine', 'https://example.org/engine', 'v1', NULL, '[]', 4);
INSERT INTO contents VALUES ('257cc5642cb1a054f08cc83f2d943e56fd3ebe99', 4, x'666f6f0a');
INSERT INTO excerpts VALUES ('257cc5642cb1a054f08cc83f2d943e56fd3ebe99', 1, 1, 'foo', '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae', NULL, '[]');
INSERT INTO citations VALUES (1, 1, 1, 0, 'foo', 'foo.txt', 1, 1, 'direct', NULL, '', 'foo', NULL, NULL, NULL, 7, 'place', 'digest');
INSERT INTO verdicts VALUES (1, 'inputs', 'exact', '', NULL, 1.0, '[]', NULL, '[]', '', '[]', 'v1', '257cc5642cb1a054f08cc83f2d943e56fd3ebe99', 'commit', 'git');
INSERT INTO runs VALUES (1, '2026-11-01T00:00:00+00:00', '0.1.0', 'fetch');
INSERT INTO history VALUES (1, 1, 'manifests/a.yaml', 'foo', 'exact', 'v1', '257cc5642cb1a054f08cc83f2d943e56fd3ebe99', 'commit', 'git');

"""What a store is given in tests: a manifest, files and verdicts."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from support.workspace import CODE, GIT, OPEN, cite, source

from provenance.answers import Artifact
from provenance.citation import Manifest
from provenance.evidence import Content, Difference, Excerpt, Judgement, OriginKind, Verdict
from provenance.store.records import NewVerdict, StoredFile, StoredVerdict

if TYPE_CHECKING:
    from provenance.citation import Citation
    from provenance.store.records import StoredCitation, StoredManifest
    from provenance.store.store import Store

CONTENT = Content.of(CODE.encode())
COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"


def manifest(*citations: Citation, path: str = "manifests/a.yaml", title: str = "A document") -> Manifest:
    """A manifest with citations, or with one of `Valve.open`."""
    cited = citations or (cite(source("v1")),)
    return Manifest(path, title, None, tuple(dict.fromkeys(item.source for item in cited)), cited)


def put(store: Store, made: Manifest) -> StoredManifest:
    """Store a manifest as if its file said just that."""
    with store.transaction() as transaction:
        return transaction.put_manifest(made, hashlib.sha256(repr(made).encode()).hexdigest())


def file(path: str = "valve.py", *, revision: str = COMMIT, notes: tuple[str, ...] = ()) -> StoredFile:
    """A file that git had."""
    return StoredFile(
        GIT, revision, path, CONTENT.blob, path, OriginKind.GIT, None, verdict=None, message="", notes=notes
    )


def released(path: str = "valve.py") -> StoredFile:
    """A file that a release had."""
    artifact = Artifact("engine-1.tar.gz", "a" * 64)
    return StoredFile(
        GIT, "v1", path, CONTENT.blob, path, OriginKind.RELEASE, artifact, verdict=None, message="", notes=()
    )


def judged(
    citation: StoredCitation, verdict: Verdict = Verdict.EXACT, *, inputs: str = "inputs", blob: bool = True
) -> NewVerdict:
    """A verdict with an excerpt; the blob is `CONTENT`'s."""
    judgement = Judgement(verdict, "why", Difference.CODE if verdict is Verdict.CHANGED else None, 1.0)
    held = CONTENT.blob if blob else None
    lines = citation.citation.lines
    excerpt = None
    if blob and lines is not None:
        excerpt = Excerpt(lines, OPEN, "Valve.open", ())
    return NewVerdict(citation, StoredVerdict(inputs, judgement, COMMIT, held, "commit", "git"), excerpt)

"""Records -> rows that are written. A row is a mapping from its columns' names."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from provenance.store.rows import strings_json

if TYPE_CHECKING:
    from provenance.citation import Citation, Expectation, Quantity
    from provenance.evidence import Excerpt
    from provenance.store.database import Value
    from provenance.store.records import NewVerdict, StoredFile


def citation_values(manifest: int, source: int, ordinal: int, citation: Citation) -> dict[str, Value]:
    """A row of `citations`, but for its number."""
    lines, value = citation.lines, citation.value
    return {
        "manifest_id": manifest,
        "source_id": source,
        "ordinal": ordinal,
        "name": citation.id,
        "path": citation.path,
        "first": lines.first if lines else None,
        "last": lines.last if lines else None,
        "evidence": citation.evidence.value,
        "of": citation.of,
        "claim": citation.claim,
        "quote": citation.quote,
        "expression": citation.expression,
        "pointer": value.pointer if value else None,
        "equals": value.equals if value else None,
        **_expectation_values(citation.expect),
        "line": citation.position.line if citation.position else 1,
        "place": citation.place_digest(),
        "digest": citation.digest(),
        "basis": citation.basis(),
    }


def _expectation_values(expect: Expectation | None) -> dict[str, Value]:
    return {
        "expect_verdict": expect.verdict if expect else None,
        "expect_because": expect.because if expect else None,
        "expect_until": expect.until.isoformat() if expect and expect.until else None,
    }


def quantity_values(manifest: int, ordinal: int, quantity: Quantity) -> dict[str, Value]:
    """A row of `quantities`, but for its number and what judging it said."""
    terms = [[term.name, term.calculation, term.equals] for term in quantity.terms]
    return {
        "manifest_id": manifest,
        "ordinal": ordinal,
        "name": quantity.id,
        "terms": json.dumps(terms, ensure_ascii=False),
        "total": quantity.total,
        "repeated": quantity.repeated,
        "overall": quantity.overall,
        "statements": strings_json(quantity.statements),
        "shapes": strings_json(quantity.shapes),
        **_expectation_values(quantity.expect),
        "line": quantity.position.line if quantity.position else 1,
    }


def file_values(file: StoredFile) -> dict[str, Value]:
    """A row of `files`, but for its number and when it was seen."""
    return {
        "git": file.git,
        "revision": file.revision,
        "path": file.path,
        "blob": file.blob,
        "stands_at": file.stands_at,
        "origin": file.origin.value,
        "artifact": file.artifact.name if file.artifact else None,
        "artifact_sha256": file.artifact.sha256 if file.artifact else None,
        "verdict": file.verdict.value if file.verdict else None,
        "message": file.message,
        "notes": strings_json(file.notes),
    }


def excerpt_values(blob: str | None, excerpt: Excerpt) -> dict[str, Value]:
    """A row of `excerpts`."""
    return {
        "blob": blob,
        "first": excerpt.lines.first,
        "last": excerpt.lines.last,
        "text": excerpt.text,
        "sha256": hashlib.sha256(excerpt.text.encode("utf-8", "surrogatepass")).hexdigest(),
        "symbol": excerpt.symbol,
        "symbols": strings_json(excerpt.symbols),
    }


def history_key(item: NewVerdict) -> tuple[Value, ...]:
    """What two entries of the history are compared by: verdict, revision, blob, assurance and origin."""
    stored = item.verdict
    return stored.judgement.verdict.value, stored.revision, stored.blob, stored.assurance, stored.origin

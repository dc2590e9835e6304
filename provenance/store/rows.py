"""Rows <-> records: the one place that knows in which column a thing is kept."""

from __future__ import annotations

import json
from datetime import date
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from provenance.answers import Artifact
from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    ExpectedValue,
    LineRange,
    Quantity,
    Release,
    Source,
    Term,
)
from provenance.errors import Position, StoreError
from provenance.evidence import Difference, HistoryEntry, Judgement, OriginKind, Verdict
from provenance.store.records import (
    StoredCitation,
    StoredFile,
    StoredManifest,
    StoredQuantity,
    StoredVerdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from provenance.store.database import Row, Value


_P = ParamSpec("_P")
_R = TypeVar("_R")


def readable(read: Callable[_P, _R]) -> Callable[_P, _R]:
    """Tell of a row that is not as prov writes it: the file is damaged, or somebody else wrote to it."""

    @wraps(read)
    def reading(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return read(*args, **kwargs)
        except (ValueError, KeyError) as error:
            message = f"the evidence database is damaged: {error}; delete it and run prov fetch"
            raise StoreError(message) from error

    return reading


def text_of(value: Value) -> str:
    """A column that holds text.

    Raises:
        StoreError: it holds something else.
    """
    if isinstance(value, str):
        return value
    message = f"a column that should hold text holds {type(value).__name__}"
    raise StoreError(message)


def maybe_text(value: Value) -> str | None:
    """A column that holds text or nothing."""
    return None if value is None else text_of(value)


def number_of(value: Value) -> int:
    """A column that holds a whole number.

    Raises:
        StoreError: it holds something else.
    """
    if isinstance(value, int):
        return value
    message = f"a column that should hold a whole number holds {type(value).__name__}"
    raise StoreError(message)


def bytes_of(value: Value) -> bytes:
    """A column that holds bytes.

    Raises:
        StoreError: it holds something else.
    """
    if isinstance(value, bytes):
        return value
    message = f"a column that should hold bytes holds {type(value).__name__}"
    raise StoreError(message)


def json_of(value: Value) -> list[object]:
    """A JSON column that holds a list.

    Raises:
        StoreError: it holds something else.
    """
    text = text_of(value)
    if text == "[]":
        return []
    try:
        found = json.loads(text)
    except ValueError as error:
        message = f"a column that should hold JSON is malformed: {error}"
        raise StoreError(message) from error
    if isinstance(found, list):
        return found
    message = "a column that should hold a list holds something else"
    raise StoreError(message)


def strings_of(value: Value) -> tuple[str, ...]:
    """A JSON column of strings."""
    return tuple(str(item) for item in json_of(value))


def range_of(pair: object) -> LineRange:
    """A pair of lines out of a JSON column.

    Raises:
        StoreError: it is none.
    """
    match pair:
        case [int(first), int(last)] if 1 <= first <= last:
            return LineRange(first, last)
        case _:
            message = f"a column that should hold a pair of lines holds {pair!r}"
            raise StoreError(message)


def ranges_of(value: Value) -> tuple[LineRange, ...]:
    """A JSON column of pairs of lines."""
    return tuple(range_of(pair) for pair in json_of(value))


def ranges_json(ranges: Sequence[LineRange]) -> str:
    """Pairs of lines as they are kept."""
    return json.dumps([[lines.first, lines.last] for lines in ranges]) if ranges else "[]"


def strings_json(strings: Sequence[str]) -> str:
    """Strings as they are kept."""
    return json.dumps(list(strings), ensure_ascii=False) if strings else "[]"


@readable
def manifest_of(row: Row) -> StoredManifest:
    """A row of `queries.MANIFESTS`."""
    number, path, sha256, title, url, stamp, tally = row
    return StoredManifest(
        id=number_of(number),
        path=text_of(path),
        sha256=text_of(sha256),
        title=text_of(title),
        url=maybe_text(url),
        stamp=maybe_text(stamp),
        tally=maybe_text(tally),
    )


def _release_of(pair: object) -> Release:
    match pair:
        case [str(project), str(version)]:
            return Release(project, version)
        case _:
            message = f"a column that should hold a project and a version holds {pair!r}"
            raise StoreError(message)


@readable
def source_of(row: Row, manifest: str) -> Source:
    """The columns `name, git, revision, license, alternates, stated, line` of a source."""
    name, git, revision, licence, alternates, stated, line = row
    return Source(
        name=text_of(name),
        git=text_of(git),
        revision=text_of(revision),
        license=maybe_text(licence),
        alternates=tuple(_release_of(pair) for pair in json_of(alternates)),
        stated=maybe_text(stated),
        position=Position(manifest, number_of(line)),
    )


@readable
def citation_of(row: Row, source: Source, manifest: str) -> StoredCitation:
    """A row of `queries.CITATIONS`."""
    number, name, path, first, last, kind, of, claim, quote, expression, pointer, equals = row[:12]
    line, place, digest, basis = row[15:19]
    return StoredCitation(
        id=number_of(number),
        citation=Citation(
            id=text_of(name),
            source=source,
            path=text_of(path),
            lines=None if first is None else LineRange(number_of(first), number_of(last)),
            evidence=EvidenceKind(text_of(kind)),
            claim=text_of(claim),
            of=maybe_text(of),
            quote=maybe_text(quote),
            expect=_expectation_of(row[12:15]),
            position=Position(manifest, number_of(line)),
            expression=maybe_text(expression),
            value=None if pointer is None else ExpectedValue(text_of(pointer), text_of(equals)),
        ),
        place=text_of(place),
        digest=text_of(digest),
        basis=text_of(basis),
        verdict=None if row[27] is None else verdict_of(row[27:]),
    )


def _expectation_of(row: Row) -> Expectation | None:
    verdict, because, until = row
    if because is None:
        return None
    last = None if until is None else date.fromisoformat(text_of(until))
    return Expectation(maybe_text(verdict), text_of(because), last)


def _term_of(item: object) -> Term:
    match item:
        case [str(name), str(calculation), str(equals)]:
            return Term(name, calculation, equals)
        case _:
            message = f"a column that should hold a term holds {item!r}"
            raise StoreError(message)


@readable
def quantity_of(row: Row, manifest: str) -> StoredQuantity:
    """A row of `queries.QUANTITIES`."""
    number, name, terms, total, repeated, overall, statements, shapes = row[:8]
    version, shown, verdict, message, notes = row[12:]
    quantity = Quantity(
        id=text_of(name),
        terms=tuple(_term_of(item) for item in json_of(terms)),
        total=maybe_text(total),
        repeated=maybe_text(repeated),
        overall=maybe_text(overall),
        statements=strings_of(statements),
        shapes=strings_of(shapes),
        expect=_expectation_of(row[8:11]),
        position=Position(manifest, number_of(row[11])),
    )
    if version is None:
        return StoredQuantity(number_of(number), quantity)
    judgement = Judgement(Verdict(text_of(verdict)), text_of(message), notes=strings_of(notes))
    return StoredQuantity(number_of(number), quantity, text_of(version), text_of(shown), judgement)


@readable
def verdict_of(row: Row) -> StoredVerdict:
    """The columns of `verdicts`, from `inputs` on."""
    inputs, verdict, message, difference, similarity, found_at, suggestion, omitted, diff, notes = row[:10]
    revision, blob, assurance, origin, ungrounded = row[10:]
    return StoredVerdict(
        inputs=text_of(inputs),
        judgement=Judgement(
            verdict=Verdict(text_of(verdict)),
            message=text_of(message),
            difference=None if difference is None else Difference(text_of(difference)),
            similarity=float(similarity) if isinstance(similarity, int | float) else None,
            found_at=ranges_of(found_at),
            suggestion=None if suggestion is None else range_of(json_of(suggestion)),
            omitted=ranges_of(omitted),
            diff=text_of(diff),
            notes=strings_of(notes),
        ),
        revision=text_of(revision),
        blob=maybe_text(blob),
        assurance=maybe_text(assurance),
        origin=maybe_text(origin),
        ungrounded=strings_of(ungrounded),
    )


def verdict_values(citation: int, stored: StoredVerdict) -> dict[str, Value]:
    """A row of `verdicts`."""
    judgement = stored.judgement
    suggestion = judgement.suggestion
    return {
        "citation_id": citation,
        "inputs": stored.inputs,
        "verdict": judgement.verdict.value,
        "message": judgement.message,
        "difference": judgement.difference,
        "similarity": judgement.similarity,
        "found_at": ranges_json(judgement.found_at),
        "suggestion": json.dumps([suggestion.first, suggestion.last]) if suggestion else None,
        "omitted": ranges_json(judgement.omitted),
        "diff": judgement.diff,
        "notes": strings_json(judgement.notes),
        "revision": stored.revision,
        "blob": stored.blob,
        "assurance": stored.assurance,
        "origin": stored.origin,
        "ungrounded": strings_json(stored.ungrounded),
    }


@readable
def file_of(row: Row) -> StoredFile:
    """A row of `queries.FILE`."""
    git, revision, path, blob, stands_at, origin, artifact, sha256, verdict, message, notes = row
    return StoredFile(
        git=text_of(git),
        revision=text_of(revision),
        path=text_of(path),
        blob=maybe_text(blob),
        stands_at=maybe_text(stands_at),
        origin=OriginKind(text_of(origin)),
        artifact=None if artifact is None else Artifact(text_of(artifact), text_of(sha256)),
        verdict=None if verdict is None else Verdict(text_of(verdict)),
        message=maybe_text(message) or "",
        notes=strings_of(notes),
    )


def history_of(row: Row) -> HistoryEntry:
    """A row of `queries.HISTORY`."""
    run, when, command, version, verdict, revision, blob, assurance, origin = row
    return HistoryEntry(
        run=number_of(run),
        when=text_of(when),
        command=text_of(command),
        version=text_of(version),
        verdict=text_of(verdict),
        revision=text_of(revision),
        blob=maybe_text(blob),
        assurance=maybe_text(assurance),
        origin=maybe_text(origin),
    )

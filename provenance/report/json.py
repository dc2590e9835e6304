"""Evidence -> JSON: one document, or a line a result, written as results come, so that memory stays flat.

The text is that of `json.dumps`, but characters that are hidden or that a CI system could obey are escaped, which
changes nothing for whoever parses it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, assert_never

from provenance.citation import Source
from provenance.evidence import Evidence, Statement
from provenance.links.permalinks import public_url, swhid
from provenance.report.inert import in_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

    from provenance.citation import LineRange
    from provenance.evidence import Finding, Sighted, Summary, Unread

VERIFY_SCHEMA = "prov/verify/1"

_encode = json.JSONEncoder(ensure_ascii=False).encode


def line(value: object) -> str:
    """A value on one line of inert JSON, without its end."""
    return in_json(_encode(value))


def result(finding: Finding) -> dict[str, object]:
    """One result, as the contract fixes it: its keys and their order are an interface.

    What a kind lacks is null.
    """
    match finding:
        case Evidence():
            return _evidence(finding)
        case Statement():
            return _statement(finding)
        case _:
            assert_never(finding)


def _evidence(evidence: Evidence) -> dict[str, object]:
    citation, judgement = evidence.citation, evidence.judgement
    git, lines = citation.source.git, evidence.place
    return {
        "manifest": evidence.manifest,
        "id": citation.id,
        "kind": citation.kind,
        "source": citation.source.name,
        "git": public_url(git),
        "revision": evidence.revision,
        "path": citation.path,
        "lines": maybe_span(citation.lines),
        "verdict": judgement.verdict,
        "level": evidence.level,
        "message": judgement.message,
        "difference": judgement.difference,
        "similarity": judgement.similarity,
        "found_at": spans(judgement.found_at),
        "suggestion": maybe_span(judgement.suggestion),
        "omitted": spans(judgement.omitted),
        "diff": judgement.diff,
        "symbol": evidence.symbol,
        "symbols": evidence.symbols,
        "notes": evidence.notes,
        "ungrounded": evidence.ungrounded,
        "assurance": evidence.assurance,
        "origin": evidence.origin,
        "permalink": evidence.permalink,
        "swhid": swhid(git, evidence.blob, evidence.revision, citation.path, lines),
        **_sighted(evidence),
    }


def _sighted(evidence: Evidence) -> dict[str, object]:
    """What a result of a document has beside: where it stands there, and what was compared."""
    sighted = evidence.sighted
    if sighted is None:
        return {}
    return {**_place(sighted), "quote": evidence.citation.quote}


def _place(sighted: Sighted) -> dict[str, object]:
    document = {"path": sighted.path, "line": sighted.line, "cell": sighted.cell}
    return {"document": document, "cited": sighted.cited}


def not_understood(unread: Unread) -> dict[str, object]:
    """What looks like a citation and is none that could be judged: it is no result, and is not counted as one."""
    return {**_place(unread.sighted), "message": unread.message}


def _statement(statement: Statement) -> dict[str, object]:
    judgement = statement.judgement
    source = statement.about if isinstance(statement.about, Source) else None
    lacking = dict.fromkeys(
        ("difference", "similarity", "found_at", "suggestion", "omitted", "diff", "symbol", "symbols")
    )
    return {
        "manifest": statement.manifest,
        "id": statement.id,
        "kind": statement.kind,
        "source": None if source is None else source.name,
        "git": None if source is None else public_url(source.git),
        "revision": statement.revision,
        "path": None,
        "lines": None,
        "verdict": judgement.verdict,
        "level": statement.level,
        "message": judgement.message,
        **lacking,
        "notes": statement.notes,
        **dict.fromkeys(("ungrounded", "assurance", "origin", "permalink", "swhid")),
    }


def maybe_span(lines: LineRange | None) -> dict[str, int] | None:
    """A range, or null."""
    return None if lines is None else span(lines)


def span(lines: LineRange) -> dict[str, int]:
    """A range as every JSON of prov has it."""
    return {"first": lines.first, "last": lines.last}


def spans(ranges: Sequence[LineRange]) -> list[dict[str, int]]:
    """Several ranges."""
    return [span(lines) for lines in ranges]


def tally(summary: Summary) -> dict[str, int]:
    """The counts at the head of a report."""
    return {
        "total": summary.total,
        "ok": summary.ok,
        "warning": summary.warning,
        "failure": summary.failure,
        "unavailable": summary.unavailable,
    }


def write_json(
    stream: TextIO, summary: Summary, results: Iterable[Finding], unread: Sequence[Unread] = ()
) -> None:
    """Write one document, a result a line."""
    write_document(stream, VERIFY_SCHEMA, summary, map(result, results), map(not_understood, unread))


def write_document(
    stream: TextIO, schema: str, summary: Summary, results: Iterable[object], unread: Iterable[object] = ()
) -> None:
    """Write one document of any schema, a result a line.

    Args:
        stream: where to.
        schema: the document's first entry, which says what its results are.
        summary: their counts.
        results: what `line` takes.
        unread: the same, of what could not be made a result of; left out where there is none.
    """
    stream.write(f'{{"schema": {line(schema)},\n "summary": {line(tally(summary))},\n "results": [')
    _write_list(stream, results)
    left = list(unread)
    if left:
        stream.write(',\n "not_understood": [')
        _write_list(stream, left)
    stream.write("}\n")


def _write_list(stream: TextIO, items: Iterable[object]) -> None:
    """The items of a list that has been opened, one a line, and its end."""
    separator = "\n  "
    for item in items:
        stream.write(separator + line(item))
        separator = ",\n  "
    stream.write("\n ]" if separator.startswith(",") else "]")


def write_jsonl(stream: TextIO, results: Iterable[Finding], unread: Iterable[Unread] = ()) -> None:
    """Write each result as a line of its own; what was not understood is told by a line with that key."""
    stream.writelines(line(result(item)) + "\n" for item in results)
    stream.writelines(line({"not_understood": not_understood(item)}) + "\n" for item in unread)

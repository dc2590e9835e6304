"""Notices -> SARIF 2.1.0, for code scanning on forges and for editors.

Source of the form: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0 Plus Errata 01"; the
limits are those of GitHub's "SARIF support for code scanning". Results are written as they come.
"""

from __future__ import annotations

import os
import posixpath
import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from provenance import __version__
from provenance.evidence import Level
from provenance.report.inert import in_line
from provenance.report.json import line as json_line
from provenance.report.json import tally
from provenance.report.rules import PROBLEM, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

    from provenance.report.notice import Change, Cited, Notice
    from provenance.report.notices import Notices
    from provenance.report.rules import Rule
    from provenance.report.run import Run

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""The id that the official schema gives itself."""
MOST_RESULTS = 25_000
"""Results that GitHub takes in one run; of a file with more it takes none."""
_MOST_TOLD = 100
"""Results that were unavailable, and problems, which are told as notifications of their own."""
_ROOT = "%SRCROOT%"
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
"""A commit id, which may be shortened."""
_URI = re.compile(r"[a-z][a-z0-9+.-]*://(?:[\w.~:@/?&=+$,;!()*'-]|%[0-9a-f]{2})+", re.IGNORECASE | re.ASCII)
"""A URI that names a host (RFC 3986); one that is none would keep GitHub from taking the file."""
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()|\](?=\()")
"""Brackets that would make an embedded link of a plain text message (section 3.11.6)."""

_KINDS = {
    Level.FAILURE: ("fail", "error"),
    Level.WARNING: ("fail", "warning"),
    Level.UNAVAILABLE: ("open", "none"),
    Level.OK: ("pass", "none"),
}
"""Kind and level of a result (sections 3.27.9 and 3.27.10): what could not be evaluated is `open`."""
_CONFIGURED = {level: found for level, (_, found) in _KINDS.items()}

_UNAVAILABLE_NOTE = "unavailable"
_CUT_NOTE = "results-left-out"
_NOTES = {
    PROBLEM: "The input is wrong, so that not everything was judged.",
    _UNAVAILABLE_NOTE: "A result could not be told; this says nothing about the evidence.",
    _CUT_NOTE: "There are more results than the file has room for.",
}


class _Base(NamedTuple):
    """What cited paths are relative to."""

    repository: str
    revision: str


def write_sarif(stream: TextIO, notices: Notices, most: int = MOST_RESULTS) -> None:
    """Write the log, a result a line.

    Args:
        stream: where to.
        notices: of the run.
        most: results that are written at the most, the worst first.
    """
    run = notices.run
    rules = rules_of(run.command)
    stream.write(f'{{"$schema": {json_line(SCHEMA)}, "version": "2.1.0", "runs": [{{\n')
    about = _about(notices, rules.values(), most)
    stream.writelines(f' "{name}": {json_line(value)},\n' for name, value in about)
    stream.write(' "results": [')
    index = {name: number for number, name in enumerate(rules)}
    bases: dict[_Base, str] = {}
    separator = "\n  "
    for notice in islice(notices.worst_first(), most):
        changes = notices.changes(notice)
        stream.write(separator + json_line(_result(notice, run, index[notice.rule], bases, changes)))
        separator = ",\n  "
    stream.write("\n ]" if separator.startswith(",") else "]")
    stream.writelines(f',\n "{name}": {json_line(value)}' for name, value in _roots(bases))
    stream.write("}]}\n")


def _about(notices: Notices, rules: Iterable[Rule], most: int) -> Iterator[tuple[str, object]]:
    """What a run says beside its results."""
    run = notices.run
    driver = {
        "name": "prov",
        "version": __version__,
        "rules": [_rule(rule) for rule in rules],
        "notifications": [{"id": name, "shortDescription": {"text": text}} for name, text in _NOTES.items()],
    }
    yield "tool", {"driver": driver}
    yield "automationDetails", {"id": f"prov/{run.command}/"}
    yield "columnKind", "unicodeCodePoints"
    yield (
        "invocations",
        [
            {
                "executionSuccessful": not notices.problems,
                "endTimeUtc": run.when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "toolExecutionNotifications": [*_notifications(notices, most)],
            }
        ],
    )
    yield "properties", {"summary": tally(notices.summary), "conclusion": in_line(notices.conclusion)}


def _roots(bases: Mapping[_Base, str]) -> Iterator[tuple[str, object]]:
    """What the paths of the results are relative to: this repository, and those that are cited, at their revisions.

    None has a `uri`: GitHub takes no file in which a location's URI, once it is put together, is one of the web.
    """
    cited = {
        name: {"description": _message(f"{base.repository} at {base.revision}")}
        for base, name in bases.items()
    }
    yield "originalUriBaseIds", {_ROOT: {"description": {"text": "The root of the repository."}}, **cited}
    yield (
        "versionControlProvenance",
        [
            {
                "repositoryUri": base.repository,
                "revisionId" if _COMMIT.fullmatch(base.revision) else "revisionTag": base.revision,
                "mappedTo": {"uriBaseId": name},
            }
            for base, name in bases.items()
            if _URI.fullmatch(base.repository)
        ],
    )


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.short},
        "fullDescription": {"text": f"{rule.short} {rule.advice}"},
        "help": {
            "text": f"{rule.short} {rule.advice}",
            "markdown": f"{rule.short}\n\n**What to do:** {rule.advice}",
        },
        "defaultConfiguration": {"level": _CONFIGURED[rule.level]},
        "properties": {"tags": ["provenance", rule.subject]},
    }


def _notifications(notices: Notices, most: int) -> Iterator[dict[str, object]]:
    """What kept the run from judging everything, and what is not in the file."""
    run = notices.run
    for notice in notices.problems[:_MOST_TOLD]:
        yield _notification(PROBLEM, "error", notice.message, [_location(notice, run)])
    more = len(notices.problems) - _MOST_TOLD
    if more > 0:
        yield _notification(PROBLEM, "error", f"There are {more:,} more problems.")
    count = notices.summary.unavailable
    if count:
        unavailable = (item for item in notices.notable() if item.level is Level.UNAVAILABLE)
        for notice in islice(unavailable, _MOST_TOLD):
            text = f"{notice.title}: {notice.message}"
            yield _notification(_UNAVAILABLE_NOTE, "warning", text, [_location(notice, run)])
    if count > _MOST_TOLD:
        text = f"{count - _MOST_TOLD:,} more results were unavailable."
        yield _notification(_UNAVAILABLE_NOTE, "warning", text)
    left = notices.count - most
    if left > 0:
        yield _notification(
            _CUT_NOTE, "warning", f"{left:,} of {notices.count:,} results are left out, the worst are here."
        )


def _notification(
    descriptor: str, level: str, text: str, locations: Sequence[dict[str, object]] = ()
) -> dict[str, object]:
    found: dict[str, object] = {"descriptor": {"id": descriptor}, "level": level, "message": _message(text)}
    return {**found, "locations": locations} if locations else found


def _result(
    notice: Notice, run: Run, index: int, bases: dict[_Base, str], changes: Sequence[Change]
) -> dict[str, object]:
    kind, level = _KINDS[notice.level]
    first, *others = notice.sentences
    text = "\n".join((f"{notice.title}: {first}", *others))
    found: dict[str, object] = {
        "ruleId": notice.rule,
        "ruleIndex": index,
        "kind": kind,
        "level": level,
        "message": _message(text),
        "locations": [_location(notice, run)],
        "partialFingerprints": {
            "citation/v1": notice.fingerprint,
            # The only one that GitHub looks at; without it, it would hash the line's text.
            "primaryLocationLineHash": f"{notice.fingerprint}:1",
        },
    }
    if notice.cited is not None:
        found["relatedLocations"] = [_cited(notice.cited, bases)]
    if changes:
        found["fixes"] = [_fix(changes, run)]
    beside = {
        "id": in_line(notice.id),
        "assurance": notice.assurance,
        "claim": notice.claim,
        "diff": notice.diff,
    }
    return {**found, "properties": {name: value for name, value in beside.items() if value}}


def _location(notice: Notice, run: Run) -> dict[str, object]:
    """Where something is stated; where no line of the file is known, at the first, for GitHub asks for one."""
    line = notice.line if notice.line is not None and notice.cell is None else 1
    file = _artifact(run.in_repository(notice.path))
    place = {"artifactLocation": file, "region": {"startLine": line}}
    location: dict[str, object] = {"physicalLocation": place}
    if notice.cell is not None:
        location["message"] = _message(f"cell {notice.cell}, line {notice.line}")
    return location


def _cited(cited: Cited, bases: dict[_Base, str]) -> dict[str, object]:
    """Where cited lines are: by a path in their repository, which gets a name; the permalink is said.

    It is no URI of the web: GitHub takes no file with such a location.
    """
    text = f"cited: {cited.place} in {cited.repository} at {cited.revision}"
    base = _Base(cited.repository, cited.revision)
    file = {
        "uri": quote(cited.path),
        "uriBaseId": bases.setdefault(base, f"CITED{len(bases) + 1}"),
    }
    place: dict[str, object] = {"artifactLocation": file}
    if cited.lines is not None:
        place["region"] = {"startLine": cited.lines.first, "endLine": cited.lines.last}
    message = _message(text if cited.permalink is None else f"{text}\n{cited.permalink}")
    return {"id": 1, "message": message, "physicalLocation": place}


def _fix(changes: Sequence[Change], run: Run) -> dict[str, object]:
    """Changes of one file, which are made together."""
    replacements = [
        {
            "deletedRegion": {
                "startLine": change.line,
                "startColumn": change.column,
                "endLine": change.end_line,
                "endColumn": change.end_column,
            },
            "insertedContent": {"text": change.text},
        }
        for change in changes
    ]
    file = _artifact(run.in_repository(changes[0].path))
    return {
        "description": _message(f"Write {changes[0].text}."),
        "artifactChanges": [{"artifactLocation": file, "replacements": replacements}],
    }


def _artifact(path: str) -> dict[str, object]:
    """A file by its URI (RFC 3986): relative to the repository's root, unless it does not stand in it."""
    uri = quote(os.fsencode(path) if _is_encodable(path) else path.encode("utf-8", "replace"), safe="/")
    if posixpath.isabs(path):
        return {"uri": f"file://{uri}"}
    return {"uri": uri, "uriBaseId": _ROOT}


def _is_encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def _message(text: str) -> dict[str, str]:
    """A plain text message: no embedded link, no placeholder (sections 3.11.5 and 3.11.6)."""
    return {"text": _LINK.sub(r"\\\g<0>", text).replace("{", "{{").replace("}", "}}")}

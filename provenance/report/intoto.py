"""Results -> an attestation: an in-toto Statement about the files that were judged, not signed.

Sources of the form: in-toto Attestation Framework, "Statement layer specification" v1 and "ResourceDescriptor"; the
predicate is "Test Result" v0.1. What it has no field for stands under `prov`, which other consumers pass over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance import __version__
from provenance.errors import UsageError
from provenance.evidence import Level
from provenance.report.inert import in_line
from provenance.report.json import line, tally

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TextIO

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices
    from provenance.report.run import Subject

STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"


def write_intoto(stream: TextIO, notices: Notices) -> None:
    """Write the statement, a result a line.

    Raises:
        UsageError: no file was judged, so that there is nothing to attest.
    """
    run = notices.run
    if not run.subjects:
        message = "nothing was judged: there is no file that an attestation could be about"
        raise UsageError(message)
    by_level: dict[Level, list[str]] = {level: [] for level in Level}
    about = {
        "command": run.command,
        "version": __version__,
        "finishedOn": run.when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "assurance": run.least,
        "strict": run.strict,
        "summary": tally(notices.summary),
        "notUnderstood": len(notices.unread),
        "problems": [in_line(problem) for problem in dict.fromkeys(run.problems)],
    }
    stream.write(f'{{"_type": {line(STATEMENT)},\n "subject": {line(_resources(run.subjects))},\n')
    stream.write(f' "predicateType": {line(PREDICATE)},\n "predicate": {{\n')
    stream.write(f'  "result": {line(outcome(notices))},\n')
    stream.write(f'  "configuration": {line(_resources(run.configuration))},\n')
    stream.write(f'  "prov": {line(about)[:-1]}, "results": [')
    separator = "\n   "
    for notice in notices.every():
        name = f"{in_line(notice.path)}#{in_line(notice.id)}"
        by_level[notice.level].append(name)
        stream.write(separator + line(_result(name, notice)))
        separator = ",\n   "
    stream.write("\n  ]},\n" if separator.startswith(",") else "]},\n")
    stream.write(f'  "passedTests": {line(by_level[Level.OK])},\n')
    stream.write(f'  "warnedTests": {line(by_level[Level.WARNING])},\n')
    stream.write(f'  "failedTests": {line(by_level[Level.FAILURE])}\n }}}}\n')


def outcome(notices: Notices) -> str:
    """The result of a run as a whole. What was not judged is no failed test, but nothing has passed without it."""
    summary = notices.summary
    if summary.failure or summary.unavailable or notices.problems or not summary.total:
        return "FAILED"
    return "WARNED" if summary.warning or notices.unread else "PASSED"


def _resources(files: Iterable[Subject]) -> list[dict[str, object]]:
    return [{"name": in_line(file.path), "digest": {"sha256": file.sha256}} for file in files]


def _result(name: str, notice: Notice) -> dict[str, object]:
    cited = notice.cited
    return {
        "name": name,
        "verdict": notice.rule,
        "level": notice.level,
        "assurance": notice.assurance,
        "repository": None if cited is None else cited.repository,
        "revision": None if cited is None else cited.revision,
        "path": None if cited is None else cited.path,
        "lines": None if cited is None or cited.lines is None else str(cited.lines),
    }

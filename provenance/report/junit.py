"""Notices -> JUnit's XML: a suite a manifest or document, a case a result.

The form is that of the schema which Jenkins, GitLab and most other readers have in common (testsuites, testsuite,
testcase, failure, error, system-out), with `file` and `line` at the case, as pytest's and many others have them.
"""

from __future__ import annotations

import re
from collections import Counter
from io import StringIO
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from provenance.evidence import Level
from provenance.report.inert import in_line, no_commands, visible
from provenance.report.notices import by_file
from provenance.report.rules import NOT_UNDERSTOOD, PROBLEM

if TYPE_CHECKING:
    from typing import TextIO

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices
    from provenance.report.run import Run

_FORBIDDEN = re.compile("[\ufffe\uffff]")
"""What XML 1.0 has no place for (section 2.2, `Char`), beside what is made visible everywhere."""


def write_junit(stream: TextIO, notices: Notices) -> None:
    """Write the document, a suite at a time."""
    summary, run = notices.summary, notices.run
    beside = len(notices.problems)
    tests = summary.total + len(notices.unread) + beside
    counts = _counts(tests, summary.failure, summary.unavailable + beside)
    stream.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="prov {run.command}"{counts}>\n')
    when = run.when.strftime("%Y-%m-%dT%H:%M:%S")
    for path, found in by_file(notices):
        cases = StringIO()
        names: Counter[str] = Counter()
        tally: Counter[str] = Counter()
        for notice in found:
            tally[_case(cases, notice, names, run)] += 1
        counts = _counts(tally.total(), tally["failure"], tally["error"])
        name = _attribute(path)
        stream.write(f' <testsuite name={name}{counts} skipped="0" timestamp="{when}">\n')
        stream.write(cases.getvalue())
        stream.write(" </testsuite>\n")
    stream.write("</testsuites>\n")


def _counts(tests: int, failures: int, errors: int) -> str:
    return f' tests="{tests}" failures="{failures}" errors="{errors}" time="0"'


def _case(stream: TextIO, notice: Notice, names: Counter[str], run: Run) -> str:
    """Write a case; says what became of it: `failure`, `error` or `pass`."""
    title = f"problem: {notice.message}" if notice.rule == PROBLEM else notice.title
    name = title
    while name in names:  # a number may be what another one ends in, too
        names[title] += 1
        name = f"{title} [{names[title]}]"
    names[name] = 1
    is_in_file = notice.line is not None and notice.cell is None
    line = "" if not is_in_file else f' line="{notice.line}"'
    stream.write(
        f"  <testcase classname={_attribute(notice.path)} name={_attribute(name)}"
        f' file={_attribute(run.in_repository(notice.path))}{line} time="0"'
    )
    if notice.level is Level.OK and not notice.is_idle:
        stream.write("/>\n")
        return "pass"
    text = _text("\n".join(_lines(notice)))
    stream.write(">\n")
    if notice.level in {Level.WARNING, Level.OK}:
        stream.write(f"   <system-out>{text}</system-out>\n  </testcase>\n")
        return "pass"
    is_failure = notice.level is Level.FAILURE and notice.rule != PROBLEM
    tag = "failure" if is_failure else "error"
    message = _attribute(notice.message)
    stream.write(f'   <{tag} type="{notice.rule}" message={message}>{text}</{tag}>\n  </testcase>\n')
    return tag


def _lines(notice: Notice) -> list[str]:
    """What a person reads of a case that is not simply ok."""
    cited = notice.cited
    word = "not understood" if notice.rule == NOT_UNDERSTOOD else notice.rule
    lines = [f"{notice.level}: {word}", f"stated: {notice.at}"]
    if cited is not None:
        lines += [f"cited: {cited.place} in {cited.repository} at {cited.revision}"]
        lines += [cited.permalink] if cited.permalink else []
    return [*lines, *notice.sentences, *([notice.diff] if notice.diff else [])]


def _text(text: str) -> str:
    return escape(_FORBIDDEN.sub(_named, no_commands(visible(text))))


def _attribute(text: str) -> str:
    return quoteattr(_FORBIDDEN.sub(_named, no_commands(in_line(text))))


def _named(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"

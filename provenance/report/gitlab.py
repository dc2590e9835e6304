"""Notices -> GitLab's Code Quality report, which merge requests show beside their lines.

Source of the form: GitLab's documentation, "Code Quality", "Import code quality results from a CI/CD job".
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from provenance.evidence import Level
from provenance.report.inert import in_line
from provenance.report.json import line
from provenance.report.rules import PROBLEM

if TYPE_CHECKING:
    from typing import TextIO

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices
    from provenance.report.run import Run

_SEVERITIES = {Level.FAILURE: "major", Level.WARNING: "minor", Level.UNAVAILABLE: "info", Level.OK: "info"}
_LONGEST = 1000
"""Characters of a description."""


def write_gitlab(stream: TextIO, notices: Notices) -> None:
    """Write an array, an entry a line: what is wrong with the input, then what is not simply ok, the worst first."""
    separator = "[\n "
    for notice in chain(notices.problems, notices.worst_first(), notices.idle()):
        stream.write(separator + line(_entry(notice, notices.run)))
        separator = ",\n "
    stream.write("[]\n" if separator.startswith("[") else "\n]\n")


def _entry(notice: Notice, run: Run) -> dict[str, object]:
    """An entry; a place that has no line is its file's first one, which GitLab asks for."""
    about = "" if notice.rule == PROBLEM else f"{notice.title}: "
    description = f"{about}{' · '.join(notice.sentences)}"
    if len(description) > _LONGEST:
        description = f"{description[: _LONGEST - 1]}…"
    return {
        "description": description,
        "check_name": f"prov/{notice.rule}",
        "fingerprint": notice.fingerprint,
        "severity": "blocker" if notice.rule == PROBLEM else _SEVERITIES[notice.level],
        "location": {
            "path": in_line(run.in_repository(notice.path)),
            "lines": {"begin": notice.line if notice.line is not None and notice.cell is None else 1},
        },
    }

"""One neutral record for whatever a CI system is told, made from evidence, statements, drift and faults.

What stands in it is made inert already: each text is one line in which nothing is hidden, but for the diff, which has
several. Whether a line could be a command is for the format to see to, which knows where its lines begin.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, assert_never

from provenance.evidence import DEFAULT_LEVELS, Evidence, Level, Statement, Verdict
from provenance.links.permalinks import permalink, public_url
from provenance.report.finding import place, where
from provenance.report.inert import in_line, visible
from provenance.report.rules import NOT_UNDERSTOOD, PROBLEM, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.citation import LineRange
    from provenance.evidence import Finding, Unread
    from provenance.relocation import Drift
    from provenance.report.run import Run

_LONGEST = 2000
"""Characters of a sentence that is told."""
_DIFF_LINES = 60
_DIFF_WIDTH = 500
"""Characters of a line of a diff that are told."""
_CANDIDATES = 5
"""Places of ambiguous lines that are told."""
_FAULT = re.compile(r":(?P<line>[0-9]{1,9})(?::(?P<column>[0-9]{1,9}))?: ")
"""What follows a file's path in a message about it."""
_SURE = frozenset({Verdict.PARTIAL, Verdict.SHIFTED, Verdict.OUT_OF_RANGE})
"""Verdicts with which the quote stands at the range that is suggested."""


class Cited(NamedTuple):
    """Where cited code is."""

    repository: str
    """Its URL, without secrets."""
    revision: str
    path: str
    """In the repository."""
    lines: LineRange | None
    permalink: str | None

    @property
    def place(self) -> str:
        """Path and lines, such as `src/model.py:50-56`."""
        return place(self.path, self.lines)


class Change(NamedTuple):
    """A stretch of a file that is to be another. Lines and columns are 1-based; columns count characters."""

    path: str
    """The file's, as reports give it."""
    line: int
    column: int
    end_line: int
    end_column: int
    """The column behind the last character."""
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A result, or what is wrong with the input, as CI systems are told of it."""

    rule: str
    """A verdict, a status, or one of the names in `rules`."""
    level: Level
    title: str
    """What it is about: a citation's id, or the link as the document has it."""
    path: str
    """The manifest or document that states it, as reports give it."""
    message: str
    """One sentence or some, never empty."""
    line: int | None = None
    """1-based, where it is stated; None where that is not known. In a notebook that of the cell's source."""
    cell: int | None = None
    """A notebook's cell, 1-based."""
    id: str = ""
    """The citation's id, which names it in the store; empty where there is none."""
    cited: Cited | None = None
    claim: str = ""
    diff: str = ""
    """A unified diff, shortened, without a last line end."""
    notes: tuple[str, ...] = ()
    suggestion: LineRange | None = None
    """The range that would be right; None where that is not sure."""
    assurance: str | None = None
    is_idle: bool = False
    """Whether it is ok, and something else is expected of it, which is no longer needed."""
    fingerprint: str = ""
    """The same in every run that finds the same, wherever its line has moved to; 64 hexadecimal digits."""

    @property
    def at(self) -> str:
        """Where it is stated, such as `docs/a.md:12`."""
        cell = "" if self.cell is None else f":cell {self.cell}"
        return f"{in_line(self.path)}{cell}" + ("" if self.line is None else f":{self.line}")

    @property
    def sentences(self) -> list[str]:
        """What is to be said: the message, what is suggested, and the notes."""
        lines = self.suggestion
        advice = [] if lines is None else [f"suggestion: line{'' if len(lines) == 1 else 's'} {lines}"]
        return [self.message, *advice, *(f"note: {note}" for note in self.notes)]


def of_finding(finding: Finding) -> Notice:
    """The notice of a result of `verify` or `scan`."""
    judgement = finding.judgement
    position = finding.position
    # A verdict that is ok becomes a warning for what a note says, such as that the link names a branch.
    is_noted = finding.level is Level.WARNING and DEFAULT_LEVELS[judgement.verdict] is Level.OK
    why = judgement.message or (next(iter(finding.notes), "") if is_noted else "")
    is_idle = finding.level is Level.OK and finding.expect is not None
    if is_idle:
        *_, why = finding.notes or ("",)  # what is said of its level stands last
    notice = Notice(
        rule=judgement.verdict.value,
        level=finding.level,
        title=_line(finding.id),
        path=finding.manifest,
        message=_line(why) or rules_of("verify")[judgement.verdict].short,
        line=None if position is None else position.line,
        id=finding.id,
        diff=_diff(judgement.diff),
        notes=tuple(_line(note) for note in finding.notes if note != why),
        is_idle=is_idle,
    )
    match finding:
        case Evidence():
            return _with_evidence(notice, finding)
        case Statement():
            return replace(notice, notes=(f"stated: {_line(where(finding))}", *notice.notes))
        case _:
            assert_never(finding)


def _with_evidence(notice: Notice, evidence: Evidence) -> Notice:
    """A notice with what only citations have."""
    citation, judgement, sighted = evidence.citation, evidence.judgement, evidence.sighted
    missing = ", ".join(evidence.ungrounded)
    advice = [_line(f"the claim names {missing}; the cited lines do not")] if missing else []
    is_sure = judgement.verdict in _SURE and len(judgement.found_at) <= 1
    notice = replace(
        notice,
        cited=Cited(
            _line(public_url(citation.source.git)),
            _line(evidence.revision),
            _line(citation.path),
            evidence.place,
            _link(evidence.permalink),
        ),
        claim=_line(citation.claim),
        notes=(*notice.notes, *advice),
        suggestion=judgement.suggestion if is_sure and judgement.suggestion != citation.lines else None,
        assurance=None if evidence.assurance is None else evidence.assurance.value,
    )
    if sighted is None:
        return notice
    return replace(notice, title=_line(sighted.cited), line=sighted.line, cell=sighted.cell)


def of_unread(unread: Unread) -> Notice:
    """The notice of what looks like a citation and is not understood."""
    sighted = unread.sighted
    message = _line(unread.message) or rules_of("scan")[NOT_UNDERSTOOD].short
    return Notice(
        NOT_UNDERSTOOD,
        Level.WARNING,
        _line(sighted.cited),
        sighted.path,
        message,
        sighted.line,
        sighted.cell,
    )


def of_drift(drift: Drift) -> Notice:
    """The notice of a citation that was followed."""
    from provenance.report.drift_sentences import commit, similar, spot, way

    found, start, position = drift.relocation, drift.start, drift.position
    git = drift.citation.source.git
    made = commit(drift)
    facts = [way(drift), similar(drift)] if found.end is not None else []
    facts = [*filter(None, facts), *([f"by {made}"] if made else [])]
    notes = [*found.notes, *drift.notes]
    notes += [f"candidate: {spot(drift, candidate)}" for candidate in found.candidates[:_CANDIDATES]]
    more = len(found.candidates) - _CANDIDATES
    notes += [f"{more:,} more candidates"] if more > 0 else []
    message = found.message or rules_of("drift")[found.status].short
    return Notice(
        rule=found.status.value,
        level=drift.level,
        title=_line(drift.id),
        path=drift.manifest,
        message=_line(" · ".join((message, *facts))),
        line=None if position is None else position.line,
        id=drift.id,
        cited=Cited(
            _line(public_url(git)),
            _line(start.revision),
            _line(start.path),
            start.lines,
            _link(permalink(git, start.revision, start.path, start.lines)),
        ),
        claim=_line(drift.citation.claim),
        diff=_diff(drift.diff),
        notes=tuple(dict.fromkeys(map(_line, notes))),
        assurance=None if drift.assurance is None else drift.assurance.value,
    )


def of_problems(run: Run) -> Iterator[Notice]:
    """What is wrong with the input, each at the file and line that its message begins with.

    What names no file of the run is put down to the first one: CI systems show nothing that has no file.
    """
    fallback = next(iter(run.files.values()), ".")
    for problem in dict.fromkeys(run.problems):
        ends = [at for at, letter in enumerate(problem[:_LONGEST]) if letter == ":"]
        end = max((at for at in ends if problem[:at] in run.files), default=None)
        if end is None:
            yield Notice(PROBLEM, Level.FAILURE, "problem", fallback, _line(problem) or "the input is wrong")
            continue
        match = _FAULT.match(problem, end)
        line = None if match is None else max(int(match["line"]), 1)
        message = problem[end + 1 if match is None else match.end() :]
        path = run.files[problem[:end]]
        yield Notice(PROBLEM, Level.FAILURE, "problem", path, _line(message) or _line(problem), line)


def numbered(notices: Iterable[Notice], run: Run) -> Iterator[Notice]:
    """Notices in the order of their files and lines, each with its fingerprint.

    Those of one file that are told apart by nothing but their line are told apart by their order.
    """
    seen: Counter[tuple[str, str]] = Counter()
    path = None
    for notice in notices:
        if notice.path != path:
            path = notice.path
            seen.clear()
        key = notice.title if notice.rule != PROBLEM else notice.message
        seen[notice.rule, key] += 1
        parts = [run.in_repository(notice.path), key, notice.rule, seen[notice.rule, key]]
        digest = hashlib.sha256(json.dumps(parts).encode()).hexdigest()
        yield replace(notice, fingerprint=digest)


def _line(text: str) -> str:
    """Text on one line that hides nothing, and no longer than a person reads."""
    shown = in_line(" ".join(text[: 2 * _LONGEST].split("\n")).strip())
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _link(link: str | None) -> str | None:
    """A permalink, if it is one that may be followed."""
    return link if link is not None and link.startswith("https://") and in_line(link) == link else None


def _diff(diff: str) -> str:
    lines = diff.removesuffix("\n").split("\n") if diff else []
    shown = [
        visible(line[:_DIFF_WIDTH]) + ("…" if len(line) > _DIFF_WIDTH else "") for line in lines[:_DIFF_LINES]
    ]
    more = len(lines) - len(shown)
    return "\n".join([*shown, *([f"… {more:,} more lines"] if more > 0 else [])])

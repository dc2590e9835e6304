"""What a CI system is told of a run: its notices, the worst first or all in order, made as they are read."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from provenance.evidence import Level
from provenance.report.inert import in_line
from provenance.report.notice import numbered, of_drift, of_finding, of_problems, of_unread
from provenance.report.run import COUNTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from provenance.evidence import Summary
    from provenance.relocation import Drift
    from provenance.report.notice import Change, Notice
    from provenance.report.run import Findings, Run

    Mending = Callable[[Notice], Sequence[Change]]
    """What to change in a file so that a notice goes away; nothing where that is not clear."""


def no_mending(_: Notice) -> Sequence[Change]:
    """Where nothing can be suggested."""
    return ()


@dataclass(frozen=True, slots=True)
class Notices:
    """A run's notices. They are made anew each time they are gone through, so that memory stays flat."""

    run: Run
    summary: Summary
    conclusion: str
    """One line: how many could be checked, and what came out."""
    every: Callable[[], Iterator[Notice]]
    """All results in the order of their files, those that are ok among them, without fingerprints."""
    notable: Callable[[], Iterator[Notice]]
    """Those that are not simply ok, with fingerprints; of those that are, the ones of `idle`."""
    unread: tuple[Notice, ...] = ()
    """What looks like a citation and is not understood."""
    problems: tuple[Notice, ...] = ()
    """What is wrong with the input."""
    changes: Mending = no_mending

    @property
    def count(self) -> int:
        """How many results are not ok, and how many places were not understood, together."""
        return sum(self.counts().values())

    def counts(self) -> dict[Level, int]:
        """How many there are of each level but ok; what was not understood is a warning. Problems are none of them."""
        counts: dict[Level, int] = {
            level: of(self.summary) for level, of in COUNTED.items() if level is not Level.OK
        }
        counts[Level.WARNING] += len(self.unread)
        return counts

    def worst_first(self) -> Iterator[Notice]:
        """Those that are not ok: failures, what was unavailable, warnings, and what was not understood."""
        for level, of in COUNTED.items():
            if level is not Level.OK and of(self.summary):
                yield from (notice for notice in self.notable() if notice.level is level)
        yield from self.unread

    def idle(self) -> Iterator[Notice]:
        """Those that are ok, and of which something else is expected, which is no longer needed."""
        return (notice for notice in self.notable() if notice.is_idle)


def notices_of(findings: Findings, changes: Mending = no_mending) -> Notices:
    """The notices of `verify` and `scan`."""
    from provenance.report.text import conclusion

    run = findings.run
    left = f" · {len(findings.unread):,} not understood" if findings.unread else ""
    return Notices(
        run,
        findings.summary,
        conclusion(findings.summary) + left,
        lambda: map(of_finding, findings.every()),
        lambda: numbered(map(of_finding, findings.notable()), run),
        tuple(numbered(map(of_unread, findings.unread), run)),
        _problems(run),
        changes,
    )


def notices_of_drift(run: Run, summary: Summary, drifts: Sequence[Drift]) -> Notices:
    """The notices of `drift`."""
    from provenance.report.drift_sentences import conclusion, labels

    return Notices(
        run,
        summary,
        in_line(conclusion(summary, drifts, labels(drifts))),
        lambda: map(of_drift, drifts),
        lambda: numbered((of_drift(drift) for drift in drifts if drift.level is not Level.OK), run),
        problems=_problems(run),
    )


def _problems(run: Run) -> tuple[Notice, ...]:
    """What is wrong with the input, a file at a time: a loader may come back to one."""
    order: dict[str, int] = {}
    found = sorted(of_problems(run), key=lambda notice: order.setdefault(notice.path, len(order)))
    return tuple(numbered(found, run))


def by_file(notices: Notices) -> Iterator[tuple[str, Iterable[Notice]]]:
    """All notices a file, as they come; problems of files without a result stand last."""
    beside: dict[str, list[Notice]] = {}
    for notice in chain(notices.unread, notices.problems):
        beside.setdefault(notice.path, []).append(notice)
    for path, found in groupby(notices.every(), key=attrgetter("path")):
        yield path, chain(found, beside.pop(path, ()))
    yield from beside.items()

"""Notices as a run would yield them, and text that tries to be something else in every format."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from support.results import Made

from provenance.citation import Expectation
from provenance.evidence import Assurance, Evidence, Judgement, Level, Sighted, Unread, Verdict
from provenance.report.notices import no_mending, notices_of
from provenance.report.run import Findings, Run, Subject
from provenance.verify import is_notable, summary_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.evidence import Finding
    from provenance.report.notices import Mending, Notices

WHEN = datetime(2026, 1, 15, 12, 30, 0, tzinfo=UTC)
SUBJECTS = (Subject("manifests/x.yaml", "a" * 64),)

HOSTILE = (
    "</script><img src=x onerror=alert(1)>",
    "::error file=a::x",
    "\n::set-env name=A::b\n",
    "##vso[task.setvariable variable=A]b",
    "##[error]x",
    "%0A::error::x",
    "[a](https://e.org) ![b](c.png) <https://e.org>",
    "@octocat and #12, https://e.org www.e.org a@e.org",
    "```\n# x\n~~~~",
    "\x1b[31mred\x1b[0m\x00\x08\ufffe\uffff",
    "\u202egnp.\u2066x\ud800",
    "]]> & \"quoted\" 'x' {0} {{1}}",
    "| a | b\\|c |",
    "* a\n1. b\n- c\n\n    d",
)
"""What none of the formats may obey."""

hostile = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            ["::", "##[", "`", "\n", "\r", "[", "](", "<", "@x", "|", "\\", "{", "&", "%", "\ud800"]
        )
    ).map("".join),
)
"""Text from outside."""


def made(
    verdict: Verdict = Verdict.CHANGED,
    id_: str = "conv",
    *,
    message: str = "it differs",
    level: Level | None = None,
    manifest: str = "manifests/x.yaml",
    line: int | None = 12,
    claim: str = "",
    diff: str = "",
    notes: tuple[str, ...] = (),
    path: str = "models/a.py",
) -> Evidence:
    """A result; by default a quote that differs."""
    judgement = Judgement(verdict, message, diff=diff)
    judged = None if verdict is Verdict.UNAVAILABLE else Assurance.COMMIT
    item = Made(
        id_,
        judgement=judgement,
        claim=claim,
        manifest=manifest,
        line=line,
        notes=notes,
        path=path,
        assurance=judged,
    ).evidence()
    return item if level is None else replace(item, level=level)


def idle(id_: str = "mended") -> Evidence:
    """A result that holds though it is expected not to."""
    item = made(
        Verdict.EXACT, id_, message="", notes=("followed a link", "expect: changed is no longer needed")
    )
    expect = Expectation("changed", "old", WHEN.date())
    return replace(item, citation=replace(item.citation, expect=expect))


def hostile_result(text: str, verdict: Verdict = Verdict.CHANGED) -> Evidence:
    """A result that has the same text wherever it can have one."""
    return made(
        verdict,
        text,
        message=text,
        claim=text,
        diff=f"-{text}\n+{text}\n",
        notes=(text,),
        path=text or "a.py",
        manifest=text.replace("\n", " ") or "m.yaml",
    )


def everything() -> list[Finding]:
    """One result of each level, worst last."""
    return [
        made(Verdict.EXACT, "holds", message=""),
        made(Verdict.PARTIAL, "left-out", message="lines are left out", line=20),
        made(Verdict.UNAVAILABLE, "down", message="nobody answers", line=30),
        made(Verdict.CHANGED, "differs", line=40, diff="--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n"),
    ]


def unread(
    cited: str = "https://e.org/x", path: str = "docs/a.md", line: int = 3, cell: int | None = None
) -> Unread:
    """A link that is not understood."""
    return Unread(Sighted(path, line, cell, cited), "no revision is named")


def notices(
    found: Sequence[Finding],
    left: Sequence[Unread] = (),
    problems: tuple[str, ...] = (),
    *,
    run: Run | None = None,
    changes: Mending = no_mending,
) -> Notices:
    """The notices of results."""
    named = {item.manifest: item.manifest for item in found}
    run = run or Run("verify", WHEN, files=named, subjects=SUBJECTS, problems=problems)
    told = [*filter(is_notable, found)]
    findings = Findings(summary_of(found), lambda: iter(found), lambda: iter(told), left, run)
    return notices_of(findings, changes)

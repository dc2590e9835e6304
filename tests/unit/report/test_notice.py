"""What CI systems are told, before it has a format."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.drifts import COMMIT, NEW, Followed
from support.notices import WHEN, everything, made, notices, unread
from support.results import Made

from provenance.citation import Kind, LineRange, Quantity, Term
from provenance.evidence import Evidence, Judgement, Level, Sighted, Statement, Verdict
from provenance.relocation import Spot, Status
from provenance.report.drift import summary_of
from provenance.report.notice import Notice, of_drift, of_finding, of_problems
from provenance.report.notices import by_file, notices_of_drift
from provenance.report.rules import RULES, rules_of
from provenance.report.run import Run

FILES = {
    "manifests/a.yaml": "manifests/a.yaml",
    "/p/manifests/a.yaml": "manifests/a.yaml",
    "manifests/a.yaml:1.yaml": "manifests/a.yaml:1.yaml",
}


@pytest.mark.parametrize(
    ("problem", "path", "line", "message"),
    [
        ("manifests/a.yaml:3:5: unknown key", "manifests/a.yaml", 3, "unknown key"),
        ("manifests/a.yaml:3: unknown key", "manifests/a.yaml", 3, "unknown key"),
        ("manifests/a.yaml: cannot be read", "manifests/a.yaml", None, "cannot be read"),
        ("/p/manifests/a.yaml: cannot be read", "manifests/a.yaml", None, "cannot be read"),
        ("manifests/a.yaml:1.yaml:7: x", "manifests/a.yaml:1.yaml", 7, "x"),
        ("manifests/a.yaml:0: x", "manifests/a.yaml", 1, "x"),
        ("https://e.org/x: refused", "manifests/a.yaml", None, "https://e.org/x: refused"),
        ("no citation in any manifest", "manifests/a.yaml", None, "no citation in any manifest"),
        ("", "manifests/a.yaml", None, "the input is wrong"),
        ("manifests/a.yaml:", "manifests/a.yaml", None, "manifests/a.yaml:"),
    ],
)
def test_a_problem_stands_at_the_file_and_line_that_it_names(
    problem: str, path: str, line: int | None, message: str
) -> None:
    (notice,) = of_problems(Run(files=FILES, problems=(problem,)))
    assert (notice.path, notice.line, notice.message, notice.level) == (path, line, message, Level.FAILURE)


def test_a_problem_is_told_once_and_without_any_file_at_the_project() -> None:
    assert [notice.path for notice in of_problems(Run(problems=("x", "x", "y")))] == [".", "."]


@pytest.mark.parametrize(
    ("run", "path", "expected"),
    [
        (Run(), "manifests/a.yaml", "manifests/a.yaml"),
        (Run(folder="sub/dir"), "manifests/a.yaml", "sub/dir/manifests/a.yaml"),
        (Run(folder="sub"), "../b.yaml", "b.yaml"),
        (Run(folder="sub"), "/elsewhere/b.yaml", "/elsewhere/b.yaml"),
        (Run(folder="sub", elsewhere={"../../b.yaml": "c/b.yaml"}), "../../b.yaml", "c/b.yaml"),
    ],
)
def test_paths_are_relative_to_the_repository_s_root(run: Run, path: str, expected: str) -> None:
    assert run.in_repository(path) == expected


def prints(*found: Evidence) -> list[str]:
    return [notice.fingerprint for notice in notices(found).notable()]


def test_a_fingerprint_survives_a_moved_line_and_another_message() -> None:
    assert prints(made(line=12)) == prints(made(line=99, message="other words", claim="other"))


@pytest.mark.parametrize(
    "other",
    [
        made(id_="other"),
        made(Verdict.ABSENT),
        made(manifest="manifests/y.yaml"),
    ],
)
def test_another_citation_verdict_or_file_has_another_fingerprint(other: Evidence) -> None:
    assert prints(made()) != prints(other)


def linked(link: str, line: int, id_: str) -> Evidence:
    return replace(made(id_=id_, manifest="a.md"), sighted=Sighted("a.md", line, None, link))


def test_links_that_are_written_alike_are_told_apart_by_their_order() -> None:
    before = prints(linked("L1", 1, "a-1"), linked("L1", 9, "a-2"), linked("L2", 10, "a-3"))
    after = prints(linked("L1", 5, "b-1"), linked("L1", 19, "b-2"), linked("L2", 2, "b-3"))
    assert before == after
    assert len(set(before)) == 3


def test_a_project_elsewhere_in_the_repository_has_other_fingerprints() -> None:
    here, there = (next(notices([made()], run=Run(folder=folder)).notable()) for folder in ("", "sub"))
    assert here.fingerprint != there.fingerprint


@pytest.mark.parametrize(
    ("verdict", "found_at", "suggested"),
    [
        (Verdict.SHIFTED, [(5, 6)], "5-6"),
        (Verdict.SHIFTED, [(5, 6), (9, 10)], None),
        (Verdict.OUT_OF_RANGE, [(5, 6)], "5-6"),
        (Verdict.PARTIAL, [], "5-6"),
        (Verdict.CHANGED, [(5, 6)], None),
    ],
)
def test_only_a_range_at_which_the_quote_stands_is_suggested(
    verdict: Verdict, found_at: list[tuple[int, int]], suggested: str | None
) -> None:
    ranges = tuple(LineRange(*pair) for pair in found_at)
    judgement = Judgement(verdict, "x", found_at=ranges, suggestion=LineRange(5, 6))
    notice = of_finding(Made(judgement=judgement).evidence())
    assert (None if notice.suggestion is None else str(notice.suggestion)) == suggested
    assert any("suggestion: lines 5-6" in line for line in notice.sentences) is (suggested is not None)


def test_a_statement_says_what_is_stated_and_cites_nothing() -> None:
    quantity = Quantity("sum", (Term("a", "1 + 1", "3"),))
    statement = Statement(
        "manifests/x.yaml",
        "sum",
        Kind.QUANTITY,
        "1 + 1 = 3",
        Judgement(Verdict.BROKEN, "1 + 1 is 2"),
        Level.FAILURE,
        quantity,
    )
    notice = of_finding(statement)
    assert (notice.rule, notice.cited, notice.line) == ("broken", None, None)
    assert notice.sentences == ["1 + 1 is 2", "note: stated: 1 + 1 = 3"]


@pytest.mark.parametrize(
    ("drift", "said"),
    [
        (Followed(status=Status.MOVED, offset=5), "The cited lines are the same, at other lines. · models/"),
        (
            Followed(status=Status.DELETED, commit=COMMIT, message="gone"),
            'gone · by 1a2b3c4 2019-02-14 "Split',
        ),
        (Followed(status=Status.EDITED, similarity=0.5), "The cited lines were edited. · models/"),
        (Followed(status=Status.UNAVAILABLE, message="nobody answers"), "nobody answers"),
    ],
)
def test_drift_says_where_lines_went_and_who_moved_them(drift: Followed, said: str) -> None:
    notice = of_drift(drift.drift())
    assert notice.message.startswith(said)
    assert notice.rule == drift.status
    assert notice.cited is not None
    assert notice.cited.place == "models/transformer.py:10-20"


def test_candidates_are_told_as_far_as_they_are_read() -> None:
    spots = tuple(Spot(NEW, f"m{number}.py", LineRange(1, 2)) for number in range(8))
    notice = of_drift(Followed(status=Status.AMBIGUOUS, candidates=spots).drift())
    assert [note for note in notice.notes if "candidate" in note][-2:] == [
        "candidate: m4.py:1-2",
        "3 more candidates",
    ]


def test_the_worst_come_first_and_what_holds_is_not_told() -> None:
    told = notices(everything(), [unread()])
    assert [notice.title for notice in told.worst_first()] == [
        *("differs", "down", "left-out", "https://e.org/x"),
    ]
    assert told.count == 4
    assert [notice.title for notice in told.every()] == ["holds", "left-out", "down", "differs"]
    assert "1 not understood" in told.conclusion


def test_a_file_s_notices_stand_together_with_what_was_not_understood_in_it() -> None:
    found = [made(id_="a", manifest="a.md"), made(id_="b", manifest="b.md")]
    told = notices(found, [unread("x", "a.md"), unread("y", "c.md")], ("b.md:1: bad",))
    assert [(path, [notice.title for notice in group]) for path, group in by_file(told)] == [
        ("a.md", ["a", "x"]),
        ("b.md", ["b", "problem"]),
        ("c.md", ["y"]),
    ]


def test_drift_tells_what_is_not_ok() -> None:
    drifts = [Followed("a").drift(), Followed("b", status=Status.DELETED).drift()]
    told = notices_of_drift(Run("drift", WHEN), summary_of(drifts), drifts)
    assert [notice.title for notice in told.worst_first()] == ["b"]
    assert len(list(told.every())) == 2
    assert told.conclusion.startswith("2 of 2 citations followed")


def test_every_verdict_and_status_is_explained() -> None:
    assert {*Verdict, "not-understood"} == set(rules_of("verify")) == set(rules_of("scan"))
    assert set(Status) == set(rules_of("drift"))
    names = [[rule.name for rule in rules.values()] for rules in RULES.values()]
    assert all(len(set(group)) == len(group) for group in names)
    assert all(name.isalpha() and name[0].isupper() for group in names for name in group)


def test_text_is_one_line_that_hides_nothing_and_has_an_end() -> None:
    notice = of_finding(made(message="a\nb\x1b[0m" + "x" * 9000, claim="\u202ec", diff="-\x00\n" * 500))
    assert notice.message.startswith("a b\\x1b[0m")
    assert len(notice.message) == 2000
    assert notice.claim == "\\u202ec"
    assert notice.diff.split("\n")[-1] == "… 440 more lines"
    assert "\x00" not in notice.diff
    assert isinstance(notice, Notice)


def test_a_verdict_that_is_a_warning_for_its_note_says_so() -> None:
    noted = made(Verdict.EXACT, message="", notes=("main moves", "and more"), level=Level.WARNING)
    assert of_finding(noted).sentences == ["main moves", "note: and more"]
    assert (
        of_finding(made(Verdict.EXACT, message="", notes=("n",))).sentences[0]
        == "The quote is the cited lines."
    )

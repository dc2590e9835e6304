from __future__ import annotations

from datetime import date
from types import MappingProxyType

import pytest

from provenance.citation import Expectation
from provenance.compare.grade import level, settle, settled_verdict, softer
from provenance.evidence import DEFAULT_LEVELS, Assurance, Judgement, Level, Verdict

DAY = date(2026, 6, 30)
FAILURES = {verdict for verdict in Verdict if DEFAULT_LEVELS[verdict] is Level.FAILURE}
C, L, A = Assurance.COMMIT, Assurance.LOCKED, Assurance.ARTIFACT


@pytest.mark.parametrize("verdict", Verdict)
@pytest.mark.parametrize(
    ("assurance", "least", "counts", "refutes"),
    [
        (C, C, True, True),
        (C, L, True, True),
        (C, A, True, True),
        (L, C, False, False),
        (L, L, True, True),
        (L, A, True, True),
        (A, C, False, False),
        (A, L, False, False),
        (A, A, True, False),
    ],
)
def test_bytes_carry_as_much_as_they_are_sure(
    verdict: Verdict, assurance: Assurance, least: Assurance, *, counts: bool, refutes: bool
) -> None:
    stands = refutes if verdict in FAILURES else counts
    assert settled_verdict(verdict, assurance, least) is (verdict if stands else Verdict.UNAVAILABLE)
    settled = settle(Judgement(verdict, "why"), assurance, least)
    assert settled.verdict is settled_verdict(verdict, assurance, least)
    if settled.verdict is not verdict:
        assert verdict.value in settled.message
        assert "why" in settled.message


@pytest.mark.parametrize("least", Assurance)
@pytest.mark.parametrize("verdict", Verdict)
def test_what_was_not_judged_is_not_weighed(verdict: Verdict, least: Assurance) -> None:
    judgement = Judgement(verdict, "why")
    assert settled_verdict(verdict, None, least) is verdict
    assert settle(judgement, None, least) is judgement


@pytest.mark.parametrize(
    ("judgement", "assurance", "least", "message"),
    [
        (
            Judgement(Verdict.CHANGED, "the quote differs in code"),
            A,
            A,
            "an artifact can confirm and cannot refute; what it shows is changed: the quote differs in code",
        ),
        (
            Judgement(Verdict.ABSENT),
            A,
            A,
            "an artifact can confirm and cannot refute; what it shows is absent",
        ),
        (
            Judgement(Verdict.EXACT),
            L,
            C,
            "seen with assurance locked, and --assurance asks for commit: exact",
        ),
        (
            Judgement(Verdict.CHANGED),
            A,
            C,
            "seen with assurance artifact, and --assurance asks for commit: changed",
        ),
    ],
)
def test_the_message_says_what_was_seen(
    judgement: Judgement, assurance: Assurance, least: Assurance, message: str
) -> None:
    assert settle(judgement, assurance, least).message == message


def test_what_an_artifact_shows_is_kept_beside_the_verdict() -> None:
    settled = settle(Judgement(Verdict.CHANGED, diff="-a\n+b\n", similarity=0.9, notes=("n",)), A, A)
    assert (settled.diff, settled.similarity, settled.notes) == ("-a\n+b\n", 0.9, ("n",))


def expected(verdict: str, until: date = DAY) -> Expectation:
    return Expectation(verdict, "the page shows the last lines only", until)


BEFORE, AFTER = date(2026, 6, 29), date(2026, 7, 1)


@pytest.mark.parametrize(
    ("verdict", "expect", "today", "result", "note"),
    [
        (Verdict.PARTIAL, None, DAY, Level.WARNING, None),
        (Verdict.CHANGED, None, DAY, Level.FAILURE, None),
        (Verdict.EXACT, None, DAY, Level.OK, None),
        (Verdict.CHANGED, expected("changed"), BEFORE, Level.WARNING, "expected until 2026-06-30: the page"),
        (Verdict.CHANGED, expected("changed"), DAY, Level.WARNING, "expected until 2026-06-30: the page"),
        (Verdict.CHANGED, expected("changed"), AFTER, Level.FAILURE, "which is over: the page"),
        (Verdict.PARTIAL, expected("partial"), DAY, Level.WARNING, "expected until 2026-06-30: the page"),
        (Verdict.PARTIAL, expected("partial"), AFTER, Level.WARNING, "which is over"),
        (Verdict.ABSENT, expected("changed"), DAY, Level.FAILURE, "expected changed, and it is absent"),
        (Verdict.PARTIAL, expected("changed"), DAY, Level.WARNING, "expected changed, and it is partial"),
        (Verdict.EXACT, expected("changed"), DAY, Level.OK, "expect: changed is no longer needed"),
        (Verdict.EXACT, expected("changed"), AFTER, Level.OK, "expect: changed is no longer needed"),
        (Verdict.UNAVAILABLE, expected("changed"), DAY, Level.UNAVAILABLE, None),
        (Verdict.UNAVAILABLE, expected("unavailable"), DAY, Level.UNAVAILABLE, None),
    ],
)
def test_the_level_of_a_verdict(
    verdict: Verdict, expect: Expectation | None, today: date, result: Level, note: str | None
) -> None:
    found, said = level(verdict, {}, expect, today)
    assert found is result
    assert (said is None) is (note is None)
    assert note is None or (said is not None and note in said)


@pytest.mark.parametrize(
    ("verdict", "expect", "today", "result", "note"),
    [
        (Verdict.CHANGED, Expectation(None, "old", None), DAY, Level.WARNING, "ignored: old"),
        (Verdict.ABSENT, Expectation(None, "old", None), DAY, Level.WARNING, "ignored: old"),
        (Verdict.CHANGED, Expectation("changed", "old", None), DAY, Level.WARNING, "ignored: old"),
        (
            Verdict.ABSENT,
            Expectation("changed", "old", None),
            DAY,
            Level.FAILURE,
            "ignored changed, and it is absent",
        ),
        (Verdict.ABSENT, Expectation(None, "old", DAY), DAY, Level.WARNING, "ignored until 2026-06-30: old"),
        (
            Verdict.ABSENT,
            Expectation(None, "old", DAY),
            AFTER,
            Level.FAILURE,
            "ignored until 2026-06-30, which is over: old",
        ),
        (
            Verdict.EXACT,
            Expectation(None, "old", DAY),
            AFTER,
            Level.OK,
            "prov: ignore is no longer needed; it can be taken out",
        ),
        (
            Verdict.EXACT,
            Expectation("changed", "old", DAY),
            DAY,
            Level.OK,
            "prov: ignore changed is no longer needed; it can be taken out",
        ),
        (Verdict.UNAVAILABLE, Expectation(None, "old", None), DAY, Level.UNAVAILABLE, None),
    ],
)
def test_the_level_of_what_a_comment_ignores(
    verdict: Verdict, expect: Expectation, today: date, result: Level, note: str | None
) -> None:
    assert level(verdict, {}, expect, today, in_document=True) == (result, note)


@pytest.mark.parametrize("usual", [Level.OK, Level.WARNING, Level.FAILURE])
def test_a_project_may_set_a_level(usual: Level) -> None:
    levels = MappingProxyType({Verdict.PARTIAL: usual})
    assert level(Verdict.PARTIAL, levels, None, DAY) == (usual, None)
    assert level(Verdict.CHANGED, levels, None, DAY) == (Level.FAILURE, None)


def test_a_level_that_the_project_raised_can_be_expected() -> None:
    levels = {Verdict.PARTIAL: Level.FAILURE}
    assert level(Verdict.PARTIAL, levels, expected("partial"), DAY)[0] is Level.WARNING
    assert level(Verdict.PARTIAL, levels, expected("partial"), AFTER)[0] is Level.FAILURE


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({}, ""),
        ({Verdict.PARTIAL: Level.FAILURE}, ""),
        ({Verdict.PARTIAL: Level.WARNING, Verdict.CHANGED: Level.FAILURE}, ""),
        ({Verdict.UNQUOTED: Level.WARNING}, ""),
        ({Verdict.CHANGED: Level.OK}, "changed is ok"),
        ({Verdict.SHIFTED: Level.WARNING, Verdict.ABSENT: Level.OK}, "absent is ok, shifted is warning"),
    ],
)
def test_what_is_taken_more_lightly_is_said(levels: dict[Verdict, Level], said: str) -> None:
    assert softer(levels) == said

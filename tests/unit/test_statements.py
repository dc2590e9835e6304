"""What manifests state beside their citations, through verify, the lock and show."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from support.origins import commit
from support.workspace import (
    CODE,
    GIT,
    OPEN,
    TODAY,
    Workspace,
    cite,
    cite_expression,
    cite_value,
    cited,
    source,
)

from provenance.citation import Expectation, Kind, LineRange, Quantity, Term
from provenance.errors import UsageError
from provenance.evidence import Evidence, Level, Statement, Verdict
from provenance.project import LockFiles
from provenance.report.screen import Screen
from provenance.report.show import Place
from provenance.report.text import render
from provenance.show import NotShown, View, show
from provenance.verify import Settings, notable

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.evidence import Finding

MADE = commit({"valve.py": CODE.encode(), "config.json": b'{\n  "n_embd": 768,\n  "act": "gelu"\n}\n'})
AT = source(MADE.id)
TERMS = (Term("Weight matrix", "512 × 2048", "1048576"), Term("Output bias", "2048", "2,048"))
HOLDS = Quantity(
    "map", TERMS, "1050624", "6", "6303744", ("1050624 × 6 = 6303744",), ("[B batch, 512 d]", "[B, 2048]")
)
BROKEN = replace(HOLDS, id="broken", total="1050625")


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(MADE, "v1")
    return made


def stated(findings: tuple[Finding, ...]) -> dict[str, Verdict]:
    return {item.id: item.judgement.verdict for item in findings if isinstance(item, Statement)}


def test_arithmetic_is_judged_beside_citations(space: Workspace) -> None:
    space.write(cite(AT), quantities=(HOLDS, BROKEN))
    for _ in range(3):  # anew, from the store, settled
        seen = space.verify()
        assert seen.verdicts == {"open": Verdict.EXACT, "map": Verdict.HOLDS, "broken": Verdict.BROKEN}
        assert [item.kind for item in seen.findings] == [Kind.QUOTE, Kind.QUANTITY, Kind.QUANTITY]
        summary = seen.summary
        assert (summary.total, summary.ok, summary.failure, summary.statements) == (3, 2, 1, 2)
    seen = space.verify()
    found = next(item for item in seen.findings if item.id == "broken")
    assert isinstance(found, Statement)
    assert found.level is Level.FAILURE
    assert "1,048,576 + 2,048 = 1,050,625 does not hold; 1,050,624 would be right" in found.judgement.message
    assert str(found.position).startswith("manifests/a.yaml:")


def test_arithmetic_needs_neither_origin_nor_lock(space: Workspace) -> None:
    space.write(cite(AT), quantities=(HOLDS,))
    seen = space.verify(space.asking(offline=True))
    assert seen.verdicts == {"open": Verdict.UNAVAILABLE, "map": Verdict.HOLDS}
    assert space.origins.asked == []


def test_a_manifest_of_arithmetic_alone(space: Workspace) -> None:
    space.write(quantities=(BROKEN,))
    seen = space.verify()
    assert (seen.summary.total, seen.summary.failure) == (1, 1)
    assert stated(tuple(space.locked().findings)) == {"broken": Verdict.BROKEN}


def test_arithmetic_that_is_mended_is_judged_anew(space: Workspace) -> None:
    space.write(cite(AT), quantities=(BROKEN,))
    assert stated(space.verify().findings) == {"broken": Verdict.BROKEN}
    space.write(cite(AT), quantities=(replace(HOLDS, id="broken"),))
    assert stated(space.verify().findings) == {"broken": Verdict.HOLDS}
    space.write(cite(AT))
    assert stated(space.verify().findings) == {}


def test_broken_arithmetic_can_be_expected(space: Workspace) -> None:
    expect = Expectation("broken", "the page is being mended", date(2026, 6, 30))
    space.write(cite(AT), quantities=(replace(BROKEN, expect=expect), replace(HOLDS, expect=expect)))
    for _ in range(2):
        seen = space.verify()
        assert (seen.summary.warning, seen.summary.failure) == (1, 0)
        assert all("expect" in item.notes[-1] for item in seen.findings if isinstance(item, Statement))
    assert space.verify(today=date(2026, 7, 1)).summary.failure == 1


def test_the_level_of_broken_arithmetic_can_be_changed(space: Workspace) -> None:
    space.write(cite(AT), quantities=(BROKEN,))
    seen = space.verify(levels={Verdict.BROKEN: Level.WARNING})
    assert (seen.summary.warning, seen.summary.failure) == (1, 0)


PINNED = {
    "a prefix": (MADE.id[:7], Verdict.HOLDS),
    "the tag's commit": (MADE.id, Verdict.HOLDS),
    "another commit": ("1234567", Verdict.BROKEN),
}


@pytest.mark.parametrize(("pin", "verdict"), PINNED.values(), ids=PINNED)
@pytest.mark.parametrize("revision", [MADE.id, "v1"])
def test_a_stated_pin_is_compared_with_the_commit(
    space: Workspace, pin: str, verdict: Verdict, revision: str
) -> None:
    space.write(cite(replace(source(revision), stated=pin)))
    for _ in range(2):
        seen = space.verify()
        assert stated(seen.findings) == {f"engine @ {pin}": verdict}
    seen = space.verify()
    (found,) = [item for item in seen.findings if isinstance(item, Statement)]
    assert (found.kind, found.revision, found.shown) == (Kind.PIN, MADE.id, f"{GIT} @ {pin}")
    space.fetch()
    assert stated(tuple(space.locked().findings)) == {f"engine @ {pin}": verdict}


def test_a_stated_pin_is_not_compared_with_a_tag_that_nobody_resolved(space: Workspace) -> None:
    space.write(cite(replace(source("v1"), stated=MADE.id[:7])))
    for _ in range(2):
        seen = space.verify(space.asking(offline=True))
        assert set(stated(seen.findings).values()) == {Verdict.UNAVAILABLE}
    assert set(stated(space.verify().findings).values()) == {Verdict.HOLDS}


def test_expressions_and_values_are_judged_kept_and_locked(space: Workspace) -> None:
    space.write(
        cite_expression(AT, "bar * 2", "5-6"),
        cite_expression(AT, "math.sqrt(…)", "12-15", "root"),
        cite_expression(AT, "math.sqrt(litres)", "5-6", "elsewhere"),
        cite_value(AT, "/n_embd", "768"),
        cite_value(AT, "/n_embd", "1024", name="wrong"),
        cite_value(AT, "/n_emb", "768", lines="2", name="missing"),
    )
    expected = {
        "call": Verdict.EXACT,
        "root": Verdict.ELIDED,
        "elsewhere": Verdict.SHIFTED,
        "width": Verdict.EXACT,
        "wrong": Verdict.CHANGED,
        "missing": Verdict.ABSENT,
    }
    for asking in (space.asking(), space.asking(), space.asking(offline=True), space.asking(refresh=True)):
        seen = space.verify(asking)
        assert seen.verdicts == expected
    seen = space.verify()
    assert [item.kind for item in seen.findings] == [Kind.EXPRESSION] * 3 + [Kind.VALUE] * 3
    space.fetch()
    locked = space.locked()
    assert locked.problems == []
    assert {item.id: item.judgement.verdict for item in locked.findings} == expected
    assert set(space.lock.citations) == {("a.yaml", name) for name in expected}


@pytest.mark.parametrize(
    "edited",
    [
        cite_expression(AT, "bar * 3", "5-6"),
        cite(AT, "call", lines="5-6", quote=OPEN),
        cite_value(AT, "/act", "gelu", name="call"),
    ],
    ids=["expression", "kind", "value"],
)
def test_an_expression_that_was_edited_is_not_answered_from_the_lock(
    space: Workspace, edited: object
) -> None:
    space.write(cite_expression(AT, "bar * 2", "5-6"))
    space.fetch()
    assert isinstance(edited, type(cite(AT)))
    space.write(edited)
    locked = space.locked()
    if edited.quote is None:
        assert locked.findings == []
        assert "has no entry for call as it is cited" in locked.problems[0]
    else:  # the digest of the cited lines tells of any quote
        assert [item.judgement.verdict for item in locked.findings] == [Verdict.EXACT]


def test_a_claim_is_grounded_in_its_lines(space: Workspace) -> None:
    space.write(cite(AT, claim="It returns `bar` times 7, by `open`."), cite(AT, "plain"))
    for _ in range(2):
        seen = space.verify()
        assert [item.ungrounded for item in cited(seen.findings)] == [("7",), ()]
        assert seen.summary.ok == 2
    space.write(cite(AT, claim="It returns `bar` times 2."), cite(AT, "plain"))
    assert [item.ungrounded for item in cited(space.verify().findings)] == [(), ()]


def test_what_is_not_ok_is_notable_whatever_its_kind(space: Workspace) -> None:
    space.write(cite(AT), quantities=(HOLDS, BROKEN))
    with space.store() as store:
        weigh = Settings(TODAY, {})
        batches = space.verify().verification.batches
        assert [item.id for item in notable(batches, store, weigh)] == ["broken"]


def ask(space: Workspace, locator: str) -> Place | Statement | NotShown:
    with space.store() as store:
        settings = Settings(TODAY, {})
        return show(locator, space.files, store, LockFiles(space.project), space.asking(), settings, View())


def test_a_quantity_and_a_pin_are_shown_by_their_ids(space: Workspace) -> None:
    space.write(cite(replace(AT, stated=MADE.id[:7])), quantities=(HOLDS,))
    found = ask(space, "map")
    assert isinstance(found, Statement)
    assert found.about == HOLDS
    pin = ask(space, f"engine @ {MADE.id[:7]}")
    assert isinstance(pin, Statement)
    assert pin.judgement.verdict is Verdict.HOLDS
    space.write(cite(AT), name="b", quantities=(HOLDS,))
    with pytest.raises(UsageError, match=r"map means several statements:\n  manifests/a.yaml: "):
        ask(space, "map")


def test_a_value_without_lines_is_shown_where_it_stands(space: Workspace) -> None:
    space.write(
        cite_value(AT, "/n_embd", "768"),
        cite_value(AT, "/n_emb", "768", name="missing"),
        cite_value(AT, "/act", "gelu", name="act"),
    )
    found = ask(space, "width")
    assert isinstance(found, Place)
    assert [(line.number, line.text) for line in found.shown] == [(2, '  "n_embd": 768,')]
    assert [item.id for item in found.evidence] == ["width"]
    missing = ask(space, "missing")
    assert isinstance(missing, Place)
    assert [item.id for item in missing.evidence] == ["missing"]
    assert len(missing.shown) == 4
    with pytest.raises(UsageError, match=r"config.json has several cited ranges:\n  config.json:2\n"):
        ask(space, "config.json")


def test_a_value_at_other_lines_than_those_cited_is_told_although_it_holds(space: Workspace) -> None:
    space.write(cite_value(AT, "/n_embd", "768", lines="4"), cite_value(AT, "/act", "gelu", name="act"))
    seen = space.verify()
    assert set(seen.verdicts.values()) == {Verdict.EXACT}
    first, second = cited(seen.findings)
    assert (first.judgement.suggestion, first.notes) == (LineRange(2, 2), ("the value stands on line 2",))
    assert second.judgement.suggestion is None
    text = render(seen.summary, seen.findings, hidden=0, screen=Screen(100))
    assert "suggestion: line 2\n    note: the value stands on line 2\n" in text


def test_a_value_is_shown_by_what_the_report_calls_it(space: Workspace) -> None:
    space.write(cite_value(AT, "/n_embd", "768"), cite_value(AT, "/act", "gelu", name="act", lines="3"))
    for locator, line in {"config.json#/n_embd": 2, "config.json:3#/act": 3}.items():
        found = ask(space, locator)
        assert isinstance(found, Place)
        assert [shown.number for shown in found.shown] == [line]
    with pytest.raises(UsageError, match="no citation has this id, path or link"):
        ask(space, "config.json#/gone")


def test_a_value_is_found_at_another_revision(space: Workspace) -> None:
    newer = commit({"valve.py": b"", "config.json": b'{\n  "act": "relu",\n  "n_embd": 1024\n}\n'})
    space.origins.add(newer, "v2")
    space.write(cite_value(AT, "/n_embd", "768"))
    with space.store() as store:
        settings = Settings(TODAY, {})
        found = show(
            "width", space.files, store, LockFiles(space.project), space.asking(), settings, View(at="v2")
        )
    assert isinstance(found, Place)
    assert [(line.number, line.text) for line in found.shown] == [(3, '  "n_embd": 1024')]


def test_an_expression_is_shown_among_the_lines_that_it_cites(space: Workspace) -> None:
    space.write(cite(AT), cite_expression(AT, "bar * 2", "6"))
    found = ask(space, "valve.py:6")
    assert isinstance(found, Place)
    assert [item.id for item in found.evidence] == ["open", "call"]
    assert all(isinstance(item, Evidence) for item in found.evidence)

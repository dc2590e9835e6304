from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import Expectation
from provenance.documents.ignoring import ignored, ignored_lines, meaning

DAY = date(2027, 6, 30)


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("prov: ignore the page is old", "the page is old"),
        (" prov:ignore  a\n  b\tc ", "a b c"),
        ("prov: ignore", ""),
        ("prov: ignore: a", ": a"),
        ("prov: ignored a", None),
        ("prov: ignore-next a", None),
        ("prov: a", None),
        ("see prov: ignore a", None),
        ("", None),
    ],
)
def test_a_comment_begins_with_the_mark(comment: str, said: str | None) -> None:
    assert ignored(comment) == said


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the page is old", Expectation(None, "the page is old", None)),
        ("the page says: it is old", Expectation(None, "the page says: it is old", None)),
        ("see https://example.org/1", Expectation(None, "see https://example.org/1", None)),
        ("do not wait until Monday", Expectation(None, "do not wait until Monday", None)),
        ("changed: the page is old", Expectation("changed", "the page is old", None)),
        ("changed until 2027-06-30: the page is old", Expectation("changed", "the page is old", DAY)),
        ("changed until 2027-06-30 the page is old", Expectation("changed", "the page is old", DAY)),
        ("until 2027-06-30: it: is old", Expectation(None, "it: is old", DAY)),
        ("unquoted: no code is shown", Expectation("unquoted", "no code is shown", None)),
        ("out-of-range: it was cut", Expectation("out-of-range", "it was cut", None)),
    ],
)
def test_a_reason_and_what_may_stand_before_it_are_read(said: str, meant: Expectation) -> None:
    assert meaning(said) == meant


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("", "there is no reason"),
        ("changed", "there is no reason"),
        ("changed:", "there is no reason"),
        ("changed until 2027-06-30", "there is no reason"),
        ("until 2027-06-30:", "there is no reason"),
        ("changed the page is old", "put a colon behind the verdict: `prov: ignore changed: REASON`"),
        ("chnged: the page is old", "chnged is no verdict that can be ignored; known are exact, "),
        ("wait until 2027-06-30: old", "wait is no verdict"),
        ("unavailable: it is down", "unavailable is no verdict"),
        ("broken: it does not add up", "broken is no verdict"),
        (
            "until Monday: the page is old",
            "Monday is no day: expected a date such as 2027-06-30 behind until",
        ),
        ("until 2027-02-30: the page is old", "2027-02-30 is no day"),
        ("until 20270630: the page is old", "20270630 is no day"),
        ("changed until", "nothing is no day"),
        ("until: old", "until is no verdict"),
    ],
)
def test_what_is_not_understood_is_told(said: str, why: str) -> None:
    found = meaning(said)
    assert isinstance(found, str)
    assert found.startswith(why)


@given(
    st.lists(
        st.sampled_from(["prov:", "ignore", "until", "changed", "2027-06-30", ":", " ", "x", "\n", "\0", "é"])
    )
    .map("".join)
    .filter(lambda text: text.startswith("prov:"))
)
def test_whatever_is_said_is_understood_or_told(comment: str) -> None:
    said = ignored(comment)
    if said is None:
        return
    assert "\n" not in said
    found = meaning(said)
    if isinstance(found, Expectation):
        assert found.because.strip()
        assert found.because in said
    else:
        assert found


def test_a_reason_is_bounded_for_it_is_kept_with_every_citation() -> None:
    found = meaning("x" * 10_000)
    assert isinstance(found, Expectation)
    assert found.because == "x" * 499 + "…"


def test_lines_of_plain_text_that_are_nothing_but_a_comment_are_found() -> None:
    lines = [
        "prov: ignore a",
        "   .. prov: ignore b  ",
        "<!-- prov: ignore c -->",
        "It says prov: ignore d",
        "- prov: ignore e",
        "prov: said",
        "",
    ]
    assert ignored_lines(lines) == {0: "a", 1: "b", 2: "c"}

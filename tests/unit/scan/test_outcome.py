from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.errors import StoreError
from provenance.evidence import Sighted, Unread
from provenance.links.targets import RefKind
from provenance.scan.outcome import Brief, Outcome, Stand
from provenance.scan.resolving import Asked

TEXT = st.text(max_size=20)
NUMBER = st.integers(0, 10**9)
ASKED = st.builds(Asked, TEXT, TEXT, st.sampled_from(RefKind), st.none() | TEXT)
BRIEF = st.builds(Brief, st.lists(ASKED, max_size=3).map(tuple), NUMBER, NUMBER, NUMBER, st.booleans())
STAND = st.builds(
    Stand,
    NUMBER,
    st.none() | NUMBER,
    TEXT,
    NUMBER,
    st.none() | TEXT,
    st.none() | TEXT,
    st.lists(TEXT).map(tuple),
)
UNREAD = st.builds(Unread, st.builds(Sighted, st.just("a.md"), NUMBER, st.none() | NUMBER, TEXT), TEXT)
OUTCOME = st.builds(
    Outcome, st.dictionaries(TEXT, STAND, max_size=3), st.lists(UNREAD, max_size=3).map(tuple)
)


@given(BRIEF)
def test_a_brief_is_read_as_it_was_written(brief: Brief) -> None:
    assert Brief.from_json(brief.to_json()) == brief


@given(OUTCOME)
def test_an_outcome_is_read_as_it_was_written(outcome: Outcome) -> None:
    assert Outcome.from_json(outcome.to_json(), "a.md") == outcome


STANDS = '{"stands": {"a": %s}, "unread": []}'
DAMAGED = [
    "",
    "{",
    "null",
    "[]",
    "1",
    '"text"',
    "{}",
    '{"stands": []}',
    '{"stands": {}}',
    '{"stands": [], "unread": []}',
    '{"stands": {}, "unread": 3}',
    '{"stands": {}, "unread": [[1, null, "a"]]}',
    STANDS % "null",
    STANDS % "[]",
    STANDS % "[1, null, null]",
    STANDS % "[1, null, 0, 1, null, null, null]",
    STANDS % '[1, null, "a", 1, null, null, [], 9]',
    "[" * 100_000,
]


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_an_outcome_that_is_damaged_is_a_fault_of_the_store(text: str) -> None:
    with pytest.raises(StoreError, match=r"damaged.*delete it"):
        Outcome.from_json(text, "a.md")


ASKED_FORM = '{"asked": %s, "cited": 0, "moving": 0, "unread": 0}'


@pytest.mark.parametrize(
    "text",
    [
        *DAMAGED[:7],
        '{"asked": [], "cited": 0, "moving": 0}',
        '{"asked": [], "cited": 0, "moving": 0, "unread": 0}',
        '{"asked": [], "cited": null, "moving": 0, "unread": 0}',
        '{"asked": [], "cited": "x", "moving": 0, "unread": 0}',
        ASKED_FORM % "null",
        ASKED_FORM % "[[]]",
        ASKED_FORM % '[["git", "rest", "ANY"]]',
        ASKED_FORM % '[["git", "rest", "NOTHING", null]]',
    ],
)
def test_a_brief_that_is_damaged_is_a_fault_of_the_store(text: str) -> None:
    with pytest.raises(StoreError, match="damaged"):
        Brief.from_json(text)


@given(
    st.recursive(
        st.none() | st.integers() | TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner)
    )
)
def test_whatever_is_kept_is_read_or_is_a_fault_of_the_store(form: object) -> None:
    for text in (json.dumps(form), json.dumps({"stands": form, "unread": []}), json.dumps({"asked": form})):
        for read in (Brief.from_json, lambda text: Outcome.from_json(text, "a.md")):
            try:
                read(text)
            except StoreError as error:
                assert "damaged" in str(error)  # noqa: PT017 - either is right

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.compare.pins import judge_pin
from provenance.evidence import Verdict

FULL = "9b63575ef42771a015060c964af2c3da4cf7c8ab"
OTHER = "9b63575ef42771a015060c964af2c3da4cf7c8ac"

PINS = {
    "the same": ("9b63575ef427", "9b63575ef427", None, Verdict.HOLDS),
    "the same tag": ("v1.0", "v1.0", None, Verdict.HOLDS),
    "shorter": ("9b63575", "9b63575ef427", FULL, Verdict.HOLDS),
    "shorter, never resolved": ("9b63575", "9b63575ef427", None, Verdict.HOLDS),
    "longer, never resolved": (FULL, "9b63575ef427", None, Verdict.HOLDS),
    "longer, and that is the commit": (FULL, "9b63575ef427", FULL, Verdict.HOLDS),
    "longer, and that is another commit": (OTHER, "9b63575ef427", FULL, Verdict.BROKEN),
    "in capitals": ("9B63575", "9b63575ef427", FULL, Verdict.HOLDS),
    "a tag's commit": ("9b63575", "v1.0", FULL, Verdict.HOLDS),
    "not a tag's commit": ("1234567", "v1.0", FULL, Verdict.BROKEN),
    "another commit": ("1234567", "9b63575ef427", None, Verdict.BROKEN),
    "another commit, resolved": ("1234567", "9b63575ef427", FULL, Verdict.BROKEN),
    "a tag that was never resolved": ("9b63575", "v1.0", None, Verdict.UNAVAILABLE),
    "a tag beside a commit": ("v1.0", "9b63575ef427", FULL, Verdict.UNAVAILABLE),
    "another tag": ("v1.1", "v1.0", FULL, Verdict.UNAVAILABLE),
    "too short": ("9b6", "9b63575ef427", FULL, Verdict.UNAVAILABLE),
}


@pytest.mark.parametrize(("stated", "revision", "commit", "verdict"), PINS.values(), ids=PINS)
def test_a_pin_that_is_stated(stated: str, revision: str, commit: str | None, verdict: Verdict) -> None:
    found = judge_pin(stated, revision, commit)
    assert found.verdict is verdict
    assert (found.message == "") is (verdict is Verdict.HOLDS)


def test_a_broken_pin_names_both() -> None:
    found = judge_pin("1234567", "v1.0", FULL)
    assert found.message == f"the document states 1234567, and its evidence is pinned to {FULL}"


@given(st.from_regex(r"[0-9a-f]{40}", fullmatch=True), st.integers(4, 40), st.integers(4, 40))
def test_every_beginning_of_a_commit_agrees_with_every_other(commit: str, one: int, other: int) -> None:
    assert judge_pin(commit[:one], commit[:other], None).verdict is Verdict.HOLDS
    assert judge_pin(commit[:one], "v1", commit).verdict is Verdict.HOLDS


@given(st.text(), st.text(), st.none() | st.text())
def test_any_text_is_judged(stated: str, revision: str, commit: str | None) -> None:
    assert judge_pin(stated, revision, commit).verdict in {
        Verdict.HOLDS,
        Verdict.BROKEN,
        Verdict.UNAVAILABLE,
    }

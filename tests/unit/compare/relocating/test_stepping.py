"""What one step makes of lines."""

from __future__ import annotations

import pytest

from provenance.compare.relocating.body import Stretch
from provenance.compare.relocating.carrying import Carried
from provenance.compare.relocating.searching import Find
from provenance.compare.relocating.stepping import Chosen, Several, choose, is_settled

HERE = "here"
HEAVY, LIGHT = 20.0, 4.0
"""Weights of lines that say much, and of those that say little."""


def left(kept: float | None, *, is_whole: bool = False) -> Carried | None:
    return None if kept is None else Carried(Stretch(0, 3), kept, is_whole, frozenset({0, 3}))


def find(kept: float, around: float = 0.0, evidence: float = 9.0, *, path: str = "b.py") -> Find:
    own = frozenset({10, 13})
    return Find(path, Stretch(10, 13), kept, around, evidence, is_whole=kept == 1, own=own)


def chosen(carried: Carried | None, *finds: Find, weight: float = HEAVY) -> str | list[str] | None:
    """The paths of the places that are chosen; `here` where the lines stay."""
    match choose(HERE, carried, finds, weight):
        case Chosen(path=path):
            return path
        case Several(places=places):
            return [place.path for place in places]
        case None:
            return None


@pytest.mark.parametrize(("kept", "expected"), [(None, False), (0.59, False), (0.6, True), (1.0, True)])
def test_enough_is_left_not_to_look_elsewhere(kept: float | None, expected: bool) -> None:
    assert is_settled(left(kept)) == expected


@pytest.mark.parametrize(
    ("kept", "expected"), [(None, None), (0.0, None), (0.19, None), (0.2, HERE), (1.0, HERE)]
)
def test_lines_that_are_nowhere_else_stay_or_are_gone(kept: float | None, expected: str | None) -> None:
    assert chosen(left(kept)) == expected


@pytest.mark.parametrize(
    ("place", "weight", "is_likely"),
    [
        pytest.param(find(0.75, evidence=3.0), LIGHT + 1, True, id="most of lines that say enough"),
        pytest.param(find(0.74, evidence=3.0), LIGHT + 1, False, id="hardly most of them"),
        pytest.param(find(0.75, evidence=2.9), LIGHT + 1, False, id="most of them, and that says little"),
        pytest.param(find(0.89, evidence=3.0), LIGHT, False, id="most of lines that say little"),
        pytest.param(find(0.9, evidence=3.0), LIGHT, True, id="all but a trifle of them"),
        pytest.param(find(1.0, evidence=2.9), LIGHT, False, id="all of lines that say nothing"),
        pytest.param(find(0.5, evidence=0.0), 12.0, True, id="half of lines that say much"),
        pytest.param(find(0.49, evidence=0.0), HEAVY, False, id="less than half of them"),
        pytest.param(find(0.5, evidence=0.0), 11.9, False, id="half of lines that say less"),
        pytest.param(find(0.4, 0.5, 6.0), LIGHT, True, id="some of them, and what is around them"),
        pytest.param(find(0.39, 0.5, 6.0), LIGHT, False, id="too little of them"),
        pytest.param(find(0.4, 0.49, 6.0), LIGHT, False, id="too little of what is around them"),
        pytest.param(find(0.4, 0.5, 5.9), LIGHT, False, id="too little of both"),
    ],
)
def test_a_place_elsewhere_is_no_chance(place: Find, weight: float, is_likely: bool) -> None:
    assert chosen(None, place, weight=weight) == ("b.py" if is_likely else None)


@pytest.mark.parametrize(
    ("kept", "elsewhere", "expected"),
    [
        pytest.param(0.5, 1.0, "b.py", id="all of them elsewhere"),
        pytest.param(0.5, 0.75, "b.py", id="more of them elsewhere"),
        pytest.param(0.5, 0.7, HERE, id="hardly more of them elsewhere"),
        pytest.param(0.5, 0.4, HERE, id="less of them elsewhere"),
        pytest.param(0.1, 0.31, None, id="too little in both"),
    ],
)
def test_a_place_elsewhere_must_hold_clearly_more(
    kept: float, elsewhere: float, expected: str | None
) -> None:
    assert chosen(left(kept), find(elsewhere)) == expected


@pytest.mark.parametrize(
    ("finds", "expected"),
    [
        pytest.param([find(1.0), find(1.0, path="c.py")], ["b.py", "c.py"], id="two that are the same"),
        pytest.param([find(1.0), find(0.96, path="c.py")], ["b.py", "c.py"], id="two that are nearly so"),
        pytest.param([find(1.0), find(0.94, path="c.py")], "b.py", id="one that is clearly better"),
        pytest.param([find(1.0, 0.5), find(1.0, path="c.py")], "b.py", id="one by what is around it"),
        pytest.param([find(0.8), find(0.8, path="c.py")], HERE, id="two that hold some"),
        pytest.param([find(0.92), find(0.89, path="c.py")], HERE, id="two, of which one holds some"),
    ],
)
def test_several_places(finds: list[Find], expected: str | list[str]) -> None:
    assert chosen(left(0.3), *finds) == expected


def test_two_places_that_hold_some_are_none_where_nothing_is_left() -> None:
    assert chosen(None, find(0.8), find(0.8, path="c.py")) is None


def test_what_is_chosen_is_told_in_full() -> None:
    stays = choose("a.py", left(1.0, is_whole=True), [], HEAVY)
    goes = choose("a.py", None, [find(1.0)], HEAVY)
    assert stays == Chosen("a.py", Stretch(0, 3), 1.0, is_whole=True, was_found=False, own=frozenset({0, 3}))
    assert goes == Chosen(
        "b.py", Stretch(10, 13), 1.0, is_whole=True, was_found=True, own=frozenset({10, 13})
    )

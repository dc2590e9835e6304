"""Lines that are the same, told by what stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lines import Lines, cut, ranged
from support.marking import marked

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.standing import is_there, standing

OLD = """
    .one = first(1)
    .two = second(2)
    .three = third(3)
    .four = fourth(4)
    |five = fifth(5)
    .six = sixth(6)
    .seven = seventh(7)
    .eight = eighth(8)
    .nine = ninth(9)
"""
LINES = marked(OLD).body.lines


@pytest.mark.parametrize(
    ("new", "by"),
    [
        pytest.param([*LINES], 0, id="the same text"),
        pytest.param(["zero", *LINES], 1, id="a line above"),
        pytest.param([*LINES[1:]], -1, id="a line less above"),
        pytest.param(["zero", *LINES[1:]], 0, id="what is four lines away does not count"),
        pytest.param([LINES[0], "zero", *LINES[2:]], None, id="what is three lines away does"),
        pytest.param([*LINES[:7], "zero"], None, id="so it does behind them"),
        pytest.param([*LINES[:8], "zero"], 0, id="and no line farther away"),
        pytest.param([*LINES[:4], "zero", *LINES[5:]], None, id="rewritten"),
        pytest.param([*LINES, *LINES], None, id="twice in the new text"),
        pytest.param([*LINES[:3], "zero", *LINES[3:]], None, id="torn from what is around them"),
        pytest.param([], None, id="nothing"),
    ],
)
def test_lines_stand_where_all_around_them_is_the_same(new: Lines, by: int | None) -> None:
    old, lines = marked(OLD).body, marked(OLD).range
    expected = None if by is None else Stretch(lines.first + by, lines.last + by)
    assert standing(old, lines, Body(new)) == expected


def test_lines_that_stand_twice_in_the_old_text_may_be_either() -> None:
    assert standing(Body([*LINES, *LINES]), Stretch(4, 4), Body(LINES)) is None


def test_lines_that_say_little_are_not_known_again() -> None:
    assert standing(Body(["{", "}"]), Stretch(0, 1), Body(["", "{", "}"])) is None


def test_a_line_is_no_part_of_a_longer_one() -> None:
    old = Body(["one = first(1)"])
    assert standing(old, Stretch(0, 0), Body(["one = first(1)  # or so"])) is None
    assert standing(old, Stretch(0, 0), Body(["  one = first(1)"])) is None


@pytest.mark.parametrize(
    ("new", "expected"),
    [
        pytest.param([LINES[4]], True, id="alone"),
        pytest.param([*LINES, *LINES], True, id="twice"),
        pytest.param([*LINES[:4], *LINES[5:]], False, id="taken out"),
        pytest.param([f" {LINES[4]}"], False, id="indented"),
        pytest.param([], False, id="nothing"),
    ],
)
def test_lines_are_there_whatever_stands_around_them(new: Lines, expected: bool) -> None:
    assert is_there(marked(OLD).body, marked(OLD).range, Body(new)) == expected


@given(ranged())
def test_what_stands_is_the_same_and_around_it_all_is(case: tuple[Body, Stretch, Body]) -> None:
    old, lines, new = case
    found = standing(old, lines, new)
    if found is not None:
        assert cut(new, found) == cut(old, lines)
        above, below = min(3, lines.first), min(3, len(old) - 1 - lines.last)
        wider = Stretch(found.first - above, found.last + below)
        assert cut(new, wider) == cut(old, Stretch(lines.first - above, lines.last + below))


@given(ranged(), st.lists(st.sampled_from(["one", "", "two"]), max_size=5))
def test_lines_above_move_what_stands_by_their_number(case: tuple[Body, Stretch, Body], above: Lines) -> None:
    old, lines, new = case
    found = standing(old, lines, new)
    lower = standing(old, lines, Body([*above, *new.lines]))
    if found is not None and lower is not None:
        assert lower == Stretch(found.first + len(above), found.last + len(above))

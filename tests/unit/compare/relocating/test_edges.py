"""Which of the lines that hold something of a range are its edges."""

from __future__ import annotations

import pytest
from support.marking import marked

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.edges import Holding, edged, gather

OLD = Body(["one = first(1)", "two = second(2)", "three = third(3)"])
NEW = Body([f"line_{at} = number(queue, index, item, {at})" for at in range(20)])
ALL = Stretch(0, 2)


def holding(firm: dict[int, float], loose: dict[int, float] | None = None) -> Holding:
    found = Holding()
    for at, weight in firm.items():
        found.add(at, weight, is_firm=True)
    for at, weight in (loose or {}).items():
        found.add(at, weight, is_firm=False, is_same=False)
    return found


@pytest.mark.parametrize(
    ("held", "expected"),
    [
        pytest.param(holding({}), None, id="nothing is held"),
        pytest.param(holding({4: 3.0}), Stretch(4, 4), id="one line"),
        pytest.param(holding({4: 3.0, 9: 3.0}), Stretch(4, 9), id="firm lines far apart"),
        pytest.param(holding({4: 3.0}, {5: 0.4}), Stretch(4, 5), id="a slight line ends it"),
        pytest.param(holding({4: 3.0}, {3: 0.4}), Stretch(4, 4), id="a slight line does not begin it"),
        pytest.param(holding({3: 0.4, 4: 3.0}), Stretch(3, 4), id="a slight line that is firm does"),
        pytest.param(holding({}, {3: 0.4}), Stretch(3, 3), id="a slight line alone"),
        pytest.param(holding({4: 9.0}, {12: 1.0}), Stretch(4, 4), id="a stray line behind"),
        pytest.param(holding({12: 9.0}, {4: 1.0}), Stretch(12, 12), id="a stray line before"),
        pytest.param(holding({4: 9.0}, {6: 1.0}), Stretch(4, 6), id="a line near by is none"),
        pytest.param(holding({4: 1.0}, {12: 1.0}), Stretch(4, 12), id="nor is one that says as much"),
    ],
)
def test_from_the_first_to_the_last_line(held: Holding, expected: Stretch | None) -> None:
    assert edged(held, OLD, ALL, NEW) == expected


@pytest.mark.parametrize(
    ("old", "expected"),
    [
        (["one", "two"], Stretch(1, 3)),
        (["", "one", "two"], Stretch(0, 3)),
        (["one", "two", ""], Stretch(1, 4)),
        (["", "one", ""], Stretch(0, 4)),
    ],
)
def test_blank_edges_are_kept_where_there_were_some(old: list[str], expected: Stretch) -> None:
    new = Body(["", "one", "", "two", ""])
    held = holding(dict.fromkeys(range(5), 1.0))
    assert edged(held, Body(old), Stretch(0, len(old) - 1), new) == expected


def test_of_what_is_scattered_the_heavier_part_is_left() -> None:
    held = holding({0: 1.0, 100: 1.0, 101: 1.0})
    gather(held, 100.0, OLD, ALL, Body(["line"] * 200))
    assert sorted(held.kept) == [100, 101]


def test_what_is_mostly_there_may_be_far_apart() -> None:
    held = holding({0: 1.0, 100: 1.0, 101: 1.0})
    gather(held, 4.0, OLD, ALL, Body(["line"] * 200))
    assert sorted(held.kept) == [0, 100, 101]


def test_a_range_that_another_header_cuts_in_two_is_its_greater_part() -> None:
    old = Body(["    one = first(1)", "    two = second(2)", "    three = third(3)"])
    new, lines = marked(
        """
        .def one():
        |    one = first(1)
        |    two = second(2)
        .
        .
        .def other():
        .    pass
        .    three = third(3)
        """
    )
    held = holding({1: 3.0, 2: 3.0, 7: 1.0})
    gather(held, 7.0, old, ALL, new)
    assert edged(held, old, ALL, new) == lines


def test_what_is_put_in_as_deep_as_the_range_does_not_cut_it() -> None:
    old = Body(["    one = first(1)", "    two = second(2)", "    three = third(3)"])
    new = Body([*old.lines[:2], *("    other = 1",) * 6, old.lines[2]])
    held = holding({0: 3.0, 1: 3.0, 8: 1.0})
    gather(held, 7.0, old, ALL, new)
    assert sorted(held.kept) == [0, 1, 8]


def test_what_a_line_holds_is_added_up() -> None:
    held = holding({3: 1.0}, {3: 0.5, 4: 2.0})
    assert (held.kept, held.total, held.firm) == ({3: 1.5, 4: 2.0}, 3.5, {3})
    held.keep([4])
    assert held.total == 2.0

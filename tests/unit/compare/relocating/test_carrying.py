"""Lines carried over one step."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.lines import Lines, cut, pairs_without_copies, ranged, texts
from support.marking import marked

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.carrying import Carried, Change

SAME = {
    "nothing is changed": (
        """
        .import table
        |queue = table.find(index)
        .send(queue)
        """,
        """
        .import table
        |queue = table.find(index)
        .send(queue)
        """,
    ),
    "lines are put in above": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        """,
        """
        .import os
        .import sys
        .import table
        |queue = table.find(index)
        |send(queue)
        """,
    ),
    "lines are taken out above": (
        """
        .import os
        .import sys
        .import table
        |queue = table.find(index)
        |send(queue)
        """,
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        """,
    ),
    "lines are put in below": (
        """
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        |queue = table.find(index)
        |send(queue)
        .flush(queue)
        .close()
        """,
    ),
    "a function is put in behind one that ends alike": (
        """
        |func One() error {
        |	first()
        |	return nil
        |}
        .
        .func Three() error {
        .	third()
        .	return nil
        .}
        """,
        """
        |func One() error {
        |	first()
        |	return nil
        |}
        .
        .func Two() error {
        .	second()
        .	return nil
        .}
        .
        .func Three() error {
        .	third()
        .	return nil
        .}
        """,
    ),
    "a decorated function is put in before a decorated one": (
        """
        .import table
        .
        |@cached
        |def two():
        |    return 2
        """,
        """
        .import table
        .
        .@cached
        .def one():
        .    return 1
        .
        |@cached
        |def two():
        |    return 2
        """,
    ),
    "the other of two equal lines is taken out": (
        """
        .first(index)
        .close(queue)
        .second(index)
        |close(queue)
        .third(index)
        """,
        """
        .first(index)
        .second(index)
        |close(queue)
        .third(index)
        """,
    ),
    "blank lines at its edges stay": (
        """
        .import table
        |
        |queue = table.find(index)
        |
        .send(queue)
        """,
        """
        .import os
        .import table
        |
        |queue = table.find(index)
        |
        .send(queue)
        """,
    ),
}
EDITED = {
    "a line is put in inside": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        .import table
        |queue = table.find(index)
        |check(queue)
        |send(queue)
        .close()
        """,
    ),
    "a line is taken out inside": (
        """
        .import table
        |queue = table.find(index)
        |check(queue)
        |send(queue)
        .close()
        """,
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
    ),
    "the first line is rewritten": (
        """
        .import table
        |queue = table.find(index, limit=12)
        |send(queue)
        .close()
        """,
        """
        .import table
        |queue = table.find(index, limit=13)
        |send(queue)
        .close()
        """,
    ),
    "the last line is rewritten": (
        """
        .import table
        |send(queue)
        |queue = table.find(index, limit=12)
        .close()
        """,
        """
        .import table
        |send(queue)
        |queue = table.find(index, limit=13)
        .close()
        """,
    ),
    "the one line is rewritten": (
        """
        .import table
        |queue = table.find(index, limit=12)
        .close()
        """,
        """
        .import table
        |queue = table.find(index, most=12)
        .close()
        """,
    ),
    "the one line is rewritten, and lines are put in on both sides": (
        """
        .import table
        |queue = table.find(index, limit=12)
        .close()
        """,
        """
        .import table
        .check(table)
        |queue = table.find(index, most=12)
        .flush()
        .close()
        """,
    ),
    "the first line is taken out": (
        """
        .import table
        |check(index)
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
    ),
    "the last line is taken out": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        |check(index)
        .close()
        """,
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
    ),
    "a line is split over several": (
        """
        .import table
        |queue = table.find(index, limit=12, order=reverse)
        .close()
        """,
        """
        .import table
        |queue = table.find(
        |    index,
        |    limit=12,
        |    order=reverse,
        |)
        .close()
        """,
    ),
    "lines are joined": (
        """
        .import table
        |queue = table.find(
        |    index,
        |    limit=12,
        |    order=reverse,
        |)
        .close()
        """,
        """
        .import table
        |queue = table.find(index, limit=12, order=reverse)
        .close()
        """,
    ),
    "one of the lines that were joined": (
        """
        .import table
        .queue = table.find(
        .    index,
        |    limit=12, order=reverse, missing=ignored
        .)
        .close()
        """,
        """
        .import table
        |queue = table.find(index, limit=12, order=reverse, missing=ignored)
        .close()
        """,
    ),
    "a formatter lays the call out anew": (
        """
        .import table
        |    state.update(item, queue, limit=12,
        |                 order=reverse, missing=ignored)
        .close()
        """,
        """
        .import table
        |    state.update(
        |        item, queue, limit=12, order=reverse, missing=ignored
        |    )
        .close()
        """,
    ),
    "a formatter changes quotation marks and a last comma": (
        """
        .import table
        |names = ['queue', 'item']
        |send(names)
        .close()
        """,
        """
        .import table
        |names = ["queue", "item",]
        |send(names)
        .close()
        """,
    ),
    "they are indented more": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        .import table
        .if index:
        |    queue = table.find(index)
        |    send(queue)
        .close()
        """,
    ),
    "tabs become spaces": (
        """
        .func Find() {
        |	queue := table.Find(index)
        |	send(queue)
        .}
        """,
        """
        .func Find() {
        |    queue := table.Find(index)
        |    send(queue)
        .}
        """,
    ),
    "two of the lines are swapped": (
        """
        .import table
        |queue = table.find(index)
        |state = table.load(item)
        |send(queue, state)
        .close()
        """,
        """
        .import table
        |state = table.load(item)
        |queue = table.find(index)
        |send(queue, state)
        .close()
        """,
    ),
    "the last two of the lines are swapped": (
        """
        .import table
        |send(queue, state)
        |queue = table.find(index)
        |state = table.load(item)
        .close()
        """,
        """
        .import table
        |send(queue, state)
        |state = table.load(item)
        |queue = table.find(index)
        .close()
        """,
    ),
    "the bracket that ends them begins another branch": (
        """
        .function find(index) {
        |  if (index.empty) {
        |    queue.clear(index);
        |  }
        .  return queue;
        .}
        """,
        """
        .function find(index) {
        |  if (index.empty) {
        |    queue.clear(index);
        |  } else {
        .    queue.load(index);
        .  }
        .  return queue;
        .}
        """,
    ),
    "a function is put in that tears them apart": (
        """
        .def find(index):
        |    queue = table.find(index)
        |    state = table.load(index)
        |    check(queue, state)
        |    return send(queue)
        """,
        """
        .def find(index):
        |    queue = table.find(index)
        |    state = table.load(index)
        |    check(queue, state)
        .
        .
        .def close(table):
        .    for one in table:
        .        one.close()
        .    return send(queue)
        """,
    ),
    "blank lines are put in at their edges": (
        """
        .import table
        |queue = table.find(index, limit=12)
        |send(queue)
        .close()
        """,
        """
        .import table
        .
        |queue = table.find(index, limit=13)
        |send(queue)
        .
        .close()
        """,
    ),
    "a name in them is another": (
        """
        .import table
        |def find_items(index):
        |    queue = table.find_items(index)
        |    return queue
        .close()
        """,
        """
        .import table
        |def find_all(index):
        |    queue = table.find_all(index)
        |    return queue
        .close()
        """,
    ),
    "a comment is put behind one of them": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        .import table
        |queue = table.find(index)  # all that there are
        |send(queue)
        .close()
        """,
    ),
}
GONE = {
    "all is taken out": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        .import table
        .close()
        """,
    ),
    "another text": (
        """
        |queue = table.find(index)
        |send(queue)
        """,
        """
        .# How it is used
        .Nothing of the kind stands here.
        """,
    ),
    "an empty file": (
        """
        |queue = table.find(index)
        """,
        """
        """,
    ),
    "others stand in their place": (
        """
        .import table
        |queue = table.find(index)
        |send(queue)
        .close()
        """,
        """
        .import table
        .for one in things:
        .    print(one)
        .close()
        """,
    ),
}


def carried(old: str, new: str) -> Carried | None:
    before = marked(old)
    return Change(before.body, marked(new).body).carry(before.range)


@pytest.mark.parametrize(("old", "new"), SAME.values(), ids=SAME)
def test_lines_that_are_the_same(old: str, new: str) -> None:
    there = marked(new).range
    own = frozenset(range(there.first, there.last + 1))
    assert carried(old, new) == Carried(there, 1.0, is_whole=True, own=own)


@pytest.mark.parametrize(("old", "new"), EDITED.values(), ids=EDITED)
def test_lines_that_were_edited(old: str, new: str) -> None:
    found = carried(old, new)
    assert found is not None
    assert found.lines == marked(new).range
    assert not found.is_whole
    assert 0 < found.kept <= 1


@pytest.mark.parametrize(("old", "new"), GONE.values(), ids=GONE)
def test_lines_that_are_gone(old: str, new: str) -> None:
    assert carried(old, new) is None


def test_what_is_kept_is_a_share_by_what_lines_say() -> None:
    old = Body(["import table", "queue = table.find(index)", "}", "state = table.load(index)", "close()"])
    half = Change(old, Body([*old.lines[:3], "close()"])).carry(Stretch(1, 3))
    slightly_less = Change(old, Body([*old.lines[:2], *old.lines[3:]])).carry(Stretch(1, 3))
    assert half is not None
    assert slightly_less is not None
    assert half.kept == pytest.approx(0.5, abs=0.05)
    assert 0.9 < slightly_less.kept < 1


def test_lines_that_were_put_in_between_are_not_followed() -> None:
    old = Body(["import table", "queue = table.find(index)", "send(queue)", "close()"])
    middle = Body([*old.lines[:2], "check(queue, limit=12)", *old.lines[2:]])
    found = Change(old, middle).carry(Stretch(1, 2))
    assert found is not None
    assert found.lines == Stretch(1, 3)
    assert found.own == {1, 3}

    moved = Body([middle.lines[2], "", "", "", "", "", *old.lines])
    again = Change(middle, moved).carry(found.lines, found.own)
    assert again is not None
    assert (again.lines, again.kept) == (Stretch(7, 8), 1.0)


def test_one_change_carries_many_ranges() -> None:
    old = Body([f"line_{at} = {at}" for at in range(50)])
    new = Body([*old.lines[:10], "other = 1", *old.lines[12:40], *old.lines[41:]])
    change = Change(old, new)
    for first in range(50):
        for last in range(first, 50):
            lines = Stretch(first, last)
            assert change.carry(lines) == Change(old, new).carry(lines)


@pytest.mark.parametrize(
    ("old", "new", "lines", "is_certain"),
    [
        pytest.param(["a"], ["a"], Stretch(0, 0), True, id="the same text"),
        pytest.param(["queue = 1"], ["queue = 1", "b"], Stretch(0, 0), True, id="a line that stands once"),
        pytest.param(["", "x"], ["", "y"], Stretch(0, 0), False, id="a line that says nothing"),
        pytest.param(
            ["queue = 1", "x", "queue = 1"], ["queue = 1"], Stretch(0, 0), False, id="one that stood twice"
        ),
        pytest.param(
            ["queue = 1"], ["queue = 1", "x", "queue = 1"], Stretch(0, 0), False, id="one that stands twice"
        ),
        pytest.param(["queue = 1"], ["queue = 2"], Stretch(0, 0), False, id="no run"),
        pytest.param(
            ["queue = 1", "a", "x"],
            ["queue = 1", "a", "y"],
            Stretch(1, 1),
            True,
            id="by another one of the run",
        ),
    ],
)
def test_a_run_is_certain_where_it_cannot_be_another(
    old: Lines, new: Lines, lines: Stretch, is_certain: bool
) -> None:
    assert Change(Body(old), Body(new)).is_certain(lines) == is_certain


@given(texts.filter(bool), st.data())
def test_lines_of_a_text_that_is_the_same_are_where_they_were(text: Lines, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text) - 1))
    lines = Stretch(first, data.draw(st.integers(first, len(text) - 1)))
    change = Change(Body(text), Body([*text]))
    own = frozenset(range(lines.first, lines.last + 1))
    assert change.carry(lines) == Carried(lines, 1.0, is_whole=True, own=own)
    assert change.is_certain(lines)


@given(ranged())
def test_lines_are_carried_to_lines_of_the_new_text(case: tuple[Body, Stretch, Body]) -> None:
    old, lines, new = case
    found = Change(old, new).carry(lines)
    if found is not None:
        assert cut(new, found.lines)
        assert 0 <= found.kept <= 1
        assert set(range(found.lines.first, found.lines.last + 1)) >= found.own


@given(ranged())
def test_lines_that_are_whole_are_the_same(case: tuple[Body, Stretch, Body]) -> None:
    old, lines, new = case
    change = Change(old, new)
    found, whole = change.carry(lines), change.whole(lines)
    assert (found is not None and found.is_whole) == (whole is not None)
    if found is not None and whole is not None:
        assert (found.lines, found.kept) == (whole, 1.0)
        assert cut(new, whole) == cut(old, lines)


@given(ranged())
def test_they_begin_and_end_with_a_blank_line_only_if_they_did_so_before(
    case: tuple[Body, Stretch, Body],
) -> None:
    old, lines, new = case
    found = Change(old, new).carry(lines)
    if found is not None and found.lines.first < found.lines.last:
        for before, after in zip(lines, found.lines, strict=True):
            assert new.lines[after].strip() or not old.lines[before].strip()


@given(pairs_without_copies(), st.integers(0, 5), st.integers(0, 5), st.integers(1, 4))
def test_lines_that_are_put_in_far_above_move_them_by_their_number(
    both: tuple[Lines, Lines], one: int, other: int, count: int
) -> None:
    old, new = both
    assume(max(one, other) < len(old))
    far = [f"far_{at} = {at}" for at in range(30)]
    above = [f"above_{at} = {at}" for at in range(count)]
    before, lines = Body([*far, *old]), Stretch(min(one, other) + 30, max(one, other) + 30)

    near = Change(before, Body([*far, *new])).carry(lines)
    moved = Change(before, Body([*above, *far, *new])).carry(lines)

    assert (near is None) == (moved is None)
    if near is not None and moved is not None:
        assert moved.lines == Stretch(near.lines.first + count, near.lines.last + count)
        assert (moved.kept, moved.is_whole) == (near.kept, near.is_whole)
        assert moved.own == {at + count for at in near.own}

"""Whole definitions: what a range begins and ends with, and where those definitions are."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.lines import ranged
from support.marking import Marked, marked

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.carrying import Change
from provenance.compare.relocating.definitions import (
    Definitions,
    Shape,
    namesake,
    shape_of,
    snapped,
)
from provenance.compare.relocating.resemblance import telling
from provenance.extract.languages import language_of
from provenance.extract.lines import Text
from provenance.extract.symbols import outline


def definitions(body: Body, path: str) -> Definitions:
    language = language_of(path)
    text = Text("\n".join(body.lines))
    return Definitions(body.lines, None if language is None else outline(text, language))


def shape(text: Marked, path: str = "a.py") -> Shape | None:
    return shape_of(text.range, text.body.lines, definitions(text.body, path))


def names(found: Shape | None) -> tuple[str | None, str | None, str | None] | None:
    if found is None:
        return None
    return tuple(one and one.name for one in (found.head, found.tail, found.whole))  # type: ignore[return-value]


SHAPES = {
    "a function": (
        ("find", "find", "find"),
        """
        .import table
        |def find(index):
        |    return 1
        .def close():
        .    return 2
        """,
    ),
    "a method": (
        ("Queue.find", "Queue.find", "Queue.find"),
        """
        .class Queue:
        |    def find(self, index):
        |        return 1
        .
        .    def close(self):
        .        return 2
        """,
    ),
    "its beginning": (
        ("find", None, None),
        """
        .import table
        |def find(index):
        |    state = 1
        .    return state
        """,
    ),
    "its end": (
        None,
        """
        .import table
        .def find(index):
        |    state = 1
        |    return state
        """,
    ),
    "a line inside": (
        None,
        """
        .import table
        .def find(index):
        |    state = 1
        .    return state
        """,
    ),
    "two functions": (
        ("find", "close", None),
        """
        .import table
        |def find(index):
        |    return 1
        |
        |def close():
        |    return 2
        .x = 1
        """,
    ),
    "what stands before a function, and the function": (
        (None, "find", None),
        """
        .import table
        |SIZE = 12
        |
        |def find(index):
        |    return 1
        .x = 1
        """,
    ),
    "the decorators, too": (
        ("find", "find", "find"),
        """
        .import table
        |@cached
        |@quick
        |def find(index):
        |    return 1
        """,
    ),
    "without the decorators": (
        ("find", "find", "find"),
        """
        .@cached
        .@quick
        |def find(index):
        |    return 1
        """,
    ),
    "the decorators alone": (
        None,
        """
        |@cached
        |@quick
        .def find(index):
        .    return 1
        """,
    ),
    "a blank line at the end": (
        ("find", "find", "find"),
        """
        |def find(index):
        |    return 1
        |
        |
        .x = 1
        """,
    ),
    "a class and its first method": (
        ("Queue", "Queue.find", None),
        """
        |class Queue:
        |    def find(self, index):
        |        return 1
        .
        .    def close(self):
        .        return 2
        """,
    ),
    "no code": (
        None,
        """
        |x = 1
        """,
    ),
}


@pytest.mark.parametrize(("expected", "text"), SHAPES.values(), ids=SHAPES)
def test_what_a_range_begins_and_ends_with(
    expected: tuple[str | None, str | None, str | None] | None, text: str
) -> None:
    assert names(shape(marked(text))) == expected


def test_a_range_may_begin_with_decorators_and_end_with_blank_lines() -> None:
    both = shape(marked(SHAPES["the decorators, too"][1]))
    bare = shape(marked(SHAPES["without the decorators"][1]))
    blank = shape(marked(SHAPES["a blank line at the end"][1]))
    assert both is not None
    assert bare is not None
    assert blank is not None
    assert (both.from_decorator, bare.from_decorator, blank.from_decorator) == (True, False, False)
    assert (both.blanks, bare.blanks, blank.blanks) == (0, 0, 2)


SNAPPED = {
    "lines were put behind the last one": (
        "a.py",
        """
        |def find(index):
        |    state = table.find(index)
        |    return state
        .
        .def close(index):
        .    index.flush()
        """,
        """
        |def find(index):
        |    state = table.find(index)
        |    if state.ready:
        |        return state
        |    raise NotReady(state)
        .
        .def close(index):
        .    index.flush()
        """,
    ),
    "the first line is another": (
        "a.py",
        """
        .import table
        |def find(index):
        |    state = table.find(index)
        |    return state
        """,
        """
        .import table
        |def find(
        |    index: int,
        |) -> State:
        |    state = table.find(index, limit=12)
        |    return state
        """,
    ),
    "the function has another name": (
        "a.py",
        """
        .import table
        |def find(index):
        |    state = table.find(index)
        |    return state
        """,
        """
        .import table
        |def find_state(index):
        |    state = table.find(index)
        |    return state
        """,
    ),
    "a decorator is new, and the range began without any": (
        "a.py",
        """
        .import table
        |def find(index):
        |    state = table.find(index)
        |    return state
        """,
        """
        .import table
        .@cached
        |def find(index, limit):
        |    state = table.find(index)
        |    return state
        """,
    ),
    "a decorator is new, and the range began with another": (
        "a.py",
        """
        .import table
        |@quick
        |def find(index):
        |    state = table.find(index)
        |    return state
        """,
        """
        .import table
        |@cached
        |@quick
        |def find(index):
        |    state = table.find(index)
        |    return state
        """,
    ),
    "blank lines at the end stay": (
        "a.py",
        """
        |def find(index):
        |    return table.find(index)
        |
        .def close(index):
        .    index.flush()
        """,
        """
        |def find(index):
        |    state = table.find(index)
        |    return state
        |
        .def close(index):
        .    index.flush()
        """,
    ),
    "a range of two functions ends with the second one": (
        "a.py",
        """
        |def find(index):
        |    return table.find(index)
        |
        |def close(index):
        |    index.flush(sync=True)
        .x = 1
        """,
        """
        |def find(index):
        |    return table.find(index)
        |
        |def close(index):
        |    index.flush(sync=True)
        |    log("closed")
        .x = 1
        """,
    ),
    "Go: a return at the end": (
        "a.go",
        """
        .package queue
        .
        |func find(index int) error {
        |	state := table.Find(index)
        |	return state.Err
        |}
        .
        .func close() {
        .	flush()
        .}
        """,
        """
        .package queue
        .
        |func find(index int) error {
        |	state := table.Find(index)
        |	if state.Err != nil {
        |		return state.Err
        |	}
        |	return nil
        |}
        .
        .func close() {
        .	flush()
        .}
        """,
    ),
    "JavaScript: a branch at the end": (
        "a.js",
        """
        |function find(index) {
        |  const state = table.find(index);
        |  return state;
        |}
        .
        .function close() {
        .  table.flush();
        .}
        """,
        """
        |function find(index) {
        |  const state = table.find(index);
        |  if (!state) {
        |    throw new NotFound(index);
        |  }
        |  return state;
        |}
        .
        .function close() {
        .  table.flush();
        .}
        """,
    ),
    "Ruby: a line more": (
        "a.rb",
        """
        .class Queue
        |  def find(index)
        |    table.find(index)
        |  end
        .
        .  def close
        .    table.flush
        .  end
        .end
        """,
        """
        .class Queue
        |  def find(index)
        |    log(index)
        |    table.find(index) || raise(NotFound)
        |  end
        .
        .  def close
        .    table.flush
        .  end
        .end
        """,
    ),
    "Java: another parameter": (
        "A.java",
        """
        .class Queue {
        |    Item find(int index) {
        |        return table.find(index);
        |    }
        .
        .    void close() {
        .        table.flush();
        .    }
        .}
        """,
        """
        .class Queue {
        |    Item find(int index, int limit) {
        |        check(limit);
        |        return table.find(index);
        |    }
        .
        .    void close() {
        .        table.flush();
        .    }
        .}
        """,
    ),
    "C: the brace stands on a line of its own": (
        "a.c",
        """
        |int find(int index)
        |{
        |    return lookup(table, index);
        |}
        .
        .int close_all(void)
        .{
        .    return flush(table);
        .}
        """,
        """
        |int find(int index)
        |{
        |    if (index < 0)
        |        return 0;
        |    return lookup(table, index);
        |}
        .
        .int close_all(void)
        .{
        .    return flush(table);
        .}
        """,
    ),
}


@pytest.mark.parametrize(("path", "old", "new"), SNAPPED.values(), ids=SNAPPED)
def test_a_definition_is_answered_as_a_whole(path: str, old: str, new: str) -> None:
    before, after = marked(old), marked(new)
    found = shape(before, path)
    assert found is not None
    carried = Change(before.body, after.body).carry(before.range)
    assert carried is not None
    alike = telling(before.body, before.range, after.body, carried.lines)
    there = snapped(found, carried.lines, after.body.lines, definitions(after.body, path), alike)
    assert there == after.range


TWO = marked(
    """
    .class Queue:
    .    def find(self, index):
    .        return self.items[index]
    .
    .class Table:
    |    def find(self, index):
    |        return self.rows.find(index)
    .
    .def find(index):
    .    return None
    """
)


def test_a_definition_of_a_name_is_that_of_its_class() -> None:
    known = definitions(TWO.body, "a.py")
    (found,) = known.called("Table.find")
    assert (found.header, found.last) == TWO.range
    assert [one.header for one in known.called("find")] == [8]
    assert list(known.called("other")) == []


def test_a_definition_that_carried_lines_have_nothing_of_is_found_by_its_name() -> None:
    found = shape(TWO)
    assert found is not None
    elsewhere = marked(
        """
        .x = 1
        .y = 2
        .
        .class Table:
        |    def find(self, index):
        |        raise NotImplementedError
        """
    )
    known = definitions(elsewhere.body, "a.py")
    assert snapped(found, Stretch(0, 1), elsewhere.body.lines, known, 0.1) == elsewhere.range


def test_lines_stay_where_no_definition_is_near() -> None:
    found = shape(TWO)
    assert found is not None
    lines = ["x = 1", "y = 2"]
    assert snapped(found, Stretch(0, 1), lines, definitions(Body(lines), "a.py"), 1.0) == Stretch(0, 1)


OVERLOADS = """
    .Item find(int index) {
    .    return items.get(index);
    .}
    .
    .Item find(String name, Filter filter) {
    .    return names.get(name, filter);
    .}
"""


@pytest.mark.parametrize(
    ("lines", "new", "expected"),
    [
        pytest.param(
            Stretch(0, 2), ["int find(int index) {", "    go();", "}"], None, id="fewer than there were"
        ),
        pytest.param(Stretch(0, 2), ["x = 1"], None, id="none"),
        pytest.param(
            Stretch(4, 6),
            [
                *("Item find(int index) {", "    go();", "}"),
                *("Item find(String name, Filter filter, int limit) {", "    go();", "}"),
            ],
            Stretch(3, 5),
            id="the one with the likest header",
        ),
        pytest.param(
            Stretch(0, 2),
            [
                *("Item find(int index) {", "    go();", "}"),
                *("Item find(int index) {", "    stay();", "}"),
            ],
            None,
            id="two that are as like",
        ),
    ],
)
def test_the_definition_of_the_same_name_among_several(
    lines: Stretch, new: list[str], expected: Stretch | None
) -> None:
    old, other = marked(OVERLOADS).body, Body(new)
    before, after = definitions(old, "A.java"), definitions(other, "A.java")
    found = namesake("find", old, lines, before, other, after)
    assert (found and Stretch(found.header, found.last)) == expected


def test_the_one_definition_of_a_name() -> None:
    old, new = Body(["def find():", "    return 1"]), Body(["x = 1", "def find(index):", "    return 2"])
    before, after = definitions(old, "a.py"), definitions(new, "a.py")
    found = namesake("find", old, Stretch(0, 1), before, new, after)
    assert found is not None
    assert (found.header, found.last) == (1, 2)


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        pytest.param(Stretch(5, 6), "Table.find", id="all of it"),
        pytest.param(Stretch(5, 5), "Table.find", id="its header"),
        pytest.param(Stretch(6, 6), "Table.find", id="most of it"),
        pytest.param(Stretch(3, 3), None, id="a line between"),
    ],
)
def test_the_definition_around_lines(lines: Stretch, name: str | None) -> None:
    found = definitions(TWO.body, "a.py").around(lines)
    assert (found and found.name) == name


@given(ranged())
def test_edges_are_lines_of_the_text(case: tuple[Body, Stretch, Body]) -> None:
    old, lines, new = case
    for path in ("a.py", "a.js"):
        if path == "a.py" and any("\ud800" <= char <= "\udfff" for char in (*old.text, *new.text)):
            continue  # no decoder makes such text, and no parser reads it
        found = shape_of(lines, old.lines, definitions(old, path))
        carried = Change(old, new).carry(lines)
        if found is not None and carried is not None:
            there = snapped(found, carried.lines, new.lines, definitions(new, path), carried.kept)
            assert 0 <= there.first <= there.last < len(new)

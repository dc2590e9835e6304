"""Definitions told by the layout of code, and the names that their headers give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lines import Lines, texts
from support.marking import marked

from provenance.compare.relocating.definition import Definition
from provenance.compare.relocating.indented import block, block_around, blocks_called, is_leading
from provenance.compare.relocating.naming import mentions, named

GO = """
    .package queue
    .
    |// Find looks an item up.
    |func (q *Queue) Find(
    |	index int,
    |) (*Item, error) {
    |	if index < 0 {
    |		return nil, errNone
    |	} else {
    |		q.touch()
    |	}
    |	return q.items[index], nil
    |}
    .
    .func (q *Queue) Close() error {
    .	return nil
    .}
"""
JAVA = """
    .class Queue {
    .    @Override
    .    private int size;
    .
    |    /** Looks an item up. */
    |    @Override
    |    public Item find(int index)
    |            throws NotFound {
    |        for (Item item : items) {
    |            touch(item);
    |        }
    |        return items.get(index);
    |    }
    .
    .    public void close() {
    .    }
    .}
"""
C = """
    |static int find(const int *items, int index)
    |{
    |    return items[index];
    |}
    .
    .int close_all(void)
    .{
    .    return 0;
    .}
"""
JAVASCRIPT = """
    .'use strict';
    .
    |// Looks an item up.
    |export async function find(index) {
    |  const item = await items.get(index);
    |  if (item) {
    |    return item;
    |  }
    |  return null;
    |}
    .
    .const close = () => {
    .  items.clear();
    .};
"""
ARROW = """
    .let items = [];
    .
    |const find = async (index) => {
    |  return items[index];
    |};
    .
    .items.sort();
"""
METHOD = """
    .class Queue {
    |  find(index) {
    |    return this.items[index];
    |  }
    .
    .  close() {}
    .}
"""
RUBY = """
    .class Queue
    .  attr_reader :items
    .
    |  # Looks an item up.
    |  def find(index)
    |    items.each do |item|
    |      touch(item)
    |    end
    |    items[index]
    |  end
    .
    .  def close
    .  end
    .end
"""
RUST = """
    .use std::fmt;
    .
    |/// Looks an item up.
    |#[inline]
    |pub fn find<T>(index: usize) -> Option<T> {
    |    match index {
    |        0 => None,
    |        _ => items.get(index),
    |    }
    |}
    .
    .struct Empty;
"""
PYTHON = """
    .import table
    .
    |@cached
    |def find(
    |    index: int,
    |) -> Item:
    |    for item in items:
    |        touch(item)
    |
    |    return items[index]
    .
    .
    .def close():
    .    pass
"""
SHELL = """
    .set -e
    .
    |find() {
    |  grep "$1" items
    |}
    .
    .find "$@"
"""
TEST = """
    .const table = require('./table');
    .
    |it("find", async () => {
    |  expect(table.find(1)).toBe(2);
    |});
    .
    .it("close", () => {
    |  table.close();
    .});
"""
SAMPLES = {
    "Go": GO,
    "Java": JAVA,
    "C with the brace below": C,
    "JavaScript": JAVASCRIPT,
    "a function that is assigned": ARROW,
    "a method": METHOD,
    "Ruby": RUBY,
    "Rust": RUST,
    "Python": PYTHON,
    "a shell": SHELL,
}
NAMES = dict.fromkeys(SAMPLES, "find") | {"Go": "Find"}


@pytest.mark.parametrize("language", SAMPLES)
def test_a_definition_with_what_belongs_to_it(language: str) -> None:
    body, lines = marked(SAMPLES[language])
    assert lines is not None
    found = block(body.lines, lines.first)
    assert found is not None
    assert (found.name, found.first, found.last) == (NAMES[language], *lines)
    assert NAMES[language] in body.lines[found.header]


@pytest.mark.parametrize("language", SAMPLES)
def test_it_is_called_by_its_name(language: str) -> None:
    body, lines = marked(SAMPLES[language])
    assert lines is not None
    (found,) = blocks_called(body.lines, NAMES[language])
    assert (found.first, found.last) == lines


@pytest.mark.parametrize("language", SAMPLES)
def test_it_is_around_its_lines_though_the_first_of_them_is_missing(language: str) -> None:
    body, lines = marked(SAMPLES[language])
    assert lines is not None
    found = block_around(body.lines, lines.last - (lines.last - lines.first) * 3 // 4, lines.last)
    assert found is None or (found.first, found.last) == lines


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(["queue = table.find(index)", "    .first()"], id="a call behind a dot"),
        pytest.param(["if (queue.ready) {", "  send();", "}"], id="a statement"),
        pytest.param(["def find(index): return 1", "x = 1"], id="no body"),
        pytest.param(["", "# nothing", ""], id="nothing but comments"),
        pytest.param([], id="no lines"),
    ],
)
def test_no_definition_begins_there(lines: Lines) -> None:
    assert block(lines, 0) is None


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("def find(index):", "find"),
        ("    async def find(index):", "find"),
        ("class Queue(Table):", "Queue"),
        ("func Find(index int) error {", "Find"),
        ("func (q *Queue) Find(index int) error {", "Find"),
        ("pub fn find(index: usize) -> u8 {", "find"),
        ("impl Queue {", "Queue"),
        ("public static int find(int index) {", "find"),
        ("int find(int index)", "find"),
        ("function find(index) {", "find"),
        ("const find = (index) => {", "find"),
        ("  find: function (index) {", "find"),
        ("Queue.prototype.find = function (index) {", "find"),
        ("  def self.find(index)", "find"),
        ("std::string Queue::find(int index) {", "find"),
        ('describe("the queue", () => {', "the queue"),
        ("test('finds it', async () => {", "finds it"),
        ("if (index) {", None),
        ("} else if (index) {", None),
        ("for (const item of items) {", None),
        ("queue.find(index);", None),
        ("x = 1", None),
        ("", None),
    ],
)
def test_what_a_header_names(header: str, name: str | None) -> None:
    assert named(header) == name


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", True),
        ("   ", True),
        ("@cached", True),
        ("# all of it", True),
        ("// all of it", True),
        (" * all of it", True),
        ("#[derive(Debug)]", True),
        ("[Test]", True),
        ("-- all of it", True),
        ("#define FIND(index)", False),
        ("#if FIND", False),
        ("def find():", False),
        ("x = 1  # all of it", False),
    ],
)
def test_lines_that_may_stand_before_a_header(line: str, expected: bool) -> None:
    assert is_leading(line) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("find(index)", True),
        ("table.find(index)", True),
        ("a = find", True),
        ("find_all(index)", False),
        ("refind(index)", False),
        ("$find(index)", False),
    ],
)
def test_a_name_in_a_line(line: str, expected: bool) -> None:
    assert (mentions("find").search(line) is not None) == expected


def test_a_name_that_is_a_title_with_odd_signs() -> None:
    assert mentions("finds (all) of it?").search('it("finds (all) of it?", () => {')


def test_what_only_mentions_a_name_is_no_definition_of_it() -> None:
    lines = [
        "def find(index):",
        "    return 1",
        "",
        "x = find(2)",
        "# find(3)",
        "def find_all():",
        "    find(4)",
    ]
    assert list(blocks_called(lines, "find")) == [Definition("find", 0, 0, 1)]


@given(texts, st.integers(0, 14), st.integers(0, 14))
def test_definitions_lie_in_their_file(text: Lines, first: int, size: int) -> None:
    found = block(text, first)
    around = block_around(text, first, first + size) if first + size < len(text) else None
    for one in (found, around, *blocks_called(text, "load_item"), *blocks_called(text, "a")):
        if one is not None:
            assert 0 <= one.first <= one.header < one.last < len(text)
    if found is not None:
        assert found.first == first

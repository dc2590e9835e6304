from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from support.screens import TERMINAL, bare, screens

from provenance.report.blocks import (
    BLANK,
    Block,
    Code,
    CodeLine,
    Column,
    Line,
    Prose,
    Row,
    Span,
    Style,
    Table,
    line,
)
from provenance.report.plain import filled, fold, worded
from provenance.report.screen import Layout, Screen, printed, screen
from provenance.report.terminal import shares

XTERM = {"TERM": "xterm-256color"}


@pytest.mark.parametrize(
    ("width", "environ", "terminal", "expected"),
    [
        (80, XTERM, True, Screen(80, Layout.TABLE, colour=True, links=True)),
        (41, XTERM, True, Screen(41, Layout.TABLE, colour=True, links=True)),
        (40, XTERM, True, Screen(40, Layout.NARROW, colour=True, links=True)),
        (80, {}, True, Screen(80, Layout.TABLE, colour=True, links=True)),
        (80, {"TERM": "linux"}, True, Screen(80, Layout.TABLE, colour=True)),
        (80, {**XTERM, "NO_COLOR": "1"}, True, Screen(80, Layout.TABLE)),
        (80, {**XTERM, "NO_COLOR": ""}, True, Screen(80, Layout.TABLE, colour=True, links=True)),
        (40, {**XTERM, "NO_COLOR": "1"}, True, Screen(40, Layout.NARROW)),
        (80, {"TERM": "dumb"}, True, Screen(80)),
        (80, {"TERM": "unknown"}, True, Screen(80)),
        (40, {"TERM": "dumb"}, True, Screen(40, Layout.NARROW)),
        (40, XTERM, False, Screen(40)),
        (80, {}, False, Screen(80)),
    ],
)
def test_what_a_report_is_read_on(
    width: int, environ: dict[str, str], expected: Screen, *, terminal: bool
) -> None:
    assert screen(width, environ, terminal=terminal) == expected


COLUMNS = (Column("level"), Column("id", 8), Column("place", 12))
TABLE = Table(
    COLUMNS,
    (
        Row(
            (
                Span("failure", Style.RED),
                Span("conv-relu-of-the-block"),
                Span("models/deep/layers.py:1-20", link="https://example.org/x#L1"),
            ),
            (Prose("it is not the same at all", indent=4), line("    +  code")),
        ),
        Row((Span("ok"), Span("x"), Span("a.py:1"))),
    ),
    2,
)


@pytest.mark.parametrize(
    ("on", "expected"),
    [
        (
            Screen(45),
            """\
failure  conv-relu-of-the-block  …els/deep/layers.py:1-20
    it is not the same at all
    +  code
ok       x                       a.py:1
""",
        ),
        (
            Screen(45, Layout.TABLE),
            """\
level    id              place
failure  conv-relu-of-   models/deep/
         the-block       layers.py:1-20
    it is not the same at all
    +  code
ok       x               a.py:1
""",
        ),
        (
            Screen(300, Layout.TABLE),
            """\
level    id                      place
failure  conv-relu-of-the-block  models/deep/layers.py:1-20
    it is not the same at all
    +  code
ok       x                       a.py:1
""",
        ),
        (
            Screen(20, Layout.NARROW),
            """\
failure
  conv-relu-of-the-
  block
  models/deep/
  layers.py:1-20
  it is not the same
  at all
  +  code
ok
  x
  a.py:1
""",
        ),
        (
            Screen(30, Layout.TABLE),
            """\
failure
  conv-relu-of-the-block
  models/deep/layers.py:1-20
  it is not the same at all
  +  code
ok
  x
  a.py:1
""",
        ),
    ],
    ids=["a pipe", "a terminal", "a wide one", "a narrow one", "one that is too narrow for this table"],
)
def test_a_table(on: Screen, expected: str) -> None:
    assert printed([TABLE], on) == expected


def test_a_place_leads_to_its_lines_where_there_are_links() -> None:
    shown = printed([TABLE], TERMINAL)
    assert ";https://example.org/x#L1\x1b\\" in shown
    assert "example.org" not in printed([TABLE], replace(TERMINAL, links=False))
    assert "example.org" not in printed([TABLE], replace(TERMINAL, colour=False))


def test_a_very_long_cell_shows_its_end() -> None:
    row = Row((Span("ok"), Span("x"), Span(f"{'folder/' * 60}a.py:1")))
    shown = printed([Table(COLUMNS, (row,), 2)], Screen(60, Layout.TABLE))
    assert len(shown.split("\n")) < 10
    assert shown.endswith("folder/\n           a.py:1\n")
    assert "x   …\n" in shown


def test_a_table_of_very_many_rows_is_not_wrapped() -> None:
    rows = tuple(TABLE.rows) * 501
    shown = printed([Table(COLUMNS, rows, 2)], Screen(45, Layout.TABLE))
    assert shown.split("\n")[0] == "failure  conv-relu-of-the-block  …els/deep/layers.py:1-20"


def test_prose_is_not_stretched_and_code_is_not_broken() -> None:
    words = Prose("word " * 60, Style.DIM, 4, Span("ok", Style.GREEN))
    code = Code((CodeLine(7, f"x = '{'y' * 200}'", marked=True),), "a.py", "python", 2)
    shown = printed([words, BLANK, code], Screen(180, Layout.TABLE))
    assert shown.startswith("ok  word word")
    *prose, blank, last, end = shown.split("\n")
    assert [len(each) for each in prose] == [118, 118, 73]
    assert (blank, last, end) == ("", f"  7 | x = '{'y' * 200}'", "")
    assert bare(printed([words, BLANK, code], replace(TERMINAL, width=180))) == shown


@pytest.mark.parametrize(
    ("widths", "room", "expected"),
    [
        ([7, 22, 26], 55, [7, 22, 26]),
        ([7, 22, 26], 500, [7, 22, 26]),
        ([7, 22, 26], 39, [7, 14, 18]),
        ([7, 22, 26], 27, [7, 8, 12]),
        ([7, 22, 26], 26, None),
        ([7, 3, 5], 15, [7, 3, 5]),
        ([7, 3, 5], 14, None),
    ],
)
def test_room_is_shared(widths: list[int], room: int, expected: list[int] | None) -> None:
    assert shares(COLUMNS, widths, room) == expected


@pytest.mark.parametrize(
    ("text", "width", "pieces"),
    [
        ("", 5, [""]),
        ("short", 5, ["short"]),
        ("models/layers.py", 12, ["models/", "layers.py"]),
        ("a/b-c-d-e-f-g-h", 10, ["a/b-c-d-e-", "f-g-h"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("層層層", 4, ["層層", "層"]),
        ("層", 1, ["層"]),
    ],
)
def test_long_words_are_cut_where_they_can_be(text: str, width: int, pieces: list[str]) -> None:
    assert fold(text, width, cell_len) == pieces


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("", 5, []),
        ("  ", 5, []),
        ("a b c", 3, ["a b", "c"]),
        ("a  b c", 4, ["a  b", "c"]),
        ("a verylongword c", 4, ["a", "verylongword", "c"]),
        ("層 層 層", 5, ["層 層", "層"]),
    ],
)
def test_sentences_are_wrapped_by_cells(text: str, width: int, lines: list[str]) -> None:
    assert list(filled(text, width, cell_len)) == lines


@pytest.mark.parametrize(
    ("spans", "width", "lines"),
    [
        (("10 of 10 checked: ", "1 ok"), 22, ["10 of 10 checked: 1 ok"]),
        (("10 of 10 checked: ", "1 ok"), 21, ["10 of 10 checked: 1", "  ok"]),
        (
            ("    in  ", "層層 a/very/long/path.py x"),
            14,
            ["    in  層層", "      a/very/long/path.py", "      x"],
        ),
    ],
)
def test_a_line_is_broken_between_words(spans: tuple[str, ...], width: int, lines: list[str]) -> None:
    found = worded(Line(tuple(Span(text, Style.BOLD) for text in spans)), width, cell_len)
    assert [each.text for each in found] == lines


def test_code_that_does_not_fit_is_left_whole() -> None:
    whole = Line((Span("- a b c d"),), code=True)
    assert [*worded(whole, 3, cell_len)] == [whole]


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=["C", "Z", "M"])), st.integers(1, 30))
def test_nothing_is_lost_where_a_text_is_cut(text: str, width: int) -> None:
    pieces = fold(text, width, cell_len)
    assert "".join(pieces) == text
    assert all(cell_len(piece) <= width or len(piece) == 1 for piece in pieces)


WORDS = st.text(st.sampled_from("ab層/-=. "), max_size=40)
SPANS = st.builds(
    Span, WORDS, st.sampled_from([None, *Style]), st.sampled_from([None, "https://example.org/x#L1"])
)
FLAT = st.one_of(
    st.builds(Line, st.lists(SPANS, max_size=4).map(tuple), st.just(value=False)),
    st.builds(Prose, WORDS, st.sampled_from([None, *Style]), st.integers(0, 12), st.just(Span(""))),
)
ROWS = st.builds(Row, st.tuples(SPANS, SPANS, SPANS), st.lists(FLAT, max_size=2).map(tuple))
TABLES = st.builds(Table, st.just(COLUMNS), st.lists(ROWS, max_size=3).map(tuple), st.just(2), st.just(4))
BLOCKS: st.SearchStrategy[list[Block]] = st.lists(st.one_of(FLAT, TABLES), max_size=4)


@given(BLOCKS, screens())
@settings(max_examples=40)
def test_colour_changes_nothing_else(blocks: list[Block], on: Screen) -> None:
    if on.layout is not Layout.PLAIN:
        plain = printed(blocks, replace(on, colour=False))
        assert bare(printed(blocks, replace(on, colour=True))) == plain


@given(st.lists(TABLES, max_size=2), st.integers(41, 120))
@settings(max_examples=40)
def test_a_table_is_no_wider_than_the_terminal(tables: list[Table], width: int) -> None:
    bodies = [each._replace(rows=tuple(row._replace(below=()) for row in each.rows)) for each in tables]
    shown = printed(bodies, Screen(width, Layout.TABLE))
    rigid = max((cell_len(row.cells[0].text) for each in bodies for row in each.rows), default=0)
    assert rigid > width or all(cell_len(each) <= max(width, 2 * rigid) for each in shown.split("\n"))


@given(BLOCKS, st.integers(4, 40))
@settings(max_examples=60)
def test_narrow_lines_fit(blocks: list[Block], width: int) -> None:
    shown = printed(blocks, Screen(width, Layout.NARROW))
    assert all(cell_len(each) <= width for each in shown.split("\n"))

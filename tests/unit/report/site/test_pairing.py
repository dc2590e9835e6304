from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.report.site.pairing import Row, Side, Sort, beside

LINES = st.lists(
    st.sampled_from(["a = 1", "b = f(a, 2)", "b = f(a, 3)", "", "  a = 1", "…", "return b", "}"]), max_size=12
)


def told(quote: str, source: str, omitted: tuple[str, ...] = (), *, indents: bool = False) -> list[str]:
    """The rows, each with its sort and the words of either side that the other has not."""
    left, right = quote.split("\n"), source.split("\n")
    ranges = [LineRange.parse(item) for item in omitted]
    rows = beside(left, right, first=1, omitted=ranges, indents=indents)
    return [f"{row.sort} {_marked(row.quote, left)}|{_marked(row.source, right)}" for row in rows]


def _marked(side: Side | None, lines: list[str]) -> str:
    if side is None:
        return ""
    line = lines[side.at]
    for start, end in reversed(side.marks):
        line = f"{line[:start]}[{line[start:end]}]{line[end:]}"
    return line


@pytest.mark.parametrize(
    ("quote", "source", "rows"),
    [
        ("a\nb", "a\nb", ["same a|a", "same b|b"]),
        ("a  =  1", "a = 1", ["same a  =  1|a = 1"]),
        ("f(a,b)", "f(a, b)", ["same f(a,b)|f(a, b)"]),
        ("x = f(a, 2)", "x = f(b, 2)", ["changed x = f([a], 2)|x = f([b], 2)"]),
        ("x = one two", "x = three four", ["changed x = [one two]|x = [three four]"]),
        ("a\nnew line here\nb", "a\nb", ["same a|a", "quote new line here|", "same b|b"]),
        ("a\nb", "a\nleft out\nb", ["same a|a", "source |left out", "same b|b"]),
        ("one", "quite other words", ["quote one|", "source |quite other words"]),
        ("return a\nd = b + 1", "d = c + 1\n}", ["quote return a|", "changed d = [b] + 1|d = [c] + 1", "source |}"]),
    ],
)  # fmt: skip
def test_lines_stand_beside_those_that_they_are(quote: str, source: str, rows: list[str]) -> None:
    assert told(quote, source) == rows


def test_what_a_mark_stands_for_is_no_difference() -> None:
    rows = told("a\n…\nb", "a\nx = 1\ny = 2\nb", ("2-3",))
    assert rows == ["same a|a", "mark …|", "omitted |x = 1", "omitted |y = 2", "same b|b"]


def test_a_mark_that_stands_for_nothing_is_still_a_mark() -> None:
    assert told("a\n# ...\nb", "a\nb") == ["same a|a", "mark # ...|", "same b|b"]


def test_an_indentation_is_marked_where_it_is_the_difference() -> None:
    quote, source = "if a:\n    b\n  c", "    if a:\n        b\n        c"
    assert told(quote, source) == ["same if a:|    if a:", "same     b|        b", "same   c|        c"]
    assert told(quote, source, indents=True)[2] == "changed [  ]c|[        ]c"


@given(LINES, LINES)
def test_every_line_stands_there_once_and_in_order(quote: list[str], source: list[str]) -> None:
    rows = beside(quote, source, omitted=[LineRange(2, 4)])
    assert [row.quote.at for row in rows if row.quote is not None] == [*range(len(quote))]
    assert [row.source.at for row in rows if row.source is not None] == [*range(len(source))]


@given(LINES, LINES)
def test_marks_leave_the_same_words_on_both_sides(quote: list[str], source: list[str]) -> None:
    for row in beside(quote, source):
        if row.sort is Sort.CHANGED:
            assert row.quote is not None
            assert row.source is not None
            ours, theirs = _left(row.quote, quote), _left(row.source, source)
            assert ours == theirs
            assert row.quote.marks or row.source.marks


def _left(side: Side, lines: list[str]) -> str:
    """What is not marked, without white space."""
    line = lines[side.at]
    for start, end in reversed(side.marks):
        assert 0 <= start < end <= len(line)
        line = line[:start] + line[end:]
    return "".join(line.split())


def test_a_long_quote_takes_no_long_time() -> None:
    quote = [f"a{at % 7} = b{at % 11}" for at in range(3_000)]
    source = [f"a{at % 5} = b{at % 13}" for at in range(3_000)]
    rows = beside(quote, source)
    assert isinstance(rows[0], Row)
    assert sum(row.quote is not None for row in rows) == 3_000

"""A file's text as it is compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.lines import Lines, texts

from provenance.compare.relocating.body import Body, Stretch, says, weight


@pytest.mark.parametrize(
    ("line", "other", "is_same"),
    [
        pytest.param("queue = 1", "  queue  =  1 ", True, id="white space"),
        pytest.param("\tqueue = 1", "    queue = 1", True, id="tabs"),
        pytest.param("f('a')", 'f("a")', True, id="quotation marks"),
        pytest.param("f(`a`)", "f('a')", True, id="backticks"),
        pytest.param("a, b,", "a, b", True, id="a comma at the end"),
        pytest.param("a, b,,", "a, b", False, id="two of them"),
        pytest.param("a b", "ab", True, id="white space between words"),
        pytest.param("queue = 1", "queue = 2", False, id="another number"),
        pytest.param("Queue", "queue", False, id="case"),
        pytest.param("f(a)", "f(a);", False, id="a semicolon"),
    ],
)
def test_what_a_line_says(line: str, other: str, is_same: bool) -> None:
    body = Body([line, other])
    assert (body.key(0) == body.key(1)) == is_same
    assert body.keys(0, 2) == [body.key(0), body.key(1)]


@pytest.mark.parametrize(
    ("less", "more"),
    [("{", "if"), ("if", "i"), ("i", "index"), ("return", "queue"), ("=", "==")],
)
def test_some_tokens_tell_more_than_others(less: str, more: str) -> None:
    body = Body([less, more])
    assert body.weight(0) < body.weight(1)


@pytest.mark.parametrize("token", ["queue", "_", "i", "if", "{", "é", "\0", "漢", "\ud800"])
def test_a_weight_is_a_share(token: str) -> None:
    assert 0 < weight(token) <= 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", False),
        (" \t", False),
        ("})];", False),
        ("--", False),
        ("} else {", True),
        ("_", True),
        ("1", True),
    ],
)
def test_lines_that_say_something(line: str, expected: bool) -> None:
    assert says(line) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [(["  a", " b", "   c"], 1), (["  a", "", "\tb"], 1), (["  a", " "], 2), (["a", "  b"], 0)],
)
def test_how_far_lines_are_indented(lines: Lines, expected: int) -> None:
    assert Body(lines).indent(0, len(lines) - 1) == expected


def test_blank_lines_are_indented_more_than_any_other() -> None:
    body = Body(["", "  ", " " * 5_000 + "a"])
    assert body.indent(0, 1) > body.indent(2, 2)


def test_a_line_that_is_long_is_cut_into_tokens_at_its_beginning() -> None:
    assert len(Body(["a " * 100_000]).tokens(0)) < 5_000


def test_the_text_has_a_line_end_around_each_line() -> None:
    assert Body(["a", "", "b"]).text == "\na\n\nb\n"
    assert Body([]).text == "\n"


@given(texts)
def test_the_whole_is_the_sum_of_its_parts(text: Lines) -> None:
    body = Body(text)
    assert len(body) == len(text)
    assert body.weigh(0, len(text) - 1) == pytest.approx(sum(map(body.weight, range(len(text)))))
    for at, line in enumerate(text):
        assert body.part(Stretch(at, len(text) - 1)).lines[0] == line
        assert body.weight(at) >= 0
        assert (body.weight(at) == 0) == (not body.tokens(at))

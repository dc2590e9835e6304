from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.extract.lines import Text, normalise

ODD_SEPARATORS = ["\r", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\x1f"]

NUMBERED = Text("".join(f"{number}\n" for number in range(1, 21)))

text_of_lines = st.text(st.sampled_from([*"ab \t\n", "\ufeff", *ODD_SEPARATORS]))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("\n", [""]),
        ("\n\n", ["", ""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\r\nb\nc\r\n", ["a", "b", "c"]),
        ("a\rb\n", ["a\rb"]),
        ("a\r", ["a\r"]),
        ("\ufeffa\n", ["a"]),
        ("\ufeff", [""]),
        ("a\ufeff\n", ["a\ufeff"]),
    ],
)
def test_what_a_line_is(text: str, lines: list[str]) -> None:
    assert Text(text).lines == lines
    assert len(Text(text)) == len(lines)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (5, 10, "5\n6\n7\n8\n9\n10"),
        (1, 1, "1"),
        (7, 7, "7"),
        (20, 20, "20"),
        (20, 21, "20"),
        (21, 21, ""),
        (30, 40, ""),
    ],
)
def test_ranges_count_from_one_and_have_both_ends(first: int, last: int, expected: str) -> None:
    assert NUMBERED.excerpt(LineRange(first, last)) == expected
    assert "\n".join(NUMBERED.slice(LineRange(first, last))) == expected


@pytest.mark.parametrize("separator", ODD_SEPARATORS)
def test_no_other_separator_ends_a_line(separator: str) -> None:
    text = Text(f"one\ntwo {separator} still two\nthree\n")
    assert len(text) == 3
    assert text.excerpt(LineRange(3, 3)) == "three"


def test_all_separators_in_one_file() -> None:
    text = Text("".join(f"a{separator}b\n" for separator in ODD_SEPARATORS) + "last")
    assert text.excerpt(LineRange(11, 11)) == "last"


def test_a_form_feed_on_an_earlier_line() -> None:
    assert Text("1\n2\n3\n\x0c4\n5\n6\n").excerpt(LineRange(6, 6)) == "6"


@pytest.mark.parametrize(("text", "quote"), [("a\r\n b\r\n", "a\n b"), ("a\n b\n", "a\r\n b\r\n")])
def test_terminators_of_text_and_quote_may_differ(text: str, quote: str) -> None:
    assert Text(text).excerpt(LineRange(1, 2)) == normalise(quote)
    assert Text(text).is_excerpt(quote, 1, 2)


@pytest.mark.parametrize(
    ("quote", "first", "last", "expected"),
    [
        ("2\n3", 2, 3, True),
        ("2\n3\n", 2, 3, True),
        ("2\n3", 2, 4, False),
        ("19\n20", 19, 21, False),
        ("", 21, 21, False),
    ],
)
def test_a_quote_is_an_excerpt_only_of_lines_that_are_there(
    quote: str, first: int, last: int, expected: bool
) -> None:
    assert NUMBERED.is_excerpt(quote, first, last) is expected


@given(text_of_lines)
def test_lines_are_what_git_counts(text: str) -> None:
    data = text.encode()
    expected = data.count(b"\n") + (1 if data and not data.endswith(b"\n") else 0)
    assert len(Text(text)) == len(Text(text).lines) == expected


@given(text_of_lines, st.integers(1, 8), st.integers(0, 8))
def test_an_excerpt_is_its_lines_joined(text: str, first: int, more: int) -> None:
    lines = LineRange(first, first + more)
    assert Text(text).excerpt(lines) == "\n".join(Text(text).lines[first - 1 : first + more])

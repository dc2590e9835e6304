"""The stretch that comes closest to an expression."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.compare.expressions.nearest import nearest

TEXT = """\
def first(x):
    return f(x, y)

def second(x):
    total = g(alpha, beta, gamma)
    return f(x, y)
"""


def found(code: str, line: int) -> tuple[str, float] | None:
    lines = TEXT.split("\n")
    start = sum(len(text) + 1 for text in lines[: line - 1])
    stretch = nearest(code, TEXT, (start, start + len(lines[line - 1])))
    return None if stretch is None else (TEXT[stretch.start : stretch.end], stretch.share)


@pytest.mark.parametrize(
    ("code", "line", "expected"),
    [
        ("g(alpha, beta, gamma)", 1, ("g(alpha, beta, gamma)", 1.0)),
        ("g(alpha, delta, gamma)", 5, ("g(alpha, beta, gamma)", 7 / 8)),
        ("g(alpha, gamma)", 1, ("g(alpha, beta, gamma)", 1.0)),
        ("total = (g(alpha, beta))", 1, ("total = g(alpha, beta", 0.7)),
        ("zeta + eta", 1, None),
        ("", 1, None),
    ],
)
def test_nearest(code: str, line: int, expected: tuple[str, float] | None) -> None:
    assert found(code, line) == expected


def test_the_cited_lines_come_first_where_they_are_as_good() -> None:
    for line in (2, 6):
        start = sum(len(text) + 1 for text in TEXT.split("\n")[: line - 1])
        stretch = nearest("f(x, y)", TEXT, (start, start + 20))
        assert stretch is not None
        assert start <= stretch.start < start + 20


def test_a_long_file_is_looked_at_around_the_cited_lines() -> None:
    far = "f(alpha)\n" + "x = 1\n" * 200_000 + "f(beta)\n"
    stretch = nearest("f(alpha)", far, (len(far) - 8, len(far)))
    assert stretch is not None
    assert far[stretch.start : stretch.end].startswith("f(")
    assert stretch.start > 1_000_000


@given(
    st.text("ab( \n,)", max_size=40), st.text("ab( \n,)", max_size=20), st.integers(0, 40), st.integers(0, 10)
)
def test_a_stretch_lies_in_the_file(text: str, code: str, start: int, size: int) -> None:
    first = min(start, len(text))
    stretch = nearest(code, text, (first, min(first + size, len(text))))
    if stretch is not None:
        assert 0 <= stretch.start < stretch.end <= len(text)
        assert 0 < stretch.share <= 1

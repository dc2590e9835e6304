"""Hostile input: the work stays in proportion, and the answer stays right."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from provenance.citation import LineRange
from provenance.compare import lcs
from provenance.compare.diff import unified
from provenance.compare.judge import judge
from provenance.compare.marks import mark
from provenance.evidence import Verdict
from provenance.extract.lines import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

GENEROUS = 20.0
"""Seconds of this process's own time; the cases take a fraction of it, and what is quadratic takes minutes."""

MANY = 100_000


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    started = time.process_time()
    yield
    assert time.process_time() - started < GENEROUS


SAME = Text("\n".join(["    x = 1"] * MANY))
LONG_LINE = Text("x = " + "a...b " * 1_700_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("quote", "lines", "verdict"),
    [
        pytest.param("    x = 1\n" * 10_000, "5-20", Verdict.SHIFTED, id="everywhere"),
        pytest.param("    x = 1\n" * 10_000 + "y", "5-20000", Verdict.CHANGED, id="nearly everywhere"),
        pytest.param("    x = 1\n" * 10_000 + "y", "500", Verdict.ABSENT, id="through one line"),
        pytest.param("    x = 1\n...\n" * 5_000, "5-20000", Verdict.ELIDED, id="many marks"),
        pytest.param("    x = 1\n...\n" * 5_000 + "y", "5-20000", Verdict.CHANGED, id="many marks in vain"),
        pytest.param(
            "    x = 1\n" + "".join(f"... line {n} omitted ...\n" for n in range(1, 5_001)) + "    x = 1",
            "5-20000",
            Verdict.CHANGED,
            id="many marks that state lines",
        ),
    ],
)
def test_identical_lines(quote: str, lines: str, verdict: Verdict) -> None:
    assert judge(quote, LineRange.parse(lines), SAME).verdict is verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    "quote",
    ["x = " + "a...b " * 4_000 + "c", "x" + "...b" * 4_000, LONG_LINE.text[:-2] + "c", "." * MANY + "z"],
    ids=["many ellipses in vain", "many ellipses", "itself", "dots"],
)
def test_one_line_of_ten_megabytes(quote: str) -> None:
    answer = judge(quote, LineRange(1, 1), LONG_LINE)
    assert answer.verdict in {Verdict.ELIDED, Verdict.CHANGED, Verdict.ABSENT}
    assert len(answer.diff) < 10_000


@pytest.mark.slow
def test_a_long_quote_that_changed_is_found_in_a_long_file() -> None:
    body = [f"    name_{n % 977} = call_{n % 1009}(arg_{n}, {n})" for n in range(MANY)]
    quote = [line.replace("call_1", "made_1") for line in body[50_000:60_000]]
    answer = judge("\n".join(quote), LineRange(11, 10_010), Text("\n".join(body)))
    assert answer.verdict is Verdict.CHANGED
    assert answer.found_at == (LineRange(50_001, 60_000),)
    assert answer.suggestion == answer.found_at[0]
    assert "The diff is cut here" in answer.diff


@pytest.mark.slow
def test_tabs_of_a_width_that_is_tried_last() -> None:
    body = ["\t" * (n % 5) + f"x{n}\t= {n}" for n in range(MANY)]
    quote = "\n".join(line.expandtabs(7) for line in body[70_000:70_400])
    answer = judge(quote, LineRange(5, 404), Text("\n".join(body)))
    assert answer.found_at == (LineRange(70_001, 70_400),)


def test_a_subsequence_longer_than_a_block_is_cut_where_both_agree() -> None:
    left = [f"t{n}" for n in range(20_000)]
    right = left[:9_000] + ["new"] * 5_000 + left[9_000:]
    assert lcs.common(["other", *left, "end"], ["begin", *right, "last"]) == len(left)


def test_a_subsequence_without_anchors_is_bounded_from_below() -> None:
    left = ["a", "b"] * 10_000
    assert 10_000 <= lcs.common([*left, "x"], ["y", *left[1:], "z"]) < 20_000


def test_a_diff_says_that_it_is_cut() -> None:
    diff = unified(
        [f"a{n}" for n in range(3_000)], [f"b{n}" for n in range(2_500)], LineRange(1, 2_500), path="p"
    )
    assert diff.endswith("\\ The diff is cut here: 1000 more lines.")


def test_a_long_line_in_a_diff_is_cut() -> None:
    diff = unified(["a" * 5_000], ["b"], LineRange(7, 7), path="p")
    assert diff.split("\n")[2:] == ["@@ -1,1 +7,1 @@", "-" + "a" * 2_000 + " … (3000 more characters)", "+b"]


@pytest.mark.parametrize("space", ["\u00a0 ", "\u00a0", "\t\u3000", " - "], ids=repr)
def test_white_space_of_a_line_that_is_no_mark_is_read_in_one_way(space: str) -> None:
    """No-break spaces are what editors and sites indent code with; every one of them was once tried in many ways."""
    body = f"({space * 50}x = 1,"[:118]
    assert not any(mark(body) for _ in range(5_000))

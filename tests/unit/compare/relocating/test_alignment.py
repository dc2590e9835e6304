"""Which lines of two texts are the same."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.lines import Lines, pairs, texts
from support.marking import marked

from provenance.compare.relocating.alignment import Alignment, Gap, Run, align, realigned
from provenance.compare.relocating.body import Stretch, key


def aligned(old: str, new: str) -> list[Run]:
    """The runs of two texts of lines of one character."""
    return list(align(old, new).runs)


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        pytest.param("", "", [], id="nothing beside nothing"),
        pytest.param("", "ab", [], id="all is new"),
        pytest.param("ab", "", [], id="all is gone"),
        pytest.param("abc", "abc", [Run(0, 0, 3)], id="the same"),
        pytest.param("abc", "xyz", [], id="nothing in common"),
        pytest.param("abc", "xabc", [Run(0, 1, 3)], id="one above"),
        pytest.param("abc", "abcx", [Run(0, 0, 3)], id="one below"),
        pytest.param("abc", "abxc", [Run(0, 0, 2), Run(2, 3, 1)], id="one between"),
        pytest.param("abxc", "abc", [Run(0, 0, 2), Run(3, 2, 1)], id="one less between"),
        pytest.param("abc", "axc", [Run(0, 0, 1), Run(2, 2, 1)], id="one rewritten"),
        pytest.param("xabcdy", "zdabcw", [Run(1, 2, 3)], id="the longer chain of those that stand once"),
        pytest.param("aab", "xab", [Run(1, 1, 2)], id="no line stands once on both sides but the last"),
        pytest.param("xaabby", "zaabbw", [Run(1, 1, 4)], id="no line stands once at all"),
        pytest.param("x{{y", "z{{w", [], id="brackets alone tell nothing"),
        pytest.param("xa{y", "za{w", [Run(1, 1, 2)], id="a bracket behind a line that is the same"),
    ],
)
def test_runs(old: str, new: str, runs: list[Run]) -> None:
    assert aligned(old, new) == runs


PUT_IN = {
    "between functions, with the blank line before them": """
        .def one():
        .    return 1
        .
        |def two():
        |    return 1
        |
        .def three():
        .    return 1
    """,
    "with a decorator that the next one has, too": """
        .import table
        .
        |@cached
        |def one():
        |    return 1
        |
        .@cached
        .def two():
        .    return 2
    """,
    "a block that ends as the one before it does": """
        .function one() {
        .  if (a) {
        .    go();
        .  }
        |  if (b) {
        |    stay();
        |  }
        .}
    """,
    "an item of a list of calls": """
        .a = add(
        .    one,
        .)
        |b = add(
        |    two,
        |)
        .c = add(
        .    three,
        .)
    """,
    "a branch that begins and ends as its neighbours do": """
        .switch (kind) {
        .  case 1:
        .    stop();
        .    break;
        |  case 2:
        |    go();
        |    break;
        .  case 3:
        .    stay();
        .    break;
        .}
    """,
    "a test with the comment of its own": """
        .func TestOne(t *testing.T) {
        .	run(t)
        .}
        .
        |// TestTwo runs twice.
        |func TestTwo(t *testing.T) {
        |	run(t)
        |}
        |
        .func TestThree(t *testing.T) {
        .	run(t)
        .}
    """,
    "at the end, with the blank line before it": """
        .def one():
        .    return 1
        |
        |def two():
        |    return 1
    """,
    "at the very beginning": """
        |def zero():
        |    return 1
        |
        .def one():
        .    return 1
    """,
}
"""Texts; the lines in the range are those that the other text has not."""


@pytest.mark.parametrize("text", PUT_IN.values(), ids=PUT_IN)
def test_lines_that_were_put_in_are_those_that_a_person_would_name(text: str) -> None:
    new, lines = marked(text)
    assert lines is not None
    old = [*new.lines[: lines.first], *new.lines[lines.last + 1 :]]
    (gap,) = align(old, new.lines).gaps()
    assert (gap.old, gap.old_end) == (lines.first, lines.first)
    assert Stretch(gap.new, gap.new_end - 1) == lines


@pytest.mark.parametrize("text", PUT_IN.values(), ids=PUT_IN)
def test_lines_that_were_taken_out_are_those_that_a_person_would_name(text: str) -> None:
    old, lines = marked(text)
    assert lines is not None
    new = [*old.lines[: lines.first], *old.lines[lines.last + 1 :]]
    (gap,) = align(old.lines, new).gaps()
    assert (gap.new, gap.new_end) == (lines.first, lines.first)
    assert Stretch(gap.old, gap.old_end - 1) == lines


@pytest.mark.parametrize(
    ("line", "run"),
    [(0, Run(0, 0, 2)), (1, Run(0, 0, 2)), (2, None), (3, Run(3, 4, 2)), (4, Run(3, 4, 2)), (5, None)],
)
def test_the_run_that_holds_a_line(line: int, run: Run | None) -> None:
    assert align("abcde", "abxyde").run_at(line) == run


@pytest.mark.parametrize(
    ("stretch", "runs", "gaps"),
    [
        ((0, 1), [Run(0, 0, 1)], []),
        ((1, 2), [Run(1, 1, 1)], []),
        ((1, 3), [Run(1, 1, 1)], [Gap(2, 3, 2, 4)]),
        ((2, 3), [], [Gap(2, 3, 2, 4)]),
        ((0, 6), [Run(0, 0, 2), Run(3, 4, 2)], [Gap(2, 3, 2, 4), Gap(5, 6, 6, 6)]),
        ((5, 6), [], [Gap(5, 6, 6, 6)]),
    ],
)
def test_what_a_stretch_of_the_old_text_lies_in(
    stretch: tuple[int, int], runs: list[Run], gaps: list[Gap]
) -> None:
    alignment = align("abcdef", "abxyde")
    assert list(alignment.runs_of(*stretch)) == runs
    assert list(alignment.gaps_of(*stretch)) == gaps


def tiles(alignment: Alignment, side: int) -> list[int]:
    """The lines of one side, as runs and gaps name them."""
    parts = [(run[side], run[side] + run.size) for run in alignment.runs]
    parts += [(gap[2 * side], gap[2 * side + 1]) for gap in alignment.gaps()]
    return [at for first, end in sorted(parts) for at in range(first, end)]


@given(pairs())
def test_runs_are_equal_lines_in_order(both: tuple[Lines, Lines]) -> None:
    old, new = both
    alignment = align(old, new)
    i = j = 0
    for run in alignment.runs:
        assert run.size > 0
        assert run.old >= i
        assert run.new >= j
        i, j = run.old + run.size, run.new + run.size
        assert old[run.old : i] == new[run.new : j]
        assert (i <= len(old), j <= len(new)) == (True, True)


@given(pairs())
def test_runs_and_gaps_are_all_of_both_texts(both: tuple[Lines, Lines]) -> None:
    alignment = align(*both)
    assert [tiles(alignment, side) for side in (0, 1)] == [list(range(len(text))) for text in both]


@given(pairs())
def test_no_line_that_is_next_to_a_run_is_the_same(both: tuple[Lines, Lines]) -> None:
    old, new = both
    for gap in align(old, new).gaps():
        if gap.has_both:
            assert old[gap.old] != new[gap.new]


@given(texts)
def test_a_text_beside_itself_is_one_run(text: Lines) -> None:
    assert align(text, text).runs == ([Run(0, 0, len(text))] if text else [])


@given(texts, texts, texts)
def test_what_is_put_in_leaves_all_the_rest(head: Lines, put: Lines, tail: Lines) -> None:
    alignment = align([*head, *tail], [*head, *put, *tail])
    assert sum(run.size for run in alignment.runs) == len(head) + len(tail)


@given(pairs(), st.integers(0, 14), st.integers(1, 14))
def test_the_parts_of_a_stretch_are_those_of_the_whole(
    both: tuple[Lines, Lines], first: int, size: int
) -> None:
    alignment = align(*both)
    end = min(len(both[0]), first + size)
    assume(first < end)
    lines = range(first, end)
    held = [at for run in alignment.runs_of(first, end) for at in range(run.old, run.old + run.size)]
    gaps = list(alignment.gaps_of(first, end))
    assert held == [at for at in lines if alignment.run_at(at) is not None]
    assert gaps == [gap for gap in alignment.gaps() if set(range(gap.old, gap.old_end)) & set(lines)]


CALLS = ["start()", "a = one(1)", "    b = two(2)", "c = three(3)", "d = four(4)", "e = five(5)", "stop()"]


def test_lines_that_are_the_same_by_chance_are_let_go() -> None:
    deeper = [f"    {line}" for line in CALLS[1:5]]
    new = [CALLS[0], "if x:", *deeper, CALLS[2], f"    {CALLS[5]}", CALLS[6]]
    found = align(CALLS, new)
    assert found.run_at(2) == Run(2, 6, 1)
    assert realigned(found, CALLS, new, key).run_at(2) is None


def test_lines_that_are_the_same_are_kept_where_few_others_are() -> None:
    new = [CALLS[0], "x = 1", *CALLS[2:4], "y = 2", *CALLS[5:]]
    found = align(CALLS, new)
    assert realigned(found, CALLS, new, key) is found


@given(pairs())
def test_what_is_let_go_is_all_that_is_changed(both: tuple[Lines, Lines]) -> None:
    found = align(*both)
    again = realigned(found, *both, key)
    assert set(again.runs) <= set(found.runs)
    assert list(again.runs) == sorted(again.runs)
    assert again.sizes == found.sizes

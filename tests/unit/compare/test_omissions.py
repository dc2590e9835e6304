"""Marks that state lines: only what is true of the file passes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.judge import judge
from provenance.compare.marks import Mark
from provenance.evidence import Judgement, Verdict
from provenance.extract.lines import Text

NUMBERED = Text("".join(f"line number {number}\n" for number in range(1, 201)))


def shown(*rows: int | str) -> str:
    """A quote of numbered lines, and of marks as they are."""
    return "\n".join(row if isinstance(row, str) else f"line number {row}" for row in rows)


def judged(quote: str, lines: str) -> Judgement:
    return judge(quote, LineRange.parse(lines), NUMBERED)


@pytest.mark.parametrize(
    ("quote", "lines"),
    [
        pytest.param(
            shown(10, "… 2 lines omitted …", "… 3 lines omitted …", 100), "10-100", id="counts too small"
        ),
        pytest.param(shown(10, "… lines 11–99999 omitted …"), "10-12", id="a range past the file's end"),
        pytest.param(shown(10, "… lines 11–201 omitted …"), "10-12", id="one line past the file's end"),
        pytest.param(shown(10, "… 99999 lines omitted …"), "10-12", id="a count past the file's end"),
        pytest.param(shown(10, "… 191 lines omitted …"), "10-12", id="a count one past the file's end"),
        pytest.param(shown("… 9999 lines omitted …", 12), "10-12", id="a count past the file's beginning"),
        pytest.param(shown("… 12 lines omitted …", 12), "10-12", id="a count one past the beginning"),
        pytest.param(
            shown(10, "...", "… 5000 lines omitted …", 12), "10-12", id="too many beside a free one"
        ),
        pytest.param(
            shown(10, "… 2 lines omitted …", "...", 12), "10-12", id="one too many before a free one"
        ),
        pytest.param(
            shown(10, "… lines 11-12 omitted …", "… lines 28-29 omitted …", 30), "10-30", id="a hole between"
        ),
        pytest.param(
            shown(10, "… lines 21-29 omitted …", "… lines 11-20 omitted …", 30), "10-30", id="out of order"
        ),
        pytest.param(
            shown(10, "… lines 11-20 omitted …", "… 8 lines omitted …", 30), "10-30", id="one too few"
        ),
        pytest.param(shown(10, "… lines 12-14 omitted …", "...", 30), "10-30", id="away from the text above"),
        pytest.param(shown(10, "...", "… lines 12-14 omitted …", 30), "10-30", id="away from the text below"),
        pytest.param(shown(10, "...", "… lines 12-40 omitted …", "...", 30), "10-30", id="beyond the gap"),
        pytest.param(shown(197, 198, 199, 200, "# lines 201-400 omitted"), "197-200", id="behind the end"),
        pytest.param(shown(197, 198, 199, 200, "# 400 lines omitted"), "197-200", id="many behind the end"),
        pytest.param(shown(10, 11, 12, "… lines 150–160 omitted …"), "10-12", id="far from the quote's end"),
        pytest.param(shown("… lines 1–5 omitted …", 10, 11, 12), "10-12", id="far from its beginning"),
        pytest.param(
            shown(10, "...", *["… 0 lines omitted …"] * 2_000, 12), "10-12", id="more marks than are checked"
        ),
    ],
)
def test_a_false_mark_is_changed(quote: str, lines: str) -> None:
    answer = judged(quote, lines)
    assert answer.verdict is Verdict.CHANGED
    assert answer.message.startswith("a mark states that ")


@pytest.mark.parametrize(
    ("quote", "lines", "omitted"),
    [
        pytest.param(shown(10, "… 89 lines omitted …", 100), "10-100", "11-99", id="a count"),
        pytest.param(
            shown(10, "… 2 lines omitted …", "… 87 lines omitted …", 100), "10-100", "11-99", id="two counts"
        ),
        pytest.param(
            shown(10, "… lines 11-20 omitted …", "… lines 21-29 omitted …", 30),
            "10-30",
            "11-29",
            id="adjacent",
        ),
        pytest.param(
            shown(10, "… lines 11-20 omitted …", "… 9 lines omitted …", 30), "10-30", "11-29", id="mixed"
        ),
        pytest.param(
            shown(10, "… lines 11-14 omitted …", "...", 30), "10-30", "11-29", id="next to the text"
        ),
        pytest.param(
            shown(10, "...", "… 19 lines omitted …", 30), "10-30", "11-29", id="a free one for none"
        ),
        pytest.param(
            shown(10, "...", "… lines 12-14 omitted …", "...", 30), "10-30", "11-29", id="between free ones"
        ),
        pytest.param(shown(10, *["..."] * 2_000, 30), "10-30", "11-29", id="many free ones"),
        pytest.param(shown(10, "… lines 11–200 omitted …"), "10-12", "11-12", id="up to the file's end"),
        pytest.param(shown(10, "… 190 lines omitted …"), "10-12", "11-12", id="as many as there are below"),
        pytest.param(shown("… 11 lines omitted …", 12), "10-12", "10-11", id="as many as there are above"),
        pytest.param(
            shown(10, 11, 12, "… lines 13–20 omitted …"), "10-12", None, id="next to the quote's end"
        ),
        pytest.param(shown(10, 11, 12, "… 188 lines omitted …"), "10-12", None, id="all that is behind"),
    ],
)
def test_a_true_mark_is_elided(quote: str, lines: str, omitted: str | None) -> None:
    answer = judged(quote, lines)
    assert answer.verdict is Verdict.ELIDED
    assert answer.omitted == ((LineRange.parse(omitted),) if omitted else ())
    assert answer.notes == ()


@pytest.mark.parametrize(
    ("mark", "verdict"),
    [
        ("… lines 3–5 omitted …", Verdict.ELIDED),
        ("… lines 4–5 omitted …", Verdict.ELIDED),
        ("… line 5 omitted …", Verdict.CHANGED),
        ("… 3 lines omitted …", Verdict.ELIDED),
        ("… 4 lines omitted …", Verdict.CHANGED),
    ],
)
def test_blank_lines_between_the_cited_lines_and_a_mark_behind_them(mark: str, verdict: Verdict) -> None:
    answer = judge(f"a\nb\n{mark}", LineRange(1, 2), Text("a\nb\n\nc\nd\n"))
    assert answer.verdict is verdict


@pytest.mark.parametrize(
    ("quote", "lines", "omitted", "message"),
    [
        (
            shown("… 2 lines omitted …", 20),
            "10-20",
            "18-19",
            "the quote leaves out lines 10-17 without a mark; 20 holds it",
        ),
        (
            shown(10, "… 2 lines omitted …"),
            "10-20",
            "11-12",
            "the quote leaves out lines 13-20 without a mark; 10 holds it",
        ),
    ],
)
def test_a_true_count_at_an_end_that_does_not_reach_it(
    quote: str, lines: str, omitted: str, message: str
) -> None:
    answer = judged(quote, lines)
    assert (answer.verdict, answer.message) == (Verdict.PARTIAL, message)
    assert answer.omitted == (LineRange.parse(omitted),)


def test_a_count_leads_past_a_line_that_comes_again() -> None:
    answer = judge("a\n… 3 lines omitted …\nb\nd", LineRange(1, 6), Text("a\nb\nc\nc\nb\nd"))
    assert (answer.verdict, answer.omitted) == (Verdict.ELIDED, (LineRange(2, 4),))


def test_a_mark_for_none_states_the_truth_where_none_is_left_out() -> None:
    answer = judged(shown(10, "… 0 lines omitted …", 11), "10-11")
    assert (answer.verdict, answer.notes) == (Verdict.ELIDED, ("an omission mark stands for no line",))


MARK = st.one_of(
    st.just(Mark()),
    st.builds(lambda count: Mark(count=count), st.integers(0, 7)),
    st.builds(Mark, st.integers(1, 9), st.integers(1, 9)),
)
BODY = st.lists(st.booleans(), min_size=9, max_size=9).map(
    lambda blank: ["" if gone else f"line {number}" for number, gone in enumerate(blank, 1)]
)


def written(mark: Mark) -> str:
    return f"… {mark} omitted …" if mark.states else "…"


def ends(marks: list[Mark], at: int, body: list[str]) -> set[int]:
    """Where the text behind marks may begin whose lines begin at a certain one: every way is tried."""
    past = len(body) + 1
    starts = {at}
    while at < past and not body[at - 1]:
        at += 1
        starts.add(at)
    if not marks:
        return starts
    mark, *others = marks
    found: set[int] = set()
    for start in starts:
        if mark.first is not None and mark.last is not None:
            tried = [mark.last + 1] if start == mark.first <= mark.last else []
        elif mark.count is not None:
            tried = [start + mark.count]
        else:
            tried = list(range(start, past + 1))
        found |= {end for behind in tried if behind <= past for end in ends(others, behind, body)}
    return found


@given(BODY, st.lists(MARK, min_size=1, max_size=3), st.integers(1, 9), st.integers(0, 8))
@settings(max_examples=400, deadline=None)
def test_marks_are_true_where_a_division_of_the_gap_into_them_exists(
    body: list[str], marks: list[Mark], first: int, size: int
) -> None:
    last = min(first + size, 9)
    body[first - 1] = f"line {first}"
    said = [written(mark) for mark in marks]
    text, cited = Text("\n".join([*body, ""])), LineRange(first, last)
    must = max(number for number in range(first, last + 1) if body[number - 1])
    behind = judge("\n".join([body[first - 1], *said]), cited, text)
    assert (behind.verdict is Verdict.ELIDED) == any(end > must for end in ends(marks, first + 1, body))
    body[last - 1] = f"line {last}"
    text = Text("\n".join([*body, ""]))
    must = min(number for number in range(first, last + 1) if body[number - 1])
    before = judge("\n".join([*said, body[last - 1]]), cited, text)
    begins = (begin for begin in range(1, must + 1) if last in ends(marks, begin, body))
    assert (before.verdict is Verdict.ELIDED) == any(begins)
    if first < last:
        between = judge("\n".join([body[first - 1], *said, body[last - 1]]), cited, text)
        assert (between.verdict is Verdict.ELIDED) == (last in ends(marks, first + 1, body))

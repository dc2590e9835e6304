"""What must hold of every quote, range and file."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.diff import unified
from provenance.compare.judge import judge
from provenance.compare.lcs import common, pairs
from provenance.evidence import Verdict
from provenance.extract.lines import Text

BODIES = [
    "a = 1",
    "b(x)",
    "return x",
    "}",
    "...",
    "# ...",
    "",
    "f(…)",
    "g(a, ..., b)",
    "… lines 2–3 omitted …",
]
LINE = st.builds(
    lambda indent, body: (indent + body) if body else "",
    st.sampled_from(["", " ", "    ", "\t", "\t\t", "        "]),
    st.one_of(st.sampled_from(BODIES), st.text("ab \t.…#’\u200b\u202e\f\u2028", max_size=8)),
)
FILE = st.lists(LINE, min_size=1, max_size=24)
OK = {Verdict.EXACT, Verdict.WHITESPACE}
STANDS = OK | {Verdict.ELIDED}


@st.composite
def ranges(draw: st.DrawFn, most: int) -> LineRange:
    first = draw(st.integers(1, most))
    return LineRange(first, draw(st.integers(first, most)))


@given(FILE, FILE, ranges(30))
@settings(max_examples=400, deadline=None)
def test_no_quote_is_too_strange(source: list[str], quote: list[str], lines: LineRange) -> None:
    text = Text("\n".join(source) + "\n")
    answer = judge("\n".join(quote), lines, text)
    assert answer.similarity is None or 0.0 <= answer.similarity <= 1.0
    distances = [found.distance(lines) for found in answer.found_at]
    assert distances == sorted(distances)
    assert len(answer.found_at) <= 100
    for found in (*answer.found_at, *answer.omitted, *filter(None, [answer.suggestion])):
        assert found.last <= len(text)
    if lines.last > len(text):
        assert answer.verdict is Verdict.OUT_OF_RANGE


@given(FILE, FILE, ranges(30))
@settings(deadline=None)
def test_places_hold_the_quote(source: list[str], quote: list[str], lines: LineRange) -> None:
    text = Text("\n".join(source) + "\n")
    answer = judge("\n".join(quote) + "\n", lines, text)
    if answer.verdict in {Verdict.SHIFTED, Verdict.OUT_OF_RANGE}:
        for found in answer.found_at:
            assert judge("\n".join(quote) + "\n", found, text).verdict in STANDS
    if answer.verdict is Verdict.ANCHORED:
        assert answer.suggestion is not None
        assert judge("\n".join(quote) + "\n", answer.suggestion, text).verdict in STANDS


@given(FILE, st.data())
@settings(deadline=None)
def test_a_slice_is_exact_and_its_indentation_means_nothing(source: list[str], data: st.DataObject) -> None:
    text = Text("\n".join(source) + "\n")
    lines = data.draw(ranges(len(source)))
    held = text.slice(lines)
    assert judge("\n".join(held) + "\n", lines, text).verdict is Verdict.EXACT
    assert judge("\r\n".join(held) + "\r\n", lines, text).verdict is Verdict.EXACT
    if any(line.strip(" \t\f") for line in held):
        moved = "\n".join("        " + line if line else line for line in held)
        assert judge(moved + "\n", lines, text).verdict in OK


@given(FILE, FILE, ranges(30))
@settings(deadline=None)
def test_line_ends_change_nothing(source: list[str], quote: list[str], lines: LineRange) -> None:
    unix = judge("\n".join(quote), lines, Text("\n".join(source)))
    assert judge("\r\n".join(quote), lines, Text("\n".join(source))) == unix
    assert judge("\n".join(quote), lines, Text("\r\n".join(source))) == unix


@given(st.lists(st.integers(0, 9), min_size=3, max_size=30, unique_by=lambda number: number), st.data())
@settings(deadline=None)
def test_a_mark_for_what_is_dropped_is_elided(numbers: list[int], data: st.DataObject) -> None:
    source = [f"    step_{number}()" for number in numbers]
    cut = data.draw(st.integers(1, len(source) - 2))
    end = data.draw(st.integers(cut + 1, len(source) - 1))
    quote = [*source[:cut], "...", *source[end:]]
    answer = judge("\n".join(quote), LineRange(1, len(source)), Text("\n".join(source)))
    assert (answer.verdict, answer.omitted) == (Verdict.ELIDED, (LineRange(cut + 1, end),))
    stated = [*source[:cut], f"… lines {cut + 1}–{end} omitted …", *source[end:]]
    assert judge("\n".join(stated), LineRange(1, len(source)), Text("\n".join(source))) == answer
    bare = judge(
        "\n".join([*source[:cut], *source[end:]]), LineRange(1, len(source)), Text("\n".join(source))
    )
    assert bare.verdict is Verdict.PARTIAL


@given(st.integers(0, 20), st.integers(1, 8))
@settings(deadline=None)
def test_a_shifted_citation_is_found(by: int, size: int) -> None:
    source = [f"value_{number} = {number}" for number in range(60)]
    first = 15
    held = LineRange(first, first + size)
    cited = LineRange(held.first + by + size + 1, held.last + by + size + 1)
    answer = judge("\n".join(source[held.first - 1 : held.last]), cited, Text("\n".join(source)))
    assert (answer.verdict, answer.found_at, answer.suggestion) == (Verdict.SHIFTED, (held,), held)


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
@settings(deadline=None)
def test_the_longest_common_subsequence(left: list[str], right: list[str]) -> None:
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, ours in enumerate(left):
        for j, theirs in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if ours == theirs else max(table[i][j + 1], table[i + 1][j])
    assert common(left, right) == table[-1][-1]
    found = pairs(left, right)
    assert len(found) == table[-1][-1]
    assert all(left[i] == right[j] for i, j in found)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(found))


@given(FILE, FILE)
@settings(deadline=None)
def test_a_diff_accounts_for_every_line(source: list[str], quote: list[str]) -> None:
    rows = unified(quote, source, LineRange(1, len(source)), path="p").split("\n")[2:]
    removed = [row[1:] for row in rows if row.startswith("-")]
    added = [row[1:] for row in rows if row.startswith("+")]
    assert not Counter(removed) - Counter(quote)
    assert not Counter(added) - Counter(source)
    assert len(quote) - len(removed) == len(source) - len(added)

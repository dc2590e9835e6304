from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.publish.filing import MOST_LINES, stretches
from provenance.report.site.code import Lines

FILE = Lines(["x = 1"] * 20_000)
WIDE = Lines(["x" * 3_000] * 20_000)


def shown(cited: list[LineRange], source: Lines = FILE) -> list[LineRange]:
    return [*stretches(cited, source).shown]


@given(
    st.lists(
        st.builds(
            lambda first, more: LineRange(first, first + more),
            st.integers(1, 21_000),
            st.one_of(st.integers(0, 20), st.integers(0, 21_000)),
        ),
        max_size=40,
    )
)
def test_every_citation_begins_on_the_page_and_the_page_has_an_end(cited: list[LineRange]) -> None:
    for source in (FILE, WIDE):
        found = shown(cited, source)
        numbers = [number for lines in found for number in range(lines.first, lines.last + 1)]
        assert numbers == sorted(set(numbers))
        assert {min(lines.first, len(source)) for lines in cited} <= set(numbers)
        assert len(numbers) <= MOST_LINES
        assert all(before.last + 1 < after.first for before, after in pairwise(found))


def test_many_citations_are_shown_with_less_around_them() -> None:
    cited = [LineRange(at, at + 8) for at in range(1, 19_000, 60)]
    found = shown(cited)
    assert len(found) == len(cited)
    assert all(any(lines.holds(each) for lines in found) for each in cited)
    assert found[1] == LineRange(61 - 3, 69 + 3)


def test_a_citation_of_more_than_a_page_is_cut_and_that_is_told() -> None:
    found = stretches([LineRange(1, 20_000), LineRange(15_000, 15_003)], FILE)
    assert [*found.shown] == [LineRange(1, 2_003), LineRange(14_997, 15_006)]
    assert found.most == 2_000
    assert stretches([LineRange(9, 20)], FILE).most == 0


def test_there_is_a_line_for_each_citation_however_many_there_are() -> None:
    cited = [LineRange(at, at + 5_000) for at in range(1, 20_000, 2)]
    assert shown(cited) == [LineRange(at, at) for at in range(1, 20_000, 2)]

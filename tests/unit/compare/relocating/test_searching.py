"""A block that went, looked for among added lines; and the votes that say where to look."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lines import cut, ranged
from support.marking import Marked, marked

from provenance.compare.relocating.body import Body, Stretch
from provenance.compare.relocating.searching import Block, Find, Search, Site
from provenance.compare.relocating.voting import FINALISTS, Added, Ballot

BLOCK = """
    .import table
    .
    .def load(index):
    .    return table.load(index)
    .
    |def find(index, queue):
    |    state = table.find(index)
    |    if state.ready:
    |        queue.append(state)
    |    return queue
    .
    .def close(table):
    .    table.flush(sync=True)
"""
LINES = marked(BLOCK).body.lines[5:10]


def block(body: Body, lines: Stretch, gone: Stretch | None = None) -> Block:
    """Lines all of which count."""
    return Block(body, lines, gone or lines, frozenset(range(lines.first, lines.last + 1)))


def whole(path: str, *lines: str) -> Site:
    """A file that is new."""
    return Site(path, Body(lines), [(0, len(lines))])


def found(sites: list[Site], text: str = BLOCK, gone: Stretch | None = None) -> list[Find]:
    old = marked(text)
    return Search(sites).find(block(old.body, old.range, gone))


FOUND = {
    "at the beginning of a file": """
        |def find(index, queue):
        |    state = table.find(index)
        |    if state.ready:
        |        queue.append(state)
        |    return queue
        .
        .def other(thing):
        .    pass
    """,
    "in the middle of it": """
        .def other(thing):
        .    pass
        .
        |def find(index, queue):
        |    state = table.find(index)
        |    if state.ready:
        |        queue.append(state)
        |    return queue
        .
        .def another(thing):
        .    pass
    """,
    "indented": """
        .class Table:
        .    size = 12
        .
        |    def find(index, queue):
        |        state = table.find(index)
        |        if state.ready:
        |            queue.append(state)
        |        return queue
    """,
    "with an argument more": """
        .from table import Table
        |def find(self, index, queue):
        |    state = table.find(index)
        |    if state.ready:
        |        queue.append(state)
        |    return queue
    """,
    "with a line more": """
        .from table import Table
        |def find(index, queue):
        |    state = table.find(index)
        |    log(state)
        |    if state.ready:
        |        queue.append(state)
        |    return queue
    """,
    "of another name": """
        .from table import Table
        |def find_all(index, queue):
        |    state = table.find(index)
        |    if state.ready:
        |        queue.append(state)
        |    return queue
    """,
    "before what stood before it": """
        |def find(index, queue):
        |    state = table.find(index)
        |    if state.ready:
        |        queue.append(state)
        |    return queue
        .
        .def load(index):
        .    return table.load(index)
    """,
}


@pytest.mark.parametrize("text", FOUND.values(), ids=FOUND)
def test_a_block_in_another_file(text: str) -> None:
    new = marked(text)
    best, *_ = found([whole("other.py", "def other(thing):", "    pass"), whole("new.py", *new.body.lines)])
    assert (best.path, best.lines) == ("new.py", new.range)
    assert best.is_whole == (cut(new.body, new.range) == LINES)
    assert best.kept > 0.7
    assert best.evidence > 6


@pytest.mark.parametrize("lines", [[], [""], ["def other(thing):", "    pass"], ["}", "{", "})"]])
def test_a_block_that_is_nowhere(lines: list[str]) -> None:
    assert all(find.kept < 0.2 for find in found([whole("new.py", *lines)]))


def test_a_block_that_is_in_no_file() -> None:
    assert found([]) == []


def test_one_step_is_searched_for_many_blocks() -> None:
    old = marked(BLOCK).body
    sites = [whole("b.py", *reversed(LINES), *LINES), whole("c.py", *old.lines)]
    search = Search(iter(sites))
    for first in range(len(old)):
        one = block(old, Stretch(first, min(first + 2, len(old) - 1)))
        assert search.find(one) == Search(sites).find(one)


def test_lines_that_were_there_before_are_no_place() -> None:
    body = Body([*LINES, "", "", "def other(thing):", "    pass"])
    assert found([Site("new.py", body, [(7, 9)])]) == []


def test_a_place_reaches_no_lines_that_were_there_before() -> None:
    body = Body([*LINES[:2], *LINES])
    (find, *_) = found([Site("new.py", body, [(2, 7)])])
    assert find == found([Site("new.py", body, [(2, 7)])])[0]
    assert find.lines == Stretch(2, 6)


def test_two_places_are_both_found() -> None:
    one, other = found([whole("b.py", *LINES), whole("c.py", "# Another one.", *LINES)])[:2]
    assert {(find.path, find.lines) for find in (one, other)} == {
        ("b.py", Stretch(0, 4)),
        ("c.py", Stretch(1, 5)),
    }
    assert (one.score, one.is_whole, other.is_whole) == (other.score, True, True)


def test_two_places_of_one_file_are_both_found() -> None:
    between = [f"other_{at} = {at}" for at in range(40)]
    twice = whole("b.py", *LINES, *between, *LINES)
    assert {find.lines for find in found([twice])[:2]} == {Stretch(0, 4), Stretch(45, 49)}


def test_of_two_places_that_is_better_which_has_what_went_with_the_block() -> None:
    old = marked(BLOCK).body
    alone, together = whole("b.py", *LINES), whole("c.py", *old.lines)
    best, second = found([alone, together], gone=Stretch(0, len(old) - 1))[:2]
    assert (best.path, best.lines, best.around) == ("c.py", Stretch(5, 9), 1.0)
    assert (second.path, second.around) == ("b.py", 0.0)
    assert best.score > second.score
    assert best.evidence > second.evidence


def test_what_stayed_at_the_old_place_counts_for_nothing() -> None:
    old = marked(BLOCK).body
    assert found([whole("c.py", *old.lines)])[0].around == 0.0


@pytest.mark.parametrize(
    ("gone", "window"),
    [
        pytest.param(Stretch(50, 59), Stretch(50, 59), id="the block alone"),
        pytest.param(Stretch(45, 61), Stretch(45, 61), id="some lines"),
        pytest.param(Stretch(0, 99), Stretch(38, 71), id="more than are looked at"),
    ],
)
def test_what_is_looked_at_of_what_went(gone: Stretch, window: Stretch) -> None:
    assert block(Body(["a"] * 100), Stretch(50, 59), gone).window == window


def votes(old: Marked, *sites: Added) -> list[tuple[int, int]]:
    return Ballot(sites).places(old.body, old.range, old.range)


def test_a_block_may_begin_where_its_lines_say() -> None:
    new = Body(["# One.", "# Two.", *LINES, "# Three."])
    assert votes(marked(BLOCK), Added(Body([]), []), Added(new, [(0, 8)]))[0] == (1, 2)


def test_one_rare_line_is_enough() -> None:
    new = Body(["pass", "pass", "        queue.append(state)"])
    assert votes(marked(BLOCK), Added(new, [(0, 3)]))[0] == (0, -1)


def test_what_stands_everywhere_has_no_vote() -> None:
    many = Body(["    return queue"] * 51)
    assert votes(marked(BLOCK), Added(many, [(0, 51)])) == []
    few = Body(["    return queue"] * 2)
    assert votes(marked(BLOCK), Added(few, [(0, 2)])) != []


def test_places_are_few_and_apart() -> None:
    many = Body([line for _ in range(20) for line in ("# Another one.", *LINES)])
    voted = votes(marked(BLOCK), Added(many, [(0, len(many))]))
    assert len(voted) == FINALISTS
    starts = sorted(at for _, at in voted)
    assert all(after - before > 3 for before, after in pairwise(starts))


@given(ranged(), st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=2))
def test_places_are_lines_of_their_files(
    case: tuple[Body, Stretch, Body], stretches: list[tuple[int, int]]
) -> None:
    old, lines, new = case
    added = [(min(pair), min(max(pair), len(new))) for pair in stretches if min(pair) < len(new)]
    finds = Search([Site("a", new, added), Site("b", new, [(0, len(new))])]).find(block(old, lines))
    for find in finds:
        assert cut(new, find.lines)
        assert 0 <= find.kept <= 1
        assert 0 <= find.around <= 1
        assert set(range(find.lines.first, find.lines.last + 1)) >= find.own
        if find.is_whole:
            assert cut(new, find.lines) == cut(old, lines)
    assert [find.score for find in finds] == sorted((find.score for find in finds), reverse=True)
    for path in "ab":
        own = sorted(find.lines for find in finds if find.path == path)
        assert all(one.last < other.first for one, other in pairwise(own))

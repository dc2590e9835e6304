"""Ways through made-up histories."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.origin.git_graph import CommitGraph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.history import Link

# Each a letter and its parents' letters, the first parent first.
LINE = "a b:a c:b d:c"
SIDE = "a b:a s:a t:s m:bt n:m"
OCTOPUS = "a b:a c:a d:a o:bcd"
CRISS_CROSS = "a b:a c:a d:bc e:cb f:d g:e"
ROOTS = "a b:a x y:x m:by"


def parsed(text: str) -> dict[str, str]:
    parts = (word.partition(":") for word in text.split())
    return {name: parents for name, _, parents in parts}


def graph(commits: Mapping[str, str]) -> CommitGraph:
    made = CommitGraph()
    for name, parents in reversed(list(commits.items())):  # git lists the newest first
        made.add(name, list(parents))
    return made


def walked(links: list[Link] | None) -> str | None:
    """The commits on a way, joined."""
    if links is None:
        return None
    assert all(before.new == after.old for before, after in itertools.pairwise(links))
    return "".join([links[0].old, *(link.new for link in links)]) if links else ""


@pytest.mark.parametrize(
    ("commits", "old", "new", "way"),
    [
        (LINE, "a", "d", "abcd"),
        (LINE, "b", "b", ""),
        (LINE, "d", "b", "dcb"),
        (SIDE, "a", "n", "abmn"),
        (SIDE, "s", "n", "stmn"),
        (SIDE, "t", "a", "tsa"),
        (SIDE, "n", "s", "nmts"),
        (SIDE, "b", "t", None),
        (OCTOPUS, "a", "o", "abo"),
        (OCTOPUS, "d", "o", "do"),
        (CRISS_CROSS, "a", "f", "abdf"),
        (CRISS_CROSS, "a", "g", "aceg"),
        (CRISS_CROSS, "c", "f", "cdf"),
        (CRISS_CROSS, "b", "g", "beg"),
        (CRISS_CROSS, "d", "e", None),
        (ROOTS, "x", "m", "xym"),
        (ROOTS, "a", "x", None),
    ],
)
def test_a_way_takes_the_first_parent_that_leads_there(
    commits: str, old: str, new: str, way: str | None
) -> None:
    links = graph(parsed(commits)).way(old, new)
    assert walked(links) == way
    if links:
        child = {(link.old, link.new): link.commit for link in links}
        assert all(
            one in parsed(commits)[other] for pair, other in child.items() for one in set(pair) - {other}
        )


@pytest.mark.parametrize(
    ("commits", "one", "other", "bases"),
    [
        (LINE, "b", "d", {"b"}),
        (SIDE, "b", "t", {"a"}),
        (CRISS_CROSS, "f", "g", {"b", "c"}),
        (ROOTS, "b", "y", set()),
        (OCTOPUS, "o", "d", {"d"}),
    ],
)
def test_where_two_commits_meet(commits: str, one: str, other: str, bases: set[str]) -> None:
    made = graph(parsed(commits))
    assert set(made.bases(one, other)) == set(made.bases(other, one)) == bases


def test_a_history_that_is_cut_off_is_known_as_such() -> None:
    made = graph({"b": "a", "c": "b", "x": ""})
    assert made.is_cut("c")
    assert not made.is_cut("x")
    assert "a" not in made
    assert "elsewhere" not in made
    assert len(made) == 3
    made.add("a", [])
    made.add("a", ["x"])  # is known already
    assert not made.is_cut("c")
    assert made.bases("c", "x") == []


@st.composite
def histories(draw: st.DrawFn) -> dict[str, list[int]]:
    size = draw(st.integers(1, 12))
    return {
        str(number): draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True)) if number else []
        for number in range(size)
    }


@given(histories(), st.data())
def test_a_way_is_there_just_where_one_descends_from_the_other(
    history: dict[str, list[int]], data: st.DataObject
) -> None:
    made = CommitGraph()
    for name, parents in history.items():
        made.add(name, list(map(str, parents)))
    above = {name: {name} for name in history}
    for name, parents in history.items():
        for parent in parents:
            above[name] |= above[str(parent)]
    old, new = (data.draw(st.sampled_from(sorted(history))) for _ in range(2))
    links = made.way(old, new)
    assert (links is not None) is (old in above[new] or new in above[old])
    if links:
        assert (links[0].old, links[-1].new) == (old, new)
        for before, after in itertools.pairwise(links):
            assert before.new == after.old
        for link in links:
            other = link.old if link.commit == link.new else link.new
            assert int(other) in history[link.commit]
    common = above[old] & above[new]
    assert set(made.bases(old, new)) == {
        one for one in common if not any(one in above[two] for two in common - {one})
    }

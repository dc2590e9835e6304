"""Which lines became which, where they were rewritten."""

from __future__ import annotations

import pytest
from hypothesis import given
from support.lines import Lines, pairs

from provenance.compare.relocating.alignment import Gap
from provenance.compare.relocating.body import Body
from provenance.compare.relocating.pairing import Pair, paired


def all_of(old: Lines, new: Lines) -> list[Pair]:
    return paired(Body(old), Body(new), Gap(0, len(old), 0, len(new)))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param([], ["a = 1"], [], id="nothing before"),
        pytest.param(["a = 1"], [], [], id="nothing after"),
        pytest.param(["queue = find(item)"], ["  queue = find( item )"], [(0, 0)], id="white space"),
        pytest.param(["queue = find('a')"], ['queue = find("a")'], [(0, 0)], id="quotation marks"),
        pytest.param(["queue = find(item)"], ["queue = find(entry)"], [(0, 0)], id="a word"),
        pytest.param(["queue = find(item)"], ["raise Stopped"], [], id="something else"),
        pytest.param(
            ["queue = find(item, index, limit)"],
            ["queue = find(", "    item,", "    index,", "    limit,", ")"],
            [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4)],
            id="split",
        ),
        pytest.param(
            ["queue = find(", "    item,", "    index,", ")"],
            ["queue = find(item, index)"],
            [(0, 0), (1, 0), (2, 0), (3, 0)],
            id="joined",
        ),
        pytest.param(
            ["first = load(path)", "queue = find(item)"],
            ["first = load(folder)", "check(first)", "queue = find(entry)"],
            [(0, 0), (1, 2)],
            id="a new line between",
        ),
        pytest.param(
            ["first = load(path)", "check(first)", "queue = find(item)"],
            ["first = load(folder)", "queue = find(entry)"],
            [(0, 0), (2, 1)],
            id="a line less between",
        ),
        pytest.param(
            ["if queue.ready:", "    send(queue)"],
            ["if queue.ready and index:", "    send(queue, index)"],
            [(0, 0), (1, 1)],
            id="each rewritten",
        ),
        pytest.param(
            ["queue.send(item, index)", "x = 1", "state = first"],
            ["queue.send(item, limit)", "send(index, state)", "state = other"],
            [(0, 0), (2, 2)],
            id="one of them something else",
        ),
        pytest.param(
            ["item, index, queue = first", "state = load(path)"],
            ["state, queue, index, item = load(path), first"],
            [(0, 0), (1, 0)],
            id="joined in another order",
        ),
    ],
)
def test_lines_that_belong_together(old: Lines, new: Lines, expected: list[tuple[int, int]]) -> None:
    assert [(pair.old, pair.new) for pair in all_of(old, new)] == expected


def test_what_a_pair_shares_is_at_most_what_its_lines_say() -> None:
    (pair,) = all_of(["queue = find(item)"], ["queue = find(entry)"])
    old = Body(["queue = find(item)"])
    assert 0 < pair.shared < old.weight(0)


def test_a_gap_is_looked_at_alone() -> None:
    old = Body(["queue = find(item)", "state = load(path)", "queue = find(item)"])
    new = Body(["queue = find(entry)", "state = load(folder)", "queue = find(entry)"])
    assert [(pair.old, pair.new) for pair in paired(old, new, Gap(1, 2, 1, 2))] == [(1, 1)]


def test_what_is_too_long_is_not_compared_by_tokens() -> None:
    old = [f"line_{at} = find(item_{at})" for at in range(2_000)]
    new = [f"line_{at} = seek(item_{at})" for at in range(2_001)]
    assert all_of(old, new) == []


@given(pairs())
def test_pairs_are_lines_of_the_gap_in_order(both: tuple[Lines, Lines]) -> None:
    old, new = both
    found = all_of(old, new)
    assert found == sorted(found)
    for pair in found:
        assert 0 <= pair.old < len(old)
        assert 0 <= pair.new < len(new)
        assert 0 <= pair.shared <= Body(old).weight(pair.old) + 1e-9

"""Work in threads."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from provenance.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.mark.parametrize("jobs", [1, 3, 64])
@pytest.mark.parametrize("count", [0, 1, 200])
def test_every_result_of_every_piece_is_handed_out_once(jobs: int, count: int) -> None:
    found = list(Workers(range(count), lambda piece: [piece, -piece], jobs=jobs).results())
    assert sorted(found) == sorted([*range(count), *(-piece for piece in range(count))])


def test_pieces_are_done_at_once() -> None:
    together = threading.Barrier(3, timeout=10)

    def do(piece: int) -> Iterator[int]:
        together.wait()
        yield piece

    assert sorted(Workers(range(3), do, jobs=3).results()) == [0, 1, 2]


def test_what_breaks_a_piece_is_raised_where_the_results_are_awaited() -> None:
    def do(piece: int) -> Iterator[int]:
        yield 1 // piece

    with pytest.raises(ZeroDivisionError):
        list(Workers([0], do, jobs=2).results())


def test_nothing_is_begun_before_results_are_asked_for_nor_after_nobody_takes_them() -> None:
    begun: list[int] = []

    def do(piece: int) -> list[int]:
        begun.append(piece)
        return [piece] * 100

    results = Workers(range(1000), do, jobs=1).results()
    assert begun == []
    assert next(results) == 0
    del results
    assert len(begun) < 1000

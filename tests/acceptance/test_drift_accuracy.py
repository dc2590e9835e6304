"""Lines are found where they are, in made-up histories of which that is known."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from support.chronicle import asked, chronicle
from support.histories import grow
from support.ledger import known
from support.listening import Recorder
from support.repositories import Repository
from support.scoring import Answer, Prediction, Tally

from provenance.answers import Unreached
from provenance.citation import LineRange
from provenance.drift.follow import Place, follow
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.ledger import Asked, Tree
    from support.scoring import Truth

    from provenance.relocation import Relocation

_COMMITS = 40
_EACH = 40
"""Places of one commit that are followed."""


def test_lines_are_found_where_they_are(tmp_path: Path) -> None:
    tally, lies, count = Tally(), Counter[str](), 0
    for seed in range(1, 9):
        for place, truth, found in _followed(tmp_path / str(seed), seed):
            scored = tally.add(_categories(place, truth), truth, Prediction.of(found))
            lies[f"seed {seed}: {place} was said to be at {found.end}, and is at {truth}"] += scored.lie
            count += 1

    of = tally.categories
    assert count > 800
    assert of["all"].share("exact") >= 0.98
    assert of["moved file"].share("exact") >= 0.97
    assert of["edited"].share("exact") >= 0.95
    assert of["same"].share("exact") >= 0.98
    assert min(tally.precision, tally.recall) >= 0.97
    assert of["all"].share("lie") <= 0.01, list(+lies)


def _categories(place: Asked, truth: Truth) -> Iterator[str]:
    yield "all"
    yield "moved file" if truth.path not in {None, place.path} else truth.answer


def _followed(folder: Path, seed: int) -> Iterator[tuple[Asked, Truth, Relocation]]:
    """Places of three commits at the newest one, where that is beyond dispute."""
    made = chronicle(seed, _COMMITS)
    repository = Repository.at(folder / "r.git")
    ids = grow(repository, made.commits())
    new = made.trees[made.last]
    policy = AddressPolicy(allow_local=True)
    with GitOrigin(folder / "cache", policy=policy, listener=Recorder()) as origin:
        history = origin.history(str(repository.path), [ids[made.last]])
        assert not isinstance(history, Unreached), history
        with history:
            for name in ("c0", "c10", "c20"):
                old = made.trees[name]
                places = list(asked(old, seed, _EACH))
                wanted = [Place(one.path, LineRange(one.first, one.last)) for one in places]
                found = follow(history, ids[name], ids[made.last], wanted)
                for place, one in zip(places, found, strict=True):
                    _check(old, place, new, one)
                    truth = known(old, place, new)
                    if truth is not None:
                        yield place, truth, one


def _check(old: Tree, place: Asked, new: Tree, found: Relocation) -> None:
    """What is said to be the same is so, byte for byte; what is said to be edited is not."""
    if found.end is None or found.end.lines is None:
        return
    before = [line.text for line in old[place.path].lines[place.first - 1 : place.last]]
    there = [line.text for line in new[found.end.path].lines]
    after = there[found.end.lines.first - 1 : found.end.lines.last]
    assert (before == after) == (Prediction.of(found).answer is Answer.SAME), (place, found)

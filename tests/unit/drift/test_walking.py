"""Following lines step by step: what a walker writes on their trail."""

from __future__ import annotations

import pytest
from support.watched import SYMLINK, Tree, Watched

from provenance.compare.relocating.body import Stretch
from provenance.drift.bodies import Bodies
from provenance.drift.timeline import Ends, Way
from provenance.drift.trail import Start, Trail
from provenance.drift.walking import Walker
from provenance.evidence import object_id
from provenance.history import NoWay

TOP = "import table\n\n\n"
FIND = """\
def find(index, queue):
    state = table.find(index, limit=12)
    if state.ready:
        queue.append(state)
    return queue
"""
FILE = TOP + FIND
LINES = Stretch(3, 7)


def begin(file: str = FILE, lines: Stretch = LINES) -> Trail:
    return Start("a.py", object_id("blob", file.encode()), lines).trail()


def walk(past: Watched, old: str, new: str, *, nested: bool = False) -> Trail:
    links = past.way(past.ids[old], past.ids[new])
    assert not isinstance(links, NoWay)
    trail = begin()
    Walker(past, Bodies(past)).walk(trail, Way(past, links), into_merges=not nested)
    return trail


def along(*trees: Tree) -> tuple[Watched, Trail]:
    past = Watched.row(*trees)
    return past, walk(past, "0", str(len(trees) - 1))


def names(past: Watched, commits: list[str]) -> list[str | None]:
    return [past.name(commit) for commit in commits]


def test_lines_that_nothing_happens_to() -> None:
    _, trail = along({"a.py": FILE}, {"a.py": FILE}, {"a.py": FILE})
    assert trail.at == 2
    assert (trail.path, trail.lines, trail.edits, trail.moves, trail.shift) == ("a.py", LINES, [], [], None)
    assert trail.own == set(range(3, 8))
    assert not trail.has_ended


def test_a_shift_is_a_time_in_which_they_stayed_the_same() -> None:
    _, trail = along({"a.py": FILE}, {"a.py": "# one\n" + FILE}, {"a.py": "# one\n# two\n" + FILE})
    assert (trail.lines, trail.edits, trail.moves) == (Stretch(5, 9), [], [])
    assert trail.shift is not None
    assert (trail.shift.start, trail.shift.end, trail.shift.lines) == (0, 2, LINES)


def test_edits_and_moves_are_told_in_their_order() -> None:
    first, second = FILE.replace("12", "13"), FILE.replace("12", "14")
    past, trail = along({"a.py": FILE}, {"a.py": first}, {"b.py": first}, {"b.py": second}, {"c.py": second})
    assert names(past, trail.edits) == ["1", "3"]
    assert names(past, trail.moves) == ["2", "4"]
    assert (trail.path, trail.lines, trail.at) == ("c.py", LINES, 4)
    assert 0.8 < trail.least < 1


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        pytest.param({"a.py": TOP}, "", id="taken out"),
        pytest.param({}, "a.py was deleted", id="with their file"),
        pytest.param({"a.py": SYMLINK}, "a.py became a symbolic link", id="a link stands there"),
    ],
)
def test_lines_that_end(tree: Tree, reason: str) -> None:
    past, trail = along({"a.py": FILE}, {"a.py": FILE}, tree, {})
    assert trail.has_ended
    assert (past.name(trail.ended_by), trail.reason, trail.is_readable) == ("2", reason, True)


def test_what_cannot_be_read_is_no_end() -> None:
    _, trail = along({"a.py": FILE}, {"a.py": b"\0"})
    assert trail.has_ended
    assert (trail.ended_by, trail.is_readable) == (None, False)
    assert trail.reason == "a.py is no text: binary content"


def test_places_that_are_equally_good_go_on_from_there() -> None:
    past, trail = along(
        {"a.py": FILE, "b.py": "one = 1\n", "c.py": "one = 1\n"},
        {"a.py": TOP, "b.py": "one = 1\n" + FIND, "c.py": "one = 1\n" + FIND},
        {"a.py": TOP, "b.py": "one = 1\n" + FIND, "c.py": "one = 1\n"},
    )
    assert trail.has_ended
    assert {(rival.path, rival.at, rival.lines) for rival in trail.rivals} == {
        ("b.py", 1, Stretch(1, 5)),
        ("c.py", 1, Stretch(1, 5)),
    }
    assert [names(past, rival.moves) for rival in trail.rivals] == [["1"], ["1"]]


def merged() -> Watched:
    edited = FILE.replace("12", "13")
    trees: dict[str, Tree] = {
        "base": {"a.py": FILE},
        "main": {"a.py": FILE, "b.py": "one = 1\n"},
        "side": {"a.py": edited},
        "merge": {"a.py": edited, "b.py": "one = 1\n"},
    }
    return Watched(trees, {"base": (), "main": ("base",), "side": ("base",), "merge": ("main", "side")})


@pytest.mark.parametrize(("nested", "commit"), [(False, "side"), (True, "merge")])
def test_merges_are_looked_into_unless_they_are_to_be_taken_as_they_are(nested: bool, commit: str) -> None:
    past = merged()
    assert names(past, walk(past, "base", "merge", nested=nested).edits) == [commit]


def test_on_the_way_back_a_merge_is_one_step() -> None:
    past = merged()
    links = past.way(past.ids["merge"], past.ids["main"])
    assert not isinstance(links, NoWay)
    trail = begin(FILE.replace("12", "13"))
    Walker(past, Bodies(past)).walk(trail, Way(past, links))
    assert names(past, trail.edits) == ["merge"]


def test_two_ends_alone_need_no_history() -> None:
    past = Watched.row({"a.py": FILE}, {"b.py": "# one\n" + FILE})
    step = past.between(past.ids["0"], past.ids["1"])
    trail = begin()
    Walker(None, Bodies(past)).walk(trail, Ends(step.changes, step.link), into_merges=False)
    assert (trail.path, trail.lines, trail.at) == ("b.py", Stretch(4, 8), 1)


def test_a_copy_of_a_trail_goes_a_way_of_its_own() -> None:
    trail = begin()
    other = trail.fork()
    other.edits.append("1" * 40)
    other.moves.append("2" * 40)
    other.go(Stretch(4, 8))
    assert (trail.edits, trail.moves, trail.lines) == ([], [], LINES)
    assert trail.own == set(range(3, 8))

    trail.adopt(other)
    assert (trail.edits, trail.moves) == (["1" * 40], ["2" * 40])
    assert trail.lines == Stretch(4, 8)
    assert trail.own == set(range(4, 9))
    assert not trail.has_ended

    other.end("3" * 40, "gone")
    trail.adopt(other)
    assert (trail.ended_by, trail.reason, trail.has_ended) == ("3" * 40, "gone", True)

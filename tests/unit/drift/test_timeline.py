"""Ways through history, and what is looked up of them."""

from __future__ import annotations

from support.watched import SYMLINK, Watched

from provenance.drift.timeline import Ends, Timeline, Way
from provenance.evidence import object_id
from provenance.history import FileChange, Link, NoWay, TreeEntry

ONE, TWO = (TreeEntry("100644", object_id("blob", data)) for data in (b"one\n", b"two\n"))


def way(past: Watched, old: str, new: str) -> Way:
    links = past.way(past.ids[old], past.ids[new])
    assert not isinstance(links, NoWay)
    return Way(past, links)


def row() -> Watched:
    return Watched.row({"a": "one\n"}, {"a": "one\n", "b": "two\n"}, {"a": "two\n", "b": SYMLINK})


def test_a_point_is_a_commit_of_the_way() -> None:
    past = row()
    found = way(past, "0", "2")
    assert found.length == 2
    assert [found.entry(at, "a") for at in range(3)] == [ONE, ONE, TWO]
    assert [found.entry(at, "b") for at in range(3)] == [None, TWO, SYMLINK]
    assert [found.entry(at, "c") for at in range(3)] == [None, None, None]
    ids = [past.ids[name] for name in "012"]
    assert [found.link(at) for at in range(2)] == [Link(ids[0], ids[1], ids[1]), Link(ids[1], ids[2], ids[2])]


def test_what_a_link_changes() -> None:
    found = way(row(), "0", "2")
    assert list(found.changes(0)) == [FileChange("b", None, TWO)]
    assert list(found.changes(1)) == [FileChange("a", ONE, TWO), FileChange("b", TWO, SYMLINK)]


def test_a_way_may_lead_back() -> None:
    found = way(row(), "2", "0")
    assert [found.entry(at, "a") for at in range(3)] == [TWO, ONE, ONE]
    assert list(found.changes(1)) == [FileChange("b", TWO, None)]


def test_a_link_without_changes() -> None:
    assert list(way(Watched.row({"a": "one\n"}, {"a": "one\n"}), "0", "1").changes(0)) == []


def test_nothing_is_looked_up_twice() -> None:
    past = row()
    found = way(past, "0", "2")
    for _ in range(3):
        found.entry(1, "a")
        found.entry(1, "no")
        found.changes(1)
    assert (past.asked["entries"], past.asked["steps"]) == (2, 1)


def test_two_ends_are_one_link() -> None:
    link = Link("1" * 40, "2" * 40, "2" * 40)
    changes = [FileChange("a", ONE, TWO), FileChange("b", None, ONE), FileChange("c", ONE, None)]
    found: Timeline = Ends(changes, link)
    assert (found.length, found.link(0), found.changes(0)) == (1, link, changes)
    assert [found.entry(0, path) for path in "abc"] == [ONE, None, ONE]
    assert [found.entry(1, path) for path in "abc"] == [TWO, ONE, None]

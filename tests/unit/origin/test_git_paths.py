"""Files by the ends of their paths, on trees in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from provenance.answers import Unreached
from provenance.evidence import GitObject, object_id
from provenance.origin.git_objects import parse_tree
from provenance.origin.git_paths import ending_so

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.proof import Entry


class Trees:
    """The trees of one commit, in memory."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._trees: dict[str, GitObject] = {}
        self.commit = GitObject("c" * 40, "commit", f"tree {self._tree(files)}\n\nsubject".encode())

    def _tree(self, files: Mapping[str, str]) -> str:
        folders: dict[str, dict[str, str]] = {}
        rows: list[tuple[bytes, bytes]] = []
        for path, text in files.items():
            name, slash, rest = path.partition("/")
            if slash:
                folders.setdefault(name, {})[rest] = text
            else:
                rows.append((name.encode(), self._row("100644", name, object_id("blob", text.encode()))))
        rows += [
            (f"{name}/".encode(), self._row("40000", name, self._tree(it))) for name, it in folders.items()
        ]
        data = b"".join(row for _, row in sorted(rows))
        made = GitObject(object_id("tree", data), "tree", data)
        self._trees[made.id] = made
        return made.id

    @staticmethod
    def _row(mode: str, name: str, one: str) -> bytes:
        return f"{mode} {name}\0".encode() + bytes.fromhex(one)

    def forget(self) -> None:
        """Lose all trees."""
        self._trees.clear()

    def tree(self, wanted: str) -> tuple[GitObject, dict[bytes, Entry]] | None:
        found = self._trees.get(wanted)
        return None if found is None else (found, parse_tree(found))


FILES = {
    "valve.py": "1",
    "src/valve.py": "2",
    "src/engine/valve.py": "3",
    "src/engine/pump.py": "4",
    "ä/ö.py": "5",
}


@pytest.mark.parametrize(
    ("end", "paths"),
    [
        ("pump.py", ("src/engine/pump.py",)),
        ("engine/valve.py", ("src/engine/valve.py",)),
        ("src/valve.py", ("src/valve.py",)),
        ("valve.py", ("valve.py", "src/valve.py", "src/engine/valve.py")),
        ("alve.py", ()),
        ("engine", ()),
        ("ö.py", ("ä/ö.py",)),
        ("../valve.py", ()),
        ("", ()),
    ],
)
def test_whole_parts_of_a_path_are_compared(end: str, paths: tuple[str, ...]) -> None:
    trees = Trees(FILES)
    found = ending_so(trees.commit, [end], trees)
    assert not isinstance(found, Unreached)
    assert sorted(found[end]) == sorted(paths)


def test_several_ends_are_looked_for_at_once() -> None:
    trees = Trees(FILES)
    assert ending_so(trees.commit, ["pump.py", "ö.py"], trees) == {
        "pump.py": ("src/engine/pump.py",),
        "ö.py": ("ä/ö.py",),
    }


def test_a_tree_that_is_not_there_is_no_answer() -> None:
    trees = Trees(FILES)
    trees.forget()
    assert isinstance(ending_so(trees.commit, ["pump.py"], trees), Unreached)


def test_more_entries_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.origin.git_paths._MOST_ENTRIES", 3)
    trees = Trees(FILES)
    found = ending_so(trees.commit, ["pump.py"], trees)
    assert isinstance(found, Unreached)
    assert "more than 3" in found.message

"""Contents that documents name by their ids: the archive's identifiers, with and without a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.scanning import CODE, SITE, code, fence, known_as, scan

if TYPE_CHECKING:
    from pathlib import Path

    from support.project import World


@pytest.fixture
def pinned(world: World) -> tuple[World, str, str]:
    """A repository under its name, its commit, and the id of its content."""
    commit = world.repository.commit({"valve.py": CODE})
    known_as(world)
    return world, commit, world.repository.blob(commit, "valve.py")


def identifier(blob: str, commit: str, lines: str = "5-6", site: str = SITE) -> str:
    return f"swh:1:cnt:{blob};origin={site};anchor=swh:1:rev:{commit};path=/valve.py;lines={lines}"


def test_an_identifier_is_judged_at_its_commit(pinned: tuple[World, str, str]) -> None:
    world, commit, blob = pinned
    world.project.write("a.md", f"See {identifier(blob, commit)}:\n\n{fence(code(5, 6))}\n")
    found = scan(world.project, "a.md").one
    assert found["verdict"] == "exact"
    assert found["assurance"] == "commit"


def test_a_commit_with_other_content_at_the_path_is_no_such_place(pinned: tuple[World, str, str]) -> None:
    world, commit, blob = pinned
    other = "a" * 40
    world.project.write("a.md", f"See {identifier(other, commit)}:\n\n{fence(code(5, 6))}\n")
    found = scan(world.project, "a.md", code=1).one
    assert found["verdict"] == "no-path"
    assert other in found.text("message")
    assert blob in found.text("message")


@pytest.mark.parametrize("how", ["server down", "commit gone", "no commit named"])
def test_the_archive_has_it_by_its_id(pinned: tuple[World, str, str], tmp_path: Path, how: str) -> None:
    world, commit, blob = pinned
    path = world.open_archive(tmp_path, blob, CODE.encode())
    named = {
        "server down": identifier(blob, commit),
        "commit gone": identifier(blob, "b" * 40),
        "no commit named": f"swh:1:cnt:{blob};lines=5-6",
    }[how]
    if how == "server down":
        world.go_down()
    world.project.write("a.md", f"See {named}:\n\n{fence(code(5, 6))}\n")
    found = scan(world.project, "a.md").one
    assert (found["verdict"], found["assurance"], found["origin"]) == ("exact", "locked", "swh")
    assert path in world.archive.asked


def test_where_nobody_has_it_nothing_is_said_of_it(pinned: tuple[World, str, str]) -> None:
    world, commit, blob = pinned
    world.go_down()
    world.project.write("a.md", f"See {identifier(blob, commit)}:\n\n{fence(code(5, 6))}\n")
    assert scan(world.project, "a.md", code=3).one["verdict"] == "unavailable"

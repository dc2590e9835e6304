"""What a branch changed is judged, and the rest is left aside; and what was found is remembered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, World
from support.repositories import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CODE = "one = 1\ntwo = 2\nthree = 3\n"
GOOD = Cite("good", "a.py", "1", "one = 1\n")
WRONG = Cite("wrong", "a.py", "2", "two = 22222\n")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A project in a repository of its own, with a manifest that holds and one that does not, and two documents."""
    with World(tmp_path) as made:
        commit = made.repository.commit({"a.py": CODE})
        made.project.manifest(made.source(commit), GOOD, name="good")
        made.project.manifest(made.source(commit), WRONG, name="wrong")
        made.project.write("docs/good.md", "# Nothing cited\n")
        made.project.fetch()
        commit_all(made.project)
        yield made


def commit_all(project: Project) -> None:
    """Let the project's repository have what stands in its folder."""
    files = (file for file in project.root.rglob("*") if file.is_file() and ".git" not in file.parts)
    tree = {str(file.relative_to(project.root)): file.read_bytes() for file in files if file != project.db}
    Repository.at(project.root / ".git").commit(tree)


def test_what_did_not_change_is_left_aside(world: World) -> None:
    project = world.project
    assert project.run("verify").code == 1
    ran = project.run("verify", "--since", "main", "--format", "json")
    assert (ran.code, ran.json()["results"]) == (0, [])
    assert "prov: 0 of 2 manifests changed since main (compared with commit " in ran.err
    assert "2 left aside" in ran.err
    assert project.run("verify", "--since", "main", "--locked").code == 0
    world.project.manifest(world.source(world.repository.tip("main")), GOOD, WRONG, name="good")
    assert set(project.verify("--since", "HEAD", code=1)) == {"good", "wrong"}
    project.write("manifests/wrong.yaml", "not a manifest")
    commit_all(project)
    assert project.run("verify").code == 2, "it cannot be read"
    assert project.run("verify", "--since", "main").code == 0, "and is nobody's business here"


def test_documents_are_left_aside_too(world: World) -> None:
    ran = world.project.run("scan", "docs/", "--since", "main")
    assert ran.code == 0, ran.said
    assert "0 of 1 document changed since main" in ran.err
    world.project.write("docs/new.md", "See `a.py:9-3`.\n")
    ran = world.project.run("scan", "docs/", "--since", "main")
    assert "1 of 2 documents changed since main" in ran.err
    ran = world.project.run("scan", "docs/", "--since", "main", "-q")
    assert "changed since" not in ran.err
    ran = world.project.run("scan", "docs/", "--since", "main", "--write-manifest", "m.yaml")
    assert (ran.code, ran.err) == (
        2,
        "prov: --write-manifest makes a manifest of all that is named: not with --since\n",
    )


@pytest.mark.parametrize("revision", ["nope", "--upload-pack=touch x", "main..main"])
def test_a_revision_that_is_none_is_wrong_usage(world: World, revision: str) -> None:
    for command in ("verify", "scan"):
        ran = world.project.run(command, "docs/" if command == "scan" else "manifests/", "--since", revision)
        assert (ran.code, ran.out) == (2, ""), ran.said
        assert ran.err.startswith(f"prov: --since {revision}: ")


def test_the_log_tells_what_became_of_a_citation(world: World) -> None:
    project = world.project
    later = world.repository.commit({"a.py": "# new\n" + CODE})
    project.manifest(world.source(later), GOOD, name="good")
    assert project.run("verify").code == 1
    world.go_down()
    ran = project.run("log", "good")
    assert ran.code == 0, ran.said
    assert [line.split()[1] for line in ran.out.split("\n") if "run " in line] == ["shifted", "exact"]
    assert "run 2: verify, prov " in ran.out
    ran = project.run("log", "good.yaml#good", "--format", "jsonl")
    assert [json.loads(line)["revision"] == later for line in ran.out.splitlines()] == [True, False]
    ran = project.run("log", "a.py")
    assert (ran.code, ran.err) == (
        2,
        "prov: a.py means several citations:\n  manifests/good.yaml#good\n  manifests/wrong.yaml#wrong\n",
    )
    project.db.unlink()
    ran = project.run("log", "good")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no evidence database" in ran.err
    assert not project.db.exists()

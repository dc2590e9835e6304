from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, finish

if TYPE_CHECKING:
    from support.project import Project, Ran, World

CODE = "def f(a):\n    return a\n\n\ndef g(b):\n    return b\n"


@pytest.fixture
def cited(world: World) -> World:
    """A manifest with a quote that holds, and one that does not."""
    commit = world.repository.commit({"src/f.py": CODE})
    world.project.manifest(
        world.source(commit),
        Cite("holds", "src/f.py", "1-2", "def f(a):\n    return a\n"),
        Cite("<b>wrong</b>", "src/f.py", "5-6", "def g(b):\n    return c\n"),
    )
    return world


def report(project: Project, *arguments: str) -> Ran:
    return project.run("report", "--allow-local", *arguments)


def test_a_site_is_written_whatever_the_verdicts_are(cited: World) -> None:
    project = cited.project
    ran = report(project, "-o", "site")
    assert ran.code == 0, ran.said
    assert ran.out == (
        "2 of 2 citations checked: 1 ok, 1 failure · proven: 2 by commit\n"
        "wrote site/index.html (2 results, 1 cited file)\n"
    )
    index = (project.root / "site" / "index.html").read_text()
    assert "&lt;b&gt;wrong&lt;/b&gt;" in index
    assert not project.lock.exists()
    cited.go_down()
    again = report(project, "-o", "site", "--offline")
    assert (again.code, again.out) == (0, ran.out)
    assert (project.root / "site" / "index.html").read_text() == index


def test_what_cannot_be_read_is_told_on_the_site_and_by_the_exit_code(cited: World) -> None:
    project = cited.project
    project.write("manifests/broken.yaml", "prov: 1\ntitle: a\ntitle: b\n")
    ran = report(project, "-o", "site")
    assert ran.code == 2, ran.said
    assert "broken.yaml:3" in ran.err
    assert "broken.yaml:3" in (project.root / "site" / "index.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-o", "."], "not empty, and no earlier report"),
        (["-o", "manifests/page.yaml"], "not a folder"),
        ([], "Missing option '-o' / '--output'"),
        (["nowhere", "-o", "site"], "no such file or folder"),
    ],
)
def test_a_wrong_place_is_wrong_usage(cited: World, arguments: list[str], told: str) -> None:
    before = cited.project.files()
    ran = report(cited.project, *arguments)
    assert ran.code == 2, ran.said
    assert told in ran.err
    assert cited.project.files() == before


def test_nothing_that_is_cited_makes_no_site(project: Project) -> None:
    project.write("manifests/page.yaml", "prov: 1\ntitle: a\n")
    ran = report(project, "-o", "site")
    assert ran.code == 2, ran.said
    assert not (project.root / "site").exists()


def test_a_run_that_is_killed_leaves_no_site_that_looks_whole(world: World) -> None:
    text = "".join(f"value_{number} = {number}\n" for number in range(1, 401))
    commit = world.repository.commit({"long.py": text})
    cites = [
        Cite(f"c{number}", "long.py", str(number), f"value_{number} = {number}\n") for number in range(1, 401)
    ]
    world.project.manifest(world.source(commit), *cites)
    site = world.project.root / "site"
    started = world.project.start("report", "--allow-local", "-o", "site")
    deadline = time.monotonic() + 30
    while not (site / ".prov-report-new" / "results").is_dir() and time.monotonic() < deadline:
        time.sleep(0.005)
    os.killpg(started.pid, signal.SIGKILL)
    finish(started)
    assert [name for name in os.listdir(site) if not name.startswith(".")] == []  # noqa: PTH208
    ran = report(world.project, "-o", "site")
    assert ran.code == 0, ran.said
    assert len([*(site / "results").iterdir()]) == 400

"""Where reports are written to, and what is never written over."""

from __future__ import annotations

import os
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, World, command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose only citation holds."""
    with World(tmp_path_factory.mktemp("outputs")) as world:
        commit = world.repository.commit({"m.py": "x = 1\n"})
        world.project.manifest(world.source(commit), Cite("ok", "m.py", "1", "x = 1\n"))
        world.project.fetch()
        yield world.project


def test_a_report_goes_into_a_pipe_and_leaves_it_one(judged: Project, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert judged.run("verify", "--offline", "--output", f"jsonl:{pipe}").code == 0
    reader.join(10)
    assert '"verdict": "exact"' in got[0]
    assert pipe.is_fifo()


def test_a_report_goes_where_a_link_leads(judged: Project, tmp_path: Path) -> None:
    target, link = tmp_path / "target.txt", tmp_path / "link.json"
    target.write_text("old", encoding="utf-8")
    link.symlink_to(target)
    assert judged.run("verify", "--offline", "--output", str(link)).code == 0
    assert link.is_symlink()
    assert "prov/verify/1" in target.read_text(encoding="utf-8")


def test_but_not_out_of_the_project_where_the_link_is_the_projects(judged: Project) -> None:
    """It may have come with a pull request, and a report holds words that its author chose."""
    outside = judged.base / "outside"
    outside.mkdir()
    (judged.root / "link.json").symlink_to(outside / "profile")
    (judged.root / "links").symlink_to(outside)
    for name in ("link.json", "links/new.json"):
        ran = judged.run("verify", "--offline", "--output", name)
        assert (ran.code, ran.out) == (2, "")
        assert f"--output {name}: a link leads out of this folder" in ran.err
    assert not list(outside.iterdir())


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "out"])
def test_a_report_onto_stdout_stands_before_the_other_one(judged: Project, tmp_path: Path, name: str) -> None:
    """Also where stdout is a file, which is neither replaced nor written over."""
    log, link = tmp_path / "log", tmp_path / "out"
    link.symlink_to("/dev/stdout")
    with log.open("a", encoding="utf-8") as stream:
        subprocess.run(
            [command(), "verify", "--offline", "--output", f"jsonl:{tmp_path / name}"],
            cwd=judged.root,
            env=judged.environment(),
            stdout=stream,
            check=True,
        )
        stream.write("the last\n")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith('{"manifest"')
    assert lines[1].split() == ["ok", "exact", "ok", "m.py:1", "commit"]
    assert lines[-1] == "the last"


@pytest.mark.parametrize(
    ("bad", "code"), [("json:/dev/null/no", 2), ("json:/dev/full", 4), (f"json:{'a' * 256}", 2)]
)
def test_a_report_that_cannot_be_written_keeps_no_other_from_it(
    judged: Project, tmp_path: Path, bad: str, code: int
) -> None:
    good = tmp_path / "good.json"
    ran = judged.run("verify", "--offline", "--format", "github", "--output", bad, "--output", str(good))
    assert (ran.code, ran.out) == (code, "1 of 1 citation checked: 1 ok · proven: 1 by commit\n")
    assert ran.err.count(f"{bad.removeprefix('json:')}: cannot be written: ") == 1
    assert "prov/verify/1" in good.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "outputs",
    [
        ("json:evidence.db",),
        ("json:pyproject.toml",),
        ("json:manifests/prov.lock",),
        ("text:manifests/page.yaml",),
        ("junit:manifests/page.yaml", "a.sarif"),
        ("a.json", "a.json"),
        ("a.txt", "json:./a.txt"),
    ],
)
def test_no_report_is_written_over_another_file_of_the_run(judged: Project, outputs: tuple[str, ...]) -> None:
    before = {file.name: file.read_bytes() for file in (judged.root / "manifests").iterdir()}
    ran = judged.run("verify", "--offline", *(part for name in outputs for part in ("--output", name)))
    assert ran.code == 2
    assert "another report's, or prov's own" in ran.err
    assert {file.name: file.read_bytes() for file in (judged.root / "manifests").iterdir()} == before
    assert judged.run("verify", "--offline").code == 0


@pytest.mark.parametrize("arguments", [("verify", "--offline"), ("schema",), ("--help",), ("--version",)])
@pytest.mark.parametrize(("close", "code"), [(">&-", 0), ("2>&-", 0), (">/dev/full", 4)])
def test_a_closed_or_full_stream_is_no_fault_of_prov(
    judged: Project, arguments: tuple[str, ...], close: str, code: int
) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {close}', "sh", command(), *arguments],
        cwd=judged.root,
        env=judged.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == code
    assert "Traceback" not in ran.stderr
    if code:
        assert ran.stderr == "prov: the output cannot be written: No space left on device\n"


def test_pages_are_not_imported_through_a_link_out_of_the_folder(judged: Project, tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (inside / "manifests").symlink_to(outside)
    (inside / "page.txt").write_text(PAGE, encoding="utf-8")
    ran = subprocess.run(
        [command(), "import", "page.txt"],
        cwd=inside,
        env=judged.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "leads out of this folder" in ran.stderr
    assert not list(outside.iterdir())


PAGE = """\
Engine · Valve

Valve

Sources1

Direct evidence

The valve is opened.

valve · example/engine / src/valve.py
Pinned revision 0123456789ab ↗ · lines 1–1

Read code excerpt

open()
"""

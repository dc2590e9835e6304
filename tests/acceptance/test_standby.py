"""A command in a fork of a process that stands by is told from one of its own by its time alone."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, World, finish
from support.standby import Standby

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TELLING = """\
import os, sys, threading, time
print(os.getcwd(), sorted(os.environ.items()), sys.argv[1:], os.getpid() == os.getsid(0), os.read(0, 1))
print(sys.stdout.encoding, sys.stdout.isatty(), sys.stdout.line_buffering, __name__, flush=True)
print("said", file=sys.stderr)
threading.Thread(target=lambda: (time.sleep(0.05), print("late"))).start()
exec(sys.argv[1])
"""
ENVIRONMENT = {"LC_ALL": "C.UTF-8", "ONLY": "this"}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with a citation that holds and one that does not."""
    with World(tmp_path_factory.mktemp("standby")) as world:
        commit = world.repository.commit({"m.py": "x = 1\ny = 2\n"})
        source = world.source(commit)
        world.project.manifest(source, Cite("ok", "m.py", "1", "x = 1\n"), Cite("no", "m.py", "2", "y = 3\n"))
        world.project.fetch()
        yield world.project


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("verify",), 1),
        (("verify", "--format", "json", "--offline"), 1),
        (("verify", "--nonsense"), 2),
        (("show", "m.py:1"), 0),
        (("show", "nothing.py:1"), 2),
        (("schema",), 0),
        (("--help",), 0),
    ],
)
def test_a_fork_ends_and_prints_as_a_process_of_its_own(
    judged: Project, arguments: tuple[str, ...], code: int
) -> None:
    forked, own = judged.run(*arguments), finish(judged.start(*arguments))
    assert forked == own
    assert forked.code == code


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standby]:
    """What tells all that a process is given, and then does as its first argument says."""
    program = tmp_path_factory.mktemp("telling") / "program"
    program.write_text(TELLING, encoding="utf-8")
    with Standby(str(program), ENVIRONMENT | {"MORE": "not in the fork"}) as ready:
        yield ready


@pytest.mark.parametrize(
    ("ending", "code"),
    [("", 0), ("sys.exit(7)", 7), ("sys.exit()", 0), ("1 / 0", 1), ("os.kill(os.getpid(), 15)", -15)],
)
def test_a_fork_has_its_folder_environment_streams_and_ending(
    telling: Standby, tmp_path: Path, ending: str, code: int
) -> None:
    found, out, err = telling.run([ending, "a b", "\udcff"], tmp_path, ENVIRONMENT, 60)
    own = subprocess.run(
        [sys.executable, telling.program, ending, "a b", "\udcff"],
        cwd=tmp_path,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        start_new_session=True,
    )
    assert (found, out) == (own.returncode, own.stdout)
    assert found == code
    said, expected = err.splitlines(), own.stderr.splitlines()
    assert (said[0], said[-1]) == (expected[0], expected[-1])


def test_what_does_not_end_is_killed_and_the_next_one_runs(telling: Standby, tmp_path: Path) -> None:
    with pytest.raises(TimeoutError, match="did not end within"):
        telling.run(["time.sleep(60)"], tmp_path, ENVIRONMENT, 0.2)
    assert telling.run([""], tmp_path, ENVIRONMENT, 60)[0] == 0


def test_what_cannot_stand_by_says_why(tmp_path: Path) -> None:
    (tmp_path / "provenance.py").write_text("raise ImportError('broken')\n", encoding="utf-8")
    with (
        Standby(str(tmp_path / "program"), ENVIRONMENT) as ready,
        pytest.raises(ChildProcessError, match="broken"),
    ):
        ready.run([], tmp_path, ENVIRONMENT, 60)

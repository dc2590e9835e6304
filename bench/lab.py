"""Where commands are run: one temporary folder, one server, and nothing of the user's own configuration."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from support.githttp import serve

from bench import history
from bench.measure import BenchError, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from support.githttp import GitServer

    from bench.measure import Rounds
    from bench.project import Project

PROV = str(Path(sys.executable).with_name("prov"))
"""The console script of the environment that bench runs in."""

NAME = "repository.git"
"""How the repository is called on the server."""

_STOPWATCH = str(Path(__file__).with_name("stopwatch.py"))
_STOPWATCH_COMMAND = (sys.executable, "-I", "-S", _STOPWATCH)


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    shape: history.Shape = field(default_factory=history.Shape)
    contents: int = 10_000
    manifests: int = 500
    """Of the largest project; each has 200 citations."""
    looped: int = 500
    """Citations that the shell loop compares."""
    documents: int = 10_000
    """Of the largest project of documents."""


QUICK = Size(history.Shape(commits=900, modules=200, texts=20, tables=3), 1500, 25, 50, 1000)
"""For trying the harness: the numbers mean little."""


def _nothing() -> None:
    """Nothing has to be prepared."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A command, and what is done before each run of it, untimed."""

    command: tuple[str, ...]
    folder: Path
    """The working directory."""
    home: Path
    """The user's home, and with it prov's cache."""
    prepare: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class Lab:
    """What every benchmark works with."""

    folder: Path
    server: GitServer
    size: Size
    rounds: int
    revision: str
    """The repository's newest commit."""
    projects: dict[int, Project] = field(default_factory=dict)
    """By their number of citations: each is made once."""

    @property
    def url(self) -> str:
        """Where the repository is served."""
        return f"{self.server.url}/{NAME}"

    @property
    def repository(self) -> Path:
        """Where the repository stands."""
        return self.server.root / NAME

    @property
    def long_rounds(self) -> int:
        """Rounds of what takes many seconds."""
        return max(1, self.rounds // 2)

    def home(self, name: str) -> Path:
        """An empty home."""
        return _home(self.folder, name)

    def git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """What git says of the served repository.

        Raises:
            BenchError: git ended with a fault.
        """
        command = ["git", "--git-dir", str(self.repository), *arguments]
        environment = environment_of(self.folder / "home")
        done = subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)
        if done.returncode:
            message = f"git {' '.join(arguments)[:120]}: {done.stderr.decode(errors='replace')[-300:]}"
            raise BenchError(message)
        return done.stdout

    def run(self, contender: Contender) -> Run:
        """Run a command once.

        Raises:
            BenchError: it did not end with 0.
        """
        contender.prepare()
        self.server.reset()
        report, out, err = (self.folder / f"run.{end}" for end in ("json", "out", "err"))
        with out.open("wb") as stdout, err.open("wb") as stderr:
            command = [*_STOPWATCH_COMMAND, str(report), *contender.command]
            environment = environment_of(contender.home)
            subprocess.run(
                command, cwd=contender.folder, env=environment, stdout=stdout, stderr=stderr, check=True
            )
        seconds, peak, code = json.loads(report.read_bytes())
        output = out.read_text(errors="replace")
        if code:
            told = (output + err.read_text(errors="replace")).strip()[-400:]
            message = f"{' '.join(contender.command)[:120]} ended with {code}: {told}"
            raise BenchError(message)
        traffic = self.server.traffic
        return Run(seconds, peak, output, traffic.sent, tuple(traffic.requests))

    def race(self, contenders: Mapping[str, Contender], rounds: int | None = None) -> dict[str, Rounds]:
        """Run commands in turn, round after round, so that what else the machine does falls on all alike.

        Raises:
            BenchError: one of them did not end with 0.
        """
        runs: dict[str, Rounds] = {name: [] for name in contenders}
        for _ in range(rounds or self.rounds):
            for name, contender in contenders.items():
                runs[name].append(self.run(contender))
        return runs


def environment_of(home: Path) -> dict[str, str]:
    """The environment of every command: the same for each, but for the home."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "SYSTEMROOT") if name in os.environ}
    return kept | {
        "HOME": str(home),
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
    }


@contextmanager
def open_lab(repository: Path | None, size: Size, rounds: int) -> Iterator[Lab]:
    """Make the temporary folder and serve the repository: the user's, or a made-up one."""
    with tempfile.TemporaryDirectory(prefix="prov-bench-") as temporary:
        folder = Path(temporary).resolve()
        environment = environment_of(_home(folder, "home"))
        served = folder / "served" / NAME
        served.parent.mkdir()
        if repository is None:
            history.write(served, size.shape, environment)
        else:
            served.symlink_to(repository.resolve())
        head = ["git", "--git-dir", str(served), "rev-parse", "HEAD"]
        revision = subprocess.run(head, stdout=subprocess.PIPE, check=True, env=environment, text=True).stdout
        with serve(served.parent) as server:
            yield Lab(folder, server, size, rounds, revision.strip())


def _home(folder: Path, name: str) -> Path:
    home = folder / name
    home.mkdir(parents=True)
    # A repository that is given may be another user's.
    (home / ".gitconfig").write_text("[safe]\n\tdirectory = *\n", encoding="ascii")
    return home

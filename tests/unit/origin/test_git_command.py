"""Running git: what reaches it, and what ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from support.githttp import serve
from support.repositories import Repository, isolate

from provenance.origin.git_command import Finished, GitCommand, GitFault, Limits
from provenance.origin.git_environment import REMOTE, Recipe, Remote


@pytest.fixture(autouse=True)
def _own_git(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path / "home")


def _command(tmp_path: Path, limits: Limits | None = None) -> GitCommand:
    recipe = Recipe(credentials=True, allow_local=True, home=tmp_path / "no-home")
    return GitCommand(recipe, limits or Limits())


def _fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put another git first on the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


HOSTILE = {
    "GIT_DIR": "/nowhere",
    "GIT_WORK_TREE": "/nowhere",
    "GIT_OBJECT_DIRECTORY": "/nowhere",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/nowhere",
    "GIT_COMMON_DIR": "/nowhere",
    "GIT_INDEX_FILE": "/nowhere",
    "GIT_NAMESPACE": "nowhere",
    "GIT_SHALLOW_FILE": "/nowhere",
    "GIT_TRACE": "1",
    "GIT_TRACE_CURL": "1",
    "GIT_CURL_VERBOSE": "1",
}


def test_hostile_variables_do_not_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    repository = Repository.at(tmp_path / "r.git")
    commit = repository.commit({"a": b"x"})
    for name, value in HOSTILE.items():
        monkeypatch.setenv(name, value)
    command = _command(tmp_path)
    done = command.read(("cat-file", "-t", commit), repository.path)
    assert done == Finished(0, b"commit\n", "")
    listed = command.reach(("ls-remote", REMOTE), repository.path, Remote(str(repository.path)))
    assert (listed.code, listed.err) == (0, "")
    assert commit.encode() in listed.out


def test_no_secret_is_in_the_list_of_processes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _fake_git(
        tmp_path, monkeypatch, 'case "$*" in *--version*) echo "git version 2.39.5";; *) echo "$@" >&2;; esac'
    )
    command = _command(tmp_path)
    done = command.reach(("ls-remote", REMOTE), tmp_path, Remote("https://user:SECRET-word@example.org/r"))
    assert "ls-remote prov-origin" in done.err
    assert "SECRET" not in done.err


def test_what_git_says_is_shown_without_secrets(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "http.extraHeader")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "X-Token: HEADER-SECRET")
    command = _command(tmp_path)
    assert ("http.extraheader", "X-Token: HEADER-SECRET") in command.config.entries
    said = "https://u:URL-SECRET@h/ URL-SECRET HEADER-SECRET"
    assert command.redact(said, "https://u:URL-SECRET@h/") == "https://h/ *** ***"


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("git version 2.29.9", "this git is 2.29"),
        ("git version 1.8.3", "this git is 1.8"),
        ("what", "does not say"),
    ],
)
def test_an_old_git_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, says: str, message: str) -> None:
    _fake_git(tmp_path, monkeypatch, f'echo "{says}"')
    with pytest.raises(GitFault, match=message):
        _ = _command(tmp_path).config


def test_a_broken_configuration_is_told(tmp_path: Path) -> None:
    (tmp_path / "home" / ".gitconfig").write_text("[broken\n")
    with pytest.raises(GitFault, match=r"git cannot be used: .*bad config"):
        _ = _command(tmp_path).config


def test_a_missing_git_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command = _command(tmp_path)
    _ = command.config  # GitPython has found git once; later it is gone
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitFault, match=r"git 2\.30"):
        command.read(("--version",), tmp_path)


def test_git_missing_from_the_start_is_told(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from provenance.origin.git_command import GitCommand, GitFault\n"
        "from provenance.origin.git_environment import Recipe\n"
        "try: GitCommand(Recipe(credentials=True, allow_local=False, home=Path('x'))).config\n"
        "except GitFault as error: print(error)\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": str(tmp_path), "PYTHONPATH": str(root)},
        capture_output=True,
        check=True,
    )
    assert b"git was not found" in done.stdout


def test_insteadof_is_looked_up_without_a_network(tmp_path: Path) -> None:
    (tmp_path / "home" / ".gitconfig").write_text('[url "ssh://git@h/"]\n\tinsteadOf = https://h/\n')
    assert _command(tmp_path).effective_url("https://h/r") == "ssh://git@h/r"
    assert _command(tmp_path).effective_url("https://other/r") == "https://other/r"


def test_a_child_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    Repository.at(tmp_path / "served" / "r.git").commit({"a": b"x"})
    command = _command(tmp_path, Limits(seconds=0.5))
    _ = command.config
    with serve(tmp_path / "served") as server:
        server.delay = 3
        began = time.monotonic()
        done = command.reach(
            ("ls-remote", REMOTE), tmp_path / "served" / "r.git", Remote(f"{server.url}/r.git")
        )
    assert done.stopped == "it took longer than 0.5 seconds"
    assert time.monotonic() - began < 8
    assert _children() == []


def test_a_child_that_receives_too_much_is_ended(tmp_path: Path) -> None:
    source = Repository.at(tmp_path / "served" / "r.git")
    source.commit({"a": os.urandom(300_000)})
    target = Repository.at(tmp_path / "target.git")
    command = _command(tmp_path, Limits(fetch_bytes=100_000))
    with serve(tmp_path / "served") as server:
        done = command.reach(
            ("fetch", "--progress", "--no-filter", REMOTE, "refs/heads/main"),
            target.path,
            Remote(f"{server.url}/r.git"),
        )
    assert done.stopped == "it sent more than 100,000 bytes"


def test_a_list_without_end_is_ended(tmp_path: Path) -> None:
    source = Repository.at(tmp_path / "served" / "r.git")
    commit = source.commit({"a": "x"})
    (source.path / "packed-refs").write_text("".join(f"{commit} refs/heads/b{n}\n" for n in range(2000)))
    target = Repository.at(tmp_path / "target.git")
    command = _command(tmp_path, Limits(printed_bytes=100_000))
    with serve(tmp_path / "served") as server:
        done = command.reach(("ls-remote", REMOTE), target.path, Remote(f"{server.url}/r.git"))
    assert done.stopped == "it listed more than 100,000 bytes"
    assert len(done.out) < 200_000


def test_progress_is_told_and_not_kept(tmp_path: Path) -> None:
    source = Repository.at(tmp_path / "served" / "r.git")
    source.commit({"a": b"x" * 1000})
    target = Repository.at(tmp_path / "target.git")
    told: list[tuple[int, int]] = []
    with serve(tmp_path / "served") as server:
        done = _command(tmp_path).reach(
            ("fetch", "--progress", "--no-filter", "--no-write-fetch-head", REMOTE, "refs/heads/main"),
            target.path,
            Remote(f"{server.url}/r.git"),
            on_progress=lambda received, objects: told.append((received, objects)),
        )
    assert done.code == 0
    assert told[-1][0] > 100
    assert told[-1][1] == 3
    assert "Receiving" not in done.err


def test_an_interrupt_leaves_no_child_behind(tmp_path: Path) -> None:
    Repository.at(tmp_path / "served" / "r.git").commit({"a": b"x"})
    command = _command(tmp_path)
    _ = command.config
    with serve(tmp_path / "served") as server:
        server.delay = 3
        timer = threading.Timer(0.5, signal.pthread_kill, args=(threading.main_thread().ident, signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            command.reach(("ls-remote", REMOTE), tmp_path / "served" / "r.git", Remote(f"{server.url}/r.git"))
        timer.join()
        assert _children() == []


def _children() -> list[str]:
    """The git processes that this process has started and that still run."""
    listed = subprocess.run(
        ["ps", "-o", "comm=", "--ppid", str(os.getpid())], capture_output=True, check=False
    )
    return [name for name in listed.stdout.decode().split() if name.startswith("git-remote")]

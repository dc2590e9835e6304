"""The folder of bare repositories."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.repositories import run

from provenance.origin.git_cache import GitCache, tidy
from provenance.origin.git_command import GitFault


@pytest.fixture
def cache(tmp_path: Path) -> GitCache:
    return GitCache(tmp_path / "cache", patience=0.2)


def test_a_repository_is_one_that_git_takes(cache: GitCache) -> None:
    directory = cache.directory("https://example.org/r", "objects")
    cache.ensure(directory)
    cache.ensure(directory)
    assert run("--git-dir", str(directory), "rev-parse", "--is-bare-repository") == "true\n"
    assert [one.name for one in directory.parent.iterdir() if one.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("key", "start"),
    [
        ("https://github.com/Owner/Repo.git", "https-github-com-owner-repo-git-"),
        ("../../etc/passwd", "etc-passwd-"),
        ("…", "repository-"),
        ("x" * 500, "x" * 60 + "-"),
    ],
)
def test_names_are_slugs_within_the_folder(cache: GitCache, tmp_path: Path, key: str, start: str) -> None:
    directory = cache.directory(key, "objects")
    assert directory.parent == tmp_path / "cache"
    assert directory.name.startswith(start)
    assert len(directory.name) < 100


def test_names_tell_keys_and_purposes_apart(cache: GitCache) -> None:
    names = {
        cache.directory(key, purpose) for key in ("a/b", "a-b", "A/b") for purpose in ("objects", "commits")
    }
    assert len(names) == 6


def test_what_a_killed_fetch_left_is_gone_before_the_next(cache: GitCache) -> None:
    directory = cache.directory("k", "objects")
    cache.ensure(directory)
    (directory / "refs" / "heads").mkdir()
    stale = [
        directory / "shallow.lock",
        directory / "shallow",
        directory / "config.lock",
        directory / "packed-refs.lock",
        directory / "refs" / "heads" / "main.lock",
        directory / "objects" / "pack" / "tmp_pack_x",
    ]
    kept = [directory / "refs" / "heads" / "main", directory / "objects" / "pack" / "pack-1.pack"]
    for one in stale + kept:
        one.write_bytes(b"x")
    with cache.writing(directory):
        assert [one for one in stale if one.exists()] == []
        assert all(one.exists() for one in kept)


def test_only_one_writes_at_a_time(cache: GitCache) -> None:
    directory = cache.directory("k", "objects")
    caught: list[str] = []

    def second() -> None:
        try:
            with cache.writing(directory):
                caught.append("")
        except GitFault as error:
            caught.append(str(error))

    with cache.writing(directory):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    second()
    assert "another run has been working" in caught[0]
    assert caught[1] == ""


def test_a_lock_of_a_dead_process_holds_nobody_up(cache: GitCache, tmp_path: Path) -> None:
    directory = cache.directory("k", "objects")
    (tmp_path / "cache").mkdir()
    program = (
        "import sys, os, signal, filelock\n"
        "filelock.FileLock(sys.argv[1]).acquire()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", program, f"{directory}.lock"], check=False)
    assert Path(f"{directory}.lock").exists()
    with cache.writing(directory):
        pass


def test_a_discarded_repository_is_empty(cache: GitCache) -> None:
    directory = cache.directory("k", "objects")
    cache.ensure(directory)
    (directory / "objects" / "x").write_bytes(b"x")
    cache.discard(directory)
    assert not (directory / "objects" / "x").exists()
    assert (directory / "HEAD").exists()


def test_something_else_in_its_place_is_put_away(cache: GitCache) -> None:
    directory = cache.directory("k", "objects")
    directory.mkdir(parents=True)
    (directory / "junk").write_bytes(b"x")
    cache.ensure(directory)
    assert (directory / "HEAD").exists()
    assert not (directory / "junk").exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = GitCache(tmp_path / "file" / "cache", patience=1)
    directory = cache.directory("k", "objects")
    with pytest.raises(GitFault, match="cannot be used"):
        cache.ensure(directory)
    with pytest.raises(GitFault, match="cannot be used"), cache.writing(directory):
        pass


def test_what_a_killed_run_left_half_made_is_swept_later(cache: GitCache, tmp_path: Path) -> None:
    for name in (".new-dead", ".old-dead", ".new-alive"):
        (tmp_path / "cache" / name / "objects").mkdir(parents=True)
    for name in (".new-dead", ".old-dead"):
        os.utime(tmp_path / "cache" / name, (0, 0))
    cache.ensure(cache.directory("k", "objects"))
    left = {one.name for one in (tmp_path / "cache").iterdir() if one.name.startswith((".new", ".old"))}
    assert left == {".new-alive"}


def test_tidying_what_is_not_there_is_no_fault(tmp_path: Path) -> None:
    tidy(tmp_path / "none")

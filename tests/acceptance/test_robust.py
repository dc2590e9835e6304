"""Interrupted, killed, twice at once, on a full disk, into a closed pipe: nothing is lost, and the next run is fine."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, World, command, finish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = "".join(f"line {number}\n" for number in range(200))


def cite(world: World, *, name: str = "page", count: int = 3, salt: str = "") -> str:
    files = {f"{number}.txt": f"{salt}{number}\n{TEXT}" for number in range(count)}
    commit = world.repository.commit(files)
    cites = [Cite(f"{name}-{number}", path, "1", f"{salt}{number}\n") for number, path in enumerate(files)]
    world.project.manifest(world.source(commit), *cites, name=name)
    return commit


def assert_whole(project: Project) -> None:
    """Whatever is there is whole, and nothing temporary is left in the project."""
    if project.db.exists():
        database = sqlite3.connect(project.db)
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        database.close()
    if project.lock.exists():
        assert json.loads(project.lock.read_bytes())["prov"] == 1
    known = {"evidence.db", "evidence.db-wal", "evidence.db-shm", "manifests"}
    assert {file.name for file in project.root.iterdir()} <= known
    assert {file.suffix for file in (project.root / "manifests").iterdir()} <= {".yaml", ".lock"}


def children_of(group: int) -> list[int]:
    """Processes of git that a command has left running."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if f" {group} " in line and "git" in line]


def when_asked(world: World, started: subprocess.Popen[bytes], count: int) -> None:
    """Wait until the server has been asked so often."""
    until = time.monotonic() + 30
    while len(world.server.traffic.requests) < count and started.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert len(world.server.traffic.requests) >= count
    assert started.poll() is None, "it ended before it could be interrupted"


@pytest.mark.parametrize(("requests", "end"), [(1, signal.SIGINT), (4, signal.SIGINT), (4, signal.SIGKILL)])
def test_a_fetch_that_is_ended_half_way_breaks_nothing_and_the_next_is_fine(
    world: World, requests: int, end: signal.Signals
) -> None:
    cite(world)
    world.server.delay = 0.4
    started = world.project.start("fetch")
    when_asked(world, started, requests)
    os.kill(started.pid, end)
    ran = finish(started)
    assert ran.code == (130 if end is signal.SIGINT else -signal.SIGKILL), ran.said
    assert b"Traceback" not in ran.stderr
    if end is signal.SIGINT:
        assert ran.err.splitlines()[-1] == "prov: interrupted"
        assert children_of(started.pid) == []
    assert_whole(world.project)
    world.server.delay = 0
    world.project.fetch()
    assert {result["assurance"] for result in world.project.verify().values()} == {"commit"}
    assert_whole(world.project)


def test_an_interrupt_loses_nothing_that_was_committed_before(world: World) -> None:
    cite(world)
    world.project.fetch()
    lock = world.project.lock.read_bytes()
    cite(world, name="more", salt="x")
    world.server.reset()
    world.server.delay = 0.4
    started = world.project.start("fetch")
    when_asked(world, started, 3)
    os.kill(started.pid, signal.SIGINT)
    assert finish(started).code == 130
    assert world.project.lock.read_bytes() == lock
    world.go_down()
    found = world.project.verify("manifests/page.yaml")
    assert {result["assurance"] for result in found.values()} == {"commit"}


def test_two_fetches_at_once_both_end_well(world: World) -> None:
    cite(world)
    cite(world, name="more", salt="x")
    world.server.delay = 0.05
    ends = [finish(started) for started in [world.project.start("fetch") for _ in range(2)]]
    assert [ran.code for ran in ends] == [0, 0], "\n".join(ran.said for ran in ends)
    assert_whole(world.project)
    world.go_down()
    found = world.project.verify()
    assert len(found) == 6
    assert {result["assurance"] for result in found.values()} == {"commit"}
    assert {result["verdict"] for result in world.project.verify("--locked").values()} == {"exact"}


def test_two_projects_at_once_share_one_cache(world: World) -> None:
    commit = cite(world)
    other = Project(world.project.base / "other", environ={**world.project.environ})
    other.environ["XDG_CACHE_HOME"] = str(world.project.home / ".cache")
    other.manifest(world.source(commit), Cite("c", "2.txt", "1", "2\n"))
    ends = [finish(started) for started in (world.project.start("fetch"), other.start("fetch"))]
    assert [ran.code for ran in ends] == [0, 0], "\n".join(ran.said for ran in ends)
    assert len([folder for folder in world.project.cache.iterdir() if folder.suffix == ".git"]) == 1


@contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[None]:
    """A file system with little room at a folder."""
    place.mkdir(parents=True, exist_ok=True)
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("only root can mount a small file system")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(folder: Path) -> None:
    """Use up what room there is."""
    with (folder / "filler").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            return


@pytest.mark.parametrize("there", [True, False])
def test_a_full_disk_is_a_fault_in_one_line_and_what_was_there_stays(world: World, there: bool) -> None:
    files = world.project.base / "project"
    with small_disk(files, 2048):
        (files / "manifests").mkdir()
        cite(world)
        if there:
            world.project.fetch()
        cite(world, name="more", salt="x")
        lock = world.project.lock.read_bytes() if there else None
        fill(files)
        ran = world.project.run("fetch")
        assert ran.code == 4, ran.said
        assert len([line for line in ran.err.splitlines() if "full" in line or "space" in line]) == 1, (
            ran.said
        )
        (files / "filler").unlink()
        assert_whole(world.project)
        assert (world.project.lock.read_bytes() if world.project.lock.exists() else None) == lock
        world.project.fetch()
        assert len(world.project.verify()) == 6


def test_a_full_disk_under_the_lock_or_a_report_is_a_fault_and_the_old_file_stays(world: World) -> None:
    disk = world.project.root / "disk"
    with small_disk(disk, 64):
        cite(world)
        world.project.fetch("--lock", "disk/all.lock")
        world.project.verify("--output", "disk/report.json")
        before = {name: (disk / name).read_bytes() for name in ("all.lock", "report.json")}
        cite(world, name="more", salt="x")
        fill(disk)
        for arguments in (["fetch", "--lock", "disk/all.lock"], ["verify", "--output", "disk/report.json"]):
            ran = world.project.run(*arguments)
            assert ran.code == 4, ran.said
            assert "No space left" in ran.err.splitlines()[-1]
        (disk / "filler").unlink()
        assert {name: (disk / name).read_bytes() for name in before} == before
        assert {file.name for file in disk.iterdir()} == set(before)


def test_a_full_disk_under_the_cache_leaves_what_needs_it_unavailable(world: World) -> None:
    cite(world)
    with small_disk(world.project.cache, 256):
        fill(world.project.cache)
        ran = world.project.run("fetch")
        assert ran.code in {3, 4}, ran.said
        assert_whole(world.project)
        (world.project.cache / "filler").unlink()
        world.project.fetch()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be written, by root neither."""
    if os.geteuid() != 0:
        folder.chmod(0o500)
        yield
        folder.chmod(0o700)
        return
    if subprocess.run(["mount", "--bind", folder, folder], capture_output=True, check=False).returncode:
        pytest.skip("root writes everywhere, and nothing can be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True, capture_output=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_project_that_cannot_be_written_is_verified_where_it_was_fetched(world: World) -> None:
    cite(world)
    world.project.fetch()
    world.project.verify()
    world.go_down()
    with read_only(world.project.root):
        found = world.project.verify()
        assert {result["assurance"] for result in found.values()} == {"commit"}
        assert world.project.run("show", "1.txt:1").code == 0
        assert world.project.run("verify", "--locked").code == 0


def test_a_project_that_cannot_be_written_is_told_in_one_line_where_it_must_be(world: World) -> None:
    cite(world)
    with read_only(world.project.root):
        for arguments in (["fetch"], ["verify"]):
            ran = world.project.run(*arguments)
            assert ran.code == 4, ran.said
            assert len(ran.err.splitlines()) == 1
            assert "evidence.db" in ran.err
        assert world.project.run("verify", "--db", str(world.project.base / "elsewhere.db")).code == 0


def test_a_reader_that_has_seen_enough_is_no_fault_and_the_exit_code_says_what_was_found(
    world: World,
) -> None:
    commit = world.repository.commit({"a.txt": TEXT * 100})
    world.project.manifest(
        world.source(commit),
        *(Cite(f"c{number}", "a.txt", str(number), f"line {number - 1}\n") for number in range(1, 151)),
        Cite("all", "a.txt", "1-20000"),
        Cite("wrong", "a.txt", "5-6", "line 5\nline 5\n"),
    )
    world.project.verify(code=1)
    for arguments, code in (
        (["verify", "--format", "jsonl"], 1),
        (["verify", "-v"], 1),
        (["show", "all"], 0),
    ):
        line = " ".join([command(), *world.project.completed(arguments)])
        ran = subprocess.run(
            ["bash", "-c", f"set -o pipefail; {line} | head -c 10"],
            cwd=world.project.root,
            env=world.project.environment(),
            capture_output=True,
            check=False,
        )
        assert ran.returncode == code, ran
        assert len(ran.stdout) == 10
        assert ran.stderr == b""


def test_a_damaged_database_is_told_in_one_line(world: World) -> None:
    cite(world)
    world.project.fetch()
    with sqlite3.connect(world.project.db) as database:
        database.execute("update contents set data = x'00'")
    database.close()
    ran = world.project.run("show", "1.txt:1")
    assert ran.code == 4, ran.said
    assert "damaged" in ran.err
    assert len(ran.err.splitlines()) == 1
    world.project.db.unlink()
    world.project.fetch()


def test_a_broken_cache_is_made_anew(world: World) -> None:
    cite(world)
    world.project.fetch()
    world.project.db.unlink()
    for pack in world.project.cache.rglob("*.pack"):
        pack.chmod(0o600)
        pack.write_bytes(b"PACK" + b"\0" * 40)
    found = world.project.verify()
    assert {result["assurance"] for result in found.values()} == {"commit"}

"""Scanned again: what has not changed is not asked for; and a run that is killed, or not alone, spoils nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from support.project import finish
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, run, scan

if TYPE_CHECKING:
    from support.project import World

OPEN = code(5, 6)


@pytest.fixture
def commit(world: World) -> str:
    """Cited by three documents, in which all is pinned."""
    known_as(world)
    made = world.repository.commit({"valve.py": CODE, "long.txt": "a line\n" * 50})
    world.repository.tag("v1", made)
    world.project.write(
        "docs/a.md", f"[it]({blob(made, 'L5-L6')})\n\n{fence(OPEN)}\n[it]({blob(made, 'L900')})\n"
    )
    world.project.write("docs/b.md", f"[it]({blob(made, 'L20')})\n\n{fence(code(18, 23))}")
    world.project.write(
        "docs/c.md", f"# C\n\n[it](a.md#L1) https://code.example.org/x/a.py#L3 {blob(made, 'L9-L8')}\n"
    )
    return made


@pytest.mark.parametrize("format_", ["text", "json", "jsonl"])
@pytest.mark.usefixtures("commit")
def test_where_all_is_pinned_nobody_is_asked_and_the_same_is_said(world: World, format_: str) -> None:
    before = run(world.project, "--format", format_, "docs")
    assert (before.code, world.requests != []) == (1, True), before.said
    world.go_down()
    again = run(world.project, "--format", format_, "docs")
    assert (again.code, again.out, again.err) == (1, before.out, "")
    assert "unavailable" not in again.out.replace('"unavailable": 0', "")


@pytest.mark.usefixtures("commit")
def test_a_branch_is_asked_for_and_its_content_is_not_fetched_again(world: World) -> None:
    world.project.write("docs/d.md", f"[it]({blob('main', 'L5-L6')})\n\n{fence(OPEN)}")
    before = scan(world.project, "docs", code=1)
    world.requests  # noqa: B018 - from here on
    assert scan(world.project, "docs", code=1).results == before.results
    asked = world.requests
    assert 1 <= len(asked) <= 2, asked
    world.go_down()
    result = scan(world.project, "docs/d.md", code=3).one
    assert (result["verdict"], result["level"]) == ("unavailable", "unavailable")


def test_an_edited_document_is_noticed(world: World, commit: str) -> None:
    scan(world.project, "docs", code=1)
    world.go_down()
    file = world.project.root / "docs/a.md"
    when = file.stat()
    file.write_text(file.read_text().replace("bar * 2", "bar * 3"))
    os.utime(file, ns=(when.st_atime_ns, when.st_mtime_ns))
    found = scan(world.project, "docs/a.md", code=1)
    assert found.verdicts == ["changed", "out-of-range"]
    file.write_text("# Nothing\n")
    assert scan(world.project, "docs/a.md").results == ()
    file.write_text(f"\n\n[it]({blob(commit, 'L5-L6')})\n\n{fence(OPEN)}")
    result = scan(world.project, "docs/a.md").one
    assert (result["verdict"], result["document"]) == (
        "exact",
        {"path": "docs/a.md", "line": 3, "cell": None},
    )


def test_lines_that_move_within_a_document_are_told_where_they_are(world: World, commit: str) -> None:
    text = f"[it]({blob(commit, 'L5-L6')})\n\n{fence(OPEN)}"
    for lines in (0, 3, 1):
        world.project.write("docs/a.md", "\n" * lines + text)
        document = scan(world.project, "docs/a.md").one["document"]
        assert isinstance(document, dict)
        assert document["line"] == 1 + lines


def test_another_configuration_is_noticed(world: World, commit: str) -> None:
    host = world.server.url.removeprefix("http://")
    world.project.write(
        "docs/a.md",
        f"`valve.py:5-6`:\n\n{fence(OPEN)}\n# B\n\n[it]({world.server.url}/o/r/browse/valve.py?at=v1#5)\n",
    )
    assert scan(world.project, "docs/a.md").results == ()
    configure(world.project, f'documents = [{{path = "docs", git = "{SITE}", revision = "v1"}}]')
    assert scan(world.project, "docs/a.md").verdicts == ["exact"]
    configure(world.project, f'documents = [{{path = "docs", git = "{SITE}", revision = "{"0" * 40}"}}]')
    assert scan(world.project, "docs/a.md", code=1).verdicts == ["no-revision"]
    configure(world.project, f'hosts = {{"{host}" = "gitea"}}')
    world.project.write("docs/a.md", f"[it]({world.server.url}/o/r/src/tag/v1/valve.py#L5)\n")
    assert scan(world.project, "docs/a.md", code=3).verdicts == ["unavailable"]
    configure(world.project, 'levels = {"out-of-range" = "warning"}')
    world.project.write("docs/a.md", f"[it]({blob(commit, 'L900')})\n")
    assert scan(world.project, "docs/a.md").one["level"] == "warning"
    configure(world.project)
    assert scan(world.project, "docs/a.md", code=1).one["level"] == "failure"


@pytest.mark.usefixtures("commit")
def test_a_document_that_is_renamed_or_gone_leaves_nothing_behind(world: World) -> None:
    before = scan(world.project, "docs", code=1)
    (world.project.root / "docs/b.md").rename(world.project.root / "docs/z.md")
    after = scan(world.project, "docs", code=1)
    assert [item["verdict"] for item in after.results if item["manifest"] == "docs/z.md"] == ["anchored"]
    assert not [item for item in after.results if item["manifest"] == "docs/b.md"]
    assert len(after.results) == len(before.results)


@pytest.mark.usefixtures("commit")
def test_a_manifest_and_a_document_do_not_disturb_each_other(world: World) -> None:
    run(world.project, "--write-manifest", "manifests/docs.yaml", "docs")
    verified = world.project.verify(code=1)
    scanned = scan(world.project, "docs", code=1).results
    assert world.project.verify(code=1) == verified
    world.go_down()
    assert scan(world.project, "docs", code=1).results == scanned
    assert world.project.verify(code=1) == verified


@pytest.mark.parametrize("revision", ["", "main", "v1"])
def test_what_was_unavailable_is_asked_for_again(world: World, commit: str, revision: str) -> None:
    world.project.write("docs/a.md", f"[it]({blob(revision or commit, 'L5-L6')})\n\n{fence(OPEN)}")
    (world.project.home / ".gitconfig").rename(world.project.home / "kept")
    for _ in range(2):
        assert scan(world.project, "docs/a.md", code=3).one["verdict"] == "unavailable"
    (world.project.home / "kept").rename(world.project.home / ".gitconfig")
    assert scan(world.project, "docs/a.md").one["verdict"] == "exact"


@pytest.mark.usefixtures("commit")
def test_another_database_judges_anew(world: World) -> None:
    before = scan(world.project, "docs", code=1).results
    assert scan(world.project, "--db", "other.db", "docs", code=1).results == before
    assert (world.project.root / "other.db").is_file()


@pytest.mark.parametrize(("requests", "end"), [(1, signal.SIGINT), (3, signal.SIGKILL)])
@pytest.mark.usefixtures("commit")
def test_a_run_that_is_ended_half_way_breaks_nothing(
    world: World, requests: int, end: signal.Signals
) -> None:
    world.server.delay = 0.4
    started = world.project.start("scan", *world.project.options, "docs")
    until = time.monotonic() + 30
    while len(world.server.traffic.requests) < requests and time.monotonic() < until:
        time.sleep(0.01)
    assert started.poll() is None
    os.kill(started.pid, end)
    ran = finish(started)
    assert ran.code == (130 if end is signal.SIGINT else -signal.SIGKILL), ran.said
    assert b"Traceback" not in ran.stderr
    world.server.delay = 0
    assert_whole(world)
    assert len(scan(world.project, "docs", code=1).results) == 5
    assert_whole(world)


def group(leader: int) -> list[str]:
    """The processes of a group that are still at work."""
    listed = subprocess.run(
        ["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    ).stdout
    lines = (line.split(maxsplit=2) for line in listed.splitlines())
    return [line[2] for line in lines if line[0] == str(leader) and not line[1].startswith("Z")]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) == 1, reason="documents are read by the process itself")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_processes_that_read_documents_end_with_the_run(world: World, end: signal.Signals) -> None:
    for number in range(4):
        world.project.write(f"docs/{number}.md", f"a `b` [c]({number}) *d* <e> {'words ' * 9}" * 15_000)
    started = world.project.start("scan", *world.project.options, "docs")
    until = time.monotonic() + 30
    while len(group(started.pid)) < 3 and started.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    assert len(group(started.pid)) >= 3, "it reads by itself, or has read it all"
    os.kill(started.pid, end)
    started.wait(10)
    until = time.monotonic() + 10
    while (left := group(started.pid)) and time.monotonic() < until:
        time.sleep(0.05)
    if left:
        os.killpg(started.pid, signal.SIGKILL)
    finish(started)
    assert left == []


@pytest.mark.usefixtures("commit")
def test_two_runs_at_once_say_the_same(world: World) -> None:
    world.server.delay = 0.05
    arguments = ("scan", *world.project.options, "--format", "json", "docs")
    ends = [finish(started) for started in [world.project.start(*arguments) for _ in range(3)]]
    assert [ran.code for ran in ends] == [1, 1, 1], "\n".join(ran.said for ran in ends)
    assert len({ran.out for ran in ends}) == 1
    assert_whole(world)
    world.go_down()
    assert run(world.project, "--format", "json", "docs").out == ends[0].out


def assert_whole(world: World) -> None:
    if world.project.db.exists():
        database = sqlite3.connect(world.project.db)
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        database.close()
    assert sorted(file.name for file in (world.project.root / "docs").iterdir()) == ["a.md", "b.md", "c.md"]


@pytest.mark.usefixtures("commit")
@pytest.mark.parametrize(
    "change", ["update documents set brief = '[1'", "update documents set outcome = '[1'"]
)
def test_a_database_that_is_damaged_says_so_and_how_to_mend_it(world: World, change: str) -> None:
    scan(world.project, "docs", code=1)
    database = sqlite3.connect(world.project.db)
    database.execute(change)
    database.commit()
    database.close()
    ran = run(world.project, "docs")
    assert ran.code == 4, ran.said
    assert "damaged" in ran.err
    assert "delete it" in ran.err
    world.project.db.unlink()
    assert run(world.project, "docs").code == 1

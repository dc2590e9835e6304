"""What `prov scan` reads, prints and writes, and the exit codes it ends with."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, place, run, scan

if TYPE_CHECKING:
    from support.project import Project, World

HOLDS, FAILS, WARNS, DOWN = "holds", "fails", "warns", "down"


def documents(world: World, *kinds: str) -> None:
    """Write a document of each kind."""
    known_as(world)
    commit = world.repository.commit({"valve.py": CODE})
    texts = {
        HOLDS: f"[it]({blob(commit, 'L5-L6')})\n\n{fence(code(5, 6))}",
        FAILS: f"[it]({blob(commit, 'L900')})\n",
        WARNS: f"[it]({blob('main', 'L5-L6')})\n\n{fence(code(5, 6))}",
        DOWN: f"[it]({blob('b' * 40, 'L5', site='https://gitlab.com/no/body')})\n",
    }
    for kind in kinds:
        world.project.write(f"docs/{kind}.md", texts[kind])


@pytest.mark.parametrize(
    ("kinds", "code_", "strict"),
    [
        ((HOLDS,), 0, 0),
        ((HOLDS, WARNS), 0, 1),
        ((HOLDS, FAILS), 1, 1),
        ((HOLDS, DOWN), 3, 3),
        ((DOWN, WARNS), 3, 1),
        ((DOWN, FAILS, WARNS), 1, 1),
    ],
)
def test_the_exit_code_says_the_worst(world: World, kinds: tuple[str, ...], code_: int, strict: int) -> None:
    documents(world, *kinds)
    scan(world.project, "docs", code=code_)
    scan(world.project, "--strict", "docs", code=strict)
    world.project.write("docs/broken.ipynb", "{")
    assert len(scan(world.project, "docs", code=2).results) == len(kinds)


def test_a_broken_document_is_told_and_the_others_go_on(world: World) -> None:
    documents(world, HOLDS)
    world.project.write("docs/broken.ipynb", '{"cells": [')
    world.project.write("docs/list.ipynb", "[]")
    world.project.write("docs/binary.md", b"\x00\x01\x02" * 99)
    world.project.write("docs/empty.md", b"")
    ran = run(world.project, "docs")
    assert ran.code == 2, ran.said
    for name in ("broken.ipynb", "list.ipynb", "binary.md"):
        assert f"prov: docs/{name}: cannot be read: " in ran.err
    assert "empty.md" not in ran.err
    assert ran.last.startswith("1 of 1 citation checked: 1 ok")


def test_a_document_without_links_is_fine_and_no_document_is_wrong_usage(project: Project) -> None:
    project.write("docs/a.md", "# A\n\nNothing.\n")
    ran = run(project, "docs")
    assert (ran.code, ran.last) == (0, "0 of 0 citations checked: nothing to check")
    (project.root / "none").mkdir()
    for arguments in (["none"], ["gone.md"], []):
        ran = run(project, *arguments)
        assert (ran.code, ran.out) == (2, ""), ran.said
        assert ran.err.startswith("prov: "), ran.said


def test_a_file_that_is_named_must_be_of_a_kind_that_is_read(project: Project) -> None:
    project.write("a.xyz", "# A\n")
    ran = run(project, "a.xyz")
    assert ran.code == 2
    assert "no kind of document" in ran.err


def test_configured_documents_are_read_where_none_is_named(world: World) -> None:
    documents(world, HOLDS, FAILS)
    configure(world.project, 'documents = ["docs/holds.md"]')
    assert len(scan(world.project).results) == 1
    assert len(scan(world.project, "docs", code=1).results) == 2
    world.project.cwd = "docs"
    assert place(scan(world.project).one)[0] == "docs/holds.md"


def test_several_are_read_in_one_run_each_once_and_in_the_order_of_their_names(world: World) -> None:
    documents(world, HOLDS, FAILS, WARNS)
    seen = scan(world.project, "docs/warns.md", "docs", "docs/fails.md", code=1)
    assert [place(item)[0] for item in seen.results] == ["docs/fails.md", "docs/holds.md", "docs/warns.md"]


def test_a_document_outside_the_project_is_read_where_it_is_named(world: World) -> None:
    documents(world, HOLDS)
    configure(world.project)
    outside = world.project.base / "outside" / "a.md"
    outside.parent.mkdir()
    (world.project.root / "docs/holds.md").rename(outside)
    result = scan(world.project, str(outside)).one
    assert (result["verdict"], place(result)[0]) == ("exact", outside.as_posix())
    result = scan(world.project, "../outside").one
    assert result["verdict"] == "exact"


def test_a_document_that_is_a_link_out_of_the_project_is_not_read(world: World) -> None:
    documents(world, HOLDS)
    secret = world.project.base / "secret.md"
    secret.write_text(f"SECRETWORD {SITE}/blob/SECRETWORD/a.py#L1\n")
    (world.project.root / "docs/out.md").symlink_to(secret)
    ran = run(world.project, "docs")
    assert ran.code == 2, ran.said
    assert "docs/out.md" in ran.err
    assert "SECRETWORD" not in ran.said


def test_links_between_folders_and_hidden_ones_are_not_followed_for_ever(world: World) -> None:
    documents(world, HOLDS)
    (world.project.root / "docs/up").symlink_to("..")
    (world.project.root / "docs/self").symlink_to("self")
    world.project.write("docs/.git/x.md", f"{blob('main', 'L1')}\n")
    world.project.write("docs/node_modules/x.md", f"{blob('main', 'L1')}\n")
    (world.project.root / "docs/same.md").symlink_to("holds.md")
    seen = scan(world.project, "docs")
    assert [place(item)[0] for item in seen.results] == ["docs/holds.md", "docs/same.md"]


def test_a_pipe_in_the_folder_is_not_waited_for(world: World) -> None:
    documents(world, HOLDS)
    os.mkfifo(world.project.root / "docs/pipe.md")
    seen = scan(world.project, "docs", code=2)
    assert seen.verdicts == ["exact"]
    assert "docs/pipe.md" in seen.ran.err


def test_names_of_documents_can_be_odd_and_one_that_cannot_be_written_down_is_told(world: World) -> None:
    documents(world, HOLDS)
    data = (world.project.root / "docs/holds.md").read_bytes()
    folder = os.fsencode(world.project.root / "docs")
    odd = [b"a\nb.md", b"\x1b[2J.md", b"-x.md", "\u00fc \u202e.md".encode(), b"'\"$(x).md"]
    for name in [*odd, b"\xff\xfe.md"]:
        with open(folder + b"/" + name, "wb") as stream:  # noqa: PTH123 - a path of bytes
            stream.write(data)
    seen = scan(world.project, "docs", code=2)
    found = [place(item)[0] for item in seen.results]
    assert sorted(map(str, found)) == sorted(["docs/holds.md", *(f"docs/{name.decode()}" for name in odd)])
    assert seen.ran.err == "prov: docs/\\udcff\\udcfe.md: the name is not UTF-8\n"


def test_a_document_that_may_not_be_read_is_told(world: World) -> None:
    documents(world, HOLDS)
    (world.project.root / "docs/folder.md").mkdir()
    (world.project.root / "docs/dangling.md").symlink_to("nowhere")
    seen = scan(world.project, "docs", code=2)
    assert seen.verdicts == ["exact"]
    assert "docs/dangling.md" in seen.ran.err
    assert "docs/folder.md" not in seen.ran.err


def test_reports_are_written_by_their_endings(world: World) -> None:
    documents(world, HOLDS, WARNS, FAILS)
    out = [f"out/{name}" for name in ("a.txt", "a.json", "a.jsonl")]
    (world.project.root / "out").mkdir()
    ran = run(world.project, *(part for name in out for part in ("--output", name)), "docs")
    text, whole, lines = ((world.project.root / name).read_text() for name in out)
    assert ran.code == 1
    assert text.splitlines()[-1] == ran.last
    assert [item["verdict"] for item in json.loads(whole)["results"]] == ["out-of-range", "exact", "exact"]
    assert [json.loads(line) for line in lines.splitlines()] == json.loads(whole)["results"]
    again = run(world.project, "--format", "json", "docs")
    assert again.out == whole
    assert run(world.project, "--format", "jsonl", "docs").out == lines


def test_a_report_is_not_written_over_a_document_or_the_database(world: World) -> None:
    documents(world, HOLDS)
    world.project.write("docs/a.txt", "Text.\n")
    for name in ("docs/a.txt", "text:docs/holds.md", "json:evidence.db"):
        ran = run(world.project, "--output", name, "docs")
        assert ran.code == 2, ran.said
    assert (world.project.root / "docs/a.txt").read_text() == "Text.\n"


def test_what_holds_is_listed_with_v_and_little_is_said_with_q(world: World) -> None:
    known_as(world)
    commit = world.repository.commit({"valve.py": CODE})
    world.project.write("docs/a.md", "".join(f"{blob(commit, f'L{1 + at % 20}')}\n\n" for at in range(101)))
    plain, verbose = run(world.project, "docs"), run(world.project, "-v", "docs")
    assert "101 citations not listed here" in plain.out
    assert verbose.out.count("unquoted") == 101
    assert plain.last == verbose.last == "101 of 101 citations checked: 101 ok · proven: 101 by commit"
    quiet = run(world.project, "-q", "--refresh", "docs")
    assert (quiet.code, quiet.err) == (0, "")


def test_text_says_where_a_failure_stands_in_its_document(world: World) -> None:
    documents(world, FAILS)
    ran = run(world.project, "docs")
    assert "docs/fails.md:1" in ran.out
    assert ran.out.startswith("failure  out-of-range")
    assert ran.last.startswith("1 of 1 citation checked: 1 failure")

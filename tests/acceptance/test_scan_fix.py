"""`prov scan --fix`: links that are mended where the answer is clear, and every other byte left as it is."""

from __future__ import annotations

import json
import stat
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from support.project import command
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, run, scan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from support.project import Ran, World

GITLAB = "https://gitlab.com/example/engine"
GITEA = "https://codeberg.org/example/engine"
TWICE = "def rinse(basin, water):\n    basin.fill(water)\n    return basin.empty()\n"
DRAIN = code(18, 23)
OPEN = code(5, 6)
FILES = {"valve.py": CODE, "twice.py": f"{TWICE}\n\n{TWICE}", "a&b.py": CODE}


@pytest.fixture
def commit(world: World) -> str:
    """What `main` is."""
    known_as(world, SITE, GITLAB, GITEA)
    return world.repository.commit(FILES)


def fix(world: World, *names: str, code: int = 0) -> Ran:
    ran = run(world.project, "--fix", *(names or ("a.md",)))
    assert ran.code == code, ran.said
    return ran


def settled(world: World, *names: str) -> None:
    """Nothing is left to mend, and all holds."""
    before = world.project.files()
    ran = fix(world, *names)
    assert "fixed" not in ran.out
    after = world.project.files()
    documents = [name for name in before if "evidence" not in name and ".cache" not in name]
    assert {name: after[name] for name in documents} == {name: before[name] for name in documents}


@dataclass(frozen=True)
class Case:
    """A link and the block below it; what the link becomes."""

    link: Callable[[str], str]
    block: str
    new: Callable[[str], str]


def gitlab(revision: str, lines: str) -> str:
    return f"{GITLAB}/-/blob/{revision}/valve.py{lines}"


CASES = {
    "anchored": Case(lambda c: blob(c, "L20"), DRAIN, lambda c: blob(c, "L18-L23")),
    "shifted": Case(lambda c: blob(c, "L4-L5"), DRAIN, lambda c: blob(c, "L18-L23")),
    "shifted-one-line": Case(lambda c: blob(c, "L9"), code(20), lambda c: blob(c, "L20")),
    "branch": Case(lambda _: blob("main", "L18-L23"), DRAIN, lambda c: blob(c, "L18-L23")),
    "branch-and-shifted": Case(lambda _: blob("main", "L4-L5"), DRAIN, lambda c: blob(c, "L18-L23")),
    "head": Case(lambda _: blob("HEAD", "L18-L23"), DRAIN, lambda c: blob(c, "L18-L23")),
    "spelt-out": Case(lambda _: blob("refs/heads/main", "L20"), DRAIN, lambda c: blob(c, "L18-L23")),
    "gitlab": Case(lambda c: gitlab(c, "#L4-5"), DRAIN, lambda c: gitlab(c, "#L18-23")),
    "gitlab-branch": Case(
        lambda _: gitlab("main", "?ref_type=heads#L20"), DRAIN, lambda c: gitlab(c, "#L18-23")
    ),
    "gitea-branch": Case(
        lambda _: f"{GITEA}/src/branch/main/valve.py#L20",
        DRAIN,
        lambda c: f"{GITEA}/src/commit/{c}/valve.py#L18-L23",
    ),
    "query": Case(
        lambda c: f"{SITE}/blob/{c}/valve.py?plain=1#L20",
        DRAIN,
        lambda c: f"{SITE}/blob/{c}/valve.py?plain=1#L18-L23",
    ),
    "percent": Case(lambda c: blob(c, "L20", "a%26b.py"), DRAIN, lambda c: blob(c, "L18-L23", "a%26b.py")),
}


@pytest.mark.parametrize("name", CASES)
def test_a_link_is_mended_in_its_hosts_own_form(world: World, commit: str, name: str) -> None:
    case = CASES[name]
    old, new = case.link(commit), case.new(commit)
    file = world.project.write("a.md", f"# A\n\nSee [{name}]({old}).\n\n{fence(case.block)}")
    ran = fix(world)
    assert file.read_text() == f"# A\n\nSee [{name}]({new}).\n\n{fence(case.block)}"
    assert f"fixed a.md:3: {old} -> {new}" in ran.out.replace("\n    ", "")
    (result,) = scan(world.project, "a.md").results
    assert (result["verdict"], result["level"], result["cited"]) == ("exact", "ok", new)
    settled(world)


def test_the_report_is_that_of_the_mended_document(world: World, commit: str) -> None:
    world.project.write("a.md", f"[it]({blob(commit, 'L4-L5')})\n\n{fence(DRAIN)}")
    ran = run(world.project, "--fix", "--format", "json", "a.md")
    assert ran.code == 0, ran.said
    assert json.loads(ran.out)["results"][0]["verdict"] == "exact"
    assert "fixed a.md:1: " in ran.err


LEFT: dict[str, tuple[Callable[[str], str], str]] = {
    "two-places": (lambda c: blob(c, "L4-L5", "twice.py"), TWICE),
    "changed": (lambda _: blob("main", "L18-L23"), DRAIN.replace("> 0", "> 1")),
    "absent-branch": (lambda _: blob("gone", "L18-L23"), DRAIN),
    "partial": (lambda c: blob(c, "L18-L23"), code(18) + code(20, 22)),
    "out-of-range": (lambda c: blob(c, "L900"), "while tank:\n    nothing()\n"),
    "holds": (lambda c: blob(c, "L18-L23"), DRAIN),
}


@pytest.mark.parametrize("name", LEFT)
def test_where_the_answer_is_not_clear_nothing_is_touched(world: World, commit: str, name: str) -> None:
    link, block = LEFT[name]
    file = world.project.write("a.md", f"[it]({link(commit)})\n\n{fence(block)}")
    before, when = file.read_bytes(), file.stat().st_mtime_ns
    ran = run(world.project, "--fix", "a.md")
    assert "fixed" not in ran.said
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, when)


@pytest.mark.usefixtures("commit")
def test_a_quote_in_two_places_pins_its_branch_and_keeps_its_lines(world: World) -> None:
    file = world.project.write("a.md", f"[it]({blob('main', 'L4-L5', 'twice.py')})\n\n{fence(TWICE)}")
    ran = run(world.project, "--fix", "a.md")
    assert "L1-L3" not in file.read_text(), ran.said
    assert "L6-L8" not in file.read_text()


def test_two_links_on_a_line_are_both_mended(world: World, commit: str) -> None:
    text = f"[one]({blob('main', 'L20')}) and [two]({blob('main', 'L1')})\n\n{fence(DRAIN)}"
    file = world.project.write("a.md", text)
    fix(world)
    assert file.read_text() == text.replace("/main/", f"/{commit}/").replace("#L20)", "#L18-L23)")
    settled(world)


def test_a_link_that_begins_another_is_mended_alone(world: World, commit: str) -> None:
    links = f"[one]({blob(commit, 'L2')}) [two]({blob(commit, 'L20')}) [three]({blob(commit, 'L2-L3')})"
    text = f"{links}\n\n{fence(DRAIN)}"
    file = world.project.write("a.md", text)
    fix(world)
    assert file.read_text() == text.replace("#L20)", "#L18-L23)")


def test_one_url_that_is_wanted_in_two_ways_is_left_and_that_is_said(world: World, commit: str) -> None:
    # A reference's definition, used for two quotes that stand in different places.
    text = (
        f"# A\n\nSee [this][x].\n\n{fence(DRAIN)}\n# B\n\nSee [that][x].\n\n{fence(code(12, 15))}\n"
        f"[x]: {blob(commit, 'L4-L5')}\n"
    )
    file = world.project.write("a.md", text)
    ran = run(world.project, "--fix", "a.md")
    assert file.read_text() == text
    assert "left a.md:" in ran.out
    assert "without doubt" in ran.out
    assert ran.code == 1


def test_a_url_that_one_quote_wants_as_it_is_is_left_for_the_other(world: World, commit: str) -> None:
    text = (
        f"# A\n\nSee [this][x].\n\n{fence(DRAIN)}\n# B\n\nSee [that][x].\n\n{fence(code(20))}\n"
        f"[x]: {blob(commit, 'L20')}\n"
    )
    file = world.project.write("a.md", text)
    other = world.project.write("a.ipynb", notebook(blob(commit, "L20")))
    form = json.loads(other.read_text())
    form["cells"].append({**form["cells"][0], "source": f"[it]({blob(commit, 'L20')})\n\n{fence(code(20))}"})
    before = other.write_text(json.dumps(form))
    ran = fix(world, "a.md", "a.ipynb")
    assert file.read_text() == text
    assert len(other.read_text()) == before
    assert ran.out.count("left a.") == 2
    assert "fixed" not in ran.out


def test_a_references_definition_is_mended_where_it_stands(world: World, commit: str) -> None:
    text = f"# A\n\nSee [this][x].\n\n{fence(DRAIN)}\nMore.\n\n[x]: <{blob('main', 'L20')}> 'Title'\n"
    file = world.project.write("a.md", text)
    ran = fix(world)
    assert file.read_text() == text.replace(blob("main", "L20"), blob(commit, "L18-L23"))
    assert "fixed a.md:16: " in ran.out
    settled(world)


def test_the_same_url_elsewhere_stays_where_its_quote_does_not_say_so(world: World, commit: str) -> None:
    text = f"# A\n\n[it]({blob(commit, 'L20')})\n\n{fence(DRAIN)}\n# B\n\nOnly [it]({blob(commit, 'L20')}).\n"
    file = world.project.write("a.md", text)
    fix(world)
    first, second = text.split("# B")
    assert file.read_text() == first.replace("#L20", "#L18-L23") + "# B" + second


ODD = {
    "carriage-returns": lambda text: text.replace(b"\n", b"\r\n"),
    "mark": lambda text: b"\xef\xbb\xbf" + text,
    "latin": lambda text: b"caf\xe9 \xff\xfe\n\n" + text,
    "mixed": lambda text: text.replace(b"\n", b"\r\n", 2) + b"\x0c \x85 end without a line end",
}


@pytest.mark.parametrize("name", ODD)
def test_every_other_byte_stays(world: World, commit: str, name: str) -> None:
    old, new = blob("main", "L20"), blob(commit, "L18-L23")
    data = ODD[name](f"# A\n\n[it]({old}) \t \n\n{fence(DRAIN)}".encode())
    file = world.project.write("a.md", data)
    fix(world)
    assert file.read_bytes() == data.replace(old.encode(), new.encode())
    settled(world)


def test_in_html_an_entity_stays_one(world: World, commit: str) -> None:
    old = f"{SITE}/blob/main/valve.py?plain=1&amp;x=2#L20"
    text = f"<p class=a&b><a href='{old}'>it</a></p>\n<pre>{DRAIN.replace('>', '&gt;')}</pre>\n"
    file = world.project.write("a.html", text)
    fix(world, "a.html")
    assert file.read_text() == text.replace("/main/", f"/{commit}/").replace("#L20", "#L18-L23")
    settled(world, "a.html")


def test_in_rst_and_in_source_links_are_mended(world: World, commit: str) -> None:
    block = "".join(f"        {line}" for line in DRAIN.splitlines(keepends=True))
    rst = f"A\n=\n\nSee `it <{blob('main', 'L20')}>`__::\n\n{block}"
    source = (
        f'def f():\n    """As {blob("main", "L20")}::\n\n{block}    """\n    return "{blob("main", "L20")}"\n'
    )
    files = [world.project.write("a.rst", rst), world.project.write("a.py", source)]
    fix(world, "a.rst", "a.py")
    new = blob(commit, "L18-L23")
    assert files[0].read_text() == rst.replace(blob("main", "L20"), new)
    assert files[1].read_text() == source.replace(blob("main", "L20"), new, 1)


def notebook(*links: str) -> str:
    text = "\n\n".join(f"# Part\n\nSee [it]({link}) \u00fc \\u:\n\n{fence(DRAIN)}" for link in links)
    cell = {
        "cell_type": "markdown",
        "metadata": {"z": 1, "a": [1.50, 1e3]},
        "source": text.splitlines(keepends=True),
    }
    odd = json.dumps({"metadata": {}, "nbformat": 4, "cells": [cell]}, indent=3, ensure_ascii=True)
    return odd.replace("\n   ", "\n \t ") + "\n\n"


def test_a_notebook_keeps_its_own_layout(world: World, commit: str) -> None:
    text = notebook(blob("main", "L20"))
    file = world.project.write("a.ipynb", text)
    ran = fix(world, "a.ipynb")
    assert file.read_text() == text.replace(blob("main", "L20"), blob(commit, "L18-L23"))
    assert "fixed a.ipynb: " in ran.out
    settled(world, "a.ipynb")


def test_a_plain_place_gets_other_numbers(world: World, commit: str) -> None:
    configure(world.project, f'documents = [{{path = "docs", git = "{SITE}", revision = "{commit}"}}]')
    text = f"# A\n\nIn `valve.py:20` it says:\n\n{fence(DRAIN)}\n# B\n\nIn `valve.py` lines 4\u20135:\n\n{fence(OPEN)}"
    file = world.project.write("docs/a.md", text)
    fix(world, "docs")
    assert file.read_text() == text.replace("valve.py:20", "valve.py:18-23").replace("4\u20135", "5\u20136")


@pytest.mark.usefixtures("commit")
def test_a_plain_place_at_a_branch_is_not_made_a_link(world: World) -> None:
    configure(world.project, f'documents = [{{path = "docs", git = "{SITE}", revision = "main"}}]')
    text = f"In `valve.py:18-23` it says:\n\n{fence(DRAIN)}"
    file = world.project.write("docs/a.md", text)
    fix(world, "docs")
    assert file.read_text() == text


def test_a_relative_link_gets_other_numbers(world: World) -> None:
    world.project.write("src/valve.py", CODE)
    text = f"See [it](src/valve.py#L20).\n\n{fence(DRAIN)}"
    file = world.project.write("a.md", text)
    fix(world)
    assert file.read_text() == text.replace("#L20", "#L18-L23")


def broken(world: World, name: str = "a.md") -> Path:
    return world.project.write(name, f"[it]({blob('main', 'L20')})\n\n{fence(DRAIN)}")


def test_a_document_that_cannot_be_written_is_told_and_stays(world: World, commit: str) -> None:
    # No byte of a file can be written: so it is for root, too, whom no mode binds.
    link = f"[it]({blob(commit, 'L20')})\n\n{fence(DRAIN)}"
    files = [world.project.write(f"docs/{name}.md", link) for name in "ab"]
    scan(world.project, "docs")
    arguments = [command(), "scan", *world.project.options, "--offline", "--fix", "docs"]
    ran = subprocess.run(
        ["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh", *arguments],
        cwd=world.project.root,
        env=world.project.environment(),
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 2, ran.stderr
    for file in files:
        assert f"docs/{file.name}: cannot be written: File too large".encode() in ran.stderr
        assert file.read_text() == link
    assert sorted(path.name for path in files[0].parent.iterdir()) == ["a.md", "b.md"]


def test_the_mode_of_a_document_stays_and_so_does_a_link_to_it(world: World, commit: str) -> None:
    file = broken(world, "real/a.md")
    file.chmod(0o640)
    (world.project.root / "link.md").symlink_to("real/a.md")
    fix(world, "link.md")
    assert commit in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert (world.project.root / "link.md").is_symlink()
    assert sorted(path.name for path in file.parent.iterdir()) == ["a.md"]


def test_a_document_that_is_met_twice_is_mended_once(world: World, commit: str) -> None:
    file = broken(world, "docs/a.md")
    (world.project.root / "docs/b.md").symlink_to("a.md")
    ran = fix(world, "docs")
    assert (ran.out.count("fixed docs/"), ran.out.count("left ")) == (1, 0)
    assert ran.out.startswith("ok  exact")
    assert commit in file.read_text()


def test_a_document_outside_is_not_mended_through_a_link_in_the_project(world: World, commit: str) -> None:
    outside = world.project.base / "a.md"
    broken(world).rename(outside)
    before = outside.read_bytes()
    (world.project.root / "a.md").symlink_to(outside)
    assert run(world.project, "--fix", "a.md").code == 2
    assert outside.read_bytes() == before
    assert commit not in outside.read_text()


@pytest.mark.usefixtures("commit")
def test_without_fix_no_document_is_written(world: World) -> None:
    file = broken(world)
    before, when = file.read_bytes(), file.stat().st_mtime_ns
    scan(world.project, "a.md")
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, when)


def test_offline_a_branch_is_pinned_at_what_is_known(world: World, commit: str) -> None:
    file = broken(world)
    scan(world.project, "a.md")
    world.go_down()
    run(world.project, "--fix", "--offline", "a.md")
    assert blob(commit, "L18-L23") in file.read_text()

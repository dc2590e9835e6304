"""Places without a URL, relative links, and what looks like a citation and is not understood."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, place, run, scan

if TYPE_CHECKING:
    from support.project import Project, World

FIVE = "one\ntwo\nthree\nfour\nfive\n"


def speaks_of(world: World, revision: str, more: str = "") -> None:
    """Configure what plain places in docs/ mean."""
    known_as(world)
    configure(
        world.project,
        f'documents = [{{path = "docs", git = "{SITE}", revision = "{revision}"{more}}}, "other"]',
    )


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        ("In `src/valve.py:5-6` it says", "src/valve.py:5-6"),
        ("In src/valve.py:5-6 it says", "src/valve.py:5-6"),
        ("In src/valve.py#L5-L6 it says", "src/valve.py#L5-L6"),
        ("In `src/valve.py` lines 5\u20136 it says", None),
        ("In `src/valve.py` (lines 5-6) it says", None),
    ],
)
def test_a_plain_place_means_the_repository_that_is_configured(
    world: World, written: str, cited: str | None
) -> None:
    commit = world.repository.commit({"src/valve.py": CODE})
    speaks_of(world, commit)
    text = f"# A\n\n{written}:\n\n{fence(code(5, 6))}"
    world.project.write("docs/a.md", text)
    world.project.write("other/a.md", text)
    seen = scan(world.project)
    result = seen.one
    assert (result["verdict"], result["level"], result["revision"]) == ("exact", "ok", commit)
    assert (result["path"], result.span("lines"), place(result)) == (
        "src/valve.py",
        "5-6",
        ("docs/a.md", 3, None),
    )
    assert cited is None or result["cited"] == cited
    assert seen.not_understood == ()


def test_a_plain_place_can_stand_in_a_folder_of_the_repository_and_at_a_branch(world: World) -> None:
    commit = world.repository.commit({"engine/src/valve.py": CODE})
    speaks_of(world, "main", ', folder = "engine"')
    world.project.write("docs/a.md", f"In `src/valve.py:5-6` it says:\n\n{fence(code(5, 6))}")
    result = scan(world.project, "docs").one
    assert (result["verdict"], result["level"], result["revision"]) == ("exact", "warning", commit)
    assert result["path"] == "engine/src/valve.py"
    assert "main moves" in result.text("notes")


def test_a_plain_place_can_name_the_end_of_a_path_alone(world: World) -> None:
    commit = world.repository.commit(
        {"src/deep/valve.py": CODE, "a/two.py": CODE, "b/two.py": CODE, "notvalve.py": "x\n"}
    )
    speaks_of(world, commit)
    places = ["valve.py", "deep/valve.py", "two.py", "alve.py"]
    world.project.write(
        "docs/a.md",
        "".join(f"# {at}\n\nIn `{path}:5-6`:\n\n{fence(code(5, 6))}\n" for at, path in enumerate(places)),
    )
    one, deep, several, none = scan(world.project, "docs", code=1).results
    for item in (one, deep):
        assert (item["verdict"], item["path"]) == ("exact", "src/deep/valve.py")
        assert "the one path that ends so" in item.text("notes")
    assert (several["verdict"], none["verdict"]) == ("no-path", "no-path")
    assert "a/two.py, b/two.py" in several.text("notes")
    before = world.requests
    assert before
    assert scan(world.project, "docs", code=1).results == (one, deep, several, none)
    assert scan(world.project, "docs", "--offline", code=1).results == (one, deep, several, none)
    assert world.requests == []


def test_without_a_repository_a_plain_place_means_nothing(world: World) -> None:
    known_as(world)
    world.project.write("docs/a.md", f"In `src/valve.py:5-6` it says:\n\n{fence(code(5, 6))}")
    seen = scan(world.project, "docs")
    assert (seen.results, seen.not_understood) == ((), ())
    assert world.requests == []


def relative(project: Project, *links: str, name: str = "docs/deep/a.md") -> None:
    project.write("docs/five.txt", FIVE)
    project.write("top.txt", FIVE)
    project.write(name, "".join(f"# {at}\n\n[it]({link})\n\n" for at, link in enumerate(links)))


@pytest.mark.parametrize(
    ("link", "verdict", "path"),
    [
        ("../five.txt#L5", "unquoted", "docs/five.txt"),
        ("../five.txt#L7", "out-of-range", "docs/five.txt"),
        ("../five.txt#L4-L6", "out-of-range", "docs/five.txt"),
        ("../five.txt#L3-L2", "out-of-range", "docs/five.txt"),
        ("../five.txt#L0", "out-of-range", "docs/five.txt"),
        ("/docs/five.txt#L5", "unquoted", "docs/five.txt"),
        ("../../top.txt#L1-L2", "unquoted", "top.txt"),
        ("./.././five.txt#L1", "unquoted", "docs/five.txt"),
        ("../five%2Etxt#L1", "unquoted", "docs/five.txt"),
        ("../six.txt#L1", "no-path", "docs/six.txt"),
        ("..#L1", "not-text", "docs"),
    ],
)
def test_a_relative_link_is_checked_against_the_file_that_is_there(
    project: Project, link: str, verdict: str, path: str
) -> None:
    relative(project, link)
    result = scan(project, "docs", code=0 if verdict == "unquoted" else 1).one
    assert (result["verdict"], result["path"], result["cited"]) == (verdict, path, link)
    assert "a file of this project" in result.text("notes")
    assert (result["permalink"], result["origin"], result["assurance"]) == (None, None, None)


def test_a_relative_link_is_compared_with_what_is_quoted(project: Project) -> None:
    relative(project, "../five.txt#L2-L3")
    text = project.root / "docs/deep/a.md"
    text.write_text(text.read_text() + fence("two\nthree\n", "text"))
    result = scan(project, "docs").one
    assert (result["verdict"], result["kind"]) == ("exact", "quote")
    (project.root / "docs/five.txt").write_text("zero\n" + FIVE)
    result = scan(project, "docs", code=1).one
    assert (result["verdict"], result.span("suggestion")) == ("shifted", "3-4")


@pytest.mark.parametrize("link", ["../../../out.txt#L1", "/../out.txt#L1", "../../..%2Fout.txt#L1"])
def test_a_relative_link_out_of_the_project_is_not_understood(project: Project, link: str) -> None:
    (project.base / "out.txt").write_text(FIVE)
    relative(project, link)
    seen = scan(project, "docs")
    (left,) = seen.not_understood
    assert seen.results == ()
    assert left["message"] == "the link leads out of the project"
    assert (left["cited"], place(left)) == (link, ("docs/deep/a.md", 3, None))


def test_a_relative_link_through_a_symbolic_link_does_not_leave_the_project(project: Project) -> None:
    (project.base / "out.txt").write_text("SECRETWORD\n")
    (project.root / "in.txt").symlink_to(project.base / "out.txt")
    (project.root / "up").symlink_to(project.base)
    project.write(
        "a.md", f"[it](in.txt#L1)\n\n{fence('SECRETWORDS' + chr(10))}\n# B\n\n[it](up/out.txt#L1)\n"
    )
    seen = scan(project, "a.md", code=1)
    assert seen.verdicts == ["not-text", "not-text"]
    assert "SECRETWORD\\n" not in seen.ran.out


UNREAD = {
    "https://code.example.org/engine/valve.py#L5": "hosts",
    f"{SITE}/blob/main/valve.py#L5+6": "#L5+6",
    f"{SITE}/pull/7/files#diff-{'a' * 64}R5": "comparison",
    f"{SITE}/blob/HEAD@%7B1%7D/valve.py#L5": "no pinned revision",
    "swh:1:cnt:xyz;lines=5": "SWHID",
    f"{SITE}/blob/main/%FF.py#L5": "not UTF-8",
    f"{SITE}/blob/%ED%A0%80/valve.py#L5": "not UTF-8",
    "%FF.py#L5": "not UTF-8",
}


@pytest.fixture
def unread(project: Project) -> Project:
    """A document with nothing but what cannot be understood."""
    project.write("docs/a.md", "".join(f"# {at}\n\n[it]({link})\n\n" for at, link in enumerate(UNREAD)))
    return project


def test_what_is_not_understood_is_listed_with_its_place_and_reason(unread: Project) -> None:
    seen = scan(unread, "docs")
    assert [item["cited"] for item in seen.not_understood] == list(UNREAD)
    assert [place(item)[1] for item in seen.not_understood] == [3 + 4 * at for at in range(len(UNREAD))]
    assert list(seen.not_understood[0]) == ["document", "cited", "message"]
    for item in seen.not_understood:
        assert UNREAD[item.text("cited")] in item.text("message")


def test_what_is_not_understood_is_listed_in_text_and_counted_on_the_last_line(unread: Project) -> None:
    ran = run(unread, "docs")
    assert ran.code == 0, ran.said
    assert ran.out.count("not understood  docs/a.md:") == len(UNREAD)
    assert "docs/a.md:15\n" in ran.out
    assert ran.last == f"0 of 0 citations checked: nothing to check · {len(UNREAD)} not understood"


def test_what_is_not_understood_is_a_line_of_its_own_where_each_result_is_one(unread: Project) -> None:
    ran = run(unread, "--format", "jsonl", "docs")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [list(line) for line in lines] == [["not_understood"]] * len(UNREAD)
    assert [line["not_understood"]["cited"] for line in lines] == list(UNREAD)


@pytest.mark.parametrize("format_", ["text", "json", "jsonl"])
def test_strictly_what_is_not_understood_is_a_failure(unread: Project, format_: str) -> None:
    assert run(unread, "--strict", "--format", format_, "docs").code == 1


def test_a_second_run_lists_the_same(unread: Project) -> None:
    assert scan(unread, "docs").not_understood == scan(unread, "docs").not_understood


def test_links_to_sites_issues_and_whole_files_are_no_citations(world: World) -> None:
    commit = world.repository.commit({"valve.py": CODE})
    known_as(world)
    links = [
        "https://example.org/",
        f"{SITE}/issues/12#issuecomment-5",
        f"{SITE}/commit/{commit}",
        f"{SITE}/tree/{commit}/src",
        blob(commit),
        "#L5",
        "other.md#heading",
        "mailto:a@example.org",
    ]
    world.project.write("a.md", "".join(f"[it]({link})\n\n" for link in links))
    seen = scan(world.project, "a.md")
    assert (seen.results, seen.not_understood, world.requests) == ((), (), [])

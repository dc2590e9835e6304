"""One place for a reviewer, by whatever names it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, Source, World

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = [f"row_{number} = {number}" for number in range(1, 21)]
CODE = "\n".join(LINES) + "\n"


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, str]]:
    """A repository that stands for one on a forge, at two commits, with three citations of the second."""
    with World(tmp_path_factory.mktemp("show")) as world:
        world.repository.commit({"src/rows.py": "old = 0\n" + CODE})
        world.repository.tag("v0", "main")
        commit = world.repository.commit({"src/rows.py": CODE, "other/rows.py": CODE, "lib/one.py": CODE})
        (world.project.home / ".gitconfig").write_text(
            f'[url "{world.url}"]\n\tinsteadOf = https://github.com/o/r\n'
        )
        quote = "\n".join(LINES[4:8]) + "\n"
        world.project.manifest(
            Source("https://github.com/o/r", commit[:12]),
            Cite("five", "src/rows.py", "5-8", quote, claim="Rows five to eight."),
            Cite("wrong", "src/rows.py", "8-9", "row_8 = 8\nrow_9 = 10\n"),
            Cite("other", "other/rows.py", "2", "row_2 = 2\n"),
            Cite("only", "lib/one.py", "3-4"),
        )
        world.project.fetch()
        yield world, commit


def shown(project: Project, *arguments: str) -> dict[str, object]:
    ran = project.run("show", "--format", "json", *arguments)
    assert ran.code == 0, ran.said
    return ran.json()


def test_every_form_of_locator_leads_to_the_same_place(cited: tuple[World, str]) -> None:
    world, commit = cited
    blob = world.repository.blob(commit, "src/rows.py")
    forms = [
        "src/rows.py:5-8",
        "src/rows.py:5–8",
        "src/rows.py#L5-L8",
        "five",
        f"https://github.com/o/r/blob/{commit}/src/rows.py#L5-L8",
        f"https://github.com/o/r/blob/{commit[:12]}/src/rows.py#L5-L8",
        f"swh:1:cnt:{blob};origin=https://github.com/o/r;anchor=swh:1:rev:{commit};path=/src/rows.py;lines=5-8",
    ]
    world.server.reset()
    first = shown(world.project, forms[0])
    assert first["schema"] == "prov/show/1"
    assert first["lines"] == {"first": 5, "last": 8}
    assert [line["text"] for line in first["excerpt"]] == LINES[4:8]  # type: ignore[attr-defined]
    for form in forms[1:]:
        assert shown(world.project, form) == first, form
    assert world.requests == []


def test_what_a_reviewer_sees(cited: tuple[World, str]) -> None:
    world, commit = cited
    ran = world.project.run("show", "src/rows.py:5-8", "--context", "1")
    out = ran.out.splitlines()
    for part in (
        f"{commit[:12]} ({commit})",
        "https://github.com/o/r",
        f"https://github.com/o/r/blob/{commit}/src/rows.py#L5-L8",
        "swh:1:cnt:",
        "commit, from git",
        "Rows five to eight.",
        "manifests/page.yaml:8",
        "-row_9 = 10",
        "+row_9 = 9",
    ):
        assert part in ran.out, part
    numbered = [line.strip() for line in out if "row_" in line and line.strip()[0].isdigit()]
    assert numbered == ["4   row_4 = 4", *(f"{n} | row_{n} = {n}" for n in range(5, 9)), "9   row_9 = 9"]
    assert "\x1b" not in ran.out


def test_any_lines_of_a_cited_file_and_the_citations_that_overlap_them(cited: tuple[World, str]) -> None:
    world, _ = cited
    place = shown(world.project, "src/rows.py:1-5")
    assert [item["id"] for item in place["citations"]] == ["five"]  # type: ignore[attr-defined]
    assert shown(world.project, "src/rows.py:12")["citations"] == []
    ran = world.project.run("show", "src/rows.py:19-25")
    assert ran.code == 0, ran.said
    assert "20 lines" in ran.out


def test_a_file_named_without_lines_has_those_of_its_only_citation(cited: tuple[World, str]) -> None:
    world, _ = cited
    assert shown(world.project, "one.py")["lines"] == {"first": 3, "last": 4}
    ran = world.project.run("show", "src/rows.py")
    assert ran.code == 2, ran.said
    assert "src/rows.py:5-8" in ran.err
    assert "src/rows.py:8-9" in ran.err


@pytest.mark.parametrize(
    ("locator", "named"),
    [
        ("rows.py:5-8", "other/rows.py"),
        ("nothing.py:1", "nothing.py"),
        ("no-such-id", "no-such-id"),
        ("src/rows.py:8-5", "8-5"),
        ("src/rows.py:0", "0"),
        ("https://github.com/o/r/blob/main/x/y.py#L1", "x/y.py"),
        ("swh:1:cnt:beef", "swh"),
    ],
)
def test_what_is_unknown_or_means_several_things_is_wrong_usage(
    cited: tuple[World, str], locator: str, named: str
) -> None:
    ran = cited[0].project.run("show", locator)
    assert ran.code == 2, ran.said
    assert named in ran.err
    assert ran.out == ""


def test_the_same_lines_at_another_revision(cited: tuple[World, str]) -> None:
    world, _ = cited
    place = shown(world.project, "src/rows.py:2", "--at", "v0")
    assert [line["text"] for line in place["excerpt"]] == ["row_1 = 1"]  # type: ignore[attr-defined]
    assert world.project.run("show", "src/rows.py:2", "--at", "v9").code == 1


def test_what_is_lacking_is_fetched_and_where_only_the_lock_answers_the_quote_is_shown(world: World) -> None:
    commit = world.repository.commit({"src/rows.py": CODE})
    quote = "row_5 = 5\nrow_6 = 6\n"
    world.project.manifest(
        world.source(commit), Cite("five", "src/rows.py", "5-6", quote), Cite("bare", "src/rows.py", "9")
    )
    assert "5 | row_5 = 5" in world.project.run("show", "five").out
    assert world.requests
    world.project.fetch()
    world.go_down()
    world.project.db.unlink()
    shutil.rmtree(world.project.cache)
    ran = world.project.run("show", "five")
    assert ran.code == 0, ran.said
    assert "row_5 = 5" in ran.out
    assert "the manifest's quote" in ran.out
    assert shown(world.project, "five")["quote_only"] is True
    ran = world.project.run("show", "bare")
    assert ran.code == 3, ran.said


def test_a_place_that_is_not_there_is_a_failure(world: World) -> None:
    commit = world.repository.commit({"a.py": CODE})
    world.project.manifest(world.source(commit), Cite("gone", "b.py", "1"), Cite("past", "a.py", "30"))
    ran = world.project.run("show", "gone")
    assert ran.code == 1, ran.said
    assert "b.py" in ran.err
    ran = world.project.run("show", "past", "--format", "json")
    assert json.loads(ran.out)["citations"][0]["verdict"] == "out-of-range"

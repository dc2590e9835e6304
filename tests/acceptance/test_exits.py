"""Exit codes and their precedence; strictness, assurance, expectations and levels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, Source, World

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE = "one = 1\ntwo = 2\nthree = 3\n"
BROKEN = "prov: 1\ntitle: Broken\nsorces: {}\n"


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A manifest for each level, each a file of its own, and one that is malformed."""
    with World(tmp_path_factory.mktemp("exits")) as world:
        commit = world.repository.commit({"n.py": CODE})
        source, down = world.source(commit), Source("http://127.0.0.1:9/r.git", commit)
        world.project.manifest(source, Cite("ok", "n.py", "1", "one = 1\n"), name="ok")
        world.project.manifest(source, Cite("warning", "n.py", "1-2", "one = 1\n"), name="warning")
        world.project.manifest(source, Cite("failure", "n.py", "2", "two = 3\n"), name="failure")
        world.project.manifest(source, Cite("missing", "m.py", "2", "two = 3\n"), name="missing")
        world.project.manifest(down, Cite("unavailable", "n.py", "1", "one = 1\n"), name="unavailable")
        world.project.write("manifests/broken.yaml", BROKEN)
        world.project.write("pages/empty.yaml", "prov: 1\ntitle: E\nsources: {}\ncitations: []\n")
        world.project.run("fetch")
        yield world.project


@pytest.mark.parametrize(
    ("manifests", "strict", "code"),
    [
        ("ok", False, 0),
        ("ok warning", False, 0),
        ("ok warning", True, 1),
        ("ok", True, 0),
        ("ok failure", False, 1),
        ("ok unavailable", False, 3),
        ("ok warning unavailable", True, 1),
        ("failure unavailable", False, 1),
        ("ok broken", False, 2),
        ("failure unavailable broken", False, 2),
        ("broken", False, 2),
    ],
)
def test_verify_ends_with_the_worst_that_is_true(
    mixed: Project, manifests: str, strict: bool, code: int
) -> None:
    paths = [f"manifests/{name}.yaml" for name in manifests.split()]
    ran = mixed.run("verify", "--format", "json", *(["--strict"] if strict else []), *paths)
    assert ran.code == code, ran.said
    results = ran.json()["results"]
    assert isinstance(results, list)
    assert {result["id"] for result in results} == {*manifests.split()} - {"broken"}


@pytest.mark.parametrize(
    ("manifests", "code"),
    [
        ("ok failure warning", 0),  # what the quotes are worth is for verify to tell
        ("ok missing", 1),
        ("ok unavailable", 3),
        ("missing unavailable", 1),
        ("missing unavailable broken", 2),
    ],
)
def test_fetch_ends_with_what_could_not_be_had(mixed: Project, manifests: str, code: int) -> None:
    paths = [f"manifests/{name}.yaml" for name in manifests.split()]
    ran = mixed.run("fetch", *paths)
    assert ran.code == code, ran.said


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "manifests/no-such.yaml"),
        ("verify", "no-such-folder"),
        ("verify", "pages"),
        ("fetch", "pages"),
        ("verify", "--no-such-option"),
        ("verify", "--assurance", "certain"),
        ("verify", "--jobs", "0"),
        ("verify", "--format", "html"),
        ("show",),
        ("show", "nothing.py:1"),
        ("frobnicate",),
    ],
)
def test_wrong_usage_is_2_and_told_on_stderr(mixed: Project, arguments: tuple[str, ...]) -> None:
    ran = mixed.run(*arguments)
    assert ran.code == 2, ran.said
    assert ran.err.strip()


def test_a_project_without_manifests_is_wrong_usage(project: Project) -> None:
    for command in ("verify", "fetch"):
        ran = project.run(command)
        assert ran.code == 2, ran.said
        assert "manifests" in ran.err


def test_a_database_that_is_none_is_a_fault_in_one_line(mixed: Project) -> None:
    mixed.write("text.db", "this is not a database, though it is long enough to be looked into\n" * 20)
    ran = mixed.run("verify", "manifests/ok.yaml", "--db", "text.db")
    assert ran.code == 4, ran.said
    assert len(ran.err.splitlines()) == 1
    assert "text.db" in ran.err


def test_a_fault_goes_before_wrong_input(mixed: Project) -> None:
    mixed.write("text.db", "this is not a database, though it is long enough to be looked into\n" * 20)
    assert mixed.run("verify", "--db", "text.db").code == 4


EXPECTED = {
    "until": ("two = 3\n", "changed", "2999-01-01", "changed", "warning", "expected until 2999-01-01: known"),
    "over": ("two = 3\n", "changed", "2020-01-01", "changed", "failure", "which is over"),
    "other": (
        "two = 3\n",
        "absent",
        "2999-01-01",
        "changed",
        "failure",
        "expected absent, and it is changed",
    ),
    "idle": ("two = 2\n", "changed", "2999-01-01", "exact", "ok", "no longer needed"),
}
"""Quote, expected verdict and its last day; the verdict, its level, and what is said."""


def test_a_verdict_that_is_expected_is_a_warning_until_its_date(world: World) -> None:
    commit = world.repository.commit({"n.py": CODE})
    cites = {
        name: Cite(name, "n.py", "2", quote, expect={"verdict": verdict, "because": "known", "until": until})
        for name, (quote, verdict, until, *_) in EXPECTED.items()
    }
    world.project.manifest(world.source(commit), *cites.values())
    found = world.project.verify(code=1)
    for name, (*_, verdict, level, says) in EXPECTED.items():
        assert (found[name]["verdict"], found[name]["level"]) == (verdict, level), name
        assert says in found[name].text("notes"), name
    world.project.manifest(world.source(commit), cites["until"], cites["idle"])
    ran = world.project.run("verify")
    assert ran.code == 0, ran.said
    assert "no longer needed" in ran.out
    assert world.project.run("verify", "--strict").code == 1


def test_a_project_sets_levels(mixed: Project) -> None:
    try:
        mixed.write("pyproject.toml", '[tool.prov.levels]\npartial = "failure"\nchanged = "ok"\n')
        assert mixed.verify("manifests/warning.yaml", code=1)["warning"]["level"] == "failure"
        ran = mixed.run("verify", "manifests/failure.yaml", "--format", "json")
        assert [result["level"] for result in json.loads(ran.out)["results"]] == ["ok"]
        assert "prov: pyproject.toml says that changed is ok\n" in ran.err
        for wrong in ("unavailable = 'ok'", "partial = 'fine'", "perfect = 'ok'"):
            mixed.write("pyproject.toml", f"[tool.prov.levels]\n{wrong}\n")
            ran = mixed.run("verify", "manifests/ok.yaml")
            assert ran.code == 2, ran.said
            assert "tool.prov.levels" in ran.err
    finally:
        (mixed.root / "pyproject.toml").unlink()


@pytest.mark.parametrize(
    "text", ["[tool.prov]\nallow-hosts = ['h']\n", "[tool.prov]\ndb =\n", "[tool.prov]\ndb = '../e.db'\n"]
)
def test_a_configuration_that_says_what_it_may_not_is_wrong_input(project: Project, text: str) -> None:
    project.write("pyproject.toml", text)
    project.manifest(Source("http://127.0.0.1:9/r.git", "v1"), Cite("c", "n.py", "1"))
    ran = project.run("verify")
    assert ran.code == 2, ran.said
    assert "pyproject.toml" in ran.err

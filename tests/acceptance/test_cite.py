"""`prov cite`: what it prints is what `prov verify` and `prov scan` call exact."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from support.project import World, finish
from support.scanning import CODE, SITE, blob, code, known_as, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.project import Project, Ran
    from support.repositories import Files

HOSTILE = "a = '\x1b[2J \u202e'\n::error::owned\n##vso[x]y\n"
FILES: Files = {
    "src/valve.py": CODE,
    "other/valve.py": "x = 1\n",
    "evil.py": HOSTILE,
    "image.png": b"\x89PNG\0\0",
    "legacy.txt": "gr\xfc\xdfe\r\nzwei\r\n".encode("latin-1"),
}
RAW = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
COMMAND = re.compile(rb"^\s*::|##\w*\[", re.MULTILINE)
MANIFEST = "manifests/page.yaml"
SECRET = SITE.replace("://", "://me:pw@") + "/blob/{}/a.py?token=x#L1"
"""A link with what nobody else should read."""


@pytest.fixture(scope="module")
def cited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, str]]:
    """A repository that stands for one on a forge, and the commit of its branch `topic/x`."""
    with World(tmp_path_factory.mktemp("cite")) as world:
        known_as(world)
        commit = world.repository.commit(FILES)
        world.repository.tag("v1", commit)
        world.repository.git("update-ref", "refs/heads/topic/x", commit)
        yield world, commit


def cite(project: Project, *arguments: str, exit_code: int = 0) -> Ran:
    ran = project.run("cite", *project.options, *arguments)
    assert ran.code == exit_code, ran.said
    return ran


def at(revision: str) -> tuple[str, ...]:
    return "--git", SITE, "--revision", revision


def test_what_documents_get_is_exact_to_scan(cited: tuple[World, str]) -> None:
    world, commit = cited
    for name, format_ in (("a.md", "markdown"), ("a.rst", "rst"), ("a.html", "html")):
        one = cite(world.project, "src/valve.py:5-9", *at("v1"), "--format", format_)
        two = cite(
            world.project, blob("topic/x", path="src/valve.py"), "--symbol", "drain", "--format", format_
        )
        assert f"topic/x moves: what is cited is {commit}" in two.err
        assert blob(commit, "L18-L23", path="src/valve.py") in two.out
        world.project.write(f"docs/{name}", f"{one.out}\n{two.out}")
    found = scan(world.project, "docs")
    assert found.verdicts == ["exact"] * 6
    assert {item["quote"] for item in found.results} == {code(5, 9).rstrip("\n"), code(18, 23).rstrip("\n")}


def test_what_manifests_get_is_exact_to_verify(cited: tuple[World, str]) -> None:
    world, commit = cited
    whole = cite(world.project, "valve.py:18-23", "--git", SITE, "--revision", commit[:12], exit_code=2)
    assert "valve.py is the end of several paths:\n  other/valve.py\n  src/valve.py" in whole.err
    whole = cite(world.project, "src/valve.py:18-23", *at(commit[:12]), "--claim", "It drains: a tank.")
    world.project.write(MANIFEST, whole.out)
    item = cite(world.project, "legacy.txt:1-2", "--source", "engine", "--id", "legacy", "--of", "greeting")
    assert item.out == (
        "  - id: legacy\n    source: engine\n    path: legacy.txt\n    lines: 1-2\n    evidence: contextual\n"
        "    of: greeting\n    quote: |\n      grüße\n      zwei\n"
    )
    world.project.write(MANIFEST, whole.out + item.out)
    results = world.project.verify(MANIFEST)
    assert {id_: (one["verdict"], one["revision"]) for id_, one in results.items()} == {
        "valve-18-23": ("exact", commit),
        "legacy": ("exact", commit),
    }


def test_what_is_appended_is_there_once_and_exact(cited: tuple[World, str]) -> None:
    world, commit = cited
    file = world.project.root / "manifests/new.yaml"
    link = blob("v1", "L5-L6", path="src/valve.py")
    first = cite(world.project, link, "--append", "manifests/new.yaml")
    assert first.out == ""
    assert "added valve-5-6 to manifests/new.yaml, and the source engine" in first.err
    before = file.read_bytes()
    again = cite(world.project, "src/valve.py:5-6", *at(commit), "--append", "manifests/new.yaml")
    assert "manifests/new.yaml has it already: valve-5-6" in again.err
    assert file.read_bytes() == before
    cite(world.project, "evil.py:1-3", "--source", "engine", "--append", "manifests/new.yaml")
    assert file.read_bytes().startswith(before)
    results = world.project.verify("manifests/new.yaml")
    assert [one["verdict"] for one in results.values()] == ["exact", "exact"]
    assert cite(world.project, link, "--append", "manifests/new.yaml", "--offline", exit_code=3).out == ""


def test_of_runs_at_once_none_is_lost(cited: tuple[World, str]) -> None:
    world, commit = cited
    runs = [
        world.project.start(
            "cite", *world.project.options, f"src/valve.py:{line}", *at(commit), "--append", "m/at-once.yaml"
        )
        for line in (1, 4, 8)
    ]
    assert [finish(run).code for run in runs] == [0, 0, 0]
    assert len(world.project.verify("m/at-once.yaml")) == 3


def test_nothing_of_the_lines_is_a_command(cited: tuple[World, str]) -> None:
    world, _ = cited
    ran = cite(world.project, "evil.py:1-3", *at("v1"))
    assert not RAW.search(ran.stdout + ran.stderr)
    assert not COMMAND.search(ran.stdout + ran.stderr)
    for format_ in ("html", "markdown"):
        shown = cite(world.project, "evil.py:2-3", *at("v1"), "--format", format_)
        assert not COMMAND.search(shown.stdout)
        refused = cite(world.project, "evil.py:1", *at("v1"), "--format", format_, exit_code=2)
        assert refused.out == ""
        assert "U+001B" in refused.err


@pytest.mark.parametrize(
    ("arguments", "exit_code", "told"),
    [
        (("gone.py:1", *at("v1")), 1, "gone.py:1: "),
        (("src/valve.py:20-24", *at("v1")), 1, "the file has 23 lines"),
        (("image.png:1", *at("v1")), 1, "binary content"),
        (("src/valve.py:1", *at("v9")), 1, "no tag or branch named v9"),
        (("src/valve.py", "--symbol", "Valve.opens", *at("v1")), 1, "did you mean Valve.open?"),
        (("src/valve.py:1", "--git", "https://127.0.0.1:9/x", "--revision", "v1", "--offline"), 3, "offline"),
        (("src/valve.py:1", "--git", "ftp://example.org/x", "--revision", "v1"), 2, "ftp"),
        ((SECRET.format("v9"),), 1, f"prov: {SITE}/blob/v9/a.py?token=…#L1: "),
        ((SECRET.format(""),), 2, f"prov: {SITE}/blob//a.py?token=…#L1: "),
        (("src/valve.py:1",), 2, "of which repository?"),
        (("src/valve.py:3", *at("v1")), 2, "the lines are blank"),
        (("src/valve.py:1", *at("v1"), "--format", "html", "--claim", "x"), 2, "leave --format out"),
        (("src/valve.py:1", *at("v1"), "--append", "README.md"), 2, "ends in .yaml or .yml"),
        (("src/valve.py:1", *at("v1"), "--append", "manifests"), 2, "not a file"),
        (("src/valve.py:1", *at("v1"), "--id", " "), 2, "--id"),
    ],
)
def test_what_cannot_be_cited_is_told(
    cited: tuple[World, str], arguments: tuple[str, ...], exit_code: int, told: str
) -> None:
    world, _ = cited
    ran = cite(world.project, *arguments, exit_code=exit_code)
    assert ran.out == ""
    assert told in ran.err


def test_citing_alone_writes_no_manifest_and_no_lock(world: World) -> None:
    known_as(world)
    commit = world.repository.commit(FILES)
    cite(world.project, "src/valve.py:1", *at(commit))
    assert [*(world.project.root / "manifests").iterdir()] == []

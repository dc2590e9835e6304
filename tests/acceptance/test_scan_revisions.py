"""What a link's revision is: an id, a tag, a branch that moves, one that is gone, a repository that moved."""

from __future__ import annotations

import shutil
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Source
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, run, scan

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from support.project import World

FILES = {"valve.py": CODE}
LATER = {"valve.py": "# A line more.\n" + CODE}
QUOTE = code(5, 6)


@pytest.fixture(autouse=True)
def _known(world: World) -> None:
    known_as(world)


def cite(world: World, *revisions: str, lines: str = "L5-L6", quote: str = QUOTE, name: str = "a.md") -> None:
    """Write a document with a section for each link."""
    parts = [
        f"# {at}\n\n[it]({blob(revision, lines)}):\n\n{fence(quote)}" for at, revision in enumerate(revisions)
    ]
    world.project.write(name, "\n".join(parts))


def test_ids_and_tags_pin_and_say_nothing(world: World) -> None:
    commit = world.repository.commit(FILES)
    world.repository.commit(LATER)
    world.repository.tag("v1", commit)
    world.repository.tag("release/2", commit, annotated=True)
    world.repository.tag("1234567", commit)
    cite(world, commit, commit[:7], commit[:10], commit.upper(), "v1", "release/2", "refs/tags/v1", "1234567")
    seen = scan(world.project, "a.md")
    assert seen.verdicts == ["exact"] * 8
    assert {item["revision"] for item in seen.results} == {commit}
    assert {item["level"] for item in seen.results} == {"ok"}
    assert "moves" not in seen.ran.out


def test_a_short_id_of_no_commit_is_no_revision(world: World) -> None:
    commit = world.repository.commit(FILES)
    cite(world, ("0" if commit[0] != "0" else "1") * 8)
    assert scan(world.project, "a.md", code=1).one["verdict"] == "no-revision"


@pytest.mark.parametrize(
    ("revision", "told"),
    [("main", "main"), ("HEAD", "main"), ("refs/heads/main", "main"), ("topic/x", "topic/x")],
)
def test_a_branch_is_judged_at_its_commit_of_today_and_is_a_warning(
    world: World, revision: str, told: str
) -> None:
    commit = world.repository.commit(FILES)
    tip = commit if told == "main" else world.repository.commit(LATER | FILES, branch="topic/x")
    cite(world, revision)
    result = scan(world.project, "a.md").one
    assert (result["verdict"], result["level"], result["revision"]) == ("exact", "warning", tip)
    assert f"{told} moves" in result.text("notes")
    assert blob(tip, "L5-L6") in result.text("notes")
    assert run(world.project, "--strict", "a.md").code == 1


def test_of_branches_with_slashes_the_longest_that_fits_is_meant(world: World) -> None:
    world.repository.commit({"b/c.py": "at a\n"}, branch="a")
    shallow = world.repository.tip("a")
    deep = world.repository.commit({"c.py": "at a/b\n"}, branch="z")
    # git lets no two branches be a and a/b, and a tag and a branch may be.
    world.repository.tag("a/b", deep)
    world.project.write(
        "a.md",
        f"# 1\n\n[it]({SITE}/blob/a/b/c.py#L1)\n\n{fence('at a/b' + chr(10))}\n# 2\n\n{SITE}/blob/z/c.py#L1\n",
    )
    seen = scan(world.project, "a.md")
    first, second = seen.results
    assert (first["revision"], first["path"], first["verdict"], first["level"]) == (
        deep,
        "c.py",
        "exact",
        "ok",
    )
    assert "several ways" in first.text("notes")
    assert "b/c.py at a" in first.text("notes")
    assert (second["revision"], second["level"]) == (deep, "warning")
    world.repository.git("tag", "-d", "a/b")
    world.project.write("a.md", f"{SITE}/blob/a/b/c.py#L1\n")
    assert (scan(world.project, "a.md").one["revision"], shallow) == (shallow, shallow)


def test_where_the_longest_fits_no_file_the_other_reading_is_taken(world: World) -> None:
    tip = world.repository.commit({"b/c.py": "at a\n"}, branch="a")
    world.repository.tag("a/b", world.repository.commit({"other.py": "x\n"}))
    world.project.write("a.md", f"{SITE}/blob/a/b/c.py#L1\n")
    result = scan(world.project, "a.md").one
    assert (result["verdict"], result["revision"], result["path"]) == ("unquoted", tip, "b/c.py")
    assert "a moves" in result.text("notes")
    tip = world.repository.commit({"b/c.py": "at a\n", "more": ""}, branch="a")
    assert scan(world.project, "a.md").one["revision"] == tip, "and of each reading it is seen that it moves"


def test_a_place_in_a_log_of_one_clone_is_told_and_not_judged(world: World) -> None:
    world.repository.commit(FILES)
    world.project.write("a.md", f"{SITE}/blob/HEAD@%7B2019-04-21T09:31:40Z%7D/valve.py#L5\n")
    seen = scan(world.project, "a.md")
    (left,) = seen.not_understood
    assert seen.results == ()
    assert "no pinned revision" in left.text("message")
    assert world.requests == []


def test_a_branch_that_moves_is_judged_anew(world: World) -> None:
    old = world.repository.commit(FILES)
    cite(world, "main")
    assert scan(world.project, "a.md").one["revision"] == old
    new = world.repository.commit(LATER)
    result = scan(world.project, "a.md", code=1).one
    assert (result["revision"], result["verdict"], result.span("suggestion")) == (new, "shifted", "6-7")
    assert blob(new, "L6-L7") in result.text("notes"), "the permalink leads to where the quote is"


def test_a_branch_that_is_deleted_is_no_revision(world: World) -> None:
    world.repository.commit(LATER)
    world.repository.commit(FILES, branch="topic")
    cite(world, "topic")
    scan(world.project, "a.md")
    world.repository.delete_branch("topic")
    result = scan(world.project, "a.md", code=1).one
    assert (result["verdict"], result["level"]) == ("no-revision", "failure")
    assert "topic" in result.text("message")


def test_a_tag_that_is_moved_is_judged_where_it_is_when_asked_anew(world: World) -> None:
    old = world.repository.commit(FILES)
    world.repository.tag("v1", old)
    cite(world, "v1")
    assert scan(world.project, "a.md").one["revision"] == old
    new = world.repository.commit(LATER)
    world.repository.git("tag", "-f", "v1", new)
    result = scan(world.project, "--refresh", "a.md", code=1).one
    assert (result["revision"], result["verdict"]) == (new, "shifted")


def moved(handler: BaseHTTPRequestHandler) -> bool:
    """Sends whoever asks for the old name to the new one."""
    if not handler.path.startswith("/example/old/"):
        return False
    handler.send_response(HTTPStatus.MOVED_PERMANENTLY)
    handler.send_header("Location", handler.path.replace("/example/old/", "/r.git/"))
    handler.send_header("Content-Length", "0")
    handler.end_headers()
    return True


@pytest.mark.parametrize("revision", ["main", ""])
def test_a_repository_that_was_renamed_is_followed_and_that_is_told(world: World, revision: str) -> None:
    commit = world.repository.commit(FILES)
    world.server.responder = moved
    host = world.server.url.removeprefix("http://")
    configure(world.project, f'hosts = {{"{host}" = "github"}}')
    link = blob(revision or commit, "L5-L6", site=f"{world.server.url}/example/old")
    world.project.write("a.md", f"[it]({link})\n\n{fence(QUOTE)}")
    for _ in range(2):
        result = scan(world.project, "a.md").one
        assert (result["verdict"], result["revision"]) == ("exact", commit)
        assert f"{world.server.url}/example/old has moved to {world.server.url}/r.git" in result.text("notes")


def test_offline_gives_what_the_run_before_gave(world: World) -> None:
    commit = world.repository.commit(FILES)
    world.repository.tag("v1", commit)
    cite(world, commit, commit[:9], "v1")
    before = scan(world.project, "a.md")
    world.requests  # noqa: B018 - from here on
    after = scan(world.project, "--offline", "a.md")
    assert world.requests == []
    assert after.results == before.results
    shutil.rmtree(world.project.cache)
    assert scan(world.project, "--offline", "a.md").results == before.results


def test_offline_a_branch_holds_at_the_commit_of_the_run_before(world: World) -> None:
    commit = world.repository.commit(FILES)
    cite(world, "main")
    scan(world.project, "a.md")
    world.go_down()
    result = scan(world.project, "--offline", "a.md").one
    assert (result["verdict"], result["revision"], result["level"]) == ("exact", commit, "warning")


def test_offline_a_branch_that_a_manifest_knows_is_a_warning_all_the_same(world: World) -> None:
    world.repository.commit(FILES)
    world.project.manifest(Source(SITE, "main"), Cite("c", "valve.py", "5-6", QUOTE))
    world.project.verify()
    cite(world, "main")
    result = scan(world.project, "--offline", "a.md").one
    assert (result["verdict"], result["level"]) == ("exact", "warning")
    assert "main" in result.text("notes")


def test_offline_with_nothing_known_is_unavailable(world: World) -> None:
    cite(world, world.repository.commit(FILES), "main")
    assert scan(world.project, "--offline", "a.md", code=3).verdicts == ["unavailable"] * 2
    assert world.requests == []


def test_refresh_asks_again_and_finds_what_is_gone(world: World) -> None:
    world.repository.commit(LATER)
    commit = world.repository.commit(FILES, branch="topic")
    cite(world, commit)
    scan(world.project, "a.md")
    world.repository.delete_branch("topic")
    assert scan(world.project, "a.md").one["verdict"] == "exact"
    result = scan(world.project, "--refresh", "a.md", code=1).one
    assert result["verdict"] == "no-revision"
    assert "it was exact when it was judged on 2" in result.text("message")

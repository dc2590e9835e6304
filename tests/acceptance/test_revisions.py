"""Revisions: short, named, moved, gone; and servers that give them reluctantly."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Source, World

if TYPE_CHECKING:
    from support.project import Project

OLD = "one\ntwo\n"
NEW = "one\ntwo\nthree\n"


def cite(world: World, revision: str, *cites: Cite, url: str = "") -> None:
    source = Source(url, revision) if url else world.source(revision)
    world.project.manifest(source, *(cites or [Cite("c", "a.txt", "1-2", OLD)]))


def pinned(world: World, revision: str) -> object:
    """What the lock says that a revision stands for."""
    return json.loads(world.project.lock.read_bytes())["sources"][world.url][revision]["revision"]


def forget_cache_and_database(project: Project) -> None:
    project.db.unlink()
    shutil.rmtree(project.cache)


def test_short_ids_are_resolved_by_the_list_of_all_commits_and_recorded(world: World) -> None:
    commit = world.repository.commit({"a.txt": OLD})
    world.repository.commit({"a.txt": NEW})
    seven, ten = commit[:7], commit[:10]
    sources = {"seven": world.source(seven), "ten": world.source(ten)}
    world.project.manifest(sources, *(Cite(name, "a.txt", "1-2", OLD, source=name) for name in sources))
    ran = world.project.fetch()
    assert "full commit ids only" in ran.err
    assert (pinned(world, seven), pinned(world, ten)) == (commit, commit)
    assert world.requests
    forget_cache_and_database(world.project)
    found = world.project.verify()
    assert {(one["revision"], one["assurance"]) for one in found.values()} == {(commit, "commit")}
    assert len(world.requests) <= 4, "the lock has the full id: no list of commits is fetched again"


def test_a_tag_that_looks_like_a_short_id_is_a_tag(world: World) -> None:
    commit = world.repository.commit({"a.txt": OLD})
    world.repository.commit({"a.txt": "else\n"})
    world.repository.tag("1234567", commit)
    cite(world, "1234567")
    assert world.project.verify()["c"]["revision"] == commit


def test_a_short_id_that_begins_no_commit_is_no_revision(world: World) -> None:
    commit = world.repository.commit({"a.txt": OLD})
    absent = ("0" if commit[0] != "0" else "1") * 10
    cite(world, absent)
    found = world.project.verify(code=1)["c"]
    assert found["verdict"] == "no-revision"
    assert absent in found.text("message")


def test_what_pins_nothing_is_no_revision_and_says_so(world: World) -> None:
    world.repository.commit({"a.txt": OLD})
    revisions = ["HEAD@{2019-04-21T09:31:40Z}", "HEAD@%7B2019-04-21T09:31:40Z%7D", "main~1", "a..b"]
    sources = {revision: world.source(revision) for revision in revisions}
    world.project.manifest(sources, *(Cite(one, "a.txt", "1-2", OLD, source=one) for one in revisions))
    found = world.project.verify(code=1)
    for revision in revisions:
        assert found[revision]["verdict"] == "no-revision"
        assert "no pinned revision" in found[revision].text("message")


def test_a_tag_stays_where_the_lock_has_it_until_it_is_updated(world: World) -> None:
    old = world.repository.commit({"a.txt": OLD})
    world.repository.tag("v1", old, annotated=True)
    cite(world, "v1")
    world.project.fetch()
    assert pinned(world, "v1") == old
    new = world.repository.commit({"a.txt": "else\n" + OLD})
    world.repository.git("tag", "-d", "v1")
    world.repository.tag("v1", new, annotated=True)
    assert world.project.verify()["c"]["revision"] == old
    world.project.fetch()
    assert pinned(world, "v1") == old
    world.project.fetch("--update", "code")
    assert pinned(world, "v1") == new
    found = world.project.verify(code=1)["c"]
    assert (found["revision"], found["verdict"]) == (new, "shifted")


def test_a_branch_stays_where_the_lock_has_it_in_another_checkout_too(world: World) -> None:
    old = world.repository.commit({"a.txt": OLD}, branch="topic/x")
    cite(world, "topic/x")
    world.project.fetch()
    world.repository.commit({"a.txt": "else\nwhere\n"}, branch="topic/x")
    forget_cache_and_database(world.project)
    found = world.project.verify()["c"]
    assert (found["revision"], found["verdict"], found["assurance"]) == (old, "exact", "commit")
    world.project.db.unlink()
    world.project.lock.unlink()
    assert world.project.verify(code=1)["c"]["verdict"] == "absent"


def test_an_update_of_one_source_leaves_the_others_pinned(world: World) -> None:
    old = world.repository.commit({"a.txt": OLD})
    world.repository.tag("v1", old)
    world.repository.tag("v2", old)
    sources = {"one": world.source("v1"), "two": world.source("v2")}
    cites = [Cite(name, "a.txt", "1-2", OLD, source=name) for name in sources]
    world.project.manifest(sources, *cites)
    world.project.fetch()
    new = world.repository.commit({"a.txt": NEW})
    for tag in ("v1", "v2"):
        world.repository.git("tag", "-f", tag, new)
    world.project.fetch("--update", "two")
    assert pinned(world, "v1") == old
    assert pinned(world, "v2") == new


def test_a_server_that_refuses_ids_is_asked_for_branches_and_tags(world: World) -> None:
    world.server.any_id = world.server.protocol_v2 = False
    commit = world.repository.commit({"a.txt": OLD})
    world.repository.commit({"a.txt": NEW})
    cite(world, commit)
    ran = world.project.fetch()
    assert "refuses direct fetch by id" in ran.err
    assert world.project.verify()["c"]["assurance"] == "commit"


def test_a_server_that_refuses_ids_and_no_branch_has_it_says_so(world: World) -> None:
    world.server.any_id = world.server.protocol_v2 = False
    world.repository.commit({"a.txt": OLD})
    cite(world, "f" * 40)
    found = world.project.verify(code=1)["c"]
    assert found["verdict"] == "no-revision"
    assert "server refuses direct fetch" in found.text("message")


def test_a_file_remote_that_refuses_ids_still_works(world: World) -> None:
    (world.project.home / ".gitconfig").write_text("[protocol]\n\tversion = 0\n[safe]\n\tdirectory = *\n")
    world.repository.git("config", "uploadpack.allowAnySHA1InWant", "false")
    commit = world.repository.commit({"a.txt": OLD})
    world.repository.commit({"a.txt": NEW})
    cite(world, commit, url=f"file://{world.repository.path}")
    ran = world.project.fetch()
    assert "refuses direct fetch by id" in ran.err
    assert world.project.verify()["c"]["assurance"] == "commit"


def test_a_server_that_ignores_filters_still_works_and_is_told(world: World) -> None:
    world.server.filters = False
    commit = world.repository.commit({"a.txt": OLD})
    cite(world, commit)
    ran = world.project.fetch()
    assert "ignores filters" in ran.err
    assert world.project.verify()["c"]["assurance"] == "commit"


def squashed(world: World) -> tuple[str, str]:
    """A pin on a branch that is merged as one other commit, deleted and collected."""
    world.repository.commit({"a.txt": "before\n"})
    pin = world.repository.commit({"a.txt": OLD}, branch="topic")
    cite(world, pin)
    world.project.fetch()
    merged = world.repository.commit({"a.txt": OLD, "b.txt": "more\n"}, message="squashed")
    world.repository.delete_branch("topic")
    assert world.requests
    return pin, merged


def test_a_pin_that_is_gone_still_holds_where_the_cache_is_warm(world: World) -> None:
    squashed(world)
    found = world.project.verify()["c"]
    assert (found["verdict"], found["assurance"]) == ("exact", "commit")
    world.project.db.unlink()
    assert world.project.verify()["c"]["assurance"] == "commit"
    assert world.requests == []


def test_a_pin_that_is_gone_says_when_it_last_held_and_where_its_content_still_is(world: World) -> None:
    pin, merged = squashed(world)
    found = world.project.verify("--refresh", code=1)["c"]
    assert found["verdict"] == "no-revision"
    message = found.text("message")
    assert pin in message
    assert merged in message
    assert "it was exact when it was judged on 2" in message


def test_a_pin_that_is_gone_with_a_cold_cache_is_no_revision_and_no_changed_quote(world: World) -> None:
    _, merged = squashed(world)
    forget_cache_and_database(world.project)
    found = world.project.verify(code=1)["c"]
    assert found["verdict"] == "no-revision"
    assert merged in found.text("message")
    ran = world.project.run("fetch")
    assert ran.code == 1, ran.said
    assert "no-revision" in ran.out


def test_nothing_is_asked_where_the_cache_has_commit_and_blob(world: World) -> None:
    commit = world.repository.commit({"a.txt": OLD})
    cite(world, commit)
    world.project.fetch()
    world.project.db.unlink()
    assert world.requests
    world.server.responder = lambda _: pytest.fail("the network was asked")
    assert world.project.verify()["c"]["assurance"] == "commit"
    assert world.requests == []


def test_what_a_partial_clone_lacks_is_unavailable_and_what_the_repository_lacks_is_no_path(
    world: World,
) -> None:
    commit = world.repository.commit({"a.txt": OLD, "b.txt": NEW})
    cite(world, commit)
    world.project.fetch()
    world.go_down()
    cite(world, commit, Cite("absent", "b.txt", "1", "one\n"), Cite("lacking", "c.txt", "1", "one\n"))
    found = world.project.verify(code=1)
    assert found["absent"]["verdict"] == "unavailable"
    assert "partial clone" in found["absent"].text("message")
    assert found["lacking"]["verdict"] == "no-path"

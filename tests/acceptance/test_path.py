"""From a manifest to evidence, lock and report, and back again without network."""

from __future__ import annotations

import json
import shutil
import sqlite3
from typing import TYPE_CHECKING

from support.project import Cite

if TYPE_CHECKING:
    from support.project import Project, World

CODE = """\
import math


def area(radius):
    return math.pi * radius**2


class Shape:
    def grow(self, by):
        self.size += by
"""
AREA = "def area(radius):\n    return math.pi * radius**2\n"
GROW = "    def grow(self, by):\n        self.size += by\n"


def cited(world: World, *, quote: str = AREA, lines: str = "4-5") -> str:
    """A commit, and a manifest with two citations of it by a short id."""
    if not world.repository.made:
        world.repository.commit({"src/shapes.py": CODE, "README": "a\n"})
    commit = world.repository.tip("main")
    world.project.manifest(
        world.source(commit[:12]),
        Cite("area", "src/shapes.py", lines, quote, claim="An area."),
        Cite("grow", "src/shapes.py", "9-10", GROW),
    )
    return commit


def forget(project: Project) -> None:
    """Throw away all that a fetch made but the lock."""
    for file in project.root.glob("evidence.db*"):
        file.unlink()
    shutil.rmtree(project.cache)


def test_fetch_writes_the_evidence_and_a_lock_without_code(world: World) -> None:
    commit = cited(world)
    ran = world.project.fetch()
    blob = world.repository.blob(commit, "src/shapes.py")
    assert ran.out.splitlines() == [
        f"code {commit[:12]} src/shapes.py  {blob[:12]}  commit (git)",
        "1 of 1 files at hand",
        "wrote manifests/prov.lock",
    ]
    lock = json.loads(world.project.lock.read_bytes())
    assert lock["prov"] == 1
    assert lock["sources"] == {
        world.url: {
            commit[:12]: {
                "revision": commit,
                "paths": {"src/shapes.py": {"blob": blob, "proof": "commit"}},
            }
        }
    }
    assert {name: entry["verdict"] for name, entry in lock["citations"]["page.yaml"].items()} == {
        "area": "exact",
        "grow": "exact",
    }
    assert b"radius" not in world.project.lock.read_bytes()
    with sqlite3.connect(world.project.db) as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
        assert database.execute("pragma foreign_key_check").fetchall() == []
    database.close()


def test_what_is_fetched_is_verified_and_nothing_is_written_to_manifest_or_lock(world: World) -> None:
    commit = cited(world)
    world.project.fetch()
    before = {file: file.read_bytes() for file in (world.project.root / "manifests").iterdir()}
    found = world.project.verify()
    assert {name: result["verdict"] for name, result in found.items()} == {"area": "exact", "grow": "exact"}
    assert found["grow"]["symbol"] == "Shape.grow"
    assert found["area"]["symbol"] == "area"
    assert {result["revision"] for result in found.values()} == {commit}
    assert {(result["assurance"], result["origin"]) for result in found.values()} == {("commit", "git")}
    after = {file: file.read_bytes() for file in (world.project.root / "manifests").iterdir()}
    assert after == before


def test_verify_fetches_what_is_missing_and_writes_no_lock(world: World) -> None:
    cited(world)
    found = world.project.verify()
    assert found["area"]["assurance"] == "commit"
    assert world.requests
    assert not world.project.lock.exists()


def test_a_second_run_asks_nobody_whether_the_server_is_up_or_down(world: World) -> None:
    cited(world)
    world.project.fetch()
    lock = world.project.lock.read_bytes()
    assert world.requests
    world.project.fetch()
    world.project.verify()
    assert world.project.run("show", "shapes.py:4-5").code == 0
    assert world.requests == []
    world.go_down()
    assert world.project.verify()["area"]["assurance"] == "commit"
    world.project.fetch()
    assert world.project.lock.read_bytes() == lock


def test_locked_answers_with_neither_network_nor_database(world: World) -> None:
    cited(world)
    world.project.fetch()
    world.go_down()
    forget(world.project)
    found = world.project.verify("--locked")
    assert {result["verdict"] for result in found.values()} == {"exact"}
    assert {(result["assurance"], result["origin"]) for result in found.values()} == {("locked", "lock")}
    assert not world.project.db.exists()
    assert not world.project.cache.exists()


def test_locked_judges_an_edited_quote_by_its_digest_and_no_edited_place(world: World) -> None:
    cited(world)
    world.project.fetch()
    cited(world, quote=AREA.replace("radius**2", "radius**3"))
    found = world.project.verify("--locked", code=1)
    assert found["area"]["verdict"] == "changed"
    assert found["area"]["diff"] == ""
    assert "no diff" in found["area"].text("message")
    assert found["grow"]["verdict"] == "exact"
    cited(world, lines="4-6")
    ran = world.project.run("verify", "--locked")
    assert ran.code == 2, ran.said
    assert "manifests/page.yaml:8:" in ran.err
    assert "area" in ran.err


def test_locked_without_a_lock_is_wrong_usage(world: World) -> None:
    cited(world)
    ran = world.project.run("verify", "--locked")
    assert ran.code == 2, ran.said
    assert "prov.lock" in ran.err
    assert world.requests == []


def test_the_lock_answers_where_no_origin_can_be_reached(world: World) -> None:
    cited(world)
    world.project.fetch()
    world.go_down()
    forget(world.project)
    ran = world.project.run("verify")
    assert ran.code == 0, ran.said
    assert ran.last == "2 of 2 citations checked: 2 ok · proven: 2 by lock"
    found = world.project.verify()["area"]
    assert (found["verdict"], found["assurance"], found["origin"]) == ("exact", "locked", "lock")
    assert "bytes not seen" in found.text("message")
    assert found["symbol"] is None
    world.project.verify("--assurance", "commit", code=3)
    cited(world, lines="4-6")
    assert world.project.verify(code=3)["area"]["verdict"] == "unavailable"
    cited(world, quote="def area(radius):\n    return 3\n")
    assert world.project.verify(code=1)["area"]["verdict"] == "changed"


def test_offline_asks_nobody(world: World) -> None:
    cited(world)
    found = world.project.verify("--offline", code=3)
    assert {result["level"] for result in found.values()} == {"unavailable"}
    assert {result["assurance"] for result in found.values()} == {None}
    assert world.requests == []
    assert world.project.run("fetch", "--offline").code == 2


def test_refresh_asks_again_and_what_is_stored_serves_where_nobody_answers(world: World) -> None:
    cited(world)
    world.project.fetch()
    assert world.requests
    world.project.verify("--refresh")
    assert world.requests
    world.go_down()
    assert world.project.verify("--refresh")["area"]["verdict"] == "exact"


def test_bytes_that_contradict_the_lock_are_wrong_input_until_they_are_accepted(world: World) -> None:
    commit = cited(world)
    world.project.fetch()
    blob, other = world.repository.blob(commit, "src/shapes.py"), "ab" * 20
    world.project.lock.write_bytes(world.project.lock.read_bytes().replace(blob.encode(), other.encode()))
    contradicting = world.project.lock.read_bytes()
    ran = world.project.run("verify")
    assert ran.code == 2, ran.said
    assert blob in ran.err
    assert other in ran.err
    assert "--update code" in ran.err
    assert world.project.run("fetch").code == 2
    assert world.project.lock.read_bytes() == contradicting
    world.project.fetch("--update", "code")
    assert blob.encode() in world.project.lock.read_bytes()
    world.project.verify()


def test_an_unknown_source_to_update_is_wrong_usage(world: World) -> None:
    cited(world)
    ran = world.project.run("fetch", "--update", "cod")
    assert ran.code == 2, ran.said
    assert "cod" in ran.err


def test_paths_lock_and_database_can_be_named(world: World) -> None:
    commit = cited(world)
    world.project.manifest(world.source(commit), Cite("readme", "README", "1", "a\n"), name="deep/other")
    world.project.fetch("manifests/deep", "--db", "kept/e.db", "--lock", "kept/all.lock")
    assert (world.project.root / "kept/e.db").exists()
    assert (world.project.root / "kept/all.lock").exists()
    assert not world.project.db.exists()
    assert not world.project.lock.exists()
    named = ("--db", f"sqlite:///{world.project.root}/kept/e.db", "--lock", "kept/all.lock")
    world.go_down()
    assert list(world.project.verify("manifests/deep/other.yaml", *named)) == ["readme"]
    assert list(world.project.verify("manifests/deep", *named)) == ["readme"]


def test_commands_work_from_a_folder_within_the_project(world: World) -> None:
    cited(world)
    world.project.write("pyproject.toml", '[tool.prov]\nmanifests = "manifests"\n')
    (world.project.root / "deep" / "er").mkdir(parents=True)
    world.project.cwd = "deep/er"
    assert world.project.verify()["area"]["manifest"] == "manifests/page.yaml"
    assert world.project.db.exists()


def test_a_lock_keeps_what_is_not_fetched_now_and_drops_what_has_gone(world: World) -> None:
    commit = cited(world)
    other = world.project.manifest(world.source(commit), Cite("area", "README", "1", "a\n"), name="other")

    def locked() -> dict[str, list[str]]:
        citations = json.loads(world.project.lock.read_bytes())["citations"]
        return {name: sorted(entries) for name, entries in citations.items()}

    world.project.fetch("manifests/other.yaml")
    assert locked() == {"other.yaml": ["area"]}
    world.project.fetch("manifests/page.yaml")
    assert locked() == {"other.yaml": ["area"], "page.yaml": ["area", "grow"]}
    ran = world.project.run("show", "area")
    assert ran.code == 2, "two manifests have the id"
    assert "manifests/other.yaml" in ran.err
    assert "manifests/page.yaml" in ran.err
    other.unlink()
    world.project.fetch()
    assert locked() == {"page.yaml": ["area", "grow"]}
    assert world.project.run("show", "area").code == 0
    assert list(world.project.verify()) == ["area", "grow"]


def test_an_edited_citation_is_judged_anew(world: World) -> None:
    cited(world)
    world.project.fetch()
    world.go_down()
    cited(world, quote=AREA.replace("math.pi", "3"))
    assert world.project.verify(code=1)["area"]["verdict"] == "changed"
    cited(world, lines="3-4")
    assert world.project.verify(code=1)["area"].spans("found_at") == ["4-5"]
    cited(world)
    assert world.project.verify()["area"]["verdict"] == "exact"

"""`prov drift`: from manifests at their pins to where the code is today, and manifests moved along."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Result, Source
from support.repositories import Repository, link, submodule
from support.webserver import Reply, serve_web

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from support.project import World
    from support.repositories import Files
    from support.webserver import WebServer

CODE = """\
import math


def area(radius):
    \"\"\"Of a circle.\"\"\"
    return math.pi * radius**2


class Shape:
    def grow(self, by):
        self.size += by
        self.touched = True

    def shrink(self, by):
        self.size -= by
        self.touched = True


def perimeter(radius):
    diameter = radius * 2
    return math.pi * diameter
"""
AREA = CODE[CODE.index("def area") : CODE.index("\n\n\nclass") + 1]
GROW = CODE[CODE.index("    def grow") : CODE.index("\n\n    def shrink") + 1]
SHRINK = CODE[CODE.index("    def shrink") : CODE.index("\n\n\ndef perimeter") + 1]
PERIMETER = CODE[CODE.index("def perimeter") :]
CITES = (
    Cite("area", "src/shapes.py", "4-6", AREA),
    Cite("grow", "src/shapes.py", "10-12", GROW),
    Cite("shrink", "src/shapes.py", "14-16", SHRINK),
    Cite("perimeter", "src/shapes.py", "19-21", PERIMETER),
)
LICENCE = "# Licence: see LICENCE\n"


def start(world: World, *cites: Cite, files: Files | None = None, digits: int = 12) -> str:
    """A commit, a manifest that cites it, and what `prov fetch` makes of both."""
    pin = world.repository.commit(files or {"src/shapes.py": CODE})
    world.project.manifest(world.source(pin[:digits]), *(cites or CITES))
    world.project.fetch()
    return pin


def drift(world: World, *arguments: str, code: int = 0) -> dict[str, Result]:
    """Run `prov drift`, which ends as given; its results by the citations' ids."""
    ran = world.project.run("drift", "--format", "json", *arguments)
    assert ran.code == code, ran.said
    found = ran.json()
    assert found["schema"] == "prov/drift/1"
    results = found["results"]
    assert isinstance(results, list)
    return {item["id"]: Result(item) for item in results}


def at(result: Result, key: str = "to") -> str | None:
    """A place as one writes it."""
    spot = result[key]
    if spot is None:
        return None
    assert isinstance(spot, dict)
    return f"{spot['path']}:{spot['first']}-{spot['last']}"


def statuses(found: dict[str, Result]) -> dict[str, object]:
    return {name: result["status"] for name, result in found.items()}


def manifest(world: World, name: str = "page") -> str:
    return (world.project.root / f"manifests/{name}.yaml").read_text(encoding="utf-8")


def holds(world: World) -> None:
    """The manifests hold as they are now, also by the lock alone."""
    assert {result["verdict"] for result in world.project.verify().values()} == {"exact"}
    assert {result["verdict"] for result in world.project.verify("--locked").values()} == {"exact"}


def test_where_the_default_branch_is_where_the_pin_is_all_is_unchanged_without_history(world: World) -> None:
    pin = start(world)
    assert world.requests
    found = drift(world)
    assert statuses(found) == dict.fromkeys(["area", "grow", "shrink", "perimeter"], "unchanged")
    assert {result["target"] for result in found.values()} == {"latest"}
    assert at(found["area"]) == "src/shapes.py:4-6"
    assert found["area"].text("notes") == f"latest is commit {pin}"
    assert not [request for request in world.requests if "git-upload-pack" in request and "POST" in request][
        1:
    ]
    ran = world.project.run("drift", "--to", pin)
    assert ran.code == 0, ran.said
    assert ran.last.startswith("4 of 4 citations followed: 4 unchanged")
    assert world.requests == []


def test_what_became_of_each(world: World) -> None:
    start(world)
    edited = LICENCE + CODE.replace(GROW, GROW.replace("+= by", "+= by * 2")).replace(
        "\n\n\n" + PERIMETER, "\n"
    )
    world.repository.commit({"src/shapes.py": edited}, message="Grow twice as fast\n\nAnd more.")
    moved = {"lib/area.py": "import math\n\n\n" + AREA, "src/shapes.py": edited.replace(AREA + "\n\n", "")}
    new = world.repository.commit(dict(moved), message="Give area a file of its own")
    found = drift(world, code=1)
    assert statuses(found) == {
        "area": "renamed",
        "grow": "edited",
        "shrink": "moved",
        "perimeter": "deleted",
    }
    assert [at(result) for result in found.values()] == [
        "lib/area.py:4-6",
        "src/shapes.py:6-8",
        "src/shapes.py:10-12",
        None,
    ]
    assert found["area"]["to"] == {"revision": new, "path": "lib/area.py", "first": 4, "last": 6}
    assert found["area"]["from"] == {**found["area"]["from"], "path": "src/shapes.py", "first": 4, "last": 6}  # type: ignore[dict-item]
    by = found["grow"]["commit"]
    assert isinstance(by, dict)
    assert by["subject"] == "Grow twice as fast"
    assert "-        self.size += by\n+        self.size += by * 2\n" in found["grow"].text("diff")
    assert found["grow"].text("diff").startswith("--- src/shapes.py:10-12\n+++ src/shapes.py:6-8\n")
    assert {result["assurance"] for result in found.values()} == {"commit"}
    assert [result["level"] for result in found.values()] == ["ok", "warning", "ok", "failure"]
    ran = world.project.run("drift", "--to", "main")
    assert "(main)" in ran.last
    assert new[:7] in ran.last
    assert "main is commit" not in ran.out


def test_a_line_on_top_of_every_file_is_one_line_of_text(world: World) -> None:
    body = "\n".join(f"value_{number} = compute({number})" for number in range(1, 36)) + "\n"
    cites = [
        Cite(f"v{number}", "values.py", str(number), f"value_{number} = compute({number})\n")
        for number in range(1, 36)
    ]
    start(world, *cites, files={"values.py": body})
    new = world.repository.commit({"values.py": LICENCE + body}, message="Add a licence")
    ran = world.project.run("drift")
    assert ran.code == 0, ran.said
    lines = ran.out.splitlines()
    said = f'35 citations of values.py moved by +1, by {new[:7]} 2020-09-13 "Add a licence"'
    assert lines[0].split(None, 1) == ["ok", said]
    assert lines[1] == ""
    assert ran.last.startswith("35 of 35 citations followed: 35 moved")
    assert len(lines) == 3
    found = drift(world, "--write")
    assert set(statuses(found).values()) == {"moved"}
    holds(world)


def test_many_edits_are_told_by_commit_and_shown_if_wanted(world: World) -> None:
    functions = [
        f"def f{at}(a, b):\n    first = a * {at} + b\n    return first - {at}\n\n\n" for at in range(8)
    ]
    cites = [
        Cite(f"f{at}", "code.py", f"{5 * at + 1}-{5 * at + 3}", text.rstrip("\n") + "\n")
        for at, text in enumerate(functions)
    ]
    start(world, *cites, files={"code.py": "".join(functions)})
    changed = "".join(functions).replace(" + b\n", " + b * b\n")
    new = world.repository.commit({"code.py": changed}, message="Square b")
    ran = world.project.run("drift")
    assert ran.code == 0, ran.said
    lines = ran.out.split("\n")
    assert lines[0] == f'warning  8 citations were edited by {new[:7]} 2020-09-13 "Square b"'
    assert re.fullmatch(r"    f0  code\.py:1-3 +\d\d% similar", lines[1])
    assert lines[9:11] == ["-v shows the differences", ""]
    assert len(lines) == 13
    assert world.project.run("drift", "-v").out.count(" first = a") == 16


def test_two_equal_places_are_both_named_and_neither_is_taken(world: World) -> None:
    block = "def helper(value):\n    checked = validate(value)\n    return checked.normalised()\n"
    rest = "import one\n\n\ndef other(thing):\n    return one.thing(thing, of=other)\n"
    files: Files = {"a.py": f"{rest}\n\n{block}", "b.py": "import two\n", "c.py": "import three\n"}
    start(world, Cite("helper", "a.py", "8-10", block), files=files)
    world.repository.commit(
        {"a.py": rest, "b.py": f"import two\n\n\n{block}", "c.py": f"import three\n\n\n{block}"}
    )
    found = drift(world)["helper"]
    assert found["status"] == "ambiguous"
    assert found["to"] is None
    candidates = found["candidates"]
    assert isinstance(candidates, list)
    assert sorted(candidate["path"] for candidate in candidates) == ["b.py", "c.py"]
    before_text = manifest(world)
    assert world.project.run("drift", "--write", "--strict").code == 1
    assert manifest(world) == before_text


def test_two_repositories_at_once_and_a_target_for_one_of_them(world: World) -> None:
    other = Repository.at(world.project.base / "served" / "other.git")
    here = world.repository.commit({"src/shapes.py": CODE})
    there = other.commit({"tool.py": "one = 1\ntwo = 2\nthree = 3\n"})
    url = f"{world.server.url}/other.git"
    world.project.manifest(
        {"code": world.source(here[:12]), "tool": Source(url, there[:9])},
        CITES[0],
        Cite("two", "tool.py", "2", "two = 2\n", source="tool"),
    )
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    first = other.commit({"tool.py": "zero = 0\none = 1\ntwo = 2\nthree = 3\n"})
    other.tag("v2", first)
    other.commit({"tool.py": "one = 1\nthree = 3\n"})
    found = drift(world, code=1)
    assert statuses(found) == {"area": "moved", "two": "deleted"}
    for source in ("tool", url):
        found = drift(world, "--to", f"{source}=v2")
        assert [at(result) for result in found.values()] == ["src/shapes.py:5-7", "tool.py:3-3"]
        assert [result["target"] for result in found.values()] == ["latest", "v2"]
        assert found["two"]["to"] == {"revision": first, "path": "tool.py", "first": 3, "last": 3}
    found = drift(world, "--to", "tool=v2", "--to", here)
    assert statuses(found) == {"area": "unchanged", "two": "moved"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "cod=main"), "no source cod"),
        (("--to", ""), "no revision"),
        (("--to", "code="), "no revision"),
        (("--to", "code=main", "--to", "code=v1"), "main already"),
        (("--accept", "area"), "--write"),
        (("--write", "--offline"), "not with --offline"),
        (("--write", "--accept", "are"), "no such citation"),
    ],
)
def test_what_names_nothing_is_wrong_usage(world: World, arguments: tuple[str, ...], message: str) -> None:
    start(world)
    before = manifest(world)
    ran = world.project.run("drift", *arguments)
    assert ran.code == 2, ran.said
    assert message in ran.err
    assert manifest(world) == before


def test_no_citation_at_all_is_wrong_usage(world: World) -> None:
    world.project.write("manifests/empty.yaml", "prov: 1\ntitle: E\nsources: {}\ncitations: []\n")
    ran = world.project.run("drift")
    assert ran.code == 2, ran.said
    assert "no citation" in ran.err


def test_a_revision_that_does_not_exist_is_unavailable_with_the_reason(world: World) -> None:
    start(world)
    for revision, reason in (("v9", "no tag or branch named v9"), ("1" * 40, "1111111")):
        found = drift(world, "--to", revision, code=3)
        assert set(statuses(found).values()) == {"unavailable"}
        assert reason in found["area"].text("message")
        assert found["area"]["to"] is None


def test_a_citation_that_does_not_hold_at_its_pin_is_not_followed(world: World) -> None:
    pin = world.repository.commit({"src/shapes.py": CODE})
    world.project.manifest(
        world.source(pin[:12]),
        Cite("shifted", "src/shapes.py", "5-7", AREA),
        Cite("changed", "src/shapes.py", "4-6", AREA.replace("pi", "tau")),
        Cite("gone", "src/nowhere.py", "1"),
        CITES[1],
    )
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    found = drift(world, code=3)
    assert statuses(found) == {
        "shifted": "unavailable",
        "changed": "unavailable",
        "gone": "unavailable",
        "grow": "moved",
    }
    assert "at its pin it is shifted, the quote stands at 4-6" in found["shifted"].text("message")
    assert "at its pin it is changed" in found["changed"].text("message")
    assert "at its pin it is no-path" in found["gone"].text("message")


def test_write_moves_what_is_the_same_and_the_lock_along(world: World) -> None:
    start(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    new = world.repository.commit({"pkg/shapes.py": LICENCE + CODE})
    before = manifest(world)
    ran = world.project.run("drift", "--write")
    assert ran.code == 0, ran.said
    assert f"wrote manifests/page.yaml: 4 citations re-pinned to {new[:12]}\n" in ran.out
    assert "wrote manifests/prov.lock\n" in ran.out
    after = manifest(world)
    assert f'revision: "{new[:12]}"' in after
    assert after.count('path: "pkg/shapes.py"') == 4
    assert 'lines: "5-7"' in after
    assert len(after.splitlines()) == len(before.splitlines())
    assert '"proof": "commit"' in world.project.lock.read_text(encoding="utf-8")
    assert world.project.lock.read_text(encoding="utf-8").count(new[:12]) >= 1
    holds(world)
    files = {name: data for name, data in world.project.files().items() if "/manifests/" in name}
    ran = world.project.run("drift", "--write")
    assert ran.code == 0, ran.said
    assert "wrote" not in ran.out
    assert {name: data for name, data in world.project.files().items() if "/manifests/" in name} == files


def test_write_keeps_comments_and_layout(world: World) -> None:
    pin = world.repository.commit({"src/shapes.py": CODE})
    text = f"""\
# A page about shapes.
prov: 1
title: A page

sources:
  code: {{git: "{world.url}", revision: {pin[:10]}}}  # pinned by hand

citations:
  # The area comes first.
  - id: area
    source: code
    path: src/shapes.py   # moved soon
    lines: 4–6
    evidence: direct
    quote: |
      def area(radius):
          \"\"\"Of a circle.\"\"\"
          return math.pi * radius**2
"""
    file = world.project.write("manifests/page.yaml", text)
    new = world.repository.commit({"src/shapes.py": LICENCE + CODE})
    ran = world.project.run("drift", "--write")
    assert ran.code == 0, ran.said
    wanted = text.replace(pin[:10], new[:12]).replace("4–6", "5–7")
    assert file.read_text(encoding="utf-8") == wanted
    holds(world)


def test_an_edit_of_one_token_is_written_only_where_it_is_accepted(world: World) -> None:
    start(world)
    new = world.repository.commit({"src/shapes.py": CODE.replace("+= by", "+= 2 * by")})
    ran = world.project.run("drift", "--write")
    assert ran.code == 0, ran.said
    assert "grow was edited" in ran.out
    text = manifest(world)
    assert "2 * by" not in text
    assert text.count("revision:") == 2, "what stays keeps its source"
    holds(world)
    assert statuses(drift(world)) == {
        "area": "unchanged", "grow": "edited", "shrink": "unchanged", "perimeter": "unchanged"
    }  # fmt: skip
    ran = world.project.run("drift", "--write", "--accept", "grow")
    assert ran.code == 0, ran.said
    assert f"1 citation re-pinned to {new[:12]}" in ran.out
    assert "self.size += 2 * by\n" in manifest(world)
    holds(world)
    files = {name: data for name, data in world.project.files().items() if "/manifests/" in name}
    ran = world.project.run("drift", "--write", "--accept", "grow")
    assert ran.code == 0, ran.said
    assert "manifests/page.yaml#grow is unchanged: there is no edit to accept" in ran.out
    assert {name: data for name, data in world.project.files().items() if "/manifests/" in name} == files


def test_an_edit_under_omission_marks_is_not_accepted(world: World) -> None:
    start(
        world, Cite("shape", "src/shapes.py", "9-16", "class Shape:\n    ...\n        self.touched = True\n")
    )
    world.repository.commit({"src/shapes.py": CODE.replace("+= by", "+= 2 * by")})
    found = drift(world)["shape"]
    assert found["status"] == "edited"
    assert "the quote still holds there (elided)" in found.text("notes")
    before = manifest(world)
    ran = world.project.run("drift", "--write", "--accept", "shape")
    assert ran.code == 2, ran.said
    assert "omission marks" in ran.err
    assert manifest(world) == before


def test_an_anchored_line_is_followed_with_the_block_that_its_quote_shows(world: World) -> None:
    start(world, Cite("grow", "src/shapes.py", "11", GROW))
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    found = drift(world, "--write")["grow"]
    assert (found["status"], at(found)) == ("moved", "src/shapes.py:12-12")
    assert 'lines: "12"' in manifest(world)
    assert world.project.verify()["grow"]["verdict"] == "anchored"
    world.project.verify("--locked")


def test_offline_after_online(world: World) -> None:
    start(world)
    new = world.repository.commit({"src/shapes.py": LICENCE + CODE})
    wanted = statuses(drift(world, "--to", new))
    assert world.requests
    world.go_down()
    assert statuses(drift(world, "--to", new, "--offline")) == wanted
    found = drift(world, "--offline", code=3)
    assert set(statuses(found).values()) == {"unavailable"}
    assert "offline" in found["area"].text("message")


def test_offline_without_a_past_is_unavailable(world: World) -> None:
    start(world)
    new = world.repository.commit({"src/shapes.py": LICENCE + CODE})
    assert world.requests
    found = drift(world, "--to", new, "--offline", code=3)
    assert set(statuses(found).values()) == {"unavailable"}
    assert world.requests == []


def forbidding(handler: BaseHTTPRequestHandler) -> bool:
    """Let nobody read the other repository."""
    if "other.git" not in handler.path:
        return False
    handler.send_error(403)
    return True


def test_a_repository_that_cannot_be_reached_ends_no_run(world: World) -> None:
    other = Repository.at(world.project.base / "served" / "other.git")
    there = other.commit({"tool.py": "one = 1\ntwo = 2\n"})
    here = world.repository.commit({"src/shapes.py": CODE})
    url = f"{world.server.url}/other.git"
    world.project.manifest(
        {"code": world.source(here[:12]), "tool": Source(url, there)},
        CITES[0],
        Cite("two", "tool.py", "2", "two = 2\n", source="tool"),
    )
    world.project.fetch()
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    world.server.responder = forbidding
    found = drift(world, code=3)
    assert statuses(found) == {"area": "moved", "two": "unavailable"}
    assert "403" in found["two"].text("message")


CONFIG = '{\n  "layers": 12,\n  "width": 768\n}\n'


def with_value(world: World) -> None:
    pin = world.repository.commit({"config.json": CONFIG, "src/shapes.py": CODE})
    text = f"""\
prov: 1
title: A page
sources:
  code: {{git: "{world.url}", revision: {pin[:12]}}}
citations:
  - {{id: width, source: code, path: config.json, evidence: direct, value: {{pointer: /width, equals: 768}}}}
  - {{id: call, source: code, path: src/shapes.py, lines: 21, evidence: direct, expression: math.pi * …}}
"""
    world.project.write("manifests/page.yaml", text)
    world.project.fetch()


def test_a_value_and_an_expression_that_moved_are_re_pinned(world: World) -> None:
    with_value(world)
    new = world.repository.commit(
        {"conf/config.json": '{\n  "heads": 8,\n' + CONFIG[2:], "src/shapes.py": LICENCE + CODE}
    )
    found = drift(world, "--write")
    assert statuses(found) == {"width": "renamed", "call": "moved"}
    assert [at(result) for result in found.values()] == ["conf/config.json:4-4", "src/shapes.py:22-22"]
    text = manifest(world)
    assert f"revision: {new[:12]}" in text
    assert "path: conf/config.json, evidence" in text
    assert "lines: 22" in text
    world.project.verify()
    world.project.verify("--locked")


def test_another_value_is_edited_and_one_that_is_gone_is_deleted(world: World) -> None:
    with_value(world)
    world.repository.commit(
        {
            "config.json": CONFIG.replace("768", "1024"),
            "src/shapes.py": CODE.replace("diameter\n", "radius * 2\n"),
        }
    )
    found = drift(world)
    assert statuses(found) == {"width": "edited", "call": "edited"}
    assert found["width"].text("message") == "/width is 1024, and the document says 768"
    assert "the expression still holds there" in found["call"].text("notes")
    before = manifest(world)
    for name, reason in (("width", "value"), ("call", "expression")):
        ran = world.project.run("drift", "--write", "--accept", name)
        assert ran.code == 2, ran.said
        assert f"a citation's {reason} is for a person to edit" in ran.err
    assert manifest(world) == before
    world.repository.commit({"config.json": '{\n  "layers": 12\n}\n', "src/shapes.py": CODE})
    found = drift(world, code=1)
    assert found["width"]["status"] == "deleted"
    assert "there is no /width" in found["width"].text("message")


BECAME: dict[str, Files] = {
    "a directory": {"src/shapes.py/__init__.py": "one = 1\n"},
    "a symbolic link": {"src/shapes.py": link("elsewhere.py"), "src/elsewhere.py": "one = 1\n"},
    "a submodule": {"src/shapes.py": submodule("1" * 40)},
    "binary": {"src/shapes.py": b"\0\1\2" * 100},
    "empty": {"src/shapes.py": ""},
    "nothing": {"README": "gone\n"},
}


@pytest.mark.parametrize("what", BECAME)
def test_a_file_that_became_something_else_is_a_result(world: World, what: str) -> None:
    start(world)
    world.repository.commit(BECAME[what])
    ran = world.project.run("drift", "--format", "jsonl", "--write")
    assert ran.code in {1, 3}, ran.said
    assert ran.out.count("\n") == 4
    assert "wrote" not in ran.err


def test_revisions_that_share_no_history_are_compared_with_low_confidence(world: World) -> None:
    start(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE}, branch="other")
    found = drift(world, "--to", "other")
    assert set(statuses(found).values()) == {"moved"}
    assert {result["confidence"] for result in found.values()} == {"low"}
    ran = world.project.run("drift", "--to", "other", "--write")
    assert ran.code == 0, ran.said
    assert "re-pinned with low confidence" in ran.out
    holds(world)


def test_a_pin_that_is_a_tag_stays_one(world: World) -> None:
    world.repository.tag("v1", world.repository.commit({"src/shapes.py": CODE}))
    world.project.manifest(world.source("v1"), *CITES)
    world.project.fetch()
    new = world.repository.commit({"src/shapes.py": LICENCE + CODE})
    world.repository.tag("v2", new, annotated=True)
    ran = world.project.run("drift", "--to", "v2", "--write")
    assert ran.code == 0, ran.said
    assert 'revision: "v2"' in manifest(world)
    holds(world)


def test_machines_read_stdout_and_files_while_people_read_stderr(world: World) -> None:
    start(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    ran = world.project.run(
        "drift", "--write", "--format", "json", "--output", "out.jsonl", "--output", "out.txt"
    )
    assert ran.code == 0, ran.said
    assert len(ran.json()["results"]) == 4  # type: ignore[arg-type]
    assert "wrote manifests/page.yaml" in ran.err
    assert (world.project.root / "out.jsonl").read_bytes().count(b"\n") == 4
    assert b"4 citations of src/shapes.py moved by +1" in (world.project.root / "out.txt").read_bytes()
    refused = world.project.run("drift", "--output", "text:manifests/page.yaml")
    assert refused.code == 2


def test_a_file_that_is_cited_through_a_link_stays_so_while_the_link_stands(world: World) -> None:
    cite = Cite("area", "shapes.py", "4-6", AREA)
    start(world, cite, files={"shapes.py": link("src/shapes.py"), "src/shapes.py": CODE})
    world.repository.commit({"shapes.py": link("src/shapes.py"), "src/shapes.py": LICENCE + CODE})
    found = drift(world, "--write")["area"]
    assert (found["status"], at(found)) == ("moved", "shapes.py:5-7")
    holds(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    found = drift(world, "--write")["area"]
    assert (found["status"], at(found)) == ("renamed", "src/shapes.py:5-7")
    holds(world)


def test_bytes_that_contradict_the_lock_keep_everything_as_it_is(world: World) -> None:
    pin = start(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    blob = world.repository.blob(pin, "src/shapes.py")
    locked = world.project.lock.read_bytes().replace(blob.encode(), b"ab" * 20)
    world.project.lock.write_bytes(locked)
    before = manifest(world)
    ran = world.project.run("drift", "--write")
    assert ran.code == 2, ran.said
    assert "nothing is written" in ran.err
    assert manifest(world) == before
    assert world.project.lock.read_bytes() == locked


def test_a_lock_that_cannot_be_read_keeps_its_manifests_as_they_are(world: World) -> None:
    start(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    world.project.lock.write_text("{", encoding="utf-8")
    before = manifest(world)
    ran = world.project.run("drift", "--write")
    assert ran.code == 2, ran.said
    assert "its lock cannot be read" in ran.err
    assert manifest(world) == before


def test_a_manifest_that_cannot_be_read_does_not_stop_the_others(world: World) -> None:
    start(world)
    world.repository.commit({"src/shapes.py": LICENCE + CODE})
    world.project.write("manifests/broken.yaml", "prov: 1\ntitle: [\n")
    ran = world.project.run("drift", "--write")
    assert ran.code == 2, ran.said
    assert "manifests/broken.yaml" in ran.err
    assert "4 citations re-pinned" in ran.out
    assert manifest(world, "broken") == "prov: 1\ntitle: [\n"


def test_only_what_is_named_is_written(world: World) -> None:
    start(world)
    text = manifest(world)
    world.project.write("manifests/other.yaml", text)
    world.project.fetch()
    new = world.repository.commit({"src/shapes.py": LICENCE + CODE})
    ran = world.project.run("drift", "--write", "manifests/page.yaml")
    assert ran.code == 0, ran.said
    assert new[:12] in manifest(world)
    assert manifest(world, "other") == text
    holds(world)
    both = world.project.run("drift", "--write", "--accept", "grow", "manifests")
    assert both.code == 2, both.said
    assert "manifests/other.yaml#grow" in both.err


def test_a_release_is_compared_with_the_one_that_stands_beside_the_source(world: World) -> None:
    with serve_web() as index:
        world.project.environ["PIP_INDEX_URL"] = f"{index.url}/simple/"
        publish(index, {"1.0": {"src/shapes.py": CODE}, "2.0": {"src/shapes.py": LICENCE + CODE}})
        pin = world.repository.commit({"src/shapes.py": CODE})
        world.project.manifest(world.source(pin[:12], "thing==1.0"), *CITES)
        world.project.fetch()
        found = drift(world, "--to", "thing==2.0")
        assert set(statuses(found).values()) == {"moved"}
        assert found["area"]["to"] == {
            "revision": "thing==2.0",
            "path": "src/shapes.py",
            "first": 5,
            "last": 7,
        }
        assert {result["confidence"] for result in found.values()} == {"low"}
        assert "thing-1.0.tar.gz, thing-2.0.tar.gz" in found["area"].text("notes")
        before = manifest(world)
        ran = world.project.run("drift", "--write", "--to", "thing==2.0")
        assert ran.code == 0, ran.said
        assert "a release is no revision" in ran.out
        assert manifest(world) == before
        world.go_down()
        found = drift(world, "--to", "v2.0")
        assert set(statuses(found).values()) == {"moved"}
        assert "thing==2.0 stands in for v2.0" in found["area"].text("notes")


def publish(index: WebServer, releases: dict[str, dict[str, str]]) -> None:
    """List releases of `thing`, and serve their source distributions."""
    listed = []
    for version, files in releases.items():
        made = io.BytesIO()
        with tarfile.open(fileobj=made, mode="w:gz") as archive:
            for path, text in files.items():
                member = tarfile.TarInfo(f"thing-{version}/{path}")
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))
        name, data = f"thing-{version}.tar.gz", made.getvalue()
        index.routes[f"/files/{name}"] = Reply(data)
        digest = hashlib.sha256(data).hexdigest()
        listed.append({"filename": name, "url": f"{index.url}/files/{name}", "hashes": {"sha256": digest}})
    page = json.dumps({"meta": {"api-version": "1.0"}, "name": "thing", "files": listed}).encode()
    kind = {"Content-Type": "application/vnd.pypi.simple.v1+json"}
    index.routes["/simple/thing/"] = Reply(page, headers=kind)


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = "git requests sqlalchemy yaml tree_sitter provenance.drift.follow provenance.fetch"
    code = f"import sys, provenance.cli.drift; print([m for m in '{heavy}'.split() if m in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"

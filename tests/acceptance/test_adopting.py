"""Documents with old faults begin today: `verify --write-expect`, and comments that ignore what is known."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, quoted
from support.scanning import CODE, blob, code, known_as, run, scan

if TYPE_CHECKING:
    from support.project import World

QUOTE = code(5, 6)


@pytest.fixture
def old(world: World) -> World:
    """A manifest with two faults, and one citation that holds."""
    revision = world.repository.commit({"valve.py": CODE})
    world.project.manifest(
        world.source(revision),
        Cite("held", "valve.py", "5-6", QUOTE),
        Cite("moved", "valve.py", "8-9", QUOTE),
        Cite("other", "valve.py", "5-6", QUOTE.replace("2", "3")),
    )
    return world


def days(text: str) -> set[str]:
    """The days until which something is expected."""
    return set(re.findall(r"until: ([0-9]{4}-[0-9]{2}-[0-9]{2})", text))


def counts(*, ok: int, warning: int) -> dict[str, int]:
    """The counts of a run."""
    return {"total": ok + warning, "ok": ok, "warning": warning, "failure": 0, "unavailable": 0}


def test_what_is_wrong_today_is_a_warning_from_now_on(old: World) -> None:
    project = old.project
    file = project.root / "manifests" / "page.yaml"
    before = file.read_text()
    assert project.run("verify").code == 1
    ran = project.run("verify", "--write-expect")
    assert ran.code == 0, ran.said
    assert ran.last == "wrote manifests/page.yaml: 2 expect entries"
    assert "3 of 3 citations checked: 1 ok, 2 warnings" in ran.out
    after = file.read_text()
    assert [line for line in after.split("\n") if "expect:" not in line] == before.split("\n")
    today = datetime.now(UTC).date()
    assert days(after) <= {(today + timedelta(days)).isoformat() for days in (89, 90)}
    assert project.run("verify").code == 0
    assert project.run("verify", "--strict").code == 1

    again = project.run("verify", "--write-expect", "--format", "json")
    assert again.code == 0, again.said
    assert again.err == "unchanged: no verdict needs a new expect entry\n"
    assert again.json()["summary"] == counts(ok=1, warning=2)
    assert file.read_text() == after


def test_a_reason_and_a_day_can_be_given_and_what_gets_worse_fails(old: World) -> None:
    project = old.project
    file = project.root / "manifests" / "page.yaml"
    ran = project.run("verify", "--write-expect", "--until", "2099-12-31", "--because", "see: #12, {x}")
    assert ran.code == 0, ran.said
    text = file.read_text()
    assert text.count('expect: {verdict: shifted, because: "see: #12, {x}", until: 2099-12-31}') == 1
    file.write_text(text.replace(quoted(QUOTE.replace("2", "3")), '"nothing of the kind"'))
    assert project.verify(code=1)["other"]["level"] == "failure"
    renewed = project.run("verify", "--write-expect")
    assert renewed.code == 0, renewed.said
    assert renewed.last == "wrote manifests/page.yaml: 1 expect entry, 1 of them renewed"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--until", "2099-12-31"), "--until says what --write-expect writes"),
        (("--because", "x"), "--because says what --write-expect writes"),
        (("--write-expect", "--locked"), "not both"),
        (("--write-expect", "--until", "2099-02-30"), "expected a date such as "),
        (("--write-expect", "--until", "tomorrow"), "expected a date such as "),
        (("--write-expect", "--until", "2020-01-01"), "the day is over"),
        (("--write-expect", "--because", " "), "expected a line of text"),
        (("--write-expect", "--because", "a\nb"), "expected a line of text"),
    ],
)
def test_options_that_make_no_sense_are_refused(old: World, arguments: tuple[str, ...], message: str) -> None:
    before = old.project.files()
    ran = old.project.run("verify", *arguments)
    assert (ran.code, message in ran.err) == (2, True), ran.said
    assert old.project.files() == before


def test_a_manifest_outside_the_project_is_not_written(old: World) -> None:
    project = old.project
    inside = project.root / "manifests" / "page.yaml"
    outside = project.base / "page.yaml"
    inside.rename(outside)
    before = outside.read_bytes()
    ran = project.run("verify", "--write-expect", str(outside))
    assert (ran.code, "stands outside the project" in ran.err) == (2, True), ran.said
    inside.symlink_to(outside)
    ran = project.run("verify", "--write-expect")
    assert ran.code == 2, ran.said
    assert outside.read_bytes() == before


DOCUMENTS = {
    "a.md": "<!-- prov: ignore the page is old -->\n\n[it]({url}):\n\n```python\n{quote}```\n",
    "a.html": "<h1>A</h1>\n<p><a href='{url}'>it</a> <!-- prov: ignore changed: old --></p>\n<pre>{quote}</pre>\n",
    "a.rst": "A\n=\n\n`it <{url}>`_\n\n.. prov: ignore until 2099-12-31: old\n\n.. code-block:: python\n\n{indented}",
    "a.txt": "prov: ignore old\n\nSee {url}\n\n{indented}\n",
}


def test_what_comments_ignore_is_a_warning_in_every_kind_of_document(world: World) -> None:
    url = blob(world.repository.commit({"valve.py": CODE}), "L5-L6")
    known_as(world)
    quote = QUOTE.replace("2", "3")
    indented = "".join(f"    {line}\n" for line in quote.splitlines())
    for name, text in DOCUMENTS.items():
        world.project.write(f"docs/{name}", text.format(url=url, quote=quote, indented=indented))
    seen = scan(world.project, "docs")
    assert seen.verdicts == ["changed"] * 4
    assert all(item["level"] == "warning" for item in seen.results)
    assert all(str(item["notes"]).count("ignored") == 1 for item in seen.results)
    assert seen.not_understood == ()
    assert run(world.project, "docs", "--strict").code == 1


def test_a_comment_that_ignores_nothing_is_told_and_is_a_fault_where_warnings_are(world: World) -> None:
    world.project.write("docs/a.md", "<!-- prov: ignore ::error::x\x1b[31m -->\n\ntext\n")
    ran = run(world.project, "docs")
    assert ran.code == 0, ran.said
    assert "not understood  docs/a.md:1" in ran.out
    assert "it ignores nothing: what comes next holds no citation" in " ".join(ran.out.split())
    assert "\x1b" not in ran.out
    assert not re.search(r"^\s*::", ran.out, re.MULTILINE)
    assert run(world.project, "docs", "--strict").code == 1

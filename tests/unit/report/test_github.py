"""Workflow commands, read back by a strict parser of the documented form."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import given
from support.notices import HOSTILE, everything, hostile, hostile_result, idle, made, notices, unread

from provenance.evidence import Sighted, Unread, Verdict
from provenance.report.github import write_github
from provenance.report.run import Run

if TYPE_CHECKING:
    from provenance.report.notices import Notices

COMMAND = re.compile(r"::(?P<name>[a-z-]+)(?: (?P<properties>[^\r\n]*?))?::(?P<data>[^\r\n]*)")
"""As the runner reads it: the properties end at the first `::`."""


class Command(NamedTuple):
    """A command, its escapes taken back."""

    name: str
    properties: dict[str, str]
    data: str


def written(told: Notices) -> str:
    stream = StringIO()
    write_github(stream, told)
    return stream.getvalue()


def read(text: str) -> tuple[list[Command], list[str]]:
    """Commands, and the other lines."""
    commands, others = [], []
    assert text.endswith("\n")
    for line in text.removesuffix("\n").split("\n"):
        if not line.lstrip().startswith("::"):
            others.append(line)
            continue
        match = COMMAND.fullmatch(line)
        assert match is not None, line
        pairs = [part.partition("=") for part in (match["properties"] or "").split(",") if part]
        commands.append(
            Command(match["name"], {name: taken(value) for name, _, value in pairs}, taken(match["data"]))
        )
    return commands, others


def taken(text: str) -> str:
    """Escapes taken back; `%25` last."""
    for escape, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(escape, letter)
    return text


def test_each_level_has_its_command_and_its_line() -> None:
    commands, others = read(written(notices(everything(), [unread()], ("manifests/x.yaml:9: bad",))))
    assert [(item.name, item.properties.get("line"), item.properties["title"]) for item in commands] == [
        ("error", "9", "problem"),
        ("error", "40", "changed: differs"),
        ("warning", "30", "unavailable: down"),
        ("warning", "20", "partial: left-out"),
        ("warning", "3", "not-understood: https://e.org/x"),
    ]
    assert {item.properties["file"] for item in commands} == {"manifests/x.yaml", "docs/a.md"}
    assert "".join(others) == (
        "3 of 4 citations checked: 1 ok, 1 warning, 1 failure, 1 unavailable"
        " · proven: 3 by commit · 1 not understood"
    )


def test_what_is_expected_in_vain_is_a_notice() -> None:
    commands, others = read(written(notices([*everything(), *(idle(f"m{number}") for number in range(12))])))
    found = [item for item in commands if item.name == "notice"]
    assert [item.properties["title"] for item in found] == [f"exact: m{number}" for number in range(10)]
    assert found[0].data.split("\n")[0] == "expect: changed is no longer needed"
    assert [item.data for item in commands if item.name == "group"] == ["2 more"]
    assert sum("no longer needed" in line for line in others) == 2


def test_a_message_says_what_is_wrong_and_shows_the_difference() -> None:
    (command, *_), _ = read(written(notices(everything())))
    assert command.data.startswith("it differs\ncited: models/a.py:1160-1194 at 0c66117d42")
    assert command.data.endswith("@@ -1 +1 @@\n-x\n+y")


def test_no_message_and_no_title_is_longer_than_github_takes() -> None:
    """Which its runner, and what it tells them to, count in UTF-16 code units."""
    (command,), _ = read(
        written(notices([made(id_="\U0001f600" * 200, message="\U0001f600" * 1999, claim="")]))
    )
    assert [len(text.encode("utf-16-le")) // 2 for text in (command.properties["title"], command.data)] == [
        254,
        4000,
    ]
    assert command.properties["title"].endswith("\U0001f600…")


def test_what_github_has_no_room_for_is_folded() -> None:
    found = [
        *(made(id_=f"f{at}") for at in range(12)),
        *(made(Verdict.PARTIAL, f"w{at}") for at in range(13)),
    ]
    commands, others = read(written(notices(found, problems=("bad",))))
    assert [item.name for item in commands] == [*["error"] * 10, *["warning"] * 10, "group", "endgroup"]
    assert commands[0].properties["title"] == "problem"
    assert commands[-2].data == "6 more"
    assert [line.split("  ")[3].split(" ")[0] for line in others[:-1]] == [
        *("f9", "f10", "f11", "w10", "w11", "w12"),
    ]


def test_paths_are_relative_to_the_repository() -> None:
    commands, _ = read(written(notices([made()], run=Run(folder="docs"))))
    assert commands[0].properties["file"] == "docs/manifests/x.yaml"


def test_a_cell_of_a_notebook_is_no_line_of_the_file() -> None:
    commands, _ = read(written(notices([], [Unread(Sighted("a.ipynb", 3, 2, "x"), "y")])))
    assert "line" not in commands[0].properties


def test_nothing_to_tell_is_one_line() -> None:
    assert written(notices([])) == "0 of 0 citations checked: nothing to check\n"


@given(hostile)
def test_the_only_commands_are_ours(text: str) -> None:
    many = [hostile_result(text) for _ in range(12)]
    out = written(notices(many, [unread(text)], (text,)))
    commands, others = read(out)
    assert [item.name for item in commands] == [*["error"] * 10, "warning", "group", "endgroup"]
    assert all(set(item.properties) <= {"file", "line", "title"} for item in commands)
    assert len(others) == 4
    assert "##[" not in out
    assert "##vso[" not in out
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]", out)


def test_hostile_text_keeps_its_place() -> None:
    for text in HOSTILE:
        commands, _ = read(written(notices([hostile_result(text)])))
        assert len(commands) == 1

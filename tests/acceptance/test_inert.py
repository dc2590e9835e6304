"""Text from outside is inert wherever it goes: terminals and CI systems obey none of it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, Source, World
from support.terminal import on_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

ESCAPES = "\x1b]0;owned\x07 \x1b[2J \x9b31m \x08\x7f \u202e \u200b"
COMMANDS = "::error::owned\n  ::add-mask::x\n##[error]owned\n##vso[task.setvariable variable=x]y\n"
CODE = f"plain = 1\nescaped = '{ESCAPES}'\n{COMMANDS}last = 1\n"
NAME = "##[error] ::notice:: #.py"

RAW = re.compile(
    rb"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]"
    rb"|\x1b(?!\[[0-9;]*m|\[1A|\[2K|\]8;(?:id=\d+;https?://[!-~]+|;)\x1b\\|\\)|\xc2[\x80-\x9f]"
)
"""What may not reach a terminal: controls, and any escape sequence but colours, links and those of progress."""
COMMAND = re.compile(rb"^\s*::|##\w*\[", re.MULTILINE)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Hostile code, quotes, claims, titles, paths, ids, revisions and URLs, fetched as far as they can be."""
    with World(tmp_path_factory.mktemp("inert")) as world:
        commit = world.repository.commit({"evil.py": CODE, NAME: CODE}, message="::error::subject")
        sources = {
            "code": world.source(commit),
            "##[error]source": world.source("::error::revision"),
            "url": Source("https://::error::/##[error]", "v1"),
            "path": Source("::error::owned", "v1"),
        }
        world.project.manifest(
            sources,
            Cite("::error::exact", "evil.py", "1-7", CODE, claim=f"{COMMANDS}{ESCAPES}"),
            Cite(
                "##[error]changed", "evil.py", "2-6", f"e = '{ESCAPES} {ESCAPES}'\n{COMMANDS}", claim=COMMANDS
            ),
            Cite("absent", "evil.py", "1", f"{ESCAPES}\n{COMMANDS} nothing like it at all"),
            Cite("##vso[x]path", NAME, "1-2", "plain = 2\n"),
            Cite("no-path", "##[error]/::error::", "1", COMMANDS),
            Cite("no-revision", "evil.py", "1", COMMANDS, source="##[error]source"),
            Cite("bad-url", "evil.py", "1", COMMANDS, source="url"),
            Cite("bad-path", "evil.py", "1", COMMANDS, source="path"),
            title="##[error] ::error:: title",
        )
        world.project.write("manifests/bad-::error::.yaml", f"prov: 1\n'##[error]{ESCAPES}': x\n")
        world.project.write("manifests/##[error]bad.yaml", f"::error::\n##[group]\n{ESCAPES}")
        yield world.project


RUNS = {
    "fetch": ("fetch", "-v"),
    "text": ("verify", "-v"),
    "json": ("verify", "--format", "json"),
    "jsonl": ("verify", "--format", "jsonl"),
    "locked": ("verify", "--locked"),
    "show": ("show", "evil.py:1-7"),
    "show-id": ("show", "##[error]changed", "--context", "3"),
    "show-json": ("show", "evil.py:1-7", "--format", "json"),
    "show-lost": ("show", "::error::nothing\x1b[2J"),
    "show-path": ("show", "##[error]/::error::"),
    "usage": ("verify", "::error::\x1b[2J##[error]"),
    "output": ("verify", "--output", "##[error]\x1b[2J::error::"),
    "option": ("verify", "--##[error]\x1b[2J"),
    "command": ("::error::\x1b[2J",),
}


@pytest.mark.parametrize("name", RUNS)
def test_nothing_raw_is_printed(hostile: Project, name: str) -> None:
    ran = hostile.run(*RUNS[name])
    for stream in (ran.stdout, ran.stderr):
        assert RAW.search(stream) is None, stream
        assert b"\x1b" not in stream
        assert COMMAND.search(stream) is None, stream
        for hidden in ("\u202e", "\u200b"):
            assert hidden.encode() not in stream


def test_what_is_escaped_in_json_is_whole_for_whoever_reads_it(hostile: Project) -> None:
    ran = hostile.run("verify", "--format", "json")
    found = {item["id"]: item for item in json.loads(ran.out)["results"]}
    assert found["::error::exact"]["verdict"] == "exact"
    assert ESCAPES in found["##[error]changed"]["diff"]
    assert found["##vso[x]path"]["path"] == NAME


def test_nothing_raw_is_written_to_a_report(hostile: Project) -> None:
    names = ("report.txt", "report.json", "report.jsonl")
    hostile.run("verify", *(part for name in names for part in ("--output", name)))
    for name in names:
        data = (hostile.root / name).read_bytes()
        assert RAW.search(data) is None
        assert b"\x1b" not in data
        assert COMMAND.search(data) is None


@pytest.mark.parametrize("name", ["fetch", "text", "show", "show-id", "show-lost"])
def test_nothing_but_colour_reaches_a_terminal(hostile: Project, name: str) -> None:
    seen = on_terminal(hostile, *RUNS[name]).replace(b"\r\x1b[", b"\x1b[")
    assert RAW.search(seen) is None, seen
    assert COMMAND.search(seen) is None, seen
    assert b"owned" in seen or name in {"show-lost", "fetch"}


def test_colour_is_for_terminals_and_for_users_who_want_it(hostile: Project) -> None:
    assert b"\x1b[3" in on_terminal(hostile, "verify")
    table = on_terminal(hostile, "verify", "-q", NO_COLOR="1")
    assert re.search(rb"^level +verdict +id +place +proven$", table, re.MULTILINE)
    assert b"\x1b" not in table
    assert b"\x1b" not in on_terminal(hostile, "show", "-q", "evil.py:1-7", NO_COLOR="1")
    dumb = on_terminal(hostile, "verify", TERM="dumb")
    assert b"\x1b" not in dumb
    assert b"level  " not in dumb


def test_what_an_excerpt_hides_is_noted(hostile: Project) -> None:
    ran = hostile.run("verify", "--format", "json")
    found = {item["id"]: item for item in json.loads(ran.out)["results"]}
    assert any("U+202E" in note for note in found["::error::exact"]["notes"]), found["::error::exact"][
        "notes"
    ]

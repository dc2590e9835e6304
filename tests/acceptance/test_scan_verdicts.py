"""What links in documents are told, verdict by verdict; quotes are chosen before they are judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from support.project import World
from support.repositories import link, submodule
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, scan

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.project import Result
    from support.repositories import Files

INNER = "5" * 40
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 123456\n".format("ab" * 32)
TWENTY = "".join(f"line {number} of twenty\n" for number in range(1, 21))
DRAIN = code(18, 23)
TWICE = "def rinse(basin, water):\n    basin.fill(water)\n    return basin.empty()\n"
GREETING = "caf\xe9 = 'open'\nbar = 1\n".encode("latin-1")
WIDE = "# \u9600\u9580 = Valve\nvalve = \u9600\u9580.open\n"
FILES: Files = {
    "valve.py": CODE,
    "twenty.txt": TWENTY,
    "twice.py": f"{TWICE}\n\n{TWICE}",
    "windows.py": CODE.replace("\n", "\r\n"),
    "latin.py": GREETING,
    "wide.py": WIDE,
    "feeds.txt": "a\x0bb\n" + "c\x0cd\re\x1c\x1d\x1ef\x85g\u2028h\u2029i\n" + "last line of it\n",
    "sample.json#etc": "{\n  1\n}\n",
    "logo.bin": b"\x00\x01\x02",
    "big.bin": POINTER,
    "sub": submodule(INNER),
    ".gitmodules": '[submodule "lib"]\n\tpath = sub\n\turl = https://user:SECRETWORD@example.org/lib.git\n',
    "linked.py": link("valve.py"),
    "out.py": link("../../etc/passwd"),
    "folder/Member.py": "member\n",
    "-x": "dashed\n",
}


@dataclass(frozen=True)
class Case:
    """A link, the block below it, and what is to be said of them."""

    path: str
    lines: str
    block: str | None
    verdict: str
    says: str = ""
    """Stands in the message."""
    suggestion: str | None = None
    found_at: tuple[str, ...] = ()
    notes: str = ""
    kind: str = "quote"


CASES = {
    "exact": Case("valve.py", "L5-L6", code(5, 6), "exact"),
    "exact-gitlab-form": Case("valve.py", "L5-6", code(5, 6), "exact"),
    "first-line": Case("valve.py", "L1", code(1), "exact"),
    "last-line": Case("valve.py", "L23", code(23), "exact"),
    "columns-of-lines": Case("valve.py", "L5C1-L6C23", code(5, 6), "exact"),
    "whitespace": Case("valve.py", "L12-L15", code(12, 15).replace("    ", "\t"), "whitespace"),
    "elided": Case("valve.py", "L18-L23", f"{code(18, 19)}    # ...\n{code(22, 23)}", "elided"),
    "anchored": Case(
        "twenty.txt",
        "L7",
        "line 7 of twenty\nline 8 of twenty\nline 9 of twenty\n",
        "anchored",
        suggestion="7-9",
    ),
    "anchored-in-the-middle": Case("valve.py", "L20", DRAIN, "anchored", suggestion="18-23"),
    "one-line": Case("twenty.txt", "L7", "line 7 of twenty\n", "exact"),
    "partial": Case("valve.py", "L18-L23", code(18) + code(20, 22), "partial", suggestion="18-22"),
    "shifted": Case("valve.py", "L4-L5", DRAIN, "shifted", found_at=("18-23",), suggestion="18-23"),
    "shifted-twice": Case("twice.py", "L4-L5", TWICE, "shifted", suggestion="1-3", found_at=("1-3", "6-8")),
    "changed": Case(
        "valve.py", "L18-L23", DRAIN.replace("level > 0", "level > 1"), "changed", found_at=("18-23",)
    ),
    "absent-is-no-quote": Case(
        "valve.py", "L5-L6", "SELECT name\nFROM users\nWHERE id = 7\n", "unquoted", kind="range"
    ),
    "unquoted": Case("valve.py", "L5-L6", None, "unquoted", kind="range"),
    "past-the-end": Case("valve.py", "L23-L24", None, "out-of-range", says="23", kind="range"),
    "far-past-the-end": Case(
        "valve.py", "L900", DRAIN, "out-of-range", suggestion="18-23", found_at=("18-23",)
    ),
    "reversed": Case("valve.py", "L6-L5", code(5, 6), "out-of-range", says="reversed"),
    "line-zero": Case("valve.py", "L0", None, "out-of-range", says="line 0", kind="range"),
    "no-path": Case("gone.py", "L1", None, "no-path", says="gone.py", kind="range"),
    "letter-case": Case("folder/member.py", "L1", None, "no-path", says="folder/Member.py", kind="range"),
    "binary": Case("logo.bin", "L1", None, "not-text", says="binary", kind="range"),
    "pointer": Case("big.bin", "L40", None, "not-text", says="LFS", kind="range"),
    "submodule": Case("sub/lib/x.c", "L3", None, "not-text", says=INNER, kind="range"),
    "link-out": Case("out.py", "L1", None, "not-text", says="leaves the tree", kind="range"),
    "link-within": Case("linked.py", "L5-L6", code(5, 6), "exact", notes="link"),
    "hash-in-a-name": Case("sample.json%23etc", "L2", "  1\n", "exact"),
    "dash": Case("-x", "L1", "dashed\n", "exact"),
    "carriage-returns": Case("windows.py", "L5-L6", code(5, 6), "exact"),
    "latin": Case("latin.py", "L1-L2", "caf\xe9 = 'open'\nbar = 1\n", "exact", notes="latin-1"),
    "line-ends": Case("feeds.txt", "L3", "last line of it\n", "exact"),
    "line-ends-end": Case("feeds.txt", "L4", None, "out-of-range", kind="range"),
    "columns": Case("wide.py", "L2C9-L2C16", "\u9600\u9580.open\n", "exact", notes="columns 9 to 16"),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Result]]:
    """All of it, judged in one run; by case."""
    with World(tmp_path_factory.mktemp("verdicts")) as world:
        known_as(world)
        configure(world.project)
        commit = world.repository.commit(FILES)
        for name, case in CASES.items():
            shown = "" if case.block is None else fence(case.block)
            link = blob(commit, case.lines, case.path)
            world.project.write(f"docs/{name}.md", f"# {name}\n\nAs in [the code]({link}):\n\n{shown}")
        seen = scan(world.project, "docs", code=1)
        assert seen.not_understood == ()
        yield {name: seen.of(f"docs/{name}.md") for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_a_link_gets_its_verdict(found: dict[str, Result], name: str) -> None:
    case, result = CASES[name], found[name]
    assert (result["verdict"], result["kind"]) == (case.verdict, case.kind), result
    assert case.says in result.text("message")
    assert case.notes in result.text("notes")
    assert (result.span("suggestion"), tuple(result.spans("found_at"))) == (case.suggestion, case.found_at)


def test_what_changed_is_shown(found: dict[str, Result]) -> None:
    result = found["changed"]
    assert "-    while tank.level > 1:\n+    while tank.level > 0:\n" in result.text("diff")
    assert (result["difference"], result["level"]) == ("code", "failure")


def test_lines_are_given_as_they_are_cited(found: dict[str, Result]) -> None:
    assert found["far-past-the-end"].span("lines") == "900-900"
    assert found["line-zero"]["level"] == found["reversed"]["level"] == "failure"


def test_a_submodule_says_where_it_is_had_and_no_secret(found: dict[str, Result]) -> None:
    message = found["submodule"].text("message")
    assert "https://example.org/lib.git" in message
    assert "SECRETWORD" not in message


def test_a_server_that_is_down_is_unavailable_and_no_failure(world: World) -> None:
    known_as(world)
    commit = world.repository.commit(FILES)
    world.project.write(
        "a.md", f"[it]({blob(commit, 'L5-L6')})\n\n{fence(code(5, 6))}\n{blob('main', 'L1')}\n"
    )
    world.go_down()
    seen = scan(world.project, "a.md", code=3)
    assert seen.verdicts == ["unavailable", "unavailable"]
    assert seen.results[0].text("quote").rstrip("\n") == code(5, 6).rstrip("\n")


def test_a_repository_that_the_server_has_not_is_unavailable(world: World) -> None:
    known_as(world)
    world.repository.commit(FILES)
    world.project.write("a.md", f"{blob('a' * 40, 'L5', site=SITE.replace('engine', 'motor'))}\n")
    assert scan(world.project, "a.md", code=3).one["verdict"] == "unavailable"


def test_a_commit_that_is_not_there_is_no_revision(world: World) -> None:
    known_as(world)
    world.repository.commit(FILES)
    world.project.write("a.md", f"[it]({blob('a' * 40, 'L5-L6')})\n\n{fence(code(5, 6))}")
    result = scan(world.project, "a.md", code=1).one
    assert (result["verdict"], result["level"]) == ("no-revision", "failure")


def test_levels_are_those_that_the_project_sets(world: World) -> None:
    known_as(world)
    configure(world.project, 'levels = {unquoted = "failure", out-of-range = "ok"}')
    commit = world.repository.commit(FILES)
    world.project.write("a.md", f"{blob(commit, 'L5')} {blob(commit, 'L6-L5')} {blob(commit, 'L900')}\n")
    seen = scan(world.project, "a.md", code=1)
    assert [item["level"] for item in seen.results] == ["failure", "ok", "ok"]

"""Documents of every kind: which block is the quote of which link, and where that is said to stand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest
from support.project import World
from support.scanning import CODE, blob, code, configure, fence, known_as, place, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from support.project import Result
    from support.scanning import Scan

OPEN = code(5, 6)
LEFT = dedent(OPEN)
"""The same where a format has blocks indented, and takes what all their lines share for that."""


@dataclass(frozen=True)
class Case:
    """A document, made of the commit's id, and its only result."""

    make: Callable[[str], str]
    line: int
    """Of the document, on which the link stands."""
    quote: str | None = OPEN
    verdict: str = "exact"
    name: str = ""
    """The file's; Markdown called as the case where it is left out."""
    cited: Callable[[str], str] | None = None
    """The link as the document has it, where it is not `LINK` of the commit."""
    notes: str = ""
    """What the notes say."""
    cell: int | None = None


def LINK(commit: str) -> str:  # noqa: N802 - it stands for a text in the table below
    return blob(commit, "L5-L6")


def cells(*sources: tuple[str, str]) -> str:
    """A notebook."""
    made = [{"cell_type": kind, "metadata": {}, "source": text} for kind, text in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}, indent=1)


def indented(text: str, by: int = 4) -> str:
    return "".join(" " * by + line if line.strip() else line for line in text.splitlines(keepends=True))


def numbered(text: str, first: int) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(f"{number} {line}" for number, line in enumerate(lines, first))


CASES = {
    "after": Case(lambda c: f"# A\n\nSee [it]({LINK(c)}):\n\n{fence(OPEN)}", 3),
    "before": Case(lambda c: f"# A\n\n{fence(OPEN)}\n[source]({LINK(c)})\n", 8),
    "inside": Case(lambda c: f"# A\n\n{fence(f'# {LINK(c)}' + chr(10) + OPEN)}", 4),
    "bare": Case(lambda c: f"It is at {LINK(c)}.\n\n{fence(OPEN)}", 1),
    "autolink": Case(lambda c: f"It is at <{LINK(c)}>.\n\n{fence(OPEN)}", 1),
    "details": Case(
        lambda c: f"<details><summary><a href='{LINK(c)}'>it</a></summary>\n\n{fence(OPEN)}\n</details>\n", 1
    ),
    "list": Case(lambda c: f"1. One.\n2. [Two]({LINK(c)})\n\n{indented(fence(OPEN), 3)}", 2),
    "quotation": Case(
        lambda c: "\n".join(f"> {x}" for x in f"[it]({LINK(c)})\n\n{fence(OPEN)}".split("\n")), 1
    ),
    "table": Case(
        lambda c: f"| what | where |\n| --- | --- |\n| `open` | [it]({LINK(c)}) |\n", 3, None, "unquoted"
    ),
    "reference": Case(lambda c: f"# A\n\nSee [it][1].\n\n{fence(OPEN)}\n\n[1]: {LINK(c)}\n", 3),
    "tilde": Case(lambda c: f"[it]({LINK(c)})\n\n~~~~py\n{OPEN}~~~~\n", 1),
    "indented-code": Case(lambda c: f"[it]({LINK(c)})\n\n{indented(OPEN)}", 1),
    "untitled-html": Case(lambda c: f'<p><a href="{LINK(c)}">it</a></p>\n\n{fence(OPEN)}', 1),
    "carriage-returns": Case(lambda c: f"# A\n\n[it]({LINK(c)})\n\n{fence(OPEN)}".replace("\n", "\r\n"), 3),
    "front-matter": Case(lambda c: f"---\ntitle: A\n---\n\n[it]({LINK(c)})\n\n{fence(OPEN)}", 5),
    "line-numbers": Case(lambda c: f"[it]({LINK(c)})\n\n{fence(numbered(OPEN, 5))}", 1, notes="line numbers"),
    "header": Case(
        lambda c: f"[it]({LINK(c)})\n\n{fence('# File: valve.py' + chr(10) + OPEN)}", 1, notes="header"
    ),
    "unrelated": Case(
        lambda c: f"See [it]({LINK(c)}). To install:\n\n{fence('pip install engine' + chr(10), 'sh')}",
        1,
        None,
        "unquoted",
    ),
    "alone": Case(lambda c: f"See [it]({LINK(c)}).\n", 1, None, "unquoted"),
    "escaped": Case(
        lambda c: f"[it]({blob(c, 'L1', path='a%20b&amp;c.txt')})\n\n{fence('and' + chr(10), 'text')}",
        1,
        "and\n",
        cited=lambda c: blob(c, "L1", path="a%20b&amp;c.txt"),
    ),
    "pre": Case(
        lambda c: f'<h1>A</h1>\n<p><a href="{LINK(c)}">it</a></p>\n<pre><code>{OPEN}</code></pre>\n',
        2,
        name="pre.html",
    ),
    "entities": Case(
        lambda c: (
            f"<p><a href='{blob(c, 'L19-L20')}'>it</a></p>\n"
            "<pre>    valve.open&#40;3&#x29;\n    while tank.level &gt; 0:\n</pre>\n"
        ),
        1,
        code(19, 20),
        name="entities.htm",
        cited=lambda c: blob(c, "L19-L20"),
    ),
    "rst": Case(
        lambda c: f"A\n=\n\nSee `it <{LINK(c)}>`_::\n\n{indented(OPEN)}\nEnd.\n",
        4,
        LEFT,
        "whitespace",
        "rst.rst",
    ),
    "rst-directive": Case(
        lambda c: f"A\n=\n\nSee it_.\n\n.. code-block:: python\n\n{indented(OPEN, 3)}\n.. _it: {LINK(c)}\n",
        4,
        LEFT,
        "whitespace",
        "directive.rst",
    ),
    "notebook": Case(
        lambda c: cells(
            ("markdown", "# A\n"), ("markdown", f"Some\ntext.\n\n[it]({LINK(c)})\n\n{fence(OPEN)}")
        ),
        4,
        name="notebook.ipynb",
        cell=2,
    ),
    "notebook-code": Case(
        lambda c: cells(("markdown", f"[it]({LINK(c)})"), ("code", OPEN)), 1, name="cells.ipynb", cell=1
    ),
    "plain": Case(
        lambda c: f"The valve\n\n{LINK(c)}\n\n{indented(OPEN)}\nEnd.\n", 3, LEFT, "whitespace", "plain.txt"
    ),
    "docstring": Case(
        lambda c: f'def f():\n    """Do it.\n\n    As {LINK(c)}::\n\n{indented(OPEN, 8)}    """\n',
        4,
        LEFT,
        "whitespace",
        "module.py",
    ),
    "comment": Case(lambda c: f"# As {LINK(c)}\nx = 1\n", 1, None, "unquoted", name="comment.py"),
    "no-ending": Case(lambda c: f"See {LINK(c)}\n\n{indented(OPEN)}", 1, LEFT, "whitespace", "README"),
}


@dataclass(frozen=True)
class Seen:
    """All cases scanned in one run."""

    scan: Scan
    commit: str

    def of(self, case: str) -> Result:
        return self.scan.of(name_of(case))


def name_of(case: str) -> str:
    return f"docs/{CASES[case].name or f'{case}.md'}"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Seen]:
    """All of them, in one run."""
    with World(tmp_path_factory.mktemp("formats")) as world:
        known_as(world)
        configure(world.project, 'documents = ["docs"]')
        commit = world.repository.commit({"valve.py": CODE, "a b&c.txt": "and\n"})
        for case, made in CASES.items():
            world.project.write(name_of(case), made.make(commit))
        named = [name_of(case) for case, made in CASES.items() if made.name.endswith(".py")]
        yield Seen(scan(world.project, "docs", *named), commit)


@pytest.mark.parametrize("case", CASES)
def test_a_link_is_judged_by_the_block_that_belongs_to_it(seen: Seen, case: str) -> None:
    result, wanted = seen.of(case), CASES[case]
    assert result["verdict"] == wanted.verdict
    quote = result["quote"]
    if wanted.quote is None or quote is None:
        assert quote == wanted.quote
    else:
        assert str(quote).rstrip("\n") == wanted.quote.rstrip("\n")


@pytest.mark.parametrize("case", CASES)
def test_a_result_says_where_the_link_stands_and_how_it_is_written(seen: Seen, case: str) -> None:
    result, wanted = seen.of(case), CASES[case]
    assert place(result) == (name_of(case), wanted.line, wanted.cell)
    assert result["cited"] == (wanted.cited or LINK)(seen.commit)


@pytest.mark.parametrize("case", CASES)
def test_what_is_taken_off_a_block_is_told(seen: Seen, case: str) -> None:
    notes = seen.of(case).text("notes")
    wanted = CASES[case].notes
    assert wanted in notes
    assert wanted or "header" not in notes, notes


def test_nothing_else_is_found_in_them(seen: Seen) -> None:
    assert len(seen.scan.results) == len(CASES)
    assert seen.scan.not_understood == ()


def test_results_have_the_keys_of_a_verified_citation_and_three_more(seen: Seen) -> None:
    result = seen.of("after")
    assert list(result)[-3:] == ["document", "cited", "quote"]
    assert (result["id"], result["source"], result["manifest"]) == ("valve-5-6", "engine", "docs/after.md")
    assert result["revision"] == seen.commit
    assert result["permalink"] == LINK(seen.commit)
    assert (result["symbol"], result["assurance"], result["origin"]) == ("Valve.open", "commit", "git")

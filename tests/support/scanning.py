"""Documents that cite a repository, and `prov scan` run over them as a user would.

Links lead to `https://github.com/example/engine`, which the user's configuration of git takes to the test's server.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.project import Ran, Result, World

if TYPE_CHECKING:
    from pathlib import Path

    from support.project import Project

SITE = "https://github.com/example/engine"
"""What documents call the repository of a `World`."""

CODE = """\
import math


class Valve:
    def open(self, bar):
        return bar * 2

    def close(self):
        return 0


def pump(
    litres,
):
    return math.sqrt(litres)


def drain(tank, valve):
    valve.open(3)
    while tank.level > 0:
        tank.level -= 1
    valve.close()
    return tank
"""
"""Twenty-three lines of Python."""


def code(first: int, last: int = 0) -> str:
    """Lines of `CODE`, with their last line end."""
    return "".join(f"{line}\n" for line in CODE.split("\n")[first - 1 : last or first])


def fence(text: str, language: str = "python") -> str:
    """A block of Markdown."""
    return f"```{language}\n{text}```\n"


def blob(revision: str, lines: str = "", path: str = "valve.py", site: str = SITE) -> str:
    """A link to lines, such as `L5-L6`."""
    return f"{site}/blob/{revision}/{path}{lines and '#'}{lines}"


def known_as(world: World, *sites: str) -> None:
    """Let git's configuration say that these addresses are the repository of the test."""
    lines = [f'[url "{world.url}"]', *(f"\tinsteadOf = {site}" for site in sites or (SITE,))]
    (world.project.home / ".gitconfig").write_text("\n".join(lines) + "\n")


def configure(project: Project, text: str = "") -> Path:
    """Write the project's table."""
    return project.write("pyproject.toml", f"[tool.prov]\n{text}\n")


@dataclass(frozen=True, slots=True)
class Scan:
    """A `prov scan --format json` that has ended."""

    ran: Ran
    results: tuple[Result, ...]
    not_understood: tuple[Result, ...]

    @property
    def one(self) -> Result:
        """The only result."""
        (found,) = self.results
        return found

    @property
    def verdicts(self) -> list[object]:
        """In the order of documents and lines."""
        return [item["verdict"] for item in self.results]

    def of(self, document: str) -> Result:
        """The only result of a document."""
        (found,) = (item for item in self.results if place(item)[0] == document)
        return found


def place(result: Result) -> tuple[object, object, object]:
    """Where a result stands: document, line and cell."""
    document = result["document"]
    assert isinstance(document, dict)
    assert list(document) == ["path", "line", "cell"]
    return document["path"], document["line"], document["cell"]


def run(project: Project, *arguments: str) -> Ran:
    """Run `prov scan` with what a test's server needs."""
    return project.run("scan", *project.options, *arguments)


def scan(project: Project, *arguments: str, code: int = 0) -> Scan:
    """Run it to its end, which is as given, and read what it printed."""
    ran = run(project, "--format", "json", *arguments)
    assert ran.code == code, ran.said
    form = json.loads(ran.stdout)
    unread = form.get("not_understood", [])
    return Scan(ran, tuple(map(Result, form["results"])), tuple(map(Result, unread)))

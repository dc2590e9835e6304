"""On a terminal: tables that fit, and completion by a shell."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, World, command
from support.screens import bare
from support.terminal import on_terminal, started

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE = "def pump(litres):\n    return litres * 2\n\n\ndef drain():\n    return None\n"
DEEP = "a/rather/deep/folder/of/the/engine/that/is/cited/pump_and_drain.py"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with one citation that holds and one that does not, fetched."""
    with World(tmp_path_factory.mktemp("terminal")) as world:
        source = world.source(world.repository.commit({DEEP: CODE, "valve.py": CODE}))
        world.project.manifest(
            source,
            Cite("holds", "valve.py", "1-2", "def pump(litres):\n    return litres * 2\n"),
            Cite("an-id-that-is-long-enough-to-be-wrapped", DEEP, "5-6", "def drain():\n    return 1\n"),
        )
        world.project.fetch()
        yield world.project


@pytest.mark.parametrize(
    ("columns", "first"),
    [
        (40, r"failure  changed  commit"),
        *((width, r"level +verdict +id +place +proven") for width in (80, 200)),
    ],
)
def test_a_report_fits_the_terminal(project: Project, columns: int, first: str) -> None:
    seen = on_terminal(project, "verify", "--offline", "-q", columns=columns, NO_COLOR="1").decode()
    lines = seen.split("\n")
    assert re.fullmatch(first, lines[0])
    # What is part of a diff is not broken; it is indented by six.
    assert max(len(line) for line in lines if not line.startswith("      ")) <= min(columns, 140)
    joined = "".join(line.strip() for line in lines)
    assert "pump_and_drain.py:5-6" in seen, "the end of a path stays whole"
    for part in ("the quote differs in code", "-    return 1", "+    return None"):
        assert part in seen
    for word in ("an-id-that", "wrapped", "deep/", "2 by commit"):
        assert word in joined


def test_colour_and_links_are_all_that_a_terminal_gets_beside_it(project: Project) -> None:
    plain = on_terminal(project, "verify", "--offline", "-q", columns=100, NO_COLOR="1").decode()
    coloured = on_terminal(project, "verify", "--offline", "-q", columns=100).decode()
    assert coloured != plain
    assert bare(coloured) == plain


def test_the_installed_command_answers_a_shell(project: Project) -> None:
    environment = {
        **project.environment(),
        "_PROV_COMPLETE": "bash_complete",
        "COMP_WORDS": "prov show ho",
        "COMP_CWORD": "2",
    }
    done = subprocess.run(
        [command()], cwd=project.root, env=environment, capture_output=True, check=False, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"plain,holds\n", b"")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes(project: Project) -> None:
    environment = {**project.environment(), "TERM": "dumb", "PS1": "> ", "PATH": _path()}
    with started(["bash", "--norc", "--noprofile", "-i"], project.root, environment, 160) as terminal:
        terminal.until(b"> ")
        terminal.write('bind "set enable-bracketed-paste off"; eval "$(_PROV_COMPLETE=bash_source prov)"\n')
        terminal.until(b"> ")
        for keys, shown in (
            ("prov sche\t", b"prov schema "),
            ("prov show valve.py:\t", b"prov show valve.py:1-2 "),
            ("prov fetch --update co\t", b"prov fetch --update code "),
            ("prov verify --offline mani\t", b"prov verify --offline manifests/"),
        ):
            terminal.write(keys)
            terminal.until(shown)
            terminal.write("\x15")
        terminal.write("exit\n")


def _path() -> str:
    """The installed command first, then where bash finds its own."""
    from os import environ, pathsep
    from pathlib import Path

    return pathsep.join([str(Path(command()).parent), environ["PATH"]])


HEAVY = {"rich", "pygments", "sqlalchemy", "requests", "git", "tree_sitter", "yaml", "markdown_it"}
LOADED = f"""
import sys
import click
from provenance.cli.main import prov
first = sorted({HEAVY | {"jinja2"}!r} & set(sys.modules))
context = click.Context(prov)
for name in prov.list_commands(context):
    prov.get_command(context, name)
print(first, sorted({HEAVY!r} & set(sys.modules)))
"""


def test_no_command_imports_what_it_may_not_need() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout == "[] []\n"


def test_a_report_on_a_pipe_is_made_without_rich(project: Project) -> None:
    code = (
        "import sys; from provenance.cli.main import prov\n"
        "for words in (['verify', '--offline'], ['show', '--offline', 'holds']):\n"
        "    try: prov.main(words, standalone_mode=False)\n"
        "    except SystemExit: pass\n"
        "print([name for name in ('rich', 'pygments') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=project.root,
        env=project.environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("\n[]\n")
    assert "2 of 2 citations checked" in done.stdout

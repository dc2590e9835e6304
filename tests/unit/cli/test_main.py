from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from provenance.cli.main import prov

INTERRUPTED = """
import time
from provenance.cli import main

class Held:
    def __del__(self):
        raise {error}

def run(**_):
    held = Held()
    del held
    time.sleep({rest})

main.prov.main = run
main.main()
"""


def ended(error: str, rest: int) -> subprocess.CompletedProcess[bytes]:
    code = INTERRUPTED.format(error=error, rest=rest)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=30)


def test_an_interrupt_that_python_would_lose_ends_the_run() -> None:
    done = ended("KeyboardInterrupt", 20)
    assert done.returncode == 130
    assert done.stderr == b"prov: interrupted\n"


def test_other_errors_of_a_finaliser_are_told_as_ever() -> None:
    done = ended("ValueError('lost')", 0)
    assert done.returncode == 0
    assert b"lost" in done.stderr


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("veify", " Did you mean 'verify'?"),
        ("scn", " Did you mean 'scan'?"),
        ("nothing-like-it", ""),
        ("\x1b[2J", ""),
    ],
)
def test_a_command_that_does_not_exist_is_answered_with_those_that_look_like_it(
    name: str, meant: str
) -> None:
    done = CliRunner().invoke(prov, [name])
    assert done.exit_code == 2
    assert done.output.endswith(f"Error: No such command {name!r}.{meant}\n")


@pytest.mark.parametrize("option", ["--nonsense", "-x"])
def test_an_option_that_does_not_exist_is_no_command(option: str) -> None:
    done = CliRunner().invoke(prov, [option])
    assert done.exit_code == 2
    assert "No such option" in done.output

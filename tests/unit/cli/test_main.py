from __future__ import annotations

import subprocess
import sys

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

"""The main job on a fresh machine that reaches a package index, and no repository: `make verify`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import BenchError, Measurement, Unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bench.lab import Lab

_ROOT = Path(__file__).resolve().parent.parent
_NOBODY = "http://127.0.0.1:9"
"""A proxy that refuses every connection: given to git alone."""


def measure(lab: Lab) -> Iterator[Measurement]:
    """Install a copy of the checkout, then time its `make verify`.

    Raises:
        BenchError: it cannot be installed, or its manifests do not hold.
    """
    copy = lab.folder / "checkout"
    # All that the job needs, and no environment, evidence or cache of the checkout's own.
    for name in ("provenance", "manifests"):
        shutil.copytree(_ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "Makefile", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(_ROOT / name, copy)
    # The index that pip is configured for is the user's own, so is the environment; the cache is empty.
    environment = os.environ | {
        "XDG_CACHE_HOME": str(lab.folder / "checkout-cache"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.proxy",
        "GIT_CONFIG_VALUE_0": _NOBODY,
    }
    _make(copy, environment, ".venv/.installed")
    start = time.perf_counter()
    output = _make(copy, environment, "verify")
    seconds = time.perf_counter() - start
    last = output.strip().rpartition("\n")[2]
    yield Measurement(
        "`make verify`, only a package index in reach, once installed", "", seconds, Unit.SECONDS, 60, last
    )


def _make(folder: Path, environment: Mapping[str, str], target: str) -> str:
    command = ["make", f"PYTHON={sys.executable}", target]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=900
    )
    if done.returncode:
        message = f"make {target} ended with {done.returncode}: {(done.stdout + done.stderr)[-600:]}"
        raise BenchError(message)
    return done.stdout

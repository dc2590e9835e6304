"""What a reviewer waits for: a place shown, and help, beside an interpreter that does nothing."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from bench.lab import Contender
from bench.measure import Measurement, Unit, ratio, timed
from bench.project import A_MANIFEST, project

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.lab import Lab
    from bench.project import Project

_AGAINST = "`python -c pass`"
_MORE = 4
"""Rounds for each of the usual ones: these commands are short."""


def measure(lab: Lab) -> Iterator[Measurement]:
    """Start each command some times.

    Raises:
        BenchError: a command failed.
    """
    largest = lab.size.manifests * A_MANIFEST
    small, large = project(lab, largest // 100), project(lab, largest)
    contenders = {
        "python": Contender((sys.executable, "-c", "pass"), lab.folder, lab.folder / "home"),
        "help": small.prov("--help"),
        "show": small.prov("show", "--offline", _locator(small)),
        "show in many": large.prov("show", "--offline", _locator(large)),
    }
    for contender in contenders.values():
        lab.run(contender)  # byte code is written, files are in memory
    runs = lab.race(contenders, lab.rounds * _MORE)
    for name, what, most in (
        ("help", "`prov --help`", 5),
        ("show", f"`prov show`, in a project of {len(small.citations):,} citations", 6),
        ("show in many", f"`prov show`, in a project of {len(large.citations):,} citations", None),
    ):
        times = f"{timed(runs[name])} and {timed(runs['python'])}"
        yield Measurement(what, _AGAINST, ratio(runs[name], runs["python"]), Unit.TIMES, most, times)


def _locator(made: Project) -> str:
    item = made.citations[len(made.citations) // 2]
    return f"{item.file.path}:{item.first}-{item.last}"

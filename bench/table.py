"""Measurements as people read them: a row each, and the table in README.md."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import Fault, Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.measure import Measurement

README = Path(__file__).with_name("README.md")
_BEGIN, _END = "<!-- bench: begin -->", "<!-- bench: end -->"
_HEAD = ("what", "against", "to reach", "measured", "", "amounts")


def machine(rounds: int, repository: str) -> str:
    """What the numbers depend on, in a line."""
    git = subprocess.run(["git", "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout.split()[
        2
    ]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    system = f"{platform.system()} {platform.machine()}, {cores} cores"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{system}, {python}, git {git}; median of {rounds} rounds; {repository}."


def row(found: Measurement | Fault) -> str:
    """A row of a Markdown table."""
    if isinstance(found, Fault):
        return _row(
            (found.what, "", "", "not measured", "✗", found.reason.replace("\n", " ").replace("|", "\\|"))
        )
    target = "" if found.target is None else f"≤ {_amount(found.target, found.unit)}"
    mark = {True: "✓", False: "✗", None: ""}[found.met]
    return _row((found.what, found.against, target, _amount(found.value, found.unit), mark, found.detail))


def head() -> str:
    """The first two lines of a Markdown table."""
    return f"{_row(_HEAD)}\n{_row(['---'] * len(_HEAD))}"


def write(facts: str, found: Sequence[Measurement | Fault]) -> None:
    """Put the table between the marks of README.md."""
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    table = "\n".join([_BEGIN, facts, "", head(), *map(row, found), _END])
    README.write_text(before + table + after, encoding="utf-8")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _amount(value: float, unit: Unit) -> str:
    match unit:
        case Unit.TIMES:
            return f"1/{1 / value:.0f}" if 0 < value < 0.1 else f"{value:.2f} ×"
        case Unit.REQUESTS:
            return f"{value:.0f}"
        case Unit.KILOBYTES | Unit.MEBIBYTES | Unit.SECONDS:
            return f"{value:.3g} {unit}"

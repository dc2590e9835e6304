"""`python -m bench`: measure, and print the table as it comes. The exit code says nothing of the numbers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from bench import (
    asserting,
    expressions,
    fetching,
    reading,
    release,
    reporting,
    scanning,
    starting,
    table,
    verifying,
    walking,
)
from bench.lab import QUICK, Size, open_lab
from bench.measure import BenchError, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bench.lab import Lab
    from bench.measure import Measurement

BENCHES: dict[str, Callable[[Lab], Iterator[Measurement]]] = {
    "fetch": fetching.measure,
    "read": reading.measure,
    "verify": verifying.measure,
    "expressions": expressions.measure,
    "asserting": asserting.measure,
    "drift": walking.measure,
    "start": starting.measure,
    "growth": verifying.measure_growth,
    "scan": scanning.measure,
    "report": reporting.measure,
    "index": release.measure,
}
_NEEDS_NETWORK = "index"


def main() -> None:
    """Run what was asked for."""
    parser = _parser()
    given = parser.parse_args()
    names: list[str] = given.names or [name for name in BENCHES if name != _NEEDS_NETWORK or given.network]
    if unknown := set(names) - set(BENCHES):
        parser.error(f"no such bench: {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    if _NEEDS_NETWORK in names and not given.network:
        parser.error(f"{_NEEDS_NETWORK} asks a package index: say --network, too")
    if given.write and (given.names or given.quick or given.repository):
        parser.error("--write is for the whole table, at full size and on the repository that bench makes")
    size = QUICK if given.quick else Size()
    rounds: int = given.rounds or (2 if given.quick else 5)
    repository: Path | None = given.repository
    shown = (
        f"repository {repository.name}"
        if repository
        else f"a made-up repository of {size.shape.commits:,} commits"
    )
    facts = table.machine(rounds, shown)
    print(f"{facts}\n\n{table.head()}", flush=True)
    with open_lab(repository, size, rounds) as lab:
        found = list(_measured(lab, names))
    if given.write:
        table.write(facts, found)


def _measured(lab: Lab, names: Iterable[str]) -> Iterator[Measurement | Fault]:
    """Measurements, each printed as it is made; one that fails does not end the others."""
    for name in names:
        try:
            for measurement in BENCHES[name](lab):
                print(table.row(measurement), flush=True)
                yield measurement
        except BenchError as error:
            fault = Fault(name, str(error))
            print(table.row(fault), flush=True)
            yield fault


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure prov against its baselines."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all where left out: {', '.join(BENCHES)}")
    parser.add_argument("--rounds", type=int, help="how often each pair runs (5)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the size, to try the harness")
    parser.add_argument("--repository", type=Path, metavar="PATH", help="measure on this repository")
    parser.add_argument(
        "--network", action="store_true", help=f"also {_NEEDS_NETWORK}: it asks a package index"
    )
    parser.add_argument("--write", action="store_true", help="put the table into bench/README.md")
    return parser


if __name__ == "__main__":
    main()

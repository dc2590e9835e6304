"""What a benchmark hands over: runs of commands, ratios of runs, and measurements beside what they are to reach."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Unit(StrEnum):
    """What a value counts."""

    TIMES = "×"
    KILOBYTES = "kB"
    MEBIBYTES = "MiB"
    REQUESTS = "requests"
    SECONDS = "s"


@dataclass(frozen=True, slots=True)
class Run:
    """A command that has ended."""

    seconds: float
    """Wall clock, from its start to its end."""
    peak: int
    """The most memory it held, or one of its children did. KiB."""
    output: str
    """What it wrote to stdout."""
    down: int
    """Bytes of response bodies that the server sent meanwhile."""
    requests: tuple[str, ...]
    """What the server was asked meanwhile: method, path and query."""

    @property
    def posts(self) -> int:
        """Requests beside those for the server's capabilities."""
        return sum(1 for request in self.requests if "/info/refs" not in request)


Rounds = list[Run]
"""The runs of one contender, a round each."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One row of the table."""

    what: str
    against: str
    value: float
    unit: Unit
    target: float | None = None
    """The most that it may be; None where the row is for information."""
    detail: str = ""
    """The amounts behind the value."""

    @property
    def met(self) -> bool | None:
        """Whether the target is reached; None where there is none."""
        return None if self.target is None else self.value <= self.target


@dataclass(frozen=True, slots=True)
class Fault:
    """A benchmark that could not be run."""

    what: str
    reason: str


class BenchError(Exception):
    """A command did not do what it is measured for."""


def seconds(run: Run) -> float:
    """A run's wall clock."""
    return run.seconds


def down(run: Run) -> float:
    """The bytes that a run caused to be sent."""
    return float(run.down)


def typical(runs: Rounds, of: Callable[[Run], float] = seconds) -> float:
    """The median of the rounds."""
    return median(map(of, runs))


def ratio(subject: Rounds, baseline: Rounds, of: Callable[[Run], float] = seconds) -> float:
    """The median of the ratios, each of two runs in the same round."""
    return median(of(one) / of(other) for one, other in zip(subject, baseline, strict=True))


def peak(runs: Sequence[Run]) -> float:
    """The most memory in any round. MiB."""
    return max(run.peak for run in runs) / 1024


def timed(runs: Rounds) -> str:
    """A run's typical time, for people."""
    found = typical(runs)
    return f"{found * 1000:.0f} ms" if found < 1 else f"{found:.2f} s"


def sized(amount: float) -> str:
    """Bytes, for people."""
    return f"{amount / 1e6:.1f} MB" if amount >= 1e6 else f"{amount / 1e3:.1f} kB"

"""Cases followed by prov, alone and together, each with the time that it took."""

from __future__ import annotations

import subprocess
import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.listening import Recorder
from support.scoring import Prediction

from bench.measure import BenchError
from provenance.answers import Unreached
from provenance.drift.follow import Place, follow
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from bench.cases import Case
    from provenance.history import History


@dataclass(frozen=True, slots=True)
class Said:
    """What is said of a case."""

    case: Case
    prediction: Prediction
    milliseconds: float
    """Wall clock; of a case that was asked with others, its part of theirs."""


class Cache:
    """prov's cache of one repository, with all that its cases need."""

    def __init__(self, folder: Path, repository: Path, cases: Sequence[Case]) -> None:
        """Fetch what the cases need, as the first run does.

        Args:
            folder: an empty one.
            repository: where the cases come from; it is not written to.
            cases: all of them are of that repository.
        """
        self._folder = folder / "cache"
        self._repository = _served(repository, folder / "served.git")
        self.cases = cases
        list(self.together(is_first=True))

    def alone(self, case: Case) -> Said:
        """Follow one case, with everything opened anew."""
        begin = time.perf_counter()
        with self._opened([case.old, case.new]) as history:
            (found,) = follow(history, case.old, case.new, [Place(case.path, case.lines)])
        return Said(case, Prediction.of(found), 1000 * (time.perf_counter() - begin))

    def together(self, *, is_first: bool = False) -> Iterator[Said]:
        """Follow the cases, those that have both revisions in common in one call.

        Args:
            is_first: whether what is missing is fetched.
        """
        pairs: dict[tuple[str, str], list[Case]] = defaultdict(list)
        for case in self.cases:
            pairs[case.old, case.new].append(case)
        for (old, new), cases in pairs.items():
            begin = time.perf_counter()
            with self._opened([old, new], is_offline=not is_first) as history:
                found = follow(history, old, new, [Place(case.path, case.lines) for case in cases])
            each = 1000 * (time.perf_counter() - begin) / len(cases)
            for case, one in zip(cases, found, strict=True):
                yield Said(case, Prediction.of(one), each)

    @contextmanager
    def _opened(self, commits: Sequence[str], *, is_offline: bool = True) -> Iterator[History]:
        policy = AddressPolicy(allow_local=True)
        with GitOrigin(self._folder, policy=policy, listener=Recorder(), offline=is_offline) as origin:
            history = origin.history(str(self._repository), commits)
            if isinstance(history, Unreached):
                message = f"{self._repository}: {history.message}"
                raise BenchError(message)
            with history:
                yield history


def _served(repository: Path, copy: Path) -> Path:
    """A repository that shares its objects with another one, and gives them out as forges do."""
    subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(repository), str(copy)], check=True)
    for name in ("allowFilter", "allowAnySHA1InWant"):
        subprocess.run(["git", "--git-dir", str(copy), "config", f"uploadpack.{name}", "true"], check=True)
    return copy

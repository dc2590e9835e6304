"""What a fetch costs beside a bare clone: one file, a hundred citations, a short commit id."""

from __future__ import annotations

import shutil
from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from bench.lab import PROV, Contender
from bench.measure import BenchError, Measurement, Unit, down, ratio, sized, timed, typical
from bench.project import cite, files_at, write_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.lab import Lab
    from bench.measure import Rounds
    from bench.project import Cited

_FETCH = (PROV, "fetch", "--allow-local")
_CLONE = "a bare clone"
_ROUND_TRIP = 0.04
"""Seconds that each request waits where time is measured."""
_A_FILE = 50_000
"""About how many characters the one cited file has: as many as a large module."""
_COMMITS = 20
_A_COMMIT = 5
"""Citations of each commit."""
_PATHS = 10
"""Paths that the citations of all commits point to."""
_SHORT = 12
"""Digits of a short commit id."""


def measure(lab: Lab) -> Iterator[Measurement]:
    """Measure each kind of fetch with nothing local.

    Raises:
        BenchError: a command failed, or did not prove what it fetched.
    """
    history = lab.git("rev-list", "--reverse", "--topo-order", lab.revision).decode().split()
    early = history[len(history) // 20]
    yield from _one_file(lab, early, Unit.KILOBYTES, 25)
    yield from _one_file(lab, lab.revision, Unit.KILOBYTES, None)
    yield from _many(lab, history)
    yield from _short(lab, early)


def _one_file(lab: Lab, revision: str, unit: Unit, most: float | None) -> Iterator[Measurement]:
    files = files_at(lab, revision)
    chosen = min(files, key=lambda file: abs(_A_FILE - sum(map(len, file.lines))))
    cited = [cite(Random("one"), chosen)]  # noqa: S311 - it is to be the same each time
    runs = lab.race({"fetch": _fetch(lab, f"one-{revision[:7]}", cited), "clone": _clone(lab)}, 1)
    fetch, clone = runs["fetch"][0], runs["clone"][0]
    if "commit (git)" not in fetch.output:
        message = f"what was fetched is not proven from its commit: {fetch.output}"
        raise BenchError(message)
    size = sum(len(line.encode()) + 1 for line in chosen.lines)
    what = f"`prov fetch`, one cited file of {sized(size)} in a tree of {len(files)}, proven from its commit"
    amounts = f"{sized(fetch.down)} of {sized(clone.down)}"
    yield Measurement(what, _CLONE, fetch.down / 1000, unit, most, amounts)
    requests = f"{len(clone.requests)} for the clone"
    wanted = None if most is None else 4
    yield Measurement("the same: requests", _CLONE, len(fetch.requests), Unit.REQUESTS, wanted, requests)


def _many(lab: Lab, history: Sequence[str]) -> Iterator[Measurement]:
    cited = _over_commits(lab, history)
    with_delay = _delayed(lab, {"fetch": _fetch(lab, "many", cited), "clone": _clone(lab)})
    fetch, clone = with_delay["fetch"], with_delay["clone"]
    what = f"`prov fetch`, {len(cited)} citations over {_COMMITS} commits"
    amounts = f"{sized(typical(fetch, down))} of {sized(typical(clone, down))}"
    yield Measurement(f"{what}: bytes", _CLONE, ratio(fetch, clone, down), Unit.TIMES, 1 / 40, amounts)
    posts = f"and {len(fetch[0].requests) - fetch[0].posts} for capabilities"
    yield Measurement("the same: requests", _CLONE, fetch[0].posts, Unit.REQUESTS, 4, posts)
    times = f"{timed(fetch)} and {timed(clone)}"
    yield Measurement(
        "the same: time at 40 ms a request", _CLONE, ratio(fetch, clone), Unit.TIMES, 0.2, times
    )


def _over_commits(lab: Lab, history: Sequence[str]) -> list[Cited]:
    """What documents cite over the years: always the same few files, as they were at one time and another."""
    random = Random("many")  # noqa: S311 - it is to be the same each time
    oldest = len(history) // 20
    step = (len(history) - 1 - oldest) / (_COMMITS - 1)
    at = [files_at(lab, history[oldest + round(number * step)]) for number in range(_COMMITS)]
    lasting = Counter(file.path for files in at for file in files)
    paths = {path for path, _ in random.sample(lasting.most_common(4 * _PATHS), _PATHS)}
    cited = []
    for files in at:
        here = [file for file in files if file.path in paths] or files
        cited += [cite(random, random.choice(here)) for _ in range(_A_COMMIT)]
    return cited


def _delayed(lab: Lab, contenders: Mapping[str, Contender]) -> dict[str, Rounds]:
    lab.server.delay = _ROUND_TRIP
    try:
        return lab.race(contenders)
    finally:
        lab.server.delay = 0


def _short(lab: Lab, revision: str) -> Iterator[Measurement]:
    cited = [cite(Random("short"), files_at(lab, revision)[0])]  # noqa: S311 - it is to be the same each time
    short = _fetch(lab, "short", cited, {revision: revision[:_SHORT]})
    first = lab.race({"short": short, "clone": _clone(lab)}, 1)
    used, whole = first["short"][0].down, first["clone"][0].down
    what = "`prov fetch`, a short commit id, nothing local"
    yield Measurement(what, _CLONE, used / whole, Unit.TIMES, 1 / 15, f"{sized(used)} of {sized(whole)}")
    again = Contender(short.command, short.folder, short.home, lambda: _forget(short.folder, short.home))
    runs = lab.race({"locked": again, "full": _fetch(lab, "full", cited)}, 1)
    beyond = len(runs["locked"][0].requests) - len(runs["full"][0].requests)
    amounts = f"{sized(runs['locked'][0].down)} and {sized(runs['full'][0].down)}"
    what = "the same with prov.lock, database and cache gone: requests beyond"
    yield Measurement(what, "a full commit id", beyond, Unit.REQUESTS, 0, amounts)
    verified = lab.run(Contender((PROV, "verify", "--allow-local"), short.folder, short.home))
    what = "`prov verify` after it"
    yield Measurement(what, "no network", len(verified.requests), Unit.REQUESTS, 0)


def _fetch(lab: Lab, name: str, cited: Sequence[Cited], pins: Mapping[str, str] | None = None) -> Contender:
    """A fetch of a project of its own, which has neither database, lock nor cache before each run."""
    folder, home = lab.folder / name, lab.home(f"home-{name}")
    write_manifest(folder, "document", lab.url, cited, pins)

    def forget_all() -> None:
        _forget(folder, home)
        (folder / "manifests" / "prov.lock").unlink(missing_ok=True)

    return Contender(_FETCH, folder, home, forget_all)


def _forget(folder: Path, home: Path) -> None:
    """Remove the evidence and the cache of repositories."""
    for file in folder.glob("evidence.db*"):
        file.unlink()
    for place in home.iterdir():
        if place.is_dir():
            shutil.rmtree(place)


def _clone(lab: Lab) -> Contender:
    target = lab.folder / "clone"

    def remove() -> None:
        shutil.rmtree(target, ignore_errors=True)

    command = ("git", "clone", "--quiet", "--bare", lab.url, str(target))
    return Contender(command, lab.folder, lab.folder / "home", remove)

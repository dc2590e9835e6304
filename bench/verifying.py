"""Verifying many citations beside a shell loop over few of them, and beside itself as the work grows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from bench.lab import Contender
from bench.measure import BenchError, Measurement, Unit, peak, ratio, seconds, timed
from bench.project import A_MANIFEST, check_all_hold, project

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bench.lab import Lab
    from bench.measure import Rounds
    from bench.project import Project

_ANEW = ("verify", "--refresh", "--offline")
_LOOP = (
    'while read -r place range quote; do git --git-dir "$1" show "$place" | sed -n "${range}p" | diff "$quote" - '
    '|| exit 1; done <"$2"'
)
_SYMBOLS = ("symbols", "outlines")
_edition = count(1)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Judge a project anew: as fetch left it, with nothing changed, with changed files, with symbols to find.

    Raises:
        BenchError: a citation does not hold, or a command failed.
    """
    citations = lab.size.manifests * A_MANIFEST
    made = project(lab, citations)
    full, loop = made.prov(*_ANEW), _shell_loop(lab, made)
    runs = lab.race({"loop": loop, "full": full, "nothing": made.prov("verify", "--offline")})
    for run in (*runs["full"], *runs["nothing"]):
        check_all_hold(run.output, citations)
    what = f"`prov verify`, {citations:,} citations in {lab.size.manifests} files, all judged anew"
    against = f"`git show … \\| sed \\| diff` for {lab.size.looped}"
    times = f"{timed(runs['full'])} and {timed(runs['loop'])}"
    yield Measurement(what, against, ratio(runs["full"], runs["loop"]), Unit.TIMES, 1, times)
    yield Measurement("the same: memory", "", peak(runs["full"]), Unit.MEBIBYTES, 150)
    times = f"{timed(runs['nothing'])} and {timed(runs['full'])}"
    value = ratio(runs["nothing"], runs["full"])
    yield Measurement("`prov verify`, nothing changed", "its full run", value, Unit.TIMES, 0.15, times)
    changed = replace(made.prov("verify", "--offline"), prepare=lambda: _touch(made))
    cold = replace(full, prepare=lambda: _forget(made, _SYMBOLS))
    bare = replace(full, prepare=lambda: _forget(made, (*_SYMBOLS, "excerpts", "verdicts")))
    runs = lab.race({"loop": loop, "changed": changed, "cold": cold, "bare": bare}, lab.long_rounds)
    for run in (*runs["changed"], *runs["cold"], *runs["bare"]):
        check_all_hold(run.output, citations)
    for name, what, most in (
        ("changed", "`prov verify`, every manifest changed and read anew", 8),
        ("cold", "`prov verify`, all judged anew, no symbols stored", 1.5),
        ("bare", "the same, no excerpts and verdicts stored either", None),
    ):
        times = f"{timed(runs[name])} and {timed(runs['loop'])}, {peak(runs[name]):.0f} MiB"
        yield Measurement(what, against, ratio(runs[name], runs["loop"]), Unit.TIMES, most, times)


def measure_growth(lab: Lab) -> Iterator[Measurement]:
    """Do the same work on projects of a hundredth, a tenth and the whole of the citations.

    Raises:
        BenchError: a citation does not hold, or a command failed.
    """
    largest = lab.size.manifests * A_MANIFEST
    sizes = {size: project(lab, size) for size in (largest // 100, largest // 10, largest)}
    runs = lab.race({str(size): made.prov(*_ANEW) for size, made in sizes.items()})
    yield from _growth("`prov verify`, all judged anew", {size: runs[str(size)] for size in sizes})
    yield from _growth("`prov fetch`, the first", {size: [made.fetched] for size, made in sizes.items()})


def _growth(what: str, runs: dict[int, Rounds]) -> Iterator[Measurement]:
    """What one more citation costs at the large end and at the small end: what it costs to start is in neither."""
    small, middle, large = runs
    best = {
        size: min(map(seconds, found)) for size, found in runs.items()
    }  # a difference of medians is all noise
    first = (best[middle] - best[small]) / (middle - small)
    second = (best[large] - best[middle]) / (large - middle)
    if first <= 0:
        message = (
            f"{what}: {middle:,} citations take no longer than {small:,}, so there is nothing to compare"
        )
        raise BenchError(message)
    times = (
        f"{second * 1e6:.0f} µs and {first * 1e6:.0f} µs; {', '.join(f'{it:.2f} s' for it in best.values())}"
    )
    title = f"{what}: one more citation of {large:,}"
    yield Measurement(title, f"one more of {middle:,}", second / first, Unit.TIMES, 1.2, times)
    each = (peak(runs[large]) - peak(runs[small])) * 1024 / (large - small)
    memory = f"{', '.join(f'{peak(run):.0f} MiB' for run in runs.values())}; {each:.2f} KiB a citation"
    value = peak(runs[large]) / peak(runs[small])
    yield Measurement(f"the same: memory at {large:,}", f"at {small:,}", value, Unit.TIMES, None, memory)


def _shell_loop(lab: Lab, made: Project) -> Contender:
    """What a careful person would write: each citation's lines, compared with its quote in a file."""
    folder = lab.folder / "loop"
    folder.mkdir()
    step = len(made.citations) // lab.size.looped
    listing = []
    for number, item in enumerate(made.citations[::step][: lab.size.looped]):
        quote = folder / str(number)
        quote.write_text("".join(f"{line}\n" for line in item.quote), encoding="utf-8")
        listing.append(f"{item.file.revision}:{item.file.path} {item.first},{item.last} {quote}\n")
    (folder / "list").write_text("".join(listing), encoding="utf-8")
    command = ("sh", "-c", _LOOP, "sh", str(lab.repository), str(folder / "list"))
    return Contender(command, folder, lab.folder / "home")


def _touch(made: Project) -> None:
    """Change each manifest's bytes, and nothing that it says."""
    edition = next(_edition)
    for file in (made.folder / "manifests").glob("*.yaml"):
        with file.open("a", encoding="utf-8") as manifest:
            manifest.write(f"# edition {edition}\n")


def _forget(made: Project, tables: Iterable[str]) -> None:
    """Remove what was worked out from contents and quotes, and what was counted of it."""
    with closing(sqlite3.connect(made.folder / "evidence.db")) as database:
        for table in tables:
            database.execute(f"DELETE FROM {table}")  # noqa: S608 - the names stand above
        database.execute("UPDATE manifests SET stamp = NULL, tally = NULL")
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

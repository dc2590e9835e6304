"""Citations followed through a made-up history, beside `git blame --reverse -w -M -C` for the same ranges."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from support.chronicle import asked, chronicle
from support.histories import grow
from support.ledger import known
from support.repositories import Repository
from support.scoring import Answer, Prediction, Tally

from bench import blame
from bench.lab import Contender
from bench.measure import BenchError, Measurement, Unit, peak
from provenance.citation import LineRange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from support.ledger import Asked, Tree

    from bench.lab import Lab
    from bench.measure import Rounds, Run

_SEED = 20260301
_AGAINST = "`git blame --reverse -w -M -C`"
_FILES = 300
_ALONE = 60
"""Citations that are followed each on its own, with everything opened anew."""
_LEAST = 0.9
"""Share of citations whose place has to be right, for the times to count."""
_ROUNDS = 3

_FOLLOW = """
import json, pathlib, sys, time
from provenance.citation import LineRange
from provenance.drift.follow import Place, follow
from provenance.origin.address import AddressPolicy
from provenance.origin.git import GitOrigin
class Silence:
    def say(self, text): pass
    def advance(self, what, *, received, objects=0): pass
def run(places, offline):
    policy = AddressPolicy(allow_local=True)
    with GitOrigin(pathlib.Path(cache), policy=policy, listener=Silence(), offline=offline) as origin:
        with origin.history(url, [old, new]) as history:
            return follow(history, old, new, places)
how, cache, url, old, new, file, count = sys.argv[1:]
rows = json.loads(pathlib.Path(file).read_bytes())[:int(count)]
places = [Place(path, LineRange(first, last)) for path, first, last in rows]
groups = [[place] for place in places] if how == "alone" else [places]
taken, ends = [], []
for group in groups:
    begin = time.perf_counter()
    found = run(group, how != "first")
    taken.append(time.perf_counter() - begin)
    ends += [(one.status, one.end and (one.end.path, one.end.lines.first, one.end.lines.last)) for one in found]
print(json.dumps({"taken": taken, "ends": ends[:500]}))
"""
_BLAME = """
import json, pathlib, subprocess, sys, time
taken = []
for command in json.loads(pathlib.Path(sys.argv[1]).read_bytes()):
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    taken.append(time.perf_counter() - begin)
print(json.dumps({"taken": taken, "ends": []}))
"""


@dataclass(frozen=True, slots=True)
class _Past:
    """A repository, and citations of its first commit."""

    repository: Path
    commits: int
    """That are on the way."""
    old: str
    new: str
    trees: tuple[Tree, Tree]
    """Of the two."""
    cited: Sequence[Asked]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Follow citations in one walk and alone, and ask git of the same.

    Raises:
        BenchError: too many of them were not found where they are.
    """
    past = _past(lab)
    most = lab.size.manifests * 20
    few, many = most // 100, most // 10
    _check(past, _ends(lab.run(_following(lab, past, "first", many))))
    contenders = {
        "few": _following(lab, past, "together", few),
        "many": _following(lab, past, "together", many),
        "alone": _following(lab, past, "alone", _ALONE),
        "blame": _blaming(lab, past),
    }
    runs = lab.race(contenders, min(lab.rounds, _ROUNDS))
    runs["most"] = lab.race({"most": _following(lab, past, "first", most)}, 1)["most"]
    yield from _together(past, runs, {"few": few, "many": many, "most": most})
    yield from _alone(runs)


def _together(past: _Past, runs: Mapping[str, Rounds], counts: Mapping[str, int]) -> Iterator[Measurement]:
    blamed = median(median(_taken(run)) for run in runs["blame"])
    for name, count in counts.items():
        each = median(sum(_taken(run)) / count for run in runs[name])
        what = f"{count:,} citations over {past.commits:,} commits followed in one walk: one of them"
        target = 0.005 if name == "many" else None
        yield Measurement(what, _AGAINST, each, Unit.SECONDS, target, _beside(each, blamed))
    peaks = {name: peak(runs[name]) for name in counts}
    yield Measurement(
        f"the same: memory of {counts['most']:,} citations",
        f"of {counts['many']:,}",
        peaks["most"] / peaks["many"],
        Unit.TIMES,
        1.2,
        ", ".join(f"{one:.0f} MiB" for one in peaks.values()),
    )


def _alone(runs: Mapping[str, Rounds]) -> Iterator[Measurement]:
    what = "one citation followed alone, with everything opened anew: median"
    for name, of, target in ((what, median, 0.05), ("the same: p95", _late, 0.3)):
        taken, blamed = (median(of(_taken(run)) for run in runs[who]) for who in ("alone", "blame"))
        yield Measurement(name, _AGAINST, taken, Unit.SECONDS, target, _beside(taken, blamed))


def _past(lab: Lab) -> _Past:
    made = chronicle(_SEED, lab.size.manifests * 10, _FILES)
    repository = Repository.at(lab.folder / "walked" / "repository.git")
    ids = grow(repository, made.commits())
    repository.git("repack", "-q", "-a", "-d")
    repository.git("commit-graph", "write", "--reachable", "--no-progress")
    first = next(iter(made.trees))
    old, new = made.trees[first], made.trees[made.last]
    cited = list(asked(old, _SEED, lab.size.manifests * 20))
    rows = [(one.path, one.first, one.last) for one in cited]
    past = _Past(repository.path, len(ids), ids[first], ids[made.last], (old, new), cited)
    _file(lab, "places").write_text(json.dumps(rows), encoding="utf-8")
    commands = [
        blame.command(past.repository, past.old, past.new, one.path, LineRange(one.first, one.last))
        for one in cited[:_ALONE]
    ]
    _file(lab, "blames").write_text(json.dumps(commands), encoding="utf-8")
    return past


def _following(lab: Lab, past: _Past, how: str, count: int) -> Contender:
    cache, places = lab.folder / "walked" / "cache", _file(lab, "places")
    arguments = (how, str(cache), str(past.repository), past.old, past.new, str(places), str(count))
    return Contender((sys.executable, "-c", _FOLLOW, *arguments), lab.folder, lab.folder / "home")


def _blaming(lab: Lab, past: _Past) -> Contender:
    command = (sys.executable, "-c", _BLAME, str(_file(lab, "blames")))
    return Contender(command, past.repository, lab.folder / "home")


def _file(lab: Lab, name: str) -> Path:
    return lab.folder / "walked" / f"{name}.json"


def _check(past: _Past, ends: Sequence[Prediction]) -> None:
    """See that the citations were found where they are, as far as that is beyond dispute."""
    tally = Tally()
    for cited, said in zip(past.cited, ends, strict=False):
        truth = known(past.trees[0], cited, past.trees[1])
        if truth is not None:
            tally.add(["all"], truth, said)
    found = tally.categories["all"].share("exact")
    if found < _LEAST:
        message = f"only {found:.1%} of the citations were found where they are"
        raise BenchError(message)


def _ends(run: Run) -> list[Prediction]:
    said = json.loads(run.output)["ends"]
    return [_prediction(status, end) for status, end in said]


def _prediction(status: str, end: tuple[str, int, int] | None) -> Prediction:
    if end is None:
        return Prediction(Answer.DELETED if status == "deleted" else Answer.UNSURE)
    path, first, last = end
    return Prediction(Answer.EDITED if status == "edited" else Answer.SAME, path, LineRange(first, last))


def _taken(run: Run) -> list[float]:
    taken: list[float] = json.loads(run.output)["taken"]
    return taken


def _late(taken: Sequence[float]) -> float:
    return sorted(taken)[int(len(taken) * 0.95)]


def _beside(each: float, other: float) -> str:
    return f"{1000 * each:.2f} ms and {1000 * other:.1f} ms, {each / other:.2f} ×"

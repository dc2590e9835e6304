"""How well cited lines are followed: `python -m bench.drift --cases FILE --repositories DIR`.

Cases with known answers are scored by category, and beside them what `git blame --reverse -w -M -C` says of the same
lines.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from support.scoring import Tally

from bench import blame, following
from bench.cases import read_cases, repository_in, written
from bench.measure import BenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bench.cases import Case
    from bench.following import Said

_MEASURES = ("exact", "strict", "within_one", "overlap", "verdict", "lie")
_HEADS = ("exact", "strict", "±1", "IoU", "verdict", "lie")


def main() -> None:
    """Follow the cases, and print the tables."""
    parser = _parser()
    given = parser.parse_args()
    repositories: Path = given.repositories
    try:
        cases = read_cases(given.cases)
        places = {case.repository: repository_in(repositories, case.repository) for case in cases}
        alone, together = _followed(cases, places)
    except (BenchError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    print(table("prov", alone))
    print(times("alone", alone), times("together", together), sep="\n")
    print(f"answers that are others together than alone: {_differing(alone, together)}")
    if given.predictions is not None:
        lines = (f"{written(said.case, said.prediction, said.milliseconds)}\n" for said in alone)
        given.predictions.write_text("".join(lines), encoding="utf-8")
    if not given.no_blame:
        blamed = list(_blamed(cases, places))
        print(f"\n{table('git blame --reverse -w -M -C', blamed)}\n{times('alone', blamed)}")


def table(name: str, answers: Iterable[Said]) -> str:
    """The scores by category, in per cent."""
    tally = Tally()
    for said in answers:
        tally.add(said.case.categories(), said.case.truth, said.prediction)
    lines = [f"{name:<44}{'n':>6}" + "".join(f"{head:>9}" for head in _HEADS)]
    for category, shares in sorted(tally.categories.items()):
        measured = "".join(f"{100 * shares.share(name):9.1f}" for name in _MEASURES)
        lines.append(f"{category:<44}{shares.count:6}{measured}")
    lines.append(f"deleted: precision {100 * tally.precision:.1f}, recall {100 * tally.recall:.1f}")
    lines.append(f"said to be the same, and right: {100 * tally.same_right:.1f}")
    return "\n".join(lines)


def times(name: str, answers: Sequence[Said]) -> str:
    """What a citation took, in a line."""
    taken = sorted(said.milliseconds for said in answers)
    late = taken[int(len(taken) * 0.95)]
    return (
        f"time a citation, {name}: median {median(taken):.1f} ms, p95 {late:.1f} ms, max {taken[-1]:.0f} ms"
    )


def _followed(cases: Iterable[Case], places: dict[str, Path]) -> tuple[list[Said], list[Said]]:
    of_repository: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        of_repository[case.repository].append(case)
    alone: list[Said] = []
    together: list[Said] = []
    with tempfile.TemporaryDirectory(prefix="prov-bench-") as folder:
        for number, (repository, some) in enumerate(of_repository.items()):
            cache = following.Cache(Path(folder) / str(number), places[repository], some)
            alone += map(cache.alone, some)
            together += cache.together()
    return alone, together


def _differing(alone: Iterable[Said], together: Iterable[Said]) -> int:
    answers = {said.case.id: said.prediction for said in together}
    return sum(answers[said.case.id] != said.prediction for said in alone)


def _blamed(cases: Iterable[Case], places: dict[str, Path]) -> Iterator[Said]:
    for case in cases:
        begin = time.perf_counter()
        said = blame.follow(places[case.repository], case.old, case.new, case.path, case.lines)
        yield following.Said(case, said, 1000 * (time.perf_counter() - begin))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.drift", description="Score how well cited lines are followed."
    )
    parser.add_argument(
        "--cases", type=Path, required=True, metavar="FILE", help="cases, a line of JSON each"
    )
    parser.add_argument(
        "--repositories", type=Path, required=True, metavar="DIR", help="holds OWNER+NAME/repo or OWNER/NAME"
    )
    parser.add_argument("--predictions", type=Path, metavar="FILE", help="write what is said of each case")
    parser.add_argument("--no-blame", action="store_true", help="without git blame, which takes longest")
    return parser


if __name__ == "__main__":
    main()

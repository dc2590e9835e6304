"""What is made of results: reports, a site, histories, and manifests that are written to."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING

from bench.lab import PROV, Contender, environment_of
from bench.measure import BenchError, Measurement, Unit, peak, ratio, timed
from bench.project import A_MANIFEST, Cited, Project, cite, files_at, project, write_manifest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from bench.lab import Lab
    from bench.measure import Rounds
    from bench.project import File

_FORMATS = ("text", "jsonl", "junit", "sarif", "github", "gitlab", "markdown")
_FULL = ("verify", "--refresh", "--offline")
_AGAIN = ("verify", "--offline")
_EXPECTING = (*_AGAIN, "--write-expect")


@dataclass(frozen=True, slots=True)
class Cut(Cited):
    """A citation whose quote lacks the last of the cited lines: a warning, with a suggestion."""

    @property
    def quote(self) -> Sequence[str]:
        """The cited lines but one."""
        return self.file.lines[self.first - 1 : self.last - 1]


def measure(lab: Lab) -> Iterator[Measurement]:
    """Measure each kind of report beside the run whose results it tells, or beside the plainest report.

    Raises:
        BenchError: a command failed, or its results are not those that were made up.
    """
    largest = lab.size.manifests * A_MANIFEST
    yield from _site(lab, project(lab, largest // 10))
    yield from _since(lab, project(lab, largest))
    yield from _log(lab, project(lab, largest))
    for citations in (largest // 10, largest):
        yield from _formats(lab, _warned(lab, citations, A_MANIFEST))
    yield from _written(lab, _warned(lab, largest // 10, largest // 10))


def _site(lab: Lab, made: Project) -> Iterator[Measurement]:
    site = made.folder / "site"
    report = made.prov("report", "--offline", "-q", "-o", str(site))
    report = replace(report, prepare=lambda: shutil.rmtree(site, ignore_errors=True))
    runs = lab.race({"full": made.prov(*_FULL), "site": report}, lab.long_rounds)
    size = sum(file.stat().st_size for file in site.rglob("*.html")) / 1e6
    count = len(made.citations)
    shutil.rmtree(site)
    what = f"`prov report`, a site of {count:,} citations"
    yield Measurement(
        what, "its full run", ratio(runs["site"], runs["full"]), Unit.TIMES, None, _both(runs, "site", "full")
    )
    yield Measurement(
        "the same: memory", "", peak(runs["site"]), Unit.MEBIBYTES, None, f"{size:.0f} MB of HTML"
    )


def _since(lab: Lab, made: Project) -> Iterator[Measurement]:
    """One manifest differs from the commit that the others stand in."""
    folder = lab.folder / "since"
    shutil.copytree(made.folder, folder)
    here = replace(made, folder=folder)
    (folder / ".gitignore").write_text("evidence.db*\n", encoding="ascii")
    name = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
    for arguments in (("init", "--quiet"), ("add", "."), (*name, "commit", "--quiet", "--message=all")):
        subprocess.run(["git", *arguments], cwd=folder, check=True, env=environment_of(made.home))
    manifests = sorted((folder / "manifests").glob("*.yaml"))
    since = replace(here.prov(*_AGAIN, "--since", "HEAD"), prepare=lambda: _touch(manifests[0]))
    runs = lab.race({"full": here.prov(*_FULL), "since": since})
    for run in runs["since"]:
        _check(f"{A_MANIFEST:,} of {A_MANIFEST:,} citations checked", run.output)
    what = f"`prov verify --since`, 1 of {len(manifests)} manifests changed"
    value = ratio(runs["since"], runs["full"])
    yield Measurement(what, "its full run", value, Unit.TIMES, None, _both(runs, "since", "full"))
    shutil.rmtree(folder)


def _log(lab: Lab, made: Project) -> Iterator[Measurement]:
    python = Contender((sys.executable, "-c", "pass"), lab.folder, lab.folder / "home")
    contenders = {"python": python, "log": made.prov("log", "document-000.yaml#place-7")}
    lab.race(contenders, 1)  # byte code is written, files are in memory
    runs = lab.race(contenders, lab.rounds * 4)
    what = f"`prov log`, in a project of {len(made.citations):,} citations"
    times = f"{timed(runs['log'])} and {timed(runs['python'])}"
    yield Measurement(what, "`python -c pass`", ratio(runs["log"], runs["python"]), Unit.TIMES, None, times)


def _formats(lab: Lab, made: Project) -> Iterator[Measurement]:
    """The same results, all of them warnings, in each format."""
    report = made.folder / "run.intoto.json"
    contenders = {
        "json": made.prov(*_AGAIN, "--format", "json"),
        **{name: made.prov(*_AGAIN, "--format", name) for name in _FORMATS},
        "an attestation, beside it": made.prov(*_AGAIN, "--format", "json", "--output", str(report)),
    }
    runs = lab.race(contenders, lab.long_rounds)
    for name in contenders:
        if name != "json":
            what = f"{len(made.citations):,} warnings: {f'`--format {name}`' if name in _FORMATS else name}"
            value = ratio(runs[name], runs["json"])
            yield Measurement(what, "`--format json`", value, Unit.TIMES, None, _both(runs, name, "json"))


def _written(lab: Lab, made: Project) -> Iterator[Measurement]:
    """All citations stand in one manifest, which is written anew, once for many entries and once for one."""
    count, kept = len(made.citations), lab.folder / "kept"
    shutil.copytree(made.folder, kept)
    first = made.citations[0]
    cited = (
        "cite",
        f"{first.file.path}:1-3",
        "--source",
        "at-0",
        "--id",
        "one-more",
        "--offline",
        "--allow-local",
    )
    append = (*cited, "--append", "manifests/document-000.yaml")
    anew = _restoring(kept, made.folder)
    runs = lab.race(
        {
            "full": replace(made.prov(*_FULL), prepare=anew),
            "expect": replace(made.prov(*_EXPECTING), prepare=anew),
            "cite": replace(made.prov(*cited), prepare=anew),
            "append": replace(made.prov(*append), prepare=anew),
        },
        lab.long_rounds,
    )
    for run in runs["expect"]:
        _check(f"{count:,} expect entries", run.output)
    for name, what, than, against in (
        (
            "expect",
            f"`prov verify --write-expect`, {count:,} new entries in one manifest",
            "full",
            "its full run",
        ),
        (
            "append",
            f"`prov cite --append`, to a manifest of {count:,} citations",
            "cite",
            "the same, printed",
        ),
    ):
        value = ratio(runs[name], runs[than])
        yield Measurement(what, against, value, Unit.TIMES, None, _both(runs, name, than))


def _warned(lab: Lab, citations: int, each: int) -> Project:
    """A project of its own in which every citation is a warning.

    Args:
        lab: where it is made.
        citations: how many there are.
        each: how many of them stand in one manifest.

    Raises:
        BenchError: it cannot be fetched, or its verdicts are others.
    """
    name = f"warned-{citations}-{each}"
    folder, home = lab.folder / name, lab.home(f"home-{name}")
    files = files_at(lab, lab.revision)
    cited: list[Cited] = []
    for number, start in enumerate(range(0, citations, each)):
        here = [_cut(files, f"{number} {one}") for one in range(min(each, citations - start))]
        write_manifest(folder, f"document-{number:03}", lab.url, here)
        cited += here
    run = lab.run(Contender((PROV, "fetch", "--allow-local", "--quiet"), folder, home))
    made = Project(folder, home, cited, run)
    _check(f"{citations:,} warnings", lab.run(made.prov(*_AGAIN)).output)
    return made


def _cut(files: Sequence[File], name: str) -> Cut:
    random = Random(name)  # noqa: S311 - it is to be the same each time
    file = files[random.randrange(len(files))]
    while True:
        found = cite(random, file)
        if found.last > found.first:
            return Cut(found.file, found.first, found.last)


def _restoring(kept: Path, folder: Path) -> Callable[[], None]:
    """Puts a project back as it was."""

    def restore() -> None:
        shutil.rmtree(folder)
        shutil.copytree(kept, folder)

    return restore


def _touch(manifest: Path) -> None:
    """Change a manifest's bytes, and nothing that it says."""
    with manifest.open("a", encoding="utf-8") as file:
        file.write("# touched\n")


def _check(expected: str, output: str) -> None:
    if expected not in output:
        message = f"expected {expected!r}, and prov said {output[-300:]!r}"
        raise BenchError(message)


def _both(runs: dict[str, Rounds], one: str, other: str) -> str:
    """Times and memory of two, for people."""
    return f"{timed(runs[one])} and {timed(runs[other])}; {peak(runs[one]):.0f} MiB and {peak(runs[other]):.0f} MiB"

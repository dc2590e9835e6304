"""Scanning many documents beside parsing them and a shell loop over few of their links, and as the work grows."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from bench.lab import PROV, Contender
from bench.measure import BenchError, Measurement, Unit, peak, ratio, seconds, timed
from bench.pages import LINKS, SITE, Writer, verdicts
from bench.project import files_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bench.lab import Lab
    from bench.measure import Rounds, Run
    from bench.pages import Page
    from bench.project import File

_REVISIONS = 20
_FILES = 300
"""Files that are cited, over all revisions."""
_A_FOLDER = 100
"""Documents of a folder."""
_BRANCH_EACH = 100
"""Of so many documents one has links to a branch, in the project that has such."""
_AS_MADE = 0.98
"""The share of links that must be judged as they were made to be: which block is a quote is a matter of likelihood."""
_FULL = ("scan", "--refresh", "--offline", "docs")
_AGAIN = ("scan", "--offline", "docs")
_PARSE = """
import pathlib, sys
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.md"))
print(sum(len(parser.parse(file.read_text(encoding="utf-8"))) for file in files))
"""
_LOOP = (
    "grep -rhoE 'https://github.com/[^/ ]+/[^/ ]+/blob/[0-9a-f]{40}/[^ )#]+#L[0-9]+(-L[0-9]+)?' \"$3\" >found && "
    'while read -r place range quote; do git --git-dir "$1" show "$place" | sed -n "${range}p" | diff "$quote" - '
    '|| exit 1; done <"$2"'
)
_CHECKED = re.compile(
    r"([\d,]+) of ([\d,]+) citations checked: ([\d,]+) ok(?:, ([\d,]+) warnings?)?(?: ·|$)", re.MULTILINE
)
_LEVELS = '[tool.prov.levels]\nchanged = "warning"\nshifted = "warning"\nabsent = "warning"\n'
"""Links that do not hold are part of the work, and are to leave the exit code alone."""
_edition = count(1)


@dataclass(frozen=True, slots=True)
class Documents:
    """A project of documents whose evidence has been fetched."""

    folder: Path
    home: Path
    pages: Sequence[Page]
    first: Run
    """The first `prov scan` of it."""

    def prov(self, *arguments: str) -> Contender:
        """A command of prov's, run here."""
        return Contender((PROV, *arguments), self.folder, self.home)


def measure(lab: Lab) -> Iterator[Measurement]:
    """Scan projects of a hundredth, a tenth and the whole of the documents.

    Raises:
        BenchError: links were judged otherwise than they were made to be, or a command failed.
    """
    largest = lab.size.documents
    projects = {size: _project(lab, size) for size in (largest // 100, largest // 10, largest)}
    runs = _raced(lab, projects)
    yield from _largest(lab, projects[largest], runs)
    yield from _measure_branches(lab, largest // 10)
    full = {size: runs[_full(size)] for size in projects}
    yield from _growth("`prov scan`, all read and judged anew", full)
    yield from _growth("`prov scan`, the first", {size: [made.first] for size, made in projects.items()})


def _raced(lab: Lab, projects: Mapping[int, Documents]) -> dict[str, Rounds]:
    """Run everything in turn: all projects anew, and the largest with little or nothing changed, and on one core."""
    *_, largest = projects
    made = projects[largest]
    full = made.prov(*_FULL)
    parse = (sys.executable, "-c", _PARSE, str(made.folder / "docs"))
    contenders = {
        "parse": Contender(parse, lab.folder, lab.folder / "home"),
        "loop": _shell_loop(lab, made),
        **{_full(size): each.prov(*_FULL) for size, each in projects.items()},
        "nothing": made.prov(*_AGAIN),
        "one": replace(made.prov(*_AGAIN), prepare=lambda: _touch(made)),
    }
    taskset = shutil.which("taskset")
    if taskset is not None and len(os.sched_getaffinity(0)) > 1:
        contenders["alone"] = replace(full, command=(taskset, "--cpu-list", "0", *full.command))
    runs = lab.race(contenders, lab.long_rounds)
    for name in ("nothing", "one", "alone", _full(largest)):
        for run in runs.get(name, []):
            _check_summary(run.output, made.pages)
    return runs


def _full(size: int) -> str:
    return f"full {size}"


def _largest(lab: Lab, made: Documents, runs: dict[str, Rounds]) -> Iterator[Measurement]:
    size = len(made.pages)
    full = _full(size)
    what = f"`prov scan`, {size:,} documents with {size * LINKS:,} links, all read and judged anew"
    yield _beside(runs, what, full, "parse", "parsing them once with markdown-it-py", 3)
    against = f"`grep` for the links, `git show … \\| sed \\| diff` for {lab.size.looped}"
    yield _beside(runs, "the same", full, "loop", against, None)
    yield Measurement("the same: memory", "", peak(runs[full]), Unit.MEBIBYTES, 150)
    if "alone" in runs:
        yield _beside(runs, "the same", full, "alone", "the same on one core", 0.75)
    yield _beside(runs, "`prov scan`, nothing changed", "nothing", full, "its full run", 0.15)
    yield _beside(runs, "`prov scan`, one document changed", "one", full, "its full run", 0.15)


def _measure_branches(lab: Lab, size: int) -> Iterator[Measurement]:
    """What it costs to ask what branches are, where few documents name one."""
    made = _project(lab, size, branch="main")
    again = made.prov("scan", "--allow-local", "docs")
    runs = lab.race({"again": again, "offline": made.prov(*_AGAIN)}, lab.long_rounds)
    what = (
        f"`prov scan`, nothing changed, {size // _BRANCH_EACH} of {size:,} documents have links to a branch"
    )
    yield _beside(runs, what, "again", "offline", "the same asking nobody", None)
    asked = max(len(run.requests) for run in runs["again"])
    yield Measurement("the same: requests", "", asked, Unit.REQUESTS, 2)


def _beside(
    runs: dict[str, Rounds], what: str, one: str, other: str, against: str, most: float | None
) -> Measurement:
    times = f"{timed(runs[one])} and {timed(runs[other])}"
    return Measurement(what, against, ratio(runs[one], runs[other]), Unit.TIMES, most, times)


def _growth(what: str, runs: dict[int, Rounds]) -> Iterator[Measurement]:
    """What one more document costs at the large end and at the small end: what it costs to start is in neither."""
    small, middle, large = runs
    best = {size: min(map(seconds, found)) for size, found in runs.items()}
    first = (best[middle] - best[small]) / (middle - small)
    second = (best[large] - best[middle]) / (large - middle)
    if first <= 0:
        message = (
            f"{what}: {middle:,} documents take no longer than {small:,}, so there is nothing to compare"
        )
        raise BenchError(message)
    times = (
        f"{second * 1e3:.2f} ms and {first * 1e3:.2f} ms; {', '.join(f'{it:.2f} s' for it in best.values())}"
    )
    yield Measurement(
        f"{what}: one more document of {large:,}",
        f"one more of {middle:,}",
        second / first,
        Unit.TIMES,
        1.2,
        times,
    )
    memory = ", ".join(f"{peak(run):.0f} MiB" for run in runs.values())
    value = peak(runs[large]) / peak(runs[middle])
    yield Measurement(f"the same: memory at {large:,}", f"at {middle:,}", value, Unit.TIMES, 1.5, memory)


def _project(lab: Lab, size: int, branch: str | None = None) -> Documents:
    """A project of so many documents, scanned once.

    Args:
        lab: where the repository is.
        size: how many documents.
        branch: what links of some documents name, instead of a commit.

    Raises:
        BenchError: links were judged otherwise than they were made to be.
    """
    name = f"documents-{size}-{branch or 'pinned'}"
    folder, home = lab.folder / name, lab.home(f"home-{name}")
    with (home / ".gitconfig").open("a", encoding="utf-8") as configuration:
        configuration.write(f'[url "{lab.url}"]\n\tinsteadOf = {SITE}\n')
    pages = []
    for number, page in enumerate(_pages(lab, size, branch)):
        file = folder / "docs" / f"{number // _A_FOLDER:03}" / f"page-{number:05}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page.text, encoding="utf-8")
        pages.append(replace(page, text=""))
    (folder / "pyproject.toml").write_text(_LEVELS, encoding="ascii")
    first = lab.run(Contender((PROV, "scan", "--allow-local", "docs"), folder, home))
    made = Documents(folder, home, pages, first)
    if branch is None:
        _check_summary(first.output, pages)
        _check_each(lab.run(made.prov("scan", "--offline", "--format", "jsonl", "docs")).output, pages)
    return made


def _pages(lab: Lab, size: int, branch: str | None) -> Iterator[Page]:
    """Documents; a larger project begins with those of a smaller one."""
    history = lab.git("rev-list", "--reverse", "--topo-order", lab.revision).decode().split()
    random = Random("documents")  # noqa: S311 - it is to be the same each time
    files: list[File] = []
    for number in range(1, _REVISIONS + 1):
        here = files_at(lab, history[len(history) * number // _REVISIONS - 1])
        files += random.sample(here, min(len(here), _FILES // _REVISIONS))
    # Links that are off by some lines lead to lines that are there.
    files = [file for file in files if len(file.lines) > 100] or files
    pinned = Writer(random, files)
    moving = Writer(Random("branches"), files_at(lab, lab.revision)[:10], branch)  # noqa: S311
    for number in range(size):
        yield moving.page() if branch is not None and number % _BRANCH_EACH == 0 else pinned.page()


def _check_summary(output: str, pages: Sequence[Page]) -> None:
    """See that as many links hold as were made to hold.

    Raises:
        BenchError: far fewer or far more do, or one is missing.
    """
    made = verdicts(pages)
    found = _CHECKED.search(output)
    checked, total, holding, _ = (
        (int((text or "0").replace(",", "")) for text in found.groups()) if found else (0,) * 4
    )
    expected = made.total() - made["changed"] - made["shifted"]
    if (checked, total) != (made.total(),) * 2 or abs(holding - expected) > (1 - _AS_MADE) * total:
        message = (
            f"{expected:,} of {made.total():,} links were made to hold, and prov ended with {output[-300:]!r}"
        )
        raise BenchError(message)


def _check_each(output: str, pages: Sequence[Page]) -> None:
    """See that links are judged as they were made to be.

    Raises:
        BenchError: too many are not.
    """
    made = verdicts(pages)
    said = Counter(json.loads(line)["verdict"] for line in output.splitlines())
    if (made & said).total() < _AS_MADE * made.total():
        message = f"the links were made to be {dict(made)}, and were judged {dict(said)}"
        raise BenchError(message)


def _shell_loop(lab: Lab, made: Documents) -> Contender:
    """What a careful person would write: all links listed, and some compared with quotes that stand in files."""
    folder = lab.folder / "links"
    folder.mkdir()
    exact = [link.cited for page in made.pages for link in page.links if link.verdict == "exact"]
    listing = []
    for number, item in enumerate(exact[:: len(exact) // lab.size.looped][: lab.size.looped]):
        quote = folder / str(number)
        quote.write_text("".join(f"{line}\n" for line in item.quote), encoding="utf-8")
        listing.append(f"{item.file.revision}:{item.file.path} {item.first},{item.last} {quote}\n")
    (folder / "list").write_text("".join(listing), encoding="utf-8")
    command = ("sh", "-c", _LOOP, "sh", str(lab.repository), str(folder / "list"), str(made.folder / "docs"))
    return Contender(command, folder, lab.folder / "home")


def _touch(made: Documents) -> None:
    """Change one document's bytes, and none of its links."""
    edition = next(_edition)
    file = next((made.folder / "docs").rglob(f"page-{edition % len(made.pages):05}.md"))
    with file.open("a", encoding="utf-8") as document:
        document.write(f"\nEdition {edition}.\n")

"""Where reports go: stdout in one format, files in as many as are asked for."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from provenance.cli.options import with_options
from provenance.errors import UsageError
from provenance.files import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from provenance.cli.options import Command
    from provenance.evidence import Finding, Summary, Unread

FORMATS = ("text", "json", "jsonl")
_ENDINGS = {".txt": "text", ".json": "json", ".jsonl": "jsonl"}
_LISTED = 100
"""Up to how many citations a text lists those that hold, too."""


_REPORT_OPTIONS = (
    click.option("--strict", is_flag=True, help="Warnings count as failures in the exit code."),
    click.option(
        "--format", "format_", type=click.Choice(FORMATS), default="text", help="Of the report on stdout."
    ),
    click.option(
        "--output", "outputs", multiple=True, metavar="FILE", help="Write a report to a file, by its ending."
    ),
)


def reporting(command: Command) -> Command:
    """Add the options of a command that reports results: it takes `strict`, `format_` and `outputs`."""
    return with_options(_REPORT_OPTIONS, command)


@dataclass(frozen=True, slots=True)
class Findings:
    """Results that can be gone through as often as there are reports."""

    summary: Summary
    every: Callable[[], Iterator[Finding]]
    """All of it, in the order of the manifests."""
    notable: Callable[[], Iterator[Finding]]
    """What is not simply ok."""
    unread: Sequence[Unread] = ()
    """What looks like a citation and is not understood."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file to write a report to."""

    format: str
    file: Path


def target(text: str) -> Target:
    """Read `FILE` or `format:FILE`.

    Raises:
        UsageError: the format is not one that is written.
    """
    prefix, colon, rest = text.partition(":")
    if colon and prefix in FORMATS and rest:
        return Target(prefix, Path(rest))
    endings = "".join(Path(text).suffixes[-2:]), Path(text).suffix
    found = next((_ENDINGS[ending] for ending in endings if ending in _ENDINGS), None)
    if found is None or endings[0] in {".gitlab.json", ".intoto.json"} or (colon and prefix.isalpha()):
        message = (
            f"--output {text}: expected an ending of {', '.join(_ENDINGS)}, or a prefix such as json:FILE"
        )
        raise UsageError(message)
    return Target(found, Path(text))


class Reporter(Protocol):
    """Writes one report."""

    def __call__(self, format_: str, stream: TextIO, /, *, width: int, colour: bool) -> None:
        """In one of `FORMATS`, onto a stream; the width in characters is for text."""


def write(findings: Findings, format_: str, targets: Sequence[Target], *, everything: bool) -> None:
    """Print the report of results, and write those that are asked for.

    Raises:
        UsageError: a file cannot be written.
    """
    write_reports(partial(_report, findings, everything=everything), format_, targets)


def write_reports(report: Reporter, format_: str, targets: Sequence[Target]) -> None:
    """Print a report, and write those that are asked for.

    Raises:
        UsageError: a file cannot be written.
    """
    for item in targets:
        stream = StringIO()
        report(item.format, stream, width=120, colour=False)
        _put(item.file, stream.getvalue())
    width = shutil.get_terminal_size((100, 24)).columns
    with printing():
        report(format_, sys.stdout, width=width, colour=has_colour())


def distinct(targets: Sequence[Target], kept: Iterable[Path]) -> None:
    """Make sure that no report is written over another one, or over what the run itself reads and writes.

    Raises:
        UsageError: one would be.
    """
    taken = {os.path.realpath(file) for file in kept}
    for item in targets:
        real = os.path.realpath(item.file)
        if real in taken and not _is_special(item.file):
            message = f"--output {item.file}: the file is another report's, or prov's own"
            raise UsageError(message)
        taken.add(real)


def _put(file: Path, text: str) -> None:
    """Write a report: whole where there is a file, straight into what is a pipe or a device."""
    if not _is_special(file):
        replace(Path(os.path.realpath(file)), text)  # a link stays one
        return
    try:
        with file.open("w", encoding="utf-8", newline="") as stream:
            stream.write(text)
    except OSError as error:
        message = f"{file}: cannot be written: {error.strerror or error}"
        raise UsageError(message) from error


def _is_special(file: Path) -> bool:
    return file.exists() and not file.is_file()


@contextmanager
def printing() -> Iterator[None]:
    """Print to stdout. A reader that has seen enough is no fault, and the exit code still says what was found."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def has_colour() -> bool:
    """Whether stdout is a terminal whose user has not said no to colour."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _report(
    findings: Findings, format_: str, stream: TextIO, *, width: int, colour: bool, everything: bool
) -> None:
    match format_:
        case "json":
            from provenance.report.json import write_json

            write_json(stream, findings.summary, findings.every(), findings.unread)
        case "jsonl":
            from provenance.report.json import write_jsonl

            write_jsonl(stream, findings.every(), findings.unread)
        case _:
            from provenance.report.text import render

            listed = [
                *(findings.every() if everything or findings.summary.total <= _LISTED else findings.notable())
            ]
            hidden = findings.summary.total - len(listed)
            text = render(
                findings.summary, listed, hidden=hidden, width=width, colour=colour, unread=findings.unread
            )
            stream.write(text)


def print_problems(problems: Sequence[str]) -> None:
    """What is wrong with the input, on stderr."""
    from provenance.report.inert import no_commands, visible

    for problem in dict.fromkeys(problems):
        click.echo(f"prov: {no_commands(visible(problem))}", err=True)

"""Where reports go: stdout in one format, files in as many as are asked for."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from provenance.cli import completing
from provenance.cli.options import with_options
from provenance.cli.screens import screen_of
from provenance.errors import DiskFault, ProvError, UsageError
from provenance.files import leads_out, replacing, unwritable
from provenance.report.formats import ENDINGS, FORMATS, INTOTO, writer
from provenance.report.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO

    from provenance.cli.options import Command
    from provenance.report.notices import Mending, Notices
    from provenance.report.run import Findings, Run

_LISTED = 100
"""Up to how many citations a text lists those that hold, too."""
_LINKS = 40
"""How many links in a row are followed, as Linux does it."""


_REPORT_OPTIONS = (
    click.option("--strict", is_flag=True, help="Warnings count as failures in the exit code."),
    click.option(
        "--format", "format_", type=click.Choice(FORMATS), default="text", help="Of the report on stdout."
    ),
    click.option(
        "--output",
        "outputs",
        multiple=True,
        metavar="FILE",
        shell_complete=completing.files,
        help="Write a report to a file, by its ending.",
    ),
)


def reporting(command: Command) -> Command:
    """Add the options of a command that reports results: it takes `strict`, `format_` and `outputs`."""
    return with_options(_REPORT_OPTIONS, command)


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
    if colon and prefix in {*FORMATS, INTOTO} and rest:
        return Target(prefix, Path(rest))
    name = Path(text).name
    ending = max((ending for ending in ENDINGS if name.endswith(ending)), key=len, default=None)
    if ending is None or name in ENDINGS or (colon and prefix.isalpha()):
        message = (
            f"--output {text}: expected an ending of {', '.join(ENDINGS)}, or a prefix such as json:FILE"
        )
        raise UsageError(message)
    return Target(ENDINGS[ending], Path(text))


class Reporter(Protocol):
    """Writes one report."""

    def __call__(self, format_: str, stream: TextIO, /, *, screen: Screen) -> None:
        """In one of `FORMATS`, onto a stream; what it is read on is for text."""


def write(
    findings: Findings,
    format_: str,
    targets: Sequence[Target],
    *,
    everything: bool,
    changes: Callable[[], Mending] | None = None,
) -> None:
    """Print the report of results, and write those that are asked for.

    Args:
        findings: the results.
        format_: of the report on stdout.
        targets: the files.
        everything: whether a long text lists what holds, too.
        changes: makes what tells how to change a file so that a result goes away, for formats that can suggest it.

    Raises:
        UsageError: a file cannot be written.
        DiskFault: there is no room for one.
    """
    report = partial(_report, findings, everything=everything, changes=changes)
    write_reports(report, format_, without_attestations(targets, findings.run))


def without_attestations(targets: Sequence[Target], run: Run) -> list[Target]:
    """The files that can be written: where no file was judged, there is nothing to attest, and stderr says so."""
    if run.subjects:
        return list(targets)
    none = [
        f"{item.file}: nothing was judged: no attestation is written"
        for item in targets
        if item.format == INTOTO
    ]
    print_problems(none)
    return [item for item in targets if item.format != INTOTO]


def write_reports(report: Reporter, format_: str, targets: Sequence[Target]) -> None:
    """Print a report, and write those that are asked for; one that cannot be written keeps no other from it.

    Raises:
        UsageError: a file cannot be written.
        DiskFault: there is no room for one.
    """
    failed: list[ProvError] = []
    for item in targets:
        try:
            with _open(item.file) as stream:
                report(item.format, stream, screen=Screen(120))
        except (UsageError, DiskFault) as error:
            failed.append(error)
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if format_ != "text" and reconfigure is not None:
        reconfigure(encoding="utf-8")  # which machines expect, whatever the terminal's is
    with printing():
        report(format_, sys.stdout, screen=screen_of(sys.stdout))
    if failed:
        *others, worst = sorted(failed, key=lambda error: isinstance(error, DiskFault))
        print_problems([str(error) for error in others])
        raise worst


def distinct(targets: Sequence[Target], kept: Iterable[Path]) -> None:
    """Make sure that no report is written over another one, or over what the run itself reads and writes.

    Raises:
        UsageError: one would be, or a link that stands in the current folder would lead it out of there.
    """
    taken = {os.path.realpath(file) for file in kept}
    for item in targets:
        if leads_out(item.file, Path.cwd()):
            message = f"--output {item.file}: a link leads out of this folder; name the file that it leads to"
            raise UsageError(message)
        real = os.path.realpath(item.file)
        if real in taken and not _is_special(item.file):
            message = f"--output {item.file}: the file is another report's, or prov's own"
            raise UsageError(message)
        taken.add(real)


@contextmanager
def _open(file: Path) -> Iterator[TextIO]:
    """Write a report: whole where there is a file, straight into what is a pipe or a device."""
    try:
        is_special = _is_special(file)
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise unwritable(file, error) from error
    if not is_special:
        with replacing(Path(os.path.realpath(file))) as data:  # a link stays one
            stream = TextIOWrapper(data, encoding="utf-8", newline="")
            try:
                yield stream
            finally:
                stream.detach()  # what it holds is written, and the file is not its own to close
        return
    try:
        number = _descriptor(file)
        opened = os.open(file, os.O_WRONLY) if number is None else os.dup(number)
        with os.fdopen(opened, "w", encoding="utf-8", newline="") as special:
            yield special
    except BrokenPipeError:
        return  # who reads there has seen enough, as with stdout
    except OSError as error:
        raise unwritable(file, error) from error


def _is_special(file: Path) -> bool:
    return _descriptor(file) is not None or (file.exists() and not file.is_file())


def _descriptor(file: Path) -> int | None:
    """The descriptor that `/dev/stdout` or `/dev/fd/3` names. Behind it may be a file, which is not to be replaced."""
    here = Path(os.path.realpath("/dev/fd"))
    for _ in range(_LINKS):
        file = Path(os.path.realpath(file.parent), file.name)
        if file.parent == here:
            return int(file.name) if file.name.isascii() and file.name.isdigit() else None
        if not file.is_symlink():
            break
        file = file.parent / file.readlink()
    return None


@contextmanager
def printing() -> Iterator[None]:
    """Print to stdout. A reader that has seen enough is no fault, and the exit code still says what was found."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def tell_written(lines: Iterable[str], *, is_text: bool) -> None:
    """What was written beside reports: on stdout below a text, else on stderr, for a machine reads stdout."""
    from provenance.report.inert import no_commands, visible

    with printing():
        for line in lines:
            click.echo(no_commands(visible(line)), err=not is_text)


def _report(
    findings: Findings,
    format_: str,
    stream: TextIO,
    *,
    screen: Screen,
    everything: bool,
    changes: Callable[[], Mending] | None,
) -> None:
    match format_:
        case "json":
            from provenance.report.json import write_json

            write_json(stream, findings.summary, findings.every(), findings.unread)
        case "jsonl":
            from provenance.report.json import write_jsonl

            write_jsonl(stream, findings.every(), findings.unread)
        case "text":
            from provenance.report.text import render

            listed = [
                *(findings.every() if everything or findings.summary.total <= _LISTED else findings.notable())
            ]
            hidden = findings.summary.total - len(listed)
            stream.write(
                render(findings.summary, listed, hidden=hidden, screen=screen, unread=findings.unread)
            )
        case _:
            from provenance.report.notices import no_mending, notices_of

            mending = no_mending if changes is None else changes()
            write_notices(format_, stream, notices_of(findings, mending))


def write_notices(format_: str, stream: TextIO, notices: Notices) -> None:
    """Write one of the formats for CI, or an attestation."""
    writer(format_)(stream, notices)


def print_problems(problems: Sequence[str]) -> None:
    """What is wrong with the input, on stderr."""
    from provenance.cli.saying import told

    for problem in dict.fromkeys(problems):
        click.echo(f"prov: {told(problem)}", err=True)

"""`prov verify --write-expect`: its options, and what is told of what was written."""

from __future__ import annotations

import os
import re
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from provenance.cli.options import with_options
from provenance.cli.output import tell_written
from provenance.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.cli.options import Command
    from provenance.expecting import Wish, Written
    from provenance.project import ManifestFile

_DAYS = 90
"""For how long a known verdict is expected where the command line does not say."""
_UNSPEAKABLE = re.compile("[\ud800-\udfff]")
"""What an argument that is not UTF-8 is made of."""

_OPTIONS = (
    click.option(
        "--write-expect", "writes", is_flag=True, help="Write what is wrong into manifests, as expected."
    ),
    click.option(
        "--until", metavar="DATE", help=f"With --write-expect: the last day; {_DAYS} days on where left out."
    ),
    click.option("--because", metavar="TEXT", help="With --write-expect: why it is accepted."),
)


def expecting(command: Command) -> Command:
    """Add the options of a command that may write `expect`: it takes `writes`, `until` and `because`."""
    return with_options(_OPTIONS, command)


def wish(today: date, *, writes: bool, until: str | None, because: str | None, locked: bool) -> Wish | None:
    """What is to be written; None where nothing is.

    Raises:
        UsageError: options do not go together, or one cannot be read.
    """
    if not writes:
        for option, value in (("--until", until), ("--because", because)):
            if value is not None:
                message = f"{option} says what --write-expect writes: give both"
                raise UsageError(message)
        return None
    if locked:
        message = "--locked judges nothing anew, and --write-expect writes what was judged: not both"
        raise UsageError(message)
    from provenance.expecting import Wish
    from provenance.manifest.fields import LINE

    if because is not None:
        because = because.strip()
        if LINE.pattern.fullmatch(because) is None or _UNSPEAKABLE.search(because):
            message = f"--because {because!r}: expected a line of text"
            raise UsageError(message)
    return Wish(today + timedelta(_DAYS) if until is None else _day(until, today), because)


def check_inside(files: Iterable[ManifestFile], root: Path) -> None:
    """Make sure that every manifest that may be written stands in the project.

    Raises:
        UsageError: one does not, be it that a link leads out of it.
    """
    inside = os.path.realpath(root)
    for file in files:
        if not Path(os.path.realpath(file.file)).is_relative_to(inside):
            message = f"{file.name}: stands outside the project, and --write-expect would write it"
            raise UsageError(message)


def tell(written: Written, *, is_text: bool) -> None:
    """What became of manifests."""
    lines = written.lines or ([] if written.problems else ["unchanged: no verdict needs a new expect entry"])
    tell_written([*lines, *(f"note: {note}" for note in written.notes)], is_text=is_text)


def _day(text: str, today: date) -> date:
    from provenance.manifest.fields import DATE

    try:
        day = date.fromisoformat(text) if DATE.pattern.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None:
        message = f"--until {text}: expected a date such as {(today + timedelta(_DAYS)).isoformat()}"
        raise UsageError(message)
    if day < today:
        message = f"--until {text}: the day is over, and nothing would be expected"
        raise UsageError(message)
    return day

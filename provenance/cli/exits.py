"""Exit codes, and which one a run ends with."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.evidence import Summary


class Exit(IntEnum):
    """What the process's exit status means."""

    OK = 0
    FAILURE = 1
    """A verdict of level failure."""
    USAGE = 2
    """Wrong usage, manifest or lock, or a URL that is not allowed."""
    UNAVAILABLE = 3
    FAULT = 4
    """A fault of prov itself, or of the machine under it."""
    INTERRUPTED = 130


def exit_code(summary: Summary, *, problems: bool, strict: bool) -> Exit:
    """The exit code of a run: wrong input before failures, failures before what could not be reached."""
    if problems:
        return Exit.USAGE
    if summary.failure or (strict and summary.warning):
        return Exit.FAILURE
    if summary.unavailable:
        return Exit.UNAVAILABLE
    return Exit.OK

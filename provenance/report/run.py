"""What a report is of: the results of a run, and the run that they came out of."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from provenance.evidence import Assurance, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from provenance.evidence import Finding, Summary, Unread

_NOWHERE: Mapping[str, str] = MappingProxyType({})


class Subject(NamedTuple):
    """A file of the project whose bytes the results depend on."""

    path: str
    """As reports give it: relative to the project's root, with forward slashes."""
    sha256: str
    """Of its bytes, 64 hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command that was run, and under which conditions."""

    command: str = "verify"
    """`verify`, `scan` or `drift`."""
    when: datetime = field(default_factory=lambda: datetime.now(UTC))
    """When its results were there."""
    least: Assurance = Assurance.ARTIFACT
    """The least assurance that counted as judged."""
    strict: bool = False
    """Whether warnings counted as failures in the exit code."""
    files: Mapping[str, str] = field(default_factory=lambda: _NOWHERE)
    """Paths of the files that a message about the input can begin with, by how it names them."""
    subjects: tuple[Subject, ...] = ()
    """Those that were judged."""
    configuration: tuple[Subject, ...] = ()
    """What else was read and can change a verdict or a level: pyproject.toml and locks."""
    problems: tuple[str, ...] = ()
    """What is wrong with the input."""
    folder: str = ""
    """The project's folder in its repository, with forward slashes; empty where it is the repository's root."""
    elsewhere: Mapping[str, str] = field(default_factory=lambda: _NOWHERE)
    """Where files outside of the project stand, by their paths: relative to the repository's root, or absolute."""

    def in_repository(self, path: str) -> str:
        """A file's path as CI systems want it: relative to the repository's root; absolute where it is not in it."""
        known = self.elsewhere.get(path)
        if known is not None or posixpath.isabs(path):
            return known or path
        return posixpath.normpath(posixpath.join(self.folder, path)) if self.folder else path


@dataclass(frozen=True, slots=True)
class Findings:
    """Results that can be gone through as often as there are reports."""

    summary: Summary
    every: Callable[[], Iterator[Finding]]
    """All of it, in the order of the manifests."""
    notable: Callable[[], Iterator[Finding]]
    """What is not simply ok: an expectation that is no longer needed is told, too."""
    unread: Sequence[Unread] = ()
    """What looks like a citation and is not understood."""
    run: Run = field(default_factory=Run)


COUNTED: Mapping[Level, Callable[[Summary], int]] = MappingProxyType(
    {
        Level.FAILURE: lambda summary: summary.failure,
        Level.UNAVAILABLE: lambda summary: summary.unavailable,
        Level.WARNING: lambda summary: summary.warning,
        Level.OK: lambda summary: summary.ok,
    }
)
"""How many results of a summary have a level; the worst level first."""

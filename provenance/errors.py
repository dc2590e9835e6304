"""One tree of errors. An error names the thing it is about and how to mend it.

Outcomes of a check (a misquote, a missing path, a host that does not answer) are values, not errors:
see `provenance.evidence`.
"""

from __future__ import annotations

from dataclasses import dataclass


class ProvError(Exception):
    """The base of every error that prov raises on purpose."""


class UsageError(ProvError):
    """What the user, a manifest, a lock or a configuration asks for cannot be done (exit code 2)."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text file that somebody wrote."""

    file: str
    """Path relative to the project's root, with forward slashes."""
    line: int
    """1-based line."""
    column: int | None = None
    """1-based column in characters, where it is known."""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}"
        return where if self.column is None else f"{where}:{self.column}"


class ManifestError(UsageError):
    """A manifest does not say what a manifest may say."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__(f"{position}: {message}")
        self.position = position
        self.message = message


class PageError(UsageError):
    """An evidence page cannot be read as one."""

    def __init__(self, position: Position, message: str) -> None:
        super().__init__(f"{position}: {message}")
        self.position = position
        self.message = message


class LockError(UsageError):
    """prov.lock cannot be read, or contradicts what was found."""


class ConfigurationError(UsageError):
    """`[tool.prov]` in pyproject.toml says something that it may not say."""


class RefusedURL(UsageError):
    """A URL, host or address that is not allowed; the message names the option that would allow it."""


class StoreError(ProvError):
    """The evidence database cannot be opened, read, written or upgraded."""


class DiskFault(ProvError):
    """The machine cannot keep a file: a full disk, a quota, a broken device."""


class InvalidRecord(ProvError, ValueError):
    """A value does not satisfy what its record promises (a reversed range, a malformed object id)."""

"""What origins are asked for, and what they answer. Frozen records without I/O."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from provenance.evidence import Content, GitObject, OriginKind, Verdict


@dataclass(frozen=True, slots=True)
class Artifact:
    """A release file that bytes were read from."""

    name: str
    """The file's name on the index."""
    sha256: str
    """Its digest, 64 lower-case hexadecimal digits, which the download was checked against."""


@dataclass(frozen=True, slots=True)
class Want:
    """One file at one commit that is to be had."""

    commit: str
    """Full commit id."""
    path: str
    """Path in the repository, as cited."""


@dataclass(frozen=True, slots=True)
class Acquired:
    """An origin's answer: here are the bytes."""

    path: str
    """Where they stand, after symbolic links within the tree."""
    content: Content
    origin: OriginKind
    proof: tuple[GitObject, ...] = ()
    """The commit and the trees, from the commit down, that lead to the blob (git only)."""
    artifact: Artifact | None = None
    """The file they were read from (releases only)."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """A revision as written, and the commit that it names."""

    commit: str
    """Full commit id."""
    notes: tuple[str, ...] = ()
    moves: bool = False
    """Whether it is a branch, so that it may name another commit tomorrow."""


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """The text files of one release artifact."""

    artifact: Artifact
    files: Mapping[str, bytes] = field(repr=False)
    """By path; the folder that holds all of a source distribution is left out."""
    paths: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Where cited files stand among them, by path in the repository; those that are not there are left out."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lacking:
    """An origin's answer: it was reached, and has no such revision, path or text."""

    verdict: Verdict
    """`no-revision`, `no-path` or `not-text`."""
    message: str


@dataclass(frozen=True, slots=True)
class Unreached:
    """No answer: this says nothing about the evidence."""

    message: str
    refused: bool = False
    """True where prov itself would not ask (a URL or address that is not allowed): exit code 2."""
    contradicts: bool = False
    """True where bytes were had that are not the locked ones: exit code 2, and the lock does not stand in."""


Answer = Acquired | Lacking | Unreached
Resolution = Resolved | Lacking | Unreached

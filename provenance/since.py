"""Which files changed since a revision of the project's own repository, so that the others need not be judged.

Where it is not sure that a file is as it was, it counts as changed: too much is judged rather than too little.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from provenance.errors import LockError, UsageError
from provenance.evidence import object_id
from provenance.files import absolute, read_within
from provenance.origin.checkout import Checkout
from provenance.origin.git_command import GitFault
from provenance.project import CONFIGURATION, DocumentFile, ManifestFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from provenance.history import TreeEntry
    from provenance.project import LockFiles

_SHORT = 12
"""Digits of a commit id that are enough for a person."""
_EVERYTHING = "leave --since out to judge everything"

_File = TypeVar("_File", ManifestFile, DocumentFile)


@dataclass(frozen=True, slots=True)
class Base:
    """What files are compared with."""

    checkout: Checkout
    written: str
    """The revision, as on the command line."""
    commit: str
    """Full commit id: where the checked out commit and the revision part, or the revision itself."""


def base_of(root: Path, revision: str) -> Base:
    """What `--since REV` compares with.

    That is the newest commit that the revision and `HEAD` both descend from: what a pull request changed, and not what
    others changed since it began. Where there is none, or where history is cut off before it, it is the revision.

    Args:
        root: the project's root, an absolute folder; its repository may begin above it.
        revision: as on the command line.

    Raises:
        UsageError: it names no commit, or there is no repository that git can read.
    """
    if revision.startswith("-"):
        message = f"--since {revision}: a revision does not begin with a dash"
        raise UsageError(message)
    checkout = Checkout.around(root)
    if checkout is None:
        message = (
            f"--since {revision}: {root} is in no git repository, so there is no earlier state; {_EVERYTHING}"
        )
        raise UsageError(message)
    try:
        commit = checkout.commit(revision)
        if commit is None:
            raise UsageError(_unknown(checkout, revision))
        head = checkout.commit("HEAD")
        common = None if head is None else checkout.base(commit, head)
    except GitFault as error:
        raise _unusable(revision, checkout, error) from error
    return Base(checkout, revision, common or commit)


def _unknown(checkout: Checkout, revision: str) -> str:
    """Why a revision names no commit, and what helps."""
    said = f"--since {revision}: {checkout.top} has no such revision"
    remote = f"origin/{revision}"
    if checkout.commit(f"refs/remotes/{remote}") is not None:
        return f"{said}; did you mean {remote}?"
    if checkout.is_shallow:
        return f"{said}: its history is cut off; fetch it whole, as actions/checkout does with fetch-depth: 0"
    return f"{said}; fetch it first, or {_EVERYTHING}"


def _unusable(revision: str, checkout: Checkout, error: GitFault) -> UsageError:
    return UsageError(
        f"--since {revision}: the repository of {checkout.top} cannot be read: {error}; {_EVERYTHING}"
    )


@dataclass(frozen=True, slots=True)
class Changed(Generic[_File]):
    """The files of a run that are to be judged, and how many were looked at."""

    files: list[_File]
    looked_at: int
    base: Base
    configured: bool
    """Whether the project's configuration changed, so that all count as changed."""

    def told(self, thing: str) -> str:
        """What a person is to know of it, where a thing is a `manifest` or a `document`."""
        things = f"{self.looked_at:,} {thing}{'' if self.looked_at == 1 else 's'}"
        since = f"since {self.base.written} (compared with commit {self.base.commit[:_SHORT]})"
        if self.configured:
            return f"{CONFIGURATION} changed {since}: all of {things} judged"
        left = self.looked_at - len(self.files)
        aside = f"; {left:,} left aside" if left else ""
        return f"{len(self.files):,} of {things} changed {since}{aside}"


def changed_manifests(
    base: Base, root: Path, files: Sequence[ManifestFile], locks: LockFiles
) -> Changed[ManifestFile]:
    """The manifests that are not as they were, or whose lock is not.

    Args:
        base: what to compare with.
        root: the project's root.
        files: the manifests of the run.
        locks: what speaks of them.

    Raises:
        UsageError: the repository cannot be read.
    """
    spoken = {file.name: _lock_of(file, locks) for file in files}
    known: dict[Path, bool] = {}

    def is_locked_as_was(compared: _Compared, file: ManifestFile) -> bool:
        lock = spoken[file.name]
        if lock is not None and lock not in known:  # it speaks of many manifests, and is large then
            known[lock] = compared.is_as_was(lock)
        return lock is not None and known[lock]

    return _changed(base, root, files, filter(None, spoken.values()), is_locked_as_was)


def changed_documents(base: Base, root: Path, files: Sequence[DocumentFile]) -> Changed[DocumentFile]:
    """The documents that are not as they were.

    Raises:
        UsageError: the repository cannot be read.
    """
    return _changed(base, root, files, (), lambda _compared, _file: True)


def _lock_of(file: ManifestFile, locks: LockFiles) -> Path | None:
    """The lock that speaks of a manifest, be it there or not; None where it cannot be read: the run is to say so."""
    try:
        return locks.of(file).file
    except LockError:
        return None


def _changed(
    base: Base,
    root: Path,
    files: Sequence[_File],
    beside: Iterable[Path],
    stands: Callable[[_Compared, _File], bool],
) -> Changed[_File]:
    """The files that are not as they were, or beside which not all stands as it did."""
    configurations: list[Path] = _configurations(base.checkout.top, root)
    try:
        compared = _Compared(base, [*(file.file for file in files), *beside, *configurations])
    except GitFault as error:
        raise _unusable(base.written, base.checkout, error) from error
    if not all(map(compared.is_as_was, configurations)):
        return Changed(list(files), len(files), base, configured=True)
    left = [
        file for file in files if not (compared.is_as_was(file.file, file.read) and stands(compared, file))
    ]
    return Changed(left, len(files), base, configured=False)


def _configurations(top: Path, root: Path) -> list[Path]:
    """Where a project's configuration may stand, or have stood: in its root, and in the folders above it."""
    folders = (folder for folder in (root, *root.parents) if folder.is_relative_to(top))
    return [folder / CONFIGURATION for folder in folders]


class _Compared:
    """Files, and what stood at their paths."""

    def __init__(self, base: Base, files: Iterable[Path]) -> None:
        self._top = base.checkout.top
        self._linked: dict[Path, bool] = {self._top: False}
        paths = {path for file in files if (path := self._path(file)) is not None}
        self._was: dict[str, TreeEntry] = base.checkout.entries(base.commit, paths)

    def is_as_was(self, file: Path, read: Callable[[], bytes] | None = None) -> bool:
        """Whether a file holds the bytes that it held, or was not there and is not.

        Nothing of git's looks at the work tree: with other line ends there than in the repository, a file has changed.
        """
        path = self._path(file)
        is_there = os.path.lexists(file)
        if path is None:
            return not is_there
        if self._is_linked(absolute(file)):
            return False
        was = self._was.get(path)
        if was is None or not is_there:
            return was is None and not is_there
        try:
            data = read_within(file, file.parent) if read is None else read()
        except UsageError:
            return False
        return was.is_file and was.id == object_id("blob", data)

    def _path(self, file: Path) -> str | None:
        """A file's path in git, by its name alone; None outside the checkout."""
        plain = absolute(file)
        return plain.relative_to(self._top).as_posix() if plain.is_relative_to(self._top) else None

    def _is_linked(self, plain: Path) -> bool:
        """Whether a symbolic link stands on the way from the checkout's top to a file, or in its place."""
        if plain not in self._linked:
            self._linked[plain] = plain.is_symlink() or self._is_linked(plain.parent)
        return self._linked[plain]

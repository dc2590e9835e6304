"""The cache of bare repositories: one folder a repository, made whole or not at all, one writer at a time.

The folders hold objects and references, and no remote's configuration: no secret is kept there. The one URL is
that of a repository which has moved, as it is printed. The layout is that of gitrepository-layout(5).
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from provenance.origin.git_command import GitFault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tlogAllRefUpdates = false\n"
_HEAD = "ref: refs/heads/none\n"
_LEFTOVERS = (
    "*.lock",
    "refs/**/*.lock",
    "shallow",
    "shallow_*",
    "objects/info/*.lock",
    "objects/pack/tmp_*",
    "objects/??/tmp_*",
    "tmp_*",
)
"""What a fetch that was killed leaves behind; and the list of cut-off commits, which nothing here reads and
which would cut off the history of a later fetch."""

_STALE = 3600.0
"""Seconds after which a folder that is only there for a moment is taken for a dead run's."""


class GitCache:
    """The repositories of one user."""

    def __init__(self, folder: Path, *, patience: float) -> None:
        """Use a folder, which is made when it is needed.

        Args:
            folder: where the repositories stand.
            patience: seconds to wait for another process that works in the same repository.
        """
        self._folder = folder
        self._patience = patience

    @property
    def home(self) -> Path:
        """An empty folder, in place of a user's home."""
        return self._folder / "no-home"

    def directory(self, key: str, purpose: str) -> Path:
        """Where a repository stands, or would stand.

        Args:
            key: what tells it from others, such as its URL, without secrets.
            purpose: a word for what it holds, such as `objects`.
        """
        slug = re.sub(r"[^a-z0-9]+", "-", key.lower()).strip("-")[-60:].strip("-") or "repository"
        digest = hashlib.sha256(f"{purpose}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return self._folder / f"{slug}-{digest}-{purpose}.git"

    def ensure(self, directory: Path) -> None:
        """Make an empty repository where there is none.

        Raises:
            GitFault: the folder cannot be written.
        """
        if (directory / "HEAD").is_file():
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self.home.mkdir(exist_ok=True)
            self._sweep()
            fresh = _fresh(self._folder)
            try:
                fresh.rename(directory)
            except OSError:  # another run was faster, or something else stands there
                if not (directory / "HEAD").is_file():
                    self._bury(directory)
                    fresh.rename(directory)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
        except OSError as error:
            raise _unwritable(self._folder, error) from error

    def discard(self, directory: Path) -> None:
        """Throw a repository away, and make an empty one in its place.

        Raises:
            GitFault: the folder cannot be written, or another process works there.
        """
        with self.writing(directory):
            try:
                self._bury(directory)
            except OSError as error:
                raise _unwritable(self._folder, error) from error
            self.ensure(directory)

    def _sweep(self) -> None:
        """Remove what runs that were killed left half made or half removed."""
        for pattern in (".new-*", ".old-*"):
            for leftover in self._folder.glob(pattern):
                with suppress(OSError):
                    if time.time() - leftover.stat().st_mtime > _STALE:
                        shutil.rmtree(leftover, ignore_errors=True)

    def _bury(self, directory: Path) -> None:
        """Take a repository out of the way at once, then remove it, which may take a while."""
        grave = tempfile.mkdtemp(prefix=".old-", dir=self._folder)
        directory.rename(f"{grave}/repository")
        shutil.rmtree(grave, ignore_errors=True)

    @contextmanager
    def writing(self, directory: Path) -> Iterator[None]:
        """Be the one writer of a repository, in which nothing stale stands in the way.

        Raises:
            GitFault: another process works there for too long, or the folder cannot be written.
        """
        from filelock import FileLock, Timeout

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(f"{directory}.lock", timeout=self._patience)
            lock.acquire()
        except Timeout as error:
            message = f"another run has been working in {directory.name} for {self._patience:g} seconds"
            raise GitFault(message) from error
        except OSError as error:
            raise _unwritable(self._folder, error) from error
        try:
            tidy(directory)
            yield
        finally:
            with suppress(OSError):
                tidy(directory)
            lock.release()


def tidy(directory: Path) -> None:
    """Remove what a killed fetch left behind. Only for the one writer."""
    for pattern in _LEFTOVERS:
        for leftover in directory.glob(pattern):
            with suppress(OSError):
                leftover.unlink()


def _fresh(folder: Path) -> Path:
    """A new empty repository under a name of its own."""
    made = folder / os.path.basename(tempfile.mkdtemp(prefix=".new-", dir=folder))  # noqa: PTH119 - a name, not a path
    for part in ("objects/info", "objects/pack", "refs"):
        (made / part).mkdir(parents=True)
    (made / "config").write_text(_CONFIG, encoding="ascii")
    (made / "HEAD").write_text(_HEAD, encoding="ascii")
    return made


def _unwritable(folder: Path, error: OSError) -> GitFault:
    return GitFault(f"the cache of repositories at {folder} cannot be used: {error.strerror or error}")

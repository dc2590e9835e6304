"""The folder of a site: filled beside the old site, then put in its place; what is not prov's is left alone."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.errors import UsageError
from provenance.files import absolute, leads_out, read_within, replace, unwritable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MARKER = ".prov-report"
"""The file that tells a folder for a site of prov's, and lists what was written there."""
_LOCK = f"{MARKER}.lock"
_NEW = f"{MARKER}-new"
"""The folder that the next site is written to."""
_OLD = f"{MARKER}-old"
"""The folder that the last one is put into, for as long as it takes to put the next one in its place."""

_INDEX = "index.html"
_PARTS = ("pages", "results", "files", "assets")
"""The folders of a site. With the index, they are all that is ever replaced."""

_OTHERS = frozenset({".git", MARKER, _LOCK, _NEW, _OLD})
"""What may stand in a folder that no site was written to yet."""
_DUST = ".DS_Store"
"""What a file manager leaves in any folder."""

_PATIENCE = 600
"""Seconds to wait for another run that writes to the same folder."""


Listener = Callable[[int, int], None]
"""Told how many files were written, and how many bytes they have."""


def _silent(_files: int, _size: int) -> None:
    """Nobody is told."""


class Writer:
    """Writes the files of a site that nobody sees yet."""

    def __init__(self, folder: Path, written: Listener = _silent) -> None:
        self._folder = folder
        self._written = written
        self._made: set[Path] = set()
        self._size = 0
        self.names: list[str] = []
        """What was written, with forward slashes."""

    def write(self, name: str, text: Iterable[str]) -> None:
        """Write a file of the site.

        Args:
            name: relative to the site's root.
            text: its text, in as many pieces as there are. What UTF-8 does not have is spelled out.

        Raises:
            UsageError: it cannot be written.
            DiskFault: there is no room for it.
        """
        file = self._folder / name
        try:
            if file.parent not in self._made:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._made.add(file.parent)
            with file.open("x", encoding="utf-8", errors="backslashreplace", newline="") as stream:
                stream.writelines(text)
                self._size += stream.tell()
        except OSError as error:
            raise unwritable(file, error) from error
        self.names.append(name)
        self._written(len(self.names), self._size)


def refuse_others(folder: Path) -> None:
    """Make sure that a site may be written to a folder: it is not there, or empty, or an earlier site of prov's.

    Raises:
        UsageError: it is somebody's; or a link that stands in the current folder leads out of it.
    """
    try:
        _refuse_others(folder)
    except OSError as error:  # of a name that is too long, or behind a folder that is closed
        message = f"{folder}: cannot be read: {error.strerror or error}"
        raise UsageError(message) from error


def _refuse_others(folder: Path) -> None:
    if leads_out(folder, Path.cwd()):
        message = f"{folder}: a link leads out of this folder; name the folder that it leads to with -o"
        raise UsageError(message)
    if not folder.is_dir():
        if folder.exists() or folder.is_symlink():
            message = f"{folder}: not a folder, and a site is one"
            raise UsageError(message)
        return
    names = {entry.name for entry in os.scandir(folder)}
    linked = next((name for name in _OTHERS - {".git"} if (folder / name).is_symlink()), None)
    if linked is not None:
        message = f"{folder / linked}: a link, where prov keeps a file of its own; take it away"
        raise UsageError(message)
    # Looked for last: another run may be about to make this a site.
    if any(not name.startswith(f".{MARKER}.") for name in names - _OTHERS) and not (folder / MARKER).exists():
        message = (
            f"{folder}: the folder is not empty, and no earlier report of prov's; name another one with -o"
        )
        raise UsageError(message)


def _refuse_foreign(folder: Path, known: frozenset[str]) -> None:
    """Make sure that all that will be replaced was written by prov.

    Args:
        folder: of the site, to which nobody else writes now.
        known: what an earlier run wrote there.

    Raises:
        UsageError: something was not.
    """
    foreign = next((name for name in _present(folder) if name not in known), None)
    if foreign is not None:
        message = (
            f"{folder / foreign}: prov did not write it, and would replace its folder; move it elsewhere"
        )
        raise UsageError(message)


def _known(folder: Path) -> frozenset[str]:
    """What an earlier run wrote, as it was listed.

    Raises:
        UsageError: the list cannot be read.
    """
    marker = folder / MARKER
    try:
        found = json.loads(read_within(marker, folder))
    except ValueError as error:
        message = f"{marker}: not as prov writes it; remove the folder, or name another one with -o"
        raise UsageError(message) from error
    listed = found.get("files") if isinstance(found, dict) else None
    return frozenset(str(name) for name in listed) if isinstance(listed, list) else frozenset()


def _present(folder: Path) -> Iterator[str]:
    """What stands where a site is, with forward slashes; a link is one thing, wherever it leads."""
    waiting = [name for name in (_INDEX, *_PARTS) if os.path.lexists(folder / name)]
    while waiting:
        name = waiting.pop()
        if not (folder / name).is_dir() or (folder / name).is_symlink():
            yield name
        else:
            waiting += [f"{name}/{entry.name}" for entry in os.scandir(folder / name) if entry.name != _DUST]


@contextmanager
def site_folder(folder: Path, written: Listener = _silent) -> Iterator[Writer]:
    """Fill a folder with a site: when the block ends, it has the new site whole; if it raises, it has the old one.

    One run at a time writes to a folder; another one waits for it. A run that is killed leaves the old site, or, in the
    instant in which the new one takes its place, a site without its first page, and the next run tidies up.

    Args:
        folder: where the site is to be.
        written: told after each file how many were written, and how many bytes.

    Raises:
        UsageError: a site may not be written there, another run writes there for too long, or it cannot be written.
        DiskFault: there is no room for it.
    """
    from filelock import FileLock, Timeout

    folder = absolute(folder)
    refuse_others(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _LOCK, timeout=_PATIENCE)
        lock.acquire()
    except Timeout as error:
        message = f"{folder}: another run has been writing there for {_PATIENCE} seconds"
        raise UsageError(message) from error
    except OSError as error:
        raise unwritable(folder, error) from error
    try:
        refuse_others(folder)  # again: another run may have been here
        yield from _filled(folder, written)
    except OSError as error:
        raise unwritable(folder, error) from error
    finally:
        lock.release()


def _filled(folder: Path, written: Listener) -> Iterator[Writer]:
    """The part of it that only one run does at a time."""
    new, old = folder / _NEW, folder / _OLD
    before = _known(folder) if (folder / MARKER).exists() else frozenset()
    _refuse_foreign(folder, before)
    try:
        _remove(new)
        _remove(old)
        _mark(folder, before)  # from now on the folder is a site of prov's, whatever comes
        new.mkdir()
        writer = Writer(new, written)
        yield writer
        _mark(folder, before | frozenset(writer.names))  # until the list is right, it names too much
        old.mkdir()
        _put_in_place(folder, new, old)
        _mark(folder, frozenset(writer.names))
    finally:
        _remove(new)
        _remove(old)


def _put_in_place(folder: Path, new: Path, old: Path) -> None:
    """Put a site in the place of another one, whose first page goes first; that of the new one comes last."""
    try:
        _move(folder, old, (_INDEX, *_PARTS))
        _move(new, folder, (*_PARTS, _INDEX))
    except BaseException:
        _move(folder, new, [name for name in (_INDEX, *_PARTS) if os.path.lexists(old / name)])
        _move(old, folder, (*_PARTS, _INDEX))
        raise


def _move(here: Path, there: Path, names: Iterable[str]) -> None:
    """Move what is there of a site's parts."""
    for name in names:
        if os.path.lexists(here / name):
            (here / name).rename(there / name)


def _mark(folder: Path, names: frozenset[str]) -> None:
    listed = {"what": "a site that prov report wrote", "files": sorted(names)}
    replace(folder / MARKER, json.dumps(listed, indent=0) + "\n")


def _remove(path: Path) -> None:
    """Take away what a run of prov's own left, whatever it is."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path, ignore_errors=True)

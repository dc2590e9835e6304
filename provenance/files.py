"""Files of the project: read within bounds, replaced whole."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from provenance.errors import DiskFault, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

MOST_BYTES = 256 * 1024 * 1024
"""The largest manifest or lock that is read, in bytes."""

_PREFIX = 40
"""Characters of a file's name that its temporary one has: a name can be as long as a folder takes it."""

_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})


def read_within(file: Path, root: Path, *, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file that must lie below `root`, also after symbolic links.

    A manifest, a lock or a configuration may come from a stranger, and a link is a way out of the project.

    Raises:
        UsageError: it leaves the folder, is no regular file, is too large or cannot be read.
    """
    try:
        descriptor = _open(file, os.path.join(_real_folder(root.absolute()), ""))  # noqa: PTH118
        with open(descriptor, "rb") as stream:  # noqa: PTH123 - it is open already
            found = os.fstat(stream.fileno())
            if not stat.S_ISREG(found.st_mode):
                message = f"{file}: not a regular file"
                raise UsageError(message)
            if found.st_size > most:
                message = f"{file}: {found.st_size} bytes; at most {most} are read"
                raise UsageError(message)
            return stream.read()
    except OSError as error:
        message = f"{file}: cannot be read: {error.strerror or error}"
        raise UsageError(message) from error


def absolute(file: Path) -> Path:
    """An absolute path without `.` and `..`; links are left as they are."""
    return Path(os.path.abspath(file))  # noqa: PTH100 - pathlib has nothing that takes the dots out alone


def leads_out(file: Path, folder: Path) -> bool:
    """Whether a path stands in a folder, and is really elsewhere: a link in a project may be a stranger's.

    Args:
        file: need not be there.
        folder: an absolute path.
    """
    is_inside = Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))
    return absolute(file).is_relative_to(folder) and not is_inside


def _open(file: Path, inside: str) -> int:
    """Open a file for reading, if what its name leads to lies in a folder.

    Without waiting for a writer, as a pipe in a manifest's place would have it.
    """
    real = os.path.join(_real_folder(file.parent.absolute()), file.name)  # noqa: PTH118 - a run opens hundreds
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        real = os.path.realpath(file, strict=True)
        descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK)
    if not real.startswith(inside):
        os.close(descriptor)
        message = f"{file}: the link leads out of {inside}"
        raise UsageError(message)
    return descriptor


@lru_cache(maxsize=1024)
def _real_folder(folder: Path) -> str:
    """An absolute folder without links on the way to it, looked up once for all its files."""
    return os.path.realpath(folder)


def _mode(file: Path) -> int:
    """The permissions of a file that is there, or those that a new one gets."""
    with suppress(OSError):
        return stat.S_IMODE(file.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def replace(file: Path, text: str) -> None:
    """Write a text file whole or not at all, in UTF-8.

    Raises:
        UsageError: it cannot be written there; the old file stands as it was.
        DiskFault: there is no room for it; the old file stands as it was.
    """
    replace_bytes(file, text.encode())


def replace_bytes(file: Path, data: bytes) -> None:
    """Write a file whole or not at all: a temporary file beside it, then a rename.

    Raises:
        UsageError: it cannot be written there; the old file stands as it was.
        DiskFault: there is no room for it; the old file stands as it was.
    """
    with replacing(file) as stream:
        stream.write(data)


@contextmanager
def replacing(file: Path) -> Iterator[IO[bytes]]:
    """Write a file piece by piece; it takes its place when all of it is there, and not at all after an error.

    Raises:
        UsageError: it cannot be written there; the old file stands as it was.
        DiskFault: there is no room for it; the old file stands as it was.
    """
    import tempfile  # most commands only read

    temporary: Path | None = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "wb", dir=file.parent, prefix=f".{file.name[:_PREFIX]}.", delete=False
        ) as stream:
            temporary = Path(stream.name)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_mode(file))
        temporary.replace(file)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise unwritable(file, error) from error
    except BaseException:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise


def unwritable(file: Path, error: OSError) -> UsageError | DiskFault:
    """What to raise where a file or folder cannot be written."""
    message = f"{file}: cannot be written: {error.strerror or error}"
    return (DiskFault if error.errno in _NO_ROOM else UsageError)(message)

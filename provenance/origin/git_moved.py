"""Where a repository has moved to, kept beside what the cache has of it, so that a later run can say so too.

What is kept is the address as it is printed, without user information and query.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_FILE = "moved"
_LONGEST = 2000
"""Characters of an address that is kept."""
_ADDRESS = re.compile(rf"(?:https?|ssh)://[\x21-\x7e]{{1,{_LONGEST}}}")


def note(name: str, address: str) -> str:
    """What a reader is told.

    Args:
        name: the URL as written, fit to be printed.
        address: where the repository is now.
    """
    return f"{name} has moved to {address}"


def keep(directory: Path, address: str) -> None:
    """Remember where a repository of the cache has moved to, as far as that can be written.

    Args:
        directory: the repository in the cache.
        address: fit to be printed; empty where it stands where it was looked for.
    """
    if address == kept(directory):
        return
    with suppress(OSError):
        if not _ADDRESS.fullmatch(address):
            (directory / _FILE).unlink(missing_ok=True)
            return
        # A file of such a name that a killed run leaves behind is removed with git's own.
        descriptor, temporary = tempfile.mkstemp(prefix="tmp_", dir=directory)
        with open(descriptor, "w", encoding="ascii") as stream:  # noqa: PTH123 - it is open already
            stream.write(f"{address}\n")
        os.replace(temporary, directory / _FILE)  # noqa: PTH105 - mkstemp gives a name


def kept(directory: Path) -> str:
    """Where a repository of the cache has moved to, as an earlier run saw it; empty where none did."""
    try:
        with (directory / _FILE).open("rb") as stream:
            text = stream.read(_LONGEST + 100).decode("ascii").removesuffix("\n")
    except (OSError, UnicodeDecodeError):
        return ""
    return text if _ADDRESS.fullmatch(text) else ""

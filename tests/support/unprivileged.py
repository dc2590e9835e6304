"""Permissions that hold for a test that runs as root, too."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Within the block file permissions bind this process, whoever started it."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def anybodys_folder() -> Iterator[Path]:
    """A temporary folder that `as_nobody` can get to and write in: pytest's own are the user's alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder

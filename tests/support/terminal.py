"""A pseudo-terminal of a certain size, on which the installed command runs, or a shell."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from support.project import command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from support.project import Project

_LINES = 50
_PATIENCE = 30


def on_terminal(project: Project, *arguments: str, columns: int = 160, **environ: str) -> bytes:
    """What a command prints to a terminal that is both its stdout and its stderr; each line ends with LF."""
    environment = {**project.environment(), "TERM": "xterm-256color"}
    del environment["COLUMNS"]
    environment.update(environ)
    with started([command(), *project.completed(arguments)], project.root, environment, columns) as terminal:
        return terminal.rest().replace(b"\r\n", b"\n")


@dataclass(frozen=True, slots=True)
class Terminal:
    """Our end of it."""

    end: int

    def write(self, keys: str) -> None:
        """Press keys."""
        os.write(self.end, keys.encode())

    def until(self, text: bytes) -> bytes:
        """What is printed until some text is.

        Raises:
            AssertionError: it is not.
        """
        seen, end = b"", time.monotonic() + _PATIENCE
        while text not in seen and time.monotonic() < end:
            more = self._some()
            if more is None:
                break
            seen += more
        assert text in seen, seen
        return seen

    def rest(self) -> bytes:
        """What is printed until nobody holds the other end."""
        seen, end = b"", time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            more = self._some()
            if more is None:
                return seen
            seen += more
        message = f"it does not end: {seen!r}"
        raise AssertionError(message)

    def _some(self) -> bytes | None:
        """What there is, empty where nothing comes for a while; None at the end."""
        if not select.select([self.end], [], [], 0.1)[0]:
            return b""
        try:
            return os.read(self.end, 65536) or None
        except OSError:  # the last one to hold the other end has gone
            return None


@contextmanager
def started(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], columns: int
) -> Iterator[Terminal]:
    """Run something on a terminal; at the end it is hung up."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, columns, 0, 0))
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        env=dict(environment),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield Terminal(ours)
    finally:
        os.close(ours)
        try:
            process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

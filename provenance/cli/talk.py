"""What a person is told while a command works: on stderr, progress only on a terminal."""

from __future__ import annotations

import sys
import threading
import time

import click

from provenance.report.inert import no_commands, visible

_REDRAW = 0.1
"""Seconds between two drawings of the progress line."""

_WIDTH = 78


class Talk:
    """A listener that prints. Its methods are called from several threads."""

    def __init__(self, *, verbose: int, quiet: bool) -> None:
        self._verbose = verbose
        self._quiet = quiet
        self._lock = threading.Lock()
        self._drawn = 0.0
        self._transfers: dict[str, tuple[int, int]] = {}
        self._line = False
        self._said: set[str] = set()

    def say(self, text: str) -> None:
        """One line of talk, once."""
        with self._lock:
            if self._quiet or text in self._said:
                return
            self._said.add(text)
            self._erase()
            click.echo(f"prov: {no_commands(visible(text))}", err=True)

    def advance(self, what: str, *, received: int, objects: int = 0) -> None:
        """How far a transfer has come: bytes and objects."""
        with self._lock:
            self._transfers[what] = received, objects
            size = sum(received for received, _ in self._transfers.values())
            count = sum(objects for _, objects in self._transfers.values())
            self._draw(f"fetching {no_commands(visible(what))}: {count} objects, {_size(size)}")

    def judged(self, count: int) -> None:
        """How many citations have been judged."""
        with self._lock:
            self._draw(f"judging: {count:,} citations")

    def _draw(self, line: str) -> None:
        """Draw the progress line, where a person is looking, and not too often."""
        now = time.monotonic()
        if self._quiet or now - self._drawn < _REDRAW or not sys.stderr.isatty():
            return
        self._drawn = now
        self._erase()
        click.echo(line[:_WIDTH], err=True, nl=False)
        self._line = True

    def done(self) -> None:
        """Take the progress line away."""
        with self._lock:
            self._erase()

    def _erase(self) -> None:
        if self._line:
            click.echo("\r\x1b[K", err=True, nl=False)
            self._line = False


def _size(count: int) -> str:
    for unit, size in (("MB", 1_000_000), ("kB", 1_000)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"

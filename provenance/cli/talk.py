"""What a person is told while a command works: on stderr, progress only on a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import TYPE_CHECKING

import click

from provenance.cli.saying import told
from provenance.cli.screens import screen_of
from provenance.report.inert import in_line, no_commands
from provenance.report.screen import is_dumb

if TYPE_CHECKING:
    from provenance.cli.progress import Display

_GRACE = 0.3
"""Seconds for which a run is not told of: most end before, and rich takes long to be imported."""
_REDRAW = 0.1
"""Seconds between two drawings."""


class Talk:
    """A listener that prints. Its methods are called from several threads.

    What it has drawn is taken away when the command ends, however that comes about.
    """

    def __init__(self, *, verbose: int, quiet: bool) -> None:
        self._verbose = verbose
        self._quiet = quiet
        self._lock = threading.Lock()
        self._drawn = time.monotonic() + _GRACE - _REDRAW
        self._display: Display | None = None
        self._transfers: dict[str, tuple[int, int]] = {}
        self._judged: int | None = None
        self._said: set[str] = set()
        context = click.get_current_context(silent=True)
        if context is not None:
            context.call_on_close(self.done)

    def say(self, text: str) -> None:
        """One line of talk, once."""
        with self._lock:
            if self._quiet or text in self._said:
                return
            self._said.add(text)
            line = f"prov: {told(text)}"
            if self._display is None:
                click.echo(line, err=True)
            else:
                self._display.say(line)

    def advance(self, what: str, *, received: int, objects: int = 0) -> None:
        """How far a transfer has come: bytes and objects."""
        with self._lock:
            self._transfers.pop(what, None)
            self._transfers[what] = received, objects
            self._draw()

    def judged(self, count: int) -> None:
        """How many citations have been judged."""
        with self._lock:
            self._judged = count
            self._draw()

    def _draw(self) -> None:
        """Draw the progress, where a person is looking, and not too often."""
        now = time.monotonic()
        if self._quiet or now - self._drawn < _REDRAW or not sys.stderr.isatty():
            return
        self._drawn = now
        display = self._shown()
        if display is None:
            return
        for what, (received, objects) in self._transfers.items():
            display.advance(no_commands(in_line(what)), received=received, objects=objects)
        self._transfers.clear()
        if self._judged is not None:
            display.judged(self._judged)
        display.draw()

    def _shown(self) -> Display | None:
        """What draws; None on a terminal that cannot take a line back."""
        if self._display is None:
            if is_dumb(os.environ):
                return None
            from provenance.cli.progress import Display

            self._display = Display(sys.stderr, colour=screen_of(sys.stderr).colour)
        return self._display

    def done(self) -> None:
        """Take the progress away."""
        with self._lock:
            if self._display is not None:
                self._display.stop()
                self._display = None

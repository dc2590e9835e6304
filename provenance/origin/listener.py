"""Who is told how a fetch goes. Origins talk to this; the command line decides what a person sees."""

from __future__ import annotations

from typing import Protocol


class Listener(Protocol):
    """Told by origins of what they do. Called from several threads."""

    def say(self, text: str) -> None:
        """One line of talk: which way was taken, which host does not answer."""

    def advance(self, what: str, *, received: int, objects: int = 0) -> None:
        """Progress so far of one transfer: bytes received and objects (0 where that is not known)."""


class Silent:
    """A listener that says nothing."""

    def say(self, text: str) -> None:
        """Ignore it."""

    def advance(self, what: str, *, received: int, objects: int = 0) -> None:
        """Ignore it."""

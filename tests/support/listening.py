"""A listener that remembers what it was told."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Recorder:
    """What an origin said, in order."""

    said: list[str] = field(default_factory=list)
    advances: list[tuple[str, int, int]] = field(default_factory=list)
    """What was told of progress: of what, bytes, objects."""

    def say(self, text: str) -> None:
        self.said.append(text)

    def advance(self, what: str, *, received: int, objects: int = 0) -> None:
        self.advances.append((what, received, objects))

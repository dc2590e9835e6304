"""A document that cannot be read."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file yields no elements."""

    message: str
    """As a report says it: `binary content`."""

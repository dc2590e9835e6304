"""What a crawl tells while it goes on, and how much it has seen."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.documents.pages import Page


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a crawl goes."""

    depth: int = 3
    """Links from the start to a page."""
    pages: int = 1000


class Trouble(Enum):
    """What a notice means for the run."""

    NONE = "none"
    """A person should know."""
    DETAIL = "detail"
    """A person may want to know."""
    WRONG = "wrong"
    """The start URL is none to crawl, or an evidence page cannot be read as one."""
    UNAVAILABLE = "unavailable"
    """Something may be missing that is there."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that is to be told."""

    message: str
    """It names its URL, and the line where there is one."""
    trouble: Trouble


@dataclass(frozen=True, slots=True)
class Found:
    """An evidence page."""

    url: str
    page: Page
    canonical: str | None
    """The URL that it calls its own, where that is another one of the same site."""


@dataclass(slots=True)
class Tally:
    """How much a crawl has seen so far."""

    pages: int = 0
    """Pages that were asked for, robots.txt and sitemaps aside, whatever the answer was."""
    unmodified: int = 0
    """Pages of which the server said that they are what they were."""
    kept: int = 0
    """Answers for which nobody was asked: a crawl that was cut off goes on, or `--offline`."""
    evidence: int = 0
    """Evidence pages, be they ones that can be read or not."""
    disallowed: int = 0
    """Links that robots.txt, or the page itself, asks to leave alone."""
    failed: int = 0
    """Pages that could not be had or read."""
    received: int = 0
    """Bytes of the pages."""

    def add(self, other: Tally) -> None:
        """Count what another crawl has seen too."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

"""robots.txt: what a site asks crawlers to leave alone (RFC 9309).

Protego reads it: the standard library's `urllib.robotparser` knows no `*` and `$` in paths, and takes the first rule
that matches where the RFC asks for the longest, so it reads pages that a site wants left alone. Protego is written in
Python, typed, without dependencies, and since 0.7 it matches wildcards without backtracking.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protego import Protego

AGENT = "prov"
"""The product token that the rules are looked up by."""
LARGEST = 512 * 1024
"""Bytes that are read; RFC 9309, 2.5, asks for 500 KiB at least."""
_LONGEST_DELAY = 30.0
"""Seconds between two requests that a site may ask for."""
_MOST_SITEMAPS = 50


@dataclass(frozen=True, slots=True)
class Rules:
    """What a site asks."""

    delay: float = 0.0
    """Seconds between two requests."""
    asked: float = 0.0
    """The same as the site has it, where that is more than is granted."""
    sitemaps: tuple[str, ...] = ()
    """Addresses as they stand there."""
    _rules: Protego | None = field(default=None, repr=False)

    @classmethod
    def read(cls, data: bytes) -> Rules:
        """Read the file; what cannot be understood asks for nothing."""
        from protego import Protego

        # What is cut off at the bound may end within a rule.
        whole = data if len(data) < LARGEST else data[:LARGEST].rpartition(b"\n")[0]
        rules = Protego.parse(whole.decode("utf-8-sig", "replace"))
        asked = rules.crawl_delay(AGENT) or 0.0
        asked = asked if math.isfinite(asked) and asked > 0 else 0.0
        sitemaps = tuple(dict.fromkeys(rules.sitemaps))[:_MOST_SITEMAPS]
        return cls(min(asked, _LONGEST_DELAY), asked, sitemaps, rules)

    def allows(self, url: str) -> bool:
        """Whether a page may be read."""
        return self._rules is None or bool(self._rules.can_fetch(url, AGENT))


def directives(header: str) -> frozenset[str]:
    """What an `X-Robots-Tag` asks: `noindex`, `nofollow`, `none`; what it asks of other crawlers aside."""
    found: set[str] = set()
    applies = True
    for part in header.lower().split(","):
        agent, colon, rest = part.partition(":")
        if colon and " " not in agent.strip() and not agent.strip().startswith(("max-", "unavailable_after")):
            applies = agent.strip() in {AGENT, "*"}
            part = rest  # noqa: PLW2901 - an agent's name stands before the first of its directives
        if applies:
            found.add(part.strip())
    return frozenset(found)

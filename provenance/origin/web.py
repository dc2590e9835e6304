"""A site's pages, asked for one at a time: with pauses, and only for what may have changed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from provenance.origin.outcome import FailureKind, Fetched, HttpFailure
from provenance.origin.visit import Moved, OtherType, Unmodified, Validators
from provenance.origin.web_cache import Kept, Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from provenance.origin.http import HttpSession
    from provenance.origin.listener import Listener
    from provenance.origin.visit import Visited, Wish
    from provenance.origin.web_cache import WebCache

_TRIES = 3
"""How often a page is asked for that a server wants asked for later."""
_LONGEST_WAIT = 60.0
"""Seconds for which a server may ask us to wait at once,"""
_PATIENCE = 300.0
"""and in all."""
_CLIENT_ERRORS = range(400, 500)
_NO_PAUSE = 0.0


class How(StrEnum):
    """How an answer was had."""

    ASKED = "asked"
    """It was sent."""
    UNMODIFIED = "unmodified"
    """The server said that it is still what it was."""
    KEPT = "kept"
    """Nobody was asked."""


@dataclass(frozen=True, slots=True)
class Body:
    """A page."""

    data: bytes = field(repr=False)
    type: str
    """`Content-Type`, as the server writes it."""
    robots: str
    """`X-Robots-Tag`, likewise."""
    how: How


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such page, or not for us."""

    status: int


@dataclass(frozen=True, slots=True)
class NotHad:
    """Nobody is asked, and the page was not had before."""


Answer = Body | Moved | OtherType | Gone | NotHad | HttpFailure


class Web:
    """Asks for pages, and keeps what they are."""

    def __init__(
        self,
        session: HttpSession,
        cache: WebCache,
        listener: Listener,
        *,
        delay: float,
        refresh: bool = False,
        offline: bool = False,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Nothing is asked yet.

        Args:
            session: through which everything is asked.
            cache: what was had before; it has begun its crawl.
            listener: told when there is a wait.
            delay: seconds between two requests.
            refresh: whether everything is sent again, be it the same or not.
            offline: whether nobody is asked.
            sleep: waits for so many seconds.
            clock: seconds since any moment.
            now: the time, with its zone.
        """
        self._session = session
        self._cache = cache
        self._listener = listener
        self._refresh = refresh
        self._offline = offline
        self._sleep = sleep
        self._clock = clock
        self._now = now
        self._asked: float | None = None
        self._patience = _PATIENCE
        self.delay = delay
        """Seconds between two requests."""

    def visit(self, url: str, wish: Wish) -> Answer:
        """Ask for a page, unless this crawl has had it."""
        kept = self._cache.get(url)
        if kept is not None and (self._offline or kept.current):
            return _answer(kept, How.KEPT)
        if self._offline:
            return NotHad()
        known = None if kept is None or kept.kind is not Kind.BODY or self._refresh else kept
        answer = self._patiently(url, wish, Validators() if known is None else known.validators)
        if isinstance(answer, Unmodified) and known is not None:
            renewed = replace(known, validators=_renewed(known.validators, answer.validators))
            return self._keep(url, renewed, How.UNMODIFIED)
        made = _of(answer)
        return made if isinstance(made, HttpFailure) else self._keep(url, made, How.ASKED)

    def _keep(self, url: str, kept: Kept, how: How) -> Answer:
        self._cache.put(url, kept)
        return _answer(kept, how)

    def _patiently(self, url: str, wish: Wish, validators: Validators) -> Visited:
        """Ask, and again where a server says when."""
        for _ in range(_TRIES - 1):
            answer = self._politely(url, wish, validators)
            if not isinstance(answer, HttpFailure) or answer.retry_at is None:
                return answer
            pause = (answer.retry_at - self._now()).total_seconds()
            if pause > min(_LONGEST_WAIT, self._patience):
                return answer
            pause = max(_NO_PAUSE, pause)
            self._patience -= pause
            self._listener.say(f"{answer.message}: waiting {pause:.0f} s")
            self._sleep(pause)
        return self._politely(url, wish, validators)

    def _politely(self, url: str, wish: Wish, validators: Validators) -> Visited:
        """Ask once, not too soon after the last time."""
        if self._asked is not None:
            pause = self._asked + self.delay - self._clock()
            if pause > 0:
                self._sleep(pause)
        try:
            return self._session.visit(url, wish, validators)
        finally:
            self._asked = self._clock()


def _of(answer: Visited) -> Kept | HttpFailure:
    """What is kept of an answer; a failure that may be over next time is not."""
    match answer:
        case Fetched(data=data, headers=headers):
            type_, robots = headers.get("content-type", ""), headers.get("x-robots-tag", "")
            return Kept(Kind.BODY, type=type_, robots=robots, validators=Validators.of(headers), body=data)
        case Moved(target=target):
            return Kept(Kind.MOVED, target=target)
        case OtherType(type=type_):
            return Kept(Kind.OTHER, type=type_)
        case HttpFailure(kind=FailureKind.STATUS, status=int(status)) if status in _CLIENT_ERRORS:
            return Kept(Kind.GONE, status=status)
        case HttpFailure():
            return answer
        case Unmodified():
            return HttpFailure(FailureKind.BROKEN, "it says that nothing changed, and was not asked for that")


def _renewed(old: Validators, new: Validators) -> Validators:
    """Validators after a 304, which may have new ones (RFC 9111, 3.2)."""
    return Validators(new.etag or old.etag, new.modified or old.modified)


def _answer(kept: Kept, how: How) -> Answer:
    match kept.kind:
        case Kind.BODY:
            return Body(kept.body, kept.type, kept.robots, how)
        case Kind.MOVED:
            return Moved(kept.target)
        case Kind.OTHER:
            return OtherType(kept.type)
        case Kind.GONE:
            return Gone(kept.status)

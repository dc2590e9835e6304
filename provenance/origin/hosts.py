"""Which hosts have answered in this run, and which have not."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from provenance.origin.outcome import FailureKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.origin.outcome import HttpFailure

Endpoint = tuple[str, int]
"""Host, in lower case, and port."""


class Hosts:
    """What a run has learnt of the hosts that it asked. For several threads.

    Until a host has answered for the first time only one thread asks it, so that one which is down is
    asked once, not once a thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[Endpoint, threading.Lock] = {}
        self._answered: set[Endpoint] = set()
        self._failures: dict[Endpoint, HttpFailure] = {}

    @contextmanager
    def turn(self, endpoint: Endpoint) -> Iterator[HttpFailure | None]:
        """Ask, or learn what came of it before."""
        with self._lock:
            turn = self._turns.setdefault(endpoint, threading.Lock())
            answered = endpoint in self._answered
        if answered:
            yield self._failures.get(endpoint)
            return
        with turn:
            yield self._failures.get(endpoint)

    def remember(self, endpoint: Endpoint, failure: HttpFailure | None) -> None:
        """Keep what came of asking: None where the host has answered."""
        with self._lock:
            if failure is None:
                self._answered.add(endpoint)
                self._failures.pop(endpoint, None)
            elif failure.kind in {FailureKind.UNREACHABLE, FailureKind.LIMITED}:
                self._failures[endpoint] = failure

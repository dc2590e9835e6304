"""The references of the repositories of a run: each repository is asked for its list once."""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from typing import TYPE_CHECKING

from provenance.references import References

if TYPE_CHECKING:
    from collections.abc import Callable

    from provenance.answers import Unreached

_MOST_KEPT = 500_000
"""References of all repositories together that are kept: about 100 MB. Those that were not used for longest go."""


class KnownReferences:
    """Keeps what servers list. Safe to use from several threads."""

    def __init__(self, most: int = _MOST_KEPT) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._known: OrderedDict[tuple[str, bool], References | Unreached] = OrderedDict()

    def get(self, key: str, *, everything: bool) -> References | Unreached | None:
        """What was listed of a repository, if that is enough; None where it must be asked."""
        with self._lock:
            whole = self._known.get((key, True))
            is_enough = everything or isinstance(whole, References)
            found = (key, True) if is_enough else (key, False)
            if found not in self._known:
                return None
            self._known.move_to_end(found)
            return self._known[found]

    def ask(
        self, key: str, ask: Callable[[], References | Unreached], *, everything: bool
    ) -> References | Unreached:
        """What a repository lists: threads that want the same wait for the one that asks.

        Args:
            key: what tells the repository from others.
            ask: asks its server.
            everything: whether more than branches and tags is asked for.
        """
        with self._lock:
            turn = self._turns[key]
        with turn:
            known = self.get(key, everything=everything)
            if known is not None:
                return known
            listed = ask()
            with self._lock:
                self._known[key, everything] = listed
                if everything and isinstance(listed, References):
                    self._known.pop((key, False), None)  # it is part of this
                self._let_go()
            return listed

    def _let_go(self) -> None:
        """Make room. The newest stays, whatever its size."""
        kept = sum(map(_size, self._known.values()))
        while kept > self._most and len(self._known) > 1:
            _, oldest = self._known.popitem(last=False)
            kept -= _size(oldest)


def _size(listed: References | Unreached) -> int:
    return len(listed.commits) if isinstance(listed, References) else 0

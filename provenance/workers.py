"""Work in threads: some pieces of it at once, and what comes of them in the thread that waits."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HELD = 64
"""Results that wait to be taken at the most: contents may be large."""

_Piece = TypeVar("_Piece")
_Result = TypeVar("_Result")


class Workers(Generic[_Piece, _Result]):
    """Threads that do pieces of work, one after the other, and report what comes of each."""

    def __init__(
        self, pieces: Iterable[_Piece], do: Callable[[_Piece], Iterable[_Result]], *, jobs: int
    ) -> None:
        """Take on work; nothing is done before results are asked for.

        Args:
            pieces: what is to be done.
            do: does one piece; called in any thread.
            jobs: how many pieces are done at once.
        """
        self._work: queue.SimpleQueue[_Piece] = queue.SimpleQueue()
        for piece in pieces:
            self._work.put(piece)
        self._do = do
        self._jobs = min(jobs, self._work.qsize())
        self._reports: queue.Queue[tuple[_Result] | BaseException | None] = queue.Queue(maxsize=_HELD)
        """A result, what broke a worker, or that a worker is done."""
        self._stop = threading.Event()

    def results(self) -> Iterator[_Result]:
        """What comes of the work, as it comes, in the thread that asks. What breaks a piece is raised here."""
        for _ in range(self._jobs):
            threading.Thread(target=self._worker, daemon=True).start()
        left = self._jobs
        try:
            while left:
                match self._reports.get():
                    case None:
                        left -= 1
                    case BaseException() as error:
                        raise error
                    case (result,):
                        yield result
        finally:
            self._stop.set()

    def _worker(self) -> None:
        try:
            while not self._stop.is_set():
                try:
                    piece = self._work.get_nowait()
                except queue.Empty:
                    break
                for result in self._do(piece):
                    self._reports.put((result,))
                    if self._stop.is_set():
                        break
            self._reports.put(None)
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that waits for it
            self._reports.put(error)

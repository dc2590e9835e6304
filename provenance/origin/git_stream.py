"""What a git child that reads local files prints, while it is fed: bounded in time and size, and in memory."""

from __future__ import annotations

import os
import select
import threading
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from provenance.origin.git_command import GitFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.origin.git_command import GitProcess, Limits

_CHUNK = 1 << 16


class FailedChild(GitFault):
    """A child ended with an error: what it read is missing or broken."""


class OutOfBounds(GitFault):
    """A child took too long, or printed too much."""


def stream(process: GitProcess, feed: Iterable[bytes], limits: Limits) -> Iterator[bytes]:
    """What a child prints, in pieces of any size. The child ends with the iterator.

    Args:
        process: the child, of whose output nothing has been read.
        feed: what it reads on its standard input; taken from a thread of its own, so that no pipe blocks.
        limits: how long may be waited for it in all, however long the caller takes with what it had, and how much
            it may print.

    Raises:
        FailedChild: it failed; what was given before may be part of an answer.
        OutOfBounds: it left the limits.
    """
    feeder = threading.Thread(target=_feed, args=(process.stdin, feed), daemon=True)
    feeder.start()
    try:
        yield from _pieces(process.stdout.fileno(), limits)
        code = process.wait()
        if code:
            message = f"git ended with code {code}: {process.talk.text()}"
            raise FailedChild(message)
    finally:
        process.kill()
        process.close()
        feeder.join()


def separated(pieces: Iterable[bytes], mark: bytes) -> Iterator[bytes]:
    """The parts of a stream, each of which ends with a mark of one byte; what follows the last one is left out."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(mark)
        yield from whole


def _pieces(descriptor: int, limits: Limits) -> Iterator[bytes]:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    left, received = limits.seconds, 0
    while True:
        asked = time.monotonic()
        ready = poll.poll(left * 1000)
        left -= time.monotonic() - asked
        if not ready or left <= 0:
            message = f"git took longer than {limits.seconds:g} seconds"
            raise OutOfBounds(message)
        piece = os.read(descriptor, _CHUNK)
        if not piece:
            return
        received += len(piece)
        if received > limits.fetch_bytes:
            message = f"git printed more than {limits.fetch_bytes:,} bytes"
            raise OutOfBounds(message)
        yield piece


def _feed(stdin: IO[bytes], feed: Iterable[bytes]) -> None:
    with suppress(OSError, ValueError):  # the child has ended, or its pipe was closed: its exit code says why
        for part in feed:
            stdin.write(part)
        stdin.close()

"""Children that are fed while they are read, and what bounds them."""

from __future__ import annotations

import itertools
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.origin.git_command import GitProcess, Limits
from provenance.origin.git_stream import FailedChild, OutOfBounds, separated, stream

if TYPE_CHECKING:
    from collections.abc import Iterator


def child(script: str) -> GitProcess:
    return GitProcess(
        subprocess.Popen(
            ["/bin/sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    )


def test_more_than_a_pipe_holds_goes_through_in_both_directions() -> None:
    feed = [b"%07d\n" % number * 100 for number in range(1000)]
    assert b"".join(stream(child("cat"), feed, Limits())) == b"".join(feed)


def test_a_child_that_is_slow_to_be_read_is_not_late() -> None:
    pieces = stream(child("echo one; sleep 0.1; echo two"), [], Limits(seconds=0.5))
    first = next(pieces)
    time.sleep(0.6)
    assert first + b"".join(pieces) == b"one\ntwo\n"


def test_a_child_that_says_nothing_is_ended() -> None:
    started = time.monotonic()
    with pytest.raises(OutOfBounds, match=r"longer than 0\.2 seconds"):
        list(stream(child("sleep 30"), [], Limits(seconds=0.2)))
    assert time.monotonic() - started < 5


def test_a_child_that_says_too_much_is_ended() -> None:
    with pytest.raises(OutOfBounds, match="more than 1,000 bytes"):
        list(stream(child("yes"), itertools.repeat(b"y"), Limits(fetch_bytes=1000)))


def test_a_child_that_fails_says_why() -> None:
    pieces = stream(child("echo part; echo broken >&2; exit 3"), [b"unread" * 100_000], Limits())
    with pytest.raises(FailedChild, match="code 3: broken"):
        list(pieces)


def test_a_child_ends_with_its_reader() -> None:
    process = child("yes")
    pieces = stream(process, [], Limits())
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert process.wait() != 0


@given(st.binary(max_size=50), st.lists(st.integers(0, 50)))
def test_parts_do_not_depend_on_where_a_stream_is_cut(data: bytes, cuts: list[int]) -> None:
    def pieces() -> Iterator[bytes]:
        places = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
        yield from (data[start:end] for start, end in itertools.pairwise(places))

    assert list(separated(pieces(), b"\0")) == data.split(b"\0")[:-1]

"""Contents as they are compared, and how long they are held."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from provenance.answers import Unreached
from provenance.drift.bodies import Bodies
from provenance.evidence import object_id

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping


class Shelf:
    """Contents, some of which have to be fetched, and some cannot be had."""

    def __init__(self, *here: bytes, away: Collection[bytes] = (), large: Collection[bytes] = ()) -> None:
        self.here = {object_id("blob", data): data for data in here}
        self.away = {object_id("blob", data): data for data in away}
        self.large = {object_id("blob", data) for data in large}
        self.reads: Counter[str] = Counter()
        self.requests: list[Collection[str]] = []

    def have(self, blobs: Collection[str], /) -> Mapping[str, Unreached]:
        self.requests.append(blobs)
        self.here |= {blob: self.away[blob] for blob in blobs if blob in self.away}
        known = {*self.here, *self.large}
        return {blob: Unreached("the server does not answer") for blob in blobs if blob not in known}

    def read(self, blob: str) -> bytes | None:
        self.reads[blob] += 1
        return self.here.get(blob)


ONE, TWO = b"one = 1\ntwo = 2\n", b"zero = 0\none = 1\n"


def name(data: bytes) -> str:
    return object_id("blob", data)


def test_a_content_is_read_once() -> None:
    shelf = Shelf(ONE)
    bodies = Bodies(shelf)
    body = bodies.body(name(ONE), "a.py")
    assert body is not None
    assert list(body.lines) == ["one = 1", "two = 2"]
    assert bodies.body(name(ONE), "lib/b.py") is body
    assert bodies.why_not(name(ONE), "a.py") == ""
    assert shelf.reads == {name(ONE): 1}
    assert shelf.requests == []


def test_a_content_that_is_not_here_is_asked_for() -> None:
    shelf = Shelf(away=[ONE])
    assert Bodies(shelf).body(name(ONE), "a.py") is not None
    assert shelf.requests == [[name(ONE)]]


def test_contents_are_asked_for_together() -> None:
    shelf = Shelf(away=[ONE, TWO])
    bodies = Bodies(shelf)
    bodies.have([name(ONE), name(TWO)])
    assert bodies.body(name(ONE), "a.py") is not None
    assert bodies.body(name(TWO), "a.py") is not None
    assert len(shelf.requests) == 1


BINARY, LARGE = b"\0\1\2", b"as large as it gets"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(BINARY, "a.py is no text: binary content", id="binary"),
        pytest.param(ONE, "the server does not answer", id="nobody has it"),
        pytest.param(LARGE, "a.py is larger than prov reads of one file", id="too large"),
    ],
)
def test_why_a_content_cannot_be_compared(data: bytes, reason: str) -> None:
    shelf = Shelf(BINARY, TWO, large=[LARGE])
    bodies = Bodies(shelf)
    for _ in range(3):
        assert bodies.body(name(data), "a.py") is None
        assert bodies.why_not(name(data), "a.py") == reason
        assert bodies.definitions(name(data), "a.py") is None
        assert bodies.change((name(data), "a.py"), (name(TWO), "a.py")) is None
        assert bodies.change((name(TWO), "a.py"), (name(data), "a.py")) is None
    assert len(shelf.requests) <= 1


def test_two_contents_are_aligned_once() -> None:
    bodies = Bodies(Shelf(ONE, TWO))
    old, new = (name(ONE), "a.py"), (name(TWO), "b.py")
    change = bodies.change(old, new)
    assert change is not None
    assert (list(change.old.lines), list(change.new.lines)) == (
        ["one = 1", "two = 2"],
        ["zero = 0", "one = 1"],
    )
    assert bodies.change(old, new) is change
    back = bodies.change(new, old)
    assert back is not None
    assert list(back.old.lines) == list(change.new.lines)


@pytest.mark.parametrize(
    ("path", "called"),
    [
        pytest.param("a.py", "Table.find", id="by a grammar"),
        pytest.param("a.unknown", "find", id="by the layout"),
    ],
)
def test_definitions(path: str, called: str) -> None:
    data = b"class Table:\n    def find(self):\n        return 1\n"
    bodies = Bodies(Shelf(data))
    definitions = bodies.definitions(name(data), path)
    assert definitions is not None
    (found,) = definitions.called(called)
    assert (found.header, found.last) == (1, 2)
    assert bodies.definitions(name(data), path) is definitions


def test_not_all_contents_are_held() -> None:
    many = [b"line\n" * 30_000 + b"%d\n" % number for number in range(20)]
    shelf = Shelf(*many)
    bodies = Bodies(shelf)
    for data in (*many, many[-1], many[0]):
        body = bodies.body(name(data), "a.txt")
        assert body is not None
        assert len(body) == 30_001
    assert shelf.reads[name(many[-1])] == 1
    assert shelf.reads[name(many[0])] == 2


def test_one_content_is_held_however_long_it_is() -> None:
    long = b"\n" * 500_000
    shelf = Shelf(long, ONE)
    bodies = Bodies(shelf)
    for _ in range(2):
        assert bodies.body(name(long), "a.txt") is not None
    assert shelf.reads[name(long)] == 1
    assert bodies.body(name(ONE), "a.txt") is not None

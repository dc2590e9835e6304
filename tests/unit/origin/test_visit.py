from __future__ import annotations

import gzip
import time
from typing import TYPE_CHECKING

import pytest
from support.site import Flood
from support.webserver import Reply, WebServer

from provenance.origin.address import AddressPolicy
from provenance.origin.http import HttpSession, Limits
from provenance.origin.outcome import FailureKind, Fetched, HttpFailure
from provenance.origin.visit import Moved, OtherType, Unmodified, Validators, Visited, Wish, type_of

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("plain_network")

MEBIBYTE = 1024 * 1024
NONE = Validators()
MUCH = Wish(MEBIBYTE)


def visit(
    web: WebServer, path: str, wish: Wish = MUCH, validators: Validators = NONE, **limits: float
) -> Visited:
    session = HttpSession(
        AddressPolicy(allow_local=True),
        limits=Limits(total=limits.get("total", 60.0), read=limits.get("read", 30.0)),
        sleep=lambda _: None,
    )
    return session.visit(f"{web.url}{path}", wish, validators)


def test_a_page(web: WebServer) -> None:
    web.routes["/a?b"] = Reply(gzip.compress(b"text"), headers={"Content-Encoding": "gzip", "ETag": '"e"'})
    answer = visit(web, "/a?b", Wish(100, accept="text/html"))
    assert isinstance(answer, Fetched)
    assert answer.data == b"text"
    assert Validators.of(answer.headers) == Validators('"e"')
    asked = web.asked[0].headers
    assert asked["accept"] == "text/html"
    assert asked["user-agent"].startswith("prov/")
    assert not {"if-none-match", "if-modified-since"} & {*asked}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer(web: WebServer, status: int) -> None:
    flood = Flood(10**9)
    web.routes["/a/b"] = Reply(flood, status, {"Location": "../c#d"})
    assert visit(web, "/a/b") == Moved(f"{web.url}/c#d")
    assert web.paths == ["/a/b"]
    assert flood.sent < 10 * MEBIBYTE


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("", FailureKind.BROKEN),
        ("http://[::1", FailureKind.BROKEN),
        ("https://127.0.0.1/", FailureKind.REFUSED),
        ("file:///etc/passwd", FailureKind.REFUSED),
    ],
)
def test_a_redirect_that_leads_nowhere(web: WebServer, target: str, kind: FailureKind) -> None:
    web.routes["/"] = Reply(status=302, headers={"Location": target} if target else {})
    answer = visit(web, "/")
    assert isinstance(answer, HttpFailure)
    assert answer.kind is kind


def test_what_has_not_changed(web: WebServer) -> None:
    web.routes["/"] = Reply(status=304, headers={"ETag": '"new"'})
    known = Validators('"old"', "Fri, 01 May 2026 12:00:00 GMT")
    assert visit(web, "/", validators=known) == Unmodified(Validators('"new"'))
    assert web.asked[0].headers["if-none-match"] == '"old"'
    assert web.asked[0].headers["if-modified-since"] == known.modified
    answer = visit(web, "/")  # a 304 that nobody asked for
    assert isinstance(answer, HttpFailure)
    assert answer.status == 304


@pytest.mark.parametrize(
    ("stated", "wanted"),
    [
        ("text/html; charset=x", True),
        ("TEXT/HTML", True),
        (None, True),
        ("video/mp4", False),
        ("nonsense", False),
    ],
)
def test_a_body_of_another_type_is_not_read(web: WebServer, stated: str | None, wanted: bool) -> None:
    flood = Flood(10**9 if not wanted else 1)
    web.routes["/"] = Reply(flood, headers={"Content-Type": stated} if stated else {})
    answer = visit(web, "/", Wish(MEBIBYTE, frozenset({"text/html"})))
    assert isinstance(answer, Fetched) if wanted else answer == OtherType(str(stated))
    assert flood.sent < 10 * MEBIBYTE


@pytest.mark.parametrize("length", [None, 10**9])
def test_a_body_that_is_too_large_is_not_read(web: WebServer, length: int | None) -> None:
    flood = Flood(10**9)
    web.routes["/"] = Reply(flood, headers={} if length is None else {"Content-Length": str(length)})
    answer = visit(web, "/")
    assert isinstance(answer, HttpFailure)
    assert answer.kind is FailureKind.TOO_LARGE
    assert flood.sent < 20 * MEBIBYTE


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("length", [False, True])
def test_a_body_may_be_cut_at_the_bound(web: WebServer, packed: bool, length: bool) -> None:
    body = b"0123456789" * MEBIBYTE
    sent = gzip.compress(body) if packed else body
    headers = {"Content-Encoding": "gzip"} if packed else {}
    web.routes["/"] = Reply(sent if length else [sent], headers=headers)
    answer = visit(web, "/", Wish(MEBIBYTE, cut=True))
    assert isinstance(answer, Fetched)
    assert body.startswith(answer.data)
    assert MEBIBYTE - 65536 <= len(answer.data) <= MEBIBYTE


def test_a_small_body_is_whole_where_it_may_be_cut(web: WebServer) -> None:
    web.routes["/"] = Reply(b"text")
    answer = visit(web, "/", Wish(MEBIBYTE, cut=True))
    assert isinstance(answer, Fetched)
    assert answer.data == b"text"


def drip() -> Iterator[bytes]:
    while True:
        yield b"."
        time.sleep(0.05)


def test_a_body_that_drips_is_cut_in_time(web: WebServer) -> None:
    web.routes["/"] = Reply(drip())
    start = time.monotonic()
    answer = visit(web, "/", total=0.4)
    assert isinstance(answer, HttpFailure)
    assert answer.kind is FailureKind.TIMEOUT
    assert time.monotonic() - start < 3


@pytest.mark.parametrize("status", [204, 400, 401, 403, 404, 410, 500])
def test_other_statuses(web: WebServer, status: int) -> None:
    web.routes["/"] = Reply(status=status)
    answer = visit(web, "/", Wish(100, frozenset({"text/html"})))
    assert isinstance(answer, HttpFailure)
    assert (answer.kind, answer.status) == (FailureKind.STATUS, status)


def test_validators_that_no_header_can_hold_are_none() -> None:
    assert Validators.of({"etag": "x" * 2000, "last-modified": "\u00e9"}) == NONE
    assert Validators.of({}) == NONE


@pytest.mark.parametrize(
    ("header", "type_"), [("Text/HTML; charset=x", "text/html"), ("", ""), (" a/b ", "a/b"), (";", "")]
)
def test_the_type_that_a_header_states(header: str, type_: str) -> None:
    assert type_of(header) == type_

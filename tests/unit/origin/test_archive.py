from __future__ import annotations

from datetime import UTC, datetime

import pytest
from support.webserver import Reply, WebServer

from provenance.answers import Acquired, Unreached
from provenance.errors import InvalidRecord
from provenance.evidence import Content, OriginKind
from provenance.origin.address import AddressPolicy
from provenance.origin.archive import ArchiveOrigin
from provenance.origin.http import HttpSession
from provenance.origin.listener import Silent

pytestmark = pytest.mark.usefixtures("plain_network")

CONTENT = Content.of(b"text\n")
PATH = f"/api/1/content/sha1_git:{CONTENT.blob}/raw/"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)

HALF_PAST = str(int(NOON.timestamp()) + 1800)


def archive(web: WebServer, *, offline: bool = False, size_limit: int = 1000) -> ArchiveOrigin:
    session = HttpSession(AddressPolicy(allow_local=True), sleep=lambda _: None, now=lambda: NOON)
    return ArchiveOrigin(
        session=session, listener=Silent(), offline=offline, url=web.url, size_limit=size_limit
    )


def test_a_content(web: WebServer) -> None:
    web.routes[PATH] = Reply(CONTENT.data, headers={"Content-Type": "application/octet-stream"})
    assert archive(web).acquire(CONTENT.blob, "a/b.py") == Acquired("a/b.py", CONTENT, OriginKind.ARCHIVE)
    assert web.paths == [PATH]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (Reply(status=404), "the archive has no such content"),
        (Reply(b"other"), f"has the id {Content.of(b'other').blob}"),
        (Reply(b""), "has the id"),
        (Reply(bytes(1001)), "too large"),
        (Reply(status=500), "status 500"),
        (
            Reply(status=429, headers={"X-RateLimit-Reset": HALF_PAST}),
            "until 2026-05-01 12:30:00 UTC",
        ),
        (Reply(status=429, headers={"Retry-After": "3600"}), "until 2026-05-01 13:00:00 UTC"),
        (Reply(status=429), "asks for fewer requests"),
    ],
)
def test_no_content(web: WebServer, reply: Reply, words: str) -> None:
    web.routes[PATH] = reply
    answer = archive(web).acquire(CONTENT.blob)
    assert isinstance(answer, Unreached)
    assert words in answer.message
    assert CONTENT.blob in answer.message
    assert not answer.refused


def test_an_archive_that_asks_for_fewer_requests_is_left_alone(web: WebServer) -> None:
    web.routes[PATH] = Reply(status=429, headers={"Retry-After": "3600"})
    origin = archive(web)
    for _ in range(5):
        assert isinstance(origin.acquire(CONTENT.blob), Unreached)
    assert len(web.asked) == 1


def test_offline(web: WebServer) -> None:
    answer = archive(web, offline=True).acquire(CONTENT.blob)
    assert isinstance(answer, Unreached)
    assert "offline" in answer.message
    assert web.asked == []


def test_an_archive_at_a_place_that_is_not_allowed(web: WebServer) -> None:
    origin = ArchiveOrigin(session=HttpSession(AddressPolicy()), listener=Silent(), url=web.url)
    answer = origin.acquire(CONTENT.blob)
    assert isinstance(answer, Unreached)
    assert answer.refused


@pytest.mark.parametrize("blob", ["", "1e70505", "../../x", "G" * 40])
def test_what_is_no_blob_id(web: WebServer, blob: str) -> None:
    with pytest.raises(InvalidRecord, match="is no blob id"):
        archive(web).acquire(blob)

from __future__ import annotations

from collections import deque
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from provenance.origin.address import AddressPolicy
from provenance.origin.http import HttpSession
from provenance.origin.listener import Silent
from provenance.origin.outcome import FailureKind, Fetched, HttpFailure
from provenance.origin.visit import Moved, OtherType, Unmodified, Validators, Visited, Wish
from provenance.origin.web import Body, Gone, How, NotHad, Web
from provenance.origin.web_cache import WebCache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL = "https://host.example/"
WISH = Wish(100)
PAGE = Fetched(b"text", URL, {"content-type": "text/html", "x-robots-tag": "noindex", "etag": '"e"'})
BODY = Body(b"text", "text/html", "noindex", How.ASKED)
BUSY = HttpFailure(FailureKind.STATUS, "busy", status=503, transient=True)


class Scripted(HttpSession):
    """A session that answers as it is told to."""

    def __init__(self, *answers: Visited) -> None:
        super().__init__(AddressPolicy())
        self.answers = deque(answers)
        self.asked: list[Validators] = []

    def visit(self, _url: str, _wish: Wish, validators: Validators) -> Visited:
        self.asked.append(validators)
        return self.answers.popleft()


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.pauses: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)

    def clock(self) -> float:
        return sum(self.pauses)

    def now(self) -> datetime:
        return NOW + timedelta(seconds=self.clock())


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[WebCache]:
    made = WebCache(tmp_path / "a.sqlite")
    made.begin(NOW)
    yield made
    made.close()


def opened(
    cache: WebCache,
    session: HttpSession,
    clock: Clock | None = None,
    *,
    refresh: bool = False,
    offline: bool = False,
) -> Web:
    clock = clock or Clock()
    return Web(
        session,
        cache,
        Silent(),
        delay=1.5,
        refresh=refresh,
        offline=offline,
        sleep=clock.sleep,
        clock=clock.clock,
        now=clock.now,
    )


def anew(cache: WebCache) -> None:
    cache.end()
    cache.begin(NOW)


def test_a_page_is_asked_for_once_a_crawl(cache: WebCache) -> None:
    session = Scripted(PAGE)
    web = opened(cache, session)
    assert web.visit(URL, WISH) == BODY
    assert web.visit(URL, WISH) == Body(b"text", "text/html", "noindex", How.KEPT)
    assert session.asked == [Validators()]


def test_the_next_crawl_asks_whether_it_changed(cache: WebCache) -> None:
    session = Scripted(PAGE, Unmodified(Validators(modified="today")), PAGE)
    web = opened(cache, session)
    web.visit(URL, WISH)
    anew(cache)
    assert web.visit(URL, WISH) == Body(b"text", "text/html", "noindex", How.UNMODIFIED)
    anew(cache)
    assert web.visit(URL, WISH) == BODY
    assert session.asked == [Validators(), Validators('"e"'), Validators('"e"', "today")]


def test_refresh_asks_for_all_of_it(cache: WebCache) -> None:
    session = Scripted(PAGE, PAGE)
    opened(cache, session).visit(URL, WISH)
    anew(cache)
    assert opened(cache, session, refresh=True).visit(URL, WISH) == BODY
    assert session.asked == [Validators(), Validators()]


def test_offline_nobody_is_asked(cache: WebCache) -> None:
    assert opened(cache, Scripted(), offline=True).visit(URL, WISH) == NotHad()
    opened(cache, Scripted(PAGE)).visit(URL, WISH)
    anew(cache)
    kept = Body(b"text", "text/html", "noindex", How.KEPT)
    assert opened(cache, Scripted(), offline=True).visit(URL, WISH) == kept


GONE = HttpFailure(FailureKind.STATUS, "gone", status=410)


@pytest.mark.parametrize(
    ("visited", "answer"),
    [
        (Moved("https://host.example/there"), Moved("https://host.example/there")),
        (OtherType("image/png"), OtherType("image/png")),
        (GONE, Gone(410)),
    ],
)
def test_other_answers_are_kept_for_one_crawl(cache: WebCache, visited: Visited, answer: object) -> None:
    session = Scripted(visited, PAGE)
    web = opened(cache, session)
    assert web.visit(URL, WISH) == answer
    assert web.visit(URL, WISH) == answer
    anew(cache)
    assert web.visit(URL, WISH) == BODY
    assert session.asked == [Validators(), Validators()]


@pytest.mark.parametrize(
    "failure", [BUSY, HttpFailure(FailureKind.TIMEOUT, "slow"), Unmodified(Validators())]
)
def test_what_may_be_over_next_time_is_not_kept(cache: WebCache, failure: Visited) -> None:
    web = opened(cache, Scripted(failure, PAGE))
    assert isinstance(web.visit(URL, WISH), HttpFailure)
    assert web.visit(URL, WISH) == BODY


def test_there_is_a_pause_between_requests(cache: WebCache) -> None:
    clock = Clock()
    web = opened(cache, Scripted(PAGE, PAGE, PAGE), clock)
    web.visit(f"{URL}1", WISH)
    assert clock.pauses == []
    web.visit(f"{URL}2", WISH)
    web.visit(f"{URL}2", WISH)  # kept, so there is nothing to pause for
    assert clock.pauses == [1.5]
    clock.sleep(1)
    web.visit(f"{URL}3", WISH)
    assert clock.pauses == [1.5, 1, 0.5]


def later(seconds: float) -> HttpFailure:
    return HttpFailure(
        FailureKind.LIMITED, "busy", status=429, retry_at=NOW + timedelta(seconds=seconds), transient=True
    )


def test_a_server_is_asked_again_when_it_says(cache: WebCache) -> None:
    clock = Clock()
    assert opened(cache, Scripted(later(40), PAGE), clock).visit(URL, WISH) == BODY
    assert clock.pauses == [40.0]


@pytest.mark.parametrize(("seconds", "pauses"), [(61, []), (3600, []), (-5, [0.0, 1.5, 0.0, 1.5])])
def test_nobody_waits_for_long_or_for_ever(cache: WebCache, seconds: float, pauses: list[float]) -> None:
    clock = Clock()
    answer = opened(cache, Scripted(*[later(seconds)] * 3), clock).visit(URL, WISH)
    assert isinstance(answer, HttpFailure)
    assert answer.kind is FailureKind.LIMITED
    assert clock.pauses == pauses


def test_the_waiting_of_a_crawl_is_bounded(cache: WebCache) -> None:
    clock = Clock()
    web = opened(cache, Scripted(*[later(50 * (n + 1)) for n in range(20)], *[PAGE] * 20), clock)
    for number in range(12):
        web.visit(f"{URL}{number}", WISH)
    assert sum(pause for pause in clock.pauses if pause > 2) <= 300

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from provenance.origin.visit import Validators
from provenance.origin.web_cache import Kept, Kind, WebCache

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
START = "https://host.example/"
PAGE = Kept(
    Kind.BODY,
    type="text/html",
    robots="noindex",
    validators=Validators('"e"', "yesterday"),
    body=b"\0text" * 99,
)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[WebCache]:
    made = WebCache.of(tmp_path / "crawl", START, credentials=True)
    yield made
    made.close()


def again(cache: WebCache) -> WebCache:
    cache.close()
    return WebCache(cache.file)


@pytest.mark.parametrize(
    "kept",
    [
        PAGE,
        Kept(Kind.MOVED, target="/there"),
        Kept(Kind.GONE, status=410),
        Kept(Kind.OTHER, type="image/png"),
    ],
)
def test_an_answer_is_kept(cache: WebCache, kept: Kept) -> None:
    assert not cache.begin(NOW)
    assert cache.get(START) is None
    cache.put(START, kept)
    assert cache.get(START) == kept
    cache = again(cache)
    assert cache.begin(NOW)
    assert cache.get(START) == kept
    cache.close()


def test_an_answer_takes_the_place_of_the_last_one(cache: WebCache) -> None:
    cache.begin(NOW)
    cache.put(START, PAGE)
    cache.put(START, Kept(Kind.GONE, status=404))
    assert cache.get(START) == Kept(Kind.GONE, status=404)


@pytest.mark.parametrize(
    ("ended", "anew", "later", "goes_on"),
    [
        (False, False, timedelta(0), True),
        (False, False, timedelta(hours=23), True),
        (False, False, timedelta(hours=25), False),
        (False, False, timedelta(hours=-1), False),
        (False, True, timedelta(0), False),
        (True, False, timedelta(0), False),
    ],
)
def test_a_crawl_that_was_cut_off_goes_on(
    cache: WebCache, ended: bool, anew: bool, later: timedelta, goes_on: bool
) -> None:
    cache.begin(NOW)
    cache.put(START, PAGE)
    if ended:
        cache.end()
    cache = again(cache)
    assert cache.begin(NOW + later, anew=anew) is goes_on
    kept = cache.get(START)
    assert kept is not None
    assert kept.current is goes_on
    cache.close()


def test_a_crawl_that_had_nothing_is_none_to_go_on_with(cache: WebCache) -> None:
    cache.begin(NOW)
    cache.put(START, PAGE)
    cache.end()
    cache.begin(NOW)
    cache = again(cache)
    assert not cache.begin(NOW)
    cache.close()


def test_what_no_late_crawl_came_by_is_let_go(cache: WebCache) -> None:
    cache.begin(NOW)
    cache.put(START, PAGE)
    had = []
    for _ in range(12):
        cache.end()
        cache.begin(NOW)
        had.append(cache.get(START) is not None)
    assert had == [True] * 11 + [False]


def test_pages_that_were_shown_to_somebody_are_for_nobody_else(tmp_path: Path) -> None:
    known, unknown = (WebCache.of(tmp_path / "crawl", START, credentials=value) for value in (True, False))
    known.begin(NOW)
    known.put(START, PAGE)
    unknown.begin(NOW)
    assert unknown.get(START) is None
    assert stat.S_IMODE(known.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(known.file.parent.stat().st_mode) == 0o700
    known.close()
    unknown.close()


SOMEBODYS = "CREATE TABLE crawl (a); INSERT INTO crawl VALUES (1)"


@pytest.mark.parametrize(
    "damage", ["no database", "", "truncated", "scribbled", SOMEBODYS, "version", "body"]
)
def test_a_file_that_is_damaged_is_made_anew(cache: WebCache, damage: str) -> None:
    cache.begin(NOW)
    cache.put(START, PAGE)
    cache.close()
    match damage:
        case "truncated":
            os.truncate(cache.file, cache.file.stat().st_size // 2)
        case "scribbled":
            size = cache.file.stat().st_size
            cache.file.write_bytes(cache.file.read_bytes()[:100] + os.urandom(size - 100))
        case "version" | "body":
            with sqlite3.connect(cache.file) as connection:
                what = "crawl SET version = 99" if damage == "version" else "answers SET body = x'00'"
                connection.execute(f"UPDATE {what}")
            connection.close()
        case _ if damage == SOMEBODYS:
            cache.file.unlink()
            connection = sqlite3.connect(cache.file)
            connection.executescript(damage)
            connection.close()
        case _:
            cache.file.write_text(damage)
    cache = again(cache)
    assert cache.begin(NOW) is (damage == "body")
    assert cache.get(START) is None
    cache.put(START, PAGE)
    assert cache.get(START) == PAGE
    assert cache.fault is None
    cache.close()


def test_a_full_disk_leaves_what_was_kept(cache: WebCache) -> None:
    cache.begin(NOW)
    cache.put(START, PAGE)
    assert cache._connection is not None
    (pages,) = cache._connection.execute("PRAGMA page_count").fetchone()
    cache._connection.execute(f"PRAGMA max_page_count = {pages}")
    cache.put(f"{START}large", Kept(Kind.BODY, body=os.urandom(100_000)))
    assert cache.fault == "database or disk is full"
    assert cache.get(START) is None  # from now on nothing is kept, and nothing is raised
    cache.put(START, PAGE)
    cache.end()
    cache = again(cache)
    assert cache.begin(NOW)
    assert cache.get(START) == PAGE
    assert cache.get(f"{START}large") is None
    cache.close()


def test_a_folder_that_cannot_be_made_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = WebCache(tmp_path / "file" / "crawl" / "a.sqlite")
    assert not cache.begin(NOW)
    assert cache.fault
    assert cache.get(START) is None


def test_a_link_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "a.sqlite").symlink_to(tmp_path / "theirs")
    cache = WebCache(tmp_path / "a.sqlite")
    cache.begin(NOW)
    assert cache.fault
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_several_runs_at_once(tmp_path: Path) -> None:
    file = tmp_path / "a.sqlite"
    faults: list[str | None] = []

    def run(number: int) -> None:
        cache = WebCache(file)
        cache.begin(NOW)
        for page in range(40):
            cache.put(f"{START}{number}/{page}", PAGE)
        cache.end()
        faults.append(cache.fault)
        cache.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == [None] * 4
    cache = WebCache(file)
    cache.begin(NOW)
    assert all(cache.get(f"{START}{number}/{page}") is not None for number in range(4) for page in range(40))
    cache.close()


def test_a_run_that_is_killed_leaves_what_it_had(tmp_path: Path) -> None:
    script = (
        "import os, sys, pathlib, datetime\n"
        "from provenance.origin.web_cache import Kept, Kind, WebCache\n"
        f"cache = WebCache(pathlib.Path({str(tmp_path / 'a.sqlite')!r}))\n"
        f"cache.begin(datetime.datetime.fromisoformat({NOW.isoformat()!r}))\n"
        "for page in range(10**6):\n"
        "    cache.put(str(page), Kept(Kind.BODY, body=os.urandom(5000)))\n"
        "    print(page, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    last = -1
    for line in child.stdout:
        last = int(line)
        if last >= 50:
            break
    child.kill()
    last = max([last, *map(int, child.stdout)])
    child.wait()
    child.stdout.close()
    cache = WebCache(tmp_path / "a.sqlite")
    assert cache.begin(NOW)
    assert all(cache.get(str(page)) is not None for page in range(last + 1))
    assert cache.fault is None
    cache.close()

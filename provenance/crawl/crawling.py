"""Sites, one after the other, and the manifests that their evidence pages make."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from provenance.crawl.events import Bounds, Found, Notice, Tally, Trouble
from provenance.crawl.site import Site
from provenance.crawl.urls import normalised
from provenance.errors import UsageError
from provenance.importing import Import
from provenance.links.permalinks import public_url
from provenance.origin.http import HttpSession, Limits
from provenance.origin.web import Web
from provenance.origin.web_cache import WebCache

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from provenance.origin.address import AddressPolicy
    from provenance.origin.listener import Listener

_LIMITS = Limits(read=20.0, total=60.0)


@dataclass(frozen=True, slots=True)
class Manner:
    """How sites are crawled."""

    policy: AddressPolicy
    """What may be reached."""
    bounds: Bounds = field(default_factory=Bounds)
    delay: float = 0.5
    """Seconds between two requests."""
    credentials: bool = True
    """Whether netrc is used."""
    refresh: bool = False
    """Whether every page is sent again, be it the same or not."""
    offline: bool = False
    """Whether nobody is asked: what was had before is read."""
    cache: Path | None = None
    """Where what was had is kept; None for the user's cache folder."""
    limits: Limits = _LIMITS
    """How long one request may take."""


class Crawl:
    """A crawl of one site or several."""

    def __init__(
        self,
        starts: Sequence[str],
        manner: Manner,
        listener: Listener,
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take on URLs; nothing is asked yet.

        Args:
            starts: where to begin, each with a site of its own.
            manner: how they are crawled.
            listener: told of the progress.
            sleep: waits for so many seconds.

        Raises:
            UsageError: one is none that can be crawled.
        """
        self._starts = dict.fromkeys(map(_start, starts))
        self._manner = manner
        self._listener = listener
        self._sleep = sleep
        self.tally = Tally()

    def events(self) -> Iterator[Found | Notice]:
        """Crawl the sites, and tell what is found as it is found."""
        manner = self._manner
        session = HttpSession(
            manner.policy, credentials=manner.credentials, limits=manner.limits, sleep=self._sleep
        )
        folder = manner.cache or _user_cache()
        for start in self._starts:
            cache = WebCache.of(folder, start, credentials=manner.credentials)
            try:
                yield from self._site(start, session, cache)
            finally:
                cache.close()

    def _site(self, start: str, session: HttpSession, cache: WebCache) -> Iterator[Found | Notice]:
        manner = self._manner
        # Without the network there is nothing to begin: what was had is read, whichever crawl had it.
        if not manner.offline and cache.begin(datetime.now(UTC), anew=manner.refresh):
            self._listener.say(f"{public_url(start)}: going on with a crawl that was cut off")
        web = Web(
            session,
            cache,
            self._listener,
            delay=manner.delay,
            refresh=manner.refresh,
            offline=manner.offline,
            sleep=self._sleep,
        )
        site = Site(start, web, manner.bounds, self._listener)
        try:
            yield from site.events()
        finally:
            self.tally.add(site.tally)
        if site.is_whole and not manner.offline:
            cache.end()
        if cache.fault is not None:
            message = f"{public_url(start)}: what was had cannot be kept for next time ({cache.file}: {cache.fault})"
            yield Notice(message, Trouble.NONE)


def imports_of(found: Sequence[Found], folder: Path) -> tuple[list[Import], list[Notice]]:
    """Where the manifest of each page goes, and which pages have none of their own.

    A page that several URLs lead to counts once: under the URL that it calls its own, else the first. Pages that
    differ and have one title would overwrite each other, so none of them is written.

    Args:
        found: in the order in which they were found.
        folder: where manifests go.
    """
    named: dict[str, list[Found]] = defaultdict(list)
    for each in found:
        named[each.page.manifest.path].append(each)
    imports: list[Import] = []
    notices: list[Notice] = []
    for path, pages in named.items():
        distinct, same = _distinct(pages)
        notices += same
        target = folder / path
        if len(distinct) > 1:
            first, *others = (public_url(each.url) for each in distinct)
            message = (
                f"{first} and {', '.join(others)} would all be written to {target}, and differ: none is; "
                "import one of them with `prov import -o FILE`"
            )
            notices.append(Notice(message, Trouble.WRONG))
            continue
        for each in distinct:
            url = public_url(each.url)
            page = replace(each.page, manifest=replace(each.page.manifest, url=url))
            imports.append(Import(url, page, target))
    return imports, notices


def _distinct(pages: Sequence[Found]) -> tuple[list[Found], list[Notice]]:
    """The pages that differ, and word of those that are left out as being another one."""
    urls = {each.url for each in pages}
    kept: list[Found] = []
    notices: list[Notice] = []
    for each in sorted(pages, key=lambda one: one.canonical in urls):
        other = next((one for one in kept if _is_same(each, one)), None)
        if other is None:
            kept.append(each)
        else:
            message = f"{public_url(each.url)}: the same page as {public_url(other.url)}"
            notices.append(Notice(message, Trouble.DETAIL))
    return kept, notices


def _is_same(one: Found, other: Found) -> bool:
    return one.canonical == other.url or one.page.manifest == other.page.manifest


def _start(written: str) -> str:
    url = normalised(written)
    if url is None:
        message = f"{public_url(written)!r} is no URL to crawl: expected https://host/path, without user and password"
        raise UsageError(message)
    return url


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("prov", appauthor=False) / "crawl"

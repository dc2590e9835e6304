"""One site, from one URL on: its pages in the order in which they are found, each asked for once."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.crawl.courtesy import ask_rules, sitemap_pages
from provenance.crawl.events import Found, Notice, Tally, Trouble
from provenance.crawl.reading import MOST_LINKS, read_body
from provenance.crawl.robots import Rules
from provenance.crawl.urls import normalised, site_of
from provenance.errors import PageError
from provenance.importing import LARGEST
from provenance.links.permalinks import public_url
from provenance.origin.outcome import FailureKind, HttpFailure
from provenance.origin.visit import Moved, OtherType, Wish
from provenance.origin.web import Body, Gone, How, NotHad

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.crawl.events import Bounds
    from provenance.crawl.reading import Read
    from provenance.origin.listener import Listener
    from provenance.origin.web import Answer, Web

_TYPES = frozenset({"text/html", "application/xhtml+xml", "text/plain"})
_PAGE = Wish(LARGEST, _TYPES, "text/html, application/xhtml+xml, text/plain;q=0.8, */*;q=0.1")
_MOST_KNOWN = 100_000
"""Addresses that are known of at once; a site that makes up links has more, and no page of it is missed for that."""
_MOST_BYTES = 1024 * 1024 * 1024
"""Bytes of all pages together."""
_MOST_REDIRECTS = 10
"""One after the other."""
_MOST_FAILURES = 5
"""Pages in a row that fail before the rest of the site is left alone."""


@dataclass(frozen=True, slots=True)
class _Stop:
    """A page that is to be asked for."""

    url: str
    depth: int
    """Links from the start."""
    source: str
    """The page that led to it; empty for the start and what a sitemap names."""
    hops: int = 0
    """Redirects in a row that led to it."""


class Site:
    """A crawl of one site."""

    def __init__(self, start: str, web: Web, bounds: Bounds, listener: Listener) -> None:
        """Nothing is asked yet.

        Args:
            start: in the spelling of `normalised`.
            web: by which pages are asked for.
            bounds: how far to go.
            listener: told of the progress.
        """
        self._start = start
        self._site = site_of(start)
        self._web = web
        self._bounds = bounds
        self._listener = listener
        self._queue = deque([_Stop(start, 0, "")])
        self._known = {start}
        self._moved: dict[str, str] = {}
        self._rules = Rules()
        self._failures = 0
        self._not_had = 0
        self.tally = Tally()
        self.is_whole = False
        """Whether the crawl has come to its end, rather than being left off with pages still to be asked for."""

    def events(self) -> Iterator[Found | Notice]:
        """Go through the site."""
        asked = ask_rules(self._web, self._start)
        if isinstance(asked, Notice):
            self.tally.failed += 1
            yield asked
            return
        self._rules = asked
        if asked.asked > asked.delay:
            message = (
                f"{self._site[1]} asks for {asked.asked:g} s between requests: {asked.delay:g} s are kept"
            )
            yield Notice(message, Trouble.NONE)
        self._web.delay = max(self._web.delay, asked.delay)
        if not asked.allows(self._start):
            self.tally.failed += 1
            message = f"{public_url(self._start)}: robots.txt asks crawlers to leave it alone"
            yield Notice(message, Trouble.WRONG)
            self.is_whole = True
            return
        has_listed = False
        while self._queue:
            if self.tally.pages >= self._bounds.pages or self.tally.received >= _MOST_BYTES:
                yield self._left_off()
                break
            stop = self._queue.popleft()
            if not self._rules.allows(stop.url):
                self.tally.disallowed += 1
                yield Notice(f"{public_url(stop.url)}: robots.txt asks to leave it alone", Trouble.DETAIL)
                continue
            answer = self._web.visit(stop.url, _PAGE)
            yield from self._answered(stop, answer)
            if isinstance(answer, HttpFailure) and self._is_over(answer):
                message = f"{self._site[1]} is left alone: run the same command again later, and it goes on from here"
                yield Notice(message, Trouble.UNAVAILABLE)
                return
            if not has_listed and self._bounds.depth and isinstance(answer, Body):
                has_listed = True
                yield from self._read_sitemaps()
        if self._not_had:
            message = f"{self._site[1]}: pages that were never had: {self._not_had:,}; nobody is asked with --offline"
            yield Notice(message, Trouble.UNAVAILABLE)
        self.is_whole = True

    def _left_off(self) -> Notice:
        pages = self.tally.pages >= self._bounds.pages
        bound = f"{self._bounds.pages:,} pages (--max-pages)" if pages else f"{_MOST_BYTES:,} bytes"
        message = f"{self._site[1]}: stopped after {bound}; {len(self._queue):,} more were found"
        return Notice(message, Trouble.NONE)

    def _is_over(self, failure: HttpFailure) -> bool:
        """Whether there is no sense in asking on."""
        gone = failure.kind in {FailureKind.UNREACHABLE, FailureKind.LIMITED}
        return gone or self._failures >= _MOST_FAILURES

    def _read_sitemaps(self) -> Iterator[Notice]:
        for found in sitemap_pages(self._web, self._start, self._rules):
            if isinstance(found, Notice):
                self.tally.failed += found.trouble is Trouble.UNAVAILABLE
                yield found
            else:
                self._add(found, 1, "")

    def _add(self, url: str | None, depth: int, source: str) -> None:
        if url is None or url in self._known or site_of(url) != self._site or depth > self._bounds.depth:
            return
        if len(self._known) < _MOST_KNOWN:
            self._known.add(url)
            self._queue.append(_Stop(url, depth, source))

    def _answered(self, stop: _Stop, answer: Answer) -> Iterator[Found | Notice]:
        """What comes of a page."""
        self.tally.pages += not isinstance(answer, NotHad)
        self._failures = self._failures + 1 if isinstance(answer, HttpFailure) else 0
        match answer:
            case Body():
                self.tally.received += len(answer.data)
                self.tally.unmodified += answer.how is How.UNMODIFIED
                self.tally.kept += answer.how is How.KEPT
                yield from self._page(stop, answer)
            case Moved():
                yield from self._redirect(stop, answer.target)
            case OtherType():
                what = f"it is {answer.type}, which is not read"
                yield self._told(stop, what, Trouble.DETAIL)
            case Gone():
                self.tally.failed += 1
                yield self._told(stop, f"status {answer.status}", Trouble.NONE)
            case NotHad():
                self._not_had += 1
            case HttpFailure():
                self.tally.failed += 1
                refused = answer.kind is FailureKind.REFUSED
                yield self._told(stop, answer.message, Trouble.NONE if refused else Trouble.UNAVAILABLE)
        self._listener.advance(self._site[1], received=self.tally.received, objects=self.tally.pages)

    def _redirect(self, stop: _Stop, target: str) -> Iterator[Notice]:
        url = normalised(target)
        if url is None or site_of(url) != self._site:
            what = f"it leads to {public_url(target)}, on another site, which is not followed"
            yield self._told(stop, what, Trouble.NONE)
            return
        self._moved[stop.url] = url
        if self._is_circle(stop.url):
            self.tally.failed += 1
            yield self._told(stop, "it redirects in a circle", Trouble.NONE)
        elif stop.hops >= _MOST_REDIRECTS:
            self.tally.failed += 1
            yield self._told(stop, f"it redirects more than {_MOST_REDIRECTS} times", Trouble.NONE)
        elif url not in self._known:
            self._known.add(url)
            self._queue.appendleft(_Stop(url, stop.depth, stop.source, stop.hops + 1))

    def _is_circle(self, url: str) -> bool:
        """Whether redirects lead back to where they began."""
        where = url
        for _ in range(_MOST_REDIRECTS + 1):
            where = self._moved.get(where, "")
            if where == url:
                return True
        return False

    def _page(self, stop: _Stop, body: Body) -> Iterator[Found | Notice]:
        shown = public_url(stop.url)
        read = read_body(body, stop.url, shown)
        canonical = self._follow(stop, read)
        if read.has_more:
            message = (
                f"{shown}: the page has more than {MOST_LINKS:,} links, and the others are not looked at"
            )
            yield Notice(message, Trouble.NONE)
        if not read.is_indexed:
            self.tally.disallowed += 1
            yield Notice(f"{shown}: the page asks not to be indexed", Trouble.DETAIL)
            return
        if read.evidence is None:
            return
        self.tally.evidence += 1
        if read.remark:
            yield Notice(f"{shown}: {read.remark}", Trouble.NONE)
        if isinstance(read.evidence, PageError):
            self.tally.failed += 1
            yield Notice(str(read.evidence), Trouble.WRONG)
            return
        for remark in read.evidence.remarks:
            yield Notice(str(remark), Trouble.NONE)
        yield Found(stop.url, read.evidence, canonical)

    def _follow(self, stop: _Stop, read: Read) -> str | None:
        """Add what a page links to; the URL that it calls its own, where that is another one."""
        canonical = read.canonical
        if canonical is not None and (canonical == stop.url or site_of(canonical) != self._site):
            canonical = None
        if canonical is not None:
            self._add(canonical, stop.depth, stop.url)
        for link in read.links:
            self._add(link, stop.depth + 1, stop.url)
        return canonical

    def _told(self, stop: _Stop, what: str, trouble: Trouble) -> Notice:
        """A page that is none: wrong where it is the start, or where redirects from there led to it."""
        source = f" (linked from {public_url(stop.source)})" if stop.source else ""
        wrong = stop.depth == 0 and not stop.source and trouble is not Trouble.UNAVAILABLE
        return Notice(f"{public_url(stop.url)}: {what}{source}", Trouble.WRONG if wrong else trouble)

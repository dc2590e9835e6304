"""What a site says to crawlers before they read its pages: robots.txt and sitemaps."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, assert_never

from provenance.crawl.events import Notice, Trouble
from provenance.crawl.robots import LARGEST as LARGEST_ROBOTS
from provenance.crawl.robots import Rules
from provenance.crawl.sitemap import LARGEST as LARGEST_SITEMAP
from provenance.crawl.sitemap import read_sitemap
from provenance.crawl.urls import normalised, resolved, site_of
from provenance.links.permalinks import public_url
from provenance.origin.outcome import FailureKind, HttpFailure
from provenance.origin.visit import Moved, OtherType, Wish
from provenance.origin.web import Body, Gone, NotHad

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.origin.web import Web

_ROBOTS = Wish(LARGEST_ROBOTS, cut=True)
_SITEMAP = Wish(LARGEST_SITEMAP)
_MOST_REDIRECTS = 5
"""Of robots.txt, also to other hosts (RFC 9309, 2.3.1.2)."""
_MOST_SITEMAPS = 50


def ask_rules(web: Web, start: str) -> Rules | Notice:
    """What a site asks of crawlers, or why nothing of it may be asked for.

    A site without rules allows everything; one whose rules cannot be had allows nothing (RFC 9309, 2.3.1).

    Args:
        web: by which the site is asked.
        start: a page of the site.
    """
    url = robots = f"{'://'.join(site_of(start))}/robots.txt"
    answer = web.visit(url, _ROBOTS)
    for _ in range(_MOST_REDIRECTS):
        if not isinstance(answer, Moved) or (target := normalised(answer.target)) is None:
            break
        url = target
        answer = web.visit(url, _ROBOTS)
    match answer:
        case Body():
            return Rules.read(answer.data)
        case HttpFailure(kind=FailureKind.REFUSED) if url == robots:
            return Notice(f"{public_url(start)}: {answer.message}", Trouble.WRONG)
        case HttpFailure():
            message = f"{robots}: {answer.message}; without it nothing is asked for"
            return Notice(message, Trouble.UNAVAILABLE)
        case NotHad():
            message = f"{public_url(start)} was not crawled before, and nobody is asked with --offline"
            return Notice(message, Trouble.UNAVAILABLE)
        case Gone() | Moved() | OtherType():
            return Rules()
        case _:
            assert_never(answer)


def sitemap_pages(web: Web, start: str, rules: Rules) -> Iterator[str | Notice]:
    """The pages that a site lists: in the sitemaps that its robots.txt names, else in /sitemap.xml.

    Args:
        web: by which the site is asked.
        start: a page of the site.
        rules: what the site asks.
    """
    site = site_of(start)
    base = f"{'://'.join(site)}/"
    queue = deque((url, 0) for url in rules.sitemaps or ("/sitemap.xml",))
    known: set[str] = set()
    while queue and len(known) < _MOST_SITEMAPS:
        written, depth = queue.popleft()
        url = resolved(base, written)
        if url is None or url in known or site_of(url) != site or not rules.allows(url):
            continue
        known.add(url)
        answer = web.visit(url, _SITEMAP)
        match answer:
            case Moved():
                queue.appendleft((answer.target, depth))
            case HttpFailure():
                yield Notice(f"{public_url(url)}: {answer.message}", Trouble.UNAVAILABLE)
            case Body():
                found = read_sitemap(answer.data)
                if found.fault:
                    message = f"{public_url(url)}: this sitemap is not read to its end: {found.fault}"
                    yield Notice(message, Trouble.NONE)
                yield from filter(None, (resolved(base, page) for page in found.pages))
                if depth == 0:  # an index names no further index (sitemaps.org, "Using Sitemap index files")
                    queue.extend((each, 1) for each in found.maps)
            case Gone() | NotHad() | OtherType():
                pass  # a site without this sitemap
            case _:
                assert_never(answer)

"""A page's bytes -> its evidence, if it is an evidence page, and where it links to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.crawl.charset import decoded
from provenance.crawl.robots import directives
from provenance.crawl.urls import resolved
from provenance.documents.pages import read_page
from provenance.documents.rendering.evidence import looks_like_evidence, read_rendered
from provenance.documents.rendering.render import render
from provenance.errors import PageError
from provenance.origin.visit import type_of

if TYPE_CHECKING:
    from provenance.documents.pages import Page
    from provenance.origin.web import Body

_TEXT = "text/plain"
_NOT_INDEXED = frozenset({"noindex", "none"})
_NOT_FOLLOWED = frozenset({"nofollow", "none"})
MOST_LINKS = 20_000
"""Links of one page that are looked at."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a page says."""

    evidence: Page | PageError | None
    """None where it is no evidence page, or is not to be indexed."""
    remark: str = ""
    """What is odd about its encoding; empty where nothing is."""
    links: tuple[str, ...] = ()
    """Where it links to, in one spelling, each once; none where they are not to be followed."""
    has_more: bool = False
    """Whether it has more links than are looked at."""
    canonical: str | None = None
    """The URL that it calls its own."""
    is_indexed: bool = True
    """Whether it may be made use of."""


def read_body(body: Body, url: str, name: str) -> Read:
    """Read a page.

    Args:
        body: as it was had.
        url: where.
        name: what positions call it.
    """
    text, remark = decoded(body.data, body.type)
    asked = directives(body.robots)
    if _is_plain(body, text):
        indexed = asked.isdisjoint(_NOT_INDEXED)
        return Read(_plain(text, name) if indexed else None, remark, is_indexed=indexed)
    page = render(text)
    asked |= page.robots
    base = (resolved(url, page.base) if page.base else None) or url
    anchors = page.anchors if asked.isdisjoint(_NOT_FOLLOWED) else ()
    has_more = len(anchors) > MOST_LINKS
    found = (resolved(base, each.href) for each in anchors[:MOST_LINKS] if "nofollow" not in each.rel)
    links = tuple(dict.fromkeys(link for link in found if link is not None))
    canonical = resolved(base, page.canonical) if page.canonical else None
    if not asked.isdisjoint(_NOT_INDEXED):
        return Read(None, remark, links, has_more, canonical, is_indexed=False)
    evidence: Page | PageError | None = None
    if looks_like_evidence(page.text):
        try:
            evidence = read_rendered(page, url, name)
        except PageError as error:
            evidence = error
    return Read(evidence, remark, links, has_more, canonical)


def _is_plain(body: Body, text: str) -> bool:
    """Whether a page is text as it stands; one that states no type is, unless it begins as HTML does."""
    stated = type_of(body.type)
    return stated == _TEXT or (not stated and not text.lstrip().startswith("<"))


def _plain(text: str, name: str) -> Page | PageError | None:
    if not looks_like_evidence(text):
        return None
    try:
        return read_page(text, name)
    except PageError as error:
        return error

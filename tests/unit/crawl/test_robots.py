from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.crawl.robots import LARGEST, Rules, directives

SITE = "https://host.example"


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow: /", "/a", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /a", "/ab", False),
        ("User-agent: *\nDisallow: /a", "/b", True),
        ("User-agent: other\nDisallow: /", "/a", True),
        ("User-agent: prov\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/a", False),
        ("User-agent: prov\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", "/b", True),
        ("user-agent: PROV\ndisallow: /a", "/a", False),
        # The longest rule counts, not the first.
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b", True),
        ("User-agent: *\nAllow: /a\nDisallow: /a/b", "/a/b", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/a.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/a.pdf?b", True),
        ("User-agent: *\nDisallow: /a*z", "/abcz", False),
        ("User-agent: *\nDisallow: /é", "/%C3%A9", False),
        ("\ufeffUser-agent: *\r\nDisallow: /a # a comment\r\n", "/a", False),
        ("<html>no such page</html>", "/a", True),
    ],
)
def test_what_may_be_read(text: str, path: str, allowed: bool) -> None:
    assert Rules.read(text.encode()).allows(SITE + path) is allowed


@pytest.mark.parametrize(
    ("said", "delay", "asked"),
    [
        ("1.5", 1.5, 1.5),
        ("0", 0, 0),
        ("-1", 0, 0),
        ("nan", 0, 0),
        ("inf", 0, 0),
        ("x", 0, 0),
        ("600", 30, 600),
    ],
)
def test_how_fast(said: str, delay: float, asked: float) -> None:
    rules = Rules.read(f"User-agent: *\nCrawl-delay: {said}".encode())
    assert (rules.delay, rules.asked) == (delay, asked)


def test_sitemaps_are_named_anywhere() -> None:
    text = f"Sitemap: {SITE}/a.xml\nUser-agent: *\nDisallow: /\nSitemap: /b.xml\nSitemap: {SITE}/a.xml\n"
    assert Rules.read(text.encode()).sitemaps == (f"{SITE}/a.xml", "/b.xml")
    many = "".join(f"Sitemap: /{number}\n" for number in range(1000))
    assert len(Rules.read(many.encode()).sitemaps) == 50


def test_what_is_cut_off_ends_with_a_whole_rule() -> None:
    text = b"User-agent: *\n" + b"#" * (LARGEST - 26) + b"\nDisallow: /abc\n"
    rules = Rules.read(text[:LARGEST])
    assert rules.allows(f"{SITE}/a")  # and not `Disallow: /a`


@given(
    st.binary(max_size=200) | st.text(alphabet="User-agent: *\nDisallow: /*$%2Crawl-delay").map(str.encode)
)
def test_any_bytes_are_rules(data: bytes) -> None:
    rules = Rules.read(data)
    assert rules.allows(f"{SITE}/a") in {True, False}
    assert 0 <= rules.delay <= 30


def test_hostile_rules_cost_little() -> None:
    text = b"User-agent: *\n" + b"Disallow: /" + b"*a" * 1000 + b"*b\n" + b"Disallow: /*a*b*c*d$\n" * 20_000
    start = time.perf_counter()
    rules = Rules.read(text[:LARGEST])
    assert not rules.allows(f"{SITE}/{'a' * 1500}bcd")
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("", {""}),
        ("noindex, NoFollow", {"noindex", "nofollow"}),
        ("other: noindex, nofollow", set()),
        ("other: noindex, prov: nofollow", {"nofollow"}),
        ("unavailable_after: 25 Jun 2010, noindex", {"unavailable_after: 25 jun 2010", "noindex"}),
        ("max-snippet: 5, none", {"max-snippet: 5", "none"}),
    ],
)  # fmt: skip
def test_what_a_header_asks(header: str, found: set[str]) -> None:
    assert directives(header) == found

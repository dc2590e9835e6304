"""Crawls of a real server on this machine."""

from __future__ import annotations

import gzip
import itertools
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.site import HTML, EvidencePage, Flood, Kept, Shown, html_page, links
from support.webserver import Asked, Reply, WebServer, serve_web

from provenance.crawl.crawling import Crawl, Manner, imports_of
from provenance.crawl.events import Bounds, Found, Notice, Tally, Trouble
from provenance.documents.pages import read_page
from provenance.errors import UsageError
from provenance.origin.address import AddressPolicy
from provenance.origin.http import Limits
from provenance.origin.listener import Silent

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.usefixtures("plain_network")

VALVE = EvidencePage()
ROTOR = EvidencePage(component="Rotor")
MEBIBYTE = 1024 * 1024


class Heard:
    """What a crawl came to."""

    def __init__(self, crawl: Crawl, *, stop_after: int | None = None) -> None:
        events = crawl.events()
        heard = list(itertools.islice(events, stop_after))
        self.found = [each for each in heard if isinstance(each, Found)]
        self.notices = [each for each in heard if isinstance(each, Notice)]
        self.tally: Tally = crawl.tally

    @property
    def titles(self) -> list[str]:
        return [each.page.manifest.title for each in self.found]

    def said(self, trouble: Trouble) -> list[str]:
        return [each.message for each in self.notices if each.trouble is trouble]

    @property
    def troubles(self) -> set[Trouble]:
        return {each.trouble for each in self.notices} - {Trouble.NONE, Trouble.DETAIL}


class Crawler:
    """Crawls the server from a path on."""

    def __init__(self, web: WebServer, folder: Path) -> None:
        self.web = web
        self.manner = Manner(
            AddressPolicy(allow_local=True),
            delay=0,
            cache=folder / "crawl",
            limits=Limits(total=2.0, read=1.0, waiting=0.5, tries=2),
        )

    def __call__(
        self, path: str = "/", bounds: Bounds | None = None, *, refresh: bool = False, offline: bool = False
    ) -> Heard:
        """Crawl, in a manner that differs as given."""
        self.web.asked.clear()
        manner = replace(self.manner, bounds=bounds or Bounds(), refresh=refresh, offline=offline)
        return Heard(Crawl([f"{self.web.url}{path}"], manner, Silent()))

    @property
    def asked(self) -> list[str]:
        """The pages that were asked for in the last crawl, robots.txt and the usual sitemap aside."""
        return [path for path in self.web.paths if path not in {"/robots.txt", "/sitemap.xml"}]


@pytest.fixture
def crawl(web: WebServer, tmp_path: Path) -> Crawler:
    return Crawler(web, tmp_path)


def test_a_site_is_gone_through(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(
        links("valve", "/rotor#top", "https://other.example/", "mailto:a@b", "/rotor", "/")
    )
    web.routes["/valve"] = html_page(VALVE.html(body='<a href="deep/er?q=1">more</a>'))
    web.routes["/rotor"] = html_page(ROTOR.html())
    web.routes["/deep/er?q=1"] = html_page(links("../valve", "/missing"))
    heard = crawl()
    assert heard.titles == ["Engine · Valve", "Engine · Rotor"]
    assert [each.url for each in heard.found] == [f"{web.url}/valve", f"{web.url}/rotor"]
    assert web.paths == ["/robots.txt", "/", "/sitemap.xml", "/valve", "/rotor", "/deep/er?q=1", "/missing"]
    assert heard.said(Trouble.NONE) == [f"{web.url}/missing: status 404 (linked from {web.url}/deep/er?q=1)"]
    assert heard.troubles == set()
    tally = heard.tally
    assert (tally.pages, tally.evidence, tally.failed, tally.unmodified) == (5, 2, 1, 0)


def test_a_page_says_what_its_text_says(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(VALVE.html())
    (found,) = crawl().found
    assert found.page.manifest == read_page(VALVE.text(), "page").manifest


def test_a_page_of_text_is_one_too(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(links("valve.txt", "rotor", "neither"))
    web.routes["/valve.txt"] = Reply(VALVE.text().encode(), headers={"Content-Type": "text/plain"})
    web.routes["/rotor"] = Reply(ROTOR.text().encode())
    web.routes["/neither"] = Reply(b"words", headers={"Content-Type": "text/plain"})
    heard = crawl()
    assert heard.titles == ["Engine · Valve", "Engine · Rotor"]
    assert heard.tally.failed == 0


def ladder(web: WebServer, count: int) -> None:
    for number in range(count):
        web.routes[f"/{number}"] = html_page(links(f"/{number + 1}"))


@pytest.mark.parametrize(("depth", "pages"), [(0, 1), (1, 2), (3, 4)])
def test_how_deep(web: WebServer, crawl: Crawler, depth: int, pages: int) -> None:
    ladder(web, 10)
    assert crawl("/0", Bounds(depth=depth)).tally.pages == pages
    assert ("/sitemap.xml" in web.paths) is (depth > 0)


def test_a_trap_is_left_at_the_bound(web: WebServer, crawl: Crawler) -> None:
    def trap(asked: Asked) -> Reply:
        return html_page(links(*(f"{asked.path}{number}/" for number in range(50))))

    web.routes["/"] = html_page(links(*(f"/{number}/" for number in range(50))))
    for path in (*(f"/{n}/" for n in range(50)), *(f"/0/{n}/" for n in range(50))):
        web.routes[path] = trap
    heard = crawl("/", Bounds(depth=100, pages=40))
    assert heard.tally.pages == 40
    (left,) = heard.said(Trouble.NONE)
    assert "stopped after 40 pages (--max-pages)" in left
    assert heard.troubles == set()


def test_a_page_of_very_many_links_is_bounded(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page("".join(f"<a href=/{number}>" for number in range(30_000)))
    heard = crawl("/", Bounds(pages=2))
    many, _missing, left = heard.said(Trouble.NONE)
    assert many == f"{web.url}/: the page has more than 20,000 links, and the others are not looked at"
    assert "19,999 more were found" in left


def test_a_site_of_very_many_links_is_bounded(
    web: WebServer, crawl: Crawler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provenance.crawl.site._MOST_KNOWN", 5)
    web.routes["/"] = html_page(links(*(f"/{number}" for number in range(30))))
    assert crawl().tally.pages == 5


@pytest.mark.parametrize(
    ("robots", "asked"),
    [
        ("User-agent: *\nDisallow: /no", ["/", "/yes"]),
        ("User-agent: prov\nDisallow: /yes", ["/", "/no"]),
        ("", ["/", "/no", "/yes"]),
    ],
)
def test_robots_are_kept_to(web: WebServer, crawl: Crawler, robots: str, asked: list[str]) -> None:
    web.routes["/robots.txt"] = Reply(robots.encode(), headers={"Content-Type": "text/plain"})
    web.routes["/"] = html_page(links("/no", "/yes"))
    heard = crawl()
    assert crawl.asked == asked
    assert heard.tally.disallowed == 3 - len(asked)
    assert heard.troubles == set()


def test_a_start_that_robots_disallow_is_wrong(web: WebServer, crawl: Crawler) -> None:
    web.routes["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /")
    heard = crawl("/a")
    assert web.paths == ["/robots.txt"]
    assert heard.said(Trouble.WRONG) == [f"{web.url}/a: robots.txt asks crawlers to leave it alone"]


@pytest.mark.parametrize(
    ("reply", "crawled"),
    [
        (Reply(status=404), True),
        (Reply(status=401), True),
        (Reply(b"User-agent: *\nDisallow: /a\n" + b"#" * MEBIBYTE), True),
        (Reply(status=500), False),
        (Reply(status=503), False),
        (Reply(status=429), False),
        (Reply(status=302, headers={"Location": "/robots.txt"}), True),
        (Reply(status=302, headers={"Location": "http://10.0.0.1/robots.txt"}), False),
        (Reply(b"text", headers={"Content-Encoding": "br"}), False),
        (Reply([b"x"], headers={"Transfer-Encoding": "chunked"}), False),
    ],
)
def test_without_the_robots_there_is_no_crawl(
    web: WebServer, crawl: Crawler, reply: Reply, crawled: bool
) -> None:
    web.routes["/robots.txt"] = reply
    web.routes["/"] = html_page("x")
    heard = crawl()
    assert crawl.asked == (["/"] if crawled else [])
    assert heard.troubles == (set() if crawled else {Trouble.UNAVAILABLE})


def test_robots_elsewhere_are_followed(web: WebServer, crawl: Crawler) -> None:
    with serve_web() as other:
        web.routes["/robots.txt"] = Reply(status=301, headers={"Location": f"{other.url}/robots.txt"})
        other.routes["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /no")
        web.routes["/"] = html_page(links("/no"))
        crawl()
    assert crawl.asked == ["/"]


def test_a_delay_of_the_site_is_kept(web: WebServer, crawl: Crawler) -> None:
    pauses: list[float] = []
    web.routes["/robots.txt"] = Reply(b"User-agent: *\nCrawl-delay: 90")
    web.routes["/"] = html_page("x")
    heard = Heard(Crawl([web.url], crawl.manner, Silent(), sleep=pauses.append))
    assert heard.said(Trouble.NONE) == [f"127.0.0.1:{web.port} asks for 90 s between requests: 30 s are kept"]
    assert [round(pause) for pause in pauses] == [30, 30]


def test_pages_say_what_may_be_done_with_them(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(
        '<a href="/kept"></a><a rel="nofollow" href="/1"></a><a href="/noindex"></a><a href="/nofollow"></a>'
        '<a href="/header"></a><a href="/text"></a>'
    )
    web.routes["/kept"] = html_page(VALVE.html())
    web.routes["/noindex"] = html_page(
        ROTOR.html(head='<meta name="robots" content="noindex">', body=links("/2").decode())
    )
    web.routes["/nofollow"] = html_page(links("/3") + b'<meta name="robots" content="NOFOLLOW">')
    web.routes["/header"] = html_page(ROTOR.html(body=links("/4").decode()), X_Robots_Tag="none")
    web.routes["/text"] = Reply(
        ROTOR.text().encode(), headers={"Content-Type": "text/plain", "X-Robots-Tag": "noindex"}
    )
    web.routes["/2"] = html_page("x")
    heard = crawl()
    assert crawl.asked == ["/", "/kept", "/noindex", "/nofollow", "/header", "/text", "/2"]
    assert heard.titles == ["Engine · Valve"]
    assert heard.tally.disallowed == 3


def urlset(*urls: str) -> bytes:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def test_a_sitemap_is_read(web: WebServer, crawl: Crawler) -> None:
    maps = (f"<sitemap><loc>{where}</loc></sitemap>" for where in (f"{web.url}/a.xml.gz", "/b.xml"))
    index = f"<sitemapindex>{''.join(maps)}</sitemapindex>"
    web.routes["/robots.txt"] = Reply(
        f"Sitemap: {web.url}/index.xml\nSitemap: https://other.example/x.xml\n".encode()
    )
    web.routes["/index.xml"] = Reply(index.encode())
    web.routes["/a.xml.gz"] = Reply(gzip.compress(urlset(f"{web.url}/valve", "https://other.example/")))
    web.routes["/b.xml"] = Reply(b"<!DOCTYPE bomb>" + urlset("/never"))
    web.routes["/"] = html_page(links("/rotor"))
    web.routes["/valve"] = html_page(VALVE.html())
    web.routes["/rotor"] = html_page(ROTOR.html())
    heard = crawl()
    assert web.paths == ["/robots.txt", "/", "/index.xml", "/a.xml.gz", "/b.xml", "/rotor", "/valve"]
    assert heard.titles == ["Engine · Rotor", "Engine · Valve"]
    (fault,) = heard.said(Trouble.NONE)
    assert fault.startswith(f"{web.url}/b.xml: this sitemap is not read to its end: it has a document type")


def test_a_sitemap_that_moved_or_fails(web: WebServer, crawl: Crawler) -> None:
    web.routes["/robots.txt"] = Reply(b"Sitemap: /old.xml\nSitemap: /bad.xml\nSitemap: /gone.xml\n")
    web.routes["/old.xml"] = Reply(status=301, headers={"Location": "/new.xml"})
    web.routes["/new.xml"] = Reply(urlset("/valve"))
    web.routes["/bad.xml"] = Reply(status=500)
    web.routes["/"] = html_page("x")
    web.routes["/valve"] = html_page(VALVE.html())
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    assert heard.said(Trouble.UNAVAILABLE) == [
        f"{web.url}/bad.xml: 127.0.0.1 answers with status 500 for {web.url}/bad.xml"
    ]


def test_sitemaps_end(web: WebServer, crawl: Crawler) -> None:
    def endless(asked: Asked) -> Reply:
        number = int(asked.path[2:] or 0)
        maps = "".join(f"<sitemap><loc>/m{n}</loc></sitemap>" for n in range(number + 1, number + 200))
        return Reply(f"<sitemapindex>{maps}</sitemapindex>".encode())

    web.routes["/robots.txt"] = Reply(b"Sitemap: /m0\n")
    for number in range(500):
        web.routes[f"/m{number}"] = endless
    web.routes["/"] = html_page("x")
    crawl()
    assert len(web.paths) == 2 + 50


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_on_the_site(web: WebServer, crawl: Crawler, status: int) -> None:
    web.routes["/"] = Reply(status=status, headers={"Location": "/home#x"})
    web.routes["/home"] = html_page(links("/old"))
    web.routes["/old"] = Reply(status=status, headers={"Location": "/valve"})
    web.routes["/valve"] = html_page(VALVE.html())
    heard = crawl()
    assert crawl.asked == ["/", "/home", "/old", "/valve"]
    assert [each.url for each in heard.found] == [f"{web.url}/valve"]
    assert heard.troubles == set()


@pytest.mark.parametrize("loop", [["/a"], ["/a", "/b"], ["/a", "/b", "/c"]])
def test_loops_end(web: WebServer, crawl: Crawler, loop: list[str]) -> None:
    for here, there in zip(loop, [*loop[1:], loop[0]], strict=True):
        web.routes[here] = Reply(status=302, headers={"Location": there})
    web.routes["/"] = html_page(links(*loop, "/valve"))
    web.routes["/valve"] = html_page(VALVE.html())
    heard = crawl()
    assert crawl.asked == ["/", *loop, "/valve"]
    assert [message for message in heard.said(Trouble.NONE) if "it redirects in a circle" in message]
    assert heard.titles == ["Engine · Valve"]
    assert heard.troubles == set()


def test_redirects_without_end_end(web: WebServer, crawl: Crawler) -> None:
    for number in range(100):
        web.routes[f"/r{number}"] = Reply(status=302, headers={"Location": f"/r{number + 1}"})
    web.routes["/"] = html_page(links("/r0"))
    heard = crawl()
    assert len(crawl.asked) == 12
    assert "it redirects more than 10 times" in heard.said(Trouble.NONE)[0]


@pytest.mark.parametrize(
    "target", ["http://other.example/x", "https://127.0.0.1/x", "http://10.0.0.1/", "ext::x"]
)
def test_redirects_to_elsewhere_are_not_followed(web: WebServer, crawl: Crawler, target: str) -> None:
    web.routes["/"] = html_page(links("/away"))
    web.routes["/away"] = Reply(status=302, headers={"Location": target})
    heard = crawl()
    assert len(heard.said(Trouble.NONE)) == 1
    assert heard.troubles == set()
    heard = crawl("/away")  # as a start it is wrong
    assert heard.troubles == {Trouble.WRONG}


def test_a_redirect_to_another_port_of_the_host_is_not_followed(web: WebServer, crawl: Crawler) -> None:
    with serve_web() as other:
        web.routes["/"] = html_page(links("/away", f"{other.url}/link"))
        web.routes["/away"] = Reply(status=302, headers={"Location": f"{other.url}/x"})
        heard = crawl()
        assert other.asked == []
    assert "on another site, which is not followed" in heard.said(Trouble.NONE)[0]


def test_local_addresses_are_refused(web: WebServer, crawl: Crawler) -> None:
    crawl.manner = replace(crawl.manner, policy=AddressPolicy())
    heard = crawl()
    assert web.asked == []
    (message,) = heard.said(Trouble.WRONG)
    assert "--allow-local" in message


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_page_that_is_not_there(web: WebServer, crawl: Crawler, status: int) -> None:
    web.routes["/"] = html_page(links("/gone"))
    web.routes["/gone"] = Reply(status=status)
    heard = crawl()
    assert heard.said(Trouble.NONE) == [f"{web.url}/gone: status {status} (linked from {web.url}/)"]
    assert heard.troubles == set()
    assert crawl("/gone").said(Trouble.WRONG) == [f"{web.url}/gone: status {status}"]


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_page_that_fails_is_unavailable(web: WebServer, crawl: Crawler, status: int) -> None:
    web.routes["/"] = html_page(links("/bad", "/valve"))
    web.routes["/bad"] = Reply(status=status)
    web.routes["/valve"] = html_page(VALVE.html())
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    (message,) = heard.said(Trouble.UNAVAILABLE)
    assert message.startswith(f"{web.url}/bad: 127.0.0.1 ")
    assert message.endswith(f"(linked from {web.url}/)")
    web.routes["/bad"] = html_page(ROTOR.html())
    assert crawl().titles == ["Engine · Rotor", "Engine · Valve"]


def test_a_host_that_asks_for_fewer_requests_is_left_alone(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(links("/valve", "/busy", "/rotor"))
    web.routes["/valve"] = html_page(VALVE.html())
    web.routes["/busy"] = [
        Reply(status=429, headers={"Retry-After": "3600"}),
        html_page("now"),
    ]
    web.routes["/rotor"] = html_page(ROTOR.html())
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    busy, left = heard.said(Trouble.UNAVAILABLE)
    assert "asks for fewer requests (status 429), until" in busy
    assert "is left alone: run the same command again later, and it goes on from here" in left
    assert crawl.asked == ["/", "/valve", "/busy"]
    assert crawl().titles == ["Engine · Valve", "Engine · Rotor"]
    assert web.paths == ["/busy", "/rotor"]  # it goes on where it was


def test_a_host_is_asked_again_when_it_says(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = [Reply(status=429, headers={"Retry-After": "1"}), html_page(VALVE.html())]
    crawl.manner = replace(crawl.manner, limits=Limits(waiting=0.0))
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    assert crawl.asked == ["/", "/"]


def test_a_site_whose_pages_all_fail_is_left_alone(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(links(*(f"/{number}" for number in range(50))))
    for number in range(50):
        web.routes[f"/{number}"] = Reply(status=500)
    heard = crawl()
    assert len(crawl.asked) == 1 + 5
    assert "is left alone" in heard.said(Trouble.UNAVAILABLE)[-1]


def drip() -> Iterator[bytes]:
    for _ in range(200):
        yield b"."
        time.sleep(0.05)


def test_slow_bodies_are_cut(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(links("/slow", "/valve"))
    web.routes["/slow"] = lambda _: Reply(drip(), headers={"Content-Type": HTML})
    web.routes["/valve"] = html_page(VALVE.html())
    crawl.manner = replace(crawl.manner, limits=Limits(total=0.4))
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    (slow,) = heard.said(Trouble.UNAVAILABLE)
    assert "127.0.0.1 was too slow: not done within 0.4 s" in slow


@pytest.mark.parametrize("length", [None, str(10**9)])
def test_a_body_of_a_gigabyte_is_not_read(web: WebServer, crawl: Crawler, length: str | None) -> None:
    flood = Flood(10**9)
    headers = {"Content-Type": HTML} if length is None else {"Content-Type": HTML, "Content-Length": length}
    web.routes["/"] = html_page(links("/large", "/film", "/valve"))
    web.routes["/large"] = Reply(flood, headers=headers)
    film = Flood(10**9)
    web.routes["/film"] = Reply(film, headers={"Content-Type": "video/mp4"})
    web.routes["/valve"] = html_page(VALVE.html())
    crawl.manner = replace(crawl.manner, limits=Limits())
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    (message,) = heard.said(Trouble.UNAVAILABLE)
    assert "is too large" in message
    assert "it is video/mp4, which is not read" in heard.said(Trouble.DETAIL)[0]
    assert flood.sent < 24 * MEBIBYTE
    assert film.sent < 8 * MEBIBYTE


@pytest.mark.parametrize(
    ("header", "codec", "meta"),
    [
        ("text/html; charset=utf-8", "latin-1", "utf-8"),
        ("text/html; charset=iso-8859-1", "utf-8", "utf-8"),
        ("text/html; charset=utf-16", "utf-8", "utf-8"),
        ("text/html; charset=no-such", "utf-8", "utf-8"),
        ("text/html", "koi8-r", "shift_jis"),
        ("text/html", "utf-16", "utf-8"),
    ],
)
def test_wrong_charsets_do_no_harm(
    web: WebServer, crawl: Crawler, header: str, codec: str, meta: str
) -> None:
    page = EvidencePage(pieces=(Shown(claim="Ça va, 5 °C.", lines="1-2"),))
    html = page.html().replace('charset="utf-8"', f'charset="{meta}"').encode(codec, "xmlcharrefreplace")
    web.routes["/"] = Reply(html, headers={"Content-Type": header})
    heard = crawl()
    assert heard.tally.evidence == 1
    assert heard.titles == ["Engine · Valve"] or heard.troubles == {Trouble.WRONG}
    if codec == "utf-8":
        assert heard.found[0].page.manifest == read_page(page.text(), "page").manifest


def test_a_page_that_looks_like_evidence_and_cannot_be_read(web: WebServer, crawl: Crawler) -> None:
    html = VALVE.html().replace("lines 1–2", "lines 2–1")
    web.routes["/"] = html_page(links("/broken", "/rotor"))
    web.routes["/broken"] = html_page(html)
    web.routes["/rotor"] = html_page(ROTOR.html())
    heard = crawl()
    assert heard.titles == ["Engine · Rotor"]
    (message,) = heard.said(Trouble.WRONG)
    assert message.startswith(f"{web.url}/broken:")
    assert message.endswith("'2–1' is reversed: the first line must not exceed the last") or "2" in message
    assert (heard.tally.evidence, heard.tally.failed) == (2, 1)


def test_remarks_are_told_with_their_line(web: WebServer, crawl: Crawler) -> None:
    html = VALVE.html().replace("<span>1</span>", "<span>4</span>")
    web.routes["/"] = html_page(html)
    line = next(number for number, text in enumerate(html.split("\n"), 1) if "<span>4</span>" in text)
    assert crawl().said(Trouble.NONE) == [
        f"{web.url}/:{line}: the page announces 4 sources, and 1 can be read"
    ]


def test_a_second_crawl_is_cheap(web: WebServer, crawl: Crawler) -> None:
    pages = {
        "/": Kept(links("/valve", "/rotor")),
        "/valve": Kept(VALVE.html().encode()),
        "/rotor": Kept(ROTOR.html().encode(), etag="", modified="Fri, 01 May 2026 12:00:00 GMT"),
        "/robots.txt": Kept(b"User-agent: *\nDisallow: /no"),
        "/sitemap.xml": Kept(urlset("/valve")),
    }
    web.routes.update(pages)
    first = crawl()
    assert (first.tally.pages, first.tally.unmodified) == (3, 0)
    second = crawl()
    assert (second.tally.pages, second.tally.unmodified) == (3, 3)
    assert second.found == first.found
    assert all(page.sent == [200, 304] for page in pages.values())
    crawl(refresh=True)
    assert all(page.sent == [200, 304, 200] for page in pages.values())


def test_a_page_that_changed_is_read_anew(web: WebServer, crawl: Crawler) -> None:
    page = Kept(VALVE.html().encode())
    web.routes["/"] = page
    crawl()
    page.body, page.etag = ROTOR.html().encode(), '"2"'
    heard = crawl()
    assert heard.titles == ["Engine · Rotor"]
    assert page.sent == [200, 200]


def test_a_crawl_that_is_cut_off_goes_on(web: WebServer, crawl: Crawler) -> None:
    count = 8
    pages = [EvidencePage(component=f"Part {number}") for number in range(count)]
    web.routes["/"] = html_page(links(*(f"/{number}" for number in range(count))))
    for number, page in enumerate(pages):
        web.routes[f"/{number}"] = html_page(page.html())
    manner = crawl.manner
    cut = Heard(Crawl([f"{web.url}/"], manner, Silent()), stop_after=3)
    assert len(cut.found) == 3
    had = list(web.paths)
    heard = crawl()
    assert heard.titles == [page.title for page in pages]
    assert sorted([*had, *web.paths]) == sorted(
        ["/robots.txt", "/sitemap.xml", "/", *(f"/{n}" for n in range(count))]
    )
    assert heard.tally.kept == len(had) - 2
    crawl()  # and the next one asks anew
    assert len(web.paths) == count + 3


def test_offline_works_from_what_was_had(web: WebServer, crawl: Crawler) -> None:
    web.routes["/"] = html_page(links("/valve", "/rotor"))
    web.routes["/valve"] = html_page(VALVE.html())
    web.routes["/rotor"] = html_page(ROTOR.html())
    nothing = crawl(offline=True)
    assert web.asked == []
    assert nothing.said(Trouble.UNAVAILABLE) == [
        f"{web.url}/ was not crawled before, and nobody is asked with --offline"
    ]
    crawl("/", Bounds(pages=2))
    some = crawl(offline=True)
    assert web.asked == []
    assert some.titles == ["Engine · Valve"]
    assert some.said(Trouble.UNAVAILABLE) == [
        f"127.0.0.1:{web.port}: pages that were never had: 1; nobody is asked with --offline"
    ]
    crawl()
    assert crawl(offline=True).titles == ["Engine · Valve", "Engine · Rotor"]


def test_a_state_that_cannot_be_kept_is_told(web: WebServer, crawl: Crawler, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    crawl.manner = replace(crawl.manner, cache=tmp_path / "file")
    web.routes["/"] = html_page(VALVE.html())
    heard = crawl()
    assert heard.titles == ["Engine · Valve"]
    assert "what was had cannot be kept for next time" in heard.said(Trouble.NONE)[0]


def test_several_sites(web: WebServer, crawl: Crawler) -> None:
    with serve_web() as other:
        web.routes["/"] = html_page(VALVE.html())
        other.routes["/"] = html_page(ROTOR.html())
        starts = [f"{web.url}/", "http://127.0.0.1:9/", f"{other.url}", f"{web.url}#again"]
        heard = Heard(Crawl(starts, crawl.manner, Silent()))
    assert heard.titles == ["Engine · Valve", "Engine · Rotor"]
    assert web.paths == ["/robots.txt", "/", "/sitemap.xml"]
    assert heard.troubles == {Trouble.UNAVAILABLE}
    assert heard.tally.pages == 2


@pytest.mark.parametrize(
    "start", ["", "x", "file:///etc/passwd", "https://u:SECRET@h.example/", "ext::sh -c id", "-x"]
)
def test_what_is_no_url_to_crawl(crawl: Crawler, start: str) -> None:
    with pytest.raises(UsageError) as raised:
        Crawl([start], crawl.manner, Silent())
    assert "SECRET" not in str(raised.value)


def found(path: str, page: EvidencePage, canonical: str | None = None) -> Found:
    url = f"https://h.example{path}"
    return Found(
        url, read_page(page.text(), url), None if canonical is None else f"https://h.example{canonical}"
    )


CHANGED = EvidencePage(pieces=(Shown(claim="It is another one."),))


@pytest.mark.parametrize(
    ("pages", "urls", "wrong"),
    [
        ([found("/a", VALVE), found("/b", ROTOR)], ["/a", "/b"], 0),
        ([found("/a", VALVE), found("/b", VALVE)], ["/a"], 0),
        ([found("/a?x", VALVE, "/a"), found("/a", VALVE)], ["/a"], 0),
        ([found("/a?x", CHANGED, "/a"), found("/a", VALVE)], ["/a"], 0),
        ([found("/a?x", VALVE, "/elsewhere")], ["/a?x"], 0),
        ([found("/a", VALVE, "/"), found("/b", ROTOR, "/")], ["/a", "/b"], 0),
        ([found("/a", VALVE), found("/b", CHANGED), found("/c", ROTOR)], ["/c"], 1),
        ([found("/a?token=SECRET&b=1", VALVE)], ["/a?b=1"], 0),
        ([], [], 0),
    ],
)
def test_where_manifests_go(pages: list[Found], urls: list[str], wrong: int) -> None:
    imports, notices = imports_of(pages, Path("out"))
    assert [each.page.manifest.url for each in imports] == [f"https://h.example{url}" for url in urls]
    assert all(each.target == Path("out", each.page.manifest.path) for each in imports)
    assert [each.trouble for each in notices].count(Trouble.WRONG) == wrong
    assert len(imports) + len(
        [each for each in notices if each.trouble is Trouble.DETAIL]
    ) + 2 * wrong == len(pages)


def test_a_canonical_page_is_asked_for(web: WebServer, crawl: Crawler) -> None:
    web.routes["/?x=1"] = html_page(VALVE.html(head='<link rel="canonical" href="/valve">'))
    web.routes["/valve"] = html_page(VALVE.html(head='<link rel="canonical" href="/valve">'))
    heard = crawl("/?x=1", Bounds(depth=0))
    imports, _ = imports_of(heard.found, Path("out"))
    assert [each.name for each in imports] == [f"{web.url}/valve"]

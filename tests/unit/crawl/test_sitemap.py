from __future__ import annotations

import gzip
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.crawl.sitemap import read_sitemap

SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urls(*pages: str) -> bytes:
    return f"<urlset {SPACE}>{''.join(f'<url><loc>{page}</loc></url>' for page in pages)}</urlset>".encode()


BOMB = (
    b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa">%b]><urlset><url><loc>&k;</loc></url></urlset>"""
    % (b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(10)))
)
OUTSIDE = b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>&x;</loc></url></urlset>'


TYPED = "it has a document type, which no sitemap has"
BROKEN = "it is no proper XML: "
IMAGE = b"<urlset><loc>/a</loc><url><x:image xmlns:x='y'><x:loc>/b</x:loc></x:image></url></urlset>"


@pytest.mark.parametrize(
    ("data", "pages", "maps", "fault"),
    [
        (urls("/a", " /b?c&amp;d "), ("/a", "/b?c&d"), (), ""),
        (b"\xef\xbb\xbf \n" + urls("/a"), ("/a",), (), ""),
        (gzip.compress(urls("/a"), mtime=0), ("/a",), (), ""),
        (b"<urlset><url><loc><![CDATA[/a]]></loc><lastmod>x</lastmod></url></urlset>", ("/a",), (), ""),
        (b"<sitemapindex><sitemap><loc>/a.xml</loc></sitemap></sitemapindex>", (), ("/a.xml",), ""),
        (IMAGE, ("/b",), (), ""),
        (
            b"http://h.example/a\r\nhttps://h.example/b\nno\n",
            ("http://h.example/a", "https://h.example/b"),
            (),
            "",
        ),
        (b"", (), (), ""),
        (b"<html><body>no such page", (), (), BROKEN),
        (urls("/a")[:-9], ("/a",), (), BROKEN),
        (BOMB, (), (), TYPED),
        (OUTSIDE, (), (), TYPED),
        (b"\x1f\x8bno", (), (), "its gzip data is damaged"),
        (b'<?xml version="1.0" encoding="no-such"?><a/>', (), (), BROKEN),
        (urls("/" + "a" * 3000, "/b"), ("/b",), (), ""),
    ],
)
def test_what_a_sitemap_names(data: bytes, pages: tuple[str, ...], maps: tuple[str, ...], fault: str) -> None:
    found = read_sitemap(data)
    assert (found.pages, found.maps) == (pages, maps)
    assert found.fault.startswith(fault)
    assert bool(found.fault) is bool(fault)


def test_a_sitemap_is_bounded() -> None:
    found = read_sitemap(urls(*(f"/{number}" for number in range(60_000))))
    assert len(found.pages) == 50_000
    assert "50,000 addresses" in found.fault
    assert len(read_sitemap(b"http://h.example/\n" * 60_000).pages) == 50_000
    bomb = gzip.compress(bytes(60 * 1024 * 1024), mtime=0)
    assert "more than 52428800 bytes" in read_sitemap(bomb).fault


def test_hostile_xml_costs_little() -> None:
    start = time.perf_counter()
    for text in (
        BOMB,
        b"<a>" * 1_000_000,
        b"<" * 1_000_000,
        b"<a b='" + b"x" * 3_000_000,
        b"<url><loc>" + b"&amp;" * 1_000_000,
    ):
        read_sitemap(text)
    assert time.perf_counter() - start < 10


@given(st.binary(max_size=80) | st.text(alphabet="<>/urlocsitemap &;!x=\"'", max_size=80).map(str.encode))
def test_any_bytes_are_read(data: bytes) -> None:
    read_sitemap(data)

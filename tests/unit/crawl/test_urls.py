from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.crawl.urls import normalised, resolved, site_of

BASE = "https://host.example/a/b?c=d"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("", BASE),
        ("#x", BASE),
        ("e", "https://host.example/a/e"),
        ("./e/../f", "https://host.example/a/f"),
        ("../../../e", "https://host.example/e"),
        ("/e?f#g", "https://host.example/e?f"),
        ("/e?", "https://host.example/e"),
        ("?x=1&amp;y", "https://host.example/a/b?x=1&amp;y"),
        (" \n/e\t ", "https://host.example/e"),
        ("/e\nf", "https://host.example/ef"),
        ("//other.example", "https://other.example/"),
        ("HTTPS://HOST.Example.:443/E", "https://host.example/E"),
        ("http://host.example:80", "http://host.example/"),
        ("http://host.example:8080", "http://host.example:8080/"),
        ("https://host.example/%7ea%2fb%zz%C3%a9", "https://host.example/~a%2Fb%25zz%C3%A9"),
        ("/é e", "https://host.example/%C3%A9%20e"),
        ("/a?q=é e%zz%2f", "https://host.example/a?q=%C3%A9%20e%25zz%2F"),
        ("/a/%2e%2E/b", "https://host.example/b"),
        ("https://host.example/a/./b/../c/..", "https://host.example/a/"),
        ("\\e\\f", "https://host.example/e/f"),
        ("//a//b//", "https://a//b//"),
        ("/\ud800", "https://host.example/%ED%A0%80"),
        ("http://[::1]:8080/", "http://[::1]:8080/"),
        ("mailto:a@host.example", None),
        ("javascript:alert(1)", None),
        ("file:///etc/passwd", None),
        ("https://u:p@host.example/", None),
        ("https://host.example:99999/", None),
        ("https://[::1/", None),
        ("https:", BASE),
        ("https://h\u00f6st.example/", None),
        ("/" + "a" * 5000, None),
        ("/" + "\u00e9" * 1000, None),
    ],
)
def test_where_a_link_leads(href: str, url: str | None) -> None:
    assert resolved(BASE, href) == url


@given(
    st.text(max_size=60)
    | st.text(alphabet="ab./%2eE?#:@[]\\é &", max_size=40).map("https://h.example/".__add__)
)
def test_there_is_one_spelling(href: str) -> None:
    url = resolved(BASE, href)
    if url is not None:
        assert normalised(url) == url
        assert resolved(BASE, url) == url
        assert url.isascii()
        assert "#" not in url
        assert site_of(url)[0] in {"http", "https"}


def test_a_site_is_scheme_host_and_port() -> None:
    urls = ["https://h.example/a", "http://h.example/a", "https://h.example:444/a", "https://g.example/a"]
    assert len({site_of(url) for url in urls}) == 4
    assert site_of("https://h.example/a") == site_of("https://h.example/b?c")

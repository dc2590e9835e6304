from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.site import HTML, EvidencePage

from provenance.crawl.reading import MOST_LINKS, Read, read_body
from provenance.documents.pages import Page
from provenance.errors import PageError
from provenance.origin.web import Body, How

URL = "https://host.example/a/b"
TEXT = EvidencePage().text()


def read(data: bytes | str, type_: str = HTML, robots: str = "") -> Read:
    body = Body(data.encode() if isinstance(data, str) else data, type_, robots, How.ASKED)
    return read_body(body, URL, "name")


@pytest.mark.parametrize(
    ("html", "links"),
    [
        ('<a href="c">', ("https://host.example/a/c",)),
        ('<base href="/d/"><a href="c"><a href="c#x">', ("https://host.example/d/c",)),
        ('<base href="javascript:x"><a href="c">', ("https://host.example/a/c",)),
        ('<a href="c" rel="nofollow"><a href="d" rel="NoFollow noopener"><a href="mailto:x">', ()),
        ('<meta name="robots" content="none"><a href="c">', ()),
        ("<!-- <a href=c> --><script>'<a href=c>'</script>", ()),
    ],
)
def test_where_a_page_links_to(html: str, links: tuple[str, ...]) -> None:
    assert read(html).links == links


def test_links_are_bounded() -> None:
    found = read("".join(f"<a href={number}>" for number in range(MOST_LINKS + 1)))
    assert found.has_more
    assert len(found.links) == MOST_LINKS
    assert not read("<a href=c>").has_more


@pytest.mark.parametrize(
    ("data", "type_", "is_page"),
    [
        (TEXT, "text/plain", True),
        (TEXT, "", True),
        (TEXT, HTML, False),
        (EvidencePage().html(), HTML, True),
        (EvidencePage().html(), "application/xhtml+xml", True),
        ("\n" + EvidencePage().html(), "", True),
        (EvidencePage().html(), "text/plain", False),
        ("", HTML, False),
        ("", "text/plain", False),
    ],
)
def test_the_type_tells_how_a_page_is_read(data: str, type_: str, is_page: bool) -> None:
    assert isinstance(read(data, type_).evidence, Page) is is_page


@pytest.mark.parametrize(("type_", "data"), [("text/plain", TEXT), (HTML, EvidencePage().html())])
def test_a_page_that_is_not_to_be_indexed_is_not_read(type_: str, data: str) -> None:
    found = read(data, type_, "noindex")
    assert found.evidence is None
    assert not found.is_indexed


@pytest.mark.parametrize(("type_", "data"), [("text/plain", TEXT), (HTML, EvidencePage().html())])
def test_evidence_that_cannot_be_read_is_an_error(type_: str, data: str) -> None:
    found = read(data.replace("lines 1–2", "lines 2–1"), type_).evidence
    assert isinstance(found, PageError)
    assert found.position.file == "name"


@given(
    st.binary(max_size=100)
    | st.text(max_size=80).map(lambda text: f"{TEXT}{text}".encode("utf-8", "replace")),
    st.sampled_from(
        [HTML, "", "text/plain; charset=utf-16", "text/html; charset=gbk", "application/xhtml+xml"]
    ),
    st.text(max_size=20),
)
def test_any_answer_can_be_read(data: bytes, type_: str, robots: str) -> None:
    assert isinstance(read(data, type_, robots), Read)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.elements import check_sheet

from provenance.document import Sheet
from provenance.documents.formats import FORMATS, format_of, is_document, read_document
from provenance.documents.unreadable import Unreadable
from provenance.links.forges import NO_HOSTS

URL = f"https://github.com/owner/name/blob/{'0' * 40}/a.py#L1"


@pytest.mark.parametrize(
    ("name", "called", "walked"),
    [
        ("README.md", "Markdown", True),
        ("docs/A.MARKDOWN", "Markdown", True),
        ("a.mdx", "Markdown", True),
        ("a.qmd", "Markdown", True),
        ("a.Rmd", "Markdown", True),
        ("a.htm", "HTML", True),
        ("a.b.xhtml", "HTML", True),
        ("a.rst", "reStructuredText", True),
        ("a.ipynb", "a notebook", True),
        ("a.py", "Python", False),
        ("a.pyi", "Python", False),
        ("a.txt", "plain text", True),
        ("docs/README", "plain text", True),
        ("docs.md/Makefile", "plain text", False),
        ("docs.md\\NOTES", "plain text", True),
        (".md", "plain text", False),
        ("a.go", None, False),
        ("a.", None, False),
    ],
)
def test_formats_by_name(name: str, called: str | None, walked: bool) -> None:
    found = format_of(name)
    assert (None if found is None else found.name) == called
    assert is_document(name) is walked


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.md", f"a\n\n[b]({URL})\n", 3),
        ("a.html", f"<p>a\n<a href='{URL}'>b</a>", 2),
        ("a.rst", f"a\n=\n\n`b <{URL}>`_\n", 4),
        ("a.ipynb", f'{{"cells": [{{"cell_type": "markdown", "source": ["a\\n", "[b]({URL})"]}}]}}', 2),
        ("a.py", f"x = 1\n# {URL}\n", 2),
        ("a.txt", f"a\n\n{URL}", 3),
        ("README", URL, 1),
    ],
)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_format_is_read(name: str, text: str, line: int, bom: bytes, end: str) -> None:
    read = read_document(bom + text.replace("\n", end).encode(), name, NO_HOSTS)
    assert isinstance(read, Sheet)
    assert [(mention.raw, mention.raw_line) for mention in read.mentions] == [(URL, line)]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("# a\n\nb <code>c</code>\n<a href='d'>e</a>\n\n```\nf\n```\n", ["f"]),
        ("a\n\n```\nb\n```\n\n<p>c</p>\n", ["b"]),
        ("<p>a</p>\n\n```\nb\n```\n", []),
        ("<P>\n```\na\n```", []),
        ("<!doctype html>\n```\na\n```", []),
        ("<pre>a</pre>\n```\nb\n```", ["a"]),
    ],
)
def test_a_page_without_tags_is_markdown(text: str, blocks: list[str]) -> None:
    read = read_document(text.encode(), "a.html", NO_HOSTS)
    assert isinstance(read, Sheet)
    assert [block.text for block in read.blocks] == blocks


def test_crlf_in_code() -> None:
    read = read_document(b"```\r\na\r\nb\r\n```\r\n", "a.md", NO_HOSTS)
    assert isinstance(read, Sheet)
    assert [(block.text, block.where.last) for block in read.blocks] == [("a\nb", 4)]


def test_other_encodings() -> None:
    read = read_document(b"```\n\xe9\n```", "a.md", NO_HOSTS)
    assert isinstance(read, Sheet)
    assert [block.text for block in read.blocks] == ["\xe9"]


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (b"\0", "a.md", "binary content"),
        (b"{", "a.ipynb", "it is no notebook: Expecting property name"),
        (b"a", "a.exe", "no kind of document has this ending; known are .md .markdown"),
    ],
)
def test_what_cannot_be_read(data: bytes, name: str, message: str) -> None:
    outcome = read_document(data, name, NO_HOSTS)
    assert isinstance(outcome, Unreadable)
    assert outcome.message.startswith(message)


@pytest.mark.parametrize("suffix", [each.suffixes[0] for each in FORMATS])
@given(st.text() | st.binary())
def test_any_file_is_read(suffix: str, content: str | bytes) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    outcome = read_document(data, f"a{suffix}", NO_HOSTS)
    if isinstance(outcome, Sheet) and isinstance(content, str) and suffix in {".md", ".txt", ".py"}:
        check_sheet(outcome, content.removeprefix("\ufeff").replace("\r\n", "\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"[a]({URL})",
        "[a](b.py#L7)",
        "[a](b.py#lines-7:9)",
        "[a](b.py&#35;L7)",
        "github.com/owner/name/blob/main/a.py#L1",
        f"swh:1:cnt:{'0' * 40};lines=7",
        "HTTPS://github.com/owner/name/blob/main/a.py#L1",
    ],
)
def test_what_may_be_a_link_is_read_closely(text: str) -> None:
    found = read_document(text.encode(), "a.md", NO_HOSTS, plain=False)
    assert isinstance(found, Sheet)
    assert found.mentions


def test_a_document_without_links_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.documents.markdown.reading.read_markdown", None)
    assert read_document(b"a.py:10-20 says so", "a.md", NO_HOSTS, plain=False) == Sheet((), ())
    assert isinstance(read_document(b"\0", "a.md", NO_HOSTS, plain=False), Unreadable)
    assert isinstance(read_document(b"{", "a.ipynb", NO_HOSTS, plain=False), Unreadable)


def test_plain_places_count_where_they_mean_something() -> None:
    found = read_document(b"a.py:10-20 says so", "a.md", NO_HOSTS)
    assert isinstance(found, Sheet)
    assert len(found.mentions) == 1


@pytest.mark.parametrize(
    ("name", "definition", "use"), [("a.md", "[x]: {}\n\n", "[x] "), ("a.rst", ".. _x: {}\n\n", "x_ ")]
)
def test_a_long_link_that_is_used_often_is_no_way_to_fill_the_memory(
    name: str, definition: str, use: str
) -> None:
    text = definition.format(URL.replace("a.py", "a" * 8000)) + use * 2500
    found = read_document(text.encode(), name, NO_HOSTS)
    assert isinstance(found, Unreadable)
    assert "used often" in found.message
    assert isinstance(read_document((definition.format(URL) + use * 2500).encode(), name, NO_HOSTS), Sheet)

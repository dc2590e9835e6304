from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.links.anchors import Anchor
from provenance.links.finding import find_in
from provenance.links.reading import read_link
from provenance.links.targets import ContentLink, PlainPlace

BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
CORE = f"swh:1:cnt:{BLOB}"
GITHUB = "https://github.com/o/r"


def urls(text: str) -> list[str]:
    return [found.target for found in find_in(text) if isinstance(found.target, str)]


def places(text: str) -> list[tuple[str, Anchor]]:
    return [
        (found.target.path, found.target.anchor)
        for found in find_in(text)
        if isinstance(found.target, PlainPlace)
    ]


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see https://x.org/a.", "https://x.org/a"),
        ("see https://x.org/a, and", "https://x.org/a"),
        ("(https://x.org/a)", "https://x.org/a"),
        ("(see https://x.org/a_(b))", "https://x.org/a_(b)"),
        ("https://x.org/a_(b)", "https://x.org/a_(b)"),
        ("[https://x.org/a]", "https://x.org/a"),
        ("<https://x.org/a>", "https://x.org/a"),
        ('"https://x.org/a"', "https://x.org/a"),
        ("'https://x.org/a'", "https://x.org/a"),
        ("**https://x.org/a**", "https://x.org/a"),
        ("`https://x.org/a`", "https://x.org/a"),
        ("https://x.org/a?b=1&c;", "https://x.org/a?b=1"),
        ("https://x.org/a?b=1&amp;", "https://x.org/a?b=1"),
        ("https://x.org/{a}/b", "https://x.org/{a}/b"),
        ("\\url{https://x.org/a}", "https://x.org/a"),
        ("\\href{https://x.org/a}{text}", "https://x.org/a"),
        ("https://x.org/a!?", "https://x.org/a"),
        ("https://x.org/a\nb", "https://x.org/a"),
        ("https://x.org/a\ufffcb", "https://x.org/a"),
        ("見てhttps://x.org/a。", "https://x.org/a"),
        ("HTTP://x.org/a", "HTTP://x.org/a"),
        (f"// {GITHUB}/blob/main/a.py#L10-L20", f"{GITHUB}/blob/main/a.py#L10-L20"),
        (f"{GITHUB}/blob/main/a\\_b.py#L1", f"{GITHUB}/blob/main/a\\_b.py#L1"),
        ("see github.com/o/r/blob/main/a.py#L10.", "github.com/o/r/blob/main/a.py#L10"),
        (f"{GITHUB}/blob/main/a.py#L10).", f"{GITHUB}/blob/main/a.py#L10"),
    ],
)
def test_a_url_ends_where_the_sentence_goes_on(text: str, url: str) -> None:
    assert urls(text) == [url]
    found = next(find_in(text))
    assert (found.raw, text[found.start : found.end]) == (url, url)


@pytest.mark.parametrize("text", ["xhttps://x.org/a", "https://", "http:/x", "svn+https://x.org/a"])
def test_what_is_no_url(text: str) -> None:
    assert urls(text) in ([], ["https://"])


@pytest.mark.parametrize(
    ("text", "url"),
    [
        (f"See {CORE}.", CORE),
        (f"({CORE};lines=9-15)", f"{CORE};lines=9-15"),
        (
            f"{CORE};origin={GITHUB};\n  path=/a.py;\n  lines=9-15, where",
            f"{CORE};origin={GITHUB};path=/a.py;lines=9-15",
        ),
        (f"# {CORE};\n#   origin={GITHUB}\n#   ;lines=9\n# more", f"{CORE};origin={GITHUB};lines=9"),
        (f"{CORE}\\;lines=9", f"{CORE};lines=9"),
        (
            f"https://archive.softwareheritage.org/{CORE};\n origin={GITHUB};\n lines=9",
            f"https://archive.softwareheritage.org/{CORE};origin={GITHUB};lines=9",
        ),
    ],
)
def test_an_swhid_is_found_over_line_ends(text: str, url: str) -> None:
    assert urls(text) == [url]
    assert isinstance(read_link(url), ContentLink)


def test_an_swhid_that_is_cut_short_is_found() -> None:
    assert urls("see swh:1:cnt:abc.") == ["swh:1:cnt:abc"]
    assert urls(f"{CORE};colour=red") == [CORE]


@pytest.mark.parametrize(
    ("text", "path", "anchor", "raw"),
    [
        ("see a/b.py:10-20.", "a/b.py", Anchor(10, 20), "a/b.py:10-20"),
        ("see a/b.py:10\u201320.", "a/b.py", Anchor(10, 20), "a/b.py:10\u201320"),
        ("b.py:10", "b.py", Anchor(10, 10), "b.py:10"),
        ("b.py:10:5: error", "b.py", Anchor(10, 10, 5), "b.py:10:5"),
        ("(b.py:L10-L20)", "b.py", Anchor(10, 20), "b.py:L10-L20"),
        ("b.py#L10-L20", "b.py", Anchor(10, 20), "b.py#L10-L20"),
        ("b.py#L10", "b.py", Anchor(10, 10), "b.py#L10"),
        ("b.py L10-20", "b.py", Anchor(10, 20), "b.py L10-20"),
        ("`b.py` lines 10\u201320", "b.py", Anchor(10, 20), "b.py` lines 10\u201320"),
        ("`b.py`, line 10", "b.py", Anchor(10, 10), "b.py`, line 10"),
        ("b.py (lines 10\u201320)", "b.py", Anchor(10, 20), "b.py (lines 10\u201320"),
        ("b.py (L10-L20)", "b.py", Anchor(10, 20), "b.py (L10-L20"),
        ("b.py lines 10 to 20", "b.py", Anchor(10, 20), "b.py lines 10 to 20"),
        ("b.py at line 7", "b.py", Anchor(7, 7), "b.py at line 7"),
        ("lines 10-20 of `b.py`", "b.py", Anchor(10, 20), "lines 10-20 of `b.py"),
        ("Line 3 in the file a/b.rs.", "a/b.rs", Anchor(3, 3), "Line 3 in the file a/b.rs"),
        ("lines 20-10 of b.py", "b.py", Anchor(20, 10), "lines 20-10 of b.py"),
        ("File: a/b.py:10", "a/b.py", Anchor(10, 10), "a/b.py:10"),
        ("./a/b.py:10", "a/b.py", Anchor(10, 10), "./a/b.py:10"),
        ("src\\a.c:7", "src/a.c", Anchor(7, 7), "src\\a.c:7"),
        (
            ".github/workflows/ci.yml:3",
            ".github/workflows/ci.yml",
            Anchor(3, 3),
            ".github/workflows/ci.yml:3",
        ),
        ("Makefile:12", "Makefile", Anchor(12, 12), "Makefile:12"),
        ("`b.py`\nlines 1-2", "b.py", Anchor(1, 2), "b.py`\nlines 1-2"),
    ],
)
def test_a_plain_place(text: str, path: str, anchor: Anchor, raw: str) -> None:
    assert places(text) == [(path, anchor)]
    assert next(find_in(text)).raw == raw


@pytest.mark.parametrize(
    "text",
    [
        "example.com:8080",
        "localhost:8080",
        "at 12:30",
        "v1.2.3:4",
        "1.5:1",
        "node.js:18",
        "b.py",
        "b.py 10",
        "b.py: 10",
        '"b.py": 10',
        "b.py:10%",
        "b.py:10.5",
        "b.py:1:2:3",
        "b.py:10abc",
        "line 10",
        "lines 10-20 of the poem",
        'File "/usr/lib/a.py", line 10, in f',
        "/usr/lib/a.py:10",
        "../a.py:10",
        "git@example.org:o/r.py:10",
        "ssh://example.org/a.py:10",
        "https://example.org/a.py:10",
        "a.unknown:10",
        ".py:10",
        "$HOME/a.py:10",
        "a.py#LL10",
        "golang.org/x/net/a.go:10",
        "me@github.com/a.py:10",
    ],
)
def test_what_is_no_place(text: str) -> None:
    assert places(text) == []


def test_the_text_of_a_markdown_link_is_not_the_link() -> None:
    assert urls("[https://x.org/a](https://x.org/b) [x](https://x.org/c[1])") == [
        "https://x.org/a",
        "https://x.org/b",
        "https://x.org/c[1]",
    ]


def test_several_are_found_in_order() -> None:
    text = f"a.c:3-5;b.c:4, lines 1-2 of c.py and {GITHUB}/blob/main/x.py#L3 (d.py:9); lines 5-6 in e.py"
    assert [
        found.target if isinstance(found.target, str) else found.target.path for found in find_in(text)
    ] == [
        "a.c",
        "b.c",
        "c.py",
        f"{GITHUB}/blob/main/x.py#L3",
        "d.py",
        "e.py",
    ]


def test_lines_belong_to_the_file_that_they_are_of() -> None:
    assert places("lines 1-2 of a.py, lines 3-4 of b.py") == [("a.py", Anchor(1, 2)), ("b.py", Anchor(3, 4))]
    assert places("a.py, lines 3-4 of b.py") == [("b.py", Anchor(3, 4))]
    assert places("lines 1-2 of a.py:3") == [("a.py", Anchor(3, 3))]


PIECES = ["https://", "x.org", "/", "(", ")", "[", "]", ".", ",", "&amp;", ";", "a.py", ":", "10", "-", "#L", " ", "\n",
          "lines ", " of ", "`", CORE, ";lines=", "swh:1:cnt:", "\\", "@", "\ufffc", "é", "'"]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_whatever_is_found_lies_in_the_text_in_order(text: str) -> None:
    done = 0
    for found in find_in(text):
        assert done <= found.start < found.end <= len(text)
        assert found.raw == text[found.start : found.end]
        done = found.end


@pytest.mark.parametrize(
    "piece",
    ["https://", "https://x.org/", "a/", "a.", "a\\", "lines 1 of ", "line ", "(", "https://x/)", "&a", "swh:1:cnt:a;",
     "swh:1:cnt:a;lines=", "https://a.", ";\n", "a.py", "a.py:", "`", "1", " ", "a.py lines 1-", "@"],
)  # fmt: skip
def test_time_grows_with_the_text_alone(piece: str) -> None:
    def took(size: int) -> float:
        text = piece * (size // len(piece))
        start = time.process_time()
        for _ in find_in(text):
            pass
        return time.process_time() - start

    small, large = took(20_000), took(160_000)
    assert large < 40 * max(small, 0.01)

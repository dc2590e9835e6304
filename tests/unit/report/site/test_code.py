from __future__ import annotations

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.report.inert import visible
from provenance.report.site import colour
from provenance.report.site.code import Lines, line_html, seen
from provenance.report.site.colour import Colours, Piece

ANY = st.text(st.characters(), max_size=30)


def bare(html: str) -> str:
    """What a browser shows of HTML."""
    return unescape(re.sub(r"<[^>]*>", "", html))


@given(ANY)
def test_text_is_shown_whole_and_nothing_of_it_is_hidden(text: str) -> None:
    assert bare(seen(text)) == visible(text)


def test_a_sign_that_would_hide_is_told_from_its_spelling() -> None:
    assert seen("a\u202e\\u202e") == r'a<span class="hidden-sign">\u202e</span>\u202e'


@given(
    st.lists(st.tuples(st.sampled_from(["", "k", "s"]), ANY), max_size=5),
    st.lists(st.integers(0, 40), max_size=6),
)
def test_marks_cut_a_line_without_losing_of_it(pairs: list[tuple[str, str]], edges: list[int]) -> None:
    line = "".join(text for _, text in pairs)
    edges = sorted({edge for edge in edges if edge <= len(line)})
    marks = list(zip(edges[::2], edges[1::2], strict=False))
    html = line_html([Piece(*pair) for pair in pairs], marks, "del")
    assert bare(html) == visible(line)
    marked = re.findall(r"<del>(.*?)</del>", html, re.DOTALL)
    assert [bare(part) for part in marked] == [visible(line[start:end]) for start, end in marks]


def test_a_line_that_nobody_reads_is_cut() -> None:
    html = Lines(["x" * 5_000]).html(0, [(1_990, 4_000)])
    assert "3,000 more characters" in html
    assert html.count("x") == 2_000
    assert html.count("<mark>") == html.count("</mark>") == 1


@pytest.mark.parametrize(
    ("path", "text", "styles"),
    [
        ("a.py", 'def f():\n    return "x"  # why', {"k", "f", "s", "c"}),
        ("a.c", "#include <a.h>\nint x = 3;", {"p", "k", "m"}),
        ("a.py", "a\rb = 1\n\n\n", {"m"}),
    ],
)
def test_code_is_coloured_line_by_line(path: str, text: str, styles: set[str]) -> None:
    lines = Colours().lines(text, path, None)
    assert lines is not None
    assert ["".join(piece.text for piece in line) for line in lines] == text.split("\n")
    assert styles <= {piece.style for line in lines for piece in line}


@pytest.mark.parametrize(
    ("text", "path"), [("a", "no.such-language"), ("x = 1\n" * 40_000, "a.py"), ("#" + "x" * 3_000, "a.py")]
)
def test_what_is_too_large_or_in_no_known_language_stays_as_it_is(text: str, path: str) -> None:
    assert Colours().lines(text, path, None) is None


def test_a_run_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colour, "_IN_ALL", 25)
    colours = Colours()
    made = [colours.lines("[1, 2, 34]", "a.json", "json") is not None for _ in range(3)]
    assert made == [True, True, False]

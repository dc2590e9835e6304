"""HTML documents: blocks, links and prose with their places."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.document import STAND_IN, Block, Ignore, Link, Prose
from provenance.documents.html import Comment, End, Reader, Tag, Text, link_of, read_html, tokens
from provenance.documents.numbering import Numbering


def _blocks(text: str) -> list[Block]:
    return [each for each in read_html(text) if isinstance(each, Block)]


def _links(text: str) -> list[Link]:
    return [each for each in read_html(text) if isinstance(each, Link)]


def _prose(text: str) -> list[Prose]:
    return [each for each in read_html(text) if isinstance(each, Prose)]


NUMBERS = '<td class="blob-num" data-line-number="1">1</td>'


@pytest.mark.parametrize(
    ("text", "shown", "first", "line", "last"),
    [
        pytest.param("<pre>a\nb</pre>", "a\nb", 1, 1, 2, id="pre"),
        pytest.param(
            "<p>x\n<pre>\na &lt; b\n</pre>\n", "a < b", 3, 2, 4, id="the first line break is no text"
        ),
        pytest.param("<pre>\n\na</pre>", "\na", 2, 1, 3, id="the second one is"),
        pytest.param("<pre\n  class=x>a</pre>", "a", 2, 1, 2, id="a tag on two lines"),
        pytest.param("<pre>\r\na\r\nb\r\n</pre>", "a\nb", 2, 1, 4, id="CRLF"),
        pytest.param("<pre>a<br>b</pre>", "a\nb", 1, 1, 1, id="br"),
        pytest.param("<pre><span class=n>a</span><b> = 1</b></pre>", "a = 1", 1, 1, 1, id="spans"),
        pytest.param("<pre>a <!-- no --> b</pre>", "a  b", 1, 1, 1, id="a comment in code"),
        pytest.param(
            "<pre><span class=linenos>1 </span>a</pre>", "a", 1, 1, 1, id="numbers within the lines"
        ),
        pytest.param("<pre>a<button>Copy</button></pre>", "a", 1, 1, 1, id="a button"),
        pytest.param("<pre><div>a</div><div></div><div>b</div></pre>", "a\n\nb", 1, 1, 1, id="a box a line"),
        pytest.param("<pre><ol>\n<li>a\n<li>b\n</ol></pre>", "a\nb", 2, 1, 4, id="an item a line"),
        pytest.param(
            '<ol class="linenums">\n<li>a</li>\n<li>b</li></ol>', "a\nb", 2, 1, 3, id="a list of lines"
        ),
        pytest.param("<pre>a", "a", 1, 1, 1, id="never closed"),
        pytest.param("<xmp><b>&amp;</b></xmp>", "<b>&amp;</b>", 1, 1, 1, id="xmp"),
        pytest.param(
            f'<table>\n<tr>{NUMBERS}<td class="blob-code">a</td></tr>\n<tr>{NUMBERS}<td class="blob-code">\n</td></tr>'
            f'<tr>{NUMBERS}<td class="blob-code">  b</td></tr></table>',
            "a\n\n  b",
            2,
            1,
            4,
            id="a forge's table",
        ),
        pytest.param(
            '<table><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td>\n'
            '<td class="code"><div>\n<pre><span></span>a\nb\n</pre></div></td></tr></table>',
            "a\nb",
            4,
            1,
            6,
            id="a table of two columns",
        ),
        pytest.param(
            "<table><tr><td class=gutter><pre>1</pre><td class=code><pre>a</pre></table>",
            "a",
            1,
            1,
            1,
            id="gutter",
        ),
    ],
)
def test_blocks(text: str, shown: str, first: int, line: int, last: int) -> None:
    (block,) = _blocks(text)
    assert (block.text, block.first, block.where.line, block.where.last) == (shown, first, line, last)


@pytest.mark.parametrize(
    "text",
    [
        "<pre> \n </pre>",
        "<textarea>a</textarea>",
        "<script>document.write('<pre>a</pre>')</script>",
        "<template><pre>a</pre></template>",
        "<table><tr><td class=code>a plain cell</td></tr></table>",
        "<!-- <pre>a</pre> -->",
    ],
)
def test_no_block(text: str) -> None:
    assert _blocks(text) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("<pre>a</pre>", ""),
        ('<pre><code class="language-Python">a</code></pre>', "python"),
        ('<pre class="lang-c++">a</pre>', "c++"),
        ('<pre class="brush: js; gutter: false">a</pre>', "js"),
        ('<pre lang="go"><code>a</code></pre>', "go"),
        ('<pre class="sourceCode rust"><code class="sourceCode rust">a</code></pre>', "rust"),
        ('<pre><code class="hljs c">a</code></pre>', "c"),
        ('<pre><code data-lang="sh">a</code></pre>', "sh"),
        (
            '<div class="highlight-python3 notranslate"><div class="highlight"><pre>a</pre></div></div>',
            "python3",
        ),
        ('<div class="highlight highlight-source-js"><pre>a</pre></div>', "js"),
        ('<div class="highlight-default notranslate"><pre>a</pre></div>', ""),
        (
            '<figure class="highlight ruby"><table><tr><td class="code"><pre>a</pre></td></tr></table></figure>',
            "ruby",
        ),
        ('<div class="language-python"><pre>b</pre></div><pre>a</pre>', ""),
    ],
)
def test_language(text: str, language: str) -> None:
    assert _blocks(text)[-1].language == language


@pytest.mark.parametrize(
    ("text", "title", "caption"),
    [
        ("<pre title='a.py'>x</pre>", "a.py", None),
        ("<pre><code data-filename='a.py'>x</code></pre>", "a.py", None),
        (
            "<figure><pre>x</pre><figcaption>From <a href=u>a.py</a></figcaption></figure>",
            "From a.py",
            (1, 2),
        ),
        ("<figure><figcaption><a href=u>a.py</a></figcaption><pre>x</pre></figure>", "a.py", (0, 0)),
        ("<div class='code-block-caption'>a.py</div><div><pre>x</pre></div>", "a.py", (0, 0)),
        ("<div><div class='code-block-caption'>a.py</div></div><div><pre>x</pre></div>", "", None),
        ("<div class='highlight'><span class='filename'>a.py</span><pre>x</pre></div>", "a.py", (0, 0)),
        ("<table><caption>a.py</caption><tr><td class='blob-code'>x</td></table>", "a.py", (0, 0)),
        ("<figure><pre>x</pre></figure><figcaption>a.py</figcaption>", "", None),
    ],
)
def test_captions(text: str, title: str, caption: tuple[int, int] | None) -> None:
    (block,) = _blocks(text)
    assert (block.title, block.caption) == (title, caption)


@pytest.mark.parametrize(
    ("text", "url", "raw", "raw_line", "shown"),
    [
        ("<a href='a.py#L1'>x</a>", "a.py#L1", "a.py#L1", 1, "x"),
        ("<a href=a.py#L1>x</a>", "a.py#L1", "a.py#L1", 1, "x"),
        (
            '<a\n class="b"\n href="?a=1&amp;b=2&sect=3">x\ny</a>',
            "?a=1&b=2&sect=3",
            "?a=1&amp;b=2&sect=3",
            3,
            "x\ny",
        ),
        ('<a href="&#x61;&#98">x</a>', "ab", "&#x61;&#98", 1, "x"),
        ('<a href="\n u ">x</a>', "u", "u", 2, "x"),
        ("<A HREF='u' href='v'>x</A>", "u", "u", 1, "x"),
        ("<a href='u'>x", "u", "u", 1, "x"),
        ("<a href='u'><h2>x</h2> y</a>z", "u", "u", 1, "x y"),
        ("<a href='u'>x<p></a>z", "u", "u", 1, "x"),
        ("<blockquote cite='u'>x</blockquote>", "u", "u", 1, ""),
        (
            "<iframe src='https://example.org/a'></iframe>",
            "https://example.org/a",
            "https://example.org/a",
            1,
            "",
        ),
        (
            "<div data-permalink='https://example.org/a'></div>",
            "https://example.org/a",
            "https://example.org/a",
            1,
            "",
        ),
        (
            "<script src='https://emgithub.com/embed-v2.js?target=https%3A%2F%2Fexample.org%2Fa%23L1&amp;style=x'></script>",
            "https://example.org/a#L1",
            "https%3A%2F%2Fexample.org%2Fa%23L1",
            1,
            "",
        ),
        ("<pre>a <a href='u'>x</a></pre>", "u", "u", 1, "x"),
    ],
)
def test_links(text: str, url: str, raw: str, raw_line: int, shown: str) -> None:
    (link,) = _links(text)
    assert (link.url, link.raw, link.raw_line, link.text) == (url, raw, raw_line, shown)


@pytest.mark.parametrize(
    "text",
    [
        "<a name=x>y</a>",
        "<a href=''>y</a>",
        "<img src=x data-src='https://example.org/a.png'>",
        "<script src='https://example.org/a.js'></script>",
        "<h1>x <a class=headerlink href='#x'>#</a></h1>",
        "<p data-count=3>",
        "<link rel=canonical href='https://example.org/'>",
    ],
)
def test_no_link(text: str) -> None:
    assert _links(text) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", [("a", 1)]),
        ("<p>a <b>b</b>\n c</p>", [("a b\n c", 1)]),
        ("a\n<p>b", [("a", 1), ("b", 2)]),
        ("<ul><li>a\n<li>b</ul>", [("a", 1), ("b", 2)]),
        ("<p>\n  a &amp; b\n</p>", [("a & b", 2)]),
        ("a&#10;b\nc", [("a b\nc", 1)]),
        (f"a {STAND_IN} b", [("a   b", 1)]),
        ("<p>a <a href=u\n>b\nc</a> d\ne", [(f"a {STAND_IN}\n\n d\ne", 1)]),
        ("a <b\n>b</b>", [("a \nb", 1)]),
        ("a <!-- c\nd --> b", [("a \n b", 1), ("c\nd", 1)]),
        ("<!--\n\n c -->", [("c", 3)]),
        ("<title>t</title><style>s</style><script>u</script>a", [("a", 1)]),
        ("<script>never closed a", []),
        ("<p><a href=u>b</a></p>", []),
        ("1 < 2 <", [("1 < 2 <", 1)]),
        ("a <b never ends", [("a <b never ends", 1)]),
        ("a<br>b", [("a b", 1)]),
        ("<h1>a</h1>b", [("a", 1), ("b", 1)]),
        ("a\r\nb", [("a\nb", 1)]),
        ("<?php a ?><!doctype html><!x>b", [("b", 1)]),
        ("&#" + "9" * 5000 + ";", [("\ufffd", 1)]),
    ],
)
def test_prose(text: str, shown: list[tuple[str, int]]) -> None:
    assert [(each.text, each.where.line) for each in _prose(text)] == shown


def test_sections_and_headings() -> None:
    found = list(read_html("a<h1>b</h1>c<h2>d</h2><pre>e</pre>"))
    assert [(each.where.section, each.where.heading) for each in found] == [
        (0, False),
        (1, True),
        (1, False),
        (2, True),
        (2, False),
    ]


@pytest.mark.parametrize(
    ("text", "depths"),
    [
        ("<ul><li>a<li>b</ul>c", [1, 1, 0]),
        ("<details><summary>a</summary><pre>b</pre></details><p>c", [1, 1, 0]),
        ("<table><tr><td>a<td>b<tr><td>c</table>", [1, 1, 1]),
        ("<ul><li>a<ul><li>b</ul>c</ul>", [1, 2, 1]),
        ("<div><p>a</div><div><p>b</div>", [0, 0]),
        ("<div><p>a<pre>b</pre></div><p>c", [1, 1, 0]),
        ("<div><table><tr><td></div>a</table>b</div>", [1, 0]),
        ("</div></li>a", [0]),
        ("<blockquote>" * 100 + "a", [32]),
    ],
)
def test_nests(text: str, depths: list[int]) -> None:
    assert [len(each.where.nest) for each in read_html(text)] == depths


def test_items_of_a_list_are_different_nests() -> None:
    a, b = _prose("<ul><li>a<li>b</ul>")
    assert a.where.nest != b.where.nest


def test_lines_begin_where_they_are_said_to() -> None:
    (prose,) = read_html("a", first_line=7)
    assert prose.where.line == 7


def test_pieces() -> None:
    numbering = Numbering()
    reader = Reader(numbering)
    reader.feed("<details>\n<summary>a</summary>", 3)
    around = reader.nest
    numbering.open_section()
    reader.enter()
    assert reader.nest[:-1] == around
    reader.feed("<div>\n</details></div><div>", 7)
    assert len(reader.nest) == 3
    reader.leave()
    assert reader.nest == around
    numbering.order += 1
    reader.feed("</details>", 9)
    assert len(reader.nest) == 0
    reader.feed("<pre>\n", 10)
    assert reader.preformatted
    reader.feed("b\n</pre>", 11)
    assert not reader.preformatted
    summary, block = reader.finish()
    assert isinstance(summary, Prose)
    assert (summary.where.line, summary.where.order, summary.where.nest) == (4, 0, around)
    assert isinstance(block, Block)
    assert (block.text, block.first, block.where.last) == ("b", 11, 12)
    assert block.where.order > summary.where.order + 1
    assert block.where.section == 1


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("<a/>", True),
        ("<a b/>", True),
        ("<a b=c/>", False),
        ("<a b=c />", True),
        ("<a b='c'/>", True),
        ("<a>", False),
    ],
)
def test_a_slash_before_the_end_of_a_tag(text: str, closed: bool) -> None:
    (tag,) = tokens(text)
    assert isinstance(tag, Tag)
    assert tag.closed is closed


@pytest.mark.parametrize(
    ("text", "kept", "dropped"),
    [
        ("a <b never ends", ["a <b never ends"], ["a "]),
        ("<b never ends", ["<b never ends"], []),
        ("a</b c='", ["a</b c='"], ["a"]),
        ("a<!b", ["a<!b"], ["a"]),
        ("a<b>c < d", ["a", "c < d"], ["a", "c < d"]),
        ("a <", ["a <"], ["a <"]),
    ],
)
def test_what_never_ends_is_text_or_dropped(text: str, kept: list[str], dropped: list[str]) -> None:
    assert [token.text for token in tokens(text) if isinstance(token, Text)] == kept
    assert [token.text for token in tokens(text, unended=False) if isinstance(token, Text)] == dropped


@pytest.mark.parametrize("name", ["button", "noscript", "select", "svg", "video"])
def test_what_is_left_open_in_an_element_that_holds_blocks_ends_with_it(name: str) -> None:
    assert [each.where.nest for each in _prose(f"<{name} class=lineno><div>a</{name}>b")] == [()]


def test_a_tag_within_a_line() -> None:
    (tag,) = tokens('<a\nhref="a&amp;b">', 4)
    assert isinstance(tag, Tag)
    address = link_of(tag)
    assert address is not None
    assert (address.url, address.raw, address.line) == ("a&b", "a&amp;b", 5)


# What must always hold

_PARTS = st.sampled_from(
    [
        "<",
        ">",
        "</",
        "<!--",
        "-->",
        "<a href='",
        '"',
        "'",
        "=",
        "&",
        "&amp;",
        "&#10;",
        "\n",
        "\r\n",
        "\u2028",
        "x",
        "y",
        "<pre>",
        "</pre>",
        "<div>",
        "</div>",
        "<li>",
        "<ul>",
        "</ul>",
        "<ol class=linenums>",
        "<details>",
        "<p>",
        "<xmp>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "<td class=blob-code>",
        "<td class=blob-num>",
        "<caption>",
        "<br>",
        "/>",
        "<h1>",
        "</h1>",
        "<figure>",
        "</figure>",
        "<figcaption>",
        "<div class=filename>",
        "<script>",
        "</script>",
        "<a href=u&amp;v>",
        "</a>",
        "<iframe src=v>",
        "<p cite='a\nb'>",
        "<![CDATA[",
        "<?",
        "<!x",
        "<title>",
        STAND_IN,
    ]
)
_TEXTS = st.lists(_PARTS | st.text(max_size=3), max_size=40).map("".join) | st.text()


@given(_TEXTS)
def test_any_text_is_read_and_everything_is_within_it(text: str) -> None:
    own = text.split("\n")
    found = list(read_html(text))
    assert [each.where.order for each in found] == list(range(len(found)))
    for each in found:
        assert 1 <= each.where.line <= each.where.last <= len(own)
        match each:
            case Link():
                assert text.count(each.raw)
                assert each.raw.split("\n")[0] in own[each.raw_line - 1]
            case Prose():
                assert each.where.last == each.where.line + each.text.count("\n")
                assert each.text.strip()
            case Ignore():
                assert "ignore" in text
            case Block():
                assert each.where.line <= each.first <= each.where.last
                if each.caption:
                    assert 0 <= each.caption[0] <= each.caption[1] < len(found)


@given(
    st.lists(
        st.sampled_from(["a ", "bc ", " ", "\n", "<a href=u>", "</a>", "<b\n>", "<!-- c\nd -->", "<i>"]),
        max_size=30,
    )
)
def test_each_line_of_prose_stands_on_its_line(parts: list[str]) -> None:
    own = "".join(parts).split("\n")
    for each in _prose("".join(parts)):
        for number, line in enumerate(each.text.split("\n"), each.where.line):
            assert all(word in own[number - 1] for word in line.replace(STAND_IN, " ").split())


class _Theirs(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(("<", tag + "".join(f" {name}={value or ''}" for name, value in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("</", tag))

    def handle_data(self, data: str) -> None:
        if self.found and self.found[-1][0] == "text":
            data = self.found.pop()[1] + data
        self.found.append(("text", data))

    def handle_comment(self, data: str) -> None:
        self.found.append(("!", data))


def _ours(text: str) -> list[tuple[str, str]]:
    found = []
    for token in tokens(text):
        match token:
            case Tag():
                found.append(
                    ("<", token.name + "".join(f" {each.name}={each.value}" for each in token.attributes))
                )
            case End():
                found.append(("</", token.name))
            case Text():
                found.append(("text", token.text))
            case Comment():
                found.append(("!", token.text))
    return found


_WELL_FORMED = st.lists(
    st.sampled_from(
        [
            "<p>",
            "</p>",
            '<a href="u&amp;v" b>',
            "<a\nhref='w'>",
            "</a>",
            "<Td x = y>",
            "a &lt; b\n",
            "c ",
            "<!-- d -->",
            "<script>if (a < b) '<p>'</script>",
            "<style>a > b {}</style>",
            "&eacute;",
        ]
    ),
    max_size=20,
)


@given(_WELL_FORMED)
def test_tokens_are_those_of_the_standard_library(parts: list[str]) -> None:
    theirs = _Theirs()
    theirs.feed("".join(parts))
    theirs.close()
    assert _ours("".join(parts)) == theirs.found


# Hostile documents

GENEROUS = 20.0
"""Seconds of this process's own time; what is quadratic takes minutes."""
MANY = 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<" * 4 * MANY, id="brackets"),
        pytest.param("<a " * MANY, id="tags that never end"),
        pytest.param("<div>" * 2 * MANY, id="deep"),
        pytest.param("<div>" * MANY + "<pre>x</pre>" * (MANY // 2), id="blocks deep inside"),
        pytest.param("<!--" * MANY, id="comments that never end"),
        pytest.param("<!-- -->" * MANY, id="comments"),
        pytest.param("&" * 4 * MANY, id="ampersands"),
        pytest.param("&#" + "9" * 4 * MANY, id="a large number"),
        pytest.param('<a href="' * MANY, id="quotation marks"),
        pytest.param("<a " + 'data-x="https://e.org/\n" ' * MANY + ">", id="attributes"),
        pytest.param("<a b" + " " * 4 * MANY, id="white space in a tag"),
        pytest.param("<title>" * MANY, id="verbatim content that never ends"),
        pytest.param("<table><tr><td class=blob-code>" * (MANY // 2), id="tables in tables"),
        pytest.param("<figure><figcaption>x</figcaption><pre>x</pre>" * (MANY // 4), id="figures in figures"),
        pytest.param("<span><div></span></div>" * MANY, id="spans that stay open"),
        pytest.param("<a href=x>y" * MANY, id="links in links"),
        pytest.param("<div class=filename>x" * (MANY // 2), id="captions in captions"),
    ],
)
def test_bounded(text: str) -> None:
    started = time.process_time()
    for _ in read_html(text):
        pass
    assert time.process_time() - started < GENEROUS

from __future__ import annotations

import os
import time
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.site import EvidencePage, Shown, html_of

from provenance.documents.pages import read_page
from provenance.documents.rendering.evidence import looks_like_evidence, read_rendered
from provenance.documents.rendering.render import Anchor, render
from provenance.errors import PageError

URL = "https://pages.example/valve"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", ""),
        ("plain  text\n on \t lines", "plain text on lines"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("<div><div>one</div></div>two", "one\ntwo"),
        ("a<br>b<br><br>c", "a\nb\n\nc"),
        ("a<b> b </b>c", "a b c"),
        ("a<b>b</b>c", "abc"),
        ("<p> a <i> b</i> </p>", "a b"),
        ("a&nbsp;&nbsp;b", "a\xa0\xa0b"),
        ("5 &lt; 6 &amp;&amp; 7 &#8599; &unknown; &amp;lt;", "5 < 6 && 7 ↗ &unknown; &lt;"),
        ("a < b", "a < b"),
        ("<h2><span>Code</span><span>a.py 1–2</span></h2>x", "Codea.py 1–2\n\nx"),
        ("<pre>\n  a\n\n\tb  \n</pre>c", "  a\n\n\tb  \n\nc"),
        ("<pre>\n\na</pre>", "\na"),
        ("<pre><code>a &lt;b&gt;\r\n c</code></pre>", "a <b>\n c"),
        ("<pre><span>a\n</span><span>  b</span></pre>", "a\n  b"),
        ("<pre>a<br>b</pre>", "a\nb"),
        ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
        ('<div style="white-space: pre-wrap">a\n  b</div>', "a\n  b"),
        ("<ul><li>a<li>b</ul>", "a\nb"),
        ("<dl><dt>shape<dd>[1 a]</dl>", "shape\n[1 a]"),
        ("<details><summary>more</summary>inside</details>", "more\n\ninside"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td></td></tr></table>", "a\tb\nc\t"),
        ("<table><tr><th>a<th>b<tr><td><td>d</table>", "a\tb\n\td"),
        ("<table><caption>all</caption><tbody><tr><td>a<td>b</table>x", "all\n\na\tb\n\nx"),
        ("<table><tr><td colspan=2>total</td><td>3</td></tr></table>", "total\t\t3"),
        ("<table><tr><td colspan=9999>total</td><td>3</td></tr></table>", "total" + "\t" * 20 + "3"),
        ("<table><tr><td colspan=x>a<td>b</table>", "a\tb"),
        ("<table><tr><td><p>a</p><p>b</p></td><td><div>c</div></td></tr></table>", "a b\tc"),
        ("<table><tr><td>a<br>b<td>c</table>", "a b\tc"),
        ("<table><tr><td>x<pre>a\n b</pre></td><td>y</td></tr><tr><td>z</table>", "x\n\na\n b\n\ny\nz"),
        ("<table><tr><td><table><tr><td>a<td>b</table><td>c</table>", "a\tb\n\nc"),
        ("<td>a<td>b", "a\nb"),
        ("<script>var a = '<p>x</p>';</script><style>p{}</style>y", "y"),
        ("<script>never closed <p>x", ""),
        ("<template><p>x</template><noscript>x</noscript><svg><title>x</title><text>x</text></svg>y", "y"),
        ("<p hidden>x</p><p>y", "y"),
        ("<p hidden>x<div hidden><p>x</p>x</div><p>y", "y"),
        ("<p hidden=until-found>y", "y"),
        ('<p style="color:red; display : none">x</p><p style="visibility:hidden">x</p>y', "y"),
        ('<span class="katex-mathml">h</span><span class="katex-html" aria-hidden="true">h</span>', "h"),
        (
            '<pre>a</pre><button class="btn-copy">Copy</button><button data-clipboard-text="x">C</button>b',
            "a\n\nb",
        ),
        ('<button>×</button><span aria-hidden="true">↗</span>', "×↗"),
        ("<!-- x --><!DOCTYPE html><?php x ?><![CDATA[x]]><![if x]>y", "y"),
        ("a<!-- never closed", "a"),
        ("a<a href='never closed", "a"),
        ("<textarea>x</textarea><select><option>x</select><input value=x>y", "y"),
        ("</p></div>a</b></pre>b</br>c", "ab\nc"),
        ("<b><p>a</b></p>b", "a\n\nb"),
        ("a\0b", "a\ufffdb"),
        ("<p/>a<div/>b", "a\nb"),
        ("<img alt=x>a<hr>b", "a\n\nb"),
        ("&#99999999999999999999;&#xfffffffffffffff;&#" + "9" * 5000 + ";", "\ufffd\ufffd\ufffd"),
        ("<title>a <b>b</b></title><xmp><b>&amp;</b></xmp>c", "<b>&amp;</b>\n\nc"),
        ("<svg><title>x</title><path d=x/></svg>y<noscript><p>x</noscript>z", "yz"),
        ("<p>a <button title=Copy><div>x</button> b", "a b"),
        ("<p>a<? never closed <b", "a"),
    ],
)
def test_what_a_reader_sees(html: str, text: str) -> None:
    assert render(html).text == text


def test_where_it_stands() -> None:
    page = render("<p>\n\none\n two\n\n<pre>\na\nb</pre>\n<table>\n<tr>\n<td>c\n<td>d</table>")
    assert list(zip(page.text.split("\n"), page.numbers, strict=True)) == [
        ("one two", 3),
        ("", 3),
        ("a", 7),
        ("b", 8),
        ("", 8),
        ("c\td", 11),
    ]


def test_what_a_page_says_of_itself() -> None:
    page = render(
        "<head><base href='/b/'><base href='/c/'><title> A\n &amp; B </title><link rel='Canonical x' href='own'>"
        "<meta name=Robots content='noindex, NoFollow'><meta name=prov content=none></head>"
        "<a href='x?a=1&amp;b=2' rel='nofollow noopener'>one</a>"
        "<p><a name=y>no</a> <a href=z><svg><title>t</title></svg></a>"
    )
    assert page.title == "A & B"
    assert (page.base, page.canonical) == ("/b/", "own")
    assert page.robots == {"noindex", "nofollow", "none"}
    assert page.anchors == (
        Anchor("x?a=1&b=2", frozenset({"nofollow", "noopener"}), 0),
        Anchor("z", frozenset(), 2),
    )


@pytest.mark.parametrize(
    ("html", "anchors"),
    [
        ("<a href=x><div>a</a><p>b</p></div>", [("x", 0)]),
        ("<a href=x>a<br><a href=y>b</a><br>c", [("x", 0), ("y", 1)]),
        ("<a href=x/>a<br>b</a>", [("x/", 1)]),
        ("<a href=x />a<br>b</a>", [("x", 0)]),
        ("<ul><li><a href=x>a<li>b</ul>", [("x", 0)]),
        ("<a href=x>a<a name=y>b<br>c", [("x", 0)]),
        ("<p>a<p hidden><a href=x>b</a></p>c", [("x", 0)]),
    ],
)
def test_where_a_link_ends(html: str, anchors: list[tuple[str, int]]) -> None:
    assert [(anchor.href, anchor.index) for anchor in render(html).anchors] == anchors


@pytest.mark.parametrize(
    ("html", "href"),
    [
        ('<meta http-equiv="Refresh" content="0; URL=there">', "there"),
        ("<meta http-equiv=refresh content=\"5;url='/a b'\">", "/a b"),
        ("<meta http-equiv=refresh content=5>", None),
        ("<map><area href=there></map>", "there"),
        ("<area>", None),
        (f"<a href={'x' * 5000}>", None),
    ],
)
def test_what_else_leads_on(html: str, href: str | None) -> None:
    assert [anchor.href for anchor in render(html).anchors] == ([] if href is None else [href])


_NAMES = "a b br button dd details div dl dt h1 li p pre script span svg table tbody td th title tr ul"
_TAGS = st.sampled_from(_NAMES.split())
_PIECE = st.one_of(
    st.text(max_size=8),
    st.sampled_from(
        ["\n", " ", "\t", "\0", "\r", "&lt;", "&#10;", "&#", "<", "<!--", "-->", "<![", "<?", "</", '"', "="]
    ),
    st.builds(lambda tag, end: f"<{'/' * end}{tag}>", _TAGS, st.booleans()),
    st.builds(lambda tag: f"<{tag} hidden>", _TAGS),
    st.builds(
        lambda tag, n: f'<{tag} href="{n}" colspan={n} style="white-space:pre">', _TAGS, st.integers(-1, 99)
    ),
)


@given(st.lists(_PIECE, max_size=40).map("".join))
@example("<pre>&#10;&#10;&#10;</pre>a")
@example("<![foo[")
def test_any_text_is_a_page(html: str) -> None:
    page = render(html)
    lines = page.text.split("\n") if page.text else []
    assert len(page.numbers) == len(page.codes)
    assert len(page.numbers) == len(lines) or not page.text
    last = html.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    assert all(1 <= number <= last for number in page.numbers)
    assert all(0 <= anchor.index <= max(0, len(page.numbers) - 1) for anchor in page.anchors)
    assert [anchor.index for anchor in page.anchors] == sorted(anchor.index for anchor in page.anchors)
    try:
        read_rendered(page, URL)
    except PageError as error:
        assert 1 <= error.position.line <= last  # noqa: PT017 - it may or may not be raised


@given(st.text(alphabet=st.characters(exclude_characters="\r\0\n", exclude_categories=["Cs"]), min_size=1))
def test_code_is_kept_letter_by_letter(code: str) -> None:
    assert render(f"<p>a</p><pre>\n{escape(code)}</pre>").text == f"a\n\n{code}"


@pytest.mark.parametrize(
    "piece",
    [
        "<", "</", "<!", "<!--", "<!-- -", "<![", "<?", "&#", "&a", "<a ", "<a x='", '<a x="', "<a =", "<div>", "<p>",
        "<li><b>", "<p><b>", "<b></i>", "<table><td>", "<pre>\n", "<script></", "<script>", "<td><pre>", "<title>",
        "<td colspan=999>", "<p hidden>", "<a href=x>", "\n", "<br>", '<p style="display :  ', "&#9", "<![CDATA[",
    ],
)  # fmt: skip
def test_hostile_text_is_laid_out_in_bounded_time(piece: str) -> None:
    start = time.process_time()
    render(piece * (160_000 // len(piece)))
    assert (
        time.process_time() - start < 20
    )  # a fraction of it where it is linear, and minutes where it is not


PIECES = (
    Shown(),
    Shown(
        id="shut & <bolt>",
        claim="It shuts & < holds.",
        of="Head",
        path="src/lib/valve.py",
        lines="4–9",
        quote="def shut(self):\n\n    if a < b and c > d:\n\treturn '&lt;'\n\n…\n\n    x = 1",
    ),
    Shown(id="one", lines="7", quote="  pass", revision="v1.2"),
)
PAGES = [
    EvidencePage(),
    EvidencePage(pieces=PIECES),
    EvidencePage(pieces=PIECES[:2], code=True),
    EvidencePage(
        model="Motor",
        component="Rotor",
        head=(
            "Reference code atlas/engine @ 0011223, configuration hub/gpt @ 607a30d783df · How to read",
            "learnedopen() · 1",
            "in: $x$ [2 a, 3 b]",
            "parameters: 6 · × 2 strokes = 12",
        ),
        rows=(("Plate", r"$2 \times 3$", "6"), ("Per-instance total", "", "6")),
        code=True,
    ),
]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("title", [None, "", "Engine · Valve · An atlas"])
def test_html_says_what_its_text_says(page: EvidencePage, title: str | None) -> None:
    text, html = page.text(), page.html(title=title)
    if title is not None:
        # A page whose own first line is the title needs none elsewhere.
        html = html.replace("<main>", f"<main><p>{escape(page.title)}</p>")
    wanted = read_page(text, "page")
    found = read_rendered(render(html), URL)
    assert found.manifest == wanted.manifest
    assert [each.message for each in found.remarks] == [each.message for each in wanted.remarks]
    assert read_rendered(render(html_of(text)), URL).manifest == wanted.manifest


_WORD = st.text(alphabet=st.characters(categories=["L", "N"], max_codepoint=0x2000), min_size=1, max_size=8)
_SHOWN = st.builds(
    Shown,
    id=_WORD,
    claim=st.lists(_WORD | st.sampled_from(["<b>", "&amp;", "–", "↗", "&"]), min_size=1).map(" ".join),
    path=st.lists(_WORD, min_size=1, max_size=3).map("/".join),
    of=st.none() | _WORD,
    quote=st.text(alphabet=st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=60),
)


@given(st.lists(_SHOWN, min_size=1, max_size=4))
def test_any_page_is_the_same_as_html(pieces: list[Shown]) -> None:
    page = EvidencePage(pieces=tuple(pieces))
    try:
        wanted = read_page(page.text(), "page")
    except PageError as error:
        with pytest.raises(PageError) as raised:
            read_rendered(render(page.html()), URL)
        assert raised.value.message.split(" line ")[0] == error.message.split(" line ")[0]  # noqa: PT017
    else:
        assert read_rendered(render(page.html()), URL).manifest == wanted.manifest


def evidence(excerpt: str) -> str:
    """A page of one piece of evidence, with its excerpt as HTML, between a header and a footer."""
    before = "".join(Shown().html()).partition("<pre>")[0]
    return f"<title>Engine · Valve</title><h1>Valve</h1>{before}{excerpt}</details><footer><p>© A site</p></footer>"


@pytest.mark.parametrize(
    ("excerpt", "quote"),
    [
        ("<pre>a\n  b</pre>", "a\n  b\n"),
        ("<pre>a\n  b</pre><button>Copy</button><p>Open in a new tab</p>", "a\n  b\n"),
        ("<div>python</div><pre>a\n\n  b\n</pre>", "a\n\n  b\n"),
        (
            "<pre>a</pre><p>… lines 3–4 omitted …</p><pre>  b</pre><p>more</p>",
            "a\n\n… lines 3–4 omitted …\n\n  b\n",
        ),
        ("<pre>Direct evidence\n</pre>", "Direct evidence\n"),
        # Without a preformatted block nothing tells where code ends.
        ("<p>a</p><p>b</p>", "a\n\nb\n\n© A site\n"),
        ("<pre>\n</pre><p>a</p>", "a\n\n© A site\n"),
    ],
)
def test_an_excerpt_is_the_code_and_nothing_beside_it(excerpt: str, quote: str) -> None:
    (citation,) = read_rendered(render(evidence(excerpt)), URL).manifest.citations
    assert citation.quote == quote


@pytest.mark.handed
def test_the_handed_pages_are_the_same_as_html() -> None:
    handed = os.environ.get("PROV_TEST_HANDED")
    pages = sorted(Path(handed, "pages").glob("*.txt")) if handed else []
    if not pages:
        pytest.skip("PROV_TEST_HANDED names no folder with pages/")
    for file in pages:
        text = file.read_text()
        wanted = read_page(text, "page")
        found = read_rendered(render(html_of(text)), URL)
        assert found.manifest == wanted.manifest
        assert [each.message for each in found.remarks] == [each.message for each in wanted.remarks]


@pytest.mark.parametrize(
    ("title", "body", "found"),
    [
        ("Engine · Valve", "<h1>Valve</h1>", "Engine · Valve"),
        ("Engine · Valve · Site", "<nav>All engines</nav><h1>Valve</h1>", "Engine · Valve"),
        ("Engine · Valve", "<p>Engine · Valve</p><h1>Valve</h1>", "Engine · Valve"),
        ("Site", "<p>Engine · Valve</p><h1>Valve</h1>", "Engine · Valve"),
        ("Engine · Site", "<h1>Engine</h1><p>All</p><h2>Valve</h2><button>×</button>", "Engine · Valve"),
        ("Engine", "<h1>Engine</h1><p>All</p><h2>Valve</h2><button>×</button>", "Engine · Valve"),
        ("", "<h1>Valve</h1>", "Valve"),
        ("", "<h1>Engine</h1><p>All</p><h2>Valve</h2><button>×</button>", "Engine · Valve"),
        ("Engine · Site", "<nav>Home</nav><p>All</p><h2>Valve</h2><button>×</button>", "Engine · Site"),
        *(
            (title, f"{nav}<h1>Engine</h1><p>All</p><h2>Valve</h2><button>×</button>", "Engine · Valve")
            for nav in ("", "<nav>Home</nav>", "<nav>Home · Engines</nav>")
            for title in (
                "Engine",
                "Engine · Site",
                "Engine | Site",
                "Engine – Valve",
                "Engine: a site",
                "Engine · Valve",
            )
        ),
    ],
)
def test_the_title_of_a_page(title: str, body: str, found: str) -> None:
    evidence = "".join(Shown().html())
    page = render(f"<title>{title}</title>{body}<h2>Sources</h2>{evidence}")
    assert read_rendered(page, URL).manifest.title == found


def test_an_error_names_the_line_of_the_html() -> None:
    html = EvidencePage(pieces=PIECES).html()
    broken = html.replace("lines 4–9", "lines 9–4")
    line = next(number for number, text in enumerate(broken.split("\n"), 1) if "lines 9–4" in text)
    with pytest.raises(PageError) as raised:
        read_rendered(render(broken), URL, "name")
    assert raised.value.position.file == "name"
    # The pin is one line of text and two of HTML.
    assert raised.value.position.line == line - 1


def test_a_remark_names_the_line_of_the_html() -> None:
    html = EvidencePage().html().replace("Sources<span>1", "Sources<span>7")
    line = next(number for number, text in enumerate(html.split("\n"), 1) if "Sources<span>7" in text)
    (remark,) = read_rendered(render(html), URL).remarks
    assert str(remark) == f"{URL}:{line}: the page announces 7 sources, and 1 can be read"


FORGE = "https://git.example.org/group"


@pytest.mark.parametrize(
    ("link", "git"),
    [
        (None, "https://github.com/atlas/engine"),
        (
            "https://www.github.com/Atlas/Engine/blob/0011223344556677/src/valve.py#L1",
            "https://github.com/atlas/engine",
        ),
        (f"{FORGE}/atlas/engine/-/blob/00112233445566778899/src/valve.py#L1-2", f"{FORGE}/atlas/engine"),
        (
            "https://huggingface.co/atlas/engine/blob/0011223344556677/src/valve.py#L1",
            "https://huggingface.co/atlas/engine",
        ),
        (f"{FORGE}/atlas/engine/blob/0011223344556677/src/valve%2Epy", f"{FORGE}/atlas/engine"),
        (f"{FORGE}/%61tlas/engine/blob/0011223344556677/src/valve.py", "https://github.com/atlas/engine"),
        ("/code/atlas/engine/blob/0011223344556677/src/valve.py", "https://pages.example/code/atlas/engine"),
        (
            "https://other.example/elsewhere/blob/0011223344556677/src/valve.py",
            "https://github.com/atlas/engine",
        ),
        (f"{FORGE}/atlas/engine/blob/main/src/valve.py", "https://github.com/atlas/engine"),
        (f"{FORGE}/atlas/engine/blob/0011223344556677/src/other.py", "https://github.com/atlas/engine"),
        (
            "https://u:p@git.example.org/atlas/engine/blob/0011223344556677/src/valve.py",
            "https://github.com/atlas/engine",
        ),
        (
            "http://git.example.org/atlas/engine/blob/0011223344556677/src/valve.py",
            "https://github.com/atlas/engine",
        ),
        ("ext::sh -c id /atlas/engine/0011223344556677/src/valve.py", "https://github.com/atlas/engine"),
        ("https://[::1", "https://github.com/atlas/engine"),
        ("https://[x]/atlas/engine/blob/0011223344556677/src/valve.py", "https://github.com/atlas/engine"),
    ],
)
def test_a_repository_is_where_its_permalink_leads(link: str | None, git: str) -> None:
    html = EvidencePage().html()
    if link is not None:
        html = html.replace(escape(Shown().link), escape(link))
    manifest = read_rendered(render(html), URL).manifest
    assert [source.git for source in manifest.sources] == [git]
    assert [citation.source.git for citation in manifest.citations] == [git]


def test_links_that_disagree_are_told() -> None:
    other = replace(PIECES[1], forge="https://git.example.org", id="shut")
    page = read_rendered(render(EvidencePage(pieces=(PIECES[0], other)).html()), URL)
    assert [source.git for source in page.manifest.sources] == ["https://github.com/atlas/engine"]
    assert [remark.message for remark in page.remarks] == [
        (
            "the link of shut leads to https://git.example.org/atlas/engine, and an earlier one to "
            "https://github.com/atlas/engine, which is used"
        )
    ]


def test_a_repository_that_the_head_alone_states_is_where_its_link_leads() -> None:
    html = EvidencePage(head=("Reference code hub/gpt @ 607a30d783df",)).html()
    html = html.replace("hub/gpt @", '<a href="https://git.example.org/hub/gpt/tree/607a">hub/gpt</a> @')
    manifest = read_rendered(render(html), URL).manifest
    assert {source.name: source.git for source in manifest.sources} == {
        "engine": "https://github.com/atlas/engine",
        "gpt": "https://git.example.org/hub/gpt",
    }


@pytest.mark.parametrize(
    ("text", "looks"),
    [
        ("Direct evidence\n", False),
        ("Pinned revision 0011", True),
        ("x\n Pinned revision 0011", False),
        ("Read code excerpt", True),
        ("", False),
    ],
)
def test_what_looks_like_evidence(text: str, looks: bool) -> None:
    assert looks_like_evidence(text) is looks

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it.token import Token
from support.elements import Short, check_elements, check_sheet, pasted, short

from provenance.document import Block, Element, Link, Prose
from provenance.documents.markdown import parser as markdown_parser
from provenance.documents.markdown import reading
from provenance.documents.markdown.destinations import Definitions, Destination
from provenance.documents.markdown.front import without_front_matter
from provenance.documents.markdown.parser import LABEL
from provenance.documents.markdown.reading import read_markdown
from provenance.documents.mentions import sheet
from provenance.links.forges import NO_HOSTS

PIECES = [
    *(
        "```",
        "~~~",
        "``` py title=x",
        "# ",
        "## [x](y)\n",
        "===\n",
        "---\n",
        "> ",
        "- ",
        "1. ",
        "  - ",
        "\n    ",
    ),
    *(
        "[",
        "]",
        "](",
        ")",
        "[a]",
        "[a]: /u",
        "[a]: <u v> 't'\n",
        "[a](b)",
        "![a](b)",
        "<http://c/d#L1>",
        "<",
        ">",
    ),
    *(
        "`",
        "``",
        "**",
        "_",
        "\\",
        "&amp;",
        "|",
        "|-|-|\n",
        "| a | [b](c\\|d) |\n",
        "\\|",
        "<a href='x'>",
        "</a>",
    ),
    *(
        "<details>\n",
        "</details>\n\n",
        "<pre>",
        "</pre>",
        "<div>\n",
        "<!--",
        "-->",
        "<br>",
        '<i x="y">',
        "<pre><code>",
    ),
    *(
        "https://github.com/o/r/blob/main/a.py#L1-L2",
        "a/b.py:10",
        "\r",
        "\x00",
        "\x0c",
        "\u2028",
        "\x01",
        "\ufffc",
    ),
]


def read(text: str) -> list[Element]:
    return list(read_markdown(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n\t\n", []),
        ("one\ntwo\n\nthree", [("prose", 1, 2, "one\ntwo"), ("prose", 4, 4, "three")]),
        ("# One #\n", [("prose", 1, 1, "One")]),
        ("One\ntwo\n===\n", [("prose", 1, 2, "One\ntwo")]),
        ("- one\n- two\n  more\n", [("prose", 1, 1, "one"), ("prose", 2, 3, "two\nmore")]),
        ("> one\ntwo\n", [("prose", 1, 2, "one\ntwo")]),
        ("a *b* `c` \\_ &amp; <kbd>d</kbd>", [("prose", 1, 1, "a *b* `c` \\_ &amp; <kbd>d</kbd>")]),
        ("a ![b](c\n'd') e", [("prose", 1, 2, "a \n e")]),
        ('a <i class="b">c</i>', [("prose", 1, 1, "a  c</i>")]),
        ("a <!-- b\nc --> d", [("prose", 1, 2, "a <!-- b\nc --> d")]),
        ("\x0c\nb", [("prose", 2, 2, "b")]),
        ("a\u2028b\rc\x0bd\x0c\ne", [("prose", 1, 2, "a\u2028b\rc\x0bd\x0c\ne")]),
        ("a\0b", [("prose", 1, 1, "a\0b")]),
        ("| a | b |\n|---|---|\n| c | d\\|e |\n", [
            ("prose", 1, 1, "a"), ("prose", 1, 1, "b"), ("prose", 3, 3, "c"), ("prose", 3, 3, "d\\|e"),
        ]),
        ("~~a~~", [("prose", 1, 1, "~~a~~")]),
        ("---\na: 1\n# c\nb:\n  - x\n...\nd", [("prose", 7, 7, "d")]),
        ("+++\na = 1\n+++\nd", [("prose", 4, 4, "d")]),
        ("---\nprose\n\n---\nd", [("prose", 2, 2, "prose"), ("prose", 5, 5, "d")]),
    ],
)  # fmt: skip
def test_prose(text: str, expected: list[Short]) -> None:
    assert short(read_markdown(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b)", ("link", 1, 1, "b", "b", 1, "a")),
        ("x\n[a](b 'c') y", ("link", 2, 2, "b", "b", 2, "a")),
        ("[a](<b c>)", ("link", 1, 1, "b c", "b c", 1, "a")),
        ("[a](\n  b\n)", ("link", 1, 3, "b", "b", 2, "a")),
        ("[a\nb]( c)", ("link", 1, 2, "c", "c", 2, "a\nb")),
        ("[`a\nb`](c)", ("link", 1, 2, "c", "c", 2, "a\nb")),
        ("[*a* **b** `c`](d)", ("link", 1, 1, "d", "d", 1, "a b c")),
        ("[![a](b)](c)", ("link", 1, 1, "c", "c", 1, "a")),
        ("[a](b\\_c&amp;d%20e)", ("link", 1, 1, "b_c&d%20e", "b\\_c&amp;d%20e", 1, "a")),
        ("[a](HTTPS://Ex.org/ä b)", None),
        ("[a](HTTPS://Ex.org/ä%C3)", ("link", 1, 1, "HTTPS://Ex.org/ä%C3", "HTTPS://Ex.org/ä%C3", 1, "a")),
        ("[a](b(c)d)", ("link", 1, 1, "b(c)d", "b(c)d", 1, "a")),
        ("[a](javascript:b)", ("link", 1, 1, "javascript:b", "javascript:b", 1, "a")),
        ("[a]()", ("link", 1, 1, "", "", 1, "a")),
        ("<http://a/b?c=d&amp;e>", ("link", 1, 1, "http://a/b?c=d&amp;e", "http://a/b?c=d&amp;e", 1, "http://a/b?c=d&amp;e")),
        ("<a@b.cd>", ("link", 1, 1, "mailto:a@b.cd", "a@b.cd", 1, "a@b.cd")),
        ("[a]\n\n[a]: b 'c'", ("link", 1, 1, "b", "b", 3, "a")),
        ("[a][]\n\n[A]: <b c>", ("link", 1, 1, "b c", "b c", 3, "a")),
        ("[x][ a\nB ]\n\n[a b]:\n  c", ("link", 1, 2, "c", "c", 5, "x")),
        ("> [a]: b\n\n[a]", ("link", 3, 3, "b", "b", 1, "a")),
        (">[a]:\n>b\n\n[a]", ("link", 4, 4, "b", "b", 2, "a")),
        ("[b]: b\n[a]: b\n[a]: c\n\n[a]", ("link", 5, 5, "b", "b", 2, "a")),
        ("[a\\]: x]: b\n\n[a\\]: x]", ("link", 3, 3, "b", "b", 1, "a]: x")),
        ("[a\\\\]:b\n\n[a\\\\]", ("link", 3, 3, "b", "b", 1, "a\\")),
        ("- [a]:b\n\n[a]", ("link", 3, 3, "b", "b", 1, "a")),
        ("[a\nb]:c\n\n[a b]", ("link", 4, 4, "c", "c", 2, "a b")),
        ("x[^1]\n\n[^1]: b", ("link", 1, 1, "b", "b", 3, "^1")),
        ("> - [a](b)", ("link", 1, 1, "b", "b", 1, "a")),
        ("> x\n> > y\n[a\n> >b](c)", ("link", 3, 4, "c", "c", 4, "a\nb")),
        ("|a|\n|-|\n|[x\\|y](b\\|c)|", ("link", 3, 3, "b|c", "b\\|c", 3, "x|y")),
        ('a <a\nhref="b?c&amp;d">e\nf</a>', ("link", 1, 3, "b?c&d", "b?c&amp;d", 2, "e\nf")),
        ("\x0c\n[a](b)", ("link", 2, 2, "b", "b", 2, "a")),
        ("a\r[a](b)", ("link", 1, 1, "b", "b", 1, "a")),
        ("[a](<b\rc>)", ("link", 1, 1, "b\rc", "b\rc", 1, "a")),
    ],
)  # fmt: skip
def test_a_link(text: str, expected: Short | None) -> None:
    links = [each for each in short(read_markdown(text)) if each[0] == "link"]
    assert links == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x [a](b) [c](d)\ny", "x \ufffc \ufffc\ny"),
        ("x [a\nb](c) y", "x \ufffc\n y"),
        ("x <http://a> y", "x \ufffc y"),
        ('x <a href="b">c</a> y', "x \ufffc y"),
        ("x <a name='b'>c</a> y", "x   y"),
        ("x [a][b] y", "x [a][b] y"),
    ],
)
def test_what_stands_in_for_a_link(text: str, expected: str) -> None:
    assert short(read_markdown(text))[0] == ("prose", 1, 1 + text.count("\n"), expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```\na\n```", ("block", 1, 3, 2, "", "", "a")),
        ("```  PY  \na\n\n b\n\n```  \nx", ("block", 1, 6, 2, "py", "", "a\n\n b\n")),
        ("~~~\n```\na\n~~~~", ("block", 1, 4, 2, "", "", "```\na")),
        ("x\n```py\na\n", ("block", 2, 3, 3, "py", "", "a")),
        ("1. x\n\n   ```py\n   a\n     b\n   ```\n", ("block", 3, 6, 4, "py", "", "a\n  b")),
        ("1. x\n```py\na\n```\n", ("block", 2, 4, 3, "py", "", "a")),
        ("> ```py\n> a\n>\n> b\n", ("block", 1, 4, 2, "py", "", "a\n\nb")),
        ("  ```\n  a\n b\n  ```", ("block", 1, 4, 2, "", "", "a\nb")),
        ("x\n\n    a\n\n      b\n\ny", ("block", 3, 5, 3, "", "", "a\n\n  b")),
        ("\ta\n\t\tb", ("block", 1, 2, 1, "", "", "a\n\tb")),
        ("```\na\rb\x0cc\u2028d\n```", ("block", 1, 3, 2, "", "", "a\rb\x0cc\u2028d")),
        ("```\na\0b\n```", ("block", 1, 3, 2, "", "", "a\0b")),
        ("```{code-block} Python\n:caption: a.py\n:linenos:\n\nx\n```", ("block", 1, 6, 4, "python", "a.py", "\nx")),
        ("<pre>\na &lt;\n\nb</pre>", ("block", 1, 4, 2, "", "", "a <\n\nb")),
        ("<div><pre>\na\n\n    b\n# c\n- d\n</pre></div>", ("block", 1, 7, 2, "", "", "a\n\n    b\n# c\n- d")),
        ("x\n{% highlight Ruby linenos %}\na\n\n b\n{% endhighlight %}\ny", ("block", 2, 6, 3, "ruby", "", "a\n\n b")),
        ("- x\n  {%- highlight c -%}\n  a\n  {%- endhighlight -%}", ("block", 2, 4, 3, "c", "", "a")),
        ('{{< highlight go "hl_lines=2" >}}\na\n{{< /highlight >}}', ("block", 1, 3, 2, "go", "", "a")),
        ("{% highlight c %}\na", None),
        ("{% endhighlight %}\n{% highlight c %}\na", None),
        ("> {% highlight c %}\n\n{% endhighlight %}", None),
        ("- {% highlight c %}\n\n{% endhighlight %}", None),
        ("```\n\n```", None),
        ("```", None),
    ],
)  # fmt: skip
def test_a_block(text: str, expected: Short | None) -> None:
    blocks = [each for each in short(read_markdown(text)) if each[0] == "block"]
    assert blocks == ([] if expected is None else [expected])


@pytest.mark.parametrize(
    ("info", "language", "title"),
    [
        ("py", "py", ""),
        ('py title="a b.py"', "py", "a b.py"),
        ("py title='a.py'", "py", "a.py"),
        ("py title=a.py {1,3}", "py", "a.py"),
        ("py:title=a.py", "py", "a.py"),
        ("py {file=src/a.py}", "py", "src/a.py"),
        ("py file=a.py#L1-L2", "py", "a.py#L1-L2"),
        ('title="a.py"', "", "a.py"),
        ("{.python name=a.py}", "python", "a.py"),
        ("{python}", "python", ""),
        ("{r, echo=FALSE}", "r", ""),
        ("js{1,3-4}", "js", ""),
        ("rust,ignore", "rust", ""),
        ("c++ subtitle=x", "c++", ""),
        ('py title="', "py", ""),
        ("", "", ""),
    ],
)
def test_the_line_that_opens_a_fence(info: str, language: str, title: str) -> None:
    (block,) = read(f"~~~{info}\nx\n~~~")
    assert isinstance(block, Block)
    assert (block.language, block.title) == (language, title)


def places(text: str) -> list[tuple[int, int, tuple[int, ...], bool]]:
    return [
        (each.where.line, each.where.section, each.where.nest, each.where.heading)
        for each in read_markdown(text)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n# b\nc\n\nd\n-\n", [
            (1, 0, (), False), (2, 1, (), True), (3, 1, (), False), (5, 2, (), True),
        ]),
        ("## [b](c)\n", [(1, 1, (), True), (1, 1, (), True)]),
        ("- a\n  - b\n- c\n\nd", [
            (1, 0, (1,), False), (2, 0, (1, 2), False), (3, 0, (3,), False), (5, 0, (), False),
        ]),
        ("> a\n\nb", [(1, 0, (1,), False), (3, 0, (), False)]),
        ("|a|\n|-|\n|b|", [(1, 0, (1,), False), (3, 0, (2,), False)]),
        ("<details>\n<summary>a</summary>\n\nb\n\n</details>\n\nc", [
            (2, 0, (1,), False), (4, 0, (1,), False), (8, 0, (), False),
        ]),
        ("- a\n\n  <details>\n\n  b\n\nc", [
            (1, 0, (1,), False), (5, 0, (1, 2), False), (7, 0, (), False),
        ]),
        ("<details>\n\n- a\n\n</details>\n\nb", [(3, 0, (1, 2), False), (7, 0, (), False)]),
        ("a\n\n</details>\n\nb", [(1, 0, (), False), (5, 0, (), False)]),
        ("<div><pre>\na\n\n# b\n</pre></div>\n\nc", [(1, 0, (1,), False), (7, 0, (), False)]),
        ("<h2>a</h2>\n\nb", [(1, 1, (), True), (3, 1, (), False)]),
    ],
)  # fmt: skip
def test_sections_and_containers(text: str, expected: list[tuple[int, int, tuple[int, ...], bool]]) -> None:
    assert places(text) == expected


def test_links_in_pieces_of_html() -> None:
    text = '# a\n\n<p>x <a href="b?c&amp;d"><code>e</code></a></p>\n\n<!-- see\nhttps://example.org -->\n'
    assert short(read_markdown(text)) == [
        ("prose", 1, 1, "a"),
        ("prose", 3, 3, "x \ufffc"),
        ("link", 3, 3, "b?c&d", "b?c&amp;d", 3, "e"),
        ("prose", 5, 6, "see\nhttps://example.org"),
    ]


@given(st.text() | pasted(PIECES))
@example("[a](<\x01>)\r")
@example("\x01\x02\x03\x04\x05\x06\x07\x08\r\0")
@example("- <pre>\n\n      a\nb")
@example("> <details>\n\n> [a]\n\n[a]: \x0cb")
@example("    \r")
@example("<PRE>0<DIV>")
def test_any_text_is_read(text: str) -> None:
    elements = read(text)
    check_elements(elements, text)
    check_sheet(sheet(elements, NO_HOSTS), text)


@given(pasted(PIECES))
def test_front_matter_keeps_the_lines(text: str) -> None:
    for mark in ("---", "+++"):
        source = f"{mark}\na: 1\n{mark}\n{text}"
        assert without_front_matter(source) == f"\n\n\n{text}"


@given(pasted(PIECES))
def test_a_line_above_moves_everything_by_one(text: str) -> None:
    if without_front_matter(text) != text:
        return
    moved = read("\n" + text)
    expected = read(text)
    assert [each.where.line - 1 for each in moved] == [each.where.line for each in expected]
    assert [each.raw_line - 1 for each in moved if isinstance(each, Link)] == [
        each.raw_line for each in expected if isinstance(each, Link)
    ]


def test_a_parser_that_fails_leaves_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def parse(self, *_: object) -> None:
            raise RecursionError

    monkeypatch.setattr(reading, "parser", Failing)
    assert short(read_markdown("a [b](c)\n\n```\nd\n```")) == [
        ("prose", 1, 1, "a [b](c)"),
        ("block", 3, 5, 4, "", "", "d"),
    ]


def test_a_definition_that_is_not_found_again() -> None:
    token = Token("link_open", "a", 1, attrs={"href": "b"}, meta={LABEL: "A"})
    for span in ([2, 3], None):
        found = Definitions({"A": {"map": span}}, ["[a]: b", "", "[a]: c"]).of(token)
        assert found == Destination("", 3 if span else 1)


def test_deep_nesting_is_bounded() -> None:
    for text in ("- " * 5000 + "a", "> " * 5000 + "a", "[" * 5000, "<details>\n\n" * 5000, "*" * 5000 + "a"):
        check_elements(read(text), text)
    assert markdown_parser.parser() is markdown_parser.parser()


@pytest.mark.parametrize(
    "piece",
    ["[", "[a](", "![", "<a href=b>", "<!--", "`", "[a]: b 'c\n", "[a\n", "|a", "> a\n", "<details>\n\n", "~~~\n",
     "[a](b) ", "<div><pre>\n\n", "\x0c\n", "- a\n", "{% highlight a %}\n", "- {% highlight a %}\n", "&amp;", "**a"],
)  # fmt: skip
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    start = time.process_time()
    read(piece * (32_000 // len(piece)))
    assert (
        time.process_time() - start < 20
    )  # a fraction of it where it is linear, and minutes where it is not


@pytest.mark.parametrize(
    "text",
    ["> ```\na\n" * 20_000, "> # a\nb\n" * 20_000, "> " * 39 + "a\n" + "b\n" * 50_000,
     "> ```\na\n" * 600 + "> b\n" * 50_000],
    ids=["fences", "headings", "deep", "few among many"],
)  # fmt: skip
def test_quotations_that_end_early_or_go_on_without_a_mark_take_bounded_time(text: str) -> None:
    start = time.process_time()
    found = read(f"{text}\n\n[a](b)\n")
    assert time.process_time() - start < 20
    assert any("[a](b)" in each.text if isinstance(each, Prose) else isinstance(each, Link) for each in found)


def test_quotations_are_read_as_ever() -> None:
    text = "> a\nb\n> > c\nd\n- e\n\n> ```\n> f\ng\n> h\n"
    (code,) = (each for each in read(text) if isinstance(each, Block))
    assert (code.text, code.where.line) == ("f", 7)
    assert [each.text for each in read(text) if isinstance(each, Prose)] == ["a\nb", "c\nd", "e", "g", "h"]

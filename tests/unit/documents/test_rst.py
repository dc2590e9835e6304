"""reStructuredText documents: blocks, links and prose with their places."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from provenance.document import STAND_IN, Block, Ignore, Link, Prose
from provenance.documents.rst import read_rst

if TYPE_CHECKING:
    from pathlib import Path


def _blocks(text: str) -> list[Block]:
    return [each for each in read_rst(text) if isinstance(each, Block)]


def _links(text: str) -> list[Link]:
    return [each for each in read_rst(text) if isinstance(each, Link)]


def _prose(text: str) -> list[tuple[str, int]]:
    return [(each.text, each.where.line) for each in read_rst(text) if isinstance(each, Prose)]


@pytest.mark.parametrize(
    ("text", "shown", "language", "lines"),
    [
        pytest.param("a::\n\n   b\n\n     c\n\nd", "b\n\n  c", "", (3, 3, 5), id="literal"),
        pytest.param("::\n\n  b", "b", "", (3, 3, 3), id="only a mark"),
        pytest.param("a::\n\n> b\n> c\n", "> b\n> c", "", (3, 3, 4), id="quoted"),
        pytest.param(".. code-block:: Python\n\n   b", "b", "python", (3, 1, 3), id="code-block"),
        pytest.param(".. code::\n\n   b", "b", "", (3, 1, 3), id="code"),
        pytest.param(
            ".. sourcecode:: c\n   :linenos:\n   :emphasize-lines: 1,\n     2\n\n\n   b\n\nx",
            "b",
            "c",
            (7, 1, 7),
        ),
        pytest.param(".. code-block:: c\n   b;\n", "b;", "c", (2, 1, 2), id="no blank line"),
        pytest.param(".. parsed-literal::\n\n   *b*", "*b*", "", (3, 1, 3), id="parsed"),
        pytest.param(".. prompt:: bash $\n\n   ls", "ls", "bash", (3, 1, 3), id="prompt"),
        pytest.param(".. py:code-block:: c\n\n   b", "b", "c", (3, 1, 3), id="with a domain"),
        pytest.param("a\n\n>>> 1\n1\n\nb", ">>> 1\n1", "pycon", (3, 3, 4), id="doctest"),
        pytest.param(".. highlight:: go\n\na::\n\n  b", "b", "go", (5, 5, 5), id="highlight"),
        pytest.param("* x::\n\n      b\n\n  y", "b", "", (3, 3, 3), id="in an item"),
        pytest.param(
            ".. tabs::\n\n   .. tab:: A\n\n      .. code:: c\n\n         b", "b", "c", (7, 5, 7), id="unknown"
        ),
        pytest.param(".. note:: x::\n\n      b\n\n   c", "b", "", (3, 3, 3), id="in a note"),
        pytest.param(
            ".. versionadded:: 3.1 As in::\n\n      b\n\n   c", "b", "", (3, 3, 3), id="behind an argument"
        ),
        pytest.param(
            "+------+\n| a::  |\n|      |\n|   b  |\n+------+\n", "b", "", (4, 4, 4), id="in a table"
        ),
        pytest.param("a::\r\n\r\n  b\r\n  c\r\n", "b\nc", "", (3, 3, 4), id="CRLF"),
        pytest.param("a::\n\n\tb\n\t\tc\n", "b\n\tc", "", (3, 3, 4), id="tabs"),
        pytest.param("a\x0cb\u2028c\n\nd::\n\n  e\x0bf", "e\x0bf", "", (5, 5, 5), id="what is no line end"),
        pytest.param("x\n\n" * 300 + "a::\n\n  b", "b", "", (603, 603, 603), id="far down"),
        pytest.param(
            "x\n\n" * 300 + ".. code:: c\n\n  b", "b", "c", (603, 601, 603), id="a directive far down"
        ),
    ],
)
def test_blocks(text: str, shown: str, language: str, lines: tuple[int, int, int]) -> None:
    (block,) = _blocks(text)
    assert (block.text, block.language) == (shown, language)
    assert (block.first, block.where.line, block.where.last) == lines


@pytest.mark.parametrize(
    "text",
    [
        ".. code:: c\n",
        ".. literalinclude:: a.py\n   :lines: 1-2\n",
        ".. comment::\n",
        ".. x\n\n   y",
        "> a",
        "  a",
    ],
)
def test_no_block(text: str) -> None:
    assert _blocks(text) == []


@pytest.mark.parametrize(
    ("text", "last"),
    [
        pytest.param("".join(f".. _x{n}: v\n" for n in range(500)) + ".. _a: u", 501, id="targets"),
        pytest.param(
            "==  ==\n" + "x   y\n\n" * 300 + "==  ==\n\n.. _a: u", 604, id="a table with blank lines"
        ),
        pytest.param("x::\n\n" + "> a_\n" * 500 + "\n.. _a: u", 504, id="a quoted block"),
        pytest.param(".. y::\n\n" + "   x\n\n" * 300 + ".. _a: u", 603, id="a directive"),
    ],
)
def test_long_documents_are_cut_where_nothing_goes_on(text: str, last: int) -> None:
    first, *_, link = read_rst("p\n\n" + text + "\n\na_\n")
    assert isinstance(link, Link)
    assert (link.url, link.raw_line, link.where.line, link.where.nest) == ("u", last + 2, last + 4, ())
    assert first.where.line == 1


def test_caption() -> None:
    text = ".. code-block:: c\n   :caption: From `a.c <https://example.org/a.c#L1>`_\n   :name: x\n\n   b"
    prose, link, block = read_rst(text)
    assert isinstance(prose, Prose)
    assert isinstance(link, Link)
    assert isinstance(block, Block)
    assert (block.title, block.caption, block.first) == ("From a.c", (0, 1), 5)
    assert (prose.text, prose.where.line, link.raw_line) == (f"From {STAND_IN}", 2, 2)


@pytest.mark.parametrize(
    ("text", "url", "raw", "raw_line", "shown"),
    [
        ("`a b <u>`_", "u", "u", 1, "a b"),
        ("x\n`a\nb <u>`__ c", "u", "u", 3, "a\nb"),
        ("`<u>`_", "u", "u", 1, "u"),
        ("* x\n\n  * y `a <u>`_", "u", "u", 3, "a"),
        ("a_\n\n.. _a: u", "u", "u", 3, "a"),
        ("`A  b`_ c\n\n.. _a b: u", "u", "u", 3, "A  b"),
        ("`a: b`_\n\n.. _`a: b`: u", "u", "u", 3, "a: b"),
        ("a__\n\n__ u", "u", "u", 3, "a"),
        ("a__\n\n.. __: u", "u", "u", 3, "a"),
        ("b_\n\n.. _b: a_\n.. _a: u", "u", "u", 4, "b"),
        ("b_\n\n.. _b:\n.. _a: u", "u", "u", 4, "b"),
        ("`b <a_>`_\n\n.. _a: u", "u", "u", 3, "b"),
        (
            "a_\n\n.. _a:\n   https://example.org/\n   b",
            "https://example.org/b",
            "https://example.org/\n   b",
            4,
            "a",
        ),
        ("* `a <https://example.org/\n  b>`_", "https://example.org/b", "https://example.org/\n  b", 1, "a"),
        ("`a <u\\_v>`_", "u_v", "u\\_v", 1, "a"),
        ("a_\n\n.. _a: u\\_v", "u_v", "u\\_v", 3, "a"),
        ("T a_\n====\n\n.. _a: u", "u", "u", 4, "a"),
        ("=====  =====\nx      a_\n=====  =====\n\n.. _a: u", "u", "u", 5, "a"),
        ("a_\n\n" + "x\n\n" * 600 + ".. _a: u", "u", "u", 1203, "a"),
    ],
)
def test_links(text: str, url: str, raw: str, raw_line: int, shown: str) -> None:
    (link,) = _links(text)
    assert (link.url, link.raw, link.raw_line, link.text) == (url, raw, raw_line, shown)


@pytest.mark.parametrize(
    "text",
    [
        "a_",
        "a_b",
        "``a_``",
        ":ref:`a <u>`",
        "`a <u>`",
        "[1]_\n\n.. [1] x",
        "|a|_",
        "a_\n\n.. _a:\n\nx",
        "https://example.org/a_",
    ],
)
def test_no_link(text: str) -> None:
    assert _links(text + "\n\n.. _c: d") == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\n\nc", [("a\nb", 1), ("c", 4)]),
        ("x ``lit`` :source:`Lib/x.py` `y`", [("x lit Lib/x.py y", 1)]),
        ("x `a\nb <u>`_ c\nd", [(f"x {STAND_IN}\n c\nd", 1)]),
        ("`a <u>`_", []),
        ("=\nA\n=\n\nb\n\nC\n-", [("A", 2), ("b", 5), ("C", 7)]),
        ("* a\n* b", [("a", 1), ("b", 2)]),
        ("a\n  b", [("a", 1), ("b", 2)]),
        (":a: b", [("a", 1), ("b", 1)]),
        ("-a  b", [("b", 1)]),
        ("| a\n| b", [("a", 1), ("b", 2)]),
        (".. a\n   b", [("a\nb", 1)]),
        (".. function:: f(x)\n   :module: m\n\n   b", [("f(x)", 1), ("m", 2), ("b", 4)]),
        (".. include:: /etc/hostname", [("/etc/hostname", 1)]),
        (".. csv-table:: t\n   :file: /etc/hostname", [("t", 1), ("/etc/hostname", 2)]),
        (".. raw:: html\n\n   <b>", [("html", 1), ("<b>", 3)]),
        (".. |x| replace:: y", [("y", 1)]),
        ("+---+\n| a\n+---+", [("+---+\n| a\n+---+", 1)]),
        ("a " + "b" * 10_001, [("a " + "b" * 10_001, 1)]),
    ],
)
def test_prose(text: str, shown: list[tuple[str, int]]) -> None:
    assert _prose(text) == shown


def test_sections_and_headings() -> None:
    found = list(read_rst("a\n\nB\n=\n\nc\n\nD\n-\n\nE\n=\n\nf\n"))
    assert [(each.where.section, each.where.heading) for each in found] == [
        (0, False),
        (1, True),
        (1, False),
        (2, True),
        (3, True),
        (3, False),
    ]


def test_nests() -> None:
    found = list(read_rst("a\n\n* b::\n\n    c\n\n* d\n\n  e\n\n.. tip:: f\n"))
    nests = [each.where.nest for each in found]
    assert list(map(len, nests)) == [0, 1, 1, 1, 1, 1]
    assert nests[1] == nests[2] != nests[3] == nests[4] != nests[5]


def test_what_is_nested_too_deep_is_read_by_its_lines() -> None:
    text = (
        "".join(" " * deep + "* x\n\n" for deep in range(0, 800, 2)) + " " * 800 + "y::\n\n" + " " * 802 + "z"
    )
    assert "z" in list(read_rst(text))[-1].text


def test_nothing_is_printed_and_no_file_is_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden")
    kinds = [
        ".. include:: {}",
        ".. raw:: html\n   :file: {}",
        ".. csv-table::\n   :file: {}",
        ".. literalinclude:: {}",
    ]
    text = (
        "\n\n".join(kind.format(secret) for kind in kinds)
        + "\n\nA\n=\n\nB\n--\n\nC\n.....\n\n*x `y |z\n\n.. image::\n"
    )
    assert not any("hidden" in each.text for each in read_rst(text))
    assert capfd.readouterr() == ("", "")


def test_docutils_is_left_as_it_was() -> None:
    from docutils.core import publish_doctree
    from docutils.parsers.rst import states

    text = ".. note:: a\n\n`b <u>`_\n"
    before = publish_doctree(text).pformat()
    explicit = list(states.Body.explicit.constructs)
    assert list(read_rst(".. unknown::\n\n   :role:`x`"))
    assert publish_doctree(text).pformat() == before
    assert states.Body.explicit.constructs == explicit


# What must always hold

_PARTS = st.sampled_from(
    [
        "a",
        "b_",
        "c__",
        " ",
        "  ",
        "   ",
        "\n",
        "\n\n",
        "\n   ",
        "::\n\n   ",
        "`",
        "``",
        "<u>`_",
        "*",
        "* ",
        "1. ",
        "- ",
        "| ",
        ".. ",
        ".. code:: c\n\n   ",
        ".. note:: ",
        ".. _b: u\n",
        "__ u\n",
        ".. |x| image:: y\n",
        ".. [1] ",
        ":a: ",
        "\\",
        "\t",
        "\n====\n",
        "\n----\n",
        "+--+\n",
        "|  |\n",
        "=== ===\n",
        ">>> ",
        "> ",
        "\r\n",
        "\x0c",
        "\u2028",
        "\x00",
        ":r:`x`",
        "-a  ",
        ".. highlight:: c\n",
        "   :caption: `a <u>`_\n",
        ".. a::\n   :b: c\n\n   ",
        "`a <u\n v>`_",
        STAND_IN,
    ]
)
_TEXTS = st.lists(_PARTS | st.text(max_size=3), max_size=30).map("".join) | st.text()


@given(_TEXTS)
@example("* >>> \r0")
@settings(deadline=None)
def test_any_text_is_read_and_everything_is_within_it(text: str) -> None:
    own = text.replace("\r\n", "\n").split("\n")
    found = list(read_rst(text))
    assert [each.where.order for each in found] == list(range(len(found)))
    for each in found:
        assert 1 <= each.where.line <= each.where.last <= len(own)
        match each:
            case Link():
                assert each.raw.split("\n")[0] in own[each.raw_line - 1]
            case Prose():
                assert each.text.strip()
                assert each.where.last >= each.where.line + each.text.count("\n") or each.where.last == len(
                    own
                )
            case Ignore():
                assert "ignore" in text
            case Block():
                assert each.where.line <= each.first <= each.where.last
                assert each.text.split("\n")[0].strip() in own[each.first - 1]


_WORD = st.sampled_from(["x = 1", "def f():", "  y", "", "* z", "`a`_", "    return", "::", "é"])


@given(
    st.lists(_WORD, min_size=1, max_size=6).filter(lambda words: words[0].strip() and words[-1].strip()),
    st.sampled_from(
        [
            "a::\n\n{}",
            ".. code:: c\n\n{}",
            "* a::\n\n{}",
            ".. x:: y\n\n   .. code-block:: c\n         :name: x\n\n{}",
        ]
    ),
    st.integers(0, 3),
    st.sampled_from(["\n", "\r\n"]),
)
@settings(deadline=None)
def test_code_comes_out_as_it_went_in(code: list[str], around: str, before: int, end: str) -> None:
    code[0] = code[0].strip()
    indented = "\n".join("         " + line if line else "" for line in code)
    text = "p\n\n" * before + around.format(indented) + "\n\nz\n"
    (block,) = _blocks(text.replace("\n", end))
    assert block.text.split("\n") == [line.rstrip() for line in code]
    assert text.split("\n")[block.first - 1].strip() == code[0]


# Hostile documents

GENEROUS = 20.0
"""Seconds of this process's own time; what is quadratic takes minutes."""
MANY = 5_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("- a\n\npara\n\n" * MANY, id="lists"),
        pytest.param("1. a\n\nb\n\n" * MANY, id="numbered lists"),
        pytest.param(("*a " * 1000 + "\n") * 60, id="emphasis"),
        pytest.param(("`a " * 1000 + "\n") * 60, id="backticks"),
        pytest.param(("`" + "\\`" * 2000 + "\n") * 60, id="escapes"),
        pytest.param((":a" * 3000 + "\n") * 60, id="colons"),
        pytest.param(("``" * 3000 + "\n") * 60, id="literals"),
        pytest.param("".join(" " * deep + "x\n\n" for deep in range(600)), id="deep quotations"),
        pytest.param("".join("   " * deep + ".. note::\n\n" for deep in range(300)), id="deep directives"),
        pytest.param(("+-" * 400 + "+\n") * 300, id="a grid"),
        pytest.param("=== ===\n" + "a   b\n" * 4 * MANY, id="a table that never ends"),
        pytest.param(
            "".join(f".. _a{n}: a{n + 1}_\n" for n in range(MANY)) + "\na0_", id="a chain of targets"
        ),
        pytest.param("".join(f".. |a{n}| replace:: x\n" for n in range(MANY)), id="substitutions"),
        pytest.param("A\n=\n\n" * MANY, id="titles of one name"),
        pytest.param("\n" * 60 * MANY, id="blank lines"),
        pytest.param("x" * 60 * MANY, id="a long line"),
        pytest.param("a\n b\n  c\n" * 4 * MANY, id="no blank line"),
        pytest.param(("- " * 50 + "x\n\n") * (MANY // 20), id="lists in lists on each line"),
        pytest.param(("- " * 80 + "x\n" + " " * 160 + "y\n") * MANY, id="and without blank lines"),
        pytest.param("1. a. i. x\n\n" * (MANY // 2), id="numbered lists in lists"),
        pytest.param(
            ("= " * 500 + "\n" + ("a " * 500 + "\n") * 150 + "= " * 500 + "\n\nx\n\n") * 5, id="wide tables"
        ),
        pytest.param(
            ("== ===\n" + ("a  " + "- " * 80 + "x\n") * 1000 + "== ===\n\nx\n\n") * 3, id="lists in tables"
        ),
    ],
)
def test_bounded(text: str) -> None:
    started = time.process_time()
    for _ in read_rst(text):
        pass
    assert time.process_time() - started < GENEROUS

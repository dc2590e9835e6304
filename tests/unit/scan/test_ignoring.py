"""Which citations a comment speaks of, in each kind of document."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import Expectation
from provenance.document import Ignore, Sheet, Where
from provenance.documents.formats import read_document
from provenance.scan.ignoring import Ignoring, closed_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.links.targets import NotUnderstood, Target

URL = "https://github.com/example/engine/blob/v1/valve.py#L"
"""What a digit is put behind: a link to that line."""
NOTE = "<!-- prov: ignore old -->"


def read(text: str, name: str) -> Sheet:
    """A document in which `@3` is a URL that leads to line 3, and `§` the comment."""
    parts = (part if not at else URL + part for at, part in enumerate(text.split("@")))
    sheet = read_document("".join(parts).replace("§", NOTE).encode(), name, {})
    assert isinstance(sheet, Sheet)
    return sheet


def covered(sheet: Sheet) -> str:
    """The lines that links lead to, and the first letters of blocks, of which the comments speak."""
    return "".join(_covered(sheet))


def _covered(sheet: Sheet) -> Iterator[str]:
    ignoring = Ignoring(sheet.ignores)
    for mention in sheet.mentions:
        if mention.block is None and ignoring.of(mention.where) is not None:
            yield _line(mention.target)
    yield from (block.text.strip()[0] for block in sheet.blocks if ignoring.of(block.where) is not None)


def _line(target: Target | NotUnderstood) -> str:
    return str(target.anchor.first) if hasattr(target, "anchor") and target.anchor is not None else "?"


MARKDOWN = {
    "behind a link": ("[a](@1) § [b](@2)\n[c](@3)\n", "12"),
    "before a link on its line": ("§ [a](@1)\n\n[b](@2)\n", "1"),
    "in a paragraph, with text alone on its line": ("Some text §\nand [a](@1).\n", ""),
    "a link over two lines": ("See [this\nfunction](@1) §, and\n[that](@2).\n", "1"),
    "above a paragraph": ("§\n\n[a](@1) and\n[b](@2)\n\n[c](@3)\n", "12"),
    "above a paragraph without a blank line": ("[x](@9)\n§\n[a](@1)\n[b](@2)\n\n[c](@3)\n", "12"),
    "in the middle of a text": ("Text.\n\n§\n\nMore [a](@1).\n\n[b](@2)\n", "1"),
    "above a heading": ("§\n\n# [a](@1)\n\n[b](@2)\n", "1"),
    "above a list": ("§\n- [a](@1)\n\n  [b](@2)\n\n  - [c](@3)\n- [d](@4)\n", "123"),
    "in a list item": ("- [a](@1)\n\n  §\n\n  [b](@2)\n- [c](@3)\n", "2"),
    "last in a list item": ("- [a](@1)\n\n  §\n- [b](@2)\n\n[c](@3)\n", ""),
    "between list items": ("- [a](@1)\n\n§\n\n- [b](@2)\n- [c](@3)\n", "2"),
    "alone as a list item's beginning": ("- §\n\n  [a](@1)\n\n  [b](@2)\n", "1"),
    "behind a list item's link": ("- [a](@1) §\n- [b](@2)\n", "1"),
    "above a quotation": ("§\n\n> [a](@1)\n>\n> [b](@2)\n\n[c](@3)\n", "12"),
    "in a quotation": ("> §\n>\n> [a](@1)\n>\n> [b](@2)\n\n[c](@3)\n", "1"),
    "last in a quotation": ("> [a](@1)\n>\n> §\n\n[b](@2)\n", ""),
    "above a table": ("§\n\n| a | b |\n| - | - |\n| [a](@1) | [b](@2) |\n| [c](@3) | |\n\n[d](@4)\n", "123"),
    "in a table's cell": ("| a | b |\n| - | - |\n| [a](@1) | [b](@2) § |\n| [c](@3) | |\n", "12"),
    "above a fence below its link": ("[a](@1)\n\n§\n```\ncode\n```\n\n[b](@2)\n", "c"),
    "above a fence above its link": ("§\n\n```\ncode\n```\n\n[a](@1)\n", "c"),
    "above indented code": ("§\n\n    code\n\n[a](@1)\n", "c"),
    "within a fence": ("[a](@1)\n\n```html\n§\n[b](@2)\n```\n\n[c](@3)\n", ""),
    "in indented code": ("[a](@1)\n\n    §\n\n[b](@2)\n", ""),
    "in a code span": ("`§` [a](@1)\n", ""),
    "above a thematic break": ("§\n\n---\n\n[a](@1)\n", "1"),
    "above HTML": ("§\n<div>\n\n[a](@1)\n\n[b](@2)\n\n</div>\n\n[c](@3)\n", "12"),
    "above details": ("§\n\n<details>\n<summary>x</summary>\n\n[a](@1)\n\n</details>\n\n[b](@2)\n", "1"),
    "in HTML": ("<div>\n§\n<p><a href='@1'>a</a></p>\n<p><a href='@2'>b</a></p>\n</div>\n", "1"),
    "in HTML above Markdown": ("<div>\n§\n\n[a](@1)\n\n[b](@2)\n\n</div>\n", "1"),
    "last in HTML": ("<div>\n§\n</div>\n\n[a](@1)\n", ""),
    "over several lines": ("<!-- prov: ignore\n  old\n-->\n\n[a](@1)\n\n[b](@2)\n", "1"),
    "a reference": ("[a][x] §\n\n[b][x]\n\n[x]: @1\n", "1"),
    "two comments": ("§\n\n§\n\n[a](@1)\n", "1"),
    "at the end": ("[a](@1)\n\n§\n", ""),
    "in front matter": ("---\ntitle: '§'\n---\n\n[a](@1)\n", ""),
}
HTML = {
    "behind a link": ("<p><a href='@1'>a</a> §\n<a href='@2'>b</a></p>\n", "1"),
    "above a paragraph": ("§\n<p><a href='@1'>a</a>\n<a href='@2'>b</a></p><p><a href='@3'>c</a></p>", "12"),
    "first in a paragraph": ("<p>\n§\n<a href='@1'>a</a></p>\n<p><a href='@2'>b</a></p>\n", "1"),
    "within a paragraph": (
        "<p><a href='@1'>a</a>\n§\n<a href='@2'>b</a></p>\n<p><a href='@3'>c</a></p>",
        "12",
    ),
    "between text and a paragraph": ("<div>@1\n§\n<p>@2</p>\n<p>@3</p></div>", "2"),
    "between text and code": ("<ul><li><a href='@1'>a</a>:\n§\n<pre>code</pre></li></ul>", "c"),
    "behind text that is all": ("<div>@1\n§\n</div>\n<p>@2</p>", "1"),
    "behind text, with more behind it": ("<div>@1\n§\n<b>@2</b> x\n<p>@3</p></div>", "12"),
    "above a list on one line": ("§\n<ul><li><a href='@1'>a</a></li><li><a href='@2'>b</a></li></ul>", "1"),
    "above a division": (
        "§\n<div><p><a href='@1'>a</a></p>\n<p><a href='@2'>b</a></p></div>\n<p>@3</p>",
        "12",
    ),
    "above a table": ("§\n<table><tr><td>@1</td></tr>\n<tr><td>@2</td></tr></table>\n<p>@3</p>", "12"),
    "above a page": (
        "§\n<html><body>\n<p><a href='@1'>a</a></p>\n<p><a href='@2'>b</a></p></body></html>",
        "1",
    ),
    "above code": ("<p><a href='@1'>a</a></p>\n§\n<pre>code\nmore</pre>\n", "c"),
    "in code": ("<p><a href='@1'>a</a></p>\n<pre>code\n§\nmore</pre>\n", "c"),
    "shown in code": ("<p><a href='@1'>a</a></p>\n<pre>&lt;!-- prov: ignore old --></pre>\n<p>@2</p>", ""),
    "last in a list item": ("<ul><li>@1\n<p>x</p>\n§\n</li>\n<li>@2</li></ul>\n", ""),
    "above a script": ("§\n<script>x</script>\n<p>@1</p>\n<p>@2</p>", "1"),
    "in a template": ("<template>§</template>\n<p>@1</p>", ""),
    "above plain text": ("<div>x</div>\n§\n@1 and\n@2\n<p>@3</p>", "12"),
    "with a closing p missing": ("§\n<p>@1\n<p>@2\n", "1"),
}
RST = {
    "above a paragraph": (".. prov: ignore old\n\nSee `a <@1>`_ and\n`b <@2>`_.\n\n`c <@3>`_\n", "12"),
    "between": ("`c <@3>`_\n\n.. prov: ignore old\n\nSee `a <@1>`_.\n\n`b <@2>`_\n", "1"),
    "on two lines": ("..\n   prov: ignore\n   old\n\nSee `a <@1>`_.\n\n`b <@2>`_\n", "1"),
    "above a list": (".. prov: ignore old\n\n- `a <@1>`_\n\n  `b <@2>`_\n- `c <@3>`_\n", "12"),
    "in a list item": ("- `a <@1>`_\n\n  .. prov: ignore old\n\n  `b <@2>`_\n\n- `c <@3>`_\n", "2"),
    "last in a list item": ("- `a <@1>`_\n\n  .. prov: ignore old\n\n- `b <@2>`_\n", ""),
    "above a directive": (
        ".. prov: ignore old\n\n.. note::\n\n   `a <@1>`_\n\n   `b <@2>`_\n\n`c <@3>`_\n",
        "12",
    ),
    "above code": ("`a <@1>`_\n\n.. prov: ignore old\n\n.. code-block:: python\n\n   code\n", "c"),
    "above a literal block": ("`a <@1>`_\n\n.. prov: ignore old\n\n::\n\n   code\n", "c"),
    "in code": (".. code-block:: rst\n\n   .. prov: ignore old\n\n`a <@1>`_\n", ""),
    "above a target": (".. prov: ignore old\n\n.. _a: @1\n\nSee a_.\n\n`b <@2>`_\n", "1"),
    "above a section": (".. prov: ignore old\n\n`a <@1>`_\n=========\n\n`b <@2>`_\n", "1"),
    "above a table": (
        ".. prov: ignore old\n\n=======  =======\na        b\n=======  =======\nc        @1\n=======  =======\n\n@2\n",
        "1",
    ),
    "without a blank line": (".. prov: ignore old\nSee `a <@1>`_.\n\n`b <@2>`_\n", "1"),
}
PLAIN = {
    "above a paragraph": ("prov: ignore old\n\nSee @1 and\n@2\n\n@3\n", "12"),
    "in a paragraph": ("See @1\nprov: ignore old\n@2\n\n@3\n", "12"),
    "as Markdown": ("§\n\n@1\n\n@2\n", "1"),
    "above code": ("@1\n\nprov: ignore old\n\n    code\n", "c"),
    "in code": ("@1\n\n    prov: ignore old\n\n@2\n", ""),
    "in a fence": ("@1\n\n```\nprov: ignore old\n```\n\n@2\n", ""),
    "within a line": ("It says prov: ignore old, see @1\n", ""),
    "at the end": ("@1\n\nprov: ignore old\n", ""),
}
PYTHON = {
    "a comment above": ("# prov: ignore old\n\n# See @1 and\n# @2\n\n# @3\n", "12"),
    "in a comment": ("# See @1\n# prov: ignore old\nx = 1\n\n# @2\n", "1"),
    "above a docstring": ("# prov: ignore old\ndef f():\n    '''See @1\n\n    @2\n    '''\n\n# @3\n", "12"),
    "in a docstring": (
        "def f():\n    '''Does.\n\n    .. prov: ignore old\n\n    @1\n\n    @2\n    '''\n",
        "1",
    ),
    "in a string": ("x = '''\nprov: ignore old\n'''\n# @1\n", ""),
}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param(f"a{ending}", text, expected, id=f"{ending}: {what}")
        for ending, table in (
            (".md", MARKDOWN),
            (".html", HTML),
            (".rst", RST),
            (".txt", PLAIN),
            (".py", PYTHON),
        )
        for what, (text, expected) in table.items()
    ],
)
def test_a_comment_speaks_of_its_line_or_of_what_comes_next(name: str, text: str, expected: str) -> None:
    sheet = read(text, name)
    assert covered(sheet) == expected
    without = read(text.replace("§", NOTE).replace("prov: ignore", "prov: said"), name)
    assert not without.ignores
    assert [mention.raw for mention in sheet.mentions] == [mention.raw for mention in without.mentions]


def test_a_comment_in_a_notebook_speaks_within_its_cell() -> None:
    sources = [f"{NOTE}\n\n[a]({URL}1)\n", f"[b]({URL}2)\n\n{NOTE}", f"[c]({URL}3)"]
    cells = [{"cell_type": "markdown", "source": source} for source in sources]
    cells.insert(2, {"cell_type": "code", "source": f"# {NOTE}"})
    cells.append({"cell_type": "raw", "source": f"prov: ignore old\n\n{URL}4"})
    sheet = read(json.dumps({"cells": cells}).replace("§", ""), "a.ipynb")
    assert [(each.where.cell, each.where.line) for each in sheet.ignores] == [(1, 1), (2, 3), (5, 1)]
    assert covered(sheet) == "14"


@pytest.mark.parametrize(
    ("source", "blocks", "expected"),
    [
        ("# prov: ignore old\n# @1\nx", [(2, "# @1\nx")], "#"),
        ("  // prov: ignore old\n-- prov: ignore old\n@1", [(3, "@1")], "h"),
        ("# @1\n# prov: ignore old", [(1, "# @1\n# prov: ignore old")], ""),
        ("x = 1  # prov: ignore old\n# @1", [(1, "x = 1  # prov: ignore old\n# @1")], ""),
        ("# prov: ignore old\n", [], ""),
    ],
)
def test_comments_above_the_code_of_a_cell_speak_of_the_cell(
    source: str, blocks: list[tuple[int, str]], expected: str
) -> None:
    cells = [{"cell_type": "code", "source": source}, {"cell_type": "code", "source": "y = 1  # @2"}]
    sheet = read(json.dumps({"cells": cells}), "a.ipynb")
    code = [(block.first, block.text.replace(URL, "@")) for block in sheet.blocks]
    assert code == [*blocks, (1, "y = 1  # @2")]
    assert covered(sheet) == expected


PIECES = [
    "§",
    "\n",
    "\n\n",
    "- ",
    "> ",
    "# ",
    "    ",
    "```\n",
    "| a |\n| - |\n",
    "[a](@1)",
    "@2",
    "x ",
    ".. ",
]
PIECES += [
    "prov: ignore old",
    "::\n",
    "note::\n",
    "<ul>",
    "<li>",
    "</li>",
    "</ul>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
]
PIECES += [
    "<pre>",
    "</pre>",
    "<table><tr><td>",
    "</table>",
    "<a href='@3'>",
    "</a>",
    "<b>",
    "</b>",
    "<hr>",
    "<xmp/>",
]
PIECES += ["<template>", "</template>", "<h1>", "</h1>", "<blockquote cite='@4'>", "<details>", "'''"]


@given(
    st.lists(st.sampled_from(PIECES), max_size=25).map("".join),
    st.sampled_from(["md", "html", "rst", "txt", "py"]),
)
def test_whatever_stands_around_a_comment_it_speaks_of_elements_that_there_are(
    text: str, ending: str
) -> None:
    sheet = read(text, f"a.{ending}")
    wheres = [*(block.where for block in sheet.blocks), *(mention.where for mention in sheet.mentions)]
    ignoring = Ignoring(sheet.ignores)
    for each in sheet.ignores:
        assert 1 <= each.where.line <= each.where.last <= text.replace("@", URL).count("\n") + 1
        if each.covers is not None:
            assert each.covers[0] < each.covers[1]
    spoken = {where.order for where in wheres if ignoring.of(where) is not None}
    spans = [each.covers for each in sheet.ignores if each.covers is not None and not each.beside]
    for first, behind in spans:
        assert {where.order for where in wheres if first <= where.order < behind} <= spoken


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<!-- prov: ignore -->\n\n[a](@1)\n", "prov: ignore: there is no reason"),
        ("<!-- prov: ignore chnged: a -->\n\n[a](@1)\n", "prov: ignore chnged: a: chnged is no verdict"),
        ("§\n\ntext\n", "prov: ignore old: it ignores nothing: what comes next holds no citation"),
        ("text §\n", "prov: ignore old: it ignores nothing: no citation stands on its line"),
        ("§\n", "prov: ignore old: it ignores nothing: nothing comes next beside it"),
        (
            "<!-- prov: ignore a -->\n\n<!-- prov: ignore b -->\n\n[a](@1)\n",
            "prov: ignore a: it ignores nothing",
        ),
        (
            "<!-- prov: ignore a -->\n- [a](@1) <!-- prov: ignore b -->\n",
            "prov: ignore a: it ignores nothing",
        ),
        (f"<!-- prov: ignore {'x' * 90} -->\n", f"prov: ignore {'x' * 66}…: it ignores nothing"),
        ("§\n\n[a](@1)\n", ""),
    ],
)
def test_a_comment_that_ignores_nothing_is_told(text: str, told: str) -> None:
    sheet = read(text, "a.md")
    ignoring = Ignoring(sheet.ignores)
    for mention in sheet.mentions:
        ignoring.of(mention.where)
    found = [f"{each.sighted.cited}: {each.message}" for each in ignoring.unread("a.md")]
    assert len(found) == bool(told)
    assert "".join(found).startswith(told)


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("<!-- prov: ignore a -->\n- x\n\n  <!-- prov: ignore b -->\n  - [a](@1)\n", "b"),
        ("<!-- prov: ignore a -->\n- [a](@1)\n\n  <!-- prov: ignore b -->\n\n  text\n", "a"),
        ("<!-- prov: ignore a -->\n\n<!-- prov: ignore b -->\n\n[a](@1)\n", "b"),
        ("<!-- prov: ignore a -->\n\n[a](@1) <!-- prov: ignore b -->\n", "b"),
        ("<!-- prov: ignore a -->\n\n<!-- prov: ignore -->\n\n[a](@1)\n", "a"),
    ],
)
def test_of_several_comments_the_nearest_counts(text: str, because: str) -> None:
    sheet = read(text, "a.md")
    (mention,) = sheet.mentions
    assert Ignoring(sheet.ignores).of(mention.where) == Expectation(None, because, None)


def test_a_link_comes_before_the_block_that_is_its_quote() -> None:
    sheet = read(
        "[a](@1) <!-- prov: ignore a -->\n\n<!-- prov: ignore b -->\n```\ncode\n```\n\n[b](@2)\n", "a.md"
    )
    one, two = (mention.where for mention in sheet.mentions)
    (block,) = sheet.blocks
    ignoring = Ignoring(sheet.ignores)
    found = [ignoring.of(one, block.where), ignoring.of(two, block.where), ignoring.of(two)]
    assert [each and each.because for each in found] == ["a", "b", None]


@pytest.mark.parametrize("note", ["§\n", "§\n\n", "\n§\n\n", "<!-- prov: ignore\nold\n-->\n\n"])
@pytest.mark.parametrize("before", ["[a](@1)\n\n", "```\nx\n```\n\n[a](@1)\n\n- item\n\n"])
def test_which_block_is_a_quote_does_not_depend_on_a_comment(before: str, note: str) -> None:
    after = "```\ncode\n```\n\n[b](@2)\n"
    sheet, plain = closed_up(read(before + note + after, "a.md")), read(before + after, "a.md")
    blocks = zip(sheet.blocks, plain.blocks, strict=True)
    mentions = zip(sheet.mentions, plain.mentions, strict=True)
    pairs = [
        *((one.where, two.where) for one, two in blocks),
        *((one.where, two.where) for one, two in mentions),
    ]
    for found, wanted in pairs:
        assert found.order == wanted.order
        assert abs(wanted.line - found.line) <= 1


def test_many_comments_and_many_links_take_no_longer_than_they_are_many() -> None:
    many = 20_000
    ignores = [Ignore(Where(line, line, 0), "old", (0, many)) for line in range(1, many)]
    wheres = [Where(many + order, many + order, order) for order in range(many)]
    began = time.perf_counter()
    ignoring = Ignoring(ignores)
    assert all(ignoring.of(where) for where in wheres)
    assert len([*ignoring.unread("a.md")]) == many - 2
    assert time.perf_counter() - began < 5


def test_comments_in_lists_within_lists_are_left_as_these_end() -> None:
    deep = 8_000
    began = time.perf_counter()
    sheet = read("<ul>§" * deep + "</ul>" * deep + "\n<p>@1</p>", "a.html")
    assert covered(sheet) == ""
    assert len(sheet.ignores) == deep
    assert time.perf_counter() - began < 10

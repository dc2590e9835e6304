"""What a document puts around code, and how it is taken off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.quoting.frames import HEADER, NEW_SIDE, NUMBERS, OLD_SIDE, REMARKS, frames
from provenance.compare.quoting.headers import header, names
from provenance.compare.quoting.printed import Run, runs
from provenance.compare.quoting.remarks import is_remark

PATH = "lib/contracts/wallet/Account.sol"
CITED = LineRange(10, 12)
URL = "https://github.com/acme/lib/blob/main/a.py#L10-L12"


def bare(text: str, *, path: str = PATH, cited: LineRange | None = CITED) -> str:
    """The reading with everything taken off; the text as it is where there is nothing to take off."""
    return frames(text, path, cited)[-1].text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("10: a\n11: b", "a\nb"),
        ("10:\ta\n11:\t  b", "a\n  b"),
        ("10:a\n11:  b", "a\n  b"),
        ("10 | a\n11 |\n12 |   b", "a\n\n  b"),
        ("10 \u2502 a\n11 \u2502 b", "a\nb"),
        ("10 a\n11 b", "a\nb"),
        ("10\ta\n11\t\tb", "a\n\tb"),
        ("L10: a\nL11: b", "a\nb"),
        ("10. a\n11. b", "a\nb"),
        ("  9 a\n 10 b\n 11 c", "a\nb\nc"),
        ("10: a\n11\n12: b", "a\n\nb"),
        ("10 a\n11\n12 b", "a\n\nb"),
        ("10: a\n\n12: b", "a\n\nb"),
        ("10 a\n...\n99 b", "a\n...\nb"),
        ("10: a\n// ...\n99: b", "a\n// ...\nb"),
        ("10: a\n11: b\n    // the bug is here\n12: c", "a\nb\n    // the bug is here\nc"),
        ("11: a", "a"),
        ("11 a", "a"),
        ("10: a\r\n11: b\r", "a\nb"),
    ],
)
def test_line_numbers_are_taken_off(text: str, code: str) -> None:
    plain, framed = frames(text, PATH, CITED)
    assert (plain.text, plain.notes, plain.numbers) == (text, (), None)
    assert (framed.text, framed.notes) == (code, (NUMBERS,))


@pytest.mark.parametrize(
    "text",
    [
        "11 a\n10 b",  # falling
        "10 a\n14 b",  # a gap that no mark shows
        "10 a\nb\n11 c",
        "99: a",  # one number, of another line
        "10\n11\n12",  # numbers are data
        "1.5\n2.5",
        "10px a\n11px b",
        "a: 10\nb: 11",
        "10: a\nb\nc\nd\n11: e",  # most lines have none
        "{1: a,\n 2: b}",
        "",
    ],
)
def test_what_is_no_line_number_stays(text: str) -> None:
    assert [each.text for each in frames(text, PATH, CITED)] == [text]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("10: f(a,\n      b)\nreturn", "f(a,\n      b)\nreturn"),
        ("10    f(a,\n        b)", "f(a,\n        b)"),
        # what closes it tells the column
        ("10: if a {\n        b\n    }", "    if a {\n        b\n    }"),
        ("10:     f(\n\t\tb\n\t) {\n\t\tc\n\t}", "\tf(\n\t\tb\n\t) {\n\t\tc\n\t}"),
        ("10: if a {\n        b\n    }\n\n20: c(\n  d\n)", "    if a {\n        b\n    }\n\nc(\n  d\n)"),
        ("10: if a {\n        b\n    }\n\n20: c", "    if a {\n        b\n    }\n\n    c"),
        # a remark of the document above
        ("/// odd\n10: a", "/// odd\na"),
        # several places
        ("10 a\n\n14 b", "a\n\nb"),
        ("10 a\n\n14 b\n\n99 c", "a\n\nb\n\nc"),
    ],
)
def test_numbers_at_the_heads_of_stretches_are_taken_off(text: str, code: str) -> None:
    assert (bare(text), frames(text, PATH, CITED)[-1].notes) == (code, (NUMBERS,))


@pytest.mark.parametrize(
    "text",
    [
        "99: f(a,\n      b)",  # of another line, in a file that nothing names
        "a\n10 b",  # `10 b` may be code
        "10: a\nb\nc\n12: d\ne\nf",  # the second begins no stretch
        "97 a\n\n99 b",
    ],
)
def test_a_number_that_may_be_code_stays(text: str) -> None:
    assert bare(text) == text


def test_a_header_tells_what_the_numbers_are() -> None:
    assert bare("File: wallet/Account.sol\n98 a\n\n99 b") == "a\n\nb"
    assert bare("File: wallet/Account.sol\n99: f(a,\n  b)") == "f(a,\n  b)"
    assert bare("File: wallet/Account.sol\n99: a\n98: b") == "a\nb"  # places in any order
    assert bare("File: wallet/Account.sol\n99 a\n98 b") == "99 a\n98 b"
    assert bare("99: a\n98: b") == "99: a\n98: b"


def test_printed_numbers_are_told() -> None:
    assert frames("10: a\n\n12: b", PATH, CITED)[-1].numbers == (10, 12)


def test_one_number_is_believed_under_a_header() -> None:
    assert bare("File: wallet/Account.sol\n\n99: a") == "a"
    assert bare("File: wallet/Account.sol\n\n99 a") == "99 a"


def test_numbers_part_a_block_into_runs() -> None:
    lines = ["File: a.sol", "", "4: a", "5: b", "...", "", "9: c", "10: d"]
    assert runs(lines) == [Run((2, 3), 4, 5), Run((6, 7), 9, 10)]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("File: wallet/Account.sol", "wallet/Account.sol"),
        ("// File: wallet/Account.sol", "wallet/Account.sol"),
        ("# File: tools/run.py", "tools/run.py"),
        ("filename: run.py", "run.py"),
        ("# tools/run.py", "tools/run.py"),
        ("/* src/main.c */", "src/main.c"),
        ("<!-- templates/base.html -->", "templates/base.html"),
        ("-- db/schema.sql", "db/schema.sql"),
        ("; lisp/init.el", "lisp/init.el"),
        ("% src/a.erl", "src/a.erl"),
        ("// wallet/Account.sol#L10-L20", "wallet/Account.sol"),
        ("wallet/Account.sol:10-20", "wallet/Account.sol"),
        ("wallet/Account.sol, lines 10-20", "wallet/Account.sol"),
        ("wallet/Account.sol (line 10)", "wallet/Account.sol"),
        ("`Account.sol`:", "Account.sol"),
        ("**Account.sol", None),
        ("Account.sol", "Account.sol"),
        ("--- a/lib/contracts/wallet/Account.sol", "a/lib/contracts/wallet/Account.sol"),
        ("other/Thing.sol", None),  # a path of another file may be code
        ("#!/bin/sh", None),
        ("#!/usr/bin/env python", None),
        ("# a comment", None),
        ("# see the docs", None),
        ("# coding: utf-8", None),
        ("#include <lib/a.h>", None),
        ("import a.b", None),
        ("from a.b import c", None),
        ("return a/b", None),
        ("// SPDX-License-Identifier: MIT", None),
        ("//" * 200 + "a/b.c", None),
    ],
)
def test_a_header_names_a_file(line: str, path: str | None) -> None:
    found = header([line, "", "code"], PATH)
    assert (found.path if found else None) == path
    framed = frames(f"{line}\n\ncode", PATH, CITED)
    assert framed[-1].text == ("code" if path else f"{line}\n\ncode")
    assert framed[-1].notes == ((HEADER,) if path else ())
    assert framed[-1].header_path == path


def test_a_header_may_have_several_lines() -> None:
    assert bare("wallet/Account.sol\nLines 10 to 12 in 1a2b3c4\n\ncode") == "code"
    assert bare("--- a/wallet/Account.sol\n+++ b/wallet/Account.sol\ncode") == "code"
    assert bare("// wallet/Account.sol\n// wallet/Other.sol\ncode") == "// wallet/Other.sol\ncode"


def test_a_header_alone_is_no_frame() -> None:
    assert bare("// wallet/Account.sol") == "// wallet/Account.sol"


def test_a_file_without_an_ending_is_named_by_the_link() -> None:
    assert bare("# Makefile\nall:", path="Makefile") == "all:"
    assert bare("Makefile\nall:", path="Makefile") == "Makefile\nall:"


@pytest.mark.parametrize(
    ("shown", "path", "same"),
    [
        ("Account.sol", PATH, True),
        ("wallet/Account.sol", PATH, True),
        ("./wallet/Account.sol", PATH, True),
        ("wallet\\Account.sol", PATH, True),
        ("repo/" + PATH, PATH, True),
        ("b/wallet/Account.sol", PATH, True),
        ("purse/Account.sol", PATH, False),
        ("MyAccount.sol", PATH, False),
        ("", PATH, False),
        ("Account.sol", "", False),
    ],
)
def test_which_paths_mean_the_same(shown: str, path: str, same: bool) -> None:
    assert names(shown, path) is same


@pytest.mark.parametrize(
    "line",
    [
        URL,
        f"# {URL}",
        f"    // see {URL}",
        f"// Source: {URL}",
        f"# taken from {URL}.",
        f"<!-- {URL} -->",
        f"<!-- {URL}-->",
        f"/* {URL} */",
        f"/* {URL}*/",
        f"; {URL}",
        f"-- {URL}",
        f"# <{URL}>",
        "# https://gitlab.com/a/b/-/blob/main/c.rb#L10-12",
        "# swh:1:cnt:94a9ed024d3859793618152ea559a168bbcbb5e2;lines=9-15",
    ],
)
def test_a_comment_that_is_a_link_is_taken_off(line: str) -> None:
    assert is_remark(line)
    framed = frames(f"{line}\ncode\n{line}\nmore", PATH, CITED)[-1]
    assert (framed.text, framed.notes) == ("code\nmore", (REMARKS,))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"call()  # {URL}", "call()"),
        (f"call(); // from {URL}", "call(); // from"),
        (f"// most of this {URL}", "// most of this"),
        (f"call(); /* {URL} */", "call();"),
    ],
)
def test_a_link_at_the_end_of_a_comment_is_taken_off(line: str, code: str) -> None:
    assert bare(f"{line}\nmore") == f"{code}\nmore"


@pytest.mark.parametrize(
    "line",
    [
        "# https://example.org/docs",  # no place in code
        f'get("{URL}")',
        f"url = {URL}",
        f"# {URL} is where it all began",
        "# no link",
    ],
)
def test_other_links_stay(line: str) -> None:
    assert bare(f"{line}\nmore") == f"{line}\nmore"


@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        (" a\n-b\n+c\n d", "a\nc\nd", "a\nb\nd"),
        ("  f()\n-    b\n+    c\n  end", "  f()\n    c\n  end", "  f()\n    b\n  end"),
        ("f()\n-  b\n+  c", "f()\n  c", "f()\n  b"),
        ("--- a/x.c\n+++ b/x.c\n@@ -1,2 +1,2 @@\n a\n-b\n+c", "a\nc", "a\nb"),
        ("+a\n+b", "a\nb", None),
    ],
)
def test_a_diff_has_two_sides(text: str, new: str, old: str | None) -> None:
    found = {
        notes[-1]: text
        for text, notes in ((f.text, f.notes) for f in frames(text, PATH, None, language="diff"))
        if notes
    }
    assert found.get(NEW_SIDE) == new
    assert found.get(OLD_SIDE) == old


@pytest.mark.parametrize(
    ("text", "language", "old", "new"),
    [
        (
            "f() {\n-   a\n+   b\n}",
            "c",
            "f() {\n    a\n}",
            "f() {\n    b\n}",
        ),  # signs in the place of a space
        ("f() {\n-    a\n+    b\n}", "c", "f() {\n    a\n}", "f() {\n    b\n}"),
        (" f() {\n-    a\n+    b\n }", "", "f() {\n    a\n}", "f() {\n    b\n}"),
        ("f() {\n+   b\n}", "", "f() {\n}", "f() {\n    b\n}"),
        ("f() {\n+   b\n}", "yaml", None, None),
        ("- a\n- b\nc", "", None, None),  # a list
        ("+ a\n- b", "", None, None),
        ("a =\n+b\n-c", "", None, None),
        ("a\n++i", "c", None, None),
    ],
)
def test_a_diff_may_be_called_code(text: str, language: str, old: str | None, new: str | None) -> None:
    found = {each.notes[-1]: each.text for each in frames(text, PATH, None, language=language) if each.notes}
    assert (found.get(OLD_SIDE), found.get(NEW_SIDE)) == (old, new)


def test_what_is_no_diff_has_no_sides() -> None:
    assert len(frames("-a\n+b", PATH, None)) == 1
    assert len(frames("a\nb", PATH, None, language="diff")) == 1


def test_all_of_a_frame_is_taken_off_at_once() -> None:
    framed = frames(f"// {URL}\nFile: wallet/Account.sol\n\n10:     a\n11:         b\n", PATH, CITED)[-1]
    assert framed.text == "    a\n        b"
    assert framed.notes == (REMARKS, HEADER, NUMBERS)


def test_prompts_are_code() -> None:
    assert len(frames(">>> a\n$ b", PATH, CITED)) == 1


LINES = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        [
            f"# {URL}",
            "10: a",
            "11: b",
            "12",
            "...",
            "File: a/b.c",
            "// a/b.c",
            "+a",
            "-b",
            "@@ -1 +1 @@",
            "",
            "\t",
        ]
    ),
)


@given(st.lists(LINES, max_size=12).map("\n".join), st.sampled_from(["", "diff"]))
def test_readings_are_made_of_the_block(text: str, language: str) -> None:
    found = frames(text, PATH, CITED, language=language)
    assert found[0].text == text
    assert not found[0].notes
    assert len({each.text for each in found}) == len(found)
    lines = text.split("\n")
    for each in found[1:]:
        assert each.notes
        assert each.text.strip()
        left = iter(lines)
        for line in each.text.split("\n"):
            assert any(line in other for other in left)

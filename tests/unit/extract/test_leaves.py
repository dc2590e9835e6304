"""Walking leaves, of a tree and of plain text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.extract.code import Code, Edge, Leaves, Steps
from provenance.extract.languages import PYTHON
from provenance.extract.leaves import TreeLeaves
from provenance.extract.plain import Plain
from provenance.extract.syntax import Syntax

MANY = 1_000_000
BREAK = Edge(breaks=True)


def tree(code: str) -> Syntax:
    syntax = Syntax.of_bytes(code.encode(), PYTHON)
    assert isinstance(syntax, Syntax)
    return syntax


def at(code: Code, text: str, *, bounded: bool = False) -> Leaves:
    leaves = code.leaves(code.data.index(text.encode()), Steps(MANY), bounded=bounded)
    assert leaves is not None
    return leaves


def keys(leaves: Leaves | None) -> list[str]:
    found = []
    while leaves is not None and leaves.key:
        found.append(leaves.key.decode())
        leaves.advance()
    return found


def test_comments_and_layout_are_passed_over() -> None:
    code = tree("f(a,  # b\n  # c\n  'd' \\\n  + e); g")
    assert keys(at(code, "f")) == ["f", "(", "a", ",", '""d', "+", "e", ")", "g"]


def test_comments_are_stopped_at_where_that_is_asked_for() -> None:
    leaves = TreeLeaves.first(tree("# a\nb  # c\n"), Steps(MANY), telling=False)
    found = []
    while leaves.key:
        found.append((leaves.key, leaves.is_comment))
        leaves.is_comment = False
        leaves.advance()
    assert found == [(b"# a", True), (b"b", False), (b"# c", True)]


@pytest.mark.parametrize("offset", [1, 2, 6, 7, 12, 14, 100])
def test_where_no_token_begins(offset: int) -> None:
    assert tree("ab + 'cd' # e").leaves(offset, Steps(MANY)) is None


def test_code_in_a_string_has_tokens_of_its_own() -> None:
    code = tree("x = f'a{b + c}d'")
    assert keys(at(code, "x")) == ["x", "=", '"f"a{b + c}d']
    assert keys(at(code, "b"))[:3] == ["b", "+", "c"]


def test_edges() -> None:
    code = tree("if a:\n  b\n  # c\n  if d:\n    e; f\n  # g\nelse: h\ni\n")
    leaves = at(code, "if", bounded=True)
    found = []
    while leaves.key:
        found.append((leaves.key.decode(), leaves.edge))
        leaves.advance()
    none = Edge()
    assert found == [
        *(("if", none), ("a", none), (":", none), ("b", none)),
        *(("if", BREAK), ("d", none), (":", none), ("e", none), ("f", BREAK)),
        *(("else", Edge(2)), (":", none), ("h", none)),
        ("i", Edge(1, breaks=True)),
    ]


def test_edges_of_broken_code_are_not_known() -> None:
    leaves = at(tree("f(a b\n c = = d"), "f", bounded=True)
    edges = []
    while leaves.key:
        edges.append(leaves.edge)
        leaves.advance()
    assert None in edges


def test_text_that_no_leaf_holds_is_no_layout() -> None:
    code = "x = 'a\ny `z`\n"
    found = keys(at(tree(code), "x"))
    assert not [key for key in found if key in {"y", "z"} and "\0" in key]
    shown = "".join(key.removeprefix("\0") for key in found)
    assert len(shown) <= len(code)


def test_a_fork_goes_its_own_way() -> None:
    for code in (tree("a b c"), Plain(b"a b c")):
        leaves = at(code, "a")
        fork = leaves.fork()
        leaves.advance()
        assert (leaves.key, fork.key) == (b"b", b"a")
        assert keys(fork) == ["a", "b", "c"]
        assert keys(fork.fork()) == []


@pytest.mark.parametrize(
    ("code", "spare"),
    [
        ("f(a,)", True),
        ("f(a, b)", True),
        ("[a,]", True),
        ("{a: b,}", True),
        ("(a,)", False),
        ("(a, b,)", False),
        ("x[a,]", False),
        ("def f(a,): pass", True),
        ("from a import (b,)", True),
        ("a, b", False),
    ],
)
def test_the_first_comma_is_spare(code: str, spare: bool) -> None:
    assert at(tree(code), ",").spare() is spare


def test_the_second_comma_of_a_tuple_is_spare() -> None:
    code = tree("(a, b , )")
    leaves = code.leaves(6, Steps(MANY))
    assert leaves is not None
    assert leaves.spare()


def runs(code: Code, text: str, before: str | None) -> list[tuple[str, str]]:
    leaves = at(code, text)
    start = leaves.start
    return [
        (code.data[start:end].decode(), behind.key.decode())
        for end, behind in leaves.past_runs(None if before is None else before.encode())
    ]


@pytest.mark.parametrize(
    ("code", "text", "before", "expected"),
    [
        (
            "f(a.b, c, *d)",
            "a",
            "x",
            [
                ("a", "."),
                ("a.b", ","),
                ("a.b,", "c"),
                ("a.b, c", ","),
                ("a.b, c,", "*"),
                ("a.b, c, *d", ")"),
            ],
        ),
        ("f(a.b, c, *d)", "a", ")", [("a", "."), ("a.b, c, *d", ")")]),
        ("f(a, (b, c), d)", "(b", ")", [("(b, c), d", ")")]),
        ("f()", ")", ")", []),
        ("x = a + b\n", "a", None, [("a", "+"), ("a + b", "")]),
        (
            "def f():\n  a\n  b; c\nd",
            "a",
            "x",
            [("a", "b"), ("a\n  b", "c"), ("a\n  b;", "c"), ("a\n  b; c", "d")],
        ),
        ("from a import (b, c)", "(", None, [("(b, c)", "")]),
    ],
)
def test_runs_of_a_tree(code: str, text: str, before: str | None, expected: list[tuple[str, str]]) -> None:
    found = runs(tree(code), text, before)
    assert [run for run in dict.fromkeys(found) if not run[0].endswith(";")] == [
        run for run in expected if not run[0].endswith(";")
    ]


@pytest.mark.parametrize(
    ("code", "text", "before", "expected"),
    [
        ("f(a, g(b), c)", "a", ",", [("a", ","), ("a,", "g"), ("a, g", "("), ("a, g(b)", ",")]),
        ("f(a, g(b), c)", "a", ")", [("a, g(b), c", ")")]),
        ("f()", ")", ")", []),
        ("x = a + b\nc", "a", None, [("a + b", "c")]),
    ],
)
def test_runs_of_plain_text(
    code: str, text: str, before: str | None, expected: list[tuple[str, str]]
) -> None:
    assert runs(Plain(code.encode()), text, before)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("code", "text", "opened", "items"),
    [
        ("f(a, b.c, *d)", ",", False, ["b.c", "*d"]),
        ("f(a, b.c, *d)", "a", True, ["a", "b.c", "*d"]),
        ("f(a, b.c, *d)", "a", False, None),
        ("f(a.x, b)", "a", True, ["a.x", "b"]),
        ("f(a, g(b, c), d)", "b", True, ["b", "c"]),
        ("[a, b]", ",", False, None),
        ("(a, b)", ",", False, None),
    ],
)
def test_the_rest_of_a_call(code: str, text: str, opened: bool, items: list[str] | None) -> None:
    for asked in (tree(code), Plain(code.encode())):
        leaves: Leaves = at(asked, code[0])
        while not leaves.key.startswith(text.encode()):
            leaves.advance()
        rest = leaves.rest(opened=opened)
        found = None if rest is None else [asked.data[start:end].decode() for start, end in rest[0]]
        if rest is not None:
            assert rest[1].key in {b")", b"]"}
        assert found == items


def test_parameters_are_a_list_as_well() -> None:
    rest = at(tree("def f(a, *, b=1): pass"), ",").rest(opened=False)
    assert rest is not None
    assert len(rest[0]) == 2
    assert rest[1].key == b")"


def test_steps_bound_everything() -> None:
    code = tree("f(" + "a, " * 5000 + "b)")
    steps = Steps(1000)
    leaves = code.leaves(0, steps)
    assert leaves is not None
    assert len(keys(leaves)) < 1000
    assert steps.left <= 0
    assert code.leaves(0, Steps(0)) is None
    assert at(code, "a").rest(opened=True) is not None
    few = code.leaves(2, Steps(500))
    assert few is not None
    assert few.rest(opened=True) is None
    assert len(list(few.past_runs(b"x"))) < 500


def test_plain_text_is_cut_into_words_and_signs() -> None:
    assert keys(Plain("aé+=b(…)... 'c'".encode()).first(Steps(MANY))) == [
        *("aé", "+", "=", "b", "(", "…", ")", "...", "'", "c", "'")
    ]


@pytest.mark.parametrize(
    ("start", "end", "whole"),
    [
        (2, 7, True),  # ff(a)
        (3, 7, False),  # f(a)
        (4, 7, True),  # (a)
        (2, 6, False),  # ff(a
        (5, 7, False),  # a)
        (5, 12, False),  # a), bb)
        (2, 11, True),  # ff(a), bb
        (2, 10, False),  # ff(a), b
        (0, 12, True),
    ],
)
def test_a_piece_of_plain_text(start: int, end: int, whole: bool) -> None:
    assert Plain(b"g(ff(a), bb)").whole(start, end) is whole


PIECES = (
    "def f(",
    "):",
    "if x:",
    "x",
    "=",
    "1",
    ";",
    "(",
    ")",
    "#c\n",
    "'",
    "f'{",
    "}",
    "\n",
    "\n  ",
    " ",
    "…",
    "`",
)


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(deadline=None)
def test_no_text_is_lost_in_silence(code: str) -> None:
    syntax = tree(code)
    leaves = TreeLeaves.first(syntax, Steps(MANY), telling=True)
    end = 0
    while leaves.key:
        gap = syntax.data[end : leaves.start].decode("utf-8", "replace")
        assert leaves.start >= end
        assert leaves.key.startswith(b"\0") or not re.sub(r"[\s;\\]", "", gap)
        end = leaves.end
        leaves.advance()

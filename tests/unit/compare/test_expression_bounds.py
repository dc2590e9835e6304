"""Hostile files and expressions: the work stays in proportion, and nothing is raised."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from provenance.citation import LineRange
from provenance.compare.expressions.expression import judge_expression
from provenance.evidence import Verdict
from provenance.extract.languages import PYTHON
from provenance.extract.lines import Text
from provenance.extract.syntax import Syntax

if TYPE_CHECKING:
    from collections.abc import Iterator

GENEROUS = 20.0
"""Seconds of this process's own time; the cases take a fraction of it, and what is unbounded takes minutes."""

MANY = 30_000
EARLY = "the search took too long and was ended early"
LONG = "the expression is too long to be looked for token by token: only its very text was"

FILES = {
    "nested": "x = " + "(" * MANY + "x" + ")" * MANY,
    "open": "(" * MANY,
    "left": "a" + " + b" * MANY,
    "chain": "f" + "(a)" * MANY,
    "arguments": "f(" + "a, " * MANY + "b)",
    "statements": "a = b\n" * MANY,
    "tokens": "a " * MANY,
    "closing": ") " * MANY,
    "comments": "f(\n" + "# a f(x)\n" * MANY + "x)",
    "hashes": "a #" * MANY,
    "clauses": "if a:\n  b\n" + "elif a:\n  b\n" * 5_000,
    "strings": '"a" ' * MANY,
    "one string": 'x = "' + "a" * 1_000_000 + '"',
}
EXPRESSIONS = (
    "f(" + "…, a, " * 300 + "b)",
    "a" + " … a" * 300,
    "a = b\n…\n" * 200 + "c",
    "(" * 900 + "x" + ")" * 900,
    "(" * 900 + "…" + ")" * 900,
    "a + b + …",
    "a + " + "b + " * 900 + "z",
    "f(x)",
    "f(a, …, b)",
    "if a: … elif c: b",
    "'a' 'a' 'b'",
    "\\\n" * 4_000 + "a",
    "x for x in " * 500,
    "f(" + "..., " * 900 + ")",
)


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    started = time.process_time()
    yield
    assert time.process_time() - started < GENEROUS


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_hostile_files(name: str) -> None:
    text = Text(FILES[name])
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    for expression in EXPRESSIONS:
        for known in (syntax, None):
            found = judge_expression(expression, LineRange(1, len(text)), text, syntax=known)
            assert found.similarity is not None
            assert len(found.diff) < 2_000_000


@pytest.mark.parametrize(
    "expression", ["a + " * 250_000 + "b", "(" * 1_000_000, "f(" + "a, " * 1_000 + "b)"], ids=len
)
def test_a_long_expression_is_found_by_its_text_alone(expression: str) -> None:
    text = Text(f"x = 1\n{expression}\n")
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    here = judge_expression(expression, LineRange(2, 2), text, syntax=syntax)
    away = judge_expression(expression, LineRange(1, 1), text, syntax=syntax)
    assert here.verdict is Verdict.EXACT or expression.startswith("((")
    assert away.verdict is Verdict.CHANGED
    assert LONG in away.notes


def test_a_search_that_ends_early_says_so() -> None:
    text = Text("x = " + "[" * MANY + "f(a)" + "]" * MANY + "\nf(a)\n")
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    found = judge_expression("[[[f( b )]]]", LineRange(1, 1), text, syntax=syntax)
    assert EARLY in found.notes
    assert judge_expression("[f(a)]", LineRange(1, 1), text, syntax=syntax).verdict is Verdict.EXACT


def test_deep_operations_are_matched() -> None:
    expression = " + ".join(f"a{number}" for number in range(400))
    text = Text(f"x = ({expression})\n")
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    lines = LineRange(1, 1)
    assert (
        judge_expression(expression.replace(" ", ""), lines, text, syntax=syntax).verdict
        is Verdict.WHITESPACE
    )
    assert judge_expression("a0 + …", lines, text, syntax=syntax).verdict is Verdict.ELIDED
    assert judge_expression("a1 + a2", lines, text, syntax=syntax).verdict is Verdict.CHANGED


def test_many_places_are_all_counted() -> None:
    text = Text("\n".join(["f(a, b)  # f"] * 3_000))
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    found = judge_expression("g(a)", LineRange(5, 5), text, syntax=syntax)
    assert found.verdict in {Verdict.CHANGED, Verdict.ABSENT}
    found = judge_expression("f(a,b)", LineRange(2_000, 2_000), text, syntax=syntax)
    assert found.verdict is Verdict.WHITESPACE
    found = judge_expression("f(a,…)", LineRange(3_001, 3_001), text, syntax=syntax)
    assert found.verdict is Verdict.OUT_OF_RANGE
    assert "and at 2999 other places" in found.message

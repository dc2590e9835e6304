"""What an expression asks for."""

from __future__ import annotations

import pytest

from provenance.compare.expressions.wanted import Pattern, wanted
from provenance.extract.languages import PYTHON, Language


def shown(pattern: Pattern) -> str:
    return " ".join("_" if key is None else key.decode() for key in pattern.keys)


def readings(expression: str, language: Language | None = PYTHON) -> list[str]:
    return [shown(pattern) for pattern in wanted(expression, language).readings if not pattern.inner]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("f(a, b)", ["f ( a , b )"]),
        ("f(a, b,)", ["f ( a , b )"]),
        ("f(a, # b\n c)", ["f ( a , c )"]),
        ("(a,)", ["( a , )"]),
        ("x[a,]", ["x [ a , ]"]),
        ("[a,]", ["[ a ]"]),
        ("f(…)", ["f ( _ )"]),
        ("f(a…)", ["f ( a _ )"]),
        ("f(…, …, b)", ["f ( _ , b )"]),
        ("…, b", ["b"]),
        ("… f(a)", ["f ( a )"]),
        ("…", []),
        ("# a", []),
        ("'…'", ['""…']),
        ("omitted0 + …", ["omitted0 + _"]),
        ("f(...)", ["f ( ... )", "f ( _ )"]),
        ("f(a, ..., b)", ["f ( a , ... , b )", "f ( a , _ , b )"]),
        ("f(a=...)", ["f ( a = ... )"]),
        ("x[..., 0]", ["x [ ... , 0 ]"]),
        ("[..., 0]", ["[ ... , 0 ]", "[ _ , 0 ]"]),
        ("return ...", ["return ..."]),
        ("def f(): ...", ["def f ( ) : ...", "def f ( ) : _"]),
        ("f(a, # …\n b)", ["f ( a , b )", "f ( a , _ b )"]),
        ("f(a, # … and more\n b)", ["f ( a , b )"]),
        ("a; b", ["a b"]),
        ("a = 'it\\'s'", ['a = ""it\'s']),
    ],
)
def test_readings(expression: str, expected: list[str]) -> None:
    assert readings(expression) == expected


def test_readings_of_a_language_that_is_not_known() -> None:
    assert readings("f(…, 'é') // a...", None) == ["f ( _ , ' é ' ) / / a ..."]
    assert readings("f(a, ...)", None) == ["f ( a , ... )", "f ( a , _ )"]


@pytest.mark.parametrize(
    ("expression", "bounded", "single"),
    [
        ("f(a)", False, True),
        ("if a: b", True, False),
        ("if a:\n  b\nc", True, False),
        ("def f():", False, True),
        ("def f():\nreturn a", False, False),  # indentation was lost
        ("a = 1 return b", False, False),
        ("lambda: a", False, True),
    ],
)
def test_statements_are_told_apart_where_it_parses(expression: str, bounded: bool, single: bool) -> None:
    pattern = wanted(expression, PYTHON).readings[0]
    assert (pattern.bounded, pattern.single) == (bounded, single)


def test_lines_may_be_those_of_one_statement_in_brackets() -> None:
    strict, loose = wanted("a + b\n+ c", PYTHON).readings
    assert strict.bounded
    assert (loose.bounded, loose.inner, loose.single) == (False, True, True)


@pytest.mark.parametrize(
    ("expression", "begins", "prefix", "follows"),
    [
        ("f(a, b)", b"f", 0, (b"(", b"a", b",")),
        ("f(…)", b"f", 0, (b"(",)),
        ("f()", b"f", 0, (b"(",)),
        ("f('a')", b"f", 0, (b"(",)),
        ("'a' + b", b"", 0, (b"+", b"b")),
        ("Rb'a'", b"", 2, ()),
    ],
)
def test_what_finds_it(expression: str, begins: bytes, prefix: int, follows: tuple[bytes, ...]) -> None:
    pattern = wanted(expression, PYTHON).readings[0]
    assert (pattern.begins, pattern.prefix, pattern.follows) == (begins, prefix, follows)


@pytest.mark.parametrize("expression", ["a + " * 1_001 + "b", "'" + "a" * 9_000 + "'"])
def test_what_is_too_long_has_no_reading(expression: str) -> None:
    found = wanted(expression, PYTHON)
    assert found.is_long
    assert not found.readings

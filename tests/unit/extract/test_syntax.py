"""What a syntax tree says of a stretch of code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from provenance.extract import syntax as syntaxes
from provenance.extract.code import Steps
from provenance.extract.languages import PYTHON, Language
from provenance.extract.lines import Text
from provenance.extract.outline import Outline
from provenance.extract.symbols import outline, outline_of
from provenance.extract.syntax import NoSyntax, Syntax

CODE = '''\
@d(1)
def f(a, *, b=2):
  """Doc string."""
  x = a * b * c  # first
  y = g(x, "s t", f"{x} z")
  if x and y:
    return a.b.c(d)[0]
  else:
    pass
    # last

z = 1; w = 2
'''
DATA = CODE.encode()


def parsed(code: str) -> Syntax:
    syntax = Syntax.of(Text(code), PYTHON)
    assert isinstance(syntax, Syntax)
    return syntax


SYNTAX = parsed(CODE)


def span(text: str) -> tuple[int, int]:
    start = DATA.index(text.encode())
    return start, start + len(text.encode())


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a * b", True),
        ("a * b * c", True),
        ("b * c", False),
        ("* c", False),
        ("x = a * b * c", True),
        ("x = a", False),
        ("g(x, ", False),
        ('x, "s t"', True),
        ('"s t"', True),
        ("s t", False),
        ("s", False),
        ("{x}", False),
        ("x} z", False),
        ("Doc string.", False),
        ("# first", True),
        ("first", False),
        ("def f(a, *, b=2):", True),
        ("def f(a, *, b=2)", True),
        ("@d(1)\ndef f(a, *, b=2):", True),
        ("@d(1)\ndef f", True),
        ("@d(1)\ndef f(a", False),
        ("if x and y:", True),
        ("a.b", True),
        ("b.c", False),
        ("c(d)", False),
        ("a.b.c(d)", True),
        ("(d)[0]", False),
        ("else:\n    pass", True),
        ("z = 1; w = 2", True),
        ("1; w = 2", False),
        ("z = 1;", True),
    ],
)
def test_whole(text: str, whole: bool) -> None:
    assert SYNTAX.whole(*span(text)) is whole


def test_comments_behind_do_not_matter() -> None:
    start, end = span("if x and y:\n    return a.b.c(d)[0]\n  else:\n    pass")
    assert SYNTAX.whole(start, end)
    assert not SYNTAX.whole(start, end + len("\n    # la"))


def test_within_one_statement() -> None:
    start, end = span("z = 1; w = 2")
    assert not SYNTAX.whole(start, end, single=True)
    assert SYNTAX.whole(*span("z = 1"), single=True)
    assert SYNTAX.whole(*span("x, "[:1]), single=True)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("@d", True),
        ("def f", False),
        ("x = a", True),
        ("a * b", False),
        ('"""Doc', True),
        ("return", True),
        ("x and y", False),
        ("pass", True),
        ("w = 2", True),
        ("= 2", False),
    ],
)
def test_where_statements_begin(text: str, begins: bool) -> None:
    assert SYNTAX.begins_statement(span(text)[0], Steps(100)) is begins


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Doc", "string"),
        ("s t", "string"),
        (" z", "string"),
        ("first", "comment"),
        ("# last", "comment"),
        ("a * b", ""),
        ("a.b", ""),
    ],
)
def test_what_holds_text(text: str, kind: str) -> None:
    assert SYNTAX.inside(*span(text)) == kind


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("x = 1\n", None),
        ("x = = 1\n", (4, 5)),
        ("f(a, b", (0, 6)),
        ("x = (1 +)\n", (7, 8)),
    ],
)
def test_the_first_fault(code: str, fault: tuple[int, int] | None) -> None:
    assert parsed(code).fault() == fault


def test_lines_begin_behind_line_feeds() -> None:
    assert list(parsed("é = 1\r\n\r\x0c\n\nb\n").starts) == [0, 7, 10, 11]
    assert list(parsed("").starts) == [0]


def test_a_file_is_parsed_once_for_both() -> None:
    assert outline_of(SYNTAX) == outline(Text(CODE), PYTHON)


def test_what_cannot_be_encoded_is_replaced() -> None:
    assert parsed("x = '\ud800'").data == b"x = '?'"


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        (PYTHON, "the file is longer than 0 MiB"),
        (
            replace(PYTHON, grammar="tree_sitter_of_no_language"),
            "the grammar tree_sitter_of_no_language cannot be loaded: pip install --upgrade prov-verify",
        ),
    ],
)
def test_a_file_without_a_tree(language: Language, reason: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if "longer" in reason:
        monkeypatch.setattr(syntaxes, "_LARGEST", 3)
    found = Syntax.of(Text("x = 1"), language)
    assert found == NoSyntax(reason)
    assert outline_of(NoSyntax(reason)) == Outline(notes=(f"no symbols: {reason}",))

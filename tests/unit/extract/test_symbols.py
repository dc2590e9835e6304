from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.errors import InvalidRecord
from provenance.evidence import Symbol
from provenance.extract import syntax
from provenance.extract.languages import PYTHON, language_of
from provenance.extract.lines import Text
from provenance.extract.symbols import Outline, lexer, outline
from provenance.extract.tokens import Token, generic

CODE = '''\
import os

LAYERS = {
    "a": 1,
    "b": 2,
}

@register
@other(
    1)
class Model(Base):
    """First.

    Second.
    """

    size = 3

    def forward(self, x,
                y):
        def residual(a):
            return a + x

        # A comment.
        if (x and
                y):
            return residual(
                x)
        elif y: return [
            y]
        return y

    async def later(self): pass


if os:
    def chosen(): pass
else:
    def chosen(): pass
try:
    pass
except (A,
        B):
    pass
match (LAYERS,
       os):
    case {"a": 1,
          "b": 2}:
        pass
with a as b, \\
        c as d:
    x = 1; y = (
        2); z = (
        3)
'''
OUTLINE = outline(Text(CODE), PYTHON)

# Code that need not parse: a property must hold for it all the same.
PIECES = (
    *(
        "def f(",
        "):",
        "class A:",
        "@d",
        "if x:",
        "else:",
        "match x:",
        "return",
        "x",
        "=",
        "1",
        ";",
        "(",
        ")",
        "#",
    ),
    *("'", '"""', "f'{", "}", "\n", "\n  ", "\n    ", " ", "\\\n"),
    *("…", "é", "\r", "\x0c", "\u2028", "\x00", "\ud800", "\ufeff"),
)
code_like = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
ranges = st.builds(lambda first, more: LineRange(first, first + more), st.integers(1, 30), st.integers(0, 30))


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("a/b.py", True),
        ("b.pyi", True),
        ("b.PYW", True),
        ("tools/SConstruct", True),
        ("wscript", True),
        ("b.pyc", False),
        ("py", False),
        ("SConstruct/readme", False),
        ("a.py/b.txt", False),
        ("", False),
    ],
)
def test_a_name_tells_the_language(path: str, known: bool) -> None:
    assert language_of(path) == (PYTHON if known else None)


def test_definitions() -> None:
    assert [(found.name, str(found.lines)) for found in OUTLINE.definitions] == [
        ("Model", "8-33"),
        ("Model.forward", "19-31"),
        ("Model.forward.residual", "21-22"),
        ("Model.later", "33"),
        ("chosen", "37"),
        ("chosen", "39"),
    ]


@pytest.mark.parametrize(
    ("lines", "symbol", "inside"),
    [
        ("1", None, ()),
        (
            "1-60",
            None,
            ("Model", "Model.forward", "Model.forward.residual", "Model.later", "chosen", "chosen"),
        ),
        ("8-33", "Model", ("Model.forward", "Model.forward.residual", "Model.later")),
        ("11-33", "Model", ("Model.forward", "Model.forward.residual", "Model.later")),
        ("8-34", None, ("Model", "Model.forward", "Model.forward.residual", "Model.later")),
        ("19-31", "Model.forward", ("Model.forward.residual",)),
        ("20-31", "Model.forward", ("Model.forward.residual",)),
        ("19-22", "Model.forward", ("Model.forward.residual",)),
        ("21-22", "Model.forward.residual", ()),
        ("22", "Model.forward.residual", ()),
        ("23-26", "Model.forward", ()),
        ("31-33", "Model", ("Model.later",)),
        ("33", "Model.later", ()),
        ("22-33", "Model", ("Model.later",)),
        ("35", None, ()),
        ("500-600", None, ()),
    ],
)
def test_symbols_of_a_range(lines: str, symbol: str | None, inside: tuple[str, ...]) -> None:
    assert OUTLINE.symbol(LineRange.parse(lines)) == symbol
    assert OUTLINE.symbols(LineRange.parse(lines)) == inside


@pytest.mark.parametrize(
    ("lines", "cut"),
    [
        ("1-60", None),
        ("3-6", None),
        ("3-5", "3-6"),
        ("4", "3-6"),
        ("6-7", "3-6"),
        ("8-33", None),
        ("11-33", None),  # the decorators are left out, whole
        ("10-33", "9-10"),
        ("12-15", None),
        ("12-14", "12-15"),
        ("19", "19-20"),
        ("20-31", "19-20"),
        ("19-22", None),  # the rest of the body is left out, from a whole statement on
        ("23-25", "25-26"),
        ("23-26", None),
        ("23-27", "27-28"),
        ("29", "29-30"),
        ("29-30", None),
        ("42", "42-43"),
        ("45-46", None),
        ("47", "47-48"),
        ("51", "50-51"),
        ("52", "52-53"),
        ("54", "53-54"),
        ("52-54", None),
        ("500-600", None),
    ],
)
def test_statements_cut_in_two(lines: str, cut: str | None) -> None:
    expected = None if cut is None else f"the range cuts the statement at lines {cut} in two"
    assert OUTLINE.cuts(LineRange.parse(lines)) == expected


def test_rows_are_the_lines_of_git() -> None:
    code = "x = '\u2028\x85'\ry = 1\n\x0c\r\n# \x0b\x1c\x1d\x1e\u2029\ndef f(): pass\r\n"
    found = outline(Text(code), PYTHON)
    assert found.definitions == (Symbol("f", LineRange(4, 4)),)


@pytest.mark.parametrize(
    ("code", "name", "lines"),
    [
        ("def f(:\n  x\n\ndef g():\n  pass\n", "g", "4-5"),
        ("    return x\n\ndef g():\n  '''open", "g", "3-4"),
        ("  def g(self):\n    pass\n x\n", "g", "1-2"),
        ("print 'x'\nexec code\ndef g(): pass", "g", "3"),
        ("def é(): pass", "é", "1"),
    ],
)
def test_code_that_does_not_parse_has_symbols_as_well(code: str, name: str, lines: str) -> None:
    assert Symbol(name, LineRange.parse(lines)) in outline(Text(code), PYTHON).definitions


@pytest.mark.parametrize(
    "code",
    [
        "x = " + "(" * 10_000 + "1" + ")" * 10_000,
        "(" * 100_000,
        "".join(" " * depth + "if x:\n" for depth in range(1000)),
        "".join(" " * depth + f"def f{depth}():\n" for depth in range(300)) + " " * 300 + "pass",
        "lambda:" * 20_000,
        "f'{" * 20_000,
        '"""' * 50_001,
    ],
    ids=lambda code: code[:8],
)
def test_hostile_nesting_is_bounded(code: str) -> None:
    started = time.monotonic()
    found = outline(Text(code), PYTHON)
    tokens = lexer(PYTHON)(code)
    assert found.symbol(LineRange(1, 1)) in {None, "f0"}
    assert tokens
    assert time.monotonic() - started < 10


def test_a_file_that_is_too_long_has_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_LARGEST", 1024 * 1024)
    code = "def f(): pass\n#" + "x" * 1024 * 1024
    assert outline(Text(code), PYTHON) == Outline(notes=("no symbols: the file is longer than 1 MiB",))
    assert lexer(PYTHON)(code) == generic(code)


def test_a_file_that_takes_too_long_has_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "_PATIENCE", 0.0)
    code = "def f(): pass\n" * 1000
    assert outline(Text(code), PYTHON).notes == ("no symbols: it was not parsed within 0 seconds",)
    assert lexer(PYTHON)(code) == generic(code)


def test_a_grammar_that_is_not_installed_has_a_note() -> None:
    other = replace(PYTHON, grammar="tree_sitter_of_no_language")
    remedy = "pip install --upgrade prov-verify"
    assert outline(Text(CODE), other).notes == (
        f"no symbols: the grammar tree_sitter_of_no_language cannot be loaded: {remedy}",
    )


def test_an_outline_is_kept_as_text() -> None:
    assert Outline.from_json(OUTLINE.to_json()) == OUTLINE
    assert "\n" not in OUTLINE.to_json()
    empty = Outline(notes=("why",))
    assert Outline.from_json(empty.to_json()) == empty


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        "null",
        '{"definitions":[["f",2,1]],"statements":[],"notes":[]}',
        '{"definitions":[["f","1","2"]],"statements":[],"notes":[]}',
        '{"definitions":[],"statements":3,"notes":[]}',
    ],
)
def test_another_text_is_no_outline(text: str) -> None:
    with pytest.raises(InvalidRecord, match="stored outline"):
        Outline.from_json(text)


def test_tokens() -> None:
    assert lexer(PYTHON)("x = f'a {b}' \\\n + (1)  # c d\n… 'é'") == [
        *(Token(text, is_comment=False) for text in ["x", "=", "f'a {b}'", "+", "(", "1", ")"]),
        Token("# c d", is_comment=True),
        *(Token(text, is_comment=False) for text in ["…", "'é'"]),
    ]


def test_a_language_that_is_not_known_has_generic_tokens() -> None:
    assert lexer(None)("a # b") == generic("a # b")


@given(code_like)
def test_tokens_lose_nothing(code: str) -> None:
    shown = code.encode("utf-8", "replace").decode()
    joined = "".join(token.text for token in lexer(PYTHON)(code))
    # A backslash before a line's end is layout to Python.
    assert "".join(joined.split()).replace("\\", "") == "".join(shown.split()).replace("\\", "")


@given(code_like, ranges)
def test_what_an_outline_says_holds_of_its_definitions(code: str, lines: LineRange) -> None:
    text = Text(code)
    found = outline(text, PYTHON)
    holding = [item for item in found.definitions if item.lines.holds(lines)]
    inside = [item.name for item in found.definitions if lines.holds(item.lines)]
    symbol = found.symbol(lines)
    assert symbol == min(holding, key=lambda item: len(item.lines)).name if holding else symbol is None
    assert set(found.symbols(lines)) <= set(inside)
    assert len(inside) - len(found.symbols(lines)) in {0, 1}
    assert all(item.lines.last <= max(len(text), 1) for item in found.definitions)
    assert Outline.from_json(found.to_json()) == found


def test_naming_a_language_does_not_load_the_parser() -> None:
    code = "import sys, provenance.extract.languages, provenance.extract.symbols; print('tree_sitter' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

"""What must hold of every expression, range and file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.expressions.expression import judge_expression
from provenance.evidence import Verdict
from provenance.extract.languages import PYTHON
from provenance.extract.lines import Text
from provenance.extract.syntax import Syntax

if TYPE_CHECKING:
    from provenance.evidence import Judgement

OK = {Verdict.EXACT, Verdict.WHITESPACE}
HELD = OK | {Verdict.ELIDED}

NAMES = st.sampled_from(["a", "b", "cc", "self.x", "tf.nn.relu", "é"])
STRINGS = st.sampled_from(["'s'", '"s t"', "r'\\d'", 'b"x"', "''", "f'{a}'"])
ATOMS = st.one_of(NAMES, STRINGS, st.sampled_from(["1", "-2.5", "None", "(a,)", "[]", "{}"]))


def _call(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    keyword = st.builds("{}={}".format, st.sampled_from(["k", "name"]), inner)
    arguments = st.lists(st.one_of(inner, keyword), max_size=4)
    return st.builds(lambda name, given: f"{name}({', '.join(given)})", NAMES, arguments)


EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        _call(inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("{} + {}".format, inner, inner),
        st.builds("{}[{}]".format, NAMES, inner),
        st.builds("(lambda q: {})".format, inner),
    ),
    max_leaves=8,
)
CALLS = _call(EXPRESSIONS)
TOKEN = re.compile(r"\s+|[rbf]?'[^'\n]*'|[rbf]?\"[^\"\n]*\"|\d\.\d|\w+|\*\*|[^\w\s]")


@st.composite
def files(draw: st.DrawFn) -> tuple[str, int, str]:
    """A file, a line of it that is an assignment, and the expression that is assigned there."""
    expression = draw(EXPRESSIONS)
    head = draw(st.sampled_from(["", "# before\n", "def f():\n  return 1\n\n\n", "x = (1,\n     2)\n"]))
    tail = draw(st.sampled_from(["", "\n", "\n# behind\n", "\ny = 3\n"]))
    return f"{head}target = {expression}{tail}", head.count("\n") + 1, expression


@st.composite
def laid_out(draw: st.DrawFn, expression: str) -> str:
    """The same tokens with other line breaks within brackets, and other quotation marks."""
    shown: list[str] = []
    depth = 0
    for token in TOKEN.findall(expression):
        if token.isspace():
            continue
        depth += (token in "([{") - (token in ")]}")
        if shown and re.match(r"\w", token) and re.search(r"\w$", shown[-1]):
            shown.append(" ")
        elif depth > (token in "([{"):
            shown.append(draw(st.sampled_from(["", " ", "\n    ", "  # a note\n  "])))
        plain = re.fullmatch(r"([rb]?)(['\"])(.*)\2", token)
        if plain and not plain[3].endswith("\\"):
            mark = draw(st.sampled_from(["'", '"', "'''", '"""']))
            shown.append(f"{plain[1]}{mark}{plain[3]}{mark}")
        else:
            shown.append(token)
    return "".join(shown)


def judged(expression: str, lines: LineRange, source: str) -> Judgement:
    text = Text(source)
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    return judge_expression(expression, lines, text, syntax=syntax, path="m.py")


@given(files(), st.data())
@settings(deadline=None, max_examples=200)
def test_layout_and_quotes_mean_nothing(file: tuple[str, int, str], data: st.DataObject) -> None:
    source, line, expression = file
    here = LineRange(line, line)
    assert judged(expression, here, source).verdict is Verdict.EXACT
    shown = data.draw(laid_out(expression))
    assert judged(shown, here, source).verdict in OK
    assert judged(f"target = {shown}", here, source).verdict in OK


@given(files(), st.data())
@settings(deadline=None)
def test_a_file_that_is_laid_out_otherwise(file: tuple[str, int, str], data: st.DataObject) -> None:
    _, _, expression = file
    source = f"target = {data.draw(laid_out(expression))}\n"
    found = judged(expression, LineRange(1, 1), source)
    if found.verdict is Verdict.SHIFTED:  # it begins on a later line of it, in brackets
        assert found.found_at[0].first > 1
    else:
        assert found.verdict in OK


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, list[str]]:
    """The name of a function, and what it is called with."""
    return draw(NAMES), draw(st.lists(EXPRESSIONS, min_size=1, max_size=5))


def called(name: str, arguments: list[str]) -> str:
    return f"{name}({', '.join(arguments)})"


@given(calls(), st.data())
@settings(deadline=None, max_examples=200)
def test_a_mark_for_a_run_of_arguments_is_elided(call: tuple[str, list[str]], data: st.DataObject) -> None:
    name, arguments = call
    first = data.draw(st.integers(0, len(arguments)))
    stop = data.draw(st.integers(first, len(arguments)))
    mark = data.draw(st.sampled_from(["…", "...", "……"]))
    shown = called(name, [*arguments[:first], mark, *arguments[stop:]])
    found = judged(shown, LineRange(1, 1), f"x = {called(name, arguments)}\n")
    assert found.verdict is Verdict.ELIDED
    if first == stop:
        assert found.message or found.notes == ("an omission mark stands for no argument",)


@given(calls(), st.data())
@settings(deadline=None, max_examples=200)
def test_arguments_left_out_at_the_end_are_named(call: tuple[str, list[str]], data: st.DataObject) -> None:
    name, arguments = call
    kept = data.draw(st.integers(0, len(arguments) - 1))
    shown = called(name, arguments[:kept])
    source = f"x = [{called(name, arguments)}]\n"
    assume(shown not in source)
    found = judged(shown, LineRange(1, 1), source)
    assert found.verdict is Verdict.PARTIAL
    assert found.message.startswith("the expression leaves out ")
    assert found.notes[0].startswith("left out without a mark: ")
    if len(arguments) - kept <= 5 and name not in "".join(arguments):
        assert all(" ".join(argument.split())[:59] in found.notes[0] for argument in arguments[kept:])
    away = judged(shown, LineRange(2, 2), source + "\n\n")
    assert (away.verdict, away.notes) == (Verdict.SHIFTED, found.notes)


@given(st.lists(st.integers(0, 99), min_size=2, max_size=6, unique=True), st.data())
@settings(deadline=None)
def test_an_argument_left_out_elsewhere_is_a_change(numbers: list[int], data: st.DataObject) -> None:
    arguments = [f"a{number}" for number in numbers]
    gone = data.draw(st.integers(0, len(arguments) - 2))
    shown = called("f", arguments[:gone] + arguments[gone + 1 :])
    found = judged(shown, LineRange(1, 1), f"x = {called('f', arguments)}\n")
    assert found.verdict in {Verdict.CHANGED, Verdict.ABSENT}


@given(files(), st.data())
@settings(deadline=None, max_examples=200)
def test_another_name_never_holds(file: tuple[str, int, str], data: st.DataObject) -> None:
    source, line, expression = file
    words = list(re.finditer(r"(?<![\w'\"\\])[a-zé]\w*(?!['\"])", expression))
    assume(words)
    word = data.draw(st.sampled_from(words))
    shown = f"{expression[: word.start()]}{word[0]}_other{expression[word.end() :]}"
    found = judged(shown, LineRange(line, line), source)
    assert found.verdict in {Verdict.CHANGED, Verdict.ABSENT}


@given(files(), st.integers(1, 9))
@settings(deadline=None)
def test_wrong_lines_are_told_with_the_right_ones(file: tuple[str, int, str], by: int) -> None:
    source, line, expression = file
    shown = f"target = {expression}"
    padded = source + "\n#" * (by + 2)
    found = judged(shown, LineRange(line + by, line + by), padded)
    assert (found.verdict, found.found_at) == (Verdict.SHIFTED, (LineRange(line, line),))
    assert found.suggestion is not None
    assert judged(shown, found.suggestion, padded).verdict is Verdict.EXACT


PIECES = (
    *(
        "def f(",
        "):",
        "if x:",
        "else:",
        "return ",
        "x",
        "y.z",
        "=",
        "1",
        ";",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
    ),
    *("#c", "'", '"""', "f'{", "…", "...", "\n", "\n  ", " ", "\\\n", "**", "é", "`", "?", "\x00", "\ud800"),
    *("\u00a0", "\u202e", "\r\n", "lambda ", ":", "not in ", "# …\n", "omitted0"),
)
code_like = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
ranges = st.builds(lambda first, more: LineRange(first, first + more), st.integers(1, 6), st.integers(0, 3))


@given(code_like, st.one_of(code_like, st.text(max_size=12)), ranges, st.booleans())
@settings(deadline=None, max_examples=400)
def test_no_expression_is_too_strange(source: str, expression: str, lines: LineRange, known: bool) -> None:
    text = Text(source)
    syntax = Syntax.of(text, PYTHON) if known else None
    assert syntax is None or isinstance(syntax, Syntax)
    found = judge_expression(expression, lines, text, syntax=syntax)
    assert found.similarity is None or 0.0 <= found.similarity <= 1.0
    assert len(found.found_at) <= 100
    for held in (*found.found_at, *filter(None, [found.suggestion])):
        assert held.last <= len(text)
    if lines.last > len(text):
        assert found.verdict is Verdict.OUT_OF_RANGE
    if found.verdict is Verdict.SHIFTED:
        distances = [held.distance(lines) for held in found.found_at]
        assert distances == sorted(distances)
        assert all(held.first not in lines for held in found.found_at)
    if found.verdict in {Verdict.SHIFTED, Verdict.OUT_OF_RANGE}:
        for held in found.found_at[:3]:
            again = judge_expression(expression, held, text, syntax=syntax).verdict
            assert again in HELD | {Verdict.PARTIAL}


@given(code_like, ranges)
@settings(deadline=None)
def test_line_ends_change_nothing(expression: str, lines: LineRange) -> None:
    source = "def f(x):\n  y = g(x,\n    'a')\n  return y\n" * 2
    expression = expression.replace("\r\n", "\n")
    unix = judged(expression, lines, source)
    assert judged(expression.replace("\n", "\r\n"), lines, source.replace("\n", "\r\n")) == unix

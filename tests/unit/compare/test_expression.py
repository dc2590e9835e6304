"""The verdicts on expressions, row by row."""

from __future__ import annotations

import pytest

from provenance.citation import LineRange
from provenance.compare.expressions.expression import judge_expression
from provenance.evidence import Difference, Judgement, Verdict
from provenance.extract.languages import PYTHON
from provenance.extract.lines import Text
from provenance.extract.syntax import Syntax

SOURCE = '''\
import tensorflow as tf
from base import (first, second,
                  third)


@register("model", size=3)
class Model(Base):
  """Holds f(x, y) in its words."""

  size = 512

  def forward(self, x, y=None, *args, **kwargs):
    # call f(x, y) here
    h = conv(
        x,
        self.size,  # wide
        activation=tf.nn.relu,
        name="conv1",
        **kwargs)
    total = a * b * c
    if total > 0 and \\
        y:
      total += 1
      return norm(x + tf.nn.dropout(y, 1.0 - p))
    elif y is not  None:
      log("it's", 'a "b"', r'\\d', b"x", """long""")
    else:
      pass
    # done
    pair = (x,)
    items = [x, y,
             h,]
    f()
    f(a, b)
    table = {"a": 1, "b": [2, 3]}
    print(f"{x['key']} is {y}")
    z = lambda q, r: q[..., 0]
    return total, pair


def stub(): ...


def last(x): return g(x)(y)[0]
'''
TEXT = Text(SOURCE)
LINES = SOURCE.split("\n")


def parsed(text: Text) -> Syntax:
    syntax = Syntax.of(text, PYTHON)
    assert isinstance(syntax, Syntax)
    return syntax


SYNTAX = parsed(TEXT)


def judged(expression: str, lines: str, text: Text = TEXT, syntax: Syntax | None = SYNTAX) -> Judgement:
    return judge_expression(expression, LineRange.parse(lines), text, syntax=syntax, path="m.py")


EXACT, WHITESPACE, ELIDED = Verdict.EXACT, Verdict.WHITESPACE, Verdict.ELIDED
PARTIAL, SHIFTED, CHANGED, ABSENT = Verdict.PARTIAL, Verdict.SHIFTED, Verdict.CHANGED, Verdict.ABSENT

CALL = 'conv(x, self.size, activation=tf.nn.relu, name="conv1", **kwargs)'
LOG = """log("it's", 'a "b"', r'\\d', b"x", \"""long\""")"""


@pytest.mark.parametrize(
    ("expression", "lines", "verdict"),
    [
        pytest.param("x + tf.nn.dropout(y, 1.0 - p)", "24", EXACT, id="as it stands"),
        pytest.param("  a * b * c\n", "20", EXACT, id="white space around it"),
        pytest.param("total = a * b * c", "20", EXACT, id="a statement"),
        pytest.param("total", "38", EXACT, id="a name"),
        pytest.param('"conv1"', "14-19", EXACT, id="a string"),
        pytest.param('name="conv1"', "14-19", EXACT, id="an argument"),
        pytest.param("total, pair", "38", EXACT, id="items without brackets"),
        pytest.param("a * b", "20", EXACT, id="a node within a node"),
        pytest.param("def forward(self, x, y=None, *args, **kwargs):", "12", EXACT, id="a header"),
        pytest.param('@register("model", size=3)\nclass Model(Base):', "6", EXACT, id="decorator and header"),
        pytest.param("x['key']", "36", EXACT, id="code within a string"),
        pytest.param("# done\n    pair = (x,)", "29", EXACT, id="a comment and a statement"),
        pytest.param("# done", "29", EXACT, id="a comment"),
        pytest.param("h = conv(\n        x,\n" + "\n".join(LINES[15:19]), "14", EXACT, id="ends behind them"),
        pytest.param("tf.nn.dropout(y,1.0-p)", "24", WHITESPACE, id="spaces lost"),
        pytest.param('name = "conv1"', "14-19", WHITESPACE, id="spaces added"),
        pytest.param("name='conv1'", "14-19", WHITESPACE, id="other quotes"),
        pytest.param(CALL, "14-19", WHITESPACE, id="on one line"),
        pytest.param(CALL.replace(")", ",)"), "14-19", WHITESPACE, id="a last comma more"),
        pytest.param("items = [x, y, h]", "31", WHITESPACE, id="a last comma less"),
        pytest.param("conv(x,\n # in\n" + CALL[8:], "14-19", WHITESPACE, id="a comment between"),
        pytest.param("if total > 0 and y:", "21", WHITESPACE, id="a continuation lost"),
        pytest.param("total > 0 \\\n and y", "21", WHITESPACE, id="a continuation moved"),
        pytest.param("y is not None", "25", WHITESPACE, id="a token of two words"),
        pytest.param("*args,\n**kwargs", "12", WHITESPACE, id="operators that stand alone"),
        pytest.param("(self, x, y = None, *args, **kwargs)", "12", WHITESPACE, id="parameters alone"),
        pytest.param(
            "total += 1\nreturn norm(x + tf.nn.dropout(y, 1.0 - p))", "23", WHITESPACE, id="dedented"
        ),
        pytest.param(
            "total += 1; return norm(x + tf.nn.dropout(y, 1.0 - p))", "23", WHITESPACE, id="a semicolon"
        ),
        pytest.param(
            "total += 1 return norm(x + tf.nn.dropout(y, 1.0 - p))", "23", WHITESPACE, id="lines run together"
        ),
        pytest.param("def stub():\n  ...", "41", WHITESPACE, id="an ellipsis that is code"),
        pytest.param("q[...,0]", "37", WHITESPACE, id="an ellipsis in an index"),
        pytest.param("activation\n  =tf.nn\n  .relu", "14-19", WHITESPACE, id="over lines, within brackets"),
        pytest.param("[2,\n3]", "35", WHITESPACE, id="an inner list"),
        pytest.param(LOG.replace('"it\'s"', "'it\\'s'"), "26", WHITESPACE, id="an escaped quotation mark"),
        pytest.param(LOG.replace("'a \"b\"'", '"a \\"b\\""'), "26", WHITESPACE, id="two of them"),
        pytest.param(LOG.replace('"""long"""', "'long'"), "26", WHITESPACE, id="triple quotes"),
        pytest.param(LOG.replace("r'", 'R"').replace("d'", 'd"'), "26", WHITESPACE, id="a prefix's case"),
        pytest.param("print(f'{x[\"key\"]} is {y}')", "36", WHITESPACE, id="quotes within quotes"),
        pytest.param("from base import (first, second, third)", "2", WHITESPACE, id="an import"),
        pytest.param("conv(…)", "14-19", ELIDED, id="all arguments"),
        pytest.param("conv(...)", "14-19", ELIDED, id="three dots"),
        pytest.param("conv(x, …)", "14-19", ELIDED, id="the last arguments"),
        pytest.param("conv(…, **kwargs)", "14-19", ELIDED, id="the first arguments"),
        pytest.param('conv(x, …, name="conv1", **kwargs)', "14-19", ELIDED, id="arguments between"),
        pytest.param("conv(x, …, activation=tf.nn.relu, …)", "14-19", ELIDED, id="two marks"),
        pytest.param("conv(x, …, …, **kwargs)", "14-19", ELIDED, id="two marks at once"),
        pytest.param("conv(x … **kwargs)", "14-19", ELIDED, id="a mark without commas"),
        pytest.param("conv(x, ..., **kwargs)", "14-19", ELIDED, id="three dots between"),
        pytest.param("conv(x,\n  ...\n  **kwargs)", "14-19", ELIDED, id="three dots on their line"),
        pytest.param("conv(x, # …\n  **kwargs)", "14-19", ELIDED, id="a comment that is an ellipsis"),
        pytest.param("conv(x,\n  # ...\n  **kwargs)", "14-19", ELIDED, id="a comment on its line"),
        pytest.param("conv(x, self.size, activation=…, name=…, **…)", "14-19", ELIDED, id="parts of them"),
        pytest.param("h = …", "14-19", ELIDED, id="the right side"),
        pytest.param("… = conv(…)", "14-19", ELIDED, id="the left side"),
        pytest.param("norm(x + …)", "24", ELIDED, id="an operand"),
        pytest.param("norm(x + tf.nn.dropout(…))", "24", ELIDED, id="nested"),
        pytest.param("f(…)", "33", ELIDED, id="no argument at all"),
        pytest.param("f(a, b, …)", "34", ELIDED, id="no argument behind"),
        pytest.param("f(…, a, b)", "34", ELIDED, id="no argument before"),
        pytest.param("f(a, …, b)", "34", ELIDED, id="no argument between"),
        pytest.param("f(a, b …)", "34", ELIDED, id="no argument, no comma"),
        pytest.param("(…)", "30", ELIDED, id="a tuple"),
        pytest.param("(x, …)", "30", ELIDED, id="a tuple of one"),
        pytest.param("[x, …, h]", "31", ELIDED, id="a list"),
        pytest.param('{"a": 1, …}', "35", ELIDED, id="a dictionary"),
        pytest.param("table = {...}", "35", ELIDED, id="a dictionary's inside"),
        pytest.param('{"a": …, "b": [2, 3]}', "35", ELIDED, id="a value"),
        pytest.param("q[…, 0]", "37", ELIDED, id="an index"),
        pytest.param("lambda …: q[..., 0]", "37", ELIDED, id="a lambda's parameters"),
        pytest.param("g(…)(y)[…]", "44", ELIDED, id="calls of calls"),
        pytest.param("from base import (first, …)", "2", ELIDED, id="imported names"),
        pytest.param("def stub(): …", "41", ELIDED, id="a body"),
        pytest.param("def last(x): ...", "44", ELIDED, id="a body, three dots"),
        pytest.param("def forward(self, …): …", "12", ELIDED, id="parameters and body"),
        pytest.param("def forward(self, …): … return total, pair", "12", ELIDED, id="the last statement"),
        pytest.param(
            "def forward(self, …):\n  …\n  return total, pair",
            "12",
            ELIDED,
            id="the last statement, laid out",
        ),
        pytest.param("class Model(Base): …", "7", ELIDED, id="a class"),
        pytest.param("if total > 0 and y: …", "21", ELIDED, id="a clause"),
        pytest.param(
            "if total > 0 and y:\n  …\nelif …:\n  …\nelse:\n  pass", "21", ELIDED, id="clauses, laid out"
        ),
        pytest.param("total = a * b * c … return total, pair", "20", ELIDED, id="statements between"),
        pytest.param("total = a * b * c\n...\nreturn total, pair", "20", ELIDED, id="between, three dots"),
        pytest.param("h = conv(…); …; f()", "14", ELIDED, id="between semicolons"),
        pytest.param("total += 1\n…", "23", ELIDED, id="statements behind"),
        pytest.param("…\nreturn norm(…)", "23-24", ELIDED, id="statements before"),
        pytest.param('conv(x, self.size, activation=tf.nn.relu, name="conv1")', "14-19", PARTIAL, id="one"),
        pytest.param("conv(x)", "14-19", PARTIAL, id="four of five"),
        pytest.param("conv()", "14-19", PARTIAL, id="all five"),
        pytest.param("h = conv(x)", "14", PARTIAL, id="within a statement"),
        pytest.param("norm(x + tf.nn.dropout(y))", "24", PARTIAL, id="nested arguments"),
        pytest.param("g()(y)[0]", "44", PARTIAL, id="of the first call of two"),
        pytest.param('conv(x, …, name="conv1")', "14-19", PARTIAL, id="a mark elsewhere"),
        pytest.param("def forward(self, x, y=None):", "12", PARTIAL, id="parameters"),
        pytest.param('@register("model")', "6", PARTIAL, id="a decorator's arguments"),
        pytest.param("class Model(): …", "7", PARTIAL, id="bases"),
        pytest.param("f(a, b)", "30", SHIFTED, id="elsewhere"),
        pytest.param("f(a,b)", "30", SHIFTED, id="elsewhere, laid out otherwise"),
        pytest.param("f(a, …)", "1", SHIFTED, id="elsewhere, with a mark"),
        pytest.param("f(a)", "30", SHIFTED, id="elsewhere, with arguments left out"),
        pytest.param("h = conv(x)", "15-19", SHIFTED, id="begins before"),
        pytest.param("if total > 0 and y: …", "22-23", SHIFTED, id="a statement that begins before"),
        pytest.param("activation = tf.nn.relu", "1", SHIFTED, id="an argument elsewhere"),
        pytest.param("x + tf", "24", CHANGED, id="a part of an operand"),
        pytest.param("nn.dropout(y, 1.0 - p)", "24", CHANGED, id="a part of a name"),
        pytest.param("b * c", "20", CHANGED, id="operands of two operations"),
        pytest.param("b * a", "20", CHANGED, id="another order"),
        pytest.param("total = (a * b * c)", "20", CHANGED, id="more brackets"),
        pytest.param("f(x, y)", "8", CHANGED, id="in a string"),
        pytest.param("f(x, y)", "13", CHANGED, id="in a comment"),
        pytest.param("conv(x, …, activation=tf.nn.elu, …)", "14-19", CHANGED, id="another name"),
        pytest.param(CALL.replace(" self.size,", ""), "14-19", CHANGED, id="an argument left out between"),
        pytest.param("f(b)", "34", CHANGED, id="the first argument left out"),
        pytest.param("f(b, a)", "34", CHANGED, id="arguments exchanged"),
        pytest.param("[x, y]", "31", CHANGED, id="an item left out"),
        pytest.param("lambda q: q[..., 0]", "37", CHANGED, id="a parameter without brackets left out"),
        pytest.param("pair = (x)", "30", CHANGED, id="a comma that makes a tuple"),
        pytest.param("q[...]", "37", CHANGED, id="no mark in an index"),
        pytest.param("return ...", "38", CHANGED, id="no mark where code may stand"),
        pytest.param("total = a … c", "20", CHANGED, id="a mark for no node"),
        pytest.param(
            "total = a * b … return total, pair", "20", CHANGED, id="a mark for a part of a statement"
        ),
        pytest.param("def forward(self, …): … pass", "12", CHANGED, id="not the last statement"),
        pytest.param("h = conv(…)\nf()", "14", CHANGED, id="statements left out"),
        pytest.param(
            "if total > 0 and y:\n  total += 1\nreturn norm(…)", "21", CHANGED, id="another block's statement"
        ),
        pytest.param(LOG.replace("r'", "'"), "26", CHANGED, id="a prefix lost"),
        pytest.param(LOG.replace('"it\'s"', '"its"'), "26", CHANGED, id="a string's text"),
        pytest.param(LOG.replace('"it\'s"', '"it…s"'), "26", CHANGED, id="a mark in a string"),
        pytest.param("print(f'{x[key]} is {y}')", "36", CHANGED, id="quotes within quotes lost"),
        pytest.param("size: int = 512", "10", CHANGED, id="a type more"),
        pytest.param("tf.zeros([batch, seq])", "1-9", ABSENT, id="nowhere"),
        pytest.param("51", "10", ABSENT, id="a part of a token"),
        pytest.param("", "4-8", ABSENT, id="empty"),
        pytest.param(" \n\t", "4-8", ABSENT, id="blank"),
        pytest.param("…", "4-8", ABSENT, id="nothing but a mark"),
        pytest.param("… , …\n…", "4-8", ABSENT, id="nothing but marks"),
        pytest.param("# another", "4-8", ABSENT, id="nothing but a comment"),
        pytest.param("f(a, b)", "4-80", Verdict.OUT_OF_RANGE, id="past the end"),
    ],
)
def test_verdict(expression: str, lines: str, verdict: Verdict) -> None:
    assert judged(expression, lines).verdict is verdict


@pytest.mark.parametrize(
    ("expression", "lines", "message", "notes"),
    [
        (
            'conv(x, self.size, activation=tf.nn.relu, name="conv1")',
            "14-19",
            "the expression leaves out 1 argument without a mark",
            ("left out without a mark: **kwargs",),
        ),
        (
            "conv(x, self.size)",
            "14-19",
            "the expression leaves out 3 arguments without a mark",
            ('left out without a mark: activation=tf.nn.relu, name="conv1", **kwargs',),
        ),
        (
            "norm(x + tf.nn.dropout())",
            "24",
            "the expression leaves out 2 arguments without a mark",
            ("left out without a mark: y, 1.0 - p",),
        ),
        (
            "g()()[0]",
            "44",
            "the expression leaves out 2 arguments without a mark",
            ("left out without a mark: x, y",),
        ),
        (
            "def forward(self):",
            "12",
            "the expression leaves out 4 arguments without a mark",
            ("left out without a mark: x, y=None, *args, **kwargs",),
        ),
        ("norm(…)", "24", "left out: x + tf.nn.dropout(y, 1.0 - p)", ()),
        ("conv(…, **kwargs)", "14", 'left out: x, self.size, # wide activation=tf.nn.relu, name="conv1"', ()),
        ("f(…)", "33", "", ("an omission mark stands for no argument",)),
        ("f(a, …, b)", "34", "", ("an omission mark stands for no argument",)),
        ("return total, pair\n…", "38", "", ("an omission mark stands for no code",)),
        ("f(…)", "33-34", "left out: a, b", ()),
        ("f(a, b)", "30", "the expression stands at 34, 4 lines further down", ()),
        ("f(a, b)", "35-36", "the expression stands at 34, 1 line further up", ()),
        ("h = conv(x, …)", "19", "the expression stands at 14-19, 5 lines further up", ()),
        (
            "f(a)",
            "30",
            "the expression stands at 34, 4 lines further down",
            ("left out without a mark: b",),
        ),
        ("total", "1", "the expression stands at 20 and at 3 other places, 19 lines further down", ()),
        ("", "1", "the expression is empty", ()),
        ("…", "1", "the expression holds no code", ()),
        (
            "x + tf",
            "24",
            "the expression's tokens stand at 24, and are no piece of code in themselves there",
            ("its text stands at line 24, as a part of something larger",),
        ),
        (
            "f(x, y)",
            "1",
            "the expression's tokens stand at 8, and are no piece of code in themselves there; 8 comes closest",
            ("its text stands at line 8, inside a string",),
        ),
        (
            "f(x, y)",
            "13",
            "the expression's tokens stand at 13, and are no piece of code in themselves there",
            ("its text stands at line 13, inside a comment",),
        ),
        ("f(a, b)", "4-80", "the file has 44 lines; the expression stands at 34", ()),
        ("f(a)", "80", "the file has 44 lines; the expression stands at 34", ("left out without a mark: b",)),
        ("tf.zeros([batch])", "80", "the file has 44 lines", ()),
    ],
)
def test_what_is_said(expression: str, lines: str, message: str, notes: tuple[str, ...]) -> None:
    found = judged(expression, lines)
    assert (found.message, found.notes) == (message, notes)


@pytest.mark.parametrize(
    ("expression", "fault"),
    [
        ("tf.zeros([batch, seq)", "column 21"),
        ("tf.zeros([batch, seq]", "column 9"),
        ("tf.zeros(batch, = seq)", "column 17"),
        ("tf.zeros(\n  batch, = seq)", "line 2, column 10"),
        ("tf.zeros(é, “seq”)", "column 13"),
        ("tf.zeros(…, = seq)", "column 13"),
        ("tf.zeros(…, [seq)", "column 17"),
        ("tf.zeros(batch", "column 9"),
        ("§", "column 1"),
    ],
)
def test_an_expression_that_does_not_parse(expression: str, fault: str) -> None:
    found = judged(expression, "1-9")
    assert found.verdict in {CHANGED, ABSENT}
    assert f"the expression does not parse: {fault}" in found.notes


@pytest.mark.parametrize(
    "expression",
    ["tf.zeros(…)", "with tf.zeros(…): … return 3", "zeros = 1 … return 3", "def zeros(…): …", "a b"],
)
def test_marks_are_no_reason_not_to_parse(expression: str) -> None:
    notes = judged(expression, "1-9").notes
    assert ("parse" in "".join(notes)) == (expression == "a b")


def test_a_change_is_shown() -> None:
    found = judged(CALL.replace("relu", "elu"), "14-19")
    assert found.found_at == (LineRange(14, 19),)
    assert found.suggestion is None
    assert found.difference is Difference.CODE
    assert found.similarity == round(25 / 26, 4)
    assert found.diff.startswith("--- quote\n+++ m.py:14-19\n@@ -1,1 +14,6 @@\n-conv(x,")
    away = judged(CALL.replace("relu", "elu"), "30-34")
    assert away.suggestion == LineRange(14, 19)
    assert away.message.endswith("; 14-19 comes closest")


def test_a_change_of_typography() -> None:
    assert judged("f(\u2018a\u2019, b)", "34").difference is Difference.CODE
    assert judged("{“a”: 1, “b”: [2, 3]}", "35").difference is Difference.TYPOGRAPHY


def test_places_are_listed_nearest_first() -> None:
    text = Text("\n".join(f"f(a, {number % 3})" for number in range(1000)))
    found = judged("f(a,2)", "500", text, parsed(text))
    assert found.verdict is SHIFTED
    assert found.message == "the expression stands at 501 and at 332 other places, 1 line further down"
    assert found.found_at[:4] == tuple(LineRange(line, line) for line in (501, 498, 504, 495))
    assert len(found.found_at) == 100
    assert found.suggestion == found.found_at[0]


def test_invisible_characters_of_the_cited_lines_are_told() -> None:
    text = Text("f(a)  # \u202e\nf(b)")
    assert judged("f(a)", "1", text, parsed(text)).notes == (
        "the cited lines hold U+202E (right-to-left override)",
    )


@pytest.mark.parametrize(
    ("source", "expression", "verdict"),
    [
        ("return f(a.b,\n         c);", "f(a.b, c)", WHITESPACE),
        ("return f(a.b, c);", "f(a.b, c)", EXACT),
        ("return f(a.b, c);", "f(…)", ELIDED),
        ("return f(a.b, c);", "f(a.b, …)", ELIDED),
        ("return f(a.b, c);", "f(..., c)", ELIDED),
        ("return f(a.b, c);", "f()", PARTIAL),
        ("return f(a.b, [c, d]);", "f(a.b)", PARTIAL),
        ("x = (a.b, c);", "(a.b)", CHANGED),
        ("return f(a.b, c);", "f(c)", CHANGED),
        ("return f(a.b, c);", "f(a, c)", CHANGED),
        ("return f(a.b, c);", "(a.b, c", CHANGED),
        ("return f(a.b, c);", "turn f(a.b, c)", CHANGED),
        ("return f(a.b, c);", "f(a.b, c));", CHANGED),
        ("f(a, g(b, c), d)", "f(a, …, d)", ELIDED),
        ("f(a, g(b, c), d)", "f(a, g(…), d)", ELIDED),
        ("f(a, g(b, c), d)", "f(…, c)", CHANGED),
        ("x = {a, b,\n}", "x = {a, b}", WHITESPACE),
        ("x = f(a,\n)", "x = f(a)", WHITESPACE),
        ("x = (a,)", "x = (a)", CHANGED),
        ("if (a) {\n  b();\n  c();\n}", "if (a) { … c(); }", ELIDED),
        ("if (a) {\n  b();\n  c();\n}", "if (a) { … }", ELIDED),
        ("if (a) {\n  b();\n}", "if (a) {\n  b();\n}", EXACT),
        ("é = f(ü)", "é=f( ü )", WHITESPACE),
        ("a = b + c\nd", "a = …", ELIDED),
        ("a", "b", ABSENT),
    ],
)
def test_a_language_that_is_not_known(source: str, expression: str, verdict: Verdict) -> None:
    assert judged(expression, "1", Text(source), None).verdict is verdict


def test_shifted_in_a_language_that_is_not_known() -> None:
    found = judged("f(a,  b)", "1", Text("\n" * 5 + "f(a, b);\n"), None)
    assert (found.verdict, found.found_at) == (SHIFTED, (LineRange(6, 6),))


def test_code_with_errors_is_looked_at_as_well() -> None:
    text = Text("def f(:\n  x = g(a,\n        b)\n\nh(c) = = d\n")
    assert judged("g(a, b)", "2", text, parsed(text)).verdict is WHITESPACE
    assert judged("h(c)", "5", text, parsed(text)).verdict is EXACT


@pytest.mark.parametrize("expression", ["f(a) # x", "f(a\n# x\n)", "f(a) \\\n"])
def test_layout_at_the_ends_means_nothing(expression: str) -> None:
    text = Text("f(a)")
    assert judged(expression, "1", text, parsed(text)).verdict in {EXACT, WHITESPACE}


def test_comments_between_the_first_tokens() -> None:
    text = Text("\n\nf(  # first\n  a,  # second\n  b)\n")
    assert judged("f(a, b)", "1", text, parsed(text)).found_at == (LineRange(3, 5),)


def test_a_string_first_is_found_elsewhere() -> None:
    text = Text("\nx = [B'a', 'b', \"a\"]\n")
    assert judged("b'a'", "1", text, parsed(text)).found_at == (LineRange(2, 2),)
    assert judged("'a'", "1", text, parsed(text)).found_at == (LineRange(2, 2),)


def test_a_comment_behind_a_body_is_no_part_of_it() -> None:
    text = Text("def f():\n  return x\n  # the end\n\ny\n")
    assert judged("def f(): return x", "1", text, parsed(text)).verdict is WHITESPACE
    assert judged("def f():\n  return x\n  # the", "1", text, parsed(text)).verdict is WHITESPACE


def test_a_tree_tells_statements_apart() -> None:
    text = Text("f\n(x)\ny = f(x)\nz = (f\n(x))\n")
    assert judged("f (x)", "1", text, parsed(text)).verdict is SHIFTED
    assert judged("f\n(x)", "1", text, parsed(text)).verdict is EXACT
    assert judged("f\n  (x)", "3", text, parsed(text)).verdict is WHITESPACE
    assert judged("y = f\n(x)", "3", text, parsed(text)).verdict is CHANGED


PIECES = Text("""\
from tensorflow.contrib.training import HParams
u = (x - u) * 2
m = i >= j - ns + nd
s = 0 if past is None else shape(past)[-2]
async def go(a):
    async with open(a) as f:
        raise ValueError(a) from None
x: int = 3
p = HParams(n_vocab=0, n_ctx=1024, n_embd=768, n_head=12)
for layer, past in enumerate(pasts):
    nx = shape(layer)
    h = gelu(nx)
    print(h)
class Encoder:
    def __init__(self, a):
        self.a = a
        self.b = b
    def encode(self, text):
        return text
""")


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("- u", 2),
        ("-u", 2),
        ("+ nd", 3),
        (">= j - ns + nd", 3),
        ("* 2", 2),
        ("0 if past is None", 4),
        ("past is None else shape(past)[-2]", 4),
        ("is None", 4),
        ("import HParams", 1),
        ("def go(…)", 5),
        ("def go(a):", 5),
        ("with open(a) as f:", 6),
        ("raise ValueError(…)", 7),
        ("x: int", 8),
        ("layer, past in enumerate(pasts)", 10),
    ],
)
def test_half_of_an_operation_or_of_a_statement_is_no_piece_of_code(expression: str, line: int) -> None:
    found = judged(expression, f"{line}", PIECES, parsed(PIECES))
    assert found.verdict in {Verdict.CHANGED, Verdict.ABSENT}


@pytest.mark.parametrize(
    ("expression", "line", "verdict", "told"),
    [
        ("HParams(n_vocab=…, …)", 9, ELIDED, ""),
        ("HParams(n_vocab=0, …, n_embd=…, …)", 9, ELIDED, ""),
        ("HParams(n_vocab=…, n_ctx=…, …)", 9, ELIDED, ""),
        ("HParams(n_vocab=0, n_ctx=…)", 9, Verdict.PARTIAL, "n_embd=768, n_head=12"),
        ("HParams(…, n_embd=…)", 9, Verdict.PARTIAL, "n_head=12"),
        ("HParams(n_vocab=…, n_head=12)", 9, Verdict.CHANGED, ""),
        ("for layer, past in …:\n    nx = …\n    …\n    print(h)", 10, ELIDED, ""),
        ("for layer, past in …:\n    nx = …\n    …", 10, ELIDED, ""),
        ("for layer, past in …:\n    h = …\n    …", 10, Verdict.CHANGED, ""),
        ("class Encoder:\n    def __init__(self, a):\n        …\n    …", 14, ELIDED, ""),
        (
            "class Encoder:\n    …\n    def encode(self, text):\n        …\n    …",
            14,
            ELIDED,
            "an omission mark stands for no code",
        ),
        ("async def go(a):", 5, EXACT, ""),
        ("n_ctx=1024, n_embd=768", 9, EXACT, ""),
        ("… = (x - u) * 2", 2, ELIDED, ""),
    ],
)
def test_each_mark_stands_for_what_is_at_its_place(
    expression: str, line: int, verdict: Verdict, told: str
) -> None:
    found = judged(expression, f"{line}", PIECES, parsed(PIECES))
    assert found.verdict is verdict
    assert told in "; ".join(found.notes)

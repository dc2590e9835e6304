"""The verdicts on expressions, row by row."""

from __future__ import annotations

import pytest

from provenance.citation import LineRange
from provenance.compare.expression import judge_expression
from provenance.evidence import Judgement, Verdict
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

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support.results import BLOB, COMMIT, GIT, Made
from support.screens import TERMINAL, bare

from provenance.citation import LineRange
from provenance.evidence import Assurance, Judgement, OriginKind, Verdict
from provenance.report.blocks import Span, Style
from provenance.report.highlight import highlighted
from provenance.report.screen import Screen
from provenance.report.show import Place, ShownLine, as_json, render_place

RESULT = Made(
    claim="the first linear map",
    of="Feature projection",
    lines=LineRange(99, 100),
    judgement=Judgement(Verdict.CHANGED, "the quote differs in code", diff="-a\n+b\n"),
    notes=("a note",),
).evidence()
PLACE = Place(
    "https://user:SECRET@github.com/tensorflow/tensor2tensor.git",
    COMMIT,
    "models/transformer.py",
    LineRange(99, 100),
    (
        ShownLine(98, "def f():", cited=False),
        ShownLine(99, "  x = 1  # \x1b[2J", cited=True),
        ShownLine(100, "", cited=True),
        ShownLine(101, "  return x", cited=False),
    ),
    blob=BLOB,
    language="python",
    symbol="f",
    symbols=("f.g", "f.h"),
    evidence=(RESULT,),
    assurance=Assurance.COMMIT,
    origin=OriginKind.GIT,
    notes=("decoded as latin-1: it is not UTF-8",),
)


def test_a_place_for_a_reviewer() -> None:
    assert render_place(PLACE, screen=Screen(100)) == (
        f"""\
models/transformer.py:99-100
  repository  {GIT}.git
  revision    0c66117d4297 ({COMMIT})
  in          f
  holds       f.g, f.h
  assurance   commit, from git
  link        {GIT}/blob/{COMMIT}/models/transformer.py#L99-L100
  swhid       swh:1:cnt:{BLOB};origin={GIT};anchor=swh:1:rev:{COMMIT};path=/models/transformer.py;lines=99-100
  note        decoded as latin-1: it is not UTF-8

   98   def f():
   99 |   x = 1  # \\x1b[2J
  100 |
  101     return x

conv-relu  changed (failure)  lines 99-100  manifests/x.yaml:12
  contextual, of Feature projection: the first linear map
  the quote differs in code
  note: a note
    -a
    +b
"""
    )


def test_a_place_that_little_is_known_of() -> None:
    place = Place(
        "/srv/r",
        "v1.0",
        "a.txt",
        LineRange(3, 3),
        (ShownLine(None, "::error::x", cited=True),),
        quote_only=True,
    )
    assert render_place(place, screen=Screen(80)) == (
        """\
a.txt:3
  repository  /srv/r
  revision    v1.0
  note        the bytes were not seen; this is the manifest's quote

   | ::error::x
"""
    )


def test_no_lines_at_all() -> None:
    place = replace(PLACE, shown=(), evidence=())
    assert render_place(place, screen=TERMINAL)


@pytest.mark.parametrize(
    ("path", "language"), [("a.py", "python"), ("a.c", None), ("a.unknown", None), ("a", "klingon")]
)
def test_highlighting_keeps_the_code(path: str, language: str | None) -> None:
    place = replace(PLACE, path=path, language=language)
    coloured = render_place(place, screen=TERMINAL)
    plain = render_place(place, screen=Screen(100))
    assert bare(coloured) == plain
    assert "\x1b[2J" not in coloured


def test_python_is_highlighted() -> None:
    lines = ["", "def f():", "  '''a", "  b'''", ""]
    found = highlighted(lines, "f.py", "python")
    assert [line.text for line in found] == lines
    assert Span("def", Style.MAGENTA) in found[1].spans
    assert found[2].spans[-1] == Span("'''a", Style.GREEN)
    assert found[3].spans == (Span("  b'''", Style.GREEN),)


def test_very_long_code_is_not_highlighted() -> None:
    (line,) = highlighted(["x" * 100_001], "f.py", "python")
    assert line.spans == (Span("x" * 100_001),)


def test_json() -> None:
    found = json.loads(as_json(PLACE))
    assert list(found) == [
        "schema",
        "git",
        "revision",
        "path",
        "lines",
        "symbol",
        "symbols",
        "excerpt",
        "quote_only",
        "notes",
        "assurance",
        "origin",
        "permalink",
        "swhid",
        "citations",
    ]
    assert found["schema"] == "prov/show/1"
    assert found["git"] == f"{GIT}.git"
    assert found["excerpt"][1] == {"line": 99, "text": "  x = 1  # \x1b[2J", "cited": True}
    assert found["citations"][0]["verdict"] == "changed"
    assert found["citations"][0]["claim"] == "the first linear map"
    assert "\x1b" not in as_json(PLACE)

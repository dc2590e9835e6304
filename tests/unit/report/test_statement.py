from __future__ import annotations

import json
from io import StringIO

from support.results import COMMIT, GIT, Made

from provenance.citation import Kind, Quantity, Source, Term
from provenance.errors import Position
from provenance.evidence import Assurance, Judgement, Level, Statement, Summary, Verdict
from provenance.report.json import result, write_jsonl
from provenance.report.screen import Screen
from provenance.report.statement import as_json, render_statement
from provenance.report.text import conclusion, render

QUANTITY = Quantity(
    "first-linear-map",
    (Term("Weight matrix", "512 × 2048", "1048576"), Term("Output bias", "2048", "2048")),
    "1050624",
    "6",
    "6303744",
    ("1050624 × 6 = 6303744",),
    ("[B batch, 512 d]",),
    position=Position("manifests/x.yaml", 86),
)
BROKEN = Judgement(Verdict.BROKEN, "1,048,576 + 2,048 = 1,050,625 does not hold; 1,050,624 would be right")
PIN = Source("gpt-2", f"{GIT}.git", COMMIT[:12], stated="1234567", position=Position("manifests/x.yaml", 4))


def quantity(judgement: Judgement | None = None, about: Quantity = QUANTITY) -> Statement:
    judgement = judgement or Judgement(Verdict.HOLDS)
    level = Level.OK if judgement.verdict is Verdict.HOLDS else Level.FAILURE
    return Statement(
        "manifests/x.yaml", about.id, Kind.QUANTITY, "1,050,624 × 6 = 6,303,744", judgement, level, about
    )


def pin() -> Statement:
    judgement = Judgement(Verdict.BROKEN, "the document states 1234567")
    return Statement(
        "manifests/x.yaml",
        "gpt-2 @ 1234567",
        Kind.PIN,
        f"{GIT} @ 1234567",
        judgement,
        Level.FAILURE,
        PIN,
        COMMIT,
    )


LACKED = (
    "path lines difference similarity found_at suggestion omitted diff symbol symbols ungrounded assurance"
)
NULLS = [*LACKED.split(), "origin", "permalink", "swhid"]


def test_a_quantity_has_the_keys_of_a_quote_and_null_for_what_it_lacks() -> None:
    found = result(quantity())
    assert list(found) == list(result(Made().evidence()))
    assert {key for key, value in found.items() if value is None} == {*NULLS, "source", "git", "revision"}
    assert (found["kind"], found["verdict"], found["level"]) == ("quantity", "holds", "ok")


def test_a_pin_names_its_repository() -> None:
    found = result(pin())
    assert list(found) == list(result(Made().evidence()))
    assert {key for key, value in found.items() if value is None} == set(NULLS)
    assert (found["kind"], found["source"], found["git"]) == ("pin", "gpt-2", f"{GIT}.git")
    assert found["revision"] == COMMIT


def test_statements_stand_in_the_table_as_citations_do() -> None:
    summary = Summary(3, 1, 0, 2, 0, {Assurance.COMMIT: 1}, statements=2)
    text = render(summary, [Made().evidence(), quantity(BROKEN), pin()], hidden=0, screen=Screen(110))
    assert (
        text
        == """\
failure  broken  first-linear-map  1,050,624 × 6 = 6,303,744
    manifests/x.yaml:86
    1,048,576 + 2,048 = 1,050,625 does not hold; 1,050,624 would be right
failure  broken  gpt-2 @ 1234567   https://github.com/tensorflow/tensor2tensor @ 1234567
    manifests/x.yaml:4
    the document states 1234567
ok       exact   conv-relu         tensor2tensor/models/common_layers.py:1160-1194        commit

3 of 3 checked (1 citation, 2 statements): 1 ok, 2 failures · proven: 1 by commit
"""
    )


def test_the_last_line_without_statements_speaks_of_citations() -> None:
    assert conclusion(Summary(1, 1, 0, 0, 0, {})) == "1 of 1 citation checked: 1 ok"
    assert conclusion(Summary(1, 1, 0, 0, 0, {}, 1)) == "1 of 1 checked (0 citations, 1 statement): 1 ok"


def test_what_a_claim_names_beside_its_lines_is_told_although_the_quote_holds() -> None:
    found = Made(path="a.py", ungrounded=("−1e9", "c_proj")).evidence()
    assert render(Summary(1, 1, 0, 0, 0, {}), [found], hidden=0, screen=Screen(100)).startswith(
        """\
ok  exact  conv-relu  a.py:1160-1194  commit
    manifests/x.yaml:12
    note: the claim names −1e9, c_proj; the cited lines do not
"""
    )
    assert result(found)["ungrounded"] == ("−1e9", "c_proj")


def test_a_sum_for_a_reviewer() -> None:
    assert (
        render_statement(quantity(BROKEN), screen=Screen(100))
        == """\
first-linear-map  broken (failure)  manifests/x.yaml:86
  Weight matrix   512 × 2048   1048576
  Output bias           2048      2048
  total                        1050624
  overall                × 6   6303744
  also stated: 1050624 × 6 = 6303744
  shape: [B batch, 512 d]
  1,048,576 + 2,048 = 1,050,625 does not hold; 1,050,624 would be right
"""
    )


def test_a_pin_for_a_reviewer() -> None:
    assert (
        render_statement(pin(), screen=Screen(100))
        == """\
gpt-2 @ 1234567  broken (failure)  manifests/x.yaml:4
  https://github.com/tensorflow/tensor2tensor @ 1234567
  the document states 1234567
"""
    )


def test_an_empty_quantity_can_be_shown() -> None:
    text = render_statement(quantity(about=Quantity("bare", overall="7")), screen=Screen(100))
    assert text == "bare  holds (ok)  manifests/x.yaml\n  overall   × ?   7\n"
    text = render_statement(quantity(about=Quantity("bare")), screen=Screen(100))
    assert text == "bare  holds (ok)  manifests/x.yaml\n"


def test_what_was_read_of_a_sum_is_in_the_json() -> None:
    found = json.loads(as_json(quantity()))
    assert found["schema"] == "prov/show/1"
    assert found["terms"][1] == {"name": "Output bias", "calculation": "2048", "equals": "2048"}
    assert (found["total"], found["repeated"], found["overall"]) == ("1050624", "6", "6303744")
    assert (found["statements"], found["shapes"]) == (["1050624 × 6 = 6303744"], ["[B batch, 512 d]"])
    assert found["stated"] == "1,050,624 × 6 = 6,303,744"
    assert json.loads(as_json(pin()))["stated"] == f"{GIT} @ 1234567"


def test_texts_of_a_sum_are_inert() -> None:
    evil = "::error::x\x1b[2J\u202e"
    made = Quantity("q", (Term(evil, evil, "1"),), statements=(evil,), shapes=(evil,))
    text = render_statement(quantity(Judgement(Verdict.BROKEN, evil), made), screen=Screen(100))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())
    stream = StringIO()
    write_jsonl(stream, [quantity(Judgement(Verdict.BROKEN, evil), made)])
    assert "\x1b" not in stream.getvalue()
    assert not stream.getvalue().startswith("::")

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from provenance.citation import Manifest
from provenance.manifest import parse, schema

MANIFESTS = sorted((Path(__file__).parents[3] / "manifests").glob("*.yaml"))

GOOD = """\
prov: 1
title: Engine
url: https://example.org/
sources:
  engine: {git: https://example.org/engine, revision: 12345678, alternates: [{pypi: engine==1.0}]}
citations:
  - id: valve
    source: engine
    path: src/valve.py
    lines: 60
    evidence: contextual
    of: Cylinder
    claim: It opens.
    quote: "  open()"
    expect: {verdict: partial, because: so it is, until: "2027-06-30"}
"""
BAD = [
    ("prov: 1", "prov: 2"),
    ("prov: 1", "prov: -1"),
    ("prov: 1\n", ""),
    ("title: Engine\n", ""),
    ("title: Engine", "title: ''"),
    ("title: Engine", r'title: "a\nb"'),
    ("title: Engine", "title: [Engine]"),
    ("title: Engine", "titel: Engine"),
    ("https://example.org/\n", "ftp://example.org/\n"),
    ("  engine: {", "  ' engine': {"),
    ("git: https://example.org/engine, ", ""),
    ("git:", "hg:"),
    ("{pypi: engine==1.0}", "pypi"),
    ("engine==1.0", "engine>=1.0"),
    ("{pypi: engine==1.0}", "{pypi: engine==1.0, swh: x}"),
    ("citations:\n  -", "citations:\n   "),
    ("lines: 60", "lines: 0"),
    ("lines: 60", "lines: 0-5"),
    ("lines: 60", "lines: -5"),
    ("lines: 60", "lines: all"),
    ("lines: 60", "lines: [60]"),
    ("evidence: contextual", "evidence: indirect"),
    ("evidence: contextual", "evidence: direct"),
    ('quote: "  open()"', 'quote: "  "'),
    ('quote: "  open()"', 'quote: "  open()"\n    expression: open()'),
    ('quote: "  open()"', "expression: open()\n    value: {pointer: /a, equals: 1}"),
    ('quote: "  open()"', "value: {pointer: a, equals: 1}"),
    ('quote: "  open()"', "value: {pointer: /a}"),
    ('quote: "  open()"', "value: {pointer: /~, equals: 1}"),
    ("    lines: 60\n", ""),
    ("verdict: partial", "verdict: exact"),
    ("because: so it is, ", ""),
    ("2027-06-30", "June"),
    ("citations:", "quantities: {}\ncitations:"),
    ("citations:", "quantities: [{total: 7}]\ncitations:"),
    ("citations:", "quantities: [{id: q, total: many}]\ncitations:"),
    ("citations:", "quantities: [{id: q, terms: [{name: W, calculation: 2 × 3}]}]\ncitations:"),
    ("citations:", "quantities: [{id: q, shapes: [[1]]}]\ncitations:"),
    (
        "citations:",
        "quantities: [{id: q, expect: {verdict: partial, because: b, until: 2027-06-30}}]\ncitations:",
    ),
]

GOOD_TOO = [
    ('quote: "  open()"', "expression: open(…)"),
    ('quote: "  open()"', "value: {pointer: /a, equals: 1}"),
    ("    lines: 60\n    evidence", "    value: {pointer: /a~1b, equals: }\n    evidence"),
    ("citations:", "quantities: []\ncitations:"),
    ("citations:", "quantities: [{id: q, total: 7, repeated: 6, overall: '1,050'}]\ncitations:"),
    (
        "citations:",
        "quantities: [{id: q, terms: [{name: W, calculation: 7, equals: 7.5}], shapes: ['[7]']}]\ncitations:",
    ),
]


def valid(text: str) -> bool:
    return jsonschema.Draft202012Validator(schema()).is_valid(yaml.safe_load(text))


def test_it_is_a_schema_that_json_can_hold() -> None:
    assert json.loads(json.dumps(schema())) == schema()
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.name)
def test_the_shipped_manifests_are_valid(path: Path) -> None:
    assert valid(path.read_text())
    assert isinstance(parse(path.read_bytes(), path.name), Manifest)


def test_some_manifests_are_shipped() -> None:
    assert len(MANIFESTS) == 4


def test_loader_and_schema_accept_the_same() -> None:
    assert valid(GOOD)
    assert isinstance(parse(GOOD.encode(), "m.yaml"), Manifest)


@pytest.mark.parametrize(("old", "new"), BAD)
def test_loader_and_schema_reject_the_same(old: str, new: str) -> None:
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    assert isinstance(parse(text.encode(), "m.yaml"), tuple)
    assert not valid(text)


@pytest.mark.parametrize(("old", "new"), GOOD_TOO)
def test_loader_and_schema_accept_expressions_values_and_arithmetic(old: str, new: str) -> None:
    text = GOOD.replace(old, new, 1)
    if "value" in new:
        text = text.replace('    quote: "  open()"\n', "")
    assert text != GOOD
    assert isinstance(parse(text.encode(), "m.yaml"), Manifest)
    assert valid(text)


@pytest.mark.parametrize("number", ["12345678", "1.0", "1e10", "true"])
def test_what_yaml_takes_for_a_number_is_a_revision_still(number: str) -> None:
    text = GOOD.replace("12345678", number)
    assert valid(text)
    assert isinstance(parse(text.encode(), "m.yaml"), Manifest)

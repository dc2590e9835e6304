from __future__ import annotations

import json
import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    ExpectedValue,
    LineRange,
    Manifest,
    Quantity,
    Source,
)
from provenance.errors import InvalidRecord
from provenance.manifest import Expecting, expecting, parse, render

if TYPE_CHECKING:
    from collections.abc import Mapping

KNOWN = Expectation("changed", "known on 2026-01-15", date(2026, 4, 15))
ENTRY = "expect: {verdict: changed, because: known on 2026-01-15, until: 2026-04-15}"
BROKEN = Expectation("broken", "known", date(2026, 4, 15))


def items_of(manifest: Manifest) -> tuple[Citation | Quantity, ...]:
    return (*manifest.citations, *manifest.quantities)


def put(text: str, expects: Mapping[str, Expectation]) -> str:
    """The text with them, which says what was meant, and stays as it is when that is done again."""
    found = expecting(text.encode(), "m.yaml", expects)
    assert isinstance(found, Expecting), [str(error) for error in found]
    read = parse(found.data, "m.yaml")
    assert isinstance(read, Manifest)
    said = {item.id: item.expect for item in items_of(read)}
    assert {id_: said[id_] for id_ in expects} == expects
    assert expecting(found.data, "m.yaml", expects) == Expecting(found.data, (), ())
    return found.data.decode()


HEAD = """\
prov: 1
title: Engine   # with a valve
sources:
  engine: {git: https://example.org/engine, revision: v1}
"""

CITED = "id: a\n  source: engine\n  path: a.py\n  evidence: direct\n  lines: 3"
BRACES = "{id: a, source: engine, path: a.py, lines: 3, evidence: direct"
QUOTED = '"expect": {"verdict": "changed", "because": "known on 2026-01-15", "until": "2026-04-15"}'

ADDED = {
    "below the last key": (f"- {CITED}  # three@\n\n# end\n", f"\n  {ENTRY}"),
    "without a last line end": (f"- {CITED}@", f"\n  {ENTRY}"),
    "indented oddly": (f"   -   {CITED}@\n".replace("\n  ", "\n       "), f"\n       {ENTRY}"),
    "below a block": (f"- {CITED}\n  quote: |2\n      x\n\n    y@\n\n\nquantities: []\n", f"\n  {ENTRY}"),
    "below a block that keeps empty lines": (
        f"- {CITED}\n  quote: |+\n    x\n\n\n@quantities: []\n",
        f"  {ENTRY}\n",
    ),
    "below such a block at the end": (f"- {CITED}\n  quote: >2+\n    x\n\n@", f"  {ENTRY}\n"),
    "above a block in which the file ends": (
        f"- {CITED}\n@  quote: |  # c\n    x\n\n    y",
        f"  {ENTRY}\n",
    ),
    "above such a block with keys that are marked": (
        f"- {CITED}\n@  ? quote\n  : |2+\n    x",
        f"  {ENTRY}\n",
    ),
    "below a mapping": (f"- {CITED}\n  value:\n     pointer: /a\n     equals: 3 # c@\n", f"\n  {ENTRY}"),
    "before a comment": (f"- {CITED}@\n  # more\n# end\n", f"\n  {ENTRY}"),
    "before another": (f"- {CITED}@\n- {CITED.replace('id: a', 'id: b')}\n", f"\n  {ENTRY}"),
    "in braces": (f"- {BRACES}@}}  # c\n", f", {ENTRY}"),
    "in braces over lines": (f"- {BRACES}@,  # c\n  }}\n", f", {ENTRY}"),
    "in brackets": (f"  [ {BRACES}, value: {{ pointer: /a, equals: 3 }}@ }} ]\n", f", {ENTRY}"),
    "with keys in quotes": (
        '- "id": a\n  "source": engine\n  "path": a.py\n  "lines": 3\n  "evidence": direct@\n',
        f"\n  {QUOTED}",
    ),
}


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "BOM"])
@pytest.mark.parametrize(("text", "entry"), ADDED.values(), ids=ADDED)
def test_an_entry_is_put_behind_what_stands_last(text: str, entry: str, mark: str, ending: str) -> None:
    """The table has an `@` where it comes to stand."""
    whole = f"{mark}{HEAD}citations:\n{text}".replace("\n", ending)
    assert put(whole.replace("@", ""), {"a": KNOWN}) == whole.replace("@", entry.replace("\n", ending))


RENEWED = {
    "in braces": (
        "expect: {verdict: partial, because: 'as shown',   until: 2025-06-30}  # c",
        "expect: {verdict: changed, because: 'known on 2026-01-15',   until: 2026-04-15}  # c",
    ),
    "on lines": (
        'expect:\n      until: "2025-06-30"   # c\n      verdict: partial\n      because: as shown',
        'expect:\n      until: "2026-04-15"   # c\n      verdict: changed\n      because: known on 2026-01-15',
    ),
    "in a block": (
        "expect:\n      because: |  # c\n        as\n        shown\n\n      verdict: partial\n      until: 2025-06-30",
        'expect:\n      because: "known on 2026-01-15"  # c\n\n      verdict: changed\n      until: 2026-04-15',
    ),
}


@pytest.mark.parametrize(("before", "after"), RENEWED.values(), ids=RENEWED)
def test_an_entry_is_brought_up_to_date_where_it_stands(before: str, after: str) -> None:
    cited = f"  - {CITED}\n".replace("\n  ", "\n    ")
    old, new = (cited.replace("    path:", f"    {expect}\n    path:") for expect in (before, after))
    assert put(f"{HEAD}citations:\n{old}", {"a": KNOWN}) == f"{HEAD}citations:\n{new}"


def test_what_stays_the_same_in_an_entry_stays_byte_for_byte() -> None:
    text = f"{HEAD}citations: []\nquantities:\n- id: q\n"
    text += """  expect: {verdict: 'broken', because: "k\\x6eown", until: 2025-01-01}\n"""
    assert put(text, {"q": BROKEN}) == text.replace("2025-01-01", "2026-04-15")


def test_quantities_are_found_beside_citations() -> None:
    text = (
        f"{HEAD}citations:\n- {{id: a, source: engine, path: a.py, lines: 3, evidence: direct}}\n"
        "quantities:\n- id: q\n  terms:\n  - {name: x, calculation: 1 + 1, equals: 3}\n- {id: r, total: 3}\n"
    )
    found = expecting(text.encode(), "m.yaml", {"q": BROKEN, "r": BROKEN, "a": KNOWN})
    assert isinstance(found, Expecting)
    assert (found.added, found.renewed) == (("a", "q", "r"), ())
    put(text, {"q": BROKEN, "r": BROKEN, "a": KNOWN})


@pytest.mark.parametrize(
    ("text", "expects", "error"),
    [
        ("prov: 2\n", {}, "m.yaml:1:1: "),
        (f"{HEAD}citations: []\n", {"b": KNOWN}, "m.yaml:1: there is nothing named 'b'"),
        (
            f"{HEAD}citations: []\nquantities: [{{id: q}}]\n",
            {"q": KNOWN},
            "m.yaml:1: nothing is written: with what is expected put in place, it could not be read (found 'changed'",
        ),
    ],
)
def test_what_cannot_be_written_is_told(text: str, expects: Mapping[str, Expectation], error: str) -> None:
    found = expecting(text.encode(), "m.yaml", expects)
    assert isinstance(found, tuple)
    assert str(found[0]).startswith(error)


@pytest.mark.parametrize("expect", [Expectation(None, "a", KNOWN.until), Expectation("changed", "a", None)])
def test_a_manifest_says_verdict_and_day(expect: Expectation) -> None:
    with pytest.raises(InvalidRecord, match="names a verdict, and the last day"):
        expecting(f"{HEAD}citations: []\nquantities: [{{id: q}}]\n".encode(), "m.yaml", {"q": expect})


TEXTS = st.text(st.sampled_from(" \n\t:#-|>'\"{,a\u2028é…"), max_size=12).map(
    lambda text: text if text.strip() else f"x{text}"
)
SOURCE = Source("engine", "https://example.org/engine", "v1")


@st.composite
def manifests(draw: st.DrawFn) -> Manifest:
    citations = []
    for number in range(draw(st.integers(0, 3))):
        kind, text = draw(st.sampled_from(["quote", "expression", "value", ""])), draw(TEXTS)
        citations.append(
            Citation(
                f"c{number}",
                SOURCE,
                "a.py",
                LineRange(1, 3),
                EvidenceKind.DIRECT,
                draw(st.just("") | TEXTS),
                quote=text if kind == "quote" else None,
                expression=text if kind == "expression" else None,
                value=ExpectedValue("/a", text) if kind == "value" else None,
                expect=draw(
                    st.none() | st.builds(Expectation, st.just("partial"), TEXTS, st.just(date(2025, 1, 1)))
                ),
            )
        )
    quantities = tuple(Quantity(f"q{number}", total="3") for number in range(draw(st.integers(0, 2))))
    return Manifest("m.yaml", "Engine", None, (SOURCE,), tuple(citations), quantities)


@given(manifests(), st.sampled_from(["\n", "\r\n"]), st.data())
def test_all_that_is_put_in_can_be_taken_out_again(
    manifest: Manifest, ending: str, data: st.DataObject
) -> None:
    text = render(manifest).replace("\n", ending)
    items = [item for item in items_of(manifest) if item.expect is None]
    chosen = data.draw(st.lists(st.sampled_from(items), unique_by=lambda item: item.id)) if items else []
    new = put(text, {item.id: BROKEN if isinstance(item, Quantity) else KNOWN for item in chosen})
    entry = (
        r"\r?\n    expect: \{verdict: (?:changed|broken), because: known(?: on [-0-9]+)?, until: 2026-04-15\}"
    )
    assert re.sub(entry, "", new) == text


@given(manifests())
def test_a_manifest_in_json_stays_json(manifest: Manifest) -> None:
    cites = [
        {"id": item.id, "source": "engine", "path": "a.py", "lines": "1-3", "evidence": "direct"}
        for item in manifest.citations
    ]
    form = {
        "prov": 1,
        "title": "Engine",
        "sources": {"engine": {"git": "https://example.org/engine", "revision": "v1"}},
        "citations": cites,
    }
    new = put(json.dumps(form, indent=1), {item.id: KNOWN for item in manifest.citations})
    told = {"verdict": "changed", "because": KNOWN.because, "until": "2026-04-15"}
    assert json.loads(new) == form | {"citations": [one | {"expect": told} for one in cites]}

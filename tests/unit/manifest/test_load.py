from __future__ import annotations

import sys
import time
from datetime import date
from typing import TYPE_CHECKING

import pytest
import yaml

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    ExpectedValue,
    Kind,
    LineRange,
    Manifest,
    Quantity,
    Release,
    Source,
    Term,
)
from provenance.errors import ManifestError, Position
from provenance.manifest import parse
from provenance.manifest.nodes import MAX_BYTES, MAX_DEPTH, MAX_ERRORS, MAX_NODES

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = """\
prov: 1
title: Engine · Valve
url: https://example.org/valve
sources:
  engine:
    git: https://example.org/engine
    revision: 12345678
    license: MIT
    alternates:
      - pypi: engine==1e10
citations:
  - id: valve
    source: engine
    path: src/valve.py
    lines: 99–103
    evidence: contextual
    of: Cylinder
    claim: 'It opens: then it closes.'
    quote: |2
        def open():
          pass
    expect: {verdict: partial, because: the last lines only, until: 2027-06-30}
"""


def read(text: str) -> Manifest:
    found = parse(text.encode(), "m.yaml")
    assert isinstance(found, Manifest), found
    return found


def errors(data: str | bytes) -> list[str]:
    found = parse(data.encode() if isinstance(data, str) else data, "m.yaml")
    assert isinstance(found, tuple)
    assert all(isinstance(error, ManifestError) for error in found)
    return [str(error) for error in found]


def test_all_that_a_manifest_can_say() -> None:
    engine = Source("engine", "https://example.org/engine", "12345678", "MIT", (Release("engine", "1e10"),))
    assert read(GOOD) == Manifest(
        "m.yaml",
        "Engine · Valve",
        "https://example.org/valve",
        (engine,),
        (
            Citation(
                "valve",
                engine,
                "src/valve.py",
                LineRange(99, 103),
                EvidenceKind.CONTEXTUAL,
                "It opens: then it closes.",
                "Cylinder",
                "  def open():\n    pass\n",
                Expectation("partial", "the last lines only", date(2027, 6, 30)),
            ),
        ),
    )


def test_an_expression_a_value_and_arithmetic() -> None:
    manifest = read(
        """\
prov: 1
title: Engine · Valve
sources:
  engine: {git: https://example.org/engine, revision: 12345678, stated: "1234"}
citations:
  - {id: call, source: engine, path: a.py, lines: 60, evidence: direct, expression: "open(…)"}
  - {id: width, source: engine, path: c.json, evidence: direct, value: {pointer: /a~1b/0, equals: 768}}
  - {id: none, source: engine, path: c.json, lines: 3, evidence: direct, value: {pointer: "", equals: ""}}
quantities:
  - id: weights
    terms: [{name: Matrix, calculation: 512 × 2048, equals: "1,048,576"}]
    total: 1048576
    repeated: 6
    overall: 6291456
    statements: [1048576 × 6 = 6291456]
    shapes: ["[B batch, 512 d]"]
    expect: {verdict: broken, because: the page is being mended, until: 2027-06-30}
  - {id: bare}
"""
    )
    call, width, none = manifest.citations
    assert manifest.sources[0].stated == "1234"
    assert (call.kind, call.expression) == (Kind.EXPRESSION, "open(…)")
    assert (width.kind, width.lines, width.value) == (Kind.VALUE, None, ExpectedValue("/a~1b/0", "768"))
    assert (none.lines, none.value) == (LineRange(3, 3), ExpectedValue("", ""))
    weights = Quantity(
        "weights",
        (Term("Matrix", "512 × 2048", "1,048,576"),),
        "1048576",
        "6",
        "6291456",
        ("1048576 × 6 = 6291456",),
        ("[B batch, 512 d]",),
        Expectation("broken", "the page is being mended", date(2027, 6, 30)),
    )
    assert manifest.quantities == (weights, Quantity("bare"))
    assert [quantity.position for quantity in manifest.quantities] == [
        Position("m.yaml", 10, 5),
        Position("m.yaml", 18, 5),
    ]


def test_records_know_where_they_stand() -> None:
    manifest = read(GOOD)
    assert manifest.sources[0].position == Position("m.yaml", 5, 3)
    assert manifest.citations[0].position == Position("m.yaml", 12, 5)


@pytest.mark.parametrize(
    "revision", ["12345678", "1e10", "null", "true", "0x10", "2027-06-30", "~", "0777", "1_000"]
)
def test_a_revision_stays_what_was_written(revision: str) -> None:
    assert read(GOOD.replace("12345678", revision)).sources[0].revision == revision


def test_a_byte_order_mark_and_crlf_do_no_harm() -> None:
    found = parse(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(), "m.yaml")
    assert found == read(GOOD)
    assert isinstance(found, Manifest)
    assert found.citations[0].position == Position("m.yaml", 12, 5)


def test_a_source_may_be_unused_and_a_manifest_empty() -> None:
    assert read("prov: 1\ntitle: t\nsources: {a: {git: x, revision: y}}\ncitations: []\n").citations == ()


CITATION = "a citation: a mapping with id, source, path, lines, evidence, of, claim, quote, expression, value, expect"
MANIFEST = "a manifest: a mapping with prov, title, url, sources, citations, quantities"
NUMBER = "a number such as 1,050,624"
POINTER = "a JSON pointer such as /n_embd, in which ~0 is ~ and ~1 is /"
CITATION_LINES = "The cited lines, counted from 1, both ends included. A value can do without."
LINES = "lines: a line such as 60 or a range such as 99-103, counted from 1"

WRONG: dict[str, tuple[str, str, list[str]]] = {
    "unknown key": (
        "    source: engine\n",
        "    source: engine\n    sorce: engine\n",
        [f"m.yaml:14:5: unknown key 'sorce'; expected {CITATION}; did you mean source?"],
    ),
    "unknown key, nothing near": (
        "title:",
        "zzz: 1\ntitle:",
        [f"m.yaml:2:1: unknown key 'zzz'; expected {MANIFEST}"],
    ),
    "missing key": (
        "    path: src/valve.py\n",
        "",
        [
            "m.yaml:12:5: a citation needs the key path: Path in the repository, from its root, with forward slashes."
        ],
    ),
    "duplicate key": (
        "title: Engine · Valve\n",
        "title: Engine · Valve\ntitle: Again\n",
        ["m.yaml:3:1: the key 'title' stands here again, after line 2"],
    ),
    "duplicate key on one line": (
        "until: 2027-06-30}",
        "until: 2027-06-30, until: 2027-06-30}",
        ["m.yaml:22:81: the key 'until' stands here again, after line 22"],
    ),
    "duplicate source": (
        "citations:\n",
        "  engine: {git: a, revision: b}\ncitations:\n",
        ["m.yaml:11:3: the source 'engine' is defined already, on line 5"],
    ),
    "duplicate id": (
        "  - id: valve\n",
        "  - {id: valve, source: engine, path: a, lines: 1, evidence: direct}\n  - id: valve\n",
        ["m.yaml:13:9: the id 'valve' is used already, on line 12"],
    ),
    "version": ("prov: 1", "prov: 2", ["m.yaml:1:7: found '2'; expected prov: 1, the version of the format"]),
    "title of two lines": (
        "title: Engine · Valve",
        'title: "a\\nb"',
        [r"m.yaml:2:8: found 'a\nb'; expected title: a line of text"],
    ),
    "empty title": (
        "title: Engine · Valve",
        "title:",
        ["m.yaml:2:7: found nothing; expected title: a line of text"],
    ),
    "url": (
        "https://example.org/valve",
        "javascript:alert(1)",
        ["m.yaml:3:6: found 'javascript:alert(1)'; expected url: an https or http address"],
    ),
    "reversed range": ("99–103", "103-99", ["m.yaml:15:12: the range 103-99 is reversed"]),
    "line 0": ("99–103", "0-5", [f"m.yaml:15:12: found '0-5'; expected {LINES}"]),
    "no range": ("99–103", "some", [f"m.yaml:15:12: found 'some'; expected {LINES}"]),
    "list for a range": ("99–103", "[99, 103]", [f"m.yaml:15:12: found a list; expected {LINES}"]),
    "evidence": (
        "evidence: contextual",
        "evidence: contexual",
        [
            "m.yaml:16:15: found 'contexual'; expected evidence: one of direct, contextual; did you mean contextual?"
        ],
    ),
    "of with direct evidence": (
        "evidence: contextual",
        "evidence: direct",
        ["m.yaml:17:5: of goes with evidence: contextual alone"],
    ),
    "unknown source": (
        "source: engine",
        "source: engin",
        ["m.yaml:13:13: there is no source 'engin' under sources; did you mean engine?"],
    ),
    "empty quote": (
        "quote: |2\n        def open():\n          pass\n",
        'quote: ""\n',
        ["m.yaml:19:12: found nothing; expected quote: some text"],
    ),
    "blank quote": (
        "quote: |2\n        def open():\n          pass\n",
        'quote: " \\n"\n',
        [r"m.yaml:19:12: found ' \n'; expected quote: some text"],
    ),
    "expression": (
        "    quote: |2",
        "    expression: f(…)\n    quote: |2",
        ["m.yaml:20:5: quote cannot stand beside expression on line 19: a citation has one of them"],
    ),
    "value": (
        "    quote: |2",
        "    value: {pointer: /n, equals: 7}\n    quote: |2",
        ["m.yaml:20:5: quote cannot stand beside value on line 19: a citation has one of them"],
    ),
    "no lines, and no value": (
        "    lines: 99–103\n",
        "",
        [
            f"m.yaml:12:5: a citation needs the key lines: {CITATION_LINES}",
        ],
    ),
    "pointer without a slash": (
        "    quote: |2\n        def open():\n          pass\n",
        "    value: {pointer: n, equals: 7}\n",
        [f"m.yaml:19:22: found 'n'; expected pointer: {POINTER}"],
    ),
    "pointer with a bad escape": (
        "    quote: |2\n        def open():\n          pass\n",
        "    value: {pointer: /~2, equals: 7}\n",
        [
            f"m.yaml:19:22: found '/~2'; expected pointer: {POINTER}",
        ],
    ),
    "value without what it should be": (
        "    quote: |2\n        def open():\n          pass\n",
        "    value: {pointer: /n}\n",
        ["m.yaml:19:12: a value needs the key equals: What the document says it is."],
    ),
    "a term with a missing cell": (
        "citations:",
        "quantities:\n  - id: q\n    terms:\n      - {name: W, calculation: 2 × 3}\ncitations:",
        ["m.yaml:14:9: a term needs the key equals: What the document says it comes to."],
    ),
    "a total that is no number": (
        "citations:",
        "quantities:\n  - id: q\n    total: many\ncitations:",
        [f"m.yaml:13:12: found 'many'; expected total: {NUMBER}"],
    ),
    "a statement that is no text": (
        "citations:",
        "quantities:\n  - id: q\n    statements: [[1]]\ncitations:",
        ["m.yaml:13:18: found a list; expected statements: a line of text"],
    ),
    "an id that a citation has": (
        "citations:",
        "quantities:\n  - {id: valve, total: 7}\ncitations:",
        ["m.yaml:12:10: the id 'valve' is used already, on line 14"],
    ),
    "a quantity that expects what no quantity can be": (
        "citations:",
        "quantities:\n  - {id: q, total: 7, expect: {verdict: partial, because: b, until: 2027-06-30}}\ncitations:",
        ["m.yaml:12:41: found 'partial'; expected verdict: one of broken"],
    ),
    "expect an ok verdict": (
        "verdict: partial",
        "verdict: exact",
        [
            (
                "m.yaml:22:23: found 'exact'; expected verdict: one of partial, shifted, changed, absent, "
                "out-of-range, not-text, no-path, no-revision"
            )
        ],
    ),
    "expect without a date": (
        ", until: 2027-06-30",
        "",
        ["m.yaml:22:13: an expect needs the key until: The last day on which it counts as a warning."],
    ),
    "no day": (
        "2027-06-30",
        "2027-02-30",
        ["m.yaml:22:69: there is no day '2027-02-30'; expected a date such as 2027-06-30"],
    ),
    "week date": (
        "2027-06-30",
        "2027-W01-1",
        ["m.yaml:22:69: found '2027-W01-1'; expected until: a date such as 2027-06-30"],
    ),
    "alternate without a version": (
        "pypi: engine==1e10",
        "pypi: engine",
        ["m.yaml:10:15: found 'engine'; expected pypi: a release such as tensor2tensor==1.0.14"],
    ),
    "alternate of a name that is none": (
        "pypi: engine==1e10",
        "pypi: ../engine==1",
        ["m.yaml:10:15: found '../engine==1'; expected pypi: a release such as tensor2tensor==1.0.14"],
    ),
    "alternate of another kind": (
        "pypi: engine==1e10",
        "npm: engine==1",
        [
            "m.yaml:10:9: unknown key 'npm'; expected an alternate: a mapping with pypi",
            "m.yaml:10:9: an alternate needs the key pypi: A release on the package index that pip is configured for.",
        ],
    ),
    "alternates that are no list": (
        "\n      - pypi: engine==1e10",
        " engine==1",
        ["m.yaml:9:17: found 'engine==1'; expected alternates: a list"],
    ),
    "sources that are no mapping": (
        GOOD[GOOD.index("url") : GOOD.index("citations")],
        "sources: [engine]\n",
        ["m.yaml:3:10: found a list; expected a mapping of names to repositories"],
    ),
    "an item that is no mapping": (
        "  - id: valve\n",
        "  - words\n  - id: valve\n",
        [f"m.yaml:12:5: found 'words'; expected {CITATION}"],
    ),
    "anchor": (
        "revision: 12345678",
        "revision: &r 12345678",
        ["m.yaml:7:15: anchors are refused: take away &r"],
    ),
    "alias": (
        "revision: 12345678",
        "revision: &r 12345678\n    license: *r",
        [
            "m.yaml:7:15: anchors are refused: take away &r",
            "m.yaml:8:14: aliases are refused: write out what *r stands for",
            "m.yaml:9:5: the key 'license' stands here again, after line 8",
        ],
    ),
    "tag": (
        "revision: 12345678",
        "revision: !!python/object/apply:os.system 12345678",
        [
            (
                "m.yaml:7:15: tags are refused: take away tag:yaml.org,2002:python/object/apply:os.system; "
                "every value is read as text"
            )
        ],
    ),
    "merge key": (
        "    license: MIT\n",
        "    <<: {license: MIT}\n",
        ["m.yaml:8:5: merge keys are refused: write the keys out"],
    ),
    "key that is a list": (
        "title:",
        "? [a]\n: b\ntitle:",
        ["m.yaml:2:3: a key is a plain word, not a list or a mapping"],
    ),
    "tab": (
        "  engine:\n",
        "\tengine:\n",
        ["m.yaml:5:1: a tab stands in the indentation; YAML is indented with spaces"],
    ),
    "NUL by an escape": ("src/valve.py", '"a\\0b"', ["m.yaml:14:11: U+0000 is no character of a text"]),
    "a name that is too long": (
        "  - id: valve\n",
        f"  - id: {'v' * 101}\n",
        [f"m.yaml:12:9: found '{'v' * 59}…'; expected id: a name of at most 100 characters"],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), WRONG.values(), ids=WRONG)
def test_wrong_manifests(old: str, new: str, expected: list[str]) -> None:
    assert old in GOOD
    assert errors(GOOD.replace(old, new, 1)) == expected


@pytest.mark.parametrize("key", ["id", "source", "path", "evidence"])
def test_a_citation_without_a_key_that_it_needs(key: str) -> None:
    lines = (
        "prov: 1\ntitle: Engine\nsources:\n  engine: {git: https://example.org/engine, revision: 12345678}\n"
    )
    keys = {"id": "valve", "source": "engine", "path": "a.py", "lines": "1", "evidence": "direct"}
    del keys[key]
    flow = ", ".join(f"{name}: {value}" for name, value in keys.items())
    assert errors(f"{lines}citations:\n  - {{{flow}}}\n")[0].startswith(
        f"m.yaml:6:5: a citation needs the key {key}"
    )


def test_every_error_of_a_file_is_told_in_its_order() -> None:
    text = GOOD.replace("prov: 1", "prov: 3").replace("99–103", "9-1").replace("license:", "licence:")
    assert [error.split(" ")[0] for error in errors(text)] == ["m.yaml:1:7:", "m.yaml:8:5:", "m.yaml:15:12:"]


def test_a_source_with_an_error_is_not_unknown_too() -> None:
    text = GOOD.replace("    git: https://example.org/engine\n", "")
    assert errors(text) == ["m.yaml:6:5: a source needs the key git: The repository's URL."]


UNREADABLE: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "m.yaml:1: the file is empty; expected a mapping that begins with prov: 1"),
    "comment alone": (
        b"# nothing\n",
        "m.yaml:1: the file is empty; expected a mapping that begins with prov: 1",
    ),
    "list": (b"- a\n", f"m.yaml:1:1: found a list; expected {MANIFEST}"),
    "scalar": (b"words\n", f"m.yaml:1:1: found 'words'; expected {MANIFEST}"),
    "two documents": (
        b"a: b\n---\nc: d\n",
        "m.yaml:2:1: a second document starts here; a manifest is one document",
    ),
    "latin-1": (b"prov: 1\ntitle: caf\xe9\n", "m.yaml:2:11: byte 0xe9 is not UTF-8; a manifest is UTF-8"),
    "utf-16": ("prov: 1\n".encode("utf-16"), "m.yaml:1:1: byte 0xff is not UTF-8; a manifest is UTF-8"),
    "NUL": (
        b"prov: 1\ntitle: a\0b\n",
        "m.yaml:2:9: character U+0000 may not stand in YAML as it is; write \\x00 in double quotes",
    ),
    "escape sequence": (
        b"prov: 1\ntitle: \x1b[31m\n",
        "m.yaml:2:8: character U+001B may not stand in YAML as it is; write \\x1b in double quotes",
    ),
    "next line": (
        "prov: 1\ntitle: a\x85b\n".encode(),
        "m.yaml:2:9: character U+0085 may not stand in YAML as it is; write \\x85 in double quotes",
    ),
    "line separator": (
        "prov: 1\ntitle: a\u2028b\n".encode(),
        "m.yaml:2:9: character U+2028 may not stand in YAML as it is; write \\u2028 in double quotes",
    ),
    "lone CR": (
        b"prov: 1\rtitle: a\r\n",
        "m.yaml:1:8: character U+000D may not stand in YAML as it is; write \\x0d in double quotes",
    ),
    "many directives": (
        b"".join(b"%%TAG !%d! tag:example.org,2026:\n" % number for number in range(20_000))
        + b"---\nprov: 1\n",
        "m.yaml:11:1: more than 10 directives",
    ),
    "unclosed": (b"a: [b\n", "m.yaml:2:1: this is not YAML:"),
    "unclosed quote": (b'a: "b\n', "m.yaml:2:1: this is not YAML:"),
}


@pytest.mark.parametrize(("data", "expected"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_files(data: bytes, expected: str) -> None:
    found = errors(data)[0]
    assert found.startswith(expected) if expected.endswith("YAML:") else found == expected


def test_a_file_that_is_too_large() -> None:
    assert errors(b"#" * (MAX_BYTES + 1)) == [
        "m.yaml:1: the file has 16,777,217 bytes; a manifest has at most 16,777,216"
    ]


def nested_flow(depth: int) -> str:
    return "[" * depth + "]" * depth


def nested_block(depth: int) -> str:
    return "\n".join(" " * level + "a:" for level in range(depth))


def nested_dashes(depth: int) -> str:
    return "- " * depth + "x"


@pytest.mark.parametrize("nested", [nested_flow, nested_block, nested_dashes])
def test_deep_nesting_ends_at_once(nested: Callable[[int], str]) -> None:
    assert "nested" not in errors(nested(MAX_DEPTH - 1))[0]
    start = time.perf_counter()
    found = errors(nested(3000))
    assert found[0].endswith(f"lists and mappings are nested more than {MAX_DEPTH} deep")
    assert time.perf_counter() - start < 5


def test_megabytes_of_nesting() -> None:
    start = time.perf_counter()
    assert len(errors("[" * (MAX_BYTES - 1))) == 1
    assert time.perf_counter() - start < 5


def test_more_values_than_memory_should_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_NODES * 16 < MAX_BYTES
    monkeypatch.setattr("provenance.manifest.nodes.MAX_NODES", 1000)
    assert errors("- a\n" * 1000)[0] == "m.yaml:1000:3: the file holds more than 1,000 values"


def test_no_more_errors_than_are_of_use() -> None:
    found = errors(GOOD + "".join(f"wrong{number}: 1\n" for number in range(5000)))
    assert len(found) == MAX_ERRORS + 1
    assert found[-1].endswith(f"{5000 - MAX_ERRORS} more errors are not shown")


def test_what_an_error_repeats_is_bounded_and_visible() -> None:
    (error,) = errors(GOOD.replace("src/valve.py", f'"\\e[31m{"x" * 100_000}"'))
    assert "\\x1b[31m" in error
    assert "\x1b" not in error
    assert len(error) < 200


def test_python_alone_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [GOOD, *(GOOD.replace(old, new, 1) for old, new, _ in WRONG.values())]
    quick = [parse(text.encode(), "m.yaml") for text in texts]
    monkeypatch.delattr(yaml, "CSafeLoader")
    for text, expected in zip(texts, quick, strict=True):
        found = parse(text.encode(), "m.yaml")
        assert as_text(found) == as_text(expected)


def test_python_alone_refuses_what_no_text_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert errors(GOOD.replace("src/valve.py", '"\\ud800"')) == [
        "m.yaml:14:11: U+D800 is no character of a text"
    ]


def as_text(found: Manifest | tuple[ManifestError, ...]) -> object:
    return [str(error) for error in found] if isinstance(found, tuple) else found


def test_yaml_is_not_imported_before_it_is_needed() -> None:
    import subprocess

    code = "import sys, provenance.manifest; sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_flood_of_unknown_keys_is_told_of_in_a_few_lines() -> None:
    assert len(errors("".join(f"titl{number}: 1\n" for number in range(100_000)))) <= 101

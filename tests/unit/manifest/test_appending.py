"""A citation added to the text of a manifest, however that is laid out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import Citation, EvidenceKind, LineRange, Manifest, Release, Source
from provenance.errors import ManifestError
from provenance.manifest import parse, render
from provenance.manifest.appending import Appended, appended, terminated
from provenance.manifest.composing import empty, item

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
RELEASES = (Release("engine", "1.0"), Release("engine", "1.0+local!1"))
NEW = Source("new: one", "https://example.org/engine", COMMIT, "MIT", RELEASES)
QUOTE = "    def f():\n\n        return '#'\n"


def cited(source: Source, name: str = "added", quote: str | None = QUOTE, claim: str = "") -> Citation:
    return Citation(name, source, "src/a.py", LineRange(5, 7), EvidenceKind.DIRECT, claim, quote=quote)


def add(text: str, citation: Citation, source: Source | None, *, spelled: bool = False) -> str:
    """The text afterwards, which says what it said and the citation."""
    data = terminated(text.encode())
    made = appended(data, parsed(data), source, citation, spelled=spelled)
    assert isinstance(made, Appended), made
    manifest = parsed(made.data)
    assert manifest == made.manifest
    assert manifest.citations[-1] == citation
    assert source is None or manifest.sources[-1] == source
    return made.data.decode()


def parsed(data: bytes) -> Manifest:
    manifest = parse(data, "m.yaml")
    assert isinstance(manifest, Manifest), manifest
    return manifest


HEAD = "prov: 1\ntitle: A page\n"
ONE = "{id: one, source: a, path: p, lines: 1, evidence: direct}"
LAYOUTS = {
    "empty": f"{HEAD}sources: {{}}\ncitations: []\n",
    "empty, with comments": f"{HEAD}sources:   {{}}  # none\n# between\ncitations: [] # none\n# the end\n",
    "empty, citations first": f"{HEAD}citations: []\nsources: {{}}\n",
    "no citations": f"{HEAD}sources:\n  a:\n    git: u\n    revision: r\ncitations: []\nquantities:\n- id: q\n",
    "braces": f"{HEAD}sources: {{a: {{git: u, revision: r}}}}\ncitations: [{ONE}]\n",
    "braces over lines": (
        f"{HEAD}sources: {{\n    a: {{ git: u, revision: r }},  # a\n  }}\ncitations: [\n    {ONE}, # one\n  ]\n"
    ),
    "mixed": f"{HEAD}sources:\n  a: {{git: u, revision: r}}  # a\ncitations:\n  - {ONE} # one\n",
    "no indentation": (
        f"{HEAD}sources:\n a:\n      git: u\n      revision: r\n      # more of a\n # none\ncitations:\n"
        "- id: one\n  source: a\n  path: p\n  lines: 1\n  evidence: direct # so\n  # more of one\n# the end\n"
    ),
    "dashes apart": (
        f"{HEAD}sources:\n    a: {{git: u, revision: r}}\ncitations:\n    -   id: one\n        source: a\n"
        "        path: p\n        lines: 1\n        evidence: direct\n        quote: |\n          x\n\n\n# the end\n"
    ),
    "blank lines kept": (
        f"{HEAD}sources:\n  a:\n    git: u\n    revision: r\n\ncitations:\n"
        "- id: one\n  source: a\n  path: p\n  lines: 1\n  evidence: direct\n  quote: |+\n    x\n\n\nurl: https://e.org\n"
    ),
    "all in braces": (
        f"{{prov: 1, title: x, sources: {{a: {{git: u, revision: r}}}},\n citations: [\n  {ONE}]}}\n"
    ),
    "indented": "  prov: 1\n  title: x\n  sources: {}\n  citations: []\n",
    "ended": f"---\n{HEAD}sources: {{}}\ncitations:\n  []\n...\n",
    "quoted": '"prov": 1\n"title": x\n"sources": {}\n"citations": []\n',
}  # fmt: skip


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False], ids=["", "no last line end"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_takes_a_citation_and_another(layout: str, last: bool, ending: str) -> None:
    text = LAYOUTS[layout].replace("\n", ending)
    text = text if last else text.removesuffix(ending)
    once = add(text, cited(NEW), NEW)
    twice = add(once, cited(parsed(once.encode()).sources[-1], "second", "x\n"), None)
    assert ("\r\n" in twice) is (ending == "\r\n")
    assert twice.count("\n") == twice.count(ending)
    rest = iter(twice)
    kept = [one for one in text.replace("{}", "").replace("[]", "") if not one.isspace()]
    assert all(any(one == other for other in rest) for one in kept)


def test_a_block_looks_like_its_neighbours() -> None:
    text = LAYOUTS["dashes apart"]
    assert add(text, cited(NEW), NEW) == (
        f"{HEAD}sources:\n    a: {{git: u, revision: r}}\n"
        f'    "new: one":\n      git: https://example.org/engine\n      revision: {COMMIT}\n      license: MIT\n'
        "      alternates:\n        - pypi: engine==1.0\n        - pypi: engine==1.0+local!1\n"
        "citations:\n    -   id: one\n        source: a\n        path: p\n        lines: 1\n        evidence: direct\n"
        "        quote: |\n          x\n"
        '    -   id: added\n        source: "new: one"\n        path: src/a.py\n        lines: 5-7\n'
        "        evidence: direct\n        quote: |2\n              def f():\n\n                  return '#'\n"
        "\n\n# the end\n"
    )


def test_a_blank_line_stands_between_where_one_does() -> None:
    text = f"{HEAD}sources: {{a: {{git: u, revision: r}}}}\ncitations:\n- {ONE}\n\n- {ONE.replace('one', 'two')}\n"
    a = Source("a", "u", "r")
    assert "\n\n- id: added\n" in add(text, cited(a), None)
    assert "}\n- id: added\n" in add(text.replace("\n\n", "\n"), cited(a), None)


def test_json_stays_json() -> None:
    text = json.dumps({"prov": "1", "title": "x", "sources": {}, "citations": []}, indent=2)
    once = add(text, cited(NEW), NEW)
    twice = json.loads(add(once, cited(NEW, "two", claim='"a": b'), None))
    assert [one["id"] for one in twice["citations"]] == ["added", "two"]
    assert twice["sources"]["new: one"]["git"] == NEW.git


@pytest.mark.parametrize("spelled", [True, False])
def test_what_is_spelled_out_can_stand_in_braces(spelled: bool) -> None:
    quote = "a\x07, {b} ##[x] \u202e\n"
    for layout in ("braces", "all in braces"):
        add(LAYOUTS[layout], cited(NEW, quote=quote, claim="a, b: {c}"), NEW, spelled=spelled)
    text = json.dumps({"prov": "1", "title": "x", "sources": {}, "citations": []})
    assert ("\u202e" in add(text, cited(NEW, quote=quote), NEW, spelled=spelled)) is not spelled


def test_a_byte_order_mark_stays_one() -> None:
    data = b"\xef\xbb\xbf" + empty("x")
    made = appended(data, parsed(data), NEW, cited(NEW))
    assert isinstance(made, Appended)
    assert made.data.startswith(b"\xef\xbb\xbfprov: 1\n")


def test_a_text_that_yaml_cannot_hold_is_refused() -> None:
    made = appended(empty("x"), parsed(empty("x")), NEW, cited(NEW, quote="a\0"))
    assert isinstance(made, ManifestError)
    assert "U+0000 is no character of a text" in str(made)


def test_what_is_spelled_out_is_ascii_on_one_line_a_key() -> None:
    made = item(cited(Source("é", "u", "r"), quote="::error::\n##[x] \u202e \U000e0001 é\n"), spelled=True)
    assert made == (
        '  - id: added\n    source: "\\xe9"\n    path: src/a.py\n    lines: 5-7\n    evidence: direct\n'
        '    quote: "::error::\\n#\\x23[x] \\u202e \\U000e0001 \\xe9\\n"\n'
    )


WORDS = st.sampled_from(
    ["engine", "a: b", "c #d", "- e", "é", "'f'", "{g}", "h, i", "12", "##[x]", "j\u00a0k", "true"]
)
PROSE = st.text(st.sampled_from(" \n\t:#-|>'\"{,a\u2028\u202eé…\r\x85"), max_size=12).map(
    lambda text: text if text.strip() else f"x{text}"
)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(WORDS, PROSE), max_size=3, unique_by=lambda pair: pair[0]),
    WORDS,
    PROSE,
    PROSE,
    st.booleans(),
)
def test_whatever_stands_there_and_is_added(
    there: list[tuple[str, str]],
    name: str,
    quote: str,
    claim: str,
    spelled: bool,
) -> None:
    sources = tuple(Source(word, "https://e.org/?a=#b", "1e10") for word, _ in there)
    citations = tuple(
        cited(source, source.name, prose) for source, (_, prose) in zip(sources, there, strict=True)
    )
    text = render(Manifest("m.yaml", "x", None, sources, citations))
    new = Source(f"{name} new", "git@e.org:x", "v: #1")
    made = add(text, cited(new, f"{name} new", quote, claim), new, spelled=spelled)
    if there:
        rest = iter(made.split("\n"))
        assert all(any(line == other for other in rest) for line in text.split("\n")[:-1])

"""What a page asserts beside its quotes, from its text to the report: the installed command over a real server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from support.project import World

CODE = """\
import layers


def feed_forward(x, size, rate):
    h = layers.dense(
        x,
        size,
        activation="relu",
        name='up',
        **SHARED)
    return layers.dense(h, 512)


def block(x):
    x = x + feed_forward(x, 2048, 1e-6)
    return layers.norm(x)
"""
OTHER = "".join(f"# line {number}\n" for number in range(1, 31))
CONFIG = '{\n  "n_embd": 768,\n  "layer_norm_epsilon": 1e-05,\n  "heads": [12, 16],\n  "act": "gelu"\n}\n'
YAML = "model:\n  width: 768\n  tied: yes\n"
TOML = '[model]\nwidth = 768\nname = "small"\n'

PAGE = """\
Engine · Feed forward

Decoder 6 layers › Block

Feed forward

Reference code example/engine @ {short}, configuration example-community/engine @ 607a30d · How to read

learnedlayers.dense(x, size, activation="relu", name="up") · 5–10

Map 512 features to 2,048.

in: $x$ [B batch, T positions, 512 d]
out: $h$ [B batch, T positions, 2048 d_ff]
parameters: 1,050,624 · × 6 layers = 6,303,744

Parameters

1,050,624 parameters per instance.

Exact per-instance accounting
Component\tCalculation\tParameters
Weight matrix\t$512 \\times 2{{,}}048$\t1,048,576
Output bias\t$2{{,}}048$\t2,048
Per-instance total\t\t1,050,624

Across 6 independent layers: $1{{,}}050{{,}}624 \\times 6 = 6{{,}}303{{,}}744$ parameters.

Codemodel.py 4–11

model.py 4–11

{quote}
Sources1

Direct evidence

`feed_forward` widens to `size` with `relu`; ε = 10^{{-6}} is its rate.

feed-forward · example/engine / src/model.py
Pinned revision {pin} ↗ · lines 4–11

Read code excerpt

{quote}"""


@pytest.fixture
def engine(world: World) -> World:
    """The repository of a page, found by git where the page says it is."""
    commit = world.repository.commit(
        {
            "src/model.py": CODE,
            "src/other.py": OTHER,
            "config.json": CONFIG,
            "config.yaml": YAML,
            "config.toml": TOML,
        }
    )
    world.project.environ |= {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{world.url}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://github.com/example/engine",
        "PIN": commit,
    }
    return world


def page(engine: World) -> str:
    pin = engine.project.environ["PIN"]
    quote = "".join(f"{line}\n" for line in CODE.split("\n")[3:11])
    return PAGE.format(pin=pin[:12], short=pin[:7], quote=quote)


def imported(engine: World, text: str) -> None:
    engine.project.write("page.txt", text)
    ran = engine.project.run("import", "page.txt", "-o", "manifests/page.yaml")
    assert ran.code == 0, ran.said


def test_a_page_is_imported_fetched_and_answered_for(engine: World) -> None:
    imported(engine, page(engine))
    engine.project.fetch()
    short = engine.project.environ["PIN"][:7]
    for options in ((), ("--offline",), ("--offline", "--refresh")):
        found = engine.project.verify(*options)
        assert {name: (item["kind"], item["verdict"]) for name, item in found.items()} == {
            "feed-forward": ("quote", "exact"),
            "feed-forward-expression": ("expression", "partial"),
            "feed-forward-2": ("quantity", "holds"),
            f"engine @ {short}": ("pin", "holds"),
        }
        assert found["feed-forward-expression"].text("notes") == "left out without a mark: **SHARED"
        assert found["feed-forward"]["ungrounded"] == ["10^{-6}"]
    locked = engine.project.run("verify", "--locked")
    assert locked.code == 0
    assert locked.last.startswith("4 of 4 checked (2 citations, 2 statements): 3 ok, 1 warning")
    shown = engine.project.run("show", "feed-forward-2")
    assert "Weight matrix   512 × 2048   1048576" in shown.out
    assert shown.out.startswith("feed-forward-2  holds (ok)  manifests/page.yaml:")
    again = engine.project.run("import", "page.txt", "-o", "manifests/page.yaml")
    assert again.out.startswith("unchanged")


BROKEN = {
    "a term": (
        "\t1,048,576",
        "\t1,048,577",
        "512 × 2,048 = 1,048,577 does not hold; 1,048,576 would be right",
    ),
    "the total": ("total\t\t1,050,624", "total\t\t1,050,625", "1,050,624 would be right"),
    "the head": ("parameters: 1,050,624", "parameters: 1,050,625", "does not hold"),
    "the head's product": ("= 6,303,744\n", "= 6,303,745\n", "6,303,744 would be right"),
    "how often": ("Across 6", "Across 7", "1,050,624 × 7"),
    "a sentence": ("1,050,624 parameters per", "1,050,264 parameters per", "also states 1,050,264"),
    "the equation": ("624 \\times 6 =", "624 \\times 5 =", "does not hold"),
    "a dimension": ("2048 d_ff]", "2049 d_ff]", "2,048"),
}


@pytest.mark.parametrize(("old", "new", "message"), BROKEN.values(), ids=BROKEN)
def test_a_page_whose_arithmetic_is_broken(engine: World, old: str, new: str, message: str) -> None:
    text = page(engine)
    assert text.count(old) == 1
    imported(engine, text.replace(old, new))
    found = engine.project.verify(code=1)["feed-forward-2"]
    assert (found["verdict"], found["level"]) == ("broken", "failure")
    assert message in found.text("message")


def test_a_page_whose_sources_are_pinned_to_another_commit(engine: World) -> None:
    pin = engine.project.environ["PIN"]
    imported(engine, page(engine).replace(f"@ {pin[:7]}", "@ 1234567"))
    found = engine.project.verify(code=1)["engine @ 1234567"]
    assert found["verdict"] == "broken"
    assert found.text("message") == f"the document states 1234567, and its evidence is pinned to {pin}"
    assert found["git"] == "https://github.com/example/engine"


REFUSED = {
    "two files have the lines": (
        "Codemodel.py 4–11",
        "Codemodel.py 4–11 · other.py 1–30",
        "5-10 lies in both model.py 4-11 and other.py 1-30: name the file",
    ),
    "no file has the lines": ("· 5–10", "· 50–60", "50-60 lies outside the code list"),
    "a cell is missing": ("Output bias\t$2{,}048$\t2,048", "Output bias\t2,048", ""),
    "no number": ("\t2,048\nPer", "\tmany\nPer", ""),
}


@pytest.mark.parametrize(("old", "new", "message"), REFUSED.values(), ids=REFUSED)
def test_a_page_that_cannot_be_told(engine: World, old: str, new: str, message: str) -> None:
    text = page(engine)
    assert text.count(old) == 1
    changed = text.replace(old, new)
    engine.project.write("page.txt", changed)
    ran = engine.project.run("import", "page.txt")
    assert ran.code == 2
    lines = changed.split("\n")
    told = ran.err.splitlines()[-1]
    number = int(told.split(":")[1])
    assert told.startswith(f"page.txt:{number}: ")
    assert (
        new.split("\n", maxsplit=1)[0].strip("\t· ")[:6] in lines[number - 1] or "· 5–10" in lines[number - 1]
    )
    assert message in told
    assert not list((engine.project.root / "manifests").iterdir())


MANIFEST = """\
prov: 1
title: Engine
sources:
  engine: {{git: "{url}", revision: {pin}}}
citations:
{citations}
"""

ASSERTED = {
    "exact": ("src/model.py", "lines: 15, expression: 'feed_forward(x, 2048, 1e-6)'", "exact", ""),
    "quotation marks": ("src/model.py", 'lines: 8-9, expression: "name=\\"up\\""', "whitespace", ""),
    "left out": ("src/model.py", "lines: 5, expression: 'layers.dense(x, …, **SHARED)'", "elided", ""),
    "elsewhere": ("src/model.py", "lines: 4, expression: 'layers.norm(x)'", "shifted", "16"),
    "another order": ("src/model.py", "lines: 15, expression: 'feed_forward(2048, x, 1e-6)'", "changed", ""),
    "not there": ("src/model.py", "lines: 15, expression: 'optimizer = Adam'", "absent", ""),
    "past the end": ("src/model.py", "lines: 99, expression: 'layers.norm(x)'", "out-of-range", "16 lines"),
    "does not parse": ("src/model.py", "lines: 15, expression: 'if ) else'", "absent", "does not parse"),
    "marks alone": ("src/model.py", "lines: 15, expression: '…'", "absent", ""),
    "a number": ("config.json", "value: {pointer: /n_embd, equals: 768}", "exact", ""),
    "a number, otherwise": (
        "config.json",
        "value: {pointer: /layer_norm_epsilon, equals: 0.00001}",
        "exact",
        "",
    ),
    "an item": ("config.json", "value: {pointer: /heads/1, equals: 16}", "exact", ""),
    "a word": ("config.json", "value: {pointer: /act, equals: gelu}", "exact", ""),
    "another number": ("config.json", "value: {pointer: /n_embd, equals: 1024}", "changed", "/n_embd is 768"),
    "no such entry": (
        "config.json",
        "value: {pointer: /n_emb, equals: 768}",
        "absent",
        "did you mean /n_embd?",
    ),
    "no such item": ("config.json", "value: {pointer: /heads/7, equals: 768}", "absent", "/heads"),
    "in YAML": ("config.yaml", "value: {pointer: /model/width, equals: 768}", "exact", ""),
    "in TOML": ("config.toml", "value: {pointer: /model/name, equals: small}", "exact", ""),
    "in no such file": ("src/other.py", "value: {pointer: /a, equals: 1}", "absent", ""),
    "in no file": ("gone.json", "value: {pointer: /a, equals: 1}", "no-path", "gone.json"),
}


@pytest.mark.parametrize(("path", "asserted", "verdict", "says"), ASSERTED.values(), ids=ASSERTED)
def test_expressions_and_values(engine: World, path: str, asserted: str, verdict: str, says: str) -> None:
    cited = f"  - {{id: x, source: engine, path: {path}, evidence: direct, {asserted}}}"
    pin = engine.project.environ["PIN"]
    engine.project.write("manifests/page.yaml", MANIFEST.format(url=engine.url, pin=pin, citations=cited))
    good = {"exact", "whitespace", "elided"}
    found = engine.project.verify(code=0 if verdict in good else 1)["x"]
    assert found["verdict"] == verdict
    assert says in found.text("message") + found.text("notes")
    assert (found["lines"] is None) is ("lines" not in asserted)
    shown = engine.project.run("show", "x", "--format", "json")
    if verdict != "no-path":
        assert shown.code == 0, shown.said
        (item,) = json.loads(shown.out)["citations"]
        assert item["verdict"] == verdict


OVERFLOWS = {
    "a power": "{id: q, terms: [{name: W, calculation: 9^9^9^9, equals: 9}]}",
    "a division by zero": "{id: q, terms: [{name: W, calculation: 1 / 0, equals: 9}]}",
    "brackets": "{id: q, terms: [{name: W, calculation: '" + "(" * 300 + "', equals: 9}]}",
    "a long number": "{id: q, total: '" + "9" * 150 + "', repeated: '" + "9" * 150 + "', overall: 1}",
    "no calculation": "{id: q, terms: [{name: W, calculation: __import__('os'), equals: 9}]}",
}


@pytest.mark.parametrize("quantity", OVERFLOWS.values(), ids=OVERFLOWS)
def test_arithmetic_that_cannot_be_done_is_a_result(engine: World, quantity: str) -> None:
    text = MANIFEST.format(url=engine.url, pin="v1", citations="  []").replace(
        "citations:\n  []", "citations: []"
    )
    engine.project.write("manifests/page.yaml", f"{text}quantities:\n  - {quantity}\n")
    found = engine.project.verify(code=1)["q"]
    assert found["verdict"] == "broken"
    assert found["message"]


@pytest.mark.parametrize("text", [PAGE.format(pin="1234567", short="1234567", quote="x\n"), "", "·\n" * 5000])
@pytest.mark.parametrize("cut", [7, 60, 300, 900])
def test_a_page_that_is_cut_off_is_no_fault(engine: World, text: str, cut: int) -> None:
    engine.project.write("page.txt", text[:-cut])
    assert engine.project.run("import", "page.txt").code in {0, 2}

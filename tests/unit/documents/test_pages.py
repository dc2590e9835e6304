from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import Citation, EvidenceKind, LineRange, Manifest, Source
from provenance.documents.names import slug
from provenance.documents.pages import Page, read_page
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Callable
from provenance.manifest import parse, render

VALVE = """\
class Valve:
    def open(self, angle):
        self.angle = angle


    def shut(self):
        self.angle = 0"""
PISTON = """\
    def push(self, force):
        return force / self.area"""

DIRECT = f"""\
Engine · Valve drive · AtlasOfEngines

Cylinder 4 strokes › Head

Valve drive

learnedself.angle = angle · 3

Let gas in.

{{\\htmlData{{light=x}}{{x}}}}

Codevalve.py 1–7, 40–52 · piston.py 9–10

valve.py 1–7

{VALVE}

piston.py 9–10

{PISTON}

valve.py 40–52

def seat():
  return None

Sources2

Direct evidence

A valve opens: by an angle.

valve-open · atlas/engine / src/parts/valve.py
Pinned revision 00112233aabb ↗ · lines 1–7

Read code excerpt

{VALVE}

Direct evidence

The piston divides force by area.

piston · atlas/engine / src/parts/piston.py
Pinned revision 00112233aabb ↗ · lines 9–10

Read code excerpt

{PISTON}"""

CONTEXTUAL = """\
Steam-2

All models, with previews →

Reference code boiler/steam-2 @ 0011223

Boiler

Pressure release

×

shape
Sources

Contextual evidence from Boiler wall

First of two.

openboiler · boiler/steam-2 / src/wall.py
Pinned revision 00112233 ↗ · lines 12–13

Read code excerpt
        wall = weld(plate)
        return wall

Contextual evidence from Boiler wall

Second of two.

openboiler · boiler/steam-2 / src/wall.py
Pinned revision 00112233 ↗ · line 20

Read code excerpt
        if hot:

… lines 21–22 omitted …

            vent()

Contextual evidence from Gauge

Once.

gauge · glass/gauges / gauge.py
Pinned revision v1.0 ↗ · lines 3–3

Read code excerpt
needle = 0
"""


def page(text: str) -> Page:
    found = read_page(text, "page.txt")
    written = render(found.manifest).encode()
    assert parse(written, found.manifest.path) == found.manifest
    return found


def remarks(text: str) -> list[str]:
    return [str(remark) for remark in page(text).remarks]


def test_direct_evidence() -> None:
    engine = Source("engine", "https://github.com/atlas/engine", "00112233aabb")
    assert page(DIRECT).manifest == Manifest(
        "engine-valve-drive.yaml",
        "Engine · Valve drive",
        None,
        (engine,),
        (
            Citation(
                "valve-open",
                engine,
                "src/parts/valve.py",
                LineRange(1, 7),
                EvidenceKind.DIRECT,
                "A valve opens: by an angle.",
                quote=f"{VALVE}\n",
            ),
            Citation(
                "piston",
                engine,
                "src/parts/piston.py",
                LineRange(9, 10),
                EvidenceKind.DIRECT,
                "The piston divides force by area.",
                quote=f"{PISTON}\n",
            ),
            Citation(
                "valve-drive-expression",
                engine,
                "src/parts/valve.py",
                LineRange(3, 3),
                EvidenceKind.DIRECT,
                expression="self.angle = angle",
            ),
        ),
    )


def test_contextual_evidence() -> None:
    manifest = page(CONTEXTUAL).manifest
    assert manifest.path == "steam-2-pressure-release.yaml"
    assert manifest.title == "Steam-2 · Pressure release"
    assert [(s.name, s.git, s.revision, s.stated) for s in manifest.sources] == [
        ("steam-2", "https://github.com/boiler/steam-2", "00112233", "0011223"),
        ("gauges", "https://github.com/glass/gauges", "v1.0", None),
    ]
    assert [(c.id, str(c.lines), c.evidence, c.of, c.claim) for c in manifest.citations] == [
        ("openboiler-12-13", "12-13", "contextual", "Boiler wall", "First of two."),
        ("openboiler-20", "20", "contextual", "Boiler wall", "Second of two."),
        ("gauge", "3", "contextual", "Gauge", "Once."),
    ]
    assert [c.quote for c in manifest.citations] == [
        "        wall = weld(plate)\n        return wall\n",
        "        if hot:\n\n… lines 21–22 omitted …\n\n            vent()\n",
        "needle = 0\n",
    ]


def test_what_is_said_of_it_stands_where_the_page_says_it() -> None:
    citations = page(DIRECT).manifest.citations
    assert [c.position and DIRECT.split("\n")[c.position.line - 1] for c in citations] == [
        "Direct evidence",
        "Direct evidence",
        "learnedself.angle = angle · 3",
    ]


def test_an_excerpt_under_code_alone_is_remarked() -> None:
    line = DIRECT.split("\n").index("valve.py 40–52") + 1
    assert remarks(DIRECT) == [
        f"page.txt:{line}: valve.py 40-52 stands under Code alone: no evidence has these lines, and it is not checked"
    ]


def test_two_copies_that_differ_are_told_and_the_pinned_one_is_used() -> None:
    text = DIRECT.replace("        self.angle = 0", "        self.angle = 1", 1)
    line = DIRECT.split("\n").index("valve.py 1–7") + 1
    sources = DIRECT.split("\n").index("Direct evidence") + 1
    assert remarks(text)[0] == (
        f"page.txt:{line}: from its line 7 on, the excerpt of valve.py 1-7 differs from its copy under Sources "
        f"(line {sources} of the page), which is used"
    )
    assert page(text).manifest == page(DIRECT).manifest


def test_a_listed_place_without_an_excerpt_is_remarked() -> None:
    text = DIRECT.replace("Codevalve.py 1–7,", "Codevalve.py 1–7, 20–30,")
    line = text.split("\n").index("Codevalve.py 1–7, 20–30, 40–52 · piston.py 9–10") + 1
    assert f"page.txt:{line}: the code list names valve.py 20-30, and no excerpt of it follows" in remarks(
        text
    )


def test_the_code_list_joins_ranges_that_overlap() -> None:
    text = DIRECT.replace("Codevalve.py 1–7,", "Codevalve.py 1–20,")
    assert remarks(text) == remarks(DIRECT)


def test_a_code_list_without_any_excerpt_is_remarked() -> None:
    text = DIRECT[: DIRECT.index("\nvalve.py 1–7")] + DIRECT[DIRECT.index("\nSources2") :]
    line = text.split("\n").index("Codevalve.py 1–7, 40–52 · piston.py 9–10") + 1
    assert remarks(text) == [
        f"page.txt:{line}: the code list names {place}, and no excerpt of it follows"
        for place in ("valve.py 1-7", "valve.py 40-52", "piston.py 9-10")
    ]


def test_the_ranges_of_the_code_list_may_be_set_wide() -> None:
    text = DIRECT.replace(
        "Codevalve.py 1–7, 40–52 · piston.py 9–10", "Code valve.py 1 – 7, 40 - 52 · piston.py 9–10"
    )
    assert remarks(text) == remarks(DIRECT)


def test_a_line_like_a_heading_that_the_list_does_not_name_is_code() -> None:
    excerpt = f"{VALVE}\n\nvalve.py 900–901\n\nend = True"
    text = DIRECT.replace(VALVE, excerpt)
    assert remarks(text)[0].endswith(
        "stands under Code alone: no evidence has these lines, and it is not checked"
    )
    assert page(text).manifest.citations[0].quote == f"{excerpt}\n"


def test_the_number_of_sources_is_held_to() -> None:
    line = DIRECT.split("\n").index("Sources2") + 1
    assert f"page.txt:{line}: the page announces 3 sources, and 2 can be read" in remarks(
        DIRECT.replace("Sources2", "Sources3")
    )


@pytest.mark.parametrize(
    "inner",
    [
        "Direct evidence",
        "Contextual evidence from nowhere",
        "Direct evidence\n\nof nothing\n\nvalve = 1",
        "Sources2\n\nCodevalve.py 1–7",
        "    Direct evidence\n\n    claim\n\n    a · b/c / d\n    Pinned revision 1 ↗ · lines 1–2",
        "    Pinned revision 1 ↗ · lines 1–2",
        "Read code excerpt",
    ],
)
def test_an_excerpt_may_hold_lines_like_the_pages_own(inner: str) -> None:
    text = CONTEXTUAL.replace("        wall = weld(plate)\n", f"        wall = weld(plate)\n\n{inner}\n")
    quote = page(text).manifest.citations[0].quote
    assert quote == f"        wall = weld(plate)\n\n{inner}\n        return wall\n"
    told = [remark for remark in remarks(text) if "reads as a heading of evidence" in remark]
    assert bool(told) == bool(re.match("Direct|Contextual", inner))


NOISE: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no-break spaces": lambda text: text.replace(" · ", "\xa0·\xa0").replace(" evidence", "\xa0evidence"),
    "indented by no-break spaces": lambda text: re.sub(
        r"(?m)^ +", lambda found: "\xa0" * len(found[0]), text
    ),
    "unseen characters": lambda text: text.replace("Direct evidence", "\u200bDirect evidence\u200b").replace(
        "↗", "↗\ufe0e"
    ),
    "spaces at line ends": lambda text: re.sub(r"(?m)^(Sources.*|Direct.*|Pinned.*|Read.*)$", r"\1  ", text),
    "more blank lines": lambda text: re.sub(
        r"(Read code excerpt\n|Pinned.*\n|Direct evidence\n)", r"\1\n\n", text
    ),
    "no blank line after the heading of an excerpt": lambda text: text.replace(
        "Read code excerpt\n\n", "Read code excerpt\n"
    ),
    "hyphens for dashes": lambda text: text.replace("–", "-"),
    "line end last": lambda text: text + "\n\n",
}


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("text", [DIRECT, CONTEXTUAL], ids=["direct", "contextual"])
def test_noise_does_no_harm(text: str, noise: str) -> None:
    expected = page(text).manifest
    found = page(NOISE[noise](text)).manifest
    if noise == "hyphens for dashes":
        assert [c.lines for c in found.citations] == [c.lines for c in expected.citations]
    else:
        assert found == expected


TITLES = {
    "Engine · Valve drive": "Engine · Valve drive",
    "Engine · Valve drive · AtlasOfEngines · Home": "Engine · Valve drive",
    "Engine · Valve train": "Engine · Valve train",
    "Engine": "Engine",
}


@pytest.mark.parametrize(("line", "title"), TITLES.items())
def test_titles(line: str, title: str) -> None:
    assert page(DIRECT.replace("Engine · Valve drive · AtlasOfEngines", line)).manifest.title == title


SLUGS = {
    "GPT-2 · MLP residual update": "gpt-2-mlp-residual-update",
    "../../etc/passwd": "etc-passwd",
    "Überdruck — Ventil": "uberdruck-ventil",
    "x" * 300: "x" * 80,
    "/": "page-8a5edab28263",
    "ventil": "ventil",
}


@pytest.mark.parametrize(("title", "expected"), SLUGS.items())
def test_file_names(title: str, expected: str) -> None:
    assert slug(title) == expected


@settings(deadline=None)
@given(st.text())
def test_a_file_name_is_always_safe(title: str) -> None:
    assert re.fullmatch(r"[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?", slug(title))


def evidence(id_: str, place: str, pin: str, lines: str, claim: str = "It is so.") -> str:
    return (
        f"Direct evidence\n\n{claim}\n\n{id_} · {place}\nPinned revision {pin} ↗ · lines {lines}\n\n"
        f"Read code excerpt\n\nx = 1\n\n"
    )


def sources(*blocks: str) -> str:
    return f"Engine · Part\n\nSources{len(blocks)}\n\n" + "".join(blocks)


def ids(text: str) -> list[str]:
    return [citation.id for citation in page(text).manifest.citations]


def names(text: str) -> list[str]:
    return [citation.source.name for citation in page(text).manifest.citations]


def test_one_repository_name_of_two_owners() -> None:
    text = sources(evidence("a", "x/engine / a", "1", "1"), evidence("b", "y/engine / a", "1", "1"))
    assert names(text) == ["x-engine", "y-engine"]


def test_two_pins_of_one_repository() -> None:
    text = sources(
        evidence("a", "x/engine / a", "00112233445566", "1"),
        evidence("b", "x/engine / a", "ffeeddccbbaa99", "1"),
        evidence("c", "x/engine / b", "00112233445566", "1"),
    )
    assert names(text) == ["engine-001122334455", "engine-ffeeddccbbaa", "engine-001122334455"]


def test_two_pins_that_begin_alike() -> None:
    text = sources(
        evidence("a", "x/engine / a", "001122334455", "1"),
        evidence("b", "x/engine / a", "00112233445566", "1"),
    )
    assert names(text) == ["engine-001122334455", "engine-001122334455-2"]


def test_an_id_that_is_used_twice_with_one_range() -> None:
    text = sources(evidence("a", "x/e / a", "1", "1-2"), evidence("a", "x/e / b", "1", "1-2"))
    assert ids(text) == ["a-1-2", "a-1-2-2"]


def test_an_id_that_is_made_gives_way_to_one_that_is_written() -> None:
    text = sources(
        evidence("a", "x/e / a", "1", "1-2"),
        evidence("a", "x/e / a", "1", "3"),
        evidence("a-3", "x/e / a", "1", "9"),
    )
    assert ids(text) == ["a-1-2", "a-3-2", "a-3"]


def test_evidence_that_is_repeated_word_for_word_counts_once() -> None:
    block = evidence("a", "x/e / a", "1", "1-2")
    assert ids(sources(block, block)) == ["a"]
    assert remarks(sources(block, block)) == [
        "page.txt:16: the evidence a stands above already, and counts once"
    ]


def test_evidence_without_an_excerpt() -> None:
    text = sources(evidence("a", "x/e / a", "1", "1-2").replace("Read code excerpt\n\nx = 1\n\n", ""))
    assert page(text).manifest.citations[0].quote is None
    assert remarks(text) == ["page.txt:5: the evidence a shows no excerpt after `Read code excerpt`"]


def test_a_claim_of_several_paragraphs() -> None:
    text = sources(evidence("a", "x/e / a", "1", "1", claim="It is so.\n\nIndeed\nit is."))
    assert page(text).manifest.citations[0].claim == "It is so. Indeed it is."


def test_control_characters_stay_in_code_alone() -> None:
    text = sources(evidence("a", "x/e / a", "1", "1", claim="It \x1b[31mis.")).replace("x = 1", "x = '\x1b'")
    citation = page(text).manifest.citations[0]
    assert citation.claim == "It [31mis."
    assert citation.quote == "x = '\x1b'\n"


GOOD = sources(evidence("a", "x/e / a", "1", "1-2"))
BAD = {
    "no page": ("a recipe\nfor bread\n", "page.txt:1: this is no evidence page: expected `Direct evidence`"),
    "empty": ("", "page.txt:1: this is no evidence page: expected `Direct evidence`"),
    "binary": ("a\0b", "page.txt:1: this is no text: it holds NUL characters"),
    "no title": (GOOD.partition("\n\n")[2], "page.txt:1: expected the page's title before"),
    "reversed": (GOOD.replace("1-2", "2-1"), "page.txt:10: the range 2-1 is reversed"),
    "line 0": (GOOD.replace("1-2", "0-2"), "page.txt:10: line 0 does not exist: lines count from 1"),
    "no lines": (GOOD.replace(" · lines 1-2", ""), "page.txt:10: expected `Pinned revision … · lines A-B`"),
    "no pin": (
        GOOD.replace("Pinned revision 1 ↗ · lines 1-2\n", ""),
        "page.txt:11: expected `Pinned revision … · lines A-B` after the pointer",
    ),
    "no pointer": (
        GOOD.replace("a · x/e / a\n", "a\n"),
        "page.txt:10: a pinned revision without all that belongs to it: expected `Direct evidence`",
    ),
    "no heading": (
        GOOD.replace("Direct evidence", "Evidence"),
        "page.txt:10: a pinned revision without all that belongs to it: expected `Direct evidence`",
    ),
    "many places": (
        DIRECT.replace("Codevalve.py 1–7", "Codevalve.py 1–7" + ", 1–7" * 1000),
        "page.txt:13: the code list names more than 1,000 places",
    ),
    "long path": (
        GOOD.replace("x/e / a", f"x/e / {'a' * 4097}"),
        "page.txt:5: a path of more than 4,096 characters",
    ),
    "listed range": (
        DIRECT.replace("Codevalve.py 1–7", "Codevalve.py 7–1"),
        "page.txt:13: the range 7-1 is reversed",
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD.values(), ids=BAD)
def test_what_is_no_evidence_page(text: str, message: str) -> None:
    with pytest.raises(PageError) as caught:
        read_page(text, "page.txt")
    assert str(caught.value).startswith(message)


MANY = 20_000
LISTED = "Code" + ", ".join(["a 1"] + ["1"] * 900)
LARGE: dict[str, tuple[str, int]] = {
    "no list, cut in many ways": (f"Code{' · '.join(['a 1 - 2'] * MANY)}x", 0),
    "no list, of one file": (f"Codea 1{', 1 - 2' * MANY}x", 0),
    "no list, of one name": (f"Codea{' 1' * MANY}x", 0),
    "headings that are listed": (f"{LISTED}\n\n" + "a 1\n\n" * MANY, MANY),
    "headings that are not": (f"{LISTED}\n\n" + "a 2\n\n" * MANY, 901),
}


@pytest.mark.parametrize(("head", "told"), LARGE.values(), ids=LARGE)
def test_a_large_code_list(head: str, told: int) -> None:
    assert len(remarks(GOOD.replace("Sources1", f"{head}\n\nSources1"))) == told


@settings(deadline=None)
@given(st.data())
def test_a_mangled_page_is_read_or_refused(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from([DIRECT, CONTEXTUAL])).split("\n")
    for _ in range(data.draw(st.integers(1, 6))):
        index = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "double", "swap", "text"])):
            case "drop":
                lines[index : index + 1] = []
            case "double":
                lines.insert(index, lines[index])
            case "swap":
                lines[index], lines[-1] = lines[-1], lines[index]
            case _:
                lines[index] += data.draw(st.text(max_size=4))
    text = "\n".join(lines)
    with contextlib.suppress(PageError):
        page(text)

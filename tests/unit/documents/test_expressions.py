from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import Citation, EvidenceKind, LineRange
from provenance.documents.pages import Page, read_page
from provenance.errors import PageError
from provenance.manifest import parse, render

VALVE = "def open_valve(angle, x, up):\n  return relu(angle) * x"
PISTON = "def push(force):\n  self.Area = tensorforce"


def evidence(id_: str, place: str, lines: str, quote: str, pin: str = "0011") -> str:
    return (
        f"Direct evidence\n\nIt is so.\n\n{id_} · {place}\nPinned revision {pin} ↗ · lines {lines}\n\n"
        f"Read code excerpt\n\n{quote}\n\n"
    )


BOTH = evidence("valve", "atlas/engine / src/valve.py", "1-8", VALVE) + evidence(
    "piston", "atlas/engine / src/piston.py", "20-30", PISTON
)
CODE = f"Codevalve.py 1–8 · piston.py 20–30\n\nvalve.py 1–8\n\n{VALVE}\n\npiston.py 20–30\n\n{PISTON}\n\n"
NONE = ""


def text(*head: str, code: str = CODE, sources: str = BOTH) -> str:
    lines = "\n".join(head)
    return f"Engine · Valve drive\n\nCylinder › Head\n\nValve drive\n\n{lines}\n\n{code}Sources\n\n{sources}"


FIRST = 7
"""The line of the first of the head's own."""


def page(*head: str, code: str = CODE, sources: str = BOTH) -> Page:
    found = read_page(text(*head, code=code, sources=sources), "page.txt")
    assert parse(render(found.manifest).encode(), found.manifest.path) == found.manifest
    return found


def expressions(found: Page) -> list[Citation]:
    return [citation for citation in found.manifest.citations if citation.expression is not None]


def places(found: Page) -> list[str]:
    return [f"{c.expression} | {c.path} {c.lines}" for c in expressions(found)]


def test_an_expression_becomes_a_citation_after_those_of_the_evidence() -> None:
    found = page("learnedopen_valve(angle) · 2–3")
    quoted, pushed, used = found.manifest.citations
    assert (quoted.id, pushed.id) == ("valve", "piston")
    assert used == Citation(
        "valve-drive-expression",
        quoted.source,
        "src/valve.py",
        LineRange(2, 3),
        EvidenceKind.DIRECT,
        expression="open_valve(angle)",
    )
    assert str(used.position) == f"page.txt:{FIRST}"
    assert found.remarks == ()


BADGES = {
    # What the excerpts have as it stands has no badge.
    "open_valve(angle) · 2": "open_valve(angle)",
    "relu(angle) · 2": "relu(angle)",
    "force · 20": "force",
    "tensorforce · 20": "tensorforce",
    # Known words, before what the excerpts have, and before what they do not.
    "learnedrelu(angle) · 2": "relu(angle)",
    "learnedx + angle · 2": "x + angle",
    "tensorx · 2": "x",
    "fixedopen_valve(…) · 2": "open_valve(…)",
    "computedtf.nn.softmax(x) · 2": "tf.nn.softmax(x)",
    "learned(x + y) * z · 2": "(x + y) * z",
    'learned"relu" in names · 2': '"relu" in names',
    "learned-x · 2": "-x",
    "learnedlearned_scale(x) · 2": "learned_scale(x)",
    # Unknown words before what the excerpts have: the shortest that leaves one.
    "sharedopen_valve(angle) · 2": "open_valve(angle)",
    "pressurerelu(angle) · 2": "relu(angle)",
    "viewdef · 2": "def",
    "viewArea · 20": "Area",
    # No badges: code that the excerpts do not have.
    "tensordot(a, b) · 2": "tensordot(a, b)",
    "softmax(logits) · 2": "softmax(logits)",
    "learned_scale(x) · 2": "learned_scale(x)",
    "learned.scale(x) · 2": "learned.scale(x)",
    "learned = scale(x) · 2": "learned = scale(x)",
    "Learnedrelu(angle) · 2": "Learnedrelu(angle)",
    "logrelu(angle) · 2": "logrelu(angle)",
    "viewup(x) · 2": "viewup(x)",
    "self.area += (force) · 20": "self.area += (force)",
    "(x + y) · 2": "(x + y)",
}


@pytest.mark.parametrize(("line", "expression"), BADGES.items())
def test_a_badge_is_taken_off_and_nothing_else_is(line: str, expression: str) -> None:
    assert [c.expression for c in expressions(page(line))] == [expression]


PLACES = {
    # The file whose ranges hold the lines.
    "relu(angle) · 2": ["src/valve.py 2"],
    "relu(angle) · 1–8": ["src/valve.py 1-8"],
    "relu(angle) · 20-30": ["src/piston.py 20-30"],
    "relu(angle) · lines 20−30": ["src/piston.py 20-30"],
    # A file that is named, by its name or by the end of its path; its lines may be any.
    "relu(angle) · piston.py 2": ["src/piston.py 2"],
    "relu(angle) · src/piston.py 900–901": ["src/piston.py 900-901"],
    "relu(angle) · piston.py line 2": ["src/piston.py 2"],
    "relu(angle) · piston.py:2–3": ["src/piston.py 2-3"],
    "relu(angle) · src/piston.py:2": ["src/piston.py 2"],
    "relu(angle) · piston.py L2-L3": ["src/piston.py 2-3"],
    "relu(angle) · piston.py#L2–L3": ["src/piston.py 2-3"],
    "relu(angle) · L2": ["src/valve.py 2"],
    # One citation for each place.
    "relu(angle) · 2, 5–6": ["src/valve.py 2", "src/valve.py 5-6"],
    "relu(angle) · 2, 21": ["src/valve.py 2", "src/piston.py 21"],
    "relu(angle) · piston.py 2, 5": ["src/piston.py 2", "src/piston.py 5"],
    "relu(angle) · piston.py 2 · valve.py 3": ["src/piston.py 2", "src/valve.py 3"],
    "relu(angle) · piston.py 2, 4 · 3": ["src/piston.py 2", "src/piston.py 4", "src/valve.py 3"],
}


@pytest.mark.parametrize(("line", "expected"), PLACES.items())
def test_places(line: str, expected: list[str]) -> None:
    assert places(page(line)) == [f"relu(angle) | {place}" for place in expected]


TEXTS = {
    "relu( angle,\u2003  x )\xa0· 2": "relu( angle, x )",
    "relu(angle) · x · 2": "relu(angle) · x",
    "relu(angle) · 3 · 2": "relu(angle) · 3",
    "relu(…, name='a · b') · 2": "relu(…, name='a · b')",
    "relu(angle)\u200b · 2\ufe0e": "relu(angle)",
}


@pytest.mark.parametrize(("line", "expression"), TEXTS.items())
def test_the_text_is_what_is_shown(line: str, expression: str) -> None:
    assert [c.expression for c in expressions(page(line))] == [expression]


OTHERS = [
    "in: relu(angle) · 2",
    "out: relu(angle) · 2",
    "parameters: relu(2) · 2",
    "shape: relu(angle) · 2",
    " relu(angle) · 2",
    "Cylinder 4 strokes › relu(angle) · 2",
    "relu(angle)\tx · 2",
    "relu(angle) 2",
    "relu(angle)·2",
    "relu(angle) · 2.5",
    "relu(angle) · 1,177",
    "relu(angle) · 2 and more",
    "relu(angle) · about 2",
    "\\relu(angle) · 2",
    "$relu_1(angle)$ · 2",
    "{\\htmlData{light=x}{x}} · 2",
    "1,024 · 2",
    "(2 + 3) · 2",
    "· 2",
    "Steam Works · 1784",
    "Watt et al. · 1784–1775",
    "Steam Works · Mar 1784",
    "Steam Works · Mar–Nov 1784Dense",
    "Reference code atlas/engine @ 0011 · 2",
    "Configuration of relu(angle) · 2",
]


@pytest.mark.parametrize("line", OTHERS)
def test_other_lines_are_no_expressions(line: str) -> None:
    found = page(line)
    assert expressions(found) == []
    assert [remark for remark in found.remarks if "not understood" not in remark.message] == []


def test_what_follows_the_code_list_is_no_expression() -> None:
    in_code = text(code=CODE.replace(VALVE, f"{VALVE}\nrelu(angle) · 2"))
    claimed = text(sources=BOTH.replace("It is so.", "relu(angle) · 2"))
    for each in (in_code, claimed):
        assert expressions(read_page(each, "page.txt")) == []


def test_plain_words_are_an_expression_where_the_page_shows_their_lines() -> None:
    assert places(page("gradient · 2")) == ["gradient | src/valve.py 2"]
    assert places(page("return x · 2")) == ["return x | src/valve.py 2"]
    assert places(page("gradient · 21", code=NONE)) == ["gradient | src/piston.py 21"]
    assert places(page("gradient · 21", code=ONE_NAME.replace(", 20–30", ""))) == []
    assert places(page("gradient · piston.py 900")) == ["gradient | src/piston.py 900"]
    for line in ("gradient · 9", "gradient · 2, 9", "gradient · 3–2", "gradient · 0", "return x · 9"):
        assert places(page(line)) == []
    with pytest.raises(PageError, match="6 lies in both"):
        page("gradient · 6", code=OVERLAP)


@pytest.mark.parametrize(
    "line",
    ["relu · 9", "relu + y · 9", "push.force · 9", "f(y) · 9", "y = 3 · 9", "a_b · 9", "fixedgradient · 9"],
)
def test_code_is_an_expression_wherever_its_lines_are(line: str) -> None:
    with pytest.raises(PageError, match="9 lies outside the code list"):
        page(line)


IDS = {
    ("relu(angle) · 2",): ["drive-expression"],
    ("relu(angle) · 2, 5–6",): ["drive-expression-2", "drive-expression-5-6"],
    ("relu(angle) · 2", "relu(x) · 20"): ["drive-expression-2", "drive-expression-20"],
    ("relu(angle) · 2", "relu(x) · 2"): ["drive-expression-2", "drive-expression-2-2"],
}


@pytest.mark.parametrize(("head", "ids"), IDS.items())
def test_ids(head: tuple[str, ...], ids: list[str]) -> None:
    assert [c.id for c in expressions(page(*head))] == [f"valve-{id_}" for id_ in ids]


def test_ids_give_way_to_those_of_the_evidence_and_of_the_quantity() -> None:
    sources = BOTH.replace("valve ·", "valve-drive-expression ·").replace("piston ·", "valve-drive ·")
    found = page("relu(angle) · 2", "parameters: 12", sources=sources).manifest
    assert [c.id for c in found.citations] == [
        "valve-drive-expression",
        "valve-drive",
        "valve-drive-expression-2",
    ]
    assert [q.id for q in found.quantities] == ["valve-drive-2"]


def test_an_expression_that_is_repeated_counts_once() -> None:
    found = page("relu(angle) · 2", "", "learnedrelu(angle) · valve.py 2")
    assert places(found) == ["relu(angle) | src/valve.py 2"]
    assert [str(remark) for remark in found.remarks] == [
        f"page.txt:{FIRST + 2}: this expression stands above already, and counts once"
    ]


@pytest.mark.parametrize(
    ("line", "expression"),
    [
        ("relu(name=“x”) · 2", 'relu(name="x")'),
        ("relu(name=\u2018x’) · 2", "relu(name='x')"),
        ("relu(“kept”) · 2", "relu(“kept”)"),
    ],
)
def test_typeset_quotation_marks_are_straight_unless_an_excerpt_has_them(line: str, expression: str) -> None:
    found = page(line, sources=BOTH.replace(VALVE, f"{VALVE}\n  relu(“kept”)", 1))
    assert [citation.expression for citation in expressions(found)] == [expression]


@pytest.mark.parametrize("line", ["learned behaviour · 2", "A learned map · 2–3", "plain words · 20, 21"])
def test_words_side_by_side_are_no_expression(line: str) -> None:
    assert expressions(page(line)) == []


@pytest.mark.parametrize("line", ["return angle · 2", "not angle · 2"])
def test_a_keyword_before_a_word_is_code(line: str) -> None:
    assert len(expressions(page(line))) == 1


@pytest.mark.parametrize("tail", ["1,177–1,183", "valve.py", "the second", "LL2"])
def test_an_expression_whose_lines_cannot_be_read_is_remarked(tail: str) -> None:
    found = page(f"learnedrelu(angle) · {tail}")
    assert expressions(found) == []
    assert [str(remark) for remark in found.remarks] == [
        f"page.txt:{FIRST}: this begins as an expression, but no lines end it: it is left out"
    ]


ALONE = f"Codevalve.py 1–8 · wall.py 20–30\n\nvalve.py 1–8\n\n{VALVE}\n\nwall.py 20–30\n\nw = 1\n\n"


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("relu(angle) · wall.py 2", "wall.py"),
        ("relu(angle) · 21", "wall.py"),
        ("relu(angle) · nowhere.cc 2", "nowhere.cc"),
        ("relu(angle) · other/valve.py 2", "other/valve.py"),
        ("relu(angle) · myvalve.py:2", "myvalve.py"),
        ("some words · wall.py 2", "wall.py"),
        ("relu(angle) · valve.py 2 · wall.py 2", "wall.py"),
    ],
)
def test_a_file_without_evidence_is_an_error_that_names_those_with_it(line: str, file: str) -> None:
    with pytest.raises(PageError) as caught:
        page(line, code=ALONE)
    assert str(caught.value) == (
        f"page.txt:{FIRST}: no pinned revision is known for {file}: "
        "the page's evidence is from src/valve.py, src/piston.py"
    )


def test_words_before_what_may_be_a_file_are_remarked() -> None:
    found = page("Some words · and/or 12")
    assert expressions(found) == []
    assert str(found.remarks[0]) == (
        f"page.txt:{FIRST}: no pinned revision is known for and/or: what stands on this line is left out"
    )


TWO_PINS = evidence("a", "atlas/engine / src/valve.py", "1-8", VALVE) + evidence(
    "b", "atlas/engine / src/valve.py", "20-30", PISTON, pin="0022"
)
TWO_PATHS = evidence("a", "atlas/engine / a/valve.py", "1-8", VALVE) + evidence(
    "b", "atlas/engine / b/valve.py", "20-30", PISTON
)
ONE_NAME = f"Codevalve.py 1–8, 20–30\n\nvalve.py 1–8\n\n{VALVE}\n\n"
OVERLAP = f"Codevalve.py 1–8, 20–30 · piston.py 5–30\n\nvalve.py 1–8\n\n{VALVE}\n\n"


@pytest.mark.parametrize("code", [ONE_NAME, NONE], ids=["code list", "no code list"])
@pytest.mark.parametrize(
    ("sources", "line", "expected"),
    [
        (TWO_PATHS, "relu(angle) · valve.py 2", ("a/valve.py", "0011")),
        (TWO_PATHS, "relu(angle) · valve.py 21", ("b/valve.py", "0011")),
        (TWO_PATHS, "relu(angle) · 21", ("b/valve.py", "0011")),
        (TWO_PATHS, "relu(angle) · b/valve.py 2", ("b/valve.py", "0011")),
        (TWO_PINS, "relu(angle) · valve.py 2", ("src/valve.py", "0011")),
        (TWO_PINS, "relu(angle) · 21", ("src/valve.py", "0022")),
    ],
)
def test_of_files_with_one_name_it_is_the_one_whose_evidence_has_the_lines(
    sources: str, line: str, code: str, expected: tuple[str, str]
) -> None:
    (citation,) = expressions(page(line, code=code, sources=sources))
    assert (citation.path, citation.source.revision) == expected


def test_a_file_without_an_ending_is_one_that_the_page_names() -> None:
    sources = BOTH.replace("src/valve.py", "src/Makefile")
    assert places(page("relu(angle) · Makefile 9", sources=sources)) == ["relu(angle) | src/Makefile 9"]
    assert page("relu(angle) · Makefile 9").remarks == ()


def test_a_title_is_no_expression() -> None:
    read = read_page(text().replace("Engine · Valve drive", "relu(angle) · 2", 1), "page.txt")
    assert expressions(read) == []


def test_as_many_and_as_long_expressions_as_may_be() -> None:
    assert len(places(page(*[f"relu(x{number}) · 2" for number in range(200)]))) == 200
    assert len(places(page(f"relu({'x' * 4090}) · 2"))) == 1


def test_evidence_from_another_file_at_the_same_lines_has_no_say() -> None:
    sources = TWO_PATHS + evidence("c", "atlas/engine / wall.py", "1-8", VALVE)
    assert places(page("relu(angle) · valve.py 2", sources=sources)) == ["relu(angle) | a/valve.py 2"]


def test_evidence_without_an_excerpt_still_has_its_file() -> None:
    sources = BOTH.replace(f"Read code excerpt\n\n{PISTON}\n\n", "")
    assert places(page("relu(angle) · 21", sources=sources)) == ["relu(angle) | src/piston.py 21"]


def test_without_a_code_list_the_evidence_stands_in_for_it() -> None:
    assert places(page("relu(angle) · 21", code=NONE)) == ["relu(angle) | src/piston.py 21"]


SAME = evidence("a", "atlas/engine / src/valve.py", "1-8", VALVE) + evidence(
    "b", "atlas/engine / src/valve.py", "1-9", VALVE, pin="0022"
)
MANY = " · ".join(f"f{number}.py {number}" for number in range(100, 112))
ENGINE = "atlas/engine @"
WRONG: dict[str, tuple[dict[str, str], str, str]] = {
    "two files": (
        {"code": OVERLAP},
        "relu(angle) · 6",
        "6 lies in both valve.py 1-8 and piston.py 5-30: name the file",
    ),
    "two files in their order": (
        {"code": OVERLAP.replace("valve.py 1–8, 20–30 · piston.py 5–30", "piston.py 5–30 · valve.py 1–8")},
        "relu(angle) · 6–7",
        "6-7 lies in both piston.py 5-30 and valve.py 1-8: name the file",
    ),
    "no file": (
        {},
        "relu(angle) · 9",
        "9 lies outside the code list, which has valve.py 1-8, piston.py 20-30",
    ),
    "half a range": (
        {},
        "relu(angle) · 8–9",
        "8-9 lies outside the code list, which has valve.py 1-8, piston.py 20-30",
    ),
    "no file of many": (
        {"code": f"Code{MANY}\n\n"},
        "relu(angle) · 9",
        "9 lies outside the code list, which has "
        + ", ".join(f"f{number}.py {number}" for number in range(100, 110))
        + ", …",
    ),
    "no file of as many as are listed": (
        {"code": f"Code{MANY[: MANY.index(' · f110')]}\n\n"},
        "relu(angle) · 9",
        "9 lies outside the code list, which has "
        + ", ".join(f"f{number}.py {number}" for number in range(100, 110)),
    ),
    "no evidence": (
        {"code": NONE},
        "relu(angle) · 9",
        "9 lies outside the evidence, which has src/valve.py 1-8, src/piston.py 20-30",
    ),
    "two pieces of evidence": (
        {"code": NONE, "sources": BOTH.replace("20-30", "5-9")},
        "relu(angle) · 6",
        "6 lies in both src/valve.py 1-8 and src/piston.py 5-9: name the file",
    ),
    "one path at two pins": (
        {"code": NONE, "sources": SAME},
        "relu(angle) · 6",
        f"6 lies in both {ENGINE} 0011 src/valve.py 1-8 and {ENGINE} 0022 src/valve.py 1-9: name the file",
    ),
    "a name at two pins": (
        {"sources": SAME},
        "relu(angle) · 6",
        f"valve.py may be {ENGINE} 0011 src/valve.py or {ENGINE} 0022 src/valve.py: nothing tells which",
    ),
    "a name of two paths": (
        {"sources": TWO_PATHS},
        "relu(angle) · valve.py 10",
        f"valve.py may be {ENGINE} 0011 a/valve.py or {ENGINE} 0011 b/valve.py: nothing tells which",
    ),
    "reversed": ({}, "relu(angle) · 3–2", "the range 3-2 is reversed"),
    "line 0": ({}, "relu(angle) · 0", "line 0 does not exist: lines count from 1"),
    "too long": ({}, f"relu({'x' * 4096}) · 2", "an expression of more than 4,096 characters"),
    "too many places": (
        {},
        "relu(angle) · 2" + ", 2" * 200,
        "more than 200 places of expressions: no page has so many",
    ),
}


@pytest.mark.parametrize(("parts", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_told_is_an_error_at_its_line(parts: dict[str, str], line: str, message: str) -> None:
    with pytest.raises(PageError) as caught:
        page("", line, **parts)
    assert str(caught.value) == f"page.txt:{FIRST + 1}: {message}"


MANY_LINES = 100_000


@pytest.mark.parametrize(
    "head",
    [
        ["prose of many words"] * MANY_LINES,
        ["Steam Works · 1784"] * MANY_LINES,
        ["Steam Works · Mar 1784"] * MANY_LINES,
        ["Steam" + " · Works" * MANY_LINES + " · 1784"],
        ["› " * MANY_LINES],
        ["x" * 1_000_000],
        ["(" * 1_000_000 + " · 2"],
    ],
    ids=["prose", "words", "no files", "dots", "crumbs", "a word", "brackets"],
)
def test_a_large_head_without_an_expression(head: list[str]) -> None:
    assert expressions(page(*head)) == []


@pytest.mark.parametrize(
    "head",
    [
        [f"learnedrelu(x{number}) · 2" for number in range(MANY_LINES)],
        ["learnedrelu(x) · 2"] * MANY_LINES,
        ["relu(x)" + " · valve.py 2" * MANY_LINES],
        ["l" * 1_000_000 + "(x) · 2"],
        ["relu" + "(" * 1_000_000 + " · 2"],
    ],
    ids=["lines", "one line", "places", "a name", "brackets"],
)
def test_a_large_head_with_expressions_is_refused(head: list[str]) -> None:
    with pytest.raises(PageError, match=r"^page\.txt:[0-9]+: (more than 200 places|an expression of more)"):
        page(*head)


FRAGMENTS = st.sampled_from(
    [
        "learned",
        "relu(angle)",
        "x",
        " ",
        " · ",
        "valve.py",
        "2",
        "99–103",
        ", ",
        "(",
        "…",
        "›",
        "9–2",
        "\t",
        "=",
    ]
)


@given(
    st.lists(st.lists(FRAGMENTS, max_size=8).map("".join), max_size=4), st.sampled_from([CODE, OVERLAP, NONE])
)
def test_any_head_is_read_or_refused_at_one_of_its_lines(head: list[str], code: str) -> None:
    read: Page | PageError
    try:
        read = page(*head, code=code)
    except PageError as error:
        read = error
    if isinstance(read, PageError):
        assert read.position.file == "page.txt"
        assert FIRST <= read.position.line < FIRST + len(head)
        return
    found = read
    ids = [citation.id for citation in found.manifest.citations]
    assert len(set(ids)) == len(ids)
    shown = "\n".join(" ".join(line.replace("\t", " ").split()) for line in head)
    assert all((citation.expression or "") in shown for citation in expressions(found))

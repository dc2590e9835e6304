from __future__ import annotations

from dataclasses import replace
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import Quantity, Term
from provenance.compare.arithmetic.quantity import judge_quantity
from provenance.documents.pages import Page, read_page
from provenance.errors import PageError
from provenance.evidence import Verdict
from provenance.manifest import parse, render

EVIDENCE = """\
Direct evidence

It is so.

valve · atlas/engine / valve.py
Pinned revision 0011 ↗ · lines 1–2

Read code excerpt

x = 1
"""
LINE = 5
"""That of the first of the head's own."""


def page(*head: str) -> Page:
    found = remarked(*head)
    assert found.remarks == ()
    return found


def remarked(*head: str, evidence: str = EVIDENCE) -> Page:
    lines = "\n".join(head)
    text = f"Engine · First valve\n\nFirst valve\n\n{lines}\n\nCodevalve.py 1–2\n\nvalve.py 1–2\n\nx = 1\n\n"
    found = read_page(f"{text}Sources1\n\n{evidence}", "page.txt")
    assert parse(render(found.manifest).encode(), found.manifest.path) == found.manifest
    return found


def quantity(*head: str) -> Quantity | None:
    quantities = page(*head).manifest.quantities
    return quantities[0] if quantities else None


EMPTY = Quantity("first-valve")
EQUATIONS = "first-valve-equations"

CAPTION = "Exact per-instance accounting"
HEADER = "Component\tCalculation\tParameters"
TABLE = [
    CAPTION,
    HEADER,
    "Weight matrix\t$512 \\times 2{,}048$\t1,048,576",
    "Output bias\t$2{,}048$\t2,048",
    "Per-instance total\t\t1,050,624",
]
TERMS = (Term("Weight matrix", "512 × 2048", "1048576"), Term("Output bias", "2048", "2048"))
WHOLE = [
    "in: $x$ [B batch, T target positions, 512 d]",
    "out: $h$ [B batch, T target positions, 2048 d_ff]",
    "parameters: 1,050,624 · × 6 layers = 6,303,744",
    "",
    "The code applies 3 things at once.",
    "",
    "Parameters",
    "",
    "1,050,624 parameters per instance.",
    "",
    *TABLE,
    "",
    "Across 6 independent layers: $1{,}050{,}624 \\times 6 = 6{,}303{,}744$ parameters.",
    "",
    "Derived from the 2 configured dimensions, with a vocabulary of about 37,000.",
]


def test_all_that_a_page_says_of_its_parameters_is_one_quantity() -> None:
    found = quantity(*WHOLE)
    assert found == Quantity(
        "first-valve",
        TERMS,
        "1050624",
        "6",
        "6303744",
        ("1050624 × 6 layers = 6303744", "1050624", "1050624 × 6 = 6303744"),
        ("[B batch, T target positions, 512 d]", "[B batch, T target positions, 2048 d_ff]"),
    )
    assert str(found.position) == f"page.txt:{LINE + WHOLE.index(CAPTION)}"


def test_a_count_of_values_is_a_statement_and_a_shape() -> None:
    table = [CAPTION, HEADER, "table\t$32 \\times 512$\t16,384", "Per-instance total\t\t16,384"]
    found = quantity(
        "in: $x_e$ [B batch, S source positions, 512 d]",
        "out: $x'_e$ [B batch, S source positions, 512 d]",
        "parameters: 16,384",
        "",
        "Parameters",
        "",
        "16,384 parameters owned by this component",
        "",
        *table,
        "",
        "With a vocabulary of about 37,000; no weights were published in v1.0.14.",
        "",
        "32 × 512 values.",
    )
    assert found == Quantity(
        "first-valve",
        (Term("table", "32 × 512", "16384"),),
        "16384",
        statements=("16384", "32 × 512"),
        shapes=("[B batch, S source positions, 512 d]", "32 × 512"),
    )


def test_a_page_without_arithmetic_has_no_quantity() -> None:
    assert quantity("shape", "Δ\\Delta [B batch, T positions, 768 d]", "", "768 features.") is None


HEADS = {
    "16,384": Quantity("", total="16384", statements=("16384",)),
    "0": Quantity("", total="0", statements=("0",)),
    "1.5": Quantity("", total="1.5", statements=("1.5",)),
    "$16{,}384$": Quantity("", total="16384", statements=("16384",)),
    "1,024 · × 6 layers = 6,144": Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)),
    "1,024 · × 6 = 6,144": Quantity("", (), "1024", "6", "6144", ("1024 × 6 = 6144",)),
    "1,024 × 6 layers = 6,144": Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)),
    "$1{,}024$ · $\\times 6$ layers = 6,144": Quantity(
        "", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)
    ),
    "1,024 per instance · × 6 layers = 6,144": Quantity(
        "", (), "1024", "6", "6144", ("1024 per instance × 6 layers = 6144",)
    ),
    "1,024 · × 6 layers": Quantity("", (), "1024", "6", None, ("1024",)),
    "1,024 · × 6 layers = 6,145": Quantity("", (), "1024", "6", "6145", ("1024 × 6 layers = 6145",)),
    "512 × 2,048": Quantity("", statements=("512 × 2048",)),
    "512 × 2,048 + 2,048 = 1,050,624": Quantity(
        "", total="1050624", statements=("512 × 2048 + 2048 = 1050624",)
    ),
    "512 × 2 = 1,024": Quantity("", total="1024", statements=("512 × 2 = 1024",)),
    "1,024 = 512 + 512": Quantity("", statements=("1024 = 512 + 512",)),
    "1,024 · tied": Quantity("", total="1024", statements=("1024",)),
    "1,024 (tied)": Quantity("", total="1024", statements=("1024",)),
    "1,024, all of them learned": Quantity("", total="1024", statements=("1024",)),
    "1,024 learned": Quantity("", total="1024", statements=("1024",)),
    "1,024 · × 6 layers × 2 per layer = 12,288": Quantity(
        "", (), "1024", "12", "12288", ("1024 × 6 layers × 2 per layer = 12288",)
    ),
    "1,024 · × 6 layers · × 2 per layer = 12,288": Quantity(
        "", (), "1024", "12", "12288", ("1024 × 6 layers × 2 per layer = 12288",)
    ),
    "1,024 · 6 layers = 6,144": Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)),
    "1,024 (× 6 layers = 6,144)": Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)),
    "1,024 · × 6 layers: 6,144": Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)),
    "1,024 × 6 layers: 6,144": Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)),
    "16'384": Quantity("", total="16384", statements=("16384",)),
    "16’384": Quantity("", total="16384", statements=("16384",)),
}
NOTHING = ["none", "not counted", "none · tied to the table", "shared (with the table)"]
NOT_UNDERSTOOD = {
    "none · 512": "none · 512",
    "shared with the table of 512 × 2 = 1,024": "shared with the table of 512 × 2 = 1,024",
    "1.05M": "1.05M",
    "17k": "17k",
    "1,024 → 6,144": "1,024 → 6,144",
    "2 matrices": "2 matrices",
    "37,000 × d_model": "37,000 × d_model",
    "37,000 × 512 weights": "37,000 × 512 weights",
    "×": "×",
    "= 6": "= 6",
    "(1 + 2": "(1 + 2",
    "[512 d]": "[512 d]",
    f"{'none ' * 20}1": f"{'none ' * 12}…",
}
PARTLY_UNDERSTOOD = {
    "1,024 · × six layers": "× six layers",
    "1,024 · × 6 layers · 4 MB": "4 MB",
    "1,024 (2 × 512)": "(2 × 512)",
    "1,024 · tied to layer 3": "tied to layer 3",
}


@pytest.mark.parametrize(("said", "expected"), HEADS.items())
def test_the_heads_own_line(said: str, expected: Quantity) -> None:
    found = quantity("prose", f"parameters: {said}")
    assert found == replace(expected, id="first-valve")
    assert str(found.position) == f"page.txt:{LINE + 1}"


@pytest.mark.parametrize("said", NOTHING)
def test_words_in_the_heads_own_line_say_nothing(said: str) -> None:
    assert quantity(f"parameters: {said}") is None


@pytest.mark.parametrize(("said", "shown"), NOT_UNDERSTOOD.items())
def test_what_is_not_understood_in_the_heads_own_line_is_remarked(said: str, shown: str) -> None:
    found = remarked(f"parameters: {said}")
    assert found.manifest.quantities == ()
    assert list(map(str, found.remarks)) == [
        f"page.txt:{LINE}: {shown} is not understood, and is not checked"
    ]


@pytest.mark.parametrize(("said", "shown"), PARTLY_UNDERSTOOD.items())
def test_what_is_not_understood_behind_a_number_is_remarked(said: str, shown: str) -> None:
    found = remarked(f"parameters: {said}")
    assert found.manifest.quantities[0].total == "1024"
    assert list(map(str, found.remarks)) == [
        f"page.txt:{LINE}: {shown} is not understood, and is not checked"
    ]


@pytest.mark.parametrize("said", ["about 37,000", "≈ 16,400", "~16,400", "$\\approx 16{,}400$", "ca. 16,400"])
def test_approximations_state_nothing(said: str) -> None:
    found = remarked(f"parameters: {said}")
    assert found.manifest.quantities == ()
    assert list(map(str, found.remarks)) == [f"page.txt:{LINE}: {said} is not exact, and is not checked"]
    found = remarked("Parameters", f"{said} parameters.")
    assert found.manifest.quantities == ()
    assert len(found.remarks) == 1


SENTENCES = {
    "1,050,624 parameters per instance.": Quantity("", total="1050624", statements=("1050624",)),
    "16,384 parameters owned by this component": Quantity("", total="16384", statements=("16384",)),
    "$16{,}384$ parameters.": Quantity("", total="16384", statements=("16384",)),
    "16 384 parameters.": Quantity("", total="16384", statements=("16384",)),
    "1 parameter.": Quantity("", total="1", statements=("1",)),
    "It is so. 16,384 parameters shared across layers. Indeed.": Quantity(
        "", total="16384", statements=("16384",)
    ),
    "1 parameter. 2 parameters.": Quantity("", total="1", statements=("1", "2")),
    # Of all instances.
    "6,144 parameters across all 6 layers.": Quantity("", (), None, "6", "6144", ("6144",)),
    "6,144 parameters in total.": Quantity("", (), None, None, "6144", ("6144",)),
    "Across 6 independent layers: $1{,}024 \\times 6 = 6{,}144$ parameters.": Quantity(
        "", (), "1024", "6", "6144", ("1024 × 6 = 6144",)
    ),
    "Across the 6 layers: 1,024 × 6 = 6,144 parameters.": Quantity(
        "", (), "1024", "6", "6144", ("1024 × 6 = 6144",)
    ),
    "Across 6 layers: $1{,}024 \\times 6 \\text{ layers} = 6{,}144$.": Quantity(
        "", (), "1024", "6", "6144", ("1024 × 6 layers = 6144",)
    ),
    "Across 6 layers: 6,144 parameters.": Quantity("", (), None, "6", "6144", ("6144",)),
    "Across 7 layers: $1{,}024 \\times 6 = 6{,}144$ parameters.": Quantity(
        "", (), None, "7", "6144", ("1024 × 6 = 6144",)
    ),
    "Across 6 layers: 6,144 parameters, $1{,}024 \\times 6 = 6{,}144$.": Quantity(
        "", (), "1024", "6", "6144", ("1024 × 6 = 6144", "6144")
    ),
    "Across 6 layers: $1{,}024 + 5{,}120 = 6{,}144$ parameters.": Quantity(
        "", (), None, "6", "6144", ("1024 + 5120 = 6144",)
    ),
    # Words before the number, and between it and the word.
    **dict.fromkeys(
        [
            "This component owns 16,384 parameters.",
            "The module has 16,384 parameters.",
            "It has exactly 16,384 parameters.",
            "Each instance has 16,384 parameters.",
            "16,384 learned parameters",
            "16,384 trainable parameters per instance",
            "16,384 learned, trainable parameters.",
            "Exactly 16,384 parameters per instance.",
            "In all, 16,384 parameters per instance.",
            "A total of 16,384 parameters.",
            "Parameter count: 16,384",
            "Total parameters: 16,384.",
            "Number of parameters = 16,384",
            "**16,384** parameters",
            "There are 16,384 parameters.",
            "16,384 parameters per layer.",
            "16,384 parameters are learned.",
            "16'384 parameters",
            "16’384 parameters",
        ],
        Quantity("", total="16384", statements=("16384",)),
    ),
    "In all, 16,384 parameters.": Quantity("", statements=("16384",)),
    "2¹⁴ = 16,385 parameters": Quantity("", total="16385", statements=("2^14 = 16385",)),
    "$2^{14} = 16{,}385$ parameters": Quantity("", total="16385", statements=("2^14 = 16385",)),
    "6,144 = 1,024 × 6 parameters.": Quantity(EQUATIONS, statements=("6144 = 1024 × 6",)),
    # Equations of numbers alone, with nothing that they are of.
    "Across them: $1{,}024 \\times 6 \\text{ layers} = 6{,}144$.": Quantity(
        EQUATIONS, statements=("1024 × 6 layers = 6144",)
    ),
    "So $512 \\cdot 2 + 4^{2} = 1{,}040$ it is.": Quantity(EQUATIONS, statements=("512 × 2 + 4^2 = 1040",)),
    "So $1{,}024 = 512 + 512$.": Quantity(EQUATIONS, statements=("1024 = 512 + 512",)),
    "$1 + 1 = 2$ and $2 + 2 = 4$.": Quantity(EQUATIONS, statements=("1 + 1 = 2", "2 + 2 = 4")),
    "These are 512 × 2 = 1,024 parameters.": Quantity("", total="1024", statements=("512 × 2 = 1024",)),
    "All parameters (512 x 2 = 1,024) are learned.": Quantity(EQUATIONS, statements=("512 × 2 = 1024",)),
    "Its parameters (3 × 3 = (1 + 2) × 3) are learned.": Quantity(
        EQUATIONS, statements=("3 × 3 = (1 + 2) × 3",)
    ),
    "Its parameters, 3 = (1 + 2), are learned.": Quantity(EQUATIONS, statements=("3 = (1 + 2)",)),
    "Its parameters (of which 1 + 1 = 2) are learned.": Quantity(EQUATIONS, statements=("1 + 1 = 2",)),
    "Its parameters, (1 + 2) × 3 = 9, are learned.": Quantity(EQUATIONS, statements=("(1 + 2) × 3 = 9",)),
    "16,384 parameters: $32 \\times 512 = 16{,}384$.": Quantity(
        "", total="16384", statements=("16384", "32 × 512 = 16384")
    ),
    # Counts of values.
    "32 × 512 values.": Quantity("", statements=("32 × 512",), shapes=("32 × 512",)),
    "$32 \\times 512 \\times 2$ values in all": Quantity(
        "", statements=("32 × 512 × 2",), shapes=("32 × 512 × 2",)
    ),
    "32x512 values": Quantity("", statements=("32 × 512",), shapes=("32 × 512",)),
}
UNREAD = [
    "About 37,000 parameters.",
    "Some 16,384 parameters.",
    "1.05M parameters.",
    "1.05 million parameters.",
    "Its parameters are 2 × 2 = 4d.",
    "The decoder has 16,384 parameters.",
    "The layer below owns 16,384 parameters.",
    "16,384 parameters of the whole model.",
    "12,288 parameters of the 16,384 are tied.",
    "Together with the table: 16,384 learned parameters.",
    "Parameter count: 17k",
    # True of a part, so that the total would seem to be contradicted.
    "It has 2 parameters per feature.",
    "This component has 16,385 (32 × 512) parameters.",
    "The parameters number 16,385.",
    "512 parameters are biases.",
    "512 parameters belong to the bias.",
    "512 parameters for the bias.",
    "512 parameters in the bias.",
    "This matrix has 512 parameters.",
    "Each of them has 512 parameters.",
]
SILENT = [
    "No parameters.",
    "With a vocabulary of about 37,000 (the paper’s words); no parameters are counted.",
    "37,000 words",
    "512 values.",
    "$512$ values.",
    "$d \\times 512$ values.",
    "Across 6 layers they differ.",
    "With $d = 512$ it is so.",
    "With $d \\times 2 = 1{,}024$ values.",
    "With $512 \\times 2$ values.",
    "With $6 = 6$ values.",
    "With $6 \\times 2 \\text{ heads}$ values.",
    "With $6 \\text{ heads} = 2 \\text{ groups}$ values.",
    "With $= 6 + 1$ values.",
    "With $6 + 1 =$ values.",
    "It is $1 + 1 = 2",
    "1 + 1 = 2 $d$ more.",
    "Its parameters, 2 × (3 = 6), are learned.",
    "With $(1 + 2 = 3$ values.",
    "Values of 512 × 2 = 1,024.",
    "Its parameters are d × 2 + 2 = 1,024.",
    "Its parameters are d_2 × 2 = 1,024.",
    "Its parameters are \\frac2 × 2 = 4.",
    "1,050,624 · × 6 layers = 6,303,744",
]


@pytest.mark.parametrize(("sentence", "expected"), SENTENCES.items())
def test_sentences_under_the_heading(sentence: str, expected: Quantity) -> None:
    found = quantity("Parameters", "", sentence)
    assert found == replace(expected, id=expected.id or "first-valve")
    assert str(found.position) == f"page.txt:{LINE + 2}"
    assert quantity(sentence) is None


@pytest.mark.parametrize("sentence", SILENT)
def test_prose_under_the_heading(sentence: str) -> None:
    assert quantity("Parameters", "", sentence) is None


@pytest.mark.parametrize("sentence", UNREAD)
def test_a_number_beside_the_word_that_is_not_taken_is_remarked(sentence: str) -> None:
    found = remarked("Parameters", "", f"It is so. {sentence}")
    why = "exact" if sentence.startswith(("About", "Some")) else "understood"
    assert found.manifest.quantities == ()
    assert list(map(str, found.remarks)) == [
        f"page.txt:{LINE + 2}: {sentence} is not {why}, and its number of parameters is not checked"
    ]


OWN = {
    "One token costs $2 \\times 512 \\times 2{,}048 = 2{,}097{,}152$ FLOPs.": "2 × 512 × 2048 = 2097152",
    "In fp16 these parameters take $1{,}050{,}624 \\times 2 = 2{,}101{,}248$ bytes.": "1050624 × 2 = 2101248",
    "In fp16 these parameters take 1,050,624 × 2 = 2,101,248 bytes.": "1050624 × 2 = 2101248",
    "The width grows by $2{,}048 / 512 = 4$.": "2048 / 512 = 4",
    "(Here $8 \\times 64 = 512$.)": "8 × 64 = 512",
    "Encoder and decoder together: $2 \\times 6{,}303{,}744 = 12{,}607{,}488$ parameters.": (
        "2 × 6303744 = 12607488"
    ),
    "That is $1.05 \\times 6 = 6.3$ million parameters.": "1.05 × 6 = 6.3",
    "Across 6 layers: $2{,}101{,}248 \\times 6 = 12{,}607{,}488$ bytes.": "2101248 × 6 = 12607488",
}
OURS = {
    "So $1{,}050{,}625 \\times 6 = 6{,}303{,}750$.": "1050625 × 6 = 6303750",
    "So $512 \\times 2{,}048 + 2{,}048 = 1{,}050{,}624$.": "512 × 2048 + 2048 = 1050624",
    "So $3 \\times 2{,}101{,}248 = 6{,}303{,}744$.": "3 × 2101248 = 6303744",
}


@pytest.mark.parametrize(("sentence", "equation"), OWN.items())
def test_an_equation_of_something_else_is_apart(sentence: str, equation: str) -> None:
    ours, others = page(*WHOLE, "", sentence).manifest.quantities
    assert (ours,) == page(*WHOLE).manifest.quantities
    assert others == Quantity("first-valve-equations", statements=(equation,))
    assert str(others.position) == f"page.txt:{LINE + len(WHOLE) + 1}"


@pytest.mark.parametrize(("sentence", "equation"), OURS.items())
def test_an_equation_of_the_quantity_is_one_of_its_statements(sentence: str, equation: str) -> None:
    (ours,) = page(*WHOLE, "", sentence).manifest.quantities
    assert ours.statements[-1] == equation


def test_a_calculation_with_another_result_is_an_equation_too() -> None:
    ours, others = page(HEADER, "a\t$512 \\times 2 = 1{,}025$\t1,024").manifest.quantities
    assert ours == replace(EMPTY, terms=(Term("a", "512 × 2", "1024"),))
    assert others == Quantity("first-valve-equations", statements=("512 × 2 = 1025",))


EMBEDDING = [
    "out: $x$ [B batch, T positions, 768 d]",
    CAPTION,
    HEADER,
    "table\t$50{,}257 \\times 768$\t38,597,376",
    "Per-instance total\t\t38,597,376",
    "",
]
VOCABULARY = {
    "prose": (["For a vocabulary of 50,257 tokens it is so."], EVIDENCE, ("a vocabulary of 50,257 tokens",)),
    "a claim": ([], EVIDENCE.replace("It is so.", "It has 50257 rows."), ("It has 50257 rows",)),
    "code": ([], EVIDENCE.replace("x = 1", "f(n_vocab=50257, x)"), ("f(n_vocab=50257",)),
    "nowhere": (["Parameters", "So $50{,}257 \\times 768 = 38{,}597{,}376$."], EVIDENCE, ()),
}


@pytest.mark.parametrize(("head", "evidence", "stated"), VOCABULARY.values(), ids=VOCABULARY)
def test_a_dimension_that_the_page_states_elsewhere(
    head: list[str], evidence: str, stated: tuple[str, ...]
) -> None:
    (found,) = remarked(*EMBEDDING, *head, evidence=evidence).manifest.quantities
    assert found.shapes == ("[B batch, T positions, 768 d]", *stated)
    assert (judge_quantity(found).verdict is Verdict.HOLDS) is bool(stated)


def test_prose_does_not_hide_a_shape_that_is_another() -> None:
    head = [line.replace("2048 d_ff", "2049 d_ff") for line in WHOLE]
    (found,) = page("Map 512 features to 2,048.", "", *head).manifest.quantities
    assert found.shapes == (
        "[B batch, T target positions, 512 d]",
        "[B batch, T target positions, 2049 d_ff]",
    )
    assert judge_quantity(found).verdict is Verdict.BROKEN


def test_a_shape_without_spaces_is_the_one_that_is_calculated() -> None:
    head = [line.replace("[B batch, T positions, 768 d]", "[12,768]") for line in EMBEDDING]
    head.insert(3, "bias\t12\t12")
    (found,) = page(*head, "A vocabulary of 50,257 tokens.").manifest.quantities
    assert found.shapes == ("[12,768]", "A vocabulary of 50,257 tokens")


def test_prose_behind_the_code_list_is_none_of_it() -> None:
    assert quantity("Parameters") is None
    text = f"Engine · Valve\n\nParameters\n\nCodevalve.py 1–2\n\n2 parameters.\n\nSources1\n\n{EVIDENCE}"
    assert read_page(text, "page.txt").manifest.quantities == ()


DISAGREEMENTS = {
    "another total": (
        ["parameters: 1,024", "Parameters", "1,025 parameters per instance."],
        Quantity("", (), "1024", None, None, ("1024", "1025")),
    ),
    "another repetition in the equation": (
        [
            "parameters: 1,024 · × 6 layers = 6,144",
            "Parameters",
            "Across 6 layers: $1{,}024 \\times 7 = 7{,}168$.",
        ],
        Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144", "1024 × 7 = 7168")),
    ),
    "another repetition in the words": (
        [
            "parameters: 1,024 · × 6 layers = 6,144",
            "Parameters",
            "Across 7 layers: $1{,}024 \\times 6 = 6{,}144$.",
        ],
        Quantity(
            "",
            (),
            "1024",
            "6",
            "6144",
            ("1024 × 6 layers = 6144", "1024 × 6 = 6144", "1024 × 7 = 6144"),
        ),
    ),
    "another repetition and another overall value": (
        [
            "parameters: 1,024 · × 6 layers = 6,144",
            "Parameters",
            "Across 7 layers: $1{,}024 \\times 6 = 6{,}145$.",
        ],
        Quantity(
            "",
            (),
            "1024",
            "6",
            "6144",
            ("1024 × 6 layers = 6144", "1024 × 6 = 6145", "1024 × 7 = 6145"),
        ),
    ),
    "another repetition without a value": (
        ["parameters: 1,024 · × 6 layers = 6,144", "parameters: 1,024 · × 7 layers"],
        Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144", "1024", "1024 × 7 = 6144")),
    ),
    "another repetition and no value at all": (
        ["parameters: 1,024 · × 6 layers", "parameters: 1,024 · × 7 layers"],
        Quantity("", (), "1024", "6", None, ("1024",)),
    ),
    "another repetition and no total": (
        ["Parameters", "6,144 parameters across 6 layers.", "7,168 parameters across 7 layers."],
        Quantity("", (), None, "6", "6144", ("6144", "7168")),
    ),
    "another overall value": (
        ["parameters: 1,024 · × 6 layers = 6,144", "Parameters", "6,145 parameters across 6 layers."],
        Quantity("", (), "1024", "6", "6144", ("1024 × 6 layers = 6144", "6145")),
    ),
    "a table that says otherwise": (
        ["parameters: 1,024", "Component\tCalculation\tParameters", "Gain\t$512$\t513", "total\t\t512"],
        Quantity("", (Term("Gain", "512", "513"),), "512", None, None, ("1024",)),
    ),
}


@pytest.mark.parametrize(("head", "expected"), DISAGREEMENTS.values(), ids=DISAGREEMENTS)
def test_what_disagrees_is_taken_as_it_stands(head: list[str], expected: Quantity) -> None:
    assert quantity(*head) == replace(expected, id="first-valve")


TABLES = {
    "whole": (TABLE, Quantity("", TERMS, "1050624")),
    "without a caption": (TABLE[1:], Quantity("", TERMS, "1050624")),
    "a blank line under the caption": ([CAPTION, "", *TABLE[1:]], Quantity("", TERMS, "1050624")),
    "without a total": (TABLE[:-1], Quantity("", TERMS)),
    "the total first": ([*TABLE[:2], TABLE[-1], *TABLE[2:-1]], Quantity("", TERMS, "1050624")),
    "the total alone": ([*TABLE[:2], TABLE[-1]], Quantity("", (), "1050624")),
    "a total with its calculation": (
        [*TABLE[:-1], "Total\t$1{,}048{,}576 + 2{,}048$\t1,050,624"],
        Quantity("", TERMS, "1050624", statements=("1048576 + 2048 = 1050624",)),
    ),
    "wrong sums": (
        [HEADER, "a\t$1 + 1$\t3", "total\t\t4"],
        Quantity("", (Term("a", "1 + 1", "3"),), "4"),
    ),
    "words": ([HEADER, "a\ttied to b\t0"], Quantity("", (Term("a", "tied to b", "0"),))),
    "white space": (
        ["\u200bComponent \t Calculation\tParameters ", "a  b\t 1\xa0+ 1 \t2 "],
        Quantity("", (Term("a b", "1 + 1", "2"),)),
    ),
    "typeset": (
        [HEADER, "a\t$\\frac{1{,}024}{2}$\t$5{,}12$".replace("5{,}12", "512")],
        Quantity("", (Term("a", "((1024) / (2))", "512"),)),
    ),
    "a tab too many": (
        [f"{HEADER}\t", "a\t1\t1\t", "b\t2\t2\t\t ", "total\t\t3\t"],
        Quantity("", (Term("a", "1", "1"), Term("b", "2", "2")), "3"),
    ),
    "no calculation of the total": ([*TABLE[:-1], "total\t—\t1,050,624"], Quantity("", TERMS, "1050624")),
    "grouped by apostrophes": ([HEADER, "a\t16'384\t16’384"], Quantity("", (Term("a", "16384", "16384"),))),
    "a calculation with its result": (
        [HEADER, "a\t$512 \\times 2 = 1{,}024$\t1,024"],
        Quantity("", (Term("a", "512 × 2", "1024"),)),
    ),
    "rows end with a blank line": (
        [HEADER, "a\t1\t1", "", "c 3 3"],
        Quantity("", (Term("a", "1", "1"),)),
    ),
    "as many rows as may be": (
        [HEADER, *["a\t1\t1"] * 1000],
        Quantity("", (Term("a", "1", "1"),) * 1000),
    ),
    "as long a number as may be": (
        [HEADER, f"a\t1\t{'9' * 200}"],
        Quantity("", (Term("a", "1", "9" * 200),)),
    ),
    "another table behind": (
        [HEADER, "a\t1\t1", "", "Shape\tMeaning\tUse", "a\t1\twidth", "b\t2\twidth\t7"],
        Quantity("", (Term("a", "1", "1"),)),
    ),
}


@pytest.mark.parametrize(("rows", "expected"), TABLES.values(), ids=TABLES)
def test_tables(rows: list[str], expected: Quantity) -> None:
    found = quantity("prose", "", *rows)
    assert found == replace(expected, id="first-valve")
    assert str(found.position) == f"page.txt:{LINE + 2}"


def test_a_table_is_no_prose() -> None:
    found = quantity("Parameters", "", HEADER, "1 parameter: $1 + 1 = 2$\t1\t1", "2 parameters\t2\t2")
    assert found is not None
    assert found.statements == ()


NO_TABLE = {
    "other columns": ["Component\tShape\tParameters", "a\t1\t1"],
    "spaces for tabs": ["Component Calculation Parameters", "a 1 1"],
    "more columns": [f"{HEADER}\tNote", "a\t1\t1\tx"],
}


@pytest.mark.parametrize("rows", NO_TABLE.values(), ids=NO_TABLE)
def test_other_tables_are_none_of_it(rows: list[str]) -> None:
    assert quantity(*rows) is None


@pytest.mark.parametrize(
    "label",
    ["Total parameters", "Grand total", "Per-layer total", "Total:", "Sum", "total", "Overall total", "SUM:"],
)
def test_labels_of_the_total(label: str) -> None:
    assert quantity(*TABLE[:-1], f"{label}\t\t1,050,624") == replace(EMPTY, terms=TERMS, total="1050624")


COLUMNS = "Component, Calculation, Parameters"
WITHOUT_TABS = (
    "this line follows the rows of a table and has no tabs: "
    "set its cells apart, or put a blank line before it"
)
LONG = "9" * 201
WRONG = {
    "no columns": (
        [CAPTION, "prose"],
        1,
        f"expected the columns {COLUMNS}, with tabs between, under `{CAPTION}`",
    ),
    "spaces for tabs": (
        [CAPTION, HEADER.replace("\t", " ")],
        1,
        f"expected the columns {COLUMNS}, with tabs between, under `{CAPTION}`",
    ),
    "a column too few": (
        [CAPTION, "Component\tParameters", "a\t1"],
        1,
        f"expected the columns {COLUMNS}, with tabs between, under `{CAPTION}`",
    ),
    "nothing under the caption": (
        [CAPTION],
        2,
        f"expected the columns {COLUMNS}, with tabs between, under `{CAPTION}`",
    ),
    "no row": ([HEADER, "", "a\t1"], 0, "a table of parameters without a row"),
    "a cell too few": ([HEADER, "a\t1\t1", "b\t1"], 2, f"the row 'b' has 2 cells; expected 3: {COLUMNS}"),
    "a cell too many": ([HEADER, "a\t1\t1\t1"], 1, f"the row 'a' has 4 cells; expected 3: {COLUMNS}"),
    "a total with a cell too few": (
        [HEADER, "Per-instance total\t1,024"],
        1,
        f"the row 'Per-instance total' has 2 cells; expected 3: {COLUMNS}",
    ),
    "no name": ([HEADER, "\t1\t1"], 1, "a row without a Component"),
    "no name and too few": ([HEADER, "\t1"], 1, f"the row without a name has 2 cells; expected 3: {COLUMNS}"),
    "no calculation": ([HEADER, "a\t\t1"], 1, "the row 'a' has no Calculation"),
    "no parameters": ([HEADER, "a\t1\t"], 1, "the row 'a' has no Parameters"),
    "no total": ([HEADER, "a\t1\t1", "total\t\t"], 2, "the row 'total' has no Parameters"),
    "words for a number": (
        [HEADER, "a\t1\tmany"],
        1,
        "'many' under Parameters is no number of at most 200 digits",
    ),
    "a calculation for a number": (
        [HEADER, "a\t1\t1 + 1"],
        1,
        "'1 + 1' under Parameters is no number of at most 200 digits",
    ),
    "separators in odd places": (
        [HEADER, "a\t1\t1,05,0"],
        1,
        "'1,05,0' under Parameters is no number of at most 200 digits",
    ),
    "a number that is too long": (
        [HEADER, f"{'a' * 70}\t1\t{LONG}"],
        1,
        f"'{'9' * 60}…' under Parameters is no number of at most 200 digits",
    ),
    "a total twice": (
        [HEADER, "a\t1\t1", "total\t\t1", "Per-instance total\t\t1"],
        3,
        f"the total stands twice: line {LINE + 2} has 1",
    ),
    "a row that is cut off": (
        [HEADER, "a\t1\t1", "", "b\t1\t1"],
        3,
        "a blank line cuts this row off from its table",
    ),
    "a total without its tabs": (
        [*TABLE[:-1], "Per-instance total 1,050,625"],
        4,
        WITHOUT_TABS,
    ),
    "a row without its tabs": ([HEADER, "a\t1\t1", "b 2 2"], 2, WITHOUT_TABS),
    "any line right behind": ([HEADER, "a\t1\t1", "It is so."], 2, WITHOUT_TABS),
    "a total without its tabs behind a blank line": (
        [*TABLE[:-1], "", "Per-instance total: 1,050,625"],
        5,
        "this reads as the row of the total, and is cut off from its table: tabs set its cells apart",
    ),
    "two tables": (
        [CAPTION, HEADER, "a\t1\t1", "", "prose", CAPTION, HEADER, "a\t1\t1"],
        5,
        f"a second table of parameters: that on line {LINE} counts, so this one cannot",
    ),
    "many rows": (
        [HEADER, *["a\t1\t1"] * 1001],
        1001,
        "a table of parameters with more than 1,000 rows",
    ),
    "a count that is too long": (
        ["Parameters", f"{LONG} parameters."],
        1,
        f"{'9' * 60}… is no number of at most 200 digits",
    ),
    "separators in odd places of a count": (
        ["Parameters", "1,05,0 parameters."],
        1,
        "1,05,0 is no number of at most 200 digits",
    ),
    "and in the head": (["parameters: 1,05,0"], 0, "1,05,0 is no number of at most 200 digits"),
}


@pytest.mark.parametrize(("rows", "line", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_read_is_an_error_at_its_line(rows: list[str], line: int, message: str) -> None:
    with pytest.raises(PageError) as caught:
        page(*rows)
    assert str(caught.value) == f"page.txt:{LINE + line}: {message}"


SHAPES = {
    "in order, each once": (
        ["in: $a$ [B batch, 512 d]", "out: $b$ [512 d], $c$ [B batch, 512 d]"],
        ("[B batch, 512 d]", "[512 d]"),
    ),
    "on the lines that belong to them": (
        ["in: $a$ [1 a]", "$b$ [2 b]", "out: $c$ [3 c]", "", "$d$ [4 d]", "shape", "Δ [5 e]", "[6 f]"],
        ("[1 a]", "[2 b]", "[3 c]", "[5 e]", "[6 f]"),
    ),
    "not behind the parameters": (["in: [1 a]", "parameters: 1", "[2 b]"], ("[1 a]",)),
    "not within typeset names": (["in: $x[1]$ [2, [3 c]", "out: x[4] [] [5"], ("[3 c]",)),
    "white space": (["in:\xa0[B  batch,\xa0512\u2009d]"], ("[B batch, 512 d]",)),
    "none": (["input: [1 a]", "shapes [2 b]", " in: [3 c]"], ()),
}


@pytest.mark.parametrize(("head", "shapes"), SHAPES.values(), ids=SHAPES)
def test_shapes(head: list[str], shapes: tuple[str, ...]) -> None:
    found = quantity(*head, "", "parameters: 2")
    assert found is not None
    assert found.shapes == shapes


MANY = 100_000
LARGE = {
    "prose": ["words and 512 × 2 more"] * MANY,
    "words": ["parameters: none"] * 4_000,
    "brackets": ["in: " + "[" * 1_000_000],
    "brackets and spaces": ["in: " + " [" * 500_000 + "]" * 500_000],
    "dollars": ["$" * 1_000_000],
    "digits": ["9" * 1_000_000],
    "groups": ["1" + ",1" * 500_000],
    "typeset groups": ["1" + "{,}111" * 100_000],
    "spaced groups": ["1" + " 111" * 200_000],
    "brackets in values": ["(" * 500_000 + "1 = 1" + ")" * 500_000 + " values"],
    "runs": ["1 + 1 " * 200_000 + "= values"],
    "signs": ["1 - " * 200_000 + "values"],
    "sentences": ["It is so. " * 100_000],
}


@pytest.mark.parametrize("head", LARGE.values(), ids=LARGE)
def test_a_large_head_that_says_nothing(head: list[str]) -> None:
    assert quantity(*head, "", "Parameters", "", *head) is None


def test_no_page_states_so_much() -> None:
    assert quantity(*["parameters: none"] * 5_000, "Parameters", *["$d = 1$"] * 2_500) is None
    with pytest.raises(PageError) as caught:
        page(*["parameters: none"] * 5_000, "Parameters", *["$d = 1$"] * 2_501)
    line = LINE + 5_000 + 2_501
    assert str(caught.value) == (
        f"page.txt:{line}: more than 10,000 statements of parameters: no page has so many"
    )


def test_a_title_says_nothing_of_parameters() -> None:
    for title in ("parameters: 12", "Parameters", "in: [2 a]"):
        text = f"{title}\n\n1 parameter.\n\nCodevalve.py 1–2\n\nSources1\n\n{EVIDENCE}"
        assert read_page(text, "page.txt").manifest.quantities == ()


LARGE_SAYING = {
    "rows": [HEADER, *["a\t1\t1"] * MANY],
    "cells": [HEADER, "\t" * 1_000_000],
    "tables": [HEADER, "a\t1\t1", ""] * MANY,
    "captions": [CAPTION] * MANY,
    "the heads own lines": ["parameters: none"] * MANY,
    "statements": ["Parameters", *["1 parameter."] * MANY],
    "equations": ["Parameters", "$1 + 1 = 2$ " * MANY],
    "signs of equality": ["Parameters", "= " * 1_000_000],
}


@pytest.mark.parametrize("head", LARGE_SAYING.values(), ids=LARGE_SAYING)
def test_a_large_head_that_says_too_much_is_refused(head: list[str]) -> None:
    with pytest.raises(PageError, match=r"^page\.txt:[0-9]+: "):
        page(*head)


def test_many_shapes_and_statements_are_each_kept_once() -> None:
    shapes = [f"[{number % 7} d]" for number in range(MANY)]
    counts = [f"{number % 5} parameters." for number in range(5_000)]
    found = quantity(f"in: {' '.join(shapes)}", "", "Parameters", "", *counts)
    assert found == Quantity(
        "first-valve",
        (),
        "0",
        statements=tuple(map(str, range(5))),
        shapes=tuple(f"[{number} d]" for number in range(7)),
    )


FRAGMENTS = [
    *(
        "Parameters",
        "parameters: ",
        CAPTION,
        HEADER,
        "Across 6 layers: ",
        "1,024",
        "×",
        "6",
        "=",
        "$",
        "\t",
        " ",
    ),
    *(" parameters", " values", ". ", "total", "in: ", "[512 d]", "\\times", "{,}", "(", ")", " · ", "d", ""),
]


@given(st.lists(st.lists(st.sampled_from(FRAGMENTS), max_size=7).map("".join), max_size=7))
def test_any_head_is_read_or_refused_at_one_of_its_lines(head: list[str]) -> None:
    read: Page | PageError
    try:
        read = remarked(*head)
    except PageError as error:
        read = error
    if isinstance(read, PageError):
        assert LINE <= read.position.line <= LINE + len(head) + 1
        return
    digits = set(chain.from_iterable(head))
    for found in read.manifest.quantities:
        texts = [found.total, found.repeated, found.overall, *found.statements]
        assert all(set(filter(str.isdigit, text)) <= digits for text in texts if text is not None)


@pytest.mark.parametrize("index", range(len(WHOLE)))
@pytest.mark.parametrize("change", ["drop", "double", "swap", "cut"])
def test_a_mangled_page_is_read_or_refused_at_one_of_its_lines(index: int, change: str) -> None:
    head = list(WHOLE)
    match change:
        case "drop":
            head[index : index + 1] = []
        case "double":
            head.insert(index, head[index])
        case "swap":
            head[index], head[-1] = head[-1], head[index]
        case _:
            head[index] = head[index][: len(head[index]) // 2]
    read: Page | PageError
    try:
        read = remarked(*head)
    except PageError as error:
        read = error
    if isinstance(read, PageError):
        assert LINE <= read.position.line <= LINE + len(head) + 1
    else:
        found = read.manifest.quantities[0]
        assert {found.total, found.repeated, found.overall} <= {"1050624", "6", "6303744", None}

"""Whether the arithmetic that a document shows holds."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from provenance.citation import Quantity, Term
from provenance.compare.arithmetic.quantity import judge_quantity, summary
from provenance.compare.numbers import number
from provenance.evidence import Judgement, Verdict

GENEROUS = 20.0
"""Seconds of this process's own time; the cases take a fraction of it, and what is not bounded takes minutes."""

FIRST_LINEAR_MAP = Quantity(
    "first-linear-map",
    (Term("Weight matrix", "512 × 2048", "1048576"), Term("Output bias", "2048", "2048")),
    total="1050624",
    repeated="6",
    overall="6303744",
    statements=("1050624", "1050624 × 6 = 6303744", "1050624 × 6 layers = 6303744"),
    shapes=("[B batch, T target positions, 512 d]", "[B batch, T target positions, 2048 d_ff]"),
)
TARGET_SPACE = Quantity(
    "target-space",
    (Term("table", "32 × 512", "16384"),),
    total="16384",
    statements=("16384", "32 × 512"),
    shapes=("[B batch, S source positions, 512 d]",) * 2 + ("32 × 512 values",),
)
LAYER_NORM = Quantity(
    "layer-norm",
    (Term("Learned gain", "512", "512"), Term("Learned bias", "512", "512")),
    total="1024",
    repeated="6",
    overall="6144",
    statements=("1024", "1024 × 6 = 6144"),
    shapes=("[B batch, S source positions, 512 d]",) * 2,
)
AS_SHOWN = Quantity(
    "as-shown",
    (Term("Weight matrix", r"$512 \times 2{,}048$", "1,048,576"), Term("Output bias", "$2{,}048$", "2,048")),
    total="1,050,624",
    repeated="6 layers",
    overall="6,303,744",
    statements=(
        "1,050,624 parameters per instance.",
        "× 6 layers = 6,303,744",
        r"$1{,}050{,}624 \times 6 = 6{,}303{,}744$ parameters.",
        "6 · 1,050,624 = 6,303,744 ≈ 6.3 million",
    ),
    shapes=FIRST_LINEAR_MAP.shapes,
)
PAGES = [FIRST_LINEAR_MAP, TARGET_SPACE, LAYER_NORM, AS_SHOWN]


def broken(quantity: Quantity) -> str:
    judgement = judge_quantity(quantity)
    assert judgement == Judgement(Verdict.BROKEN, judgement.message)
    return judgement.message


def term(calculation: str, equals: str, name: str = "") -> Quantity:
    return Quantity("q", (Term(name, calculation, equals),))


@pytest.mark.parametrize("quantity", PAGES, ids=lambda quantity: quantity.id)
def test_real_pages_hold(quantity: Quantity) -> None:
    assert judge_quantity(quantity) == Judgement(Verdict.HOLDS)


@pytest.mark.parametrize(
    ("quantity", "line"),
    [
        (FIRST_LINEAR_MAP, "1,050,624 × 6 = 6,303,744"),
        (AS_SHOWN, "1,050,624 × 6 = 6,303,744"),
        (TARGET_SPACE, "32 × 512 = 16,384"),
        (LAYER_NORM, "1,024 × 6 = 6,144"),
        (replace(FIRST_LINEAR_MAP, repeated=None, overall=None), "512 × 2,048 + 2,048 = 1,050,624"),
        (replace(FIRST_LINEAR_MAP, repeated=None, overall=None, total=None), "512 × 2,048 + 2,048 = 1,050,624"),
        (replace(LAYER_NORM, total=None, overall=None), "1,024 × 6 = 6,144"),
        (Quantity("q", total="16384"), "= 16,384"),
        (Quantity("q", overall="16384"), "= 16,384"),
        (Quantity("q", repeated="6", overall="12"), "2 × 6 = 12"),
        (Quantity("q", repeated="6"), "? × 6 = ?"),
        (Quantity("q", statements=("$2 \\times 3 = 6$",)), "2 × 3 = 6"),
        (Quantity("q"), "nothing to calculate"),
        (term("5 ? 6", "nought"), "5 ? 6 = ?"),
        (Quantity("q", total="a\n lot"), "= a lot"),
        (Quantity("q", tuple(Term("", str(n), str(n)) for n in range(9))), "0 + 1 + 2 + 3 + … + 8 = 36"),
        (term("5" + " + 5" * 400, "2005"), "5" + " + 5" * 39 + " +… = 2,005"),
    ],
)  # fmt: skip
def test_one_line_for_a_table(quantity: Quantity, line: str) -> None:
    shown = summary(quantity)
    assert shown == line or (len(line) > 160 and shown == line[:159] + "…")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param(
            {"terms": (Term("Weight matrix", "512 × 2048", "1048577"), Term("Output bias", "2048", "2047"))},
            "Weight matrix: 512 × 2,048 = 1,048,577 does not hold; 1,048,576 would be right; "
            "Output bias: 2,048 = 2,047 does not hold; 2,048 would be right",
            id="terms",
        ),
        pytest.param(
            {"total": "1050625", "repeated": None, "overall": None, "statements": ()},
            "1,048,576 + 2,048 = 1,050,625 does not hold; 1,050,624 would be right",
            id="total",
        ),
        pytest.param(
            {"overall": "6303745", "statements": ()},
            "1,050,624 × 6 = 6,303,745 does not hold; 6,303,744 would be right",
            id="overall",
        ),
        pytest.param(
            {"statements": ("1,050,625",)},
            "the document also states 1,050,625, and the total is 1,050,624 and the overall value 6,303,744",
            id="a number",
        ),
        pytest.param(
            {"statements": ("1,050,625",), "repeated": None, "overall": None},
            "the document also states 1,050,625, and the total is 1,050,624",
            id="a number beside a total alone",
        ),
        pytest.param(
            {"statements": ("33 × 512 values",), "repeated": None, "overall": None},
            "the document also states 33 × 512 values, and the total is 1,050,624",
            id="a calculation",
        ),
        pytest.param(
            {"statements": ("1050624 × 6 = 6303745",)},
            "1,050,624 × 6 = 6,303,745 does not hold; 6,303,744 would be right",
            id="an equation that does not hold",
        ),
        pytest.param(
            {"statements": ("6303745 = 1050624 × 6 = 6 × 1050624",)},
            "6,303,745 = 1,050,624 × 6 = 6 × 1,050,624 does not hold; 6,303,744 would be right",
            id="an equation that begins with its result",
        ),
        pytest.param(
            {"statements": ("6303745 parameters = 1050624 × 6",)},
            "6,303,745 parameters = 1,050,624 × 6 does not hold; 6,303,744 would be right",
            id="an equation that begins with its result and words",
        ),
        pytest.param(
            {"statements": ("2 × 3 = 6",)},
            "the document also states 2 × 3 = 6, and the total is 1,050,624 and the overall value 6,303,744",
            id="an equation of something else",
        ),
        pytest.param(
            {"statements": ("2101248 × 3 = 6303744",)},
            "2,101,248 × 3 = 6,303,744 does not multiply the total 1,050,624 by 6",
            id="other factors",
        ),
        pytest.param(
            {"statements": ("× 7 layers = 7,354,368",)},
            "the document also states 1,050,624 × 7 layers = 7,354,368, and the total is 1,050,624 and "
            "the overall value 6,303,744",
            id="more layers",
        ),
        pytest.param(
            {"shapes": ("[B batch, 513 d]", "2048 d_ff")},
            "the dimension 512 of 512 × 2,048 stands in no shape of the document",
            id="a shape",
        ),
        pytest.param(
            {"terms": (Term("Weight matrix", "512 ? 2048", "1048576"), Term("", "2048", "2 0"))},
            "Weight matrix: column 5: '?' is no part of a calculation; "
            "its value: column 3: there is no sign before '0'",
            id="terms that cannot be read",
        ),
        pytest.param(
            {"total": "many", "statements": ()}, "total: column 1: 'many' is no number", id="no number"
        ),
        pytest.param(
            {"repeated": "six", "statements": ()}, "repeated: column 1: 'six' is no number", id="no count"
        ),
        pytest.param(
            {"overall": "", "statements": ()}, "overall: column 1: there is no number", id="nothing"
        ),
        pytest.param({"repeated": "2.5"}, "repeated: 2.5 is no whole number above 0", id="half a layer"),
        pytest.param({"repeated": "0"}, "repeated: 0 is no whole number above 0", id="no layer"),
        pytest.param({"repeated": "-6"}, "repeated: -6 is no whole number above 0", id="fewer than none"),
        pytest.param(
            {"statements": (r"$32 \times ?$", "1050624 × 6 = ?")},
            "the statement $32 \\times ?$: column 12: '?' is no number; "
            "the statement 1050624 × 6 = ?: in ?, column 1: '?' is no number",
            id="statements that cannot be read",
        ),
        pytest.param(
            {"total": "9^9^9^9", "statements": ()},
            "total: column 4: the value is larger than 10^1000, and was not calculated",
            id="too large",
        ),
    ],
)
def test_what_is_broken_is_told_with_what_would_be_right(changes: dict[str, object], message: str) -> None:
    assert broken(replace(FIRST_LINEAR_MAP, **changes)) == message  # type: ignore[arg-type] # any field


def test_failures_are_told_in_order_and_five_of_them() -> None:
    terms = tuple(Term(f"row {number}", "1 + 1", "3") for number in range(4))
    message = broken(Quantity("q", terms, "13", "2", "27", ("5", "1 = 2"), ("9 d",)))
    assert message.split("; ")[::2][:4] == [f"row {number}: 1 + 1 = 3 does not hold" for number in range(4)]
    assert message.endswith("3 + 3 + 3 + 3 = 13 does not hold; 12 would be right; and 3 more")


def test_the_right_total_is_not_asked_of_terms_that_cannot_be_read() -> None:
    quantity = Quantity("q", (Term("a", "2", "2"), Term("b", "3", "?")), total="7")
    assert broken(quantity) == "b: its value: column 1: '?' is no number"


@pytest.mark.parametrize(
    "quantity",
    [
        pytest.param(Quantity("q", statements=("16384", "32 × 512", "16,384 = 32 × 512")), id="statements alone"),
        pytest.param(Quantity("q", statements=("8 × 64 = 512", "2048 / 512 = 4")), id="equations of other things"),
        pytest.param(Quantity("q", repeated="6", statements=("1024", "6144")), id="of both values"),
        pytest.param(Quantity("q", repeated="6", statements=("6144", "1024")), id="of both values, the other way"),
        pytest.param(Quantity("q", repeated="6", overall="6144", statements=("1024",)), id="the total follows"),
        pytest.param(Quantity("q", total="1024", repeated="6", statements=("6144",)), id="the overall value follows"),
        pytest.param(Quantity("q", (Term("", "8 × 8", "64"),), statements=("64",)), id="the total is the terms' sum"),
        pytest.param(Quantity("q", total="1024", statements=("1024 × 6 = 6144", "6144")), id="an equation tells more"),
        pytest.param(Quantity("q", overall="6144", statements=("12 × 512", "6144")), id="an overall value alone"),
        pytest.param(replace(LAYER_NORM, statements=("2 × 512 = 1024",)), id="a product that is the total"),
        pytest.param(replace(LAYER_NORM, statements=("6 × 1024 = 6144",)), id="factors in the other order"),
        pytest.param(replace(LAYER_NORM, statements=("512 + 512 = 2 × 512 = 1024",)), id="three sides"),
        pytest.param(replace(LAYER_NORM, statements=("(512 + 512) × 6 = 6144",)), id="a total that is calculated"),
        pytest.param(replace(LAYER_NORM, repeated="1", overall="1024", statements=("1024 × 1 = 1024",)), id="once"),
        pytest.param(replace(LAYER_NORM, shapes=("[B batch, T positions]",)), id="shapes without a number"),
        pytest.param(replace(FIRST_LINEAR_MAP, statements=("512 × 2048 = 1048576",)), id="a term told once more"),
        pytest.param(replace(LAYER_NORM, shapes=("(1,512)",)), id="a shape without spaces"),
        pytest.param(replace(FIRST_LINEAR_MAP, shapes=("(512,2048)",)), id="a shape of two without spaces"),
        pytest.param(replace(FIRST_LINEAR_MAP, shapes=(r"[B, $2{,}048$]", "32 × 512")), id="LaTeX shapes"),
        pytest.param(
            replace(term("(512 + 1) × 0 + 512 × 2^10", "524288"), shapes=("512 d", "2 x")), id="0, 1 and powers"
        ),
        pytest.param(Quantity("q", (Term("", "0.1 + 0.2", "0.3"), Term("", "1/3", "1/3")), "19/30"), id="fractions"),
    ],
)  # fmt: skip
def test_what_agrees_holds(quantity: Quantity) -> None:
    assert judge_quantity(quantity) == Judgement(Verdict.HOLDS)


@pytest.mark.parametrize(
    ("quantity", "message"),
    [
        (
            Quantity("q", statements=("8 × 64 = 512", "2 × 3 = 7")),
            "2 × 3 = 7 does not hold; 6 would be right",
        ),
        (
            Quantity("q", statements=("8 × 64 = 512", "513")),
            "the document states 8 × 64 = 512, and also 513",
        ),
        (Quantity("q", statements=("512", "513")), "the document states 512, and also 513"),
        (
            replace(FIRST_LINEAR_MAP, overall="6303745", statements=("1050624 × 6 layers = 6303745",) * 3),
            "1,050,624 × 6 = 6,303,745 does not hold; 6,303,744 would be right",
        ),
        (
            replace(FIRST_LINEAR_MAP, overall="6303745", statements=("1050624 × 7 = 6303745",)),
            (
                "1,050,624 × 6 = 6,303,745 does not hold; 6,303,744 would be right; "
                "1,050,624 × 7 = 6,303,745 does not hold; 7,354,368 would be right"
            ),
        ),
        (Quantity("q", statements=("16384", "32 × 513")), "the document states 16,384, and also 32 × 513"),
        (
            Quantity("q", repeated="6", statements=("1024", "6145")),
            "the document states 1,024, and also 6,145",
        ),
        (
            Quantity("q", overall="6144", statements=("6145",)),
            "the document also states 6,145, and the overall value is 6,144",
        ),
        (
            replace(FIRST_LINEAR_MAP, statements=("1048576",)),
            "the document also states 1,048,576, and the total is 1,050,624 and the overall value 6,303,744",
        ),
        (
            Quantity("q", total="1024", statements=("1025 × 6 = 6150",)),
            "the document also states 1,025 × 6 = 6,150, and the total is 1,024",
        ),
        (
            Quantity("q", total="1024", statements=("1024 × 6 = 6144", "6145")),
            "the document also states 6,145, and the total is 1,024 and the overall value 6,144",
        ),
    ],
)
def test_statements_have_to_agree(quantity: Quantity, message: str) -> None:
    assert broken(quantity) == message


@pytest.mark.parametrize(
    ("quantity", "note"),
    [
        (Quantity("q"), "nothing to calculate"),
        (Quantity("q", total="5"), "nothing to calculate"),
        (Quantity("q", total="5", repeated="6"), "nothing to calculate"),
        (Quantity("q", shapes=("512 d",)), "nothing to calculate"),
        (
            replace(LAYER_NORM, repeated=None, statements=()),
            "6,144 was not checked: how often the total is taken is not stated",
        ),
        (replace(LAYER_NORM, statements=("≈ 6 thousand",)), "≈ 6 thousand is not exact, and was not checked"),
        (
            Quantity("q", (Term("Q, K, V", "3 × 512 × 512", "786432"),), shapes=("[T positions, 512 d]",)),
            "the count 3 of 3 × 512 × 512 stands in no shape of the document",
        ),
    ],
)
def test_what_a_reader_should_know(quantity: Quantity, note: str) -> None:
    assert judge_quantity(quantity) == Judgement(Verdict.HOLDS, notes=(note,))


@pytest.mark.parametrize(
    ("calculation", "equals", "shapes", "dimensions"),
    [
        ("33 × 512", "16896", ["[B batch, 512 d]"], ["33"]),
        ("33 × 513 + 33", "16962", ["[B batch, 512 d]"], ["33", "513"]),
        ("9 × 512", "4608", ["[B batch, 512 d]"], []),
        ("10 × 512", "5120", ["[B batch, 512 d]"], ["10"]),
        ("3 × 4", "12", ["[B batch, 512 d]"], ["3", "4"]),
        ("3", "3", ["[1, 512]"], ["3"]),
        ("1.5 × 512", "768", ["512 d"], ["1.5"]),
        ("32 × 512", "16384", ["[32,512]"], []),
        ("512 × 2048", "1048576", ["conv512 2048", "v1.512.3"], ["512"]),
        ("50257 × 768", "38597376", ["[T, 768 d]", "a vocabulary of 50,257 tokens"], []),
        ("32 × 512", "16384", ["[B batch, S positions]", "32 × 512"], []),
        ("50257", "50257", ["[T, 768 d]", "50,257 tokens"], []),
        ("32 + 512", "544", ["[T, 768 d]", "32 x", "512 y"], []),
    ],
)
def test_dimensions_stand_in_shapes(
    calculation: str, equals: str, shapes: list[str], dimensions: list[str]
) -> None:
    judgement = judge_quantity(replace(term(calculation, equals), shapes=tuple(shapes)))
    assert re.findall(r"the dimension (\S+) of", judgement.message) == dimensions
    assert judgement.verdict is (Verdict.BROKEN if dimensions else Verdict.HOLDS)


def test_one_dimension_of_a_product_stands_in_a_shape_in_square_brackets() -> None:
    quantity = replace(term("32 × 512", "16384"), shapes=("[B batch, 513 d]", "32 × 512"))
    assert judge_quantity(quantity) == Judgement(
        Verdict.BROKEN, "no dimension of 32 × 512 stands in a shape in square brackets"
    )


# A quantity that is right, in any of its forms, and what one wrong digit makes of it.


def spell(draw: st.DrawFn, number: int) -> str:
    forms = [f"{number}", f"{number:,}", f"{number:,}".replace(",", "{,}"), f"{number:_}", f"${number:,}$"]
    return draw(st.sampled_from(forms))


@st.composite
def consistent(draw: st.DrawFn) -> Quantity:
    terms, total, dimensions = [], 0, set()
    for index in range(draw(st.integers(1, 4))):
        factors = draw(st.lists(st.integers(2, 3000), min_size=1, max_size=3))
        dimensions.update(factors)
        value = 1
        for factor in factors:
            value *= factor
        sign = draw(st.sampled_from([" × ", "*", r" \times ", "·"]))
        calculation = sign.join(spell(draw, factor).strip("$") for factor in factors)
        terms.append(Term(f"row {index}", calculation, spell(draw, value)))
        total += value
    repeated = draw(st.integers(2, 99))
    one, all_ = total, total * repeated
    statements = [
        spell(draw, one),
        spell(draw, all_),
        f"{spell(draw, one)} × {repeated} = {spell(draw, all_)}",
        f"{repeated} layers · {one:,} = {all_}",
        f"× {repeated} = {all_:,}",
    ]
    return Quantity(
        "q",
        tuple(terms),
        draw(st.sampled_from([spell(draw, one), None])),
        f"{repeated}",
        draw(st.sampled_from([spell(draw, all_), None])),
        tuple(draw(st.lists(st.sampled_from(statements), max_size=4))),
        draw(st.sampled_from([(), tuple(f"[B batch, {size} d]" for size in sorted(dimensions))])),
    )


def texts(quantity: Quantity) -> list[tuple[int, str]]:
    """Every text of a quantity that has numbers, shapes aside, with its place."""
    found = [
        *(text for row in quantity.terms for text in (row.calculation, row.equals)),
        *(quantity.total, quantity.repeated, quantity.overall),
        *quantity.statements,
    ]
    return [(place, text) for place, text in enumerate(found) if text is not None]


def with_text(quantity: Quantity, place: int, text: str) -> Quantity:
    rows = 2 * len(quantity.terms)
    if place < rows:
        terms = list(quantity.terms)
        row = terms[place // 2]
        terms[place // 2] = replace(row, equals=text) if place % 2 else replace(row, calculation=text)
        return replace(quantity, terms=tuple(terms))
    match place - rows:
        case 0:
            return replace(quantity, total=text)
        case 1:
            return replace(quantity, repeated=text)
        case 2:
            return replace(quantity, overall=text)
        case index:
            statements = list(quantity.statements)
            statements[index - 3] = text
            return replace(quantity, statements=tuple(statements))


@given(consistent(), st.data())
@settings(max_examples=300, deadline=None)
def test_one_wrong_digit_is_enough(quantity: Quantity, data: st.DataObject) -> None:
    assert judge_quantity(quantity) == Judgement(Verdict.HOLDS)
    place, text = data.draw(st.sampled_from(texts(quantity)))
    if place == 2 * len(quantity.terms) + 1:
        assume(quantity.overall is not None)  # else nothing depends on it for certain
    at = data.draw(st.sampled_from([at for at, sign in enumerate(text) if sign.isdigit()]))
    digit = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != text[at]]))
    wrong = text[:at] + digit + text[at + 1 :]
    total = sum((number(row.equals) or 0 for row in quantity.terms), Fraction(0))
    overall = total * int(quantity.repeated or "1")
    assume(number(wrong) not in {total, overall})  # a statement of the one may become one of the other
    assert broken(with_text(quantity, place, wrong))


TEXT = st.one_of(
    st.text(max_size=12),
    st.lists(
        st.sampled_from([*"0123456789×+-/^()=≈ .,", "512", r"\times", "{,}", "9^9", "1e999"]), max_size=8
    ).map("".join),
)
ANY = st.builds(
    Quantity,
    TEXT,
    st.lists(st.builds(Term, TEXT, TEXT, TEXT), max_size=4).map(tuple),
    st.none() | TEXT,
    st.none() | TEXT,
    st.none() | TEXT,
    st.lists(TEXT, max_size=4).map(tuple),
    st.lists(TEXT, max_size=3).map(tuple),
)


@given(ANY)
@example(
    Quantity(
        "q", (Term("\x00\u202e", "\ud800", "1e9999"),), "1e-9999", "0", "-0", ("=", "≈", "×"), ("1e9999",)
    )
)
@settings(max_examples=1_000, deadline=None)
def test_no_quantity_is_too_strange(quantity: Quantity) -> None:
    judgement = judge_quantity(quantity)
    assert judgement.verdict in {Verdict.HOLDS, Verdict.BROKEN}
    assert (judgement.verdict is Verdict.BROKEN) == bool(judgement.message)
    assert judgement.similarity is None
    assert judge_quantity(quantity) == judgement
    line = summary(quantity)
    assert line == " ".join(line.split())


PRIMES = [n for n in range(1000, 9000) if all(n % d for d in range(2, 100))]


@pytest.mark.parametrize(
    "quantity",
    [
        pytest.param(
            Quantity("q", tuple(Term("", f"1/{p}^200", f"1/{p}^200") for p in PRIMES), "1"), id="primes"
        ),
        pytest.param(
            Quantity("q", tuple(Term("n" * 9999, "9" * 1999, "9^999") for _ in range(500))), id="digits"
        ),
        pytest.param(
            replace(term("+".join(map(str, range(500, 900))), "279800"), shapes=("7",)), id="many operands"
        ),
        pytest.param(
            Quantity("q", statements=("2×" * 900 + "1=" * 90 + "1",) * 60, total="5"), id="many factors"
        ),
        pytest.param(
            Quantity("q", total="1", statements=("1=" * 999_999, "×" * 999_999, "≈" * 999_999)), id="sides"
        ),
        pytest.param(
            Quantity("q", total="1e999", repeated="1e999", overall="1", statements=("× 1",) * 500), id="total"
        ),
        pytest.param(
            replace(term("9×" * 999 + "9", "1"), shapes=("1e9999 512,513 " * 9_000,)),
            id="shapes that are long",
        ),
    ],
)
def test_what_is_hostile_is_answered_in_time(quantity: Quantity) -> None:
    started = time.process_time()
    judgement = judge_quantity(quantity)
    line = summary(quantity)
    assert time.process_time() - started < GENEROUS
    assert judgement.verdict is Verdict.BROKEN
    assert len(judgement.message) < 5_000
    assert len(line) <= 160


def test_numbers_are_shown_whatever_python_is_told_of_long_ones() -> None:
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(sys.int_info.str_digits_check_threshold)
    try:
        quantity = Quantity(
            "q", total="9^900", repeated="9^900", overall="9^900", statements=("× 9^900 = 1",)
        )
        assert "about 6.58 × 10^858 × about 6.58 × 10^858 = about 6.58 × 10^858 does not hold" in broken(
            quantity
        )
        assert summary(quantity) == "about 6.58 × 10^858 × about 6.58 × 10^858 = about 6.58 × 10^858"
    finally:
        sys.set_int_max_str_digits(most)


def test_a_message_is_exact_where_a_float_would_not_be() -> None:
    large = 2**60 + 1
    assert float(large) == float(large - 1)
    assert broken(term(f"{large}", f"{large - 1}")).endswith(f"{Fraction(large).numerator:,} would be right")

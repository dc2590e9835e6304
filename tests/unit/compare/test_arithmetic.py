"""Arithmetic that documents show, worked out exactly and within bounds."""

from __future__ import annotations

import ast
import operator
import time
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from provenance.compare.arithmetic.evaluation import (
    LONGEST,
    Unreadable,
    bounded,
    equation,
    evaluate,
    factors,
    operands,
    signs,
    tidy,
)
from provenance.compare.numbers import plain

if TYPE_CHECKING:
    from collections.abc import Callable

GENEROUS = 20.0
"""Seconds of this process's own time; the cases take a fraction of it, and what is not bounded takes minutes."""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("512 × 2048", 1_048_576),
        (r"$512 \times 2{,}048$", 1_048_576),
        (r"\(512 \cdot 2{,}048\)", 1_048_576),
        ("512·2,048", 1_048_576),
        ("512 * 2_048", 1_048_576),
        ("512 x 2048", 1_048_576),
        ("512x2048", 1_048_576),
        ("2 048 × 6", 12_288),
        ("2\u202f048 × 6", 12_288),
        ("$2{,}048$", 2048),
        ("(1 + 2) × [3 + 4]", 21),
        ("1 + 2 × 3 − 4", 3),
        ("6 − 2 − 1", 3),
        ("8 / 4 / 2", 1),
        ("8 / 4 × 2", 4),
        ("6 ÷ 4", Fraction(3, 2)),
        (r"\frac{1}{2} \times 3", Fraction(3, 2)),
        (r"6 / \frac{1}{2}", 12),
        (r"\frac{\frac{1}{2}}{4}", Fraction(1, 8)),
        (r"2^\frac{4}{2}", 4),
        ("2^3^2", 512),
        ("2**3**2", 512),
        ("2^{10}", 1024),
        ("2¹⁰", 1024),
        ("2^-2", Fraction(1, 4)),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^-3^2", Fraction(1, 512)),
        ("2 × -3", -6),
        ("2 - -3", 5),
        ("--5", 5),
        ("+5 + +6", 11),
        ("0^0", 1),
        ("0^5", 0),
        ("(-1)^1000000001", -1),
        ("(-1)^-4", 1),
        ("1^10^300", 1),
        ("(1/2)^-3", 8),
        ("1e-6 × 1e6", 1),
        ("10^{-6} × 10^6", 1),
        ("0x10 + 0b1", 17),
        ("50% × 10", 5),
        ("½ × 4", 2),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("6 layers", 6),
        ("1024 × 6 layers", 6144),
        ("2,048 values × 6 independent layers", 12_288),
        ("512 d × 2048 d_ff", 1_048_576),
        ("512 (d_model) × 2,048 (d_ff, wide)", 1_048_576),
        (r"512\text{ d} \times 6 \mathrm{layers}", 3072),
        ("512d × 2", 1024),
        ("2 × 3 x-rays", 6),
        ("4 conv1d kernels", 4),
        ("32 × 512 values.", 16_384),
        ("16,384;", 16_384),
        ("10^1000", 10**1000),
        ("2^3321", 2**3321),
        ("9" * 400, 10**400 - 1),
        ("(" * 100 + "1" + ")" * 100, 1),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_a_calculation_comes_to(text: str, value: Fraction | int) -> None:
    assert evaluate(text) == value


LARGE = "the value is larger than 10^1000, and was not calculated"


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("", "there is no number", 1),
        ("  ", "there is no number", 1),
        ("five", "'five' is no number", 1),
        ("d × 512", "'d' is no number", 1),
        ("512 × d_ff", "'d_ff' is no number", 7),
        ("512 ×", "a number is missing", 6),
        ("512 × × 6", "a number is missing before '×'", 7),
        ("× 6", "a number is missing before '×'", 1),
        ("()", "a number is missing before ')'", 2),
        ("2 3", "there is no sign before '3'", 3),
        ("512 2048", "there is no sign before '2048'", 5),
        ("512 and 2048", "there is no sign before '2048'", 9),
        ("2(3)", "there is no sign before (", 2),
        ("(2)(3)", "there is no sign before (", 4),
        ("(2) 3", "there is no sign before '3'", 5),
        ("6 ½", "there is no sign before '½'", 3),
        ("2d3", "there is no sign before 'd3'", 2),
        ("1.5 e6", "there is no sign before 'e6'", 5),
        ("2 x -3", "there is no number behind 'x', which is × before one", 3),
        ("2x", "there is no number behind 'x', which is × before one", 2),
        ("5三", "there is no sign before '三'", 2),
        ("1,2345", "the comma does not part groups of three digits", 2),
        ("12,34 × 5", "the comma does not part groups of three digits", 3),
        ("1.0.14", "'1.0.14' is no number", 1),
        ("5 ? 6", "'?' is no part of a calculation", 3),
        ("5 = 5", "'=' is no part of a calculation", 3),
        ("5 < 6", "'<' is no part of a calculation", 3),
        ("5!", "'!' is no part of a calculation", 2),
        ("5 × \x00", r"'\x00' is no number", 5),
        ("5 ≈ 6", "≈ is not exact", 3),
        ("≈ 6", "'≈' is no number", 1),
        (r"\sqrt{4}", r"'\\sqrt' is no number", 1),
        (r"$2{,}048 \times \alpha$", r"'\\alpha' is no number", 17),
        (r"$2{,}048 \times 3 4$", "there is no sign before '4'", 19),
        ("10k", "'k' changes the number before it, which has to be written out", 3),
        ("1.5B × 2", "'B' changes the number before it, which has to be written out", 4),
        ("6.3 million", "'million' changes the number before it, which has to be written out", 5),
        ("2 (thousands)", "'thousands' changes the number before it, which has to be written out", 3),
        ("(1", "( is not closed", 1),
        ("2 × [1 + (2)", "[ is not closed", 5),
        ("1)", ") closes no bracket", 2),
        ("(1]", "] closes no bracket", 3),
        ("(" * 101 + "1" + ")" * 101, "there are more than 100 brackets within brackets", 101),
        ("1/0", "the division is by zero", 2),
        ("1 / (2 − 2)", "the division is by zero", 3),
        ("0^-1", "the division is by zero", 2),
        ("2^0.5", "the exponent is no whole number", 2),
        ("2^(1/3)", "the exponent is no whole number", 2),
        ("9^9^9^9", LARGE, 4),
        ("9^9^9", LARGE, 2),
        ("(1/9)^-9999", LARGE, 6),
        ("2^3330", LARGE, 2),
        ("10^1000 + 1", LARGE, 9),
        ("10^999 × 100", LARGE, 8),
        ("1e5000", LARGE, 1),
        ("2^-9999", "the value is smaller than 10^-1000, and was not calculated", 2),
        ("1e-5000", "the value is smaller than 10^-1000, and was not calculated", 1),
        ("(3/2)^9999", "the value takes more than 1,000 digits, and was not calculated", 6),
        ("1 + 1/10^1000", "the value takes more than 1,000 digits, and was not calculated", 3),
        ("1/10^1000/3", "the value is smaller than 10^-1000, and was not calculated", 10),
        ("9" * 401, "the number has more than 400 digits, or a power of ten beyond ±10,000", 1),
        ("1 + " * 500 + "1", "the text is longer than 2,000 characters, and was not read", 2001),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_what_is_wrong_with_a_calculation(text: str, message: str, column: int) -> None:
    assert evaluate(text) == Unreadable(message, column)
    assert factors(text) == ()


def test_a_fault_is_told_with_its_place() -> None:
    assert str(evaluate("5 ? 6")) == "column 3: '?' is no part of a calculation"


@pytest.mark.parametrize(
    ("text", "sides"),
    [
        ("1024", ("1024",)),
        ("", ("",)),
        (r"$1{,}024 \times 6 = 6{,}144$ parameters", ("1,024 × 6", "6,144 parameters")),
        ("2 × 3 = 3 × 2 = 6", ("2 × 3", "3 × 2", "6")),
        ("2 × 3 == 6", ("2 × 3", "6")),
        ("= 16,384", ("16,384",)),
        ("=", ("",)),
        ("2 × 3 =", ("2 × 3", "")),
        ("2 × 3 = = 6", ("2 × 3", "", "6")),
        ("1,050,624 × 6 ≈ 6.3 million", ("1,050,624 × 6",)),
        ("2 × 3 = 6 ≈ 7 = 8", ("2 × 3", "6")),
        (r"\approx 6.3", ()),
    ],
)
def test_the_sides_of_an_equation(text: str, sides: tuple[str, ...]) -> None:
    assert equation(text) == sides


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("512 × 2048 + 2048", [512, 2048, 2048]),
        ("2048", [2048]),
        ("2,048 d_ff2", [2048]),
        ("3 × 2^10", [3, 2]),
        ("2^(10 × (3 + 4)) × 5", [2, 5]),
        ("(2 + 3)^2^5 / 7", [2, 3, 7]),
        ("-8 × -(9)", [8, 9]),
        ("9^9^9^9", [9]),
        ("1 / 0", [1, 0]),
        ("512 ×", []),
        ("d", []),
    ],
)
def test_the_operands_of_a_calculation(text: str, found: list[int]) -> None:
    assert operands(text) == tuple(map(Fraction, found))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1024 × 6", [1024, 6]),
        ("(512 + 512) × 6 layers", [1024, 6]),
        ("2 × 3 × 4", [2, 3, 4]),
        ("1024", [1024]),
        ("2 × 3 + 4", [10]),
        ("2^3 × -5", [8, -5]),
        ("6 / 2 × 3", [3, 3]),
    ],
)
def test_the_factors_of_a_calculation(text: str, found: list[int]) -> None:
    assert factors(text) == tuple(map(Fraction, found))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("1024", 0),
        ("-(6 layers)", 0),
        ("2^10", 1),
        ("1 + 2 × 3", 2),
        ("1 / 0", 1),
        ("", -1),
        ("d", -1),
        ("1 +", -1),
    ],
)
def test_the_signs_of_a_calculation(text: str, count: int) -> None:
    assert signs(text) == count


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (r"$512 \times 2{,}048$", "512 × 2048"),
        (r"$1{,}050{,}624 \times 6 = 6{,}303{,}744$", "1050624 × 6 = 6303744"),
        ("$512$", "512"),
        ("1,050,624 × 6 layers = 6,303,744 parameters.", "1050624 × 6 layers = 6303744 parameters"),
        ("× 6 layers = 6,144", "× 6 layers = 6144"),
        ("= 16,384", "= 16384"),
        ("2 048*6==12 288", "2048 × 6 = 12288"),
        ("3x3 x 64", "3 × 3 × 64"),
        ("( 1+2 )^{2}/-3**2", "(1 + 2)^2 / -3^2"),
        ("2^{-6} 2^(3)", "2^{-6} 2^(3)"),
        ("2^{3}×2^(3+4)×2^{-1}", "2^3 × 2^(3 + 4) × 2^(-1)"),
        (r"\frac{1{,}024}{2}", "((1024) / (2))"),
        ("512   (d_model ,  wide)  ×  6", "512 (d_model , wide) × 6"),
        ("1e-6 × 0xFF_FF", "1e-6 × 0xFFFF"),
        ("  a total of 512, or  so ", "a total of 512, or  so"),
        ("1,2345 × 2", "1,2345 × 2"),
        (r" $\sqrt{4}$ ", r"$\sqrt{4}$"),
        ("1024 × 6 ≈ 6 thousand", "1024 × 6 ≈ 6 thousand"),
        ("1,024 × 6 ≈ 6,000", "1024 × 6 ≈ 6000"),
        ("5 = = 6", "5 = = 6"),
        ("+ 6 = 7,000", "+6 = 7000"),
        ("", ""),
        ("1,000 + " * 300 + "1", "1,000 + " * 300 + "1"),
    ],
    ids=lambda value: value[:40],
)
def test_the_form_that_a_manifest_keeps(text: str, kept: str) -> None:
    assert tidy(text) == kept
    assert tidy(kept) == kept


def test_what_is_added_up_stays_small() -> None:
    assert bounded(Fraction(10**1000, 3)) == Fraction(10**1000, 3)
    assert bounded(Fraction(10**1000 + 1)) == LARGE
    assert bounded(Fraction(1, 10**1000 + 1)) == "the value is smaller than 10^-1000, and was not calculated"
    assert (
        bounded(Fraction(10**1001, 10**1001 + 1))
        == "the value takes more than 1,000 digits, and was not calculated"
    )


# Python's own parser says how a calculation without brackets is to be read.

OPERATORS: dict[type[ast.AST], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
SIGNS = {
    "+": ["+", " + "],
    "-": ["-", " − ", " – "],
    "*": ["*", " × ", "·", r" \times ", r"\cdot ", " x "],
    "/": ["/", " ÷ ", r" \div "],
    "**": ["**", "^", " ^ "],
}


def by_python(node: ast.AST) -> Fraction:
    match node:
        case ast.Expression(body):
            return by_python(body)
        case ast.Constant(int(value)):
            return Fraction(value)
        case ast.UnaryOp(ast.USub(), operand):
            return -by_python(operand)
        case ast.BinOp(left, ast.Pow(), right):
            exponent = by_python(right)
            assume(exponent.denominator == 1 and abs(exponent) <= 50)
            return Fraction(by_python(left) ** exponent.numerator)
        case ast.BinOp(left, sign, right):
            return OPERATORS[type(sign)](by_python(left), by_python(right))
        case _:
            raise AssertionError(ast.dump(node))


@st.composite
def spelt(draw: st.DrawFn, depth: int = 0) -> tuple[str, str]:
    """A calculation as Python writes it, and as a document may."""
    python, document = "", ""
    size = draw(st.integers(1, 4))
    for index in range(size):
        # Where × is a letter it needs a number behind it.
        minus = "" if document.endswith(" x ") else draw(st.sampled_from(["", "", "-"]))
        if depth < 3 and draw(st.integers(0, 3)) == 0:
            inner, shown = draw(spelt(depth + 1))
            number, form = (
                f"({inner})",
                draw(st.sampled_from(["({})", "[{}]", r"\left({}\right)", "( {} )"])).format(shown),
            )
        else:
            value = draw(st.one_of(st.integers(0, 12), st.integers(0, 10**7)))
            number = str(value)
            form = draw(
                st.sampled_from([f"{value}", f"{value:,}", f"{value:,}".replace(",", "{,}"), f"{value:_}"])
            )
            form += draw(st.sampled_from(["", "", "", " layers", r"\text{ d}", " (d_model)"]))
        python, document = (
            f"{python}{minus}{number}",
            f"{document}{minus and draw(st.sampled_from('-−'))}{form}",
        )
        if index < size - 1:
            sign = draw(st.sampled_from(list(SIGNS)))
            python, document = python + sign, document + draw(st.sampled_from(SIGNS[sign]))
    return python, document


@given(spelt(), st.sampled_from(["{}", "${}$", r"\({}\)", " {}. "]))
@settings(max_examples=200, deadline=None)
def test_a_calculation_comes_to_what_python_makes_of_it(both: tuple[str, str], frame: str) -> None:
    python, document = both
    try:
        expected = by_python(ast.parse(python, mode="eval"))
    except (ZeroDivisionError, OverflowError):
        assume(False)
        return
    text = frame.replace("{}", document)
    found = evaluate(text)
    assume(not (isinstance(found, Unreadable) and "10^" in found.message))
    assert found == expected
    kept = tidy(text)
    assert evaluate(kept) == expected
    assert tidy(kept) == kept
    assert "$" not in kept
    assert "," not in kept


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_a_fraction_is_a_division_whatever_stands_around_it(over: int, under: int) -> None:
    assert evaluate(rf"7 / \frac{{{over}}}{{{under}}}") == 7 * Fraction(under, over)
    assert evaluate(rf"2^{{\frac{{{2 * over % 20}}}{{2}}}}") == 2 ** (over % 10)


STRANGE = st.lists(
    st.one_of(
        st.sampled_from("0123456789+-*/^()[]{}=≈×·$\\ .,;xkM%½²\n\x00"),
        st.sampled_from(
            ["512", "2,048", r"\times", r"\frac{1}{2}", " layers", "**", "10^{", "e9", "9^9", "1e999", "  "]
        ),
        st.characters(),
    ),
    max_size=40,
).map("".join)


@given(STRANGE)
@settings(max_examples=1_000, deadline=None)
def test_no_text_is_too_strange(text: str) -> None:
    value = evaluate(text)
    kept = tidy(text)
    assert tidy(kept) == kept
    if isinstance(value, Unreadable):
        assert 1 <= value.column <= len(text) + 1
        assert factors(text) == ()
    else:
        assert evaluate(kept) == value
        assert evaluate(plain(text)) == value
        assert equation(text) == (plain(text).strip(),)
    for side in equation(text):
        evaluate(side)


@pytest.mark.parametrize(
    "piece",
    [
        "9^",
        "(",
        "-",
        "1/",
        "(1/7)^9",
        "1e999×",
        "9" * 399 + "×",
        "2 ",
        "a ",
        "1 (a ",
        "x",
        "=",
        "1≈",
        "\\frac{1}",
        "{",
        "1,",
    ],
)
def test_what_is_hostile_is_answered_at_once(piece: str) -> None:
    started = time.process_time()
    for text in (
        piece * (LONGEST // len(piece)),
        (piece * (LONGEST // len(piece)))[:-1] + "1",
        piece * 200_000,
    ):
        evaluate(text)
        operands(text)
        tidy(text)
        equation(text)
    assert time.process_time() - started < GENEROUS

"""How documents and code write numbers."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.compare import typeset
from provenance.compare.numbers import number, numbers_in, plain, shown

if TYPE_CHECKING:
    from collections.abc import Callable

GENEROUS = 20.0
"""Seconds of this process's own time; the cases take a fraction of it, and what is quadratic takes minutes."""

MILLIONTH = Fraction(1, 1_000_000)

NASTY = st.lists(
    st.one_of(
        st.sampled_from("0123456789001,,..__  eExX%+-*^(){}[]$~\\×·−–—⁻⁶²½≈÷\u202f\u00a0\u200b\nt"),
        st.sampled_from(
            [r"\times", r"\frac", r"\left", r"\text", r"\(", r"\)", r"\,", r"\!", "{,}", "10^{", "imes"]
        ),
    ),
    max_size=30,
).map("".join)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2048", 2048),
        ("2,048", 2048),
        ("2{,}048", 2048),
        ("$2{,}048$", 2048),
        (r"\(2{,}048\)", 2048),
        ("2 048", 2048),
        ("2\u202f048", 2048),
        ("2\u00a0048", 2048),
        ("2\u2009048", 2048),
        (r"2\,048", 2048),
        (r"2\;048", 2048),
        (r"2{,}\!048", 2048),
        ("2~048", 2048),
        ("2_048", 2048),
        ("2'048", 2048),
        ("1’050’624", 1050624),
        ("1_0", 10),
        ("1,050,624", 1_050_624),
        ("1 050 624", 1_050_624),
        ("1\u202f050\u202f624", 1_050_624),
        ("1,048,576.25", Fraction(4_194_305, 4)),
        (" 7 ", 7),
        ("+7", 7),
        ("-7", -7),
        ("−7", -7),
        ("–7", -7),
        ("007", 7),
        ("1e-6", MILLIONTH),
        ("1E-6", MILLIONTH),
        ("1e−6", MILLIONTH),
        ("0.000001", MILLIONTH),
        ("10^{-6}", MILLIONTH),
        ("$10^{-6}$", MILLIONTH),
        ("10^-6", MILLIONTH),
        ("10^(-6)", MILLIONTH),
        ("10⁻⁶", MILLIONTH),
        ("10**-6", MILLIONTH),
        ("1.0 × 10^{-6}", MILLIONTH),
        ("1E6", 1_000_000),
        ("1e+6", 1_000_000),
        ("−1e9", -1_000_000_000),
        ("-1e9", -1_000_000_000),
        ("-10^{9}", -1_000_000_000),
        ("1.5×10^-3", Fraction(3, 2000)),
        (r"1.5 \times 10^{-3}", Fraction(3, 2000)),
        (r"1.5\cdot10^{-3}", Fraction(3, 2000)),
        ("1.5x10^-3", Fraction(3, 2000)),
        ("1.5*10**-3", Fraction(3, 2000)),
        (".5", Fraction(1, 2)),
        ("-.5", Fraction(-1, 2)),
        ("5.", 5),
        ("1.e-5", Fraction(1, 100_000)),
        ("0x10", 16),
        ("0Xff_ff", 65_535),
        ("0o17", 15),
        ("0b101", 5),
        ("50%", Fraction(1, 2)),
        (r"0.5\%", Fraction(1, 200)),
        ("½", Fraction(1, 2)),
        ("2½", Fraction(5, 2)),
        ("⅞", Fraction(7, 8)),
        pytest.param("1e10000", 10**10_000, id="as large as is read"),
        pytest.param("9" * 400, 10**400 - 1, id="as long as is read"),
    ],
)
def test_one_number(text: str, value: Fraction | int) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", ".", "e5", "1e", "1e5.5", "five", "٣", "\uff12", "x", "0x", "0xg", "0b2", "0o8", "NaN", "inf"),
        *(" ", "1,2345", "1234,567", "0,512", ",048", "2,048,", "1,048 576", "1.048.576", "1.0.14", "1 2", "1 2345"),
        *("2__048", "_1", "1_", "1,_000", "- 5", "--5", "5-", "1/2", "2 × 3", "2^3", "10^", "10^0.5", "1e5e5", "512 d"),
        *("1e10001", "1e-10001", "10^{10001}", "1e" + "9" * 500, "9" * 401, "0." + "0" * 400 + "1", "0x" + "f" * 401),
        *("12,34", "5%%", "%5", "½½", "\\sqrt{4}", "\x00", "1\n2", "1j"),
    ],
)  # fmt: skip
def test_no_number(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("the padding positions become a −1e9 attention bias", ["−1e9"], id="Unicode minus"),
        pytest.param("ε = 1e-6, $10^{-6}$ and 0.000001.", ["1e-6", "10^{-6}", "0.000001"], id="one number thrice"),
        pytest.param(r"\varepsilon&=10^{-6}\end{aligned}", ["10^{-6}"], id="LaTeX"),
        pytest.param("$1{,}050{,}624 \\times 6$", ["1{,}050{,}624", "6"], id="LaTeX separators"),
        pytest.param("Map 512 features to 2,048.", ["512", "2,048"], id="the last full stop"),
        pytest.param("8-16, 8–16, 8 -16", ["8", "16", "8", "16", "8", "-16"], id="signs behind digits"),
        pytest.param("(8)-16, x-16, [8]-16, (-16)", ["8", "16", "16", "8", "16", "-16"], id="signs behind brackets"),
        pytest.param("conv2d float32 W_1 x_{12} v1.0.14 1.0.14 a3x3 layer.0.weight", [], id="names and versions"),
        pytest.param("9b63575 0c66117d4297 71c6f699ac9b", [], id="commit ids"),
        pytest.param("10k 1.5B 12th 2nd 1st 100MB", [], id="what a suffix changes"),
        pytest.param("512d 1.0f 10L 5u8 50ms 2x", ["512", "1.0", "10", "5", "50", "2"], id="what it does not"),
        pytest.param("a 1×1, 3x3 or 16X16x3 kernel", ["1", "1", "3", "3", "16", "16", "3"], id="products"),
        pytest.param("512-d and 8-bit", ["512", "8"], id="compounds"),
        pytest.param("共512个", ["512"], id="ideographs"),
        pytest.param("1..5, x[0].5, .5, 1.5.", ["1", "5", "0", ".5", "1.5"], id="points"),
        pytest.param("10% of 7 % 3, 7%3, '%5d'", ["10%", "7", "3", "7", "3", "5"], id="percent"),
        pytest.param("12 000 items, 3 500 or 1 048 576", ["12 000", "3", "500", "1 048 576"], id="plain spaces"),
        pytest.param("3\u202f500 or 3\\,500", ["3\u202f500", "3\\,500"], id="thin spaces"),
        pytest.param("1,2345 12,34 1,2,345 0,512", ["1", "2345", "12", "34", "1", "2", "345", "0", "512"], id="lists"),
        pytest.param("[B batch, S source positions, 512 d]", ["512"], id="a shape"),
        pytest.param("2^{16} and 10^{6.5}", ["2", "16", "10", "6.5"], id="powers of others"),
        pytest.param("x² and y⁻⁶", ["²", "⁻⁶"], id="raised"),
        pytest.param("8 × 10^6 and 8 × 1", ["8 × 10^6", "8", "1"], id="powers of ten"),
        pytest.param("0x1F 0b11 0o17 0xZ", ["0x1F", "0b11", "0o17"], id="bases"),
        pytest.param("1e99999 5", ["5"], id="too large to be read"),
    ],
)  # fmt: skip
def test_numbers_in_prose(text: str, found: list[str]) -> None:
    assert [each.text for each in numbers_in(text)] == found


@pytest.mark.parametrize(
    ("text", "prose", "code"),
    [
        ("shape=(1,512)", [1512], [1, 512]),
        ("[1,1,-1]", [1, 1, -1], [1, 1, -1]),
        ("f(x, 1,024)", [1024], [1, 24]),
        ("x = 12 000", [12_000], [12, 0]),
        ("epsilon=1e-6, n=1_000", [MILLIONTH, 1000], [MILLIONTH, 1000]),
    ],
)
def test_a_comma_in_code_parts_numbers(text: str, prose: list[int], code: list[int]) -> None:
    assert [each.value for each in numbers_in(text)] == prose
    assert [each.value for each in numbers_in(text, code=True)] == code


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (r"$512 \times 2{,}048$", "512 × 2,048"),
        (r"\(512 \cdot 6\)", "512 × 6"),
        ("2·3⋅4∙5\u2a2f6✕7×8", "2×3×4×5×6×7×8"),
        ("2 * 3 ** 4", "2 * 3 ** 4"),
        ("6 − 2 – 1", "6 - 2 - 1"),
        ("a – b — c", "a – b — c"),
        (r"\frac{1}{2}", "((1)/(2))"),
        (r"\dfrac {1} {\frac{2}{3}}", "((1)/(((2)/(3))))"),
        (r"\frac12", r"\frac 12"),
        ("6 ÷ 2", "6 / 2"),
        ("10^{-6}", "10^(-6)"),
        ("10⁻⁶ m²", "10^(-6) m^(2)"),
        (r"\left(1\right)\text{ d}\mathrm{x}", " (1 )  d x"),
        ("2\u202f048 1\u00a02", "2,048 1 2"),
        ("1\u202f2345", "1 2345"),
        (r"6.3 \approx 6 ≃ 6", "6.3 ≈ 6 ≈ 6"),
        (r"\sqrt{4} \alpha", r"\sqrt 4 \alpha"),
        (r"\{1\} 50\% a\_b", "(1) 50% a_b"),
        ("$512$$2048$", "512 2048"),
        ("1\u200b2\\!3", "123"),
        (r"\5", "\u22165"),
        ("plain text, 1-2", "plain text, 1-2"),
    ],
)
def test_what_is_typeset_is_made_plain(text: str, made: str) -> None:
    assert plain(text) == made


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(1_050_624), "1,050,624"),
        (Fraction(-1_000_000_000), "-1,000,000,000"),
        (MILLIONTH, "0.000001"),
        (Fraction(-2049, 2), "-1,024.5"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-10_000, 7), "-10,000/7"),
        (Fraction(10**399), "1" + ",000" * 133),
        pytest.param(Fraction(10**5000), "about 1.00 × 10^5000", id="large"),
        pytest.param(Fraction(-123456 * 10**5000), "about -1.23 × 10^5005", id="large and negative"),
        pytest.param(Fraction(1, 10**5000), "about 1.00 × 10^-5000", id="small"),
        (Fraction(2**5000, 3), "about 4.70 × 10^1504"),
        (Fraction(10**500 + 1, 10**500), "about 1.00 × 10^0"),
    ],
)
def test_numbers_for_people(value: Fraction, text: str) -> None:
    assert shown(value) == text


@given(st.integers(-(10**30), 10**30), st.integers(0, 30))
def test_what_is_shown_is_read_again(digits: int, places: int) -> None:
    value = Fraction(digits, 10**places)
    assert number(shown(value)) == value
    assert [found.value for found in numbers_in(f"it is {shown(value)}.")] == [value]


SPELLINGS: list[Callable[[int], str]] = [
    lambda n: f"{n}",
    lambda n: f"{n:,}",
    lambda n: f"{n:,}".replace(",", "{,}"),
    lambda n: f"{n:,}".replace(",", "\\,"),
    lambda n: f"{n:,}".replace(",", "\u202f"),
    lambda n: f"{n:_}",
    lambda n: f"${n:,}$",
    lambda n: f"{n}e0",
    lambda n: f"{n}.0",
    lambda n: f"{n} × 10^0",
    hex,
]


@given(st.integers(0, 10**15), st.sampled_from(SPELLINGS), st.sampled_from(["", "-", "−"]))
def test_all_spellings_of_a_number(value: int, spell: Callable[[int], str], sign: str) -> None:
    text = spell(value)
    text = f"${sign}{text[1:]}" if text.startswith("$") else sign + text
    expected = -value if sign else value
    assert number(text) == expected
    assert [found.value for found in numbers_in(f"it is {text}, so")] == [expected]


@given(st.integers(1, 10**12), st.integers(-40, 40))
def test_powers_of_ten(digits: int, exponent: int) -> None:
    value = Fraction(digits) * Fraction(10) ** exponent
    for text in (f"{digits}e{exponent}", f"{digits} \\times 10^{{{exponent}}}", f"{digits}*10**{exponent}"):
        assert number(text) == value
        assert [found.value for found in numbers_in(text, code=True)] == [value]


@given(NASTY)
@settings(max_examples=1_000, deadline=None)
def test_plain_text_stays_as_it_is(text: str) -> None:
    made = plain(text)
    assert plain(made) == made
    assert not set(made) & set("${}~⁶²×\u202f\u00a0\u200b−÷") - {"×"}


@given(st.one_of(NASTY, st.text(max_size=40)), st.booleans())
@settings(max_examples=1_000, deadline=None)
def test_numbers_stand_where_they_are_found(text: str, code: bool) -> None:
    found = list(numbers_in(text, code=code))
    for each in found:
        assert text[each.start : each.end] == each.text
        assert number(each.text) == each.value or each.text.strip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹") == ""
    assert all(one.end <= other.start for one, other in pairwise(found))


@given(st.one_of(NASTY, st.text(max_size=40)))
@settings(max_examples=1_000, deadline=None)
def test_a_number_alone_is_found_in_itself(text: str) -> None:
    value = number(text)
    if value is not None and " " not in plain(text).strip():
        found = [each.value for each in numbers_in(plain(text).strip())]
        assert found == [value]


@given(NASTY)
def test_plain_text_knows_where_it_is_from(text: str) -> None:
    made = typeset.read(text)
    starts = [made.start(at) for at in range(len(made.text) + 1)]
    assert starts == sorted(starts)
    for at in range(len(made.text)):
        assert starts[at] < made.end(at + 1) <= len(text)


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *(
            "1",
            "1,",
            "111,",
            "1 ",
            "1 012 ",
            "1\u202f234\u202f",
            "1.",
            "1_",
            "1e",
            "1e9999 ",
            "0x",
            "1x",
            "½",
            "10^(",
        ),
        *(
            "$",
            "\\",
            "\\(",
            "{",
            "}",
            "\\frac{",
            "\\frac{1}",
            "\\frac ",
            "^{",
            "⁻",
            "²",
            "–",
            "– ",
            "~",
            "-",
            "-.",
            "%",
        ),
    ],
)
def test_long_texts_take_their_time_and_no_more(piece: str) -> None:
    text = piece * 50_000
    started = time.process_time()
    plain(text)
    number(text)
    count = sum(1 for _ in numbers_in(text)) + sum(1 for _ in numbers_in(text, code=True))
    assert time.process_time() - started < GENEROUS
    assert 0 <= count <= 2 * len(text)


def test_nothing_is_a_float() -> None:
    assert number("0.1") == Fraction(1, 10) != Fraction(math.nextafter(0.1, 1))
    assert [found.value for found in numbers_in("0.1 + 0.2")] == [Fraction(1, 10), Fraction(1, 5)]

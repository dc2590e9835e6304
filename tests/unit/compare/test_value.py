"""The verdicts on values, row by row, and what must hold of every value, pointer and file."""

from __future__ import annotations

import json
from datetime import date, datetime
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import ExpectedValue, LineRange
from provenance.compare.values.equality import number, same
from provenance.compare.values.value import judge_value
from provenance.evidence import Judgement, Verdict
from provenance.extract.data.values import Moment, Numeral
from provenance.extract.lines import Text

CONFIG = """\
{
  "activation_function": "gelu_new",
  "layer_norm_epsilon": 1e-05,
  "n_embd": 768,
  "n_ctx": "1024",
  "tie": true,
  "dropout": null,
  "path": "a\\u00e9\\n",
  "big": 123456789012345678901234567890,
  "task": {
    "do_sample": false,
    "sizes": [1, 2.50, {"k": "v"}]
  },
  "empty": "",
  "nothing": []
}
"""
SETUP = """\
model:
  width: 768      # of every layer
  tied: yes
  name: gpt2
  note: |
    two
    lines
  sizes:
  - 1
  - 2
  text: 'It''s'
"""
BUILD = """\
[build]
size = 0xff
since = 2026-01-01T12:00:00Z
day = 2026-01-01
hour = 07:32:00
rate = 1.50
flags = [true, 2026-01-01]
"""
FILES = {"config.json": CONFIG, "setup.yaml": SETUP, "build.toml": BUILD, "CONFIG": CONFIG}


def judged(path: str, where: str, equals: str, lines: str | None = None) -> Judgement:
    cited = LineRange.parse(lines) if lines else None
    return judge_value(ExpectedValue(where, equals), cited, Text(FILES[path]), path=path)


def of(text: str, where: str, equals: str, path: str = "a.json") -> Judgement:
    return judge_value(ExpectedValue(where, equals), None, Text(text), path=path)


@pytest.mark.parametrize(
    ("path", "where", "equals", "line", "note"),
    [
        ("config.json", "/n_embd", "768", "4", ""),
        ("config.json", "/n_embd", "768.0", "4", "the file writes 768"),
        ("config.json", "/n_embd", "7.68e2", "4", "the file writes 768"),
        ("config.json", "/n_embd", "+768", "4", "the file writes 768"),
        ("config.json", "/n_embd", "0x300", "4", "the file writes 768"),
        ("config.json", "/layer_norm_epsilon", "1e-05", "3", ""),
        ("config.json", "/layer_norm_epsilon", "0.00001", "3", "the file writes 1e-05"),
        ("config.json", "/layer_norm_epsilon", "1e\u22125", "3", "the file writes 1e-05"),
        ("config.json", "/big", "123456789012345678901234567890", "9", ""),
        ("config.json", "/big", "123,456,789,012,345,678,901,234,567,890", "9", "the file writes 1234"),
        ("config.json", "/big", "123_456_789_012_345_678_901_234_567_890", "9", "the file writes 1234"),
        ("config.json", "/n_ctx", "1024", "5", "the file has it as a string"),
        ("config.json", "/n_ctx", '"1024"', "5", ""),
        ("config.json", "/activation_function", "gelu_new", "2", ""),
        ("config.json", "/activation_function", '"gelu_new"', "2", ""),
        ("config.json", "/tie", "true", "6", ""),
        ("config.json", "/tie", "True", "6", "the file writes true"),
        ("config.json", "/dropout", "null", "7", ""),
        ("config.json", "/dropout", "~", "7", "the file writes null"),
        ("config.json", "/path", "aé\n", "8", ""),
        ("config.json", "/path", "aé", "8", "the file ends the string with a line end"),
        ("config.json", "/empty", "", "14", ""),
        ("config.json", "/nothing", "[]", "15", ""),
        ("config.json", "/nothing", " [ ] ", "15", ""),
        ("config.json", "/task/do_sample", "false", "11", ""),
        ("config.json", "/task/sizes", '[1.0, 2.5, {"k": "v"}]', "12", ""),
        ("config.json", "/task/sizes/2/k", "v", "12", ""),
        ("config.json", "/task", '{"sizes": [1,2.5,{"k":"v"}], "do_sample": false}', "10-13", ""),
        ("CONFIG", "/n_embd", "768", "4", ""),
        ("setup.yaml", "/model/width", "768", "2", ""),
        ("setup.yaml", "/model/width", "768.0", "2", "the file writes 768"),
        ("setup.yaml", "/model/tied", "yes", "3", ""),
        ("setup.yaml", "/model/tied", "true", "3", "the file writes yes"),
        ("setup.yaml", "/model/name", "gpt2", "4", ""),
        ("setup.yaml", "/model/note", "two\nlines\n", "5-7", ""),
        ("setup.yaml", "/model/note", "two\nlines", "5-7", "the file ends the string with a line end"),
        ("setup.yaml", "/model/sizes", "[1, 2]", "9-10", ""),
        ("setup.yaml", "/model/text", "It's", "11", ""),
        ("setup.yaml", "/model/text", "'It''s'", "11", ""),
        ("build.toml", "/build/size", "255", None, ""),
        ("build.toml", "/build/size", "0xff", None, "the file writes 255"),
        ("build.toml", "/build/rate", "1.5", None, "the file writes 1.50"),
        ("build.toml", "/build/since", "2026-01-01T12:00:00Z", None, ""),
        ("build.toml", "/build/since", "2026-01-01 12:00:00+00:00", None, ""),
        ("build.toml", "/build/day", "2026-01-01", None, ""),
        ("build.toml", "/build/hour", "07:32:00", None, ""),
        ("build.toml", "/build/flags", '[true, "2026-01-01"]', None, ""),
    ],
)
def test_exact(path: str, where: str, equals: str, line: str | None, note: str) -> None:
    answer = judged(path, where, equals)
    assert answer.verdict is Verdict.EXACT, answer
    assert [str(lines) for lines in answer.found_at] == ([line] if line else [])
    assert (answer.message, answer.diff, answer.similarity) == ("", "", None)
    assert note in "; ".join(answer.notes)
    assert bool(answer.notes) == bool(note)


@pytest.mark.parametrize(
    ("path", "where", "equals", "message"),
    [
        ("config.json", "/n_embd", "1024", "/n_embd is 768, and the document says 1024"),
        ("config.json", "/n_embd", "76,8", "/n_embd is 768, and the document says 76,8"),
        ("config.json", "/n_embd", "", '/n_embd is 768, and the document says ""'),
        ("config.json", "/n_embd", "true", "/n_embd is 768, and the document says true"),
        ("config.json", "/big", "123456789012345678901234567891", "/big is 1234567890"),
        ("config.json", "/big", "1.2345678901234568e29", "/big is 1234567890"),
        (
            "config.json",
            "/activation_function",
            "gelu",
            '/activation_function is "gelu_new", and the document says "gelu"',
        ),
        ("config.json", "/activation_function", "Gelu_new", 'the document says "Gelu_new"'),
        ("config.json", "/activation_function", "gelu_new ", 'the document says "gelu_new "'),
        ("config.json", "/n_ctx", "1024.0", '/n_ctx is "1024", and the document says "1024.0"'),
        ("config.json", "/tie", "1", "/tie is true, and the document says 1"),
        ("config.json", "/tie", "yes", "/tie is true, and the document says yes"),
        ("config.json", "/dropout", "0", "/dropout is null, and the document says 0"),
        ("config.json", "/dropout", "", '/dropout is null, and the document says ""'),
        ("config.json", "/task/sizes", "[1, 2.5]", '/task/sizes is [1, 2.50, {"k": "v"}], and the'),
        ("config.json", "/task/sizes", "[1, 2.5, 3", '/task/sizes is [1, 2.50, {"k": "v"}], and the'),
        ("config.json", "/task", "{}", "/task is an object of 2 entries, and the document says {}"),
        ("config.json", "/nothing", "0", "/nothing is [], and the document says 0"),
        ("config.json", "", "{}", "the file is an object of 11 entries, and the document says {}"),
        ("setup.yaml", "/model/tied", "no", "/model/tied is yes, and the document says no"),
        ("setup.yaml", "/model/note", "two", r'/model/note is "two\nlines\n", and the document says "two"'),
        ("build.toml", "/build/size", "0xfe", "/build/size is 255, and the document says 0xfe"),
        ("build.toml", "/build/since", "2026-01-01", "is 2026-01-01T12:00:00+00:00, and the document says"),
        ("build.toml", "/build/day", "2026-01-02", "/build/day is 2026-01-01, and the document says"),
        ("build.toml", "/build/day", "soon", "/build/day is 2026-01-01, and the document says soon"),
        ("build.toml", "/build/flags", "[true]", "/build/flags is an array of 2 items, and the"),
    ],
)
def test_changed(path: str, where: str, equals: str, message: str) -> None:
    answer = judged(path, where, equals)
    assert answer.verdict is Verdict.CHANGED
    assert message in answer.message
    assert (answer.difference, answer.similarity, answer.suggestion) == (None, None, None)
    assert bool(answer.found_at) == (path != "build.toml")


@pytest.mark.parametrize(
    ("path", "where", "message"),
    [
        ("config.json", "/n_embed", "there is no /n_embed; did you mean /n_embd?"),
        ("config.json", "/N_EMBD", "there is no /N_EMBD; did you mean /n_embd?"),
        ("config.json", "/task/sample", "there is no /task/sample; did you mean /task/do_sample?"),
        ("config.json", "/task/xyz", "there is no /task/xyz; /task is an object of 2 entries"),
        ("config.json", "/xyz/n", "there is no /xyz; the file is an object of 11 entries"),
        ("config.json", "/n_embd/b", "/n_embd is a number, and has no /n_embd/b"),
        ("config.json", "/activation_function/b", "/activation_function is a string, and has no"),
        ("config.json", "/tie/b/c", "/tie is true, and has no /tie/b"),
        ("config.json", "/task/sizes/3", "/task/sizes is an array of 3 items, and has no /task/sizes/3"),
        ("config.json", "/task/sizes/-", "/task/sizes is an array of 3 items, and has no /task/sizes/-"),
        ("config.json", "n_embd", "'n_embd' is no JSON pointer"),
        ("config.json", "/~", "'/~' is no JSON pointer"),
        ("setup.yaml", "/model/sizes/01", "/model/sizes is an array of 2 items, and has no /model/sizes/01"),
        ("build.toml", "/build/sizes", "there is no /build/sizes; did you mean /build/size?"),
    ],
)
def test_absent(path: str, where: str, message: str) -> None:
    answer = judged(path, where, "768")
    assert answer.verdict is Verdict.ABSENT
    assert message in answer.message
    assert (answer.found_at, answer.diff) == ((), "")


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (
            "a.json",
            '{"a": 1,\n}',
            "the file is not JSON: expecting property name enclosed in double quotes, line 2",
        ),
        ("a.yaml", "a: [\n", "the file is not YAML: did not find expected node content, line 1"),
        ("a.toml", "\na", "the file is not TOML"),
        (
            "a.py",
            "a = 1",
            "its name says neither JSON nor YAML nor TOML, so it is read as JSON; the file is not JSON",
        ),
        ("a.json", "", "the file is not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_has_no_values(path: str, text: str, message: str) -> None:
    answer = of(text, "/a", "1", path)
    assert answer.verdict is Verdict.ABSENT
    assert message in answer.message


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        ("4", ""),
        ("3-5", ""),
        ("5", "the value stands on line 4"),
        ("1-3", "the value stands on line 4"),
    ],
)
@pytest.mark.parametrize("equals", ["768", "1024"])
def test_lines_that_are_cited(lines: str, note: str, equals: str) -> None:
    answer = judged("config.json", "/n_embd", equals, lines)
    assert answer.verdict is (Verdict.EXACT if equals == "768" else Verdict.CHANGED)
    assert answer.notes == ((note,) if note else ())


def test_lines_of_a_value_that_takes_several() -> None:
    assert judged("config.json", "/task", "{}", "10").notes == ("the value stands on lines 10-13",)
    assert judged("config.json", "/task", "{}", "10-13").notes == ()


@pytest.mark.parametrize(
    ("path", "where", "message", "found_at"),
    [
        ("config.json", "/n_embd", "the file has 16 lines; the value stands on line 4", "4"),
        ("config.json", "/task", "the file has 16 lines; the value stands on lines 10-13", "10-13"),
        ("config.json", "/xyz", "the file has 16 lines", None),
        ("config.json", "xyz", "the file has 16 lines", None),
        ("build.toml", "/build", "the file has 7 lines", None),
    ],
)
def test_lines_past_the_end(path: str, where: str, message: str, found_at: str | None) -> None:
    answer = judged(path, where, "768", "4-80")
    assert (answer.verdict, answer.message) == (Verdict.OUT_OF_RANGE, message)
    assert [str(lines) for lines in answer.found_at] == ([found_at] if found_at else [])
    assert (
        judge_value(ExpectedValue("", ""), LineRange(1, 1), Text(""), path="a.json").message
        == "the file is empty"
    )


@pytest.mark.parametrize(
    ("path", "where", "equals", "diff"),
    [
        (
            "config.json",
            "/n_embd",
            "1024",
            ["--- quote", "+++ config.json:4", "@@ -1,1 +4,1 @@", '-  "n_embd": 1024,', '+  "n_embd": 768,'],
        ),
        (
            "config.json",
            "/activation_function",
            "gelu",
            [
                "--- quote",
                "+++ config.json:2",
                "@@ -1,1 +2,1 @@",
                '-  "activation_function": "gelu",',
                '+  "activation_function": "gelu_new",',
            ],
        ),
        (
            "setup.yaml",
            "/model/width",
            "512",
            [
                "--- quote",
                "+++ setup.yaml:2",
                "@@ -1,1 +2,1 @@",
                "-  width: 512      # of every layer",
                "+  width: 768      # of every layer",
            ],
        ),
        ("build.toml", "/build/rate", "2", [""]),
    ],
)
def test_diffs(path: str, where: str, equals: str, diff: list[str]) -> None:
    assert judged(path, where, equals).diff == "\n".join(diff)


def test_no_diff_of_what_is_too_long() -> None:
    assert of(json.dumps({"a": 1, "b": "x" * 2_000}), "/a", "2").diff == ""
    assert of(json.dumps({"a": [1] * 200}, indent=1), "/a", "2").diff == ""
    assert of('{"a": 1}', "/a", "2" * 3_000).diff == ""


def test_messages_are_short_and_fit_to_be_printed() -> None:
    answers = [
        of(json.dumps({"a": "x" * 10_000}), "/a", "y" * 10_000),
        of(json.dumps({"a": int("7" * 1_000)}), "/a", "8" * 10_000),
        of(json.dumps({"a" * 10_000: 1}), "/" + "a" * 9_999, "1"),
        of("1", "/a" * 10_000, "1"),
        of('{"a": "\\u001b[31m\\ud800\\u202e"}', "/a", "\x1b\n\u202e"),
        of('{"\\u001b\\ud800": 1}', "/\x1b\ue000", "1"),
    ]
    for answer in answers:
        assert answer.message.isprintable(), answer
        assert len(answer.message) < 600
        assert answer.message.encode()
    assert "\\ud800" in answers[4].message


def test_duplicate_names_are_told() -> None:
    answer = of('{"a": 1, "a": 2}', "/a", "2")
    assert (answer.verdict, answer.notes) == (
        Verdict.EXACT,
        ("/a stands more than once; the last one counts",),
    )
    assert of('{"a": 1, "a": 2}', "/a", "1").verdict is Verdict.CHANGED


@pytest.mark.parametrize(
    ("written", "equals", "verdict"),
    [
        ("1" * 50_000, "1" * 50_000, Verdict.EXACT),
        ("1" * 50_000, "1" * 49_999 + "2", Verdict.CHANGED),
        ("1" * 50_000, "1" * 50_000 + ".0", Verdict.EXACT),
        ("1" * 200_000, "1" * 200_000, Verdict.EXACT),
        ("1" * 200_000, "1" * 200_000 + ".0", Verdict.CHANGED),
        ("1e999999999", "10e999999998", Verdict.EXACT),
        ("1e999999999", "1e999999998", Verdict.CHANGED),
        ("1e" + "9" * 5_000, "1e" + "9" * 5_000, Verdict.EXACT),
        ("-0.0", "0", Verdict.EXACT),
        ("NaN", "nan", Verdict.EXACT),
        ("-Infinity", "-inf", Verdict.EXACT),
        ("-Infinity", "inf", Verdict.CHANGED),
        ("-Infinity", "NaN", Verdict.CHANGED),
        ('"nan"', "NaN", Verdict.CHANGED),
    ],
)
def test_numbers_at_their_bounds(written: str, equals: str, verdict: Verdict) -> None:
    assert of(f'{{"a": {written}}}', "/a", equals).verdict is verdict


def test_values_of_any_depth_are_compared() -> None:
    deep = 2_000
    text = "a" + ".a" * (deep - 1) + " = 1"
    assert of(text, "", "{}", "a.toml").verdict is Verdict.CHANGED
    assert of('{"a": 1}', "/a", "[" * 100_000).verdict is Verdict.CHANGED
    assert of('{"a": []}', "/a", "[" * 100_000).verdict is Verdict.CHANGED


# --- numbers


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        ".",
        "1e",
        "e5",
        "1,23",
        "1,2345",
        ",123",
        "1__0",
        "_1",
        "1_",
        "1_.5",
        "0x",
        "0xg",
        "1 000",
        "½",
        "\uff11",
    ],
)
def test_what_is_no_number(text: str) -> None:
    assert number(text) is None


NUMERAL = st.one_of(
    st.integers().map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.from_regex(r"[-+]?[0-9]{1,6}(\.[0-9]{0,6})?([eE][-+]?[0-9]{1,2})?", fullmatch=True),
)


@given(NUMERAL, NUMERAL)
def test_numbers_are_equal_where_their_fractions_are(left: str, right: str) -> None:
    assert number(left) == number(left.replace("e", "E"))
    assert (number(left) == number(right)) == (Fraction(left) == Fraction(right))
    assert same(Numeral(left), Numeral(right)) == (Fraction(left) == Fraction(right))


@given(NUMERAL, st.integers(-30, 30))
def test_a_number_may_be_written_with_any_exponent(text: str, shift: int) -> None:
    value = Fraction(text)
    whole = value * 10 ** (400 + shift)
    if whole.denominator == 1:
        assert number(f"{whole.numerator}e{-400 - shift}") == number(text)


@given(st.integers())
def test_other_bases_and_separators(value: int) -> None:
    assert (
        number(hex(value))
        == number(oct(value))
        == number(bin(value))
        == number(f"{value:,}")
        == number(f"{value:_}")
    )
    assert number(str(value)) == number(hex(value))


def test_a_number_to_another_base_is_read_up_to_a_bound() -> None:
    assert number("0x" + "f" * 3_000) == number(str(int("f" * 3_000, 16)))
    assert number("0x" + "f" * 3_001) is None
    assert number("1e" + "1" * 3_001) is None


def test_dates_are_equal_where_they_are_of_one_kind() -> None:
    day, moment = Moment(date(2026, 1, 1)), Moment(datetime(2026, 1, 1))  # noqa: DTZ001 - TOML has such
    assert same(day, Moment(date(2026, 1, 1)))
    assert not same(day, moment)
    assert not same(moment, day)
    assert not same(day, None)


# --- whatever the file is

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(JSON, JSON, st.sampled_from([None, 2]))
@settings(deadline=None)
def test_a_document_is_right_exactly_where_it_says_what_the_file_says(
    ours: object, theirs: object, indent: int | None
) -> None:
    answer = of(json.dumps({"a": ours}, indent=indent), "/a", json.dumps(ours))
    assert answer.verdict is Verdict.EXACT
    answer = of(json.dumps({"a": ours}, indent=indent), "/a", json.dumps(theirs))
    if isinstance(ours, str) or isinstance(theirs, str):
        return
    assert answer.verdict is (Verdict.EXACT if _same(ours, theirs) else Verdict.CHANGED)


def _same(left: object, right: object) -> bool:
    """Equality that keeps true and 1 apart."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


@given(
    st.text("{}[]\",:\\ \na01e.-='#&*|?!", max_size=40),
    st.text("/a01~-", max_size=6),
    st.text(max_size=6),
    st.none() | st.builds(LineRange, st.just(1), st.integers(1, 6)),
    st.sampled_from(["a.json", "a.yaml", "a.toml", "a"]),
)
@settings(max_examples=400, deadline=None)
def test_no_file_is_too_strange(
    source: str, where: str, equals: str, lines: LineRange | None, path: str
) -> None:
    text = Text(source)
    answer = judge_value(ExpectedValue(where, equals), lines, text, path=path)
    assert answer.verdict in {Verdict.EXACT, Verdict.CHANGED, Verdict.ABSENT, Verdict.OUT_OF_RANGE}
    assert (answer.verdict is Verdict.OUT_OF_RANGE) == (lines is not None and lines.last > len(text))
    assert (answer.message == "") == (answer.verdict is Verdict.EXACT)
    for found in answer.found_at:
        assert found.last <= len(text)

"""JSON pointers, and what they lead to in JSON, YAML and TOML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from provenance.compare.values.equality import same
from provenance.errors import InvalidRecord
from provenance.extract.data import json_value, toml_value, yaml_node, yaml_value
from provenance.extract.data.lookup import Format, find, format_of
from provenance.extract.data.pointer import parts, pointer
from provenance.extract.data.values import Found, Missing, Moment, Numeral, Opaque, Unreadable

if TYPE_CHECKING:
    from provenance.extract.data.values import Outcome, Value

RFC = r"""{
   "foo": ["bar", "baz"],
   "": 0,
   "a/b": 1,
   "c%d": 2,
   "e^f": 3,
   "g|h": 4,
   "i\\j": 5,
   "k\"l": 6,
   " ": 7,
   "m~n": 8
}"""
"""The document of RFC 6901, section 5."""

ROWS: list[tuple[str, Value]] = [
    ("/foo", ["bar", "baz"]),
    ("/foo/0", "bar"),
    ("/", Numeral("0")),
    ("/a~1b", Numeral("1")),
    ("/c%d", Numeral("2")),
    ("/e^f", Numeral("3")),
    ("/g|h", Numeral("4")),
    ("/i\\j", Numeral("5")),
    ('/k"l', Numeral("6")),
    ("/ ", Numeral("7")),
    ("/m~0n", Numeral("8")),
]

HOSTILE = [
    pytest.param("[" * 100_000, id="brackets"),
    pytest.param("[" * 100_000 + "]" * 100_000, id="closed brackets"),
    pytest.param('{"a":' * 100_000, id="objects"),
    pytest.param("{a: " * 100_000, id="flow mappings"),
    pytest.param("- " * 100_000, id="lists"),
    pytest.param("? " * 100_000, id="keys"),
    pytest.param("a = " + "[" * 100_000, id="arrays"),
    pytest.param("a = " + "{a=" * 100_000, id="inline tables"),
    pytest.param("a" + ".a" * 100_000 + " = 1", id="dotted keys"),
    pytest.param("%TAG !a! x\n" * 100_000 + "--- 1", id="directives"),
]


def found(outcome: Outcome) -> Found:
    assert isinstance(outcome, Found), outcome
    return outcome


def missing(outcome: Outcome) -> Missing:
    assert isinstance(outcome, Missing), outcome
    return outcome


def unreadable(outcome: Outcome) -> str:
    assert isinstance(outcome, Unreadable), outcome
    return outcome.why


def text_of(name: str, where: str, text: str) -> str:
    """What stands where a pointer leads to."""
    span = found(find(text, name, parts(where))).span
    assert span is not None
    return text[slice(*span)]


# --- pointers


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ()),
        ("/", ("",)),
        ("//", ("", "")),
        ("/a/b", ("a", "b")),
        ("/a~1b/~0", ("a/b", "~")),
        ("/~01", ("~1",)),
        ("/ a", (" a",)),
    ],
)
def test_parts(text: str, tokens: tuple[str, ...]) -> None:
    assert parts(text) == tokens
    assert pointer(tokens) == text


@given(st.lists(st.text(st.sampled_from("~/01ab é"))))
def test_a_pointer_is_its_parts(tokens: list[str]) -> None:
    assert parts(pointer(tokens)) == tuple(tokens)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a", "begins with /"),
        ("#/a", "begins with /"),
        ("/~", "~ is written ~0"),
        ("/a~2", "~ is written ~0"),
        ("/~~0", "~ is written ~0"),
        ("x" * 1000, "…' is no JSON pointer"),
    ],
)
def test_what_is_no_pointer(text: str, words: str) -> None:
    with pytest.raises(InvalidRecord, match=words):
        parts(text)


# --- files


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("config.json", Format.JSON),
        ("a/b/CONFIG.JSON", Format.JSON),
        ("a.ipynb", Format.JSON),
        ("site.webmanifest", Format.JSON),
        ("a.yaml", Format.YAML),
        ("a.b.yml", Format.YAML),
        ("CITATION.cff", Format.YAML),
        ("pyproject.toml", Format.TOML),
        ("a/Cargo.lock", Format.TOML),
        ("Pipfile", Format.TOML),
        ("package.lock", None),
        ("a.jsonl", None),
        ("json", None),
        ("toml", None),
        ("README", None),
        ("a.json/b", None),
        ("", None),
    ],
)
def test_formats(path: str, kind: Format | None) -> None:
    assert format_of(path) is kind


@pytest.mark.parametrize(("where", "value"), ROWS)
@pytest.mark.parametrize("name", ["a.json", "a.yaml", "README"])
def test_the_examples_of_the_standard(where: str, value: Value, name: str) -> None:
    assert found(find(RFC, name, parts(where))).value == value


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_the_whole_document(name: str) -> None:
    whole = found(find(RFC, name, ()))
    assert isinstance(whole.value, dict)
    assert len(whole.value) == len(json.loads(RFC))
    assert (whole.written, whole.span) == (RFC, (0, len(RFC)))


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.toml"])
@pytest.mark.parametrize(
    ("where", "depth", "holder", "is_object"),
    [
        ("/b", 0, "an object of 2 entries", True),
        ("/A", 0, "an object of 2 entries", True),
        ("/a/2", 1, "an array of 2 items", False),
        ("/a/-", 1, "an array of 2 items", False),
        ("/a/01", 1, "an array of 2 items", False),
        ("/a/-1", 1, "an array of 2 items", False),
        ("/a/+1", 1, "an array of 2 items", False),
        ("/a/\u0661", 1, "an array of 2 items", False),
        ("/a/", 1, "an array of 2 items", False),
        ("/a/0/0", 2, "a number", False),
        ("/a/1/x", 2, "an object of 1 entry", True),
        ("/c/d/e/f", 2, "a string", False),
    ],
)
def test_what_is_missing(name: str, where: str, depth: int, holder: str, is_object: bool) -> None:
    text = {
        "a.json": '{"a": [1, {"b": 2}], "c": {"d": "e"}}',
        "a.yaml": "a:\n- 1\n- b: 2\nc: {d: e}",
        "a.toml": 'a = [1, {b = 2}]\nc.d = "e"',
    }[name]
    outcome = missing(find(text, name, parts(where)))
    assert (outcome.depth, outcome.holder, outcome.is_object) == (depth, holder, is_object)


def test_what_is_there_instead() -> None:
    assert missing(find('{"n_embd": 1, "n_ctx": 2}', "a.json", ("n",))).names == ("n_embd", "n_ctx")
    assert missing(find("1", "a.json", ("n",))).names == ()
    assert len(missing(find(json.dumps({str(n): n for n in range(2000)}), "a.json", ("x",))).names) == 500


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.json", "", "the file is not JSON: expecting value, line 1, column 1"),
        ("a.json", '{\n"a": 1,\n}', "line 3, column 1"),
        ("a.json", '{"a": 1}\n}', "the file is not JSON: extra data, line 2, column 1"),
        ("a.json", '{"a" 1}', "expecting ':' delimiter"),
        ("a.json", '{"a": 1 "b": 2}', "expecting ',' delimiter"),
        ("a.json", "[1 2]", "expecting ',' delimiter"),
        ("a.json", "[1,]", "expecting value"),
        ("a.json", "[1}", "expecting ',' delimiter"),
        ("a.json", "{,}", "expecting property name"),
        ("a.json", "{a: 1}", "expecting property name"),
        ("a.json", '{"b": [1 2], "a": 1}', "expecting ',' delimiter"),
        ("a.json", '{"a": 1, "b": 01}', "expecting ',' delimiter"),
        ("a.json", '{"a": 1, "b": "\n"}', "invalid control character"),
        ("a.json", '{"a": 1', "expecting ',' delimiter"),
        ("a.json", "// a comment\n{}", "expecting value, line 1"),
        ("a.yaml", "", "the file is empty"),
        ("a.yaml", "# nothing\n", "the file is empty"),
        ("a.yaml", "a: 1\nb: [\n", "the file is not YAML: did not find expected node content, line 3"),
        ("a.yaml", "a: 1\n\tb: 2", "line 2"),
        ("a.yaml", "a: {% if x %}", "the file is not YAML"),
        ("a.yaml", "a: \x07", "a character that YAML does not allow"),
        ("a.yaml", "a: *b", "*b stands for nothing"),
        ("a.yaml", "a: *b\nb: &b 1", "*b stands for nothing"),
        ("a.toml", "a = 1\nb = \n", "the file is not TOML: invalid value (at line 2"),
        ("a.toml", "a = 1\na = 2\n", "the file is not TOML: cannot overwrite a value"),
        ("a.toml", f"a = {'1' * 5000}", "an integer of more digits than are read"),
        (
            "README",
            "# hello",
            "its name says neither JSON nor YAML nor TOML, so it is read as JSON; the file is not",
        ),
        ("a.jsonl", "1\n2", "extra data, line 2"),
    ],
)
def test_what_cannot_be_read(name: str, text: str, why: str) -> None:
    assert why in unreadable(find(text, name, ("a",)))


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.toml"])
@pytest.mark.parametrize("text", HOSTILE)
def test_nesting_without_end(name: str, text: str) -> None:
    assert not isinstance(find(text, name, ("x",)), Found)
    if not (name == "a.yaml" and text.startswith("a")):  # one long word
        assert unreadable(find(text, name, ("x",)))


@pytest.mark.parametrize(("opening", "closing", "token"), [("[", "]", "0"), ('{"a":', "}", "a")])
def test_the_way_to_a_value_may_be_as_long_as_it_likes(opening: str, closing: str, token: str) -> None:
    deep = 50_000
    text = opening * deep + "768" + closing * deep
    at = found(json_value.find(text, [token] * deep))
    assert at.span == (len(opening) * deep, len(opening) * deep + 3)


# --- JSON


@pytest.mark.parametrize(
    ("text", "where", "value", "notes"),
    [
        ('{"a": 1, "a": 2}', "/a", "2", "/a stands more than once"),
        ('{"a": {"b": 1}, "a": {"b": 2}}', "/a/b", "2", "/a stands more than once"),
        ('{"a": {"b": 1, "b": 2, "b": 3}}', "/a/b", "3", "/a/b stands more than once"),
        ('{"a": {"b": 1, "b": 2}, "a": {"b": 3}}', "/a/b", "3", "/a stands more than once"),
        ('{"a": 1, "b": 2, "b": 3}', "/a", "1", ""),
        ('{"a": NaN}', "/a", "NaN", "the file writes NaN, which JSON does not have"),
        ('{"a": -Infinity}', "/a", "-Infinity", "the file writes -Infinity"),
        ('{"a": NaN, "b": 1}', "/b", "1", ""),
    ],
)
def test_json_that_other_readers_refuse(text: str, where: str, value: str, notes: str) -> None:
    at = found(json_value.find(text, parts(where)))
    assert at.value == Numeral(value)
    assert [note.startswith(notes) for note in at.notes] == ([True] if notes else [])


def test_the_last_of_two_names_counts_where_it_leads_nowhere() -> None:
    outcome = missing(json_value.find('{"a": {"b": 1}, "a": {}}', ("a", "b")))
    assert (outcome.depth, outcome.holder) == (1, "an object of 0 entries")
    assert outcome.notes == ("/a stands more than once; the last one counts",)


def test_numbers_stay_what_is_written() -> None:
    long = "1" * 100_000
    for written in (long, f"-{long}", f"0.{long}", f"1e{long}", "1E+05", "-0", "1.50"):
        text = f'{{"a": {written}, "b": [{written}]}}'
        assert found(json_value.find(text, ("a",))).value == Numeral(written)
        assert found(json_value.find(text, ("b", "0"))).written == written


def test_half_a_surrogate_pair_is_a_string() -> None:
    text = r'{"\ud800": "\udc00", "a": 1}'
    assert found(json_value.find(text, ("\ud800",))).value == "\udc00"
    assert missing(json_value.find(text, ("b",))).names == ("\ud800", "a")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab~/0é", max_size=3), inner, max_size=4)
    ),
    max_leaves=20,
)


@st.composite
def led(draw: st.DrawFn) -> tuple[object, list[str], object]:
    """A document, a way into it, and what stands there."""
    document = at = draw(JSON)
    tokens: list[str] = []
    while isinstance(at, (list, dict)) and at and draw(st.booleans()):
        if isinstance(at, list):
            index = draw(st.integers(0, len(at) - 1))
            tokens.append(str(index))
            at = at[index]
        else:
            name = draw(st.sampled_from(sorted(at)))
            tokens.append(name)
            at = at[name]
    return document, tokens, at


@given(led(), st.sampled_from([None, 1, 4]), st.booleans())
@settings(deadline=None)
def test_any_value_of_a_json_text_is_found_where_it_stands(
    case: tuple[object, list[str], object], indent: int | None, ascii_only: bool
) -> None:
    document, tokens, value = case
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    at = found(json_value.find(text, tokens))
    assert at.span is not None
    assert text[slice(*at.span)] == at.written
    assert json.loads(at.written) == value
    assert same(at.value, read(json.dumps(value)))


@given(st.text('{}[]",:\\ \n01e.-ntfu', max_size=40), st.lists(st.sampled_from(["0", "1", ""]), max_size=3))
@settings(deadline=None)
@example('{"":0', [""])
def test_a_text_is_json_where_python_says_so(text: str, tokens: list[str]) -> None:
    try:
        json.loads(text)
        valid = True
    except ValueError:
        valid = False
    assert isinstance(json_value.find(text, tokens), Unreadable) is not valid


def read(text: str) -> Value:
    """A JSON text as a value."""
    value = json_value.read(text)
    assert not isinstance(value, Unreadable)
    return value


# --- YAML


class _Dumper(yaml.SafeDumper):
    """Quotes what YAML 1.2 takes for a number, too: for 1.1, which PyYAML writes, `0e0` and `0o7` are text."""


def _written(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = '"' if yaml_node._NUMERAL.fullmatch(text) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _written)


@given(led(), st.sampled_from([None, True, False]))
@example(("0E0", [], "0E0"), None)
@settings(deadline=None)
def test_yaml_has_what_json_has(case: tuple[object, list[str], object], flow: bool | None) -> None:
    document, tokens, value = case
    text = yaml.dump(document, Dumper=_Dumper, default_flow_style=flow, sort_keys=False)
    at = found(yaml_value.find(text, tokens))
    assert same(at.value, read(json.dumps(value))), (text, at)
    assert at.span is not None
    assert text[slice(*at.span)] == at.written
    assert not at.written.endswith("\n")


SAMPLE = """\
# a comment
n: 768
base: &base {lr: 1e-4, betas: [0.9, 0.95]}
anchored: &size 64
run:
  <<: *base
  tied: yes
  same: *base

  text: |
    one
    two

# another
tail: !!str 768
tagged: !env HOME
mapped: !env {a: 1}
list:
  - a   # first
  - b
empty:
quoted: "768"
"""


@pytest.mark.parametrize(
    ("where", "value", "written", "line"),
    [
        ("/n", Numeral("768"), "768", 2),
        ("/base/lr", Numeral("1e-4"), "1e-4", 3),
        ("/base/betas", [Numeral("0.9"), Numeral("0.95")], "[0.9, 0.95]", 3),
        ("/base", {"lr": Numeral("1e-4"), "betas": [Numeral("0.9"), Numeral("0.95")]}, None, 3),
        ("/anchored", Numeral("64"), "64", 4),
        ("/run/tied", True, "yes", 7),
        ("/run/same/lr", Numeral("1e-4"), "1e-4", 3),
        ("/run/text", "one\ntwo\n", "|\n    one\n    two", 10),
        ("/tail", "768", "!!str 768", 15),
        ("/tagged", "HOME", "!env HOME", 16),
        ("/mapped/a", Numeral("1"), "1", 17),
        ("/mapped", {"a": Numeral("1")}, "{a: 1}", 17),
        ("/list", ["a", "b"], "- a   # first\n  - b", 19),
        ("/list/1", "b", "b", 20),
        ("/empty", None, "", 21),
        ("/quoted", "768", '"768"', 22),
    ],
)
def test_yaml(where: str, value: Value, written: str | None, line: int) -> None:
    at = found(yaml_value.find(SAMPLE, parts(where)))
    assert at.value == value
    assert written is None or at.written == written
    assert at.span is not None
    assert SAMPLE.count("\n", 0, at.span[0]) + 1 == line


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("768", Numeral("768")),
        ("-1_000", Numeral("-1_000")),
        ("0x1F", Numeral("0x1F")),
        ("0o17", Numeral("0o17")),
        ("1.", Numeral("1.")),
        (".5", Numeral(".5")),
        ("1e5", Numeral("1e5")),
        ("0E0", Numeral("0E0")),
        ('"0E0"', "0E0"),
        ("1.5E-3", Numeral("1.5E-3")),
        (".inf", Numeral(".inf")),
        (".NaN", Numeral(".NaN")),
        ("0", Numeral("0")),
        ("017", "017"),
        ("1:30", "1:30"),
        ("2026-01-01", "2026-01-01"),
        ("1.2.3", "1.2.3"),
        ("e5", "e5"),
        (".", "."),
        ("true", True),
        ("FALSE", False),
        ("Off", False),
        ("tRUE", "tRUE"),
        ("y", "y"),
        ("~", None),
        ("Null", None),
        ("''", ""),
        ("'true'", "true"),
        ('"1"', "1"),
        ("!!int '3'", Numeral("3")),
        ("!!str 3", "3"),
        ("none", "none"),
    ],
)
def test_yaml_scalars(text: str, value: Value) -> None:
    at = found(yaml_value.find(f"a: {text}", ("a",))).value
    assert (type(at), at) == (type(value), value)


@pytest.mark.parametrize(
    ("text", "where", "notes"),
    [
        (SAMPLE, "/run/same/lr", "/run/same is an alias of &base"),
        (SAMPLE, "/tagged", "it has the tag !env, which is not followed"),
        (SAMPLE, "/n", ""),
        (SAMPLE, "/tail", ""),
        ("--- {a: 1}\n--- {a: 2}\n", "/a", "several documents; the first counts"),
        ("--- {a: 1}\n--- [\n", "/a", "several documents; the first counts"),
        ("a: 1\na: 2\n", "/a", "/a stands more than once"),
        ("a: {b: 1}\na: {b: 2, b: 3}\n", "/a/b", "/a stands more than once; the last one counts; /a/b"),
        ("a: &x 1\nb: [*x]", "/b", "it holds an alias, which is not followed"),
    ],
)
def test_notes_on_yaml(text: str, where: str, notes: str) -> None:
    told = "; ".join(found(yaml_value.find(text, parts(where))).notes)
    assert notes in told
    assert bool(told) == bool(notes)


def test_merge_keys_are_told_and_not_followed() -> None:
    outcome = missing(yaml_value.find(SAMPLE, ("run", "lr")))
    assert outcome.notes == ("/run takes in other mappings by <<, which are not followed",)
    at = found(yaml_value.find(SAMPLE, ("run",))).value
    assert at == Opaque("a mapping with a key <<, whose mappings are not followed")
    assert not missing(yaml_value.find("a: {'<<': 1}", ("a", "b"))).notes
    assert found(yaml_value.find("a: {'<<': 1}", ("a",))).value == {"<<": Numeral("1")}


@pytest.mark.parametrize(
    ("text", "where", "value"),
    [
        ("a: &x 1\nb: *x", "/b", "1"),
        ("a: &x {c: 1}\nb: *x", "/b/c", "1"),
        ("a: &x 1\nb: &x 2\nc: *x\nd: &x 3", "/c", "2"),
        ("a: &x [1, &y [2]]\nb: *x\nc: *y", "/c/0", "2"),
        ("a: &x 1\nb: &y {c: *x}\nd: *y", "/d/c", "1"),
        ("a: &x {b: 1, s: *x}", "/a/s/s/s/b", "1"),
        ("&r {a: *r, b: 1}", "/a/a/b", "1"),
    ],
)
def test_aliases_on_the_way_are_followed(text: str, where: str, value: str) -> None:
    assert found(yaml_value.find(text, parts(where))).value == Numeral(value)


def test_aliases_are_never_expanded() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 60))]
    text = "\n".join(lines)
    at = found(yaml_value.find(text, ("a59",)))
    assert at.value == [Opaque("an alias")] * 9
    assert "more than 10 aliases" in unreadable(yaml_value.find(text, ["a59", *["1"] * 59]))
    assert "more than 10 aliases" in unreadable(yaml_value.find("a: &a [*a]", ["a", *["0"] * 50]))
    assert "more than 10 aliases" in unreadable(yaml_value.find("&a [*a]", ["0"] * 50))


def test_yaml_keys_that_are_no_text() -> None:
    text = "1: a\ntrue: b\n? [x]\n: c\n? {y: 1}\n: d\n&k z: e\n*k : f\n~: g\n"
    for token, value in (("1", "a"), ("true", "b"), ("z", "e"), ("~", "g")):
        assert found(yaml_value.find(text, (token,))).value == value
    assert found(yaml_value.find(text, ())).value == Opaque("a mapping with a key that is no scalar")


def test_lines_of_yaml_are_those_of_git() -> None:
    text = "a: 'x\u2028y'\nb: \u00e9\x85\nc: 1\n"
    assert text_of("a.yaml", "/c", text) == "1"


@pytest.mark.parametrize(
    ("text", "where", "written"),
    [
        ("a:\n- 1\n# of b\nb: 2\n", "/a", "- 1"),
        ("a:\n  c: 1\n\n  # of nothing\nb: 2\n", "/a", "c: 1"),
        ("a:\n- b: [1,\n  2]\n# end\n", "/a", "- b: [1,\n  2]"),
        ("a: |\n  x\n\n# of b\nb: 2\n", "/a", "|\n  x"),
        ("a: &x {b: 1} # c\n", "/a", "{b: 1}"),
        ("a:\n  b:\n# end\n", "/a", "b:"),
    ],
)
def test_a_value_ends_before_the_comments_that_follow_it(text: str, where: str, written: str) -> None:
    assert text_of("a.yaml", where, text) == written


@pytest.mark.parametrize(
    "text", ["[" * 950 + "]" * 950, "- " * 950 + "1", "x: [" + "{a: " * 920 + "}" * 920 + "]"]
)
def test_yaml_is_nested_no_deeper_than_any_libyaml_reads(text: str) -> None:
    assert "nested more than 900 deep" in unreadable(yaml_value.find(text, ("x",)))


def test_a_yaml_file_with_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_node, "_EVENTS", 1_000)
    assert "more than 1,000 values" in unreadable(yaml_value.find("[" + "1," * 1_001 + "]", ("0",)))
    assert found(yaml_value.find("[" + "1," * 900 + "]", ("0",))).value == Numeral("1")


@given(st.text("abn:-? \n[]{},&*!|>'\"#%<1", max_size=40), st.lists(st.sampled_from(["a", "b", "0", "<<"])))
@settings(deadline=None)
def test_no_yaml_is_too_strange(text: str, tokens: list[str]) -> None:
    match yaml_value.find(text, tokens):
        case Found(written=written, span=span):
            assert span is not None
            assert text[slice(*span)] == written
        case Missing(depth=depth):
            assert depth < len(tokens)
        case Unreadable(why=why):
            assert why


# --- TOML

TABLE = """\
n = 768
big = 1_000
mask = 0xff
rate = 1.50e-3
none = nan
on = true
day = 2026-01-01
at = 2026-01-01T12:00:00Z
[a."b.c"]
d = [1, {e = "f"}]
[[t]]
x = 1
[[t]]
x = 2
"""


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("/n", Numeral("768")),
        ("/big", Numeral("1000")),
        ("/mask", Numeral("255")),
        ("/rate", Numeral("1.50e-3")),
        ("/none", Numeral("nan")),
        ("/on", True),
        ("/a/b.c/d", [Numeral("1"), {"e": "f"}]),
        ("/a/b.c/d/1/e", "f"),
        ("/t/1/x", Numeral("2")),
        ("/t", [{"x": Numeral("1")}, {"x": Numeral("2")}]),
    ],
)
def test_toml(where: str, value: Value) -> None:
    at = found(toml_value.find(TABLE, parts(where)))
    assert (at.value, at.span) == (value, None)


@pytest.mark.parametrize(("where", "iso"), [("/day", "2026-01-01"), ("/at", "2026-01-01T12:00:00+00:00")])
def test_toml_dates(where: str, iso: str) -> None:
    at = found(toml_value.find(TABLE, parts(where))).value
    assert isinstance(at, Moment)
    assert at.value.isoformat() == iso


def test_toml_of_any_depth_and_size() -> None:
    deep = 2_000
    text = "a" + ".a" * (deep - 1) + " = 1"
    assert found(toml_value.find(text, ["a"] * deep)).value == Numeral("1")
    assert isinstance(found(toml_value.find(text, [])).value, dict)
    assert "too large" in unreadable(toml_value.find("#" * (4 * 1024 * 1024 + 1), ("a",)))
    assert found(toml_value.find("a = 0x" + "f" * 10_000, ("a",))).value == Numeral("0x" + "f" * 10_000)

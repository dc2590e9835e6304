from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    ExpectedValue,
    LineRange,
    Manifest,
    Quantity,
    Release,
    Source,
    Term,
)
from provenance.manifest import parse, render
from provenance.manifest.fields import EXPECTABLE, LINE, NAME, NUMBER, PROSE

SOURCE = Source("engine", "https://example.org/engine", "12345678", "MIT", (Release("engine", "1.0"),))
CITATION = Citation(
    "valve", SOURCE, "src/valve.py", LineRange(1, 2), EvidenceKind.DIRECT, "It opens.", None, "x\n"
)


def manifest(**changes: str | None) -> Manifest:
    """One citation with one source, with a citation's texts changed."""
    citation = replace(CITATION, **changes)  # type: ignore[arg-type]
    return Manifest("m.yaml", "Engine · Valve", None, (SOURCE,), (citation,))


def test_the_form() -> None:
    expect = Expectation("partial", "the last lines only, for now", date(2027, 6, 30))
    citation = replace(
        CITATION,
        evidence=EvidenceKind.CONTEXTUAL,
        of="Cylinder",
        quote="  def open():\n    pass\n",
        expect=expect,
    )
    whole = Manifest("m.yaml", "Engine · Valve", "https://example.org/", (SOURCE,), (citation,))
    assert render(whole) == (
        "prov: 1\n"
        "title: Engine · Valve\n"
        "url: https://example.org/\n"
        "sources:\n"
        "  engine:\n"
        "    git: https://example.org/engine\n"
        "    revision: 12345678\n"
        "    license: MIT\n"
        "    alternates:\n"
        "      - pypi: engine==1.0\n"
        "citations:\n"
        "  - id: valve\n"
        "    source: engine\n"
        "    path: src/valve.py\n"
        "    lines: 1-2\n"
        "    evidence: contextual\n"
        "    of: Cylinder\n"
        "    claim: It opens.\n"
        "    quote: |2\n"
        "        def open():\n"
        "          pass\n"
        '    expect: {verdict: partial, because: "the last lines only, for now", until: 2027-06-30}\n'
    )


QUOTES = {
    "plain": ("a\nb\n", "|\n      a\n      b"),
    "indented": ("  a\nb\n", "|2\n        a\n      b"),
    "no last LF": ("a\nb", "|-\n      a\n      b"),
    "indented, no last LF": ("  a\nb", "|2-\n        a\n      b"),
    "blank lines at its end": ("a\n\n\n", "|+\n      a\n\n"),
    "blank line first": ("\n a\n", "|2\n\n       a"),
    "tab first": ("\ta\nb\n", "|2\n      \ta\n      b"),
    "trailing spaces": ("a  \nb \n", "|\n      a  \n      b "),
    "line of spaces": ("a\n   \nb\n", "|\n      a\n         \n      b"),
    "line of spaces last": ("a\n   \n", "|\n      a\n         "),
    "like a document's end": ("---\n...\n", "|\n      ---\n      ..."),
    "one line": ("a", "a"),
    "carriage return": ("a\rb\n", r'"a\rb\n"'),
    "next line": ("a\x85b\nc\n", r'"a\x85b\nc\n"'),
    "line separator": ("a\u2028b\nc\n", r'"a\u2028b\nc\n"'),
    "escape sequence": ("a\x1b[31m\n", r'"a\x1b[31m\n"'),
    "byte order mark": ("\ufeffa\n", r'"\ufeffa\n"'),
}


@pytest.mark.parametrize(("quote", "written"), QUOTES.values(), ids=QUOTES)
def test_quotes_keep_every_character(quote: str, written: str) -> None:
    text = render(manifest(quote=quote))
    assert f"    quote: {written}\n" in text
    assert parse(text.encode(), "m.yaml") == manifest(quote=quote)


CLAIMS = {
    "a: b": '"a: b"',
    "a #b": '"a #b"',
    "a#b:c": "a#b:c",
    "ends:": '"ends:"',
    "- a": '"- a"',
    "-a": "-a",
    "? a": '"? a"',
    "'a'": "\"'a'\"",
    '"a"': r'"\"a\""',
    "a 'b' \"c\" \\d": "a 'b' \"c\" \\d",
    "*a": '"*a"',
    "&a": '"&a"',
    "!a": '"!a"',
    "%a": '"%a"',
    "@a": '"@a"',
    "`a`": '"`a`"',
    "{a}": '"{a}"',
    "[a]": '"[a]"',
    "|": '"|"',
    ">": '">"',
    "--- a": '"--- a"',
    "...": '"..."',
    "… a": "… a",
    "null": "null",
    "1e10": "1e10",
    "99–103 × 2": "99–103 × 2",
    " a": '" a"',
    "a ": '"a "',
    "a\tb": r'"a\tb"',
    "a\u202eb": r'"a\u202eb"',
    "a\u00a0b": r'"a\xa0b"',
    "\U000e0041": r'"\U000e0041"',
}


@pytest.mark.parametrize(("claim", "written"), CLAIMS.items())
def test_a_line_is_quoted_where_yaml_needs_it(claim: str, written: str) -> None:
    text = render(manifest(claim=claim))
    assert f"    claim: {written}\n" in text
    assert parse(text.encode(), "m.yaml") == manifest(claim=claim)


def test_what_is_not_there_is_not_written() -> None:
    bare = manifest(claim="", quote=None)
    assert "claim" not in render(bare)
    assert "quote" not in render(bare)
    assert parse(render(bare).encode(), "m.yaml") == bare
    empty = Manifest("m.yaml", "t", None, (), ())
    assert parse(render(empty).encode(), "m.yaml") == empty


TRICKY = st.text(st.sampled_from(" \t\n\r\x85\u2028\ufeff\xa0:#-?,[]{}&*!|>'\"%@`~.…–aé\x1b\\0"), max_size=12)
ANY = st.one_of(
    TRICKY, st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
)
lines = ANY.map(lambda text: text if LINE.pattern.fullmatch(text) else "x: y")
names = ANY.map(lambda text: text if NAME.pattern.fullmatch(text) and text != "<<" else f"n{len(text)}")
prose = ANY.map(lambda text: text if PROSE.pattern.fullmatch(text) else " x\n")
releases = st.builds(
    Release,
    st.from_regex(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,8}[A-Za-z0-9])?", fullmatch=True),
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9.!+_-]{0,8}", fullmatch=True),
)
ranges = st.tuples(st.integers(1, 999_999_999), st.integers(0, 500)).map(
    lambda pair: LineRange(pair[0], min(pair[0] + pair[1], 999_999_999))
)
expectations = st.builds(Expectation, st.sampled_from(EXPECTABLE), prose, st.dates())

values = st.builds(ExpectedValue, st.sampled_from(["", "/", "/a~0b/0", "/é, {}"]), ANY)
numbers = st.from_regex(NUMBER.pattern, fullmatch=True)
shown = st.sampled_from(
    ["512 × 2048", "[B batch, 512 d]", "a: b", "- x", "# y", "{z", "2,048", "“é”", "~", "null"]
)
quantities = st.builds(
    Quantity,
    names,
    st.lists(st.builds(Term, shown, shown, numbers), max_size=2).map(tuple),
    st.none() | numbers,
    st.none() | numbers,
    st.none() | numbers,
    st.lists(shown, max_size=2).map(tuple),
    st.lists(shown, max_size=2).map(tuple),
    st.none() | st.builds(Expectation, st.just("broken"), shown, st.dates()),
)


@st.composite
def manifests(draw: st.DrawFn) -> Manifest:
    source = st.builds(
        Source,
        names,
        lines,
        lines,
        st.none() | lines,
        st.lists(releases, max_size=2).map(tuple),
        st.none() | shown,
    )
    sources = draw(st.lists(source, max_size=3, unique_by=lambda one: one.name))
    citations: list[Citation] = []
    for id_ in draw(st.lists(names, max_size=3, unique=True)) if sources else []:
        of = draw(st.none() | lines)
        kind = EvidenceKind.CONTEXTUAL if of is not None else draw(st.sampled_from(EvidenceKind))
        part = draw(st.none() | prose | values)
        is_value = isinstance(part, ExpectedValue)
        text = part if isinstance(part, str) else None
        is_quote = draw(st.booleans())
        citations.append(
            Citation(
                id_,
                draw(st.sampled_from(sources)),
                draw(lines),
                draw(ranges | st.none()) if is_value else draw(ranges),
                kind,
                draw(st.just("") | prose),
                of,
                text if is_quote else None,
                draw(st.none() | expectations),
                expression=None if is_quote else text,
                value=part if isinstance(part, ExpectedValue) else None,
            )
        )
    used = {citation.id for citation in citations}
    sums = draw(st.lists(quantities, max_size=2, unique_by=lambda one: one.id))
    url = draw(st.sampled_from([None, "https://example.org/a?b#c", "http://[::1]/'\""]))
    return Manifest(
        "m.yaml",
        draw(lines),
        url,
        tuple(sources),
        tuple(citations),
        tuple(quantity for quantity in sums if quantity.id not in used),
    )


@settings(max_examples=300, deadline=None)
@given(manifests())
def test_what_is_written_is_read_back(one: Manifest) -> None:
    text = render(one)
    found = parse(text.encode(), "m.yaml")
    assert found == one
    assert isinstance(found, Manifest)
    assert render(found) == text


@settings(max_examples=300, deadline=None)
@given(prose)
def test_any_quote_is_read_back(quote: str) -> None:
    one = manifest(quote=quote, claim=quote)
    assert parse(render(one).encode(), "m.yaml") == one

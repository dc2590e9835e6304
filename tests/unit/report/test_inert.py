from __future__ import annotations

import json
import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.report.inert import in_json, in_line, no_commands, visible

COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)

hostile = st.lists(
    st.sampled_from(
        [
            "::",
            "##[",
            "##vso[",
            "#",
            "[",
            " ",
            "\t",
            "\n",
            "\r",
            "\x1b[31m",
            "\u202e",
            "\ud800",
            "\xa0",
            "\\",
            "a",
        ]
    )
).map("".join)


def hidden(text: str) -> list[str]:
    return [sign for sign in text if unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢 …", "plain é 漢 …"),
        ("\x1b[2J", r"\x1b[2J"),
        ("a\rb", r"a\x0db"),
        ("\x9b31m\x7f", r"\x9b31m\x7f"),
        ("\u202eabc\u2066", r"\u202eabc\u2066"),
        ("a\u200bb\ufeff", r"a\u200bb\ufeff"),
        ("\u2028\u2029\x85", r"\u2028\u2029\x85"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("\tone\n\ttwo\n", "\tone\n\ttwo\n"),
    ],
)
def test_what_is_hidden_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_every_hidden_character_of_unicode_is_shown() -> None:
    everything = "".join(map(chr, range(sys.maxunicode + 1)))
    assert hidden(visible(everything)) == ["\t", "\n"]
    assert hidden(in_line(everything)) == []


def test_text_in_a_line_stays_there() -> None:
    assert in_line("a\n\tb") == r"a\x0a\x09b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::set-env name=A::b", r"\::set-env name=A::b"),
        ("a\n \t\xa0::error::b", "a\n \t\xa0\\::error::b"),
        ("std::vector", "std::vector"),
        ("##[error]x", r"#\#[error]x"),
        ("x ##vso[task.setvariable]y", r"x #\#vso[task.setvariable]y"),
        ("###[group]", r"##\#[group]"),
        ("## heading [link]", "## heading [link]"),
    ],
)
def test_commands_are_broken(text: str, shown: str) -> None:
    assert no_commands(text) == shown


@given(hostile | st.text())
def test_no_text_is_a_command(text: str) -> None:
    inert = no_commands(visible(text))
    assert set(hidden(inert)) <= {"\t", "\n"}
    assert COMMAND.search(inert) is None
    assert no_commands(visible(inert)) == inert
    inert.encode()


@given(hostile | st.text())
def test_json_means_the_same_and_is_no_command(text: str) -> None:
    line = in_json(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(line) == {text: [text]}
    assert hidden(line) == []
    assert COMMAND.search(line) is None
    line.encode()

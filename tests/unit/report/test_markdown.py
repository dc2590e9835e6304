"""Markdown of a job's summary, read back by markdown-it as GitHub would read it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from support.notices import HOSTILE, everything, hostile, hostile_result, idle, made, notices, unread

from provenance.evidence import Verdict
from provenance.report.markdown import MOST_BYTES, code, fenced, prose, write_markdown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

    from provenance.report.notices import Notices

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
TAGS = {"details", "summary", "b", "code"}
AUTOLINKED = re.compile(r"@\w|https?://|www\.|#[0-9]|[0-9a-f]{7}", re.IGNORECASE)
"""What a forge makes a mention, a link or a reference of, in plain text."""


class Tags(HTMLParser):
    """What HTML there is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: list[object] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes += attrs


def written(told: Notices) -> str:
    stream = StringIO()
    write_markdown(stream, told)
    return stream.getvalue()


def tokens(text: str) -> Iterator[Token]:
    for token in READER.parse(text):
        yield token
        yield from token.children or ()


def check(text: str) -> None:
    """Nothing but what is ours."""
    for token in tokens(text):
        assert token.type not in {"image", "html_inline"}
        if token.type == "link_open":
            assert str(token.attrs["href"]).startswith("https://github.com/tensorflow/tensor2tensor/blob/")
        if token.type == "html_block":
            tags = Tags(token.content)
            assert tags.seen <= TAGS
            assert tags.attributes == []
        if token.type == "text":
            assert AUTOLINKED.search(token.content) is None
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line


def headings(text: str) -> list[str]:
    found = READER.parse(text)
    return [found[at + 1].content for at, token in enumerate(found) if token.type == "heading_open"]


def test_counts_come_first_then_the_worst() -> None:
    text = written(notices(everything(), [unread()], ("manifests/x.yaml:9: bad @x",)))
    assert headings(text) == [
        "prov verify",
        "Problems (1)",
        "Failures (1)",
        "Unavailable (1)",
        "Warnings (2)",
    ]
    assert "| 4 | 1 | 1 | 1 | 1 |" in text
    assert "1 place not understood." in text
    assert text.count("<details>") == text.count("</details>") == 4
    assert "```diff\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n```" in text
    check(text)


def test_what_is_expected_in_vain_stands_last() -> None:
    text = written(notices([idle("a"), *everything(), idle("b")]))
    assert headings(text)[-2:] == ["Warnings (1)", "Expected, and no longer needed (2)"]
    assert text.count("- expect: changed is no longer needed\n- note: followed a link\n") == 2
    check(text)


def test_nothing_to_tell_is_the_counts_alone() -> None:
    assert headings(written(notices([]))) == ["prov verify"]


def test_more_than_a_summary_takes_is_left_out_and_told() -> None:
    diff = "".join(f"-{'é' * 480}{at}\n" for at in range(60))
    found = [made(id_=f"c{at}", diff=diff, claim="x" * 3000) for at in range(40)]
    text = written(notices(found))
    assert len(text.encode()) <= MOST_BYTES
    left = re.search(r"\n([0-9]+) more are left out here for want of room\.\n$", text)
    assert left is not None
    assert int(left[1]) == 40 - text.count("<details>")
    assert text.count("<details>") == text.count("</details>") > 10
    check(text)


@given(hostile)
def test_text_from_outside_makes_nothing(text: str) -> None:
    out = written(
        notices([hostile_result(text), hostile_result(text, Verdict.PARTIAL)], [unread(text)], (text,))
    )
    out.encode()
    check(out)
    assert headings(out) == ["prov verify", "Problems (1)", "Failures (1)", "Warnings (2)"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_makes_nothing(text: str) -> None:
    check(written(notices([hostile_result(text)])))


@given(st.text(alphabet="`~ ab\n\\", max_size=30))
def test_a_code_span_and_a_fence_hold_what_they_were_given(text: str) -> None:
    line = text.replace("\n", " ").strip()
    if line:
        (inline,) = [token for token in READER.parse(f"x {code(line)} y") if token.type == "inline"]
        spans = [child.content for child in inline.children or () if child.type == "code_inline"]
        assert spans == [line]
    (fence,) = READER.parse(fenced(text, "diff"))
    assert fence.content == f"{text}\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the quote differs in code; 5-6 comes closest", "the quote differs in code; 5-6 comes closest"),
        ("there is no a/b.py, or so", "there is no `a/b.py`, or so"),
        ("f(x) -> y", "`f(x) ->` y"),
        ("by @me", "by `@me`"),
        ("deadbeef", "`deadbeef`"),
        ("of (deadbeef), defaced.", "of `(deadbeef), defaced`."),
        ("1. x", "`1`. x"),
        ("...", "`...`"),
        ("", ""),
    ],
)
def test_prose_keeps_words_and_puts_the_rest_into_code(text: str, shown: str) -> None:
    assert prose(text) == shown

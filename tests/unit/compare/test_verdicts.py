"""The table of verdicts, row by row."""

from __future__ import annotations

import textwrap

import pytest

from provenance.citation import LineRange
from provenance.compare.judge import judge, matches
from provenance.evidence import Difference, Judgement, Verdict
from provenance.extract.lines import Text
from provenance.extract.tokens import Token

SOURCE = """\
import os


class Attention:
    def __init__(self, size):
        self.size = size

        self.heads = 12

    def forward(self, x, *, mask=None):
        # project first
        y = self.project(x)
        y = self.mask(
            y,
            mask,
        )

        return y


def identity(x):
    ...


def last(x):
    return x
"""
TEXT = Text(SOURCE)
LINES = SOURCE.split("\n")


def quoted(first: int, last: int) -> str:
    return "\n".join(LINES[first - 1 : last])


def judged(quote: str | None, lines: str, text: Text = TEXT) -> Judgement:
    return judge(quote, LineRange.parse(lines), text, path="a.py")


@pytest.mark.parametrize(
    ("quote", "lines", "verdict"),
    [
        pytest.param(None, "4-8", Verdict.UNQUOTED, id="no quote"),
        pytest.param(None, "4-80", Verdict.OUT_OF_RANGE, id="no quote, past the end"),
        pytest.param(quoted(4, 8), "4-8", Verdict.EXACT, id="as it stands"),
        pytest.param(quoted(4, 8) + "\n", "4-8", Verdict.EXACT, id="a last LF"),
        pytest.param(quoted(4, 8).replace("\n", "\r\n"), "4-8", Verdict.EXACT, id="CRLF"),
        pytest.param("\ufeff" + quoted(1, 1), "1", Verdict.EXACT, id="a BOM"),
        pytest.param("", "3", Verdict.EXACT, id="a blank line"),
        pytest.param(quoted(4, 8) + "\n\n", "4-8", Verdict.WHITESPACE, id="a blank line too many"),
        pytest.param(quoted(5, 6) + "\n" + quoted(8, 8), "5-8", Verdict.WHITESPACE, id="a blank line lost"),
        pytest.param(textwrap.dedent(quoted(5, 8)), "5-8", Verdict.WHITESPACE, id="dedented"),
        pytest.param(textwrap.indent(quoted(5, 8), "  "), "5-8", Verdict.WHITESPACE, id="indented"),
        pytest.param(quoted(5, 8).lstrip(), "5-8", Verdict.WHITESPACE, id="first indentation lost"),
        pytest.param(f" {quoted(5, 8).lstrip()}", "5-8", Verdict.WHITESPACE, id="lost in part"),
        pytest.param(
            f"        {quoted(5, 8).lstrip()}", "5-8", Verdict.CHANGED, id="first indentation grown"
        ),
        pytest.param(
            textwrap.indent(quoted(5, 8).lstrip(), "   "), "5-8", Verdict.WHITESPACE, id="lost, then indented"
        ),
        pytest.param(
            quoted(5, 6).replace("\n", "  \t\n"), "5-6", Verdict.WHITESPACE, id="trailing white space"
        ),
        pytest.param(
            quoted(5, 5) + "\n" + LINES[5][1:], "5-6", Verdict.CHANGED, id="other relative indentation"
        ),
        pytest.param(quoted(4, 5) + "\n…\n" + quoted(8, 8), "4-8", Verdict.ELIDED, id="a mark"),
        pytest.param("…\n" + quoted(12, 18), "10-18", Verdict.ELIDED, id="a mark first"),
        pytest.param(quoted(10, 12) + "\n        # ...", "10-18", Verdict.ELIDED, id="a mark last"),
        pytest.param(
            textwrap.dedent(quoted(10, 10)) + "\n...\n    return y",
            "10-18",
            Verdict.ELIDED,
            id="marked and dedented",
        ),
        pytest.param(
            quoted(10, 10).lstrip() + "\n...\n" + quoted(18, 18), "10-18", Verdict.ELIDED, id="lost, marked"
        ),
        pytest.param(
            "    def forward(…):\n        …\n        return y", "10-18", Verdict.ELIDED, id="within a line"
        ),
        pytest.param("        y = self.mask(...)", "13-16", Verdict.ELIDED, id="within, over lines"),
        pytest.param(
            "        y = self.mask(…\n\n        return y", "13-18", Verdict.ELIDED, id="up to the next line"
        ),
        pytest.param(quoted(21, 22), "21-22", Verdict.EXACT, id="an ellipsis that is code"),
        pytest.param(
            textwrap.indent(quoted(21, 22), " "), "21-22", Verdict.WHITESPACE, id="the same, indented"
        ),
        pytest.param(
            quoted(21, 22) + "\n\n…\n" + quoted(26, 26), "21-26", Verdict.ELIDED, id="code and mark"
        ),
        pytest.param(quoted(13, 16), "13", Verdict.ANCHORED, id="one line of a longer quote"),
        pytest.param(textwrap.dedent(quoted(13, 16)), "14", Verdict.ANCHORED, id="a line in its middle"),
        pytest.param(quoted(10, 10) + "\n…\n" + quoted(18, 18), "10", Verdict.ANCHORED, id="with marks"),
        pytest.param(quoted(10, 10) + "\n…\n" + quoted(18, 18), "12", Verdict.SHIFTED, id="a line left out"),
        pytest.param(quoted(13, 16), "13-14", Verdict.SHIFTED, id="two lines of a longer quote"),
        pytest.param(quoted(12, 14), "10-18", Verdict.PARTIAL, id="strictly inside"),
        pytest.param(quoted(10, 10) + "\n" + quoted(18, 18), "10-18", Verdict.PARTIAL, id="lines left out"),
        pytest.param(
            quoted(10, 10) + "\n" + quoted(12, 12), "10", Verdict.PARTIAL, id="left out around one line"
        ),
        pytest.param(
            quoted(10, 10) + "\n…\n" + quoted(13, 13), "10-18", Verdict.PARTIAL, id="marks and more"
        ),
        pytest.param(
            "    def forward(…):\n        y = …project(x)", "9-16", Verdict.PARTIAL, id="within, left out"
        ),
        pytest.param("def …(x):\n    re…", "10", Verdict.SHIFTED, id="elsewhere, within lines"),
        pytest.param(
            "…forward(…):\n…\n        return y", "1-4", Verdict.SHIFTED, id="elsewhere, no beginning"
        ),
        pytest.param("…heads = 12\n\n…", "5-8", Verdict.ELIDED, id="no beginning"),
        pytest.param("…sizes = 12", "8", Verdict.CHANGED, id="no beginning, in vain"),
        pytest.param(quoted(25, 26), "4-5", Verdict.SHIFTED, id="elsewhere"),
        pytest.param(
            quoted(10, 10) + "\n...\n" + quoted(18, 18), "1-4", Verdict.SHIFTED, id="elsewhere, elided"
        ),
        pytest.param(quoted(10, 14).replace("mask", "veil"), "10-14", Verdict.CHANGED, id="words changed"),
        pytest.param("zyx wvu tsr", "4-5", Verdict.ABSENT, id="nowhere"),
        pytest.param("", "4-5", Verdict.ABSENT, id="empty"),
        pytest.param(" \n\t\n", "4-5", Verdict.ABSENT, id="blank"),
        pytest.param("…", "4-8", Verdict.ABSENT, id="nothing but a mark"),
        pytest.param(quoted(4, 8), "4-80", Verdict.OUT_OF_RANGE, id="past the end"),
    ],
)
def test_verdict(quote: str | None, lines: str, verdict: Verdict) -> None:
    assert judged(quote, lines).verdict is verdict


@pytest.mark.parametrize(
    ("quote", "lines", "suggestion"),
    [
        (quoted(13, 16), "14", "13-16"),
        (quoted(12, 14), "10-18", "12-14"),
        (quoted(10, 10) + "\n" + quoted(12, 12), "10", "10-12"),
        (quoted(10, 10) + "\n" + quoted(12, 12), "12", "10-12"),
        (quoted(10, 10) + "\n" + quoted(12, 12), "9-18", "10-12"),
        (quoted(13, 16), "13-14", "13-16"),
        (quoted(25, 26), "4-5", "25-26"),
        (quoted(25, 26), "99", "25-26"),
        (quoted(10, 14).replace("mask", "veil"), "24-26", "10-14"),
    ],
)
def test_suggestion(quote: str, lines: str, suggestion: str) -> None:
    assert judged(quote, lines).suggestion == LineRange.parse(suggestion)


@pytest.mark.parametrize(
    ("mark", "verdict"),
    [
        ("… lines 237–238 omitted …", Verdict.ELIDED),
        ("… lines 238–238 omitted …", Verdict.ELIDED),
        ("# ... line 238 omitted", Verdict.ELIDED),
        ("[2 lines omitted]", Verdict.ELIDED),
        ("[1 line omitted]", Verdict.ELIDED),
        ("…", Verdict.ELIDED),
        ("… lines 237–239 omitted …", Verdict.CHANGED),
        ("… lines 236–238 omitted …", Verdict.CHANGED),
        ("… line 237 omitted …", Verdict.CHANGED),
        ("… lines 238–237 omitted …", Verdict.CHANGED),
        ("… line 0 omitted …", Verdict.CHANGED),
        ("[9 lines omitted]", Verdict.CHANGED),
    ],
)
def test_what_a_mark_states_must_be_true(mark: str, verdict: Verdict) -> None:
    body = [f"    self.layer_{number} = {number}" for number in range(1, 300)]
    body[236] = ""
    body[237] = "    def forward(self):"
    quote = "\n".join([*body[232:236], "", f"    {mark}", "", *body[238:243]])
    answer = judge(quote, LineRange(233, 243), Text("\n".join(body)))
    assert answer.verdict is verdict
    if verdict is Verdict.CHANGED:
        assert answer.message.startswith("a mark states that ")
        assert answer.message.endswith(" were left out, where it was line 238")


def test_a_stated_range_is_what_is_omitted() -> None:
    body = [f"    line {number}" for number in range(1, 320)]
    body[307] = ""
    quote = "\n".join([*body[302:305], "… lines 306–306 omitted …", body[306]])
    answer = judge(quote, LineRange(303, 309), Text("\n".join(body)))
    assert answer.verdict is Verdict.PARTIAL
    assert answer.suggestion == LineRange(303, 307)
    assert answer.omitted == (LineRange(306, 306),)
    assert answer.message == "the quote leaves out lines 308-309 without a mark; 303-307 holds it"


def test_what_may_be_a_mark_but_is_code_hides_nothing() -> None:
    answer = judge("def f():\n    ...", LineRange(1, 4), Text("def f():\n    ...\nx\ny"))
    assert answer.verdict is Verdict.ELIDED
    answer = judge("...", LineRange(1, 3), Text("b\n...\nc"))
    assert answer.verdict is Verdict.PARTIAL
    assert answer.message == "the quote leaves out lines 1, 3 without a mark; 2 holds it"


def test_one_line_of_several_that_the_marked_quote_may_begin_with() -> None:
    answer = judge("a\n…\nb", LineRange(2, 2), Text("c\na\na\nd\nb"))
    assert (answer.verdict, answer.suggestion) == (Verdict.ANCHORED, LineRange(2, 5))
    assert answer.omitted == (LineRange(3, 4),)


def test_the_last_three_lines_of_a_range() -> None:
    body = [f"line {number}" for number in range(1, 140)]
    answer = judge("\n".join(body[127:130]), LineRange(123, 130), Text("\n".join(body)))
    assert answer == Judgement(
        Verdict.PARTIAL,
        "the quote leaves out lines 123-127 without a mark; 128-130 holds it",
        similarity=1.0,
        suggestion=LineRange(128, 130),
    )


def test_a_stated_mark_at_an_end_may_speak_of_lines_beyond_the_range() -> None:
    body = [f"line {number}" for number in range(1, 40)]
    quote = "… lines 1–9 omitted …\n" + "\n".join(body[9:12]) + "\n… lines 13–39 omitted …"
    answer = judge(quote, LineRange(10, 12), Text("\n".join(body)))
    assert (answer.verdict, answer.omitted) == (Verdict.ELIDED, ())
    wrong = judge(quote.replace("1–9", "1–10"), LineRange(10, 12), Text("\n".join(body)))
    assert wrong.verdict is Verdict.CHANGED


def test_a_stated_mark_at_an_end_that_does_not_reach_it() -> None:
    answer = judge("a\n… lines 2–3 omitted …", LineRange(1, 5), Text("a\nb\nc\nd\ne"))
    assert (answer.verdict, answer.omitted) == (Verdict.PARTIAL, (LineRange(2, 3),))
    assert answer.message == "the quote leaves out lines 4-5 without a mark; 1 holds it"


def test_a_line_that_comes_again_behind_a_stated_mark() -> None:
    quote = "… lines 1–3 omitted …\n...\na\n…"
    answer = judge(quote, LineRange(1, 5), Text("a\na\nb\na\nc"))
    assert (answer.verdict, answer.omitted) == (Verdict.ELIDED, (LineRange(1, 3), LineRange(5, 5)))


def test_notes_of_elided() -> None:
    quote = textwrap.dedent(quoted(10, 10)) + "\n    …\n    # project first"
    answer = judged(quote, "10-11")
    assert answer.verdict is Verdict.ELIDED
    assert answer.omitted == ()
    assert answer.notes == ("the quote is dedented by 4 columns", "an omission mark stands for no line")


def test_places_come_nearest_first_and_at_most_a_hundred() -> None:
    text = Text("\n".join(["same", "other"] * 300))
    answer = judge("same", LineRange(300, 300), text)
    assert answer.verdict is Verdict.SHIFTED
    assert len(answer.found_at) == 100
    assert [lines.distance(LineRange(300, 300)) for lines in answer.found_at[:4]] == [1, 1, 3, 3]
    assert answer.message == "the quote stands at 299 and at 299 other places, 1 line further up"


def test_tabs_shown_as_spaces() -> None:
    source = "func f() {\n\tif x {\n\t\treturn\t// no\n\t}\n}"
    for width in range(1, 9):
        assert judge(source.expandtabs(width), LineRange(1, 5), Text(source)).verdict is Verdict.WHITESPACE
        assert (
            judge(source.replace("\t", " " * width), LineRange(1, 5), Text(source)).verdict
            is Verdict.WHITESPACE
        )
    inside = "  if x {\n    return\t// no\n  }"
    assert judge(inside, LineRange(2, 4), Text(source)).verdict is Verdict.WHITESPACE
    assert judge(inside, LineRange(2, 2), Text(source)).suggestion == LineRange(2, 4)


def test_tabs_beside_a_line_that_may_be_a_mark() -> None:
    source = ["a = 1", "a = 1", "\ta", "a = 1", "...", "a"]
    quote = "\n".join("        " + line for line in source)
    assert judge(quote, LineRange(1, 6), Text("\n".join(source))).verdict is Verdict.WHITESPACE


def hashed(code: str) -> list[Token]:
    """A lexer for a language whose comments begin with a hash."""
    tokens = []
    for line in code.split("\n"):
        body, hash_sign, comment = line.partition("#")
        tokens += [Token(word, is_comment=False) for word in body.split()]
        tokens += [Token(comment, is_comment=True)] if hash_sign else []
    return tokens


@pytest.mark.parametrize(
    ("source", "quote", "difference"),
    [
        ("if x:\n    y = 1\n    z = 2", "if x:\n    y = 1\n  z = 2", Difference.WHITESPACE),
        ("y = 'a' - 1", "y = \u2018a\u2019 \u2013 1", Difference.TYPOGRAPHY),
        ("a -- b", "a \u2014 b", Difference.TYPOGRAPHY),
        ("the file = 1", "the \ufb01le\u200b =\u00a01", Difference.TYPOGRAPHY),
        ("y = 1  # why", "y = 1  # how", Difference.COMMENTS),
        ("y = 1  # why", "y = 1", Difference.COMMENTS),
        ("y = 1", "y = 2", Difference.CODE),
        ("y = a - b", "y = a - - b", Difference.CODE),
    ],
)
def test_difference(source: str, quote: str, difference: Difference) -> None:
    answer = judge(quote, LineRange(1, source.count("\n") + 1), Text(source), lexer=hashed)
    assert (answer.verdict, answer.difference) == (Verdict.CHANGED, difference)


def test_without_a_lexer_a_comment_is_code() -> None:
    assert judge("y = 1  # how", LineRange(1, 1), Text("y = 1  # why")).difference is Difference.CODE


def test_changed_says_where_and_how_close() -> None:
    answer = judged(quoted(10, 14).replace("y,", "z,"), "10-14")
    assert answer.found_at == (LineRange(10, 14),)
    assert answer.suggestion is None
    assert answer.similarity == round(32 / 33, 4)
    assert answer.diff.split("\n") == [
        "--- quote",
        "+++ a.py:10-14",
        "@@ -2,4 +11,4 @@",
        "         # project first",
        "         y = self.project(x)",
        "         y = self.mask(",
        "-            z,",
        "+            y,",
    ]


def test_absent_tells_the_best_similarity() -> None:
    answer = judged("zyx wvu tsr return x", "4-5")
    assert answer == Judgement(
        Verdict.ABSENT, "nothing in the file comes close; the best similarity is 0.4", similarity=0.4
    )


def test_invisible_characters_in_the_cited_lines_are_named() -> None:
    text = Text("ok\nif level != '\u202euser\u2066':\n")
    answer = judge(None, LineRange(2, 2), text)
    assert answer.notes == (
        "the cited lines hold U+202E (right-to-left override), U+2066 (left-to-right isolate)",
    )
    assert judge(None, LineRange(1, 1), text).notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "the file is empty"), ("a", "the file has 1 line"), ("a\nb\n", "the file has 2 lines")],
)
def test_out_of_range_says_how_long_the_file_is(text: str, message: str) -> None:
    assert judge("zzz", LineRange(1, 9), Text(text)) == Judgement(Verdict.OUT_OF_RANGE, message)


def test_only_lf_ends_a_line() -> None:
    text = Text("a\fb\x0bc\x1cd\x85e\u2028f\rg\nlast")
    assert judge("last", LineRange(2, 2), text).verdict is Verdict.EXACT
    assert not matches("last", LineRange(3, 3), text)


def test_a_bom_inside_the_file_is_aside_too() -> None:
    assert matches("\ufeffb", LineRange(2, 2), Text("a\n\ufeffb\n"))


def test_a_line_that_looks_like_an_ellipsis_hides_no_lines() -> None:
    source = "# wait for it...\nsecret()\ngo()"
    assert judge("# wait for it...\ngo()", LineRange(1, 3), Text(source)).verdict is Verdict.PARTIAL

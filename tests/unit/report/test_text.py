from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.results import SUMMARY, Made
from support.screens import bare, screens

from provenance.citation import Expectation, LineRange
from provenance.evidence import Assurance, Judgement, Level, Summary, Verdict
from provenance.report.screen import Layout, Screen
from provenance.report.text import conclusion, render

OK = Made(path="a.py", lines=LineRange(1, 3)).evidence()
WARNING = Made(
    id="openai-123-130",
    path="src/model.py",
    lines=LineRange(123, 130),
    assurance=Assurance.LOCKED,
    judgement=Judgement(
        Verdict.PARTIAL, "the quote leaves out lines 123-127 without a mark", suggestion=LineRange(128, 130)
    ),
).evidence()
FAILURE = Made(
    id="x",
    path="b.py",
    lines=LineRange(7, 7),
    line=None,
    judgement=Judgement(Verdict.CHANGED, "the quote differs in code", diff="@@ -1 +1 @@\n-a\n+b\n c\n"),
    notes=("the range cuts the statement at lines 7-9 in two",),
).evidence()
UNAVAILABLE = Made(
    id="y", path="c.py", assurance=None, judgement=Judgement(Verdict.UNAVAILABLE, "the host does not answer")
).evidence()

RESULTS = [OK, WARNING, FAILURE, UNAVAILABLE]
COUNTS = Summary(4, 1, 1, 1, 1, {Assurance.COMMIT: 2, Assurance.LOCKED: 1})


def test_the_table_is_worst_first_and_aligned() -> None:
    assert render(COUNTS, RESULTS, hidden=0, screen=Screen(100)) == (
        """\
failure      changed      x               b.py:7                commit
    manifests/x.yaml
    the quote differs in code
    note: the range cuts the statement at lines 7-9 in two
      @@ -1 +1 @@
      -a
      +b
       c
unavailable  unavailable  y               c.py:1160-1194
    manifests/x.yaml:12
    the host does not answer
warning      partial      openai-123-130  src/model.py:123-130  locked
    manifests/x.yaml:12
    the quote leaves out lines 123-127 without a mark
    suggestion: lines 128-130
ok           exact        conv-relu       a.py:1-3              commit

3 of 4 citations checked: 1 ok, 1 warning, 1 failure, 1 unavailable · proven: 2 by commit, 1 by lock
"""
    )


def test_a_narrow_terminal_shows_the_ends_of_paths() -> None:
    deep = Made(path="src/transformers/models/gpt2/modeling_gpt2.py", lines=LineRange(1, 3)).evidence()
    table = render(COUNTS, [deep], hidden=0, screen=Screen(60))
    assert table.split("\n")[0] == "ok  exact  conv-relu  …els/gpt2/modeling_gpt2.py:1-3  commit"


def test_a_note_is_told_once() -> None:
    again = Made(id="z", judgement=FAILURE.judgement, notes=FAILURE.notes).evidence()
    table = render(COUNTS, [FAILURE, again], hidden=0, screen=Screen(100))
    assert table.count("note: the range cuts") == 1


def test_what_is_a_warning_for_its_notes_has_them_though_another_has_them_too() -> None:
    moving = replace(OK, level=Level.WARNING, notes=("main moves",))
    table = render(COUNTS, [moving, moving], hidden=0, screen=Screen(100))
    assert table.count("note: main moves") == 2


@pytest.mark.parametrize("level", [Level.WARNING, Level.FAILURE, Level.OK])
def test_what_is_expected_is_told_of_each_that_it_is_expected_of_and_where_that_stands(level: Level) -> None:
    expect = Expectation("changed", "old", date(2027, 6, 30))
    noted = replace(OK, level=level, notes=("why",), citation=replace(OK.citation, expect=expect))
    table = render(COUNTS, [noted, noted], hidden=0, screen=Screen(100))
    assert table.count(f"    {noted.manifest}:12\n    ") == table.count("note: why") == 2


def test_what_holds_has_one_line_whatever_was_noted() -> None:
    noted = Made(path="a.py", lines=LineRange(1, 3), notes=("followed the link a.py -> b.py",)).evidence()
    assert "followed" not in render(COUNTS, [noted], hidden=0, screen=Screen(100))


def test_colour_changes_nothing_else() -> None:
    plain, coloured = (
        render(COUNTS, RESULTS, hidden=2, screen=Screen(80, Layout.TABLE, colour=colour, links=colour))
        for colour in (False, True)
    )
    assert coloured != plain
    assert bare(coloured) == plain


@pytest.mark.parametrize(
    ("summary", "line"),
    [
        (
            Summary(11, 8, 3, 0, 0, {Assurance.COMMIT: 9, Assurance.ARTIFACT: 2}),
            "11 of 11 citations checked: 8 ok, 3 warnings · proven: 9 by commit, 2 by artifact",
        ),
        (Summary(1, 1, 0, 0, 0, {}), "1 of 1 citation checked: 1 ok"),
        (
            Summary(5, 0, 0, 2, 3, {Assurance.COMMIT: 2}),
            "2 of 5 citations checked: 2 failures, 3 unavailable · proven: 2 by commit",
        ),
        (Summary(100_000, 100_000, 0, 0, 0, {}), "100,000 of 100,000 citations checked: 100,000 ok"),
        (Summary(0, 0, 0, 0, 0, {}), "0 of 0 citations checked: nothing to check"),
    ],
)
def test_the_last_line_says_how_many_could_be_checked(summary: Summary, line: str) -> None:
    assert conclusion(summary) == line
    assert render(summary, [], hidden=0, screen=Screen(80)) == line + "\n"


def test_results_that_are_not_listed_are_counted() -> None:
    text = render(SUMMARY, [OK], hidden=8, screen=Screen(80))
    assert text.splitlines()[-3:-1] == ["8 citations not listed here", ""]


def test_a_long_diff_is_cut() -> None:
    diff = "".join(f"-{number}\n" for number in range(100))
    made = Made(judgement=Judgement(Verdict.CHANGED, diff=diff)).evidence()
    text = render(COUNTS, [made], hidden=0, screen=Screen(80))
    assert "-39\n" in text
    assert "-40\n" not in text
    assert "… 60 more lines of the diff are in --format json" in text


outside = st.lists(
    st.sampled_from(
        ["::error::", "##[group]", "##vso[a]", "\x1b[2J", "\n", "\r", "\u202e", " ", "\t", "word", "\ud800"]
    )
).map("".join)


@given(outside, screens())
def test_whatever_comes_from_outside_is_inert(text: str, screen: Screen) -> None:
    made = Made(
        id=text,
        path=text,
        manifest=text,
        judgement=Judgement(Verdict.CHANGED, text, diff=text),
        notes=(text,),
    ).evidence()
    report = render(COUNTS, [made], hidden=0, screen=screen)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]|##\w*\[", bare(report))
    if not screen.colour:
        assert report == bare(report)
        assert not re.search(r"^\s*::", report, re.MULTILINE)
    report.encode()

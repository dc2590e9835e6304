from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.drifts import COMMIT, GIT, NEW, Followed
from support.screens import bare, screens

from provenance.citation import ExpectedValue, LineRange
from provenance.evidence import Assurance, Level
from provenance.relocation import Confidence, Drift, Spot, Status
from provenance.report.drift import render, summary_of
from provenance.report.screen import Layout, Screen

if TYPE_CHECKING:
    from provenance.history import Commit

LAST = "tensor2tensor → ef1fccebe8d2 (latest)"

MOVED = Followed(status=Status.MOVED, offset=2)
RENAMED = Followed(status=Status.RENAMED, path="utils.py", new_path="utils/core.py")
DELETED = Followed(status=Status.DELETED, path="x.py", commit=COMMIT)
EDITED = Followed(
    id="mha", status=Status.EDITED, offset=4, similarity=0.947, commit=COMMIT, diff="@@ -1 +1 @@\n-a\n+b\n"
)
AMBIGUOUS = Followed(
    id="twice",
    status=Status.AMBIGUOUS,
    message="two places hold the same lines",
    candidates=(Spot(NEW, "a.py", LineRange(1, 2)), Spot(NEW, "b.py", LineRange(7, 7))),
)
UNAVAILABLE = Followed(status=Status.UNAVAILABLE, message="the host does not answer")


def many(made: Followed, count: int, prefix: str = "c") -> list[Drift]:
    return [replace(made, id=f"{prefix}{number}").drift() for number in range(count)]


def shown(
    drifts: list[Drift], *, everything: bool = False, width: int = 120, screen: Screen | None = None
) -> str:
    return render(summary_of(drifts), drifts, everything=everything, screen=screen or Screen(width))


def body(drifts: list[Drift], *, everything: bool = False) -> list[str]:
    """The lines above the conclusion."""
    return shown(drifts, everything=everything).split("\n")[:-3]


def test_a_report_is_worst_first() -> None:
    drifts = [
        *(Followed(f"u{at}", path=f"{at % 5}.py").drift() for at in range(40)),
        *many(MOVED, 31, "m"),
        *many(RENAMED, 12, "r"),
        EDITED.drift(),
        AMBIGUOUS.drift(),
        *many(DELETED, 2, "d"),
        replace(UNAVAILABLE, id="y").drift(),
    ]
    assert shown(drifts) == (
        """\
failure      2 citations of x.py were deleted by 1a2b3c4 2019-02-14 "Split the encoder"
    d0  x.py:10-20  manifests/x.yaml:12
    d1  x.py:10-20  manifests/x.yaml:12
unavailable  1 citation of models/transformer.py could not be followed: the host does not answer
    y  models/transformer.py:10-20  manifests/x.yaml:12
warning      twice could be at 2 places: models/transformer.py:10-20
    manifests/x.yaml:12
    two places hold the same lines
    candidate: a.py:1-2
    candidate: b.py:7
warning      mha was edited: models/transformer.py:10-20 → models/transformer.py:14-24 (94% similar)
    manifests/x.yaml:12 · 1a2b3c4 2019-02-14 "Split the encoder"
      @@ -1 +1 @@
      -a
      +b
ok           12 citations of utils.py are now in utils/core.py (+0)
ok           31 citations of models/transformer.py moved by +2
ok           40 citations of 5 files are unchanged

87 of 88 citations followed: 40 unchanged, 31 moved, 12 renamed, 1 edited, 1 ambiguous, 2 deleted, \
1 unavailable · tensor2tensor → ef1fccebe8d2 (latest)
"""
    )


def by(number: int) -> Commit:
    """A commit of its own."""
    return replace(COMMIT, id=f"{number:07x}{COMMIT.id[7:]}")


OTHER = Followed(
    source="gpt-2", git="https://github.com/openai/gpt-2", path="src/model.py", to="v2", revision="v2"
)

SENTENCES: dict[str, tuple[list[Drift], list[str]]] = {
    "few are named": (many(MOVED, 2), ["ok  2 citations of models/transformer.py moved by +2: c0, c1"]),
    "one": (many(RENAMED, 1), ["ok  1 citation of utils.py is now in utils/core.py (+0): c0"]),
    "one stayed": (many(Followed(), 1), ["ok  1 citation of models/transformer.py is unchanged: c0"]),
    "many offsets": (
        [replace(MOVED, offset=offset).drift() for offset in range(-3, 1200, 100)],
        ["ok  13 citations of models/transformer.py moved by -3 to +1,197 (13 offsets)"],
    ),
    "by one commit": (
        many(replace(MOVED, commit=COMMIT), 2),
        [
            'ok  2 citations of models/transformer.py moved by +2, by 1a2b3c4 2019-02-14 "Split the encoder": c0, c1',
        ],
    ),
    "by several commits": (
        [replace(MOVED, commit=by(at % 3)).drift() for at in range(7)],
        ["ok  7 citations of models/transformer.py moved by +2, by 3 commits"],
    ),
    "by commits of which one is not known": (
        [replace(MOVED, commit=by(at) if at else None).drift() for at in range(7)],
        ["ok  7 citations of models/transformer.py moved by +2"],
    ),
    "many files by several offsets": (
        [replace(MOVED, path=f"{at}.py", offset=at, commit=by(at)).drift() for at in range(1, 21)],
        [
            *(
                f'ok  1 citation of {at}.py moved by +{at}, by {at:07x} 2019-02-14 "Split the encoder": conv-relu'
                for at in range(1, 9)
            ),
            "ok  12 citations of 12 files moved by 12 commits",
        ],
    ),
    "many files of several sources": (
        [replace(MOVED, path=f"{at}.py", offset=at, source=f"s{at % 3}").drift() for at in range(30)],
        [
            *(f"ok  1 citation of {at}.py (s{at % 3}) moved by +{at}: conv-relu" for at in range(7)),
            "ok  8 citations of 8 files (s1) moved",
            "ok  8 citations of 8 files (s2) moved",
            "ok  7 citations of 7 files (s0) moved",
        ],
    ),
    "low confidence": (
        many(replace(MOVED, confidence=Confidence.LOW, notes=("the two ends were compared",)), 4),
        [
            "ok  4 citations of models/transformer.py moved by +2, with low confidence",
            "    note: the two ends were compared",
        ],
    ),
    "a folder, by one commit": (
        [
            replace(RENAMED, path=f"p/old/{at}.py", new_path=f"p/new/{at}.py", commit=COMMIT).drift()
            for at in range(4)
        ],
        [
            'ok  4 citations of 4 files in p/old/ are now in p/new/ (+0) by 1a2b3c4 2019-02-14 "Split the encoder"',
        ],
    ),
    "to the root, and by several lines": (
        [replace(RENAMED, path=f"old/{at}.py", new_path=f"{at}.py", offset=at).drift() for at in range(4)],
        ["ok  4 citations of 4 files in old/ are now in the root"],
    ),
    "a few files each": (
        [replace(RENAMED, path=f"{at}.py", new_path=f"was{at}.py").drift() for at in range(11)],
        [
            *(f"ok  1 citation of {at}.py is now in was{at}.py (+0): conv-relu" for at in range(8)),
            "ok  3 citations of 3 files are now in other files (+0): conv-relu, conv-relu, conv-relu",
        ],
    ),
    "several sources": (
        [*many(Followed(), 4), *many(OTHER, 4)],
        [
            "ok  4 citations of models/transformer.py (tensor2tensor) are unchanged",
            "ok  4 citations of src/model.py (gpt-2) are unchanged",
        ],
    ),
    "many sources": (
        [Followed(source=f"s{at}").drift() for at in range(60)],
        ["ok  60 citations of 60 files (60 sources) are unchanged"],
    ),
    "one source to two revisions": (
        [*many(Followed(), 4), *many(Followed(to="v2"), 4)],
        [
            "ok  4 citations of models/transformer.py (tensor2tensor at latest) are unchanged",
            "ok  4 citations of models/transformer.py (tensor2tensor at v2) are unchanged",
        ],
    ),
    "one name of two repositories": (
        [*many(Followed(), 4), *many(Followed(git="https://u:SECRET@example.org/r"), 4)],
        [
            f"ok  4 citations of models/transformer.py (tensor2tensor of {GIT}) are unchanged",
            "ok  4 citations of models/transformer.py (tensor2tensor of https://example.org/r) are unchanged",
        ],
    ),
    "an edit that is not sure, in another file": (
        [replace(EDITED, confidence=Confidence.LOW, new_path="b.py", message="a sentence", diff="").drift()],
        [
            "warning  mha was edited: models/transformer.py:10-20 → b.py:14-24 (94% similar, low confidence)",
            '    manifests/x.yaml:12 · 1a2b3c4 2019-02-14 "Split the encoder"',
            "    a sentence",
        ],
    ),
    "an edit of which little is known": (
        [Followed(status=Status.EDITED, line=None).drift()],
        [
            "warning  conv-relu was edited: models/transformer.py:10-20 → models/transformer.py:10-20",
            "    manifests/x.yaml",
        ],
    ),
    "an edit after others, of which nearly all is left": (
        [replace(EDITED, similarity=1.0, edits=7, diff="").drift()],
        [
            "warning  mha was edited: models/transformer.py:10-20 → models/transformer.py:14-24 (99% similar)",
            '    manifests/x.yaml:12 · 1a2b3c4 2019-02-14 "Split the encoder", the last of 7 edits',
        ],
    ),
    "an edit of which 29% are left": (
        [replace(EDITED, similarity=0.29, edits=1, diff="", commit=None).drift()],
        [
            "warning  mha was edited: models/transformer.py:10-20 → models/transformer.py:14-24 (29% similar)",
            "    manifests/x.yaml:12",
        ],
    ),
    "an edited value": (
        [
            replace(
                EDITED, path="c.json", lines=None, value=ExpectedValue("/n", "7"), diff="", commit=None
            ).drift()
        ],
        ["warning  mha was edited: c.json#/n → c.json#/n (94% similar)", "    manifests/x.yaml:12"],
    ),
    "ambiguous, and no place is named": (
        [replace(AMBIGUOUS, candidates=(), message="").drift()],
        ["warning  twice is ambiguous: models/transformer.py:10-20", "    manifests/x.yaml:12"],
    ),
    "deleted, by nobody knows whom": (
        [replace(DELETED, commit=None, message="the file is gone").drift()],
        [
            "failure  1 citation of x.py was deleted",
            "    conv-relu  x.py:10-20  manifests/x.yaml:12",
            "    the file is gone",
        ],
    ),
    "deleted with its file": (
        [replace(DELETED, commit=None, message="x.py was deleted").drift()],
        ["failure  1 citation of x.py was deleted", "    conv-relu  x.py:10-20  manifests/x.yaml:12"],
    ),
    "deleted with the file that its own became": (
        [replace(DELETED, commit=None, message="y.py was deleted").drift()],
        [
            "failure  1 citation of x.py was deleted",
            "    conv-relu  x.py:10-20  manifests/x.yaml:12",
            "    y.py was deleted",
        ],
    ),
    "nothing is said of why": (
        [replace(UNAVAILABLE, message="").drift()],
        [
            "unavailable  1 citation of models/transformer.py could not be followed",
            "    conv-relu  models/transformer.py:10-20  manifests/x.yaml:12",
        ],
    ),
    "a level that is not the usual one": (
        many(replace(MOVED, level=Level.WARNING), 11),
        [
            "warning  11 citations of models/transformer.py moved by +2",
            *(
                f"    {at}  models/transformer.py:10-20 → 12-22  manifests/x.yaml:12"
                for at in (f"c{number}" for number in range(10))
            ),
            "    … and 1 more: -v lists them",
        ],
    ),
}


@pytest.mark.parametrize(("drifts", "expected"), SENTENCES.values(), ids=SENTENCES)
def test_what_is_said(drifts: list[Drift], expected: list[str]) -> None:
    assert body(drifts) == expected


def edited(count: int, commits: int) -> list[Drift]:
    """Citations that so many commits edited in turn."""
    return [
        replace(EDITED, id=f"e{at}", commit=by(at % commits), edits=1 + at % 2).drift() for at in range(count)
    ]


def test_a_few_edits_are_shown_with_their_differences() -> None:
    text = shown(edited(5, 1))
    assert text.count("@@ -1 +1 @@") == 5
    assert "-v" not in text


def test_more_edits_are_told_by_commit() -> None:
    assert body([*edited(7, 2), *many(Followed(), 9)]) == [
        'warning  4 citations were edited by 0000000 2019-02-14 "Split the encoder"',
        "    e0  models/transformer.py:10-20 → 14-24  94% similar",
        "    e2  models/transformer.py:10-20 → 14-24  94% similar",
        "    e4  models/transformer.py:10-20 → 14-24  94% similar",
        "    e6  models/transformer.py:10-20 → 14-24  94% similar",
        'warning  3 citations were edited by 0000001 2019-02-14 "Split the encoder"',
        "    e1  models/transformer.py:10-20 → 14-24  94% similar, the last of 2 edits",
        "    e3  models/transformer.py:10-20 → 14-24  94% similar, the last of 2 edits",
        "    e5  models/transformer.py:10-20 → 14-24  94% similar, the last of 2 edits",
        "ok       9 citations of models/transformer.py are unchanged",
        "-v shows the differences",
    ]


def test_edits_of_a_commit_each_are_told_together() -> None:
    assert body(edited(6, 6)) == [
        "warning  6 citations were edited by 6 commits",
        "    e0  models/transformer.py:10-20 → 14-24  94% similar, 0000000",
        "    e1  models/transformer.py:10-20 → 14-24  94% similar, the last of 2 edits, 0000001",
        "    e2  models/transformer.py:10-20 → 14-24  94% similar, 0000002",
        "    e3  models/transformer.py:10-20 → 14-24  94% similar, the last of 2 edits, 0000003",
        "    e4  models/transformer.py:10-20 → 14-24  94% similar, 0000004",
        "    e5  models/transformer.py:10-20 → 14-24  94% similar, the last of 2 edits, 0000005",
        "-v shows the differences",
    ]


def test_edits_of_no_known_commit_are_told_by_source() -> None:
    made = replace(EDITED, commit=None, confidence=Confidence.LOW, diff="", similarity=None)
    found = body([*many(made, 3), *many(replace(made, source="gpt-2"), 11)])
    assert [line for line in found if not line.startswith("    c")] == [
        "warning  11 citations (gpt-2) were edited, with low confidence",
        "    … and 1 more: -v lists them",
        "warning  3 citations (tensor2tensor) were edited, with low confidence",
    ]
    assert found[1] == "    c0  models/transformer.py:10-20 → 14-24"


@pytest.mark.parametrize("commits", [1, 4, 20, 100, 200])
def test_hundreds_of_edits_take_few_lines(commits: int) -> None:
    drifts = edited(200, commits)
    text = shown(drifts)
    rows = sum(line.startswith("    e") for line in text.split("\n"))
    assert 10 <= rows <= 30
    assert text.count("\n") <= 30 + 2 * 9 + 3
    told = sum(int(found) for found in re.findall(r"warning  (\d+) citation", text))
    left = sum(int(found) for found in re.findall(r"… and (\d+) more: -v lists them", text))
    assert (told, rows + left) == (200, 200)
    everything = shown(drifts, everything=True)
    assert everything.count("@@ -1 +1 @@") == everything.count(" was edited: ") == 200
    assert "-v" not in everything


def test_everything_lists_each_citation() -> None:
    found = body(
        [
            *many(MOVED, 2, "m"),
            *many(replace(RENAMED, offset=1), 2, "r"),
            Followed("here", value=ExpectedValue("/n", "7"), lines=None, path="c.json").drift(),
        ],
        everything=True,
    )
    assert found == [
        "ok  2 citations of utils.py are now in utils/core.py (+1)",
        "    r0  utils.py:10-20 → utils/core.py:11-21  manifests/x.yaml:12",
        "    r1  utils.py:10-20 → utils/core.py:11-21  manifests/x.yaml:12",
        "ok  2 citations of models/transformer.py moved by +2",
        "    m0  models/transformer.py:10-20 → 12-22  manifests/x.yaml:12",
        "    m1  models/transformer.py:10-20 → 12-22  manifests/x.yaml:12",
        "ok  1 citation of c.json is unchanged",
        "    here  c.json#/n  manifests/x.yaml:12",
    ]


def test_a_pattern_of_several_sources_says_which_each_is() -> None:
    drifts = [Followed(source=f"s{at}", path="a.py", id="x").drift() for at in range(5)]
    assert body(drifts, everything=True)[1] == "    x  a.py:10-20 (s0)  manifests/x.yaml:12"


@pytest.mark.parametrize(
    ("made", "most", "line"),
    [
        (DELETED, 10, "    … and 20 more: -v lists them"),
        (UNAVAILABLE, 3, "    … and 27 more: -v lists them"),
    ],
)
def test_long_lists_are_cut(made: Followed, most: int, line: str) -> None:
    found = body(many(made, 30))
    assert (len(found), found[-1]) == (most + 2, line)
    assert len(body(many(made, 30), everything=True)) == 31


def test_candidates_and_remarks_are_cut() -> None:
    places = tuple(Spot(NEW, f"{at}.py", LineRange(1, 2)) for at in range(9))
    drifts = [replace(AMBIGUOUS, candidates=places, notes=tuple("abcdef")).drift()]
    found = body(drifts)
    assert found[2:6] == [
        "    two places hold the same lines",
        "    note: a",
        "    note: b",
        "    … 4 more remarks with -v",
    ]
    assert found[-1] == "    … 4 more candidates with -v"
    assert len([line for line in found if "candidate: " in line]) == 5
    assert not any("…" in line for line in body(drifts, everything=True))


def test_a_note_is_told_once() -> None:
    drifts = [replace(EDITED, id=name, notes=("the server is shallow",)).drift() for name in "ab"]
    assert shown(drifts).count("note: the server is shallow") == 1


def test_a_long_diff_is_cut() -> None:
    text = shown([replace(EDITED, diff="".join(f"-{at}\n" for at in range(100))).drift()])
    assert "… 60 more lines of the diff are in --format json" in text
    assert "-40" not in text


def test_a_hundred_citations_take_a_few_lines() -> None:
    edited = [replace(EDITED, id=f"e{at}", diff="").drift() for at in range(3)]
    text = shown([*many(MOVED, 100), *edited])
    assert "ok       100 citations of models/transformer.py moved by +2\n" in text
    assert text.count("\n") <= 15


def test_a_thousand_citations_that_hold_take_a_few_lines() -> None:
    drifts = [
        replace(MOVED, path=f"{at % 90}.py", offset=at % 7, confidence=None, source=f"s{at % 9}").drift()
        for at in range(1000)
    ]
    assert shown(drifts).count("\n") <= 15


def _named(sources: range) -> str:
    return ", ".join(f"{source} → ef1fccebe8d2 (latest)" for source in sources)


@pytest.mark.parametrize(
    ("drifts", "line"),
    [
        ([], "0 of 0 citations followed: nothing to follow"),
        ([Followed().drift()], f"1 of 1 citation followed: 1 unchanged · {LAST}"),
        (
            [Followed(to=NEW[:7], confidence=Confidence.LOW).drift()],
            "1 of 1 citation followed: 1 unchanged · 1 with low confidence · tensor2tensor → ef1fccebe8d2",
        ),
        ([DELETED.drift()], "1 of 1 citation followed: 1 deleted · tensor2tensor → latest"),
        (
            [DELETED.drift(), Followed().drift()],
            f"2 of 2 citations followed: 1 unchanged, 1 deleted · {LAST}",
        ),
        ([AMBIGUOUS.drift()], f"1 of 1 citation followed: 1 ambiguous · {LAST}"),
        (
            [Followed().drift(), OTHER.drift()],
            f"2 of 2 citations followed: 2 unchanged · {LAST}, gpt-2 → v2",
        ),
        (
            [Followed(source=str(at)).drift() for at in range(60)],
            f"60 of 60 citations followed: 60 unchanged · {_named(range(8))} and 52 more",
        ),
        (
            [Followed(source=str(at)).drift() for at in range(1200)],
            f"1,200 of 1,200 citations followed: 1,200 unchanged · {_named(range(8))} and 1,192 more",
        ),
        (
            [Followed(source=str(at)).drift() for at in range(8)],
            f"8 of 8 citations followed: 8 unchanged · {_named(range(8))}",
        ),
        (
            [replace(DELETED, notes=(f"latest is commit {NEW}",)).drift()],
            f"1 of 1 citation followed: 1 deleted · {LAST}",
        ),
    ],
)
def test_the_last_line_says_how_many_were_followed_and_where_to(drifts: list[Drift], line: str) -> None:
    assert shown(drifts).split("\n")[-2] == line


def test_everything_names_each_revision() -> None:
    text = shown([Followed(source=str(at)).drift() for at in range(60)], everything=True)
    assert text.split("\n")[-2].endswith(_named(range(60)))


def test_what_a_name_meant_is_told_on_the_last_line_alone() -> None:
    drifts = [
        replace(made, notes=(f"latest is commit {NEW}", "latest is commit of the day")).drift()
        for made in (EDITED, DELETED, MOVED)
    ]
    for everything in (False, True):
        text = shown(drifts, everything=everything)
        assert NEW not in text
        assert text.count("note: ") == text.count("note: latest is commit of the day") == 1
        assert text.split("\n")[-2].endswith(LAST)


def test_long_sentences_are_wrapped_and_rows_shortened() -> None:
    deep = "src/transformers/models/gpt2/modeling_gpt2.py"
    text = shown(many(replace(DELETED, path=deep), 1), width=60)
    assert text.split("\n")[:4] == [
        "failure  1 citation of",
        f"         {deep} was",
        '         deleted by 1a2b3c4 2019-02-14 "Split the encoder"',
        "    c0  …ls/gpt2/modeling_gpt2.py:10-20  manifests/x.yaml:12",
    ]


def test_a_long_subject_is_cut() -> None:
    subject = replace(COMMIT, subject="x" * 5000)
    assert f'"{"x" * 99}…"' in shown([replace(DELETED, commit=subject).drift()], width=10_000)


def test_colour_changes_nothing_else() -> None:
    drifts = [*many(MOVED, 3), EDITED.drift(), AMBIGUOUS.drift(), *many(DELETED, 20)]
    plain, coloured = (
        shown(drifts, screen=Screen(80, Layout.TABLE, colour=colour)) for colour in (False, True)
    )
    assert coloured != plain
    assert bare(coloured) == plain


def test_levels_and_proofs_are_counted() -> None:
    found = summary_of(
        [
            MOVED.drift(),
            replace(EDITED, assurance=Assurance.LOCKED).drift(),
            DELETED.drift(),
            UNAVAILABLE.drift(),
        ]
    )
    assert (found.total, found.ok, found.warning, found.failure, found.unavailable) == (4, 1, 1, 1, 1)
    assert found.assurance == {Assurance.COMMIT: 2, Assurance.LOCKED: 1}


FOLLOWED = st.builds(
    Followed,
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from(list(Status)),
    st.sampled_from(["a.py", "p/a.py", "p/b.py", "q/b.py"]),
    st.none() | st.just(LineRange(70, 75)),
    st.sampled_from([None, "p/a.py", "r/b.py", "q/a.py"]),
    st.integers(-60, 60),
    source=st.sampled_from("stuvwx"),
    message=st.sampled_from(["", "x", "y"]),
    confidence=st.sampled_from([None, *Confidence]),
    commit=st.sampled_from([None, COMMIT]),
    level=st.sampled_from([None, *Level]),
    value=st.just(ExpectedValue("/n", "7")),
)
HEAD = re.compile(r"^(?:failure|unavailable|warning|ok) +(?:([\d,]+) citations? (?:of|was|were|\()|[abc] )")
ROW = re.compile(r"^    [abc]  ")


@given(st.lists(FOLLOWED, max_size=50))
@settings(deadline=None)
def test_every_citation_is_told_once(made: list[Followed]) -> None:
    drifts = [each.drift() for each in made]
    for everything in (False, True):
        lines = shown(drifts, everything=everything, width=10_000).split("\n")
        heads = [match for line in lines[:-2] if (match := HEAD.match(line))]
        assert sum(int((match[1] or "1").replace(",", "")) for match in heads) == len(drifts)
        rows = sum(bool(ROW.match(line)) for line in lines)
        if everything:
            assert rows == len(drifts) - sum(match[1] is None for match in heads)
        assert re.match(rf"\d+ of {len(drifts)} citations? followed: ", lines[-2])


OUTSIDE = st.lists(
    st.sampled_from(
        [
            "::error::",
            "##[group]",
            "##vso[a]",
            "\x1b[2J",
            "\n",
            "\r",
            "\u202e",
            " ",
            "\t",
            "word",
            "\ud800",
            "/",
        ]
    )
).map("".join)


@given(OUTSIDE, st.sampled_from(list(Status)), st.booleans(), screens())
@settings(deadline=None)
def test_whatever_comes_from_outside_is_inert(
    text: str, status: Status, everything: bool, screen: Screen
) -> None:
    made = Followed(
        text,
        status,
        text,
        new_path=text,
        source=text,
        git=text,
        revision=text,
        to=text,
        message=text,
        candidates=(Spot(text, text, LineRange(1, 2)),),
        commit=replace(COMMIT, date=text, subject=text),
        diff=text,
        manifest=text,
        value=ExpectedValue(text, text),
        notes=(text,),
    )
    drifts = [made.drift(), replace(made, source="other").drift()]
    report = shown(drifts, everything=everything, screen=screen)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]|##\w*\[", bare(report))
    if not screen.colour:
        assert report == bare(report)
        assert not re.search(r"^\s*::", report, re.MULTILINE)
    report.encode()

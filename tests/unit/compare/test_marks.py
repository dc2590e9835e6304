"""What is an omission mark, and what it states."""

from __future__ import annotations

import pytest

from provenance.compare.marks import Mark, mark

FREE = [
    *(
        "…",
        "...",
        "....",
        "# ...",
        "// ...",
        "-- ...",
        "; ...",
        "% ...",
        "/* ... */",
        "<!-- ... -->",
        "[...]",
        "[…]",
    ),
    *(
        "(...)",
        "[snip]",
        "<snip>",
        "// --snip--",
        "# snip",
        "... snip ...",
        "[omitted]",
        "# … code omitted …",
        ". . .",
    ),
    *("… …", "# rest of the code omitted"),
]


@pytest.mark.parametrize("body", FREE)
def test_a_mark_that_states_nothing(body: str) -> None:
    assert mark(body) == Mark()


@pytest.mark.parametrize(
    ("body", "stated"),
    [
        ("… lines 306–306 omitted …", Mark(306, 306)),
        ("... lines 10-20 omitted ...", Mark(10, 20)),
        ("[lines 10–20 omitted]", Mark(10, 20)),
        ("# lines 10 to 20 omitted", Mark(10, 20)),
        ("… line 7 omitted …", Mark(7, 7)),
        ("... (lines 10-20) ...", Mark(10, 20)),
        ("… Lines 20-10 omitted …", Mark(20, 10)),
        ("// ... 12 lines omitted", Mark(count=12)),
        ("# 3 more lines ...", Mark(count=3)),
    ],
)
def test_a_mark_that_states_lines(body: str, stated: Mark) -> None:
    assert mark(body) == stated


@pytest.mark.parametrize(
    "body",
    [
        "x",
        "f(...)",
        "...)",
        "{ ... }",
        "# see lines 10-20",
        "snip",
        "omitted",
        "lines",
        "...args",
        "x: ...",
        "." * 121 + "x",
    ],
)
def test_what_is_no_mark(body: str) -> None:
    assert mark(body) is None

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.elements import Short, check_elements, check_sheet, pasted, short

from provenance.documents.mentions import sheet
from provenance.documents.plain import read_plain
from provenance.links.forges import NO_HOSTS

PIECES = [
    "```",
    "~~~~",
    "``` py\n",
    ">>> ",
    "::\n\n",
    "    a\n",
    "\ta\n",
    "  b\n",
    "\n\n",
    "\u2028",
    "\x0c",
    "\r",
]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t\n", []),
        ("a\nb\n\n c", [("prose", 1, 2, "a\nb"), ("prose", 4, 4, " c")]),
        ("a\n    b", [("prose", 1, 2, "a\n    b")]),
        ("a\n\n    b\n\n      c\n\nd", [
            ("prose", 1, 1, "a"), ("block", 3, 5, 3, "", "", "b\n\n  c"), ("prose", 7, 7, "d"),
        ]),
        ("a\n\n\tb\n\t\tc", [("prose", 1, 1, "a"), ("block", 3, 4, 3, "", "", "b\n    c")]),
        ("  a\n\n      b\n\n  c", [
            ("prose", 1, 1, "  a"), ("block", 3, 3, 3, "", "", "b"), ("prose", 5, 5, "  c"),
        ]),
        ("    all\n\n    of it", [("prose", 1, 1, "    all"), ("prose", 3, 3, "    of it")]),
        ("a::\n\n  b\n c\n\nd", [
            ("prose", 1, 1, "a::"), ("block", 3, 4, 3, "", "", " b\nc"), ("prose", 6, 6, "d"),
        ]),
        ("a\n\n  b", [("prose", 1, 1, "a"), ("prose", 3, 3, "  b")]),
        ("a\n``` py title=b.py\nc\n  d\n```\ne", [
            ("prose", 1, 1, "a"), ("block", 2, 5, 3, "py", "b.py", "c\n  d"), ("prose", 6, 6, "e"),
        ]),
        ("  ~~~\n  a\n    b\n  ~~~~ ", [("block", 1, 4, 2, "", "", "a\n  b")]),
        ("```\na\n~~~\n``\nb", [("block", 1, 5, 2, "", "", "a\n~~~\n``\nb")]),
        ("```\n\n```\na", [("prose", 4, 4, "a")]),
        ("`` a\n``` b ` c", [("prose", 1, 2, "`` a\n``` b ` c")]),
        ("a\n>>> b\n... c\nd\n\ne", [
            ("prose", 1, 1, "a"), ("block", 2, 4, 2, "pycon", "", ">>> b\n... c\nd"), ("prose", 6, 6, "e"),
        ]),
    ],
)  # fmt: skip
def test_plain_text(text: str, expected: list[Short]) -> None:
    assert short(read_plain(text)) == expected


def test_a_part_of_a_document() -> None:
    assert short(read_plain("a\n\n    b", first_line=7)) == [
        ("prose", 7, 7, "a"),
        ("block", 9, 9, 9, "", "", "b"),
    ]


@given(st.text() | pasted(PIECES))
def test_any_text_is_read(text: str) -> None:
    elements = list(read_plain(text))
    check_elements(elements, text)
    check_sheet(sheet(elements, NO_HOSTS), text)
    covered = [line for each in elements for line in range(each.where.line, each.where.last + 1)]
    assert covered == sorted(set(covered))


@pytest.mark.parametrize("piece", ["```", "~", "~~~\n", ">>> a\n", "a::\n\n", "    a\n\n", " ", "a\n", "\t"])
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    start = time.process_time()
    list(read_plain(piece * (160_000 // len(piece)) + "`"))
    assert (
        time.process_time() - start < 20
    )  # a fraction of it where it is linear, and minutes where it is not

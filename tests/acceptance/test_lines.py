"""What a line is, and how bytes become text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Result, World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.repositories import Files

COUNT = 20
NUMBERED = "".join(f"{number}\n" for number in range(1, COUNT + 1))
NOT_LINE_ENDS = {
    "a lone CR": "\r",
    "VT": "\x0b",
    "FF": "\x0c",
    "FS": "\x1c",
    "GS": "\x1d",
    "RS": "\x1e",
    "US": "\x1f",
    "NEL": "\x85",
    "U+2028": "\u2028",
    "U+2029": "\u2029",
}
"""The ten characters that some tool or other takes for the end of a line."""

LINED = {f"char{number}.txt": f"x\na{mark}b\nlast\n" for number, mark in enumerate(NOT_LINE_ENDS.values())}

FILES: Files = {
    "numbered.txt": NUMBERED,
    "unended.txt": NUMBERED.removesuffix("\n"),
    "crlf.txt": NUMBERED.replace("\n", "\r\n"),
    "mixed.txt": "1\r\n2\n3\r\n4\n",
    "empty.txt": "",
    "feed.py": "one = 1\ntwo = 2\nthree = 3\n\x0cfour = 4\nfive = 5\nsix = 6\nseven = 7\n",
    "all.txt": "".join(f"a{mark}b\n" for mark in NOT_LINE_ENDS.values()) + "last\n",
    "latin.c": "int a;\n/* caf\xe9 */\nint b;\n".encode("latin-1"),
    "declared.py": "# -*- coding: koi8-r -*-\nname = 'мир'\n".encode("koi8-r"),
    "bom.txt": "\ufeff1\n2\n",
    **LINED,
}


def several(first: int, last: int) -> str:
    return "".join(f"{number}\n" for number in range(first, last + 1))


CITES = (
    Cite("one-line", "numbered.txt", "7", "7\n"),
    Cite("three-at-one", "numbered.txt", "7", "7\n8\n9\n"),
    Cite("to-the-end-at-one", "numbered.txt", "7", several(7, COUNT)),
    Cite("five-to-ten", "numbered.txt", "5-10", several(5, 10)),
    Cite("first", "numbered.txt", "1-1", "1\n"),
    Cite("last", "numbered.txt", "20-20", "20\n"),
    Cite("past-last", "numbered.txt", "20-21", "20\n"),
    Cite("off-by-one", "numbered.txt", "5-10", several(6, 11)),
    Cite("unended-last", "unended.txt", "20", "20\n"),
    Cite("unended-past", "unended.txt", "21", "\n21"),
    Cite("of-nothing", "empty.txt", "1", "x"),
    Cite("crlf-source", "crlf.txt", "5-10", several(5, 10)),
    Cite("crlf-quote", "numbered.txt", "5-10", several(5, 10).replace("\n", "\r\n")),
    Cite("mixed", "mixed.txt", "1-4", several(1, 4)),
    Cite("after-feed", "feed.py", "6", "six = 6\n"),
    Cite("with-feed", "feed.py", "4", "\x0cfour = 4\n"),
    Cite("after-all", "all.txt", str(len(NOT_LINE_ENDS) + 1), "last\n"),
    Cite("latin", "latin.c", "2", "/* café */\n"),
    Cite("declared", "declared.py", "2", "name = 'мир'\n"),
    Cite("bom", "bom.txt", "1-2", "1\n2\n"),
    *(Cite(path, path, "3", "last\n") for path in LINED),
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Result]]:
    """All of it, judged in one run."""
    with World(tmp_path_factory.mktemp("lines")) as world:
        commit = world.repository.commit(FILES)
        manifest = world.project.manifest(world.source(commit), *CITES)
        world.project.write("manifests/crlf.yaml", crlf_manifest(manifest.read_text(), commit))
        yield world.project.verify(code=1)


def crlf_manifest(text: str, commit: str) -> str:
    """The same source, in a document with CRLF, and a block for a quote."""
    head = text.partition("citations:\n")[0]
    assert commit in head
    block = (
        "citations:\n  - id: crlf-manifest\n    source: code\n    path: numbered.txt\n    lines: 5-7\n"
        "    evidence: direct\n    quote: |\n      5\n      6\n      7\n"
        "  - id: crlf-both\n    source: code\n    path: crlf.txt\n    lines: 5-7\n"
        "    evidence: direct\n    quote: |\n      5\n      6\n      7\n"
    )
    return (head + block).replace("\n", "\r\n")


def test_a_line_anchor_is_one_line(found: dict[str, Result]) -> None:
    assert found["one-line"]["verdict"] == "exact"


def test_a_longer_quote_at_a_line_anchor_is_anchored_with_its_full_range(found: dict[str, Result]) -> None:
    assert found["three-at-one"]["verdict"] == "anchored"
    assert found["three-at-one"].span("suggestion") == "7-9"
    assert found["to-the-end-at-one"].span("suggestion") == "7-20"


def test_lines_count_from_one_and_both_ends_are_included(found: dict[str, Result]) -> None:
    for name in ("five-to-ten", "first", "last"):
        assert found[name]["verdict"] == "exact", name
    assert found["off-by-one"]["verdict"] == "shifted"
    assert found["off-by-one"].spans("found_at") == ["6-11"]


def test_a_range_past_the_last_line_is_out_of_range(found: dict[str, Result]) -> None:
    assert found["past-last"]["verdict"] == "out-of-range"
    assert found["past-last"].spans("found_at") == ["20-20"]
    assert found["unended-last"]["verdict"] == "exact"
    assert found["unended-past"]["verdict"] == "out-of-range"
    assert found["of-nothing"]["verdict"] == "out-of-range"


def test_a_form_feed_ends_no_line(found: dict[str, Result]) -> None:
    assert found["after-feed"]["verdict"] == "exact"
    assert found["with-feed"]["verdict"] == "exact"


@pytest.mark.parametrize("number", range(len(NOT_LINE_ENDS)), ids=list(NOT_LINE_ENDS))
def test_nothing_but_a_line_feed_ends_a_line(found: dict[str, Result], number: int) -> None:
    assert found[f"char{number}.txt"]["verdict"] == "exact"


def test_all_that_is_no_line_end_shifts_no_numbers_together(found: dict[str, Result]) -> None:
    assert found["after-all"]["verdict"] == "exact"


@pytest.mark.parametrize("name", ["crlf-source", "crlf-quote", "mixed", "crlf-manifest", "crlf-both", "bom"])
def test_documents_and_sources_may_each_have_their_own_terminators(
    found: dict[str, Result], name: str
) -> None:
    assert found[name]["verdict"] == "exact"


def test_a_byte_that_is_no_utf_8_is_read_as_latin_1_with_a_note(found: dict[str, Result]) -> None:
    assert found["latin"]["verdict"] == "exact"
    assert "latin-1" in found["latin"].text("notes")


def test_a_file_s_own_declaration_is_believed(found: dict[str, Result]) -> None:
    assert found["declared"]["verdict"] == "exact"
    assert "koi8-r" in found["declared"].text("notes")

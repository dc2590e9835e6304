from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.evidence import Level, Summary
from provenance.report.site.listing import PER_PAGE, addresses, ordered, pages, script, shortened
from provenance.report.site.views import Document, Entry

DOCUMENT = Document("manifests/a.yaml", "A document")


def made(level: Level = Level.OK, id_: str = "a", claim: str = "", path: str = "a.py") -> Entry:
    return Entry(
        level, "exact", id_, DOCUMENT, 3, f"results/{id_}.html", "o/r", path, LineRange(1, 2), "commit", claim
    )


SUMMARY = Summary(0, 0, 0, 0, 0, {})


@pytest.mark.parametrize(("count", "number"), [(0, 1), (1, 1), (100, 1), (101, 2), (10_000, 100)])
def test_a_page_has_some_hundred_results(count: int, number: int) -> None:
    found = addresses(count)
    assert len(found) == number
    assert found[0] == "index.html"
    assert len(set(found)) == number


def test_the_worst_come_first_and_else_the_order_stays() -> None:
    levels = [Level.OK, Level.WARNING, Level.FAILURE, Level.OK, Level.UNAVAILABLE, Level.FAILURE]
    found = ordered([made(level, str(at)) for at, level in enumerate(levels)])
    assert [entry.id for entry in found] == ["2", "5", "4", "1", "0", "3"]


def test_pages_hold_every_result_once_and_know_where_levels_begin() -> None:
    levels = [Level.FAILURE] * 30 + [Level.WARNING] * 120 + [Level.OK] * 100
    entries = [made(level, str(at)) for at, level in enumerate(levels)]
    found = dict(pages(entries, SUMMARY, "", []))
    assert list(found) == ["index.html", "pages/2.html", "pages/3.html"]
    assert [entry for view in found.values() for entry in view.entries] == entries
    assert [view.first for view in found.values()] == [1, 101, 201]
    starts = found["index.html"].starts
    assert starts[Level.WARNING] == "index.html#level=warning"
    assert starts[Level.OK] == "pages/2.html#level=ok"
    assert Level.UNAVAILABLE not in starts
    assert [view.marks for view in found.values()] == [
        {0: Level.FAILURE, 30: Level.WARNING},
        {150 - PER_PAGE: Level.OK},
        {},
    ]


def read(text: str) -> dict[str, list[list[object]]]:
    """What the script hands over."""
    head, _, rest = text.partition("provReport(")
    assert head == '"use strict";\n'
    found: dict[str, list[list[object]]] = json.loads(rest.removesuffix(");\n"))
    return found


@given(st.lists(st.text(st.characters(), max_size=20), max_size=4))
def test_data_means_what_is_shown_and_ends_no_script(texts: list[str]) -> None:
    entries = [
        made(id_=text, claim=text, path=f"{text}.py") for text in [*texts, "</script><!--", "##[x]\u2028::"]
    ]
    text = "".join(script(entries))
    assert not set(text) & set("<>&\u2028\u2029\x00\u202e")
    assert "##[" not in text
    assert not any(line.lstrip().startswith("::") for line in text.split("\n"))
    assert text.encode()
    rows = read(text)["results"]
    assert len(rows) == len(entries)
    assert rows[-2][2] == "</script><!--"


def test_data_has_each_result_in_the_order_of_the_list() -> None:
    found = read("".join(script([made(id_="b", claim="x  y\nz"), made(Level.WARNING, "a")])))
    assert found["documents"] == [["A document", "manifests/a.yaml"]]
    assert found["results"][0] == [
        "ok", "exact", "b", 0, 3, 0, "a.py", 1, 2, "commit", "x y z", "results/b.html", ""
    ]  # fmt: skip
    assert found["results"][1][0] == "warning"


def test_nothing_is_a_list_too() -> None:
    assert read("".join(script([]))) == {"documents": [], "repositories": [], "results": []}
    assert [name for name, _ in pages([], SUMMARY, "", [])] == ["index.html"]


def test_a_long_claim_is_cut() -> None:
    assert len(shortened("word " * 1_000)) <= 201
    assert shortened("a\n b") == "a b"

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    LineRange,
    Manifest,
    Release,
    Source,
)
from provenance.documents.merge import merge

ENGINE = Source("engine", "https://example.org/engine", "0011")
BOILER = Source("boiler", "https://example.org/boiler", "0022")
VALVE = Citation("valve", ENGINE, "valve.py", LineRange(1, 2), EvidenceKind.DIRECT, "Opens.", None, "open\n")
WALL = Citation(
    "wall", BOILER, "wall.py", LineRange(3, 4), EvidenceKind.CONTEXTUAL, "Holds.", "Boiler", "hold\n"
)
PAGE = Manifest("m.yaml", "Engine", None, (ENGINE, BOILER), (VALVE, WALL))

RENAMED = replace(ENGINE, name="e")
LICENSED = replace(ENGINE, license="MIT", alternates=(Release("engine", "1.0"),))
EXPECT = Expectation("partial", "it is known", date(2030, 1, 1))
OWN = Citation("own", LICENSED, "crank.py", LineRange(9, 9), EvidenceKind.DIRECT)
TENDED = Manifest(
    "m.yaml",
    "Engine",
    "https://example.org/page",
    (LICENSED, BOILER),
    (replace(VALVE, source=LICENSED, expect=EXPECT), OWN, WALL),
)


def on_page(**changes: object) -> Manifest:
    """The page with another valve."""
    return replace(PAGE, citations=(replace(VALVE, **changes), WALL))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "there",
    [
        PAGE,
        TENDED,
        replace(PAGE, citations=(WALL, VALVE)),
        replace(PAGE, sources=(BOILER, ENGINE)),
        replace(PAGE, sources=(*PAGE.sources, Source("unused", "https://example.org/u", "1"))),
        replace(PAGE, sources=(RENAMED, BOILER), citations=(replace(VALVE, source=RENAMED), WALL)),
    ],
    ids=["same", "additions", "other order", "sources in other order", "unused source", "renamed source"],
)
def test_nothing_new(there: Manifest) -> None:
    merged = merge(there, PAGE)
    assert merged.manifest == there
    assert merged.changes == ()


CHANGED: dict[str, tuple[Manifest, tuple[str, ...]]] = {
    "quote": (on_page(quote="shut\n"), ("valve: quote changed",)),
    "claim and range": (on_page(claim="Shuts.", lines=LineRange(5, 6)), ("valve: lines, claim changed",)),
    "evidence": (
        on_page(evidence=EvidenceKind.CONTEXTUAL, of="Head"),
        ("valve: evidence changed",),
    ),
    "an id that got its range": (on_page(id="valve-1-2"), ("valve: id changed",)),
    "path": (on_page(path="v.py"), ("valve: path changed",)),
    "other source": (on_page(source=BOILER), ("valve: source changed",)),
}


@pytest.mark.parametrize(("page", "changes"), CHANGED.values(), ids=CHANGED)
def test_the_page_wins_and_what_was_added_stays(page: Manifest, changes: tuple[str, ...]) -> None:
    merged = merge(TENDED, page)
    assert merged.changes == (*changes, "own: not on the page, kept")
    valve, own, wall = merged.manifest.citations
    expected = page.citations[0]
    source = LICENSED if expected.source == ENGINE else BOILER
    assert valve == replace(expected, source=source, expect=EXPECT)
    assert (own, wall) == (OWN, WALL)
    assert merged.manifest.sources == TENDED.sources
    assert merged.manifest.url == TENDED.url
    assert merge(merged.manifest, page).changes == ()


def test_a_new_pin_reaches_every_citation_of_its_source() -> None:
    moved = replace(ENGINE, revision="0099")
    page = replace(PAGE, sources=(moved, BOILER), citations=(replace(VALVE, source=moved), WALL))
    merged = merge(TENDED, page)
    expected = replace(LICENSED, revision="0099")
    assert merged.manifest.sources == (expected, BOILER)
    assert [citation.source for citation in merged.manifest.citations] == [expected, expected, BOILER]
    assert merged.changes == (
        "source engine: revision 0011 -> 0099; its alternates are kept, and may hold other files",
        "own: not on the page, kept",
    )


def test_what_is_new_comes_last() -> None:
    pump = Source("pump", "https://example.org/pump", "0033")
    new = replace(VALVE, id="pump", source=pump)
    page = replace(PAGE, title="Engine 2", sources=(pump, *PAGE.sources), citations=(new, VALVE, WALL))
    merged = merge(PAGE, page)
    assert merged.manifest == replace(page, sources=(*PAGE.sources, pump), citations=(VALVE, WALL, new))
    assert merged.changes == ("title: Engine -> Engine 2", "source pump: new", "pump: new")


def test_a_new_source_takes_no_name_that_is_taken() -> None:
    # The page's engine is the manifest's "old" by its pin, and a second source of the page is called "old".
    there = Manifest("m.yaml", "Engine", None, (replace(ENGINE, name="old"),), ())
    other = Source("old", "https://example.org/other", "1")
    merged = merge(there, Manifest("m.yaml", "Engine", None, (ENGINE, other), ()))
    assert [source.name for source in merged.manifest.sources] == ["old", "old-2"]
    assert merged.changes == ("source old-2: new",)
    assert merge(merged.manifest, Manifest("m.yaml", "Engine", None, (ENGINE, other), ())).changes == ()

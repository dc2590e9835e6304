from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from provenance.citation import (
    Citation,
    EvidenceKind,
    Expectation,
    ExpectedValue,
    LineRange,
    Manifest,
    Quantity,
    Release,
    Source,
    Term,
)
from provenance.documents.merge import merge
from provenance.errors import ManifestError, Position

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


USE = Citation(
    "drive-expression", ENGINE, "valve.py", LineRange(2, 2), EvidenceKind.DIRECT, expression="open(…)"
)
SUM = Quantity("drive", (Term("Plate", "2 × 3", "6"),), "6", "2", "12", ("6",), ("[2 a, 3 b]",))
HUB = Source("gpt", "https://example.org/hub/gpt", "607a")
WHOLE = replace(PAGE, sources=(*PAGE.sources, HUB), citations=(VALVE, WALL, USE), quantities=(SUM,))
BROKEN = Expectation("broken", "it is known", date(2030, 1, 1))
LICENSED_HUB = replace(HUB, license="MIT")
OWN_VALUE = Citation(
    "own-value", LICENSED_HUB, "config.json", None, EvidenceKind.DIRECT, value=ExpectedValue("/n", "768")
)
OWN_SUM = Quantity("own-sum", statements=("1 + 1 = 2",), expect=BROKEN)
WHOLE_TENDED = replace(
    WHOLE,
    sources=(ENGINE, LICENSED_HUB, BOILER, Source("own", "https://example.org/own", "1")),
    citations=(replace(USE, expect=EXPECT), OWN_VALUE, VALVE, WALL),
    quantities=(OWN_SUM, replace(SUM, expect=BROKEN)),
)


@pytest.mark.parametrize(
    "there",
    [
        WHOLE,
        WHOLE_TENDED,
        replace(WHOLE, citations=(USE, WALL, VALVE)),
        replace(WHOLE, quantities=(SUM, OWN_SUM)),
    ],
    ids=["same", "additions", "other order", "own quantity"],
)
def test_nothing_new_of_all_that_a_page_asserts(there: Manifest) -> None:
    merged = merge(there, WHOLE)
    assert merged.manifest == there
    assert merged.changes == ()


def test_what_the_page_lost_is_told_be_there_changes_or_none() -> None:
    told = ("own-value: not on the page, kept", "quantity own-sum: not on the page, kept")
    assert merge(WHOLE_TENDED, WHOLE).kept == told
    assert merge(WHOLE_TENDED, replace(WHOLE, title="Other")).kept == told
    lost = merge(WHOLE, replace(WHOLE, quantities=()))
    assert (lost.manifest, lost.changes, lost.kept) == (WHOLE, (), ("quantity drive: not on the page, kept",))
    assert merge(WHOLE, WHOLE).kept == ()


def test_all_that_a_page_asserts_comes_into_a_manifest_that_has_its_quotes() -> None:
    page = replace(WHOLE, sources=(replace(ENGINE, stated="00"), BOILER, HUB))
    page = replace(page, citations=(*(replace(c, source=page.sources[0]) for c in (VALVE, USE)), WALL))
    merged = merge(TENDED, page)
    engine = replace(LICENSED, stated="00")
    assert merged.manifest == replace(
        TENDED,
        sources=(engine, BOILER, HUB),
        citations=(
            replace(VALVE, source=engine, expect=EXPECT),
            replace(OWN, source=engine),
            WALL,
            replace(USE, source=engine),
        ),
        quantities=(SUM,),
    )
    assert merged.changes == (
        "source engine: stated nowhere -> 00",
        "source gpt: new",
        "drive-expression: new",
        "own: not on the page, kept",
        "quantity drive: new",
    )
    assert merge(merged.manifest, page).changes == ()


ASSERTED: dict[str, tuple[Manifest, str]] = {
    "expression": (
        replace(WHOLE, citations=(VALVE, WALL, replace(USE, expression="shut(…)"))),
        "drive-expression: expression changed",
    ),
    "its lines": (
        replace(WHOLE, citations=(VALVE, WALL, replace(USE, lines=LineRange(4, 4)))),
        "drive-expression: lines changed",
    ),
    "its component": (
        replace(WHOLE, citations=(VALVE, WALL, replace(USE, id="crank-expression"))),
        "drive-expression: id changed",
    ),
    "one more place": (
        replace(WHOLE, citations=(VALVE, WALL, replace(USE, id="drive-expression-2"))),
        "drive-expression: id changed",
    ),
    "total": (replace(WHOLE, quantities=(replace(SUM, total="7"),)), "quantity drive: total changed"),
    "all of a quantity": (
        replace(WHOLE, quantities=(Quantity("drive", (), None, None, None, ("7",)),)),
        "quantity drive: terms, total, repeated, overall, statements, shapes changed",
    ),
    "its name": (replace(WHOLE, quantities=(replace(SUM, id="crank"),)), "quantity drive: id changed"),
}


@pytest.mark.parametrize(("page", "change"), ASSERTED.values(), ids=ASSERTED)
def test_what_a_page_asserts_anew_wins(page: Manifest, change: str) -> None:
    merged = merge(WHOLE_TENDED, page)
    kept = ("own-value: not on the page, kept", "quantity own-sum: not on the page, kept")
    assert [told for told in merged.changes if told not in kept] == [change]
    assert set(kept) < set(merged.changes)
    used, value, *_ = merged.manifest.citations
    assert used == replace(page.citations[2], expect=EXPECT)
    assert value == OWN_VALUE
    assert merged.manifest.quantities == (OWN_SUM, replace(page.quantities[0], expect=BROKEN))
    assert merged.manifest.sources == WHOLE_TENDED.sources
    assert merge(merged.manifest, page).changes == ()


def test_what_a_page_no_longer_asserts_is_kept() -> None:
    merged = merge(WHOLE_TENDED, PAGE)
    assert merged.manifest == WHOLE_TENDED
    stated = replace(WHOLE_TENDED, sources=(replace(ENGINE, stated="00"), *WHOLE_TENDED.sources[1:]))
    merged = merge(stated, PAGE)
    assert merged.manifest == WHOLE_TENDED
    assert merged.changes == (
        "source engine: stated 00 -> nowhere",
        "drive-expression: not on the page, kept",
        "own-value: not on the page, kept",
        "quantity own-sum: not on the page, kept",
        "quantity drive: not on the page, kept",
    )


def test_a_value_of_a_persons_own_is_repinned_with_its_source() -> None:
    moved = replace(HUB, revision="99")
    merged = merge(WHOLE_TENDED, replace(WHOLE, sources=(ENGINE, BOILER, moved)))
    expected = replace(LICENSED_HUB, revision="99")
    assert merged.manifest.sources[1] == expected
    assert merged.manifest.citations[1] == replace(OWN_VALUE, source=expected)


def test_a_citation_that_gets_an_expression_for_its_quote() -> None:
    there = replace(WHOLE, citations=(VALVE, WALL, replace(USE, expression=None, quote="open()\n")))
    assert merge(there, WHOLE).changes == ("drive-expression: quote, expression changed",)
    valued = replace(USE, expression=None, value=ExpectedValue("/n", "768"))
    assert merge(replace(WHOLE, citations=(valued, VALVE, WALL)), WHOLE).changes == (
        "drive-expression: expression, value changed",
    )


def test_a_new_citation_is_not_one_of_a_persons_own_at_the_same_place() -> None:
    page = replace(PAGE, citations=(*PAGE.citations, replace(OWN, id="crank", source=ENGINE)))
    merged = merge(TENDED, page)
    assert merged.changes == ("crank: new", "own: not on the page, kept")


def test_a_repository_that_is_elsewhere_now() -> None:
    moved = replace(ENGINE, git="https://example.org/moved", revision="0012")
    page = replace(PAGE, sources=(moved, BOILER), citations=(replace(VALVE, source=moved), WALL))
    assert merge(PAGE, page).changes == (
        "source engine: git https://example.org/engine -> https://example.org/moved",
        "source engine: revision 0011 -> 0012",
    )


AT = Position("m.yaml", 9)
CLASHES = {
    "a citation there": replace(PAGE, citations=(*PAGE.citations, replace(OWN, id="drive", position=AT))),
    "a quantity there": replace(PAGE, quantities=(Quantity("drive-expression", position=AT),)),
}


@pytest.mark.parametrize("there", CLASHES.values(), ids=CLASHES)
def test_one_name_for_a_citation_and_a_quantity_is_an_error(there: Manifest) -> None:
    with pytest.raises(
        ManifestError, match=r"^m\.yaml:9: the id drive\S* stands here, and the page has another"
    ):
        merge(there, WHOLE)

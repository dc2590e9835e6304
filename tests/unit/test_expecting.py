"""What a run found, put into manifests as what is expected from now on."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from support.origins import commit
from support.workspace import CODE, OPEN, TODAY, Workspace, cite, source

from provenance.citation import Expectation, Kind, Manifest, Quantity, Source, Term
from provenance.compare.grade import covers
from provenance.errors import UsageError
from provenance.evidence import Evidence, Judgement, Level, Statement, Verdict
from provenance.expecting import Wish, known, write
from provenance.files import replace_bytes
from provenance.manifest import parse
from provenance.project import LockFiles
from provenance.verify import Settings, notable, verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from provenance.evidence import Finding
    from provenance.expecting import Written
    from provenance.judging import Batch
    from provenance.store.store import Store

PINNED = commit({"valve.py": CODE.encode()})
AT = source(PINNED.id)
UNTIL = date(2026, 4, 15)
WISH = Wish(UNTIL)
CHANGED = OPEN.replace("bar * 2", "bar * 3")
SUM = Quantity("sum", terms=(Term("a", "1 + 1", "3"),))


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    """A project whose repository has one commit."""
    made = Workspace(tmp_path)
    made.origins.add(PINNED)
    return made


def written(
    space: Workspace,
    wish: Wish = WISH,
    levels: Mapping[Verdict, Level] | None = None,
    *,
    offline: bool = False,
) -> Written:
    """Judge the manifests, and write what was found."""
    settings = Settings(TODAY, levels or {})
    with space.store() as store:
        found = verify(space.files, store, LockFiles(space.project), space.asking(offline=offline))
        return write(found, store, settings, wish)


def expects(space: Workspace, name: str = "a") -> Mapping[str, Expectation | None]:
    """What a manifest expects, by id."""
    found = parse((space.root / "manifests" / f"{name}.yaml").read_bytes(), name)
    assert isinstance(found, Manifest)
    citations = {item.id: item.expect for item in found.citations}
    return citations | {item.id: item.expect for item in found.quantities}


def test_what_is_wrong_is_expected_and_counts_as_a_warning(space: Workspace) -> None:
    partial = cite(AT, "part", lines="4-6", quote=f"class Valve:\n{OPEN.splitlines()[1]}\n")
    space.write(cite(AT), cite(AT, "wrong", quote=CHANGED), partial, quantities=(SUM,))
    space.write(cite(AT), name="b")
    other = (space.root / "manifests" / "b.yaml").stat().st_ino
    assert written(space).lines == ["wrote manifests/a.yaml: 3 expect entries"]
    because = "known on 2026-01-15 and not mended yet"
    assert expects(space) == {
        "open": None,
        "wrong": Expectation("changed", because, UNTIL),
        "part": Expectation("partial", because, UNTIL),
        "sum": Expectation("broken", because, UNTIL),
    }
    seen = space.verify()
    assert (seen.summary.ok, seen.summary.warning, seen.summary.failure) == (2, 3, 0)
    assert space.verify(today=UNTIL + timedelta(1)).summary.failure == 2
    assert (space.root / "manifests" / "b.yaml").stat().st_ino == other
    assert written(space).lines == []


EXPECT = Expectation("changed", "the page is old", TODAY)


@pytest.mark.parametrize(
    ("quote", "expect", "wish", "result"),
    [
        (CHANGED, EXPECT, WISH, EXPECT),
        (CHANGED, replace(EXPECT, until=date(2026, 1, 14)), WISH, replace(EXPECT, until=UNTIL)),
        (
            CHANGED,
            replace(EXPECT, until=date(2026, 1, 14)),
            Wish(UNTIL, "new"),
            Expectation("changed", "new", UNTIL),
        ),
        (
            CHANGED,
            replace(EXPECT, verdict="absent"),
            Wish(UNTIL, "new"),
            Expectation("changed", "new", UNTIL),
        ),
        (
            CHANGED,
            replace(EXPECT, verdict="absent"),
            WISH,
            Expectation("changed", "known on 2026-01-15 and not mended yet", UNTIL),
        ),
        (OPEN, EXPECT, WISH, EXPECT),
        (OPEN, None, WISH, None),
    ],
)
def test_an_entry_is_renewed_where_it_covers_no_longer(
    space: Workspace, quote: str, expect: Expectation | None, wish: Wish, result: Expectation | None
) -> None:
    space.write(cite(AT, quote=quote, expect=expect))
    lines = written(space, wish).lines
    assert expects(space) == {"open": result}
    renewed = ["wrote manifests/a.yaml: 1 expect entry, 1 of them renewed"] if result != expect else []
    assert lines == renewed


def test_what_was_not_judged_is_not_expected(space: Workspace) -> None:
    file = space.write(cite(AT, quote=CHANGED))
    before = file.read_bytes()
    assert space.verify(space.asking(offline=True)).summary.unavailable == 1
    assert written(space, offline=True).lines == []
    assert file.read_bytes() == before


def test_what_a_manifest_cannot_say_is_told(space: Workspace) -> None:
    stated = replace(AT, stated="abcdef1")
    file = space.write(cite(stated), cite(stated, "bare", quote=None))
    before = file.read_bytes()
    found = written(space, levels={Verdict.UNQUOTED: Level.FAILURE})
    assert found.lines == []
    assert found.notes == [
        "manifests/a.yaml: cannot be expected, and counts as ever: 1 pin broken, 1 unquoted"
    ]
    assert file.read_bytes() == before


def test_a_level_of_the_project_decides_what_is_wrong(space: Workspace) -> None:
    space.write(cite(AT, quote=CHANGED))
    assert written(space, levels={Verdict.CHANGED: Level.OK}).lines == []
    assert written(space, levels={Verdict.CHANGED: Level.WARNING}).lines != []


def test_a_manifest_that_changed_meanwhile_is_left(space: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    file = space.write(cite(AT, quote=CHANGED))

    def edited(batches: Iterable[Batch], store: Store, settings: Settings) -> list[Finding]:
        found = list(notable(batches, store, settings))
        file.write_bytes(file.read_bytes() + b"# mine\n")
        return found

    monkeypatch.setattr("provenance.expecting.notable", edited)
    found = written(space)
    assert found.lines == []
    assert found.problems == [
        "manifests/a.yaml: changed meanwhile, and is left as it is; run prov verify --write-expect again"
    ]
    assert file.read_text().endswith("# mine\n")
    assert "expect" not in file.read_text()


def test_one_manifest_that_cannot_be_written_does_not_keep_others_from_it(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        space.write(cite(AT, quote=CHANGED), name=name)

    def refusing(file: Path, data: bytes) -> None:
        if file.name == "a.yaml":
            message = "a.yaml: cannot be written"
            raise UsageError(message)
        replace_bytes(file, data)

    monkeypatch.setattr("provenance.expecting.replace_bytes", refusing)
    found = written(space)
    assert (found.lines, found.problems) == (
        ["wrote manifests/b.yaml: 1 expect entry"],
        ["a.yaml: cannot be written"],
    )


def test_a_link_to_a_manifest_stays_one_and_is_written_once(space: Workspace) -> None:
    file = space.write(cite(AT, quote=CHANGED))
    link = file.with_name("b.yaml")
    link.symlink_to("a.yaml")
    assert written(space).lines == ["wrote manifests/a.yaml: 1 expect entry"]
    assert link.is_symlink()
    assert space.verify().summary.warning == 2


@pytest.mark.parametrize("kind", [Kind.PIN, Kind.QUANTITY])
def test_of_statements_arithmetic_alone_can_be_expected(kind: Kind) -> None:
    about: Quantity | Source = SUM if kind is Kind.QUANTITY else AT
    item = Statement("a", "a", kind, "x", Judgement(Verdict.BROKEN), Level.FAILURE, about)
    assert (known(item, WISH, Settings(TODAY, {})) is not None) is (kind is Kind.QUANTITY)


@pytest.mark.parametrize("verdict", sorted(set(Verdict) - {Verdict.HOLDS, Verdict.BROKEN}))
@pytest.mark.parametrize("level", [None, Level.OK, Level.WARNING, Level.FAILURE])
def test_what_is_written_makes_every_verdict_a_warning_that_it_names(
    verdict: Verdict, level: Level | None
) -> None:
    settings = Settings(TODAY, {} if level is None or verdict is Verdict.UNAVAILABLE else {verdict: level})
    item = Evidence("a", cite(AT), Judgement(verdict), PINNED.id, Level.OK)
    expect = known(item, WISH, settings)
    if expect is not None:
        assert covers(expect, verdict, TODAY)
        assert known(replace(item, citation=replace(item.citation, expect=expect)), WISH, settings) is None

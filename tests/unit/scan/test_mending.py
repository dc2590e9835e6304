from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from support.results import COMMIT, GIT, Made

from provenance.citation import LineRange
from provenance.errors import UsageError
from provenance.evidence import Judgement, Verdict
from provenance.project import DocumentFile
from provenance.scan.citing import Direct
from provenance.scan.mending import fix
from provenance.scan.outcome import Brief, Outcome, Stand
from provenance.scan.scanning import ScannedDocument
from provenance.store.records import StoredDocument
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from provenance.evidence import Evidence
    from provenance.scan.mending import Fixed

PLACE = "blob/{}/tensor2tensor/models/common_layers.py#L{}"


def url(lines: str, revision: str = COMMIT) -> str:
    return f"{GIT}/{PLACE.format(revision, lines)}"


@dataclass(frozen=True)
class Case:
    """A link, what was found of it, and what it becomes; None where it is left alone."""

    verdict: Verdict
    new: str | None
    cited: str = url("10")
    moving: str | None = None
    written: str | None = None
    suggestion: str | None = None
    found_at: tuple[str, ...] = ()


V = Verdict
MAIN = url("10", "main")
CASES = {
    "exact": Case(V.EXACT, None),
    "anchored": Case(V.ANCHORED, url("10-L20"), suggestion="10-20"),
    "shifted": Case(V.SHIFTED, url("30"), suggestion="30", found_at=("30",)),
    "shifted-twice": Case(V.SHIFTED, None, suggestion="30", found_at=("30", "50")),
    "shifted-twice-at-a-branch": Case(
        V.SHIFTED, None, MAIN, "main", "main", suggestion="30", found_at=("30", "50")
    ),
    "partial": Case(V.PARTIAL, None, suggestion="12-14"),
    "out-of-range": Case(V.OUT_OF_RANGE, None, suggestion="12-14", found_at=("12-14",)),
    "changed": Case(V.CHANGED, None, found_at=("12-14",)),
    "exact-at-a-branch": Case(V.EXACT, url("10"), MAIN, "main", "main"),
    "whitespace-at-a-branch": Case(V.WHITESPACE, url("10"), MAIN, "main", "main"),
    "elided-at-a-branch": Case(V.ELIDED, url("10"), MAIN, "main", "main"),
    "unquoted-at-a-branch": Case(V.UNQUOTED, url("10"), MAIN, "main", "main"),
    "partial-at-a-branch": Case(V.PARTIAL, url("10"), MAIN, "main", "main", suggestion="12-14"),
    "anchored-at-a-branch": Case(V.ANCHORED, url("10-L20"), MAIN, "main", "main", suggestion="10-20"),
    "shifted-at-a-branch": Case(
        V.SHIFTED, url("30-L31"), MAIN, "main", "main", suggestion="30-31", found_at=("30-31",)
    ),
    "changed-at-a-branch": Case(V.CHANGED, None, MAIN, "main", "main"),
    "absent-at-a-branch": Case(V.ABSENT, None, MAIN, "main", "main"),
    "no-path-at-a-branch": Case(V.NO_PATH, None, MAIN, "main", "main"),
    "no-revision": Case(V.NO_REVISION, None, MAIN, "main", "main"),
    "unavailable": Case(V.UNAVAILABLE, None, MAIN, "main", "main"),
    "not-text": Case(V.NOT_TEXT, None, MAIN, "main", "main"),
    "branch-with-slashes": Case(V.EXACT, url("10"), url("10", "topic/x"), "topic/x", "topic/x"),
    "branch-that-is-escaped": Case(V.EXACT, url("10"), url("10", "topic%2Fx"), "topic/x", "topic/x"),
    "plain": Case(V.ANCHORED, "valve.py:10-20", "valve.py:10", suggestion="10-20"),
    "plain-in-words": Case(
        V.SHIFTED,
        "`valve.py` lines 30\u201331",
        "`valve.py` lines 10\u201311",
        suggestion="30-31",
        found_at=("30-31",),
    ),
    "plain-with-l": Case(V.ANCHORED, "valve.py#L10-L20", "valve.py#L10", suggestion="10-20"),
    "plain-at-a-branch": Case(V.EXACT, None, "valve.py:10", "main", "main"),
    "entity": Case(
        V.ANCHORED,
        f"{GIT}/blob/{COMMIT}/a.py?x=1&amp;y=2#L10-L20",
        f"{GIT}/blob/{COMMIT}/a.py?x=1&amp;y=2#L10",
        suggestion="10-20",
    ),
    "entity-for-the-hash": Case(
        V.ANCHORED,
        f"{GIT}/blob/{COMMIT}/a&quot;&amp;b.py#L10-L20",
        f"{GIT}/blob/{COMMIT}/a&quot;&amp;b.py&num;L10",
        suggestion="10-20",
    ),
    "number-for-the-hash": Case(
        V.ANCHORED,
        f"{GIT}/blob/{COMMIT}/a.py#L10-L20",
        f"{GIT}/blob/{COMMIT}/a.py&#35;L10",
        suggestion="10-20",
    ),
    "no-entity": Case(
        V.ANCHORED,
        f"{GIT}/blob/{COMMIT}/a.py?x=1&copy=2#L10-L20",
        f"{GIT}/blob/{COMMIT}/a.py?x=1&copy=2#L10",
        suggestion="10-20",
    ),
    "no-link": Case(V.ANCHORED, None, "nothing like a link", suggestion="10-20"),
}


def made(case: Case, number: int = 1, quote: str | None = "x") -> Evidence:
    judgement = Judgement(
        case.verdict,
        suggestion=None if case.suggestion is None else LineRange.parse(case.suggestion),
        found_at=tuple(map(LineRange.parse, case.found_at)),
    )
    return Made(
        f"c{number}", case.verdict, judgement, lines=LineRange(10, 10), quote=quote, manifest="a.md"
    ).evidence()


def stand(case: Case, line: int = 1, cell: int | None = None) -> Stand:
    return Stand(line, cell, case.cited, line, case.moving, case.written, ())


@dataclass
class Desk:
    """A document that is to be mended."""

    root: Path
    store: Store
    file: DocumentFile

    def fix(
        self, text: str, found: Sequence[Evidence], stands: Sequence[Stand], direct: bool = False
    ) -> Fixed:
        self.file.file.write_text(text, encoding="utf-8")
        by_id = {item.id: each for item, each in zip(found, stands, strict=True)}
        kept = Outcome({} if direct else by_id, ())
        with self.store.transaction() as transaction:
            transaction.put_documents(
                [(StoredDocument("a.md", "0" * 64, Brief().to_json(), ""), kept.to_json())]
            )
        special = [Direct(item.citation, by_id[item.id], item.judgement, "now") for item in found if direct]
        document = ScannedDocument("a.md", Brief(), None, tuple(special))
        return fix(self.file, document, found, self.store, {})

    @property
    def text(self) -> str:
        return self.file.file.read_text(encoding="utf-8")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(str(tmp_path / "evidence.db"), "scan") as store:
        yield Desk(tmp_path, store, DocumentFile(tmp_path / "a.md", "a.md", tmp_path))


@pytest.mark.parametrize("direct", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_a_link_is_mended_where_the_answer_is_clear(desk: Desk, name: str, *, direct: bool) -> None:
    case = CASES[name]
    fixed = desk.fix(f"See {case.cited} there.\n", [made(case)], [stand(case)], direct)
    assert desk.text == f"See {case.new or case.cited} there.\n"
    assert [mend.new for mend in fixed.done] == ([] if case.new is None else [case.new])
    assert fixed.left == ()


def test_quotes_that_want_one_link_otherwise_are_in_each_others_way(desk: Desk) -> None:
    cases = [CASES["anchored"], Case(V.SHIFTED, None, suggestion="30", found_at=("30",))]
    fixed = desk.fix(
        cases[0].cited, [made(each, at) for at, each in enumerate(cases)], [stand(each) for each in cases]
    )
    assert (desk.text, fixed.done) == (cases[0].cited, ())
    assert [mend.new for mend in fixed.left] == [url("10-L20"), url("30")]


@pytest.mark.parametrize("cell", [None, 3])
@pytest.mark.parametrize(("quote", "mended"), [("x", False), (None, True)])
def test_a_quote_that_holds_keeps_a_link_that_another_would_mend(
    desk: Desk, cell: int | None, quote: str | None, *, mended: bool
) -> None:
    cases = [CASES["anchored"], CASES["exact"]]
    found = [made(cases[0], 0), made(cases[1], 1, quote)]
    fixed = desk.fix(cases[0].cited, found, [stand(each, 1, cell) for each in cases])
    assert (desk.text != cases[0].cited) is mended
    assert (len(fixed.done), len(fixed.left)) == ((1, 0) if mended else (0, 1))


def test_links_on_other_lines_are_no_hindrance(desk: Desk) -> None:
    cases = [CASES["anchored"], CASES["exact"]]
    text = f"{cases[0].cited}\n{cases[1].cited}\n"
    fixed = desk.fix(
        text, [made(each, at) for at, each in enumerate(cases)], [stand(cases[0], 1), stand(cases[1], 2)]
    )
    assert desk.text == f"{url('10-L20')}\n{url('10')}\n"
    assert len(fixed.done) == 1


def test_what_is_no_longer_there_is_left(desk: Desk) -> None:
    case = CASES["anchored"]
    fixed = desk.fix("Nothing of it.\n", [made(case)], [stand(case)])
    assert (desk.text, fixed.done, len(fixed.left)) == ("Nothing of it.\n", (), 1)


def test_a_result_that_stands_nowhere_is_passed_over(desk: Desk) -> None:
    case = CASES["anchored"]
    document = ScannedDocument("a.md", Brief())
    desk.file.file.write_text(case.cited)
    assert fix(desk.file, document, [made(case)], desk.store, {}).done == ()


def test_a_document_that_somebody_else_changes_meanwhile_is_not_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES["anchored"]
    answers = iter([case.cited.encode(), b"# Another's work\n"])
    monkeypatch.setattr(DocumentFile, "read", lambda _: next(answers))
    with pytest.raises(UsageError, match="changed by somebody else"):
        desk.fix(case.cited, [made(case)], [stand(case)])
    assert desk.text == case.cited

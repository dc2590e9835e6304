"""The use case with origins in memory: what is read, asked and judged again, and what is not."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from support.origins import OFFLINE, FakeOrigins, commit
from support.scanning import CODE, blob, code, fence
from support.workspace import TODAY

from provenance.documents.formats import is_document, read_document
from provenance.evidence import Level, Verdict
from provenance.gather import Asking
from provenance.project import Project
from provenance.references import References
from provenance.scan import sheets
from provenance.scan.local import LocalFiles
from provenance.scan.scanning import scan
from provenance.scan.telling import findings, notable, summary, unread
from provenance.store.store import Store
from provenance.verify import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.document import Sheet
    from provenance.documents.unreadable import Unreadable
    from provenance.evidence import Evidence, Summary
    from provenance.links.forges import Hosts
    from provenance.scan.scanning import Scanned

GIT = "https://github.com/example/engine"
PINNED = commit({"valve.py": CODE.encode()})
LATER = commit({"valve.py": f"# More.\n{CODE}".encode()})


def listing(tip: str) -> References:
    return References({"refs/heads/main": tip, "refs/tags/v1": PINNED.id})


@dataclass
class Seen:
    """A run."""

    scanned: Scanned
    results: list[Evidence]
    notable: list[Evidence]
    summary: Summary
    read: list[str]
    """The documents that were read."""
    asked: list[str]

    @property
    def verdicts(self) -> list[str]:
        return [item.judgement.verdict for item in self.results]


@dataclass
class Desk:
    """Some documents, and who can be asked."""

    root: Path
    patch: pytest.MonkeyPatch
    origins: FakeOrigins = field(default_factory=FakeOrigins)
    asking: Asking = field(default_factory=lambda: Asking(None))
    settings: Settings = field(default_factory=lambda: Settings(TODAY, {}))

    def write(self, name: str, text: str) -> None:
        (self.root / name).write_text(text, encoding="utf-8")

    def scan(self, *, offline: bool = False, refresh: bool = False) -> Seen:
        """A run with a store of its own, as each process has."""
        read: list[str] = []
        really = read_document

        def reading(data: bytes, name: str, hosts: Hosts, **how: bool) -> Sheet | Unreadable:
            read.append(name)
            return really(data, name, hosts, **how)

        with self.patch.context() as patch:
            patch.setattr(sheets, "read_document", reading)
            return self._scanned(read, offline=offline, refresh=refresh)

    def _scanned(self, read: list[str], *, offline: bool, refresh: bool) -> Seen:
        self.origins.asked.clear()
        project = Project(self.root)
        files = project.document_files([str(self.root)], is_document)
        asking = replace(self.asking, origins=None if offline else self.origins, refresh=refresh)
        with Store(str(self.root / "evidence.db"), "scan") as store:
            scanned = scan(files, store, asking, {}, LocalFiles(self.root), readers=1)
            results = [item for each in scanned.documents for item in findings(each, store, self.settings)]
            few = list(notable(scanned.documents, store, self.settings))
            counts = summary(scanned.documents, store, self.settings)
            self.unread = [item for each in scanned.documents for item in unread(each, store)]
        return Seen(scanned, results, few, counts, read, list(self.origins.asked))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Two documents, one of which cites a branch."""
    made = Desk(tmp_path, monkeypatch)
    made.origins.add(PINNED, "v1")
    made.origins.add(LATER)
    made.origins.listed[GIT] = listing(PINNED.id)
    made.write(
        "a.md", f"[it]({blob(PINNED.id, 'L5-L6')})\n\n{fence(code(5, 6))}\n[it]({blob(PINNED.id, 'L900')})\n"
    )
    made.write("b.md", f"[it]({blob('main', 'L5-L6')})\n\n{fence(code(5, 6))}")
    made.write("c.md", "# Nothing\n\nhttps://code.example.org/x/a.py#L3\n")
    return made


def same(one: Seen, other: Seen) -> bool:
    return (one.results, one.notable, one.summary) == (other.results, other.notable, other.summary)


def test_documents_are_judged_in_their_order(desk: Desk) -> None:
    seen = desk.scan()
    assert seen.verdicts == ["exact", "out-of-range", "exact"]
    assert [item.level for item in seen.results] == [Level.OK, Level.FAILURE, Level.WARNING]
    assert [item.sighted and (item.sighted.path, item.sighted.line) for item in seen.results] == [
        ("a.md", 1),
        ("a.md", 8),
        ("b.md", 1),
    ]
    assert seen.notable == seen.results[1:]
    assert (seen.summary.total, seen.summary.ok, seen.summary.warning, seen.summary.failure) == (3, 1, 1, 1)
    assert [item.sighted.path for item in desk.unread] == ["c.md"]


def test_a_document_that_is_as_it_was_is_not_read_again(desk: Desk) -> None:
    first = desk.scan()
    assert sorted(first.read) == ["a.md", "b.md", "c.md"]
    left = desk.unread
    again = desk.scan()
    assert (again.read, again.asked) == ([], [f"references {GIT}"])
    assert same(first, again)
    assert desk.unread == left
    offline = desk.scan(offline=True)
    assert (offline.read, offline.asked) == ([], [])
    assert [(item.id, item.judgement, item.level) for item in offline.results] == [
        (item.id, item.judgement, item.level) for item in first.results
    ]
    assert "judged at its commit of today" in first.results[2].notes[0]
    assert "judged at the commit that it was when it was last asked for" in offline.results[2].notes[0]


def test_a_branch_that_moved_has_its_document_read_again_and_no_other(desk: Desk) -> None:
    desk.scan()
    desk.origins.listed[GIT] = listing(LATER.id)
    seen = desk.scan()
    assert seen.read == ["b.md"]
    assert seen.verdicts == ["exact", "out-of-range", "shifted"]
    assert seen.results[2].revision == LATER.id
    assert desk.scan().read == []


def test_a_document_that_was_edited_is_read_again_and_no_other(desk: Desk) -> None:
    desk.scan()
    desk.write("c.md", f"[it]({blob('v1', 'L1')})\n")
    seen = desk.scan()
    assert (seen.read, seen.verdicts[2:]) == (["c.md"], ["exact", "unquoted"])
    assert desk.unread == []
    assert desk.scan().read == []


def test_a_refresh_reads_and_asks_anew(desk: Desk) -> None:
    first = desk.scan()
    seen = desk.scan(refresh=True)
    assert sorted(seen.read) == ["a.md", "b.md", "c.md"]
    assert f"acquire {PINNED.id} valve.py" in seen.asked
    assert [(item.id, item.judgement) for item in seen.results] == [
        (item.id, item.judgement) for item in first.results
    ]


@pytest.mark.parametrize("what", ["git", "references"])
def test_what_could_not_be_had_is_asked_for_in_the_next_run(desk: Desk, what: str) -> None:
    listed = desk.origins.listed.pop(GIT)
    if what == "git":
        desk.origins.down = OFFLINE
    else:
        desk.origins.names["main"] = OFFLINE
    for _ in range(2):
        assert desk.scan().verdicts[2] == "unavailable"
    desk.origins.listed[GIT] = listed
    desk.origins.down = None
    assert desk.scan().verdicts == ["exact", "out-of-range", "exact"]


def test_a_file_of_the_project_is_looked_at_in_every_run(desk: Desk) -> None:
    desk.write("a.md", f"[it](c.md#L3)\n\n[it]({blob(PINNED.id, 'L1')})\n")
    first = desk.scan()
    assert first.verdicts[:2] == ["unquoted", "unquoted"]
    desk.write("c.md", "# Nothing\n")
    seen = desk.scan()
    assert "a.md" in seen.read
    assert seen.results[0].judgement.verdict is Verdict.OUT_OF_RANGE


def test_a_document_that_cannot_be_read_is_told_in_every_run(desk: Desk) -> None:
    desk.write("b.ipynb", "{")
    for _ in range(2):
        seen = desk.scan()
        assert len(seen.scanned.problems) == 1
        assert seen.scanned.problems[0].startswith("b.ipynb: cannot be read: ")
        assert len(seen.results) == 3


def test_a_document_that_becomes_unreadable_has_no_results_of_before(desk: Desk) -> None:
    desk.write("z.ipynb", "{}")
    desk.scan()
    desk.write("a.md", "\x00\x01\x02" * 50)
    seen = desk.scan()
    assert [item.manifest for item in seen.results] == ["b.md"]
    assert len(seen.scanned.problems) == 2


def ignoring(desk: Desk, note: str, lines: str = "L900") -> None:
    """A document with one citation, below a comment."""
    for name in ("a.md", "b.md", "c.md"):
        (desk.root / name).unlink(missing_ok=True)
    desk.write("i.md", f"<!-- prov: ignore {note} -->\n\n[it]({blob(PINNED.id, lines)})\n")


@pytest.mark.parametrize(
    ("note", "lines", "level", "told"),
    [
        ("old", "L900", Level.WARNING, "ignored: old"),
        ("until 2026-01-15: old", "L900", Level.WARNING, "ignored until 2026-01-15: old"),
        ("out-of-range until 2026-01-15: old", "L900", Level.WARNING, "ignored until 2026-01-15: old"),
        ("until 2026-01-14: old", "L900", Level.FAILURE, "ignored until 2026-01-14, which is over: old"),
        ("changed: old", "L900", Level.FAILURE, "ignored changed, and it is out-of-range"),
        ("old", "L5", Level.OK, "prov: ignore is no longer needed; it can be taken out"),
        ("changed: old", "L5", Level.OK, "prov: ignore changed is no longer needed; it can be taken out"),
    ],
)
def test_what_a_comment_ignores_counts_as_a_warning(
    desk: Desk, note: str, lines: str, level: Level, told: str
) -> None:
    ignoring(desk, note, lines)
    first = desk.scan()
    assert [(item.level, item.notes[-1]) for item in first.results] == [(level, told)]
    assert first.notable == first.results  # one that is no longer needed is told, too
    assert (first.summary.ok, first.summary.warning, first.summary.failure) == (
        level is Level.OK,
        level is Level.WARNING,
        level is Level.FAILURE,
    )
    again = desk.scan()
    assert again.read == []
    assert same(first, again)
    assert desk.unread == []


def test_what_is_ignored_until_a_day_fails_on_the_next_without_being_read_again(desk: Desk) -> None:
    ignoring(desk, "until 2026-01-15: old")
    assert desk.scan().results[0].level is Level.WARNING
    desk.settings = replace(desk.settings, today=TODAY + timedelta(1))
    seen = desk.scan()
    assert (seen.read, seen.summary.failure, len(seen.notable)) == ([], 1, 1)


def test_a_comment_that_is_edited_or_taken_away_counts_as_it_stands(desk: Desk) -> None:
    notes = []
    for note in ("old", "older", "changed: older", ""):
        ignoring(desk, note)
        (found,) = desk.scan().results
        notes.append((found.level, *found.notes, *(item.message.partition(":")[0] for item in desk.unread)))
    assert notes == [
        (Level.WARNING, "ignored: old"),
        (Level.WARNING, "ignored: older"),
        (Level.FAILURE, "ignored changed, and it is out-of-range"),
        (Level.FAILURE, "there is no reason"),
    ]


def test_a_file_of_the_project_and_a_reversed_range_can_be_ignored(desk: Desk) -> None:
    ignoring(desk, "old", "L9-L3")
    desk.write("j.md", "[it](valve.py#L900) <!-- prov: ignore out-of-range: old -->\n")
    desk.write("valve.py", CODE)
    for _ in range(2):
        seen = desk.scan()
        assert [item.level for item in seen.results] == [Level.WARNING, Level.WARNING]
        assert seen.summary.warning == 2
        assert all("ignored: old" in item.notes for item in seen.results)


def test_what_comments_say_to_no_purpose_is_told_among_what_is_not_understood(desk: Desk) -> None:
    ignoring(desk, "")
    desk.write("j.md", "<!-- prov: ignore old -->\n\ntext\n\nhttps://code.example.org/x/a.py#L3\n")
    desk.scan()
    assert [(item.sighted.path, item.sighted.line, item.sighted.cited[:6]) for item in desk.unread] == [
        ("i.md", 1, "prov: "),
        ("j.md", 1, "prov: "),
        ("j.md", 5, "https:"),
    ]

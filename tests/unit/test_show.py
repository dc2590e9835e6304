from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.origins import OFFLINE, commit
from support.workspace import CODE, GIT, OPEN, TODAY, Workspace, cite, source

from provenance.answers import Acquired, Artifact, Lacking, Unreached
from provenance.citation import LineRange
from provenance.errors import UsageError
from provenance.evidence import Assurance, Content, OriginKind, Statement, Verdict
from provenance.project import LockFiles
from provenance.report.show import Place
from provenance.show import NotShown, View, show
from provenance.verify import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.gather import Asking

FILES = {
    "src/engine/valve.py": CODE.encode(),
    "tests/valve.py": b"1\n2\n3\n",
    "image.png": b"\x89PNG\0\0",
    "hidden.txt": "one\nt\u202ewo\n".encode(),
}
MADE = commit(FILES)
NEWER = commit({**FILES, "src/engine/valve.py": b"# one line more\n" + CODE.encode()})
BLOB = Content.of(CODE.encode()).blob
AT = source("v1")
PATH = "src/engine/valve.py"
LINK = f"{GIT}/blob"


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(MADE, "v1", MADE.id[:12])
    made.origins.add(NEWER, "main")
    made.write(
        cite(AT, path=PATH),
        cite(AT, "pump", path=PATH, lines="12-15", quote="def pump(\n"),
        cite(AT, "small", path="tests/valve.py", lines="1-2", quote="1\n2\n"),
        cite(AT, "picture", path="image.png", lines="1"),
        cite(AT, "tricked", path="hidden.txt", lines="2", quote=None),
        cite(AT, "gone", path="gone.py", lines="1", quote=None),
    )
    return made


def ask(
    space: Workspace, locator: str, view: View | None = None, asking: Asking | None = None
) -> Place | Statement | NotShown:
    with space.store() as store:
        return show(
            locator,
            space.files,
            store,
            LockFiles(space.project),
            asking or space.asking(),
            Settings(TODAY, {}),
            view or View(),
        )


def shown(space: Workspace, locator: str, view: View | None = None, asking: Asking | None = None) -> Place:
    found = ask(space, locator, view, asking)
    assert isinstance(found, Place), found
    return found


OPENED = LineRange(5, 6)


@pytest.mark.parametrize(
    ("locator", "path", "lines"),
    [
        ("open", PATH, OPENED),
        (" open ", PATH, OPENED),
        ("small", "tests/valve.py", LineRange(1, 2)),
        ("engine/valve.py:5-6", PATH, OPENED),
        (f"{PATH}:5-6", PATH, OPENED),
        (f"./{PATH}:5-6", PATH, OPENED),
        (f"{PATH}:5–6", PATH, OPENED),
        (f"{PATH} 5—6", PATH, OPENED),
        (f"{PATH}#L5-L6", PATH, OPENED),
        (f"{PATH}#L5-6", PATH, OPENED),
        (f"{PATH}:8", PATH, LineRange(8, 8)),
        ("tests/valve.py", "tests/valve.py", LineRange(1, 2)),
        (f"{LINK}/v1/{PATH}#L5-L6", PATH, OPENED),
        (f"{LINK}/{MADE.id}/{PATH}#L5-L6", PATH, OPENED),
        (f"{LINK}/{MADE.id[:10]}/{PATH}#L5-L6", PATH, OPENED),
        (f"{LINK}/{MADE.id}/tests/valve.py", "tests/valve.py", LineRange(1, 2)),
        (f"https://github.com/example/engine.git/blob/v1/{PATH}#L5-L6", PATH, OPENED),
        (f"swh:1:cnt:{BLOB};lines=5-6", PATH, OPENED),
        (f"swh:1:cnt:{BLOB};origin={GIT};anchor=swh:1:rev:{MADE.id};path=/{PATH};lines=5-6", PATH, OPENED),
        (f"https://archive.softwareheritage.org/swh:1:cnt:{BLOB};lines=5-6/", PATH, OPENED),
    ],
)
def test_a_place_has_many_names(space: Workspace, locator: str, path: str, lines: LineRange) -> None:
    space.verify()
    found = shown(space, locator)
    assert (found.path, found.lines, found.revision, found.git) == (path, lines, MADE.id, GIT)
    assert [(line.number, line.cited) for line in found.shown] == [
        (number, True) for number in range(lines.first, lines.last + 1)
    ]


def test_what_is_shown_is_all_that_a_reviewer_wants(space: Workspace) -> None:
    found = shown(space, "open")
    assert [line.text for line in found.shown] == OPEN.removesuffix("\n").split("\n")
    assert (found.blob, found.language, found.symbol) == (BLOB, "python", "Valve.open")
    assert (found.assurance, found.origin, found.quote_only) == (Assurance.COMMIT, OriginKind.GIT, False)
    (evidence,) = found.evidence
    assert (evidence.citation.id, evidence.judgement.verdict) == ("open", Verdict.EXACT)


@pytest.mark.parametrize(
    ("locator", "told"),
    [
        ("nothing", "nothing: no citation has this id, path or link"),
        ("pump.py:1", "no citation has this id, path or link"),
        ("alve.py:1", "no citation has this id, path or link"),
        (f"{LINK}/v2/{PATH}#L5", "no citation has this id, path or link"),
        (f"https://github.com/example/other/blob/v1/{PATH}#L5", "no citation has this id, path or link"),
        (f"swh:1:cnt:{'b' * 40}", "no citation has this id, path or link"),
        (f"swh:1:cnt:{BLOB};anchor=swh:1:rev:{'b' * 40}", "no citation has this id, path or link"),
        (f"swh:1:cnt:{BLOB};path=/other.py", "no citation has this id, path or link"),
        ("https://example.org/page", "the link names no file"),
        ("swh:1:dir:x", "not the SWHID of a content"),
        ("", "no place is named"),
        (f"{PATH}:0", "lines count from 1"),
        (f"{PATH}:6-5", "reversed"),
    ],
)
def test_what_names_nothing_is_told(space: Workspace, locator: str, told: str) -> None:
    space.verify()
    with pytest.raises(UsageError, match=r".") as caught:
        ask(space, locator)
    assert told in str(caught.value)


def test_what_means_several_places_lists_them(space: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        ask(space, "valve.py:1-2")
    lines = str(caught.value).split("\n")
    assert lines[0] == "valve.py:1-2 means several places:"
    assert sorted(lines[1:]) == [f"  {GIT} v1 {PATH}:1-2", f"  {GIT} v1 tests/valve.py:1-2"]


def test_a_path_at_two_revisions_means_two_places(space: Workspace) -> None:
    space.write(cite(source("main"), path=PATH, lines="6-7"), name="b")
    with pytest.raises(UsageError, match="means several places"):
        ask(space, f"{PATH}:5-6")
    assert shown(space, f"{LINK}/main/{PATH}#L6-L7").revision == NEWER.id


def test_an_id_in_two_manifests_means_two_places_unless_they_are_one(space: Workspace) -> None:
    space.write(cite(AT, path=PATH), name="b")
    found = shown(space, "open")
    assert [item.manifest for item in found.evidence] == ["manifests/a.yaml", "manifests/b.yaml"]
    space.write(cite(AT, path=PATH, lines="8-9"), name="b")
    with pytest.raises(UsageError) as caught:
        ask(space, "open")
    assert "(manifests/a.yaml)" in str(caught.value)
    assert "(manifests/b.yaml)" in str(caught.value)


def test_no_more_are_listed_than_can_be_read(space: Workspace) -> None:
    space.write(*(cite(AT, f"c{number}", path=f"d{number}/same.py") for number in range(30)))
    with pytest.raises(UsageError) as caught:
        ask(space, "same.py:1")
    lines = str(caught.value).split("\n")
    assert len(lines) == 22
    assert lines[-1] == "  and 10 more"


def test_a_file_with_several_ranges_needs_one(space: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        ask(space, PATH)
    assert str(caught.value).split("\n")[1:] == [f"  {PATH}:5-6", f"  {PATH}:12-15"]


def test_a_manifest_that_has_gone_names_nothing(space: Workspace) -> None:
    space.write(cite(AT, "other", path="tests/valve.py", lines="3", quote="3\n"), name="b")
    assert isinstance(ask(space, "open"), Place)
    (space.root / "manifests" / "a.yaml").unlink()
    for locator in ("open", f"{PATH}:5-6", f"{LINK}/v1/{PATH}#L5-L6"):
        with pytest.raises(UsageError, match="no citation has this"):
            ask(space, locator)
    assert [item.citation.id for item in shown(space, "tests/valve.py:1-3").evidence] == ["other"]


def test_an_id_in_a_manifest_that_has_gone_is_not_in_the_way_of_a_path(space: Workspace) -> None:
    file = space.write(cite(AT, "tests-valve.py", path="tests/valve.py", lines="3", quote=None), name="b")
    space.write(cite(AT, "other", path="tests-valve.py", lines="1", quote=None), name="c")
    assert shown(space, "tests-valve.py").lines == LineRange(3, 3)
    file.unlink()
    found = ask(space, "tests-valve.py")
    assert isinstance(found, NotShown), "the path is meant now, and the commit has no such file"
    assert isinstance(found.failure, Lacking)


def test_a_branch_is_not_taken_for_the_beginning_of_a_commit(space: Workspace) -> None:
    space.verify()
    with pytest.raises(UsageError, match="no citation has this"):
        ask(space, f"{LINK}/{MADE.id[0]}/{PATH}#L5-L6")
    assert shown(space, f"{LINK}/{MADE.id[:4]}/{PATH}#L5-L6").revision == MADE.id


def test_lines_that_nobody_cites_are_shown_with_those_who_cite_their_neighbours(space: Workspace) -> None:
    assert [item.citation.id for item in shown(space, f"{PATH}:6-12").evidence] == ["open", "pump"]
    assert shown(space, f"{PATH}:1-2").evidence == ()
    assert shown(space, f"{PATH}:1-2").symbol is None


@pytest.mark.parametrize(
    ("locator", "context", "numbers"),
    [
        (f"{PATH}:5-6", 2, range(3, 9)),
        (f"{PATH}:1-2", 3, range(1, 6)),
        (f"{PATH}:14-15", 3, range(11, 16)),
        (f"{PATH}:8", 10_000, range(1, 16)),
    ],
)
def test_context_ends_where_the_file_does(
    space: Workspace, locator: str, context: int, numbers: range
) -> None:
    found = shown(space, locator, View(context))
    assert [line.number for line in found.shown] == list(numbers)
    assert [line.number for line in found.shown if line.cited] == [
        number for number in numbers if number in found.lines
    ]


def test_lines_past_the_end_are_told(space: Workspace) -> None:
    found = shown(space, f"{PATH}:14-20")
    assert [line.number for line in found.shown] == [14, 15]
    assert "the file has 15 lines" in found.notes
    assert ask(space, f"{PATH}:16-20") == NotShown(Lacking(Verdict.OUT_OF_RANGE, "the file has 15 lines"))


def test_what_cannot_be_seen_is_told(space: Workspace) -> None:
    assert any("the lines hold" in note for note in shown(space, "tricked").notes)
    assert not shown(space, "hidden.txt:1").notes


def test_the_same_lines_at_another_revision(space: Workspace) -> None:
    found = shown(space, "open", View(at="main"))
    assert (found.revision, found.lines) == (NEWER.id, OPENED)
    assert [line.text for line in found.shown] == ["class Valve:", "    def open(self, bar):"]
    assert found.evidence == ()
    assert shown(space, "open").revision == MADE.id


def test_another_revision_that_is_not_there_is_told(space: Workspace) -> None:
    found = ask(space, "open", View(at="v9"))
    assert isinstance(found, NotShown)
    assert isinstance(found.failure, Lacking)
    assert found.failure.verdict is Verdict.NO_REVISION


def test_no_release_stands_in_for_another_revision(space: Workspace) -> None:
    artifact = Artifact("engine-1.0.tar.gz", "a" * 64)
    answer = Acquired(PATH, Content.of(CODE.encode()), OriginKind.RELEASE, artifact=artifact)
    space.origins.releases = {"engine==1.0": {PATH: answer}}
    space.write(cite(replace(AT, alternates=source("x", alternates=("engine==1.0",)).alternates), path=PATH))
    space.origins.down = OFFLINE
    assert shown(space, "open").origin is OriginKind.RELEASE
    found = ask(space, "open", View(at="main"))
    assert isinstance(found, NotShown)
    assert isinstance(found.failure, Unreached)


def test_what_is_stored_is_shown_without_asking(space: Workspace) -> None:
    space.verify()
    space.origins.asked.clear()
    assert shown(space, "open") == shown(space, "open", asking=space.asking(offline=True))
    assert space.origins.asked == []


def test_what_was_never_stored_is_asked_for_alone(space: Workspace) -> None:
    shown(space, "open")
    assert space.origins.asked == ["resolve v1", f"acquire {MADE.id} {PATH}"]


def test_what_cannot_be_had_is_told(space: Workspace) -> None:
    found = ask(space, "open", asking=space.asking(offline=True))
    assert isinstance(found, NotShown)
    assert isinstance(found.failure, Unreached)
    assert found.problems == ()


@pytest.mark.parametrize(("locator", "verdict"), [("gone", Verdict.NO_PATH), ("picture", Verdict.NOT_TEXT)])
def test_what_has_no_lines_is_told(space: Workspace, locator: str, verdict: Verdict) -> None:
    found = ask(space, locator)
    assert isinstance(found, NotShown)
    assert isinstance(found.failure, Lacking)
    assert found.failure.verdict is verdict
    assert found.failure.message


def test_a_url_that_is_not_allowed_is_a_problem(space: Workspace) -> None:
    space.origins.down = Unreached("a private address", refused=True)
    found = ask(space, "open")
    assert isinstance(found, NotShown)
    assert found.problems == ("a private address",)


def lose_everything(space: Workspace) -> None:
    space.fetch()
    (space.root / "evidence.db").unlink()
    space.origins.down = OFFLINE


@pytest.mark.parametrize("locator", ["open", f"{PATH}:5-6", f"{PATH}:6"])
def test_the_quote_stands_in_where_only_the_lock_answers(space: Workspace, locator: str) -> None:
    lose_everything(space)
    found = shown(space, locator)
    assert found.quote_only
    assert [(line.number, line.text) for line in found.shown] == [
        (None, text) for text in OPEN.removesuffix("\n").split("\n")
    ]
    assert (found.lines, found.assurance, found.origin) == (OPENED, Assurance.LOCKED, OriginKind.LOCK)
    assert found.blob == BLOB
    assert found.notes == ("the host does not answer; archive: the archive does not answer",)


def test_nothing_stands_in_for_lines_that_nobody_quotes(space: Workspace) -> None:
    lose_everything(space)
    for locator in (f"{PATH}:1-2", "tricked"):
        assert isinstance(ask(space, locator), NotShown)


def test_nothing_stands_in_for_bytes_that_contradict_the_lock(space: Workspace) -> None:
    space.fetch()
    space.lock_path.write_text(space.lock_path.read_text().replace(BLOB, "b" * 40))
    found = ask(space, "open")
    assert isinstance(found, NotShown)
    assert "b" * 40 in found.problems[0]


def test_another_manifest_that_cannot_be_read_is_not_in_the_way(space: Workspace) -> None:
    space.fetch()
    (space.root / "manifests" / "b.yaml").write_text("nonsense")
    assert isinstance(ask(space, "open"), Place)
    (space.root / "evidence.db").unlink()
    space.origins.down = OFFLINE
    assert shown(space, "open").quote_only

"""What a person writes, and the place that is meant by it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.origins import OFFLINE, commit
from support.workspace import CODE, GIT, Workspace, cite, source

from provenance.answers import Acquired, Artifact, Lacking, Unreached
from provenance.citation import LineRange
from provenance.cite.aiming import Desk
from provenance.cite.finding import find
from provenance.cite.wish import Found, NotFound, Wish
from provenance.errors import UsageError
from provenance.evidence import Assurance, Content, OriginKind, Verdict
from provenance.links.forges import NO_HOSTS
from provenance.lock import Lock, LockedSource
from provenance.project import LockFiles
from provenance.references import References

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.gather import Asking

PATH = "src/engine/valve.py"
TWICE = "class A:\n    def f(self):\n        pass\n\n\nclass B:\n    @one\n    def f(self):\n        pass\n"
FILES = {
    PATH: CODE.encode(),
    "lib/twice.py": TWICE.encode(),
    "a/same.txt": b"1\n",
    "b/same.txt": b"2\n",
    "image.png": b"\x89PNG\0\0",
    "Makefile": b"all:\n\ttrue\n",
    "hidden.txt": "t\u202ewo\n".encode(),
}
OLD = commit(FILES, "old")
NEW = commit({**FILES, PATH: b"# one line more\n" + CODE.encode()}, "new")
LINK = f"{GIT}/blob"
BLOB = Content.of(CODE.encode()).blob
OPENED = LineRange(5, 6)


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(OLD, "v1", OLD.id[:12], OLD.id)
    made.origins.add(NEW, "main", "feature/x")
    made.origins.listed[GIT] = References(
        {"refs/tags/v1": OLD.id, "refs/heads/main": NEW.id, "refs/heads/feature/x": OLD.id}
    )
    made.write(cite(source("v1"), path=PATH))
    return made


def ask(space: Workspace, wish: Wish, asking: Asking | None = None) -> Found | NotFound:
    with space.store() as store:
        desk = Desk(
            [lambda: space.files], store, LockFiles(space.project), asking or space.asking(), NO_HOSTS
        )
        return find(wish, desk)


def found(space: Workspace, wish: Wish, asking: Asking | None = None) -> Found:
    place = ask(space, wish, asking)
    assert isinstance(place, Found), place
    return place


def at(locator: str, revision: str = "v1", symbol: str | None = None) -> Wish:
    return Wish(locator, git=GIT, revision=revision, symbol=symbol)


@pytest.mark.parametrize(
    ("wish", "commit_id", "path", "lines", "written"),
    [
        (at(f"{PATH}:5-6"), OLD.id, PATH, OPENED, OLD.id),
        (at(f"./{PATH}#L5-L6", OLD.id[:12]), OLD.id, PATH, OPENED, OLD.id),
        (at(f"{PATH}:5–6", OLD.id.upper()), OLD.id, PATH, OPENED, OLD.id),
        (at(f"{PATH}:5-6", "main"), NEW.id, PATH, OPENED, NEW.id),
        (at("engine/valve.py:5-6"), OLD.id, PATH, OPENED, OLD.id),
        (at("Makefile:1-2"), OLD.id, "Makefile", LineRange(1, 2), OLD.id),
        (Wish(f"{PATH}:5-6", source="engine"), OLD.id, PATH, OPENED, "v1"),
        (Wish("valve.py:5-6", source="engine"), OLD.id, PATH, OPENED, "v1"),
        (Wish(f"{LINK}/v1/{PATH}#L5-L6"), OLD.id, PATH, OPENED, OLD.id),
        (Wish(f"{LINK}/main/{PATH}#L5-L6"), NEW.id, PATH, OPENED, NEW.id),
        (Wish(f"{LINK}/feature/x/{PATH}#L5-L6"), OLD.id, PATH, OPENED, OLD.id),
        (Wish(f"{LINK}/{OLD.id}/{PATH}#L5-L6"), OLD.id, PATH, OPENED, OLD.id),
        (Wish(f"{LINK}/{OLD.id[:12]}/{PATH}#L5-L6"), OLD.id, PATH, OPENED, OLD.id),
        (
            Wish(f"swh:1:cnt:{BLOB};origin={GIT};anchor=swh:1:rev:{OLD.id};path=/{PATH};lines=5-6"),
            OLD.id,
            PATH,
            OPENED,
            OLD.id,
        ),
        (at(PATH, symbol="Valve.open"), OLD.id, PATH, OPENED, OLD.id),
        (at("valve.py", symbol="open"), OLD.id, PATH, OPENED, OLD.id),
        (at(PATH, symbol="Valve::close"), OLD.id, PATH, LineRange(8, 9), OLD.id),
        (at(PATH, symbol="Valve"), OLD.id, PATH, LineRange(4, 9), OLD.id),
        (at("twice.py", symbol="B.f"), OLD.id, "lib/twice.py", LineRange(7, 9), OLD.id),
        (Wish(f"{LINK}/v1/{PATH}", symbol="pump"), OLD.id, PATH, LineRange(12, 15), OLD.id),
    ],
)
def test_a_place_and_its_commit(
    space: Workspace, wish: Wish, commit_id: str, path: str, lines: LineRange, written: str
) -> None:
    place = found(space, wish)
    assert (place.commit, place.path, place.lines, place.source.revision) == (commit_id, path, lines, written)
    assert (place.source.git, place.source.name, place.assurance) == (GIT, "engine", Assurance.COMMIT)
    assert (
        place.quoted.split("\n")
        == (
            dict(NEW.files if commit_id == NEW.id else OLD.files)[path]
            .decode()
            .split("\n")[lines.first - 1 : lines.last]
        )
    )


@pytest.mark.parametrize("wish", [Wish(f"{LINK}/main/{PATH}#L5-L6"), Wish(f"{LINK}/feature/x/{PATH}#L5")])
def test_that_a_branch_moves_is_told(space: Workspace, wish: Wish) -> None:
    place = found(space, wish)
    assert place.moves
    assert any(
        note.endswith(f" moves: what is cited is {place.commit}, its commit of today") for note in place.notes
    )


def test_a_branch_is_asked_for_in_every_run(space: Workspace) -> None:
    assert found(space, at(f"{PATH}:5", "main")).commit == NEW.id
    space.origins.names["main"] = OLD.id
    assert found(space, at(f"{PATH}:5", "main")).commit == OLD.id


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        (Wish(f"{PATH}:5"), "of which repository? Name a manifest's source with --source"),
        (at(PATH), f"name either lines, such as {PATH}:10-20, or a --symbol"),
        (at(f"{PATH}:5", symbol="open"), "name either lines"),
        (at(f"{PATH}:6-5"), "reversed"),
        (at(f"{PATH}:0"), "lines count from 1"),
        (at(""), "no place is named"),
        (at("same.txt:1"), "same.txt is the end of several paths:\n  a/same.txt\n  b/same.txt"),
        (
            at("twice.py", symbol="f"),
            "f is defined several times; name the lines:\n  lib/twice.py:2-3 A.f\n  lib/twice.py:7-9 B.f",
        ),
        (at("Makefile", symbol="all"), "Makefile: no definition can be looked for"),
        (Wish(f"{PATH}:5", source="pump"), "no manifest has a source that is called pump; there are engine"),
        (Wish(f"{LINK}/v1/{PATH}#L5", source="engine"), "a link names its repository itself"),
        (Wish(f"{LINK}/v1/{PATH}#L6-L5"), "is reversed, or names line 0"),
        (Wish("https://example.org/page"), "names no file in a form that is known"),
        (Wish(f"{LINK}/v1/{PATH}#diff-1"), "name either lines"),
        (Wish(f"swh:1:cnt:{BLOB};lines=5-6"), "and not its repository, commit and path"),
        (Wish("swh:1:dir:x;lines=1"), "not the SWHID of a content"),
    ],
)
def test_what_names_no_place_is_told(space: Workspace, wish: Wish, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        ask(space, wish)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"source": "engine", "git": GIT, "revision": "v1"}, "leave --git and --revision out"),
        ({"source": "engine", "revision": "v1"}, "leave --git and --revision out"),
        ({"git": GIT}, "--git and --revision go together"),
        ({"revision": "v1"}, "--git and --revision go together"),
        ({"symbol": "a\udcff"}, "is not UTF-8"),
        ({"symbol": " "}, "--symbol needs the name of a definition"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        Wish("a.py", **options)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("wish", "verdict", "told"),
    [
        (at("gone.py:1"), Verdict.NO_PATH, "no path gone.py"),
        (at(f"{PATH}:15-16"), Verdict.OUT_OF_RANGE, "the file has 15 lines"),
        (at("a/same.txt:2"), Verdict.OUT_OF_RANGE, "the file has 1 line"),
        (at("image.png:1"), Verdict.NOT_TEXT, "binary content"),
        (at(f"{PATH}:5", "v9"), Verdict.NO_REVISION, "no revision v9"),
        (at(f"{PATH}:5", "b" * 40), Verdict.NO_REVISION, "b" * 40),
        (at(PATH, symbol="Valve.opn"), Verdict.ABSENT, "defines no Valve.opn; did you mean Valve.open?"),
        (at(PATH, symbol="pen"), Verdict.ABSENT, "defines no pen"),
        (Wish(f"{LINK}/v1/gone.py#L5"), Verdict.NO_PATH, "no path gone.py"),
        (
            Wish(f"swh:1:cnt:{'b' * 40};origin={GIT};anchor=swh:1:rev:{OLD.id};path=/{PATH};lines=5"),
            Verdict.NO_PATH,
            f"names content {'b' * 40}, and the commit has {BLOB}",
        ),
    ],
)
def test_what_is_not_there_has_its_verdict(space: Workspace, wish: Wish, verdict: Verdict, told: str) -> None:
    place = ask(space, wish)
    assert isinstance(place, NotFound)
    assert isinstance(place.failure, Lacking)
    assert place.failure.verdict is verdict
    assert told in place.failure.message
    assert place.problems == ()


WISHES = [at(f"{PATH}:5"), Wish(f"{LINK}/main/{PATH}#L5"), Wish(f"{PATH}:5", source="engine")]


@pytest.mark.parametrize("wish", WISHES)
def test_what_is_out_of_reach_is_unavailable(space: Workspace, wish: Wish) -> None:
    space.origins.down = OFFLINE
    for asking in (space.asking(), space.asking(offline=True)):
        place = ask(space, wish, asking)
        assert isinstance(place, NotFound)
        assert isinstance(place.failure, Unreached)
        assert place.problems == ()


@pytest.mark.parametrize("wish", WISHES)
def test_a_url_that_is_not_allowed_is_a_problem(space: Workspace, wish: Wish) -> None:
    space.origins.down = Unreached("a private address", refused=True)
    place = ask(space, wish)
    assert isinstance(place, NotFound)
    assert place.problems == ("a private address",)


def test_what_was_had_is_cited_offline(space: Workspace) -> None:
    for wish in (at(f"{PATH}:5"), Wish(f"{PATH}:5", source="engine")):
        place = found(space, wish)
        assert found(space, wish, space.asking(offline=True)).commit == place.commit


@pytest.mark.parametrize("was_asked", [False, True])
def test_offline_the_end_of_a_cited_path_will_do(space: Workspace, *, was_asked: bool) -> None:
    wish = Wish("valve.py:5-6", source="engine")
    space.fetch()
    if was_asked:
        found(space, wish)
    place = found(space, wish, space.asking(offline=True))
    assert place.path == PATH
    assert place.notes == (f"valve.py is taken for {PATH}, the one cited path that ends so",)
    space.write(cite(source("v1"), path="lib/valve.py"), name="b")
    with pytest.raises(UsageError, match=f"the end of several cited paths:\n  {PATH}\n  lib/valve.py"):
        ask(space, wish, space.asking(offline=True))
    assert isinstance(ask(space, Wish("tap.py:1", source="engine"), space.asking(offline=True)), NotFound)


def test_a_password_is_used_and_not_written(space: Workspace) -> None:
    git = "https://user:secret@git.example.org/engine"
    place = found(space, Wish(f"{PATH}:5-6", git=git, revision="v1"))
    assert place.source.git == "https://git.example.org/engine"
    assert "secret" not in repr(place)


def test_the_lock_of_a_source_is_what_pins_it(space: Workspace) -> None:
    space.write_lock(Lock({(GIT, "v1"): LockedSource(NEW.id, {})}))
    assert found(space, Wish(f"{PATH}:6-7", source="engine")).commit == NEW.id


def test_bytes_that_contradict_the_lock_are_a_problem(space: Workspace) -> None:
    space.fetch()
    space.lock_path.write_text(space.lock_path.read_text().replace(BLOB, "b" * 40))
    place = ask(space, Wish(f"{PATH}:5", source="engine"))
    assert isinstance(place, NotFound)
    assert "b" * 40 in place.problems[0]


def test_manifests_that_agree_are_one_and_their_ids_are_taken(space: Workspace) -> None:
    space.write(cite(source("v1"), "other", path=PATH), name="b")
    place = found(space, Wish(f"{PATH}:5-6", source="engine"))
    assert place.manifests == ("manifests/a.yaml", "manifests/b.yaml")
    assert place.taken == {"open", "other"}


@pytest.mark.parametrize(("one", "other"), [(OLD.id, OLD.id[:12]), (OLD.id[:12], OLD.id)])
def test_one_commit_written_at_two_lengths_is_one(space: Workspace, one: str, other: str) -> None:
    space.write(cite(source(one), path=PATH))
    space.write(cite(source(other), "other", path=PATH), name="b")
    assert found(space, Wish(f"{PATH}:5-6", source="engine")).commit == OLD.id


@pytest.mark.parametrize(
    "other", [source("main"), source("v1", git="https://github.com/example/fork"), source(NEW.id)]
)
def test_manifests_that_disagree_are_listed(space: Workspace, other: object) -> None:
    space.write(cite(other, path=PATH), name="b")  # type: ignore[arg-type]
    with pytest.raises(UsageError) as caught:
        ask(space, Wish(f"{PATH}:5-6", source="engine"))
    lines = str(caught.value).split("\n")
    assert lines[1] == f"  manifests/a.yaml: {GIT} v1"
    assert lines[2].startswith("  manifests/b.yaml: ")


def test_a_manifest_that_is_broken_is_told_where_a_source_is_not_found(space: Workspace) -> None:
    (space.root / "manifests" / "b.yaml").write_text("nonsense")
    assert found(space, Wish(f"{PATH}:5-6", source="engine")).commit == OLD.id
    with pytest.raises(UsageError, match=r"called pump(?s:.*)manifests/b.yaml:1"):
        ask(space, Wish(f"{PATH}:5-6", source="pump"))


def test_how_sure_it_is(space: Workspace) -> None:
    artifact = Artifact("engine-1.0.tar.gz", "a" * 64)
    answer = Acquired(PATH, Content.of(CODE.encode()), OriginKind.RELEASE, artifact=artifact)
    space.origins.releases = {"engine==1.0": {PATH: answer}}
    space.write(cite(source("v1", alternates=("engine==1.0",)), path=PATH))
    space.origins.down = OFFLINE
    wish = Wish(f"{PATH}:5-6", source="engine")
    place = found(space, wish)
    assert (place.assurance, place.commit) == (Assurance.ARTIFACT, None)
    assert any("engine-1.0.tar.gz, and nothing ties them" in note for note in place.notes)
    refused = ask(space, wish, replace(space.asking(), least=Assurance.LOCKED))
    assert isinstance(refused, NotFound)
    assert isinstance(refused.failure, Unreached)


def test_what_a_document_states_of_a_source_is_not_cited(space: Workspace) -> None:
    space.write(cite(replace(source("v1"), stated="v1", license="MIT"), path=PATH))
    place = found(space, Wish(f"{PATH}:5-6", source="engine"))
    assert (place.source.stated, place.source.license) == (None, "MIT")


def test_a_statement_that_is_cut_is_told(space: Workspace) -> None:
    assert "the range cuts the statement at lines 12-14 in two" in found(space, at(f"{PATH}:13-15")).notes


def test_what_hides_in_the_lines_is_told(space: Workspace) -> None:
    assert "the lines hold U+202E (right-to-left override)" in found(space, at("hidden.txt:1")).notes

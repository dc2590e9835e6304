"""Citations added to manifests' files: once, whole, beside what is there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.workspace import CODE, GIT, Workspace

from provenance.citation import EvidenceKind, LineRange, Manifest, Source
from provenance.cite import appending
from provenance.cite.aiming import Desk
from provenance.cite.appending import Appended, append, pins, there
from provenance.cite.wish import Found, Words
from provenance.cite.writing import manifest_of
from provenance.errors import UsageError
from provenance.evidence import Assurance, Content
from provenance.extract.lines import Text
from provenance.links.forges import NO_HOSTS
from provenance.manifest import parse
from provenance.project import LockFiles, Project

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.citation import Citation
    from provenance.cite.appending import Pin

COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
OTHER = "9b63575ef42771a015060c964af2c3da4cf7c8ab"
PLACE = Found(
    Source("engine", GIT, COMMIT),
    COMMIT,
    moves=False,
    path="valve.py",
    lines=LineRange(5, 6),
    text=Text(CODE),
    blob=Content.of(CODE.encode()).blob,
    assurance=Assurance.COMMIT,
    language="python",
)
HEAD = "# mine\nprov: 1\ntitle: A page\nsources:\n"


def unknown(_: Source) -> None:
    return None


def add(root: Path, found: Found = PLACE, words: Words | None = None, pin: Pin = unknown) -> Appended:
    return append(root / "m.yaml", Project(root), found, words or Words(), pin)


def read(root: Path) -> Manifest:
    manifest = parse((root / "m.yaml").read_bytes(), "m.yaml")
    assert isinstance(manifest, Manifest)
    return manifest


def only(root: Path) -> Citation:
    (citation,) = read(root).citations
    return citation


def manifest(root: Path, revision: str, *, name: str = "engine", git: str = GIT) -> str:
    text = f"{HEAD}  {name}: {{git: '{git}', revision: '{revision}'}} # pinned\ncitations: []\n"
    (root / "m.yaml").write_text(text)
    return text


def test_a_manifest_that_is_not_there_is_made(tmp_path: Path) -> None:
    assert append(tmp_path / "new/m.yaml", Project(tmp_path), PLACE, Words(), unknown) == Appended(
        "new/m.yaml", "valve-5-6", "engine"
    )
    made = parse((tmp_path / "new/m.yaml").read_bytes(), "m")
    assert isinstance(made, Manifest)
    assert (made.title, made.sources) == ("m", (PLACE.source,))


def test_the_same_is_there_once(tmp_path: Path) -> None:
    assert add(tmp_path).is_new
    before = (tmp_path / "m.yaml").read_bytes()
    assert add(tmp_path) == Appended("m.yaml", "valve-5-6", is_new=False)
    assert (tmp_path / "m.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (PLACE, Words(id="again")),
        (PLACE, Words(claim="Something else.")),
        (PLACE, Words(of="head")),
        (replace(PLACE, lines=LineRange(5, 5)), Words()),
        (replace(PLACE, path="other.py"), Words()),
        (replace(PLACE, source=Source("engine", GIT, OTHER), commit=OTHER), Words()),
    ],
)
def test_another_place_or_another_claim_is_another_citation(
    tmp_path: Path, found: Found, words: Words
) -> None:
    add(tmp_path, words=Words(claim="It opens."))
    assert add(tmp_path, found, words).is_new
    ids = [citation.id for citation in read(tmp_path).citations]
    assert len(set(ids)) == 2


def test_what_a_person_wrote_of_it_since_makes_it_no_other(tmp_path: Path) -> None:
    add(tmp_path)
    file = tmp_path / "m.yaml"
    file.write_text(file.read_text().replace("evidence: direct", "evidence: direct\n    claim: It opens."))
    assert not add(tmp_path).is_new
    assert not add(tmp_path, words=Words(claim="It opens.", evidence=EvidenceKind.DIRECT)).is_new


@pytest.mark.parametrize(
    ("revision", "known", "moves", "same"),
    [
        (COMMIT, None, False, True),
        (COMMIT[:9], None, False, True),
        (COMMIT.upper(), None, False, True),
        ("v1", COMMIT, False, True),
        ("v1", OTHER, False, False),
        ("v1", None, False, False),
        (OTHER, None, False, False),
        ("main", COMMIT, True, True),
    ],
)
def test_a_source_of_the_same_commit_serves_as_it_is_written(
    tmp_path: Path,
    revision: str,
    known: str | None,
    moves: bool,
    same: bool,
) -> None:
    before = manifest(tmp_path, revision)
    done = add(tmp_path, replace(PLACE, moves=moves), pin=lambda _: known)
    assert done.source == (None if same else "engine-0c66117d4297")
    assert only(tmp_path).source.revision == (revision if same else COMMIT)
    assert (tmp_path / "m.yaml").read_text().startswith(before.partition("citations")[0])


def test_a_tag_is_the_same_source_under_the_same_name_alone(tmp_path: Path) -> None:
    tagged = replace(PLACE, source=Source("engine", GIT, "v1"))
    manifest(tmp_path, "v1")
    assert add(tmp_path, tagged).source is None
    manifest(tmp_path, "main")
    assert add(tmp_path, replace(tagged, source=Source("engine", GIT, "main"), moves=True)).source is not None


@pytest.mark.parametrize(("name", "known"), [("v1", COMMIT), ("v2", None)])
def test_what_a_tag_means_is_asked_where_nobody_knows_it(
    tmp_path: Path, name: str, known: str | None
) -> None:
    space = Workspace(tmp_path)
    space.origins.names["v1"] = COMMIT
    manifest(tmp_path, name)
    with space.store() as store:
        desk = Desk([], store, LockFiles(space.project), space.asking(), NO_HOSTS)
        file = there(tmp_path / "m.yaml", space.project)
        assert pins(desk, file)(Source("engine", GIT, name)) == known
        with store.transaction() as transaction:
            transaction.put_pin(GIT, name, OTHER)
        assert pins(desk, None)(Source("engine", GIT, name)) == OTHER
    assert space.origins.asked == [f"resolve {name}"]


def test_the_same_source_may_have_another_name_and_a_password(tmp_path: Path) -> None:
    manifest(tmp_path, COMMIT, name="motor", git="https://u:secret@github.com/example/engine")
    assert add(tmp_path).source is None
    assert only(tmp_path).source.name == "motor"


def test_another_repository_of_that_name_is_another_source(tmp_path: Path) -> None:
    manifest(tmp_path, COMMIT, git="https://github.com/other/engine")
    assert add(tmp_path).source == "engine-0c66117d4297"
    assert [source.git for source in read(tmp_path).sources] == ["https://github.com/other/engine", GIT]


def test_an_id_that_is_taken_is_refused_and_a_made_one_gets_a_number(tmp_path: Path) -> None:
    add(tmp_path, words=Words(claim="one"))
    before = (tmp_path / "m.yaml").read_bytes()
    with pytest.raises(UsageError, match="valve-5-6 is used already"):
        add(tmp_path, words=Words(id="valve-5-6", claim="two"))
    assert (tmp_path / "m.yaml").read_bytes() == before
    assert add(tmp_path, words=Words(claim="two")).id == "valve-5-6-2"


def test_a_manifest_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("prov: 1\nnonsense: x\n")
    with pytest.raises(UsageError, match=r"m\.yaml:2:1: unknown key"):
        add(tmp_path)
    assert (tmp_path / "m.yaml").read_text() == "prov: 1\nnonsense: x\n"


def test_lines_that_cannot_be_quoted_leave_it_alone(tmp_path: Path) -> None:
    manifest(tmp_path, COMMIT)
    before = (tmp_path / "m.yaml").read_bytes()
    with pytest.raises(UsageError, match="the lines are blank"):
        add(tmp_path, replace(PLACE, lines=LineRange(7, 7)))
    assert (tmp_path / "m.yaml").read_bytes() == before


@pytest.mark.parametrize("exists", [True, False])
def test_a_change_by_somebody_else_is_not_written_over(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    exists: bool,
) -> None:
    file = tmp_path / "m.yaml"
    if exists:
        manifest(tmp_path, COMMIT)

    def meanwhile(*arguments: object, **named: object) -> bytes:
        file.write_text(f"{HEAD}  other: {{git: x, revision: y}}\ncitations: []\n")
        return manifest_of(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(appending, "manifest_of", meanwhile)
    with pytest.raises(UsageError, match="changed meanwhile, and is left as it is"):
        add(tmp_path)
    assert [source.name for source in read(tmp_path).sources] == ["other"]


@pytest.mark.parametrize("name", ["m.md", "m", "folder", "out/m.yaml", "dangling.yaml"])
def test_where_no_manifest_is_made(tmp_path: Path, name: str) -> None:
    root = tmp_path / "project"
    (root / "folder").mkdir(parents=True)
    (root / "out").symlink_to(tmp_path)
    (root / "dangling.yaml").symlink_to(tmp_path / "gone.yaml")
    with pytest.raises(UsageError):
        there(root / name, Project(root))


def test_a_link_within_the_project_stays_one(tmp_path: Path) -> None:
    manifest(tmp_path, COMMIT)
    (tmp_path / "linked.yaml").symlink_to("m.yaml")
    append(tmp_path / "linked.yaml", Project(tmp_path), PLACE, Words(), unknown)
    assert (tmp_path / "linked.yaml").is_symlink()
    assert only(tmp_path).id == "valve-5-6"

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from provenance import lock as locks
from provenance.errors import ConfigurationError, LockError, UsageError
from provenance.evidence import Level, Verdict
from provenance.lock import Lock
from provenance.project import LockFiles, Project

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from provenance.project import ManifestFile


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs" / "deep").mkdir(parents=True)
    return folder


def configured(root: Path, text: str) -> Project:
    (root / "pyproject.toml").write_text(text, encoding="utf-8")
    return Project.discover(root)


@pytest.mark.parametrize("table", ["[tool.prov]\n", "[tool.prov.levels]\npartial = 'ok'\n"])
def test_the_nearest_table_upward_marks_the_root(root: Path, table: str) -> None:
    (root / "pyproject.toml").write_text(table)
    (root / "docs" / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert Project.discover(root / "docs" / "deep").root == root
    (root / "docs" / "pyproject.toml").write_text("[tool.prov]\n")
    assert Project.discover(root / "docs" / "deep").root == root / "docs"


@pytest.mark.parametrize("other", ["", "[tool.provider]\nx = 1\n", "[tool]\n", "# [tool.prov]\n"])
def test_without_a_table_the_folder_itself_is_the_root(root: Path, other: str) -> None:
    (root / "pyproject.toml").write_text(other)
    assert Project.discover(root / "docs").root == root / "docs"


def test_a_project_has_defaults(root: Path) -> None:
    project = configured(root, "[tool.prov]\n")
    assert project == Project(root)
    assert (project.manifests, project.db, project.jobs) == (("manifests",), "evidence.db", None)


def test_a_table_is_read(root: Path) -> None:
    project = configured(
        root,
        """
        [tool.prov]
        manifests = ["a", "b/c.yaml"]
        documents = ["docs"]
        db = "build/evidence.db"
        jobs = 64
        hosts = []
        languages = {}
        levels = {partial = "failure", shifted = "warning", changed = "ok"}
        """,
    )
    assert project.manifests == ("a", "b/c.yaml")
    assert project.db == "build/evidence.db"
    assert project.jobs == 64
    assert project.levels == {
        Verdict.PARTIAL: Level.FAILURE,
        Verdict.SHIFTED: Level.WARNING,
        Verdict.CHANGED: Level.OK,
    }


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("manifest = 'x'", "tool.prov.manifest: unknown key; expected one of db, documents, hosts"),
        ("manifests = 1", "tool.prov.manifests: expected a path within the project"),
        ("manifests = ['a', 2]", "tool.prov.manifests: expected a path within the project"),
        ("manifests = ''", "tool.prov.manifests: expected a path within the project"),
        ("manifests = '..'", "tool.prov.manifests: .. lies outside the project"),
        ("manifests = 'a/../../b'", "lies outside the project"),
        ("manifests = '/etc'", "tool.prov.manifests: /etc lies outside the project"),
        ("manifests = 'out'", "tool.prov.manifests: out lies outside the project"),
        ("db = '../evidence.db'", "tool.prov.db: ../evidence.db lies outside the project"),
        ("db = '/tmp/evidence.db'", "tool.prov.db: /tmp/evidence.db lies outside the project"),
        ("db = 'postgresql://host/db'", "tool.prov.db: expected a path within the project"),
        ("db = 'sqlite:///x.db'", "tool.prov.db: expected a path within the project"),
        ("db = true", "tool.prov.db: expected a path within the project"),
        (r'db = "a\u0000b"', "tool.prov.db: expected a path within the project"),
        ("jobs = 0", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = 65", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = 1.5", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = true", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = '4'", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("levels = 1", "tool.prov.levels: expected a table"),
        ("levels = []", "tool.prov.levels: expected a table"),
        ("levels = {fine = 'ok'}", "tool.prov.levels.fine: not a verdict whose level can be set"),
        ("levels = {unavailable = 'ok'}", "tool.prov.levels.unavailable: not a verdict whose level"),
        ("levels = {partial = 'bad'}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("levels = {partial = 'unavailable'}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("levels = {partial = 1}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("levels = {partial = ['ok']}", "tool.prov.levels.partial: expected ok, warning or failure"),
    ],
)
def test_what_a_table_may_not_say_is_told_with_its_key(root: Path, line: str, told: str) -> None:
    (root / "out").symlink_to("..")
    with pytest.raises(ConfigurationError) as caught:
        configured(root, f"[tool.prov]\n{line}\n")
    assert str(caught.value).startswith("pyproject.toml: tool.prov.")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["[tool.prov]\nx = \n", "[tool.prov]\njobs = 1\njobs = 2\n", "[[tool.prov]]\njobs = 1\n"],
    ids=["syntax", "twice", "a list"],
)
def test_a_configuration_that_is_no_table_is_told(root: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^pyproject\.toml: "):
        configured(root, text)


def test_a_path_in_circles_stays_within(root: Path) -> None:
    (root / "circle").symlink_to("circle")
    assert configured(root, "[tool.prov]\ndb = 'circle/x.db'\n").db == "circle/x.db"


def test_a_configuration_that_is_no_text_is_told(root: Path) -> None:
    (root / "pyproject.toml").write_bytes(b"[tool.prov]\n# \xff\n")
    with pytest.raises(ConfigurationError, match=r"^pyproject\.toml: "):
        Project.discover(root)


def test_a_configuration_elsewhere_is_not_read(root: Path) -> None:
    (root.parent / "x.toml").write_text("[tool.prov]\njobs = 2\n")
    (root / "pyproject.toml").symlink_to("../x.toml")
    with pytest.raises(UsageError, match="leads out of"):
        Project.discover(root)


def names(files: list[ManifestFile]) -> list[str]:
    return [file.name for file in files]


@pytest.fixture
def project(root: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(root)
    for name in ("manifests/b.yaml", "manifests/a.yml", "manifests/in/c.yaml", "elsewhere.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    for name in ("manifests/.hidden.yaml", "manifests/.git/x.yaml", "manifests/prov.lock", "manifests/n.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("not a manifest")
    (root / "manifests" / "folder.yaml").mkdir()
    return Project(root)


def test_a_folder_holds_the_manifests_below_it(project: Project) -> None:
    assert names(project.manifest_files([])) == ["manifests/a.yml", "manifests/b.yaml", "manifests/in/c.yaml"]
    assert names(project.manifest_files(["manifests/in"])) == ["manifests/in/c.yaml"]


def test_a_file_is_a_manifest_whatever_its_name(project: Project) -> None:
    assert names(project.manifest_files(["manifests/n.md"])) == ["manifests/n.md"]
    assert names(project.manifest_files(["manifests/.hidden.yaml"])) == ["manifests/.hidden.yaml"]


@pytest.mark.parametrize(
    "spelling",
    ["manifests/b.yaml", "./manifests/b.yaml", "manifests/in/../b.yaml", "{root}/manifests/b.yaml"],
)
def test_a_manifest_that_is_named_in_two_ways_is_one(project: Project, spelling: str) -> None:
    given = spelling.format(root=project.root)
    assert names(project.manifest_files([given, "manifests"])) == [
        "manifests/a.yml",
        "manifests/b.yaml",
        "manifests/in/c.yaml",
    ]


def test_names_are_relative_to_the_root_from_any_folder(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root / "docs")
    assert names(project.manifest_files(["../elsewhere.yaml"])) == ["elsewhere.yaml"]
    assert names(project.manifest_files([]))[0] == "manifests/a.yml"


def test_a_manifest_outside_keeps_the_name_it_was_given(project: Project) -> None:
    outside = project.root.parent / "other.yaml"
    outside.write_text("x")
    (found,) = project.manifest_files([str(outside)])
    assert found.name == outside.as_posix()
    assert found.read() == b"x"


def test_what_is_not_there_is_told(project: Project) -> None:
    with pytest.raises(UsageError, match=r"gone\.yaml: no such file or folder"):
        project.manifest_files(["manifests", "gone.yaml"])
    with pytest.raises(UsageError, match="no such file or folder"):
        Project(project.root / "docs").manifest_files([])


def test_no_manifest_at_all_is_told(project: Project) -> None:
    with pytest.raises(UsageError, match=r"no manifest in docs: expected files that end in \.yaml or \.yml"):
        project.manifest_files(["docs"])


def outside_of(project: Project) -> Path:
    outside = project.root.parent / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("secret")
    return outside


def linked_file(project: Project) -> list[str]:
    (project.root / "manifests" / "x.yaml").symlink_to(outside_of(project) / "secret.yaml")
    return []


def linked_file_by_name(project: Project) -> list[str]:
    linked_file(project)
    return ["manifests/x.yaml"]


def linked_folder_by_name(project: Project) -> list[str]:
    (project.root / "manifests" / "x").symlink_to(outside_of(project))
    return ["manifests/x"]


def linked_default(project: Project) -> list[str]:
    (project.root / "manifests").rename(project.root / "was")
    (project.root / "manifests").symlink_to(outside_of(project))
    return []


@pytest.mark.parametrize("make", [linked_file, linked_file_by_name, linked_folder_by_name, linked_default])
def test_a_link_in_the_project_leads_to_no_manifest_outside(
    project: Project, make: Callable[[Project], list[str]]
) -> None:
    files = project.manifest_files(make(project))
    (found,) = [file for file in files if file.file.resolve().name == "secret.yaml"]
    with pytest.raises(UsageError, match="leads out of"):
        found.read()


def test_a_link_in_circles_is_told_when_it_is_read(project: Project) -> None:
    (project.root / "manifests" / "x.yaml").symlink_to("x.yaml")
    (found,) = [file for file in project.manifest_files([]) if file.name == "manifests/x.yaml"]
    with pytest.raises(UsageError, match="cannot be read"):
        found.read()


def test_what_was_named_outside_bounds_its_links_too(project: Project) -> None:
    outside = outside_of(project)
    (outside / "in.yaml").symlink_to("secret.yaml")
    (outside / "out.yaml").symlink_to(project.root / "elsewhere.yaml")
    files = {file.name: file for file in project.manifest_files([str(outside)])}
    assert files[f"{outside}/in.yaml"].read() == b"secret"
    with pytest.raises(UsageError, match="leads out of"):
        files[f"{outside}/out.yaml"].read()


def test_each_folder_has_its_lock(project: Project) -> None:
    (project.root / "manifests" / "prov.lock").write_text(locks.render(Lock()))
    lock_files = LockFiles(project)
    found = {file.name: lock_files.of(file) for file in project.manifest_files([])}
    assert found["manifests/a.yml"] is found["manifests/b.yaml"]
    assert found["manifests/in/c.yaml"] is not found["manifests/b.yaml"]
    assert [lock.name for lock in lock_files.all()] == ["manifests/prov.lock", "manifests/in/prov.lock"]
    assert found["manifests/a.yml"].sha256
    assert found["manifests/in/c.yaml"].sha256 == ""
    assert not found["manifests/in/c.yaml"].lock.citations


def test_one_lock_is_one_however_its_manifests_are_named(project: Project) -> None:
    lock_files = LockFiles(project)
    given = ["manifests/a.yml", str(project.root / "manifests/b.yaml"), "docs/../manifests/n.md"]
    found = {id(lock_files.of(file)) for file in project.manifest_files(given)}
    assert len(found) == 1


def test_the_lock_that_the_command_line_names_speaks_of_all(project: Project) -> None:
    (project.root.parent / "x.lock").write_text(locks.render(Lock()))
    lock_files = LockFiles(project, "../x.lock")
    (lock,) = {lock_files.of(file) for file in project.manifest_files([])}
    assert lock.sha256
    assert lock.key(project.root / "manifests" / "a.yml") == "project/manifests/a.yml"


def test_a_lock_names_manifests_relative_to_its_folder(project: Project) -> None:
    files = {file.name: file for file in project.manifest_files([])}
    beside = LockFiles(project).of(files["manifests/b.yaml"])
    assert beside.key(files["manifests/b.yaml"].file) == "b.yaml"
    assert beside.key(files["manifests/in/c.yaml"].file) == "in/c.yaml"
    deep = LockFiles(project).of(files["manifests/in/c.yaml"])
    assert deep.key(files["manifests/b.yaml"].file) == "../b.yaml"


def lock_that_leads_out(folder: Path) -> None:
    (folder.parent.parent / "x.lock").write_text(locks.render(Lock()))
    (folder / "prov.lock").symlink_to("../../x.lock")


def lock_that_is_a_folder(folder: Path) -> None:
    (folder / "prov.lock").mkdir()


@pytest.mark.parametrize("make", [lock_that_leads_out, lock_that_is_a_folder])
def test_a_lock_that_cannot_be_read_is_told(project: Project, make: Callable[[Path], None]) -> None:
    (project.root / "manifests" / "prov.lock").unlink()
    make(project.root / "manifests")
    (file, *_) = project.manifest_files([])
    with pytest.raises(LockError, match=r"prov\.lock: "):
        LockFiles(project).of(file)


def test_a_malformed_lock_is_told_when_it_is_looked_into(project: Project) -> None:
    (file, *_) = project.manifest_files([])
    lock_file = LockFiles(project).of(file)
    with pytest.raises(LockError, match=r"^manifests/prov\.lock: not a lock"):
        _ = lock_file.lock
    with pytest.raises(LockError, match=r"^manifests/prov\.lock: not a lock"):
        _ = lock_file.known_lock


def test_a_known_lock_says_what_the_lock_says(project: Project) -> None:
    (project.root / "manifests" / "prov.lock").write_text(locks.render(Lock()))
    (file, *_) = project.manifest_files([])
    lock_file = LockFiles(project).of(file)
    assert dict(lock_file.known_lock.citations) == {}
    whole = LockFiles(project).of(file)
    assert whole.lock is whole.known_lock


@pytest.mark.parametrize(
    "text",
    [
        '[tool]\nprov.levels.exact = "failure"\n',
        '[tool."prov"]\nlevels.exact = "failure"\n',
        "[ 'tool' . 'prov' ]\nlevels = {exact = 'failure'}\n",
        'tool.prov.levels.exact = "failure"\n',
    ],
)
def test_the_table_is_found_however_it_is_spelt(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert Project.discover(tmp_path).levels == {Verdict.EXACT: Level.FAILURE}


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 100_000 + "\n# tool.prov\n",
        "x = " + "9" * 5_000 + "\n[tool.prov]\n",
        f"[tool.prov]\ndb = '{'x' * 5_000}'\n",
        "[tool.prov]\nmanifests = []\n",
        "[tool.prov",
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        Project.discover(tmp_path)

"""Which files changed since a revision, told by real repositories."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from support.repositories import Repository, link, run

from provenance.errors import UsageError
from provenance.files import read_within
from provenance.project import LockFiles, Project
from provenance.since import base_of, changed_documents, changed_manifests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from support.repositories import Files

FILES: Files = {
    "manifests/a.yaml": "prov: 1\n",
    "manifests/b.yaml": "prov: 1\ntitle: b\n",
    "manifests/prov.lock": "{}\n",
    "manifests/sub/c.yaml": "prov: 1\n",
    "docs/a.md": "# A\n",
    "pyproject.toml": "[tool.prov]\n",
}
ALL = {"manifests/a.yaml", "manifests/b.yaml", "manifests/sub/c.yaml"}


def checked_out(folder: Path, files: Files, under: str = "") -> Repository:
    """A work tree whose one commit holds these files, below a folder of it."""
    repository = Repository.at(folder / ".git")
    repository.commit({f"{under}{name}": content for name, content in files.items()})
    for name, content in files.items():
        file = folder / f"{under}{name}"
        file.parent.mkdir(parents=True, exist_ok=True)
        assert isinstance(content, str)
        file.write_text(content)
    return repository


def changed(
    root: Path, revision: str = "HEAD", *, lock: str | None = None, given: Sequence[str] = ()
) -> set[str]:
    """The manifests that count as changed."""
    project = Project(root)
    base = base_of(root, revision)
    found = changed_manifests(base, root, project.manifest_files(given), LockFiles(project, lock))
    return {file.name for file in found.files}


def nothing(_root: Path) -> None:
    pass


def edit(name: str, text: str) -> Callable[[Path], object]:
    return lambda root: (root / name).write_text(text)


def edit_and_take_it_back(root: Path) -> None:
    file = root / "manifests/a.yaml"
    was = file.read_bytes()
    file.write_text("other")
    file.write_bytes(was)
    file.chmod(0o755)
    os.utime(file, (1, 1))


def to_other_line_ends(root: Path) -> None:
    file = root / "manifests/a.yaml"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))


def to_a_link(root: Path) -> None:
    (root / "other.yaml").write_text("prov: 1\n")
    (root / "manifests/a.yaml").unlink()
    (root / "manifests/a.yaml").symlink_to("../other.yaml")


def to_a_folder_behind_a_link(root: Path) -> None:
    (root / "manifests/sub").rename(root / "elsewhere")
    (root / "manifests/sub").symlink_to("../elsewhere")


def to_another_name(root: Path) -> None:
    (root / "manifests/b.yaml").rename(root / "manifests/z.yaml")


def test_a_lock_is_read_once_however_many_manifests_it_speaks_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked_out(tmp_path, FILES)
    read: list[str] = []

    def noting(file: Path, folder: Path) -> bytes:
        read.append(file.name)
        return read_within(file, folder)

    monkeypatch.setattr("provenance.since.read_within", noting)
    assert changed(tmp_path) == set()
    assert read.count("prov.lock") == 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (nothing, set()),
        (edit_and_take_it_back, set()),
        (edit("docs/a.md", "# B\n"), set()),
        (edit("manifests/a.yaml", "not: [a manifest"), {"manifests/a.yaml"}),
        (edit("manifests/sub/new.yaml", "prov: 1\n"), {"manifests/sub/new.yaml"}),
        (to_other_line_ends, {"manifests/a.yaml"}),
        (to_a_link, {"manifests/a.yaml"}),
        (to_a_folder_behind_a_link, set()),  # what stands behind a link to a folder is none of the project's
        (to_another_name, {"manifests/z.yaml"}),
        (edit("manifests/prov.lock", '{"a": 1}'), {"manifests/a.yaml", "manifests/b.yaml"}),
        (lambda root: (root / "manifests/prov.lock").unlink(), {"manifests/a.yaml", "manifests/b.yaml"}),
        (edit("manifests/sub/prov.lock", "{}"), {"manifests/sub/c.yaml"}),
        (lambda root: (root / "manifests/sub/prov.lock").symlink_to("x"), {"manifests/sub/c.yaml"}),
        (edit("pyproject.toml", "[tool.prov]\njobs = 2\n"), ALL),
        (lambda root: (root / "pyproject.toml").unlink(), ALL),
    ],
)
def test_a_manifest_is_as_it_was_where_its_bytes_and_its_lock_are(
    tmp_path: Path, change: Callable[[Path], object], expected: set[str]
) -> None:
    checked_out(tmp_path, FILES)
    change(tmp_path)
    assert changed(tmp_path) == expected


def test_what_stands_behind_a_link_has_changed_for_where_it_leads_is_not_looked_at(tmp_path: Path) -> None:
    checked_out(tmp_path, FILES)
    to_a_folder_behind_a_link(tmp_path)
    assert changed(tmp_path, given=[str(tmp_path / "manifests/sub")]) == {"manifests/sub/c.yaml"}


def test_a_file_that_was_a_link_has_changed(tmp_path: Path) -> None:
    repository = Repository.at(tmp_path / ".git")
    repository.commit({"manifests/a.yaml": link("prov: 1\n")})
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/a.yaml").write_text("prov: 1\n")
    assert changed(tmp_path) == {"manifests/a.yaml"}


@pytest.mark.parametrize(
    ("lock", "text", "expected"),
    [
        ("manifests/prov.lock", "{}\n", set()),
        ("other.lock", None, set()),
        ("other.lock", "{}\n", ALL),
        ("../outside.lock", None, set()),
        ("../outside.lock", "{}\n", ALL),
    ],
)
def test_the_lock_that_is_named_is_the_one_that_counts(
    tmp_path: Path, lock: str, text: str | None, expected: set[str]
) -> None:
    root = tmp_path / "project"
    checked_out(root, FILES)
    (root / "manifests/prov.lock").write_text("{}\n" if lock == "manifests/prov.lock" else "changed")
    if text is not None:
        (root / lock).write_text(text)
    assert changed(root, lock=str(root / lock)) == expected


def test_documents_are_told_apart_as_manifests_are(tmp_path: Path) -> None:
    checked_out(tmp_path, FILES | {"docs/b.md": "# B\n"})
    (tmp_path / "docs/b.md").write_text("# C\n")
    project = Project(tmp_path)
    files = project.document_files([str(tmp_path / "docs")], lambda name: name.endswith(".md"))
    found = changed_documents(base_of(tmp_path, "main"), tmp_path, files)
    assert [file.name for file in found.files] == ["docs/b.md"]
    commit = Repository(tmp_path / ".git").tip("main")[:12]
    assert found.told("document") == (
        f"1 of 2 documents changed since main (compared with commit {commit}); 1 left aside"
    )


def test_a_change_of_the_configuration_is_told(tmp_path: Path) -> None:
    checked_out(tmp_path, FILES)
    (tmp_path / "pyproject.toml").write_text("")
    project = Project(tmp_path)
    files = project.manifest_files([])
    found = changed_manifests(base_of(tmp_path, "HEAD"), tmp_path, files, LockFiles(project))
    assert found.told("manifest").startswith("pyproject.toml changed since HEAD (compared with commit ")
    assert found.told("manifest").endswith("): all of 3 manifests judged")


@pytest.mark.parametrize("revision", [":/with b", "HEAD^{/with b}", "HEAD^", "@~1", "marked", "marked^{tag}"])
def test_a_revision_may_be_whatever_git_takes_for_one(tmp_path: Path, revision: str) -> None:
    repository = checked_out(tmp_path, FILES)
    repository.commit(FILES | {"manifests/b.yaml": "new"}, message="with b")
    repository.git("tag", "-a", "-m", "x", "marked", "main")
    repository.commit(FILES | {"manifests/a.yaml": "newer"})
    (tmp_path / "manifests/b.yaml").write_text("new")
    (tmp_path / "manifests/a.yaml").write_text("newer")
    assert changed(tmp_path, revision) == {"manifests/a.yaml"}


def test_what_others_changed_since_the_branch_began_is_not_the_branchs(tmp_path: Path) -> None:
    repository = checked_out(tmp_path, FILES)
    repository.git("branch", "feature")
    repository.commit(FILES | {"manifests/b.yaml": "changed on main"})
    repository.commit(FILES | {"manifests/a.yaml": "changed here"}, branch="feature")
    repository.git("symbolic-ref", "HEAD", "refs/heads/feature")
    (tmp_path / "manifests/a.yaml").write_text("changed here")
    assert changed(tmp_path, "main") == {"manifests/a.yaml"}
    assert changed(tmp_path, repository.tip("main")[:8]) == {"manifests/a.yaml"}
    assert changed(tmp_path, "feature") == set()


@pytest.mark.parametrize("head", ["alone", "unborn"])
def test_without_a_common_commit_the_revision_itself_counts(tmp_path: Path, head: str) -> None:
    repository = checked_out(tmp_path, FILES)
    if head == "alone":
        repository.commit({"x": "y"}, branch="alone")
    repository.git("symbolic-ref", "HEAD", f"refs/heads/{head}")
    (tmp_path / "manifests/b.yaml").write_text("other")
    assert changed(tmp_path, "main") == {"manifests/b.yaml"}


def test_a_project_may_be_a_folder_of_its_repository_and_names_may_be_odd(tmp_path: Path) -> None:
    odd: Files = {
        "manifests/-x.yaml": "1",
        "manifests/:(glob)*.yaml": "2",
        "manifests/a b\n.yaml": "3",
        "manifests/ü.yaml": "4",
        "manifests/\udcff.yaml": "5",
        "manifests/*.yaml": "6",
    }
    root = tmp_path / "deep" / "project"
    checked_out(tmp_path, odd, "deep/project/")
    unread = {"manifests/\udcff.yaml"}  # no name that prov reads: the run is to say so
    assert changed(root) == unread
    (root / "manifests/:(glob)*.yaml").write_text("other")
    assert changed(root) == unread | {"manifests/:(glob)*.yaml"}
    (tmp_path / "pyproject.toml").write_text("[tool.prov]\n")
    assert changed(root) == set(odd)


def test_a_checkout_beside_its_repository_is_one(tmp_path: Path) -> None:
    checked_out(tmp_path / "project", FILES)
    (tmp_path / "project/.git").rename(tmp_path / "kept.git")
    (tmp_path / "project/.git").write_text("gitdir: ../kept.git\n")
    (tmp_path / "project/manifests/a.yaml").write_text("other")
    assert changed(tmp_path / "project") == {"manifests/a.yaml"}


def test_nothing_that_a_hostile_repository_configures_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "project"
    repository = checked_out(root, FILES)
    trap, sprung = tmp_path / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch '{sprung}'\n")
    trap.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "diff.external",
        "alias.ls-tree",
    ):
        repository.git("config", key, f"!{trap}" if key.startswith("alias") else str(trap))
    for key in (
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "credential.helper",
        "uploadpack.packObjectsHook",
    ):
        repository.git("config", key, str(trap))
    repository.git("config", "core.worktree", str(tmp_path))
    repository.git("config", "core.bare", "false")
    repository.git("config", "remote.origin.url", f"ext::{trap}")
    repository.git("config", "remote.origin.promisor", "true")
    repository.git("config", "extensions.partialClone", "origin")
    repository.git("config", "core.repositoryFormatVersion", "1")
    (root / ".gitattributes").write_text("* filter=x diff=x\n")
    (root / ".git/hooks").mkdir(exist_ok=True)
    for name in ("post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(trap, root / ".git/hooks" / name)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    (root / "manifests/a.yaml").write_text("other")
    assert changed(root, "main") == {"manifests/a.yaml"}
    with pytest.raises(UsageError):
        base_of(root, "d" * 40)  # a promised commit that is not here: it is not asked for
    assert not sprung.exists()


def remove(root: Path) -> None:
    shutil.rmtree(root / ".git")


def leave_to_origin(root: Path) -> None:
    repository = Repository(root / ".git")
    repository.git("update-ref", "refs/remotes/origin/work", "main")


def cut_off(root: Path) -> None:
    (root / ".git/shallow").write_text(f"{Repository(root / '.git').tip('main')}\n")


def damage(root: Path) -> None:
    tree = Repository(root / ".git").git("rev-parse", "main^{tree}")
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()


@pytest.mark.parametrize(
    ("change", "revision", "told"),
    [
        (nothing, "-x", "--since -x: a revision does not begin with a dash"),
        (nothing, "--output=/tmp/x", "a revision does not begin with a dash"),
        (nothing, "nope", "has no such revision; fetch it first, or leave --since out to judge everything"),
        (nothing, "", "has no such revision"),
        (nothing, "HEAD:docs", "has no such revision"),
        (nothing, "HEAD..HEAD", "has no such revision"),
        (nothing, "^HEAD", "has no such revision"),
        (leave_to_origin, "work", "has no such revision; did you mean origin/work?"),
        (
            cut_off,
            "v1",
            "its history is cut off; fetch it whole, as actions/checkout does with fetch-depth: 0",
        ),
        (remove, "HEAD", "is in no git repository, so there is no earlier state; leave --since out"),
        (edit(".git/HEAD", "garbage"), "main", "cannot be read: fatal: not a git repository"),
        (damage, "main", "cannot be read: fatal: not a tree object"),
    ],
)
def test_what_cannot_be_compared_with_is_wrong_usage_with_advice(
    tmp_path: Path, change: Callable[[Path], object], revision: str, told: str
) -> None:
    checked_out(tmp_path, FILES)
    change(tmp_path)
    with pytest.raises(UsageError) as caught:
        changed(tmp_path, revision)
    assert told in str(caught.value)


def test_a_shallow_clone_can_be_compared_with_what_it_has(tmp_path: Path) -> None:
    checked_out(tmp_path / "whole", FILES)
    run("clone", "--quiet", "--depth=1", (tmp_path / "whole/.git").as_uri(), str(tmp_path / "cut"))
    (tmp_path / "cut/manifests/b.yaml").write_text("other")
    assert changed(tmp_path / "cut", "origin/main") == {"manifests/b.yaml"}

"""What reports are told of a run."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from provenance.cli.options import Reach
from provenance.cli.output import Target, without_attestations
from provenance.cli.runs import run_of
from provenance.evidence import Assurance
from provenance.project import LockFile, ManifestFile, Project
from provenance.report.run import Run, Subject


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A folder of a repository."""
    root = tmp_path / "repository/docs"
    root.mkdir(parents=True)
    (root.parent / ".git").write_text("gitdir: elsewhere\n")
    return Project(root)


def manifest(project: Project, file: Path) -> ManifestFile:
    return ManifestFile(file, project.name(file), project.root)


def test_paths_are_told_as_the_repository_has_them(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)
    (tmp_path / "link").symlink_to(project.root)
    named = [project.root / "a.yaml", *map(Path, ("../b.yaml", "../../c.yaml"))]
    files = [manifest(project, file) for file in (*named, tmp_path / "d.yaml", tmp_path / "link/e.yaml")]
    run = run_of("verify", Reach(assurance="locked"), project, files, strict=True, problems=["x"])
    assert [run.in_repository(file.name) for file in files] == [
        "docs/a.yaml",
        "b.yaml",
        str(tmp_path / "c.yaml"),
        str(tmp_path / "d.yaml"),
        "docs/e.yaml",
    ]
    assert (run.strict, run.least, run.problems) == (True, Assurance.LOCKED, ("x",))
    assert run.files[str(project.root / "a.yaml")] == run.files["a.yaml"] == "a.yaml"


def test_without_a_repository_the_project_is_the_root(tmp_path: Path) -> None:
    project = Project(tmp_path)
    run = run_of(
        "scan", Reach(), project, [manifest(project, tmp_path / "a.yaml")], strict=False, problems=()
    )
    assert run.in_repository("a.yaml") == "a.yaml"
    assert run.configuration == ()


def test_what_configured_a_run_is_told_by_digest(project: Project) -> None:
    data = b"[tool.prov]\n"
    (project.root / "pyproject.toml").write_bytes(data)
    lock, none = LockFile(Path("prov.lock"), "prov.lock", b"{}"), LockFile(Path("b.lock"), "b.lock", None)
    run = run_of("verify", Reach(), project, [], strict=False, problems=(), locks=[lock, none])
    assert run.configuration == (
        Subject("pyproject.toml", hashlib.sha256(data).hexdigest()),
        Subject("prov.lock", hashlib.sha256(b"{}").hexdigest()),
    )


def test_an_attestation_of_nothing_is_not_written_and_stderr_says_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    targets = [Target("intoto", Path("a")), Target("sarif", Path("b"))]
    assert without_attestations(targets, Run(subjects=(Subject("x", "0" * 64),))) == targets
    assert without_attestations(targets, Run()) == targets[1:]
    assert capsys.readouterr().err == "prov: a: nothing was judged: no attestation is written\n"

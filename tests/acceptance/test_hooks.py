"""`.pre-commit-hooks.yaml`, as pre-commit installs and runs it in commits; docs/ci.md shows what it prints."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
import yaml
from filelock import FileLock
from support.installing import ROOT, offline, source
from support.repositories import run as git
from support.shop import NET, SITE, WRONG, notes, prices, shown

from provenance.documents.formats import FORMATS, is_document

if TYPE_CHECKING:
    from pathlib import Path

    from support.project import World

HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}

_ID = re.compile(r"\b[0-9a-f]{12,40}\b")


@dataclass(frozen=True, slots=True)
class Installed:
    """What one run of the tests has once: pre-commit installs prov when a hook first needs it."""

    repository: Path
    """Has this checkout."""
    revision: str
    """The id of its commit."""
    template: Path
    """What a new repository of git's starts with: pre-commit's hook."""
    environment: dict[str, str]
    """Variables with which pre-commit installs prov and asks nobody."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "hooks"
    repository, template, offering = shared / "prov", shared / "template", shared / "offline.json"
    with FileLock(f"{shared}.lock"):
        if not offering.exists():
            source(repository)
            for command in (
                ["init", "--quiet"],
                ["add", "--all"],
                ["commit", "--quiet", "--message", "prov"],
            ):
                git("-C", str(repository), *command)
            environment = offline(shared / "kept")
            init = (sys.executable, "-m", "pre_commit", "init-templatedir", str(template))
            subprocess.run(init, env=os.environ | environment, stdout=subprocess.DEVNULL, check=True)
            offering.write_text(json.dumps(environment), encoding="utf-8")
    revision = git("-C", str(repository), "rev-parse", "HEAD").strip()
    return Installed(repository, revision, template, json.loads(offering.read_text(encoding="utf-8")))


class Committer:
    """Someone who commits to the project of docs/ci.md, with hooks."""

    def __init__(self, world: World, installed: Installed) -> None:
        self.world = world
        self.installed = installed
        identity = {
            f"GIT_{who}_{what}": f"{who.lower()}@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        self.environment = world.project.environment() | installed.environment | identity
        self.call("git", "init", "--quiet", f"--template={installed.template}")
        world.project.write(".gitignore", "evidence.db*\n")

    def hooks(self, *hooks: str) -> None:
        """Write the configuration; a hook may have arguments after it."""
        entries = [
            {"id": name, **({"args": rest.split()} if rest else {})}
            for name, _, rest in (hook.partition(" ") for hook in hooks)
        ]
        repo = {"repo": str(self.installed.repository), "rev": self.installed.revision, "hooks": entries}
        self.world.project.write(".pre-commit-config.yaml", yaml.safe_dump({"repos": [repo]}))

    def call(self, *command: str) -> tuple[int, str]:
        done = subprocess.run(
            command,
            cwd=self.world.project.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return done.returncode, done.stdout.decode()

    def commit(self, *files: str) -> tuple[int, str]:
        """Commit these files; whether it was done, and what the hooks printed but for their installation."""
        self.call("git", "add", "--force", "--", ".gitignore", ".pre-commit-config.yaml", *files)
        code, printed = self.call("git", "commit", "--quiet", "--message", "change")
        told = [line for line in printed.split("\n") if not line.startswith(("[INFO]", "[main", "["))]
        return code, _ID.sub("<id>", "\n".join(told)).strip("\n")


@pytest.fixture
def committer(world: World, installed: Installed) -> Committer:
    return Committer(world, installed)


def test_quotes_are_judged_in_commits(committer: Committer) -> None:
    prices(committer.world)
    committer.hooks("prov-verify")
    committer.world.go_down()  # neither network nor database is asked
    committer.world.project.db.unlink()
    code, printed = committer.commit("manifests")
    assert (code, printed.rpartition(".")[2]) == (0, "Passed"), printed
    prices(committer.world, WRONG, locked=False)
    assert committer.commit("manifests") == (1, shown("hook").strip("\n"))
    committer.world.project.lock.unlink()
    assert committer.commit("manifests") == (1, shown("unlocked").strip("\n"))
    assert not committer.world.project.db.exists()


def test_quotes_are_fetched_where_that_is_asked_for(committer: Committer) -> None:
    prices(committer.world, WRONG, locked=False)
    committer.hooks("prov-verify-online --allow-local")
    code, printed = committer.commit("manifests")
    assert code == 1
    assert "+    return round(net(items) * (1 + rate), 2)\n" in printed


def test_documents_of_a_commit_are_judged(committer: Committer) -> None:
    prices(committer.world, locked=False)
    committer.hooks(" ".join(["prov-scan --allow-local", *HOOKS["prov-scan"]["args"]]))
    project = committer.world.project
    project.write("docs/prices.md", notes())
    project.write("--fix.md", f"[sum]({SITE}/blob/v1/src/price.py#L1-L2)\n\n```\n{NET}\n```\n")
    project.write("price.py", "x = 1\n")
    project.write("docs/other.md", notes("L900"))
    code, printed = committer.commit("docs/prices.md", "--fix.md", "price.py")
    assert (code, printed.rpartition(".")[2]) == (0, "Passed"), printed
    (project.root / "docs/other.md").unlink()  # it was in no commit
    project.write("docs/prices.md", notes("L1-L2"))
    code, printed = committer.commit("docs/prices.md")
    assert (code, printed) == (1, shown("links").strip("\n"))


@pytest.mark.parametrize("suffix", [suffix for each in FORMATS for suffix in each.suffixes])
def test_the_hook_takes_the_documents_that_a_folder_has(suffix: str) -> None:
    pattern = re.compile(HOOKS["prov-scan"]["files"])
    for name in (f"notes{suffix}", f"docs/A b.c{suffix.upper()}", f"docs/x{suffix}~", suffix.lstrip(".")):
        assert bool(pattern.search(name)) == is_document(name), name


@pytest.mark.parametrize("name", ["README", "docs/Changes", "news", "docs/READMEs", "LICENSE", "a/notes/b"])
def test_and_those_without_an_ending(name: str) -> None:
    assert bool(re.search(HOOKS["prov-scan"]["files"], name)) == is_document(name)


@pytest.mark.parametrize(
    ("name", "is_taken"),
    [
        ("manifests/a.yaml", True),
        ("manifests/deep/a.yml", True),
        ("manifests/prov.lock", True),
        ("quotes/prov.lock", True),
        ("pyproject.toml", True),
        ("manifests/a.md", False),
        ("deploy/manifests/pod.yaml", False),
        ("packages/a/pyproject.toml", False),
    ],
)
def test_what_brings_the_manifests_to_judgement(name: str, is_taken: bool) -> None:
    for hook in ("prov-verify", "prov-verify-online"):
        assert bool(re.search(HOOKS[hook]["files"], name)) == is_taken

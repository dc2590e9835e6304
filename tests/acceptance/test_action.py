"""`action.yml` and `ci/action.sh`, run as GitHub's runner runs them; docs/ci.md shows what they print."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from support.installing import ROOT, lender, offline, source
from support.runner import ACTION, STEPS, Job, runner_environment
from support.shop import WRONG, notes, prices, shown

from provenance import __version__
from provenance.cli.main import prov as cli
from provenance.cli.options import Reach

if TYPE_CHECKING:
    from http.server import BaseHTTPRequestHandler

    from support.project import World

SCRIPT = ROOT / "ci" / "action.sh"
FORK = {
    "github.event_name": "pull_request",
    "github.repository": "example/shop",
    "github.event.pull_request.head.repo.full_name": "stranger/shop",
}
OWN = FORK | {"github.event.pull_request.head.repo.full_name": "example/shop"}

_ID = re.compile(r"\b[0-9a-f]{40}\b")


def comparable(text: str) -> str:
    return _ID.sub("<id>", text)


@pytest.fixture
def job(world: World, tmp_path: Path) -> Job:
    """A job whose runner reaches the test's server; that this is a local one is for the workflow to allow."""
    return Job(world.project.root, tmp_path / "temp", runner_environment(world.project.environment()))


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_a_quote_that_does_not_hold_is_shown_at_its_line(world: World, job: Job) -> None:
    prices(world)
    assert job.used(args="--allow-local") == (0, "2 of 2 citations checked: 2 ok · proven: 2 by commit\n")
    before = files(job.checkout)
    prices(world, WRONG, locked=False)
    code, printed = job.used(args="--allow-local", strict="true", unavailable="pass")
    assert (code, comparable(printed)) == (1, comparable(shown("annotations")))
    assert comparable(job.summary).endswith(comparable(shown("summary")))
    assert job.summary.count("## prov verify") == 2, "a step adds to the summary"
    outputs = job.outputs["run"]
    assert outputs["exit-code"] == "1"
    assert files(Path(outputs["reports"])) == {"prov.json", "prov.sarif", "summary.md"}
    sarif = json.loads(Path(outputs["sarif"]).read_text(encoding="utf-8"))
    assert [each["ruleId"] for each in sarif["runs"][0]["results"]] == ["changed"]
    assert files(job.checkout) == before, "nothing is written into the checkout"
    kept = Path(job.outputs["plan"]["folder"])
    assert (kept / "evidence.db").is_file()
    assert (kept / "prov").is_dir(), "fetched objects are kept beside the database"
    assert not Path(outputs["reports"]).is_relative_to(kept)


def test_documents_and_their_paths_stay_words(world: World, job: Job) -> None:
    prices(world, locked=False)
    world.project.write("sitecustomize.py", "open('pwned', 'w')\n")
    job.environment = {**job.environment, "PYTHONPATH": str(job.checkout)}
    names = ["docs/a b.md", "docs/$(touch pwned).md", "-v.md", "docs/'q' \"q\";`id`*.md"]
    for name in names:
        world.project.write(name, notes())
    world.project.write("docs/aside.md", notes("L1-L2"))
    given = "\n".join(["", *names, "  "]).replace("\n", "\r\n")
    code, printed = job.used(command="scan", paths=given, args="--allow-local", annotations="false")
    assert code == 0, printed
    assert printed.splitlines()[-1] == "4 of 4 citations checked: 4 ok · proven: 4 by commit"
    assert not (job.checkout / "pwned").exists()


def test_an_origin_that_is_down(world: World, job: Job) -> None:
    prices(world, locked=False)
    world.go_down()
    code, printed = job.used(args="--allow-local", unavailable="pass", summary="false")
    assert (code, job.outputs["run"]["exit-code"]) == (0, "3")
    assert printed.rstrip().splitlines()[-1].startswith("::warning title=prov::something was unavailable")
    assert job.summary == ""


def test_a_stranger_has_neither_lock_nor_evidence_nor_credentials(world: World, job: Job) -> None:
    """What a pull request brings along vouches for nothing, and what an own job kept is not touched."""
    prices(world)
    with Path(job.environment["HOME"], ".gitconfig").open("a") as stream:
        stream.write(f'[http "{world.server.url}/"]\n\textraHeader = X-Key: sesame\n')
    seen: set[str | None] = set()

    def remember(handler: BaseHTTPRequestHandler) -> bool:
        seen.add(handler.headers.get("X-Key"))
        return False

    world.server.responder = remember
    assert job.used(args="--allow-local")[0] == 0
    assert seen == {"sesame"}
    kept = Path(job.outputs["plan"]["folder"])
    shutil.copy(kept / "evidence.db", job.checkout / "evidence.db")
    before = {file: (kept / file).read_bytes() for file in files(kept)}
    job.event = FORK
    seen.clear()
    assert job.used(args="--allow-local")[0] == 0
    assert seen == {None}
    shutil.rmtree(kept.parent / "apart")  # a job of its own
    world.go_down()
    code, printed = job.used(args="--allow-local\n--assurance\nartifact\n--db\nevidence.db")
    assert code == 3, printed
    said = comparable(printed).replace("127.0.0.1 cannot", "github.com cannot").split("\nprov: ")[0]
    assert shown("stranger").strip() in said
    assert (job.outputs["plan"]["keep"], job.outputs["plan"]["whose"]) == ("no", "stranger")
    assert {file: (kept / file).read_bytes() for file in files(kept)} == before
    job.event = OWN
    assert job.used(args="--allow-local")[0] == 0, "the kept evidence answers an own job"


@pytest.mark.parametrize(
    ("event", "inputs", "whose", "keep"),
    [
        ({"github.event_name": "push"}, {}, "own", "yes"),
        ({"github.event_name": "push"}, {"cache": "false"}, "own", "no"),
        ({"github.event_name": "push"}, {"stranger": "yes"}, "stranger", "no"),
        ({"github.event_name": "schedule"}, {}, "own", "yes"),
        ({"github.event_name": "merge_group"}, {}, "own", "yes"),
        (OWN, {}, "own", "yes"),
        (OWN, {"stranger": "yes"}, "stranger", "no"),
        (FORK, {}, "stranger", "no"),
        (FORK | {"github.event_name": "pull_request_target"}, {}, "stranger", "no"),
        (OWN | {"github.event_name": "pull_request_review"}, {}, "own", "yes"),
        (FORK | {"github.event.pull_request.head.repo.full_name": ""}, {}, "stranger", "no"),
        ({"github.event_name": "pull_request"}, {}, "stranger", "no"),
        ({"github.event_name": "workflow_run"}, {}, "stranger", "no"),
        ({"github.event_name": "issue_comment", "github.repository": "example/shop"}, {}, "stranger", "no"),
        ({"github.event_name": "deployment"}, {}, "stranger", "no"),
        ({"github.event_name": "something_new"}, {}, "stranger", "no"),
        ({}, {}, "stranger", "no"),
    ],
)
def test_whose_a_checkout_is(
    event: dict[str, str], inputs: dict[str, str], whose: str, keep: str, tmp_path: Path
) -> None:
    job = Job(tmp_path, tmp_path / "temp", {"PATH": "/usr/bin:/bin"}, event=event)
    assert job.step("plan", **inputs) == (0, "")
    assert (job.outputs["plan"]["whose"], job.outputs["plan"]["keep"]) == (whose, keep)


@pytest.mark.parametrize(("run", "whose"), [("example/shop", "own"), ("stranger/shop", "stranger")])
def test_whose_a_run_after_a_run_is(run: str, whose: str, tmp_path: Path) -> None:
    event = {
        "github.event_name": "workflow_run",
        "github.repository": "example/shop",
        "github.event.workflow_run.head_repository.full_name": run,
    }
    job = Job(tmp_path, tmp_path / "temp", {"PATH": "/usr/bin:/bin"}, event=event)
    assert job.step("plan") == (0, "")
    assert job.outputs["plan"]["whose"] == whose


@pytest.mark.parametrize(
    ("command", "locks", "state"),
    [("verify", "abc", "abc"), ("verify", "", "7"), ("scan", "abc", "7"), ("drift", "abc", "7")],
)
def test_what_the_cache_is_kept_under(command: str, locks: str, state: str, tmp_path: Path) -> None:
    job = Job(tmp_path, tmp_path / "temp", {"PATH": "/usr/bin:/bin"}, locks=locks)
    job.event["github.run_id"] = "7"
    job.step("plan", command=command)
    assert job.outputs["plan"]["state"] == state


def test_places_of_two_projects_in_one_job_are_apart(tmp_path: Path) -> None:
    job = Job(tmp_path, tmp_path / "temp", {"PATH": "/usr/bin:/bin"})
    seen = set()
    for command, folder in (("verify", "."), ("scan", "."), ("verify", "a"), ("verify", "../x y/$(id)")):
        assert job.step("plan", command=command, working_directory=folder) == (0, "")
        seen.add(job.outputs["plan"]["folder"])
    assert len(seen) == 4
    assert all(re.fullmatch(r"[\w/.-]+", folder.removeprefix(str(tmp_path))) for folder in seen)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("command", "fetch"),
        ("command", "verify; id"),
        ("command", "x\n::warning::x"),
        ("strict", "yes"),
        ("unavailable", "ignore"),
        ("annotations", ""),
        ("summary", "True"),
        ("cache", "no"),
        ("stranger", "no"),
        ("extras", "rust] x @ https://example.org/x["),
    ],
)
def test_inputs_that_are_not_understood(name: str, value: str, tmp_path: Path) -> None:
    job = Job(tmp_path, tmp_path / "temp", {"PATH": "/usr/bin:/bin"})
    code, printed = job.step("plan", **{name: value})
    assert code == 2
    assert printed.count("\n") == 1, "the value is not repeated: it could be a command"
    assert printed.startswith(f"::error title=prov::the input {name} ")
    assert job.outputs["plan"] == {}


@pytest.mark.parametrize("whose", ["own", "stranger"])
@pytest.mark.parametrize("name", ["verify", "scan", "drift"])
def test_what_prov_is_told(tmp_path: Path, name: str, whose: str) -> None:
    """The command knows it all, and what is not a stranger's to choose counts, whatever the workflow says."""
    job = Job(tmp_path, tmp_path / "temp", {"PATH": "/usr/bin:/bin"}, event=OWN if whose == "own" else FORK)
    assert job.step("plan", command=name) == (0, "")
    kept = Path(job.outputs["plan"]["folder"])
    reports = kept.parent / "reports"
    reports.mkdir(parents=True)
    (reports / "prov.json").touch()  # of an earlier use
    told, program = job.temp / "told", job.temp / "prov/program/bin/prov"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >'{told}'\nexit 2\n", encoding="utf-8")
    program.chmod(0o755)
    lock = None if name == "scan" else "prov.lock"
    args = ["--assurance", "artifact", "--db", "evidence.db", *(["--lock", lock] if lock else [])]
    code, printed = job.step("run", command=name, args="\n".join(args), paths="-x", strict="true")
    assert (code, job.outputs["run"]["exit-code"]) == (2, "2")
    assert printed.startswith("::error title=prov::nothing was judged")
    assert not files(Path(job.outputs["run"]["reports"]))
    subcommand, *words = told.read_text(encoding="utf-8").splitlines()
    parent = click.Context(cli, **cli.context_settings)
    asked = cli.get_command(parent, subcommand)
    assert asked is not None
    context = asked.make_context(subcommand, words, parent)
    assert (subcommand, context.params["paths"], context.params["strict"]) == (name, ("-x",), True)
    reach, apart = context.ensure_object(Reach), kept.parent / "apart"
    if whose == "own":
        expected = Reach(str(kept / "evidence.db"), lock, assurance="artifact")
    else:
        no_lock = lock and str(apart / "no.lock")
        expected = Reach(str(apart / "evidence.db"), no_lock, assurance="commit", no_credentials=True)
        assert not (apart / "no.lock").exists()
    assert reach == expected


@pytest.mark.parametrize("folder", ["missing", "out", ".."])
def test_the_project_is_in_the_checkout(job: Job, tmp_path: Path, folder: str) -> None:
    (job.checkout / "out").symlink_to(tmp_path)
    job.ready()
    code, printed = job.step("run", working_directory=folder)
    assert code == 2
    assert printed.splitlines()[-1].startswith("::error title=prov::the working-directory ")


def test_the_installation_runs_nothing_of_the_checkout(tmp_path: Path) -> None:
    """Whatever the job has set for a Python and a pip of its own."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for module in ("pip", "venv", "ensurepip", "site", "sitecustomize", "hatchling", "re"):
        (checkout / f"{module}.py").write_text("import pathlib\npathlib.Path(__file__ + '.ran').touch()\n")
    (checkout / "constraints.txt").write_text("prov-verify @ file:///nowhere\n")
    kept = offline(tmp_path / "kept")
    lender(tmp_path / "python3", kept["PYTHONPATH"])
    environment = kept | {
        "PATH": f"{tmp_path}:/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PYTHONPATH": f":{checkout}",
        "PYTHONHOME": str(checkout),
        "PIP_CONSTRAINT": str(checkout / "constraints.txt"),
        "PIP_TARGET": str(checkout),
    }
    job = Job(checkout, tmp_path / "temp", environment, action=source(tmp_path / "action"))
    assert job.step("install") == (0, "")
    assert job.outputs["install"] == {"version": __version__}
    program = tmp_path / "temp/prov/program/installed"
    made = program.stat().st_mtime_ns
    assert job.step("install") == (0, "")
    assert program.stat().st_mtime_ns == made, "a second use in the job has it at once"
    job.outputs["python"] = {"python-path": str(tmp_path / "none")}
    assert job.step("install")[0] == 2, "another Python is asked for"
    assert all(name.endswith((".py", ".txt")) for name in files(checkout))


def test_no_expression_is_part_of_a_script() -> None:
    """Inputs and the event are text of others: they come by environment, and each that the script reads is given."""
    reads = set(re.findall(r"\$\{?([A-Z][A-Z_]+)\b", SCRIPT.read_text(encoding="utf-8")))
    by_runner = {
        "RUNNER_TEMP",
        "RUNNER_OS",
        "GITHUB_OUTPUT",
        "GITHUB_ACTION_PATH",
        "GITHUB_STEP_SUMMARY",
        "PWD",
    }
    assert reads - by_runner == set().union(*(step["env"] for step in STEPS.values()))
    for name, step in STEPS.items():
        assert step["run"] == f'bash "$GITHUB_ACTION_PATH/ci/action.sh" {name}'
    used = set(re.findall(r"\binputs\.([a-z-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert used == set(ACTION["inputs"])


def test_caches_are_for_own_checkouts_alone() -> None:
    caching = [step for step in ACTION["runs"]["steps"] if "cache" in step.get("uses", "")]
    assert [step["uses"].partition("@")[0] for step in caching] == [
        "actions/cache/restore",
        "actions/cache/save",
    ]
    for step in caching:
        assert re.search(r"(^|&& )steps\.plan\.outputs\.keep == 'yes'($| &&)", step["if"])
        assert "||" not in step["if"]
    key, again = caching[0]["with"]["key"], caching[0]["with"]["restore-keys"].splitlines()
    incomplete = "${{ steps.run.outputs.exit-code == '3' && format('-{0}', github.run_id) || '' }}"
    assert caching[1]["with"]["key"] == key + incomplete, "what lacks something is not kept for good"
    assert again[0] == f"{key}-"
    assert all(key.startswith(prefix) for prefix in again[1:])


def test_actions_of_others_are_pinned() -> None:
    texts = [ROOT / "action.yml", *(ROOT / ".github/workflows").glob("*.yml")]
    uses = [use for file in texts for use in re.findall(r"uses: (.*)", file.read_text(encoding="utf-8"))]
    assert len(uses) >= 6
    for use in uses:
        assert use == "./" or re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", use), use


def test_every_input_and_output_is_explained() -> None:
    text = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
    inputs = dict(re.findall(r"^\| `([a-z-]+)` \| (?:`([^`]*)`)? ?\|", text, re.MULTILINE))
    expected = {name: each["default"] for name, each in ACTION["inputs"].items()}
    assert {name: inputs[name] for name in expected} == expected
    assert all(f"| `{name}` |" in text for name in ACTION["outputs"])


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is not installed")
@pytest.mark.parametrize("name", ["ci/action.sh", ".ci/run"])
def test_the_scripts_are_clean(name: str) -> None:
    if not (ROOT / name).exists():
        pytest.skip(f"{name} is not shipped")
    done = subprocess.run(["shellcheck", str(ROOT / name)], stdout=subprocess.PIPE, check=False)
    assert (done.returncode, done.stdout.decode()) == (0, "")


def test_reports_of_other_systems_are_as_shown(world: World) -> None:
    prices(world, WRONG, locked=False)
    project = world.project
    ran = project.run("verify", "--output=prov.xml", "--output=prov.gitlab.json")
    assert ran.code == 1, ran.said
    assert shown("junit") in (project.root / "prov.xml").read_text(encoding="utf-8")
    assert (project.root / "prov.gitlab.json").read_text(encoding="utf-8") == shown("gitlab")

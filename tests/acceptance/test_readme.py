"""The documentation says what the program does: its commands are run, and what they print is compared.

HTML comments in README.md and docs/ tell what a block is; a reader does not see them:

    <!-- file: NAME -->            the block below is a file of the reader's project
    <!-- run -->                   the commands of the block below are run there, and print what stands below them
    <!-- run: exit 2 -->           the same, and the last one ends with that code
    <!-- edit: NAME: OLD => NEW --> a change that the text around it asks the reader to make
    <!-- help: prov verify -->     the block below is the help text of that command
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner
from support.githttp import serve
from support.repositories import Repository, isolate
from support.results import Made

from provenance.citation import Manifest
from provenance.cli.main import prov
from provenance.compare.marks import mark
from provenance.evidence import DEFAULT_LEVELS, Verdict
from provenance.manifest import parse
from provenance.manifest.fields import (
    ALTERNATE,
    CITATION,
    EXPECT,
    MANIFEST,
    QUANTITY,
    SOURCE,
    TERM,
    VALUE,
)
from provenance.report.json import result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from support.githttp import GitServer

    from provenance.manifest.fields import Table

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])

_STEP = re.compile(
    r"^(?:<!-- (?P<mark>[a-z]+)(?:: (?P<argument>[^\n]*?))? -->\n+)?(?P<fence>`{3,})(?P<language>[a-z]*)\n"
    r"(?P<body>.*?)^(?P=fence)$"
    r"|^<!-- (?P<alone>[a-z]+): (?P<what>[^\n]*?) -->$",
    re.MULTILINE | re.DOTALL,
)
_ID = re.compile(r"\b(?:[0-9a-f]{12,40}|[0-9a-f]{7} \d{4}-\d\d-\d\d)\b")
"""A commit or blob id, or a short one with its day: those of a repository that a test makes are its own."""
_DAY = re.compile(r'<id> \d{4}-\d\d-\d\d(?= ")')
"""And so is the day of a commit."""


@dataclass(frozen=True)
class Step:
    """A marked comment and the block below it, or either alone."""

    mark: str
    argument: str
    language: str
    body: str


def steps(document: Path) -> Iterator[Step]:
    for found in _STEP.finditer(document.read_text(encoding="utf-8")):
        yield Step(
            found["mark"] or found["alone"] or "",
            found["argument"] or found["what"] or "",
            found["language"] or "",
            found["body"] or "",
        )


def marked(document: Path, mark: str) -> list[Step]:
    return [step for step in steps(document) if step.mark == mark]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project of a user who has nothing but git and prov."""
    isolate(monkeypatch, tmp_path / "home")
    program = tmp_path / "bin" / "prov"
    program.parent.mkdir()
    program.write_text(
        f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -c"
        f" 'from provenance.cli.main import main; main()' \"$@\" $PROV_MORE\n",
        encoding="utf-8",
    )
    program.chmod(0o755)
    for name, value in {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "PIP_NO_INDEX": "1",
        "COLUMNS": "100",
        "PROV_MORE": "",
        "GIT_AUTHOR_NAME": "A U Thor",
        "GIT_AUTHOR_EMAIL": "author@example.org",
        "GIT_COMMITTER_NAME": "C O Mitter",
        "GIT_COMMITTER_EMAIL": "committer@example.org",
    }.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def mirror(server: GitServer, monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
    """Let git find the repositories of some hosts on a server of this machine, and prov allow that."""
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(hosts)))
    for number, host in enumerate(hosts):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", f"url.{server.url}/.insteadOf")
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", f"https://{host}/")
    monkeypatch.setenv("PROV_MORE", "--allow-local")


def ran(command: str) -> tuple[int, str]:
    """A command's exit code, and all that it prints."""
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stdout.decode()


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def comparable(text: str) -> str:
    return _DAY.sub("<id> <day>", _ID.sub("<id>", text))


def follow(document: Path, folder: Path) -> int:
    """Do all that a document tells its reader to do; how many commands were run."""
    count = 0
    for step in steps(document):
        match step.mark:
            case "file":
                file = folder / step.argument
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(step.body, encoding="utf-8")
            case "edit":
                name, _, change = step.argument.partition(": ")
                old, _, new = change.partition(" => ")
                text = (folder / name).read_text(encoding="utf-8")
                assert text.count(old) == 1, f"{document.name}: {old!r} in {name}"
                (folder / name).write_text(text.replace(old, new), encoding="utf-8")
            case "run":
                code = 0
                for command, output in commands(step.body):
                    code, printed = ran(command)
                    assert comparable(printed) == comparable(output), f"{document.name}: $ {command}"
                    count += 1
                assert code == int(step.argument.removeprefix("exit ") or 0), f"{document.name}: {step.body}"
            case _:
                pass
    return count


def transformer() -> str:
    """What the documents cite of tensor2tensor v1.0.14, at its lines: 44, and 59 to 61."""
    return "\n".join(
        [
            "class Transformer(object):",
            *(f"  x{number} = {number}" for number in range(2, 43)),
            "",
            "  def model_fn_body(self, features):",
            *(f"    x{number} = {number}" for number in range(45, 58)),
            "",
            "    def residual_fn(x, y):",
            "      return common_layers.layer_norm(x + tf.nn.dropout(",
            "          y, 1.0 - hparams.residual_dropout))",
            "",
            "    return residual_fn",
            "",
        ]
    )


NESTED = """\
    def residual_fn(x, y):
      return common_layers.residual_fn(x, y,
                                       hparams.norm_type,
                                       hparams.residual_dropout,
                                       hparams.hidden_size,
                                       epsilon=hparams.layer_norm_epsilon)

    return residual_fn
"""

APART = """\
def get_residual_fn(hparams):
  \"\"\"Get residual_fn.\"\"\"

  def residual_fn(x, y):
    return common_layers.residual_fn(x, y,
                                     hparams.norm_type,
                                     hparams.residual_dropout,
                                     hparams.hidden_size,
                                     epsilon=hparams.layer_norm_epsilon)
  return residual_fn
"""

TALL = """\
def get_residual_fn(hparams):
  \"\"\"Get residual_fn.\"\"\"

  def residual_fn(x, y):
    return common_layers.residual_fn(
        x,
        y,
        hparams.norm_type,
        hparams.residual_dropout,
        hparams.hidden_size,
        epsilon=hparams.layer_norm_epsilon)

  return residual_fn
"""


def test_readme_quick_start(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository.at(tmp_path / "served/tensorflow/tensor2tensor")
    path = "tensor2tensor/models/transformer.py"
    first = transformer()
    repository.tag("v1.0.14", repository.commit({path: first}))
    above = first[: first.index("    def residual_fn")]
    lower = f"{above}    return None\n" + "\n" * 13
    repository.commit({path: above + NESTED})
    repository.commit({path: lower + APART})
    repository.tag("v1.1.5", repository.commit({path: lower + TALL}, message="File/code moves"))
    with serve(tmp_path / "served") as server:
        mirror(server, monkeypatch, "github.com")
        assert follow(ROOT / "README.md", project) >= 5


PROV = (sys.executable, "-c", "from provenance.cli.main import main; main()")

NEWEST = (
    "#\n" * 25
    + """\
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function
"""
)


def test_reading_documents(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository.at(tmp_path / "served/tensorflow/tensor2tensor")
    path = "tensor2tensor/models/transformer.py"
    first = repository.commit({path: transformer()}, branch="master")
    repository.tag("v1.0.14", first)
    repository.commit({path: NEWEST}, branch="master")
    with serve(tmp_path / "served") as server:
        mirror(server, monkeypatch, "github.com")
        assert follow(ROOT / "docs/scan.md", project) == 2


def test_adopting(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository.at(tmp_path / "served/tensorflow/tensor2tensor")
    path = "tensor2tensor/models/transformer.py"
    repository.tag("v1.0.14", repository.commit({path: transformer()}))
    with serve(tmp_path / "served") as server:
        mirror(server, monkeypatch, "github.com")
        assert follow(ROOT / "docs/adopting.md", project) == 3


CONV1D = """\
def conv1d(x, scope, nf, *, w_init_stdev=0.02):
    with tf.variable_scope(scope):
        *start, nx = shape_list(x)
        w = tf.get_variable('w', [1, nx, nf], initializer=tf.random_normal_initializer(stddev=w_init_stdev))
        b = tf.get_variable('b', [nf], initializer=tf.constant_initializer(0))
        c = tf.reshape(tf.matmul(tf.reshape(x, [-1, nx]), tf.reshape(w, [-1, nf]))+b, start+[nf])
        return c
"""


def test_making_citations(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = Repository.at(tmp_path / "served/openai/gpt-2")
    commit = repository.commit({"src/model.py": "#\n" * 49 + CONV1D}, branch="master")
    document = tmp_path / "cite.md"
    text = (ROOT / "docs/cite.md").read_text(encoding="utf-8")
    document.write_text(text.replace("9b63575ef427", commit[:12]), encoding="utf-8")
    with serve(tmp_path / "served") as server:
        mirror(server, monkeypatch, "github.com")
        assert follow(document, project) == 6


@pytest.mark.network
def test_the_links_of_the_documents_hold(tmp_path: Path) -> None:
    """Links to code are judged by prov itself, against the repositories that they name; some are made up there."""
    documents = [str(document) for document in DOCUMENTS]
    done = subprocess.run(
        [*PROV, "scan", "--format=json", f"--db={tmp_path}/x.db", *documents],
        stdout=subprocess.PIPE,
        check=False,
    )
    told = json.loads(done.stdout)
    assert told["summary"]["total"] >= 5
    failing = [each for each in told["results"] if each["level"] == "failure"]
    assert failing == []
    if told["summary"]["unavailable"]:
        pytest.skip("a repository cannot be reached")


def rows(report: str) -> list[list[str]]:
    """Level, verdict, id and place of each result; how sure it is depends on what can be reached."""
    every = re.findall(r"^(?:ok|warning|failure|unavailable) .*", report, re.MULTILINE)
    return [row.split()[:4] for row in every]


@pytest.mark.usefixtures("project")
def test_readme_opens_with_what_the_shipped_manifests_give() -> None:
    """The run at the top needs the network; the lock has the same verdicts in the same places."""
    top = next(step for step in steps(ROOT / "README.md") if step.language == "console")
    ((command, shown),) = commands(top.body)
    assert command == "prov verify"
    code, printed = ran(f"prov verify --locked {shlex.quote(str(ROOT / 'manifests'))}")
    assert code == 0
    assert rows(shown) == rows(printed)
    assert len(rows(shown)) == 19
    count = re.compile(r"^\d+ of \d+ checked [^·]*", re.MULTILINE)
    assert count.findall(shown) == count.findall(printed) != []
    site = next(step for step in steps(ROOT / "docs/site.md") if step.language == "console")
    assert count.findall(site.body) == count.findall(printed)
    read = [parse(file.read_bytes(), file.name) for file in (ROOT / "manifests").glob("*.yaml")]
    cited = {
        (each.source.git, each.path) for one in read if isinstance(one, Manifest) for each in one.citations
    }
    assert f"(19 results, {len(cited)} cited files)" in site.body


def test_tutorial(project: Path) -> None:
    assert follow(ROOT / "docs/tutorial.md", project) >= 10


@pytest.mark.parametrize("name", ["verdicts", "assertions"])
def test_examples_get_the_reports_below_them(
    name: str, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And of the verdicts, every one has an example, whose id it is."""
    document = ROOT / f"docs/{name}.md"
    sources, (head,) = marked(document, "source"), marked(document, "head")
    repository = Repository.at(tmp_path / "served/shop")
    repository.tag("v1", repository.commit({source.argument: source.body for source in sources}))
    seen = []
    every = list(steps(document))
    with serve(tmp_path / "served") as server:
        mirror(server, monkeypatch, "git.example.org")
        for example, report in pairwise(every):
            if example.mark not in {"cited", "stated"}:
                continue
            start = head.body if example.mark == "cited" else head.body.replace("citations:", "citations: []")
            named = re.search(r"id: (\S+)", example.body)
            assert named is not None
            seen.append(named[1])
            file = project / f"manifests/{named[1]}.yaml"
            file.parent.mkdir(exist_ok=True)
            file.write_text(start + example.body, encoding="utf-8")
            options = (
                [f"--db={tmp_path}/empty.db", example.argument] if example.argument else ["--allow-local"]
            )
            printed = CliRunner().invoke(prov, ["verify", f"manifests/{named[1]}.yaml", *options]).stdout
            assert comparable(printed.rpartition("\n\n")[0]) == comparable(report.body.rstrip("\n"))
            if name == "verdicts":
                assert printed.split()[:2] == [DEFAULT_LEVELS[Verdict(named[1])], named[1]]
    assert seen == [verdict.value for verdict in Verdict] if name == "verdicts" else len(seen) >= 8


@pytest.mark.usefixtures("project")
def test_what_is_shown_of_the_shipped_manifests_stands_in_them() -> None:
    shipped = [file.read_text(encoding="utf-8") for file in sorted((ROOT / "manifests").glob("*.yaml"))]
    _, printed = ran(f"prov verify --locked {shlex.quote(str(ROOT / 'manifests'))}")
    document = ROOT / "docs/assertions.md"
    snippets, shown = marked(document, "shipped"), marked(document, "row")
    assert len(snippets) >= 3
    assert len(shown) >= 5
    for step in snippets:
        assert any(step.body in text for text in shipped), step.body
    for step in shown:
        assert rows(step.body)[0][:3] in [row[:3] for row in rows(printed)], step.body


@pytest.mark.parametrize("step", marked(ROOT / "docs/cli.md", "help"), ids=lambda step: step.argument)
def test_help_texts(step: Step, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    arguments = step.argument.split()[1:]
    printed = CliRunner().invoke(prov, [*arguments, "--help"], prog_name="prov").stdout
    assert step.body == printed, f"docs/cli.md does not have what `{step.argument} --help` prints"


def test_every_command_has_its_help_text() -> None:
    shown = {step.argument for step in marked(ROOT / "docs/cli.md", "help")}
    assert shown == {"prov", *(f"prov {name}" for name in prov.list_commands(click.Context(prov)))}


def test_every_option_is_explained_beside_its_help_text() -> None:
    explained = "\n".join(
        re.sub(r"^<!-- help: .*?^```$", "", file.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        for file in DOCUMENTS
    )
    context = click.Context(prov)
    commands = [(name, prov.get_command(context, name)) for name in prov.list_commands(context)]
    options = [
        f"{name} {option}"
        for name, command in commands
        if command is not None
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    ]
    assert len(options) > 50
    assert [each for each in options if not re.search(rf"{each.split()[1]}\b", explained)] == []


def command_lines() -> Iterator[tuple[str, str]]:
    """Every command line of prov's in the documents."""
    for document in DOCUMENTS:
        for step in steps(document):
            if step.mark == "help":
                continue
            text = re.sub(r"(run: )>-\n\s+(\S.*)\n\s+(\S.*)", r"\1\2 \3", step.body)
            for line in re.findall(r"^[ -]*(?:\$ |run: |entry: )?(prov [a-z].*)$", text, re.MULTILINE):
                yield document.name, re.split(r" \|\| | > ", line)[0]


@pytest.mark.parametrize(("document", "line"), list(command_lines()))
def test_command_lines_are_understood(document: str, line: str) -> None:
    _, name, *arguments = shlex.split(line)
    parent = click.Context(prov, **prov.context_settings)
    command = prov.get_command(parent, name)
    assert command is not None, f"{document}: there is no prov {name}"
    command.make_context(name, arguments, parent)


def test_json_has_the_keys_that_it_has() -> None:
    (step,) = marked(ROOT / "docs/cli.md", "json")
    (shown,) = json.loads(step.body)["results"]
    assert list(shown) == list(result(Made().evidence()))


def test_json_keys_are_explained() -> None:
    text = (ROOT / "docs/cli.md").read_text(encoding="utf-8")
    table = text[text.index("| key | value |") :].partition("\n\n")[0]
    explained = [name for row in table.split("\n")[2:] for name in re.findall(r"`(\w+)`", row.split("|")[1])]
    assert explained == list(result(Made().evidence()))


@pytest.mark.parametrize(
    "table",
    [MANIFEST, SOURCE, ALTERNATE, CITATION, VALUE, EXPECT, QUANTITY, TERM],
    ids=lambda table: table.name,
)
def test_every_key_of_a_manifest_is_explained(table: Table) -> None:
    text = (ROOT / "docs/manifest.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (yes|no) \|", text, re.MULTILINE))
    for key, field in table.fields.items():
        assert f"`{key}`" in text
        if key in rows:
            assert rows[key] == ("yes" if field.required else "no")


def test_the_example_of_a_manifest_is_one() -> None:
    (step,) = marked(ROOT / "docs/manifest.md", "example")
    manifest = parse(step.body.encode(), "manifests/example.yaml")
    assert isinstance(manifest, Manifest)
    (sums,) = marked(ROOT / "docs/manifest.md", "quantities")
    whole = parse((step.body + sums.body).encode(), "manifests/example.yaml")
    assert isinstance(whole, Manifest)
    used = set(re.findall(r"\b(\w+):", step.body + sums.body))
    assert used >= {*MANIFEST.fields, *SOURCE.fields, *CITATION.fields, *EXPECT.fields, *VALUE.fields}
    assert used >= {*QUANTITY.fields, *TERM.fields}
    assert len(whole.quantities) == 1


def test_omission_marks_are_marks() -> None:
    (step,) = marked(ROOT / "docs/manifest.md", "marks")
    lines = step.body.strip("\n").split("\n")
    assert [line for line in lines if mark(line) is None] == []
    assert len(lines) >= 10


def test_layers_are_those_that_are_checked() -> None:
    (step,) = marked(ROOT / "docs/architecture.md", "layers")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert step.body.strip("\n").split("\n") == settings["tool"]["importlinter"]["contracts"][0]["layers"]


def test_queries_run(project: Path) -> None:
    """Every query of docs/evidence.md is one that the database answers, and its tables are all named."""
    code, printed = ran(f"prov verify --offline {shlex.quote(str(ROOT / 'manifests'))}")
    assert code == 0, printed
    with sqlite3.connect(project / "evidence.db") as database:
        for step in marked(ROOT / "docs/evidence.md", "sql"):
            database.execute(step.body)
        names = {
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
        }
        columns = {row[1] for row in database.execute("PRAGMA table_info(evidence)")}
    database.close()
    text = (ROOT / "docs/evidence.md").read_text(encoding="utf-8")
    assert [name for name in sorted(names | columns) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_between_documents(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!<?https?://)([^)\s]+)\)", text):
        name, _, anchor = target.partition("#")
        file = document.parent / name if name else document
        assert file.is_file(), f"{document.name} links to {target}"
        headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        slugs = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
        assert not anchor or anchor in slugs, f"{document.name} links to {target}"

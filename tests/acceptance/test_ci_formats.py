"""Reports for CI systems and the attestation, as the installed command writes them."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from support.project import Cite, Project, Source, World
from support.scanning import CODE, SITE, blob, code, fence, known_as, run

if TYPE_CHECKING:
    from collections.abc import Iterator

OUTPUTS = ("o.sarif", "o.xml", "o.gitlab.json", "markdown:summary", "o.intoto.json")
HOSTILE = "y = 3  # ::error::x ##vso[x] </script> ![a](b) @octocat\n"


def cites(commit: str, url: str) -> tuple[dict[str, Source], list[Cite]]:
    sources = {"code": Source(SITE, commit[:12]), "down": Source(f"{url}.no", commit)}
    return sources, [
        Cite("ok", "valve.py", "5-6", code(5, 6)),
        Cite("partial", "valve.py", "5-9", code(5, 6)),
        Cite("shifted", "valve.py", "1-2", code(5, 6)),
        Cite("changed", "valve.py", "18-23", code(18, 22) + HOSTILE, claim="::set-env name=A::b @octocat"),
        Cite("down", "valve.py", "1", "import math\n", source="down"),
    ]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """One citation of each level, in a project that is a folder of a repository."""
    with World(tmp_path_factory.mktemp("ci")) as world:
        known_as(world)
        (world.project.root.parent / ".git").mkdir()
        commit = world.repository.commit({"valve.py": CODE})
        sources, citations = cites(commit, world.url)
        world.project.manifest(sources, *citations)
        world.project.write("pyproject.toml", "[tool.prov]\n")
        world.project.fetch(code=3)
        yield world.project


def mended(root: Path, log: str) -> dict[str, str]:
    """Files as they are after all fixes of a log were made, by their paths below the project's root."""
    changed: dict[str, list[str]] = {}
    (only,) = json.loads(log)["runs"]
    for fix in (fix for result in only["results"] for fix in result.get("fixes", [])):
        for change in fix["artifactChanges"]:
            name = change["artifactLocation"]["uri"].removeprefix(f"{root.name}/")
            lines = changed.setdefault(name, (root / name).read_text(encoding="utf-8").split("\n"))
            for item in change["replacements"]:
                region = item["deletedRegion"]
                line = lines[region["startLine"] - 1]
                lines[region["startLine"] - 1] = (
                    line[: region["startColumn"] - 1]
                    + item["insertedContent"]["text"]
                    + line[region["endColumn"] - 1 :]
                )
    return {name: "\n".join(lines) for name, lines in changed.items()}


def test_verify_tells_every_ci_system_the_same(judged: Project) -> None:
    (judged.root / "summary").write_text("of an earlier step\n", encoding="utf-8")
    outputs = [part for name in OUTPUTS for part in ("--output", name)]
    ran = judged.run("verify", "--offline", "--format", "github", *outputs)
    assert ran.code == 1, ran.said
    manifest = f"{judged.root.name}/manifests/page.yaml"
    commands = [line for line in ran.out.splitlines() if line.startswith("::")]
    assert [line.split(" ")[0] for line in commands] == ["::error", "::error", "::warning", "::warning"]
    assert all(f"file={manifest},line=" in line for line in commands)
    texts = {name: (judged.root / name.removeprefix("markdown:")).read_text() for name in OUTPUTS}
    for text in (ran.out, *texts.values()):
        assert "##vso[" not in text
        assert not any(line.lstrip().startswith("::set-env") for line in text.splitlines())
    (only,) = json.loads(texts["o.sarif"])["runs"]
    assert [item["level"] for item in only["results"]] == ["error", "error", "none", "warning"]
    root = ET.fromstring(texts["o.xml"])  # noqa: S314 - it was just written
    assert [root.attrib[name] for name in ("tests", "failures", "errors")] == ["5", "2", "1"]
    entries = json.loads(texts["o.gitlab.json"])
    assert {entry["location"]["path"] for entry in entries} == {manifest}
    assert texts["markdown:summary"].startswith("## prov verify\n")
    statement = json.loads(texts["o.intoto.json"])
    data = (judged.root / "manifests/page.yaml").read_bytes()
    assert statement["subject"] == [
        {"name": "manifests/page.yaml", "digest": {"sha256": hashlib.sha256(data).hexdigest()}}
    ]
    predicate = statement["predicate"]
    assert [item["name"] for item in predicate["configuration"]] == [
        "pyproject.toml",
        "manifests/prov.lock",
    ]
    assert predicate["result"] == "FAILED"


def test_the_fixes_of_a_log_mend_the_manifest(judged: Project) -> None:
    before = (judged.root / "manifests/page.yaml").read_text(encoding="utf-8")
    log = judged.run("verify", "--offline", "--format", "sarif").out
    try:
        for name, text in mended(judged.root, log).items():
            judged.write(name, text)
        found = judged.verify("--offline", code=1)
    finally:
        judged.write("manifests/page.yaml", before)
    assert [found[name]["verdict"] for name in ("partial", "shifted", "changed")] == [
        "exact",
        "exact",
        "changed",
    ]


def test_the_lock_alone_can_be_attested_and_says_so(judged: Project) -> None:
    ran = judged.run("verify", "--locked", "--output", "intoto:locked")
    predicate = json.loads((judged.root / "locked").read_text())["predicate"]
    assert predicate["result"] == "FAILED", ran.said
    assert predicate["passedTests"] == ["manifests/page.yaml#ok"]


def test_what_cannot_be_read_is_no_silence(judged: Project) -> None:
    bad = judged.write("manifests/bad.yaml", "prov: 1\ntitle: [\n")
    try:
        ran = judged.run("verify", "--offline", "--format", "junit", "--output", "bad.intoto.json")
        alone = judged.run("verify", "--offline", str(bad), "--output", "alone.intoto.json")
    finally:
        bad.unlink()
    assert ran.code == alone.code == 2
    assert "1 error" not in ran.err
    suites = {suite.attrib["name"]: suite for suite in ET.fromstring(ran.out)}  # noqa: S314
    (case,) = suites["manifests/bad.yaml"]
    assert case.find("error") is not None
    predicate = json.loads((judged.root / "bad.intoto.json").read_text())["predicate"]
    assert predicate["result"] == "FAILED"
    assert predicate["prov"]["problems"][0].startswith("manifests/bad.yaml:")
    assert not (judged.root / "alone.intoto.json").exists()
    assert "no attestation is written" in alone.err


def test_drift_has_the_formats_and_attests_nothing(judged: Project) -> None:
    ran = judged.run("drift", "--offline", "--format", "junit", "--output", "d.sarif", "--output", "d.md")
    assert ET.fromstring(ran.out).attrib["name"] == "prov drift"  # noqa: S314
    (only,) = json.loads((judged.root / "d.sarif").read_text())["runs"]
    assert {item["ruleId"] for item in only["results"]} == {"unavailable"}
    refused = judged.run("drift", "--offline", "--output", "d.intoto.json")
    assert refused.code == 2
    assert "attests nothing" in refused.err


def test_scan_suggests_the_links_that_fix_would_write(world: World) -> None:
    known_as(world)
    commit = world.repository.commit({"valve.py": CODE})
    text = f"é {blob(commit, 'L1-L2')}\n\n{fence(code(5, 6))}\nand {blob('main', 'L8-L9')} and\n"
    world.project.write("docs/a.md", text)
    ran = run(world.project, "docs/a.md", "--format", "sarif", "--output", "a.intoto.json")
    assert ran.code == 1, ran.said
    (wanted,) = mended(world.project.root, ran.out).values()
    assert run(world.project, "docs/a.md", "--fix").code == 0
    assert (world.project.root / "docs/a.md").read_text(encoding="utf-8") == wanted != text
    (subject,) = json.loads((world.project.root / "a.intoto.json").read_text())["subject"]
    assert subject == {"name": "docs/a.md", "digest": {"sha256": hashlib.sha256(text.encode()).hexdigest()}}


DOCUMENT = Path(__file__).parents[2] / "docs/formats.md"
_BLOCK = re.compile(
    r"^<!-- (?:example: )?(?P<name>[a-z]+) -->\n(?P<fence>`{3,})[a-z]+\n(?P<body>.*?)^(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
_CHANGING = re.compile(r'[0-9a-f]{64}|[0-9a-f]{40}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}|"version": "[^"]+"')
"""Digests, commits, times and prov's version, which are another run's."""


def test_the_examples_of_the_document_are_real(world: World) -> None:
    verdicts = (DOCUMENT.parent / "verdicts.md").read_text(encoding="utf-8")
    source = verdicts.split("<!-- source: shop/prices.py -->\n```python\n")[1].split("```")[0]
    blocks = {match["name"]: match["body"] for match in _BLOCK.finditer(DOCUMENT.read_text(encoding="utf-8"))}
    known_as(world, "https://github.com/example/shop")
    world.repository.tag("v1", world.repository.commit({"shop/prices.py": source}))
    world.project.write("manifests/prices.yaml", blocks.pop("manifest"))
    world.project.fetch()
    names = [name for name in blocks if name != "github"]
    ran = world.project.run("verify", "--format", "github", *(f"--output={name}:{name}" for name in names))
    found = {"github": ran.out} | {name: (world.project.root / name).read_text() for name in names}
    log = json.loads(found["sarif"])["runs"][0]["results"][0]
    found["sarif"] = json.dumps(log, indent=2, ensure_ascii=False) + "\n"
    assert set(found) == {"github", "sarif", "junit", "gitlab", "markdown", "intoto"}
    for name, text in found.items():
        assert _CHANGING.sub("…", text) == _CHANGING.sub("…", blocks[name]), name

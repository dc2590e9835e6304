from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from provenance.citation import Manifest
from provenance.cli.import_ import command
from provenance.errors import UsageError
from provenance.manifest import parse

SHIPPED = Path(__file__).parents[3] / "manifests"

PAGE = """\
Engine · Valve

Sources

Direct evidence

It opens.

valve · atlas/engine / src/valve.py
Pinned revision 00112233 ↗ · lines 1–2

Read code excerpt
  def open():
    pass

Contextual evidence from Head

It shuts.

shut · atlas/engine / src/valve.py
Pinned revision 00112233 ↗ · lines 4–5

Read code excerpt
def shut(): ...
"""
WRITTEN = """\
prov: 1
title: Engine · Valve
sources:
  engine:
    git: https://github.com/atlas/engine
    revision: 00112233
citations:
  - id: valve
    source: engine
    path: src/valve.py
    lines: 1-2
    evidence: direct
    claim: It opens.
    quote: |2
        def open():
          pass
  - id: shut
    source: engine
    path: src/valve.py
    lines: 4-5
    evidence: contextual
    of: Head
    claim: It shuts.
    quote: |
      def shut(): ...
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project with one page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.txt").write_text(PAGE)
    return tmp_path


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    result = CliRunner().invoke(command, arguments, input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def files(folder: Path) -> list[str]:
    return sorted(
        str(Path(root, name).relative_to(folder)) for root, _, names in os.walk(folder) for name in names
    )


def test_a_page_becomes_a_manifest(folder: Path) -> None:
    result = run("page.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "wrote manifests/engine-valve.yaml (2 citations)\n"
    assert (folder / "manifests/engine-valve.yaml").read_text() == WRITTEN
    assert files(folder) == ["manifests/engine-valve.yaml", "page.txt"]


ASSERTING = PAGE.replace(
    "Engine · Valve\n",
    """\
Engine · Valve

Reference code atlas/engine @ 0011, configuration hub/gpt @ 607a

learnedopen() · 1

in: $x$ [2 a, 3 b]
parameters: 6 · × 2 strokes = 12

Exact per-instance accounting
Component\tCalculation\tParameters
Plate\t$2 \\times 3$\t6
Per-instance total\t\t6
""",
)
ASSERTED = """\
  - id: valve-expression
    source: engine
    path: src/valve.py
    lines: 1
    evidence: direct
    expression: open()
quantities:
  - id: valve-2
    terms:
      - {name: Plate, calculation: 2 × 3, equals: 6}
    total: 6
    repeated: 2
    overall: 12
    statements:
      - 6 × 2 strokes = 12
    shapes:
      - "[2 a, 3 b]"
"""


def test_all_that_a_page_asserts_becomes_a_manifest(folder: Path) -> None:
    (folder / "page.txt").write_text(ASSERTING)
    result = run("page.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "wrote manifests/engine-valve.yaml (3 citations, 1 quantity)\n"
    sources = """\
    revision: 00112233
    stated: 0011
  gpt:
    git: https://huggingface.co/hub/gpt
    revision: 607a
"""
    expected = WRITTEN.replace("    revision: 00112233\n", sources) + ASSERTED
    assert (folder / "manifests/engine-valve.yaml").read_text() == expected
    assert run("page.txt").stdout == "unchanged manifests/engine-valve.yaml (3 citations, 1 quantity)\n"


def test_what_a_page_no_longer_asserts_is_kept_and_told(folder: Path) -> None:
    (folder / "page.txt").write_text(ASSERTING)
    run("page.txt")
    text = (folder / "manifests/engine-valve.yaml").read_text()
    (folder / "page.txt").write_text(ASSERTING)
    (folder / "manifests/engine-valve.yaml").write_text(text + "  - {id: mine, total: 7}\n")
    result = run("page.txt")
    assert result.stdout.startswith("unchanged")
    assert result.stderr == "manifests/engine-valve.yaml: quantity mine: not on the page, kept\n"


def test_what_a_page_asserts_comes_into_a_manifest_that_is_there(folder: Path) -> None:
    run("page.txt")
    (folder / "page.txt").write_text(ASSERTING)
    result = run("page.txt")
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "manifests/engine-valve.yaml: source engine: stated nowhere -> 0011",
        "manifests/engine-valve.yaml: source gpt: new",
        "manifests/engine-valve.yaml: valve-expression: new",
        "manifests/engine-valve.yaml: quantity valve-2: new",
    ]
    assert (folder / "manifests/engine-valve.yaml").read_text().endswith(ASSERTED)


def test_an_error_of_what_a_page_asserts_names_its_line(folder: Path) -> None:
    (folder / "page.txt").write_text(ASSERTING.replace("Plate\t$2 \\times 3$\t6", "Plate\t6"))
    result = run("page.txt")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "page.txt:12: the row 'Plate' has 2 cells; expected 3: Component, Calculation, Parameters\n"
    )
    assert files(folder) == ["page.txt"]


def test_a_name_that_a_person_gave_to_something_else_is_told(folder: Path) -> None:
    run("page.txt")
    written = folder / "manifests/engine-valve.yaml"
    written.write_text(f"{WRITTEN}quantities:\n  - id: valve-expression\n    statements: [1 + 1 = 2]\n")
    (folder / "page.txt").write_text(ASSERTING)
    result = run("page.txt")
    line = written.read_text().split("\n").index("  - id: valve-expression") + 1
    assert result.exit_code == 2
    assert result.stderr.startswith(f"manifests/engine-valve.yaml:{line}:")
    assert "the id valve-expression stands here" in result.stderr
    assert "1 + 1 = 2" in written.read_text()


def test_importing_twice_changes_nothing(folder: Path) -> None:
    run("page.txt")
    written = folder / "manifests/engine-valve.yaml"
    tended = WRITTEN.replace(
        "00112233\n", "00112233 # the release\n    license: MIT\n    alternates: [pypi: engine==1]\n"
    )
    tended = tended.replace("title:", "url: https://example.org/\ntitle:") + (
        "    expect: {verdict: partial, because: so it is, until: 2030-01-01}\n"
    )
    written.write_text(tended)
    before = written.stat()
    result = run("page.txt")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "unchanged manifests/engine-valve.yaml (2 citations)\n"
    assert written.read_text() == tended
    assert (written.stat().st_ino, written.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_page_that_changed_is_brought_in(folder: Path) -> None:
    run("page.txt")
    written = folder / "manifests/engine-valve.yaml"
    written.write_text(
        WRITTEN.replace("revision: 00112233\n", "revision: 00112233  # tended\n    license: MIT\n")
    )
    (folder / "page.txt").write_text(PAGE.replace("It opens.", "It opens wide."))
    result = run("page.txt")
    assert result.exit_code == 0
    assert result.stderr == (
        "manifests/engine-valve.yaml: valve: claim changed\n"
        "manifests/engine-valve.yaml: written anew, so comments and layout of its own are gone\n"
    )
    assert result.stdout == "wrote manifests/engine-valve.yaml (2 citations)\n"
    expected = WRITTEN.replace("It opens.", "It opens wide.").replace(
        "00112233\n", "00112233\n    license: MIT\n"
    )
    assert written.read_text() == expected


def test_one_file_of_ones_own_choice(folder: Path) -> None:
    result = run("page.txt", "-o", "new/valve.yaml")
    assert result.stdout == "wrote new/valve.yaml (2 citations)\n"
    assert (folder / "new/valve.yaml").read_text() == WRITTEN
    assert run("page.txt", "-o", "new/valve.yaml").stdout == "unchanged new/valve.yaml (2 citations)\n"


@pytest.mark.parametrize("output", ["there", "there/", "new", "new/", "new.yaml/", "folder.yaml"])
def test_a_folder_of_ones_own_choice(folder: Path, output: str) -> None:
    (folder / "there").mkdir()
    (folder / "folder.yaml").mkdir()
    assert run("page.txt", "-o", output).exit_code == 0
    assert (folder / output / "engine-valve.yaml").read_text() == WRITTEN


def test_standard_input(folder: Path) -> None:
    assert run("-", stdin=PAGE).stdout == "wrote manifests/engine-valve.yaml (2 citations)\n"
    assert run("-", stdin="bread\n").stderr.startswith("-:1: this is no evidence page")
    assert (folder / "manifests/engine-valve.yaml").read_text() == WRITTEN


def test_a_bad_page_does_not_stop_the_others(folder: Path) -> None:
    (folder / "bread.txt").write_text("bread\n")
    (folder / "latin.txt").write_bytes(b"a\ncaf\xe9\n")
    result = run("bread.txt", "latin.txt", "missing.txt", "page.txt")
    assert result.exit_code == 2
    bread, latin, missing = result.stderr.splitlines()
    assert bread.startswith("bread.txt:1: this is no evidence page: expected `Direct evidence`")
    assert latin == "latin.txt:2: byte 0xe9 is not UTF-8"
    assert missing == "missing.txt cannot be read: No such file or directory"
    assert result.stdout == "wrote manifests/engine-valve.yaml (2 citations)\n"


def test_remarks_are_told(folder: Path) -> None:
    (folder / "page.txt").write_text(PAGE.replace("Sources", "Sources3"))
    result = run("page.txt")
    assert result.exit_code == 0
    assert result.stderr == "page.txt:3: the page announces 3 sources, and 2 can be read\n"


def test_two_pages_for_one_file_write_nothing(folder: Path) -> None:
    (folder / "other.txt").write_text(PAGE)
    with pytest.raises(
        UsageError, match=r"page\.txt and other\.txt would both be written to manifests/engine"
    ):
        run("page.txt", "other.txt")
    with pytest.raises(UsageError, match="one file, and there are 2 pages"):
        run("page.txt", "other.txt", "-o", "all.yaml")
    assert files(folder) == ["other.txt", "page.txt"]


def test_no_page_is_wrong_usage() -> None:
    assert run().exit_code == 2


def test_what_is_there_and_is_no_manifest_is_left_alone(folder: Path) -> None:
    target = folder / "manifests/engine-valve.yaml"
    target.parent.mkdir()
    target.write_text("prov: 9\n")
    result = run("page.txt")
    assert result.exit_code == 2
    assert "manifests/engine-valve.yaml:1:7: found '9'" in result.stderr
    assert "manifests/engine-valve.yaml is there and cannot be read as a manifest" in result.stderr
    assert target.read_text() == "prov: 9\n"


def test_a_link_leads_nowhere(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret"
    outside.write_text("kept: secret\n")
    target = folder / "manifests/engine-valve.yaml"
    target.parent.mkdir()
    target.symlink_to(outside)
    result = run("page.txt")
    assert result.exit_code == 2
    assert "secret" not in result.stderr
    assert outside.read_text() == "kept: secret\n"


def test_a_title_leads_nowhere(folder: Path) -> None:
    (folder / "page.txt").write_text(PAGE.replace("Engine · Valve", "../../../tmp/\x1b[31mengine"))
    result = run("page.txt")
    assert files(folder) == ["manifests/tmp-31mengine.yaml", "page.txt"]
    assert "\x1b" not in result.output


def test_escape_sequences_are_not_printed(folder: Path) -> None:
    name = "page\x1b[31m.txt"
    (folder / name).write_text("bread\n")
    result = run(name)
    assert result.exit_code == 2
    assert "\x1b" not in result.output
    assert r"page\x1b[31m.txt:1:" in result.stderr


@pytest.mark.handed
def test_the_shipped_manifests_are_what_the_pages_say(folder: Path) -> None:
    handed = os.environ.get("PROV_TEST_HANDED")
    pages = sorted(Path(handed, "pages").glob("*.txt")) if handed else []
    if not pages:
        pytest.skip("PROV_TEST_HANDED names no folder with pages/")
    target = folder / "manifests"
    target.mkdir()
    for path in SHIPPED.glob("*.yaml"):
        (target / path.name).write_bytes(path.read_bytes())
    result = run(*map(str, pages))
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.split(" ")[0] for line in result.stdout.splitlines()] == ["unchanged"] * 4
    shipped = [parse(path.read_bytes(), path.name) for path in sorted(target.glob("*.yaml"))]
    assert [
        (citation.id, str(citation.lines))
        for manifest in shipped
        if isinstance(manifest, Manifest)
        for citation in manifest.citations
    ] == [
        ("openai-123-130", "123-130"),
        ("transformers-303-309", "303-309"),
        ("linear-operation", "50-56"),
        ("openai-115-120", "115-120"),
        ("transformers-233-243", "233-243"),
        ("target-space", "99-103"),
        ("prepare-encoder", "78-106"),
        ("add-target-space-embedding-expression", "99-103"),
        ("conv-relu", "1160-1194"),
        ("conv1d", "354-360"),
        ("first-linear-map-expression", "1177-1183"),
        ("layer-norm", "406-443"),
        ("residual-fn", "59-61"),
        ("layernorm-expression", "60"),
    ]
    assert [
        (quantity.id, quantity.total, quantity.overall)
        for manifest in shipped
        if isinstance(manifest, Manifest)
        for quantity in manifest.quantities
    ] == [
        ("add-target-space-embedding", "16384", None),
        ("first-linear-map", "1050624", "6303744"),
        ("layernorm", "1024", "6144"),
    ]

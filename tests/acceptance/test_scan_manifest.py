"""`prov scan --write-manifest`: what documents cite, as a manifest that people can keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from support.scanning import CODE, SITE, blob, code, configure, fence, known_as, run, scan

if TYPE_CHECKING:
    from support.project import Ran, World

DRAIN = code(18, 23)
TARGET = "manifests/docs.yaml"


@pytest.fixture
def commit(world: World) -> str:
    """What `main` is; documents cite it and an older one."""
    known_as(world)
    older = world.repository.commit({"valve.py": f"# More.\n{CODE}"})
    made = world.repository.commit({"valve.py": CODE, "other.txt": "one\ntwo\n"})
    parts = [
        (blob(made, "L5-L6"), code(5, 6)),
        (blob(made, "L20"), DRAIN),
        (blob(older, "L18-L23"), DRAIN),
        (blob("main", "L18-L23"), DRAIN.replace("> 0", "> 1")),
        (blob(made, "L1", "gone.py"), None),
        (blob(made, "L2", "other.txt"), None),
        (blob(made, "L9-L8"), None),
        ("a.md#L1", None),
    ]
    text = "".join(
        f"# {at}\n\n[it]({link})\n\n{fence(block) if block else ''}\n"
        for at, (link, block) in enumerate(parts)
    )
    world.project.write("docs/a.md", text)
    world.project.write("docs/b.md", f"[it]({blob(made, 'L5-L6')})\n\n{fence(code(5, 6))}")
    return made


def write(world: World, *arguments: str, code: int = 1) -> Ran:
    ran = run(world.project, "--write-manifest", TARGET, *(arguments or ("docs",)))
    assert ran.code == code, ran.said
    return ran


def test_the_manifest_is_judged_as_the_documents_were(world: World, commit: str) -> None:
    assert f"wrote {TARGET} (7 citations)" in write(world).out
    keys = (
        "id",
        "kind",
        "git",
        "revision",
        "path",
        "lines",
        "verdict",
        "message",
        "found_at",
        "suggestion",
        "diff",
    )
    scanned = [  # two documents may call two things the same, a manifest may not
        [f"{item['id']}-docs-{item.text('manifest')[5]}", *(item[key] for key in keys[1:])]
        for item in scan(world.project, "docs", code=1).results
        if item["source"] != "this-project" and "reversed" not in item.text("message")
    ]
    verified = world.project.verify(code=1)
    assert [[item[key] for key in keys] for item in verified.values()] == scanned
    assert world.project.verify("--refresh", code=1) == verified
    assert len({item.text("source") for item in verified.values()}) == 2
    assert {item["revision"] for item in verified.values()} >= {commit}


@pytest.mark.usefixtures("commit")
def test_it_is_left_alone_where_documents_say_nothing_new(world: World) -> None:
    write(world)
    file = world.project.root / TARGET
    before, when = file.read_bytes(), file.stat().st_mtime_ns
    ran = write(world)
    assert f"unchanged {TARGET} (7 citations)" in ran.out
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, when)
    assert len(world.project.verify(code=1)) == 7


def test_what_a_person_added_is_kept(world: World, commit: str) -> None:
    write(world)
    file = world.project.root / TARGET
    text = file.read_text()
    pinned = f"    revision: {commit}\n"
    assert pinned in text
    text = text.replace(pinned, f"{pinned}    license: Apache-2.0\n")
    text = text.replace("title: Citations in docs\n", "title: Notes\n")
    head, dot, rest = text.partition("  - id: gone-1-docs-a\n")
    entry, more, tail = rest.partition("  - id: ")
    expect = '    expect: {verdict: no-path, because: "it is being written", until: 2999-01-01}\n'
    entry = entry.replace(
        "    evidence: direct\n", "    evidence: contextual\n    of: the valve\n    claim: It opens.\n"
    )
    file.write_text(head + dot + entry.rstrip("\n") + "\n" + expect + more + tail)
    assert world.project.verify(code=1)["gone-1-docs-a"]["level"] == "warning"
    write(world)
    assert "license: Apache-2.0" in file.read_text()
    assert "it is being written" in file.read_text()
    kept = ["title: Notes\n", "claim: It opens.\n", "evidence: contextual\n    of: the valve\n"]
    assert [words for words in kept if words not in file.read_text()] == []
    world.project.write("docs/b.md", f"[it]({blob(commit, 'L1')})\n")
    ran = write(world)
    assert f"wrote {TARGET}" in ran.out
    assert "license: Apache-2.0" in file.read_text()
    assert "it is being written" in file.read_text()
    found = world.project.verify(code=1)
    assert found["valve-1-docs-b"]["verdict"] == "unquoted"
    assert found["gone-1-docs-a"]["level"] == "warning"
    assert [words for words in kept if words not in file.read_text()] == []


def test_what_is_expected_of_one_document_is_not_of_another(world: World, commit: str) -> None:
    link = f"[it]({blob(commit, 'L99')})\n"
    for name in ("a", "b"):
        world.project.write(f"docs/{name}.md", link)
    write(world)
    file = world.project.root / TARGET
    first, dot, rest = file.read_text().partition("  - id: valve-99-docs-a\n")
    expect = "    expect: {verdict: out-of-range, because: known, until: 2999-01-01}\n"
    entry, more, tail = rest.partition("  - id: ")
    file.write_text(first + dot + entry + expect + more + tail)
    world.project.write("docs/a.md", "No link.\n")
    ran = write(world)
    assert "valve-99-docs-a: not in the documents, kept" in ran.out
    found = world.project.verify(code=1)
    assert found["valve-99-docs-b"]["level"] == "failure"
    assert found["valve-99-docs-a"]["level"] == "warning"


def test_what_has_no_place_in_a_manifest_is_counted(world: World, commit: str) -> None:
    world.project.write("docs/a.md", f"[it]({blob(commit, 'L9-L3')})\n\n[valve]({blob(commit, 'L1')})\n")
    ran = write(world)
    assert "1 of the results need no repository, and have no place in a manifest" in ran.out


def test_a_branch_that_moved_moves_its_citation(world: World, commit: str) -> None:
    world.project.write("docs/a.md", f"[it]({blob('main', 'L18-L23')})\n\n{fence(DRAIN)}")
    write(world, code=0)
    assert world.project.verify()["valve-18-23-docs-a"]["revision"] == commit
    new = world.repository.commit({"valve.py": CODE + "\n"})
    write(world, code=0)
    assert {item["revision"] for item in world.project.verify().values()} == {new, commit}
    assert world.project.verify()["valve-18-23-docs-a"]["revision"] == new


@pytest.mark.parametrize("text", ["key: value\n", "# A document\n", "", "prov: 1\ntitle: [\n"])
@pytest.mark.usefixtures("commit")
def test_a_file_that_is_no_manifest_is_not_written_over(world: World, text: str) -> None:
    file = world.project.write(TARGET, text)
    ran = run(world.project, "--write-manifest", TARGET, "docs")
    assert ran.code == 2, ran.said
    assert "cannot be read as a manifest" in ran.err
    assert file.read_text() == text


def test_what_was_mended_is_told_though_the_manifest_cannot_be_written(world: World, commit: str) -> None:
    world.project.write("docs/a.md", f"[it]({blob('main', 'L4-L5')})\n\n{fence(DRAIN)}")
    world.project.write(TARGET, "key: value\n")
    ran = run(world.project, "--fix", "--write-manifest", TARGET, "docs")
    assert ran.code == 2, ran.said
    assert f"fixed docs/a.md:1: {blob('main', 'L4-L5')} -> {blob(commit, 'L18-L23')}" in ran.out
    assert "cannot be read as a manifest" in ran.err


@pytest.mark.usefixtures("commit")
def test_a_document_is_not_written_over(world: World) -> None:
    before = (world.project.root / "docs/a.md").read_bytes()
    for name in ("docs/a.md", "evidence.db", "docs"):
        ran = run(world.project, "--write-manifest", name, "docs")
        assert ran.code == 2, ran.said
    assert (world.project.root / "docs/a.md").read_bytes() == before
    assert len(scan(world.project, "docs", code=1).results) == 9


@pytest.mark.usefixtures("commit")
def test_no_report_is_written_over_the_manifest(world: World) -> None:
    ran = run(world.project, "--write-manifest", "m.yaml", "--output", "json:m.yaml", "docs")
    assert ran.code == 2, ran.said
    assert not (world.project.root / "m.yaml").exists()


@pytest.mark.usefixtures("commit")
def test_a_link_that_leads_out_is_not_written_through(world: World) -> None:
    outside = world.project.base / "outside"
    outside.mkdir()
    (world.project.root / "out").symlink_to(outside)
    (world.project.root / "manifests/docs.yaml").symlink_to(outside / "b.yaml")
    for name in ("out/a.yaml", TARGET):
        ran = run(world.project, "--write-manifest", name, "docs")
        assert ran.code == 2, ran.said
        assert "leads out" in ran.err
    assert list(outside.iterdir()) == []


def test_without_a_citation_nothing_is_written(world: World) -> None:
    world.project.write("docs/a.md", "# A\n\n[it](a.md#L1)\n")
    ran = run(world.project, "--write-manifest", TARGET, "docs")
    assert (ran.code, (world.project.root / TARGET).exists()) == (0, False), ran.said
    assert f"nothing to write to {TARGET}" in ran.out


def test_with_fix_the_manifest_is_of_the_mended_documents(world: World, commit: str) -> None:
    world.project.write("docs/a.md", f"[it]({blob('main', 'L4-L5')})\n\n{fence(DRAIN)}")
    write(world, "--fix", "docs", code=0)
    found = world.project.verify()
    assert {item["verdict"] for item in found.values()} == {"exact"}
    assert {item["revision"] for item in found.values()} == {commit}


def test_names_and_quotes_that_yaml_could_take_for_something_else_stay_themselves(world: World) -> None:
    known_as(world)
    odd = "\t: - #no\n\n---\n...\n'\"\\ \x7f\u2028\ufeff|>\n  <<: *a\n"
    path = "a: b/#c \u202ed - [x].txt"
    commit = world.repository.commit({path: odd})
    link = blob(commit, "L1-L6", "a%3A%20b/%23c%20%E2%80%AEd%20-%20%5Bx%5D.txt")
    world.project.write("docs/a.md", f"# - : {{}}\n\n[it](<{link}>)\n\n{fence(odd, '')}")
    configure(world.project)
    (scanned,) = scan(world.project, "docs").results
    assert (scanned["path"], scanned["verdict"]) == (path, "exact")
    write(world, code=0)
    (verified,) = world.project.verify().values()
    assert (verified["path"], verified["verdict"], verified["git"]) == (path, "exact", SITE)

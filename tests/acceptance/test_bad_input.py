"""What a stranger may write: nothing runs, nothing outside is read or written, and the rest of the run goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.project import Cite, Project, Source, World, results

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "one\ntwo\n"
HEAD = "prov: 1\ntitle: T\nsources:\n  code: {git: https://example.org/r, revision: v1}\n"
ONE = "citations:\n  - {id: a, source: code, path: p, lines: 1, evidence: direct}\n"

MALFORMED: dict[str, tuple[str | bytes, int, str]] = {
    "unknown key": ("prov: 1\ntitle: T\nsorces: {}\ncitations: []\n", 3, "sorces"),
    "missing key": ("prov: 1\nsources: {}\ncitations: []\n", 1, "title"),
    "duplicate key": ("prov: 1\ntitle: T\ntitle: U\nsources: {}\ncitations: []\n", 3, "title"),
    "duplicate id": (HEAD + ONE + ONE.partition("\n")[2], 7, "already"),
    "reversed range": (HEAD + ONE.replace("lines: 1", "lines: 9-3"), 6, "9-3"),
    "line 0": (HEAD + ONE.replace("lines: 1", "lines: 0"), 6, "lines"),
    "tab": ("prov: 1\n\ttitle: T\n", 2, "tab"),
    "anchor": ("prov: 1\ntitle: &t T\nsources: {}\ncitations: []\n", 2, "anchor"),
    "alias": ("prov: 1\ntitle: *t\n", 2, "alias"),
    "no such source": (HEAD + ONE.replace("source: code", "source: cod"), 6, "cod"),
    "wrong version": ("prov: 2\ntitle: T\nsources: {}\ncitations: []\n", 1, "1"),
    "no mapping": ("- a\n- b\n", 1, "mapping"),
    "nothing": ("", 1, "mapping"),
    "not UTF-8": (b"prov: 1\ntitle: \xff\n", 2, "UTF-8"),
    "nesting": ("prov: 1\ntitle: " + "[" * 100_000 + "\n", 2, "deep"),
    "an address with a line break": (
        HEAD.replace("https://example.org/r", '"https://h/r\\nx"') + ONE,
        4,
        "git",
    ),
    "a quote and an expression": (
        HEAD + ONE.replace("evidence", "quote: f(x), expression: f(x), evidence"),
        6,
        "expression cannot stand beside quote",
    ),
    "a pointer without a slash": (
        HEAD + ONE.replace("evidence", "value: {pointer: a, equals: 1}, evidence"),
        6,
        "a JSON pointer such as /n_embd",
    ),
    "a term with a missing cell": (
        f"{HEAD}{ONE}quantities:\n  - {{id: q, terms: [{{name: W, calculation: 2 × 3}}]}}\n",
        8,
        "a term needs the key equals",
    ),
}


def good(world: World, name: str = "good") -> None:
    commit = world.repository.tip("main") or world.repository.commit({"a.txt": TEXT})
    world.project.manifest(world.source(commit), Cite("good", "a.txt", "1-2", TEXT), name=name)


def test_malformed_manifests_are_told_by_file_and_line_and_stop_no_other(world: World) -> None:
    good(world)
    for number, (text, _, _) in enumerate(MALFORMED.values()):
        world.project.write(f"manifests/bad-{number:02}.yaml", text)
    ran = world.project.run("verify", "--format", "json")
    assert ran.code == 2, ran.said
    assert results(ran)["good"]["verdict"] == "exact"
    for number, (name, (_, line, word)) in enumerate(MALFORMED.items()):
        told = [
            one for one in ran.err.splitlines() if one.startswith(f"prov: manifests/bad-{number:02}.yaml:")
        ]
        assert told, f"{name}: {ran.err}"
        assert any(f".yaml:{line}" in one and word in one for one in told), f"{name}: {told}"
    world.project.fetch(code=2)
    assert world.project.lock.exists()
    assert world.project.run("verify", "--locked").code == 2


MALFORMED_LOCKS = [
    "",
    "{",
    "[]",
    '{"prov": 9}',
    '{"prov": 1, "sources": [], "citations": {}}',
    "[" * 100_000,
    '<<<<<<< HEAD\n{"prov": 1}\n=======\n{"prov": 1}\n>>>>>>> topic\n',
]


def test_a_malformed_lock_is_wrong_input_and_stays_as_it_is(world: World) -> None:
    good(world)
    for text in MALFORMED_LOCKS:
        world.project.write("manifests/prov.lock", text)
        ran = world.project.run("verify", "--format", "json")
        assert ran.code == 2, ran.said
        assert "manifests/prov.lock" in ran.err
        assert results(ran)["good"]["verdict"] == "exact"
        assert world.project.run("fetch").code == 2
        assert world.project.lock.read_text() == text


def test_a_merge_conflict_in_the_middle_of_a_lock_is_wrong_input_for_settled_manifests_too(
    world: World,
) -> None:
    good(world)
    world.project.fetch()
    world.project.verify()
    lines = world.project.lock.read_text().splitlines(keepends=True)
    middle = len(lines) // 2
    conflict = ["<<<<<<< HEAD\n", lines[middle], "=======\n", lines[middle], ">>>>>>> topic\n"]
    world.project.lock.write_text("".join([*lines[:middle], *conflict, *lines[middle + 1 :]]))
    for arguments in (["verify"], ["verify", "--locked"], ["verify", "--offline"], ["fetch"]):
        ran = world.project.run(*arguments)
        assert ran.code == 2, ran.said
        assert "prov.lock" in ran.err


PWNED = {
    "ext": Source("ext::sh -c touch% PWNED", "v1"),
    "ext upper": Source("EXT::sh -c touch% PWNED", "v1"),
    "fd": Source("fd::0", "v1"),
    "option": Source("--upload-pack=touch PWNED", "v1"),
    "option url": Source("-oProxyCommand=touch PWNED", "v1"),
    "ssh option": Source("ssh://-oProxyCommand=touch%20PWNED/r.git", "v1"),
    "scp option": Source("-oProxyCommand=touch PWNED:r.git", "v1"),
    "user option": Source("ssh://-oProxyCommand=x@host/r.git", "v1"),
    "shell": Source("https://example.org/$(touch PWNED)/`touch PWNED`;touch PWNED", "v1"),
}


def test_urls_that_would_run_something_run_nothing_and_the_rest_goes_on(world: World) -> None:
    good(world)
    for number, (name, source) in enumerate(PWNED.items()):
        world.project.manifest(source, Cite(name, "a.txt", "1"), name=f"bad{number}")
    ran = world.project.run("verify", "--format", "json")
    assert ran.code == 2, ran.said
    found = results(ran)
    assert found["good"]["verdict"] == "exact"
    assert {found[name]["verdict"] for name in PWNED} == {"unavailable"}
    assert not list(world.project.base.rglob("PWNED*"))
    for name, source in PWNED.items():
        if name != "shell":
            assert source.git[:8] in ran.err, name


def test_revisions_and_paths_that_look_like_options_run_nothing_and_are_results(world: World) -> None:
    commit = world.repository.commit({"a.txt": TEXT, "-x": "dashed\n", "--upload-pack=touch PWNED": "p\n"})
    revisions = [
        "--upload-pack=touch PWNED",
        "--exec=touch PWNED",
        "-x",
        "main:a.txt",
        ":/commit",
        "^main",
        "@",
    ]
    sources = {"code": world.source(commit), **{one: world.source(one) for one in revisions}}
    world.project.manifest(
        sources,
        Cite("path", "-x", "1", "dashed\n"),
        Cite("option-path", "--upload-pack=touch PWNED", "1", "p\n"),
        *(Cite(one, "a.txt", "1", source=one) for one in revisions),
    )
    found = world.project.verify(code=1)
    assert {found[one]["verdict"] for one in revisions} == {"no-revision"}
    assert found["path"]["verdict"] == "exact"
    assert found["option-path"]["verdict"] == "exact"
    assert not list(world.project.base.rglob("PWNED*"))


def test_locators_that_look_like_options_run_nothing(world: World) -> None:
    good(world)
    for locator in ("-x", "--upload-pack=touch PWNED:1", "ext::sh -c touch% PWNED"):
        ran = world.project.run("show", "--", locator)
        assert ran.code == 2, ran.said
    assert not list(world.project.base.rglob("PWNED*"))


def test_a_link_that_leads_out_of_the_project_is_refused(world: World, tmp_path: Path) -> None:
    good(world)
    world.project.fetch()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "target").write_text("TOPSECRET: 1\n[tool.prov]\n")
    for name in ("manifests/page.yaml", "manifests/prov.lock", "pyproject.toml", "evidence.db"):
        place = world.project.root / name
        place.unlink(missing_ok=True)
        place.symlink_to(outside / ("new" if name.endswith(".db") else "target"))
        for command in ("verify", "fetch"):
            ran = world.project.run(command)
            assert ran.code == 2, ran.said
            assert "out of" in ran.err
            assert "TOPSECRET" not in ran.out + ran.err
        place.unlink()
        assert [file.name for file in outside.iterdir()] == ["target"]


def test_a_folder_of_manifests_that_leads_out_of_the_project_is_refused(world: World, tmp_path: Path) -> None:
    good(world)
    outside = tmp_path / "outside"
    (world.project.root / "manifests").rename(outside)
    (world.project.root / "manifests").symlink_to(outside)
    ran = world.project.run("fetch")
    assert ran.code == 2, ran.said
    assert not (outside / "prov.lock").exists()


def test_a_link_within_the_project_is_read(world: World) -> None:
    good(world)
    (world.project.root / "manifests/link.yaml").symlink_to("good.yaml")
    ran = world.project.run("verify")
    assert ran.code == 0, ran.said
    assert ran.last.startswith("2 of 2 citations checked: 2 ok")


def test_a_project_s_configuration_allows_no_host(world: World) -> None:
    good(world)
    port = world.server.url.rpartition(":")[2]
    hosts = f"{{'127.0.0.1' = 'github', '127.0.0.1:{port}' = 'gitea', 'localhost' = 'gitlab'}}"
    world.project.write("pyproject.toml", f"[tool.prov]\nhosts = {hosts}\n")
    world.project.options = ()
    ran = world.project.run("verify")
    assert ran.code == 2, ran.said
    assert "--allow-local" in ran.err
    assert world.requests == []


def test_a_configured_path_outside_the_project_is_refused(project: Project, tmp_path: Path) -> None:
    project.manifest(Source("https://example.org/r", "v1"), Cite("c", "a", "1"))
    for key, path in (("db", "../x"), ("db", str(tmp_path / "x")), ("manifests", "a/../../x")):
        project.write("pyproject.toml", f"[tool.prov]\n{key} = '{path}'\n")
        ran = project.run("verify", "--offline")
        assert ran.code == 2, ran.said
        assert f"tool.prov.{key}" in ran.err
    assert not (tmp_path / "x").exists()

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given as supposing
from hypothesis import strategies as st

from provenance import lock as locks
from provenance.configuration import Reader
from provenance.errors import ConfigurationError, LockError, UsageError
from provenance.evidence import Level, Verdict
from provenance.links.forges import Forge
from provenance.lock import Lock
from provenance.project import DocumentSet, LockFiles, Project, Repository

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from provenance.project import DocumentFile, ManifestFile


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs" / "deep").mkdir(parents=True)
    return folder


def configured(root: Path, text: str) -> Project:
    (root / "pyproject.toml").write_text(text, encoding="utf-8")
    return Project.discover(root)


@pytest.mark.parametrize("table", ["[tool.prov]\n", "[tool.prov.levels]\npartial = 'ok'\n"])
def test_the_nearest_table_upward_marks_the_root(root: Path, table: str) -> None:
    (root / "pyproject.toml").write_text(table)
    (root / "docs" / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert Project.discover(root / "docs" / "deep").root == root
    (root / "docs" / "pyproject.toml").write_text("[tool.prov]\n")
    assert Project.discover(root / "docs" / "deep").root == root / "docs"


@pytest.mark.parametrize(
    "other", ["", "[tool.provider]\nx = 1\n", "[tool]\n", "# [tool.prov]\n", "prov = \n"]
)
def test_without_a_table_the_folder_itself_is_the_root(root: Path, other: str) -> None:
    (root / "pyproject.toml").write_text(other)
    assert Project.discover(root / "docs").root == root / "docs"


def test_a_project_has_defaults(root: Path) -> None:
    project = configured(root, "[tool.prov]\n")
    assert project == Project(root)
    assert (project.manifests, project.db, project.jobs) == (("manifests",), "evidence.db", None)
    assert (project.documents, project.hosts, project.languages) == ((), {}, {})


def test_a_table_is_read(root: Path) -> None:
    project = configured(
        root,
        """
        [tool.prov]
        manifests = ["a", "b/c.yaml"]
        documents = ["docs", {path = "audits", git = "https://example.org/r", revision = "v1"}]
        db = "build/evidence.db"
        jobs = 64
        hosts = {"Git.Example.org" = "gitea", "code.example.org:8443" = "forgejo"}
        languages = {"*.inc" = "cpp", "build/*" = "text"}
        levels = {partial = "failure", shifted = "warning", changed = "ok"}
        """,
    )
    assert project.manifests == ("a", "b/c.yaml")
    assert project.db == "build/evidence.db"
    assert project.jobs == 64
    assert project.levels == {
        Verdict.PARTIAL: Level.FAILURE,
        Verdict.SHIFTED: Level.WARNING,
        Verdict.CHANGED: Level.OK,
    }
    assert project.documents == (
        DocumentSet("docs"),
        DocumentSet("audits", Repository("https://example.org/r", "v1")),
    )
    assert project.hosts == {"git.example.org": Forge.GITEA, "code.example.org:8443": Forge.GITEA}
    assert project.languages == {"*.inc": "cpp", "build/*": "text"}


@pytest.mark.parametrize("forge", Forge)
def test_every_forge_can_be_configured_by_its_name(root: Path, forge: Forge) -> None:
    project = configured(root, f"[tool.prov.hosts]\n'git.example.org' = '{forge.value}'\n")
    assert project.hosts == {"git.example.org": forge}


SCALARS = st.one_of(
    st.text(max_size=8), st.integers(), st.booleans(), st.sampled_from(["gitea", "python", "a"])
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(["path", "git", "revision", "folder"]), st.text()), inner),
    ),
    max_leaves=8,
)


@supposing(value=ANYTHING, key=st.sampled_from(["documents", "hosts", "languages"]))
def test_a_value_is_read_or_told_with_its_key(
    tmp_path_factory: pytest.TempPathFactory, value: object, key: str
) -> None:
    reader = Reader(tmp_path_factory.getbasetemp(), {key: value})
    told = f"pyproject.toml: tool.prov.{key}"
    try:
        {"documents": reader.documents, "hosts": reader.hosts, "languages": reader.languages}[key]()
    except ConfigurationError as error:
        told = str(error)
    assert told.startswith(f"pyproject.toml: tool.prov.{key}")


IN = "path = 'a', git = 'https://example.org/r', revision = 'v1'"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("'docs'", [DocumentSet("docs")]),
        ("['docs', 'README.md']", [DocumentSet("docs"), DocumentSet("README.md")]),
        ("[]", []),
        ("{path = 'a'}", [DocumentSet("a")]),
        (f"{{{IN}}}", [DocumentSet("a", Repository("https://example.org/r", "v1"))]),
        (f"{{{IN}, folder = ''}}", [DocumentSet("a", Repository("https://example.org/r", "v1"))]),
        (f"{{{IN}, folder = '.'}}", [DocumentSet("a", Repository("https://example.org/r", "v1"))]),
        (
            f"{{{IN}, folder = './b//c/'}}",
            [DocumentSet("a", Repository("https://example.org/r", "v1", "b/c"))],
        ),
        (
            "{path = '.', git = '../r', revision = '1e10'}",
            [DocumentSet(".", Repository("../r", "1e10"))],
        ),
    ],
)
def test_documents_are_paths_and_tables(root: Path, line: str, expected: list[DocumentSet]) -> None:
    assert configured(root, f"[tool.prov]\ndocuments = {line}\n").documents == tuple(expected)


def test_documents_can_be_tables_of_their_own(root: Path) -> None:
    text = "[[tool.prov.documents]]\npath = 'a'\n[[tool.prov.documents]]\npath = 'b'\n"
    assert configured(root, text).documents == (DocumentSet("a"), DocumentSet("b"))


@pytest.mark.parametrize(
    ("folder", "path", "place"),
    [("", "a.py", "a.py"), ("src", "a.py", "src/a.py"), ("x/y", "a/b.py", "x/y/a/b.py")],
)
def test_a_place_is_one_of_the_repository(folder: str, path: str, place: str) -> None:
    assert Repository("https://example.org/r", "v1", folder).within(path) == place


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("manifest = 'x'", "tool.prov.manifest: unknown key; expected one of db, documents, hosts"),
        ("manifests = 1", "tool.prov.manifests: expected a path within the project"),
        ("manifests = ['a', 2]", "tool.prov.manifests: expected a path within the project"),
        ("manifests = ''", "tool.prov.manifests: expected a path within the project"),
        ("manifests = '..'", "tool.prov.manifests: .. lies outside the project"),
        ("manifests = 'a/../../b'", "lies outside the project"),
        ("manifests = '/etc'", "tool.prov.manifests: /etc lies outside the project"),
        ("manifests = 'out'", "tool.prov.manifests: out lies outside the project"),
        ("db = '../evidence.db'", "tool.prov.db: ../evidence.db lies outside the project"),
        ("db = '/tmp/evidence.db'", "tool.prov.db: /tmp/evidence.db lies outside the project"),
        ("db = 'postgresql://host/db'", "tool.prov.db: expected a path within the project"),
        ("db = 'sqlite:///x.db'", "tool.prov.db: expected a path within the project"),
        ("db = true", "tool.prov.db: expected a path within the project"),
        (r'db = "a\u0000b"', "tool.prov.db: expected a path within the project"),
        ("jobs = 0", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = 65", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = 1.5", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = true", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("jobs = '4'", "tool.prov.jobs: expected a whole number from 1 to 64"),
        ("levels = 1", "tool.prov.levels: expected a table"),
        ("levels = []", "tool.prov.levels: expected a table"),
        ("levels = {fine = 'ok'}", "tool.prov.levels.fine: not a verdict whose level can be set"),
        ("levels = {unavailable = 'ok'}", "tool.prov.levels.unavailable: not a verdict whose level"),
        ("levels = {partial = 'bad'}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("levels = {partial = 'unavailable'}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("levels = {partial = 1}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("levels = {partial = ['ok']}", "tool.prov.levels.partial: expected ok, warning or failure"),
        ("documents = 1", "tool.prov.documents: expected a path within the project"),
        ("documents = ['a', 2]", "tool.prov.documents: expected a path within the project"),
        ("documents = [['a']]", "tool.prov.documents: expected a path within the project"),
        ("documents = '..'", "tool.prov.documents: .. lies outside the project"),
        ("documents = 'out'", "tool.prov.documents: out lies outside the project"),
        ("documents = ['a', './a/']", "tool.prov.documents: ./a/ is named twice"),
        (f"documents = [{'1,' * 1001}]", "tool.prov.documents: expected at most 1000 paths"),
        ("documents = {}", "tool.prov.documents.path: expected a path within the project"),
        ("documents = [{path = '/etc'}]", "tool.prov.documents.path: /etc lies outside the project"),
        (
            "documents = [{path = 'a', url = 'x'}]",
            "tool.prov.documents.url: unknown key; expected one of path",
        ),
        ("documents = [{path = 'a', git = 'r'}]", "tool.prov.documents.revision: missing key"),
        ("documents = [{path = 'a', revision = 'r'}]", "tool.prov.documents.git: missing key"),
        ("documents = [{path = 'a', folder = 'r'}]", "tool.prov.documents.git: missing key"),
        (
            "documents = [{path = 'a', git = ' r', revision = 'v1'}]",
            "tool.prov.documents.git: expected a line of text",
        ),
        (
            r'documents = [{path = "a", git = "r", revision = "v\n1"}]',
            "tool.prov.documents.revision: expected a line of text",
        ),
        (
            f"documents = [{{path = 'a', git = '{'r' * 1001}', revision = 'v1'}}]",
            "tool.prov.documents.git: expected a line of text",
        ),
        (
            "documents = [{path = 'a', git = '--upload-pack=x', revision = 'v1'}]",
            "tool.prov.documents.git: --upload-pack=x looks like an option",
        ),
        (
            "documents = [{path = 'a', git = 'r', revision = '-x'}]",
            "tool.prov.documents.revision: -x looks like an option",
        ),
        (
            "documents = [{path = 'a', git = 'r', revision = 'v1', folder = '/b'}]",
            "tool.prov.documents.folder: expected a folder of the repository",
        ),
        (
            "documents = [{path = 'a', git = 'r', revision = 'v1', folder = 'b/../..'}]",
            "tool.prov.documents.folder: expected a folder of the repository",
        ),
        (
            "documents = [{path = 'a', git = 'r', revision = 'v1', folder = 1}]",
            "tool.prov.documents.folder: expected a line of text",
        ),
        ("hosts = []", "tool.prov.hosts: expected a table such as {'git.example.org' = 'gitea'}"),
        (
            "hosts = {'a.example' = 'sourceforge'}",
            "tool.prov.hosts.a.example: expected one of azure, bitbucket",
        ),
        ("hosts = {'a.example' = 1}", "tool.prov.hosts.a.example: expected one of azure, bitbucket"),
        ("hosts = {'a.example' = ['gitea']}", "tool.prov.hosts.a.example: expected one of"),
        ("hosts = {'a.example' = 'GITEA'}", "forgejo, gitea, github"),
        ("hosts = {'' = 'gitea'}", "tool.prov.hosts.: expected the name of a host"),
        ("hosts = {'https://a.example' = 'gitea'}", "expected the name of a host, such as git.example.org"),
        ("hosts = {'github.com' = 'gitlab'}", "this host is known, and runs github"),
        ("hosts = {'gitlab.example.org:8443' = 'github'}", "this host is known, and runs gitlab"),
        ("hosts = {'a.example/x' = 'gitea'}", "expected the name of a host"),
        ("hosts = {'a..example' = 'gitea'}", "expected the name of a host"),
        ("hosts = {'u@a.example' = 'gitea'}", "expected the name of a host"),
        ("hosts = {'a.example:0' = 'gitea'}", "expected the name of a host"),
        ("hosts = {'a.example' = 'gitea', 'A.example' = 'gitlab'}", "A.example: this host is named twice"),
        ("languages = 'python'", "tool.prov.languages: expected a table such as {'*.bzl' = 'python'}"),
        ("languages = {'*.x' = 'klingon'}", "tool.prov.languages.*.x: expected one of bash, c, cpp"),
        ("languages = {'*.x' = 'Python'}", "or text for no language"),
        ("languages = {'*.x' = 1}", "tool.prov.languages.*.x: expected one of"),
        ("languages = {'' = 'python'}", "tool.prov.languages.: expected a pattern of file names"),
        (f"languages = {{'{'x' * 101}' = 'python'}}", "expected a pattern of file names"),
        (r'languages = {"*\u001b" = "python"}', "expected a pattern of file names"),
    ],
)
def test_what_a_table_may_not_say_is_told_with_its_key(root: Path, line: str, told: str) -> None:
    (root / "out").symlink_to("..")
    with pytest.raises(ConfigurationError) as caught:
        configured(root, f"[tool.prov]\n{line}\n")
    assert str(caught.value).startswith("pyproject.toml: tool.prov.")
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["[tool.prov]\nx = \n", "[tool.prov]\njobs = 1\njobs = 2\n", "[[tool.prov]]\njobs = 1\n"],
    ids=["syntax", "twice", "a list"],
)
def test_a_configuration_that_is_no_table_is_told(root: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^pyproject\.toml: "):
        configured(root, text)


def test_a_path_in_circles_stays_within(root: Path) -> None:
    (root / "circle").symlink_to("circle")
    assert configured(root, "[tool.prov]\ndb = 'circle/x.db'\n").db == "circle/x.db"


def test_a_configuration_that_is_no_text_is_told(root: Path) -> None:
    (root / "pyproject.toml").write_bytes(b"[tool.prov]\n# \xff\n")
    with pytest.raises(ConfigurationError, match=r"^pyproject\.toml: "):
        Project.discover(root)


def test_a_configuration_elsewhere_is_not_read(root: Path) -> None:
    (root.parent / "x.toml").write_text("[tool.prov]\njobs = 2\n")
    (root / "pyproject.toml").symlink_to("../x.toml")
    with pytest.raises(UsageError, match="leads out of"):
        Project.discover(root)


def names(files: list[ManifestFile]) -> list[str]:
    return [file.name for file in files]


@pytest.fixture
def project(root: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(root)
    for name in ("manifests/b.yaml", "manifests/a.yml", "manifests/in/c.yaml", "elsewhere.yaml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    for name in ("manifests/.hidden.yaml", "manifests/.git/x.yaml", "manifests/prov.lock", "manifests/n.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("not a manifest")
    (root / "manifests" / "folder.yaml").mkdir()
    return Project(root)


def test_a_folder_holds_the_manifests_below_it(project: Project) -> None:
    assert names(project.manifest_files([])) == ["manifests/a.yml", "manifests/b.yaml", "manifests/in/c.yaml"]
    assert names(project.manifest_files(["manifests/in"])) == ["manifests/in/c.yaml"]


def test_a_file_is_a_manifest_whatever_its_name(project: Project) -> None:
    assert names(project.manifest_files(["manifests/n.md"])) == ["manifests/n.md"]
    assert names(project.manifest_files(["manifests/.hidden.yaml"])) == ["manifests/.hidden.yaml"]


@pytest.mark.parametrize(
    "spelling",
    ["manifests/b.yaml", "./manifests/b.yaml", "manifests/in/../b.yaml", "{root}/manifests/b.yaml"],
)
def test_a_manifest_that_is_named_in_two_ways_is_one(project: Project, spelling: str) -> None:
    given = spelling.format(root=project.root)
    assert names(project.manifest_files([given, "manifests"])) == [
        "manifests/a.yml",
        "manifests/b.yaml",
        "manifests/in/c.yaml",
    ]


def test_names_are_relative_to_the_root_from_any_folder(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root / "docs")
    assert names(project.manifest_files(["../elsewhere.yaml"])) == ["elsewhere.yaml"]
    assert names(project.manifest_files([]))[0] == "manifests/a.yml"


def test_a_manifest_outside_keeps_the_name_it_was_given(project: Project) -> None:
    outside = project.root.parent / "other.yaml"
    outside.write_text("x")
    (found,) = project.manifest_files([str(outside)])
    assert found.name == outside.as_posix()
    assert found.read() == b"x"


def test_what_is_not_there_is_told(project: Project) -> None:
    with pytest.raises(UsageError, match=r"gone\.yaml: no such file or folder"):
        project.manifest_files(["manifests", "gone.yaml"])
    with pytest.raises(UsageError, match=r"^manifests: no such file or folder; name one, or make"):
        Project(project.root / "docs").manifest_files([])


def test_no_manifest_at_all_is_told(project: Project) -> None:
    with pytest.raises(UsageError, match=r"no manifest in docs: expected files that end in \.yaml or \.yml"):
        project.manifest_files(["docs"])


def is_page(name: str) -> bool:
    return name.endswith(".md")


@pytest.fixture
def pages(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    for name in (
        "README.md",
        "docs/b.md",
        "docs/a.md",
        "docs/a.txt",
        "docs/in/c.md",
        "docs/in/.hidden.md",
        "docs/.git/x.md",
        "docs/node_modules/x/y.md",
        "docs/__pycache__/z.md",
        "docs/env/lib/w.md",
        "docs/environment/v.md",
    ):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    (root / "docs/env/pyvenv.cfg").write_text("home = /usr/bin\n")
    (root / "docs/folder.md").mkdir()
    return root


def documents(project: Project, *given: str) -> list[str]:
    return [file.name for file in project.document_files(given, is_page)]


WALKED = ["docs/a.md", "docs/b.md", "docs/environment/v.md", "docs/in/c.md"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["docs"], WALKED),
        (["docs/in", "docs"], WALKED),
        (["docs/a.txt"], ["docs/a.txt"]),
        (["docs/in/.hidden.md", "README.md"], ["README.md", "docs/in/.hidden.md"]),
        (["docs/a.md", "./docs/in/../a.md"], ["docs/a.md"]),
        (["docs/env"], ["docs/env/lib/w.md"]),
        (["docs/node_modules"], ["docs/node_modules/x/y.md"]),
        (["."], ["README.md", *WALKED]),
    ],
)
def test_paths_mean_documents(pages: Path, given: Sequence[str], expected: list[str]) -> None:
    assert documents(Project(pages), *given) == expected


def test_documents_that_are_configured_are_meant_where_none_is_named(
    pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project(pages, documents=(DocumentSet("docs/in"), DocumentSet("README.md")))
    monkeypatch.chdir(pages / "docs")
    assert documents(project) == ["README.md", "docs/in/c.md"]
    assert documents(project, "b.md") == ["docs/b.md"]


@pytest.mark.parametrize(
    ("configured_", "given", "told"),
    [
        ((), [], r"no document is named: give a path, or set tool\.prov\.documents in pyproject\.toml"),
        ((), ["manifests"], "manifests: no such file or folder"),
        (("gone.md",), [], r"gone\.md: no such file or folder"),
        (("docs",), ["docs/folder.md"], r"no document in docs/folder\.md"),
        (("docs/folder.md", "docs/deep"), [], r"no document in docs/folder\.md, docs/deep"),
    ],
)
def test_no_document_at_all_is_told(
    pages: Path, configured_: tuple[str, ...], given: Sequence[str], told: str
) -> None:
    project = Project(pages, documents=tuple(map(DocumentSet, configured_)))
    with pytest.raises(UsageError, match=told):
        documents(project, *given)


def repositories(files: list[DocumentFile]) -> dict[str, str | None]:
    return {file.name: file.repository.git if file.repository else None for file in files}


@pytest.mark.parametrize("given", [[], ["README.md", "docs"], ["."], ["docs/../docs", "{root}/README.md"]])
def test_the_nearest_set_tells_which_repository_a_document_speaks_of(
    pages: Path, given: Sequence[str]
) -> None:
    sets = (
        DocumentSet("README.md"),
        DocumentSet("./docs/", Repository("outer", "v1")),
        DocumentSet("docs/in", Repository("inner", "v1")),
        DocumentSet("docs/environment"),
    )
    found = Project(pages, documents=sets).document_files([one.format(root=pages) for one in given], is_page)
    assert repositories(found) == {
        "README.md": None,
        "docs/a.md": "outer",
        "docs/b.md": "outer",
        "docs/environment/v.md": None,
        "docs/in/c.md": "inner",
    }


def test_a_name_that_begins_like_a_set_is_not_in_it(pages: Path) -> None:
    sets = (DocumentSet("docs/env", Repository("r", "v1")),)
    (found,) = Project(pages, documents=sets).document_files(["docs/environment"], is_page)
    assert found.repository is None


def test_a_document_is_read_within_bounds(pages: Path) -> None:
    (pages / "docs" / "large.md").touch()
    (large,) = Project(pages).document_files(["docs/large.md"], is_page)
    assert large.read() == b""
    with (pages / "docs" / "large.md").open("wb") as stream:
        stream.truncate(16 * 1024 * 1024 + 1)
    with pytest.raises(UsageError, match="at most 16777216 are read"):
        large.read()


def test_a_link_leads_to_no_document_outside(pages: Path) -> None:
    outside = pages.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (pages / "docs" / "link.md").symlink_to(outside / "secret.md")
    (pages / "docs" / "inside.md").symlink_to("../README.md")
    (pages / "docs" / "folder").symlink_to(outside)
    found = {file.name: file for file in Project(pages).document_files(["docs"], is_page)}
    assert list(found) == [
        "docs/a.md",
        "docs/b.md",
        *["docs/environment/v.md", "docs/in/c.md"],
        "docs/inside.md",
        "docs/link.md",
    ]
    assert found["docs/inside.md"].read() == b"README.md"
    with pytest.raises(UsageError, match="leads out of"):
        found["docs/link.md"].read()
    (named,) = Project(pages).document_files(["docs/folder"], is_page)
    with pytest.raises(UsageError, match="leads out of"):
        named.read()
    (own,) = Project(pages).document_files([str(outside)], is_page)
    assert own.read() == b"secret"


def outside_of(project: Project) -> Path:
    outside = project.root.parent / "outside"
    outside.mkdir()
    (outside / "secret.yaml").write_text("secret")
    return outside


def linked_file(project: Project) -> list[str]:
    (project.root / "manifests" / "x.yaml").symlink_to(outside_of(project) / "secret.yaml")
    return []


def linked_file_by_name(project: Project) -> list[str]:
    linked_file(project)
    return ["manifests/x.yaml"]


def linked_folder_by_name(project: Project) -> list[str]:
    (project.root / "manifests" / "x").symlink_to(outside_of(project))
    return ["manifests/x"]


def linked_default(project: Project) -> list[str]:
    (project.root / "manifests").rename(project.root / "was")
    (project.root / "manifests").symlink_to(outside_of(project))
    return []


@pytest.mark.parametrize("make", [linked_file, linked_file_by_name, linked_folder_by_name, linked_default])
def test_a_link_in_the_project_leads_to_no_manifest_outside(
    project: Project, make: Callable[[Project], list[str]]
) -> None:
    files = project.manifest_files(make(project))
    (found,) = [file for file in files if file.file.resolve().name == "secret.yaml"]
    with pytest.raises(UsageError, match="leads out of"):
        found.read()


def test_a_link_in_circles_is_told_when_it_is_read(project: Project) -> None:
    (project.root / "manifests" / "x.yaml").symlink_to("x.yaml")
    (found,) = [file for file in project.manifest_files([]) if file.name == "manifests/x.yaml"]
    with pytest.raises(UsageError, match="cannot be read"):
        found.read()


def test_what_was_named_outside_bounds_its_links_too(project: Project) -> None:
    outside = outside_of(project)
    (outside / "in.yaml").symlink_to("secret.yaml")
    (outside / "out.yaml").symlink_to(project.root / "elsewhere.yaml")
    files = {file.name: file for file in project.manifest_files([str(outside)])}
    assert files[f"{outside}/in.yaml"].read() == b"secret"
    with pytest.raises(UsageError, match="leads out of"):
        files[f"{outside}/out.yaml"].read()


def test_each_folder_has_its_lock(project: Project) -> None:
    (project.root / "manifests" / "prov.lock").write_text(locks.render(Lock()))
    lock_files = LockFiles(project)
    found = {file.name: lock_files.of(file) for file in project.manifest_files([])}
    assert found["manifests/a.yml"] is found["manifests/b.yaml"]
    assert found["manifests/in/c.yaml"] is not found["manifests/b.yaml"]
    assert [lock.name for lock in lock_files.all()] == ["manifests/prov.lock", "manifests/in/prov.lock"]
    assert found["manifests/a.yml"].sha256
    assert found["manifests/in/c.yaml"].sha256 == ""
    assert not found["manifests/in/c.yaml"].lock.citations


def test_one_lock_is_one_however_its_manifests_are_named(project: Project) -> None:
    lock_files = LockFiles(project)
    given = ["manifests/a.yml", str(project.root / "manifests/b.yaml"), "docs/../manifests/n.md"]
    found = {id(lock_files.of(file)) for file in project.manifest_files(given)}
    assert len(found) == 1


def test_the_lock_that_the_command_line_names_speaks_of_all(project: Project) -> None:
    (project.root.parent / "x.lock").write_text(locks.render(Lock()))
    lock_files = LockFiles(project, "../x.lock")
    (lock,) = {lock_files.of(file) for file in project.manifest_files([])}
    assert lock.sha256
    assert lock.key(project.root / "manifests" / "a.yml") == "project/manifests/a.yml"


def test_a_lock_names_manifests_relative_to_its_folder(project: Project) -> None:
    files = {file.name: file for file in project.manifest_files([])}
    beside = LockFiles(project).of(files["manifests/b.yaml"])
    assert beside.key(files["manifests/b.yaml"].file) == "b.yaml"
    assert beside.key(files["manifests/in/c.yaml"].file) == "in/c.yaml"
    deep = LockFiles(project).of(files["manifests/in/c.yaml"])
    assert deep.key(files["manifests/b.yaml"].file) == "../b.yaml"


def lock_that_leads_out(folder: Path) -> None:
    (folder.parent.parent / "x.lock").write_text(locks.render(Lock()))
    (folder / "prov.lock").symlink_to("../../x.lock")


def lock_that_is_a_folder(folder: Path) -> None:
    (folder / "prov.lock").mkdir()


@pytest.mark.parametrize("make", [lock_that_leads_out, lock_that_is_a_folder])
def test_a_lock_that_cannot_be_read_is_told(project: Project, make: Callable[[Path], None]) -> None:
    (project.root / "manifests" / "prov.lock").unlink()
    make(project.root / "manifests")
    (file, *_) = project.manifest_files([])
    with pytest.raises(LockError, match=r"prov\.lock: "):
        LockFiles(project).of(file)


def test_a_malformed_lock_is_told_when_it_is_looked_into(project: Project) -> None:
    (file, *_) = project.manifest_files([])
    lock_file = LockFiles(project).of(file)
    with pytest.raises(LockError, match=r"^manifests/prov\.lock: not a lock"):
        _ = lock_file.lock
    with pytest.raises(LockError, match=r"^manifests/prov\.lock: not a lock"):
        _ = lock_file.known_lock


def test_a_known_lock_says_what_the_lock_says(project: Project) -> None:
    (project.root / "manifests" / "prov.lock").write_text(locks.render(Lock()))
    (file, *_) = project.manifest_files([])
    lock_file = LockFiles(project).of(file)
    assert dict(lock_file.known_lock.citations) == {}
    whole = LockFiles(project).of(file)
    assert whole.lock is whole.known_lock


@pytest.mark.parametrize(
    "text",
    [
        '[tool]\nprov.levels.exact = "failure"\n',
        '[tool."prov"]\nlevels.exact = "failure"\n',
        "[ 'tool' . 'prov' ]\nlevels = {exact = 'failure'}\n",
        'tool.prov.levels.exact = "failure"\n',
    ],
)
def test_the_table_is_found_however_it_is_spelt(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert Project.discover(tmp_path).levels == {Verdict.EXACT: Level.FAILURE}


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 100_000 + "\n# tool.prov\n",
        "x = " + "9" * 5_000 + "\n[tool.prov]\n",
        f"[tool.prov]\ndb = '{'x' * 5_000}'\n",
        "[tool.prov]\nmanifests = []\n",
        "[tool.prov",
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError):
        Project.discover(tmp_path)

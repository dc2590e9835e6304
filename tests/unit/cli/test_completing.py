from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.workspace import Workspace, cite, source

from provenance.cli.completion import complete, glued
from provenance.cli.main import prov
from provenance.errors import UsageError
from provenance.store.names import ids, places, sources

if TYPE_CHECKING:
    from pathlib import Path

REVISION = "1" * 40


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose evidence database is there; nothing of it could be had."""
    workspace = Workspace(tmp_path_factory.mktemp("completing"))
    engine, other = source(REVISION), source(REVISION, name="engine-2", git="https://example.org/two")
    workspace.write(
        cite(engine, "open", path="src/valve.py", lines="5-6"),
        cite(engine, "open-too", path="src/valve.py", lines="9"),
        cite(engine, "close", path="src/deep/pump.py", lines="1-3"),
        cite(engine, "$(touch owned)", path="src/$(touch owned).py"),
        cite(engine, "two words", path="src/two words.py"),
        cite(engine, "star*", path="src/`touch owned`.py"),
        cite(other, "other", path="valves/valve.py", lines="2-4"),
        cite(other, "at@home:x", path="valves/valve.py", lines="2-4"),
    )
    workspace.verify()
    return workspace.root


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    return project


def offered(
    words: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    shell: str = "bash",
) -> list[str]:
    """What a shell is told for the last of some words, as it splits them."""
    monkeypatch.setenv("COMP_WORDS", " ".join(words))
    monkeypatch.setenv("COMP_CWORD", words[-1] if shell == "fish" else str(len(words) - 1))
    assert complete(prov, f"{shell}_complete") == 0
    out, said = capsys.readouterr()
    assert said == ""
    return out.split("\n")[:-1] if out != "\n" else []


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "values"),
    [
        (["prov", "sch"], ["schema"]),
        (["prov", "nothing"], []),
        (["prov", "verify", "--lock"], ["--locked", "--lock"]),
        (["prov", "fetch", "--assurance", "l"], ["locked"]),
        (["prov", "fetch", "--assurance", "=", "l"], ["locked"]),
        (["prov", "show", "op"], ["open", "open-too"]),
        (["prov", "show", "open-"], ["open-too"]),
        (["prov", "show", "src/"], ["src/deep/pump.py:1-3", "src/valve.py:5-6", "src/valve.py:9"]),
        (["prov", "show", "valv"], ["valves/valve.py:2-4"]),
        (["prov", "show", "valve."], ["valve.py:5-6", "valve.py:9", "valve.py:2-4"]),
        (["prov", "show", "valve.py", ":", "5"], ["5-6"]),
        (["prov", "show", "valve.py", ":"], ["5-6", "9", "2-4"]),
        (["prov", "show", "pump"], ["pump.py:1-3"]),
        (["prov", "show", "$"], []),
        (["prov", "show", "two"], []),
        (["prov", "show", "%"], []),
        (["prov", "fetch", "--update", ""], ["engine", "engine-2"]),
        (["prov", "drift", "--to", "engine-"], ["engine-2="]),
        (["prov", "drift", "--to", "engine", "=", "v"], []),
        (["prov", "drift", "--accept", "cl"], ["close"]),
        (["prov", "log", "cl"], ["close"]),
        (["prov", "cite", "--source", "e"], ["engine", "engine-2"]),
        (["prov", "show", "--db", "not-there.db", "op"], []),
        (["prov", "show", "--db", "postgresql://nobody@example.org/x", "op"], []),
        (["prov", "nonsense", "op"], []),
    ],
    ids=lambda value: " ".join(value) or "nothing",
)
def test_what_is_offered(
    words: list[str],
    values: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert offered(words, monkeypatch, capsys) == [f"plain,{value}" for value in values]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("words", "kind"),
    [
        *(
            (f"prov {what} ma", "file")
            for what in (
                "verify",
                "fetch",
                "drift",
                "scan",
                "report",
                "import",
                "import -o",
                "verify --db",
                "verify --lock",
                "verify --output",
                "scan --write-manifest",
                "cite --append",
            )
        ),
        *((f"prov {what} ma", "dir") for what in ("crawl -o", "report -o")),
    ],
)
def test_files_and_folders_are_left_to_the_shell(
    words: str, kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered(words.split(), monkeypatch, capsys) == [f"{kind},ma"]


@pytest.mark.usefixtures("here")
def test_other_shells_are_told_more(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered(["prov", "show", "clo"], monkeypatch, capsys, "fish") == ["plain,close\tsrc/deep/pump.py"]
    assert offered(["prov", "show", "clo"], monkeypatch, capsys, "zsh") == [
        *("plain", "close", "src/deep/pump.py")
    ]
    assert offered(["prov", "sche"], monkeypatch, capsys, "zsh") == [
        *("plain", "schema", "Print the manifest's JSON Schema.")
    ]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("breaks", "words", "offer"),
    [
        (" \t\n\"'@><=;|&(:", ["at", "@"], "home:x"),
        (" \t\n\"'@><=;|&(:", ["at", "@", "home", ":"], "x"),
        (" \t\n\"'><=;|&(:", ["at@ho"], "at@home:x"),
        (" \t\n\"'><=;|&(:", ["at@home", ":"], "x"),
        (" \t\n\"'@><=;|&(", ["at", "@", "home:"], "home:x"),
        (" \t\n", ["at@home:"], "at@home:x"),
        ("", ["at@home:"], "at@home:x"),
    ],
)
def test_bash_may_break_words_where_its_user_likes(
    breaks: str,
    words: list[str],
    offer: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COMP_WORDBREAKS", breaks)
    assert offered(["prov", "show", *words], monkeypatch, capsys) == [f"plain,{offer}"]


def test_a_database_out_of_the_project_is_not_read(
    here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evidence.db").symlink_to(here / "evidence.db")
    assert offered(["prov", "show", "op"], monkeypatch, capsys) == []
    assert offered(["prov", "show", "--db", "evidence.db", "op"], monkeypatch, capsys) != []


def test_nothing_is_said_where_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert offered(["prov", "show", ""], monkeypatch, capsys) == []
    (tmp_path / "evidence.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert offered(["prov", "show", ""], monkeypatch, capsys) == []
    (tmp_path / "pyproject.toml").write_text("[tool.prov", encoding="utf-8")
    assert offered(["prov", "show", ""], monkeypatch, capsys) == []
    assert {file.name for file in tmp_path.iterdir()} == {"evidence.db", "pyproject.toml"}


def test_a_shell_that_does_not_say_what_it_completes_is_not_talked_to(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COMP_WORDS", raising=False)
    assert complete(prov, "bash_complete") == 2
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("instruction", ["", "bash", "tcsh_source", "bash_nothing", "1"])
def test_a_person_who_asks_wrongly_is_told(instruction: str) -> None:
    with pytest.raises(UsageError, match="expected bash_source, zsh_source or fish_source"):
        complete(prov, instruction)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_its_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert complete(prov, f"{shell}_source") == 0
    script = capsys.readouterr().out
    assert f"_PROV_COMPLETE={shell}_complete" in script
    assert "_prov_completion" in script


def test_the_database_is_not_made(tmp_path: Path) -> None:
    where = str(tmp_path / "x.db")
    assert [*ids(where, "", 5), *places(where, "", 5), *sources(where, "", 5)] == []
    assert list(tmp_path.iterdir()) == []


def test_no_more_is_offered_than_is_asked_for(here: Path) -> None:
    where = str(here / "evidence.db")
    assert len(ids(where, "", 2)) == len(places(where, "", 2)) == 2
    assert len(sources(where, "", 1)) == 1


@given(st.lists(st.text(st.sampled_from("ab:=@"), min_size=1)), st.text(st.sampled_from(":=@")))
def test_gluing_words_keeps_every_letter(words: list[str], breaks: str) -> None:
    assert "".join(glued(words, breaks)) == "".join(words)
    assert not any(set(word) <= set(breaks) for word in glued(words, breaks)[1:])


@pytest.mark.usefixtures("here")
def test_all_that_is_not_free_text_completes() -> None:
    free = {
        *("at", "jobs", "context", "allow_host", "depth", "max_pages", "delay", "urls", "since", "until"),
        *("because", "git", "revision", "symbol", "id_", "claim", "of"),
    }
    for name in prov.list_commands(click.Context(prov)):
        command = prov.get_command(click.Context(prov), name)
        assert command is not None
        for parameter in command.params:
            is_flag = isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count)
            if not is_flag and parameter.name not in free:
                assert parameter.shell_complete(click.Context(command), ""), f"{name}: {parameter.name}"

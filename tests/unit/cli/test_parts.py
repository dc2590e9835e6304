from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import click
import pytest
from support.results import Made
from support.screens import bare

from provenance.cli.exits import Exit, exit_code
from provenance.cli.options import Reach
from provenance.cli.output import Target, print_problems, target, write
from provenance.cli.talk import Talk
from provenance.errors import UsageError
from provenance.evidence import Assurance, Judgement, Level, Summary, Verdict
from provenance.gather import Asking
from provenance.project import Project
from provenance.report.run import Findings

if TYPE_CHECKING:
    from collections.abc import Callable


def summary(*, warning: int = 0, failure: int = 0, unavailable: int = 0) -> Summary:
    return Summary(9 + warning + failure + unavailable, 9, warning, failure, unavailable, {})


ALL = summary(warning=1, failure=1, unavailable=1)
WARNED, UNREACHED = summary(warning=1), summary(unavailable=1)
BOTH = summary(warning=1, unavailable=1)


@pytest.mark.parametrize(
    ("found", "problems", "strict", "code"),
    [
        (summary(), False, False, Exit.OK),
        (summary(), False, True, Exit.OK),
        (summary(), True, False, Exit.USAGE),
        (WARNED, False, False, Exit.OK),
        (WARNED, False, True, Exit.FAILURE),
        (summary(failure=1), False, False, Exit.FAILURE),
        (UNREACHED, False, False, Exit.UNAVAILABLE),
        (UNREACHED, False, True, Exit.UNAVAILABLE),
        (BOTH, False, False, Exit.UNAVAILABLE),
        (BOTH, False, True, Exit.FAILURE),
        (ALL, False, False, Exit.FAILURE),
        (ALL, True, True, Exit.USAGE),
    ],
)
def test_input_goes_before_failures_and_they_before_what_was_not_reached(
    found: Summary, code: Exit, *, problems: bool, strict: bool
) -> None:
    assert exit_code(found, problems=problems, strict=strict) is code


def test_exit_codes_are_what_the_manual_says() -> None:
    assert {item.name: item.value for item in Exit} == {
        "OK": 0,
        "FAILURE": 1,
        "USAGE": 2,
        "UNAVAILABLE": 3,
        "FAULT": 4,
        "INTERRUPTED": 130,
    }


@pytest.mark.parametrize(
    ("text", "format_", "file"),
    [
        ("out.txt", "text", "out.txt"),
        ("out.json", "json", "out.json"),
        ("out.jsonl", "jsonl", "out.jsonl"),
        ("out.xml", "junit", "out.xml"),
        ("out.sarif", "sarif", "out.sarif"),
        ("out.sarif.json", "sarif", "out.sarif.json"),
        ("out.md", "markdown", "out.md"),
        ("a/gl.gitlab.json", "gitlab", "a/gl.gitlab.json"),
        ("v1.2.intoto.json", "intoto", "v1.2.intoto.json"),
        ("gitlab:gl-code-quality-report.json", "gitlab", "gl-code-quality-report.json"),
        ("intoto:a", "intoto", "a"),
        ("build/v1.2/report.json", "json", "build/v1.2/report.json"),
        ("v1.2.json", "json", "v1.2.json"),
        ("json:out", "json", "out"),
        ("jsonl:out.json", "jsonl", "out.json"),
        ("text:a:b.json", "text", "a:b.json"),
        ("./a:b.json", "json", "./a:b.json"),
        ("/tmp/out.json", "json", "/tmp/out.json"),  # noqa: S108 - a name, which is not written to
    ],
)
def test_a_report_takes_its_format_from_its_prefix_or_its_ending(text: str, format_: str, file: str) -> None:
    assert target(text) == Target(format_, Path(file))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "out",
        "out.pdf",
        "a/.intoto.json",
        ".gitlab.json",
        "json",
        ".json",
        "sarif:",
        "xml:out",
    ],
)
def test_a_format_that_is_not_written_is_told(text: str) -> None:
    expected = r"--output .*: expected an ending of \.txt, \.json, \.jsonl, .*\.intoto\.json, or a prefix"
    with pytest.raises(UsageError, match=expected):
        target(text)


def test_talk_goes_to_stderr_once_and_is_inert(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Talk(verbose=0, quiet=False)
    for text in ("a slower way was taken", "a slower way was taken", "\x1b[2Jescape"):
        talk.say(text)
    talk.done()
    out, said = capsys.readouterr()
    assert out == ""
    assert said.count("a slower way was taken") == 1
    assert "\x1b" not in said
    assert all(line.startswith("prov: ") for line in said.splitlines())


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    talk = Talk(verbose=0, quiet=True)
    talk.say("something")
    talk.advance("https://example.org", received=10, objects=1)
    talk.done()
    assert capsys.readouterr() == ("", "")


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let stderr be a terminal of 100 columns, and a run be told of at once."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("provenance.cli.talk._GRACE", 0)
    monkeypatch.setattr("provenance.cli.talk._REDRAW", 0)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_progress_has_a_row_a_transfer_and_one_for_what_is_judged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)
    talk = Talk(verbose=0, quiet=False)
    talk.advance("https://example.org/a", received=1_500_000, objects=3)
    talk.advance("\x1b[2J[red]" + "x" * 200, received=2_500, objects=4)
    talk.judged(1234)
    talk.say("a line of talk [bold]")
    drawn = bare(capsys.readouterr().err)
    rows = drawn.rpartition("a line of talk [bold]\n")[2].split("\n")
    assert [re.sub(r" +", " ", row.strip()) for row in rows] == [
        "https://example.org/a 3 objects 1.5 MB",
        f"…{'x' * 59} 4 objects 2.5 kB",
        "judging: 1,234 citations",
    ]
    talk.done()
    assert re.fullmatch(r"[\s\S]*\n(?:\r?\x1b\[1A\x1b\[2K){3}", capsys.readouterr().err), "all is taken away"


def test_what_advanced_last_has_a_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)
    talk = Talk(verbose=0, quiet=False)
    for number in (*range(12), 0):
        talk.advance(f"repository-{number}.", received=1)
    drawn = capsys.readouterr().err.rpartition("\x1b[2K")[2]
    assert re.findall(r"repository-(\d+)\.", drawn) == ["0", *map(str, range(5, 12))]
    assert "and 4 more" in drawn


@pytest.mark.parametrize(
    ("where", "value", "drawn"),
    [
        ("TERM", "xterm", True),
        ("TERM", "dumb", False),
        ("NO_COLOR", "1", True),
    ],
)
def test_progress_is_for_terminals_that_can_take_a_line_back(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    where: str,
    value: str,
    *,
    drawn: bool,
) -> None:
    on_terminal(monkeypatch)
    monkeypatch.setenv(where, value)
    talk = Talk(verbose=0, quiet=False)
    talk.judged(10)
    said = capsys.readouterr().err
    assert ("judging" in said) is drawn
    assert where != "NO_COLOR" or "m" not in re.findall(r"\x1b\[[\d;]*(\w)", said)
    talk.done()


def test_progress_is_not_drawn_elsewhere(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provenance.cli.talk._GRACE", 0)
    talk = Talk(verbose=0, quiet=False)
    talk.advance("https://example.org", received=10, objects=1)
    talk.done()
    assert capsys.readouterr().err == ""


def test_progress_is_drawn_after_a_while_and_not_more_often_than_it_can_be_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([0.0, 0.1, 0.29, 0.31, 0.35, 0.4, 0.42, 5.0])
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("provenance.cli.talk.time", SimpleNamespace(monotonic=lambda: next(now)))
    talk = Talk(verbose=0, quiet=False)
    for number in range(1, 8):
        talk.judged(number)
    drawn = bare(capsys.readouterr().err)
    assert re.findall(r"judging: (\d+)", drawn) == ["3", "6", "7"]


def test_progress_is_taken_away_when_the_command_ends_however_that_comes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)

    def interrupted() -> None:
        Talk(verbose=0, quiet=False).judged(1)
        raise KeyboardInterrupt

    command = click.Command("x", callback=interrupted)
    with pytest.raises(click.Abort):
        command.main([], standalone_mode=False)
    assert capsys.readouterr().err.endswith("\x1b[2K\n"), "and click ends the line"


def test_several_threads_may_talk(capsys: pytest.CaptureFixture[str]) -> None:
    talk = Talk(verbose=0, quiet=False)
    threads = [threading.Thread(target=talk.say, args=(f"line {number % 5}",)) for number in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(capsys.readouterr().err.splitlines()) == [f"prov: line {number}" for number in range(5)]


def out(root: Path) -> None:
    (root.parent / "elsewhere.db").touch()
    (root / "evidence.db").symlink_to("../elsewhere.db")


def dangling(root: Path) -> None:
    (root / "evidence.db").symlink_to("../not-there.db")


@pytest.mark.parametrize("make", [out, dangling])
def test_a_database_that_is_a_link_out_of_the_project_is_refused(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    root = tmp_path / "project"
    root.mkdir()
    make(root)
    with pytest.raises(UsageError, match=r"evidence\.db is a link that leads out of the project"):
        Reach().store(Project(root), "test")
    with Reach(db=str(root / "evidence.db")).store(Project(root), "test") as store:
        assert store.manifests() == {}, "what the command line names is the user's own choice"


def test_a_database_that_is_a_link_in_circles_is_none(tmp_path: Path) -> None:
    (tmp_path / "evidence.db").symlink_to("evidence.db")
    with Reach().store(Project(tmp_path), "test") as store:
        assert store.manifests() == {}


def test_what_the_command_line_says_goes_before_the_project(tmp_path: Path) -> None:
    project = Project(tmp_path, jobs=3)
    assert Reach().asking(Project(tmp_path), None).jobs == 4
    assert Reach().asking(project, None).jobs == 3
    asking = Reach(jobs=7, refresh=True, assurance="locked").asking(project, None, ("engine",))
    assert asking == Asking(None, refresh=True, update=frozenset({"engine"}), least=Assurance.LOCKED, jobs=7)
    assert Reach(offline=True).origins(project, Talk(verbose=0, quiet=True)) is None


HOLDS = Made(id="holds").evidence()
BROKEN = replace(
    Made(id="broken").evidence(), judgement=Judgement(Verdict.CHANGED, "it differs"), level=Level.FAILURE
)


def findings(count: int = 1) -> Findings:
    """One failure after some that hold."""
    found = Summary(count + 1, count, 0, 1, 0, {Assurance.COMMIT: count + 1})
    return Findings(found, lambda: iter([*[HOLDS] * count, BROKEN]), lambda: iter([BROKEN]))


def test_a_report_goes_to_stdout_and_to_as_many_files_as_are_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    targets = [target(str(tmp_path / "new" / name)) for name in ("a.txt", "a.json", "a.jsonl")]
    write(findings(), "json", targets, everything=False)
    out, said = capsys.readouterr()
    assert said == ""
    assert json.loads(out)["summary"]["failure"] == 1
    written = {file.name: file.read_text() for file in (tmp_path / "new").iterdir()}
    assert set(written) == {"a.txt", "a.json", "a.jsonl"}
    assert written["a.json"] == out
    assert [json.loads(line)["id"] for line in written["a.jsonl"].splitlines()] == ["holds", "broken"]
    assert "broken" in written["a.txt"]
    assert "\x1b" not in written["a.txt"]


@pytest.mark.parametrize(
    ("count", "everything", "listed"), [(1, False, 1), (150, False, 0), (150, True, 150)]
)
def test_a_long_text_lists_what_does_not_hold(
    capsys: pytest.CaptureFixture[str], count: int, listed: int, *, everything: bool
) -> None:
    write(findings(count), "text", [], everything=everything)
    out = capsys.readouterr().out
    assert out.count("holds") >= listed
    assert ("conv_hidden_relu" in out or "broken" in out) is True
    assert (out.count(" holds") == 0) is (listed == 0)


@pytest.mark.parametrize("format_", ["json", "sarif", "junit", "github", "gitlab", "markdown"])
def test_what_machines_read_on_stdout_is_utf_8_whatever_the_terminal_s_encoding_is(
    monkeypatch: pytest.MonkeyPatch, format_: str
) -> None:
    data = BytesIO()
    stream = TextIOWrapper(data, encoding="latin-1", errors="backslashreplace")
    monkeypatch.setattr("sys.stdout", stream)
    found = replace(findings(), notable=lambda: iter([replace(BROKEN, notes=("é → x",))]))
    write(replace(found, every=found.notable), format_, [], everything=False)
    assert "é → x" in data.getvalue().decode()


def test_a_report_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written"):
        write(findings(), "text", [Target("json", tmp_path / "file" / "a.json")], everything=False)


def test_a_problem_is_told_once_and_is_inert(capsys: pytest.CaptureFixture[str]) -> None:
    print_problems(["one", "two\x1b[2J", "one", "::error::x"])
    out, said = capsys.readouterr()
    assert out == ""
    assert said.splitlines()[0] == "prov: one"
    assert len(said.splitlines()) == 3
    assert "\x1b" not in said

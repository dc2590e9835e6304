"""What reports look like: text, json and jsonl, on stdout and in files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from support.project import Cite, Project, Source, World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEYS = [
    *("manifest", "id", "kind", "source", "git", "revision", "path", "lines", "verdict", "level", "message"),
    *("difference", "similarity", "found_at", "suggestion", "omitted", "diff", "symbol", "symbols", "notes"),
    *("ungrounded", "assurance", "origin", "permalink", "swhid"),
]


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """One citation of each level, fetched; nobody need be asked again."""
    with World(tmp_path_factory.mktemp("formats")) as world:
        commit = world.repository.commit({"m.py": "def f():\n    x = 1\n    y = 2\n    return x + y\n"})
        (world.project.home / ".gitconfig").write_text(
            f'[url "{world.url}"]\n\tinsteadOf = https://github.com/o/r\n'
        )
        code = Source("https://github.com/o/r", commit[:10])
        world.project.manifest(
            {
                "code": code,
                "gone": Source("https://github.com/o/r", "v9"),
                "down": Source(f"{world.url}.no", commit),
            },
            Cite("ok", "m.py", "1-2", "def f():\n    x = 1\n"),
            Cite("warning", "m.py", "1-4", "def f():\n    x = 1\n"),
            Cite("unavailable", "m.py", "1", "def f():\n", source="down"),
            Cite("failure", "m.py", "2-3", "    x = 1\n    y = 3\n"),
            Cite("no-revision", "m.py", "2", "    x = 1\n", source="gone"),
        )
        world.project.run("fetch")
        yield world.project


def test_json_has_the_contract_s_keys_in_their_order(judged: Project) -> None:
    ran = judged.run("verify", "--format", "json")
    whole = ran.json()
    assert list(whole) == ["schema", "summary", "results"]
    assert whole["schema"] == "prov/verify/1"
    assert list(whole["summary"].items()) == [  # type: ignore[attr-defined]
        ("total", 5),
        ("ok", 1),
        ("warning", 1),
        ("failure", 2),
        ("unavailable", 1),
    ]
    results = whole["results"]
    assert isinstance(results, list)
    assert [list(result) for result in results] == [KEYS] * 5
    assert [result["id"] for result in results] == ["ok", "warning", "unavailable", "failure", "no-revision"]
    ok = results[0]
    assert ok["git"] == "https://github.com/o/r"
    assert ok["kind"] == "quote"
    assert ok["permalink"] == f"https://github.com/o/r/blob/{ok['revision']}/m.py#L1-L2"
    assert ok["swhid"].startswith("swh:1:cnt:")
    assert ok["swhid"].endswith(
        f";origin=https://github.com/o/r;anchor=swh:1:rev:{ok['revision']};path=/m.py;lines=1-2"
    )
    assert len(ok["revision"]) == 40
    down = results[2]
    assert (down["assurance"], down["origin"], down["swhid"], down["similarity"]) == (None, None, None, None)


def test_jsonl_is_a_result_a_line(judged: Project) -> None:
    whole = judged.run("verify", "--format", "json").json()["results"]
    lines = judged.run("verify", "--format", "jsonl").out.splitlines()
    assert [json.loads(line) for line in lines] == whole


def test_text_is_worst_first_and_its_last_line_counts_what_could_be_checked(judged: Project) -> None:
    ran = judged.run("verify")
    levels = [line.split()[0] for line in ran.out.splitlines() if line and not line.startswith(" ")]
    assert levels == ["failure", "failure", "unavailable", "warning", "ok", "4"]
    assert ran.last == (
        "4 of 5 citations checked: 1 ok, 1 warning, 2 failures, 1 unavailable · proven: 3 by commit"
    )
    assert "suggestion: lines 1-2" in ran.out
    assert "\x1b" not in ran.out


def test_reports_go_to_several_files_by_ending_and_by_prefix(judged: Project, tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("a.json", "b.jsonl", "c.txt", "d.dat", "deep/e.out")}
    ran = judged.run(
        "verify",
        *("--output", str(files["a.json"])),
        *("--output", str(files["b.jsonl"])),
        *("--output", str(files["c.txt"])),
        *("--output", f"json:{files['d.dat']}"),
        *("--output", f"text:{files['deep/e.out']}"),
    )
    assert ran.code == 1, ran.said
    assert ran.last == files["c.txt"].read_text().splitlines()[-1]
    assert files["c.txt"].read_text() == files["deep/e.out"].read_text()
    whole = json.loads(files["a.json"].read_text())
    assert json.loads(files["d.dat"].read_text()) == whole
    assert [json.loads(line) for line in files["b.jsonl"].read_text().splitlines()] == whole["results"]
    assert files["a.json"].read_text() == judged.run("verify", "--format", "json").out


@pytest.mark.parametrize("target", ["report", "report.html", ".gitlab.json", "nonsense:x"])
def test_a_file_whose_format_is_not_known_is_wrong_usage(judged: Project, target: str) -> None:
    ran = judged.run("verify", "--output", target)
    assert ran.code == 2, ran.said
    assert target in ran.err
    assert ran.out == ""
    assert not (judged.root / target).exists()


def test_a_file_that_cannot_be_written_is_told_in_one_line(judged: Project) -> None:
    judged.write("plain", "")
    ran = judged.run("verify", "--output", "plain/report.json")
    assert ran.code == 2, ran.said
    assert "plain/report.json" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_results_go_to_stdout_and_talk_to_stderr(judged: Project) -> None:
    loud = judged.run("verify", "--format", "json", "--refresh")
    quiet = judged.run("verify", "--format", "json", "--refresh", "-q")
    assert loud.json() == quiet.json()
    assert quiet.err == ""

"""GitLab's Code Quality report, read back by a strict reader of the documented form."""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING

from hypothesis import given
from support.notices import everything, hostile, hostile_result, idle, made, notices, unread

from provenance.report.gitlab import write_gitlab
from provenance.report.run import Run

if TYPE_CHECKING:
    from provenance.report.notices import Notices

SEVERITIES = {"info", "minor", "major", "critical", "blocker"}


def written(told: Notices) -> str:
    stream = StringIO()
    write_gitlab(stream, told)
    return stream.getvalue()


def read(told: Notices) -> list[tuple[str, str, str, str, int]]:
    """Check name, severity, description, path and line of each entry."""
    found = []
    entries = json.loads(written(told))
    assert isinstance(entries, list)
    for entry in entries:
        assert list(entry) == ["description", "check_name", "fingerprint", "severity", "location"]
        assert list(entry["location"]) == ["path", "lines"]
        assert list(entry["location"]["lines"]) == ["begin"]
        line = entry["location"]["lines"]["begin"]
        assert isinstance(line, int)
        assert line >= 1
        assert entry["severity"] in SEVERITIES
        found.append(
            (entry["check_name"], entry["severity"], entry["description"], entry["location"]["path"], line)
        )
    prints = [entry["fingerprint"] for entry in entries]
    assert len(set(prints)) == len(prints)
    return found


def test_each_level_has_its_severity() -> None:
    told = notices([idle(), *everything()], [unread()], ("manifests/x.yaml:9: bad",))
    assert read(told) == [
        ("prov/problem", "blocker", "bad", "manifests/x.yaml", 9),
        ("prov/changed", "major", "differs: it differs", "manifests/x.yaml", 40),
        ("prov/unavailable", "info", "down: nobody answers", "manifests/x.yaml", 30),
        ("prov/partial", "minor", "left-out: lines are left out", "manifests/x.yaml", 20),
        ("prov/not-understood", "minor", "https://e.org/x: no revision is named", "docs/a.md", 3),
        (
            "prov/exact",
            "info",
            "mended: expect: changed is no longer needed · note: followed a link",
            "manifests/x.yaml",
            12,
        ),
    ]


def test_problems_of_a_file_are_told_apart_wherever_they_were_found() -> None:
    files = {name: name for name in ("a.yaml", "b.yaml")}
    problems = tuple(f"{name}: bad" for name in ("a.yaml:3", "b.yaml:1", "a.yaml:9"))
    found = read(notices([], run=Run(files=files, problems=problems)))
    assert [entry[3:] for entry in found] == [("a.yaml", 3), ("a.yaml", 9), ("b.yaml", 1)]


def test_nothing_to_tell_is_an_empty_array() -> None:
    assert written(notices([made()][:0])) == "[]\n"


def test_a_place_without_a_line_is_the_file_s_first() -> None:
    assert [entry[4] for entry in read(notices([made(line=None)], [unread(cell=2)]))] == [1, 1]


@given(hostile)
def test_any_text_is_inert_and_told_apart(text: str) -> None:
    told = notices([hostile_result(text), hostile_result(text)], [unread(text), unread(text)], (text, "x"))
    out = written(told)
    out.encode()
    assert len(read(told)) == 6
    assert "##[" not in out
    assert "##vso[" not in out
    assert not any(line.lstrip().startswith("::") for line in out.split("\n"))

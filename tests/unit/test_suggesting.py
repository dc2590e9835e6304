"""What a manifest should say, as changes of its text."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest
from support.results import Made

from provenance.citation import LineRange
from provenance.evidence import Judgement, Verdict
from provenance.project import ManifestFile
from provenance.report.notice import of_finding
from provenance.report.run import Subject
from provenance.suggesting import Ranges

if TYPE_CHECKING:
    from pathlib import Path

    from provenance.report.notice import Change, Notice

HEAD = """\
prov: 1
title: ü
sources:
  code: {git: https://e.org/r, revision: v1}
citations:
"""


def shifted(id_: str = "conv", lines: LineRange = LineRange(5, 6)) -> Notice:  # noqa: B008 - it is frozen
    judgement = Judgement(Verdict.SHIFTED, "x", found_at=(LineRange(7, 8),), suggestion=LineRange(7, 8))
    return of_finding(Made(id_, judgement=judgement, lines=lines, manifest="a.yaml").evidence())


def ranges(folder: Path, text: str, digest: str | None = None) -> Ranges:
    file = folder / "a.yaml"
    file.write_bytes(text.encode())
    sha256 = digest or hashlib.sha256(text.encode()).hexdigest()
    return Ranges([ManifestFile(file, "a.yaml", folder)], [Subject("a.yaml", sha256)])


def applied(text: str, change: Change) -> str:
    """As an editor would do it: lines end at LF, and a byte order mark is none of them."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    lines = text.removeprefix("\ufeff").split("\n")
    assert change.line == change.end_line
    line = lines[change.line - 1]
    lines[change.line - 1] = line[: change.column - 1] + change.text + line[change.end_column - 1 :]
    return mark + "\n".join(lines)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    lines: 5-6\n", "    lines: 7-8\n"),
        ("    lines:   5-6   # why\n", "    lines:   7-8   # why\n"),
        ("    lines: '5-6'\n", "    lines: 7-8\n"),
        ('    "lines": "5–6"\n', '    "lines": 7-8\n'),
    ],
)
@pytest.mark.parametrize(("mark", "end"), [("", "\n"), ("\ufeff", "\n"), ("", "\r\n")])
def test_the_range_is_replaced_where_it_stands(
    tmp_path: Path, before: str, after: str, mark: str, end: str
) -> None:
    entry = "  - id: conv\n    source: code\n    path: é.py\n{}    evidence: direct\n"
    text, wanted = ((mark + HEAD + entry.format(line)).replace("\n", end) for line in (before, after))
    (change,) = ranges(tmp_path, text)(shifted())
    assert applied(text, change) == wanted


def test_a_citation_in_braces_is_found(tmp_path: Path) -> None:
    text = f"{HEAD}  - {{id: é, source: code, path: é.py, lines: 5-6, evidence: direct}}\n"
    (change,) = ranges(tmp_path, text)(shifted("é"))
    assert applied(text, change) == text.replace("5-6", "7-8")


ENTRY = HEAD + "  - {id: conv, source: code, path: a.py, lines: 5-6, evidence: direct}\n"


@pytest.mark.parametrize(
    ("notice", "digest"),
    [
        (shifted("other"), None),
        (shifted(lines=LineRange(1, 2)), None),
        (shifted(), "0" * 64),
        (of_finding(Made(manifest="b.yaml").evidence()), None),
        (of_finding(Made(manifest="a.yaml").evidence()), None),
    ],
    ids=["no such id", "another range", "changed since", "no such file", "nothing is suggested"],
)
def test_nothing_is_suggested_without_certainty(tmp_path: Path, notice: Notice, digest: str | None) -> None:
    assert not ranges(tmp_path, ENTRY, digest)(notice)


def test_a_manifest_that_is_gone_gets_no_suggestion(tmp_path: Path) -> None:
    suggest = ranges(tmp_path, ENTRY)
    (tmp_path / "a.yaml").unlink()
    assert not suggest(shifted())

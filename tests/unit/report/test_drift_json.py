from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from io import StringIO

import pytest
from support.drifts import BY, COMMIT, GIT, NEW, OLD, Followed

from provenance.citation import ExpectedValue, LineRange
from provenance.relocation import Confidence, Spot, Status
from provenance.report.drift import summary_of
from provenance.report.drift_json import result, write_json, write_jsonl

EDITED = Followed(
    status=Status.EDITED,
    offset=4,
    longer=1,
    similarity=0.75,
    message="a sentence",
    commit=COMMIT,
    diff="-a\n+b\n",
    notes=("n", "n"),
)


def test_a_result_is_what_the_contract_says() -> None:
    assert json.dumps(result(EDITED.drift())) == json.dumps(
        {
            "manifest": "manifests/x.yaml",
            "id": "conv-relu",
            "kind": "range",
            "source": "tensor2tensor",
            "git": GIT,
            "target": "latest",
            "status": "edited",
            "level": "warning",
            "message": "a sentence",
            "from": {"revision": OLD, "path": "models/transformer.py", "first": 10, "last": 20},
            "to": {"revision": NEW, "path": "models/transformer.py", "first": 14, "last": 25},
            "similarity": 0.75,
            "diff": "-a\n+b\n",
            "confidence": "high",
            "candidates": [],
            "commit": {"id": BY, "date": "2019-02-14T09:41:00+01:00", "subject": "Split the encoder"},
            "notes": ["n"],
            "assurance": "commit",
            "permalink": f"{GIT}/blob/{NEW}/models/transformer.py#L14-L25",
        }
    )


@pytest.mark.parametrize("status", [Status.DELETED, Status.UNAVAILABLE])
def test_what_is_not_known_is_null(status: Status) -> None:
    found = result(Followed(status=status, confidence=None, assurance=None).drift())
    assert {key for key, value in found.items() if value is None} == {
        "to",
        "similarity",
        "confidence",
        "commit",
        "assurance",
        "permalink",
    }


def test_candidates_have_the_shape_of_a_place() -> None:
    places = (Spot(NEW, "a.py", LineRange(1, 2)), Spot(NEW, "b.json", None))
    found = result(Followed(status=Status.AMBIGUOUS, candidates=places).drift())
    assert found["to"] is None
    assert found["candidates"] == [
        {"revision": NEW, "path": "a.py", "first": 1, "last": 2},
        {"revision": NEW, "path": "b.json", "first": None, "last": None},
    ]


def test_a_value_stands_on_no_line() -> None:
    found = result(Followed(lines=None, path="c.json", value=ExpectedValue("/n", "7")).drift())
    assert found["kind"] == "value"
    assert found["from"] == {"revision": OLD, "path": "c.json", "first": None, "last": None}
    assert found["to"] == {"revision": NEW, "path": "c.json", "first": None, "last": None}
    assert found["permalink"] == f"{GIT}/blob/{NEW}/c.json"


def test_a_commit_that_was_not_read_has_its_id() -> None:
    assert result(replace(EDITED.drift(), commit=None))["commit"] == {"id": BY, "date": None, "subject": None}


@pytest.mark.parametrize("revision", ["tensor2tensor==1.0.14", "main"])
def test_a_link_to_what_is_no_commit_would_not_last(revision: str) -> None:
    assert result(Followed(revision=revision).drift())["permalink"] is None


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_document_has_schema_summary_and_a_result_a_line(count: int) -> None:
    drifts = [Followed(str(at), confidence=Confidence.LOW).drift() for at in range(count)]
    stream = StringIO()
    write_json(stream, summary_of(drifts), iter(drifts))
    found = json.loads(stream.getvalue())
    assert list(found) == ["schema", "summary", "results"]
    assert found["schema"] == "prov/drift/1"
    assert found["summary"] == {"total": count, "ok": count, "warning": 0, "failure": 0, "unavailable": 0}
    assert [item["id"] for item in found["results"]] == [str(at) for at in range(count)]
    assert stream.getvalue().count("\n") == (count + 4 if count else 3)


def test_each_line_of_jsonl_is_a_result() -> None:
    stream = StringIO()
    write_jsonl(stream, (Followed(name).drift() for name in ("a", "b\n::error")))
    lines = stream.getvalue().split("\n")
    assert [json.loads(line)["id"] for line in lines[:-1]] == ["a", "b\n::error"]


def test_text_from_outside_is_inert_and_secrets_stay_out() -> None:
    made = replace(
        EDITED,
        id="\x1b[31m\u202e##[error]",
        git="https://user:SECRET@github.com/o/r",
        path="\ud800.py",
        diff=" ::set-env\n##vso[x]\n",
        commit=replace(COMMIT, subject="::error::\x9b"),
    )
    stream = StringIO()
    write_json(stream, summary_of([made.drift()]), [made.drift()])
    text = stream.getvalue()
    text.encode()
    assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "##", "SECRET", "\n::", "\n ::"))
    found = json.loads(text)["results"][0]
    assert (found["id"], found["from"]["path"]) == (made.id, made.path)
    assert found["commit"]["subject"] == "::error::\x9b"


class Nowhere(StringIO):
    def write(self, text: str) -> int:
        return len(text)


def test_memory_stays_flat() -> None:
    summary = summary_of([])

    def peak(count: int) -> int:
        tracemalloc.start()
        write_json(Nowhere(), summary, (Followed(str(at)).drift() for at in range(count)))
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(2000) < 2 * peak(100) + 100_000

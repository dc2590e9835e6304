from __future__ import annotations

import json
import tracemalloc
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from support.results import BLOB, COMMIT, GIT, SUMMARY, Made

from provenance.citation import LineRange
from provenance.evidence import Difference, Judgement, Verdict
from provenance.report.json import result, write_json, write_jsonl

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.evidence import Evidence


def test_a_result_is_what_the_contract_says() -> None:
    found = result(Made(judgement=Judgement(Verdict.EXACT, similarity=1.0)).evidence())
    assert json.dumps(found) == json.dumps(
        {
            "manifest": "manifests/x.yaml",
            "id": "conv-relu",
            "kind": "quote",
            "source": "tensor2tensor",
            "git": GIT,
            "revision": COMMIT,
            "path": "tensor2tensor/models/common_layers.py",
            "lines": {"first": 1160, "last": 1194},
            "verdict": "exact",
            "level": "ok",
            "message": "",
            "difference": None,
            "similarity": 1.0,
            "found_at": [],
            "suggestion": None,
            "omitted": [],
            "diff": "",
            "symbol": "conv_hidden_relu",
            "symbols": [],
            "notes": [],
            "ungrounded": [],
            "assurance": "commit",
            "origin": "git",
            "permalink": f"{GIT}/blob/{COMMIT}/tensor2tensor/models/common_layers.py#L1160-L1194",
            "swhid": f"swh:1:cnt:{BLOB};origin={GIT};anchor=swh:1:rev:{COMMIT}"
            ";path=/tensor2tensor/models/common_layers.py;lines=1160-1194",
        }
    )


def test_ranges_and_kinds() -> None:
    judgement = Judgement(
        Verdict.CHANGED,
        "the quote differs in code",
        Difference.CODE,
        0.75,
        (LineRange(4, 6),),
        LineRange(4, 6),
        (LineRange(5, 5),),
        "-a\n+b\n",
    )
    found = json.loads(json.dumps(result(Made(judgement=judgement, notes=("n",)).evidence())))
    assert found["difference"] == "code"
    assert found["found_at"] == [{"first": 4, "last": 6}]
    assert found["suggestion"] == {"first": 4, "last": 6}
    assert found["omitted"] == [{"first": 5, "last": 5}]
    assert found["diff"] == "-a\n+b\n"
    assert found["notes"] == ["n"]


def test_what_is_not_known_is_null() -> None:
    made = Made(verdict=Verdict.UNAVAILABLE, assurance=None, quote=None, git="https://code.example.org/r")
    found = result(made.evidence())
    assert (found["kind"], found["level"]) == ("range", "unavailable")
    assert [found[key] for key in ("assurance", "origin", "permalink", "swhid")] == [None] * 4


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_document_has_schema_summary_and_results_in_this_order(count: int) -> None:
    stream = StringIO()
    write_json(stream, SUMMARY, (Made(id=str(number)).evidence() for number in range(count)))
    found = json.loads(stream.getvalue())
    assert list(found) == ["schema", "summary", "results"]
    assert found["schema"] == "prov/verify/1"
    assert found["summary"] == {"total": 9, "ok": 6, "warning": 3, "failure": 0, "unavailable": 0}
    assert [item["id"] for item in found["results"]] == [str(number) for number in range(count)]
    assert stream.getvalue().endswith("]}\n")


def test_each_line_of_jsonl_is_a_result() -> None:
    stream = StringIO()
    write_jsonl(stream, [Made(id="a").evidence(), Made(id="b\n::error").evidence()])
    assert [json.loads(line)["id"] for line in stream.getvalue().splitlines()] == ["a", "b\n::error"]


def test_text_from_outside_is_inert_and_secrets_stay_out() -> None:
    stream = StringIO()
    made = Made(
        id="\x1b[31m\u202e##[error]",
        git="https://user:SECRET@github.com/o/r",
        path="\ud800.py",
        judgement=Judgement(Verdict.CHANGED, "\x9b", diff=" ::set-env\n##vso[x]\n"),
    )
    write_json(stream, SUMMARY, [made.evidence()])
    text = stream.getvalue()
    text.encode()
    assert not any(sign in text for sign in ("\x1b", "\u202e", "\x9b", "##", "SECRET", "\n::", "\n ::"))
    found = json.loads(text)["results"][0]
    assert (found["id"], found["path"]) == (made.id, made.path)
    assert found["git"] == "https://github.com/o/r"


class Nowhere(StringIO):
    def write(self, text: str) -> int:
        return len(text)


def test_memory_stays_flat() -> None:
    def many(count: int) -> Iterator[Evidence]:
        return (Made(id=f"id-{number}").evidence() for number in range(count))

    def peak(count: int) -> int:
        tracemalloc.start()
        write_json(Nowhere(), SUMMARY, many(count))
        highest = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return highest

    peak(10)
    assert peak(2000) < 2 * peak(100) + 100_000

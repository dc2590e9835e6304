"""Which citations are re-pinned, and to what."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from support.workspace import OPEN, cite, cite_expression, cite_value, source

from provenance.citation import LineRange
from provenance.drift.deciding import decide, written_revision
from provenance.drift.drifting import Drifted
from provenance.drift.pinned import Pinned
from provenance.drift.targets import Target
from provenance.drift.task import Followed
from provenance.evidence import Assurance, Evidence, Judgement, Level, Verdict
from provenance.manifest import Repin
from provenance.relocation import Confidence, Relocation, Spot, Status

if TYPE_CHECKING:
    from provenance.citation import Citation
    from provenance.loading import Loaded

OLD, NEW = "1" * 40, "2" * 40
GIT = source("x").git


def followed(
    citation: Citation | None = None,
    status: Status = Status.MOVED,
    *,
    verdict: Verdict = Verdict.EXACT,
    revision: str = NEW,
    confidence: Confidence = Confidence.HIGH,
    text: str | None = "new text",
    obstacle: str = "",
    tag: str | None = None,
    manifest: str = "m.yaml",
) -> Followed:
    citation = citation or cite(source(OLD[:12]))
    evidence = Evidence(manifest, citation, Judgement(verdict), OLD, Level.OK, assurance=Assurance.COMMIT)
    pinned = Pinned(evidence, Target("latest"), citation.path)
    gone = status in {Status.DELETED, Status.AMBIGUOUS, Status.UNAVAILABLE}
    end = None if gone else Spot(revision, "new.py", LineRange(7, 8))
    edited = text if status is Status.EDITED else None
    relocation = Relocation(status, end, confidence=confidence, text=edited)
    return Followed(0, pinned, pinned.drift(relocation), tag, obstacle)


def drifted(*items: Followed, accepted: tuple[str, ...] = (), **more: object) -> Drifted:
    names = frozenset(("m.yaml", name) for name in accepted)
    return Drifted(list(items), names, contradicts=bool(more.get("contradicts")))


@pytest.mark.parametrize("status", list(Status))
def test_what_is_the_same_is_written_and_nothing_else(status: Status) -> None:
    decision = decide(drifted(followed(status=status)))
    is_same = status in {Status.UNCHANGED, Status.MOVED, Status.RENAMED}
    wanted = {"m.yaml": [Repin("open", GIT, NEW[:12], "new.py", LineRange(7, 8))]} if is_same else {}
    assert decision.repins == wanted
    assert decision.problems == []
    assert decision.notes == []


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.EDITED])
def test_where_there_is_no_edit_there_is_nothing_to_accept(status: Status) -> None:
    decision = decide(drifted(followed(status=status), accepted=("open",)))
    assert decision.notes == [f"m.yaml#open is {status}: there is no edit to accept"]
    assert decision.problems == []


@pytest.mark.parametrize(
    ("quote", "new"), [(OPEN, "new text\n"), (OPEN.rstrip("\n"), "new text"), (None, None)]
)
def test_an_accepted_edit_brings_its_text(quote: str | None, new: str | None) -> None:
    verdict = Verdict.UNQUOTED if quote is None else Verdict.EXACT
    item = followed(cite(source(OLD[:12]), quote=quote), Status.EDITED, verdict=verdict)
    (repin,) = decide(drifted(item, accepted=("open",))).repins["m.yaml"]
    assert repin == Repin("open", GIT, NEW[:12], "new.py", LineRange(7, 8), new)


@pytest.mark.parametrize(
    ("citation", "verdict", "reason"),
    [
        (cite_expression(source(OLD), "f(x)", "1", name="it"), Verdict.EXACT, "expression is for a person"),
        (cite_value(source(OLD), "/a", "1", name="it"), Verdict.EXACT, "value is for a person"),
        (cite(source(OLD), name="it"), Verdict.ELIDED, "omission marks"),
        (cite(source(OLD), name="it"), Verdict.PARTIAL, "leaves lines out"),
    ],
)  # fmt: skip
def test_an_edit_that_a_person_must_make_is_refused(
    citation: Citation, verdict: Verdict, reason: str
) -> None:
    item = followed(citation, Status.EDITED, verdict=verdict)
    decision = decide(drifted(item, accepted=("it",)))
    assert decision.repins == {}
    (problem,) = decision.problems
    assert problem.startswith("--accept m.yaml#it: ")
    assert reason in problem


def test_an_edit_whose_text_is_not_known_is_refused() -> None:
    decision = decide(drifted(followed(status=Status.EDITED, text=None), accepted=("open",)))
    assert (decision.repins, len(decision.problems)) == ({}, 1)


@pytest.mark.parametrize("status", [Status.MOVED, Status.EDITED])
def test_low_confidence_is_written_and_told(status: Status) -> None:
    decision = decide(drifted(followed(status=status, confidence=Confidence.LOW), accepted=("open",)))
    assert len(decision.repins["m.yaml"]) == 1
    assert "m.yaml#open is re-pinned with low confidence: look whether it means these lines" in decision.notes


def test_what_would_not_hold_there_stays() -> None:
    decision = decide(drifted(followed(obstacle="the quote would be changed there")))
    assert decision.repins == {}
    assert decision.notes == ["m.yaml#open stays where it is: the quote would be changed there"]


def test_a_release_is_never_written() -> None:
    items = [followed(revision="engine==2.0"), followed(revision="engine==2.0")]
    decision = decide(drifted(*items))
    assert decision.repins == {}
    assert decision.notes == [
        "nothing is re-pinned to engine==2.0: a release is no revision of the repository"
    ]


def test_what_is_there_already_is_left_alone_whatever_its_revision_is_called() -> None:
    item = followed(cite(source("v1")), Status.UNCHANGED, revision=OLD)
    assert decide(drifted(item)).repins == {}


def test_a_value_without_lines_gets_none() -> None:
    (repin,) = decide(drifted(followed(cite_value(source(OLD), "/a", "1")))).repins["m.yaml"]
    assert repin.lines is None


def test_bytes_that_contradict_a_lock_keep_everything_as_it_is() -> None:
    decision = decide(drifted(followed(), contradicts=True))
    assert decision.repins == {}
    assert decision.problems == ["nothing is written: what was found contradicts a lock"]


def test_a_manifest_whose_lock_cannot_be_read_stays_as_it_is() -> None:
    class Unlocked:
        lock_file = None

    found = drifted(followed(), followed(manifest="other.yaml"))
    found.manifests = {"m.yaml": cast("Loaded", Unlocked())}
    decision = decide(found)
    assert list(decision.repins) == ["other.yaml"]
    assert decision.problems == ["m.yaml: nothing is written: its lock cannot be read"]


FULL, HEX = "3f" * 20, "9a" * 20


@pytest.mark.parametrize(
    ("was", "old", "tag", "written"),
    [
        (FULL, FULL, None, HEX),
        (FULL[:7], FULL, None, HEX[:12]),
        (FULL[:12], FULL, "v2", HEX[:12]),
        (FULL[:20], FULL, None, HEX[:20]),
        (FULL[:12].upper(), FULL, None, HEX[:12]),
        ("v1", FULL, "v2", "v2"),
        ("v1", FULL, None, HEX),
        ("main", FULL, None, HEX),
        ("main", FULL, "v2", "v2"),
        ("1234567", FULL, None, HEX),
        ("cafe", FULL, "v2", "v2"),
    ],
)
def test_a_revision_keeps_its_form(was: str, old: str, tag: str | None, written: str) -> None:
    assert written_revision(was, old, HEX, tag) == written

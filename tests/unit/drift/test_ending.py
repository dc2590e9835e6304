"""From a trail to what is said of it."""

from __future__ import annotations

import pytest
from support.watched import Tree, Watched

from provenance.citation import LineRange
from provenance.compare.relocating.body import Stretch
from provenance.drift.bodies import Bodies
from provenance.drift.ending import Ending, still
from provenance.drift.trail import Start, Trail
from provenance.evidence import object_id
from provenance.relocation import Confidence, Relocation, Spot, Status

FILE = "import table\nqueue = table.find(index, limit=12)\nsend(queue, index)\nclose(table)\n"
EDITED = FILE.replace("12", "13")
START = Start("a.py", object_id("blob", FILE.encode()), Stretch(1, 2))
NEW = "2" * 40
ONE, TWO = "a" * 40, "b" * 40


def trail(
    text: str = FILE,
    lines: Stretch = START.lines,
    *,
    path: str = "a.py",
    edits: tuple[str, ...] = (),
    moves: tuple[str, ...] = (),
) -> Trail:
    found = START.trail()
    found.path, found.blob = path, object_id("blob", text.encode())
    found.go(lines)
    found.edits, found.moves = [*edits], [*moves]
    return found


def told(found: Trail, *, walked: bool = True, last: Tree | None = None) -> Relocation:
    """What is said where all contents are at hand."""
    last = {"a.py": FILE} if last is None else last
    past = Watched.row({"a.py": FILE, "b.py": EDITED, "c.py": "# one\n" + FILE}, last)
    entries = past.entries(past.ids["1"], [*last])
    return Ending(Bodies(past), NEW, entries, walked=walked).of(START, found)


@pytest.mark.parametrize(
    ("found", "status", "path", "lines", "commit"),
    [
        pytest.param(trail(), Status.UNCHANGED, "a.py", (2, 3), None, id="where they were"),
        pytest.param(
            trail(edits=(ONE,), moves=(TWO,)), Status.UNCHANGED, "a.py", (2, 3), None, id="and back again"
        ),
        pytest.param(
            trail("# one\n" + FILE, Stretch(2, 3), moves=(ONE,)),
            Status.MOVED,
            "a.py",
            (3, 4),
            ONE,
            id="other lines",
        ),
        pytest.param(
            trail(path="b.py", moves=(ONE, TWO)), Status.RENAMED, "b.py", (2, 3), TWO, id="another path"
        ),
        pytest.param(trail(EDITED, edits=(ONE, TWO)), Status.EDITED, "a.py", (2, 3), TWO, id="another text"),
        pytest.param(
            trail(EDITED, path="b.py", edits=(ONE,), moves=(TWO,)),
            Status.EDITED,
            "b.py",
            (2, 3),
            ONE,
            id="another text at another path",
        ),
    ],
)
def test_lines_that_are_still_there(
    found: Trail, status: Status, path: str, lines: tuple[int, int], commit: str | None
) -> None:
    said = told(found)
    assert (said.status, said.end, said.commit) == (status, Spot(NEW, path, LineRange(*lines)), commit)
    assert said.confidence is Confidence.HIGH


@pytest.mark.parametrize(("least", "confidence"), [(0.5, Confidence.HIGH), (0.49, Confidence.LOW)])
def test_a_step_that_left_little_makes_it_less_sure(least: float, confidence: Confidence) -> None:
    found = trail(EDITED, edits=(ONE,))
    found.least = least
    assert told(found).confidence is confidence


def test_what_was_compared_end_to_end_is_less_sure_and_of_no_commit() -> None:
    said = told(trail(EDITED, edits=(ONE,)), walked=False)
    assert (said.status, said.confidence, said.commit) == (Status.EDITED, Confidence.LOW, None)


@pytest.mark.parametrize(
    ("walked", "confidence", "commit"), [(True, Confidence.HIGH, ONE), (False, Confidence.LOW, None)]
)
def test_lines_that_are_gone(walked: bool, confidence: Confidence, commit: str | None) -> None:
    found = trail()
    found.end(ONE, "a.py was deleted")
    said = told(found, walked=walked, last={})
    assert (said.status, said.end, said.message) == (Status.DELETED, None, "a.py was deleted")
    assert (said.confidence, said.commit) == (confidence, commit)
    assert said.old_text == "queue = table.find(index, limit=12)\nsend(queue, index)"


@pytest.mark.parametrize(
    ("last", "status", "lines"),
    [
        pytest.param({"a.py": FILE}, Status.UNCHANGED, LineRange(2, 3), id="where they were"),
        pytest.param({"a.py": "# one\n" + FILE}, Status.MOVED, LineRange(3, 4), id="on other lines"),
        pytest.param({"a.py": FILE + FILE}, Status.DELETED, None, id="twice"),
        pytest.param({"a.py": EDITED}, Status.DELETED, None, id="with another text"),
        pytest.param({"b.py": FILE}, Status.DELETED, None, id="at another path"),
    ],
)
def test_lines_that_are_gone_may_be_there_again(last: Tree, status: Status, lines: LineRange | None) -> None:
    found = trail()
    found.end(ONE)
    said = told(found, last=last)
    assert (said.status, said.end and said.end.lines) == (status, lines)
    assert said.confidence is (Confidence.HIGH if status is Status.DELETED else Confidence.LOW)


def test_a_content_that_could_not_be_had_is_no_answer() -> None:
    found = trail()
    found.is_readable, found.reason = False, "the server does not answer"
    assert told(found) == Relocation(Status.UNAVAILABLE, message="the server does not answer")


def rivals(*of: Trail) -> Trail:
    found = trail()
    found.rivals = of
    return found


def gone(commit: str) -> Trail:
    found = trail()
    found.end(commit)
    return found


def unreadable() -> Trail:
    found = trail()
    found.is_readable, found.reason = False, "the server does not answer"
    return found


B, C = trail(path="b.py", moves=(ONE,)), trail("# one\n" + FILE, Stretch(2, 3), path="c.py", moves=(ONE,))


@pytest.mark.parametrize(
    ("found", "status", "candidates"),
    [
        pytest.param(rivals(B, C), Status.AMBIGUOUS, ["b.py", "c.py"], id="two"),
        pytest.param(rivals(B, gone(TWO), C), Status.AMBIGUOUS, ["b.py", "c.py"], id="two of three"),
        pytest.param(
            rivals(rivals(B, C), gone(TWO)), Status.AMBIGUOUS, ["b.py", "c.py"], id="two of one of two"
        ),
        pytest.param(rivals(B, gone(TWO)), Status.RENAMED, [], id="one of two"),
        pytest.param(rivals(B, B), Status.RENAMED, [], id="two ways to one place"),
        pytest.param(rivals(gone(ONE), gone(TWO)), Status.DELETED, [], id="none of two"),
        pytest.param(
            rivals(unreadable(), unreadable()), Status.UNAVAILABLE, [], id="none that could be read"
        ),
    ],
)
def test_places_that_are_equally_good(found: Trail, status: Status, candidates: list[str]) -> None:
    said = told(found, last={})
    assert (said.status, [spot.path for spot in said.candidates]) == (status, candidates)
    if status in {Status.AMBIGUOUS, Status.RENAMED}:
        assert said.confidence is Confidence.LOW


def test_lines_of_a_file_that_is_the_same() -> None:
    said = still(Bodies(Watched.row({"a.py": FILE})), START, NEW)
    assert (said.status, said.end) == (Status.UNCHANGED, Spot(NEW, "a.py", LineRange(2, 3)))
    assert (said.similarity, said.confidence, said.text) == (1.0, Confidence.HIGH, said.old_text)

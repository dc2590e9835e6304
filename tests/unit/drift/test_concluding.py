"""What following lines says of a citation: by its kind, and whether it still holds where they are."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
from support.workspace import CODE, cite, cite_expression, cite_value, source

from provenance.citation import LineRange
from provenance.drift.concluding import concluded, honest
from provenance.drift.pinned import Pinned, not_followed
from provenance.drift.targets import Target
from provenance.evidence import Assurance, Evidence, Judgement, Level, Verdict
from provenance.extract.decode import decode
from provenance.relocation import Confidence, Relocation, Spot, Status

if TYPE_CHECKING:
    from provenance.citation import Citation
    from provenance.extract.decode import NotText
    from provenance.extract.lines import Text

OLD, NEW = "1" * 40, "2" * 40
AT = source(OLD)
MOVED = "# licence\n" + CODE


@dataclass
class Shelf:
    """Files in memory."""

    files: dict[str, str | bytes] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    revision: str = NEW

    def text(self, path: str) -> Text | NotText | None:
        data = self.files.get(path)
        return None if data is None else decode(data if isinstance(data, bytes) else data.encode(), path)

    def leads(self, link: str) -> bool:
        return link in self.links


def pinned(
    citation: Citation,
    verdict: Verdict = Verdict.EXACT,
    *,
    suggestion: str = "",
    found_at: str = "",
    stands_at: str = "",
    message: str = "",
) -> Pinned:
    judgement = Judgement(
        verdict,
        message,
        suggestion=LineRange.parse(suggestion) if suggestion else None,
        found_at=(LineRange.parse(found_at),) if found_at else (),
    )
    evidence = Evidence("m.yaml", citation, judgement, OLD, Level.OK, assurance=Assurance.COMMIT)
    return Pinned(evidence, Target("latest"), stands_at or citation.path)


def found(
    status: Status,
    lines: str = "",
    *,
    path: str = "valve.py",
    old: str = "same",
    new: str = "same",
    candidates: tuple[Spot, ...] = (),
) -> Relocation:
    end = Spot(NEW, path, LineRange.parse(lines)) if lines else None
    return Relocation(
        status, end, similarity=0.9, confidence=Confidence.HIGH, candidates=candidates, text=new, old_text=old
    )


@pytest.mark.parametrize("status", [Status.UNCHANGED, Status.MOVED, Status.RENAMED])
def test_lines_whose_text_is_another_are_edited_whatever_was_said_of_them(status: Status) -> None:
    claimed = found(status, "6-7", old="one\ntwo", new="one\nthree")
    assert honest(claimed).status is Status.EDITED
    done = concluded(pinned(cite(AT)), claimed, Shelf())
    assert done.relocation.status is Status.EDITED
    assert "-two\n+three" in done.diff
    assert honest(replace(claimed, text=None)).status is Status.EDITED
    assert honest(replace(claimed, text="one\ntwo")).status is status


@pytest.mark.parametrize("status", [Status.EDITED, Status.AMBIGUOUS, Status.DELETED, Status.UNAVAILABLE])
def test_nothing_else_is_made_of_what_does_not_claim_to_be_the_same(status: Status) -> None:
    claimed = found(status, old="one", new="two")
    assert honest(claimed) is claimed


def test_an_exact_quote_needs_no_second_look() -> None:
    done = concluded(pinned(cite(AT)), found(Status.MOVED, "6-7"), Shelf())
    assert (done.relocation.status, done.obstacle, done.diff) == (Status.MOVED, "", "")
    assert done.relocation.text is None, "nothing will be made of it"


def test_the_diff_goes_from_where_lines_were_to_where_they_are() -> None:
    edited = found(Status.EDITED, "6-7", path="new.py", old="a\nb\nc", new="a\nB\nc")
    diff = concluded(pinned(cite(AT)), edited, Shelf()).diff
    assert diff == "--- valve.py:5-6\n+++ new.py:6-7\n@@ -1,3 +6,3 @@\n a\n-b\n+B\n c"
    indented = concluded(pinned(cite(AT)), found(Status.EDITED, "6-7", old="a\nb", new="  a\n  b"), Shelf())
    assert indented.diff == ""
    assert indented.relocation.message.startswith("only white space differs")


OPEN = "    def open(self, bar):\n        return bar * 2\n"


@pytest.mark.parametrize(
    ("after", "obstacle"),
    [
        (MOVED, ""),
        (MOVED.replace("bar * 2", "bar * 3"), "the quote would be changed there, and is anchored now"),
        (b"\0", "the quote could not be judged there, and is anchored now"),
    ],
)
def test_an_anchored_line_keeps_its_offset_in_the_block_around_it(after: str | bytes, obstacle: str) -> None:
    anchored = pinned(cite(AT, lines="6", quote=OPEN), Verdict.ANCHORED, suggestion="5-6")
    assert anchored.block == LineRange(5, 6)
    done = concluded(anchored, found(Status.MOVED, "6-7"), Shelf({"valve.py": after}))
    assert done.relocation.end == Spot(NEW, "valve.py", LineRange(7, 7))
    assert done.obstacle == obstacle
    assert done.relocation.notes == ((obstacle,) if obstacle else ())


def test_the_candidates_of_an_anchored_line_are_lines_too() -> None:
    anchored = pinned(cite(AT, lines="6", quote=OPEN), Verdict.ANCHORED, suggestion="5-6")
    spots = (Spot(NEW, "a.py", LineRange(11, 12)), Spot(NEW, "b.py", LineRange(21, 21)))
    done = concluded(anchored, found(Status.AMBIGUOUS, candidates=spots), Shelf())
    assert [spot.lines for spot in done.relocation.candidates] == [LineRange(12, 12), LineRange(21, 21)]


@pytest.mark.parametrize(
    ("verdict", "quote", "lines", "file", "note"),
    [
        (
            Verdict.ELIDED,
            "class Valve:\n    ...\n        return 0\n",
            "4-9",
            MOVED.replace("* 2", "* 3"),
            True,
        ),
        (
            Verdict.ELIDED,
            "class Valve:\n    ...\n        return 0\n",
            "4-9",
            MOVED.replace("return 0", "return"),
            False,
        ),
        (Verdict.EXACT, OPEN, "5-6", MOVED.replace("* 2", "* 3"), False),
    ],
)
def test_a_quote_that_holds_in_spite_of_the_edit_is_told(
    verdict: Verdict, quote: str, lines: str, file: str, *, note: bool
) -> None:
    was = LineRange.parse(lines)
    now = f"{was.first + 1}-{was.last + 1}"
    of = pinned(cite(AT, quote=quote, lines=lines), verdict)
    done = concluded(of, found(Status.EDITED, now, new="other"), Shelf({"valve.py": file}))
    assert done.relocation.status is Status.EDITED
    assert done.relocation.notes == ((f"the quote still holds there ({verdict})",) if note else ())


def test_an_expression_is_judged_anew_wherever_it_went() -> None:
    of = pinned(cite_expression(AT, "math.sqrt(…)", "15"), Verdict.ELIDED)
    shelf = Shelf({"valve.py": MOVED})
    assert concluded(of, found(Status.MOVED, "16"), shelf).obstacle == ""
    worse = concluded(of, found(Status.MOVED, "15"), shelf)
    assert worse.obstacle == "the expression would be shifted there, and is elided now"
    edited = concluded(of, found(Status.EDITED, "16", new="other"), shelf)
    assert edited.relocation.notes == ("the expression still holds there (elided)",)


@pytest.mark.parametrize(
    ("links", "path", "end", "status"),
    [
        ({"valve.py"}, "real/valve.py", "valve.py", Status.MOVED),
        (set(), "real/valve.py", "real/valve.py", Status.RENAMED),
        ({"valve.py"}, "other.py", "other.py", Status.RENAMED),
    ],
)
def test_a_file_behind_a_link_is_cited_through_it_while_that_stands(
    links: set[str], path: str, end: str, status: Status
) -> None:
    of = pinned(cite(AT), stands_at="real/valve.py")
    done = concluded(of, found(Status.MOVED, "6-7", path=path), Shelf(links=frozenset(links)))
    assert done.relocation.status is status
    assert done.relocation.end == Spot(NEW, end, LineRange(6, 7))
    assert bool(done.relocation.notes) is (status is Status.RENAMED)


CONFIG = '{\n  "layers": 12,\n  "width": 768\n}\n'
WIDTH = cite_value(AT, "/width", "768")
NEAR = found(Status.EDITED, "3", path="config.json", new="x")


@pytest.mark.parametrize(
    ("moved", "files", "status", "end"),
    [
        (found(Status.UNCHANGED, "3", path="config.json"), {"config.json": CONFIG}, Status.UNCHANGED, "config.json:3"),
        (found(Status.MOVED, "4", path="config.json"), {"config.json": "\n" + CONFIG}, Status.MOVED, "config.json:4"),
        (found(Status.RENAMED, "3", path="c.json"), {"c.json": CONFIG}, Status.RENAMED, "c.json:3"),
        (NEAR, {"config.json": '{"width":\n\n768, "a": 1}'}, Status.UNCHANGED, "config.json:3"),
        (NEAR, {"config.json": '{"width": 1024}'}, Status.EDITED, "config.json:1"),
        (found(Status.DELETED), {"config.json": '{"width": 768}'}, Status.MOVED, "config.json:1"),
        (found(Status.DELETED), {"config.json": '{"depth": 768}'}, Status.DELETED, ""),
        (NEAR, {"config.json": '{"depth": 768}'}, Status.DELETED, ""),
        (found(Status.DELETED), {}, Status.DELETED, ""),
        (found(Status.AMBIGUOUS), {"config.json": CONFIG}, Status.UNCHANGED, "config.json:3"),
        (NEAR, {"config.json": '{"width": '}, Status.UNAVAILABLE, ""),
        (found(Status.DELETED), {"config.json": b"\0"}, Status.UNAVAILABLE, ""),
        (found(Status.UNAVAILABLE), {"config.json": CONFIG}, Status.UNAVAILABLE, ""),
    ],
)  # fmt: skip
def test_a_value_is_found_by_its_pointer(
    moved: Relocation, files: dict[str, str | bytes], status: Status, end: str
) -> None:
    done = concluded(pinned(WIDTH, found_at="3"), moved, Shelf(files)).relocation
    assert done.status is status
    assert ("" if done.end is None else f"{done.end.path}:{done.end.lines}") == end
    assert done.end is None or done.end.revision == NEW


def test_another_value_is_told_with_both() -> None:
    shelf = Shelf({"config.json": CONFIG.replace("768", "1024")})
    edited = found(Status.EDITED, "3", path="config.json", old='  "width": 768', new='  "width": 1024')
    done = concluded(pinned(WIDTH, found_at="3"), edited, shelf)
    assert done.relocation.message == "/width is 1024, and the document says 768"
    assert '-  "width": 768\n+  "width": 1024' in done.diff


def test_the_lines_that_a_value_is_cited_with_go_with_it_while_they_are_the_same() -> None:
    of = pinned(cite_value(AT, "/width", "768", lines="1-4"), found_at="3")
    shelf = Shelf({"config.json": "\n" + CONFIG})
    whole = concluded(of, found(Status.MOVED, "2-5", path="config.json"), shelf).relocation
    assert whole.end == Spot(NEW, "config.json", LineRange(2, 5))
    edited = concluded(of, found(Status.EDITED, "2-5", path="config.json", new="x"), shelf).relocation
    assert edited.end == Spot(NEW, "config.json", LineRange(4, 4))
    assert edited.notes == ("the value is the same, and lines around it were edited",)


@pytest.mark.parametrize(
    ("verdict", "message", "told"),
    [
        (Verdict.SHIFTED, "", "at its pin it is shifted, the quote stands at 8; mend its lines first"),
        (Verdict.CHANGED, "it differs", "at its pin it is changed, it differs; see prov verify"),
        (Verdict.NO_PATH, "", "at its pin it is no-path; see prov verify"),
        (Verdict.UNAVAILABLE, "nobody answers", "at its pin it is unavailable: nobody answers"),
    ],
)
def test_what_does_not_hold_at_its_pin_is_not_followed(verdict: Verdict, message: str, told: str) -> None:
    of = pinned(cite(AT), verdict, found_at="8", message=message)
    assert not of.is_followed
    relocation = not_followed(of)
    assert relocation.status is Status.UNAVAILABLE
    assert told in relocation.message
    assert relocation.confidence is None

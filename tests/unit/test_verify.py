from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.origins import OFFLINE, FakeOrigins, commit
from support.workspace import CODE, GIT, OPEN, TODAY, Seen, Workspace, cite, cited, source

from provenance.answers import Acquired, Artifact, Lacking, Unreached
from provenance.citation import Expectation, LineRange
from provenance.evidence import Assurance, Content, Level, OriginKind, Verdict
from provenance.gather import Asking
from provenance.project import LockFiles
from provenance.reading import Reading
from provenance.verify import Settings, notable, summary_of, verify

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from provenance.answers import Answer, Want
    from provenance.citation import Citation
    from provenance.extract.outline import Outline

BINARY = b"\x89PNG\r\n\x1a\n\0\0\0"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 12345\n"
MADE = commit(
    {"valve.py": CODE.encode(), "notes.txt": b"one\ntwo\n", "image.png": BINARY, "large.py": POINTER}
)
AT = source(MADE.id)


@pytest.fixture
def space(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path)
    made.origins.add(MADE, "v1")
    return made


def change(space: Workspace, sql: str, *parameters: object) -> None:
    connection = sqlite3.connect(space.root / "evidence.db")
    with connection:
        assert connection.execute(sql, parameters).rowcount > 0
    connection.close()


def released(data: bytes = CODE.encode()) -> Acquired:
    return Acquired(
        "valve.py", Content.of(data), OriginKind.RELEASE, artifact=Artifact("engine-1.0.tar.gz", "a" * 64)
    )


def from_release(space: Workspace, data: bytes = CODE.encode(), *, revision: str = MADE.id) -> Citation:
    """Let git be down and a release have the file."""
    space.origins.down = OFFLINE
    space.origins.releases = {"engine==1.0": {"valve.py": released(data)}}
    return cite(source(revision, alternates=("engine==1.0",)))


EVERY = {
    Verdict.EXACT: cite(AT, "exact"),
    Verdict.WHITESPACE: cite(AT, "whitespace", quote="def open(self, bar):\n    return bar * 2"),
    Verdict.ELIDED: cite(AT, "elided", lines="4-9", quote="class Valve:\n    ...\n        return 0\n"),
    Verdict.ANCHORED: cite(AT, "anchored", lines="5"),
    Verdict.UNQUOTED: cite(AT, "unquoted", quote=None),
    Verdict.PARTIAL: cite(AT, "partial", lines="4-9"),
    Verdict.SHIFTED: cite(AT, "shifted", lines="8-9"),
    Verdict.CHANGED: cite(AT, "changed", quote=OPEN.replace("2", "3")),
    Verdict.ABSENT: cite(AT, "absent", quote="nothing of the kind, anywhere at all\n"),
    Verdict.OUT_OF_RANGE: cite(AT, "out-of-range", lines="5-99"),
    Verdict.NOT_TEXT: cite(AT, "not-text", path="image.png", lines="1"),
    Verdict.NO_PATH: cite(AT, "no-path", path="gone.py"),
    Verdict.NO_REVISION: cite(source("v9"), "no-revision"),
    Verdict.UNAVAILABLE: cite(source(MADE.id, git="https://example.org/down"), "unavailable"),
}


def one_name(citation: Citation) -> Citation:
    """Sources of one manifest have names of their own."""
    of = citation.source
    return replace(citation, source=replace(of, name=f"s{len(of.git)}-{of.revision[:4]}"))


class Partly(FakeOrigins):
    """One repository is down."""

    def acquire(self, git: str, wants: Collection[Want], *, refresh: bool) -> Iterator[tuple[Want, Answer]]:
        for want, answer in super().acquire(git, wants, refresh=refresh):
            yield want, OFFLINE if "down" in git else answer


def everything(space: Workspace) -> Workspace:
    space.origins = Partly(commits=space.origins.commits, names=space.origins.names)
    space.write(*(one_name(citation) for citation in EVERY.values()))
    return space


def test_every_verdict_is_reached_and_stands_in_the_manifests_order(space: Workspace) -> None:
    seen = everything(space).verify()
    assert list(seen.verdicts.items()) == [(verdict.value, verdict) for verdict in EVERY]
    assert seen.verification.problems == []


def test_what_is_found_says_where_it_comes_from(space: Workspace) -> None:
    space.write(cite(source("v1")))
    found = space.verify().only
    assert (found.revision, found.blob) == (MADE.id, Content.of(CODE.encode()).blob)
    assert (found.assurance, found.origin, found.level) == (Assurance.COMMIT, OriginKind.GIT, Level.OK)
    assert (found.symbol, found.symbols) == ("Valve.open", ())
    assert found.manifest == "manifests/a.yaml"
    assert found.citation.position is not None


def test_a_range_that_cuts_a_statement_is_noted(space: Workspace) -> None:
    space.write(cite(AT, lines="12-13", quote="def pump(\n    litres,\n"))
    assert space.verify().only.notes == ("the range cuts the statement at lines 12-14 in two",)


def test_a_difference_is_judged_on_tokens(space: Workspace) -> None:
    commented = OPEN.replace("* 2", "* 2  # twice the pressure")
    space.write(cite(AT, quote=commented), cite(AT, "code", quote=OPEN.replace("2", "3")))
    differences = [item.judgement.difference for item in space.verify().evidence]
    assert differences == ["comments", "code"]


@pytest.mark.parametrize("path", ["image.png", "large.py"])
def test_what_is_no_text_says_what_it_is(space: Workspace, path: str) -> None:
    space.write(cite(AT, path=path, lines="40"))
    found = space.verify().only
    assert found.judgement.verdict is Verdict.NOT_TEXT
    assert ("Git LFS" in found.judgement.message) is (path == "large.py")


def as_told(seen: Seen) -> tuple[object, ...]:
    """Evidence without the places in the manifest, which are not compared, and the summary."""
    return (seen.summary, *seen.evidence)


@pytest.mark.parametrize("how", ["again", "refresh", "offline", "new release", "without tally"])
def test_another_run_finds_the_same(space: Workspace, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    first = everything(space).verify()
    match how:
        case "again":
            second = space.verify()
        case "refresh":
            second = space.verify(space.asking(refresh=True))
        case "offline":
            second = space.verify(space.asking(offline=True))
        case "new release":
            monkeypatch.setattr("provenance.places.__version__", "99")
            monkeypatch.setattr("provenance.loading.__version__", "99")
            second = space.verify()
        case _:
            space.verify()
            change(space, "UPDATE manifests SET stamp = NULL")
            second = space.verify()
    for one, other in zip(first.evidence, second.evidence, strict=True):
        if how != "offline" or one.citation.id not in {"no-revision", "unavailable"}:
            assert one == other
    assert second.summary.ok == first.summary.ok
    assert second.summary == summary_of(second.evidence)


lines_of_code = st.lists(
    st.sampled_from(["x = 1", "", "    y", "# …", "...", "def f():", "\tz", "é"]), max_size=9
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15, deadline=None)
@given(data=st.data())
def test_a_second_run_counts_what_the_first_counted(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    space = Workspace(tmp_path_factory.mktemp("space"))
    code = data.draw(lines_of_code)
    made = space.origins.add(commit({"valve.py": "\n".join(code).encode()}))
    ranges = st.integers(1, 8).flatmap(
        lambda first: st.integers(first, 9).map(lambda last: LineRange(first, last))
    )
    quotes = lines_of_code.map("\n".join)
    drawn = data.draw(st.lists(st.tuples(ranges, quotes), min_size=1, max_size=4))
    exact = ["\n".join(code[lines.first - 1 : lines.last]) for lines, _ in drawn]
    pairs = [*drawn, *((lines, quote) for (lines, _), quote in zip(drawn, exact, strict=True))]
    space.write(
        *(
            cite(source(made.id), f"c{number}", lines=str(lines), quote=quote if quote.strip() else None)
            for number, (lines, quote) in enumerate(pairs)
        )
    )
    first = space.verify()
    assert first.summary == summary_of(first.evidence)
    assert as_told(space.verify()) == as_told(first)
    assert as_told(space.verify(space.asking(refresh=True))) == as_told(first)
    (space.root / "evidence.db").unlink()
    assert as_told(space.verify()) == as_told(first)


def test_a_manifest_that_did_not_change_is_not_parsed_again(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    space.write(cite(AT))
    first = space.verify()
    space.origins.asked.clear()

    def never(*_: object) -> None:
        message = "parsed again"
        raise AssertionError(message)

    monkeypatch.setattr("provenance.manifest.parse", never)
    monkeypatch.setattr("provenance.judging.Judge.batch", never)
    assert as_told(space.verify()) == as_told(first)
    assert space.origins.asked == []
    space.write(cite(AT), title="changed")
    with pytest.raises(AssertionError, match="parsed again"):
        space.verify()


def test_a_manifest_that_changed_is_judged_again(space: Workspace) -> None:
    space.write(cite(AT), cite(AT, "two"))
    space.verify()
    space.write(cite(AT), cite(AT, "two", quote=OPEN.replace("2", "3")), cite(AT, "three", lines="8-9"))
    assert space.verify().verdicts == {
        "open": Verdict.EXACT,
        "two": Verdict.CHANGED,
        "three": Verdict.SHIFTED,
    }


@pytest.mark.parametrize(
    ("sql", "served"),
    [
        ("UPDATE verdicts SET verdict = 'whitespace', message = 'tampered'", True),
        ("UPDATE verdicts SET verdict = 'whitespace', inputs = 'x' || inputs", False),
        ("UPDATE verdicts SET verdict = 'whitespace', inputs = ''", False),
        ("DELETE FROM verdicts", False),
    ],
)
def test_a_stored_verdict_serves_under_its_inputs_alone(space: Workspace, sql: str, *, served: bool) -> None:
    space.write(cite(AT))
    space.verify()
    change(space, sql)
    change(space, "UPDATE manifests SET stamp = NULL")
    assert (space.verify().only.judgement.verdict is Verdict.WHITESPACE) is served
    refreshed = space.verify(space.asking(refresh=True))
    assert refreshed.only.judgement.verdict is Verdict.EXACT
    assert refreshed.summary == summary_of(refreshed.evidence)
    assert as_told(space.verify()) == as_told(refreshed)


def test_other_bytes_are_other_inputs(space: Workspace) -> None:
    space.write(cite(AT))
    space.verify()
    other = commit({"valve.py": CODE.replace("2", "3").encode()})
    with space.store() as store, store.transaction() as transaction:
        item = store.file(GIT, MADE.id, "valve.py")
        assert item is not None
        answer = other.acquired("valve.py")
        transaction.put_file(replace(item, blob=answer.content.blob), answer.content, ())
    change(space, "UPDATE manifests SET stamp = NULL")
    assert space.verify(space.asking(offline=True)).only.judgement.verdict is Verdict.UNAVAILABLE
    seen = space.verify(space.asking(refresh=True))
    assert (seen.only.judgement.verdict, seen.only.assurance) == (Verdict.EXACT, Assurance.COMMIT)


# --- what changes between two runs


def test_a_revision_that_comes_back_is_found(space: Workspace) -> None:
    made = space.origins.commits.pop(MADE.id)
    space.write(cite(AT))
    assert space.verify().only.judgement.verdict is Verdict.NO_REVISION
    space.origins.add(made)
    seen = space.verify()
    assert seen.only.judgement.verdict is Verdict.EXACT
    assert seen.summary == summary_of(seen.evidence)


def test_a_revision_that_has_gone_says_when_it_last_held(space: Workspace) -> None:
    space.write(cite(AT))
    space.verify()
    space.origins.commits.clear()
    assert space.verify().only.judgement.verdict is Verdict.EXACT, "what is stored serves"
    seen = space.verify(space.asking(refresh=True))
    assert seen.only.judgement.verdict is Verdict.NO_REVISION
    assert "; it was exact when it was judged on 20" in seen.only.judgement.message
    assert seen.only.level is Level.FAILURE
    again = space.verify()
    assert again.summary == summary_of(again.evidence)


def test_a_revision_that_never_held_has_no_such_day(space: Workspace) -> None:
    space.write(cite(source("v9")))
    assert "when it was judged" not in space.verify().only.judgement.message


def test_surer_bytes_are_counted_as_such_ever_after(space: Workspace) -> None:
    space.write(from_release(space))
    assert space.verify().summary.assurance == {Assurance.ARTIFACT: 1}
    space.origins.down = None
    assert space.verify().summary.assurance == {Assurance.ARTIFACT: 1}, "what is had is not asked for again"
    assert space.verify(space.asking(refresh=True)).summary.assurance == {Assurance.COMMIT: 1}
    seen = space.verify()
    assert seen.summary.assurance == {Assurance.COMMIT: 1}
    assert seen.summary == summary_of(seen.evidence)


def test_an_origin_that_is_out_of_reach_is_asked_again(space: Workspace) -> None:
    space.origins.down = OFFLINE
    space.write(cite(AT))
    for _ in range(2):
        seen = space.verify()
        assert (seen.only.judgement.verdict, seen.only.assurance) == (Verdict.UNAVAILABLE, None)
        assert seen.summary == summary_of(seen.evidence)
        assert (seen.summary.unavailable, seen.summary.assurance) == (1, {})
    space.origins.down = None
    assert space.verify().only.judgement.verdict is Verdict.EXACT


def test_what_was_not_judged_leaves_no_history(space: Workspace) -> None:
    space.origins.down = OFFLINE
    space.write(cite(AT))
    space.verify()
    with space.store() as store:
        assert store.history("manifests/a.yaml", "open") == []


# --- artifacts and what is asked for


@pytest.mark.parametrize(
    ("least", "data", "verdict"),
    [
        (Assurance.ARTIFACT, CODE.encode(), Verdict.EXACT),
        (Assurance.LOCKED, CODE.encode(), Verdict.UNAVAILABLE),
        (Assurance.COMMIT, CODE.encode(), Verdict.UNAVAILABLE),
        (Assurance.ARTIFACT, CODE.replace("2", "3").encode(), Verdict.UNAVAILABLE),
        (Assurance.ARTIFACT, b"short\n", Verdict.UNAVAILABLE),
        (Assurance.ARTIFACT, BINARY, Verdict.UNAVAILABLE),
    ],
)
def test_an_artifact_can_confirm_and_not_refute(
    space: Workspace, least: Assurance, data: bytes, verdict: Verdict
) -> None:
    space.write(from_release(space, data))
    for _ in range(2):
        seen = space.verify(least=least)
        assert seen.only.judgement.verdict is verdict
        assert seen.summary == summary_of(seen.evidence)
        assert seen.summary.assurance == ({Assurance.ARTIFACT: 1} if verdict is Verdict.EXACT else {})


def test_more_assurance_is_looked_for_where_more_is_asked(space: Workspace) -> None:
    space.write(from_release(space))
    space.verify()
    space.origins.down = None
    seen = space.verify(least=Assurance.COMMIT)
    assert seen.assurances == {"open": Assurance.COMMIT}


# --- the lock where nobody can be reached


def lock_and_lose_everything(space: Workspace, *citations: Citation) -> None:
    space.write(*citations)
    space.fetch()
    (space.root / "evidence.db").unlink()
    space.origins.down = OFFLINE


def test_the_lock_answers_where_nobody_can_be_reached(space: Workspace) -> None:
    lock_and_lose_everything(space, cite(AT), cite(AT, "two", lines="4-9"))
    for asking in (space.asking(), space.asking(offline=True), space.asking(refresh=True)):
        seen = space.verify(asking)
        assert seen.verdicts == {"open": Verdict.EXACT, "two": Verdict.PARTIAL}
        assert set(seen.assurances.values()) == {Assurance.LOCKED}
        assert all("bytes not seen" in item.judgement.message for item in seen.evidence)
        assert {item.origin for item in seen.evidence} == {OriginKind.LOCK}
        assert {item.blob for item in seen.evidence} == {Content.of(CODE.encode()).blob}
        assert all(item.notes for item in seen.evidence), "a note says who could not be reached"
        assert seen.summary == summary_of(seen.evidence)


def test_the_lock_answers_for_a_quote_that_was_edited(space: Workspace) -> None:
    lock_and_lose_everything(space, cite(AT, quote=OPEN.replace("2", "3")))
    space.write(cite(AT))
    assert space.verify().only.judgement.verdict is Verdict.EXACT
    space.write(cite(AT, quote="other"))
    assert space.verify().only.judgement.verdict is Verdict.CHANGED


def test_the_lock_does_not_answer_for_another_place(space: Workspace) -> None:
    lock_and_lose_everything(space, cite(AT))
    space.write(cite(AT, lines="5-7"))
    assert space.verify().only.judgement.verdict is Verdict.UNAVAILABLE


def test_the_lock_does_not_count_where_the_commit_is_asked_for(space: Workspace) -> None:
    lock_and_lose_everything(space, cite(AT))
    found = space.verify(least=Assurance.COMMIT).only
    assert (found.judgement.verdict, found.level) == (Verdict.UNAVAILABLE, Level.UNAVAILABLE)
    assert "--assurance asks for commit" in found.judgement.message


def test_the_lock_does_not_stand_in_for_what_prov_would_not_ask(space: Workspace) -> None:
    lock_and_lose_everything(space, cite(AT))
    space.origins.down = Unreached("a private address", refused=True)
    seen = space.verify()
    assert seen.only.judgement.verdict is Verdict.UNAVAILABLE
    assert seen.verification.problems == ["a private address; archive: the archive does not answer"]


def test_the_lock_does_not_stand_in_for_bytes_that_contradict_it(space: Workspace) -> None:
    space.write(cite(source("v1")))
    space.fetch()
    text = space.lock_path.read_text().replace(Content.of(CODE.encode()).blob, "b" * 40)
    space.lock_path.write_text(text)
    for asking in (space.asking(), space.asking(refresh=True), space.asking(offline=True), space.asking()):
        seen = space.verify(asking)
        assert seen.only.judgement.verdict is Verdict.UNAVAILABLE
        assert "contradict" in seen.only.judgement.message
        (problem,) = seen.verification.problems
        assert "b" * 40 in problem
        assert Content.of(CODE.encode()).blob in problem


def test_bytes_with_the_locked_id_are_locked(space: Workspace) -> None:
    citation = from_release(space)
    space.origins.down = None
    lock_and_lose_everything(space, citation)
    seen = space.verify()
    assert seen.only.judgement.verdict is Verdict.EXACT
    assert (seen.only.assurance, seen.only.origin) == (Assurance.LOCKED, OriginKind.RELEASE)


# --- input that cannot be read


def malformed_manifest(space: Workspace) -> str:
    (space.root / "manifests" / "b.yaml").write_text("prov: 1\ntitle: x\nnonsense: y\n")
    return "manifests/b.yaml:3"


def unreadable_manifest(space: Workspace) -> str:
    (space.root / "manifests" / "b.yaml").symlink_to("/etc/hostname")
    return "leads out of"


def malformed_lock(space: Workspace) -> str:
    inner = space.root / "manifests" / "inner"
    inner.mkdir()
    file = space.write(cite(AT, "inner"), name="b")
    file.rename(inner / "b.yaml")
    (inner / "prov.lock").write_text("{}")
    return "manifests/inner/prov.lock: not a lock"


@pytest.mark.parametrize("make", [malformed_manifest, unreadable_manifest, malformed_lock])
def test_input_that_cannot_be_read_does_not_stop_the_rest(
    space: Workspace, make: Callable[[Workspace], str]
) -> None:
    space.write(cite(AT))
    space.fetch()
    told = make(space)
    for _ in range(2):
        seen = space.verify()
        assert seen.verdicts["open"] is Verdict.EXACT
        assert told in "\n".join(seen.verification.problems)
    locked = space.locked()
    assert [item.id for item in locked.findings] == ["open"]
    assert told in "\n".join(locked.problems)


def test_a_manifest_that_is_mended_is_judged(space: Workspace) -> None:
    space.write(cite(AT))
    malformed_manifest(space)
    assert space.verify().verification.problems
    space.write(cite(AT, "two"), name="b")
    seen = space.verify()
    assert seen.verification.problems == []
    assert set(seen.verdicts) == {"open", "two"}


# --- levels, and what is expected


def test_a_summary_counts_levels_and_how_sure(space: Workspace) -> None:
    seen = everything(space).verify()
    assert (seen.summary.total, seen.summary.ok, seen.summary.warning) == (14, 5, 1)
    assert (seen.summary.failure, seen.summary.unavailable) == (7, 1)
    assert seen.summary.assurance == {Assurance.COMMIT: 11}
    assert seen.summary == summary_of(seen.evidence)
    levels = {Verdict.PARTIAL: Level.FAILURE, Verdict.CHANGED: Level.OK}
    seen = space.verify(levels=levels)
    assert (seen.summary.ok, seen.summary.warning, seen.summary.failure) == (6, 0, 7)
    assert seen.summary == summary_of(seen.evidence)


EXPECTED = Expectation("changed", "the page is older", date(2026, 1, 31))


@pytest.mark.parametrize(
    ("quote", "today", "level"),
    [
        (OPEN.replace("2", "3"), date(2026, 1, 31), Level.WARNING),
        (OPEN.replace("2", "3"), date(2026, 2, 1), Level.FAILURE),
        ("nothing of the kind, anywhere at all\n", date(2026, 1, 1), Level.FAILURE),
        (OPEN, date(2026, 1, 1), Level.OK),
    ],
)
def test_what_is_expected_is_weighed_on_the_day(
    space: Workspace, quote: str, today: date, level: Level
) -> None:
    space.write(cite(AT, quote=quote, expect=EXPECTED), cite(AT, "two"))
    for _ in range(2):
        seen = space.verify(today=today)
        (first, second) = seen.evidence
        assert (first.level, second.level) == (level, Level.OK)
        assert any("expect" in note for note in first.notes)
        assert seen.summary == summary_of(seen.evidence)


@pytest.mark.parametrize("expecting", [True, False])
def test_what_is_notable_is_all_that_is_not_ok_and_what_is_expected_in_vain(
    space: Workspace, *, expecting: bool
) -> None:
    expect = EXPECTED if expecting else None
    space.write(cite(AT), cite(AT, "two", quote=OPEN.replace("2", "3"), expect=expect))
    space.write(cite(AT), name="b")
    weigh = Settings(TODAY, {})
    with space.store() as store:
        batches = verify(space.files, store, LockFiles(space.project), space.asking()).batches
        assert [item.id for item in notable(batches, store, weigh)] == ["two"]
        lenient = replace(weigh, levels={Verdict.CHANGED: Level.OK})
        assert [item.id for item in notable(batches, store, lenient)] == (["two"] if expecting else [])


def test_evidence_stands_in_the_order_of_manifests(space: Workspace) -> None:
    for name in ("c", "a", "b"):
        space.write(cite(AT, f"{name}-2"), cite(AT, f"{name}-1"), name=name)
    names = ["a-2", "a-1", "b-2", "b-1", "c-2", "c-1"]
    for _ in range(2):
        assert [item.citation.id for item in space.verify().evidence] == names


def test_a_file_that_is_cited_again_and_again_is_read_once(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {f"valve{number}.py": CODE.replace("2", str(number)).encode() for number in range(3)}
    made = commit(files)
    space.origins.add(made)
    monkeypatch.setattr("provenance.reading._OUTLINES_HELD", 1)
    monkeypatch.setattr("provenance.reading._TEXTS_HELD", 1)
    read: list[str] = []
    whole = Reading._read_outline

    def counted(reading: Reading, blob: str, path: str, name: str) -> Outline | None:
        read.append(path)
        return whole(reading, blob, path, name)

    monkeypatch.setattr(Reading, "_read_outline", counted)
    at = source(made.id)
    cited = [cite(at, f"{turn}-{path}", path=path) for turn in range(4) for path in files]
    space.write(*cited)
    assert [item.id for item in space.verify().evidence] == [item.id for item in cited]
    assert sorted(read) == sorted(files)


def test_more_verdicts_than_are_written_at_once_are_all_written(
    space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("provenance.judging._WRITE_TOGETHER", 2)
    space.write(*(cite(AT, f"c{number}") for number in range(7)))
    seen = space.verify()
    assert len(seen.verdicts) == 7
    assert set(seen.verdicts.values()) == {Verdict.EXACT}
    assert as_told(space.verify()) == as_told(seen)


def test_a_manifest_that_another_run_replaces_meanwhile_is_told(space: Workspace) -> None:
    space.write(cite(AT))
    weigh = Settings(TODAY, {})
    from provenance.verify import evidence

    with space.store() as store:
        verification = verify(space.files, store, LockFiles(space.project), space.asking())
        change(space, "DELETE FROM verdicts")
        (found,) = evidence(verification.batches[0], store, weigh)
    assert found.judgement.verdict is Verdict.UNAVAILABLE
    assert "another run replaced this manifest" in found.judgement.message


def test_verify_writes_neither_manifest_nor_lock(space: Workspace) -> None:
    file = space.write(cite(AT))
    before = file.read_bytes()
    space.verify()
    assert file.read_bytes() == before
    assert not space.lock_path.exists()


# --- verify --locked


def test_the_lock_alone_needs_neither_network_nor_database(space: Workspace) -> None:
    lock_and_lose_everything(space, cite(source("v1")), cite(source("v1"), "two", lines="4-9"))
    space.origins.asked.clear()
    locked = space.locked()
    assert locked.problems == []
    assert {item.citation.id: item.judgement.verdict for item in cited(locked.findings)} == {
        "open": Verdict.EXACT,
        "two": Verdict.PARTIAL,
    }
    assert {(item.revision, item.assurance, item.origin) for item in cited(locked.findings)} == {
        (MADE.id, Assurance.LOCKED, OriginKind.LOCK)
    }
    assert space.origins.asked == []
    assert not (space.root / "evidence.db").exists()


def test_an_artifact_is_no_surer_in_the_lock(space: Workspace) -> None:
    space.write(from_release(space))
    space.fetch()
    (found,) = cited(space.locked().findings)
    assert found.assurance is Assurance.ARTIFACT


def test_what_the_lock_lacks_is_a_problem_with_its_line(space: Workspace) -> None:
    space.write(cite(AT))
    space.fetch()
    space.write(cite(AT), cite(AT, "new"), cite(AT, "newer", lines="8-9"))
    locked = space.locked()
    assert [item.id for item in locked.findings] == ["open"]
    assert [problem.split(": ")[0] for problem in locked.problems] == [
        "manifests/a.yaml:17:5",
        "manifests/a.yaml:26:5",
    ]
    assert "manifests/prov.lock has no entry for new as it is cited; run prov fetch" in locked.problems[0]


def test_without_a_lock_every_citation_is_a_problem(space: Workspace) -> None:
    space.write(cite(AT), cite(AT, "two"))
    locked = space.locked()
    assert (locked.findings, len(locked.problems)) == ([], 2)


def test_a_failure_is_lacking_and_not_unreached(space: Workspace) -> None:
    space.origins.answers[MADE.id, "valve.py"] = Lacking(Verdict.NOT_TEXT, "a submodule")
    space.write(cite(AT))
    found = space.verify(Asking(space.origins)).only
    assert (found.judgement.verdict, found.judgement.message) == (Verdict.NOT_TEXT, "a submodule")
    assert found.level is Level.FAILURE


def test_a_refresh_makes_outlines_that_the_store_lacks(space: Workspace) -> None:
    space.write(cite(source("v1")))
    space.verify()
    with sqlite3.connect(space.root / "evidence.db") as database:
        database.execute("DELETE FROM outlines")
        database.execute("DELETE FROM symbols")
    database.close()
    space.verify(space.asking(offline=True, refresh=True))
    with sqlite3.connect(space.root / "evidence.db") as database:
        names = [name for (name,) in database.execute("SELECT name FROM symbols ORDER BY ordinal")]
    database.close()
    assert names == ["Valve", "Valve.open", "Valve.close", "pump"]

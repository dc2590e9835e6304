from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.workspace import CODE, OPEN, cite, source

from provenance import lock as locks
from provenance.answers import Artifact
from provenance.citation import LineRange
from provenance.errors import LockError
from provenance.evidence import Assurance, Verdict
from provenance.extract.lines import Text
from provenance.lock import Lock, LockedCitation, LockedFile, LockedSource, Proof

if TYPE_CHECKING:
    from collections.abc import Callable

    from provenance.citation import Citation

BLOB = "8ab686927022341905da0c5c1eab5e6db7f5b9e5"
COMMIT = "0c66117d4297d6f778d415790bfbce6cfafe1239"
DIGEST = "d" * 64
GIT = "https://github.com/example/engine"

ids = st.text("0123456789abcdef", min_size=40, max_size=40)
digests = st.text("0123456789abcdef", min_size=64, max_size=64)
words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
artifacts = st.builds(Artifact, words, digests)
files = st.one_of(
    st.builds(LockedFile, ids, st.just(Proof.COMMIT)),
    st.builds(LockedFile, ids, st.just(Proof.ARTIFACT), st.none() | artifacts),
)
sources = st.builds(LockedSource, st.none() | ids, st.dictionaries(words, files, max_size=3))
citations = st.builds(LockedCitation, digests, digests, st.none() | digests, st.sampled_from(Verdict))
whole = st.builds(
    Lock,
    st.dictionaries(st.tuples(words, words), sources, max_size=3),
    st.dictionaries(st.tuples(words, words), citations, max_size=3),
)


def example() -> Lock:
    return Lock(
        {
            (GIT, "v1"): LockedSource(
                COMMIT,
                {
                    "b.py": LockedFile(BLOB, Proof.COMMIT),
                    "a.py": LockedFile(BLOB, Proof.ARTIFACT, Artifact("engine-1.tar.gz", DIGEST)),
                },
            ),
            (GIT, "v0"): LockedSource(None),
        },
        {
            ("b.yaml", "one"): LockedCitation(DIGEST, DIGEST, None, Verdict.NO_PATH),
            ("a.yaml", "two"): LockedCitation(DIGEST, DIGEST, DIGEST, Verdict.EXACT),
        },
    )


def same(left: Lock, right: Lock) -> bool:
    return (dict(left.sources), dict(left.citations)) == (dict(right.sources), dict(right.citations))


@given(whole)
def test_what_is_rendered_is_read_back(lock: Lock) -> None:
    assert same(locks.parse(locks.render(lock).encode(), "prov.lock"), lock)


@given(whole)
def test_the_order_in_which_things_were_found_leaves_no_trace(lock: Lock) -> None:
    turned = Lock(
        {
            key: LockedSource(item.commit, dict(reversed(list(item.files.items()))))
            for key, item in reversed(list(lock.sources.items()))
        },
        dict(reversed(list(lock.citations.items()))),
    )
    assert locks.render(turned) == locks.render(lock)


def test_a_lock_is_sorted_ends_in_a_line_feed_and_holds_no_code() -> None:
    text = locks.render(example())
    assert text.endswith("}\n")
    assert text.index("a.yaml") < text.index("b.yaml")
    assert text.index('"v0"') < text.index('"v1"')
    assert json.loads(text)["sources"][GIT]["v0"] == {"revision": None, "paths": {}}
    assert OPEN.strip() not in text


Change = tuple[list[str], object]
V1 = ["sources", GIT, "v1"]
TWO = ["citations", "a.yaml", "two"]


@pytest.mark.parametrize(
    ("keys", "value", "told"),
    [
        (["prov"], 2, "prov: expected 1, found 2"),
        (["prov"], None, "prov: expected 1, found None"),
        (["sources"], [], "sources: expected an object"),
        (["sources"], None, "sources: expected an object"),
        (["citations"], "x", "citations: expected an object"),
        (["sources", GIT], 1, f"sources › {GIT}: expected an object"),
        (V1, [], f"sources › {GIT} › v1: expected an object"),
        ([*V1, "paths"], None, f"sources › {GIT} › v1 › paths: expected an object"),
        ([*V1, "revision"], "v1", f"sources › {GIT} › v1 › revision: expected a full object id, found 'v1'"),
        ([*V1, "revision"], 7, f"sources › {GIT} › v1 › revision: expected a string"),
        ([*V1, "paths", "b.py"], "x", f"sources › {GIT} › v1 › b.py: expected an object"),
        ([*V1, "paths", "b.py", "blob"], "x", "b.py › blob: expected a full object id, found 'x'"),
        ([*V1, "paths", "b.py", "blob"], BLOB.upper(), "b.py › blob: expected a full object id"),
        ([*V1, "paths", "b.py", "proof"], "word", "b.py › proof: expected commit or artifact"),
        ([*V1, "paths", "b.py", "proof"], None, "b.py › proof: expected a string"),
        ([*V1, "paths", "a.py", "artifact"], "x", "a.py › artifact: expected an object"),
        ([*V1, "paths", "a.py", "artifact"], {"name": "x"}, "a.py: expected a string"),
        (["citations", "a.yaml"], [], "citations › a.yaml: expected an object"),
        (TWO, None, "citations › a.yaml › two: expected an object"),
        ([*TWO, "place"], 1, "citations › a.yaml › two › place: expected a string"),
        ([*TWO, "digest"], None, "citations › a.yaml › two › digest: expected a string"),
        ([*TWO, "digest"], 'x", "y": "', "› digest: expected 64 hexadecimal digits, found"),
        ([*TWO, "place"], "D" * 64, "› place: expected 64 hexadecimal digits, found"),
        ([*TWO, "excerpt"], "d" * 63, "› excerpt: expected 64 hexadecimal digits, found"),
        ([*TWO, "excerpt"], 3, "citations › a.yaml › two › excerpt: expected a string"),
        ([*TWO, "verdict"], "fine", "citations › a.yaml › two › verdict: not a verdict"),
        ([*TWO, "verdict"], [], "citations › a.yaml › two › verdict: expected a string"),
    ],
)
def test_a_malformed_lock_is_told_with_file_and_key(keys: list[str], value: object, told: str) -> None:
    data = json.loads(locks.render(example()))
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    with pytest.raises(LockError) as caught:
        locks.parse(json.dumps(data).encode(), "m/prov.lock")
    message = str(caught.value)
    assert message.startswith("m/prov.lock: not a lock: ")
    assert told in message
    assert "run prov fetch" in message


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff", b'"prov"', b"<<<<<<< HEAD\n{}\n", b"[" * 100_000, b"1" * 10_000],
    ids=["empty", "open", "list", "null", "not UTF-8", "text", "conflict", "deep", "number"],
)
@pytest.mark.parametrize("read", [locks.parse, locks.parse_known])
def test_what_is_no_lock_at_all_is_told_too(read: Callable[[bytes, str], Lock], data: bytes) -> None:
    with pytest.raises(LockError, match=r"^prov\.lock: not a lock: "):
        read(data, "prov.lock")


@given(whole, st.sampled_from([None, 0, 1, 4]))
def test_a_known_lock_says_what_the_whole_one_says(lock: Lock, indent: int | None) -> None:
    rendered = locks.render(lock)
    laid_out = json.dumps(json.loads(rendered), indent=indent)
    for data in (rendered.encode(), laid_out.encode(), laid_out.encode("utf-16")):
        assert same(locks.parse_known(data, "prov.lock"), locks.parse(data, "prov.lock"))


HEAD = '\n "prov": 1,\n "sources": {'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"sources": {{}},\n "citations": {{}},{HEAD}"{GIT}": {{"v1": {{"revision": null, "paths": {{}}}}}}}}}}',
        f'{{"citations": {{}}, "x": {{{HEAD}}}}},\n "prov": 1, "sources": {{}}}}',
        f'{{"prov": 1, "sources": {{}}, "citations": {{}}, "x": {{{HEAD}}}}}}}',
    ],
    ids=["twice", "nested", "nested last"],
)
def test_a_forged_layout_misleads_nobody(text: str) -> None:
    data = text.encode()
    assert same(locks.parse_known(data, "prov.lock"), locks.parse(data, "prov.lock"))


def test_the_citations_of_a_known_lock_are_read_when_they_are_asked_for() -> None:
    data = locks.render(example()).replace('"exact"', '"fine"').encode()
    lock = locks.parse_known(data, "prov.lock")
    assert lock.commit(GIT, "v1") == COMMIT
    with pytest.raises(LockError, match="two › verdict"):
        _ = lock.citations


def test_what_a_lock_knows_of_a_source() -> None:
    lock = example()
    assert lock.commit(GIT, "v1") == COMMIT
    assert lock.commit(GIT, "v0") is None
    assert lock.commit(GIT, "v2") is None
    assert lock.file(GIT, "v1", "b.py") == LockedFile(BLOB, Proof.COMMIT)
    assert lock.file(GIT, "v1", "c.py") is None
    assert lock.file("elsewhere", "v1", "b.py") is None


def entry(citation: Citation, verdict: Verdict = Verdict.EXACT) -> LockedCitation:
    excerpt = Text(CODE).excerpt(citation.lines or LineRange(1, 1))
    return LockedCitation(citation.place_digest(), citation.digest(), locks.excerpt_digest(excerpt), verdict)


ORIGINAL = cite(source("v1"))


def edited(**changes: object) -> Citation:
    return replace(ORIGINAL, **changes)  # type: ignore[arg-type] # a table of one field each


@pytest.mark.parametrize(
    ("citation", "locked", "verdict"),
    [
        pytest.param(ORIGINAL, Verdict.EXACT, Verdict.EXACT, id="as judged"),
        pytest.param(ORIGINAL, Verdict.PARTIAL, Verdict.PARTIAL, id="as judged, partial"),
        pytest.param(ORIGINAL, Verdict.CHANGED, Verdict.CHANGED, id="as judged, changed"),
        pytest.param(edited(claim="another"), Verdict.PARTIAL, Verdict.PARTIAL, id="the claim is not judged"),
        pytest.param(edited(id="other"), Verdict.PARTIAL, Verdict.PARTIAL, id="nor is the id"),
        pytest.param(edited(quote=OPEN[:-1]), Verdict.CHANGED, Verdict.EXACT, id="last LF"),
        pytest.param(
            edited(quote="\ufeff" + OPEN.replace("\n", "\r\n")),
            Verdict.CHANGED,
            Verdict.EXACT,
            id="CRLF, BOM",
        ),
        pytest.param(edited(quote="    def open"), Verdict.EXACT, Verdict.CHANGED, id="another quote"),
        pytest.param(
            edited(quote=OPEN.strip()), Verdict.EXACT, Verdict.CHANGED, id="white space counts here"
        ),
        pytest.param(edited(quote=None), Verdict.EXACT, Verdict.UNQUOTED, id="the quote taken out"),
        pytest.param(edited(quote=""), Verdict.EXACT, Verdict.CHANGED, id="an empty quote is one"),
        pytest.param(edited(lines=LineRange(5, 7)), Verdict.EXACT, None, id="range"),
        pytest.param(edited(path="b.py"), Verdict.EXACT, None, id="path"),
        pytest.param(edited(source=source("v2")), Verdict.EXACT, None, id="revision"),
        pytest.param(
            edited(source=source("v1", git="https://x.org/y")), Verdict.EXACT, None, id="repository"
        ),
        pytest.param(edited(source=source("v1", name="motor")), Verdict.EXACT, Verdict.EXACT, id="its name"),
        *(
            pytest.param(edited(quote="other"), verdict, verdict, id=f"no quote mends {verdict}")
            for verdict in (Verdict.OUT_OF_RANGE, Verdict.NOT_TEXT, Verdict.NO_PATH, Verdict.NO_REVISION)
        ),
    ],
)
def test_what_the_lock_alone_answers(citation: Citation, locked: Verdict, verdict: Verdict | None) -> None:
    answer = locks.answer(entry(ORIGINAL, locked), citation)
    assert (answer and answer.verdict) == verdict
    assert answer is None or "bytes not seen" in answer.message


def test_a_lock_without_an_entry_does_not_answer() -> None:
    assert locks.answer(None, ORIGINAL) is None


def test_a_quote_that_was_edited_gets_no_diff_and_is_told_so() -> None:
    answer = locks.answer(entry(ORIGINAL), edited(quote="x"))
    assert answer is not None
    assert "no diff" in answer.message
    assert answer.diff == ""


@given(st.text(st.characters(exclude_characters="\r\ufeff")))
def test_a_quote_equals_its_excerpt_whatever_ends_its_lines(text: str) -> None:
    whole = Text(text)
    if not len(whole):
        return
    lines = LineRange(1, len(whole))
    citation = edited(lines=lines, quote="\ufeff" + text.replace("\n", "\r\n"))
    excerpt = locks.excerpt_digest(whole.excerpt(lines))
    locked = LockedCitation(citation.place_digest(), DIGEST, excerpt, Verdict.CHANGED)
    answer = locks.answer(locked, citation)
    assert answer is not None
    assert answer.verdict is Verdict.EXACT


@pytest.mark.parametrize(
    ("file", "assurance"),
    [
        (None, Assurance.LOCKED),
        (LockedFile(BLOB, Proof.COMMIT), Assurance.LOCKED),
        (LockedFile(BLOB, Proof.ARTIFACT), Assurance.ARTIFACT),
    ],
)
def test_the_lock_is_as_sure_as_the_bytes_were(file: LockedFile | None, assurance: Assurance) -> None:
    assert locks.assurance(file) is assurance

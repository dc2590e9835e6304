from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from support.stored import CONTENT, file

from provenance.citation import LineRange
from provenance.errors import StoreError
from provenance.evidence import Content
from provenance.extract.decode import NotText
from provenance.extract.syntax import NoSyntax, Syntax
from provenance.reading import Reading
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from provenance.extract.languages import Language


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(str(tmp_path / "evidence.db")) as made:
        put(made, CONTENT.data)
        yield made


def put(store: Store, data: bytes, name: str = "valve.py") -> str:
    content = Content.of(data)
    with store.transaction() as transaction:
        transaction.put_file(replace(file(name), blob=content.blob), content, ())
    return content.blob


def counted(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The blobs whose bytes are read from here on."""
    asked: list[str] = []
    content = store.content

    def noted(blob: str) -> Content | None:
        asked.append(blob)
        return content(blob)

    monkeypatch.setattr(store, "content", noted)
    return asked


def test_a_text_is_decoded_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Reading(store)
    asked = counted(store, monkeypatch)
    first = reading.text(CONTENT.blob, "valve.py")
    assert reading.text(CONTENT.blob, "valve.py") is first
    assert asked == [CONTENT.blob]


def test_one_content_may_declare_different_things_under_different_names(store: Store) -> None:
    blob = put(store, b'<meta charset="koi8-r">\xc1\n')
    reading = Reading(store)
    texts = [reading.text(blob, name) for name in ("a.html", "a.txt")]
    assert [text.encoding for text in texts if not isinstance(text, NotText)] == ["koi8-r", "latin-1"]


def test_texts_are_not_held_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.reading._TEXTS_HELD", 100)
    blobs = [put(store, b"x" * 60 + bytes([48 + number]), f"f{number}") for number in range(4)]
    reading = Reading(store)
    asked = counted(store, monkeypatch)
    for blob in blobs:
        reading.text(blob, "f")
    reading.text(blobs[-1], "f")
    assert asked == blobs
    reading.text(blobs[0], "f")
    assert asked == [*blobs, blobs[0]]


def test_a_content_that_is_not_there_is_told(store: Store) -> None:
    with pytest.raises(StoreError, match=f"no bytes for blob {'b' * 40}"):
        Reading(store).text("b" * 40, "a.py")


def test_an_outline_is_made_once_and_read_ever_after(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    reading = Reading(store)
    made = reading.outline(CONTENT.blob, "valve.py")
    assert made is not None
    assert made.symbol(LineRange(5, 6)) == "Valve.open"
    assert reading.outline(CONTENT.blob, "other.py") is made
    (key,) = reading.new_outlines
    assert key == (CONTENT.blob, "python")
    with store.transaction() as transaction:
        transaction.put_outline(*key, made.to_json(), made.definitions)
    asked = counted(store, monkeypatch)
    again = Reading(store)
    assert again.outline(CONTENT.blob, "valve.py") == made
    assert again.new_outlines == {}
    assert asked == []


def test_other_languages_and_what_is_no_text_have_no_outline(store: Store) -> None:
    reading = Reading(store)
    assert reading.outline(CONTENT.blob, "valve.unknown") is None
    assert reading.outline(put(store, b"\0binary"), "valve.py") is None
    assert reading.new_outlines == {}


def test_outlines_are_not_held_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.reading._OUTLINES_HELD", 2)
    reading = Reading(store)
    for number in range(5):
        reading.outline(put(store, b"x = %d\n" % number), "a.py")
    assert len(reading._outlines) == 2


def test_a_file_is_parsed_once_for_its_tree_and_its_outline(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    parse = Syntax.of_bytes

    def noted(data: bytes, language: Language) -> Syntax | NoSyntax:
        made.append(data)
        return parse(data, language)

    monkeypatch.setattr(Syntax, "of_bytes", noted)
    reading = Reading(store)
    tree = reading.syntax(CONTENT.blob, "valve.py")
    assert tree is not None
    assert reading.syntax(CONTENT.blob, "valve.py") is tree
    assert reading.outline(CONTENT.blob, "valve.py") is not None
    assert made == [CONTENT.data.removesuffix(b"\n")]


def test_trees_are_not_held_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("provenance.reading._TREES_HELD", 20)
    one, other = (put(store, b"x = 1234567890" + end) for end in (b"1", b"2"))
    reading = Reading(store)
    first = reading.syntax(one, "a.py")
    assert reading.syntax(one, "a.py") is first
    reading.syntax(other, "a.py")
    assert reading.syntax(one, "a.py") is not first


def test_what_has_no_tree(store: Store) -> None:
    reading = Reading(store)
    assert reading.syntax(put(store, b"\0\1"), "a.py") is None
    assert reading.syntax(CONTENT.blob, "valve.txt") is None

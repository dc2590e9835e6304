from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.documents.mending import Mend, Stretch, mended, stretches

OLD = "https://example.org/a/b/blob/main/f.py#L10"
NEW = "https://example.org/a/b/blob/0c66117/f.py#L12"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"see {OLD}.\n", f"see {NEW}.\n"),
        (f"[a]({OLD}) and [b]({OLD})", f"[a]({NEW}) and [b]({NEW})"),
        (f"<{OLD}>\r\nnext\r\n", f"<{NEW}>\r\nnext\r\n"),
        (f"[{OLD}]({OLD})", f"[{NEW}]({NEW})"),
    ],
)
def test_a_link_is_replaced_and_nothing_else(before: str, after: str) -> None:
    found = mended(before.encode(), [Mend(OLD, NEW, 1)])
    assert found.data == after.encode()
    assert not found.left


@pytest.mark.parametrize("behind", ["0", "-L20", "C5", "-20", "–20", "/x", ":7"])
def test_a_longer_link_that_begins_so_is_another(behind: str) -> None:
    text = f"see {OLD}{behind} here"
    found = mended(text.encode(), [Mend(OLD, NEW, 1)])
    assert found.data == text.encode()
    assert found.left == (Mend(OLD, NEW, 1),)


def test_a_plain_place_within_a_longer_path_is_another() -> None:
    found = mended(b"src/f.py:10 and f.py:10, f.py:10-20", [Mend("f.py:10", "f.py:12-14", 1)])
    assert found.data == b"src/f.py:10 and f.py:12-14, f.py:10-20"


def test_one_line_alone_is_looked_at() -> None:
    found = mended(f"{OLD}\n{OLD}\n".encode(), [Mend(OLD, NEW, 2)])
    assert found.data == f"{OLD}\n{NEW}\n".encode()


def test_what_is_wanted_to_be_two_things_is_left() -> None:
    two = [Mend(OLD, NEW, 1), Mend(OLD, f"{NEW}-L14", 1)]
    found = mended(OLD.encode(), two)
    assert found.data == OLD.encode()
    assert found.left == tuple(two)


def test_in_a_notebook_a_link_is_found_as_json_has_it() -> None:
    raw, new = 'f".py#L1', 'f".py#L2'
    found = mended(rb'{"source": ["see f\".py#L1\n", "x"]}', [Mend(raw, new, None)])
    assert found.data == rb'{"source": ["see f\".py#L2\n", "x"]}'


@given(st.binary(max_size=200), st.integers(1, 5))
def test_bytes_without_the_link_stay_as_they_are(data: bytes, line: int) -> None:
    found = mended(data, [Mend(OLD, NEW, line)])
    assert found.data == data


@given(st.binary(max_size=50).filter(lambda data: b"\n" not in data), st.binary(max_size=50))
def test_bytes_around_the_link_stay_as_they_are(before: bytes, behind: bytes) -> None:
    data = before + b" " + OLD.encode() + b" " + behind
    assert mended(data, [Mend(OLD, NEW, 1)]).data == before + b" " + NEW.encode() + b" " + behind


def replaced(data: bytes, found: dict[Mend, tuple[Stretch, ...]]) -> bytes:
    """As an editor would do it, from behind."""
    lines = data.decode("utf-8-sig").split("\n")
    for at in sorted({at for group in found.values() for at in group}, key=lambda at: (at.line, -at.column)):
        line = lines[at.line - 1]
        lines[at.line - 1] = line[: at.column - 1] + at.new + line[at.end - 1 :]
    mark = "\ufeff" if data.startswith(b"\xef\xbb\xbf") else ""
    return (mark + "\n".join(lines)).encode()


@given(
    st.lists(st.sampled_from([OLD, f"{OLD}0", " ", "é", "\n", "\r\n", "\ufeff", "("]), max_size=12).map(
        "".join
    )
)
def test_stretches_are_what_would_be_replaced(text: str) -> None:
    data = text.encode()
    for mends in ([Mend(OLD, NEW, 1)], [Mend(OLD, NEW, 2), Mend(f"{OLD}0", NEW, 1)]):
        assert replaced(data, stretches(data, mends)) == mended(data, mends).data


def test_in_a_notebook_stretches_are_written_as_json_has_them() -> None:
    raw, new = 'f".py#L1', 'f".py#L2'
    data = rb'{"source": ["see f\".py#L1\n", "x"]}'
    assert (
        replaced(data, stretches(data, [Mend(raw, new, None)])) == mended(data, [Mend(raw, new, None)]).data
    )


@pytest.mark.parametrize(
    ("data", "mends"),
    [
        (OLD.encode(), [Mend(OLD, NEW, 1), Mend(OLD, f"{NEW}-L14", 1)]),
        (OLD.encode(), [Mend(OLD, OLD, 1)]),
        (b"\xff " + OLD.encode(), [Mend(OLD, NEW, 1)]),
        (b"nothing", [Mend(OLD, NEW, 1), Mend(OLD, NEW, 9)]),
    ],
    ids=["two things", "as it is", "not UTF-8", "not there"],
)
def test_what_is_not_clear_has_no_stretch(data: bytes, mends: list[Mend]) -> None:
    assert stretches(data, mends) == {}

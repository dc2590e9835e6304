"""Date and subject of commit objects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.origin.git_commit import described

ID = "c" * 40


def made(message: bytes, *, when: bytes = b"1550133660 +0100", extra: bytes = b"") -> bytes:
    return (
        b"tree " + b"1" * 40 + b"\nauthor A <a@example.org> 1 +0000\n"
        b"committer C <c@example.org> " + when + b"\n" + extra + b"\n" + message
    )


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        (b"One line\n", "One line"),
        (b"One line", "One line"),
        (b"Two\nlines  \n\nand a body\n", "Two lines"),
        (b"\n  \nAfter blank lines\n", "After blank lines"),
        (b"", ""),
        (b"\n\n", ""),
        ("Зубчатое «колесо»\n".encode(), "Зубчатое «колесо»"),
        (b"Zahnr\xe4der\n", "Zahnräder"),
        (b"Windows\r\nends\r\n\r\nbody", "Windows ends"),
        (b"before\0after\n", "before"),
    ],
)
def test_the_subject_is_the_first_paragraph(message: bytes, subject: str) -> None:
    assert described(ID, made(message)).subject == subject


@pytest.mark.parametrize(
    ("encoding", "text", "subject"),
    [
        (b"ISO-8859-1", b"Zahnr\xe4der", "Zahnräder"),
        (b"windows-1251", "Колесо".encode("cp1251"), "Колесо"),
        (b"no-such-encoding", "Колесо".encode(), "Колесо"),
        (b"hex", b"41", "41"),
        (b"utf-8", b"\xff", "ÿ"),
    ],
)
def test_the_encoding_that_a_commit_names_is_kept(encoding: bytes, text: bytes, subject: str) -> None:
    assert described(ID, made(text, extra=b"encoding " + encoding + b"\n")).subject == subject


@pytest.mark.parametrize(
    ("when", "date"),
    [
        (b"1550133660 +0100", "2019-02-14T09:41:00+01:00"),
        (b"1550133660 -0330", "2019-02-14T05:11:00-03:30"),
        (b"0 +0000", "1970-01-01T00:00:00+00:00"),
        (b"999999999999 +0000", ""),
        (b"1550133660 +9900", ""),
        (b"soon", ""),
    ],
)
def test_the_date_has_its_offset(when: bytes, date: str) -> None:
    assert described(ID, made(b"x", when=when)).date == date


@given(st.binary())
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert described(ID, data).id == ID

from __future__ import annotations

import codecs
import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.extract.decode import NotText, decode
from provenance.extract.lines import Text

POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    b"size 12345\n"
)
LEGACY = b"caf\xe9 \xa4\n"


def text(content: bytes, path: str = "a.py") -> Text:
    found = decode(content, path)
    assert isinstance(found, Text)
    return found


def not_text(content: bytes) -> str:
    found = decode(content, "a.py")
    assert isinstance(found, NotText)
    return found.reason


def test_utf8_needs_no_note() -> None:
    found = text("\ufeffé\n".encode())
    assert (found.text, found.encoding, found.notes) == ("é", "utf-8", ())


def test_latin1_is_the_last_resort_and_is_told() -> None:
    found = text(b"# caf\xe9\nx = 1\n")
    assert found.text == "# café\nx = 1"
    assert found.encoding == "latin-1"
    assert found.notes == ("decoded as latin-1: it is not UTF-8",)


@pytest.mark.parametrize(
    ("head", "path"),
    [
        (b"# -*- coding: iso-8859-15 -*-\n", "a.py"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n", "a.py"),
        (b'<?xml version="1.0" encoding="iso-8859-15"?>\n', "a.xml"),
        (b'<html><head><meta charset="iso-8859-15">\n', "a.html"),
        (b"<meta http-equiv='Content-Type' content='text/html; charset=ISO-8859-15'>\n", "A.HTM"),
    ],
)
def test_a_file_declares_its_encoding(head: bytes, path: str) -> None:
    found = text(head + LEGACY, path)
    assert found.lines[-1] == "café €"
    assert found.encoding == "iso8859-15"
    assert found.notes == ("decoded as iso8859-15, which the file declares",)


@pytest.mark.parametrize(
    ("head", "path"),
    [
        (b"\n\n# coding: iso-8859-15\n", "a.py"),
        (b'x = "<meta charset=iso-8859-15>"\n', "a.py"),
        (b"# coding: no-such-codec\n", "a.py"),
        (b"# coding: utf-8\n", "a.py"),
        (b"# coding: aliases\n", "a.py"),
        (b"# coding: ..evil\n", "a.py"),
    ],
)
def test_what_is_no_declaration(head: bytes, path: str) -> None:
    assert text(head + LEGACY, path).encoding == "latin-1"


@pytest.mark.parametrize(
    "codec",
    [
        "rot13",
        "zip",
        "hex",
        "unicode_escape",
        "raw_unicode_escape",
        "idna",
        "punycode",
        "utf-7",
        "utf-16",
        "cp037",
        "iso2022_jp",
        "hz",
        "undefined",
        "mbcs",
    ],
)
def test_a_codec_that_obeys_or_widens_is_ignored(codec: str) -> None:
    assert text(b"# coding: %s\n" % codec.encode() + LEGACY).encoding == "latin-1"


def test_a_declaration_that_does_not_fit_is_told() -> None:
    found = text(b"# coding: euc-jp\n\xff\n")
    assert found.encoding == "latin-1"
    assert found.notes == ("decoded as latin-1: it is neither UTF-8 nor euc_jp, which it declares",)


@pytest.mark.parametrize("codec", sorted(set(encodings.aliases.aliases.values())))
def test_no_codec_changes_the_lines(codec: str) -> None:
    content = b"# coding: %s\n" % codec.encode() + bytes(range(1, 256)) + b"\nlast"
    found = text(content)
    assert len(found) == content.count(b"\n") + 1
    assert found.lines[-1] == "last"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x7fELF\0\0", "binary content"),
        (b"a" * 7999 + b"\0", "binary content"),
        (
            codecs.BOM_UTF16_LE + "abc".encode("utf-16-le"),
            "binary content (UTF-16 or UTF-32, which git counts as binary)",
        ),
    ],
)
def test_binary(content: bytes, reason: str) -> None:
    assert not_text(content) == reason


def test_a_nul_where_git_does_not_look() -> None:
    assert len(text(b"a" * 8000 + b"\0")) == 1


@pytest.mark.parametrize(
    "content",
    [
        POINTER,
        POINTER.replace(b"\n", b"\r\n"),
        POINTER.removesuffix(b"\n"),
        POINTER.replace(b"oid", b"ext-0-case sha256:00\noid"),
    ],
)
def test_git_lfs_pointer(content: bytes) -> None:
    assert not_text(content).startswith("content in Git LFS: the repository holds a pointer to sha256:4d7a")


@pytest.mark.parametrize("content", [POINTER + b"more\n", b"# " + POINTER, POINTER.replace(b"size", b"Size")])
def test_text_about_git_lfs_is_text(content: bytes) -> None:
    assert len(text(content)) >= 3


@given(st.binary(max_size=300), st.sampled_from([b"", b"# coding: ", b"<?xml encoding='", b"<meta charset="]))
def test_never_raises_and_keeps_the_count_of_lines(content: bytes, head: bytes) -> None:
    found = decode(head + content, "a.html")
    if isinstance(found, Text):
        whole = head + content
        assert len(found) == whole.count(b"\n") + (1 if whole and not whole.endswith(b"\n") else 0)

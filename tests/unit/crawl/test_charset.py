from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.crawl.charset import CODECS, decoded

META = '<meta charset="{}">é'
UTF_8 = "é – ↗"


@pytest.mark.parametrize(
    ("data", "header", "text", "remark"),
    [
        (b"", "", "", ""),
        (UTF_8.encode(), "", UTF_8, ""),
        (UTF_8.encode(), "text/html; charset=utf-8", UTF_8, ""),
        (UTF_8.encode(), 'text/html; Charset = "UTF-8"', UTF_8, ""),
        (codecs.BOM_UTF8 + UTF_8.encode(), "text/html; charset=koi8-r", UTF_8, ""),
        (codecs.BOM_UTF16_LE + UTF_8.encode("utf-16-le"), "", UTF_8, ""),
        (codecs.BOM_UTF16_BE + UTF_8.encode("utf-16-be"), "", UTF_8, ""),
        (UTF_8.encode("utf-16-le"), "text/html; charset=utf-16le", UTF_8, ""),
        ("é".encode("latin-1"), "text/html; charset=iso-8859-1", "é", ""),
        ("1–2".encode("cp1252"), "text/html; charset=latin1", "1–2", ""),
        ("я".encode("koi8-r"), "text/html; charset=koi8-r", "я", ""),
        (b"<meta charset=windows-1251>\xff", "", "<meta charset=windows-1251>я", ""),
        (b'<?xml version="1.0" encoding="iso-8859-15"?>\xa4', "", '<?xml version="1.0" encoding="iso-8859-15"?>€', ""),
        (META.format("utf-16").encode(), "", META.format("utf-16"), ""),
        (META.format("koi8-r").encode(), "text/html; charset=utf-8", META.format("koi8-r"), ""),
        ("é".encode("latin-1"), "", "é", "read as Latin-1, for it is not UTF-8"),
        (
            "é".encode("latin-1"),
            "text/html; charset=utf-8",
            "é",
            "read as Latin-1, for it is not UTF-8, and not as utf-8, which it declares and is not",
        ),
        (
            UTF_8.encode(),
            "text/html; charset=iso-8859-1",
            UTF_8,
            "read as UTF-8, which it is, and not as cp1252, which it declares",
        ),
        (
            UTF_8.encode(),
            "text/html; charset=shift_jis",
            UTF_8,
            "read as UTF-8, and not as shift_jis, which it declares and is not",
        ),
        (
            b"<p>x",
            "text/html; charset=utf-16",
            "<p>x",
            "read as UTF-8, and not as utf-16, which it declares and is not",
        ),
        (b"\\x41", "text/html; charset=unicode_escape", "\\x41", ""),
        (b"abc", "text/html; charset=rot13", "abc", ""),
        (b"abc", "text/html; charset=zip", "abc", ""),
        (b"xn--bcher-kva", "text/html; charset=punycode", "xn--bcher-kva", ""),
        (b"abc", "text/html; charset=no-such-charset", "abc", ""),
        (b"abc", "text/html; charset=..%00", "abc", ""),
    ],
)  # fmt: skip
def test_the_text_of_a_page(data: bytes, header: str, text: str, remark: str) -> None:
    assert decoded(data, header) == (text, remark)


def test_encodings_are_known_by_their_names() -> None:
    assert {codecs.lookup(name).name for name in CODECS} == CODECS


@given(
    st.binary(max_size=60),
    st.text(max_size=20) | st.sampled_from(sorted(CODECS)).map("text/html;charset=".__add__),
)
def test_any_bytes_have_a_text(data: bytes, header: str) -> None:
    text, _ = decoded(data, header)
    assert len(text) <= len(data)

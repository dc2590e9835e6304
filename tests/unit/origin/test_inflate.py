from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.origin.inflate import PIECE, Compression, Damaged, TooLarge, inflate

if TYPE_CHECKING:
    from collections.abc import Callable

COMPRESS: dict[Compression, Callable[[bytes], bytes]] = {
    Compression.NONE: bytes,
    Compression.GZIP: gzip.compress,
    Compression.BZIP2: bz2.compress,
    Compression.XZ: lzma.compress,
}
PACKED = [Compression.GZIP, Compression.BZIP2, Compression.XZ]


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(st.lists(st.binary(max_size=200), max_size=3), st.sampled_from(list(Compression)), st.integers(1, 50))
def test_what_was_compressed_comes_out(parts: list[bytes], compression: Compression, size: int) -> None:
    packed = b"".join(map(COMPRESS[compression], parts))
    whole = b"".join(parts)
    assert b"".join(inflate(cut(packed, size), compression, limit=len(whole))) == whole


@pytest.mark.parametrize("compression", PACKED)
def test_a_bomb_is_stopped_at_its_bound(compression: Compression) -> None:
    bomb = COMPRESS[compression](bytes(20_000_000))
    assert len(bomb) < 30_000
    made: list[int] = []
    stream = inflate([bomb], compression, limit=1_000_000)
    with pytest.raises(TooLarge, match="more than 1000000 bytes"):
        made.extend(map(len, stream))
    assert max(made) <= PIECE
    assert sum(made) <= 1_000_000


@pytest.mark.parametrize("compression", PACKED)
def test_large_pieces_come_out_whole(compression: Compression) -> None:
    data = bytes(range(256)) * 4096
    assert b"".join(inflate([COMPRESS[compression](data)], compression, limit=len(data))) == data


@pytest.mark.parametrize("compression", PACKED)
def test_a_stream_that_ends_early_is_damaged(compression: Compression) -> None:
    packed = COMPRESS[compression](b"text" * 100)
    with pytest.raises(Damaged, match="ends early"):
        b"".join(inflate([packed[:-5]], compression, limit=1000))


@pytest.mark.parametrize("compression", PACKED)
def test_what_is_not_compressed_is_damaged(compression: Compression) -> None:
    with pytest.raises(Damaged, match=f"{compression} data is damaged"):
        b"".join(inflate([b"plain text, and plenty of it"], compression, limit=1000))


@pytest.mark.parametrize("compression", PACKED)
def test_zeros_at_the_end_are_padding(compression: Compression) -> None:
    packed = COMPRESS[compression](b"text") + bytes(512)
    assert b"".join(inflate(cut(packed, 7), compression, limit=1000)) == b"text"


def test_an_xz_stream_cannot_ask_for_a_gigabyte() -> None:
    packed = bytearray(lzma.compress(b"text"))
    end = 12 + 4 * packed[12]  # the block's header starts at byte 12 with its size, and ends with its CRC
    packed[16] = 36  # the code for a dictionary of 1 GiB
    packed[end : end + 4] = zlib.crc32(packed[12:end]).to_bytes(4, "little")
    with pytest.raises(Damaged, match="Memory usage limit"):
        b"".join(inflate([bytes(packed)], Compression.XZ, limit=1000))

"""Decompression with a bound, for bytes from outside: a small file can stand for more than a disk holds."""

from __future__ import annotations

import bz2
import lzma
import zlib
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from provenance.errors import ProvError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

PIECE = 64 * 1024
"""Largest piece that is made at once, in bytes."""
_LZMA_MEMORY = 256 * 1024 * 1024
"""What one xz stream may ask for, in bytes; `xz -9` asks for 65 MiB."""


class Compression(StrEnum):
    """How a stream is compressed."""

    NONE = "none"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"


class Damaged(ProvError):
    """Compressed bytes, or the archive in them, cannot be read."""


class TooLarge(ProvError):
    """Something is larger than its bound."""


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Gzip:
    """zlib's decompressor with the interface of the other two: it keeps the input that it has not used."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


_DECOMPRESSORS: Mapping[Compression, Callable[[], _Decompressor]] = MappingProxyType(
    {
        Compression.GZIP: _Gzip,
        Compression.BZIP2: bz2.BZ2Decompressor,
        Compression.XZ: lambda: lzma.LZMADecompressor(memlimit=_LZMA_MEMORY),
    }
)


def inflate(chunks: Iterable[bytes], compression: Compression, *, limit: int) -> Iterator[bytes]:
    """Decompress a stream piece by piece, each at most `PIECE` bytes.

    Args:
        chunks: the compressed stream.
        compression: how it is compressed. Several members in a row are read as one stream, and zeros
            after the last one are padding.
        limit: bytes that may come out in all.

    Raises:
        TooLarge: more would come out.
        Damaged: the stream is not what it should be, or ends early.
    """
    made = 0
    for piece in _pieces(chunks, compression):
        made += len(piece)
        if made > limit:
            message = f"it holds more than {limit} bytes once decompressed"
            raise TooLarge(message)
        yield piece


def _pieces(chunks: Iterable[bytes], compression: Compression) -> Iterator[bytes]:
    make = _DECOMPRESSORS.get(compression)
    if make is None:
        yield from chunks
        return
    decompressor, started = make(), False
    for chunk in chunks:
        data = chunk
        while started or data.strip(b"\0"):
            started = True
            piece = _step(decompressor, data, compression)
            if piece:
                yield piece
            data = b""
            if decompressor.eof:
                data, decompressor, started = decompressor.unused_data, make(), False
            elif not piece:
                break
    if started:
        message = f"its {compression} data ends early"
        raise Damaged(message)


def _step(decompressor: _Decompressor, data: bytes, compression: Compression) -> bytes:
    try:
        return decompressor.decompress(data, PIECE)
    except (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError) as error:
        message = f"its {compression} data is damaged: {error}"
        raise Damaged(message) from error

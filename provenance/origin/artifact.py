"""Single members of release files, zip and tar, read without unpacking: they come from strangers."""

from __future__ import annotations

import posixpath
import stat
import struct
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Protocol

from provenance.origin.inflate import PIECE, Compression, Damaged, TooLarge, inflate
from provenance.origin.members import Member

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_MEBIBYTE = 1024 * 1024
_DIRECTORY = 32 * _MEBIBYTE
"""Bound of a zip file's directory in bytes: Python makes some ten times as much of it in memory."""
_LINK = 4096
"""Bound of a link's target in bytes, as PATH_MAX."""
_SUFFIXES = (
    (".tar.gz", Compression.GZIP),
    (".tgz", Compression.GZIP),
    (".tar.bz2", Compression.BZIP2),
    (".tar.xz", Compression.XZ),
    (".tar", Compression.NONE),
)
_END = struct.Struct("<4s4H2LH")
"""Signature, disks, entries, size of the directory, its offset, comment (APPNOTE.TXT 4.3.16)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much a release file may hold."""

    member: int = 64 * _MEBIBYTE
    """One member, in bytes."""
    inflated: int = 2048 * _MEBIBYTE
    """All that a compressed tar file holds, in bytes."""
    members: int = 100_000


class ReleaseFile(Protocol):
    """A release file, opened. Every method may raise `Damaged` or `TooLarge`."""

    def members(self) -> Sequence[Member]:
        """The files and links in it; whatever else it holds (devices, folders) is left out."""

    def read(self, names: Collection[str]) -> Mapping[str, bytes]:
        """The bytes of these members, by name."""


def open_release_file(name: str, file: IO[bytes], bounds: Bounds) -> ReleaseFile:
    """Open a release file.

    Args:
        name: its name, whose ending says what it is.
        file: seekable; stays open.
        bounds: how much it may hold.

    Raises:
        Damaged: its name ends as that of no format that is read.
    """
    if name.endswith((".whl", ".zip")):
        return _Zip(file, bounds)
    for suffix, compression in _SUFFIXES:
        if name.endswith(suffix):
            return _Tar(file, compression, bounds)
    message = "it is neither a zip nor a tar file"
    raise Damaged(message)


@contextmanager
def _reading() -> Iterator[None]:
    """Whatever the standard library raises for a hostile file is that the file is damaged."""
    try:
        yield
    except (
        tarfile.TarError,
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        OSError,
        EOFError,
        ValueError,
        LookupError,
        ArithmeticError,
        RuntimeError,  # an encrypted member, a method that is not known, headers nested without end
    ) as error:
        message = f"it cannot be read: {type(error).__name__}"
        raise Damaged(message) from error


class _Tar:
    def __init__(self, file: IO[bytes], compression: Compression, bounds: Bounds) -> None:
        self._file, self._compression, self._bounds = file, compression, bounds

    def members(self) -> Sequence[Member]:
        return [
            Member(info.name, info.size, _tar_target(info))
            for _, info in self._walk()
            if (info.isreg() and not info.issparse()) or info.issym() or info.islnk()
        ]

    def read(self, names: Collection[str]) -> Mapping[str, bytes]:
        found: dict[str, bytes] = {}
        for archive, info in self._walk():
            if info.name in names and info.isreg() and not info.issparse():
                _check_size(info.name, info.size, self._bounds)
                member = archive.extractfile(info)
                found[info.name] = member.read() if member is not None else b""
            if len(found) == len(names):
                break
        return found

    def _walk(self) -> Iterator[tuple[tarfile.TarFile, tarfile.TarInfo]]:
        """One header after the other. None is kept: there may be millions."""
        self._file.seek(0)
        chunks = iter(lambda: self._file.read(PIECE), b"")
        stream = _Forward(inflate(chunks, self._compression, limit=self._bounds.inflated), self._bounds)
        with _reading(), tarfile.TarFile(fileobj=stream) as archive:
            count = 0
            while (info := archive.next()) is not None:
                archive.members = []  # type: ignore[attr-defined]  # not in the stub
                count += 1
                if count > self._bounds.members:
                    message = f"it holds more than {self._bounds.members} members"
                    raise TooLarge(message)
                yield archive, info


class _Forward:
    """A decompressed stream as tarfile wants it: it seeks, but never back."""

    mode = "rb"
    name = ""

    def __init__(self, pieces: Iterator[bytes], bounds: Bounds) -> None:
        self._pieces, self._bounds = pieces, bounds
        self._buffer = b""
        self._position = 0

    def read(self, size: int, /) -> bytes:
        # Also headers are read in one go, with the size that they claim.
        _check_size("a header", size, self._bounds)
        parts, missing = [], size
        while missing:
            if not self._buffer:
                self._buffer = next(self._pieces, b"")
            if not self._buffer:
                break
            parts.append(self._buffer[:missing])
            self._buffer = self._buffer[missing:]
            missing -= len(parts[-1])
        self._position += size - missing
        return b"".join(parts)

    def write(self, _data: bytes, /) -> int:
        message = "a release file is only read"
        raise Damaged(message)

    def tell(self) -> int:
        return self._position

    def seek(self, position: int, /) -> int:
        if position < self._position:
            message = "a header points back"
            raise Damaged(message)
        while self._position < position and self.read(min(PIECE, position - self._position)):
            pass
        return self._position

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing to do: the file is somebody else's."""


def _tar_target(info: tarfile.TarInfo) -> str | None:
    if info.issym():
        return _inside(posixpath.join(posixpath.dirname(info.name), info.linkname))
    return _inside(info.linkname) if info.islnk() else None


def _inside(target: str) -> str:
    """A link's target as a member's name; empty where it leaves the archive."""
    normal = posixpath.normpath(target)
    return "" if normal.startswith(("/", "../")) or normal in {".", ".."} else normal


class _Zip:
    def __init__(self, file: IO[bytes], bounds: Bounds) -> None:
        self._file, self._bounds = file, bounds

    def members(self) -> Sequence[Member]:
        with self._open() as archive:
            return [
                Member(info.filename, info.file_size, self._target(archive, info))
                for info in archive.infolist()
                if not info.is_dir()
            ]

    def read(self, names: Collection[str]) -> Mapping[str, bytes]:
        with self._open() as archive:
            return {name: self._bytes(archive, archive.getinfo(name), self._bounds.member) for name in names}

    @contextmanager
    def _open(self) -> Iterator[zipfile.ZipFile]:
        with _reading():
            if _directory_size(self._file) > _DIRECTORY:
                message = "its directory is too large"
                raise TooLarge(message)
            with zipfile.ZipFile(self._file) as archive:
                yield archive

    def _target(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> str | None:
        if not stat.S_ISLNK(info.external_attr >> 16):
            return None
        target = self._bytes(archive, info, _LINK).decode("utf-8", "surrogateescape")
        return _inside(posixpath.join(posixpath.dirname(info.filename), target))

    def _bytes(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, limit: int) -> bytes:
        if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            # The others do not stop at a bound.
            message = f"{info.filename} is compressed by a method that is not read"
            raise Damaged(message)
        with archive.open(info) as member:
            data = member.read(limit + 1)
        if len(data) > limit:
            message = f"{info.filename} has more than {limit} bytes"
            raise TooLarge(message)
        return data


def _check_size(what: str, size: int, bounds: Bounds) -> None:
    if size > bounds.member:
        message = f"{what} has {size} bytes, more than {bounds.member}"
        raise TooLarge(message)


def _directory_size(file: IO[bytes]) -> int:
    """What a zip file says of its directory's size, in bytes, found as zipfile finds it.

    Raises:
        Damaged: it has none, or one in the form for huge files, which no release within the bounds needs.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - 0xFFFF - _END.size - 20))
    tail = file.read()
    start = len(tail) - _END.size
    if not (tail.startswith(b"PK\5\6", max(start, 0)) and tail.endswith(b"\0\0")):
        start = tail.rfind(b"PK\5\6")
    if start < 0 or len(tail) - start < _END.size:
        message = "it is no zip file"
        raise Damaged(message)
    if tail.startswith(b"PK\6\7", max(start - 20, 0)):
        message = "it is a zip file in the form for huge ones"
        raise Damaged(message)
    return int(_END.unpack_from(tail, start)[5])

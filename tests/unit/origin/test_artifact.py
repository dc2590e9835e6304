from __future__ import annotations

import io
import random
import stat
import struct
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest

from provenance.origin.artifact import Bounds, open_release_file
from provenance.origin.inflate import Damaged, TooLarge
from provenance.origin.members import Member

if TYPE_CHECKING:
    from collections.abc import Mapping

FILES = {"p-1/a.py": b"a = 1\n", "p-1/b/c.py": b"c = 2\r\n" * 1000, "p-1/empty": b""}
SMALL = Bounds(member=10_000, inflated=100_000, members=50)


def tar(files: Mapping[str, bytes], kind: str = "gz", *others: tarfile.TarInfo) -> io.BytesIO:
    made = io.BytesIO()
    mode = {"gz": "w:gz", "bz2": "w:bz2", "xz": "w:xz", "": "w:"}[kind]
    with tarfile.open(fileobj=made, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in others:
            archive.addfile(info, io.BytesIO(bytes(info.size)))
    made.seek(0)
    return made


def pack(
    files: Mapping[str, bytes] | Mapping[zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    made.seek(0)
    return made


def special(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, size
    return info


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("p-1.tar.gz", tar(FILES)),
        ("p-1.tgz", tar(FILES)),
        ("p-1.tar.bz2", tar(FILES, "bz2")),
        ("p-1.tar.xz", tar(FILES, "xz")),
        ("p-1.tar", tar(FILES, "")),
        ("p-1.zip", pack(FILES)),
        ("p-1-py3-none-any.whl", pack(FILES, zipfile.ZIP_STORED)),
    ],
)
def test_members_are_listed_and_read(name: str, file: io.BytesIO) -> None:
    opened = open_release_file(name, file, Bounds())
    assert list(opened.members()) == [Member(member, len(data)) for member, data in FILES.items()]
    assert opened.read(set(FILES)) == FILES
    assert opened.read({"p-1/b/c.py"}) == {"p-1/b/c.py": FILES["p-1/b/c.py"]}
    assert opened.read(set()) == {}
    assert not file.closed


def test_links_and_what_is_no_file() -> None:
    file = tar(
        FILES,
        "gz",
        special("p-1/d", tarfile.DIRTYPE),
        special("p-1/device", tarfile.CHRTYPE),
        special("p-1/pipe", tarfile.FIFOTYPE),
        special("p-1/b/up.py", tarfile.SYMTYPE, "../a.py"),
        special("p-1/hard.py", tarfile.LNKTYPE, "p-1/a.py"),
        special("p-1/out.py", tarfile.SYMTYPE, "../../../etc/passwd"),
        special("p-1/root.py", tarfile.SYMTYPE, "/etc/passwd"),
    )
    targets = {
        member.name: member.target for member in open_release_file("p-1.tar.gz", file, Bounds()).members()
    }
    assert targets == dict.fromkeys(FILES) | {
        "p-1/b/up.py": "p-1/a.py",
        "p-1/hard.py": "p-1/a.py",
        "p-1/out.py": "",
        "p-1/root.py": "",
    }


def test_a_link_in_a_zip_file() -> None:
    link = zipfile.ZipInfo("p/link.py")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    opened = open_release_file("p.whl", pack({zipfile.ZipInfo("p/a.py"): b"text", link: b"a.py"}), Bounds())
    assert [member.target for member in opened.members()] == [None, "p/a.py"]


def pax_bomb() -> io.BytesIO:
    return tar({}, "gz", special("header", tarfile.XHDTYPE, size=50_000))


def zip_with(**changes: int) -> io.BytesIO:
    """A zip file whose end states something else."""
    data = bytearray(pack({"a.py": b"text"}).getvalue())
    fields = list(struct.unpack_from("<4s4H2LH", data, len(data) - 22))
    names = ["signature", "disk", "start", "here", "entries", "size", "offset", "comment"]
    for name, value in changes.items():
        fields[names.index(name)] = value
    struct.pack_into("<4s4H2LH", data, len(data) - 22, *fields)
    return io.BytesIO(bytes(data))


def huge_form() -> io.BytesIO:
    data = pack({"a.py": b"text"}).getvalue()
    return io.BytesIO(data[:-22] + b"PK\6\7" + bytes(16) + data[-22:])


def encrypted() -> io.BytesIO:
    data = bytearray(pack({"a.py": b"text"}).getvalue())
    data[data.index(b"PK\1\2") + 8] |= 1
    return io.BytesIO(bytes(data))


def read_all(name: str, file: io.BytesIO) -> Mapping[str, bytes]:
    opened = open_release_file(name, file, SMALL)
    return opened.read({member.name for member in opened.members()})


@pytest.mark.parametrize(
    ("name", "file", "error"),
    [
        ("p.tar.gz", tar({"a.py": bytes(10_001)}), TooLarge),
        ("p.tar.xz", tar({f"{n}": bytes(9000) for n in range(20)}, "xz"), TooLarge),
        ("p.tar.bz2", tar({f"{n}": b"" for n in range(51)}, "bz2"), TooLarge),
        ("p.tar.gz", pax_bomb(), TooLarge),
        ("p.tar.gz", io.BytesIO(b"no archive"), Damaged),
        ("p.tar.gz", io.BytesIO(zlib.compress(b"x" * 600, wbits=31)), Damaged),
        ("p.tar", io.BytesIO(b"x" * 600), Damaged),
        ("p.tar", io.BytesIO(b""), Damaged),
        ("p.zip", pack({"a.py": bytes(10_001)}), TooLarge),
        ("p.zip", pack({"a.py": b"text"}, zipfile.ZIP_BZIP2), Damaged),
        ("p.zip", pack({"a.py": b"text"}, zipfile.ZIP_LZMA), Damaged),
        ("p.zip", io.BytesIO(b"no archive"), Damaged),
        ("p.zip", io.BytesIO(b""), Damaged),
        ("p.zip", zip_with(size=0xFFFF_FFFF), TooLarge),
        ("p.zip", zip_with(offset=0xFFFF), Damaged),
        ("p.zip", huge_form(), Damaged),
        ("p.zip", encrypted(), Damaged),
        ("p.rpm", io.BytesIO(b""), Damaged),
    ],
)
def test_hostile_files(name: str, file: io.BytesIO, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_all(name, file)


def test_a_sparse_member_is_no_file() -> None:
    # GNU's form: 400 stored bytes that stand for a terabyte.
    info = special("a.py", tarfile.GNUTYPE_SPARSE)
    header = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"\x80" + (1 << 40).to_bytes(11, "big")
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    opened = open_release_file("p.tar", io.BytesIO(bytes(header) + bytes(1024)), Bounds())
    assert opened.members() == []
    assert opened.read({"a.py"}) == {}


@pytest.mark.parametrize("name", ["p.tar.gz", "p.tar.bz2", "p.tar.xz", "p.tar", "p.zip"])
def test_damage_anywhere_raises_nothing_else(name: str) -> None:
    whole = (pack(FILES) if name == "p.zip" else tar(FILES, name.partition(".tar")[2].lstrip("."))).getvalue()
    rng = random.Random(7)  # noqa: S311 - the same damage each time
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        file = io.BytesIO(bytes(data[: rng.randrange(1, len(data) + 1)]))
        try:
            read_all(name, file)
        except (Damaged, TooLarge):
            continue

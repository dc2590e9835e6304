from __future__ import annotations

import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.unprivileged import anybodys_folder, as_nobody

from provenance.errors import UsageError
from provenance.files import read_within, replace

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = "outside\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "outside.yaml").write_text(SECRET)
    folder = tmp_path / "project"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "a.yaml").write_bytes(b"a\r\n\xff")
    return folder


def test_bytes_come_as_they_are(project: Path) -> None:
    assert read_within(project / "inner" / "a.yaml", project) == b"a\r\n\xff"


def test_a_link_within_is_followed(project: Path) -> None:
    (project / "b.yaml").symlink_to("inner/a.yaml")
    (project / "folder").symlink_to("inner")
    assert read_within(project / "b.yaml", project) == b"a\r\n\xff"
    assert read_within(project / "folder" / "a.yaml", project) == b"a\r\n\xff"


def test_the_folder_itself_may_be_reached_through_a_link(project: Path, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(project)
    assert read_within(tmp_path / "alias" / "inner" / "a.yaml", tmp_path / "alias") == b"a\r\n\xff"
    assert read_within(tmp_path / "alias" / "inner" / "a.yaml", project) == b"a\r\n\xff"


def test_a_relative_name_is_meant_from_where_the_process_is_now(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = project.parent / "other"
    (other / "inner").mkdir(parents=True)
    (other / "inner" / "a.yaml").write_text("other")
    found = []
    for folder in (project, other):
        monkeypatch.chdir(folder)
        found.append(read_within(Path("inner/a.yaml"), Path()))
    assert found == [b"a\r\n\xff", b"other"]


def link_out(project: Path) -> Path:
    (project / "x.yaml").symlink_to("../outside.yaml")
    return project / "x.yaml"


def link_out_absolutely(project: Path) -> Path:
    (project / "x.yaml").symlink_to(project.parent / "outside.yaml")
    return project / "x.yaml"


def link_by_way_of_a_link(project: Path) -> Path:
    (project / "y.yaml").symlink_to("x.yaml")
    link_out(project)
    return project / "y.yaml"


def folder_out(project: Path) -> Path:
    (project / "out").symlink_to("..")
    return project / "out" / "outside.yaml"


def dots(project: Path) -> Path:
    return project / "inner" / ".." / ".." / "outside.yaml"


def neighbour(project: Path) -> Path:
    other = project.parent / "project-2"
    other.mkdir()
    (other / "a.yaml").write_text(SECRET)
    return other / "a.yaml"


@pytest.mark.parametrize(
    "make", [link_out, link_out_absolutely, link_by_way_of_a_link, folder_out, dots, neighbour]
)
def test_nothing_outside_is_read(project: Path, make: Callable[[Path], Path]) -> None:
    file = make(project)
    assert file.read_text() == SECRET
    with pytest.raises(UsageError, match="leads out of"):
        read_within(file, project)


def missing(project: Path) -> Path:
    return project / "gone.yaml"


def dangling(project: Path) -> Path:
    (project / "x.yaml").symlink_to("gone.yaml")
    return project / "x.yaml"


def in_circles(project: Path) -> Path:
    (project / "x.yaml").symlink_to("y.yaml")
    (project / "y.yaml").symlink_to("x.yaml")
    return project / "x.yaml"


def through_a_file(project: Path) -> Path:
    return project / "inner" / "a.yaml" / "b.yaml"


def too_long(project: Path) -> Path:
    return project / ("x" * 300)


@pytest.mark.parametrize("make", [missing, dangling, in_circles, through_a_file, too_long])
def test_what_is_not_there_is_told(project: Path, make: Callable[[Path], Path]) -> None:
    file = make(project)
    with pytest.raises(UsageError) as caught:
        read_within(file, project)
    assert str(caught.value).startswith(f"{file}: cannot be read: ")


def test_a_pipe_is_not_waited_for(project: Path) -> None:
    os.mkfifo(project / "pipe.yaml")
    with pytest.raises(UsageError, match="not a regular file"):
        read_within(project / "pipe.yaml", project)


def test_a_folder_is_no_file(project: Path) -> None:
    with pytest.raises(UsageError, match=r"inner: (not a regular file|cannot be read)"):
        read_within(project / "inner", project)


def test_size_is_bounded_before_anything_is_read(project: Path) -> None:
    with (project / "big.yaml").open("wb") as stream:
        stream.truncate(1 << 40)
    with pytest.raises(UsageError, match="1099511627776 bytes; at most 268435456 are read"):
        read_within(project / "big.yaml", project)
    assert read_within(project / "inner" / "a.yaml", project, most=4) == b"a\r\n\xff"
    with pytest.raises(UsageError, match="4 bytes; at most 3 are read"):
        read_within(project / "inner" / "a.yaml", project, most=3)


def test_a_file_that_may_not_be_read_is_told() -> None:
    with anybodys_folder() as folder:
        (folder / "a.yaml").write_text("a")
        (folder / "a.yaml").chmod(0)
        with as_nobody(), pytest.raises(UsageError, match="cannot be read: Permission denied"):
            read_within(folder / "a.yaml", folder)


def test_a_file_is_replaced_whole_and_folders_are_made(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "prov.lock"
    for text in ("one\n" * 1000, "zwei: ü\r\n"):
        replace(file, text)
        assert file.read_bytes() == text.encode()
    assert list(file.parent.iterdir()) == [file]


def test_a_reader_of_the_old_file_keeps_it(tmp_path: Path) -> None:
    file = tmp_path / "prov.lock"
    file.write_text("old")
    with file.open() as stream:
        replace(file, "new")
        assert stream.read() == "old"


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text(SECRET)
    (tmp_path / "project").mkdir()
    file = tmp_path / "project" / "prov.lock"
    file.symlink_to("../outside")
    replace(file, "new")
    assert (tmp_path / "outside").read_text() == SECRET
    assert not file.is_symlink()


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_the_users_mask_decides_who_may_read(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        replace(tmp_path / "a", "x")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_a_folder_that_may_not_be_written_leaves_the_old_file() -> None:
    with anybodys_folder() as folder:
        (folder / "prov.lock").write_text("old")
        folder.chmod(0o555)
        with (
            as_nobody(),
            pytest.raises(UsageError, match=r"prov\.lock: cannot be written: Permission denied"),
        ):
            replace(folder / "prov.lock", "new")
        assert [file.read_text() for file in folder.iterdir()] == ["old"]


def test_a_folder_in_the_files_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "prov.lock" / "x").mkdir(parents=True)
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        replace(tmp_path / "prov.lock", "new")
    assert [file.name for file in tmp_path.iterdir()] == ["prov.lock"]


def test_a_file_in_a_folders_place_is_told(tmp_path: Path) -> None:
    (tmp_path / "manifests").write_text("a file")
    with pytest.raises(UsageError, match="cannot be written: "):
        replace(tmp_path / "manifests" / "prov.lock", "new")
    assert (tmp_path / "manifests").read_text() == "a file"


def test_text_that_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        replace(file, "half a pair: \ud800")
    assert [item.read_text() for item in tmp_path.iterdir()] == ["old"]


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
        with pytest.raises(UsageError, match="a: cannot be written: "):
            replace(tmp_path / "a", "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert [item.read_text() for item in tmp_path.iterdir()] == ["old"]


KILLED = """
import os, signal, sys
from pathlib import Path
from provenance import files
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
files.replace(Path(sys.argv[1]), "new")
"""


def test_killed_in_the_middle_of_writing_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "prov.lock"
    file.write_text("old")
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", KILLED, str(file)], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    assert file.read_text() == "old"
    replace(file, "new")  # what was left behind is not in the way
    assert file.read_text() == "new"


def test_a_file_keeps_its_mode(tmp_path: Path) -> None:
    file = tmp_path / "private.yaml"
    file.write_text("old", encoding="utf-8")
    file.chmod(0o600)
    replace(file, "new")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("name", ["a" * 250 + ".yaml", "\u00fc" * 125 + ".yaml"])
def test_a_name_as_long_as_a_folder_takes_it(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    replace(file, "new\n")
    assert file.read_text() == "new\n"

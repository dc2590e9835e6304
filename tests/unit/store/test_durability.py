from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.stored import CONTENT, file, judged, manifest, put
from support.unprivileged import anybodys_folder, as_nobody
from support.workspace import GIT, cite, source

from provenance.errors import StoreError
from provenance.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}

WRITER = """
import sys
from provenance.store.store import Store
from support.stored import CONTENT, file, manifest, put
from support.workspace import GIT
where, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
with Store(where) as store:
    for number in range(count):
        put(store, manifest(path=f"manifests/{name}-{number}.yaml"))
        with store.transaction() as transaction:
            transaction.put_file(file(f"{name}-{number}.py"), CONTENT, ())
            transaction.put_pin(GIT, "v1", str(number % 10) * 40)
        assert f"manifests/{name}-{number}.yaml" in store.manifests()
"""


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        text=True,
    )


def together(writers: list[subprocess.Popen[str]]) -> None:
    """Let processes that are ready start at once, and wait for them."""
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, said = writer.communicate(timeout=60)
        assert writer.returncode == 0, said


@pytest.mark.parametrize("url", ["{}", "sqlite:///{}?timeout=30"])
def test_two_processes_make_and_fill_one_database(tmp_path: Path, url: str) -> None:
    where = url.format(tmp_path / "evidence.db")
    together([python(WRITER, where, name, "8") for name in ("a", "b")])
    with Store(where) as store:
        assert len(store.manifests()) == 16
        assert len(store.files_with(CONTENT.blob)) == 16
        assert store.content(CONTENT.blob) == CONTENT
    assert whole(tmp_path / "evidence.db")


def whole(file: Path) -> bool:
    connection = sqlite3.connect(file)
    try:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()


def test_a_reader_is_not_kept_waiting_by_a_writer(tmp_path: Path) -> None:
    where = str(tmp_path / "evidence.db")
    with Store(where) as writer, Store(where) as reader:
        put(writer, manifest())
        with writer.transaction() as transaction:
            transaction.put_pin(GIT, "v1", "1" * 40)
            assert reader.pin(GIT, "v1") is None
            assert set(reader.manifests()) == {"manifests/a.yaml"}
        assert reader.pin(GIT, "v1") == "1" * 40


def test_what_is_read_while_it_is_written_is_what_was_there_at_first(tmp_path: Path) -> None:
    with Store(str(tmp_path / "evidence.db")) as store:
        stored = put(store, manifest(*(cite(source("v1"), f"c{number}") for number in range(50))))
        with store.transaction() as transaction:
            transaction.put_file(file(), CONTENT, ())
        names = []
        for item in store.citations(stored):
            names.append(item.citation.id)
            assert item.verdict is None
            with store.transaction() as transaction:
                transaction.put_verdicts(stored, [judged(item)])
        assert names == [f"c{number}" for number in range(50)]


def test_a_second_writer_waits_its_turn(tmp_path: Path) -> None:
    where = str(tmp_path / "evidence.db")
    with Store(where) as first:
        put(first, manifest())

        def write() -> None:
            with Store(where) as second, second.transaction() as transaction:
                transaction.put_pin(GIT, "v1", "2" * 40)

        waiting = threading.Thread(target=write)
        with first.transaction() as transaction:
            transaction.put_pin(GIT, "v1", "1" * 40)
            waiting.start()
            waiting.join(0.3)
            assert waiting.is_alive()
        waiting.join(30)
        assert first.pin(GIT, "v1") == "2" * 40


KILLED = """
import os, signal, sys
from provenance.store.store import Store
from support.stored import CONTENT, file, manifest, put
from support.workspace import GIT
first = sys.argv[2] == "first"
with Store(sys.argv[1]) as store:
    if not first:
        put(store, manifest())
    with store.transaction() as transaction:
        transaction.put_file(file(), CONTENT, ())
        transaction.put_pin(GIT, "v1", "1" * 40)
        # More than the page cache holds, so that some of it is on the disk.
        transaction.put_manifest(manifest(title="half written" * 500_000), "x")
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("when", ["first", "later"])
def test_killed_in_the_middle_of_writing(tmp_path: Path, when: str) -> None:
    where = str(tmp_path / "evidence.db")
    killed = python(KILLED, where, when)
    _, said = killed.communicate(timeout=60)
    assert killed.returncode == -signal.SIGKILL, said
    with Store(where) as store:
        assert [item.title for item in store.manifests().values()] == (
            [] if when == "first" else ["A document"]
        )
        assert store.pin(GIT, "v1") is None
        put(store, manifest(title="next"))
        assert [item.title for item in store.manifests().values()] == ["next"]
    assert whole(tmp_path / "evidence.db")


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """What a full disk does to a process, on any disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def fill(store: Store) -> None:
    with store.transaction() as transaction:
        transaction.put_manifest(manifest(title="x" * 4_000_000), "x")


def test_a_disk_that_runs_full_leaves_what_was(tmp_path: Path) -> None:
    where = tmp_path / "evidence.db"
    with Store(str(where)) as store:
        put(store, manifest())
        with (
            no_file_larger_than(1_000_000),
            pytest.raises(StoreError, match=r"evidence\.db cannot be used: "),
        ):
            fill(store)
        assert [item.title for item in store.manifests().values()] == ["A document"]
        put(store, manifest(title="next"))
        assert [item.title for item in store.manifests().values()] == ["next"]
    assert whole(where)


def test_a_disk_that_is_full_from_the_start(tmp_path: Path) -> None:
    with Store(str(tmp_path / "evidence.db")) as store:
        with no_file_larger_than(8192), pytest.raises(StoreError, match=r"evidence\.db cannot be used: "):
            put(store, manifest())
        assert store.manifests() == {}
        put(store, manifest())
        assert set(store.manifests()) == {"manifests/a.yaml"}


@pytest.fixture
def tiny(tmp_path: Path) -> Iterator[Path]:
    """A disk of half a megabyte."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    if mount is None or os.geteuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_real_disk_that_runs_full(tiny: Path) -> None:
    with Store(str(tiny / "evidence.db")) as store:
        put(store, manifest())
        with pytest.raises(
            StoreError, match=r"evidence\.db cannot be used: (database or disk is full|disk I/O)"
        ):
            fill(store)
        assert [item.title for item in store.manifests().values()] == ["A document"]
    with Store(str(tiny / "evidence.db")) as store:
        assert [item.title for item in store.manifests().values()] == ["A document"]
    assert whole(tiny / "evidence.db")


@contextmanager
def read_only(*, folder_too: bool) -> Iterator[Path]:
    with anybodys_folder() as folder:
        where = folder / "evidence.db"
        with Store(str(where)) as store:
            put(store, manifest())
        where.chmod(0o444)
        folder.chmod(0o555 if folder_too else 0o777)
        with as_nobody():
            yield where
        folder.chmod(0o777)


@pytest.mark.parametrize("folder_too", [True, False])
def test_a_database_that_cannot_be_written_can_be_read(*, folder_too: bool) -> None:
    with read_only(folder_too=folder_too) as where, Store(str(where)) as store:
        (stored,) = store.manifests().values()
        assert [item.citation.id for item in store.citations(stored)] == ["open"]
        with pytest.raises(StoreError, match=r"evidence\.db cannot be used: "):
            put(store, manifest(title="new"))
        assert [item.title for item in store.manifests().values()] == ["A document"]


def test_a_folder_that_cannot_be_written_is_told() -> None:
    with anybodys_folder() as folder:
        folder.chmod(0o555)
        with as_nobody(), Store(str(folder / "evidence.db")) as store:
            assert store.manifests() == {}
            with pytest.raises(StoreError, match="unable to open database file"):
                put(store, manifest())
        deeper = Store(str(folder / "build" / "evidence.db"))
        with as_nobody(), deeper as store, pytest.raises(StoreError, match="Permission denied"):
            put(store, manifest())
        folder.chmod(0o777)


def cut(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def smear(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    file.write_bytes(data)


def read_all(store: Store) -> None:
    for stored in store.manifests().values():
        list(store.citations(stored))


@pytest.mark.parametrize("damage", [cut, smear])
def test_a_damaged_file_is_told(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    where = tmp_path / "evidence.db"
    with Store(str(where)) as store:
        put(store, manifest())
        with store.transaction() as transaction:
            transaction.put_file(file(), CONTENT, ())
    damage(where)
    with Store(str(where)) as store, pytest.raises(StoreError, match=r"evidence\.db"):
        read_all(store)

from __future__ import annotations

import errno
import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from provenance.errors import DiskFault, UsageError
from provenance.publish.folder import MARKER, refuse_others, site_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from provenance.publish.folder import Writer


def fill(folder: Path, *names: str, text: str = "x") -> None:
    with site_folder(folder) as writer:
        for name in names:
            writer.write(name, [text])


def files(folder: Path) -> set[str]:
    """What can be seen of a site."""
    found = (file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir())
    return {name for name in found if not name.startswith(".prov")}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    made = tmp_path / "site"
    fill(made, "index.html", "results/a.html", "results/b.html", "pages/2.html", text="old")
    return made


def test_a_run_anew_replaces_pages_and_takes_stale_ones_away(site: Path) -> None:
    fill(site, "index.html", "results/b.html", "files/c.html", text="new")
    assert files(site) == {"index.html", "results/b.html", "files/c.html"}
    assert (site / "index.html").read_text() == "new"
    assert {file.name for file in site.iterdir() if file.name.startswith(".")} == {MARKER, f"{MARKER}.lock"}


def test_what_a_person_put_beside_the_pages_stays(site: Path) -> None:
    for name in ("CNAME", ".nojekyll", "notes/mine.txt"):
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text("mine")
    fill(site, "index.html")
    assert files(site) == {"index.html", "CNAME", ".nojekyll", "notes/mine.txt"}


def _own_file(folder: Path) -> None:
    (folder / "mine.txt").write_text("mine")


def _own_page(folder: Path) -> None:
    fill(folder, "index.html", "results/a.html")
    (folder / "results" / "mine.html").write_text("mine")


def _linked_pages(folder: Path) -> None:
    fill(folder, "index.html")
    (folder.parent / "elsewhere").mkdir()
    (folder / "results").symlink_to(folder.parent / "elsewhere")


def _broken_list(folder: Path) -> None:
    fill(folder, "index.html")
    (folder / MARKER).write_text("{")


def _linked_lock(folder: Path) -> None:
    (folder / f"{MARKER}.lock").symlink_to(folder.parent / "precious")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_own_file, "not empty, and no earlier report"),
        (_own_page, "results/mine.html: prov did not write it"),
        (_linked_pages, "results: prov did not write it"),
        (_broken_list, "not as prov writes it"),
        (_linked_lock, "a link, where prov keeps a file of its own"),
    ],
)
def test_what_is_somebody_elses_is_refused_and_left_alone(
    tmp_path: Path, make: Callable[[Path], None], reason: str
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (tmp_path / "precious").write_text("precious")
    make(folder)
    before = {name: (folder / name).is_symlink() or (folder / name).read_bytes() for name in files(folder)}
    with pytest.raises(UsageError, match=reason):
        fill(folder, "index.html", text="new")
    assert before == {
        name: (folder / name).is_symlink() or (folder / name).read_bytes() for name in files(folder)
    }
    assert (tmp_path / "precious").read_text() == "precious"


@pytest.mark.parametrize("name", ["new", "deep/er", "empty", "checkout"])
def test_a_folder_that_is_nobodys_is_taken(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "checkout" / ".git").mkdir(parents=True)
    fill(tmp_path / name, "index.html")
    assert files(tmp_path / name) == {"index.html"}


def test_a_stranger_s_folder_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    _own_file(tmp_path)
    with pytest.raises(UsageError, match="not empty"):
        refuse_others(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("")
    with pytest.raises(UsageError, match="not a folder"):
        fill(tmp_path / "a", "index.html")


def test_a_name_that_no_folder_can_have_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: File name too long"):
        refuse_others(tmp_path / ("a" * 300))


def test_a_link_that_stands_here_leads_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (here / "site").symlink_to(there)
    monkeypatch.chdir(here)
    with pytest.raises(UsageError, match="leads out of this folder"):
        fill(Path("site"), "index.html")
    assert not list(there.iterdir())


@pytest.mark.parametrize("error", [ValueError("wrong"), KeyboardInterrupt()])
def test_a_run_that_breaks_off_leaves_the_old_site(site: Path, error: BaseException) -> None:
    before = files(site)
    with pytest.raises(type(error)), site_folder(site) as writer:  # noqa: PT012 - it is the block that raises
        writer.write("index.html", ["new"])
        raise error
    assert files(site) == before
    assert (site / "index.html").read_text() == "old"


def test_a_run_that_was_killed_is_tidied_up_after(site: Path) -> None:
    (site / f"{MARKER}-new" / "results").mkdir(parents=True)
    (site / f"{MARKER}-new" / "index.html").write_text("half")
    (site / f"{MARKER}-old").mkdir()
    (site / "index.html").rename(site / f"{MARKER}-old" / "index.html")  # as in the midst of taking its place
    fill(site, "index.html", text="new")
    assert files(site) == {"index.html"}


def test_a_run_that_was_killed_before_its_first_site_stands_in_nobodys_way(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / f"{MARKER}.lock").touch()
    fill(folder, "index.html")
    assert files(folder) == {"index.html"}


def test_a_full_disk_is_told_and_leaves_the_old_site(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = files(site)
    with pytest.raises(DiskFault, match="No space left"), site_folder(site) as writer:  # noqa: PT012
        monkeypatch.setattr(Path, "open", full)
        writer.write("index.html", ["new"])
    monkeypatch.undo()
    assert files(site) == before


def test_a_change_that_breaks_off_brings_the_old_site_back(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {name: (site / name).read_text() for name in files(site)}
    rename, moved = Path.rename, []

    def failing(self: Path, target: Path) -> Path:
        moved.append(self.name)
        if len(moved) == 5:  # the second part of the new site
            raise OSError(errno.EACCES, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(UsageError, match="Permission denied"):
        fill(site, "index.html", "results/a.html", "pages/2.html", text="new")
    assert {name: (site / name).read_text() for name in files(site)} == before


def test_runs_at_once_leave_one_site_whole(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    errors: list[BaseException] = []

    def run(text: str) -> None:
        try:
            fill(folder, *(f"results/{text}-{at}.html" for at in range(20)), "index.html", text=text)
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=run, args=(text,)) for text in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not errors
    last = (folder / "index.html").read_text()
    assert files(folder) == {"index.html", *(f"results/{last}-{at}.html" for at in range(20))}
    assert set(json.loads((folder / MARKER).read_text())["files"]) == files(folder)


def test_a_page_is_written_once(tmp_path: Path) -> None:
    def twice(writer: Writer) -> None:
        writer.write("index.html", ["a"])
        writer.write("index.html", ["b"])

    with pytest.raises(UsageError, match="exists"), site_folder(tmp_path / "site") as writer:
        twice(writer)

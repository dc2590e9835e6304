"""`prov crawl`, as installed, against a real server."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.project import Project, Ran, finish
from support.site import HTML, EvidencePage, Flood, Kept, Shown, html_of, html_page, links
from support.webserver import Asked, Reply, WebServer, serve_web

from provenance.citation import Manifest
from provenance.documents.pages import read_page
from provenance.manifest import parse

if TYPE_CHECKING:
    from collections.abc import Iterator

VALVE = EvidencePage()
ROTOR = EvidencePage(component="Rotor", pieces=(Shown(id="rotor", lines="3"), Shown(id="stator", of="Valve")))
MEBIBYTE = 1024 * 1024


@dataclass(slots=True)
class World:
    """A project, and a site."""

    project: Project
    web: WebServer

    def crawl(self, *arguments: str, path: str = "/", code: int = 0) -> Ran:
        """Run the command to its end, which is as given."""
        ran = self.project.run("crawl", "--allow-local", "--delay", "0", f"{self.web.url}{path}", *arguments)
        assert ran.code == code, ran.said
        return ran

    def manifest(self, name: str) -> Manifest:
        """A manifest that was written."""
        made = parse((self.project.root / "manifests" / f"{name}.yaml").read_bytes(), name)
        assert isinstance(made, Manifest), made
        return made

    @property
    def manifests(self) -> list[str]:
        """The names of those that were written."""
        return sorted(file.stem for file in (self.project.root / "manifests").glob("*.yaml"))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with serve_web() as web:
        web.routes["/"] = html_page(links("/valve", "/rotor", "/about"))
        web.routes["/valve"] = html_page(VALVE.html())
        web.routes["/rotor"] = html_page(ROTOR.html())
        web.routes["/about"] = html_page("<h1>About</h1>")
        yield World(Project(tmp_path), web)


def test_a_site_becomes_manifests(world: World) -> None:
    ran = world.crawl()
    assert ran.out == (
        "wrote manifests/engine-valve.yaml (1 citation)\n"
        "wrote manifests/engine-rotor.yaml (2 citations)\n"
        "4 pages, 0 not modified; 2 evidence pages: 2 manifests written, 0 unchanged; 0 failed\n"
    )
    assert ran.err == ""
    wanted = read_page(ROTOR.text(), "page").manifest
    made = world.manifest("engine-rotor")
    assert made.url == f"{world.web.url}/rotor"
    assert (made.title, made.sources, made.citations) == (wanted.title, wanted.sources, wanted.citations)
    user_agents = {asked.headers["user-agent"] for asked in world.web.asked}
    assert [agent.startswith("prov/") for agent in user_agents] == [True]


def test_a_manifest_is_that_of_an_import_but_for_its_url(world: World) -> None:
    world.crawl()
    world.project.write("page.txt", VALVE.text())
    ran = world.project.run("import", "page.txt", "-o", "imported/")
    assert ran.code == 0, ran.said
    crawled = (world.project.root / "manifests/engine-valve.yaml").read_text()
    imported = (world.project.root / "imported/engine-valve.yaml").read_text()
    assert crawled.replace(f"url: {world.web.url}/valve\n", "") == imported
    assert crawled != imported


def test_a_second_crawl_is_cheap_and_changes_nothing(world: World) -> None:
    pages = {path: Kept(b"") for path in ("/", "/valve", "/rotor")}
    pages["/"].body, pages["/valve"].body = links("/valve", "/rotor"), VALVE.html().encode() + b" " * 100_000
    pages["/rotor"].body = ROTOR.html().encode()
    world.web.routes.update(pages)
    world.crawl()
    before = world.project.files()
    ran = world.crawl()
    assert (
        ran.out == "3 pages, 3 not modified; 2 evidence pages: 0 manifests written, 2 unchanged; 0 failed\n"
    )
    assert [page.sent for page in pages.values()] == [[200, 304]] * 3
    after = world.project.files()
    assert {name: data for name, data in after.items() if name.endswith(".yaml")} == {
        name: data for name, data in before.items() if name.endswith(".yaml")
    }
    listed = world.crawl("-v").out
    assert "unchanged manifests/engine-valve.yaml (1 citation)\n" in listed
    world.crawl("--refresh")
    assert [page.sent for page in pages.values()] == [[200, 304, 304, 200]] * 3


def test_what_a_person_added_is_kept(world: World) -> None:
    world.crawl()
    file = world.project.root / "manifests/engine-valve.yaml"
    text = file.read_text()
    tended = text.replace("    revision:", "    license: MIT\n    revision:", 1)
    file.write_text(tended)
    world.web.routes["/valve"] = html_page(EvidencePage(pieces=(Shown(claim="It opens wide."),)).html())
    ran = world.crawl()
    assert "manifests/engine-valve.yaml: valve: claim changed" in ran.err
    made = world.manifest("engine-valve")
    assert made.sources[0].license == "MIT"
    assert made.citations[0].claim == "It opens wide."


def test_nothing_may_be_asked_without_leave(world: World) -> None:
    ran = world.project.run("crawl", world.web.url)
    assert ran.code == 2, ran.said
    assert "--allow-local" in ran.err
    assert world.web.asked == []


def test_a_redirect_leads_to_no_private_address(world: World) -> None:
    world.web.routes["/"] = Reply(status=302, headers={"Location": "http://169.254.169.254/latest/meta-data"})
    ran = world.crawl(code=2)
    assert "169.254.169.254/latest/meta-data, on another site, which is not followed" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["file:///etc/passwd"], "is no URL to crawl"),
        (["https://user:SECRET@h.example/"], "is no URL to crawl"),
        (["https://h.example/", "-o", "one.yaml"], "one.yaml is one file"),
        (["https://h.example/", "--depth", "-1"], "--depth"),
        (["https://h.example/", "--max-pages", "0"], "--max-pages"),
        (["https://h.example/", "--delay", "-1"], "--delay"),
        (["http://h.example/"], "http is not encrypted"),
        ([], "Missing argument"),
    ],
)
def test_wrong_usage(project: Project, arguments: list[str], words: str) -> None:
    ran = project.run("crawl", *arguments)
    assert ran.code == 2, ran.said
    assert words in ran.err
    assert "SECRET" not in ran.err


def test_a_page_that_cannot_be_read_does_not_stop_the_others(world: World) -> None:
    html = VALVE.html().replace("lines 1–2", "lines 0–2")
    world.web.routes["/valve"] = html_page(html)
    line = next(number for number, text in enumerate(html.split("\n"), 1) if "Pinned revision" in text)
    ran = world.crawl(code=2)
    assert f"prov: {world.web.url}/valve:{line}: " in ran.err
    assert world.manifests == ["engine-rotor"]
    assert ran.last.endswith("2 evidence pages: 1 manifest written, 0 unchanged; 1 failed")


def test_pages_of_one_title_are_refused(world: World) -> None:
    world.web.routes["/about"] = html_page(EvidencePage(pieces=(Shown(claim="Another."),)).html())
    ran = world.crawl(code=2)
    assert "would all be written to manifests/engine-valve.yaml, and differ: none is" in ran.err
    assert world.manifests == ["engine-rotor"]


def test_the_same_page_at_two_addresses_counts_once(world: World) -> None:
    world.web.routes["/about"] = html_page(VALVE.html())
    ran = world.crawl("-v")
    assert f"{world.web.url}/about: the same page as {world.web.url}/valve" in ran.err
    assert world.manifest("engine-valve").url == f"{world.web.url}/valve"


def test_a_manifest_of_another_site_is_left_alone(world: World) -> None:
    world.crawl()
    file = world.project.root / "manifests/engine-valve.yaml"
    file.write_text(file.read_text().replace(f"{world.web.url}/valve", "https://other.example/valve"))
    ran = world.crawl(code=2)
    assert "is that of https://other.example/valve, on another host" in ran.err


def test_a_site_without_evidence_is_told(world: World) -> None:
    world.web.routes["/"] = html_page("nothing")
    ran = world.crawl(code=2)
    assert ran.err == "prov: no evidence page was found\n"
    assert ran.out == "1 page, 0 not modified; 0 evidence pages: 0 manifests written, 0 unchanged; 0 failed\n"


@pytest.mark.parametrize(
    ("robots", "code", "words"),
    [
        (Reply(b"User-agent: prov\nDisallow: /"), 2, "robots.txt asks crawlers to leave it alone"),
        (Reply(status=500), 3, "without it nothing is asked for"),
    ],
)
def test_robots_are_kept_to(world: World, robots: Reply, code: int, words: str) -> None:
    world.web.routes["/robots.txt"] = robots
    ran = world.crawl(code=code)
    assert words in ran.err
    assert {asked.path for asked in world.web.asked} == {"/robots.txt"}


def test_what_robots_leave_aside_is_counted(world: World) -> None:
    world.web.routes["/robots.txt"] = Reply(b"User-agent: prov\nDisallow: /rotor")
    ran = world.crawl()
    assert world.manifests == ["engine-valve"]
    assert ran.last.endswith("0 failed; 1 page left alone as the site asks")


def test_what_was_unavailable_is_told_and_had_the_next_time(world: World) -> None:
    world.web.routes["/rotor"] = Reply(status=500)
    ran = world.crawl(code=3)
    assert f"prov: {world.web.url}/rotor: 127.0.0.1 answers with status 500" in ran.err
    assert world.manifests == ["engine-valve"]
    world.web.routes["/rotor"] = html_page(ROTOR.html())
    world.crawl()
    assert world.manifests == ["engine-rotor", "engine-valve"]


def test_a_server_that_is_busy(world: World) -> None:
    world.web.routes["/valve"] = [Reply(status=429, headers={"Retry-After": "1"}), html_page(VALVE.html())]
    world.crawl()
    world.web.routes["/valve"] = Reply(status=429, headers={"Retry-After": "86400"})
    ran = world.crawl(code=3)
    assert "asks for fewer requests (status 429), until" in ran.err
    assert "is left alone" in ran.err


def test_a_host_that_is_down(world: World) -> None:
    ran = world.project.run("crawl", "--allow-local", "http://127.0.0.1:9/")
    assert ran.code == 3, ran.said
    assert "127.0.0.1 cannot be reached: Connection refused" in ran.err
    assert ran.last == "0 pages, 0 not modified; 0 evidence pages: 0 manifests written, 0 unchanged; 1 failed"


def test_links_loops_and_other_sites(world: World) -> None:
    world.web.routes["/about"] = html_page(links("/gone", "/loop", "/away", "https://other.example/"))
    world.web.routes["/loop"] = Reply(status=302, headers={"Location": "/loop2"})
    world.web.routes["/loop2"] = Reply(status=302, headers={"Location": "/loop"})
    world.web.routes["/away"] = Reply(status=301, headers={"Location": "http://other.example/x"})
    ran = world.crawl()
    about = f"(linked from {world.web.url}/about)"
    away = "it leads to http://other.example/x, on another site, which is not followed"
    assert sorted(ran.err.splitlines()) == [
        f"prov: {world.web.url}/away: {away} {about}",
        f"prov: {world.web.url}/gone: status 404 {about}",
        f"prov: {world.web.url}/loop2: it redirects in a circle {about}",
    ]
    assert world.crawl("-q").err == ""


def test_a_gigabyte_is_not_read(world: World) -> None:
    flood = Flood(10**9)
    world.web.routes["/about"] = Reply(flood, headers={"Content-Type": HTML})
    ran = world.crawl(code=3)
    assert "is too large" in ran.err
    assert flood.sent < 24 * MEBIBYTE
    assert world.manifests == ["engine-rotor", "engine-valve"]


def test_what_a_site_says_is_inert(world: World) -> None:
    hostile = "\x1b[31m::error::gone"
    page = EvidencePage(component=hostile, pieces=(Shown(claim=hostile),))
    world.web.routes["/valve"] = html_page(page.html())
    world.web.routes["/about"] = html_page(VALVE.html().replace("lines 1–2", f"lines 1–2 {hostile}"))
    ran = world.crawl("-v", code=2)
    assert "\x1b" not in ran.out + ran.err
    assert not any(line.lstrip().startswith("::") for line in (ran.out + ran.err).splitlines())


def test_names_made_of_titles_stay_in_the_folder(world: World) -> None:
    page = EvidencePage(model="../../etc", component="pass/wd")
    world.web.routes["/valve"] = html_page(page.html())
    world.crawl()
    assert world.manifests == ["engine-rotor", "etc-pass-wd"]


def test_a_folder_that_leads_out_is_refused(world: World, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (world.project.root / "out").symlink_to(outside)
    ran = world.crawl("-o", "out/", code=2)
    assert "a link leads out of this folder" in ran.err
    assert list(outside.iterdir()) == []


PARTS = 30


@pytest.fixture
def large(world: World) -> World:
    """A site of thirty evidence pages, in a chain."""
    world.web.routes["/"] = html_page(links("/0"))
    for number in range(PARTS):
        page = EvidencePage(component=f"Part {number}")
        world.web.routes[f"/{number}"] = Kept(page.html(body=f'<a href="/{number + 1}">').encode())
    return world


def asked_for(web: WebServer, path: str) -> None:
    """Wait until a page has been asked for."""
    for _ in range(1000):
        if path in web.paths:
            return
        time.sleep(0.01)
    message = f"nobody asked for {path}"
    raise AssertionError(message)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGINT, 130)])
def test_a_crawl_that_is_ended_goes_on_where_it_was(large: World, number: int, code: int) -> None:
    arguments = ("crawl", "--allow-local", "--delay", "0.05", "--depth", "100", f"{large.web.url}/")
    started = large.project.start(*arguments)
    asked_for(large.web, "/10")
    os.killpg(started.pid, number)
    ended = finish(started)
    assert ended.code == code, ended.said
    assert large.manifests == []
    had = list(large.web.paths)
    large.web.asked.clear()
    ran = large.project.run(*arguments)
    assert ran.code == 0, ran.said
    assert "going on with a crawl that was cut off" in ran.err
    assert len(large.manifests) == PARTS
    # The page that was being had when it ended may be asked for again, and no other.
    assert len({*had} & {*large.web.paths}) <= 1
    assert f"/{PARTS - 1}" in large.web.paths


def test_two_at_once(large: World) -> None:
    arguments = ("crawl", "--allow-local", "--delay", "0.01", "--depth", "100", f"{large.web.url}/")
    runs = [large.project.start(*arguments) for _ in range(3)]
    ended = [finish(run) for run in runs]
    assert [ran.code for ran in ended] == [0, 0, 0], [ran.said for ran in ended]
    assert len(large.manifests) == PARTS
    assert not any("cannot be kept" in ran.err for ran in ended)
    again = large.project.run(*arguments)
    assert again.last.endswith(f"0 manifests written, {PARTS} unchanged; 1 failed")


def test_offline(world: World) -> None:
    ran = world.crawl("--offline", code=3)
    assert "was not crawled before, and nobody is asked with --offline" in ran.err
    assert world.web.asked == []
    world.crawl()
    count = len(world.web.asked)
    for name in world.manifests:
        (world.project.root / "manifests" / f"{name}.yaml").unlink()
    world.crawl("--offline")
    assert len(world.web.asked) == count
    assert world.manifests == ["engine-rotor", "engine-valve"]


def test_a_state_that_is_damaged_is_made_anew(world: World) -> None:
    world.crawl()
    (state,) = (world.project.cache / "crawl").glob("*.sqlite")
    state.write_bytes(b"no database" * 100)
    world.crawl()
    world.crawl("--offline")


def test_a_state_that_cannot_be_kept(world: World) -> None:
    world.project.cache.mkdir(parents=True)
    (world.project.cache / "crawl").write_text("a file")
    ran = world.crawl()
    assert "what was had cannot be kept for next time" in ran.err
    assert world.manifests == ["engine-rotor", "engine-valve"]


def test_a_login_is_sent_to_its_host_unless_it_is_not_to_be(world: World) -> None:
    def secret(asked: Asked) -> Reply:
        return html_page(VALVE.html()) if "authorization" in asked.headers else Reply(status=401)

    world.web.routes["/valve"] = secret
    netrc = world.project.home / ".netrc"
    netrc.write_text("machine 127.0.0.1 login user password SECRET\n")
    netrc.chmod(0o600)
    world.crawl()
    assert world.manifests == ["engine-rotor", "engine-valve"]
    (world.project.root / "manifests/engine-valve.yaml").unlink()
    ran = world.crawl("--no-credentials")
    assert f"{world.web.url}/valve: status 401" in ran.err
    world.crawl("--no-credentials", "--offline")
    assert world.manifests == ["engine-rotor"]
    assert not [
        name for name, data in world.project.files().items() if b"SECRET" in data and ".netrc" not in name
    ]


def test_a_slow_server_is_waited_for_between_requests(world: World) -> None:
    moments: list[float] = []
    lock = threading.Lock()

    def noted(page: EvidencePage | None) -> object:
        def reply(_: Asked) -> Reply:
            with lock:
                moments.append(time.monotonic())
            return html_page(page.html() if page else links("/valve", "/rotor"))

        return reply

    for path, page in (("/", None), ("/valve", VALVE), ("/rotor", ROTOR)):
        route = noted(page)
        assert callable(route)
        world.web.routes[path] = route
    world.crawl("--delay", "0.3")
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(moments))


@pytest.mark.handed
def test_the_handed_pages_become_the_manifests_that_an_import_makes(world: World) -> None:
    handed = os.environ.get("PROV_TEST_HANDED")
    pages = sorted(Path(handed, "pages").glob("*.txt")) if handed else []
    if not pages:
        pytest.skip("PROV_TEST_HANDED names no folder with pages/")
    world.web.routes["/"] = html_page(links(*(f"/{page.stem}" for page in pages)))
    for page in pages:
        world.web.routes[f"/{page.stem}"] = html_page(html_of(page.read_text()))
    ran = world.crawl()
    assert ran.last == (
        f"{len(pages) + 1} pages, 0 not modified; {len(pages)} evidence pages: "
        f"{len(pages)} manifests written, 0 unchanged; 0 failed"
    )
    assert world.project.run("import", *map(str, pages), "-o", "imported/").code == 0
    imported = sorted((world.project.root / "imported").iterdir())
    assert [file.stem for file in imported] == world.manifests
    for file in imported:
        lines = (world.project.root / "manifests" / file.name).read_text().split("\n")
        assert "\n".join(line for line in lines if not line.startswith("url: ")) == file.read_text()

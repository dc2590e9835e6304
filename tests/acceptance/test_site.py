from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from support.browser import Browser, axe, browser, lacking
from support.published import BREAKOUT, Site, project, remember_drift

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REASON = lacking()

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(REASON is not None, reason=f"no browser: {REASON}"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # selenium's own sockets
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    root = tmp_path_factory.mktemp("site")
    made = Site(project(root, many=230), root / "out")
    remember_drift(made.space)
    made.publish(["manifests/broken.yaml:3: not read"])
    return made


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def web(session: Browser) -> Iterator[Browser]:
    """The session, which must have nothing to complain of when the test ends."""
    session.look()
    yield session
    assert not session.complaints()
    assert session.run("return window.hacked ?? null") is None


def address(site: Site, name: str, anchor: str = "") -> str:
    """A page, by its own name or, for a result, by its id."""
    if name.endswith(".html"):
        file = site.folder / name
    else:
        found = [key for key, text in site.pages("results").items() if f"<h1>{name}</h1>" in text]
        file = site.folder / "results" / found[0]
    return file.as_uri() + anchor


def rows(web: Browser) -> list[str]:
    return web.texts("#list tbody .what a")


def test_a_list_is_filtered_searched_and_cleared(site: Site, web: Browser) -> None:
    web.open(address(site, "index.html"))
    assert len(rows(web)) == 100
    assert web.texts("#told") == ["1–100 of 253 results, the worst first"]
    web.click(".counts .failure a")
    assert web.texts("#told") == ["8 results"]
    assert all("(failure)" in badge for badge in web.texts("#list .badge"))
    assert web.driver.current_url.endswith("#level=failure")
    web.keys("#by-text", "pump yaml opens")
    web.wait("document.querySelector('#told').innerText === '1 result'")
    assert rows(web) == ["opens-otherwise"]
    web.click("#filter button")
    assert len(rows(web)) == 100
    assert web.texts("#told") == ["1–100 of 253 results, the worst first"]
    web.keys("#by-text", "no such thing")
    web.wait("document.querySelector('#told').innerText === 'No result matches'")
    assert web.run("return document.querySelector('#told').getAttribute('aria-live')") == "polite"


def test_a_filtered_list_is_linked_and_left_again(site: Site, web: Browser) -> None:
    web.open(address(site, "index.html", "#q=value&document=manifests%2Fmany-00000.yaml&sort=-place&page=2"))
    assert web.texts("#told") == ["101–200 of 200 results"]
    assert rows(web)[0] == "value-100"
    web.click("#paging button")
    assert rows(web)[0] == "value-200"
    assert web.run("return document.activeElement.innerText") == "value-200"
    web.driver.back()
    web.wait("document.querySelector('#list tbody .what a').innerText === 'value-100'")
    web.open(address(site, "pages/2.html", "#level=warning"))
    assert rows(web) == ["leaves-out"]
    web.click("#list .what a")
    assert web.texts("h1") == ["leaves-out"]


def test_columns_are_sorted_by_the_keyboard(site: Site, web: Browser) -> None:
    web.open(address(site, "index.html"))
    web.keys("th[data-sort=id] button", "\n")
    assert web.run("return document.querySelector('th[data-sort=id]').ariaSort") == "ascending"
    first = rows(web)
    web.keys("th[data-sort=id] button", " ")
    assert web.run("return document.querySelector('th[data-sort=id]').ariaSort") == "descending"
    assert rows(web)[0] != first[0]
    web.keys("th[data-sort=place] button", "\n")
    places = web.texts("#list .place .mono")
    assert places.index("src/long.py:2") < places.index("src/long.py:10")


def test_the_skip_link_comes_first_and_focus_is_seen(site: Site, web: Browser) -> None:
    web.open(address(site, "opens-otherwise"))
    web.keys("body", "\ue004")  # Tab
    assert web.run("return document.activeElement.className") == "skip"
    assert web.run("return document.activeElement.getBoundingClientRect().top >= 0")
    style = web.run("return getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"
    web.open(address(site, "index.html", "#level=failure"))
    web.keys(".skip", "\n")
    assert web.run("return document.activeElement.id") == "main"
    assert web.texts("#told") == ["8 results"]
    assert web.driver.current_url.endswith("#level=failure")


def test_context_unfolds_and_links_lead_to_the_place(site: Site, web: Browser) -> None:
    web.open(address(site, "opens-otherwise"))
    assert "class Valve:" not in web.texts("main")[0]
    web.keys("details summary", "\n")
    assert "class Valve:" in web.texts("main")[0]
    web.click("details:has(.diff) summary")
    tall = web.run("const at = document.querySelector('.diff'); return at.offsetHeight / at.children.length")
    assert isinstance(tall, float)
    assert tall < 24
    assert web.texts("del") == ["pascal", "pascal", "3", "words"]
    web.click("main p > a[href*='files/']")
    assert web.driver.current_url.endswith("#L11")
    assert web.run("return document.querySelector(':target').id") == "L11"
    web.driver.find_element("link text", "opens-otherwise").click()
    assert web.texts("h1") == ["opens-otherwise"]


def test_pages_are_read_without_script(site: Site, web: Browser) -> None:
    web.look(script=False)
    web.driver.get(address(site, "index.html"))
    html = web.driver.page_source
    assert "worst first" in html
    assert web.driver.find_element("id", "filter").is_displayed() is False
    web.click("#paging a[rel=next]")
    assert web.driver.title == "Evidence report, page 2"
    web.driver.find_element("partial link text", "ok").click()
    assert "index.html#level=ok" in web.driver.current_url
    web.driver.find_element("css selector", "#list .what a").click()
    web.driver.find_element("css selector", "summary").click()
    assert web.driver.find_element("css selector", "details[open] .line").is_displayed()


def test_hostile_text_runs_nowhere_and_nothing_is_asked_of_the_network(site: Site, web: Browser) -> None:
    hostile = [name for name in site.pages("results") if name.startswith("hostile")]
    names = [f"results/{name}" for name in hostile] + [f"files/{name}" for name in site.pages("files")]
    for name in ("index.html", *names):
        web.open(address(site, name))
        assert all(link.startswith(("file://", "about:")) for link in web.requests()), name
        assert web.run("return window.hacked ?? null") is None
    web.open(
        address(site, "index.html", "#level=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&sort=__proto__&page=-3")
    )
    assert len(rows(web)) == 100
    web.open(address(site, "index.html", "#document=manifests%2Fhostile.yaml"))
    assert BREAKOUT in web.texts("#list .what a")
    assert "\\u202e" in web.texts("#list .claim")[0]


def test_a_site_works_from_a_server(site: Site, web: Browser) -> None:
    with served(site.folder) as url:
        web.open(f"{url}index.html#level=unavailable")
        assert rows(web) == ["unreached"]
        web.click("#list .what a")
        assert web.texts("h1") == ["unreached"]
        assert all(link.startswith((url, "about:")) for link in web.requests())


@contextmanager
def served(folder: Path) -> Iterator[str]:
    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(
  found => done(found.violations.map(
    item => `${item.id}: ${item.nodes.map(node => node.target.join(" ")).slice(0, 5).join(", ")}`)),
  error => done([String(error)]));
"""


CELLS = """
return [...document.querySelectorAll(".compared tr")]
  .filter(row => row.cells.length !== 4 || [...row.cells].some(cell => getComputedStyle(cell).display === "none"))
  .map(row => row.innerText);
"""
"""The rows of a comparison in which a screen reader would find a cell in another column."""


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (320, True)])
def test_nothing_keeps_people_from_using_it(site: Site, web: Browser, width: int, *, dark: bool) -> None:
    source = axe()
    web.look(width=width, dark=dark)
    files = [f"files/{name}" for name in site.pages("files") if "pump-py" in name]
    for name in ("index.html", "opens-otherwise", "pumps", "opens", "weights", *files):
        anchor = "#level=failure" if name == "index.html" else ""
        web.open(address(site, name, anchor))
        web.run(source)
        assert web.driver.execute_async_script(AXE) == [], (name, width)
        assert web.run("return document.documentElement.scrollWidth <= innerWidth"), (name, width)
        assert web.run(CELLS) == [], (name, width)

"""A headless Chromium, and what a page did in it."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver import Chrome

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--window-size=1280,900",
)


def lacking() -> str | None:
    """Why there can be no browser; None where there can."""
    for name in ("chromium", "chromedriver"):
        if shutil.which(name) is None:
            return f"{name} is not installed"
    return None if find_spec("selenium") else "selenium is not installed"


class Browser:
    """One session; pages are opened one after the other."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        """Open a page anew."""
        self.driver.get("about:blank")  # a change of the fragment alone would load nothing
        self.requests()
        self.driver.get(address)

    def run(self, script: str, *arguments: object) -> object:
        """What a script returns."""
        return self.driver.execute_script(script, *arguments)

    def texts(self, selector: str) -> list[str]:
        """The text of elements, as it is rendered."""
        found = self.run(
            "return [...document.querySelectorAll(arguments[0])].map(item => item.innerText.trim())", selector
        )
        assert isinstance(found, list)
        return found

    def click(self, selector: str) -> None:
        """Click the first element of that kind, as a person would."""
        self.driver.find_element("css selector", selector).click()

    def keys(self, selector: str, text: str) -> None:
        """Type into an element."""
        self.driver.find_element("css selector", selector).send_keys(text)

    def wait(self, script: str) -> None:
        """Wait until a script returns something true."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, 10, 0.02).until(lambda driver: driver.execute_script(f"return {script}"))

    def _log(self, kind: str) -> list[dict[str, str]]:
        found: list[dict[str, str]] = self.driver.get_log(kind)  # type: ignore[no-untyped-call]
        return found

    def complaints(self) -> list[str]:
        """What the console said since this was last asked."""
        return [str(entry["message"]) for entry in self._log("browser")]

    def requests(self) -> list[str]:
        """What was asked for since this was last asked, of pages and by them."""
        entries = (json.loads(entry["message"])["message"] for entry in self._log("performance"))
        sent = (item for item in entries if item["method"] == "Network.requestWillBeSent")
        return [str(item["params"]["request"]["url"]) for item in sent]

    def look(self, *, width: int = 1280, dark: bool = False, script: bool = True) -> None:
        """Set the width of the screen in pixels, the colours that the user likes, and whether scripts run."""
        tell = self.driver.execute_cdp_cmd
        tell(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        tell("Emulation.setEmulatedMedia", {"features": [scheme, still]})
        tell("Emulation.setScriptExecutionDisabled", {"value": not script})


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A session with a fresh profile in a folder."""
    from selenium.webdriver import Chrome
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield Browser(driver)
    finally:
        driver.quit()


def axe() -> str:
    """The script of axe-core, which finds what keeps people from using a page."""
    spec = find_spec("axe_core_python")
    assert spec is not None
    assert spec.submodule_search_locations
    return (Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")

"""Views -> pages. All of Jinja is here: it escapes whatever a template is given, and a hook makes it visible before."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from provenance import __version__
from provenance.report.inert import in_line, visible
from provenance.report.site.code import LONGEST, seen
from provenance.report.site.listing import shortened
from provenance.report.site.views import WORST_FIRST

if TYPE_CHECKING:
    from provenance.report.site.views import CitationView, FileView, ListView, Neighbours, StatementView

ASSETS = ("site.css", "site.js", "icon.svg")
"""The files beside the pages, which are the same in every site."""

DATA = "assets/data.js"
"""Where the list's data is."""

_COMMAND = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)
_BRACKETED = re.compile(r"#(?=#\w*\[)")


def asset(name: str) -> str:
    """One of `ASSETS`."""
    return files("provenance.report.site").joinpath("assets", name).read_text(encoding="utf-8")


class Pages:
    """Makes the pages of one site."""

    def __init__(self, day: str) -> None:
        """Make ready.

        Args:
            day: when the results were judged, as pages show it.
        """
        self._environment = _environment()
        self._day = day

    def listing(self, view: ListView) -> str:
        """A page of the list of results."""
        root = "" if view.number == 1 else "../"
        return self._page("list.html", root=root, view=view)

    def citation(self, view: CitationView, near: Neighbours) -> str:
        """A citation's page."""
        return self._page("citation.html", root="../", view=view, near=near)

    def statement(self, view: StatementView, near: Neighbours) -> str:
        """A statement's page."""
        return self._page("statement.html", root="../", view=view, near=near)

    def file(self, view: FileView) -> str:
        """A cited file's page."""
        return self._page("file.html", root="../", view=view)

    def _page(self, template: str, **given: object) -> str:
        page = self._environment.get_template(template).render(
            day=self._day, version=__version__, data=DATA, levels=WORST_FIRST, **given
        )
        return inert(page)


def inert(page: str) -> str:
    """A page in which no line is a command to a CI system that prints it; a browser shows the same."""
    if "::" in page:
        page = _COMMAND.sub(r"\1&#58;", page)
    return _BRACKETED.sub("&#35;", page) if "##" in page else page


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("provenance.report.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "web": web,
        "line": in_line,
        "shortened": shortened,
        "seen": seen,
        "clipped": clipped,
    }
    return environment


def _shown(value: object) -> object:
    """What a template puts into a page: text without anything hidden, and HTML as it is."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value)


def clipped(text: str) -> str:
    """As much of a text as anybody reads: what many pages tell of one source can be as long as its author likes."""
    left = len(text) - LONGEST
    return text if left <= 0 else f"{text[:LONGEST]} … {left:,} more characters"


def web(url: str | None) -> str | None:
    """An address that may be a link: http or https to a host, and no longer than anybody reads; None for all else."""
    if url is None or len(url) > LONGEST or url != in_line(url) or url.split() != [url]:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname else None

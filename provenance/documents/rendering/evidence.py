"""HTML of an evidence page -> what it says, with positions in the HTML and repositories where its links lead."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from provenance.compare.marks import mark
from provenance.documents.layout import Layout, own
from provenance.documents.pages import Page, read_page
from provenance.documents.remarks import Remark
from provenance.errors import PageError, Position

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from provenance.citation import Source
    from provenance.documents.layout import Piece
    from provenance.documents.rendering.render import Rendered

_PIN = "Pinned revision "
_EXCERPT = "Read code excerpt"
_EVIDENCE = ("Direct evidence", "Contextual evidence from ")
_CLOSE = "\u00d7"
_BETWEEN = re.compile(r"\s[-\u2013\u2014\u00b7|\u2022]\s|:\s")
"""What parts a model's name, a component's and a site's in `<title>`."""
_LONGEST_HEAD = 2_000
"""Lines in which a page's head is looked for."""


def looks_like_evidence(text: str) -> bool:
    """Whether a page has anything that only an evidence page has, be it one that can be read or not."""
    return any(line.startswith(_PIN) or line == _EXCERPT for line in map(own, text.split("\n")))


def read_rendered(page: Rendered, url: str, name: str = "") -> Page:
    """Read an evidence page as it is shown.

    The URL of each repository is taken from the permalinks beside the pins, where there are any: the text names
    owner and repository alone.

    Args:
        page: what it shows.
        url: where it stands: what its links are relative to.
        name: what positions call it; the URL where it is empty.

    Raises:
        PageError: it is no evidence page, or one whose evidence cannot be told; with the line of the HTML.
    """
    page = _titled(_bared(page))
    try:
        found = read_page(page.text, name or url)
        pieces = Layout(page.text, name or url).pieces()
    except PageError as error:
        raise PageError(_position(page, error.position), error.message) from error
    hosted, remarks = _hosted(found, pieces, _Links(page, url))
    told = (Remark(_position(page, each.position), each.message) for each in (*found.remarks, *remarks))
    return replace(hosted, remarks=tuple(sorted(told, key=lambda remark: remark.position.line)))


def _position(page: Rendered, position: Position) -> Position:
    """A line of the text -> that of the HTML."""
    return replace(position, line=page.numbers[position.line - 1] if page.numbers else 1)


def _bared(page: Rendered) -> Rendered:
    """The page with nothing but code in its excerpts, where they are preformatted: no buttons, and no footer.

    In the text of a page an excerpt reaches to the next piece of evidence, or to the end.
    """
    if not page.text:
        return page
    lines = page.text.split("\n")
    heads = [i for i, line in enumerate(lines) if not page.codes[i] and own(line).startswith(_EVIDENCE)]
    for start, end in pairwise([*heads, len(lines)]):
        begins = next((i for i in range(start, end) if own(lines[i]) == _EXCERPT and not page.codes[i]), end)
        inside = range(begins + 1, end)
        if any(page.codes[i] and lines[i].strip() for i in inside):
            for i in inside:
                if not page.codes[i] and mark(lines[i]) is None:
                    lines[i] = ""
    return replace(page, text="\n".join(lines))


def _titled(page: Rendered) -> Rendered:
    """The page with what `<title>` says as its first line, unless its text has a title of its own."""
    lines = page.text.split("\n") if page.text else []
    missing = _missing_title(lines, page.title)
    if not missing:
        return page
    return replace(
        page,
        text="\n".join([missing, "", *lines]),
        numbers=[page.title_number, page.title_number, *page.numbers],
        codes=[0, 0, *page.codes],
        anchors=tuple(replace(anchor, index=anchor.index + 2) for anchor in page.anchors),
    )


def _missing_title(lines: Sequence[str], title: str) -> str:
    """What has to stand above a page's head for a title; nothing where it begins with one.

    A first line is a title where it is the same as `<title>`, or where the component that it names has a heading.
    Where the sign that closes a panel tells the component, the title is the model alone; for a first line may as well
    be navigation's, it has to be a part of `<title>` then. If it is not, the model is what `<title>` begins with, where
    that has a line of its own, unless `<title>` names the component too.
    """
    shown = [own(line).strip() for line in lines[:_LONGEST_HEAD]]
    end = next((i for i, line in enumerate(shown) if line.startswith(_EVIDENCE)), len(shown))
    head = [line for line in shown[:end] if line]
    said = own(title).strip()
    if not head or head[0] == said:
        return "" if head else title
    if not {*head[0].split(" · ")[1:]}.isdisjoint(head[1:]):
        return ""
    if _CLOSE not in head[2:]:
        return title
    parts = _BETWEEN.split(said)
    if head[0].casefold() in {part.casefold() for part in parts}:
        return ""
    return parts[0] if parts[0] in head and {*said.split(" · ")[1:]}.isdisjoint(head) else title


class _Links:
    """The links of a page, by the lines that they stand on."""

    def __init__(self, page: Rendered, url: str) -> None:
        self._lines = page.text.split("\n")
        self._anchors = page.anchors
        self._indices = [anchor.index for anchor in page.anchors]
        """In order: an anchor is told when it ends."""
        self._base = _joined(url, page.base) if page.base else url

    def of(self, piece: Piece) -> Iterator[str]:
        """Where the links lead that stand between a piece of evidence's heading and its pin."""
        start = piece.at.line - 1
        end = start
        while end < len(self._lines) and not own(self._lines[end]).startswith(_PIN):
            end += 1
        yield from self.on(range(start, end + 1))

    def on(self, lines: range) -> Iterator[str]:
        """Where the links on some lines lead."""
        first = bisect_left(self._indices, lines.start)
        for at in range(first, len(self._anchors)):
            if self._indices[at] >= lines.stop:
                return
            yield _joined(self._base, self._anchors[at].href)


def _joined(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return ""


def _hosted(page: Page, pieces: Sequence[Piece], links: _Links) -> tuple[Page, list[Remark]]:
    """The page with each source's repository where the links to it lead."""
    found: dict[tuple[str, str], str] = {}
    remarks: list[Remark] = []
    for piece in pieces:
        repository = f"{piece.owner}/{piece.repository}"
        for link in links.of(piece):
            git = _repository(link, repository, piece.revision, piece.path)
            if git is None:
                continue
            there = found.setdefault((repository.lower(), piece.revision), git)
            if _site(there) != _site(git):
                message = (
                    f"the link of {piece.id} leads to {git}, and an earlier one to {there}, which is used"
                )
                remarks.append(Remark(piece.at, message))
    sources: dict[Source, Source] = {}
    for source in page.manifest.sources:
        repository = "/".join(source.git.rsplit("/", 2)[1:])
        git = found.get((repository.lower(), source.revision))
        if git is None and source.position is not None:
            line = source.position.line - 1
            stated = (_repository(link, repository, "", "") for link in links.on(range(line, line + 1)))
            git = next((each for each in stated if each is not None), None)
        sources[source] = (
            source if git is None or _site(git) == _site(source.git) else replace(source, git=git)
        )
    manifest = replace(
        page.manifest,
        sources=tuple(sources.values()),
        citations=tuple(replace(each, source=sources[each.source]) for each in page.manifest.citations),
    )
    return replace(page, manifest=manifest), remarks


def _site(git: str) -> str:
    """What is the same for one repository: github.com answers to two names, and letter cases are not told apart."""
    return git.lower().replace("//www.github.com/", "//github.com/").replace("//hf.co/", "//huggingface.co/")


def _repository(link: str, repository: str, revision: str, path: str) -> str | None:
    """The repository that a permalink leads into; None where it is no link to this file at this revision.

    Args:
        link: an absolute URL.
        repository: owner and name.
        revision: as the page writes it, which may be the beginning of what the link has.
        path: in the repository; empty where any link into the repository will do.
    """
    try:
        parts = urlsplit(link)
        where = unquote(parts.path)
    except ValueError:
        return None
    if parts.scheme != "https" or not parts.hostname or "@" in parts.netloc:
        return None
    start = f"{where.lower()}/".find(f"/{repository.lower()}/")
    end = start + len(repository) + 1
    rest = where[end:]
    if start < 0 or (path and not (rest.endswith(f"/{path}") and f"/{revision}" in rest)):
        return None
    if where != parts.path:
        return None if "%" in parts.path[:end] else f"https://{parts.netloc}{parts.path[:end]}"
    return f"https://{parts.netloc}{where[:end]}"

"""Made-up evidence pages, as text and as the HTML that shows that text, and sites of them on a real server."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from support.webserver import Asked, Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Shown:
    """A piece of evidence on a page."""

    id: str = "valve"
    claim: str = "It opens."
    repository: str = "atlas/engine"
    path: str = "src/valve.py"
    revision: str = "0011223344556677"
    lines: str = "1–2"
    quote: str = "def open():\n    pass"
    of: str | None = None
    forge: str = "https://github.com"
    """Where its link leads; the text says nothing of it."""

    @property
    def heading(self) -> str:
        return "Direct evidence" if self.of is None else f"Contextual evidence from {self.of}"

    @property
    def pointer(self) -> str:
        return f"{self.id} · {self.repository} / {self.path}"

    @property
    def link(self) -> str:
        first, _, last = self.lines.partition("–")
        anchor = f"#L{first}-L{last}" if last else f"#L{first}"
        return f"{self.forge}/{self.repository}/blob/{self.revision}/{self.path}{anchor}"

    def text(self) -> Iterator[str]:
        yield from (self.heading, "", self.claim, "", self.pointer)
        yield from (f"Pinned revision {self.revision} ↗ · lines {self.lines}", "", "Read code excerpt", "")
        yield from (self.quote, "")

    def html(self) -> Iterator[str]:
        yield f"<article>\n<h3>{escape(self.heading)}</h3>\n<p>{escape(self.claim)}</p>"
        yield f"<div>{escape(self.pointer)}</div>"
        yield f'<div>Pinned revision <a href="{escape(self.link)}">{escape(self.revision)} ↗</a>'
        yield f" · lines {escape(self.lines)}</div>"
        yield f"<details><summary>Read code excerpt</summary>\n<pre><code>{escape(self.quote)}\n</code></pre>"
        yield "</details>\n</article>"


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """A page of one component of a model."""

    model: str = "Engine"
    component: str = "Valve"
    pieces: tuple[Shown, ...] = (Shown(),)
    head: tuple[str, ...] = ()
    """Further lines of its head, each a paragraph."""
    rows: tuple[tuple[str, str, str], ...] = ()
    """Of its table of parameters, the total's included."""
    code: bool = False
    """Whether the excerpts stand under `Code` too."""

    @property
    def title(self) -> str:
        return f"{self.model} · {self.component}"

    def text(self) -> str:
        """What a reader sees."""
        return "\n".join(self._text())

    def html(self, *, title: str | None = None, head: str = "", body: str = "") -> str:
        """The page; with more in its head, and more before its end, where that is given."""
        shown = self.title if title is None else title
        return "\n".join(
            [
                "<!DOCTYPE html>",
                f'<html lang="en"><head><meta charset="utf-8"><title>{escape(shown)}</title>{head}',
                "<style>p { color: red }</style><script>if (1 < 2) document.write('<p>Direct evidence')</script>",
                "</head><body>",
                *self._html(),
                body,
                "</body></html>",
            ]
        )

    def _text(self) -> Iterator[str]:
        yield from (self.title, "", self.component, "")
        for line in self.head:
            yield from (line, "")
        if self.rows:
            yield from (
                "Parameters",
                "",
                "Exact per-instance accounting",
                "Component\tCalculation\tParameters",
            )
            yield from map("\t".join, self.rows)
            yield ""
        if self.code:
            yield from (f"Code{self._places()}", "")
            for piece in self.pieces:
                yield from (f"{_name(piece)} {piece.lines}", "", piece.quote, "")
        yield from (f"Sources{len(self.pieces)}", "")
        for piece in self.pieces:
            yield from piece.text()

    def _html(self) -> Iterator[str]:
        yield f"<main>\n<h1>{escape(self.component)}</h1>"
        yield from (f"<p>{escape(line)}</p>" for line in self.head)
        if self.rows:
            yield "<h2>Parameters</h2>\n<table><caption>Exact per-instance accounting</caption>"
            yield "<thead><tr><th>Component</th><th>Calculation</th><th>Parameters</th></tr></thead><tbody>"
            for row in self.rows:
                yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
            yield "</tbody></table>"
        if self.code:
            yield f"<h2><span>Code</span><span>{escape(self._places())}</span></h2>"
            for piece in self.pieces:
                yield f"<figure><figcaption>{escape(_name(piece))} {escape(piece.lines)}</figcaption>"
                yield f"<pre>{escape(piece.quote)}</pre></figure>"
        yield f"<h2>Sources<span>{len(self.pieces)}</span></h2>"
        for piece in self.pieces:
            yield from piece.html()
        yield "</main>"

    def _places(self) -> str:
        return " · ".join(f"{_name(piece)} {piece.lines}" for piece in self.pieces)


def _name(piece: Shown) -> str:
    return piece.path.rpartition("/")[2]


_HEADING = re.compile(r"Direct evidence|Contextual evidence from .*|Sources\d*|\S+ \d+(?:–\d+)?")
_BEFORE_CODE = re.compile(r"Read code excerpt|\S+\.py \d+(?:–\d+)?")


def html_of(text: str) -> str:
    """HTML that shows the text of an evidence page, made of its lines alone."""
    lines = text.split("\n")
    made = [f"<!DOCTYPE html><title>{escape(lines[0])}</title>"]
    index = 0
    while index < len(lines):
        start, line = index, lines[index]
        index += 1
        if _BEFORE_CODE.fullmatch(line):
            made.append(f"<h4>{escape(line)}</h4>")
            while index < len(lines) and not _HEADING.fullmatch(lines[index]):
                index += 1
            made.append(f"<pre>\n{escape(chr(10).join(lines[start + 1 : index]))}</pre>")
        elif "\t" in line:
            while index < len(lines) and "\t" in lines[index]:
                index += 1
            rows = (row.split("\t") for row in lines[start:index])
            cells = ("".join(f"<td>{escape(cell)}" for cell in row) for row in rows)
            made.append(f"<table>{''.join(f'<tr>{row}' for row in cells)}</table>")
        elif line:
            made.append(f"<p>{escape(line)}")
    return "\n".join(made)


def links(*hrefs: str) -> bytes:
    """A page that links to others."""
    return "".join(f'<p><a href="{escape(href)}">to it</a></p>' for href in hrefs).encode()


@dataclass(slots=True)
class Kept:
    """A page of a server that says what has not changed."""

    body: bytes
    type: str = HTML
    etag: str = '"1"'
    modified: str = ""
    sent: list[int] = field(default_factory=list)
    """The status of each answer."""

    def __call__(self, asked: Asked) -> Reply:
        """Answer a request."""
        headers = {"Content-Type": self.type}
        if self.etag:
            headers["ETag"] = self.etag
        if self.modified:
            headers["Last-Modified"] = self.modified
        same = (
            asked.headers.get("if-none-match") == self.etag
            if self.etag
            else bool(self.modified) and asked.headers.get("if-modified-since") == self.modified
        )
        self.sent.append(304 if same else 200)
        return Reply(status=304, headers=headers) if same else Reply(self.body, headers=headers)


@dataclass(slots=True)
class Flood:
    """A body of any size, sent in pieces for as long as somebody reads it."""

    size: int
    sent: int = 0
    """Bytes that were asked for by the connection so far."""
    piece: bytes = b"<p>more</p>" * 6000

    def __iter__(self) -> Iterator[bytes]:
        while self.sent < self.size:
            self.sent += len(self.piece)
            yield self.piece


def html_page(body: bytes | str, **headers: str) -> Reply:
    """A page without validators."""
    data = body.encode() if isinstance(body, str) else body
    return Reply(data, headers={"Content-Type": HTML, **{k.replace("_", "-"): v for k, v in headers.items()}})

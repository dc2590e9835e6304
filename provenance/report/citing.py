"""A place and its lines -> a citation as a document has it: a permalink, and the code below it.

Sources of the forms: CommonMark 0.31, "Fenced code blocks" and "HTML blocks"; docutils' reStructuredText Markup
Specification, "Directives" and "Hyperlink References"; HTML, sections 4.4.3 (the `pre` element) and 13.5 (named
character references).
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.report.inert import in_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from provenance.citation import LineRange

_COMMANDS = (
    "add-mask|add-matcher|add-path|debug|echo|endgroup|error|group|internal-set-repo-path|notice|remove-matcher"
    "|save-state|set-env|set-output|stop-commands|warning"
)
"""GitHub's documentation, "Workflow commands for GitHub Actions", and those that its runner has for itself.

Only these: a line of C++ may well begin with `::name::`.
"""
_COLONS = re.compile(rf"^(?P<before>[^\S\n]*)::(?=(?:{_COMMANDS})(?![\w-]))", re.MULTILINE | re.IGNORECASE)
_SIGNS = re.compile(r"##(?=\w*\[)")
_BACKTICKS = re.compile(r"`+")
_INDENT = "   "
"""What stands before the lines of a directive."""
_LANGUAGES = {
    "css": "css",
    "htm": "html",
    "html": "html",
    "ini": "ini",
    "json": "json",
    "md": "markdown",
    "rst": "rst",
    "sql": "sql",
    "toml": "toml",
    "xml": "xml",
    "yaml": "yaml",
    "yml": "yaml",
}
"""What files are called in documents that have no symbols, by the ending of their names."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """What is to be shown."""

    path: str
    """In the repository, with forward slashes."""
    lines: LineRange
    text: str
    """The lines joined by LF, without a last LF."""
    url: str
    """A link to them."""
    language: str | None = None
    """The language's name; None where it is not known."""

    @property
    def place(self) -> str:
        """The lines in words."""
        return f"line {self.lines}" if len(self.lines) == 1 else f"lines {self.lines}"

    @property
    def language_name(self) -> str:
        """What a document calls the language; empty where it is not known."""
        ending = self.path.rpartition("/")[2].rpartition(".")[2].lower()
        return self.language or _LANGUAGES.get(ending, "")


def is_inert(text: str) -> bool:
    """Whether nothing in a text hides, and no line of it is a command to a terminal or a CI system."""
    return visible(text) == text and not _SIGNS.search(text) and not _COLONS.search(text)


def markdown(quoted: Quoted) -> Iterator[str]:
    """A link and a fence; then, for what a fence cannot make harmless or cannot hold, `<pre>` in its place."""
    path = in_line(quoted.path)
    marks = "`" * (_longest_run(path) + 1)
    space = " " if path.startswith("`") or path.endswith("`") else ""
    link = f"[{marks}{space}{path}{space}{marks} {quoted.place}]({quoted.url}):\n\n"
    fence = "`" * max(3, _longest_run(quoted.text) + 1)
    yield f"{link}{fence}{quoted.language_name}\n{quoted.text}\n{fence}\n"
    yield f"{link}{_preformatted(quoted)}"


def rst(quoted: Quoted) -> Iterator[str]:
    """A link and a `code-block`.

    Docutils takes off the indentation that all of a directive's lines have in common. An option before them, which has
    none of its own, keeps that of the code. Lines of white space alone stay as they are: they have no indentation. The
    blank line at the end is for what comes next: without it docutils warns of the end of the directive.
    """
    label = re.sub(r"([\\`<])", r"\\\1", in_line(quoted.path))
    lines = quoted.text.split("\n")
    inner = "\n".join(f"{_INDENT}{line}" if line.strip() else line for line in lines)
    is_indented = all(line[:1] in {" ", "\t"} for line in lines if line.strip())
    option = f"{_INDENT}:class: quoted\n" if is_indented else ""
    yield (
        f"`{label} {quoted.place} <{quoted.url}>`__:\n\n"
        f".. code-block:: {quoted.language_name or 'text'}\n{option}\n{inner}\n\n"
    )


def html_page(quoted: Quoted) -> Iterator[str]:
    """A paragraph with the link, and `<pre>`."""
    label = f"<code>{_escaped(in_line(quoted.path))}</code> {quoted.place}"
    yield f'<p><a href="{html.escape(quoted.url)}">{label}</a>:</p>\n{_preformatted(quoted)}'


FORMS: dict[str, tuple[str, Callable[[Quoted], Iterator[str]]]] = {
    "markdown": (".md", markdown),
    "rst": (".rst", rst),
    "html": (".html", html_page),
}
"""By the name of a format: the ending of its documents, and what makes one of it, the plainest way first."""


def _preformatted(quoted: Quoted) -> str:
    name = quoted.language_name
    opening = f'<pre><code class="language-{name}">' if name else "<pre><code>"
    return f"{opening}{_escaped(quoted.text)}</code></pre>\n"


def _escaped(text: str) -> str:
    """Text in HTML, with references for what hides, and for what begins a command to a CI system."""
    text = html.escape(text, quote=False)
    text = _COLONS.sub(r"\g<before>&#58;:", _SIGNS.sub("&#35;#", text))
    if visible(text) == text:
        return text
    return "".join(one if visible(one) == one else f"&#x{ord(one):x};" for one in text)


def _longest_run(text: str) -> int:
    """How many backticks stand in a row."""
    return max(map(len, _BACKTICKS.findall(text)), default=0)

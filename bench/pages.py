"""Made-up documents such as people write about code: prose, lists, tables, fences, and links to lines with quotes.

It is known what is to be said of each link, by construction.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.code import Author
from bench.project import cite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from bench.project import Cited, File

SITE = "https://github.com/example/project"
"""What documents call the repository; git's configuration says where it is."""

LINKS = 5
"""Of a document."""
_LENGTHS = (2_000, 12_000)
"""Characters of a document, about."""
_AWAY = 40
"""Lines by which a link is off whose quote is elsewhere."""
_MIX = {
    "after": 30,
    "in a list": 8,
    "before": 14,
    "inside": 12,
    "one line": 12,
    "bare": 18,
    "changed": 3,
    "shifted": 3,
}
"""How links are quoted, and how often."""
_VERDICTS = {"one line": "anchored", "bare": "unquoted", "changed": "changed", "shifted": "shifted"}
"""What is said of a link; of others that they are exact."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A link to lines."""

    cited: Cited
    verdict: str


@dataclass(frozen=True, slots=True)
class Page:
    """A document."""

    text: str
    links: tuple[Linked, ...]


def verdicts(pages: Sequence[Page]) -> Counter[str]:
    """How often each verdict is to be given."""
    return Counter(link.verdict for page in pages for link in page.links)


class Writer:
    """Writes documents; the same generator of random numbers gives the same documents."""

    def __init__(self, random: Random, files: Sequence[File], revision: str | None = None) -> None:
        """Write about some files.

        Args:
            random: chooses.
            files: what is cited.
            revision: what links say instead of a file's own revision, such as a branch.
        """
        self._random = random
        self._files = files
        self._revision = revision
        self._author = Author(random)

    def page(self) -> Page:
        """The next document."""
        self._author.turn_to_a_file()
        length = self._random.randint(*_LENGTHS)
        links: list[Linked] = []
        text = [f"# {self._author.sentence(6)}\n\n{self._prose()}"]
        for number in range(1, LINKS + 1):
            while sum(map(len, text)) < length * number / (LINKS + 1):
                text.append(self._filler())
            kind = self._random.choices(list(_MIX), weights=list(_MIX.values()))[0]
            cited = cite(self._random, self._random.choice(self._files))
            links.append(Linked(cited, _VERDICTS.get(kind, "exact")))
            text += (f"## {self._author.sentence(5)}\n", "\n".join(self._linked(kind, cited)), self._prose())
        return Page("\n".join(text), tuple(links))

    def _linked(self, kind: str, cited: Cited) -> Iterator[str]:
        """The lines of a link, and of its quote."""
        first, last, quote = cited.first, cited.last, list(cited.quote)
        url = self._url(cited, first, last)
        say, code = self._author.sentence(8), _fence(quote)
        match kind:
            case "after":
                yield from (f"{say} [`{self._author.name()}`]({url}) {say}", "", *code, "")
            case "in a list":
                yield from (f"1. {self._author.sentence()}", f"2. {say} See [here]({url}):", "")
                yield from (*(f"   {line}".rstrip() for line in code), "")
            case "before":
                yield from (self._author.sentence(), "", *code, "", f"[Source]({url})", "")
            case "inside":
                yield from (say, "", *_fence([f"# {url}", *quote]), "")
            case "one line":
                one = self._url(cited, first, first)
                yield from (f"{say} [{cited.file.path}]({one}):", "", *code, "")
            case "bare":
                yield from (f"- {say} [`{self._author.name()}`]({url})", f"- {self._author.sentence()}", "")
            case "changed":
                at = self._random.randrange(len(quote))
                quote[at] = f"{quote[at]}  # {self._author.name()}" if len(quote) > 1 else self._author.name()
                yield from (f"{say} [`{self._author.name()}`]({url}):", "", *_fence(quote), "")
            case _:
                away = -_AWAY if first > _AWAY else _AWAY
                off = self._url(cited, first + away, last + away)
                yield from (f"{say} [`{self._author.name()}`]({off}):", "", *code, "")

    def _url(self, cited: Cited, first: int, last: int) -> str:
        span = f"L{first}" if first == last else f"L{first}-L{last}"
        return f"{SITE}/blob/{self._revision or cited.file.revision}/{cited.file.path}#{span}"

    def _filler(self) -> str:
        """What is no citation."""
        author, random = self._author, self._random
        match random.randrange(8):
            case 0:
                return "".join(
                    f"- {author.sentence()} `{author.name()}` {author.sentence()}\n" for _ in range(4)
                )
            case 1:
                rows = "".join(
                    f"| `{author.name()}` | {random.randrange(4096)} | {author.sentence(6)} |\n"
                    for _ in range(5)
                )
                return f"| name | size | what |\n| --- | --- | --- |\n{rows}"
            case 2:
                shown = "".join(f"{author.name()}: {random.random():.6f}\n" for _ in range(6))
                return f"```console\n$ {author.name()} --{author.name()}\n{shown}```\n"
            case 3:
                return f"> {author.sentence()} [{author.name()}](https://example.org/{author.name()}.html)\n"
            case _:
                return self._prose()

    def _prose(self) -> str:
        """A paragraph, with some emphasis and code in it."""
        lines = self._author.prose(self._random.randint(2, 6))
        return "".join(f"{line} **{self._author.name()}** and `{self._author.name()}`.\n" for line in lines)


def _fence(lines: Sequence[str]) -> list[str]:
    mark = "~~~~" if any("```" in line for line in lines) else "```"
    return [f"{mark}python", *lines, mark]

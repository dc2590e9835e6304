"""The sources of a page: the repositories of its evidence, and those that its head states.

    Reference code openai/gpt-2 @ 9b63575, configuration openai-community/gpt2 @ 607a30d · How to read

What follows the word `configuration` is on the Hugging Face hub, up to the next ` · ` or the word `code`; the rest is
on GitHub.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.citation import Source
from provenance.documents.names import Names
from provenance.documents.remarks import Remark
from provenance.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.documents.layout import Layout, Piece
    from provenance.errors import Position

_FORGE = "https://github.com"
_HUB = "https://huggingface.co"

_BEGINS = re.compile(
    r"Reference (?:code|implementation)|(?P<hub>Configuration\b)|Code(?= [^ /]{1,100}/[^ @]{1,200} ?@)",
    re.IGNORECASE,
)
"""Glued to what it heads at times, as headings are."""
_WORD = re.compile(
    r"(?<![\w./-])(?:https?://(?:github\.com|(?P<on_hub>huggingface\.co))/)?"
    r"(?P<owner>\w[\w.-]{0,99})/(?P<name>[\w.-]{1,100}?)(?:\.git)? ?@ ?(?:(?:commit|revision|rev|tag) )?+"
    r"(?P<revision>[^\s,;·)↗]{0,199}[^\s,;·)↗.:])(?![^\s,;·)↗.:])"
    r"|(?P<hub>\bconfiguration\b)|(?P<forge>\bcode\b)",
    re.ASCII | re.IGNORECASE,
)
_AT = "@"
_GOES_ON = re.compile(r"(?:(?:configuration|code) )?[^ /]{1,100}/[^ @]{1,200} ?@", re.IGNORECASE)
"""How a line begins that goes on from one that ends with a comma."""
_PIN = re.compile(
    r"(?<![\w./-])[\w./-]{1,200} ?@ ?(?:commit )?(?=[a-f]{0,39}[0-9])[0-9a-f]{7,40}\b", re.ASCII
)
"""What looks like a pin on any line."""
_SHORT_PIN = 12
"""Characters of a revision in a source's name."""
_COMMIT = re.compile(r"[0-9a-f]{4,64}")
"""What may be the beginning of a commit id: a tag that begins like another is another."""

Pin = tuple[str, str, str]
"""Owner, repository and revision as written."""


@dataclass(frozen=True, slots=True)
class Sources:
    """All sources of a page."""

    cited: dict[Pin, Source]
    """Those of its evidence, in the page's order."""
    stated: tuple[Source, ...]
    """Those that its head states alone, in the page's order."""
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class _Stated:
    """A repository and a revision in the head."""

    owner: str
    name: str
    revision: str
    hub: bool
    """Whether it is a configuration's."""
    at: Position

    @property
    def key(self) -> tuple[bool, str]:
        """What is the same for one repository: hosts do not tell letter cases apart."""
        return self.hub, _key(self.owner, self.name)


def read_sources(layout: Layout, pieces: list[Piece]) -> Sources:
    """The repositories that a page names, each at its pin.

    A source of the evidence has in `stated` what the head states of its repository. Where the head states a
    repository as a configuration and not as code, evidence from it is on the hub too.

    Raises:
        PageError: the head states two revisions of one repository, of which neither begins the other.
    """
    stated, remarks = _stated(layout)
    hubs = {name for hub, name in stated if hub and (False, name) not in stated}
    names = Names()
    cited: dict[Pin, Source] = {}
    used: set[tuple[bool, str]] = set()
    for pin, (name, position) in _named(pieces).items():
        owner, repository, revision = pin
        key = _key(owner, repository) in hubs, _key(owner, repository)
        used.add(key)
        said = stated.get(key)
        cited[pin] = Source(
            names.take(name),
            _url(owner, repository, hub=key[0]),
            revision,
            stated=None if said is None else said.revision,
            position=position,
        )
    alone = [each for key, each in stated.items() if key not in used]
    remarks += [
        Remark(each.at, f"{each.owner}/{each.name} is stated as reference code, and no evidence is from it")
        for each in alone
        if not each.hub
    ]
    return Sources(cited, tuple(_alone(each, names) for each in alone), tuple(remarks))


def _named(pieces: list[Piece]) -> dict[Pin, tuple[str, Position]]:
    """A name for each pin: its repository, and as much more as tells it from the others."""
    pins = {piece.pin: piece.at for piece in pieces}
    owners = Counter(repository for _, repository in {(owner, name) for owner, name, _ in pins})
    revisions = Counter((owner, repository) for owner, repository, _ in pins)
    named: dict[Pin, tuple[str, Position]] = {}
    for pin, position in pins.items():
        owner, repository, revision = pin
        name = repository if owners[repository] == 1 else f"{owner}-{repository}"
        if revisions[owner, repository] > 1:
            name = f"{name}-{revision[:_SHORT_PIN]}"
        named[pin] = name, position
    return named


def _alone(stated: _Stated, names: Names) -> Source:
    name = f"{stated.owner}-{stated.name}" if stated.name in names else stated.name
    url = _url(stated.owner, stated.name, hub=stated.hub)
    return Source(names.take(name), url, stated.revision, position=stated.at)


def _stated(layout: Layout) -> tuple[dict[tuple[bool, str], _Stated], list[Remark]]:
    """What the head states, by repository."""
    found: dict[tuple[bool, str], _Stated] = {}
    remarks: list[Remark] = []
    done = 0
    for index in range(layout.title + 1, layout.end):
        line = layout.lines[index]
        begins = _BEGINS.match(line)
        if index < done or begins is None:
            if index >= done and _PIN.search(line):
                message = "this looks like a pinned revision, and is not read: expected a line with `Reference code`"
                remarks.append(Remark(layout.at(index), message))
            continue
        done = _end(layout, index)
        said = " ".join([line[begins.end() :], *layout.lines[index + 1 : done]])
        here = list(_repositories(said, layout.at(index), hub=begins["hub"] is not None))
        for each in here:
            there = found.get(each.key)
            found[each.key] = each if there is None else _longer(there, each)
        if len(here) != said.count(_AT):
            message = "not every revision on this line can be read: expected `owner/repository @ revision`"
            remarks.append(Remark(layout.at(index), message))
    return found, remarks


def _end(layout: Layout, index: int) -> int:
    """The index behind the last line of what a line begins: one that ends with a comma may go on."""
    index += 1
    while (
        index < layout.end and layout.lines[index - 1].endswith(",") and _GOES_ON.match(layout.lines[index])
    ):
        index += 1
    return index


def _repositories(said: str, at: Position, *, hub: bool) -> Iterator[_Stated]:
    for part in said.split(" · "):
        for word in _WORD.finditer(part):
            if word["owner"] is None:
                hub = word["hub"] is not None
                continue
            on_hub = hub or word["on_hub"] is not None
            yield _Stated(word["owner"], word["name"], word["revision"], on_hub, at)
        hub = False


def _longer(one: _Stated, other: _Stated) -> _Stated:
    """The one that says more of a commit; they must agree."""
    short, long = sorted((one, other), key=lambda stated: len(stated.revision))
    ours, theirs = short.revision.lower(), long.revision.lower()
    if ours == theirs or (_COMMIT.fullmatch(theirs) and _COMMIT.fullmatch(ours) and theirs.startswith(ours)):
        return long
    raise PageError(
        other.at,
        f"{other.owner}/{other.name} is stated at {one.revision} on line {one.at.line}, and at "
        f"{other.revision} here: one repository has one revision",
    )


def _key(owner: str, name: str) -> str:
    return f"{owner}/{name}".lower()


def _url(owner: str, name: str, *, hub: bool) -> str:
    return f"{_HUB if hub else _FORGE}/{owner}/{name}"

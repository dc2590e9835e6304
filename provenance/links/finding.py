"""URLs, SWHIDs and plain places such as `a/b.py:10-20` in running text and in comments.

URLs end where GitHub's autolinks do ("Autolinks (extension)" in its Markdown specification). A plain place is
taken only where a file's name and lines stand together: a place that is none is worse than one that is missed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.links.forges import BARE_HOST
from provenance.links.plain import places_in
from provenance.links.swhids import unwrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from provenance.links.targets import PlainPlace

_STOP = r"\s<>\"`|^\ufffc\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\u2018-\u201f\x00-\x1f"
"""What no URL goes past: white space, quotation marks, fences of Markdown, a stand-in, full-width punctuation."""
_REST = rf"(?:[^\]}}{_STOP}]|\](?!\()|\}}(?!\{{))+"
"""The rest of a URL; `](` stands between the text of Markdown's link and the link, and TeX has `}{` there."""
_WRAP = r"[ \t]{0,80}(?:\r?\n[ \t]{0,80}(?:(?:#|//|\*|>|--)[ \t]{0,80})?)?"
"""A break between qualifiers, perhaps with the mark of a comment on the next line."""
_HINT = re.compile(r"://|swh:|\.(?:org|com|ht|co)/", re.IGNORECASE)
"""What every URL has in it: most text has none, and is not looked at as closely."""
_START = re.compile(
    rf"(?P<swhid>(?:https?://[A-Za-z0-9.\-]{{1,253}}/(?:browse/)?)?swh:[0-9]:[a-z]{{3}}:[0-9A-Za-z]{{1,64}}"
    rf"(?:{_WRAP}\\?;{_WRAP}(?:origin|visit|anchor|path|lines|bytes)=[^;{_STOP}]*){{0,12}})"
    rf"|(?P<url>https?://{_REST})|(?P<bare>{BARE_HOST}{_REST})",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"[A-Za-z0-9+]|(?P<bare>[/@.:\\_~-])")
"""What a URL does not follow; the last, one without a scheme."""
_TRAILING = "?!.,:*_~'\";\\"
_CLOSING = {")": "(", "]": "[", "}": "{"}
_ENTITY = re.compile(r"&[A-Za-z0-9]{1,31};$")


@dataclass(frozen=True, slots=True)
class Found:
    """Something in a text that may point at code."""

    start: int
    """Its first character, counted from 0."""
    end: int
    """The one after its last."""
    raw: str
    """As it stands in the text."""
    target: str | PlainPlace
    """A URL or an SWHID, to be read, without what wrapping put in; or a place. A known host needs no scheme."""


def find_in(text: str) -> Iterator[Found]:
    """What a text has of them, in its order; none lies within another."""
    done = 0
    for match in _START.finditer(text) if _HINT.search(text) else ():
        before = _BEFORE.match(text[match.start() - 1]) if match.start() else None
        if match.start() < done or (before is not None and (match["bare"] or not before["bare"])):
            continue
        raw = _trimmed(match[0])
        yield from _places(text, done, match.start())
        done = match.start() + len(raw)
        yield Found(match.start(), done, raw, unwrapped(raw) if match["swhid"] else raw)
        done = match.end()
    yield from _places(text, done, len(text))


def _places(text: str, start: int, end: int) -> Iterator[Found]:
    for first, last, place in places_in(text, start, end):
        yield Found(first, last, text[first:last], place)


def _trimmed(url: str) -> str:
    """A URL without the punctuation of the sentence around it: a closing bracket stays if it has its opening."""
    end = len(url)
    surplus = {mark: url.count(mark) - url.count(opening) for mark, opening in _CLOSING.items()}
    while end:
        last = url[end - 1]
        entity = _ENTITY.search(url, max(0, end - 33), end) if last == ";" else None
        if entity is not None:
            end = entity.start()
        elif last in _TRAILING:
            end -= 1
        elif surplus.get(last, 0) > 0:
            surplus[last] -= 1
            end -= 1
        else:
            break
    return url[:end]

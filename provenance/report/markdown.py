"""Notices -> Markdown for the summary of a job: counts, then the worst first, each folded.

Whatever comes from outside stands in code spans and fences, or in prose of plain words: it can make no link, image,
mention, reference or HTML. The only links are permalinks to cited lines, and the only HTML are the folds.
"""

from __future__ import annotations

import html
import re
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from provenance.evidence import Level
from provenance.report.inert import in_line, no_commands
from provenance.report.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices

MOST_BYTES = 1_000_000
"""Of the whole: GitHub shows no summary of a step that has more than 1 MiB (1,048,576 bytes)."""
_RESERVED = 2_000
"""Bytes that are kept for what is said last."""
_LONGEST_CLAIM = 600
"""Characters of a claim that are shown."""
_PROBLEMS = 50
"""Problems that are listed."""

_PLAIN_WORD = re.compile(
    r"[(“]?(?:[^\W\d_]+(?:[’'-][^\W\d_]+)*|[0-9]{1,6}(?:[,.–-][0-9]{1,6})?)[,;)’”]*[.:?]?|[·→×–—]"
)
"""A word or number that Markdown has no use for, with the punctuation around it."""
_REFERENCE = re.compile(r"\b[0-9a-f]{7,}\b|^[0-9]+[.)]$", re.IGNORECASE)
"""What a forge may take for a commit, and Markdown for the beginning of a list."""

_HEADINGS = {
    Level.FAILURE: "Failures",
    Level.UNAVAILABLE: "Unavailable",
    Level.WARNING: "Warnings",
    Level.OK: "Expected, and no longer needed",
}


def write_markdown(stream: TextIO, notices: Notices) -> None:
    """Write the summary, as much of it as GitHub takes."""
    room = MOST_BYTES - _RESERVED
    for part in _head(notices):
        room -= len(part.encode())
        stream.write(part)
    counts = notices.counts() | {Level.OK: sum(1 for _ in notices.idle())}
    left = sum(counts.values())
    for level, found in groupby(chain(notices.worst_first(), notices.idle()), key=attrgetter("level")):
        heading = f"\n### {_HEADINGS[level]} ({counts[level]:,})\n"
        for notice in found:
            part = heading + _folded(notice)
            room -= len(part.encode())
            if room < 0:
                stream.write(
                    f"\n{left:,} more {'is' if left == 1 else 'are'} left out here for want of room.\n"
                )
                return
            stream.write(part)
            heading = ""
            left -= 1


def _head(notices: Notices) -> Iterator[str]:
    """The title, what came out, the counts, and what is wrong with the input."""
    summary = notices.summary
    yield f"## prov {notices.run.command}\n\n{prose(notices.conclusion)}\n\n"
    yield "| checked | ok | warning | failure | unavailable |\n| ---: | ---: | ---: | ---: | ---: |\n"
    counts = (summary.total, summary.ok, summary.warning, summary.failure, summary.unavailable)
    yield f"| {' | '.join(f'{count:,}' for count in counts)} |\n"
    if notices.unread:
        yield f"\n{counted(len(notices.unread), 'place')} not understood.\n"
    if notices.problems:
        yield f"\n### Problems ({len(notices.problems):,})\n\n"
        for notice in notices.problems[:_PROBLEMS]:
            yield no_commands(f"- {code(notice.at)}: {prose(notice.message)}\n")
        more = len(notices.problems) - _PROBLEMS
        if more > 0:
            yield f"\n{more:,} more problems are left out here.\n"


def _folded(notice: Notice) -> str:
    """One result: a line, and below its fold what is to be said of it."""
    what = f"<b>{notice.rule}</b> {_html(notice.title)} {_html(notice.at)}"
    lines = [f"\n<details><summary>{what}</summary>\n"]
    cited = notice.cited
    if cited is not None:
        place = code(cited.place)
        link = place if cited.permalink is None else f"[{place}](<{cited.permalink}>)"
        lines.append(f"Cited: {link} in {code(cited.repository)} at {code(cited.revision)}\n")
    if notice.claim:
        claim = notice.claim
        shown = claim if len(claim) <= _LONGEST_CLAIM else f"{claim[: _LONGEST_CLAIM - 1]}…"
        lines.append(f"Claim: {prose(shown)}\n")
    lines += [f"- {prose(sentence)}" for sentence in notice.sentences]
    if notice.diff:
        lines.append("\n" + fenced(no_commands(notice.diff), "diff"))
    lines.append("\n</details>\n")
    return no_commands("\n".join(lines))


def prose(text: str) -> str:
    """A sentence from outside: words stay words, and whatever else there is stands in code spans."""
    parts: list[str] = []
    for is_plain, words in groupby(in_line(text).split(), key=_is_plain):
        if is_plain:
            parts += words
            continue
        held = " ".join(words)
        shown = held.rstrip(",.;:")
        parts.append(f"{code(shown)}{held[len(shown) :]}" if shown else code(held))
    return " ".join(parts)


def _is_plain(word: str) -> bool:
    return _PLAIN_WORD.fullmatch(word) is not None and _REFERENCE.search(word) is None


def code(text: str) -> str:
    """A code span, whose marks are longer than any run of them in it (CommonMark, "Code spans")."""
    shown = in_line(text)
    if not shown.strip():
        return "` `"
    marks = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    return f"{marks}{pad}{shown}{pad}{marks}"


def fenced(text: str, language: str) -> str:
    """A fence longer than any in it."""
    marks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{marks}{language}\n{text}\n{marks}"


def _html(text: str) -> str:
    """Text within our own HTML, on one line; what is in `code` is taken for no mention and no reference."""
    return f"<code>{html.escape(in_line(text))}</code>"

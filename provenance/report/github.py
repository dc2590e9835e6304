"""Notices -> workflow commands of GitHub Actions, which show them beside the lines of a pull request.

Source of the form: GitHub's "Workflow commands for GitHub Actions" (`error`, `warning`, `notice`, `group`), and the
escapes that its runner takes back: `%`, CR and LF everywhere, `:` and `,` in properties, too. All text is inert before:
no line but those written here is a command.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from provenance.evidence import Level
from provenance.report.inert import in_line, no_commands
from provenance.report.rules import PROBLEM
from provenance.report.run import COUNTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices
    from provenance.report.run import Run

MOST_SHOWN = 10
"""Errors, and as many warnings and as many notices, of one step that GitHub shows ("Usage limits" of annotations)."""
_LONGEST = 4000
"""UTF-16 code units of a message that is shown beside a line: GitHub's runner cuts it after 4,096 of them."""
_LONGEST_TITLE = 255
"""The same of a title ("REST API endpoints for check runs")."""


def write_github(stream: TextIO, notices: Notices) -> None:
    """Write commands for the worst, then the rest as lines of a folded group, then the conclusion."""
    first, idle = _first(notices)
    shown = [notice for notice, is_shown in _apart(first) if is_shown]
    stream.writelines(_command(notice, notices.run) for notice in shown)
    left = notices.count + len(notices.problems) + idle - len(shown)
    if left > 0:
        every = chain(notices.problems, notices.worst_first(), notices.idle() if idle else ())
        stream.write(f"::group::{left:,} more\n")
        stream.writelines(_line(notice) for notice, is_shown in _apart(every) if not is_shown)
        stream.write("::endgroup::\n")
    stream.write(no_commands(in_line(notices.conclusion)) + "\n")


def _first(notices: Notices) -> tuple[list[Notice], int]:
    """The first of each level, as many as GitHub may show, the worst level first; and how many are idle of all.

    The results are read out of the store each time: all this in one go.
    """
    found: dict[Level, list[Notice]] = {level: [] for level in COUNTED}
    idle = 0
    for notice in notices.notable():
        idle += notice.is_idle
        if len(found[notice.level]) < MOST_SHOWN:
            found[notice.level].append(notice)
    ok = found.pop(Level.OK)
    return [*notices.problems, *chain.from_iterable(found.values()), *notices.unread, *ok], idle


def _apart(found: Iterable[Notice]) -> Iterator[tuple[Notice, bool]]:
    """All that is to be told, the worst first, and whether GitHub has room for it beside the lines."""
    room = Counter(error=MOST_SHOWN, warning=MOST_SHOWN, notice=MOST_SHOWN)
    for notice in found:
        kind = _kind(notice)
        room[kind] -= 1
        yield notice, room[kind] >= 0


def _kind(notice: Notice) -> str:
    if notice.level is Level.OK:
        return "notice"
    return "error" if notice.level is Level.FAILURE else "warning"


def _command(notice: Notice, run: Run) -> str:
    """The command that shows a notice at its line."""
    properties = {"file": run.in_repository(notice.path)}
    if notice.line is not None and notice.cell is None:
        properties["line"] = str(notice.line)
    about = "" if notice.rule == PROBLEM else f": {notice.title}"
    properties["title"] = _cut(no_commands(f"{notice.rule}{about}"), _LONGEST_TITLE)
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    sentences = [*notice.sentences, *([notice.diff] if notice.diff else [])]
    if notice.cited is not None:
        sentences.insert(1, f"cited: {notice.cited.place} at {notice.cited.revision}")
    text = _cut(no_commands("\n".join(sentences)), _LONGEST)
    return f"::{_kind(notice)} {shown}::{_data(text)}\n"


def _line(notice: Notice) -> str:
    """A notice as a line of the log that is no command."""
    cited = "" if notice.cited is None else f" · {notice.cited.place}"
    return (
        no_commands(f"{notice.level}  {notice.rule}  {notice.at}  {notice.title}{cited}: {notice.message}")
        + "\n"
    )


def _cut(text: str, most: int) -> str:
    """Text of at most so many UTF-16 code units, and of no half a character."""
    units = text.encode("utf-16-le")
    return text if len(units) <= 2 * most else units[: 2 * most - 2].decode("utf-16-le", "ignore") + "…"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(no_commands(in_line(text))).replace(":", "%3A").replace(",", "%2C")

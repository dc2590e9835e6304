"""Notices -> workflow commands of GitHub Actions, which show them beside the lines of a pull request.

Source of the form: GitHub's "Workflow commands for GitHub Actions" (`error`, `warning`, `group`), and the escapes
that its runner takes back: `%`, CR and LF everywhere, `:` and `,` in properties, too. All text is inert before: no
line but those written here is a command.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from provenance.evidence import Level
from provenance.report.inert import in_line, no_commands
from provenance.report.rules import PROBLEM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

    from provenance.report.notice import Notice
    from provenance.report.notices import Notices
    from provenance.report.run import Run

MOST_SHOWN = 10
"""Errors, and as many warnings, of one step that GitHub shows ("Usage limits" of annotations)."""
_LONGEST = 4000
"""Characters of a message that is shown beside a line."""


def write_github(stream: TextIO, notices: Notices) -> None:
    """Write commands for the worst, then the rest as lines of a folded group, then the conclusion."""
    left = notices.count + len(notices.problems)
    for notice, is_shown in _apart(notices):
        if is_shown:
            left -= 1
            stream.write(_command(notice, notices.run))
    if left > 0:
        stream.write(f"::group::{left:,} more\n")
        stream.writelines(_line(notice) for notice, is_shown in _apart(notices) if not is_shown)
        stream.write("::endgroup::\n")
    stream.write(no_commands(in_line(notices.conclusion)) + "\n")


def _apart(notices: Notices) -> Iterator[tuple[Notice, bool]]:
    """All that is to be told, the worst first, and whether GitHub has room for it beside the lines."""
    room = Counter(error=MOST_SHOWN, warning=MOST_SHOWN)
    for notice in chain(notices.problems, notices.worst_first()):
        kind = _kind(notice)
        room[kind] -= 1
        yield notice, room[kind] >= 0


def _kind(notice: Notice) -> str:
    return "error" if notice.level is Level.FAILURE else "warning"


def _command(notice: Notice, run: Run) -> str:
    """The command that shows a notice at its line."""
    properties = {"file": run.in_repository(notice.path)}
    if notice.line is not None and notice.cell is None:
        properties["line"] = str(notice.line)
    about = "" if notice.rule == PROBLEM else f": {notice.title}"
    properties["title"] = f"{notice.rule}{about}"
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    sentences = [*notice.sentences, *([notice.diff] if notice.diff else [])]
    if notice.cited is not None:
        sentences.insert(1, f"cited: {notice.cited.place} at {notice.cited.revision}")
    text = "\n".join(sentences)
    text = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return f"::{_kind(notice)} {shown}::{_data(no_commands(text))}\n"


def _line(notice: Notice) -> str:
    """A notice as a line of the log that is no command."""
    cited = "" if notice.cited is None else f" · {notice.cited.place}"
    return (
        no_commands(f"{notice.level}  {notice.rule}  {notice.at}  {notice.title}{cited}: {notice.message}")
        + "\n"
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(no_commands(in_line(text))).replace(":", "%3A").replace(",", "%2C")

"""What a commit object says of itself, for a person: when it was made, and its subject.

Source of the format: Git's documentation, gitformat-commit in "Git Internals", git-commit-tree(1) "COMMIT ENCODING"
and git-log(1) `%cI` and `%s`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

from provenance.history import Commit

_COMMITTER = re.compile(rb"^committer [^\n]*> (\d{1,12}) ([+-])(\d\d)(\d\d)$", re.MULTILINE)
_ENCODING = re.compile(rb"^encoding ([A-Za-z0-9_.:\-]{1,40})$", re.MULTILINE)
_MOST_READ = 10_000
"""Bytes of a message that are looked at: some encodings take long to decode."""


def described(commit: str, data: bytes) -> Commit:
    """A commit as it is shown.

    Args:
        commit: its full id.
        data: the object's bytes.
    """
    header, _, message = data.partition(b"\n\n")
    return Commit(commit, _date(header), _decoded(_subject(message), header))


def _date(header: bytes) -> str:
    """When it was committed; empty where the object does not say, or names no time that a calendar has."""
    match = _COMMITTER.search(header)
    if match is None:
        return ""
    offset = timedelta(hours=int(match[3]), minutes=int(match[4]))
    with suppress(ValueError, OverflowError, OSError):
        zone = timezone(-offset if match[2] == b"-" else offset) if offset else UTC
        return datetime.fromtimestamp(int(match[1]), zone).isoformat(timespec="seconds")
    return ""


def _subject(message: bytes) -> bytes:
    """The first paragraph on one line."""
    lines: list[bytes] = []
    for line in message.partition(b"\0")[0][:_MOST_READ].split(b"\n"):
        text = line.rstrip()
        if not text and lines:
            break
        if text:
            lines.append(text)
    return b" ".join(lines)


def _decoded(text: bytes, header: bytes) -> str:
    """Text in the encoding that the commit names, else in UTF-8, else in Latin-1, which has all bytes."""
    named = _ENCODING.search(header)
    for encoding in (named[1].decode() if named is not None else "utf-8", "utf-8"):
        with suppress(LookupError, ValueError):  # no encoding that is known, or not that of these bytes
            return text.decode(encoding)
    return text.decode("latin-1")

"""What a failed call to a remote repository means: git's messages as values. Pure.

The messages are those of git's C locale (fetch-pack.c, upload-pack.c, remote-curl.c, http.c, connect.c), of
curl, of ssh, and of JGit (`want … not valid`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from provenance.origin.git_command import Finished


class Remedy(Enum):
    """What can be done about a failure."""

    ABSENT_ID = auto()
    """The server has no such object: the others can be asked for again."""
    REFUSED_ID = auto()
    """The server does not give objects by id: its branches and tags can be had."""
    REDIRECT = auto()
    """It is somewhere else."""
    PASSING = auto()
    """Trying again may help."""
    DOWN = auto()
    """The host is not there: no use to ask it again in this run."""
    CORRUPT = auto()
    """The repository of the cache is broken: a new one can be made."""
    FINAL = auto()
    """None of that."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call brought nothing."""

    remedy: Remedy
    message: str
    """For a person, without secrets."""
    ids: frozenset[str] = frozenset()
    """The object ids that it is about."""


_ABSENT = re.compile(r"not our ref ([0-9a-f]{40})")
_REFUSED = re.compile(r"(?:unadvertised object|\bwant) ([0-9a-f]{40})")
_REFUSED_ALL = re.compile(
    r"dumb http transport does not support shallow|Server does not support shallow|TF401035"
)
_MEANINGS: tuple[tuple[re.Pattern[str], Remedy, str], ...] = (
    (
        re.compile(
            r"^(?!remote:).*(?:packfile \S+ (?:cannot be accessed|is far too short|does not match|claims to have)|"
            r"(?:pack|index|object) (?:file )?\S+ (?:is|may be) corrupt|bad config line|not a git repository|"
            r"unable to parse (?:object|commit)|bad object )",
            re.MULTILINE,
        ),
        Remedy.CORRUPT,
        "the cached repository of {url} is broken",
    ),
    (re.compile(r"returned error: 30[12378]"), Remedy.REDIRECT, "{url} redirects elsewhere"),
    (
        re.compile(r"error: 429|[Rr]ate limit|too many requests", re.IGNORECASE),
        Remedy.PASSING,
        "{host} is rate limited: it says that too many requests were made (429); try again later",
    ),
    (
        re.compile(
            r"could not read (?:Username|Password)|terminal prompts disabled|Authentication failed|error: 401"
        ),
        Remedy.FINAL,
        "{host} wants credentials for {url}, or has none such: set up a credential helper for git",
    ),
    (
        re.compile(r"error: 403"),
        Remedy.FINAL,
        "{host} forbids access to {url} (403): git's credentials do not allow it",
    ),
    (
        re.compile(r"Permission denied|Host key verification failed"),
        Remedy.FINAL,
        "{host} does not let ssh in for {url}: check the key and known_hosts",
    ),
    (
        re.compile(
            r"[Rr]epository .*not found|does not appear to be a git repository|error: 404|error: 410|"
            r"no such repo"
        ),
        Remedy.FINAL,
        "there is no repository at {url}, or it cannot be seen from here",
    ),
    (
        re.compile(r"Could not resolve (?:host|proxy|hostname)", re.IGNORECASE),
        Remedy.DOWN,
        "the name of {host} cannot be resolved",
    ),
    (
        re.compile(
            r"Failed to connect|Connection refused|Couldn't connect|timed out after|Connection timed out|"
            r"No route to host|Network is unreachable"
        ),
        Remedy.DOWN,
        "{host} cannot be reached",
    ),
    (
        re.compile(r"SSL|TLS|certificate|handshake", re.IGNORECASE),
        Remedy.FINAL,
        "there is no trusted connection to {host} (TLS): {last}",
    ),
    (
        re.compile(r"transport '\w+' not allowed"),
        Remedy.FINAL,
        "{url} leads to a transport that is not allowed: {last}",
    ),
    (
        re.compile(r"No space left on device|Disk quota exceeded"),
        Remedy.FINAL,
        "there is no room left for the cache of repositories",
    ),
    (
        re.compile(
            r"error: 5\d\d|RPC failed|early EOF|unexpected disconnect|Empty reply|Connection reset|"
            r"hung up unexpectedly|Operation too slow|expected flush"
        ),
        Remedy.PASSING,
        "{host} broke off: {last}",
    ),
)


def classify(finished: Finished, *, url: str, host: str) -> Failure | None:
    """What a finished call means; None where it succeeded.

    Args:
        finished: the call, whose messages hold no secrets.
        url: the repository, fit to be printed.
        host: its host, or its URL where it has none.
    """
    if finished.stopped:
        return Failure(Remedy.FINAL, f"fetching from {url} was ended: {finished.stopped}")
    if finished.code == 0:
        return None
    failure = _about_ids(finished.err, host)
    if failure is not None:
        return failure
    last = _last_line(finished.err) or f"git ended with code {finished.code}"
    for pattern, remedy, meaning in _MEANINGS:
        if pattern.search(finished.err):
            return Failure(remedy, meaning.format(host=host, url=url, last=last))
    return Failure(Remedy.FINAL, f"git could not fetch from {url}: {last}")


def _about_ids(said: str, host: str) -> Failure | None:
    absent, refused = frozenset(_ABSENT.findall(said)), frozenset(_REFUSED.findall(said))
    if absent:
        return Failure(Remedy.ABSENT_ID, f"{host} has no object {min(absent)}", absent)
    if refused or _REFUSED_ALL.search(said):
        return Failure(Remedy.REFUSED_ID, f"{host} refuses direct fetch by id", refused)
    return None


def _last_line(said: str) -> str:
    """The line that says most: git's own `fatal:` or `error:`, else the last."""
    lines = [line for line in said.split("\n") if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return (telling or lines or [""])[0].partition(": ")[2] if telling else (lines or [""])[-1]


_LOCATION = re.compile(
    r"<= Recv header: location: *(\S+?)/info/refs(?:\?\S*)?\s*$", re.IGNORECASE | re.MULTILINE
)
"""As `GIT_TRACE_CURL` shows it (http.c)."""


def redirection(trace: str) -> str | None:
    """The repository that a traced request for its refs was redirected to."""
    found = _LOCATION.search(trace)
    return found[1] if found is not None else None

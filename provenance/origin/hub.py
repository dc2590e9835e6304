"""Files on the Hugging Face hub without git: the same repository, over the endpoint that serves single files.

Source: the hub's documentation, "Repositories" (revisions, and how names, `datasets/` and `spaces/` make a URL). `raw`
gives a file as git has it: of one in Git LFS the pointer, where `resolve` would give the content.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from provenance.answers import Acquired, Answer, Artifact, Unreached
from provenance.evidence import Content, OriginKind, is_object_id
from provenance.origin.address import shown
from provenance.origin.http import MEBIBYTE
from provenance.origin.outcome import FailureKind, HttpFailure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from provenance.origin.http import HttpSession
    from provenance.origin.listener import Listener
    from provenance.origin.outcome import Fetched

HUB_URL = "https://huggingface.co"
_NAME = "huggingface.co"
_HTTPS = 443
_WORD = r"[A-Za-z0-9_][A-Za-z0-9._\-]*"
_REPOSITORY = re.compile(rf"/((?:datasets/|spaces/)?{_WORD}(?:/{_WORD})?)/?")
"""Some of the oldest models have a name and no owner: `gpt2`."""
_LONGEST = 2_000
"""Characters of an address."""
_NOT_FOUND = 404
_HIDDEN = frozenset({401, 403})
"""What the hub answers for a private repository, a gated one, and one that is not there."""


def hub_repository(git: str) -> str | None:
    """The repository's name on the hub, `datasets/` or `spaces/` included; None for any other URL than https to it.

    `hf.co`, which leads there, is none: no other host is asked than the one that the URL names.
    """
    try:
        parts = urlsplit(git)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme != "https" or host != _NAME or port not in {None, _HTTPS}:
        return None
    if parts.query or parts.fragment:
        return None
    match = _REPOSITORY.fullmatch(parts.path)
    return None if match is None else match[1].removesuffix(".git")


class HubOrigin:
    """Reads single files. Nothing ties them to the commit, so they are artifacts."""

    def __init__(
        self,
        *,
        session: HttpSession,
        listener: Listener,
        url: str = HUB_URL,
        size_limit: int = 64 * MEBIBYTE,
    ) -> None:
        """Make the origin; nothing is asked yet.

        Args:
            session: what it is asked through; no token of the hub's is sent.
            listener: told what is done.
            url: where it is, without a last slash.
            size_limit: bound of a file, in bytes.
        """
        self._session = session
        self._listener = listener
        self._url = url
        self._size_limit = size_limit
        self._gone: Unreached | None = None
        """Why the hub is not asked any more in this run."""

    def acquire(self, git: str, revision: str, paths: Collection[str]) -> Mapping[str, Answer]:
        """Read files of a repository at a revision.

        Args:
            git: the repository's URL.
            revision: the full commit id where it is known, else the revision as written.
            paths: as cited, in the repository.

        Returns:
            An answer for every path: its bytes, or why there are none. It is never `Lacking`: the hub answers alike
            for what is not there and for what it does not show. No answer at all where the URL is not on the hub.
        """
        repository = hub_repository(git)
        if repository is None:
            return {}
        return {path: self._file(repository, revision, path) for path in sorted(paths)}

    def _file(self, repository: str, revision: str, path: str) -> Answer:
        place = _place(repository, revision, path)
        if place is None:
            return Unreached(f"{path!r} at {revision!r} is not asked of {_NAME}: it is no path at a revision")
        if self._gone is not None:
            return self._gone
        name = f"{_NAME}/{place}"
        self._listener.say(f"asking for {name}")
        answer = self._session.get(f"{self._url}/{place}", limit=self._size_limit)
        if isinstance(answer, HttpFailure):
            if (
                answer.kind is FailureKind.TIMEOUT
            ):  # the session remembers who cannot be reached, and not who is slow
                self._gone = Unreached(f"{answer.message}; it is not asked again")
            return _unreached(name, revision, answer)
        return self._answer(name, revision, path, answer)

    def _answer(self, name: str, revision: str, path: str, answer: Fetched) -> Answer:
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/html":  # a file of HTML is sent as plain text
            return Unreached(f"{name}: the answer is a web page, not the file")
        commit = answer.headers.get("x-repo-commit", "").lower()
        notes = [f"read from {name}"]
        if answer.url != f"{self._url}/{name.removeprefix(f'{_NAME}/')}":
            notes = [f"read from {name}, which leads to {shown(answer.url)}"]
        if is_object_id(commit) and commit != revision:
            if is_object_id(revision):
                return Unreached(f"{name}: the answer is of commit {commit}")
            notes.append(f"{_NAME} says that {revision} is commit {commit}")
        artifact = Artifact(name, hashlib.sha256(answer.data).hexdigest())
        content = Content.of(answer.data)
        return Acquired(path, content, OriginKind.HUB, artifact=artifact, notes=tuple(notes))


def _place(repository: str, revision: str, path: str) -> str | None:
    """A file's address on the hub; None where revision or path could lead out of the repository."""
    names = path.split("/")
    if {"", ".", ".."} & {revision, *names} or ".." in revision or revision.startswith("-"):
        return None
    try:
        at = quote(revision, safe="")
        where = quote(path.encode("utf-8", "surrogateescape"))  # as git names are decoded here
    except UnicodeEncodeError:
        return None
    place = f"{repository}/raw/{at}/{where}"
    return place if len(place) <= _LONGEST else None


def _unreached(name: str, revision: str, failure: HttpFailure) -> Unreached:
    if failure.status == _NOT_FOUND:
        short = "" if is_object_id(revision) else "; a commit may have to be named by its full id"
        return Unreached(f"{name}: there is no such file or revision{short}")
    if failure.status in _HIDDEN:
        return Unreached(
            f"{name}: it is not there, or not shown to everybody (status {failure.status}: private or gated)"
        )
    return Unreached(f"{name}: {failure.message}", refused=failure.kind is FailureKind.REFUSED)

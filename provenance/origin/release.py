"""Release files from a package index: another place where the cited files may stand.

Source: the Simple repository API in HTML and JSON, as the Python packaging specifications have it.
"""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from provenance.answers import Acquired, Answer, Artifact, Lacking, ReleaseFiles, Unreached
from provenance.evidence import Content, OriginKind, Verdict
from provenance.origin.artifact import Bounds, open_release_file
from provenance.origin.http import MEBIBYTE
from provenance.origin.inflate import Damaged, TooLarge
from provenance.origin.members import Ambiguous, Member, by_path, locate_members
from provenance.origin.outcome import Downloaded, FailureKind, Fetched, HttpFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from pypi_simple import DistributionPackage, ProjectPage

    from provenance.citation import Release
    from provenance.origin.artifact import ReleaseFile
    from provenance.origin.http import HttpSession
    from provenance.origin.listener import Listener

_Read = TypeVar("_Read")

_NOT_FOUND = 404
_LARGEST_TEXT = 4 * MEBIBYTE
"""Bytes of a text file that is read where all of them are."""
_MOST_TEXT = 256 * MEBIBYTE
"""Bytes of all of them together."""
_PROBED = 8000
"""How many bytes git looks at for a NUL."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_PROJECT = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._\-]*[A-Za-z0-9])?")
"""What may be part of a URL here: the specification of names."""


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a release, as the index lists it."""

    name: str
    url: str
    sha256: str | None
    """None where the index states none, or none that could be one."""
    size: int | None
    """In bytes, where the index states it."""
    is_source: bool
    """Whether it is a source distribution, which has the repository's paths."""
    notes: tuple[str, ...]


class ReleaseOrigin:
    """Reads cited files out of the release files on the indexes that pip is configured for."""

    def __init__(
        self,
        *,
        session: HttpSession,
        indexes: Sequence[str],
        listener: Listener,
        offline: bool = False,
        download_limit: int = 512 * MEBIBYTE,
        bounds: Bounds = Bounds(),  # noqa: B008 - frozen
    ) -> None:
        """Make the origin; nothing is asked yet.

        Args:
            session: knows the indexes' logins, and that they may be asked.
            indexes: URLs of the Simple API, in the order in which they are asked.
            listener: told what is done.
            offline: answer everything as unreached.
            download_limit: bound of one release's files together, in bytes.
            bounds: how much one file may hold.
        """
        self._session = session
        self._indexes = tuple(indexes)
        self._listener = listener
        self._offline = offline
        self._download_limit = download_limit
        self._bounds = bounds

    def acquire(self, release: Release, paths: Collection[str]) -> Mapping[str, Answer]:
        """Read files of a release; each release file is downloaded once at most.

        Args:
            release: project and exact version.
            paths: as cited, in the repository.

        Returns:
            An answer for every path: its bytes, that the release has no such file, or why that is not known.
        """
        files = self._list(release)
        if isinstance(files, Unreached):
            return dict.fromkeys(paths, files)
        answers: dict[str, Answer] = {}
        limit = self._download_limit
        for file in files:
            wanted = [path for path in paths if not isinstance(answers.get(path), Acquired)]
            if not wanted:
                break
            self._listener.say(f"{release}: reading {file.name}")
            read, size = self._read(file, limit, partial(_extract, file, wanted))
            limit -= size
            found = dict.fromkeys(wanted, read) if isinstance(read, Unreached) else read
            answers.update({path: _better(answers.get(path), answer) for path, answer in found.items()})
        return answers

    def files(self, release: Release, paths: Collection[str]) -> ReleaseFiles | Unreached:
        """Read all text files of a release, out of the first of its files that can be read.

        Args:
            release: project and exact version.
            paths: those in the repository whose places among the files are to be found.
        """
        listed = self._list(release)
        if isinstance(listed, Unreached):
            return listed
        failures: list[str] = []
        limit = self._download_limit
        for file in listed:
            self._listener.say(f"{release}: reading {file.name}")
            read, size = self._read(file, limit, partial(_texts, file, paths))
            limit -= size
            if isinstance(read, ReleaseFiles):
                return read
            failures.append(read.message)
        return Unreached("; ".join(failures))

    def _list(self, release: Release) -> Sequence[_File] | Unreached:
        """The files to read, the best first: a source distribution, then a wheel."""
        if self._offline:
            return Unreached(f"{release} is not asked for: offline")
        if _PROJECT.fullmatch(release.project) is None:
            return Unreached(f"{release.project!r} is no project name", refused=True)
        if not self._indexes:
            return Unreached(f"{release} is not asked for: pip is configured for no package index")
        failures: list[Unreached] = []
        for index in self._indexes:
            files = self._list_at(index, release)
            if not isinstance(files, Unreached):
                return files
            failures.append(files)
        message = "; ".join(dict.fromkeys(failure.message for failure in failures))
        return Unreached(message, refused=any(failure.refused for failure in failures))

    def _list_at(self, index: str, release: Release) -> Sequence[_File] | Unreached:
        from pypi_simple import ACCEPT_JSON_PREFERRED

        name = re.sub(r"[-_.]+", "-", release.project).lower()
        answer = self._session.get(f"{index.rstrip('/')}/{name}/", accept=ACCEPT_JSON_PREFERRED)
        if isinstance(answer, HttpFailure):
            if answer.status == _NOT_FOUND:
                return Unreached(f"the package index has no project {name}")
            return _unreached(release, answer)
        try:
            page = _parse(name, answer)
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            return Unreached(f"the package index's page of {name} cannot be read: {type(error).__name__}")
        files = _choose(page.packages, release.version)
        return files or Unreached(f"the package index has no file of {release} that is read")

    def _read(
        self, file: _File, limit: int, use: Callable[[Artifact, ReleaseFile], _Read]
    ) -> tuple[_Read | Unreached, int]:
        """What use makes of a release file, or why there is none, and how many bytes were downloaded for it."""
        if file.sha256 is None:
            return Unreached(f"the package index states no sha256 for {file.name}"), 0
        if file.size is not None and file.size > limit:
            return Unreached(f"{file.name} is too large: {file.size} bytes, more than {limit}"), 0
        answer = self._session.download(
            file.url,
            limit=limit,
            progress=lambda received: self._listener.advance(file.name, received=received),
        )
        if isinstance(answer, HttpFailure):
            return _unreached(file.name, answer), 0
        with closing(answer.file):
            return self._used(file, answer, use), answer.size

    def _used(
        self, file: _File, download: Downloaded, use: Callable[[Artifact, ReleaseFile], _Read]
    ) -> _Read | Unreached:
        if download.sha256 != file.sha256:
            return Unreached(
                f"{file.name} is not what the package index promises: "
                f"its sha256 is {download.sha256}, not {file.sha256}"
            )
        try:
            archive = open_release_file(file.name, download.file, self._bounds)
            return use(Artifact(file.name, download.sha256), archive)
        except (Damaged, TooLarge) as error:
            return Unreached(f"{file.name} cannot be used: {error}")


def _parse(name: str, answer: Fetched) -> ProjectPage:
    from pypi_simple import ProjectPage

    kind, _, parameters = answer.headers.get("content-type", "text/html").partition(";")
    if kind.strip().lower().endswith("json"):
        return ProjectPage.from_json_data(json.loads(answer.data), answer.url)
    charset = re.search(r"charset=\"?([A-Za-z0-9_\-]+)", parameters)
    text = answer.data.decode(charset[1] if charset else "utf-8", "replace")
    return ProjectPage.from_html(name, text, answer.url)


def _choose(packages: Sequence[DistributionPackage], version: str) -> Sequence[_File]:
    """At most one source distribution and one wheel: all wheels of a release have the same sources."""
    released = [package for package in packages if _is_version(package.version, version)]
    sources = [package for package in released if package.package_type == "sdist"]
    wheels = [package for package in released if package.package_type == "wheel"]
    sources.sort(key=lambda package: (package.filename.endswith(".zip"), package.filename))
    wheels.sort(
        key=lambda package: (
            not package.filename.endswith("-none-any.whl"),
            package.size or 0,
            package.filename,
        )
    )
    return [_file(package) for package in (*sources[:1], *wheels[:1])]


def _is_version(found: str | None, wanted: str) -> bool:
    from packaging.version import InvalidVersion, Version

    if found is None:
        return False
    try:
        return Version(found) == Version(wanted)
    except InvalidVersion:
        return found == wanted


def _file(package: DistributionPackage) -> _File:
    digest = package.digests.get("sha256", "").lower()
    reason = f": {package.yanked_reason}" if package.yanked_reason else ""
    return _File(
        name=package.filename,
        url=package.url,
        sha256=digest if _SHA256.fullmatch(digest) else None,
        size=package.size,
        is_source=package.package_type == "sdist",
        notes=(f"{package.filename} was yanked{reason}",) if package.is_yanked else (),
    )


def _extract(
    file: _File, paths: Collection[str], artifact: Artifact, archive: ReleaseFile
) -> Mapping[str, Answer]:
    members = archive.members()
    by_name = {member.name: member for member in members}
    located = locate_members(paths, members, has_top_folder=file.is_source)
    chosen = {path: _follow(located.get(path), by_name, file) for path in paths}
    data = archive.read({member.name for member in chosen.values() if isinstance(member, Member)})
    answers: dict[str, Answer] = {}
    for path, member in chosen.items():
        if isinstance(member, Lacking):
            answers[path] = member
        elif (content := data.get(member.name)) is None:
            answers[path] = Unreached(f"{file.name} lists {member.name} and does not hold it")
        else:
            notes = (*file.notes, f"read from {member.name} in {file.name}")
            answers[path] = Acquired(
                path, Content.of(content), OriginKind.RELEASE, artifact=artifact, notes=notes
            )
    return answers


def _texts(file: _File, paths: Collection[str], artifact: Artifact, archive: ReleaseFile) -> ReleaseFiles:
    """All text files; of larger ones, and of more than fit, there are none."""
    members = archive.members()
    stand = {member.name: path for path, member in by_path(members, has_top_folder=file.is_source).items()}
    chosen: set[str] = set()
    room = _MOST_TEXT
    for member in members:
        if member.name in stand and member.target is None and member.size <= min(_LARGEST_TEXT, room):
            chosen.add(member.name)
            room -= member.size
    data = archive.read(chosen)
    texts = {stand[name]: content for name, content in data.items() if b"\0" not in content[:_PROBED]}
    by_name = {member.name: member for member in members}
    located = locate_members(paths, members, has_top_folder=file.is_source)
    found = {path: _follow(member, by_name, file) for path, member in located.items()}
    places = {
        path: stand.get(member.name, "") for path, member in found.items() if isinstance(member, Member)
    }
    return ReleaseFiles(
        artifact, texts, {path: place for path, place in places.items() if place in texts}, file.notes
    )


def _follow(found: Member | Ambiguous | None, by_name: Mapping[str, Member], file: _File) -> Member | Lacking:
    """The member with the bytes; a link is followed once, within the archive."""
    match found:
        case None:
            return Lacking(Verdict.NO_PATH, f"{file.name} has no such file")
        case Ambiguous(names):
            return Lacking(
                Verdict.NO_PATH, f"several files in {file.name} could be meant: {', '.join(names)}"
            )
        case Member(target=None):
            return found
        case Member(name=name, target=target):
            followed = by_name.get(target or "")
            if followed is None or followed.target is not None:
                return Lacking(Verdict.NOT_TEXT, f"{name} in {file.name} is a link to no file in it")
            return followed


def _better(earlier: Answer | None, later: Answer) -> Answer:
    """Of two answers the one to give: a path is lacking only where every release file was read."""
    if isinstance(later, Acquired) or not isinstance(earlier, Unreached):
        return later
    return earlier


def _unreached(what: object, failure: HttpFailure) -> Unreached:
    return Unreached(f"{what}: {failure.message}", refused=failure.kind is FailureKind.REFUSED)

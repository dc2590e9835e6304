"""Where citations are followed to: what `--to [SOURCE=]REV` means for each source. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from provenance.citation import Release
from provenance.errors import UsageError
from provenance.links.permalinks import public_url, repository_url
from provenance.references import LEAST_DIGITS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from provenance.citation import Source

LATEST = "latest"
"""What stands for the newest commit of an origin's default branch."""
_DEFAULT_BRANCH = "HEAD"
_RELEASE = re.compile(r"(?:pypi:)?(?P<project>[A-Za-z0-9][A-Za-z0-9._\-]*)==(?P<version>[^\s=][^\s]*)")
_ASSIGNED = re.compile(r"(?<!=)=(?!=)")
"""The sign between a source and a revision; two of them stand in a release."""
_VERSION = re.compile(r"(?:v|release-)?(?P<version>[0-9]+(?:\.[0-9]+)+(?:[a-z.\-+]*[0-9]+)*)")
"""A tag that names a version, such as `v1.2.3` or `1.2.3rc1`."""


@dataclass(frozen=True, slots=True)
class Target:
    """A revision or a release to follow citations to."""

    written: str
    """As on the command line, or `latest`."""
    release: Release | None = None
    """Where it is a release, `project==version`."""

    @property
    def name(self) -> str:
        """What the repository is asked for."""
        return _DEFAULT_BRANCH if self.written == LATEST else self.written


@dataclass(frozen=True, slots=True)
class Targets:
    """The target of each source."""

    general: Target = Target(LATEST)
    """Of the sources that have none of their own."""
    by_source: Mapping[str, Target] = field(default_factory=lambda: MappingProxyType({}))
    """By a source's name, or by its repository's URL as the manifest writes it; a name goes first."""
    by_repository: Mapping[str, Target] = field(default_factory=lambda: MappingProxyType({}))
    """By the URL of a repository one of whose sources is named, where that is said of no other of them: a source that
    `--write` adds goes where the one went that it comes from."""

    def of(self, source: Source) -> Target:
        """Where the citations of a source are followed to."""
        own = self.by_source.get(source.name) or self.by_source.get(source.git)
        return own or self.by_repository.get(source.git) or self.general


def read_targets(texts: Sequence[str], sources: Collection[Source]) -> Targets:
    """Read what was asked for.

    Args:
        texts: each `REV` or `SOURCE=REV`.
        sources: those of all manifests.

    Raises:
        UsageError: a revision is empty, a source is unknown, or one is named twice.
    """
    by_source: dict[str, Target] = {}
    general: Target | None = None
    for text in texts:
        named, revision = _parted(text, sources)
        if not revision.strip():
            message = f"--to {text}: no revision is named; expected [SOURCE=]REV"
            raise UsageError(message)
        if named is None and general is not None:
            message = f"--to {text}: the other sources go to {general.written} already"
            raise UsageError(message)
        target = _target(revision)
        if named is None:
            general = target
            continue
        taken = next((name for name in named if name in by_source), None)
        if taken is not None:
            message = f"--to {text}: the source goes to {by_source[taken].written} already"
            raise UsageError(message)
        by_source |= dict.fromkeys(named, target)
    return Targets(general or Target(LATEST), by_source, _by_repository(by_source, sources))


def _by_repository(by_source: Mapping[str, Target], sources: Collection[Source]) -> dict[str, Target]:
    """The targets of repositories of which all named sources go to the same one."""
    found: dict[str, set[Target]] = {}
    for source in sources:
        if source.name in by_source:
            found.setdefault(source.git, set()).add(by_source[source.name])
    return {git: targets.pop() for git, targets in found.items() if len(targets) == 1}


def _parted(text: str, sources: Collection[Source]) -> tuple[tuple[str, ...] | None, str]:
    """The names or URLs that a source is known by, None where none is written, and the revision.

    Raises:
        UsageError: no source is called so.
    """
    signs = [match.start() for match in _ASSIGNED.finditer(text)]
    for at in signs:
        known = tuple(dict.fromkeys(_known(text[:at], sources)))
        if known:
            return known, text[at + 1 :]
    if not signs:
        return None, text
    unknown = text[: signs[0]]
    shown = ", ".join(sorted({source.name for source in sources})) or "none"
    message = f"--to {text}: there is no source {unknown or 'without a name'}; the manifests have {shown}"
    raise UsageError(message)


def _known(text: str, sources: Collection[Source]) -> Iterator[str]:
    """The name that a text is, else the URLs of the repository that it means."""
    if any(source.name == text for source in sources):
        yield text
        return
    url, page = public_url(text), repository_url(text)
    for source in sources:
        is_page = page is not None and page == repository_url(source.git)
        if public_url(source.git) == url or is_page:
            yield source.git


def _target(revision: str) -> Target:
    match = _RELEASE.fullmatch(revision)
    release = None if match is None else Release(match["project"], match["version"])
    return Target(revision, release)


def is_id_of(written: str, commit: str) -> bool:
    """Whether a revision as written is a commit's id, full or short; a tag can look like the beginning of one."""
    return len(written) >= LEAST_DIGITS and commit.startswith(written.lower())


def release_at(source: Source, project: str | None = None) -> Release | None:
    """The first release that a source names as holding its files; of a certain project, where one is given."""
    wanted = None if project is None else _normal(project)
    found = (one for one in source.alternates if wanted is None or _normal(one.project) == wanted)
    return next(found, None)


def release_named(target: Target, source: Source) -> Release | None:
    """The release that a tag such as `v1.2.3` is likely to be, where a source names one of its project."""
    if target.release is not None:
        return target.release
    version, held = _VERSION.fullmatch(target.written), release_at(source)
    return None if version is None or held is None else Release(held.project, version["version"])


def _normal(project: str) -> str:
    """A project's name as indexes compare it (the packaging specifications, "Names and normalization")."""
    return re.sub(r"[-_.]+", "-", project).lower()

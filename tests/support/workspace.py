"""A project in a temporary folder: manifests, a lock, a database, and origins in memory."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from support.origins import FakeOrigins

from provenance import lock as locks
from provenance.citation import Citation, EvidenceKind, ExpectedValue, LineRange, Manifest, Release, Source
from provenance.evidence import Assurance, Evidence, Verdict
from provenance.fetch import fetch
from provenance.gather import Asking
from provenance.manifest import render
from provenance.project import LockFiles, Project
from provenance.store.store import Store
from provenance.verify import Settings, findings, summarise, verify, verify_locked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from provenance.citation import Expectation, Quantity
    from provenance.evidence import Finding, Level, Summary
    from provenance.fetch import Fetched
    from provenance.lock import Lock
    from provenance.project import ManifestFile
    from provenance.verify import LockedVerification, Verification

GIT = "https://github.com/example/engine"
TODAY = date(2026, 1, 15)

CODE = """\
import math


class Valve:
    def open(self, bar):
        return bar * 2

    def close(self):
        return 0


def pump(
    litres,
):
    return math.sqrt(litres)
"""
"""Fifteen lines of Python; line 5 to 6 is `Valve.open`, lines 12 to 15 are `pump`."""

OPEN = "    def open(self, bar):\n        return bar * 2\n"


def source(
    revision: str, *, git: str = GIT, name: str = "engine", alternates: tuple[str, ...] = ()
) -> Source:
    """A source; alternates as `project==version`."""
    pairs = [item.partition("==") for item in alternates]
    return Source(name, git, revision, alternates=tuple(Release(left, right) for left, _, right in pairs))


def cite(
    of: Source,
    name: str = "open",
    *,
    path: str = "valve.py",
    lines: str = "5-6",
    quote: str | None = OPEN,
    expect: Expectation | None = None,
    claim: str = "a claim",
) -> Citation:
    """A citation; by default of `Valve.open`, quoted as it is."""
    return Citation(
        name, of, path, LineRange.parse(lines), EvidenceKind.DIRECT, claim, quote=quote, expect=expect
    )


def cite_expression(of: Source, expression: str, lines: str, name: str = "call") -> Citation:
    """A citation of an expression in `valve.py`."""
    return Citation(
        name, of, "valve.py", LineRange.parse(lines), EvidenceKind.DIRECT, "a claim", expression=expression
    )


def cite_value(
    of: Source, pointer: str, equals: str, path: str = "config.json", lines: str = "", name: str = "width"
) -> Citation:
    """A citation of a value; without lines where none are given."""
    at = LineRange.parse(lines) if lines else None
    value = ExpectedValue(pointer, equals)
    return Citation(name, of, path, at, EvidenceKind.DIRECT, "a claim", value=value)


def cited(findings: Iterable[Finding]) -> list[Evidence]:
    """The citations among results."""
    return [item for item in findings if isinstance(item, Evidence)]


@dataclass(frozen=True)
class Seen:
    """What a run ended with, taken out of the store."""

    verification: Verification
    summary: Summary
    findings: tuple[Finding, ...]

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The citations among the results."""
        return tuple(cited(self.findings))

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """By the result's id."""
        return {item.id: item.judgement.verdict for item in self.findings}

    @property
    def assurances(self) -> dict[str, Assurance | None]:
        """By the citation's id."""
        return {item.citation.id: item.assurance for item in self.evidence}

    @property
    def only(self) -> Evidence:
        """The evidence of a run with one citation."""
        (found,) = self.evidence
        return found


@dataclass
class Workspace:
    """A project, and who can be asked."""

    root: Path
    origins: FakeOrigins = field(default_factory=FakeOrigins)
    db: str = ""
    """The database; `evidence.db` in the project where it is empty."""

    @property
    def project(self) -> Project:
        return Project(self.root)

    @property
    def files(self) -> list[ManifestFile]:
        return self.project.manifest_files([])

    @property
    def lock_path(self) -> Path:
        return self.root / "manifests" / locks.NAME

    @property
    def lock(self) -> Lock:
        """What the lock says."""
        return locks.parse(self.lock_path.read_bytes(), locks.NAME)

    def write(
        self,
        *citations: Citation,
        name: str = "a",
        title: str = "A document",
        quantities: tuple[Quantity, ...] = (),
    ) -> Path:
        """Write a manifest with these citations."""
        sources = tuple(dict.fromkeys(citation.source for citation in citations))
        file = self.root / "manifests" / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        manifest = Manifest(file.name, title, None, sources, citations, quantities)
        file.write_text(render(manifest), encoding="utf-8")
        return file

    def write_lock(self, lock: Lock) -> None:
        """Write a lock as a person would get it from elsewhere."""
        self.lock_path.parent.mkdir(exist_ok=True)
        self.lock_path.write_text(locks.render(lock), encoding="utf-8")

    @contextmanager
    def store(self) -> Iterator[Store]:
        with Store(self.db or str(self.root / "evidence.db"), "test") as store:
            yield store

    def asking(self, *, offline: bool = False, **how: bool) -> Asking:
        """How much may be asked."""
        asking = Asking(None if offline else self.origins)
        return replace(asking, refresh=how.get("refresh", False), improve=how.get("improve", False))

    def verify(
        self,
        asking: Asking | None = None,
        *,
        least: Assurance = Assurance.ARTIFACT,
        levels: Mapping[Verdict, Level] | None = None,
        today: date = TODAY,
    ) -> Seen:
        """Run `verify`; each run has a store and locks of its own, as each process has."""
        asking = replace(asking or self.asking(), least=least)
        settings = Settings(today, levels or {}, least)
        with self.store() as store:
            verification = verify(self.files, store, LockFiles(self.project), asking)
            found = tuple(item for batch in verification.batches for item in findings(batch, store, settings))
            return Seen(verification, summarise(verification.batches, store, settings), found)

    def fetch(self, asking: Asking | None = None, paths: tuple[str, ...] = ()) -> Fetched:
        """Run `fetch`."""
        with self.store() as store:
            files = self.project.manifest_files([str(self.root / path) for path in paths])
            return fetch(files, store, LockFiles(self.project), asking or self.asking())

    def update(self, *names: str) -> Asking:
        """What `fetch --update NAME` asks."""
        return replace(self.asking(), update=frozenset(names))

    def locked(self) -> LockedVerification:
        """Run `verify --locked`."""
        return verify_locked(self.files, LockFiles(self.project), Settings(TODAY, {}))

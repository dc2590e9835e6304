"""prov.lock: what a fetch found, as digests that can be committed. No code stands in it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING

from provenance.answers import Artifact
from provenance.citation import Kind
from provenance.errors import LockError
from provenance.evidence import Assurance, Judgement, Verdict, is_object_id
from provenance.extract.lines import normalise

if TYPE_CHECKING:
    from provenance.citation import Citation

NAME = "prov.lock"
"""The lock's file name, in the folder of the manifests that it speaks of."""

FORMAT = 1
"""The format's version, the value of the key `prov`."""

_SOURCES_LINE = b'\n "prov": 1,\n "sources": {'
"""Where the sources begin in a lock that was written here."""

_DIGEST = re.compile(r"[0-9a-f]{64}")

_PLACE_FAILS = frozenset({Verdict.OUT_OF_RANGE, Verdict.NOT_TEXT, Verdict.NO_PATH, Verdict.NO_REVISION})
"""Verdicts about the cited place, which no other quote would mend."""


class Proof(StrEnum):
    """What ties a locked blob id to its revision."""

    COMMIT = "commit"
    ARTIFACT = "artifact"


@dataclass(frozen=True, slots=True)
class LockedFile:
    """The content of one path."""

    blob: str
    """Git blob id."""
    proof: Proof
    artifact: Artifact | None = None
    """The file that it was read from, where the proof is `artifact`."""


@dataclass(frozen=True, slots=True)
class LockedSource:
    """A repository at a revision as written."""

    commit: str | None
    """The full commit id; None where it was never proven."""
    files: Mapping[str, LockedFile] = field(default_factory=lambda: MappingProxyType({}))
    """By path as cited."""


@dataclass(frozen=True, slots=True)
class LockedCitation:
    """What was judged, and how."""

    place: str
    """Digest of source, revision, path and range."""
    digest: str
    """Digest of all that was judged."""
    excerpt: str | None
    """SHA-256 of the cited lines: decoded, LF, no BOM, no last LF. None where there are none."""
    verdict: Verdict


Sources = Mapping[tuple[str, str], LockedSource]
"""By URL and revision as written."""

Citations = Mapping[tuple[str, str], LockedCitation]
"""By manifest (relative to the lock's folder) and citation id."""


class Lock:
    """A whole lock. Its citations, of which there may be very many, are made when they are first looked at."""

    def __init__(
        self,
        sources: Sources = MappingProxyType({}),
        citations: Citations | Callable[[], Citations] = MappingProxyType({}),
    ) -> None:
        self.sources = sources
        self._citations = citations

    @cached_property
    def citations(self) -> Citations:
        """What was judged.

        Raises:
            LockError: the lock was read in part, and the rest is malformed.
        """
        return self._citations() if callable(self._citations) else self._citations

    def commit(self, git: str, revision: str) -> str | None:
        """The full revision that a revision as written is pinned to."""
        source = self.sources.get((git, revision))
        return None if source is None else source.commit

    def file(self, git: str, revision: str, path: str) -> LockedFile | None:
        """What is locked of a path."""
        source = self.sources.get((git, revision))
        return None if source is None else source.files.get(path)


def excerpt_digest(excerpt: str) -> str:
    """Digest of an excerpt: decoded, LF, no BOM, no last LF; 64 hexadecimal digits."""
    return hashlib.sha256(excerpt.encode("utf-8", "surrogatepass")).hexdigest()


def answer(entry: LockedCitation | None, citation: Citation) -> Judgement | None:
    """What the lock alone says of a citation; None where it does not speak of that place."""
    if entry is None or entry.place != citation.place_digest():
        return None
    if entry.digest == citation.digest() or entry.verdict in _PLACE_FAILS:
        return Judgement(entry.verdict, message="bytes not seen: the verdict is the lock's")
    if citation.kind is Kind.RANGE:
        return Judgement(Verdict.UNQUOTED, message="bytes not seen: the lock knows the cited lines")
    if citation.quote is None:
        return None  # a digest of the lines says nothing of another expression, nor of another value
    if excerpt_digest(normalise(citation.quote)) == entry.excerpt:
        return Judgement(
            Verdict.EXACT, message="bytes not seen: the quote has the locked excerpt's digest", similarity=1.0
        )
    message = (
        "bytes not seen: the quote was edited since it was judged, and is not the locked excerpt; no diff"
    )
    return Judgement(Verdict.CHANGED, message=message)


def assurance(file: LockedFile | None) -> Assurance:
    """How sure an answer of the lock alone is: as sure as the bytes were when it was written."""
    return Assurance.ARTIFACT if file is not None and file.proof is Proof.ARTIFACT else Assurance.LOCKED


def render(lock: Lock) -> str:
    """The lock as JSON: sorted, stable, an entry a line, ending in a line feed."""
    sources: dict[str, dict[str, object]] = {}
    for (git, revision), source in lock.sources.items():
        files = {path: _file_json(file) for path, file in source.files.items()}
        sources.setdefault(git, {})[revision] = {"revision": source.commit, "paths": files}
    manifests: dict[str, dict[str, LockedCitation]] = {}
    for (manifest, name), item in lock.citations.items():
        manifests.setdefault(manifest, {})[name] = item
    parts = (_manifest_json(manifest, manifests[manifest]) for manifest in sorted(manifests))
    citations = f' "citations": {{{",".join(parts)}\n }}' if manifests else ' "citations": {}'
    rest = json.dumps({"prov": FORMAT, "sources": sources}, indent=1, sort_keys=True, ensure_ascii=False)
    return f"{{\n{citations},{rest[1:]}\n"


def _manifest_json(manifest: str, citations: Mapping[str, LockedCitation]) -> str:
    """A manifest's citations; a line each, so that a change shows as one, and 100,000 are soon written."""
    lines = (
        f"   {_text_json(name)}: "
        f'{{"digest": "{item.digest}", "excerpt": {_text_json(item.excerpt)},'
        f' "place": "{item.place}", "verdict": "{item.verdict.value}"}}'
        for name, item in sorted(citations.items())
    )
    return f"\n  {_text_json(manifest)}: {{\n" + ",\n".join(lines) + "\n  }"


def _text_json(text: str | None) -> str:
    return json.dumps(text, ensure_ascii=False)


def _file_json(file: LockedFile) -> dict[str, object]:
    values: dict[str, object] = {"blob": file.blob, "proof": file.proof.value}
    if file.artifact is not None:
        values["artifact"] = {"name": file.artifact.name, "sha256": file.artifact.sha256}
    return values


def parse(data: bytes, name: str) -> Lock:
    """Read a lock.

    Raises:
        LockError: it is no lock, or one of another format; the message says where.
    """
    try:
        top = _Parser.top(json.loads(data))
        parser = _Parser()
        return Lock(parser.sources(top.get("sources")), parser.citations(top.get("citations")))
    except (ValueError, RecursionError, _Malformed) as error:
        message = f"{name}: not a lock: {error}; restore it, or delete it and run prov fetch"
        raise LockError(message) from error


def parse_known(data: bytes, name: str) -> Lock:
    """Read a lock that was read as a whole before: its citations are left for when they are asked for.

    As `render` writes it, the sources stand last, from a line that no string can hold.

    Raises:
        LockError: it is no lock, or one of another format.
    """
    start = data.rfind(_SOURCES_LINE)
    if start < 0:
        return parse(data, name)
    try:
        top = _Parser.top(json.loads(b"{" + data[start:]))
        return Lock(_Parser().sources(top.get("sources")), lambda: parse(data, name).citations)
    except (ValueError, RecursionError, _Malformed):
        return parse(data, name)


class _Malformed(Exception):
    """What was expected where."""


class _Parser:
    """JSON -> records; says by a path of keys where something is not as it should be."""

    @classmethod
    def top(cls, whole: object) -> dict[str, object]:
        """The outermost object, of the format that is known here."""
        top = cls._object(whole, "the lock")
        if top.get("prov") != FORMAT:
            message = f"prov: expected {FORMAT}, found {top.get('prov')!r}"
            raise _Malformed(message)
        return top

    def sources(self, value: object) -> Sources:
        """The section `sources`."""
        return {
            (git, revision): self._source(entry, f"sources › {git} › {revision}")
            for git, revisions in self._object(value, "sources").items()
            for revision, entry in self._object(revisions, f"sources › {git}").items()
        }

    def citations(self, value: object) -> Citations:
        """The section `citations`."""
        return {
            (manifest, name): self._citation(entry, f"citations › {manifest} › {name}")
            for manifest, names in self._object(value, "citations").items()
            for name, entry in self._object(names, f"citations › {manifest}").items()
        }

    def _source(self, value: object, where: str) -> LockedSource:
        entry = self._object(value, where)
        commit = entry.get("revision")
        files = self._object(entry.get("paths"), f"{where} › paths")
        return LockedSource(
            None if commit is None else self._id(commit, f"{where} › revision"),
            {path: self._file(item, f"{where} › {path}") for path, item in files.items()},
        )

    def _file(self, value: object, where: str) -> LockedFile:
        entry = self._object(value, where)
        artifact = entry.get("artifact")
        try:
            proof = Proof(self._text(entry.get("proof"), f"{where} › proof"))
        except ValueError as error:
            message = f"{where} › proof: expected commit or artifact"
            raise _Malformed(message) from error
        found = None
        if artifact is not None:
            parts = self._object(artifact, f"{where} › artifact")
            found = Artifact(self._text(parts.get("name"), where), self._text(parts.get("sha256"), where))
        return LockedFile(self._id(entry.get("blob"), f"{where} › blob"), proof, found)

    def _citation(self, value: object, where: str) -> LockedCitation:
        entry = self._object(value, where)
        excerpt = entry.get("excerpt")
        try:
            verdict = Verdict(self._text(entry.get("verdict"), f"{where} › verdict"))
        except ValueError as error:
            message = f"{where} › verdict: not a verdict"
            raise _Malformed(message) from error
        return LockedCitation(
            self._digest(entry.get("place"), f"{where} › place"),
            self._digest(entry.get("digest"), f"{where} › digest"),
            None if excerpt is None else self._digest(excerpt, f"{where} › excerpt"),
            verdict,
        )

    @staticmethod
    def _object(value: object, where: str) -> dict[str, object]:
        if isinstance(value, dict):
            return value
        message = f"{where}: expected an object"
        raise _Malformed(message)

    @staticmethod
    def _text(value: object, where: str) -> str:
        if isinstance(value, str):
            return value
        message = f"{where}: expected a string"
        raise _Malformed(message)

    def _digest(self, value: object, where: str) -> str:
        text = self._text(value, where)
        if _DIGEST.fullmatch(text):
            return text
        message = f"{where}: expected 64 hexadecimal digits, found {text!r}"
        raise _Malformed(message)

    def _id(self, value: object, where: str) -> str:
        text = self._text(value, where)
        if is_object_id(text):
            return text
        message = f"{where}: expected a full object id, found {text!r}"
        raise _Malformed(message)

"""Where the parts of a link to a file stand in its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from provenance.links.address import decoded
from provenance.links.forges import Forge, forge_of

if TYPE_CHECKING:
    from provenance.links.address import Address, Span
    from provenance.links.targets import RefKind


@dataclass(frozen=True, slots=True)
class Edit:
    """Text to stand in a span's place."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A link to a file, taken apart."""

    forge: Forge
    address: Address
    host: str
    """The canonical one."""
    repository: str
    """The path of the repository's address, as written."""
    revision: Span
    """Of the revision alone; empty, and where one is to be put, where the link names none."""
    path: Span
    ref: RefKind
    stated: bool
    """Whether the link tells where the revision ends."""
    pinning: tuple[Edit, ...] = ()
    """What else is to be written otherwise if the revision becomes a full commit id."""
    before: str = ""
    """What is to stand before a revision where there is none."""
    folder: bool = False
    """Whether the form is that of a folder."""

    @property
    def git(self) -> str:
        """The repository's address, from which git can fetch; `.git` stays where a host may need it."""
        address = self.address
        netloc = self.host if address.port is None else f"{self.host}:{address.port}"
        path = re.sub("/{2,}", "/", self.repository).rstrip("/")
        if self.forge not in {Forge.CGIT, Forge.GITWEB, Forge.BITBUCKET_SERVER}:
            path = path.removesuffix(".git")
        scheme = address.scheme if forge_of(self.host) is None else "https"
        return f"{scheme}://{netloc}{path}"

    def read(self) -> tuple[str, str, tuple[str, ...]]:
        """The revision, the path, and what was odd about them."""
        revision, odd = decoded(self.address[self.revision])
        path, odder = decoded(self.address[self.path])
        text = self.address.text
        between = text[self.revision[1] : self.path[0]] if self.revision[1] <= self.path[0] else ""
        notes = [*odd, *odder, *(["a backslash"] if self.address.backslash else [])]
        if "//" in between:
            notes.append("// in the path")
        return revision or "HEAD", path, tuple(dict.fromkeys(notes))


_FULL = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.IGNORECASE)


def is_full_commit(text: str) -> bool:
    """Whether a revision is a full commit id: 40 hexadecimal digits, or 64."""
    return _FULL.fullmatch(text) is not None

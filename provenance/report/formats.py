"""The formats of CI systems by name; each is imported when it is written."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from typing import TextIO

    from provenance.report.notices import Notices

OWN = ("text", "json", "jsonl")
"""Formats that are written from evidence itself."""
FOR_CI = ("sarif", "junit", "github", "gitlab", "markdown")
"""Formats that are written from notices."""
FORMATS = (*OWN, *FOR_CI)
"""What a report on stdout can be."""
INTOTO = "intoto"
"""An attestation, which goes into a file alone."""

ENDINGS = {
    ".txt": "text",
    ".json": "json",
    ".jsonl": "jsonl",
    ".xml": "junit",
    ".sarif": "sarif",
    ".sarif.json": "sarif",
    ".md": "markdown",
    ".gitlab.json": "gitlab",
    ".intoto.json": INTOTO,
}
"""Formats by what a file's name ends in; the longest ending counts."""


class Writer(Protocol):
    """Writes one format."""

    def __call__(self, stream: TextIO, notices: Notices, /) -> None:
        """Onto a stream, as results come."""


def writer(format_: str) -> Writer:
    """Who writes a format of `FOR_CI`, or an attestation."""
    found: Writer = getattr(import_module(f"provenance.report.{format_}"), f"write_{format_}")
    return found

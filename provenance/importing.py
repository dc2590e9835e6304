"""Evidence pages -> manifests, one a page: what `prov import` and `prov crawl` have in common."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from provenance.citation import Manifest
from provenance.documents.merge import merge
from provenance.documents.pages import read_page
from provenance.errors import PageError, Position, UsageError
from provenance.files import leads_out, read_within
from provenance.files import replace as replace_file
from provenance.manifest import parse, render

if TYPE_CHECKING:
    from collections.abc import Iterable

    from provenance.documents.pages import Page

LARGEST = 16 * 1024 * 1024
"""Bytes of the largest page that is read."""


@dataclass(frozen=True, slots=True)
class Import:
    """A page that has been read, and where its manifest goes."""

    name: str
    """The page, as it was named: a file or a URL."""
    page: Page
    target: Path
    is_wordless: bool = False
    """Whether it is made of links and quotes alone: then its title and all claims are a person's."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of an import."""

    manifest: Manifest
    """As it stands in its file now."""
    written: bool
    """Whether the file is new or was changed."""
    notes: tuple[str, ...] = ()
    """What a person should know, each with the file that it is about."""


def page_of(data: bytes, name: str) -> Page:
    """Read the text of an evidence page.

    Args:
        data: the text; where it is more than a page has, the first bytes that are too many suffice.
        name: what positions call it.

    Raises:
        PageError: it is none that can be read.
    """
    if len(data) > LARGEST:
        raise PageError(Position(name, 1), f"the page has more than {LARGEST:,} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PageError(Position(name, line), f"byte 0x{data[error.start]:02x} is not UTF-8") from error
    return read_page(text, name)


def refuse_clashes(imports: Iterable[Import]) -> None:
    """Nothing is to be written where two pages would be written to one file.

    Raises:
        UsageError: two would be.
    """
    names: dict[Path, str] = {}
    for each in imports:
        other = names.setdefault(each.target, each.name)
        if other is not each.name:
            message = (
                f"{other} and {each.name} would both be written to {each.target}: import one with -o FILE"
            )
            raise UsageError(message)


def write(each: Import) -> Imported:
    """Bring the manifest up to its page; leave it alone where the page says nothing new.

    Raises:
        UsageError: what is there is no manifest, is another site's page, lies outside, or cannot be written.
        DiskFault: there is no room for it.
    """
    target = each.target
    _stay_inside(target)
    manifest = replace(each.page.manifest, path=target.as_posix())
    notes: list[str] = []
    if target.exists() or target.is_symlink():
        text, there = _there(target)
        addressed, moved = _addressed(there, manifest)
        if each.is_wordless:
            merged = merge(addressed, _with_words(manifest, there), where="in the documents")
        else:
            merged = merge(addressed, manifest)
        manifest = merged.manifest
        if manifest == there:
            return Imported(manifest, written=False, notes=tuple(f"{target}: {note}" for note in merged.kept))
        changes = (*moved, *(merged.changes or merged.kept))
        notes += [f"{target}: {change}" for change in changes]
        if text != render(there):
            notes.append(f"{target}: written anew, so comments and layout of its own are gone")
    replace_file(target, render(manifest))
    return Imported(manifest, written=True, notes=tuple(notes))


def _with_words(manifest: Manifest, there: Manifest) -> Manifest:
    """The manifest with the title that is there, and with what is said there of the same citations."""
    said = {citation.id: citation for citation in there.citations}
    citations = (
        replace(new, claim=old.claim, evidence=old.evidence, of=old.of)
        if (old := said.get(new.id)) is not None
        else new
        for new in manifest.citations
    )
    return replace(manifest, title=there.title, citations=tuple(citations))


def _addressed(there: Manifest, page: Manifest) -> tuple[Manifest, tuple[str, ...]]:
    """The manifest that is there with the page's own URL, where the page has one, and what that changes."""
    if page.url is None or page.url == there.url:
        return there, ()
    if there.url is None:
        return replace(there, url=page.url), (f"url: {page.url}",)
    if _host(there.url) != _host(page.url):
        message = (
            f"{there.path} is that of {there.url}, on another host than {page.url}: write the pages of one site "
            "into a folder of their own with -o, or remove the url there"
        )
        raise UsageError(message)
    return replace(there, url=page.url), (f"url: {there.url} -> {page.url}",)


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _stay_inside(target: Path) -> None:
    """A folder of the project may be a stranger's link: nothing is written through one that leads out of it.

    Raises:
        UsageError: the target stands in the current folder, and is really elsewhere.
    """
    if leads_out(target, Path.cwd()):
        message = f"{target}: a link leads out of this folder; name the folder that it leads to with -o"
        raise UsageError(message)


def _there(target: Path) -> tuple[str, Manifest]:
    """The text and the records of a manifest that stands where one is to be written.

    Raises:
        UsageError: it cannot be read as one; each line of the message but the last is an error in it.
    """
    data = read_within(target, target.parent)
    there = parse(data, target.as_posix())
    if isinstance(there, Manifest):
        return data.decode("utf-8"), there
    message = f"{target} is there and cannot be read as a manifest: mend it, or move it away"
    raise UsageError("\n".join([*map(str, there), message]))


def counted(manifest: Manifest) -> str:
    """How much a manifest holds, in words."""
    parts = [_plural(len(manifest.citations), "citation", "citations")]
    if manifest.quantities:
        parts.append(_plural(len(manifest.quantities), "quantity", "quantities"))
    return ", ".join(parts)


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"

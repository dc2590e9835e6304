"""The ends of links that name lines: `#L10-L20`, and what other hosts and other hands write for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

from provenance.citation import DASH, LineRange
from provenance.links.forges import Forge

_NUMBER = r"[0-9]{1,9}"
_LINES = re.compile(
    rf"(?P<mark>LC|[Ll])?(?P<first>{_NUMBER})(?:C(?P<first_column>{_NUMBER}))?"
    rf"(?:\s?(?P<by>{DASH}#?|\.\.|[:,#])\s?(?:LC|[Ll])?(?P<last>{_NUMBER})(?:C(?P<last_column>{_NUMBER}))?)?"
)
_NAMED = re.compile(
    rf"(?P<mark>lines?-|cl-|n)(?P<first>{_NUMBER})(?:(?P<by>:|{DASH})(?:cl-|n)?(?P<last>{_NUMBER}))?"
)
"""Bitbucket's `lines-10:20` and, earlier, `cl-10`; cgit's `n10`."""
_FILE = re.compile(rf"(?P<mark>.+)-(?P<first>{_NUMBER})(?:(?P<by>:)(?P<last>{_NUMBER}))?", re.DOTALL)
"""Bitbucket's older `name.py-10:20`."""
_LIKE_LINES = re.compile(
    rf"L(?:C|ines?)?[-:=]?[0-9][0-9LC:,.+#\s]*(?:{DASH}[0-9LC:,.+#\s]*)*|L{DASH}L?[0-9]+"
)
_DIFF = re.compile(
    r"diff-[0-9A-Za-z]+[LR][0-9]+(?:-[LR][0-9]+)?|[0-9a-f]{40}_[0-9]+_[0-9]+|file-\S+-LC?[0-9]+(?:-LC?[0-9]+)?"
)
"""GitHub's anchors in a comparison, GitLab's, and a gist's."""
_RENDERED = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc", ".org", ".textile", ".ipynb")
"""What a forge shows as a page with headings, so that `#2023-10` is one."""
_JUNK = "`)].,;>'\"*_\\}-"
"""What a document's own punctuation leaves at the end of a link."""

_NATIVE = {
    Forge.BITBUCKET: frozenset({"lines-", "cl-", "line-"}),
    Forge.BITBUCKET_SERVER: frozenset({""}),
    Forge.CGIT: frozenset({"n"}),
    Forge.GITILES: frozenset({""}),
    Forge.GITWEB: frozenset({"l"}),
}
"""What stands before the number where it is not the L of most."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Lines as a document names them, which need not exist: the first may come after the last, or be 0."""

    first: int
    last: int
    first_column: int | None = None
    """As written, which is in the host's own unit."""
    last_column: int | None = None

    @property
    def lines(self) -> LineRange | None:
        """The lines; None where the range is reversed or starts at line 0."""
        return LineRange(self.first, self.last) if 1 <= self.first <= self.last else None

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class ReadAnchor:
    """An anchor, and how it was written."""

    anchor: Anchor
    end: int
    """How much of the fragment it takes, as written."""
    plain: bool
    """Whether it is in a form that means lines wherever it stands, or in the host's own."""
    notes: tuple[str, ...]


def read_anchor(fragment: str, forge: Forge | None, path: str, *, source: bool = False) -> ReadAnchor | None:
    """The lines that a fragment names; None where it is something else, such as a heading.

    Args:
        fragment: what stands after the `#`, as written.
        forge: what the host runs; None where only the form that means lines everywhere is read.
        path: the file, for a host that repeats its name and because a number can be a page's heading.
        source: whether the link asks for the page's source, as `?plain=1` does.
    """
    written = fragment.partition(":~:")[0]
    kept = written.rstrip(_JUNK)
    match = _matched(unquote(kept), forge, path)
    if match is None:
        return None
    mark, by = match["mark"] or "", match["by"]
    native = mark in {"L", "LC"} or (forge is not None and mark in _NATIVE.get(forge, ()))
    native = native or match.re is _FILE
    if not native and mark in {"", "l", "n"} and not source and path.lower().endswith(_RENDERED):
        return None
    notes = (
        []
        if native or mark.endswith("-")
        else ["the anchor has no L" if not mark else f"the anchor has {mark} for L"]
    )
    if kept != written:
        notes.append(f"{written[len(kept) :]} stands after the anchor")
    if by in {",", ".."} or (by and "#" in by) or (by == ":" and match.re is _LINES):
        notes.append(f"the anchor has {by} for a dash")
    is_plain = native or mark in {"lines-", "line-"}
    return ReadAnchor(_anchor(match), len(kept), is_plain, tuple(notes))


def _matched(text: str, forge: Forge | None, path: str) -> re.Match[str] | None:
    match = _LINES.fullmatch(text) or _NAMED.fullmatch(text)
    if match is not None and forge is None:
        return match if match["mark"] in {"L", "LC", "lines-"} else None
    if match is None and forge is Forge.BITBUCKET:
        named = _FILE.fullmatch(text)
        return named if named is not None and named["mark"] == path.rpartition("/")[2] else None
    return match


def _anchor(match: re.Match[str]) -> Anchor:
    found = match.groupdict()
    first, last = int(found["first"]), int(found["last"] or found["first"])
    columns = [int(found[name]) if found.get(name) else None for name in ("first_column", "last_column")]
    if found["by"] == ":" and last < first:  # `L10:5` is a line and a column, as compilers print it
        return Anchor(first, first, last)
    return Anchor(first, last, *columns)


def is_like_lines(fragment: str) -> bool:
    """Whether a fragment that could not be read was meant to name lines; `#l10n` was not."""
    return _LIKE_LINES.fullmatch(unquote(fragment.partition(":~:")[0])) is not None


def is_in_diff(fragment: str) -> bool:
    """Whether a fragment names lines of a comparison or a gist, which stand in no file at a path."""
    return _DIFF.fullmatch(unquote(fragment)) is not None

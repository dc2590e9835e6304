"""A place that was found -> the citation as text, which is given away only where it reads back as exact."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from provenance.citation import Citation, EvidenceKind, LineRange, Manifest
from provenance.cite.linking import ARCHIVED, is_archived, leads_to, link_to
from provenance.compare.quoting.pairing import pair
from provenance.comparing import compared
from provenance.documents.formats import read_document
from provenance.documents.names import Names, slug
from provenance.documents.unreadable import Unreadable
from provenance.errors import UsageError
from provenance.evidence import Verdict
from provenance.extract.languages.table import PLAIN
from provenance.extract.lines import normalise
from provenance.manifest import parse
from provenance.manifest.appending import Appended, appended
from provenance.manifest.composing import empty, item
from provenance.report.citing import FORMS, Quoted, is_inert
from provenance.report.inert import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from provenance.cite.wish import Found, Words
    from provenance.evidence import Judgement
    from provenance.links.forges import Hosts

_NAME = "the citation"
_YAML = "YAML"
_REFERENCES = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_REFUSED = {
    _YAML: re.compile("[\0\r\ufeff\ud800-\udfff]"),
    "markdown": _REFERENCES,
    "html": _REFERENCES,
}
"""What has no escape: for HTML's references to control characters see HTML, section 13.2.5.80. A CR before a line's
end, and a mark before the first line, are read past everywhere. In reStructuredText nothing has one."""
_NAMED = 3
"""Characters that an error names."""


def citation_of(found: Found, words: Words, taken: Collection[str]) -> Citation:
    """The citation of a place, with an id that is not taken where none is asked for.

    Raises:
        UsageError: the id that is asked for is taken, or `of` is said of direct evidence.
    """
    kind = words.evidence or (EvidenceKind.DIRECT if words.of is None else EvidenceKind.CONTEXTUAL)
    if words.of is not None and kind is not EvidenceKind.CONTEXTUAL:
        message = "--of goes with contextual evidence alone"
        raise UsageError(message)
    if words.id is not None and words.id in taken:
        message = f"the id {words.id} is used already: give another one with --id"
        raise UsageError(message)
    return Citation(
        words.id or _new_id(found, taken),
        found.source,
        found.path,
        found.lines,
        kind,
        words.claim or "",
        words.of,
        f"{found.quoted}\n",
    )


def _new_id(found: Found, taken: Collection[str]) -> str:
    """The file's name without its ending, and the lines, as `prov scan` names what it finds."""
    name = found.path.rpartition("/")[2]
    return Names(taken).take(f"{slug(name.partition('.')[0] or name)}-{found.lines}")


def as_item(found: Found, words: Words) -> str:
    """An item for the list of citations of a manifest that has the source.

    Raises:
        UsageError: the lines cannot stand in YAML so that they read back as exact.
    """
    citation = citation_of(found, words, found.taken)
    made = _alone(found, "it", citation)
    written = item(citation, spelled=spells(citation))
    if not made.endswith(written):
        raise refusal(found, _YAML)
    return written


def as_manifest(found: Found, words: Words) -> str:
    """A whole manifest with one source and one citation.

    Raises:
        UsageError: the lines cannot stand in YAML so that they read back as exact.
    """
    return _alone(found, f"Citations of {found.source.name}", citation_of(found, words, ()))


def _alone(found: Found, title: str, citation: Citation) -> str:
    """A manifest that has this citation alone."""
    data = empty(title)
    manifest = parse(data, _NAME)
    assert isinstance(manifest, Manifest)  # noqa: S101 - an empty one can be read
    return manifest_of(data, manifest, found, citation, with_source=True).decode()


def manifest_of(
    data: bytes, manifest: Manifest, found: Found, citation: Citation, *, with_source: bool
) -> bytes:
    """A manifest with one citation more, which reads back as exact.

    Args:
        data: the manifest as it is, whose last line has an end.
        manifest: what is read in it.
        found: the place.
        citation: its citation.
        with_source: whether the citation's source is to be added, too.

    Raises:
        UsageError: the lines cannot stand there so that they read back as exact.
    """
    if not found.quoted.strip():
        raise refusal(found, _YAML)
    source = citation.source if with_source else None
    made = appended(data, manifest, source, citation, spelled=spells(citation))
    if not isinstance(made, Appended):
        raise refusal(found, _YAML) if _held(found.quoted, _YAML) else made
    quote = made.manifest.citations[-1].quote
    verdict = None if quote is None else _verdict(quote, found)
    if verdict is not Verdict.EXACT:
        raise refusal(found, _YAML, verdict)
    return made.data


def spells(citation: Citation) -> bool:
    """Whether a citation has to be spelled out, for something in it hides, or could be a command to a CI system."""
    return not is_inert(item(citation))


def as_document(found: Found, format_: str, hosts: Hosts) -> tuple[str, tuple[str, ...]]:
    """A link and a block of code for a document, and what is to be known of them.

    Raises:
        UsageError: no link leads there, or the lines cannot stand in such a document so that they read back as exact.
    """
    url = link_to(found, hosts)
    if url is None:
        message = (
            f"no link leads to lines of {found.source.git}: it is no address on the web, or its commit is not known;"
            " a manifest can cite them, with --format yaml"
        )
        raise UsageError(message)
    ending, make = FORMS[format_]
    verdict: Verdict | None = None
    for text in make(Quoted(found.path, found.lines, found.quoted, url, found.language)):
        if not is_inert(text):
            continue
        verdict, others = _read_back(text, f"citation{ending}", found, hosts)
        if verdict is Verdict.EXACT:
            notes = [ARCHIVED] if is_archived(url) else []
            if others:
                notes.append("the lines hold links to code, which prov scan judges, too")
            return text, tuple(notes)
    raise refusal(found, format_, verdict)


def _read_back(text: str, name: str, found: Found, hosts: Hosts) -> tuple[Verdict | None, int]:
    """What `prov scan` would make of a document, and how many further links it would find in it."""
    sheet = read_document(text.encode("utf-8", "surrogatepass"), name, hosts, plain=False)
    if isinstance(sheet, Unreadable):
        return None, 0
    own = [
        at
        for at, mention in enumerate(sheet.mentions)
        if mention.block is None and leads_to(mention.target, found, hosts)
    ]
    if len(own) != 1:
        return None, 0

    def judged(at: int, quote: str) -> Judgement | None:
        return _judgement(quote, found) if at in own else None

    option = pair(sheet, judged)[own[0]]
    if option is None or option.judgement is None:
        return None, 0
    return _verdict(option.reading.text, found), len(sheet.mentions) - 1


def _judgement(quote: str, found: Found) -> Judgement:
    citation = Citation("it", found.source, found.path, found.lines, EvidenceKind.DIRECT, quote=quote)
    return compared(citation, found.text, lambda: None, PLAIN)


def _verdict(quote: str, found: Found) -> Verdict | None:
    """What a quote is to the lines; `exact` only where it is them to the letter."""
    verdict = _judgement(quote, found).verdict
    return None if verdict is Verdict.EXACT and normalise(quote) != found.quoted else verdict


def refusal(found: Found, format_: str, verdict: Verdict | None = None) -> UsageError:
    """Why lines cannot be cited in a form.

    Args:
        found: the place.
        format_: the form's name, as an error says it.
        verdict: what the lines would read back as; None where they would not be read as its quote at all.
    """
    place, lines = f"{found.path}:{found.lines}", found.quoted.split("\n")
    other = "" if format_ == _YAML or _held(found.quoted, _YAML) else "; --format yaml may hold them"
    held = _held(found.quoted, format_)
    if not found.quoted.strip():
        reason = "the lines are blank: there is nothing to quote"
    elif held:
        reason = f"the lines hold {held}, which cannot stand in {format_}{other}"
    elif not lines[0].strip() or not lines[-1].strip():
        within = _without_blank_ends(found.lines, lines)
        reason = f"the lines begin or end with a blank one, which is lost in {format_}: cite {within}{other}"
    elif format_ == "rst" and not is_inert(found.quoted):
        reason = (
            f"the lines hold what a CI system takes for a command, and {format_} has no escape for it{other}"
        )
    else:
        back = "nothing" if verdict is None else verdict.value
        reason = f"the lines would read back as {back} in {format_}, and not as exact{other}"
    return UsageError(f"{place}: {reason}")


def _without_blank_ends(cited: LineRange, lines: Sequence[str]) -> LineRange:
    """The lines of a range from the first to the last that is not blank; there is one."""
    filled = [at for at, line in enumerate(lines, cited.first) if line.strip()]
    return LineRange(filled[0], filled[-1])


def _held(text: str, format_: str) -> str:
    """The characters of a text that a form cannot hold, by their names."""
    refused = _REFUSED.get(format_)
    found = dict.fromkeys(
        one
        for one in text
        if one not in "\t\n" and (visible(one) != one if refused is None else refused.match(one))
    )
    names = [f"U+{ord(one):04X} ({unicodedata.name(one, 'a control character').lower()})" for one in found]
    rest = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
    return ", ".join([*names[:_NAMED], *rest])

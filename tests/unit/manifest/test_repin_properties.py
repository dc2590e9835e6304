from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from provenance.citation import Citation, EvidenceKind, ExpectedValue, LineRange, Manifest, Release, Source
from provenance.manifest import Repin, Repinned, parse, render, repin
from provenance.manifest.moving import same_revision

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMITS = ["0c66117d42970c66117d42970c66117d42970c66", "9b63575ef42771a015060c964af2c3da4cf7c8ab", "a" * 40]
REVISIONS = st.sampled_from(
    [*COMMITS, *(commit[:9] for commit in COMMITS), "v1.0", "v2: #2", "1e10", "12345678"]
)
GITS = st.sampled_from(["https://example.org/engine", "ssh://git@example.org/rod.git", "https://e.org/?a=#b"])
WORDS = st.sampled_from(["engine", "rod", "a: b", "c #d", "- e", "é", "'f'", "{g}", "h, i", "12", "j\u00a0k"])
PATHS = st.lists(WORDS, min_size=1, max_size=3).map("/".join)
RANGES = st.tuples(st.integers(1, 2000), st.integers(0, 50)).map(lambda pair: LineRange(pair[0], sum(pair)))
PROSE = st.text(st.sampled_from(" \n\t:#-|>'\"{,a\u2028é…\r"), max_size=15).map(
    lambda text: text if text.strip() else f"x{text}"
)


@st.composite
def manifests(draw: st.DrawFn) -> Manifest:
    sources = draw(
        st.lists(
            st.builds(
                Source,
                WORDS,
                GITS,
                REVISIONS,
                st.none() | st.just("MIT"),
                st.lists(st.just(Release("engine", "1.0")), max_size=2).map(tuple),
                st.none() | st.just(COMMITS[0]),
            ),
            min_size=1,
            max_size=3,
            unique_by=lambda one: one.name,
        )
    )
    citations = []
    for number in range(draw(st.integers(1, 5))):
        kind = draw(st.sampled_from(["quote", "expression", "value", ""]))
        text = draw(PROSE)
        citations.append(
            Citation(
                f"c{number}",
                draw(st.sampled_from(sources)),
                draw(PATHS),
                draw(RANGES | st.none()) if kind == "value" else draw(RANGES),
                EvidenceKind.DIRECT,
                draw(st.just("") | PROSE),
                quote=text if kind == "quote" else None,
                expression=text if kind == "expression" else None,
                value=ExpectedValue("/a", text) if kind == "value" else None,
            )
        )
    return Manifest("m.yaml", "Engine", None, tuple(sources), tuple(citations))


@st.composite
def asked(draw: st.DrawFn, manifest: Manifest) -> list[Repin]:
    chosen = draw(st.lists(st.sampled_from(manifest.citations), unique_by=lambda one: one.id))
    if draw(st.booleans()):
        chosen = list(manifest.citations)
    targets = draw(st.lists(REVISIONS, min_size=1, max_size=2))
    return [
        Repin(
            citation.id,
            citation.source.git,
            draw(st.sampled_from(targets)),
            draw(st.just(citation.path) | PATHS),
            draw(st.none() | RANGES),
            draw(st.none() | PROSE) if citation.quote is not None else None,
        )
        for citation in chosen
    ]


@dataclass(frozen=True)
class Chunk:
    """A key with its value, of the text that `render` makes, and whom it belongs to."""

    lines: tuple[str, ...]
    key: str
    owner: str
    """The number of the source or of the citation among all of them."""

    @property
    def margin(self) -> str:
        return self.lines[0][: len(self.lines[0]) - len(self.lines[0].lstrip(" "))]


def chunks(text: str) -> list[Chunk]:
    """The text, cut before each key that stands on a line of its own."""
    found: list[list[str]] = []
    for line in text.removesuffix("\n").split("\n"):
        in_block = found and re.search(r": \|[0-9]?[-+]?$", found[-1][0])
        if in_block and (not line or line.startswith(" " * 6)):
            found[-1].append(line)
        else:
            found.append([line])
    owned: list[Chunk] = []
    part, count = "", 0
    for lines in found:
        if not lines[0].startswith(" "):
            part = lines[0].partition(":")[0]
        elif lines[0].startswith("  - ") or (part == "sources" and not lines[0].startswith("   ")):
            count += 1
        key = lines[0].strip().removeprefix("- ").partition(":")[0]
        owned.append(Chunk(tuple(lines), key, f"{part} {count}"))
    return owned


@st.composite
def laid_out(draw: st.DrawFn, manifest: Manifest) -> str:
    """The manifest in one of many layouts, with a numbered comment before each key."""
    lines: list[str] = []
    for number, chunk in enumerate(chunks(render(manifest))):
        first, *rest = chunk.lines
        if number and draw(st.booleans()) and not re.search(r": \|[0-9]?\+$", lines[-1]):
            lines.append(f"{chunk.margin}#")
        lines.append(f"{chunk.margin}# {number}")
        plain = re.fullmatch(r"( +(?:- )?\w+: )([^\s\"'|{][^\"']*)", first)
        if plain and draw(st.booleans()):
            first = f"{plain[1]}'{plain[2]}'"
        if draw(st.booleans()):
            first += draw(st.sampled_from(["  # c", " #", "\t# it's"]))
        lines += first, *rest
    text = "\n".join(lines) + "\n"
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    if draw(st.booleans()):
        text = f"\ufeff{text}"
    return text


def check(old: Manifest, new: Manifest, repins: Sequence[Repin]) -> None:
    """Tell that a manifest is another one with citations re-pinned, and nothing else."""
    wanted = {one.id: one for one in repins}
    names = [source.name for source in old.sources]
    assert [source.name for source in new.sources if source.name in names] == names
    for before, after in zip(old.citations, new.citations, strict=True):
        one = wanted.get(before.id)
        if one is None:
            assert after == before
            continue
        assert after.source.git == before.source.git
        assert same_revision(after.source.revision, one.revision)
        lines = before.lines if before.lines is None or one.lines is None else one.lines
        quote = before.quote if one.quote is None else one.quote
        assert after == replace(before, source=after.source, path=one.path, lines=lines, quote=quote)
    for source in new.sources:
        if source.name not in names:
            assert (source.alternates, source.stated) == ((), None)
            assert any((source.git, source.license) == (one.git, one.license) for one in old.sources)
            assert any(citation.source == source for citation in new.citations)
            continue
        before_it = old.sources[names.index(source.name)]
        if source != before_it:
            assert source == replace(before_it, revision=source.revision)
            stays = [citation for citation in old.citations if citation.source == before_it]
            assert all(citation.id in wanted for citation in stays)
    assert replace(new, sources=old.sources, citations=old.citations) == old


def done(data: bytes, repins: Sequence[Repin]) -> tuple[Repinned, Manifest]:
    found = repin(data, "m.yaml", repins)
    assert isinstance(found, Repinned), found
    assert repin(found.data, "m.yaml", repins) == Repinned(found.data, (), ())
    manifest = parse(found.data, "m.yaml")
    assert isinstance(manifest, Manifest)
    return found, manifest


def between_comments(text: str) -> list[str]:
    return re.split(r"(?m)^ *# [0-9]+\r?$", text.removeprefix("\ufeff"))


def pruned(text: str) -> str:
    """A key and what stands behind its value, without the value."""
    value = r"""'(?:''|[^'])*'|"(?:\\.|[^"\\])*"|[^'"\s].*?(?=\s+#|\s*$)"""
    return re.sub(f"(?m)(?<=: )(?:{value})", "…", text, count=1)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_is_re_pinned_reads_back_and_the_rest_keeps_its_bytes(data: st.DataObject) -> None:
    old = data.draw(manifests())
    text = data.draw(laid_out(old))
    assume(parse(text.encode(), "m.yaml") == old)
    repins = data.draw(asked(old))
    found, new = done(text.encode(), repins)
    check(old, new, repins)
    assert found.changed == tuple(
        after.id for before, after in zip(old.citations, new.citations, strict=True) if before != after
    )
    after = found.data.decode()
    assert Counter(re.findall("# [0-9]+", text)) == Counter(re.findall("# [0-9]+", after))
    may = {f"citations {len(old.sources) + int(id_[1:]) + 1}" for id_ in (one.id for one in repins)}
    parts = [Chunk(("",), "", ""), *chunks(render(old))]
    kept = zip(parts, between_comments(text), between_comments(after), strict=True)
    accepted = {one.id for one in repins if one.quote is not None}
    for chunk, was, now in kept:
        if was == now:
            continue
        is_source = chunk.owner.startswith("sources")
        if chunk.owner in may:
            assert chunk.key in {"source", "path", "lines", "quote"}
            assert chunk.key != "quote" or accepted
            assert chunk.key == "quote" or pruned(was) == pruned(now)
        elif is_source and chunk.key != "revision":
            extra = len(now) - len(was)  # a source is added behind it
            assert any(was == now[:at] + now[at + extra :] for at in range(len(was) + 1))
        else:
            assert is_source


@settings(max_examples=50, deadline=None)
@given(st.data(), st.sampled_from([None, 1, "\t"]))
def test_json_is_yaml_too(data: st.DataObject, indent: str | int | None) -> None:
    old = data.draw(manifests())
    sources = {
        source.name: {
            "git": source.git,
            "license": source.license,
            "alternates": [{"pypi": str(release)} for release in source.alternates],
            "revision": source.revision,
            "stated": source.stated,
        }
        for source in old.sources
    }
    citations = [
        {
            "quote": citation.quote,
            "lines": None if citation.lines is None else str(citation.lines),
            "id": citation.id,
            "source": citation.source.name,
            "path": citation.path,
            "evidence": "direct",
            "claim": citation.claim or None,
            "expression": citation.expression,
            "value": citation.value and {"pointer": citation.value.pointer, "equals": citation.value.equals},
        }
        for citation in old.citations
    ]
    said = {"prov": "1", "title": old.title, "sources": sources, "citations": citations}
    text = json.dumps(without_none(said), indent=indent)
    assume(parse(text.encode(), "m.yaml") == old)
    repins = data.draw(asked(old))
    found, new = done(text.encode(), repins)
    check(old, new, repins)
    if "\\x" not in found.data.decode():  # an escape that YAML alone has
        assert json.loads(found.data)["prov"] == "1"


def without_none(part: object) -> object:
    if isinstance(part, dict):
        return {key: without_none(value) for key, value in part.items() if value is not None}
    return [without_none(item) for item in part] if isinstance(part, list) else part


@settings(max_examples=150, deadline=None)
@given(
    written=st.sampled_from(
        ["|\n   a", "|+ # c\n   a\n\n", ">2-\n    a\n\n", "'a'", "a # c", "a\n # c", '"a\n  b"']
    ),
    behind=st.sampled_from(
        ["\n", "\n\n", "", "\n# c\n", "\n      # c\n", "\n   ", "\n\n    \n", "\nquantities: []\n"]
    ),
    quote=PROSE,
    dos=st.booleans(),
)
def test_any_quote_that_is_accepted_reads_back(written: str, behind: str, quote: str, *, dos: bool) -> None:
    text = (
        "prov: 1\ntitle: t\nsources: {e: {git: g, revision: r}}\ncitations:\n"
        f"- id: c\n  source: e\n  path: p\n  lines: 1\n  evidence: direct\n  quote: {written}{behind}"
    )
    text = text.replace("\n", "\r\n") if dos else text
    old = parse(text.encode(), "m.yaml")
    assume(isinstance(old, Manifest))
    _, new = done(text.encode(), [Repin("c", "g", "r", "p", None, quote)])
    assert new.citations[0].quote == quote

"""Places in running text: `a/b.py:10-20`, `b.py#L10`, "`b.py` lines 10-20", "lines 10-20 of b.py"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from provenance.citation import DASH
from provenance.links.anchors import Anchor
from provenance.links.targets import PlainPlace

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITTEN = """
adb ads asm astro awk bash bat bazel bzl c cbl cc cfg cjs cl clj cljs cljc cmake cob coffee conf cpp cr cs csproj css
csv cts cu cuh cxx d dart diff dts el elm erl ex exs f f03 f08 f90 f95 fish for fs fsi fsx gd gemspec glsl go gql
gradle graphql groovy h hbs hcl hh hlsl hpp hrl hs htm html hxx idl inc ini ino ipynb j2 java jinja jl js json json5
jsonc jsx kt kts l lean less lhs lisp ll lua m markdown md mdx metal mjs mk ml mli mm mod mts nim nix nu pas patch php
phtml pl pm po pony pp prisma proto ps1 psm1 purs pxd pxi py pyi pyx qml r rake rb rbi re rego rkt rs rst s sass scala
scm scss sed sh sol sql st styl sv svelte svh swift t tcl tex textproto tf tfvars thrift toml ts tsx txt v vala vb vert
vhd vhdl vim vue wat wgsl xml xsd xsl y yaml yml zig zsh
"""
_EXTENSIONS = frozenset(_WRITTEN.split())
"""What the names of text files that people cite end in: without them `example.com:8080` would be a place."""
_NAMES = frozenset(
    {"Dockerfile", "Gemfile", "Jenkinsfile", "Justfile", "Kconfig", "Makefile", "Rakefile", "Vagrantfile"}
)
_PRODUCTS = frozenset(
    {
        "backbone.js",
        "d3.js",
        "ember.js",
        "express.js",
        "next.js",
        "node.js",
        "nuxt.js",
        "react.js",
        "three.js",
        "vue.js",
    }
)
"""Names of programs that look like those of files: `node.js:18` is an image."""

_HOST = re.compile(r"(?:[\w.+-]*@)?[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|edu|gov|co|in|ht)[/\\]")
"""A path that begins with a host's name is an address without its scheme, or a package's."""
_LONGEST = 400
"""Characters of a path at the most."""
_ENDING = ".-+~"
"""What ends a sentence rather than a path."""
_NUMBER = "[0-9]{1,9}"
_BY = rf"(?:\s?{DASH}\s?|\s(?:to|through)\s)"
_RANGE = rf"[Ll]?(?P<first>{_NUMBER})(?:{_BY}[Ll]?(?P<last>{_NUMBER}))?"
_AFTER = rf"(?![\w%]|\.[0-9]|:[0-9]|{DASH}[0-9])"
_TIGHT = re.compile(
    rf"(?::L?|\#L)(?P<first>{_NUMBER})(?:C{_NUMBER})?(?:{DASH}L?(?P<last>{_NUMBER})(?:C{_NUMBER})?|:(?P<column>{_NUMBER}))?{_AFTER}"
)
"""What follows a path at once: `:10-20`, `:10:5` as compilers print it, `#L10-L20`."""
_LOOSE = re.compile(
    rf"[`*_'\u2019\u201d]{{0,3}},?\s{{1,8}}(?:(?:at|on|in|from)\s{{1,8}})?[(\[]?"
    rf"(?:(?P<word>[Ll]ines?)\s{{1,8}}{_RANGE}|L(?P<one>{_NUMBER})(?:{_BY}L?(?P<other>{_NUMBER}))?){_AFTER}"
)
"""What follows it in a sentence: ` lines 10-20`, `, line 10`, ` (L10-L20`."""
_HEAD = re.compile(
    rf"[Ll]ines?\s{{1,8}}{_RANGE}\s{{1,8}}(?:of|in|from)\s{{1,8}}(?:the\s{{1,8}})?(?:file\s{{1,8}})?[`*_'\u2018\u201c]{{0,3}}"
)
_LINES = re.compile(r"[:#]L?[0-9]|[Ll]ines?\s{1,8}[Ll]?[0-9]|[\s(\[]L[0-9]")
"""What every place has in it."""
_NEAR = 40
"""Characters that stand between a path and its lines at the most."""
_TOKEN = re.compile(r"[\w.@][\w.+@~-]*+(?:[/\\][\w.+@~-]++)*+")
_NEXT = re.compile(r"(?<![\w./\\:@~+#%&=?$-])(?=[\w.@])")


def places_in(text: str, start: int, end: int) -> Iterator[tuple[int, int, PlainPlace]]:
    """The places between two characters of a text: the first character, the one after the last, and the place."""
    at = start
    for lines in _LINES.finditer(text, start, end):
        # Most text has no lines in it, and is not looked at word by word.
        at = max(at, lines.start() - _LONGEST - _NEAR)
        while (begin := _NEXT.search(text, at, lines.end())) is not None:
            at, place = _place_at(text, begin.start(), end)
            if place is not None:
                yield place


def _place_at(text: str, at: int, end: int) -> tuple[int, tuple[int, int, PlainPlace] | None]:
    """Where to look next, and the place that begins at a character, if there is one."""
    head = _HEAD.match(text, at, end)
    token = _TOKEN.match(text, head.end() if head else at, end)
    if token is None:
        return at + 1, None
    path = token[0].rstrip(_ENDING)
    after = token.start() + len(path)
    if not _is_path(path):
        return (at + len("line") if head else max(after, at + 1)), None
    tail = _TIGHT.match(text, after, end) or (None if head else _loose(text, after, end))
    found = tail or head
    if found is None:
        return after, None
    last = tail.end() if tail else after
    return last, (token.start() if tail else at, last, PlainPlace(_clean(path), _anchor(found)))


def _loose(text: str, start: int, end: int) -> re.Match[str] | None:
    """The lines that follow a path in a sentence, if they are not another's: `a.py, lines 1-2 of b.py`."""
    tail = _LOOSE.match(text, start, end)
    head = _HEAD.match(text, tail.start("word"), end) if tail is not None and tail["word"] else None
    token = _TOKEN.match(text, head.end(), end) if head is not None else None
    return None if token is not None and _is_path(token[0].rstrip(_ENDING)) else tail


def _is_path(text: str) -> bool:
    if len(text) > _LONGEST or text.startswith("..") or _HOST.match(text):
        return False
    name = re.split(r"[/\\]", text)[-1]
    stem, dot, extension = name.rpartition(".")
    if not dot:
        return name in _NAMES
    if not stem and name == text:  # `.py:10` is an ending, not a file
        return False
    return extension.lower() in _EXTENSIONS and name.lower() not in _PRODUCTS


def _clean(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./")


def _anchor(match: re.Match[str]) -> Anchor:
    found = match.groupdict()
    first = int(found["first"] or found["one"])
    last = int(found.get("last") or found.get("other") or first)
    return Anchor(first, last, int(found["column"]) if found.get("column") else None)

"""A real file in each language: its symbols, statements and tokens, and the expressions in it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.citation import LineRange
from provenance.compare.difference import difference
from provenance.compare.expressions.expression import judge_expression
from provenance.evidence import Difference, Verdict
from provenance.extract import syntax as syntaxes
from provenance.extract.code import Steps
from provenance.extract.decode import NotText, decode
from provenance.extract.languages import NAMES, Language, Languages, all_languages
from provenance.extract.leaves import TreeLeaves
from provenance.extract.lines import Text
from provenance.extract.symbols import lexer, outline, outline_of
from provenance.extract.syntax import NoSyntax, Syntax

if TYPE_CHECKING:
    from provenance.extract.outline import Outline

SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class Sample:
    """What is to be found in a file."""

    language: str
    symbols: str
    """Each with its lines."""
    cuts: str
    """Ranges, each with the statement that it cuts, or `-` where it cuts none."""
    comments: tuple[str, ...]
    """How each comment begins."""
    call: str
    """A line, and a call on it with three arguments."""


FILES = {
    "Account.java": Sample(
        "java",
        "Account:6-67 Account.Account:14-17 Account.total:19-30 Account.later:32-43 Account.later.run:34-41"
        " Account.State:45-48 Account.State.last:47 Account.Pair:50-54 Account.Pair.Pair:51-53"
        " Account.Holder:56-59 Account.Holder.total:58 Account.sign:61-66",
        "6-67:- 9-67:- 8-67:7-8 19-30:- 20-30:- 21-30:20-21 23-25:- 24:- 26-27:26-28 33-42:- 37-38:37-39 62-64:-",
        ("/** Money", "// shown", "/* How much"),
        '37 print(entry, \'x\', """\n                        a block\n                        """)',
    ),
    "Canvas.swift": Sample(
        "swift",
        "Canvas:6-49 Canvas.init:11-15 Canvas.deinit:17-19 Canvas.count:21-23 Canvas.add:25-48 Point:51-54"
        " Point.origin:53 Fault:56-59 Drawing:61-63 Drawing.draw:62 Point:65-72 Point.turned:67-71 line:74",
        "6-49:- 7-49:- 11-15:- 12-15:11-12 25-48:- 26-48:- 27:26-29 31-33:30-31 34-35:- 39-41:- 68-69:68-70",
        ("/// What", "// in order", "/* The other"),
        '18 close(name, "canvas", true)',
    ),
    "Graph.scala": Sample(
        "scala",
        "Edges:9-13 Edges.edges:10 Edges.degree:12 Node:15 Graph:17-51 Graph.edges:29-45 Graph.sum:47-50"
        " Graph:53-58 Graph.empty:55-57",
        "3-6:- 4:3-6 17-51:- 18-51:- 19-51:18-21 24-26:24-27 30:- 31:31-32 33:- 37-39:- 47-48:47-49",
        ("/** What", "// so far", "/* An empty"),
        '38 visit(one, "edge", true)',
    ),
    "Player.kt": Sample(
        "kotlin",
        "Player:8-54 Player.add:22-45 Player.twice:47 Player.of:50 Player.State:53 Named:57-59 Named.names:58"
        " Registry:61-63 Player.shout:65-67",
        "8-54:- 9-54:- 10-54:9-10 11-54:- 12-54:11-14 22-45:- 23-45:- 24-45:23-26 28-29:- 31:31-32 33:33-34 42:-",
        ("/** Who", "// so far", "/* What"),
        '33 TooMany(score, "too many: $reason",\n                before)',
    ),
    "Router.php": Sample(
        "php",
        "Router:18-47 Router.__construct:25-29 Router.match:31-46 Handler:49-52 Handler.match:51 Named:54-64"
        " Named.name:57-63 Method:66-70 route:72",
        "7-10:- 8:7-10 12-14:12-15 18-47:- 19-47:- 20-47:19-20 21-47:- 31-46:- 32-46:- 33-46:32-33 36:36-37 44:-"
        " 59-60:59-62",
        ("/** Finds", "// by path", "# What"),
        '38 $answer($request, "route {$route}", null)',
    ),
    "Store.cs": Sample(
        "csharp",
        "Example.Shop:4-70 Example.Shop.Store:7-63 Example.Shop.Store.Count:16-23 Example.Shop.Store.Store:25-30"
        " Example.Shop.Store.FindAsync:32-52 Example.Shop.Store.Twice:54 Example.Shop.Store.State:56-60"
        " Example.Shop.Store.Point:62 Example.Shop.IStore:65-69 Example.Shop.IStore.Clear:68",
        "7-63:- 8-63:- 9-63:8-9 10-63:- 25-30:- 26-30:25-27 32-52:- 33-52:- 34:33-34 38:38-39 41:41-42 43-46:- 45:-"
        " 57-59:-",
        ("/// <summary>", "// shown"),
        '21 Resize(value, "count", true)',
    ),
    "cache.go": Sample(
        "go",
        "Cache:15-18 Key:21 Store:22-26 New:35-39 Cache.Get:41-46 Key.String:48 Cache.Each:50-67",
        "4-5:- 10:- 15-18:- 16:- 24:24-25 29-31:29-32 35-39:- 36-39:35-37 51-52:- 53-54:53-55 59-60:- 62-64:-",
        ("// Package", "// Cache", "// New", "// nothing"),
        '53 fmt.Errorf(\n\t\t\t\t"visiting %v: %w", key,\n\t\t\t\terr)',
    ),
    "ledger.rb": Sample(
        "ruby",
        "Bank:4-60 Bank.Ledger:10-59 Bank.Ledger.initialize:13-17 Bank.Ledger.open:19-26 Bank.Ledger.total:28-43"
        " Bank.Ledger.empty:46 Bank.Ledger.text:49-58",
        "5-8:- 6:5-8 13-17:- 14-17:13-14 20-22:- 21:- 31-32:31-33 34:34-35 36:36-37 38-39:- 54:53-56",
        ("# Money", "# as they", "=begin"),
        '21 parse(line, "entry", true)',
    ),
    "list.c": Sample(
        "c",
        "SMALLER:6-7 entry_t:9-12 node:14-17 order:19-22 make:31-40 chooser:42-50 print_all:53-58 print_all:60",
        "6:6-7 9-12:- 10:- 20:- 25:24-27 31-40:- 32-40:31-33 34-40:- 36:36-37 35:- 45-46:- 54-58:- 55:55-56",
        ("/* A list", "// what"),
        "55 printf(\"%d: %s %c\\n\", list->value,\n               names[0], '\\n')",
    ),
    "panel.tsx": Sample(
        "tsx",
        "Props:3 Panel:6-20 Panel.toggle:8-10 Badge:22-24 Page:26-30 Page.render:27-29",
        "6-20:- 8-10:- 12-13:- 14:- 15-17:- 28:-",
        ("// A panel",),
        '23 format(count, "short", true)',
    ),
    "parse.rs": Sample(
        "rust",
        "Reader:10-16 Fault:18-23 Source:25-31 Source.next:26 Source.skip:28-30 Reader:33-41 Reader.new:34-40"
        " Reader:43-56 Reader.next:44-55 Fault:58-62 Fault.fmt:59-61 twice:64-68 tests:70-80 tests.counts:73-79",
        "3-5:- 4:3-5 10-16:- 11-16:- 12:- 19-23:- 35-40:- 36:35-38 45-46:45-47 49-51:- 50:- 65-67:- 66:65-67 74-76:-",
        ("//! Numbers", "/// The most", "/// Where", "/* no more"),
        '78 gather(counted, MOST, "names")',
    ),
    "queue.js": Sample(
        "javascript",
        "Queue:16-42 Queue.constructor:19-22 Queue.first:24 Queue.handle:26-32 Queue.drain:34-41 double:44"
        " retry:47-49 back-off:50-52 start:55-61 default:63-70",
        "4-6:4-7 9-12:- 11:9-12 16-42:- 26-32:- 27:27-30 34-41:- 35:34-35 37:37-38 47-49:- 50-52:- 56-58:- 59:59-60"
        " 65-66:-",
        ("#!/usr", "// Jobs", "/* A queue", "// never"),
        "58 once(queue, \"end\", () => warn('done'))",
    ),
    "release.sh": Sample(
        "bash",
        "log:11 build:13-27 upload:29-44",
        "6:6-9 13-27:- 14-16:- 15:15-16 16:15-16 18-20:- 24-26:- 31-35:- 32:32-34 40-43:- 41:40-43 46-48:-",
        ("#!/usr", "# Makes", "# as new"),
        "",
    ),
    "scale.cu": Sample(
        "cuda",
        "scale:4-11 Launch:13-16 launch:18-23",
        "4-11:- 5-11:- 6-11:5-6 8-10:- 13-16:- 14:- 20:20-21",
        ("// Scales",),
        '22 check(cudaGetLastError(), "scale", count)',
    ),
    "shapes.ts": Sample(
        "typescript",
        "Shape:4-7 Shape.area:6 Sized:9-11 Colour:13-16 frozen:18-20 Circle:22-40 Circle.constructor:26"
        " Circle.area:28-35 Circle.onResize:37-39 geometry:42-50 geometry.total:43-45 geometry.Base:47-49"
        " geometry.Base.draw:48 unit:52-54 ambient:56-58 ambient.later:57",
        "4-7:- 6:- 9-10:9-11 14:- 22-40:- 23-40:- 28-35:- 29-35:- 30-35:- 31-35:30-32 37-39:- 43-45:- 52-54:-",
        ("/** What", "// The usual"),
        '38 this.resize(event, "circle", { unit: Colour.Red })',
    ),
    "tensor.cpp": Sample(
        "cpp",
        "small.detail:4-11 small.detail.Shape:6-9 small:13-57 small.Tensor:15-33 small.Tensor.Tensor:17-18"
        " small.Tensor.~Tensor:19 small.Tensor.rank:21 small.Tensor.operator+=:23-26 small.Tensor.Part:29-31"
        " small.Tensor.sum:35-48 small.Table.get:50-53 small.Kind:55 main:59-62",
        "6-9:- 7-9:- 17:17-18 23-26:- 35-48:- 36-48:- 37-48:36-37 39-41:- 40:- 42-44:- 51-53:-",
        ("// Tensors", "// namespace small::detail", "/*in_place", "// namespace small"),
        "24 add(other, 1.0, /*in_place=*/true)",
    ),
    "timer.lua": Sample(
        "lua",
        "Timer.new:13-18 Timer.tick:20-37 double:39 Timer.stop:41-43 start:46-48",
        "6-9:- 7:6-9 13-18:- 20-37:- 21-37:20-21 23:23-24 25:- 28-29:- 32-36:- 33:33-34 35:35-36 41-43:- 46-48:-",
        ("#!/usr", "-- What", "--[[ Makes", "-- in seconds"),
        '25 self.action("done", self.delay, ...)',
    ),
}
CALLS = {name: sample for name, sample in FILES.items() if sample.call}


def read(name: str) -> tuple[Text, Syntax]:
    text = Text((SAMPLES / name).read_text(encoding="utf-8"))
    syntax = Syntax.of(text, language(name))
    assert isinstance(syntax, Syntax)
    return text, syntax


def language(name: str) -> Language:
    found = Languages().of(name)
    assert found is not None
    return found


def shown(found: Outline) -> str:
    return " ".join(f"{one.name}:{one.lines}" for one in found.definitions)


def test_every_language_has_a_sample() -> None:
    assert {language(name).name for name in FILES} | {"python"} == set(NAMES)
    assert set(FILES) == {file.name for file in SAMPLES.iterdir()}


@pytest.mark.parametrize(("name", "sample"), FILES.items(), ids=FILES)
def test_symbols(name: str, sample: Sample) -> None:
    text, syntax = read(name)
    assert syntax.language.name == sample.language
    assert not syntax.root.has_error
    assert shown(outline_of(syntax)) == sample.symbols
    assert outline(text, syntax.language).notes == ()


@pytest.mark.parametrize(
    ("name", "lines", "cut"),
    [(name, *one.split(":")) for name, sample in FILES.items() for one in sample.cuts.split()],
)
def test_statements_cut_in_two(name: str, lines: str, cut: str) -> None:
    found = outline_of(read(name)[1]).cuts(LineRange.parse(lines))
    assert found == (None if cut == "-" else f"the range cuts the statement at lines {cut} in two")


@pytest.mark.parametrize("name", FILES)
def test_statements_follow_one_another(name: str) -> None:
    found = outline_of(read(name)[1]).statements
    assert all(one.last <= other.first for one, other in pairwise(found))


@pytest.mark.parametrize("name", FILES)
def test_line_ends_and_a_mark_at_the_beginning_change_nothing(name: str) -> None:
    data = (SAMPLES / name).read_bytes()
    expected = outline_of(read(name)[1])
    for variant in (data.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + data, data.removesuffix(b"\n")):
        text = decode(variant, name)
        assert not isinstance(text, NotText)
        assert outline(text, language(name)) == expected


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("fault", ["\n)]} (\n", '\n"', "\n@#$%^&*\n"])
def test_a_fault_at_the_end_leaves_symbols(name: str, fault: str) -> None:
    code = (SAMPLES / name).read_text(encoding="utf-8") + fault
    found = shown(outline(Text(code), language(name))).split()
    expected = FILES[name].symbols.split()
    assert len(set(expected) & set(found)) >= len(expected) / 2


@pytest.mark.parametrize(("name", "sample"), FILES.items(), ids=FILES)
def test_tokens(name: str, sample: Sample) -> None:
    text, syntax = read(name)
    tokens = lexer(syntax.language)(text.text)
    assert "".join("".join(token.text.split()) for token in tokens) == "".join(text.text.split())
    comments = [token.text for token in tokens if token.is_comment]
    assert len(comments) == len(sample.comments)
    assert all(map(str.startswith, comments, sample.comments))


@pytest.mark.parametrize("name", FILES)
def test_leaves_cover_the_file(name: str) -> None:
    _, syntax = read(name)
    leaves = TreeLeaves.first(syntax, Steps(1_000_000), telling=True)
    end = 0
    while leaves.key:
        assert not leaves.key.startswith(b"\0")
        assert leaves.start >= end
        end = leaves.end
        leaves.advance()
    assert len(syntax.data) - end < 5


@pytest.mark.parametrize(("name", "sample"), FILES.items(), ids=FILES)
def test_sorts_of_difference(name: str, sample: Sample) -> None:
    text, syntax = read(name)
    code, lex = text.text, lexer(syntax.language)
    without = code
    for token in lex(code):
        if token.is_comment:
            without = without.replace(token.text, "", 1)
    assert difference(without, code, lex) is Difference.COMMENTS
    assert difference(code.replace("    ", "\t\t"), code, lex) in {Difference.WHITESPACE, Difference.CODE}
    word = sample.symbols.split()[0].split(":")[0].rpartition(".")[2]
    assert difference(code.replace(word, word + "x"), code, lex) is Difference.CODE
    assert difference(code, code, lex) is Difference.WHITESPACE


def verdict(name: str, expression: str, line: int) -> Verdict:
    text, syntax = read(name)
    return judge_expression(expression, LineRange(line, line), text, syntax=syntax, path=name).verdict


@pytest.mark.parametrize(("name", "sample"), CALLS.items(), ids=CALLS)
def test_a_call(name: str, sample: Sample) -> None:
    number, _, call = sample.call.partition(" ")
    line, head, rest = int(number), *call.partition("(")[::2]
    first, second = rest.split(",")[:2]
    last = call.rpartition(",")[2]
    assert verdict(name, call, line) is Verdict.EXACT
    assert verdict(name, f"{head} ( {rest}", line) is Verdict.WHITESPACE
    assert verdict(name, f"{head}(…)", line) is Verdict.ELIDED
    assert verdict(name, f"{head}({first}, …)", line) is Verdict.ELIDED
    assert verdict(name, f"{head}({first}, …,{last}", line) is Verdict.ELIDED
    assert verdict(name, f"{head}(…,{last}", line) is Verdict.ELIDED
    assert verdict(name, f"{head}(nothing, …)", line) in {Verdict.CHANGED, Verdict.ABSENT}
    assert verdict(name, f"{head}({first}, {second}, nothing, …)", line) is Verdict.CHANGED
    assert verdict(name, call, 1) is Verdict.SHIFTED


PIECES = {
    "Account.java": [
        (20, "public int total(\n            int start)"),
        (23, "for (T entry : entries) {"),
        (14, "Account(List<T> entries)"),
        (26, "if (sum < 0)"),
    ],
    "cache.go": [
        (41, "func (c *Cache[K, V]) Get(key K) (V, bool) {"),
        (44, "value, ok := c.items[key]"),
        (52, "err := visit(key, value); err != nil"),
    ],
    "ledger.rb": [(20, "File.open(path)"), (32, ".map(&:value)"), (10, "class Ledger < Base")],
    "list.c": [
        (42, "int (*chooser(enum order order))(int, int)"),
        (7, "((a) < (b) ? (a) : (b))"),
        (7, "(a) < (b)"),
    ],
    "parse.rs": [(46, ".chars()"), (28, "fn skip(&mut self, count: usize) -> usize {"), (54, "found")],
    "queue.js": [(26, "handle = async (job) =>"), (44, "double = (x) => x * 2"), (37, "if (!this.#open)")],
    "release.sh": [(24, 'for file in "${FILES[@]}"'), (11, 'printf \'%s: %s\\n\' "$NAME" "$1"')],
    "timer.lua": [(41, "Timer.stop = function(self)"), (22, "for _ = 1, passed do")],
    "tensor.cpp": [
        (35, "template <typename T, int N>"),
        (39, "std::for_each(data, data + N, [&](const T& one) {"),
    ],
}


@pytest.mark.parametrize(
    ("name", "line", "code"), [(name, *one) for name, rows in PIECES.items() for one in rows]
)
def test_what_is_a_piece_of_code(name: str, line: int, code: str) -> None:
    assert verdict(name, code, line) is Verdict.EXACT


@pytest.mark.parametrize(
    ("name", "line", "code"),
    [
        ("Account.java", 24, "sum += entry.intValue"),
        ("Account.java", 37, "entry, 'x"),
        ("cache.go", 54, "visiting"),
        ("list.c", 36, "NULL || value"),
        ("queue.js", 21, "size = clamp"),
        ("queue.js", 2, "wait for"),
        ("shapes.ts", 34, "2 * scale"),
        ("tensor.cpp", 52, "0 ? 0.0f"),
    ],
)
def test_what_is_no_piece_of_code(name: str, line: int, code: str) -> None:
    assert verdict(name, code, line) is Verdict.CHANGED


WORDS = (
    *(
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        ";",
        ":",
        ",",
        ".",
        "=",
        "=>",
        "->",
        "::",
        "#",
        "//",
        "/*",
        "*/",
    ),
    *('"', "'", "`", "\\", "$", "${", "#{", "<<A", "A", "@", "x", "1", " ", "\n", "\n  ", "\r\n", "\t", "\0"),
    *("…", "é", "\u2028", "\ud800", "\ufeff", "<?php", "?>", "=begin", "end", "do", "then", "fi", 'R"('),
    *(
        "if",
        "else",
        "for",
        "fn",
        "func",
        "function",
        "class",
        "def",
        "impl",
        "struct",
        "return",
        "case",
        "var",
    ),
)


@pytest.mark.parametrize("of", all_languages(), ids=NAMES)
@given(code=st.lists(st.sampled_from(WORDS), max_size=30).map("".join))
@settings(max_examples=40, deadline=None)
def test_no_text_is_too_odd(of: Language, code: str) -> None:
    text = Text(code)
    syntax = Syntax.of(text, of)
    assert isinstance(syntax, Syntax)
    found = outline_of(syntax)
    assert all(one.lines.last <= max(len(text), 1) for one in found.definitions)
    assert all(one.last <= max(len(text), 1) for one in found.statements)
    joined = "".join(token.text for token in lexer(of)(code))
    expected = code.encode("utf-8", "replace").decode()
    assert "".join(joined.split()).replace("\\", "") == "".join(expected.split()).replace("\\", "")
    for expression in ("x", "x(…)", code[:20]):
        judge_expression(expression, LineRange(1, 1), text, syntax=syntax)


@pytest.mark.parametrize("of", all_languages(), ids=NAMES)
@pytest.mark.parametrize(
    "code",
    [
        "(" * 100_000,
        "{\n" * 100_000,
        "a(" * 2_000,
        "x" * 1_000_000,
        "\x01" * 30_000,
        "a.b" * 20_000,
        ")}\n" * 20_000,
    ],
    ids=lambda code: code[:2].encode("unicode_escape").decode(),
)
def test_hostile_text_is_bounded(of: Language, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntaxes, "_PATIENCE", 2.0)
    text = Text(code)
    started = time.process_time()
    syntax = Syntax.of(text, of)
    outline_of(syntax)
    if isinstance(syntax, Syntax):
        judge_expression("x(…)", LineRange(1, 1), text, syntax=syntax)
        syntax.whole(3, len(code) // 2)
    assert time.process_time() - started < 15


@pytest.mark.parametrize(
    ("code", "deep"),
    [
        ("(" * 5_000, False),
        ("(" * 5_001, True),
        ("()" * 20_000, False),
        ("([{<" * 1_251, True),
        (")" * 9_000 + "(" * 5_000, False),
    ],
)
def test_brackets_may_be_nested_so_deep(code: str, deep: bool) -> None:
    found = Syntax.of(Text(code), language("a.go"))
    assert (found == NoSyntax("its brackets are nested too deep")) is deep

"""A tree of reStructuredText blocks -> the elements of a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from provenance.document import STAND_IN, Block, Link, Prose, Where
from provenance.documents.ignoring import Scopes, ignored
from provenance.documents.rst.inline import address, normalised, spans
from provenance.documents.rst.structure import Chunk, Code, Directive
from provenance.documents.rst.targets import Target, Targets, explicit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.document import Element
    from provenance.documents.rst.inline import Span
    from provenance.documents.rst.lines import Lines

DEEPEST = 32
"""How many containers an element names; those further in are left out."""

_CONTAINERS = (
    nodes.list_item,
    nodes.definition_list_item,
    nodes.field,
    nodes.option_list_item,
    nodes.block_quote,
    nodes.row,
    nodes.footnote,
    nodes.citation,
    nodes.line_block,
    Directive,
)
_PASSED = (
    nodes.document,
    nodes.section,
    nodes.bullet_list,
    nodes.enumerated_list,
    nodes.definition_list,
    nodes.field_list,
    nodes.option_list,
    nodes.comment,
    nodes.target,
    nodes.substitution_definition,
    nodes.system_message,
    nodes.Inline,
    nodes.Text,
)
"""Nodes within a paragraph, those that show nothing, and those of whose first part a comment above them speaks."""


def elements_of(documents: Iterable[nodes.document], lines: Lines) -> list[Element]:
    """The elements of a document's trees, in their order."""
    walk = _Walk(lines)
    events = [event for document in documents for event in _events(document)]
    walk.note_targets([node for node, entering in events if entering])
    for node, entering in events:
        if entering:
            walk.enter(node)
        else:
            walk.leave(node)
    return [*walk.elements, *walk.scopes.ignores()]


def _events(document: nodes.Node) -> Iterator[tuple[nodes.Node, bool]]:
    """Each node when it begins and when it ends, without recursion."""
    todo = [(document, True)]
    while todo:
        node, entering = todo.pop()
        yield node, entering
        if entering:
            todo.append((node, False))
            if not isinstance(node, (nodes.literal_block, nodes.doctest_block, nodes.comment, Chunk)):
                todo += [(child, True) for child in reversed(node.children)]


class _Walk:
    def __init__(self, lines: Lines) -> None:
        self.elements: list[Element] = []
        self.scopes = Scopes(lambda: len(self.elements))
        self._depth = 0
        self._lines = lines
        self._targets = Targets()
        self._section = 0
        self._heading = False
        self._nest: list[int] = []
        self._nests = 0
        self._language = ""
        self._line = 1
        """Where the last element was found."""

    # Targets

    def note_targets(self, found: list[nodes.Node]) -> None:
        """Take down what references may lead to."""
        waiting: list[str] = []
        for node in found:
            if isinstance(node, nodes.target):
                waiting = self._note_target(node, waiting)
            elif isinstance(node, Chunk):
                waiting = []
                self._note_embedded(node)
            elif isinstance(node, (nodes.literal_block, nodes.title)):
                waiting = []

    def _note_target(self, node: nodes.target, waiting: list[str]) -> list[str]:
        """Returns the names that are still without a URL: a chain of targets leads to where the last one does."""
        names = [normalised(name) for name in node["names"]]
        if other := getattr(node, "indirect_reference_name", None):
            for name in (*names, *waiting):
                self._targets.add_other(name, normalised(other))
            return []
        if not node.get("refuri"):
            return [*waiting, *names]
        text = node.rawsource.split("\n")
        plain = [line.strip() for line in text]
        line = self._lines.find(plain, node.line or 1)
        target = explicit(self._lines, line, node["refuri"], len(text)) if line else None
        if target is not None:
            if node.get("anonymous"):
                self._targets.add_anonymous(target)
            for name in (*names, *waiting):
                self._targets.add(name, target)
        return []

    def _note_embedded(self, chunk: Chunk) -> None:
        text = chunk.rawsource
        if "<" not in text:
            return
        first = self._first(text, chunk.first)
        for span in spans(text):
            if span.url and span.name and (target := self._embedded(text, span, first)):
                self._targets.add(span.name, target)

    def _embedded(self, text: str, span: Span, first: int) -> Target | None:
        if span.url is None:
            return None
        start, end = span.url
        raw = text[start:end]
        line = first + text.count("\n", 0, start)
        own = self._lines.own[line - 1 : line + raw.count("\n")]
        begin, *more = raw.split("\n")
        if not own or begin not in own[0] or (more and more[-1] not in own[-1]):
            return None
        if more:
            last = own[-1]
            own = [own[0][own[0].index(begin) :], *own[1:-1], last[: last.index(more[-1]) + len(more[-1])]]
            raw = "\n".join(own)
        return Target(address(raw), raw, line)

    # Blocks

    def enter(self, node: nodes.Node) -> None:
        """A node begins."""
        if _is_scope(node):
            self.scopes.begin()
        self._depth += 1
        if isinstance(node, _CONTAINERS):
            self._nests += 1
            self._nest.append(self._nests)
        match node:
            case nodes.title():
                self._section += 1
                self._heading = True
            case Directive(called="highlight"):
                self._language = _language(node.argument)
            case Code():
                self._code(node)
            case nodes.literal_block() | nodes.doctest_block():
                self._literal(node)
            case nodes.comment() if (said := ignored(node.astext())) is not None:
                self._ignore(node, said)
            case nodes.comment():
                self._running(node.astext(), node.line or self._line, marked=False)
            case Chunk():
                self._running(node.rawsource, node.first)
            case _:
                pass

    def leave(self, node: nodes.Node) -> None:
        """A node ends."""
        if isinstance(node, _CONTAINERS):
            self._nest.pop()
        if isinstance(node, nodes.title):
            self._heading = False
        self._depth -= 1
        self.scopes.close(self._depth)
        if _is_scope(node):
            self.scopes.end()

    def _ignore(self, node: nodes.comment, said: str) -> None:
        text = node.astext()
        first = self._first(text, node.line or self._line)
        self._line = self._lines.clamped(first + text.count("\n"))
        self.scopes.note(Where(first, self._line, len(self.elements), self._section), said, self._depth - 1)

    def _code(self, code: Code) -> None:
        caption = None
        title = code.title
        if code.caption:
            begin = len(self.elements)
            title = self._running(*code.caption)
            caption = (begin, len(self.elements) - 1) if len(self.elements) > begin else None
        text, first, last = self._stands(code.rawsource, code.first)
        if not text.strip():
            return
        opening = self._lines.clamped(min(code.opening, first))
        where = self._where(opening, max(self._lines.clamped(code.last), last))
        self.elements.append(
            Block(where, text, first, _language(code.language) or self._language, title, caption)
        )

    def _literal(self, node: nodes.Element) -> None:
        if isinstance(node.parent, nodes.system_message):
            # What docutils could not read; a substitution, though, it complains of that is read all the same.
            if not node.rawsource.startswith(".. |"):
                self._running(node.rawsource, node.parent.get("line", self._line), marked=False)
            return
        text, first, last = self._stands(node.rawsource, node.line or self._line)
        language = "pycon" if isinstance(node, nodes.doctest_block) else self._language
        if text.strip():
            self.elements.append(Block(self._where(first, last), text, first, language))

    def _stands(self, text: str, hint: int) -> tuple[str, int, int]:
        """Preformatted text as it stands in the document, its first line and its last."""
        shown = text.split("\n")
        found = self._lines.find(shown, hint)
        first = found or self._lines.clamped(hint)
        self._line = self._lines.clamped(first + len(shown) - 1)
        return "\n".join(self._lines.dedented(shown, first)) if found else text, first, self._line

    def _where(self, line: int, last: int) -> Where:
        nest = tuple(self._nest[:DEEPEST])
        return Where(line, max(line, last), len(self.elements), self._section, nest, heading=self._heading)

    # Running text

    def _first(self, text: str, hint: int) -> int:
        return self._lines.find(text.split("\n"), hint) or self._lines.clamped(hint)

    def _running(self, text: str, hint: int, *, marked: bool = True) -> str:
        """Add a paragraph and its links; returns what it shows."""
        first = self._first(text, hint)
        self._line = self._lines.clamped(first + text.count("\n"))
        parts: list[str] = []
        shown: list[str] = []
        links: list[tuple[Span, Target]] = []
        at = 0
        for span in spans(text.replace(STAND_IN, " ")) if marked else ():
            target = self._target(text, span, first)
            if target is None and span.name is not None and span.url is None:
                continue  # a word that ends in an underscore
            between = text[at : span.start]
            ends = text.count("\n", span.start, span.end)
            parts += [between, STAND_IN + "\n" * ends if target else span.text]
            shown += [between, span.text]
            if target:
                links.append((span, target))
            at = span.end
        parts.append(text[at:])
        shown.append(text[at:])
        self._add(text, "".join(parts), first, links)
        return " ".join("".join(shown).split())

    def _add(self, text: str, shown: str, first: int, links: list[tuple[Span, Target]]) -> None:
        left = shown.lstrip()
        begin = first + shown.count("\n", 0, len(shown) - len(left))
        left = left.rstrip()
        if left.replace(STAND_IN, "").strip():
            where = self._where(begin, self._lines.clamped(begin + left.count("\n")))
            self.elements.append(Prose(where, left))
        for span, target in links:
            line = first + text.count("\n", 0, span.start)
            where = self._where(line, self._lines.clamped(line + text.count("\n", span.start, span.end)))
            self.elements.append(Link(where, target.url, target.raw, target.line, span.text))

    def _target(self, text: str, span: Span, first: int) -> Target | None:
        if span.url:
            return self._embedded(text, span, first)
        if span.anonymous:
            return self._targets.next_anonymous()
        return self._targets.named(span.name) if span.name else None


def _is_scope(node: nodes.Node) -> bool:
    """Whether a comment above a node speaks of all of it; of a list it speaks of the first item."""
    return not isinstance(node, _PASSED) and not isinstance(node.parent, nodes.system_message)


def _language(named: str) -> str:
    words = named.split()
    return "" if not words or words[0].lower() in {"none", "default", "text"} else words[0].lower()

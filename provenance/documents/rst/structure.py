"""Docutils' part: reStructuredText -> a tree of blocks, with every directive and every paragraph left as it stands.

This is the one module that imports docutils; import it where it is used. Docutils' directives and roles are not run: no
directive includes a file, fetches a URL or passes raw output through, and Sphinx's, which docutils does not know, are
read like its own. That is done by state classes of our own, so nothing that docutils keeps for all its users changes.
"""

from __future__ import annotations

import re
from copy import copy
from functools import cache
from typing import TYPE_CHECKING

from docutils import frontend, nodes, utils
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StateMachineWS, StringList

from provenance.documents.rst.pieces import MOST_EFFORT, effort, pieces, readable
from provenance.documents.rst.plain import runs

if TYPE_CHECKING:
    from optparse import Values
    from types import SimpleNamespace

CODE = frozenset(
    {
        "code",
        "code-block",
        "code-cell",
        "codeblock",
        "command-output",
        "doctest",
        "example-code",
        "highlight-block",
        "ipython",
        "jupyter-execute",
        "jupyter-input",
        "literal-block",
        "parsed-literal",
        "plot",
        "prompt",
        "pull-code",
        "sourcecode",
        "testcode",
        "testoutput",
        "testsetup",
    }
)
"""Directives whose content is preformatted."""

_VERBATIM = frozenset(
    {
        "csv-table",
        "digraph",
        "graph",
        "graphviz",
        "include",
        "inheritance-diagram",
        "literalinclude",
        "math",
        "mermaid",
        "productionlist",
        "raw",
        "toctree",
        "uml",
    }
)
"""Directives whose content is not reStructuredText."""

_WITHOUT_ARGUMENT = frozenset(
    {
        "attention",
        "caution",
        "danger",
        "epigraph",
        "error",
        "highlights",
        "hint",
        "important",
        "note",
        "pull-quote",
        "seealso",
        "tip",
        "todo",
        "warning",
    }
)
"""Directives whose first line is content already."""

_OPTION = re.compile(r":(?P<name>[\w.+-]{1,60}):(?:\s+(?P<value>.*))?$")
_NEVER = 5
"""Above the level of all messages: none is printed and none raises."""


class Chunk(nodes.inline):
    """The text of a paragraph, a title or the like, with its markup."""

    first = 0
    """The line on which docutils thinks that it stands."""


class Code(nodes.literal_block):
    """A block of code that a directive holds."""

    first = 0
    opening = 0
    """The directive's own line."""
    last = 0
    language = ""
    title = ""
    caption: tuple[str, int] | None = None
    """Its markup and its line."""


class Directive(nodes.container):
    """Any other directive, what is in it read where it can be."""

    called = ""
    argument = ""


def trees(lines: list[str]) -> list[nodes.document]:
    """The trees of a document's pieces, given its lines without tabs and without white space at their ends.

    What docutils would take too long for is read by its lines.
    """
    found = []
    left = MOST_EFFORT
    for begin, end in pieces(lines):
        piece = lines[begin:end]
        cost = effort(piece) if readable(piece) else left + 1
        found.append(_tree(piece, begin) if cost <= left else _plain(piece, begin))
        left -= cost if cost <= left else 0
    return found


def _tree(lines: list[str], offset: int) -> nodes.document:
    document = utils.new_document("document", _settings())
    machine = states.RSTStateMachine(state_classes=_STATES, initial_state="Body")
    numbered = StringList(lines, items=[("document", offset + at) for at in range(len(lines))])
    try:
        machine.run(numbered, document, input_offset=offset, inliner=_Inliner())
    except Exception:  # noqa: BLE001 - its own errors and those of its bugs, RecursionError among them
        return _plain(lines, offset)
    return document


def _plain(lines: list[str], offset: int) -> nodes.document:
    document = utils.new_document("document", _settings())
    for at, run, preformatted in runs(lines):
        text = "\n".join(run)
        if preformatted:
            block = nodes.literal_block(text, text)
            block.line = offset + at + 1
            document += block
        else:
            document += nodes.paragraph("", "", _chunk(text, offset + at + 1))
    return document


def _chunk(text: str, line: int) -> Chunk:
    chunk = Chunk(text, text)
    chunk.first = line
    return chunk


def _settings() -> Values:
    settings = copy(_defaults())
    settings.report_level = settings.halt_level = _NEVER
    settings.warning_stream = False
    settings.file_insertion_enabled = settings.raw_enabled = False
    return settings


@cache
def _defaults() -> Values:
    # Does not read docutils' configuration files.
    return frontend.get_default_settings(Parser)


class _Inliner(states.Inliner):
    """Leaves the markup of a paragraph to `provenance.documents.rst.inline`."""

    def init_customizations(self, settings: object) -> None:
        """Docutils makes its patterns of what stands in its own class, not in one derived from it."""
        inliner = states.Inliner()
        inliner.init_customizations(settings)
        self.patterns = inliner.patterns

    def parse(
        self,
        text: str,
        lineno: int,
        memo: SimpleNamespace,  # noqa: ARG002 - docutils names what it passes
        parent: nodes.Element,  # noqa: ARG002 - as above
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [_chunk(text, lineno)], []


class _Generic(states.RSTState):
    """What is added to each of docutils' states."""

    def __init__(self, state_machine: states.RSTStateMachine, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def directive(self, match: re.Match[str], **_: object) -> tuple[list[nodes.Node], bool]:
        """Read any directive."""
        machine = self.state_machine
        if not isinstance(machine, StateMachineWS):
            raise TypeError(machine)
        opening = machine.abs_line_number()
        content, _indent, offset, blank_finish = machine.get_first_known_indented(
            match.end(), strip_top=False
        )
        if not isinstance(content, StringList):
            raise TypeError(content)
        while content and not content[-1].strip():
            content.trim_end()
        name = match[1].lower().rpartition(":")[2]
        read = self._code if name in CODE else self._other
        return [read(name, content, offset, opening)], blank_finish

    def _code(self, name: str, content: StringList, offset: int, opening: int) -> Code:
        start, options = _options(content, 1)
        while start < len(content) and not content[start].strip():
            start += 1
        text = "\n".join(content[start:])
        code = Code(text, text)
        code.first, code.opening, code.last = offset + start + 1, opening, offset + max(1, len(content))
        argument = (content[0] if content else "").strip()
        code.language = _language(name, argument)
        if "caption" in options:
            value, at = options["caption"]
            code.caption = (value, offset + at + 1)
        code.title = next((options[key][0] for key in ("title", "filename") if key in options), "")
        return code

    def _other(self, name: str, content: StringList, offset: int, opening: int) -> Directive:
        node = Directive()
        node.called, node.line = name, opening
        head = 0
        if name not in _WITHOUT_ARGUMENT:
            while (
                head < len(content) and content[head].strip() and not (head and _OPTION.match(content[head]))
            ):
                head += 1
        argument = "\n".join(content[:head])
        if argument.endswith("::") and name not in _VERBATIM:
            head, argument = 0, ""
        node.argument = argument.strip()
        start, options = _options(content, head)
        told = [
            ("" if name == "highlight" else argument, offset + 1),
            *((value, offset + at + 1) for value, at in options.values()),
        ]
        verbatim = ("\n".join(content[start:]), offset + start + 1) if name in _VERBATIM else ("", 0)
        for text, line in (*told, verbatim):
            if text.strip():
                node += nodes.paragraph("", "", _chunk(text, line))
        if name not in _VERBATIM and start < len(content):
            self.nested_parse(content[start:], offset + start, node)
        return node


def _constructs() -> SimpleNamespace:
    """Docutils' table of what begins with `..`, with directives read by ours."""
    explicit: SimpleNamespace = copy(states.Body.explicit)
    theirs = states.Body.directive
    explicit.constructs = [
        (_Generic.directive if method is theirs else method, pattern)
        for method, pattern in explicit.constructs
    ]
    return explicit


def _options(content: StringList, start: int) -> tuple[int, dict[str, tuple[str, int]]]:
    """Where the options end that begin there, and each with its value and its place."""
    options: dict[str, tuple[str, int]] = {}
    at = start
    while at < len(content) and (option := _OPTION.match(content[at])):
        values = [option["value"] or ""]
        begin = at
        at += 1
        while at < len(content) and content[at].startswith(" ") and content[at].strip():
            values.append(content[at])
            at += 1
        options[option["name"].lower()] = ("\n".join(values), begin)
    return at, options


def _language(name: str, argument: str) -> str:
    if name in {"ipython", "doctest", "testcode", "testsetup", "testoutput", "parsed-literal", "plot"}:
        return {"doctest": "pycon", "testcode": "python", "testsetup": "python", "plot": "python"}.get(
            name, ""
        )
    return argument.split(maxsplit=1)[0].lower() if argument else ""


def _with_directives(state: type[states.RSTState]) -> type[states.RSTState]:
    # The state machine finds its states by the names of their classes, so these keep them.
    return type(state.__name__, (_Generic, state), {"nested_sm_cache": [], "explicit": _EXPLICIT})


_EXPLICIT = _constructs()
_STATES = tuple(_with_directives(state) for state in states.state_classes)

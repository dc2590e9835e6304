"""Documents, and which of their blocks are whose quotes."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.compare.judge import judge
from provenance.compare.quoting.choosing import MOST_JUDGED
from provenance.compare.quoting.pairing import pair
from provenance.document import Sheet
from provenance.documents.formats import read_document
from provenance.extract.lines import Text
from provenance.links.targets import FileLink

if TYPE_CHECKING:
    from provenance.evidence import Judgement

QUEUE = textwrap.dedent(
    """\
    import heapq
    from collections import deque


    class Queue:
        def __init__(self, limit):
            self.limit = limit
            self.items = deque()

        def push(self, item, *, force=False):
            if len(self.items) >= self.limit and not force:
                raise OverflowError("the queue is full")
            self.items.append(item)

        def pop(self):
            return self.items.popleft()
    """
)
MERGED = ["def merged(*queues):", "    return heapq.merge(*(queue.items for queue in queues))"]
QUEUE += "".join(f"\n# stage {n} of {n}\n" for n in range(20)) + "\n" + "\n".join(MERGED) + "\n"
PUSH, POP = QUEUE.split("\n")[9:13], QUEUE.split("\n")[14:16]
MISQUOTE = [line.replace("limit", "bound").replace("force", "forced") for line in PUSH]
REWRITTEN = [
    "def push(self, item):",
    "    # drop the oldest one",
    "    if self.count == CAPACITY:",
    "        self.buffer.rotate(-1)",
    "    self.buffer[self.count % CAPACITY] = item",
    "    self.count += 1",
]
FILES = {"queue.py": Text(QUEUE)}


def url(lines: str, path: str = "queue.py") -> str:
    return f"https://github.com/acme/lib/blob/0123456789012345678901234567890123456789/{path}#{lines}"


P, Q, M = url("L10-L13"), url("L15-L16"), url("L58-L59")
GONE = url("L10-L13", "gone.py")


def sheet(document: str, name: str = "a.md") -> Sheet:
    found = read_document(document.encode(), name, {})
    assert isinstance(found, Sheet)
    return found


def quotes(document: str, name: str = "a.md") -> list[str | None]:
    """The quote of each mention, as it was read."""
    found = sheet(document, name)

    def compare(mention: int, quote: str) -> Judgement | None:
        target = found.mentions[mention].target
        assert isinstance(target, FileLink)
        lines = target.anchor.lines if target.anchor else None
        text = FILES.get(target.path)
        return judge(quote, lines, text) if text and lines else None

    return [choice.reading.text if choice else None for choice in pair(found, compare)]


def fence(lines: list[str], language: str = "python") -> str:
    return "\n".join([f"```{language}", *lines, "```"])


def code(lines: list[str]) -> str:
    return "\n".join(lines)


NUMBERED = [f"{number}: {line}" for number, line in enumerate(PUSH, 10)]
SHELL = fence(["pip install queue", "python -m queue"], "console")
USAGE = fence(["queue = Queue(limit=3)", "queue.push(1)", "print(queue.pop())"])


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (f"[push]({P}):\n\n{fence(PUSH)}", [PUSH]),
        (f"[push]({P}):\n{fence(PUSH)}", [PUSH]),
        (f"{P}\n\n{fence(PUSH)}", [PUSH]),
        (f"[push]({P}) does it.\n\nIt is simple.\n\nLook:\n\n{fence(PUSH)}", [PUSH]),
        (f"{fence(PUSH)}\n\nfrom {P}", [PUSH]),
        (f"{fence(PUSH)}\n[Source]({P})", [PUSH]),
        (f"- [push]({P})\n\n  {fence(PUSH).replace(chr(10), chr(10) + '  ')}", [PUSH]),
        (f"1. [push]({P}):\n\n{fence(PUSH)}", [PUSH]),
        (f"[push]({P})\n\n<details>\n<summary>Code</summary>\n\n{fence(PUSH)}\n\n</details>", [PUSH]),
        (f"## [push]({P})\n\nIt adds an item.\n\n{fence(PUSH)}", [PUSH]),
        (f"[push]({P})\n\n{fence(MISQUOTE)}", [MISQUOTE]),
        # inside
        (fence([f"# {P}", *PUSH]), [PUSH]),
        (fence([f"# {P}", *MISQUOTE]), [MISQUOTE]),
        (fence([f"# {P}", *REWRITTEN]), [REWRITTEN]),
        (fence([f"# {P}", *PUSH, "", f"# {Q}", *POP]), [PUSH, POP]),
        (fence([*PUSH, f"# {P}"]), [PUSH]),
        (fence([f"# adapted from {P}", *REWRITTEN]), [None]),
        # frames
        (f"{P}\n\n{fence(NUMBERED)}", [PUSH]),
        (f"{P}\n\n{fence(['File: lib/queue.py', '', *NUMBERED])}", [PUSH]),
        (f"{P}\n\n{fence(['+' + line for line in PUSH], 'diff')}", [PUSH]),
        # several
        (f"[push]({P}):\n\n{fence(PUSH)}\n\n[pop]({Q}):\n\n{fence(POP)}", [PUSH, POP]),
        (f"{fence(PUSH)}\n[push]({P})\n\n{fence(POP)}\n[pop]({Q})", [PUSH, POP]),
        (f"[push]({P}) and [pop]({Q}):\n\n{fence(PUSH)}\n\n{fence(POP)}", [PUSH, POP]),
        (f"[pop]({Q}) calls [push]({P}):\n\n{fence(PUSH)}", [None, PUSH]),
        (f"[pop]({Q}) undoes\n\n[push]({P}):\n\n{fence(MISQUOTE)}", [None, MISQUOTE]),
        (f"[push]({P}):\n\n{fence(PUSH)}\n\nThat was [push]({P}).", [PUSH, PUSH]),
        (f"[push]({P})\n\n{fence(MISQUOTE)}\n\n[push]({P})", [MISQUOTE, MISQUOTE]),
        # beside other blocks
        (f"[push]({P}):\n\n{SHELL}\n\n{fence(PUSH)}", [PUSH]),
        (f"{USAGE}\n\n[push]({P}):\n\n{fence(PUSH)}", [PUSH]),
        # no quote
        (f"[push]({P}) has it all.", [None]),
        (f"[push]({P}) is in the package:\n\n{SHELL}", [None]),
        (f"[push]({P}) is easy to use:\n\n{USAGE}", [None]),
        (f"[push]({P}) was made anew:\n\n{fence(REWRITTEN)}", [None]),
        (f"[push]({P})\n\n## Next\n\n{fence(PUSH)}", [None]),
        (f"{fence(MERGED)}\n\nMuch later [push]({P}) is called.", [None]),
        (f"{fence(POP)}\n\n[This]({P}) is it.", [POP]),  # two lines off
        (f"[push]({P}) needs this:\n\n{fence(['import heapq'])}", [None]),
        # without content
        (f"[push]({GONE}):\n\n{fence(PUSH)}", [PUSH]),
        (f"[push]({GONE}):\n\n{SHELL}", [None]),
        (f"[push]({GONE}):\n\n{fence(NUMBERED)}", [PUSH]),
        (f"[one]({GONE}), [two]({url('L1', 'gone.py')}):\n\n{fence(PUSH)}", [PUSH, None]),
        (f"{fence(PUSH)}\n\nAs [push]({GONE}) shows, much later.", [PUSH]),  # as long as its range
        (f"{fence(POP)}\n\nAs [push]({GONE}) shows.", [None]),
    ],
)
def test_documents(document: str, expected: list[list[str] | None]) -> None:
    assert quotes(document) == [None if each is None else code(each) for each in expected]


def test_one_line_names_a_longer_quote() -> None:
    assert quotes(f"[push]({url('L10')}):\n\n{fence(PUSH)}") == [code(PUSH)]
    both = f"[push]({url('L10')}) checks [the limit]({url('L11')}):\n\n{fence(PUSH)}"
    assert quotes(both) == [code(PUSH), None]  # `anchored` is not shared: the second link stays as it is


def test_printed_numbers_part_a_block_of_several_places() -> None:
    shown = ["File: queue.py", "", *NUMBERED, "", *(f"{n}: {line}" for n, line in enumerate(POP, 15))]
    document = f"{P}\n\n{Q}\n\n{fence(shown)}"
    assert quotes(document) == [code(PUSH), code(POP)]


def test_numbers_tell_which_stretch_a_link_is_to() -> None:
    shown = ["File: queue.py", "", "2: from collections import deque", "", "58: def merged(*queues):"]
    assert quotes(f"{fence(shown)}\n{url('L2')}") == ["from collections import deque"]
    remarked = [
        "File: queue.py",
        "",
        "/// this should be said of the queue, and of its limit",
        "6: class Queue:",
    ]
    assert quotes(f"{fence(remarked)}\n{url('L5')}")[0] != "class Queue:"
    remarked[-1] = "5: class Queue:"
    assert quotes(f"{fence(remarked)}\n{url('L5')}") == ["class Queue:"]


def test_a_heading_below_code_is_its_caption() -> None:
    document = f"{fence(PUSH)}\n###### From [push]({P})\n\nText.\n\n{fence(POP)}\n###### From [pop]({Q})"
    assert quotes(document) == [code(PUSH), code(POP)]


def test_a_frame_is_off_where_nothing_comes_close() -> None:
    shown = ["File: queue.py", "", *(f"{n}: {line}" for n, line in enumerate(REWRITTEN, 10))]
    assert quotes(f"{P}\n\n{fence(shown)}") == [code(REWRITTEN)]


def test_a_page_without_tags_is_markdown() -> None:
    assert quotes(f"Take <code>push</code>\n[here]({P}):\n\n{fence(PUSH)}", "a.html") == [code(PUSH)]


def test_html() -> None:
    page = f'<p>See <a href="{P}">push</a>:</p><pre><code>{code(PUSH)}</code></pre>'
    assert quotes(page, "a.html") == [code(PUSH)]


def test_the_same_is_compared_once() -> None:
    found = sheet(
        f"[push]({P})\n\n{fence(USAGE.split(chr(10)))}\n\n{fence(PUSH)}\n\n{fence(PUSH)}\n\n{fence(NUMBERED)}"
    )
    seen: list[tuple[int, str]] = []

    def compare(mention: int, quote: str) -> Judgement | None:
        seen.append((mention, quote))
        return None

    pair(found, compare)
    assert len(seen) == len(set(seen)) <= MOST_JUDGED


PIECES = st.sampled_from(
    [
        f"[push]({P})",
        P,
        f"[gone]({GONE})",
        f"- [pop]({Q})",
        f"## [merged]({M})",
        f"[none]({url('L0')})",
        fence(PUSH),
        fence(MISQUOTE, "rust"),
        fence(POP, ""),
        fence([f"# {P}", *PUSH, f"# {Q}", *POP, f"# {GONE}"]),
        fence(NUMBERED),
        SHELL,
        "Some prose.",
        "<details>",
        "</details>",
    ]
)


@settings(max_examples=50)
@given(st.lists(PIECES, max_size=8).map("\n\n".join))
def test_quotes_are_made_of_the_document(document: str) -> None:
    found = quotes(document)
    assert quotes(document) == found
    for quote in found:
        assert quote is None or all(line in document for line in quote.split("\n"))

"""What surrounds elements: the containers they are nested in, and the captions that belong to code."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from provenance.documents.html.drafts import CodeDraft

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from provenance.documents.html.drafts import Draft
    from provenance.documents.numbering import Numbering

DEEPEST = 32
"""How many containers an element names; those further in are left out."""

_CONTAINERS = frozenset({"li", "dd", "details", "blockquote", "tr", "figure", "div"})


class Nests:
    """The containers that are open."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._open: list[int] = []
        self._soft: set[int] = set()
        self.current: tuple[int, ...] = ()

    def counts(self, name: str) -> bool:
        """Whether an element of that name is a container."""
        return name in _CONTAINERS

    def open(self, *, soft: bool = False) -> Callable[[int], None]:
        """One begins; what is returned ends it. A soft one is named only where that tells something."""
        number = self._numbering.open_nest()
        self._open.append(number)
        if soft:
            self._soft.add(number)
        self._changed()
        return self._close

    def reduced(self, drafts: Iterable[Draft]) -> dict[tuple[int, ...], tuple[int, ...]]:
        """For each nest of these drafts what remains of it: of `<div>`s those that hold one block and something else.

        Such a one frames a block with its link or its title; most others are the page's layout.
        """
        blocks: Counter[int] = Counter()
        others: Counter[int] = Counter()
        nests = set()
        for draft in drafts:
            nests.add(draft.nest)
            (blocks if isinstance(draft, CodeDraft) else others).update(self._soft.intersection(draft.nest))
        frames = {each for each in self._soft if blocks[each] == 1 and others[each]}
        return {
            nest: tuple(each for each in nest if each not in self._soft or each in frames) for nest in nests
        }

    def _close(self, _: int) -> None:
        self._open.pop()
        self._changed()

    def _changed(self) -> None:
        if len(self._open) <= DEEPEST:
            self.current = tuple(self._open)


class Captions:
    """Which caption belongs to which code: a figure's to all in it, another's to what comes next beside it."""

    def __init__(self) -> None:
        self._loose: list[CodeDraft] = []
        """Code without a caption, that in the open figures last."""
        self._figures: list[tuple[int, list[tuple[int, int, str]]]] = []
        self._waiting: list[tuple[int, tuple[int, int, str]]] = []
        self._shown: list[list[str]] = []

    def begin(self) -> None:
        """A caption begins."""
        self._shown.append([])

    def add(self, text: str) -> None:
        """Text, which may be a caption's."""
        if self._shown:
            self._shown[-1].append(text)

    def end(self, first: int, behind: int, around: int | None) -> None:
        """A caption ends whose elements have these orders; it is that of the figure, or of code within that depth."""
        title = " ".join("".join(self._shown.pop()).split())
        if first == behind:
            return
        caption = (first, behind - 1, title)
        if around is not None:
            self._waiting.append((around, caption))
        elif self._figures:
            self._figures[-1][1].append(caption)

    def open_figure(self) -> Callable[[int], None]:
        """A figure begins; what is returned ends it."""
        self._figures.append((len(self._loose), []))
        return self._close_figure

    def give(self, code: CodeDraft) -> None:
        """Code begins."""
        if self._waiting:
            first, last, code.title = self._waiting.pop()[1]
            code.caption = (first, last)
        else:
            self._loose.append(code)

    def forget(self, depth: int) -> None:
        """Only that many elements are open now: captions further in have found no code."""
        while self._waiting and self._waiting[-1][0] >= depth:
            self._waiting.pop()

    def _close_figure(self, _: int) -> None:
        begin, captions = self._figures.pop()
        if not captions:
            return
        first, last, title = captions[0]
        for code in self._loose[begin:]:
            if not first <= code.order <= last:
                code.caption = (first, last)
                code.title = code.title or title
        del self._loose[begin:]

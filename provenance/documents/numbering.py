"""The numbers that elements bear: their order, their sections and the containers around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from provenance.document import Block, Ignore, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from provenance.document import Element


@dataclass(slots=True)
class Numbering:
    """Counts what the readers of a document meet. A part that was read on its own is adopted."""

    order: int = 0
    """The next element's."""
    section: int = 0
    """The current one."""
    nests: int = 0
    """How many containers there were."""
    cell: int | None = None
    """The notebook's cell that is being read."""

    def where(
        self, line: int, last: int | None = None, nest: tuple[int, ...] = (), *, heading: bool = False
    ) -> Where:
        """The place of the next element; one line where no last line is given."""
        order = self.order
        self.order += 1
        last = line if last is None else last
        return Where(line, last, order, self.section, nest, self.cell, heading)

    def open_section(self) -> None:
        """A heading begins, or something else that parts what stands before it from what follows."""
        self.section += 1

    def open_nest(self) -> int:
        """A container begins: its number."""
        self.nests += 1
        return self.nests

    def adopt(self, elements: Iterable[Element], nest: tuple[int, ...] = ()) -> Iterator[Element]:
        """The elements of a part, which counts from its own start, as elements of the whole.

        Args:
            elements: as a reader of the part yields them.
            nest: the containers that the part stands in.
        """
        order, section, nests = self.order, self.section, self.nests
        for element in elements:
            where = element.where
            own = 0 if isinstance(element, Ignore) else 1
            self.order = max(self.order, order + where.order + own)
            self.section = max(self.section, section + where.section)
            self.nests = max(self.nests, nests + max(where.nest, default=0))
            moved = replace(
                where,
                order=order + where.order,
                section=section + where.section,
                nest=(*nest, *(nests + each for each in where.nest)),
                cell=self.cell,
            )
            if isinstance(element, Block) and element.caption is not None:
                first, last = element.caption
                yield replace(element, where=moved, caption=(order + first, order + last))
            elif isinstance(element, Ignore) and element.covers is not None:
                first, behind = element.covers
                yield replace(element, where=moved, covers=(order + first, order + behind))
            else:
                yield replace(element, where=moved)

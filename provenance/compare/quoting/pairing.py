"""Which block of a document is the quote of which of its links. Pure: comparing is handed in.

    def compared(mention: int, quote: str) -> Judgement | None:
        content = contents.get(mention)  # None: not to be had, or no text
        return judge(quote, lines[mention], content) if content else None

    for mention, choice in zip(sheet.mentions, pair(sheet, compared), strict=True):
        quote = choice.reading.text if choice else None
        notes = choice.reading.notes if choice else ()

Every mention of the sheet counts, since a link owns the block that is nearest to it: what is no citation after all (a
place in running text where no repository is configured) is to be left out of the sheet beforehand.

Likelihoods, factors and thresholds in this package were set by hand: so that 68 citations of known documents get their
quotes, and that blocks of one language beside files of another project (321 pairs) are none. How they do elsewhere
stands in bench/README.md; whoever changes one should look there, and run `python -m bench.documents`.

Three steps, each of which can be had alone:

- `candidates.candidates`: the blocks that may be a mention's quote, by where they stand and what they look like, each
  with the ways in which it can be read (`frames.frames`: without line numbers, without a header ...);
- `choosing.unjudged`: which of them to compare next, and when enough is known;
- `choosing.choose`: at most one for each mention. What stands at the cited place wins; what merely resembles it has to
  resemble it much, or to say itself that it is the quote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from provenance.compare.quoting.candidates import candidates
from provenance.compare.quoting.choosing import choose, unjudged
from provenance.compare.quoting.weighing import Option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from provenance.compare.quoting.relations import Candidate
    from provenance.document import Sheet
    from provenance.evidence import Judgement


def pair(sheet: Sheet, compare: Callable[[int, str], Judgement | None]) -> tuple[Option | None, ...]:
    """For each mention of a sheet its quote; None where it has none.

    Args:
        sheet: The document.
        compare: Compares a text with what a mention (by its place in the sheet) cites; None where that is not to be
            had. It is asked the same at most once, and at most `choosing.MOST_JUDGED` times for a mention.
    """
    return choose([_options(mention, every, compare) for mention, every in enumerate(candidates(sheet))])


def _options(
    mention: int, every: Sequence[Candidate], compare: Callable[[int, str], Judgement | None]
) -> list[Option]:
    options: list[Option] = []
    known: dict[str, Judgement | None] = {}
    while question := unjudged(every, options):
        candidate, reading = question
        if reading.text not in known:
            known[reading.text] = compare(mention, reading.text)
        options.append(Option(candidate, reading, known[reading.text]))
    return options

"""Histories of made-up files in which it is known where every line is at every commit."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from support.fiction import Language
from support.histories import Grown
from support.ledger import Asked
from support.rewriting import Rewriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from support.ledger import Page, Tree

_LANGUAGES = (
    *(Language.PYTHON,) * 3,
    *(Language.JAVASCRIPT,) * 2,
    Language.GO,
    Language.YAML,
    Language.MARKDOWN,
)


@dataclass(slots=True)
class Chronicle:
    """Commits, by name in the order in which they were made, with the trees that they hold."""

    trees: dict[str, Tree] = field(default_factory=dict)
    parents: dict[str, list[str]] = field(default_factory=dict)
    done: dict[str, list[str]] = field(default_factory=dict)
    """What was done in each commit, for people."""

    @property
    def last(self) -> str:
        """The name of the newest commit."""
        return next(reversed(self.trees))

    def add(self, tree: Tree, done: list[str], *parents: str) -> str:
        """Make a commit, and give its name."""
        name = f"c{len(self.trees)}"
        self.trees[name], self.parents[name], self.done[name] = dict(tree), list(parents), done
        return name

    def commits(self) -> dict[str, Grown]:
        """What `support.histories.grow` makes a repository of."""
        return {
            name: Grown(parents, _written(self.trees[parents[0]] if parents else {}, self.trees[name]))
            for name, parents in self.parents.items()
        }


def chronicle(seed: int, commits: int, files: int = 8, pieces: int = 9) -> Chronicle:
    """Make a history.

    Args:
        seed: the same one gives the same history.
        commits: how many, of which some are merges, and some take back what the one before did.
        files: how many there are at first.
        pieces: how many functions or sections a file has at first.
    """
    random = Random(seed)  # noqa: S311 - it is to be the same each time
    rewriter = Rewriter(random)
    made = Chronicle()
    languages = [_LANGUAGES[number % len(_LANGUAGES)] for number in range(files)]
    tree = {rewriter.path(one): rewriter.page(one, pieces) for one in languages}
    made.add(tree, [])
    while len(made.trees) < commits:
        kind = random.random()
        if kind < 0.1 and len(made.trees) + 3 < commits:
            _merge(made, rewriter, random)
        elif kind < 0.14 and len(made.trees) > 2:
            _take_back(made)
        else:
            _commit(made, rewriter, random, made.last)
    return made


def asked(tree: Tree, seed: int, count: int) -> Iterator[Asked]:
    """Ranges of a tree: whole pieces, windows and single lines; none begins or ends empty, or within one call."""
    random = Random(seed)  # noqa: S311
    paths = sorted(tree)
    while count:
        path = random.choice(paths)
        page = tree[path]
        found = _whole(path, page, random) if random.random() < 0.4 else _window(path, page, random)
        if found is not None:
            count -= 1
            yield found


def _whole(path: str, page: Page, random: Random) -> Asked | None:
    piece, first, last = random.choice(list(page.spans()))
    return None if piece.is_fixed else Asked(path, first, last, piece.key)


def _window(path: str, page: Page, random: Random) -> Asked | None:
    lines = page.lines
    first = random.randrange(len(lines))
    last = min(len(lines) - 1, first + random.choice((0, 0, 2, 4, 7, 11)))
    edges = [(first - 1, first), (last, last + 1)]
    is_cut = any(
        one > 0 and other < len(lines) and lines[one].tags & lines[other].tags for one, other in edges
    )
    is_told = lines[first].says and lines[last].text.strip() and len(lines[first].text.strip()) > 8
    return Asked(path, first + 1, last + 1) if is_told and not is_cut else None


def _commit(
    made: Chronicle, rewriter: Rewriter, random: Random, parent: str, untouched: Sequence[str] = ()
) -> str:
    tree = dict(made.trees[parent])
    done = [rewriter.change(tree, untouched)]
    while done[-1] != "copy" and random.random() < 0.5:  # what is copied and edited at once could be either
        done.append(rewriter.change(tree, untouched))
    return made.add(tree, done, parent)


def _merge(made: Chronicle, rewriter: Rewriter, random: Random) -> None:
    """Two branches that change other files than each other, and a merge of them."""
    fork = made.last
    paths = sorted(made.trees[fork])
    random.shuffle(paths)
    ours, theirs = paths[::2], paths[1::2]
    one = _commit(made, rewriter, random, fork, theirs)
    other = _commit(made, rewriter, random, fork, ours)
    other = _commit(made, rewriter, random, other, ours)
    left, right = made.trees[one], made.trees[other]
    tree = {path: page for path, page in left.items() if path not in theirs}
    tree |= {path: page for path, page in right.items() if path not in ours}
    made.add(tree, ["merge"], one, other)


def _take_back(made: Chronicle) -> None:
    """Make all as it was before the newest commit."""
    (parent, *_) = made.parents[made.last]
    made.add(made.trees[parent], ["revert"], made.last)


def _written(old: Tree, new: Tree) -> dict[str, str | bytes | None]:
    """What a commit writes on top of its parent."""
    gone: dict[str, str | bytes | None] = dict.fromkeys(old.keys() - new.keys())
    return gone | {path: page.text for path, page in new.items() if page != old.get(path)}

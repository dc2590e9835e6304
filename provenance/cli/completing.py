"""What a shell offers for an argument: files, citations, places, sources. Nobody is asked, and nothing is said.

A function here is the `shell_complete` of a parameter; click calls it with the context as far as it is known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import click
    from click.shell_completion import CompletionItem

_Found = TypeVar("_Found")

_MOST = 200
"""Values that are offered at the most."""
_WORD = re.compile(r"[\w./@%+][\w./@%+:#=-]*")
"""What is offered: text from outside that no shell takes for more than a word."""


def files(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Files and folders, which the shell itself knows."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def folders(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Folders."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]


def ids(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of citations."""
    from provenance.store import names

    found = _asked(lambda where: names.ids(where, incomplete, _MOST), ctx)
    return _items(((item.id, item.path) for item in found), incomplete)


def locators(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What `prov show` takes: ids, and cited places by their path or by the name of their file."""
    from provenance.store import names

    begin = incomplete.rpartition(":")[0] or incomplete
    found = _asked(lambda where: names.places(where, begin, _MOST), ctx)
    paths = [(f"{path}:{lines}" if lines else path, "") for path, lines in found]
    whole = _items(paths, incomplete)
    ends = _items([(f"{path.rpartition('/')[2]}", "") for path, _ in paths], incomplete)
    return [*ids(ctx, parameter, incomplete), *(whole or ends)]


def sources(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of sources."""
    from provenance.store import names

    found = _asked(lambda where: names.sources(where, incomplete, _MOST), ctx)
    return _items(((name, "") for name in found), incomplete)


def targets(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Where `prov drift` may go: a source, with what sets its revision apart; a revision is for the user to know."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(f"{item.value}=") for item in sources(ctx, parameter, incomplete)]


def _asked(ask: Callable[[str], list[_Found]], ctx: click.Context) -> list[_Found]:
    """What the evidence database of a command says; nothing where there is none, or it cannot be read."""
    from provenance.cli.options import Reach
    from provenance.errors import ProvError

    reach = ctx.ensure_object(Reach)
    try:
        return ask(reach.database(reach.project()))
    except (ProvError, OSError):
        return []


def _items(values: Iterable[tuple[str, str]], incomplete: str) -> list[CompletionItem]:
    """Values that begin as what was typed does, each once, with what is said of it."""
    from click.shell_completion import CompletionItem

    chosen = {
        value: said
        for value, said in values
        if value.startswith(incomplete) and _WORD.fullmatch(value) is not None
    }
    # What a shell shows beside a value is divided from it by a colon.
    return [
        CompletionItem(value, help=said if _WORD.fullmatch(said) and ":" not in value else None)
        for value, said in chosen.items()
    ]

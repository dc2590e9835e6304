"""Completion by a shell: `_PROV_COMPLETE=bash_source prov` prints what the shell is to load, and that calls back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from click.shell_completion import (
    BashComplete,
    add_completion_class,
    get_completion_class,
    shell_complete,
    split_arg_string,
)

from provenance.cli.exits import Exit
from provenance.errors import UsageError

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

VARIABLE = "_PROV_COMPLETE"
"""Says that a shell asks, and what: `bash_source`, `zsh_complete`."""

_BREAKS = "./@%+:#=-"
"""What may stand within a word of ours, and bash may take for a word of its own."""
_USUAL_BREAKS = ":=@"
"""Those that bash has in `COMP_WORDBREAKS` if nobody changed it."""

_BASH = """\
%(complete_func)s() {
    local kind value
    COMPREPLY=()
    while IFS=, read -r kind value; do
        case $kind in
            plain)
                COMPREPLY+=("$value")
                [[ $value != *= ]] || compopt -o nospace
                ;;
            file) compopt -o default ;;
            dir) compopt -o dirnames ;;
        esac
    done < <(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD COMP_WORDBREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
}

complete -o nosort -F %(complete_func)s %(prog_name)s
"""


def complete(command: click.Command, instruction: str) -> int:
    """Answer a shell; the exit code.

    Args:
        command: what is completed.
        instruction: the value of `VARIABLE`.

    Raises:
        UsageError: there is no such instruction.
    """
    shell, _, what = instruction.partition("_")
    if get_completion_class(shell) is None or what not in {"source", "complete"}:
        message = f"{VARIABLE}={instruction}: expected bash_source, zsh_source or fish_source"
        raise UsageError(message)
    try:
        return shell_complete(command, {}, "prov", VARIABLE, instruction)
    except (LookupError, ValueError, UsageError) as error:
        if what == "complete":  # a shell that asks at every key is not talked to
            return Exit.USAGE
        raise UsageError(str(error)) from error


@add_completion_class
class Bash(BashComplete):
    """For bash: words that it breaks, such as at a colon, are one, and only what is not typed yet is offered."""

    source_template = _BASH
    _typed = ""
    """What of the last word bash does not replace."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that one."""
        words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
        breaks = "".join(set(os.environ.get("COMP_WORDBREAKS", _USUAL_BREAKS)) & set(_BREAKS))
        before = glued(words[: at + 1], breaks)
        incomplete = before.pop() if at < len(words) else ""
        self._typed = incomplete[: max((incomplete.rfind(each) for each in breaks), default=-1) + 1]
        return before[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """One line of the answer."""
        return f"{item.type},{str(item.value).removeprefix(self._typed)}"


def glued(words: list[str], breaks: str) -> list[str]:
    """Words of bash, those at characters that break words put together again."""
    found: list[str] = []
    is_open = False
    for word in words:
        is_break = bool(word) and set(word) <= set(breaks)
        if found and (is_open or is_break):
            found[-1] += word
        else:
            found.append(word)
        is_open = is_break
    return found

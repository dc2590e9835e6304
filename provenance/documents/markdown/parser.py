"""markdown-it, set up so that what it finds can be found in the document again."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from provenance.documents.markdown.highlight import highlight
from provenance.documents.markdown.quotations import lazy, quotation

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    Rule = Callable[[StateInline, bool], bool]

SPAN = "span"
"""The key of a token's `meta` under which stand the offsets, in the inline text, of what the token was made of."""
DESTINATION = "destination"
"""The key for the offset at which the destination of a link begins; a link by reference has none."""
LABEL = "label"
"""markdown-it's own key for the normalised label of a link by reference."""

_SPANNED = frozenset({"link_open", "image", "html_inline", "code_inline"})

_NESTING = 40
"""How deep lists (two a list), quotations and brackets stand in one another; what is deeper is left out.

markdown-it needs so many steps for each of a run of brackets."""


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """CommonMark with tables and strikethrough. It keeps no state between documents."""
    from markdown_it import MarkdownIt, rules_inline

    class Parser(MarkdownIt):
        """Leaves addresses as they are written."""

        def normalizeLink(self, url: str) -> str:  # noqa: N802 # markdown-it's name
            return url

        def validateLink(self, url: str) -> bool:  # noqa: N802 # markdown-it's name
            return url is not None

    made = Parser("commonmark", {"maxNesting": _NESTING, "store_labels": True})
    made.enable(["table", "strikethrough"])
    made.block.ruler.before(
        "fence", "highlight", highlight, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    made.block.ruler.at("blockquote", quotation, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    made.block.ruler.before("blockquote", "lazy", lazy, {"alt": ["blockquote"]})
    made.inline.ruler.at("link", _spanned(rules_inline.link))
    made.inline.ruler.at("autolink", _spanned(rules_inline.autolink))
    made.inline.ruler.at("backticks", _spanned(rules_inline.backtick))
    made.inline.ruler.at("image", _spanned(rules_inline.image))
    made.inline.ruler.at("html_inline", _spanned(rules_inline.html_inline))
    return made


def _spanned(rule: Rule) -> Rule:
    """A rule that says of its token where in the text it stands."""

    def run(state: StateInline, silent: bool) -> bool:
        start, count = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        if not silent:
            # The text that stood before it can have become a token of its own in front. There is none where
            # backticks are only text.
            for token in state.tokens[count : count + 2]:
                if token.type in _SPANNED and SPAN not in token.meta:
                    token.meta[SPAN] = (start, state.pos)
                    if token.type == "link_open":
                        _find_destination(state, token, start)
                    break
        return True

    return run


def _find_destination(state: StateInline, token: Token, start: int) -> None:
    """Where the address of an inline link or an autolink begins."""
    if token.markup == "autolink":
        token.meta[DESTINATION] = start + 1
    elif LABEL not in token.meta:
        # The rule has been here: what it skipped is remembered, and is not read again.
        position = state.md.helpers.parseLinkLabel(state, start, True) + 2
        while state.src[position] in " \t\n":
            position += 1
        token.meta[DESTINATION] = position

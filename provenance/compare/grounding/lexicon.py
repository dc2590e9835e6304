"""Words that look like names of code and are none, or are everybody's."""

from __future__ import annotations

import keyword


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BRANDS = _words("arxiv biorxiv medrxiv fasttext spacy camelcase snake_case")
"""Proper names with a capital inside, and the names of the spellings themselves, in small letters."""

MATHEMATICS = _words(
    "max min sin cos tan sinh cosh tanh exp log ln sqrt abs sum prod mean var cov std softmax sigmoid argmax argmin"
    " floor ceil sign sgn det trace erf gcd lcm mod diag rank dim poly"
)
"""Functions of formulas: `max(0, x)` is no call of the code's own."""

REMINDERS = _words("TODO FIXME XXX HACK NOTE BUG")
"""With a person's name in brackets behind them."""

ENDINGS = _words("s es ies ed d ing er r al ly n en or ity ness")
"""`layer(s)` is a word in two forms, and no call."""

ENGLISH = _words(
    "The This That These Those It Its An In On At If And But Or When Where While For From With As So Then There Here"
    " We They He She You To By Of Not No All Each Both Also See Use Uses Note"
)
"""What a sentence begins with, where the space behind the full stop before it is missing: `end.The`."""

KEYWORDS = frozenset(map(str.lower, keyword.kwlist)) | _words(
    "self cls this super null nil undefined true false void var let const static public private protected new delete"
    " function func fn def end then elsif switch case default do until struct enum union typedef"
    " bool boolean int integer float double str string char byte bytes unsigned signed long short"
    " list dict tuple set map array object"
)
"""Words of the languages themselves and their everyday types, in small letters."""

CODE_ROLES = _words("func meth class mod attr data obj exc const type var macro member any code option")
"""Roles of reStructuredText before code: `:func:`, `:class:`. Behind `:rfc:` or `:ref:` there is none."""

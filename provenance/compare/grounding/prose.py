"""What in a sentence says nothing about code, though it has digits, dots or underscores as code has them.

Addresses and paths, references to sections, pages and standards, versions, dates, examples. They are taken out before
a claim's names and numbers are believed.
"""

from __future__ import annotations

import re

_NUMBER = r"[0-9]+(?:\.[0-9]+)*[a-z]?(?!\w)"
_JOINT = r"(?:\s?[,\u2010-\u2015/-]\s?|,?\s(?:and|to|or|through)\s)"
_NUMBERS = rf"{_NUMBER}(?:\)?{_JOINT}\(?{_NUMBER})*"

_ADDRESS = r"[a-z][a-z0-9+]{1,12}://[^\s<>`]+|(?<![\w.+@-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_HOST = r"(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|edu|gov|ai|dev|github\.io|readthedocs\.io|co\.uk)\b(?![(\w])"

_EXTENSION = (
    r"(?:pyi?|pyx|ipynb|cc?|cpp|cxx|hh?|hpp|cuh?|m?jsx?|tsx?|java|kt|rs|go|rb|php|cs|swift|scala|sh|bat|sql|html?|s?css"
    r"|xml|jsonl?|ya?ml|toml|ini|cfg|md|rst|txt|tex|pdf|csv|tsv|png|jpe?g|gif|svg|whl|dll|exe|tar|gz|npz|pth?|ckpt|onnx"
    r"|proto|patch)"
)
_FOLDER = r"[\w.@+-]+"
_PATH = (
    rf"(?<![\w/.~@+-])(?:(?:~|\.\.?)?/{_FOLDER}(?:/{_FOLDER})*/?"
    rf"|(?=[\w.@+-]*[A-Za-z]){_FOLDER}(?:/{_FOLDER}){{2,}}/?"
    rf"|[\w.@+-]+/[\w@+-]+(?:\.[\w@+-]+)*\.{_EXTENSION}(?![\w(])"
    rf"|[\w@+*-]*(?:\.[\w@+-]+)*\.{_EXTENSION}(?![\w(]))"
)
"""One that begins as paths do, one through two folders, or one with an extension that code and its like have."""

_PLACES = (
    r"sections?|sect?\.|\u00a7+|fig(?:ure)?s?\.?|tab(?:le|\.)s?|eqn?s?\.|equations?|formulas?|chapters?|ch\."
    r"|appendi(?:x|ces)|pages?|pp?\.|pgs?\.|lines?|steps?|stages?|phases?|parts?|items?|points?|rules?|notes?|footnotes?"
    r"|theorems?|lemmas?|algorithms?|listings?|examples?|exercises?|questions?|paragraphs?|clauses?|refs?\.?"
    r"|references?|vol(?:ume)?s?\.?|no\.|issues?|bugs?|tickets?|pull\srequests?|prs?|gh|commits?|revisions?|rev\.|cve"
    r"|draft"
)
_STANDARDS = (
    r"rfcs?|peps?|eeps?|bcp|std\.?|iso(?:[/ ]iec)?|iec|ieee|ecma|ansi|fips|nist|posix|unicode|utf|latin"
)
_PRODUCTS = (
    r"versions?|ver\.|releases?|c?python|pypy|cuda|java|jdk|html|http|css|es|php|perl|ruby|node|windows|ubuntu|debian"
    r"|fedora|centos|rhel|mac\s?os(?:\sx)?|android|ios|linux|g?libc|gcc|clang|llvm|c\+\+|numpy|scipy|pandas|torch"
    r"|pytorch|tensorflow|keras|django|pydantic|pytest|mypy|pip|setuptools|git|openssl|sqlite|mysql|postgres(?:ql)?"
    r"|(?:ms)?sql(?:\sserver)?|oracle"
)
_REFERENCE = (
    rf"(?<![\w-])(?:{_PLACES}|{_STANDARDS}|(?:{_PRODUCTS})(?:\s?[<>=~]{{1,2}}\s?)?)"
    rf"(?:\s(?:before|after|since|until|through|prior\sto)\s|[\s~#:(\[-]{{0,3}}){_NUMBERS}\+?[)\]]?"
)
"""Only versions are compared: `steps = 17` and `page < 12` say something of code."""
_TICKET = r"(?<![\w&])#[0-9]+\b|(?<![\w)\]])\[[0-9]{1,3}\]|(?<=\w)\s?\[[0-9]{1,3}\]"

_SINCE = (
    r"(?:new|added|dropped|removed|deprecated|changed|introduced|supported|fixed|broken|available|required)"
    r"\s(?:in|since|as\sof)|since|prior\sto|as\sof|(?:older|earlier|newer|later)\sthan|deprecated"
    r"|(?:version-?(?:added|changed|removed)|deprecated)::"
)
_QUANTITY = (
    r"(?:dropout|rate|momentum|decay|smoothing|temperature|scale|epsilon|alpha|beta|gamma|lambda|bleu|lr)"
)
"""What has a value and no versions, though a capital may begin it."""
_VERSION = (
    r"(?<![\w.])(?:v\.?\s?[0-9]+(?:\.[0-9]+)*\w*|[0-9]+(?:\.[0-9]+){2,}[\w+-]*|[0-9]+(?:\.[0-9]+)+\+(?![\w.])"
    r"|[0-9]+(?:\.[0-9]+)*\s(?:and|or)\s(?:earlier|later|newer|older)\b"
    rf"|(?:{_SINCE})\s[<>=~]{{0,2}}\s?[0-9]+(?:\.[0-9]+)+(?!\w))"
    rf"|\b(?!{_QUANTITY}\b)"
    r"(?:(?<=\w\s)(?-i:[A-Z](?:[^\W_]|[+-])*)|(?-i:[A-Z][A-Z0-9]+|[A-Z][a-z]+[A-Z][^\W_]*))"
    r"\s(?:[<>~=]=|[<>~])?\s?[0-9]+\.[0-9]+(?!\w|\.\w)"
)
"""Also a number with a point behind a proper name: `TLS 1.3`, `TensorFlow >= 1.4`, but not `P_drop = 0.1`."""
_FAMILY = r"(?<![\w.])[a-z]+-?[0-9]+(?:[/-][0-9]+)+(?!\w)"
"""`SHA384/512`, `x86-64`."""

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:19[5-9][0-9]|20[0-3][0-9])"
_YEARS = rf"{_YEAR}[a-z]?(?:;\s{_YEAR}[a-z]?){{0,9}}"
_NO_UNIT = r"[ \t]*(?:[;:)\]\n]|[.,!?](?![0-9])|$)|\s(?:on|onwards?|the|it|when|where)\b"
"""What stands behind a year, and not behind a number of things: `at 2018.`, but not `at 2000 steps`."""
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s?[ap]\.?m\b)?"
_DATE = (
    r"(?<![\w.])(?:[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.]+Z?)?)?(?!\w)|[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}(?!\w)"
    rf"|{_CLOCK}(?![\w:])|[0-9]{{1,2}}\s?[ap]\.?m\b|{_YEAR}\s?[\u2010-\u2015-]\s?{_YEAR}(?!\w)"
    rf"|[0-9]{{1,2}}[ -]{_MONTH}(?:[ -][0-9]{{4}})?(?!\w)|{_MONTH}\s+[0-9]{{1,2}}(?!\w)"
    rf"|{_MONTH}\s+(?:[0-9]{{1,2}}(?:st|nd|rd|th)?,?\s)?(?:{_CLOCK}\s)?[0-9]{{4}}(?!\w)"
    rf"|(?:in|since|until|till|before|after|circa|prior\sto|al\.,?|see(?:\salso)?)\s\(?{_YEAR}[a-z]?(?!\w|\.[0-9])"
    rf"|(?:at|by|from)\s{_YEAR}(?={_NO_UNIT})"
    rf"|(?-i:[A-Z][a-z]+)(?:,\s{_YEAR}[a-z]?(?=[,;)])|\s{_YEAR}[a-z]?(?=[;)])))"
    rf"|\b(?-i:[A-Z]{{2,}}[A-Za-z]*)\s{_YEAR}(?!\w)|\({_YEARS}\)|(?<![\w)\]])\[{_YEARS}\]|,\s{_YEAR}(?=[);])"
    rf"|{_YEAR}\s(?=paper|article|report|edition|release|version|standard|draft|conference)"
    r"|(?:copyright|\u00a9|\(c\))[^.\n`]{0,80}"
)
_COMMIT = r"(?<![\w.])(?=[0-9]{0,40}[a-f])(?=[a-f]{0,40}[0-9])(?![0-9]+e[0-9]+\b)[0-9a-f]{7,40}(?!\w)"

_BULLET = (
    r"(?m:^)[ \t]*(?:[0-9]{1,2}[.)]|\([0-9]{1,2}\)|[0-9]+(?:\.[0-9]+)+\s(?=(?-i:[A-Z])))(?=\s)"
    r"|(?<=[.;:!?,]\s)(?:[0-9]{1,2}\.|\(?[0-9]{1,2}\))(?=\s\w)"
)
"""At the beginning of a line, or as a list within a sentence has them."""
_SERIES = r"(?<![\w.])[0-9.]++(?:,\s?[0-9.]++){1,20}+,?\s?(?:\u2026|\.\.\.)"
"""`1, 2, 5, 10, …`"""
_CLASS = r"\[\^?[\w-]{0,10}0-9[\w-]{0,10}\]|(?<![\w.-])0-9(?![\w.-])"
"""Of a regular expression, or in words: `[0-9a-f]`, digits 0-9."""
_EXAMPLE = r"\b(?:e\.\s?g\.|for\s(?:example|instance)\b|ex:)[^;)\n]{0,200}?(?=[;)\n]|[.:]\s|$)"

_PLACE = f"{_ADDRESS}|{_PATH}|{_HOST}"
_CITED = f"{_DATE}|{_REFERENCE}|{_TICKET}|{_VERSION}|{_FAMILY}|{_COMMIT}"
_WHERE = re.compile(_PLACE, re.IGNORECASE)
_ASIDE = re.compile(f"{_EXAMPLE}|{_PLACE}|{_CITED}|{_BULLET}|{_SERIES}|{_CLASS}", re.IGNORECASE)
_ANY = re.compile(r"[0-9]|\.\w|/\w|e\.g|for ")
"""Without one of these there is nothing to take out."""


def stated(text: str) -> str:
    """The text with blanks for what says nothing about code; every other character keeps its place."""
    return _ASIDE.sub(_blank, text) if _ANY.search(text) else text


def without_addresses(code: str) -> str:
    """Code with blanks for the files, folders and hosts that it names."""
    return _WHERE.sub(_blank, code) if _ANY.search(code) else code


def _blank(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())

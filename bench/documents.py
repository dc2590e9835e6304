"""How well documents are read: `python -m bench.documents --cases FILE --documents DIR [--results FILE]`.

Cases are links of real documents, of which it is known what they quote and what is to be said of it. prov runs in the
environment that it is given: what it may reach is for git's configuration to say.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass
from hashlib import sha256
from html import unescape
from pathlib import Path, PurePosixPath
from textwrap import dedent
from typing import TYPE_CHECKING, NamedTuple

from bench.lab import PROV
from bench.measure import BenchError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NEAR = 3
"""How many lines a link may be away from where it is known to be: one that is broken over lines begins earlier."""
_TAG = re.compile(r"<[^>]*>")
_HEADER = re.compile(r"File:\s*\S")
_NUMBER = re.compile(r"\s*[0-9]+:")
_WORDS = {
    "partial-marked": ("elided", "changed"),  # changed where lines were edited too
    "partial-unmarked": ("partial",),
    "missing-path": ("no-path",),
    "missing-rev": ("no-revision", "unavailable"),
}
"""The cases' own words for verdicts -> prov's; the others are the same."""


class Place(NamedTuple):
    """What a link names, as it is written."""

    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Case:
    """A link, and what is known of it."""

    document: str
    """A file name: each has one of its own."""
    line: int
    """Where the URL stands."""
    url: str
    place: Place
    lines: int
    """How many the quote has; 1 where there is none."""
    digest: str
    """sha256 of the quote, without CR and without one last LF; of nothing where nothing is quoted."""
    known: str
    """The verdict, in the cases' own words."""
    verdicts: tuple[str, ...]
    """What prov may say."""

    def __str__(self) -> str:
        return f"{self.document}:{self.line} {self.place.path}#L{self.place.first}-L{self.place.last}"


@dataclass(frozen=True, slots=True)
class Result:
    """What prov says of a link."""

    document: str
    line: int
    cited: str
    """The link as it stands there; empty where that is not told."""
    place: Place | None
    quote: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Said:
    """A case beside its result."""

    case: Case
    result: Result | None
    hashed: bool
    """The quote is the known one."""
    quoted: bool
    """The same, or it is once that which frames the code is taken off both: see `bare`."""
    judged: bool
    """The verdict is a right one."""


def main() -> None:
    """Scan the documents, and print how many cases are answered well."""
    parser = _parser()
    given = parser.parse_args()
    try:
        cases = read_cases(given.cases)
        names = sorted({case.document for case in cases})
        written = (
            given.results.read_text(encoding="utf-8") if given.results else _scan(given.documents, names)
        )
        results = read_results(written)
        answers = list(compare(cases, results, given.documents))
    except (BenchError, OSError) as error:
        parser.exit(1, f"{parser.prog}: {error}\n")
    print(table(answers, results))
    if given.verbose or given.examples is not None:
        for lines in failures(answers):
            print(*lines[: given.examples], sep="\n")
    if given.json is not None:
        rows = [asdict(said) for said in answers]
        given.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_cases(file: Path) -> list[Case]:
    """Read a file of cases.

    Raises:
        BenchError: a line is none.
    """
    try:
        return [_case(line) for line in file.read_text(encoding="utf-8").split("\n") if line.strip()]
    except (KeyError, TypeError, ValueError) as error:
        message = f"{file} holds something that is no case: {error!r}"
        raise BenchError(message) from error


def read_results(written: str) -> list[Result]:
    """Read what `prov scan --format json` printed.

    Raises:
        BenchError: it is something else.
    """
    try:
        return [_result(row) for row in json.loads(written)["results"] if row.get("document")]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"these are no results of prov scan: {error!r}"
        raise BenchError(message) from error


def compare(cases: Iterable[Case], results: Iterable[Result], documents: Path) -> Iterator[Said]:
    """Look for each case's result, and judge it."""
    of_document: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        of_document[result.document].append(result)
    for case in cases:
        found = _nearest(case, of_document[case.document])
        if found is None:
            yield Said(case, None, hashed=False, quoted=False, judged=False)
            continue
        hashed = case.digest in digests(found.quote)
        block = block_of(case, (documents / case.document).read_bytes().decode(errors="replace"))
        quoted = hashed or (block is not None and bare(found.quote) == bare(block))
        yield Said(case, found, hashed, quoted, found.verdict in case.verdicts)


def digests(quote: str) -> set[str]:
    """What a case may have of its quote: whether its last line end was taken off already is not to be seen."""
    text = _plain(quote)
    return {
        sha256(some.encode(errors="surrogatepass")).hexdigest() for some in (text, text.removesuffix("\n"))
    }


def block_of(case: Case, document: str) -> str | None:
    """The known quote's text, nearest to the link; None where no such lines stand in the document.

    It is found by its digest, as it stands, without its common indentation, or as what HTML shows.
    """
    lines = _plain(document).split("\n")
    near = sorted(range(len(lines)), key=lambda begin: abs(begin + 1 - case.line))
    for begin in near:
        text = "\n".join(lines[begin : begin + case.lines])
        for shown in (text, dedent(text), unescape(_TAG.sub("", text))):
            if case.digest in digests(shown):
                return shown
    return None


def bare(quote: str) -> str:
    """A quote without what may be taken for its frame, and without the white space that a reader may take off.

    That is a first line `File: …`, a number and colon where all lines begin with one, blank lines, white space at the
    ends of lines, and common indentation.
    """
    lines = [line.rstrip() for line in _plain(quote).split("\n") if line.strip()]
    if lines and _HEADER.match(lines[0]):
        del lines[0]
    if all(map(_NUMBER.match, lines)):
        lines = [_NUMBER.sub("", line, count=1) for line in lines]
    return dedent("\n".join(lines))


def table(answers: Sequence[Said], results: Sequence[Result]) -> str:
    """The shares, each with its count, and the same by the known verdict."""
    lines = [f"{'':<20}{'n':>5}{'found':>14}{'quote':>14}{'as hashed':>14}{'verdict':>14}{'all three':>14}"]
    for known in ("all", *sorted({said.case.known for said in answers})):
        some = [said for said in answers if known in {"all", said.case.known}]
        counts = (
            sum(said.result is not None for said in some),
            sum(said.quoted for said in some),
            sum(said.hashed for said in some),
            sum(said.judged for said in some),
            sum(said.quoted and said.judged for said in some),
        )
        shares = "".join(f"{count:>7} {100 * count / max(1, len(some)):5.1f}%" for count in counts)
        lines.append(f"{known:<20}{len(some):>5}{shares}")
    beside = len(results) - len({said.result for said in answers if said.result is not None})
    quoting = sum(bool(result.quote) for result in results)
    lines.append(f"results: {len(results)}, of them with a quote {quoting}, of no case {beside}")
    return "\n".join(lines)


def failures(answers: Iterable[Said]) -> Iterator[list[str]]:
    """What is not right, a line each: links that are not found, then quotes, then verdicts."""
    missed, misquoted, misjudged = [], [], []
    for said in answers:
        case, result = said.case, said.result
        if result is None:
            missed.append(f"not found: {case}")
            continue
        if not said.quoted:
            shown = result.quote.split("\n")
            misquoted.append(f"quote: {case}: {len(shown)} lines for {case.lines}, first {shown[0][:60]!r}")
        if not said.judged:
            misjudged.append(
                f"verdict: {case}: {result.verdict} for {case.known} ({' or '.join(case.verdicts)})"
            )
    yield from filter(None, (missed, misquoted, misjudged))


def _case(line: str) -> Case:
    row = json.loads(line)
    place = Place(row["path"].lstrip("/"), row["start"], row["end"])
    known = row["verdict"]
    verdicts = _WORDS.get(known, (known,))
    if known == "shifted" and place.first == place.last:
        first, last = row["actual"]
        verdicts = ("anchored",) if first <= place.first <= last else verdicts
    return Case(
        row["doc"],
        row["doc_line"],
        row["cited_url"],
        place,
        row["quote_lines"],
        row["quote_sha256"],
        known,
        verdicts,
    )


def _result(row: dict[str, object]) -> Result:
    """Read one result: the only place that knows their keys."""
    match row:
        case {"document": {"path": str(path), "line": int(line)}, "verdict": str(verdict), **rest}:
            cited, quote = rest.get("cited"), rest.get("quote")
            return Result(
                PurePosixPath(path).name,
                line,
                unescape(cited) if isinstance(cited, str) else "",
                _place(rest),
                quote if isinstance(quote, str) else "",
                verdict,
            )
        case _:
            message = f"a result with other keys: {sorted(row)}"
            raise ValueError(message)


def _place(row: dict[str, object]) -> Place | None:
    match row:
        case {"path": str(path), "lines": {"first": int(first), "last": int(last)}}:
            return Place(path.lstrip("/"), first, last)
        case _:
            return None


def _nearest(case: Case, results: Iterable[Result]) -> Result | None:
    """The nearest result of the link; where a link is not told, that of the place which it names."""
    same = [
        result
        for result in results
        if abs(result.line - case.line) <= _NEAR
        and (result.cited == case.url or (not result.cited and result.place == case.place))
    ]
    return min(same, key=lambda result: abs(result.line - case.line), default=None)


def _plain(text: str) -> str:
    return text.replace("\r", "")


def _scan(documents: Path, names: Iterable[str]) -> str:
    """What prov prints, run in a folder of its own, so that nothing is written beside the documents."""
    with tempfile.TemporaryDirectory(prefix="prov-bench-") as folder:
        for name in names:
            shutil.copy(documents / name, folder)
        command = (PROV, "scan", "--format", "json", "--allow-local", *names)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=1800)
    if not done.stdout.strip():
        message = f"prov scan ended with {done.returncode}: {done.stderr[-600:]}"
        raise BenchError(message)
    return done.stdout


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bench.documents", description="Score how well documents are read."
    )
    parser.add_argument(
        "--cases", type=Path, required=True, metavar="FILE", help="cases, a line of JSON each"
    )
    parser.add_argument(
        "--documents", type=Path, required=True, metavar="DIR", help="holds the cases' documents by name"
    )
    parser.add_argument(
        "--results", type=Path, metavar="FILE", help="what prov printed, instead of running it"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write each case beside its result")
    parser.add_argument("-v", "--verbose", action="store_true", help="name all failures")
    parser.add_argument("--examples", type=int, metavar="N", help="name N failures of each sort at most")
    return parser


if __name__ == "__main__":
    main()

"""How often prov is right about what does not stand in the cited lines: `python -m bench.grounding`.

`claims.yaml` has twenty claims about real code, with the lines that they cite. Somebody wrote them who did not know the
rules, and noted which of their numbers and names are missing there. This prints each claim on which prov says
something else, and the rates. It measures no time, and is in no table.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from provenance.compare.grounding.ungrounded import ungrounded

CLAIMS = Path(__file__).with_name("claims.yaml")


@dataclass(frozen=True, slots=True)
class Answer:
    """What prov says of one claim, beside what is so."""

    name: str
    claim: str
    missing: tuple[str, ...]
    """What does not stand in the lines, as the claim's author sees it."""
    found: tuple[str, ...]
    """What prov says does not."""

    @property
    def false(self) -> list[str]:
        """Alarms that are false."""
        return [text for text in self.found if text not in self.missing]

    @property
    def silent(self) -> list[str]:
        """What prov says nothing of."""
        return [text for text in self.missing if text not in self.found]


def answers(path: Path) -> list[Answer]:
    """Prov's answer to every claim of a file."""
    import yaml

    return [
        Answer(
            claim["id"],
            claim["claim"],
            tuple(map(str, claim["missing"])),
            _told(claim["claim"], claim["excerpt"], claim["path"]),
        )
        for claim in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]


def _told(claim: str, excerpt: str, path: str) -> tuple[str, ...]:
    """What prov says of a claim; the lines stand for the whole file, which is not at hand."""
    return ungrounded(claim, excerpt, path=path, file=lambda: excerpt)


def main() -> None:
    """Print the rates."""
    told = answers(CLAIMS)
    for answer in told:
        if answer.false or answer.silent:
            print(f"{answer.name}: {answer.claim}")
            print(f"    false alarms: {', '.join(answer.false) or 'none'}")
            print(f"    nothing said of: {', '.join(answer.silent) or 'none'}")
    alarms = sum(len(answer.found) for answer in told)
    false = sum(len(answer.false) for answer in told)
    missing = sum(len(answer.missing) for answer in told)
    silent = sum(len(answer.silent) for answer in told)
    wrong = sum(bool(answer.false) for answer in told)
    print(f"{len(told)} claims, {wrong} of them with a false alarm")
    print(f"{alarms} alarms, {false} of them false; {missing - silent} of {missing} missing ones found")


if __name__ == "__main__":
    main()

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provenance.documents.pages import Page, read_page
from provenance.errors import PageError
from provenance.manifest import parse, render

if TYPE_CHECKING:
    from provenance.citation import Source


def evidence(id_: str, repository: str, pin: str) -> str:
    return (
        f"Direct evidence\n\nIt is so.\n\n{id_} · {repository} / a.py\nPinned revision {pin} ↗ · lines 1–2\n\n"
        f"Read code excerpt\n\nx = 1\n\n"
    )


ENGINE = evidence("e", "atlas/engine", "00112233")
BOTH = ENGINE + evidence("b", "boiler/steam", "v1.0")
LINE = 5
"""That of the first of the head's own."""


def page(*head: str, cited: str = BOTH) -> Page:
    lines = "\n".join(head)
    found = read_page(f"Steam-2 · Drive\n\nDrive\n\n{lines}\n\nSources\n\n{cited}", "page.txt")
    assert parse(render(found.manifest).encode(), found.manifest.path) == found.manifest
    return found


def shown(source: Source) -> str:
    return f"{source.name}: {source.git.removeprefix('https://')} @ {source.revision}, {source.stated}"


PLAIN = ["engine: github.com/atlas/engine @ 00112233, None", "steam: github.com/boiler/steam @ v1.0, None"]
HUB = "gpt: huggingface.co/hub/gpt @ 607a, None"
WAYS = [
    "Reference code a/b@9b63576",
    "Reference implementation a/b @ 9b63576",
    "Code a/b @ 9b63576",
    "Reference code a/b @ commit 9b63576",
    "Reference code https://github.com/a/b @ 9b63576",
    "Reference code https://github.com/a/b.git @ 9b63576",
]
PINNED = [*PLAIN, "b: github.com/a/b @ 9b63576, None"]
STATED = {
    # What the evidence cites has what is stated of it, and nothing else changes.
    "Reference code atlas/engine @ 0011": [
        "engine: github.com/atlas/engine @ 00112233, 0011",
        "steam: github.com/boiler/steam @ v1.0, None",
    ],
    "Reference code atlas/engine @ 0011, boiler/steam @ v1.0 · How to read": [
        "engine: github.com/atlas/engine @ 00112233, 0011",
        "steam: github.com/boiler/steam @ v1.0, v1.0",
    ],
    "Reference code Atlas/ENGINE @ ffff.": ["engine: github.com/atlas/engine @ 00112233, ffff", PLAIN[1]],
    "Reference codeatlas/engine @ 0011↗": ["engine: github.com/atlas/engine @ 00112233, 0011", PLAIN[1]],
    "Reference code: atlas/engine @ v1.0.14; and more": [
        "engine: github.com/atlas/engine @ 00112233, v1.0.14",
        PLAIN[1],
    ],
    # What it does not cite is a source of its own.
    "Reference code atlas/engine @ 0011, configuration hub/gpt @ 607a · code not counted": [
        "engine: github.com/atlas/engine @ 00112233, 0011",
        PLAIN[1],
        HUB,
    ],
    "Configuration hub/gpt @ 607a": [*PLAIN, HUB],
    "Configuration hub/gpt @ 607a, hub/gpt-3 @ 01": [
        *PLAIN,
        HUB,
        "gpt-3: huggingface.co/hub/gpt-3 @ 01, None",
    ],
    "Reference code a/b @ 1": [*PLAIN, "b: github.com/a/b @ 1, None"],
    # Other ways to write it.
    **dict.fromkeys(WAYS, PINNED),
    "Reference code https://huggingface.co/hub/gpt @ 607a": [*PLAIN, HUB],
    # The word counts up to the next part, or the next word.
    "Reference code a/b @ 1, configuration c/d @ 2, e/f @ 3, code g/h @ 4 · i/j @ 5": [
        *PLAIN,
        "b: github.com/a/b @ 1, None",
        "d: huggingface.co/c/d @ 2, None",
        "f: huggingface.co/e/f @ 3, None",
        "h: github.com/g/h @ 4, None",
        "j: github.com/i/j @ 5, None",
    ],
    "Reference code a/configuration @ 1, configuration/b @ 2": [
        *PLAIN,
        "configuration: github.com/a/configuration @ 1, None",
        "b: github.com/configuration/b @ 2, None",
    ],
    # One repository on two hosts is two.
    "Reference code atlas/engine @ 0011, configuration atlas/engine @ 607a": [
        "engine: github.com/atlas/engine @ 00112233, 0011",
        PLAIN[1],
        "atlas-engine: huggingface.co/atlas/engine @ 607a, None",
    ],
    # Evidence from what is stated as a configuration alone is on the hub.
    "Reference code atlas/engine @ 0011, configuration boiler/steam @ v1.0": [
        "engine: github.com/atlas/engine @ 00112233, 0011",
        "steam: huggingface.co/boiler/steam @ v1.0, v1.0",
    ],
    # Names that are taken.
    "Configuration other/engine @ 1, third/engine @ 2": [
        *PLAIN,
        "other-engine: huggingface.co/other/engine @ 1, None",
        "third-engine: huggingface.co/third/engine @ 2, None",
    ],
    # One that is stated twice, the longer of two commits.
    "Reference code a/b @ 0011, A/B @ 00112233, a/b @ 001122": [*PLAIN, "B: github.com/A/B @ 00112233, None"],
    "Reference code a/b @ v1, a/b @ v1": [*PLAIN, "b: github.com/a/b @ v1, None"],
    # Other lines.
    " Reference code a/b @ 1": PLAIN,
    "The reference code is a/b @ 1": PLAIN,
    "Reference code of many": PLAIN,
    "Reference code a/b": PLAIN,
    "reconfiguration a/b @ 1": PLAIN,
}


@pytest.mark.parametrize(("line", "sources"), STATED.items())
def test_what_the_head_states(line: str, sources: list[str]) -> None:
    manifest = page(line).manifest
    assert [shown(source) for source in manifest.sources] == sources
    assert {citation.source for citation in manifest.citations} == set(manifest.sources[:2])


def test_several_lines_and_the_places_of_what_they_state() -> None:
    found = page("Reference code a/b @ 1", "", "configuration c/d @ 2", "Reference code atlas/engine @ 3")
    assert [shown(source) for source in found.manifest.sources] == [
        "engine: github.com/atlas/engine @ 00112233, 3",
        PLAIN[1],
        "b: github.com/a/b @ 1, None",
        "d: huggingface.co/c/d @ 2, None",
    ]
    assert [str(source.position) for source in found.manifest.sources[2:]] == [
        f"page.txt:{LINE}",
        f"page.txt:{LINE + 2}",
    ]


def test_a_line_that_is_wrapped_after_a_comma_goes_on() -> None:
    found = page("Reference code a/b @ 1,", "c/d @ 2,", "configuration e/f @ 3", "g/h @ 4")
    assert [shown(source) for source in found.manifest.sources[2:]] == [
        "b: github.com/a/b @ 1, None",
        "d: github.com/c/d @ 2, None",
        "f: huggingface.co/e/f @ 3, None",
    ]


@pytest.mark.parametrize("line", ["gpt-2 @ 9b63576", "See a/b @ 9b63576.", "a/b@commit 0011223"])
def test_what_looks_like_a_pin_on_another_line_is_remarked(line: str) -> None:
    assert [str(remark) for remark in page(line).remarks] == [
        (
            f"page.txt:{LINE}: this looks like a pinned revision, and is not read: "
            "expected a line with `Reference code`"
        )
    ]


@pytest.mark.parametrize("line", ["x @ weights", "a @ deadbeef", "someone @ 9b6", "a @ 9b63576zz"])
def test_what_does_not_look_like_a_pin_is_not(line: str) -> None:
    assert page(line).remarks == ()


def test_a_title_states_nothing() -> None:
    text = f"Reference code a/b @ 1\n\nSources\n\n{ENGINE}"
    assert [shown(source) for source in read_page(text, "page.txt").manifest.sources] == PLAIN[:1]


def test_every_pin_of_a_repository_has_what_is_stated_of_it() -> None:
    found = page("Reference code atlas/engine @ 0011", cited=ENGINE + evidence("f", "atlas/engine", "4455"))
    assert [(s.revision, s.stated) for s in found.manifest.sources] == [
        ("00112233", "0011"),
        ("4455", "0011"),
    ]


def test_code_that_no_evidence_is_from_is_remarked() -> None:
    found = page("Reference code a/b @ 1, atlas/engine @ 0011, configuration c/d @ 2")
    assert [str(remark) for remark in found.remarks] == [
        f"page.txt:{LINE}: a/b is stated as reference code, and no evidence is from it"
    ]


UNREAD = [
    "Reference code engine @ 0011",
    "Reference code atlas/engine @ 0011, b @ 1",
    "Reference code atlas/engine @ ,",
    "Reference code atlas/engine @ ...",
    f"Reference code atlas/engine @ {'1' * 201}",
    f"Reference code {'a' * 101}/engine @ 1",
]


@pytest.mark.parametrize("line", UNREAD)
def test_a_revision_that_cannot_be_read_is_remarked(line: str) -> None:
    found = page(line)
    assert [shown(source).partition(" @")[0] for source in found.manifest.sources] == [
        "engine: github.com/atlas/engine",
        "steam: github.com/boiler/steam",
    ]
    assert [str(remark) for remark in found.remarks] == [
        f"page.txt:{LINE}: not every revision on this line can be read: expected `owner/repository @ revision`"
    ]


CONTRADICTIONS = [
    ("0011", "0022"),
    ("v1", "v1.0"),
    ("v1.0", "v1"),
    ("001", "0011"),
    ("0011", "001122g"),
]


@pytest.mark.parametrize(("one", "other"), CONTRADICTIONS)
def test_two_revisions_of_one_repository_are_an_error(one: str, other: str) -> None:
    with pytest.raises(PageError) as caught:
        page(f"Reference code a/b @ {one}", f"Reference code c/d @ 1, A/B @ {other}")
    assert str(caught.value) == (
        f"page.txt:{LINE + 1}: A/B is stated at {one} on line {LINE}, and at {other} here: "
        "one repository has one revision"
    )


MANY = 200_000


@pytest.mark.parametrize(
    "rest",
    [
        "a/b @ 1, " * MANY,
        "/" * MANY,
        "a/" * MANY,
        "a." * MANY,
        "configuration " * MANY,
        " · " * MANY,
        "@ " * MANY,
    ],
    ids=["one", "slashes", "owners", "dots", "words", "parts", "signs"],
)
def test_a_large_line(rest: str) -> None:
    sources = page(f"Reference code {rest}").manifest.sources
    assert [shown(source) for source in sources[:2]] == PLAIN
    assert len(sources) == (3 if "b" in rest else 2)


@pytest.mark.parametrize("line", ["a/" * MANY, "a." * MANY, "Code " + "a/" * MANY, "a @ " * MANY, "@" * MANY])
def test_other_large_lines(line: str) -> None:
    assert page(line, "Reference code a/b @ 1,", line).remarks[0].position.line == LINE + 1


def test_many_repositories_have_a_name_each() -> None:
    many = ", ".join(f"a{number}/b @ 1" for number in range(20_000))
    names = [source.name for source in page(f"Configuration {many}").manifest.sources]
    assert len(set(names)) == len(names) == 20_002


WORDS = st.sampled_from(
    ["a/b", "atlas/engine", " @ ", "0011", "0022", ", ", " · ", "configuration ", "code ", "x"]
)


@given(st.lists(WORDS, max_size=12).map("".join))
def test_any_line_is_read_or_refused_at_its_place(rest: str) -> None:
    read: Page | PageError
    try:
        read = page(f"Reference code {rest}")
    except PageError as error:
        read = error
    if isinstance(read, PageError):
        assert read.position.line == LINE
        return
    names = [source.name for source in read.manifest.sources]
    assert len(set(names)) == len(names)
    assert [source.revision for source in read.manifest.sources[:2]] == ["00112233", "v1.0"]

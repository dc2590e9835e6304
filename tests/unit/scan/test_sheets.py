"""Documents are read alike in this process and in others, in their order."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest

from provenance.document import Sheet
from provenance.links.forges import Forge
from provenance.scan import sheets as subject
from provenance.scan.sheets import Document, sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

HOSTS = MappingProxyType({"git.example.org": Forge.GITEA})


def documents(count: int) -> Sequence[Document]:
    link = "https://git.example.org/o/r/src/commit/0123456789012345678901234567890123456789/a.py#L"
    return [
        Document(f"{number}.md", f"# Title\n\n[a]({link}{number + 1})\n".encode(), None)
        for number in range(count)
    ]


@pytest.mark.parametrize(("jobs", "worth"), [(1, 0), (2, 0), (2, 10**9)])
@pytest.mark.parametrize("count", [0, 1, 2, 50])
def test_each_document_has_its_sheet(
    monkeypatch: pytest.MonkeyPatch, jobs: int, worth: int, count: int
) -> None:
    monkeypatch.setattr(subject, "_WORTH_PROCESSES", worth)
    with sheets(HOSTS, jobs=jobs) as read:
        found = list(read(documents(count)))
    raw = [item.mentions[0].raw for item in found if isinstance(item, Sheet)]
    assert [link.rpartition("#L")[2] for link in raw] == [str(number + 1) for number in range(count)]

"""What pyproject.toml says of the package."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def test_what_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {canonicalize_name(Requirement(each).name) for each in project["dependencies"]}
    texts = (file.read_text(encoding="utf-8") for file in (ROOT / "provenance").rglob("*.py"))
    named = {name for text in texts for name in re.findall(r"^ *(?:from|import) (\w+)", text, re.MULTILINE)}
    owners = packages_distributions()
    needed = {
        canonicalize_name(owner)
        for name in named - sys.stdlib_module_names - {"provenance"}
        for owner in owners.get(name, [])
    }
    assert len(needed) > 10
    assert needed <= declared

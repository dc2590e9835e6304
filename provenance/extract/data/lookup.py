"""A value in a JSON, YAML or TOML file: which of them a file is, and who follows a pointer into it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from provenance.extract.data.values import Unreadable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provenance.extract.data.values import Outcome


class Format(Enum):
    """How a file is read, by the endings (with a dot) and the names that say so, in lower case."""

    JSON = (".json", ".geojson", ".ipynb", ".webmanifest")
    YAML = (".yaml", ".yml", ".cff")
    TOML = (".toml", "cargo.lock", "pdm.lock", "pipfile", "poetry.lock", "uv.lock")


def format_of(path: str) -> Format | None:
    """How a file is read; None where its name does not say."""
    name = path.rpartition("/")[2].lower()
    _, dot, ending = name.rpartition(".")
    return next((kind for kind in Format if name in kind.value or dot + ending in kind.value), None)


def find(text: str, path: str, tokens: Sequence[str]) -> Outcome:
    """Follow a pointer into a file. One whose name says nothing is read as JSON.

    Args:
        text: the file, with LF terminators and without a BOM.
        path: its name.
        tokens: the pointer's parts.
    """
    from provenance.extract.data import json_value, toml_value, yaml_value

    match format_of(path):
        case Format.JSON:
            return json_value.find(text, tokens)
        case Format.YAML:
            return yaml_value.find(text, tokens)
        case Format.TOML:
            return toml_value.find(text, tokens)
        case None:
            outcome = json_value.find(text, tokens)
            if not isinstance(outcome, Unreadable):
                return outcome
            names = "its name says neither JSON nor YAML nor TOML, so it is read as JSON"
            return Unreadable(f"{names}; {outcome.why}")

"""The manifest's JSON Schema, for editors. Generated from the table that the loader reads.

The loader reads every scalar as a string; an editor gives it YAML's type first, so a schema has to let
numbers stand where the loader would read their digits. Source: JSON Schema, draft 2020-12.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias, assert_never

from provenance.manifest.fields import MANIFEST, VERSION, Listing, Named, Table, Text

if TYPE_CHECKING:
    from provenance.manifest.fields import Field, Kind

JSON: TypeAlias = "str | int | bool | list[JSON] | dict[str, JSON] | None"


def schema() -> dict[str, JSON]:
    """The schema, in values that JSON can hold.

    It rejects what the loader rejects, but for what no schema can say: ids used twice, a source that is not
    defined, a reversed range, a day that is in no calendar.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"prov manifest, version {VERSION}",
        "description": "The code that one document cites, and what it says of it.",
        **_table(MANIFEST),
    }


def _kind(kind: Kind) -> dict[str, JSON]:
    match kind:
        case Text():
            return _text(kind)
        case Table():
            return _table(kind)
        case Listing(of):
            return {"type": "array", "items": _kind(of)}
        case Named(key, of):
            return {
                "type": "object",
                "propertyNames": {"pattern": _whole(key)},
                "additionalProperties": _kind(of),
            }
        case _:
            assert_never(kind)


def _text(text: Text) -> dict[str, JSON]:
    if text.words:
        return {"enum": [*text.words, *(int(word) for word in text.words if text.number)]}
    if text.number:
        return {"type": ["integer", "string"], "minimum": 1, "pattern": _whole(text)}
    nothing: list[JSON] = ["null"] if text.pattern.fullmatch("") else []
    return {"type": ["boolean", *nothing, "number", "string"], "pattern": _whole(text)}


def _whole(text: Text) -> str:
    return f"^(?:{text.pattern.pattern})$"


def _table(table: Table) -> dict[str, JSON]:
    required: list[JSON] = [
        key for key, field in table.fields.items() if field.required and field.unless is None
    ]
    properties: dict[str, JSON] = {key: _field(key, field) for key, field in table.fields.items()}
    found: dict[str, JSON] = {
        "type": "object",
        "additionalProperties": False,
        "required": required,
        "properties": properties,
    }
    dependent: dict[str, JSON] = {
        key: {"properties": {field.only_with[0]: {"const": field.only_with[1]}}}
        for key, field in table.fields.items()
        if field.only_with is not None
    }
    if dependent:
        found["dependentSchemas"] = dependent
    conditions = [*_exclusions(table), *_alternatives(table)]
    if conditions:
        found["allOf"] = conditions
    return found


def _exclusions(table: Table) -> list[JSON]:
    """That no two of certain keys stand together."""
    return [{"not": {"required": [one, other]}} for one, other in combinations(table.one_of, 2)]


def _alternatives(table: Table) -> list[JSON]:
    """That one key stands where another one is missing."""
    return [
        {"anyOf": [{"required": [key]}, {"required": [field.unless]}]}
        for key, field in table.fields.items()
        if field.unless is not None
    ]


def _field(key: str, field: Field) -> dict[str, JSON]:
    return {"title": key, "description": field.description, **_kind(field.kind)}

from __future__ import annotations

import json

from click.testing import CliRunner

from provenance.cli.schema import command
from provenance.manifest import schema


def test_the_schema_is_printed_sorted() -> None:
    result = CliRunner().invoke(command)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == schema()
    assert result.stdout == json.dumps(schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"

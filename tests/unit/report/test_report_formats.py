"""The table of formats."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO

import pytest
from support.notices import everything, notices

from provenance.report.formats import ENDINGS, FOR_CI, FORMATS, INTOTO, writer


@pytest.mark.parametrize("name", [*FOR_CI, INTOTO])
def test_each_format_has_a_writer_that_ends_its_last_line(name: str) -> None:
    stream = StringIO()
    writer(name)(stream, notices(everything()))
    assert stream.getvalue().endswith("\n")


def test_every_ending_means_a_format() -> None:
    assert set(ENDINGS.values()) == {*FORMATS, INTOTO} - {"github"}


def test_a_command_that_reports_text_imports_no_other_format() -> None:
    code = (
        "import sys, provenance.cli.verify, provenance.cli.scan, provenance.cli.drift;"
        f"print([name for name in {[*FOR_CI, INTOTO]} if f'provenance.report.{{name}}' in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"

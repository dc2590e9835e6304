"""What is printed of code as it stands must not be a command to anybody."""

from __future__ import annotations

import pytest

from provenance.report.citing import is_inert


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\n\tb\n",
        "::testing::Test",
        "  ::std::move(x)",
        "::errors::x",
        "::error-code x",
        "x ::error::",
        "## [x]",
        "# [x]",
        "é 漢",
    ],
)
def test_code_is_left_as_it_is(text: str) -> None:
    assert is_inert(text)


@pytest.mark.parametrize(
    "text",
    [
        "::error::x",
        "a\n \t::set-output name=x::y",
        "::ERROR file=a.py::x",
        "::stop-commands::token",
        "x ##[error]y",
        "##vso[task.setvariable variable=x]y",
        "\x1b[2J",
        "\x9b",
        "a\rb",
        "\u202e",
        "\u3164",
        "\ud800",
    ],
)
def test_what_hides_or_is_a_command_is_not_inert(text: str) -> None:
    assert not is_inert(text)

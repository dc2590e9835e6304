"""Terminals and pipes that reports are read on, and what our own escape sequences are."""

from __future__ import annotations

import re

from hypothesis import strategies as st

from provenance.report.screen import Layout, Screen

OWN = re.compile(r"\x1b\[[\d;]*m|\x1b\]8;(?:id=\d+;(?:https?|swh):[^\x1b\x07]*|;)\x1b\\")
"""Colours, and the beginnings and ends of links."""

TERMINAL = Screen(100, Layout.TABLE, colour=True, links=True)


def bare(report: str) -> str:
    """A report without what is ours for terminals."""
    return OWN.sub("", report)


def screens(widest: int = 120) -> st.SearchStrategy[Screen]:
    """Every kind of screen."""
    return st.builds(
        Screen,
        st.integers(0, widest),
        st.sampled_from(Layout),
        colour=st.booleans(),
        links=st.booleans(),
    )

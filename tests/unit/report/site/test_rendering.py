from __future__ import annotations

import re

import pytest

from provenance.report.site.rendering import ASSETS, asset, inert, web


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://example.org/a?b=1#c", True),
        ("http://example.org", True),
        ("HTTPS://example.org", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        ("data:text/html,<script>", False),
        ("file:///etc/passwd", False),
        ("vbscript:x", False),
        ("//example.org", False),
        ("https:///x", False),
        ("https://[::1", False),
        (" https://example.org", False),
        ("https://example.org/a b", False),
        ("java\nscript:alert(1)", False),
        ("https://example.org/\u202e", False),
        ("ssh://git@example.org/x", False),
        ("", False),
        (None, False),
    ],
)
def test_only_addresses_on_the_web_become_links(url: str | None, *, is_link: bool) -> None:
    assert web(url) == (url if is_link else None)


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        ("a\n  ::error::x\nb", "a\n  &#58;:error::x\nb"),
        ("x ::not one", "x ::not one"),
        ("##[error] ##vso[a]", "&#35;#[error] &#35;#vso[a]"),
        ("## heading", "## heading"),
    ],
)
def test_no_line_of_a_page_is_a_command_to_who_prints_it(page: str, shown: str) -> None:
    assert inert(page) == shown


def _colours(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))


def _luminance(colour: str) -> float:
    """WCAG 2.2, "relative luminance"."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_can_be_read(scheme: str) -> None:
    css = asset("site.css")
    first, second = re.findall(r":root \{(.*?)\n *\}", css, re.DOTALL)[:2]
    colours = _colours(first) | (_colours(second) if scheme == "dark" else {})
    code = ("ink", "keyword", "string", "number", "comment", "name", "prep")
    grounds = dict.fromkeys(("paper", "ok-wash", "failure-wash"), code) | {
        "raised": ("ink", "dim", "link"),
        "ins": ("ink",),
        "del": ("ink",),
        "warning-wash": ("ink", "warning"),
        "unavailable-wash": ("ink", "unavailable"),
    }
    pairs = [(text, ground) for ground, texts in grounds.items() for text in texts]
    pairs += [("dim", "paper"), ("link", "paper"), ("ok", "ok-wash"), ("failure", "failure-wash")]
    poor = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in pairs}
    assert not {pair: round(ratio, 2) for pair, ratio in poor.items() if ratio < 4.5}


def test_assets_name_no_other_place() -> None:
    for name in ASSETS:
        text = asset(name).replace("http://www.w3.org/2000/svg", "")
        assert "//" not in re.sub(r"(?m)^\s*//.*$", "", text), name
        assert "url(" not in text
        assert "@import" not in text

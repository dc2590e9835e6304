"""Names that links show, and the blocks that define them."""

from __future__ import annotations

import pytest

from provenance.compare.quoting.naming import begins_with, defines, names_in


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("`get_samples()`", {"get_samples"}),
        ("getSamples in a.js", {"getSamples"}),
        ("mpz_set_PyLong() in the master", {"mpz_set_PyLong"}),
        ("_private", {"_private"}),
        ("here", set()),
        ("Source", set()),
        ("main()", set()),
        ("", set()),
    ],
)
def test_names_of_a_link(label: str, names: set[str]) -> None:
    assert names_in(label) == names


@pytest.mark.parametrize(
    ("text", "defined"),
    [
        ("def send_all(self):\n    ...", True),
        ("    async def send_all(self):", True),
        ("@cached\n# sends\ndef send_all(): ...", True),
        ("fn send_all<T>(x: T) {", True),
        ("func (q *Queue) send_all(x int) {", True),
        ("class send_all extends Base {", True),
        ("static int\nsend_all(int x, int y)\n{", True),
        ("void send_all(int x) {", True),
        ("std::vector<int> Queue::send_all(int x)\n{", True),
        ("send_all(1)", False),
        ("send_all(1);\n{", False),
        ("x = send_all(1)", False),
        ("return send_all(1)\n{", False),
        ("if send_all(1) {", False),
        ("queue.send_all(1) {", False),
        ("const f = function() { send_all() }", False),
        ("import send_all", False),
        ("def other():\n    send_all()", False),
        ("\n" * 40 + "def send_all(): ...", False),
        ("", False),
    ],
)
def test_definitions(text: str, defined: bool) -> None:
    assert defines(text, frozenset({"send_all"})) is defined
    assert not defines(text, frozenset())


def test_a_name_where_a_block_begins() -> None:
    assert begins_with("x = send_all(1)", frozenset({"send_all"}))
    assert not begins_with("x\n" * 300 + "send_all(1)", frozenset({"send_all"}))
    assert not begins_with("", frozenset())

"""Arguments in bytes that are no UTF-8, as an old terminal or a script passes them."""

from __future__ import annotations

import pytest

TYPED = "caf\udce9"
"""What Python makes of `caf\\xe9`."""


@pytest.mark.parametrize(
    "words",
    [
        ("show",), ("why",), ("pin",), ("unpin",), ("contest",), ("deprecate",), ("reinforce",), ("ratify",), ("edit",),
        ("forget", "--yes"), ("inbox", "approve"), ("inbox", "reject"), ("inbox", "defer"), ("patch", "show"),
        ("patch", "apply"), ("patch", "reject"), ("evidence", "list"), ("evidence", "show"), ("promote", "show"),
        ("maintain", "withdraw"), ("note", "get"), ("session", "read"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_name_that_is_no_text_is_one_that_nothing_has(terminal, words):
    done = terminal.run(*words, TYPED)
    assert done.code == 23, done
    assert "this is a bug" not in done.err


@pytest.mark.parametrize(
    "words", [("search",), ("learnings",), ("report", "--prompt"), ("add", "--category", "lesson")]
)
def test_other_words_that_are_no_text_are_read_without_those_bytes(terminal, words):
    terminal.ok(*words, f"Order {TYPED} beans")

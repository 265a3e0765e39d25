"""Which memories a reply repeats."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import MemoryId
from vaultmem.core.usage import MAX_REPLY, REPLY_OVER, SHORTEST, START, used_in

ONE, TWO = MemoryId("mem_1"), MemoryId("mem_2")
SAID = "Never stage everything at once; add files by name."
REPLY = "I stage by hand, because you asked: {}. So I run two commands."


@pytest.mark.parametrize(
    ("says", "statement", "used"),
    [
        pytest.param(SAID, SAID, True, id="word for word"),
        pytest.param(
            "NEVER stage everything\nat once, **add files** one by one", SAID, True, id="40"
        ),
        pytest.param("never stage everything", SAID, False, id="too little of it"),
        pytest.param("add files by name", SAID, False, id="only its end"),
        pytest.param("`Add files by name`", "Add files by name.", True, id="a short statement"),
        pytest.param("use bun", "Use bun.", False, id="said by accident"),
        pytest.param("nothing of it", SAID, False, id="other words"),
        pytest.param(
            "テストには必ず新しいデータベースを使う",
            "テストには必ず新しいデータベースを使う。",
            True,
            id="ja",
        ),
        pytest.param(SAID, "", False, id="no statement"),
        pytest.param(SAID, "…!?", False, id="no words"),
    ],
)
def test_a_reply_uses_a_memory_if_it_says_its_beginning(says, statement, used):
    found = used_in(REPLY.format(says), {ONE: statement})
    assert found == ((ONE,) if used else ())


def test_an_answer_of_fifty_characters_uses_nothing():
    said = "Add files by name, always, never all of them, yes."
    assert len(said) == REPLY_OVER
    assert used_in(said, {ONE: said}) == ()
    assert used_in(f"{said}.", {ONE: said}) == (ONE,)


def test_several_are_in_the_order_in_which_they_were_shown():
    reply = REPLY.format("Add files by name. Never push on a Friday afternoon")
    shown = {TWO: "Never push on a Friday afternoon.", ONE: "Add files by name."}
    assert used_in(reply, shown) == (TWO, ONE)


def test_what_lies_beyond_the_limit_is_not_read():
    assert used_in("x " * MAX_REPLY + SAID, {ONE: SAID}) == ()


@given(st.text(max_size=200), st.text(max_size=80))
def test_reading_never_fails_and_finds_only_what_was_shown(reply, statement):
    assert used_in(reply, {ONE: statement}) in ((), (ONE,))


@given(st.text(alphabet="abcdefg ", min_size=60))
def test_a_reply_that_repeats_a_statement_uses_it(statement):
    plain = " ".join(statement.split())
    expected = len(plain[:START]) >= SHORTEST
    assert bool(used_in(f"{REPLY} {statement}", {ONE: statement})) is expected

"""Which device follows a decision that stands in a note, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.turn import LATE_SECONDS, Turn, turn_of

AGES = st.floats(min_value=-1e9, max_value=1e9)


@pytest.mark.parametrize(
    ("persons", "agent", "elsewhere", "age", "expected"),
    [
        (True, False, False, 0.0, Turn.OURS),
        (True, False, True, 0.0, Turn.WAITS),
        # ten quiet minutes, and not a moment less
        (True, False, True, LATE_SECONDS - 0.001, Turn.WAITS),
        (True, False, True, LATE_SECONDS, Turn.OURS),
        # a clock that went wrong makes a note of the future, which is not quiet yet
        (True, False, True, -86_400.0, Turn.WAITS),
        # an agent's command follows nothing and takes nothing away
        (True, True, False, 1e6, Turn.WAITS),
        (True, True, True, 1e6, Turn.WAITS),
        (False, False, False, 1e6, Turn.NOBODYS),
        (False, True, True, 0.0, Turn.NOBODYS),
    ],
)
def test_a_decision_is_followed_by_whose_turn_it_is(persons, agent, elsewhere, age, expected):
    assert turn_of(persons=persons, agent=agent, elsewhere=elsewhere, age=age) is expected


@given(agent=st.booleans(), elsewhere=st.booleans(), age=AGES)
def test_what_no_person_decided_is_nobodys_whatever_else_holds(agent, elsewhere, age):
    assert turn_of(persons=False, agent=agent, elsewhere=elsewhere, age=age) is Turn.NOBODYS


@given(elsewhere=st.booleans(), age=AGES, more=st.floats(min_value=0, max_value=1e9))
def test_whose_turn_it_is_has_it_later_too(elsewhere, age, more):
    def turn(at):
        return turn_of(persons=True, agent=False, elsewhere=elsewhere, age=at)

    if turn(age) is Turn.OURS:
        assert turn(age + more) is Turn.OURS


@given(age=AGES)
def test_the_device_that_made_a_note_never_waits(age):
    assert turn_of(persons=True, agent=False, elsewhere=False, age=age) is Turn.OURS

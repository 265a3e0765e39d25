"""Open tasks are called to mind where the user asked for them and got only words."""

from __future__ import annotations

import pytest

from vaultmem.core.enforcement.focus import neglected
from vaultmem.core.enforcement.turn import Called, Turn

P95 = "Measure p95 with prepared statements on and off behind the pooler"
PARTITIONS = "Create the readings partitions until March and the alert for missing ones"
BUILD = "Mend the build"
TASKS = (P95, PARTITIONS, BUILD)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Fix the build.", (BUILD,)),
        ("Please go and measure p95 now", (P95,)),
        ("Thanks. Can you create the partitions until March?", (PARTITIONS,)),
        ("ok, now do the next task", TASKS),
        ("Work on my todos", TASKS),
        # what words answer
        ("what is the CI time", ()),
        ("Is the build mended?", ()),
        ("how would you measure p95 behind the pooler?", ()),
        ("Explain what is left to do.", ()),
        ("Summarise the open tasks", ()),
        ("From now on always write docstrings in Scots English.", ()),
        ("Never create partitions until March by hand.", ()),
        ("use the docs please", ()),
        ("Please memo1", ()),
        # work, but of another kind
        ("Create a login page", ()),
        ("Measure the room", ()),
        ("Implement the parser.", ()),
        ("", ()),
        ("ok", ()),
        ("continue", ()),
    ],
)
def test_only_what_the_prompt_asked_for_is_named(prompt, told):
    assert neglected(Turn(prompt), TASKS) == told


def test_nothing_is_said_where_something_was_done_or_the_agent_asks_back():
    assert neglected(Turn("Fix the build.", (Called("read"),)), TASKS) == ()
    assert neglected(Turn("Fix the build.", reply="Which of the two builds?\n"), TASKS) == ()
    assert neglected(Turn("Fix the build.", reply="I will."), TASKS) == (BUILD,)

"""A report that is explained: the same as the one that is told, and nobody is told it."""

from __future__ import annotations

import pytest

from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.explain import explained
from vaultmem.services.report import report
from vaultmem.services.switch import READ, Place, switch
from vaultmem.services.telemetry import usage

EVERY = "Add files by name."
OTHER = "The tax service needs a tunnel."


@pytest.fixture
def some(ready):
    ready.memory("Memory/Lessons/One.md", EVERY)
    ready.memory("Memory/Lessons/Two.md", OTHER, project="a/b")
    ready.memory("Memory/Lessons/Three.md", "Format with black.", status="superseded")
    ready.here.sync()
    return ready


def test_the_report_is_the_one_that_would_be_told(some):
    call = some.here.call()
    made = explained(call, project="a/b", prompt="it crashed", budget=300)
    assert made.report == report(call, project="a/b", prompt="it crashed", budget=300)
    assert {one.statement for one in made.explanation.told} == {EVERY, OTHER}


def test_what_a_person_just_wrote_is_explained_too(some):
    some.memory("Memory/Mistakes/Late.md", "Deployed on a Friday.", project="c/d")
    found = explained(some.here.call()).explanation.left_out
    assert [(one.stage, one.reason) for one in found] == [
        ("status", "status:superseded"),
        ("project_scope", "project:a/b"),
        ("project_scope", "project:c/d"),
    ]


def test_explaining_counts_as_no_use(some):
    explained(some.here.call(agent="pi"), session="s1")
    assert usage(some.here.call()) == ()


def test_an_agent_learns_nothing_from_what_it_saw_explained(some):
    explained(some.here.call(agent="pi"))
    assert was_shown(some.here.call(), EVERY)
    assert was_shown(some.here.call(), OTHER)


def test_a_person_who_asks_leaves_no_trace(some):
    explained(some.here.call())
    assert not was_shown(some.here.call(), EVERY)


def test_a_report_that_is_switched_off_says_so(some):
    switch(some.here.call(), [READ], Place(), off=True)
    made = explained(some.here.call())
    assert made.report.findings
    assert made.explanation.told == made.explanation.left_out == ()

"""What a force line covers, and which edits of a person renew it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultmem.core.force import (
    acts_sentence,
    can_act,
    force_message,
    needs_force,
    renews,
    ways_to_act,
)
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Layer, Memory, RuleType

PLAIN = Memory(id=MemoryId("mem_1"), statement="Use uv.")
PINNED = replace(PLAIN, pinned=True)
IDENTITY = replace(PLAIN, layer=Layer.IDENTITY)
ENFORCED = replace(PLAIN, trigger="bash_contains git add .", action="block")


RULE = replace(PLAIN, rule=RuleType.AVOID_PATTERN)


def test_what_needs_force_and_what_can_have_it():
    assert [can_act(m) for m in (PLAIN, PINNED, IDENTITY, ENFORCED, RULE)] == [
        False,
        True,
        True,
        True,
        True,
    ]
    assert not can_act(replace(PLAIN, rule=RuleType.TESTING))
    assert not needs_force(RULE)
    assert [needs_force(m) for m in (PLAIN, PINNED, IDENTITY, ENFORCED)] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("memory", "ways"),
    [
        (PLAIN, ()),
        (PINNED, ("pinned",)),
        (IDENTITY, ("identity",)),
        (ENFORCED, ("guardrail: bash_contains git add . → block",)),
        (replace(PLAIN, verifier="tool_called x before y"), ("verifier: tool_called x before y",)),
        (replace(RULE, pinned=True), ("pinned", "rule: avoid_pattern")),
        (replace(PLAIN, rule=RuleType.TESTING, trigger="bash_contains x"), ()),
    ],
)
def test_how_a_memory_would_act_is_told_to_a_person(memory, ways):
    assert ways_to_act(memory) == ways
    assert bool(acts_sentence(memory)) == bool(ways)
    assert bool(ways) == can_act(memory)


@pytest.mark.parametrize(
    "change",
    [
        {"statement": "Use pip."},
        {"layer": Layer.IDENTITY},
        {"pinned": True},
        {"trigger": "x"},
        {"action": "warn"},
        {"verifier": "tool_called x before y"},
        {"rule": RuleType.CONVENTION},
    ],
)
def test_every_property_of_force_changes_the_message(change):
    assert force_message(replace(PLAIN, **change)) != force_message(PLAIN)


def test_fields_cannot_run_into_each_other():
    one = replace(PLAIN, trigger="ab", action="c")
    two = replace(PLAIN, trigger="a", action="bc")
    assert force_message(one) != force_message(two)


def test_other_properties_do_not_disturb_force():
    assert force_message(replace(PINNED, tags=("memory/x",), evidence_count=9)) == force_message(
        PINNED
    )


@pytest.mark.parametrize(
    ("old", "new", "had_force", "renewed"),
    [
        (None, PLAIN, False, False),
        (None, PINNED, False, True),
        (PLAIN, PINNED, False, True),
        (None, IDENTITY, False, False),
        (IDENTITY, replace(IDENTITY, statement="I am."), True, False),
        (None, ENFORCED, False, False),
        # wording follows the id; what is matched and done waits
        (ENFORCED, replace(ENFORCED, statement="Add by name."), True, True),
        (ENFORCED, replace(ENFORCED, statement="Add by name."), False, False),
        (ENFORCED, replace(ENFORCED, action="warn"), True, False),
        (ENFORCED, replace(ENFORCED, trigger="bash_contains git"), True, False),
        (PINNED, replace(PINNED, trigger="t", action="block"), True, False),
        # a rule type alone is no wish to act, but a ratified rule keeps its force when reworded
        (None, RULE, False, False),
        (RULE, replace(RULE, statement="Use uv only."), True, True),
    ],
)
def test_which_edits_renew_force(old, new, had_force, renewed):
    assert renews(old, new, had_force=had_force) is renewed

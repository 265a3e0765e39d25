"""What a patch lets act when a person applies it: their choice, and nothing in passing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.patches import FRESH, OLD, TARGET
from vaultmem.core.model import Layer, RuleType
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_force import gives_force

RULE = replace(TARGET, rule=RuleType.AVOID_PATTERN)
PINNED = replace(TARGET, pinned=True)
GUARD = replace(TARGET, trigger="bash_contains npm", action="block")
IDENTITY = replace(TARGET, layer=Layer.IDENTITY)


@pytest.mark.parametrize(
    ("changes", "old", "new", "had", "gives"),
    [
        ({"tags": ("x",)}, TARGET, TARGET, False, False),  # it only informs
        ({"tags": ("x",)}, RULE, RULE, True, True),
        ({"tags": ("x",)}, RULE, RULE, False, False),
        ({"tags": ("x",)}, PINNED, PINNED, False, False),
        ({"statement": "y"}, PINNED, replace(PINNED, statement="y"), False, False),
        ({"statement": "y"}, PINNED, replace(PINNED, statement="y"), True, True),
        ({"pinned": True}, TARGET, PINNED, False, True),
        ({"pinned": True}, GUARD, replace(GUARD, pinned=True), False, False),  # for `ratify`
        ({"trigger": "x"}, TARGET, GUARD, False, True),
        ({"rule": RuleType.AVOID_PATTERN}, TARGET, RULE, False, True),
        ({"rule": RuleType.AVOID_PATTERN}, PINNED, replace(RULE, pinned=True), False, False),
    ],
)
def test_an_update_gives_the_force_that_it_names(changes, old, new, had, gives):
    operation = Operation(op=Op.UPDATE, target=OLD, changes=changes)
    assert gives_force(operation, old, new, had_force=had, ratified=False) is gives


@pytest.mark.parametrize("new", [RULE, PINNED, GUARD])
def test_what_a_person_adds_may_act(new):
    operation = Operation(op=Op.ADD, memory=new)
    assert gives_force(operation, None, new, had_force=False, ratified=False)
    assert not gives_force(operation, None, FRESH, had_force=False, ratified=False)


@pytest.mark.parametrize("ratified", [True, False])
def test_identity_acts_only_if_it_is_ratified(ratified):
    add = Operation(op=Op.ADD, memory=IDENTITY)
    assert gives_force(add, None, IDENTITY, had_force=False, ratified=ratified) is ratified
    decay = Operation(op=Op.DECAY, target=OLD, changes={"confidence": 0.1})
    assert not gives_force(decay, IDENTITY, IDENTITY, had_force=True, ratified=True)

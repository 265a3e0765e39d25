"""What a memory's properties enforce: all that the advice lets pass, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.enforcement.literal import literal_block_rules
from vaultmem.core.enforcement.rule import (
    Action,
    Trigger,
    TriggerKind,
    Verifier,
    read_action,
    read_trigger,
    read_verifier,
    rule_of,
)
from vaultmem.core.enforcement.trigger_advice import advise
from vaultmem.core.ids import MemoryId

ID = MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2")
NEVER_FIRES = {"VM611", "VM612", "VM616", "VM617", "VM618"}


def made(**properties):
    return rule_of(ID, "Add files by name.", **{"trigger": None, "action": None} | properties)


def test_a_trigger_needs_its_action():
    assert made(trigger="tool_name deploy") is None
    assert made(action="block") is None
    assert made() is None


def test_the_parts_of_a_rule():
    rule = made(trigger=" bash_contains  git add . ", action=" run_after  npm test ")

    assert rule.trigger == Trigger(TriggerKind.BASH_CONTAINS, "git add .")
    assert (rule.action, rule.command) == (Action.RUN_AFTER, "npm test")
    assert str(rule.trigger) == "bash_contains git add ."
    assert rule.does(Action.RUN_AFTER)
    assert not rule.does(Action.BLOCK)


def test_a_verifier_stands_alone_or_beside_a_trigger_without_action():
    check = "tool_called ask_user before  gh pr merge "
    for rule in (made(verifier=check), made(verifier=check, trigger="tool_name x")):
        assert rule.verifier == Verifier("ask_user", "gh pr merge")
        assert rule.trigger is None
    assert str(rule.verifier) == "tool_called ask_user before gh pr merge"


LINE = st.text(st.characters(categories=("L", "N", "P", "S"), include_characters=" "), max_size=20)
KINDS = st.sampled_from([*(kind.value for kind in TriggerKind), "", "when"])
ACTIONS = st.sampled_from(["block", "warn", "run_after", "run_after x", "block x", "", "deny"])


@given(KINDS, LINE, ACTIONS, LINE)
def test_what_the_advice_lets_pass_can_be_read_and_the_rest_cannot(kind, what, action, check):
    trigger, verifier = f"{kind} {what}", f"tool_called {check}"
    wrong = {one.code for one in advise(trigger, action, verifier)} & NEVER_FIRES
    readable = (read_trigger(trigger), read_action(action)[0], read_verifier(verifier))
    assert (all(readable)) == (not wrong)


@pytest.mark.parametrize(
    ("trigger", "action", "literal"),
    [
        ("bash_contains git add .", "block", True), ("tool_name deploy", "block", True),
        ("bash_contains git add .", "warn", False), ("bash_regex git", "block", False),
        ("file_modified *.py", "block", False),
    ],
)  # fmt: skip
def test_the_extension_holds_what_needs_nobody_to_judge(trigger, action, literal):
    rule = made(trigger=trigger, action=action)
    assert len(literal_block_rules([rule])) == literal
    assert literal_block_rules([rule._replace(conditional=True)]) == ()
    (told, *_) = literal_block_rules([rule]) or [None]
    if literal:
        assert told.reason.startswith("vaultmem: not run")
        assert "Add files by name. [s9t0v1w2]" in told.reason
        assert "\n" not in told.reason

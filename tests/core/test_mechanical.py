"""Which guardrails policy may make: those that a memory spells out wholly, and no other change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vaultmem.core.ids import MemoryId
from vaultmem.core.inference import Guardrail
from vaultmem.core.mechanical import mechanical_guardrail, spells_out
from vaultmem.core.model import Category, Layer, Memory, Status
from vaultmem.core.operation import Op, Operation, Risk
from vaultmem.core.patch_rules import may_select, risk_of, status_set

BAN = Memory(
    id=MemoryId("mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"),
    statement="Never run `git add .`",
    category=Category.LESSON,
)
GUARD = Guardrail("bash_contains git add .", "block")
CHANGES = {"trigger": "bash_contains git add .", "action": "block"}


def update(**parts: object) -> Operation:
    """An operation that makes the guardrail of `BAN`, or something else."""
    wanted = {"op": Op.UPDATE, "target": BAN.id, "changes": CHANGES} | parts
    return Operation(**wanted)  # type: ignore[arg-type]


def test_a_memory_that_spells_it_out_has_a_mechanical_guardrail() -> None:
    assert mechanical_guardrail(BAN) == GUARD
    warns = replace(BAN, statement="Warn when modifying *.sql")
    assert mechanical_guardrail(warns) == Guardrail("file_modified *.sql", "warn")


@pytest.mark.parametrize(
    "changes",
    [
        {"statement": "Never use mutable default arguments"},
        {"statement": "Never use pip"},
        {"statement": "Always ask_user before git push"},  # a verifier blocks and warns of nothing
        {"category": Category.PATTERN},
        {"category": Category.DECISION},
        {"layer": Layer.IDENTITY},
        {"status": Status.CONTESTED},
        {"status": Status.PROMOTED},
        {"pinned": True},  # its force would come along
        {"verifier": "tool_called a before b"},
        {"trigger": "tool_name deploy", "action": "warn"},
        {"applies_when": ("on main",)},
        {"not_when": ("in the sandbox",)},
        {"exceptions": ("generated files",)},
    ],
    ids=str,
)
def test_one_that_is_narrowed_acts_already_or_is_another_matter_has_none(changes) -> None:
    assert mechanical_guardrail(replace(BAN, **changes)) is None


@pytest.mark.parametrize(
    "operation",
    [
        update(changes={**CHANGES, "action": "warn"}),
        update(changes={**CHANGES, "pinned": True}),
        update(changes={"trigger": CHANGES["trigger"]}),
        update(changes={**CHANGES, "trigger": "bash_contains git"}),
        update(candidate="cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2"),
        update(op=Op.ADD_EXCEPTION),
    ],
    ids=lambda one: f"{one.op} {dict(one.changes)}",
)
def test_policy_makes_just_that_guardrail_and_nothing_beside_it(operation) -> None:
    assert spells_out(update(), BAN)
    assert may_select(update(), BAN)
    assert not spells_out(operation, BAN)
    assert not spells_out(update(), None)
    assert not may_select(operation, BAN)


def test_policy_proposes_a_knowledge_note_and_never_says_that_it_is_there() -> None:
    asks = update(op=Op.PROMOTE, changes={})
    says = update(op=Op.PROMOTE, changes={"vault_ref": "[[Notes/Git|Git]]"})
    assert (status_set(asks), status_set(says)) == (None, Status.PROMOTED)
    assert may_select(asks, BAN)
    assert not may_select(says, BAN)
    pinned = replace(BAN, pinned=True)
    assert (risk_of(asks, pinned), risk_of(says, pinned)) == (Risk.LOW, Risk.HIGH)

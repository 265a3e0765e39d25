"""The table of operations: which status takes which, which fields it may touch, how risky it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.patches import FRESH, OLD, TARGET, operation, target_of
from vaultmem.core.model import Layer, Memory, Stability, Status
from vaultmem.core.operation import Deletion, Op, Risk
from vaultmem.core.patch_rules import (
    GOVERNED,
    RULES,
    judged_fields,
    may_select,
    purges,
    risk_of,
    touched_fields,
    way_back,
)

# active, contested, deprecated, superseded, promoted, deleted
MATRIX = {
    Op.ADD: "......",
    Op.UPDATE: "xxx.x.",
    Op.UPDATE_STABILITY: "xx..x.",
    Op.FLAG_FOR_REVIEW: "xx..x.",
    Op.DECAY: "xx....",
    Op.DEPRECATE: "xx..x.",
    Op.SUPERSEDE: "xxx.x.",
    Op.CONTEST: "x.....",
    Op.UNCONTEST: ".x....",
    Op.ADD_EXCEPTION: "xx..x.",
    Op.DELETE: "xxxxx.",
    Op.REJECT_CANDIDATE: "......",
    Op.PROMOTE: "x...x.",
}


def test_there_is_a_rule_for_each_of_the_thirteen_operations() -> None:
    assert len(Op) == 13
    assert set(RULES) == set(Op) == set(MATRIX)


@pytest.mark.parametrize("op", Op)
def test_an_operation_takes_exactly_the_statuses_of_the_matrix(op: Op) -> None:
    row = "".join("x" if status in RULES[op].statuses else "." for status in Status)
    assert row == MATRIX[op]


@pytest.mark.parametrize("op", Op)
def test_no_operation_names_identity_or_provenance_among_its_changes(op: Op) -> None:
    forbidden = {"id", "layer", "status", "created", "updated", "supersedes", "superseded_by"}
    assert RULES[op].fields.isdisjoint(forbidden | {"type", "source_session", "derived_from"})
    assert RULES[op].fields <= set(Memory.__dataclass_fields__)


def test_what_update_may_not_touch_is_every_governed_field_and_nothing_else() -> None:
    assert RULES[Op.UPDATE].fields == set(Memory.__dataclass_fields__) - GOVERNED
    assert "statement" in RULES[Op.UPDATE].fields
    assert RULES[Op.UPDATE_STABILITY].fields == {"stability"}


FIELDS = {
    Op.UPDATE_STABILITY: {"stability"},
    Op.FLAG_FOR_REVIEW: {"review"},
    Op.DECAY: {"confidence", "review"},
    Op.DEPRECATE: {"valid_to"},
    Op.SUPERSEDE: {"valid_to"},
    Op.ADD_EXCEPTION: {"applies_when", "not_when", "exceptions"},
    Op.PROMOTE: {"vault_ref"},
}
SETS = {
    Op.DEPRECATE: Status.DEPRECATED,
    Op.SUPERSEDE: Status.SUPERSEDED,
    Op.CONTEST: Status.CONTESTED,
    Op.UNCONTEST: Status.ACTIVE,
    Op.DELETE: Status.DELETED,
}


@pytest.mark.parametrize("op", [op for op in Op if op is not Op.UPDATE])
def test_an_operation_changes_these_fields_and_sets_this_status(op: Op) -> None:
    assert RULES[op].fields == FIELDS.get(op, set())
    assert RULES[op].sets is SETS.get(op)
    assert RULES[op].creates is (op in {Op.ADD, Op.SUPERSEDE})


RISKS = {
    Op.ADD: Risk.LOW,
    Op.UPDATE: Risk.MEDIUM,
    Op.UPDATE_STABILITY: Risk.LOW,
    Op.FLAG_FOR_REVIEW: Risk.LOW,
    Op.DECAY: Risk.LOW,
    Op.DEPRECATE: Risk.MEDIUM,
    Op.SUPERSEDE: Risk.MEDIUM,
    Op.CONTEST: Risk.MEDIUM,
    Op.UNCONTEST: Risk.MEDIUM,
    Op.ADD_EXCEPTION: Risk.MEDIUM,
    Op.DELETE: Risk.HIGH,
    Op.REJECT_CANDIDATE: Risk.LOW,
    Op.PROMOTE: Risk.LOW,
}
NEVER_ALONE = {Op.DELETE, Op.SUPERSEDE, Op.CONTEST, Op.UNCONTEST, Op.DEPRECATE}


@pytest.mark.parametrize("op", Op)
def test_the_risk_of_a_kind_and_whether_it_may_be_selected_by_itself(op: Op) -> None:
    memory = target_of(op)
    assert risk_of(operation(op), memory) is RISKS[op]
    assert may_select(operation(op), memory) is (op not in NEVER_ALONE)


@pytest.mark.parametrize("op", Op)
@pytest.mark.parametrize(
    "force",
    [
        {"layer": Layer.IDENTITY},
        {"pinned": True},
        {"trigger": "bash_contains rm", "action": "block"},
        {"verifier": "tool_called a before b"},
    ],
)
def test_what_concerns_force_is_high_and_never_selected(op: Op, force: dict[str, object]) -> None:
    target, new = target_of(op), operation(op).memory
    risks = set()
    if target is not None:
        risks.add(risk_of(operation(op), replace(target, **force)))
    if new is not None:
        risks.add(risk_of(operation(op, memory=replace(new, **force)), target))
    expected = {Op.PROMOTE: {Risk.LOW}, Op.REJECT_CANDIDATE: set()}.get(op, {Risk.HIGH})
    assert risks == expected
    if target is not None and op is not Op.PROMOTE:
        assert not may_select(operation(op), replace(target, **force))


@pytest.mark.parametrize("field", ["pinned", "trigger", "action", "verifier"])
def test_changing_what_acts_is_high(field: str) -> None:
    changed = operation(Op.UPDATE, changes={field: "x"})
    assert risk_of(changed, TARGET) is Risk.HIGH
    assert not may_select(changed, TARGET)


def test_a_promotion_that_happened_is_never_selected_by_itself() -> None:
    happened = operation(Op.PROMOTE, changes={"vault_ref": "[[Knowledge]]"})
    assert not may_select(happened, TARGET)
    assert may_select(operation(Op.PROMOTE), TARGET)


def test_an_author_raises_the_risk_and_never_lowers_it() -> None:
    assert risk_of(operation(Op.DELETE, risk=Risk.LOW), TARGET) is Risk.HIGH
    assert risk_of(operation(Op.UPDATE, risk=Risk.LOW), TARGET) is Risk.MEDIUM
    assert risk_of(operation(Op.ADD, risk=Risk.HIGH), None) is Risk.HIGH
    assert not may_select(operation(Op.ADD, risk=Risk.HIGH), None)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (Stability.LOW, Stability.STABLE, Risk.LOW),
        (Stability.STABLE, Stability.SEMI_STABLE, Risk.MEDIUM),
        (Stability.SEMI_STABLE, "low", Risk.MEDIUM),
        (Stability.SEMI_STABLE, "semi-stable", Risk.LOW),
        (Stability.SEMI_STABLE, "nonsense", Risk.LOW),
        (Stability.SEMI_STABLE, 1, Risk.LOW),
    ],
)
def test_less_stability_is_a_medium_risk(old: Stability, new: object, expected: Risk) -> None:
    changed = operation(Op.UPDATE_STABILITY, changes={"stability": new})
    assert risk_of(changed, replace(TARGET, stability=old)) is expected
    assert risk_of(changed, None) is Risk.LOW


def test_an_operation_is_judged_on_the_statement_and_on_what_it_writes() -> None:
    assert touched_fields(operation(Op.SUPERSEDE)) == ("status", "superseded_by")
    assert judged_fields(operation(Op.SUPERSEDE)) == ("statement", "status", "superseded_by")
    assert judged_fields(operation(Op.UPDATE)) == ("statement", "tags")
    assert judged_fields(operation(Op.DECAY)) == ("statement", "confidence", "review")
    assert judged_fields(operation(Op.PROMOTE)) == ("statement",)
    assert judged_fields(operation(Op.ADD)) == touched_fields(operation(Op.ADD)) == ()


def test_a_purge_is_judged_on_nothing_and_keeps_no_copy_of_the_words() -> None:
    purge = operation(Op.DELETE, deletion=Deletion.PURGE)
    assert purges(purge)
    assert judged_fields(purge) == ()
    assert not purges(operation(Op.DELETE))
    assert not purges(operation(Op.UPDATE, deletion=Deletion.PURGE))
    assert judged_fields(operation(Op.DELETE)) == ("statement", "status")


def test_the_shared_operations_are_those_of_the_table() -> None:
    assert operation(Op.SUPERSEDE).target == OLD
    assert operation(Op.SUPERSEDE).memory == FRESH


@pytest.mark.parametrize("status", Status)
def test_every_status_has_a_way_back_that_names_a_command_or_nothing_to_do(status: Status) -> None:
    sentence = way_back(TARGET, status)
    assert (f"{TARGET.id}" in sentence) is (status is not Status.ACTIVE)
    assert sentence.endswith(".")


BACK = f"`vaultmem edit {OLD} --set status active`"


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (Status.ACTIVE, "Nothing to do; it is in force."),
        (Status.CONTESTED, f"Settle the doubt first, with `vaultmem uncontest {OLD}`."),
        (Status.DEPRECATED, f"To have it back, run {BACK} first."),
        (Status.DELETED, f"To have it back, run {BACK} first."),
        (
            Status.SUPERSEDED,
            f"Change the memory that replaced it; to have it back, run {BACK} first.",
        ),
        (
            Status.PROMOTED,
            f"Change what it was promoted to; to have it back, run {BACK} first.",
        ),
    ],
)
def test_each_way_back_is_told_in_these_words(status: Status, sentence: str) -> None:
    assert way_back(TARGET, status) == sentence


def test_what_replaced_a_memory_is_named_where_its_note_says_so() -> None:
    newer = replace(TARGET, superseded_by=("[[New]]", "[[Newer]]"))
    assert way_back(newer, Status.SUPERSEDED).startswith("Change [[New]], [[Newer]], which")
    older = replace(TARGET, superseded_by=())
    assert way_back(older, Status.SUPERSEDED).startswith("Change the memory that replaced it;")

"""A patch is proposed, decided once, and perhaps reverted; its candidates follow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.patches import (
    CANDIDATE,
    DEVICE,
    NOW,
    PATCH,
    PERSON,
    TARGET,
    memories,
    operation,
    operations,
    patch_of,
)
from tests.examples import many
from vaultmem.core.model import Layer, Memory, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch import Fate, Patch, fate_of, move, new_patch, settle
from vaultmem.core.patch_check import check
from vaultmem.core.patch_rules import RULES, Refusal, may_select
from vaultmem.core.patch_status import MOVES, PatchStatus

TICKED = replace(operation(Op.ADD), selected=True)


def test_a_new_patch_numbers_its_operations_and_is_proposed() -> None:
    patch = patch_of(operation(Op.ADD), operation(Op.CONTEST), operation(Op.DECAY))
    assert [one.id for one in patch.operations] == ["op_001", "op_002", "op_003"]
    assert (patch.id, patch.status, patch.created, patch.device) == (
        PATCH,
        PatchStatus.PROPOSED,
        NOW,
        DEVICE,
    )
    assert patch.operations[1].before["status"] is Status.ACTIVE


FLOW = {
    PatchStatus.PROPOSED: "applying rejected",
    PatchStatus.APPLYING: "applying applied partially_applied",
    PatchStatus.APPLIED: "reverting",
    PatchStatus.PARTIALLY_APPLIED: "reverting",
    PatchStatus.REJECTED: "",
    PatchStatus.REVERTING: "reverting reverted",
    PatchStatus.REVERTED: "",
}


PLAIN = {"applying": "applied", "reverting": "reverted"}


@pytest.mark.parametrize("status", PatchStatus)
@pytest.mark.parametrize("after", PatchStatus)
def test_a_patch_moves_only_along_its_life(status: PatchStatus, after: PatchStatus) -> None:
    patch = replace(patch_of(operation(Op.ADD)), status=status)
    moved = move(patch, after)
    if after in FLOW[status].split():
        assert moved == replace(patch, status=after)
    else:
        assert isinstance(moved, Refusal)
        assert moved.code == "decided"
        assert moved.remedy == (
            f"Look at it with `vaultmem patch show {patch.id}`; a new change needs a new patch."
        )
        assert moved.sentence.startswith(f"{patch.id} is ")
        now, wanted = (PLAIN.get(one, one).replace("_", " ") for one in (status, after))
        again = now == wanted
        assert moved.sentence.endswith(
            f" is {now} already." if again else f" is {now} and cannot be {wanted}."
        )
    assert set(MOVES) == set(PatchStatus)


def test_a_patch_is_applied_when_all_its_operations_are() -> None:
    patch = patch_of(operation(Op.ADD), operation(Op.DECAY))
    assert settle(patch, ["op_002", "op_001"]) is PatchStatus.APPLIED
    assert settle(patch, ["op_001"]) is PatchStatus.PARTIALLY_APPLIED


def test_row21_124_nothing_selected_applies_partially_and_the_candidate_waits() -> None:
    patch = patch_of(operation(Op.ADD))
    assert settle(patch, []) is PatchStatus.PARTIALLY_APPLIED
    assert fate_of(patch.operations[0], None) is Fate.WAITS


def test_row21_051_an_applied_add_turns_its_candidate_into_the_memory() -> None:
    assert fate_of(TICKED, None) is Fate.BECOMES_MEMORY


def test_row21_052_an_applied_supersession_does_so_too() -> None:
    assert fate_of(operation(Op.SUPERSEDE, selected=True), None) is Fate.BECOMES_MEMORY


def test_row21_053_a_selected_operation_that_can_never_apply_rejects_its_candidate() -> None:
    final = check(TICKED, None, PERSON._replace(tombstoned=True))
    assert fate_of(TICKED, final) is Fate.REJECTED
    assert fate_of(replace(TICKED, selected=False), final) is Fate.WAITS


def test_a_refusal_that_may_pass_leaves_the_candidate_waiting() -> None:
    identity = replace(TICKED, memory=replace(TICKED.memory, layer=Layer.IDENTITY))
    refusal = check(identity, None, PERSON)
    assert refusal is not None
    assert fate_of(identity, refusal) is Fate.WAITS


def test_row21_121_an_applied_rejection_rejects_its_candidate() -> None:
    one = operation(Op.REJECT_CANDIDATE, selected=True)
    assert one.candidate == CANDIDATE
    assert fate_of(one, None) is Fate.REJECTED


def test_a_candidate_that_updates_a_memory_is_settled() -> None:
    one = operation(Op.UPDATE, selected=True, candidate=CANDIDATE)
    assert fate_of(one, None) is Fate.SETTLED


@many(2)
@given(st.lists(st.tuples(operations(), memories), max_size=4))
def test_a_new_patch_ticks_nothing_that_needs_a_person(
    pairs: list[tuple[Operation, Memory]],
) -> None:
    targets = [(one, memory if RULES[one.op].statuses else None) for one, memory in pairs]
    patch: Patch = new_patch(PATCH, targets, created=NOW, device=DEVICE)
    for (wanted, memory), one in zip(targets, patch.operations, strict=True):
        assert one.selected == (wanted.selected and may_select(one, memory))
    assert len({one.id for one in patch.operations}) == len(pairs)


def test_the_usual_target_is_active() -> None:
    assert TARGET.status is Status.ACTIVE

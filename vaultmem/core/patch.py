"""A patch: a set of operations that is proposed, decided once, and perhaps reverted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.operation import Op, Operation, operation_id
from vaultmem.core.patch_effect import propose
from vaultmem.core.patch_rules import RULES, Refusal
from vaultmem.core.patch_status import MOVES, PatchStatus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from vaultmem.core.model import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A reviewable set of operations; the only way in which the machine changes a memory.

    Attributes:
        id: `patch_<ulid>`.
        operations: each with an id of its own, in the order in which they are applied.
        created: local to the person.
        device: the machine that proposed it.
    """

    id: str
    operations: tuple[Operation, ...]
    status: PatchStatus = PatchStatus.PROPOSED
    created: datetime | None = None
    device: str | None = None


class Fate(StrEnum):
    """What becomes of the candidate of an operation."""

    WAITS = "waits"
    BECOMES_MEMORY = "becomes_memory"
    SETTLED = "settled"
    REJECTED = "rejected"


def new_patch(
    patch_id: str,
    proposals: Iterable[tuple[Operation, Memory | None]],
    *,
    created: datetime,
    device: str,
) -> Patch:
    """A patch of these operations, each with the memory that is its target now.

    They get ids in their order, what the targets hold as `before`, the computed risk, and a tick
    only where their author set one and they may have it.
    """
    operations = tuple(
        replace(propose(operation, memory), id=operation_id(number))
        for number, (operation, memory) in enumerate(proposals, 1)
    )
    return Patch(id=patch_id, operations=operations, created=created, device=device)


def move(patch: Patch, status: PatchStatus) -> Patch | Refusal:
    """The patch with another status, or why it cannot have it."""
    if status in MOVES[patch.status]:
        return replace(patch, status=status)
    now, wanted = (_PLAIN.get(one, one.value.replace("_", " ")) for one in (patch.status, status))
    return Refusal(
        "decided",
        f"{patch.id} is {now}{' already' if now == wanted else f' and cannot be {wanted}'}.",
        f"Look at it with `vaultmem patch show {patch.id}`; a new change needs a new patch.",
    )


_PLAIN = {PatchStatus.APPLYING: "applied", PatchStatus.REVERTING: "reverted"}
"""What a status on the way is called to a person."""


def settle(patch: Patch, applied: Iterable[str]) -> PatchStatus:
    """The status after a run in which the operations with these ids were applied, then or before.

    What was not selected counts as left out.
    """
    missing = {operation.id for operation in patch.operations} - set(applied)
    return PatchStatus.PARTIALLY_APPLIED if missing else PatchStatus.APPLIED


def fate_of(operation: Operation, refusal: Refusal | None) -> Fate:
    """What becomes of the operation's candidate once the patch is decided."""
    if refusal is not None or not operation.selected:
        final = refusal is not None and refusal.final and operation.selected
        return Fate.REJECTED if final else Fate.WAITS
    if operation.op is Op.REJECT_CANDIDATE:
        return Fate.REJECTED
    return Fate.BECOMES_MEMORY if RULES[operation.op].creates else Fate.SETTLED

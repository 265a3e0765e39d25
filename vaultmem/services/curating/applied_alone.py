"""What policy applied by itself on this machine and the person was not told yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.patch_rules import Applier
from vaultmem.store.patches import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.services.call import Call
    from vaultmem.store.patches import PatchRow

_TOLD = "told_applied"
"""The key of the baseline's word that names the newest patch that was told."""


class AppliedAlone(NamedTuple):
    """One operation that policy applied.

    Attributes:
        patch: the patch that did it.
        op: what it did, as `core.operation.Op` spells it.
        memory: the id of the memory that it made or changed.
        statement: what that memory says now, "" if it is gone.
        path: its note, relative to the vault.
    """

    patch: str
    op: str
    memory: str
    statement: str
    path: str

    @property
    def revert(self) -> str:
        """The command that takes the whole patch back."""
        return f"vaultmem patch revert {self.patch}"


def applied_alone(call: Call) -> list[AppliedAlone]:
    """What was applied since the person was last told, the oldest first, less what was reverted.

    Each machine tells what it did itself, because only there can it be taken back.
    """
    return [told for row in _rows(call) for told in _operations(call, row)]


def mark_told(call: Call, told: Iterable[AppliedAlone]) -> None:
    """Remember that the person was told; a patch that is not finished is told when it is."""
    patches = [one.patch for one in told]
    unfinished = min((row.id for row in call.vault.patches.unfinished()), default=None)
    done = [one for one in patches if unfinished is None or one < unfinished]
    if done:
        call.vault.baseline.set_meta(_TOLD, max(done))


def _rows(call: Call) -> list[PatchRow]:
    since = call.vault.baseline.meta(_TOLD)
    return call.vault.patches.applied_by(Applier.POLICY.value, since)


def _operations(call: Call, row: PatchRow) -> Iterator[AppliedAlone]:
    steps = row.progress()
    for operation in row.patch().operations:
        step = steps.get(operation.id)
        made = operation.target if operation.memory is None else operation.memory.id
        if step is None or step.stage is not Stage.APPLIED or made is None:
            continue
        standing = call.vault.baseline.standing(made)
        statement, path = (standing.statement, standing.path) if standing else ("", "")
        yield AppliedAlone(row.id, operation.op.value, made, statement, path)

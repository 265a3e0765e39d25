"""How far a patch came on this machine: its row, its steps, and the signed lines about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.patch_status import PatchStatus
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.store.patches import spelled_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.core.operation import Operation
    from vaultmem.services.call import Call
    from vaultmem.store.patches import PatchRow, Step


class Progress:
    """What is kept of one patch while it is applied."""

    def __init__(self, call: Call, row: PatchRow) -> None:
        """Take what is known of it; the row is not in the table yet where it was not begun."""
        self.row = row
        self.steps = row.progress()
        self.begun = call.vault.patches.row(row.id) is not None
        self.said = patch_ledger.said(call, row.id)
        self._call = call

    def begin(self, operation: Operation, step: Step) -> None:
        """Record and sign that an operation is begun, unless it was before."""
        self.begin_all({operation.id: step}, [operation])

    def begin_all(self, steps: Mapping[str, Step], operations: Sequence[Operation]) -> None:
        """As `begin`, for several that only add."""
        new = [one for one in operations if one.id not in self.steps]
        if new:
            self.keep({one.id: steps[one.id] for one in new})
            self.tell_all(patch_ledger.BEGUN, new)

    def take_begin_back(self, operation: Operation) -> None:
        """Nothing of it was written: it is as if it had not been begun."""
        if self.steps.pop(operation.id, None) is None:
            return
        self.tell(patch_ledger.REFUSED, operation, why="unseen")
        if self.steps:
            self.put(PatchStatus.APPLYING)
        else:
            self._call.vault.patches.forget([self.row.id])
            self.begun = False

    def keep(self, steps: Mapping[str, Step]) -> None:
        """Record how far operations came; the first of them begins the patch."""
        self.steps |= steps
        self.put(PatchStatus.APPLYING)

    def put(self, status: PatchStatus) -> None:
        """Record the patch as it is now."""
        self.begun = True
        self.row = self.row._replace(status=status.value, steps=spelled_steps(self.steps))
        self._call.vault.patches.put(self.row)

    def tell(self, act: str, operation: Operation, *, why: str = "") -> None:
        """Sign what becomes of an operation."""
        by, via = self.row.by, self.row.via
        patch_ledger.tell(self._call, act, self.row.id, operation, by=by, via=via, why=why)

    def tell_all(self, act: str, operations: Sequence[Operation]) -> None:
        """Sign what becomes of operations, with few lines where there are many."""
        if len(operations) == 1:
            self.tell(act, operations[0])
        else:
            by, via = self.row.by, self.row.via
            patch_ledger.tell_all(self._call, act, self.row.id, operations, by=by, via=via)

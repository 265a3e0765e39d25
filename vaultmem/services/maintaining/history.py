"""What maintenance proposed before, on any device: one signed line per memory and operation."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.maintenance import Told, next_time
from vaultmem.core.operation import Op
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.core.patch import Patch
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

MAINTAINED = "maintained"
"""The act of the lines: of a patch's id, and of each memory that it is about."""


def told(call: Call, memory: str) -> dict[Op, Told]:
    """The last proposal of each kind for a memory, whatever became of it."""
    found: dict[Op, Told] = {}
    for line in _lines(call, memory):
        values = json.loads(line.data)
        with suppress(KeyError, TypeError, ValueError):  # another version may tell other things
            found[Op(values["op"])] = Told(float(values["local"]), float(values["until"]))
    return found


def is_maintenance(call: Call, patch: str) -> bool:
    """Whether maintenance made the patch of that id."""
    return bool(_lines(call, patch))


def tell(call: Call, patch: Patch, targets: dict[str, Memory]) -> None:
    """Sign what was proposed, after the patch was saved: it is not proposed again in this period.

    Args:
        call: the circumstances.
        patch: as it was saved.
        targets: the memories that it is about, by id.
    """
    by = call.actor.value
    lines = [entry(call, MAINTAINED, patch.id, {"by": by, "operations": len(patch.operations)})]
    for one in patch.operations:
        if one.target is None:  # pragma: no cover - every operation of maintenance has one
            continue
        until = next_time(targets[one.target], call.seconds)
        values = {"by": by, "op": one.op.value, "patch": patch.id}
        lines.append(
            entry(call, MAINTAINED, one.target, {**values, "local": call.seconds, "until": until})
        )
    call.vault.append(LedgerKind.ACTIVITY, lines)


def _lines(call: Call, note: str) -> list[LedgerRow]:
    """The lines about a note, oldest first; without a key, nobody can sign, and ours count."""
    rows = call.vault.baseline.ledger.of_note(note, LedgerKind.ACTIVITY)
    keyless = call.vault.key is None
    return [
        row
        for row in rows
        if row.act == MAINTAINED and (row.signed or (keyless and row.device == call.vault.device))
    ]

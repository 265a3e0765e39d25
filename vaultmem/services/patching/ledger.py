"""What the signed lines of the ledgers say of a patch: who vouches for it, and what was decided.

The hash in a patch's note is public, so that whoever edits an operation can write it anew. The line
that says it was proposed holds a keyed hash of each operation, which nobody without the key can.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.operation import operation_hash
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from vaultmem.core.ledger import Scalar
    from vaultmem.core.operation import Operation
    from vaultmem.core.patch import Patch
    from vaultmem.services.call import Call

PROPOSED, BEGUN, APPLIED, REFUSED = "proposed", "begun", "applied", "refused"
REJECTED, REVERTED = "rejected", "reverted"
CLOSED = "closed"
"""The act of the line that ends the open note of a patch, whatever became of its operations."""
DECIDED = frozenset((APPLIED, REJECTED))
"""An operation of which a signed line says so is never done again, on no device."""
LINE_OPERATIONS = 500
"""Operations whose hashes one line holds; it must stay below `core.ledger.MAX_LINE`."""


class Said(NamedTuple):
    """What signed lines of all devices say of the operations of one patch, by their ids."""

    decided: frozenset[str]
    begun: frozenset[str]


def vouch(call: Call, patch: Patch) -> None:
    """Sign for what each operation of a patch says, before its note is written."""
    hashes = {one.id: _keyed(call, patch.id, one) for one in patch.operations}
    lines = [
        entry(call, PROPOSED, patch.id, {name: hashes[name] for name in names})
        for names in _in_lines(sorted(hashes))
    ]
    call.vault.append(LedgerKind.ACTIVITY, lines)


def unvouched(call: Call, patch: Patch, operations: Iterable[Operation]) -> frozenset[str]:
    """The operations that no signed line proposed as they are; all of them without a key."""
    known: set[tuple[str, str]] = set()
    for act, values in _lines(call, patch.id):
        if act == PROPOSED:
            known |= {(name, str(value)) for name, value in values.items()}
    return frozenset(
        one.id
        for one in operations
        if call.vault.key is None or (one.id, _keyed(call, patch.id, one)) not in known
    )


def proposer(call: Call, patch_id: str) -> str:
    """The device that signed for a patch; "" where none did. What its note says is no proof."""
    rows = call.vault.baseline.ledger.signed(patch_id, LedgerKind.ACTIVITY)
    return next((row.device for row in reversed(rows) if row.act == PROPOSED), "")


def said(call: Call, patch_id: str) -> Said:
    """What was decided or begun of a patch, on any device."""
    decided: set[str] = set()
    begun: set[str] = set()
    for act, values in _lines(call, patch_id):
        operations = str(values.get("op", "")).split()
        if act in DECIDED:
            decided.update(operations)
        elif act == BEGUN:
            begun.update(operations)
        elif act == REFUSED:
            begun.difference_update(operations)
    return Said(frozenset(decided), frozenset(begun - decided))


def tell(
    call: Call, act: str, patch_id: str, operation: Operation, *, by: str, via: str, why: str = ""
) -> None:
    """Sign what becomes of one operation."""
    values: dict[str, Scalar] = {"by": by, "via": via, "op": operation.id}
    if operation.target is not None:
        values["target"] = operation.target
    if operation.candidate is not None:
        values["candidate"] = operation.candidate
    if why:
        values["why"] = why
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, act, patch_id, values)])


def tell_all(
    call: Call, act: str, patch_id: str, operations: Sequence[Operation], *, by: str, via: str
) -> None:
    """Sign what becomes of operations that add, `LINE_OPERATIONS` of them in one line."""
    lines = [
        entry(call, act, patch_id, {"by": by, "via": via, "op": " ".join(names)})
        for names in _in_lines([one.id for one in operations])
    ]
    call.vault.append(LedgerKind.ACTIVITY, lines)


def _in_lines(names: Sequence[str]) -> Iterator[Sequence[str]]:
    """The names of operations in groups, each for one line."""
    return (names[at : at + LINE_OPERATIONS] for at in range(0, len(names), LINE_OPERATIONS))


def _keyed(call: Call, patch_id: str, operation: Operation) -> str:
    key = call.vault.key
    message = operation_hash(patch_id, operation).encode()
    return key.mac("operation", message) if key is not None else ""


def _lines(call: Call, patch_id: str) -> list[tuple[str, dict[str, Scalar]]]:
    rows = call.vault.baseline.ledger.signed(patch_id, LedgerKind.ACTIVITY)
    return [(row.act, json.loads(row.data)) for row in rows]

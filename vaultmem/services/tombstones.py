"""Tombstones: that a thing was deleted and must not come back by the machine, not what it said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.normal import statement_key
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

DELETED, WITHDRAWN = "deleted", "withdrawn"


def text_mac(call: Call, statement: str) -> str:
    """The keyed hash that stops the same text under a new id; empty without a key."""
    key = call.vault.key
    return key.mac("tombstone", statement_key(statement).encode()) if key is not None else ""


def tombstone_for(call: Call, identifier: str, memory: Memory) -> LedgerRow | None:
    """The signed tombstone that a memory hits by its id or by its text, or None."""
    baseline = call.vault.baseline
    if identifier and (stone := _standing(call, identifier)) is not None:
        return stone
    mac = text_mac(call, memory.statement)
    if not mac:
        return None
    stones = baseline.ledger("after = ? AND kind = 'tombstones' AND signed = 1", mac)
    for stone in reversed(stones):
        newest = _standing(call, stone.note)
        if newest is not None and newest.after == mac:
            return newest
    return None


def write_tombstone(call: Call, memory: Memory, *, by: str) -> None:
    """Mark a memory as deleted; the line holds its id and a keyed hash of its text."""
    values = {"after": text_mac(call, memory.statement), "by": by}
    call.vault.append(LedgerKind.TOMBSTONES, [entry(call, DELETED, memory.id, values)])


def withdraw(call: Call, identifier: str) -> None:
    """Take a tombstone back: the person brought the note back or approved the text."""
    if _standing(call, identifier) is not None:
        line = entry(call, WITHDRAWN, identifier, {"by": "person"})
        call.vault.append(LedgerKind.TOMBSTONES, [line])


def _standing(call: Call, identifier: str) -> LedgerRow | None:
    """The tombstone of an id that was not withdrawn."""
    lines = call.vault.baseline.ledger(
        "note = ? AND kind = 'tombstones' AND signed = 1", identifier
    )
    return lines[-1] if lines and lines[-1].act == DELETED else None

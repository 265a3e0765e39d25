"""Tombstones: that a thing was deleted and must not come back by the machine, not what it said."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

from vaultmem.core.deletion import DeletionReason, said_before
from vaultmem.core.ids import MemoryId, is_id, with_prefix
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Memory
from vaultmem.core.normal import statement_key
from vaultmem.core.operation import Deletion
from vaultmem.core.proposal import Tombstone
from vaultmem.core.standing import moment_seconds
from vaultmem.services.syncing.attribution import lines_of_mac
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.likeness import Known
    from vaultmem.index.engine import SearchEngine
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow, Pending

DELETED, WITHDRAWN = "deleted", "withdrawn"
RESTORED = "restored"
"""The act by which a person brings a memory back; any other change of it is no such wish."""
_COMPARED = 200
"""Deleted texts that one new text is compared with by meaning; some 5 ms each."""


def text_mac(call: Call, statement: str) -> str:
    """The keyed hash that stops the same text under a new id; empty without a key."""
    key = call.vault.key
    return key.mac("tombstone", statement_key(statement).encode()) if key is not None else ""


def tombstone_for(
    call: Call, identifier: str, memory: Memory, *, buried: Sequence[Known] | None = None
) -> LedgerRow | None:
    """The signed tombstone that a memory hits by its id, its text or its meaning, or None.

    Args:
        call: the circumstances.
        identifier: the memory's id, empty for one that has none yet.
        memory: what it says.
        buried: what `deleted_texts` answers, from a caller that asks for many memories.
    """
    if identifier and (stone := standing_tombstone(call, identifier)) is not None:
        return stone
    mac = text_mac(call, memory.statement)
    if not mac:
        return None
    stones = call.vault.baseline.ledger.of_hash(mac, LedgerKind.TOMBSTONES)
    for stone in (one for one in reversed(stones) if one.signed):
        if stone in _standing(call, stone.note):
            return stone
    texts = deleted_texts(call) if buried is None else buried
    same = said_before(memory, texts) if texts else None
    return standing_tombstone(call, same.memory.id) if same is not None else None


def tombstone_in_meaning(call: Call, engine: SearchEngine, memory: Memory) -> LedgerRow | None:
    """The signed tombstone of a memory whose text is still there and means what a new one says.

    For texts that share too few words for `tombstone_for`; needs a model, and None without one.
    """
    from vaultmem.core.duplicate import difference  # as in `said_before`

    texts = deleted_texts(call)[-_COMPARED:]
    near = engine.nearness(memory.statement, [one.statement for one in texts]) or []
    for old, cosine in zip(texts, near, strict=False):
        alike = cosine >= engine.thresholds.tombstone
        if alike and difference(memory.statement, old.statement) is None:
            return standing_tombstone(call, old.memory.id)
    return None


def deleted_texts(call: Call) -> list[Known]:
    """The deleted memories whose text is still there, made ready to be compared."""
    from vaultmem.core.likeness import known  # as in `said_before`

    baseline = call.vault.baseline
    found: list[Known] = []
    for row in baseline.deleted_memories():
        data = baseline.content(row.id)
        if data is not None and standing_tombstone(call, row.id) is not None:
            found.append(known(decode_in(call.vault.root, row.path, data).memory))
    return found


def standing(
    call: Call, identifier: str, statement: str, *, buried: Sequence[Known] | None = None
) -> Tombstone:
    """Whether an id or a statement was deleted and not brought back, and whether that is signed.

    Args:
        call: the circumstances.
        identifier: of a memory, or of the candidate that would become it; may be empty.
        statement: what it says.
        buried: as for `tombstone_for`.
    """
    memory = Memory(id=MemoryId(identifier), statement=statement)
    own = with_prefix(identifier, "mem") if is_id(identifier, "cand") else identifier
    if tombstone_for(call, own, memory, buried=buried) is not None:
        return Tombstone.SIGNED
    table, mac = call.vault.baseline.ledger, text_mac(call, statement)
    lines = table.of_note(own, LedgerKind.TOMBSTONES) if own else []
    lines += table.of_hash(mac, LedgerKind.TOMBSTONES) if mac else []
    unsigned = any(line.act == DELETED and not line.signed for line in lines)
    return Tombstone.UNSIGNED if unsigned else Tombstone.NONE


def write_tombstone(
    call: Call,
    memory: Memory,
    *,
    by: str,
    mode: Deletion = Deletion.AUDIT,
    reason: DeletionReason = DeletionReason.USER_REQUESTED,
) -> None:
    """Mark a memory as deleted; the line holds its id and a keyed hash of its text, no word of it.

    One that stands already is not written again, unless a purge follows a deletion that kept the
    text, or the person had brought the memory back in between: that, if it waits to be signed, is
    over.
    """
    mac = text_mac(call, memory.statement)
    stone = standing_tombstone(call, memory.id)
    if (change := _waiting_restoration(call, memory.id)) is not None:
        call.vault.baseline.pending.settle(change)
    if stone is not None and stone.after == mac and (purges(stone) or mode is Deletion.AUDIT):
        return
    values = {"after": mac, "by": by, "mode": mode.value, "reason": reason.value}
    call.vault.append(LedgerKind.TOMBSTONES, [entry(call, DELETED, memory.id, values)])


def withdraw(call: Call, identifier: str) -> None:
    """Take a tombstone back: the person brought the note back or approved the text."""
    if signed_tombstone(call, identifier) is not None:
        line = entry(call, WITHDRAWN, identifier, {"by": "person"})
        call.vault.append(LedgerKind.TOMBSTONES, [line])


def lift(call: Call, identifier: str, memory: Memory) -> None:
    """Take back the tombstone that a memory hits, as in `tombstone_for`: the person approved it."""
    if (stone := tombstone_for(call, identifier, memory)) is not None:
        withdraw(call, stone.note)


def standing_tombstone(call: Call, identifier: str) -> LedgerRow | None:
    """The newest signed tombstone of an id that was not withdrawn, and will not be.

    Where the person brought the memory back here, the withdrawal may wait to be signed.
    """
    return next(reversed(_standing(call, identifier)), None)


def signed_tombstone(call: Call, identifier: str) -> LedgerRow | None:
    """The newest signed tombstone of an id that no signed line withdrew."""
    return next(reversed(_signed(call, identifier)), None)


def is_wanted_back(call: Call, identifier: str, mac: str, stone: LedgerRow) -> bool:
    """Whether a device's person brought a memory back since its deletion; a purge is final.

    That may arrive before the withdrawal of the tombstone does. Who changed the memory without
    knowing that it was deleted did not wish it back, however late that was.

    Args:
        call: the circumstances.
        identifier: the memory.
        mac: the keyed hash of the version in question: only one that a device signed for when the
            memory was brought back, or later, is meant.
        stone: the tombstone that stands.
    """
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    back = next((one.line for one in lines if one.act == RESTORED and one.line > stone.line), None)
    if back is None or purges(stone):
        return False
    return any(one.line >= back for one in lines_of_mac(call, identifier, mac))


def _standing(call: Call, identifier: str) -> list[LedgerRow]:
    """The tombstones that `standing_tombstone` chooses from, oldest first."""
    signed = _signed(call, identifier)
    change = _waiting_restoration(call, identifier) if signed else None
    if change is None:
        return signed
    return [one for one in signed if purges(one) or _seconds(call, one) > change.at]


def _seconds(call: Call, line: LedgerRow) -> float:
    """The moment of a line as `Standing` keeps moments."""
    return moment_seconds(datetime.fromisoformat(line.at).astimezone(call.now.tzinfo))


def _waiting_restoration(call: Call, identifier: str) -> Pending | None:
    """That the person brought the memory back here, which waits to be signed; None if not."""
    return call.vault.baseline.pending.of(identifier).get(RESTORED)


def _signed(call: Call, identifier: str) -> list[LedgerRow]:
    """The signed tombstones of an id since one was last withdrawn, oldest first.

    There are several where its text changed between two deletions; each stops the text that it saw.
    """
    standing: list[LedgerRow] = []
    for line in call.vault.baseline.ledger.signed(identifier, LedgerKind.TOMBSTONES):
        standing = [*standing, line] if line.act == DELETED else []
    return standing


def stood_beside(call: Call, identifier: str, stone: LedgerRow) -> bool:
    """Whether a device signed for a memory before another one with the same text was deleted.

    The ids of ledger lines begin with their time.
    """
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    return stone.note != identifier and any(line.line < stone.line for line in lines)


def purges(stone: LedgerRow) -> bool:
    """Whether the tombstone asks every device to remove what the memory said."""
    return bool(json.loads(stone.data).get("mode") == Deletion.PURGE)

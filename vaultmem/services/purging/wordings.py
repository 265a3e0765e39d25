"""The earlier wordings of a memory: those that this machine keeps, and those it knows by a hash.

A wording that another memory in force has now is that memory's, and is not looked for.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.normal import statement_key
from vaultmem.core.occurrence import passages
from vaultmem.core.state import MemoryState
from vaultmem.errors import NoteError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.services.syncing.attribution import SAID, said_mac
from vaultmem.services.tombstones import text_mac

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from vaultmem.core.operation import Operation
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow
    from vaultmem.store.patches import PatchRow

_CREATED = "created"


def kept_wordings(call: Call, identifier: str, candidate: str) -> tuple[str, ...]:
    """The statements that the baseline and the decided patches keep of a memory, each once."""
    found = list(call.vault.baseline.wordings(identifier))
    for row in call.vault.patches.rows():
        if any(one.encode() in row.note for one in (identifier, candidate)):
            found += _in_patch(row, identifier, candidate)
    return _its_own(call, identifier, found)


def may_be_more(call: Call, identifier: str, candidate: str) -> bool:
    """Whether the memory may have had a wording of which this machine keeps nothing.

    It knows all of them only where it saw the memory begin, and kept a statement for each version
    that a signed line says was reworded.
    """
    baseline = call.vault.baseline
    lines = baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    begun = [*lines, *baseline.ledger.signed(candidate, LedgerKind.ACTIVITY)]
    if not any(line.act == _CREATED and line.device == call.vault.device for line in begun):
        return True
    versions = {line.after for line in lines if line.act == _CREATED or _is_reworded(line)}
    return len(versions) > len(baseline.wordings(identifier)) + 1


def recognised(
    call: Call, identifier: str, notes: Iterable[bytes], known: Iterable[str]
) -> tuple[str, ...]:
    """What lines and paragraphs of notes say of which a signed line holds only a keyed hash.

    A tombstone hashes what a memory said when it was deleted, an `external` line what an agent
    wrote into its note.

    Args:
        call: the circumstances.
        identifier: the memory.
        notes: those in which it is looked for.
        known: texts that are looked for anyway; where they explain every hash, no more is done.
    """
    sought = _hashes(call, identifier)
    for text in known if sought else ():
        sought -= _macs(call, text)
    if not sought:
        return ()
    found = (one for data in notes for one in passages(data) if _macs(call, one) & sought)
    return _its_own(call, identifier, found)


def _its_own(call: Call, identifier: str, texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        text
        for text in dict.fromkeys(texts)
        if not any(
            row.id != identifier and row.state == MemoryState.LIVE
            for row in call.vault.baseline.memories_that_say(statement_key(text))
        )
    )


def _in_patch(row: PatchRow, identifier: str, candidate: str) -> Iterator[str]:
    """What a decided patch says of a memory: before, after, and in the note of its candidate."""
    with suppress(NoteError):
        for operation in row.patch().operations:
            yield from _in_operation(operation, identifier)
    for step in row.progress().values():
        if candidate in step.text:
            with suppress(NoteError):
                data = step.text.encode()
                yield decode_candidate(data, path=step.candidate)[0].memory.statement


def _in_operation(operation: Operation, identifier: str) -> Iterator[str]:
    if operation.target == identifier:
        values = (operation.before.get("statement"), operation.changes.get("statement"))
        yield from (text for text in values if isinstance(text, str))
    if operation.memory is not None and operation.memory.id == identifier:
        yield operation.memory.statement


def _is_reworded(line: LedgerRow) -> bool:
    return "statement" in str(json.loads(line.data).get("keys", "")).split()


def _hashes(call: Call, identifier: str) -> frozenset[str]:
    ledger = call.vault.baseline.ledger
    stones = (line.after for line in ledger.signed(identifier, LedgerKind.TOMBSTONES))
    lines = (json.loads(line.data) for line in ledger.signed(identifier, LedgerKind.ACTIVITY))
    return frozenset(filter(None, (*stones, *(str(line.get(SAID, "")) for line in lines))))


def _macs(call: Call, text: str) -> frozenset[str]:
    return frozenset((text_mac(call, text), said_mac(call, text)))

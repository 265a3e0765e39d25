"""A memory put into the archive on one device while its note was edited on another: the edit wins.

Both notes arrive on both devices. The device of the edit has its memory in use and meets a second
note in the archive; the device of the archive meets the edited note, and lets it be in force again.
The archived note stays where it lies as a version of before, which counts for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.place import archived, inside
from vaultmem.core.standing import IN_USE
from vaultmem.core.state import MemoryState
from vaultmem.services.syncing.attribution import other_devices
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.syncing.difference import changed_keys
from vaultmem.services.write import content_mac

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading

_BY_ARCHIVING = frozenset(("status", "category", "updated"))
"""What differs between a note and its archived version although nobody edited it."""


def edited_elsewhere(
    call: Call, memories: Mapping[str, Reading], lost: Collection[str]
) -> dict[str, str]:
    """The notes that win over one in the archive, each with the path of that one.

    Args:
        call: the circumstances.
        memories: the notes that are new or changed, by path.
        lost: the places where a memory was and none is.
    """
    if not other_devices(call):
        return {}
    found: dict[str, str] = {}
    for path, reading in memories.items():
        row = call.vault.baseline.memory(reading.id) if reading.id else None
        if row is None or row.state != MemoryState.LIVE or row.path in lost:
            continue
        root = call.vault.root
        in_use = inside(path, root) and not archived(path, root)
        if in_use and archived(row.path, root) and _is_an_edit(call, reading, row.path):
            found[path] = row.path
    return found


def copy_finding(call: Call, path: str, original: str) -> Finding:
    """What is said of a second note with the id of the one at `original`."""
    if not archived(path, call.vault.root):
        text = f"The note has the same id as {original} and is not in force."
        return finding("VM304", text, path=path)
    text = f"An archived version of {original}, which was edited apart from it and is in force."
    return finding("VM304", text, path=path, remedy="Delete it once you need it no more.")


def _is_an_edit(call: Call, reading: Reading, place: str) -> bool:
    """Whether the note was edited, and is no older version that arrived late.

    By whom is asked as of every note that was moved: what an agent wrote is held.
    """
    decoded, data = reading.decoded, reading.fresh.data
    kept = call.vault.baseline.content(reading.id)
    if decoded is None or data is None or kept is None or decoded.memory.status not in IN_USE:
        return False
    old = decode_in(call.vault.root, place, kept)
    edited = bool(set(changed_keys(old, decoded)) - _BY_ARCHIVING)
    return edited and not _is_outdated(call, reading.id, data)


def _is_outdated(call: Call, identifier: str, data: bytes) -> bool:
    """Whether every device that signed for these bytes has signed for others since."""
    lines = call.vault.baseline.ledger.signed(identifier, LedgerKind.ACTIVITY)
    newest = {line.device: line.after for line in lines if line.after}
    mac = content_mac(call, data)
    return any(line.after == mac for line in lines if mac) and mac not in newest.values()

"""Look again at notes of which another device's ledger says something new: to hold, to let go."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.normal import statement_key
from vaultmem.core.place import Kind, folder_of
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.errors import CANNOT_WRITE, NoteError
from vaultmem.services.syncing.attribution import (
    is_another_devices,
    is_moved_by_another_device,
    is_said_of_an_unnamed_note,
    lines_of_bytes,
)
from vaultmem.services.syncing.classify import Reading, classify_in
from vaultmem.services.syncing.observe import look_again
from vaultmem.services.tombstones import is_wanted_back, standing_tombstone
from vaultmem.services.write import content_mac, entry
from vaultmem.store.files import remove_file

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.store.baseline_rows import NoteRow

WITHDRAWN = "withdrawn"
"""The act of a candidate that shows a change which is not held any more."""


def explained_now(
    call: Call, identifiers: Iterable[str], busy: Collection[str]
) -> dict[str, Reading]:
    """The held notes whose present bytes are another device's by what was signed since.

    They are to be looked at again as if they had just arrived, after their ledger.

    Args:
        call: the circumstances.
        identifiers: the notes of which the ledgers say something new.
        busy: paths that this sync looks at anyway.
    """
    found: dict[str, Reading] = {}
    for row in chain.from_iterable(map(call.vault.baseline.notes_with_id, identifiers)):
        if row.state == NoteState.EXTERNAL and row.etag and row.path not in busy:
            reading = _read(call, row)
            if reading is not None and _is_explained(call, reading):
                found[row.path] = reading
    return found


def deleted_or_not(
    call: Call, identifiers: Iterable[str], busy: Collection[str]
) -> dict[str, Reading]:
    """The notes whose memory was deleted elsewhere while they lay here, or is brought back now.

    They are to be looked at again, to be held or to be in force; as `explained_now`.
    """
    found: dict[str, Reading] = {}
    for row in chain.from_iterable(map(call.vault.baseline.notes_with_id, identifiers)):
        if row.etag and row.path not in busy and _may_change(call, row):
            reading = _read(call, row)
            if reading is not None and (row.state == NoteState.LIVE or _is_back(call, reading)):
                found[row.path] = reading
    return found


def _may_change(call: Call, row: NoteRow) -> bool:
    """Whether a note is in force and its memory is not, or is held for its memory's deletion."""
    memory = call.vault.baseline.memory(row.id)
    if row.state == NoteState.LIVE:
        return memory is not None and memory.state == MemoryState.GONE
    return row.state == NoteState.LATE or (row.state == NoteState.HELD and memory is None)


def _is_back(call: Call, reading: Reading) -> bool:
    """Whether the deletion is withdrawn by now, or will be: a person brought the memory back."""
    stone = standing_tombstone(call, reading.id)
    if stone is None or reading.fresh.data is None:
        return stone is None
    mac = content_mac(call, reading.fresh.data)
    return is_wanted_back(call, reading.id, mac, stone)


def _read(call: Call, row: NoteRow) -> Reading | None:
    """The note, if it still is as it was at the last look."""
    fresh = look_again(call.vault, row)
    if fresh is None or fresh.etag != row.etag:
        return None
    reading = classify_in(call.vault, fresh)
    return reading if reading.kind is Kind.MEMORY and reading.decoded is not None else None


def _is_explained(call: Call, reading: Reading) -> bool:
    data, decoded = reading.fresh.data, reading.decoded
    if data is None or decoded is None:  # pragma: no cover - it was read
        return False
    if is_said_of_an_unnamed_note(call, decoded.memory.statement):
        return False  # an agent wrote it here before it had its id
    memory = call.vault.baseline.memory(reading.id)
    if memory is not None and memory.path != reading.path and memory.etag == reading.fresh.etag:
        folder = folder_of(reading.path, call.vault.root)
        return is_moved_by_another_device(call, reading.id, folder, data)
    return is_another_devices(call, reading.id, data)


def withdraw_shown(call: Call, readings: Iterable[Reading]) -> None:
    """Take away the candidates that show changes which are in force now.

    One that somebody wrote into since we made it stays: it may hold a decision. One that cannot be
    taken away is still there for the person to reject.
    """
    ended = [one for one in readings if _is_in_force(call, one)]
    if not ended:
        return
    from vaultmem.services.curating.candidates import is_external, waiting

    shown = {statement_key(one.decoded.memory.statement) for one in ended if one.decoded}
    for one in waiting(call):
        key = statement_key(one.candidate.memory.statement)
        if is_external(one) and key in shown and _is_as_made(call, one):
            _withdraw(call, one)


def _is_in_force(call: Call, reading: Reading) -> bool:
    row = call.vault.baseline.note(reading.path)
    return row is not None and row.state == NoteState.LIVE


def _is_as_made(call: Call, one: Waiting) -> bool:
    """Whether the note is as this device made it."""
    lines = lines_of_bytes(call, one.id, one.data)
    return any(line.act == "created" and line.device == call.vault.device for line in lines)


def _withdraw(call: Call, one: Waiting) -> None:
    try:
        line = entry(call, WITHDRAWN, one.id, {"by": "policy", "via": "sync"})
        call.vault.append(LedgerKind.ACTIVITY, [line])
        remove_file(call.vault.path, one.path, expected=one.etag)
    except (NoteError, *CANNOT_WRITE):
        return
    call.vault.baseline.drop_note(one.path)

"""Lists a decided patch, or candidate, in the day's note of this device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.naming import title_of
from vaultmem.core.place import PATCHES
from vaultmem.notes.patch_day import append_decided, decode_patch_day, new_patch_day
from vaultmem.services.day_note import DayNote, add_today

if TYPE_CHECKING:
    from vaultmem.notes.patch_day import Decided
    from vaultmem.services.call import Call

DAY = DayNote(PATCHES, "patches", "patch", new_patch_day)
"""The note of one day's decisions."""


def list_decided(call: Call, decided: Decided, *, via: str) -> str:
    """Add a decision to the day's note, once; returns the link to its block.

    Raises:
        ReadOnlyError, DiskFailedError, BusyError, NoteError: as `add_today`.
    """

    def append(data: bytes, path: str) -> bytes:
        known, _ = decode_patch_day(data, path=path)
        listed = any(one.block_id == decided.block_id for one in known)
        return data if listed else append_decided(data, decided)

    path = add_today(call, DAY, decided.id, append, by=decided.by, via=via)
    return f"[[{title_of(path)}#^{decided.block_id}]]"

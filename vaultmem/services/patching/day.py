"""Lists a decided patch, or candidate, in the day's note of this device."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.naming import title_of
from vaultmem.core.place import PATCHES
from vaultmem.errors import NoteNotFoundError, NoteUnreadableError
from vaultmem.notes.frontmatter import get_properties
from vaultmem.notes.patch_day import append_decided, decode_patch_day, new_patch_day
from vaultmem.services.write import Write, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from vaultmem.notes.patch_day import Decided
    from vaultmem.services.call import Call


def list_decided(call: Call, decided: Decided, *, via: str) -> str:
    """Add a decision to the day's note, once; returns the link to its block.

    Where somebody broke the note of the day, another one beside it takes the entry.

    Raises:
        ReadOnlyError, DiskFailedError, BusyError, NoteError: as `write_notes`.
    """
    stem = day_path(call).removesuffix(".md")
    for path in (f"{stem}.md", f"{stem} more.md", f"{stem} {short_id(decided.id)}.md"):
        with suppress(NoteUnreadableError):
            write = _write(call, path, decided, via)
            if write is not None:
                write_notes(call, [write])
            return f"[[{title_of(path)}#^{decided.block_id}]]"
    raise NoteUnreadableError(
        "The notes of decided patches of today cannot be read.",
        "Correct them or move them away, then run `vaultmem sync`.",
        path=f"{stem}.md",
    )


def day_path(call: Call) -> str:
    """Where this device's decisions of the day stand, relative to the vault."""
    day = call.local.date()
    name = f"{day.isoformat()} patches {call.vault.device}.md"
    return f"{call.vault.root}/{PATCHES}/{day:%Y/%m}/{name}"


def _write(call: Call, path: str, decided: Decided, via: str) -> Write | None:
    try:
        old = read_note(call.vault.path, path)
    except NoteNotFoundError:
        identifier = call.new_id("patch")
        new = new_patch_day(identifier, device=call.vault.device, day=call.local.date())
        data = append_decided(new, decided)
        return Write(path, data, None, identifier, "created", decided.by, via)
    known, _ = decode_patch_day(old, path=path)
    if any(one.block_id == decided.block_id for one in known):
        return None
    identifier = str(get_properties(old).get("id") or "")
    data = append_decided(old, decided)
    return Write(path, data, etag_of(old), identifier, "edited", decided.by, via)

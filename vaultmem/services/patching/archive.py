"""Takes a memory out of use and moves its note to the archive, without a tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.core.naming import base_name
from vaultmem.core.place import ARCHIVE, archived
from vaultmem.errors import naming
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.syncing.attribution import use_place_lines
from vaultmem.services.write import Write, entry, record_written, write_notes
from vaultmem.store.etag import etag_of
from vaultmem.store.files import move_file, read_note

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory


def archive(call: Call, found: FoundMemory, *, by: str, via: str) -> str:
    """Set the memory's status to `deprecated` and move its note; returns where it lies then.

    The name of the note stays, so that links to it hold. What is archived already stays as it is.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    old, identifier = found.row.path, found.row.id
    data = read_note(call.vault.path, old)
    if found.decoded.memory.status is not Status.DEPRECATED:
        with naming(old):
            after = set_properties(data, {"status": Status.DEPRECATED.value})
        expected = etag_of(data)
        write_notes(call, [Write(old, after, expected, identifier, "edited", by, via, "status")])
        data = after
    if archived(old, call.vault.root):
        return old
    new = _place(call, old, identifier)
    values = {"by": by, "via": via, "folder": ARCHIVE}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, "moved", identifier, values)])
    move_file(call.vault.path, old, new, expected=etag_of(data))
    with call.vault.baseline.transaction():
        call.vault.baseline.drop_note(old)
        record_written(call, new, data)
        use_place_lines(call, identifier)
    return new


def _place(call: Call, old: str, identifier: str) -> str:
    name = old.rpartition("/")[2]
    path = f"{call.vault.root}/{ARCHIVE}/{name}"
    if not (call.vault.path / path).exists():
        return path
    return call.vault.free_path(ARCHIVE, base_name(name.removesuffix(".md")), identifier)

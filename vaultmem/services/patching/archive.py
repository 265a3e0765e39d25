"""Takes a memory out of use and moves its note to the archive, without a tombstone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.core.naming import base_name, title_of
from vaultmem.core.place import ARCHIVE, archived, folder_of
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
    if changes := _missing(found):
        with naming(old):
            after = set_properties(data, changes)
        keys = " ".join(changes)
        write_notes(call, [Write(old, after, etag_of(data), identifier, "edited", by, via, keys)])
        data = after
    if archived(old, call.vault.root):
        return old
    new = _free(call, identifier, f"{call.vault.root}/{ARCHIVE}/{old.rpartition('/')[2]}")
    return _move(call, found, data, new, by=by, via=via)


def take_out(call: Call, found: FoundMemory, home: str, *, by: str, via: str) -> str:
    """Move the note of a memory that is in use again out of the archive; returns where it lies.

    Args:
        call: the circumstances.
        found: the memory; where its note does not lie in the archive, it stays where it is.
        home: where the note lay before, relative to the vault; one beside it if that is taken.
        by: on whose word.
        via: the verb, for the ledger.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    old = found.row.path
    if not archived(old, call.vault.root):
        return old
    data = read_note(call.vault.path, old)
    beside = f"{home.rpartition('/')[0]}/{old.rpartition('/')[2]}"  # the name that links know now
    return _move(call, found, data, _free(call, found.row.id, home, beside), by=by, via=via)


def _missing(found: FoundMemory) -> dict[str, object]:
    """The properties that the note needs in the archive, where no folder says its category."""
    changes: dict[str, object] = {}
    memory = found.decoded.memory
    if memory.status is not Status.DEPRECATED:
        changes["status"] = Status.DEPRECATED.value
    if not any(name.lower() == "category" for name in found.decoded.properties):
        changes["category"] = memory.category.value
    return changes


def _move(call: Call, found: FoundMemory, data: bytes, new: str, *, by: str, via: str) -> str:
    old, identifier = found.row.path, found.row.id
    values = {"by": by, "via": via, "folder": folder_of(new, call.vault.root)}
    call.vault.append(LedgerKind.ACTIVITY, [entry(call, "moved", identifier, values)])
    move_file(call.vault.path, old, new, expected=etag_of(data))
    with call.vault.baseline.transaction():
        call.vault.baseline.drop_note(old)
        record_written(call, new, data)
        use_place_lines(call, identifier)
    return new


def _free(call: Call, identifier: str, *paths: str) -> str:
    """The first of the paths where nothing lies, else one beside it with another name."""
    for path in paths:
        if not (call.vault.path / path).exists():
            return path
    folder = folder_of(paths[0], call.vault.root)
    return call.vault.free_path(folder, base_name(title_of(paths[0])), identifier)

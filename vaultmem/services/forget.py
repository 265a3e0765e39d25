"""Forget: take a memory out of force and search at once, and keep its text for the record."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.deletion import DeletionReason
from vaultmem.core.model import Status
from vaultmem.core.operation import Deletion
from vaultmem.core.state import MemoryState
from vaultmem.errors import NoteNotFoundError, naming
from vaultmem.notes.frontmatter import set_properties
from vaultmem.services.edit import refuse_held
from vaultmem.services.lookup import find_memory
from vaultmem.services.sync import ensure_current
from vaultmem.services.tombstones import write_tombstone
from vaultmem.services.write import Write, write_notes
from vaultmem.store.erase import Intent, begin, end
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory


class Forgotten(NamedTuple):
    """A memory that is out of force; its note still says what it said."""

    id: str
    path: str
    statement: str
    changed: bool
    """False where it was forgotten already."""


def forget(
    call: Call, name: str, *, reason: DeletionReason = DeletionReason.USER_REQUESTED
) -> Forgotten:
    """Set a memory's status to deleted, and mark with a tombstone that it is not to come back.

    Setting the status to active again, in the note or with `edit`, withdraws the tombstone. Where
    the note has vanished, the seven days in which it could come back end now.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts.
        reason: what the tombstone says of why.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
        EditRefusedError, NoteUnreadableError: if the note holds a version that is not in force, or
            is so broken that a property cannot be set; then nothing was done.
        BusyError, ReadOnlyError, DiskFailedError: if it cannot be written.
    """
    call.person_only("forget")
    ensure_current(call)
    with call.vault.lock():
        found = find_memory(call, name)
        refuse_held(call, found.row.path)
        done = found.row.state == MemoryState.GONE or found.standing.status == Status.DELETED
        write = None if done else _marked(call, found)
        begin(call.vault.baseline, Intent(found.row.id, Deletion.AUDIT))
        write_tombstone(call, found.decoded.memory, by="person", reason=reason)
        _finish(call, found, write)
    statement = found.decoded.memory.statement
    return Forgotten(found.row.id, found.row.path, statement, changed=not done)


def finish(call: Call, identifier: str) -> None:
    """Finish what a killed `forget` began; the caller holds the lock.

    Raises:
        NoteError, BusyError, ReadOnlyError, DiskFailedError: as `forget`.
    """
    found = find_memory(call, identifier)
    _finish(call, found, _marked(call, found))


def _marked(call: Call, found: FoundMemory) -> Write | None:
    """The note with the status deleted; None where there is no note, or it says so already."""
    path = found.row.path
    try:
        data = read_note(call.vault.path, path)
    except NoteNotFoundError:
        return None
    with naming(path):
        after = set_properties(data, {"status": Status.DELETED.value})
    if after == data:
        return None
    return Write(
        path, after, etag_of(data), found.row.id, "edited", "person", "forget", keys="status"
    )


def _finish(call: Call, found: FoundMemory, write: Write | None) -> None:
    baseline, identifier = call.vault.baseline, found.row.id
    if write is not None:
        write_notes(call, [write])
        now = baseline.standing(identifier)
        if now is not None and now.status != Status.DELETED:  # the note cannot be read
            baseline.set_state(identifier, MemoryState.GONE, call.seconds)
    elif found.row.state == MemoryState.MISSING:
        baseline.set_state(identifier, MemoryState.GONE, call.seconds)
    end(call.vault.baseline, found.row.id)

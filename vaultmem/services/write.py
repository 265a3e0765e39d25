"""The one way in which a service writes notes: announced in the ledger, versioned, recorded.

The line comes first. If we are killed between it and the file, another look finds either the old
bytes, or new ones that a signed line explains; never new bytes that look like a person's edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id
from vaultmem.core.ledger import NO_NOTE, LedgerEntry, LedgerKind, Scalar, new_entry
from vaultmem.core.place import Kind
from vaultmem.core.state import NoteState
from vaultmem.errors import NoteChangedError
from vaultmem.services.syncing.classify import classify_in
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.syncing.record import TRUST, put_good_version, put_reading
from vaultmem.store.files import create_file, create_files, replace_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.services.call import Call
    from vaultmem.store.etag import Etag


MANY = 8
"""New notes from which they are created together."""
SINCE = "since"
"""Key of a line of a sync for when its device's file became so: ms since the epoch, UTC."""


class Write(NamedTuple):
    """One note to be written."""

    path: str
    data: bytes
    expected: Etag | None
    """The version that it replaces; None creates the note."""
    id: str
    act: str
    """What the ledger says: created, edited, identified, moved."""
    by: str
    """Whose wish it is: person, agent, policy."""
    via: str
    """The verb: add, edit, sync, ratify."""
    keys: str = ""
    """The properties that change, separated by blanks."""
    since: int = 0
    """When the file became what it was before this write, in ms since the epoch; 0: not told."""
    trust: str = ""
    """The trust class of a statement that a candidate brought; "" for what is the person's."""


def entry(call: Call, act: str, note: str, values: Mapping[str, Scalar]) -> LedgerEntry:
    """A ledger entry of this moment."""
    target = note if is_id(note) else NO_NOTE
    return new_entry(call.now, act, target, values, randomness=call.random(10))


def content_mac(call: Call, data: bytes) -> str:
    """The keyed hash by which a ledger line names a version; empty without a key."""
    return call.vault.key.mac("content", data) if call.vault.key is not None else ""


def write_notes(call: Call, writes: Sequence[Write]) -> None:
    """Announce, write and record the notes; a write that lost to an editor is taken back.

    Raises:
        NoteChangedError: if a note changed since it was read; earlier notes are written.
        NameTakenError, NoteError, ReadOnlyError, DiskFailedError, BusyError: as `store.files`.
    """
    with call.vault.lock():
        call.vault.append(LedgerKind.ACTIVITY, [_announcement(call, write) for write in writes])
        if len(writes) >= MANY and all(write.expected is None for write in writes):
            _create_all(call, writes)
            return
        for write in writes:
            try:
                _write(call, write)
            except NoteChangedError:
                lost = entry(call, "lost", write.id, {"after": "", "via": write.via})
                call.vault.append(LedgerKind.ACTIVITY, [lost])
                raise


def _create_all(call: Call, writes: Sequence[Write]) -> None:
    """Create many notes with few waits for the disk; those that stand are recorded in any case."""
    vault = call.vault
    made = create_files(vault.path, [(write.path, write.data) for write in writes])
    with vault.baseline.transaction():
        for write in writes[: len(made.paths)]:
            record_written(call, write.path, write.data)
    if made.error is not None:
        raise made.error


def _announcement(call: Call, write: Write) -> LedgerEntry:
    values: dict[str, Scalar] = {
        "by": write.by,
        "via": write.via,
        "after": content_mac(call, write.data),
    }
    if write.keys:
        values["keys"] = write.keys
    if write.since:
        values[SINCE] = write.since
    if write.trust:
        values[TRUST] = write.trust
    return entry(call, write.act, write.id, values)


def _write(call: Call, write: Write) -> None:
    vault = call.vault
    if write.expected is None:
        create_file(vault.path, write.path, write.data)
    else:
        replace_file(vault.path, write.path, write.data, expected=write.expected)
    record_written(call, write.path, write.data)


def record_written(call: Call, path: str, data: bytes) -> None:
    """Bring the baseline up to a note that we just wrote."""
    vault = call.vault
    reading = classify_in(vault, fresh_now(vault, path, data))
    with vault.baseline.transaction():
        put_reading(
            call, reading, state=NoteState.LIVE if reading.kind is Kind.MEMORY else NoteState.PLAIN
        )
        if reading.decoded is not None and reading.id:
            put_good_version(call, path, data, reading.decoded)

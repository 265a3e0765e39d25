"""The one way in which a service writes notes: announced in the ledger, versioned, recorded.

The line comes first. If we are killed between it and the file, another look finds either the old
bytes, or new ones that a signed line explains; never new bytes that look like a person's edit.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import is_id, ulid_milliseconds
from vaultmem.core.ledger import NO_NOTE, LedgerEntry, LedgerKind, Scalar, new_entry
from vaultmem.core.place import Kind
from vaultmem.core.state import NoteState
from vaultmem.errors import NoteChangedError
from vaultmem.services.syncing.classify import classify_in
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.syncing.record import TRUST, put_good_version, put_reading
from vaultmem.store.files import create_file, create_files, replace_file, replace_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from vaultmem.services.call import Call
    from vaultmem.store.etag import Etag

_EPOCH = datetime.fromtimestamp(0, UTC)

MANY = 8
"""Notes from which they are written together, where all are new or none is."""
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
    """A ledger entry of this moment; of one after the note's newest line where a clock went back.

    The newest line about a note is what holds, so the order of the lines must be that of the acts.
    """
    target = note if is_id(note) else NO_NOTE
    at = call.now if target == NO_NOTE else max(call.now, _after_the_newest(call, target))
    return new_entry(at, act, target, values, randomness=call.random(10))


def _after_the_newest(call: Call, note: str) -> datetime:
    newest = call.vault.baseline.ledger.newest(note)
    if newest is None:
        return _EPOCH
    try:  # half of one more: an id holds whole milliseconds of a float
        return _EPOCH + timedelta(milliseconds=ulid_milliseconds(newest) + 1.5)
    except OverflowError:  # an id may hold a year that no calendar has
        return call.now


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
        new = [write for write in writes if write.expected is None]
        if len(writes) < MANY or len(new) not in (0, len(writes)):
            for write in writes:
                with _told_if_lost(call, write):
                    _write(call, write)
        elif new:
            _create_all(call, writes)
        else:
            _replace_all(call, writes)


@contextmanager
def _told_if_lost(call: Call, write: Write) -> Iterator[None]:
    try:
        yield
    except NoteChangedError:
        lost = entry(call, "lost", write.id, {"after": "", "via": write.via})
        call.vault.append(LedgerKind.ACTIVITY, [lost])
        raise


def _replace_all(call: Call, writes: Sequence[Write]) -> None:
    """Replace many notes likewise."""
    versions = ((one.path, one.data, one.expected) for one in writes)
    made = replace_files(
        call.vault.path, [(path, data, old) for path, data, old in versions if old is not None]
    )
    _record_all(call, writes[: len(made.paths)])
    if made.error is not None:
        with _told_if_lost(call, writes[len(made.paths)]):
            raise made.error


def _create_all(call: Call, writes: Sequence[Write]) -> None:
    """Create many notes with few waits for the disk; those that stand are recorded in any case."""
    made = create_files(call.vault.path, [(write.path, write.data) for write in writes])
    _record_all(call, writes[: len(made.paths)])
    if made.error is not None:
        raise made.error


def _record_all(call: Call, writes: Iterable[Write]) -> None:
    with call.vault.baseline.transaction():
        for write in writes:
            record_written(call, write.path, write.data)


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

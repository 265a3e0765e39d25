"""Keep out of force, during one sync, what an agent did to a note, until the person accepts it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.operation import Deletion
from vaultmem.core.state import NoteState
from vaultmem.services.call import Actor
from vaultmem.services.syncing import hold
from vaultmem.services.syncing.attribution import (
    Origin,
    is_an_agents_statement,
    is_another_devices,
    new_place_lines,
    use_place_lines,
)
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.syncing.difference import STATEMENT, changed_keys, still_theirs
from vaultmem.services.syncing.record import put_lost, put_reading
from vaultmem.services.tombstones import purges
from vaultmem.store.erase import Intent, begin
from vaultmem.store.walk import NO_FILE

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultmem.core.sync import Moved, Vanished
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading
    from vaultmem.store.baseline_rows import LedgerRow, NoteRow


_LEFT = "The memory was deleted on another device; its note here is not in force."
_CHANGED = (
    "The memory was deleted on another device; what you changed in its note here is not in force."
)


class Seen(NamedTuple):
    """One line of a sync's answer."""

    change: str
    """created, edited, moved, restored, copied, broken, deleted, external, captured, decided."""
    path: str
    id: str
    by: str
    keys: tuple[str, ...] = ()
    outcome: str = ""
    """Of a decision: approved, rejected, applied and the like; "" where nobody can tell."""
    became: str = ""
    """The path of the memory that a candidate became."""


class Holding:
    """Holds changes back and tells it in the lists of one sync."""

    def __init__(
        self, call: Call, *, seen: list[Seen], findings: list[Finding], lost: Collection[str]
    ) -> None:
        """Take the lists to tell it in, and the places where a memory was and none is."""
        self._call = call
        self._baseline = call.vault.baseline
        self._seen = seen
        self._findings = findings
        self._lost = lost

    def hold(
        self, reading: Reading, act: str, identifier: str = "", *, origin: Origin = Origin.EXTERNAL
    ) -> None:
        """Keep an external change out of force, as a candidate with its difference.

        Where `origin` is another, somebody saved the note again and left in it what an agent wrote:
        that is neither new, nor in force for it.
        """
        again = origin is not Origin.EXTERNAL
        if not again and reading.fresh.data is not None:
            self._baseline.keep_external(reading.path, reading.fresh.data)
        found = finding("VM310", path=reading.path)
        named = identifier or reading.id  # other devices look for the line under the note's id
        put_reading(self._call, reading._replace(id=named), found, state=NoteState.EXTERNAL)
        old = self._baseline.content(identifier)
        hold.external(self._call, reading, act, named, old=old, shown=again)
        if not again:
            self._seen.append(Seen("external", reading.path, identifier, origin.value, (act,)))

    def deleted(self, reading: Reading, stone: LedgerRow, *, late: bool) -> None:
        """Keep a note of a deleted memory out of force.

        One that arrives `late` from a device is nobody's wish; if the memory was purged, so is the
        note, at the end of this sync. Another memory that says the same is not purged with it: a
        person may have written the words into its note since.
        """
        found: tuple[Finding, ...] = (finding("VM313" if late else "VM311", path=reading.path),)
        if late and purges(stone) and stone.note == reading.id:
            begin(self._baseline, Intent(reading.id, Deletion.PURGE, everywhere=False))
            found = ()
        state = NoteState.LATE if late else NoteState.HELD
        put_reading(self._call, reading, *found, state=state)

    def still_deleted(self, reading: Reading, stone: LedgerRow, *, changed: bool) -> None:
        """Keep a note out of force that lay here when it was learned that its memory was deleted.

        Nobody brought it. Where the person `changed` it since, the change waits for their word.
        """
        text = None
        if stone.device != self._call.vault.device:
            text = _CHANGED if changed else _LEFT
        found = finding("VM311" if changed else "VM313", text, path=reading.path)
        put_reading(self._call, reading, found, state=NoteState.LATE)

    def move(self, change: Moved, reading: Reading, origin: Origin) -> None:
        """Keep a memory at the place it was moved from, until the person accepts the new one."""
        self.hold(reading, "moved", change.id, origin=origin)
        row = self._baseline.note(change.origin)
        if row is not None and row.id == change.id and change.origin in self._lost:
            self.loss(row, moved=True)

    def loss(self, row: NoteRow, *, moved: bool) -> None:
        """Keep a memory whose note an agent took away; without a file, so that its return shows."""
        if not moved and row.state != NoteState.EXTERNAL:
            by = Origin.EXTERNAL.value
            self._seen.append(Seen("external", row.path, row.id, by, ("deleted",)))
            if self._call.actor is Actor.AGENT or not new_place_lines(self._call, row.id):
                hold.announce_loss(self._call, row.id)
        if row.state != NoteState.EXTERNAL or row.stat != NO_FILE:
            use_place_lines(self._call, row.id)
            told = () if moved else (finding("VM314", path=row.path),)
            put_lost(self._call, row.path, row.kind, row.id, told)

    def moved_away(self, change: Vanished) -> bool:
        """Whether an agent moved the note to where it waits for the person."""
        rows = self._baseline.notes_with_id(change.id)
        return any(row.state == NoteState.EXTERNAL and row.path != change.path for row in rows)

    def still_theirs(self, reading: Reading, decoded: Decoded, old: Decoded | None) -> bool:
        """Whether a note that is saved again still holds what an agent wrote into it."""
        theirs = self._external(reading.path)
        if theirs is not None:
            return still_theirs(old, theirs, decoded)
        memory = decoded.memory
        new_words = old is None or STATEMENT in changed_keys(old, decoded)
        if new_words and is_an_agents_statement(self._call, memory.id, memory.statement):
            return True  # another device saw an agent write it, before it was saved again
        if old is not None:
            return False
        # a new note may be one of theirs that the person gave another name or folder
        others = (self._external(row.path) for row in self._baseline.external_rows())
        return any(
            STATEMENT not in changed_keys(theirs, decoded)
            for theirs in others
            if theirs is not None
        )

    def _external(self, path: str) -> Decoded | None:
        data = self._baseline.content_external(path)
        row = self._baseline.note(path)
        if data is None or row is None or is_another_devices(self._call, row.id, data):
            return None
        return decode_in(self._call.vault.root, path, data)

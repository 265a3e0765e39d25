"""Whether the note of a memory that was deleted stays out of force, or the memory is wanted back.

On every device the newest word about the deletion holds: the tombstone, or the act by which a
person brought the memory back. A change made elsewhere, before the deletion was known there, is
neither; it waits in its note until a person decides (docs/adr/0044).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.model import Status
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.services.syncing.attribution import Origin, lines_of_bytes
from vaultmem.services.syncing.difference import changed_keys
from vaultmem.services.tombstones import (
    is_wanted_back,
    purges,
    standing_tombstone,
    stood_beside,
    tombstone_for,
)
from vaultmem.services.write import content_mac

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.core.likeness import Known
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading
    from vaultmem.services.syncing.holding import Holding
    from vaultmem.services.syncing.journal import Journal
    from vaultmem.store.baseline_rows import LedgerRow


class Deleted:
    """Holds back, during one sync, the notes of memories that were deleted."""

    def __init__(
        self, call: Call, holding: Holding, journal: Journal, *, lost: Mapping[str, str]
    ) -> None:
        """Take who holds and who writes down, and the ids at the places where a memory was."""
        self._call = call
        self._holding = holding
        self._journal = journal
        self._lost = lost

    def keeps_new(
        self,
        reading: Reading,
        decoded: Decoded,
        origin: Origin,
        *,
        identifier: str,
        buried: Sequence[Known],
    ) -> bool:
        """Whether a note that nobody knew is held: its id or what it says was deleted.

        `identifier` is "" where it has none; `buried` is as for `tombstone_for`.
        """
        stone = tombstone_for(self._call, identifier, decoded.memory, buried=buried)
        if stone is None:
            return False
        late = origin is Origin.DEVICE
        if late and (
            stood_beside(self._call, identifier, stone)
            or self._is_wanted_back(reading, identifier, stone)
        ):
            return False
        if not purges(stone) and decoded.memory.status is Status.DELETED:
            return False
        self._holding.deleted(reading, stone, late=late)
        return True

    def keeps(
        self, reading: Reading, decoded: Decoded, old: Decoded | None, origin: Origin, *, place: str
    ) -> bool:
        """Whether another version of a note whose memory was deleted is held.

        That of another device, if it is from before its person brought the memory back; and the
        person's, where it only changes what is held at `place`.
        """
        if decoded.memory.status is Status.DELETED:
            return False
        baseline, identifier = self._call.vault.baseline, decoded.memory.id
        row = baseline.note(place)
        again = row is not None and row.state == NoteState.LATE
        stone = self._still_deletes(reading, identifier, origin, here=again)
        if stone is None:
            return False
        if old is not None and old.memory.status is not Status.DELETED:
            baseline.set_state(identifier, MemoryState.GONE, self._call.seconds)
            baseline.touch(place)
        if origin is Origin.PERSON:
            self._hold_change(reading, decoded, old, stone)
        else:
            self._holding.deleted(reading, stone, late=True)
        return True

    def lay_here(self, identifier: str) -> bool:
        """Whether the note of a memory that is deleted for good was never away from here.

        It may have moved, or a sync program kept another version beside it.
        """
        baseline = self._call.vault.baseline
        memory = baseline.memory(identifier)
        if memory is None or memory.state != MemoryState.GONE:
            return False
        return identifier in self._lost.values() or bool(baseline.notes_with_id(identifier))

    def keeps_back(
        self,
        reading: Reading,
        decoded: Decoded,
        old: Decoded | None,
        origin: Origin,
        *,
        lay_here: bool,
    ) -> bool:
        """Whether a note whose memory is deleted for good is held, although it is there (again).

        A person brings a memory back by putting its note back, but not by changing a note that
        `lay_here` when the deletion became known.
        """
        identifier = decoded.memory.id
        stone = self._still_deletes(reading, identifier, origin, here=lay_here)
        if stone is None or (decoded.memory.status is Status.DELETED and not purges(stone)):
            return False
        if origin is Origin.PERSON:
            self._hold_change(reading, decoded, old, stone)
        elif lay_here:
            changed = self._was_changed(reading, identifier, stone)
            self._holding.still_deleted(reading, stone, changed=changed)
        else:
            self._holding.deleted(reading, stone, late=True)
        return True

    def _still_deletes(
        self, reading: Reading, identifier: str, origin: Origin, *, here: bool
    ) -> LedgerRow | None:
        """The tombstone that holds for a version which was `here`, or comes from a device."""
        if not (here or origin is Origin.DEVICE):
            return None
        stone = standing_tombstone(self._call, identifier)
        if stone is None or self._is_wanted_back(reading, identifier, stone):
            return None
        return stone

    def _hold_change(
        self, reading: Reading, decoded: Decoded, old: Decoded | None, stone: LedgerRow
    ) -> None:
        """The person's change is out of force, but theirs: other devices are to know that."""
        keys = " ".join(changed_keys(old, decoded))
        extra = {"keys": keys} if keys else {}
        self._journal.log(decoded.memory.id, "edited", Origin.PERSON, reading, extra)
        self._holding.still_deleted(reading, stone, changed=True)

    def _was_changed(self, reading: Reading, identifier: str, stone: LedgerRow) -> bool:
        """Whether the person here changed the note after it had been deleted elsewhere."""
        vault = self._call.vault
        if vault.baseline.pending.of(identifier):
            return True
        lines = lines_of_bytes(self._call, identifier, reading.fresh.data)
        ours = (line for line in lines if line.device == vault.device and line.line > stone.line)
        return any(json.loads(line.data).get("by") == "person" for line in ours)

    def _is_wanted_back(self, reading: Reading, identifier: str, stone: LedgerRow) -> bool:
        data = reading.fresh.data
        mac = content_mac(self._call, data) if data is not None else ""
        return is_wanted_back(self._call, identifier, mac, stone)

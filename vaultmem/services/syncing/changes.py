"""What a sync does about each change that a person, a device or a tool of the agent made."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from vaultmem.core.finding import Finding, finding
from vaultmem.core.force import renews
from vaultmem.core.model import Status
from vaultmem.core.place import folder_category, folder_of
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.core.sync import (
    Broken,
    Change,
    Copied,
    Created,
    Edited,
    Moved,
    Restored,
    Vanished,
)
from vaultmem.notes.schema import MEMORY
from vaultmem.services.syncing import hold
from vaultmem.services.syncing.archived import copy_finding
from vaultmem.services.syncing.attribution import (
    Origin,
    origin_of_bytes,
    origin_of_loss,
    origin_of_move,
    use_place_lines,
)
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.syncing.deleted import Deleted
from vaultmem.services.syncing.difference import changed_keys, with_id
from vaultmem.services.syncing.holding import Holding, Seen
from vaultmem.services.syncing.identify import Following, follow, has_other_id
from vaultmem.services.syncing.journal import Journal
from vaultmem.services.syncing.record import (
    put_good_version,
    put_reading,
)
from vaultmem.services.tombstones import RESTORED, deleted_texts, write_tombstone
from vaultmem.store.finding_text import findings_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from vaultmem.core.model import Memory
    from vaultmem.notes.codec import Decoded
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading

COMPUTED = frozenset(row.name for row in MEMORY if row.computed) - {"id", "type", "updated"}


class Changes:
    """Acts on the planned changes of one sync and collects what to tell."""

    def __init__(
        self,
        call: Call,
        readings: dict[str, Reading],
        planned: Iterable[Change],
        *,
        typed: bool,
        certain: frozenset[str],
        lost: Mapping[str, str],
        back: Collection[str],
    ) -> None:
        self._call = call
        self._back = back
        self._baseline = call.vault.baseline
        self._readings = readings
        self._typed = typed
        self._journal = Journal(call, certain=certain)
        self._lost = lost
        new = any(isinstance(one, Created) for one in planned)
        self._buried = deleted_texts(call) if new else []  # each is a note to be decoded
        self.seen: list[Seen] = []
        self.findings: list[Finding] = []
        self._holding = Holding(call, seen=self.seen, findings=self.findings, lost=lost)
        self._deleted = Deleted(call, self._holding, self._journal, lost=lost)
        self._following: list[Following] = []

    def act(self, change: Change) -> None:
        """Do what the table of DESIGN §3.2 says about one change."""
        match change:
            case Created():
                self._created(change)
            case Edited():
                self._edited(change)
            case Moved():
                self._moved(change)
            case Restored():
                self._restored(change)
            case Copied():
                self._copied(change)
            case Broken():
                self._broken(change)
            case Vanished():
                self._vanished(change)
            case _:  # pragma: no cover - the type checker proves it
                assert_never(change)

    def follow(self) -> tuple[int, list[Finding]]:
        """Write into the notes what follows; how many were written, and what could not be."""
        written, problems = follow(self._call, self._following)
        for one in written:
            if one.told:
                self.seen.append(Seen(one.told, one.reading.path, one.id, one.by))
            if one.by == Origin.PERSON:
                self._grant_new(one)
        return len(written), problems

    def _grant_new(self, one: Following) -> None:
        """A pin that a person wrote into a new note is their word, as in an old one."""
        new = self._good(one.id)
        if new is not None and renews(None, new.memory, had_force=False):
            self._baseline.set_force(one.id, force=self._journal.grant(new, one.reading.path))

    # one method a row

    def _created(self, change: Created) -> None:
        reading, decoded = self._read(change.path)
        origin = self._origin(change.id, reading)
        if origin is Origin.EXTERNAL or self._holding.still_theirs(reading, decoded, None):
            self._holding.hold(reading, "created", origin=origin)
            return
        if self._deleted.keeps_new(
            reading, decoded, origin, identifier=change.id, buried=self._buried
        ):
            return
        if not change.id and has_other_id(decoded):
            put_reading(self._call, reading)
            return
        if origin is not Origin.DEVICE and self._is_held_back(
            reading, decoded, new=origin is Origin.PERSON
        ):
            return
        if not change.id:
            self._follow(reading, identifier=self._call.new_id("mem"), by=origin, told="created")
            return
        self._accept(reading, decoded, None, origin, "created")

    def _edited(self, change: Edited) -> None:
        reading, decoded = self._read(change.path)
        if change.lost_id:
            decoded = with_id(decoded, change.id)
        old = self._good(change.id)
        keys = changed_keys(old, decoded)
        origin = self._origin(change.id, reading)
        if keys and (
            origin is Origin.EXTERNAL or self._holding.still_theirs(reading, decoded, old)
        ):
            self._holding.hold(reading, "edited", change.id, origin=origin)
            return
        if self._deleted.keeps(reading, decoded, old, origin, place=change.path):
            return
        if "statement" in keys and self._is_held_back(reading, decoded, new=False):
            return
        if change.lost_id:
            self._follow(reading, identifier=change.id, by=origin, told="edited")
            return
        row = self._baseline.note(change.path)
        self._accept(reading, decoded, old, origin, "edited", keys=keys)
        if row is not None and row.state == NoteState.WAITING:
            self._category(reading, decoded)

    def _is_held_back(self, reading: Reading, decoded: Decoded, *, new: bool) -> bool:
        """Whether the version waits for the person because of what it says."""
        from vaultmem.services.capturing.guarding import (
            held_back,  # patterns that most syncs do not need
        )

        found = held_back(self._call, decoded.memory, new=new)
        if found is None:
            return False
        put_reading(self._call, reading, found._replace(path=reading.path), state=NoteState.HELD)
        return True

    def _moved(self, change: Moved) -> None:
        reading, decoded = self._read(change.path)
        folder = folder_of(change.path, self._call.vault.root)
        old = self._good(change.id)
        origin = origin_of_move(self._call, change.id, folder)
        if change.path in self._back:  # nobody moved it: it was in use on another device all along
            origin = Origin.DEVICE
        keys = changed_keys(old, decoded)
        author = origin_of_bytes(self._call, change.id, reading.fresh) if keys else origin
        if Origin.EXTERNAL in (origin, author) or self._holding.still_theirs(reading, decoded, old):
            self._holding.move(change, reading, origin)
            return
        if keys and self._deleted.keeps(reading, decoded, old, author, place=change.origin):
            return
        self._baseline.set_place(change.id, change.path)
        left = self._baseline.note(change.origin)
        if left is not None and left.id == change.id and change.origin in self._lost:
            self._baseline.drop_note(change.origin)
        elif left is not None and change.path in self._back:
            told = findings_text([copy_finding(self._call, change.origin, change.path)])
            self._baseline.put_note(left._replace(state=NoteState.COPY, findings=told))
        old_folder = folder_of(change.origin, self._call.vault.root)
        act = "renamed" if old_folder == folder else "moved"
        self._journal.log(change.id, act, origin, reading, {"folder": folder})
        if keys:
            self._accept(reading, decoded, old, author, "edited", keys=keys)
        else:
            self._keep(reading, decoded)
        self.seen.append(Seen("moved", change.path, change.id, origin.value))
        if origin is Origin.PERSON and act == "moved":
            self._category(reading, decoded)

    def _restored(self, change: Restored) -> None:
        reading, decoded = self._read(change.path)
        lay_here = self._deleted.lay_here(change.id)
        row = self._baseline.note(change.path)
        if lay_here and row is not None and row.etag == reading.fresh.etag:
            origin = Origin.DEVICE  # what is new is another device's word about the deletion
        else:
            origin = origin_of_bytes(self._call, change.id, reading.fresh, back=not lay_here)
        old = self._good(change.id)
        if origin is Origin.EXTERNAL or self._holding.still_theirs(reading, decoded, old):
            act = "edited" if lay_here else RESTORED
            self._holding.hold(reading, act, change.id, origin=origin)
            return
        if self._deleted.keeps_back(reading, decoded, old, origin, lay_here=lay_here):
            return
        use_place_lines(self._call, change.id)
        self._accept(reading, decoded, old, origin, RESTORED)

    def _copied(self, change: Copied) -> None:
        reading, _ = self._read(change.path)
        found = copy_finding(self._call, change.path, change.original)
        put_reading(self._call, reading, found, state=NoteState.COPY)
        origin = origin_of_bytes(self._call, change.id, reading.fresh)
        if origin is Origin.EXTERNAL:
            hold.announce(self._call, reading, change.id)
        self.seen.append(Seen("copied", change.path, change.id, origin.value))

    def _broken(self, change: Broken) -> None:
        reading = self._readings[change.path]
        put_reading(self._call, reading._replace(id=change.id), state=NoteState.BROKEN)
        known = self._baseline.memory(change.id) if change.id else None
        if known is not None and known.state == MemoryState.MISSING:
            # it is back, if not yet readable
            self._baseline.set_state(change.id, MemoryState.LIVE, self._call.seconds)
        self.seen.append(Seen("broken", change.path, change.id, ""))

    def _vanished(self, change: Vanished) -> None:
        origin = origin_of_loss(self._call, change.id)
        row = self._baseline.note(change.path)
        if row is not None and row.id == change.id:
            if origin is Origin.EXTERNAL or row.state == NoteState.EXTERNAL:
                self._holding.loss(row, moved=self._holding.moved_away(change))
                return
            self._baseline.drop_note(change.path)
        self._baseline.set_state(change.id, MemoryState.MISSING, self._call.seconds)
        self._baseline.touch(change.path)
        self._journal.log(change.id, "vanished", origin, None, {})
        self.seen.append(Seen("deleted", change.path, change.id, origin.value))

    # what the rows share

    def _accept(
        self,
        reading: Reading,
        decoded: Decoded,
        old: Decoded | None,
        origin: Origin,
        act: str,
        *,
        keys: tuple[str, ...] = (),
    ) -> None:
        """Let a readable version be in force, and say whose it is."""
        call, memory = self._call, decoded.memory
        if act == "edited" and not keys:
            self._keep(reading, decoded)
            return
        grant = False
        if origin is Origin.PERSON:
            had = self._had_force(memory.id)
            if renews(old.memory if old else None, memory, had_force=had):
                grant = self._journal.grant(decoded, reading.path)
            self._person_says(old, decoded, keys, reading.path)
        if origin is Origin.PERSON and self._journal.waits(reading.path):
            self._baseline.keep_before(memory.id)
        put_reading(call, reading, state=NoteState.LIVE)
        self._good_version(reading, decoded, grant=grant)
        extra = {"keys": " ".join(keys)} if keys else {}
        self._journal.log(memory.id, _word(act, old, memory), origin, reading, extra)
        if act == "created":  # what was told of its place before this machine knew it is over
            use_place_lines(call, memory.id)
        self.seen.append(Seen(act, reading.path, memory.id, origin.value, keys))

    def _person_says(
        self, old: Decoded | None, new: Decoded, keys: tuple[str, ...], path: str
    ) -> None:
        """What a person's edit implies beyond its own properties."""
        was = old.memory.status if old else Status.ACTIVE
        if new.memory.status is Status.DELETED and was is not Status.DELETED:
            write_tombstone(self._call, new.memory, by="person")
        touched = sorted(COMPUTED.intersection(keys)) if old else []
        if touched:
            text = f"The property {', '.join(f'`{key}`' for key in touched)} is kept by vaultmem."
            self.findings.append(finding("VM312", text, path=path))

    def _keep(self, reading: Reading, decoded: Decoded) -> None:
        """Record a version that says the same in another style; it may keep a granted force."""
        granted = self._had_force(decoded.memory.id)
        put_reading(self._call, reading, state=NoteState.LIVE)
        self._good_version(reading, decoded, grant=granted)

    def _good_version(self, reading: Reading, decoded: Decoded, *, grant: bool) -> None:
        if reading.fresh.data is not None:
            put_good_version(self._call, reading.path, reading.fresh.data, decoded, grant=grant)

    def _follow(self, reading: Reading, *, identifier: str, by: Origin, told: str) -> None:
        self._following.append(
            Following(reading, identifier, by.value, typed=self._typed, told=told)
        )

    def _category(self, reading: Reading, decoded: Decoded) -> None:
        """A note dragged to another category's folder takes its category."""
        category = folder_category(reading.path, self._call.vault.root)
        if category is not None and category is not decoded.memory.category:
            # should we be killed before it is written
            put_reading(self._call, reading, state=NoteState.WAITING)
            self._following.append(
                Following(
                    reading, decoded.memory.id, "person", typed=self._typed, category=category
                )
            )

    def _origin(self, identifier: str, reading: Reading) -> Origin:
        """Whose the bytes are; a note that only waits for its id was the person's already."""
        row = self._baseline.note(reading.path)
        if row is not None and row.state == NoteState.WAITING and row.etag == reading.fresh.etag:
            return Origin.PERSON
        return origin_of_bytes(self._call, identifier, reading.fresh)

    def _read(self, path: str) -> tuple[Reading, Decoded]:
        reading = self._readings[path]
        if reading.decoded is None:  # pragma: no cover - the plan calls such a note broken
            raise ValueError(path)
        return reading, reading.decoded

    def _good(self, identifier: str) -> Decoded | None:
        data = self._baseline.content(identifier)
        row = self._baseline.memory(identifier)
        if data is None or row is None:
            return None
        return decode_in(self._call.vault.root, row.path, data)

    def _had_force(self, identifier: str) -> bool:
        standing = self._baseline.standing(identifier)
        return standing is not None and bool(standing.force)


def _word(act: str, old: Decoded | None, new: Memory) -> str:
    """What the ledger calls a change: to bring a deleted memory back is an act of its own."""
    if new.status is Status.DELETED:
        return "edited" if act == RESTORED else act
    return RESTORED if old is not None and old.memory.status is Status.DELETED else act

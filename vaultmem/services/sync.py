"""Sync: see what people and other devices did to the notes, and let it be in force."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.finding import Finding, finding
from vaultmem.core.place import Kind, folder_of
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.core.sync import Known, Vanished, plan, too_many_vanished
from vaultmem.core.sync import Seen as SeenNote
from vaultmem.errors import CANNOT_WRITE
from vaultmem.services.call import Actor
from vaultmem.services.syncing import ledgers
from vaultmem.services.syncing.archived import edited_elsewhere
from vaultmem.services.syncing.attribution import (
    Origin,
    origin_of_loss,
    origin_of_move,
    tool_is_running,
)
from vaultmem.services.syncing.changes import Changes
from vaultmem.services.syncing.classify import Reading, classify_in
from vaultmem.services.syncing.doubles import withdraw_doubles
from vaultmem.services.syncing.grace import due, pass_time
from vaultmem.services.syncing.observe import Observation, look_again, observe
from vaultmem.services.syncing.release import deleted_or_not, explained_now, withdraw_shown
from vaultmem.services.syncing.standing import standing_findings
from vaultmem.store.leftovers import LEFTOVER_SECONDS, clean_temporaries

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultmem.core.sync import Change
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.holding import Seen
    from vaultmem.store.baseline_rows import MemoryRow

PUT_OFF = "VM317"
"""The code of what is found where a tool runs, so that differences wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncResult:
    """How many notes a sync found in each way, each change, and every finding that stands."""

    created: int = 0
    edited: int = 0
    moved: int = 0
    deleted: int = 0
    external: int = 0
    applied: int = 0
    """Writes that followed from what the person did: ids, defaults, a category, decisions."""
    unchanged: int = 0
    changes: tuple[Seen, ...] = ()
    findings: tuple[Finding, ...] = ()
    notebook: str | None = None
    """The version that was made of what the person wrote into the notebook."""


def sync(
    call: Call,
    *,
    typed: bool = True,
    accept_deletions: bool = False,
    certain: frozenset[str] = frozenset(),
    seen: Observation | None = None,
) -> SyncResult:
    """Bring the baseline up to the vault.

    Args:
        call: the circumstances; an agent's differences are held as external.
        typed: the person typed the command, so that notes of the last two minutes may get an id.
        accept_deletions: the person says that the many missing notes were meant to go.
        certain: notes that the person changed by a command of ours just now: no other device will
            explain them.
        seen: what a look at the vault just found; None to look now. What is acted on is always
            looked at again under the lock.

    Raises:
        BusyError: if another process writes for longer than ten seconds.
        VaultError, ReadOnlyError, DiskFailedError: if vault or state cannot be read or written.
    """
    if seen is None:
        seen = observe(call.vault)
    quiet = seen.clean and not seen.touched and not seen.leftovers and not due(call)
    if quiet and call.consequences(call).is_settled():
        return SyncResult(unchanged=seen.total, findings=standing_findings(call, seen))
    with call.vault.lock():
        seen = observe(call.vault)
        told: tuple[Finding, ...] = ()
        if seen.leftovers and not tool_is_running(call):
            told = _clean(call)
            seen = observe(call.vault)
        if tool_is_running(call):  # asked after the notes were read: none of it began unseen
            found = (finding(PUT_OFF), *told, *standing_findings(call, seen))
            return SyncResult(unchanged=seen.total - len(seen.fresh), findings=found)
        return _Sync(call, seen, typed=typed, certain=certain, told=told).run(
            accept=accept_deletions
        )


def _clean(call: Call) -> tuple[Finding, ...]:
    """Remove what killed processes of ours left, and put back what an editor had saved."""
    return clean_temporaries(call.vault.path, LEFTOVER_SECONDS, call.now.timestamp()).findings


def ensure_current(call: Call, seen: Observation | None = None) -> None:
    """Sync if anything changed: what a person edited is in force at the next command.

    `seen` is what a look at the vault just found, where the caller had one.
    """
    if seen is None:
        seen = observe(call.vault)
    if not seen.clean or due(call):
        sync(call, typed=call.actor is Actor.PERSON, seen=seen)


def catch_up(call: Call, seen: Observation | None = None) -> None:
    """As `ensure_current`, for a verb that only reads: a disk that cannot be written stops nothing.

    What this machine recorded last is then the answer, and `call.vault.put_off` says so.
    """
    try:
        ensure_current(call, seen)
    except CANNOT_WRITE as error:
        call.vault.put_off_for(error, state=True)


class _Sync:
    """One sync that has something to decide; the caller holds the lock."""

    def __init__(
        self,
        call: Call,
        seen: Observation,
        *,
        typed: bool,
        certain: frozenset[str],
        told: tuple[Finding, ...],
    ) -> None:
        self._call = call
        self._baseline = call.vault.baseline
        self._seen = seen
        self._typed = typed and call.actor is Actor.PERSON
        self._certain = certain
        self._findings: list[Finding] = [*told]
        self._then = call.consequences(call)

    def run(self, *, accept: bool) -> SyncResult:
        """Do all of it."""
        call = self._call
        then = self._then
        then.begin(self._seen.fresh, typed=self._typed)
        with self._baseline.transaction():
            for path, stat in self._seen.touched:
                self._baseline.restat(path, stat, call.nanoseconds)
            readings = [classify_in(self._call.vault, fresh) for fresh in self._seen.fresh]
            told = ledgers.take_in(call, [one for one in readings if one.kind is Kind.LEDGER])
            call.vault.append_waiting()  # what was read before does not hold these lines
            lost = self._lost(readings)
            readings = [self._followed(one, lost) for one in readings]
            memories = {one.path: one for one in readings if one.kind is Kind.MEMORY}
            memories |= self._copies(memories, lost)
            busy = {one.path for one in readings} | set(lost)
            memories |= deleted_or_not(call, told, busy)
            late = explained_now(call, told, busy)
            memories |= late
            back = edited_elsewhere(call, memories, lost)
            planned = self._planned(memories, lost, back.values(), accept=accept)
            changes = Changes(
                call,
                memories,
                planned,
                typed=self._typed,
                certain=self._certain,
                lost=lost,
                back=back,
            )
            others = [one for one in readings if one.kind not in (Kind.LEDGER, Kind.MEMORY)]
            for one in others:  # first: a note that we make takes no name that one of them has
                if one.path not in lost:
                    then.note_down(one)
            for change in planned:
                changes.act(change)
            for one in others:
                if one.path in lost:
                    then.note_down(one)
            pass_time(call)
            self._baseline.set_meta("looked_ns", str(call.nanoseconds))
        applied, problems = changes.follow()
        withdraw_shown(call, late.values())
        applied += then.follow(readings)
        withdraw_doubles(call)
        if not self._baseline.meta("adopted"):  # a decision that was there before is nobody's
            self._baseline.set_meta("adopted", call.local.isoformat())
        then.go_on()
        problems += then.findings
        if self._baseline.ledger.has_unwritten():
            self._findings.append(call.vault.put_off or finding("VM322"))
        return self._result([*changes.seen, *then.seen], applied, [*changes.findings, *problems])

    def _lost(self, readings: list[Reading]) -> dict[str, str]:
        """The places where a memory was and none is, with its id; others are forgotten here."""
        ledgers.lost_ledgers(self._call, self._seen.vanished)
        lost: dict[str, str] = {}
        there = {one.id for one in readings}
        for path in self._seen.vanished:
            row = self._baseline.note(path)
            if row is not None and row.kind == Kind.MEMORY:
                lost[path] = row.id
            elif row is not None:
                self._baseline.drop_note(path)
                self._then.lost(row, there)
        for one in readings:
            row = self._baseline.note(one.path)
            if one.kind is not Kind.MEMORY and row is not None and row.kind == Kind.MEMORY:
                lost[one.path] = row.id
        return lost

    def _followed(self, reading: Reading, lost: dict[str, str]) -> Reading:
        """A broken note that was moved as it is still is its memory's, without a readable id."""
        if reading.decoded is not None or not reading.fresh.etag:
            return reading
        for path in lost:
            row = self._baseline.note(path)
            if row is not None and row.state == NoteState.BROKEN and row.etag == reading.fresh.etag:
                folder = folder_of(reading.path, self._call.vault.root)
                if origin_of_move(self._call, row.id, folder) is Origin.EXTERNAL:
                    continue  # the memory keeps its place, and the note that vanished is reported
                self._baseline.set_place(row.id, reading.path)
                self._baseline.drop_note(path)
                del lost[path]
                return reading._replace(kind=Kind.MEMORY)
        return reading

    def _copies(self, memories: dict[str, Reading], lost: Collection[str]) -> dict[str, Reading]:
        """Notes that did not change and hold the id of a note that is gone: one of them is it."""
        rows = [self._baseline.note(path) for path in lost]
        rows += [self._baseline.note(one.path) for one in memories.values()]
        left = {
            row.id for row in rows if row is not None and row.id and row.state != NoteState.EXTERNAL
        }
        left -= {one.id for one in memories.values() if one.id}
        found: dict[str, Reading] = {}
        for row in (row for key in sorted(left) for row in self._baseline.notes_with_id(key)):
            if (
                row.state != NoteState.COPY
                or row.path in memories
                or row.path in self._seen.vanished
            ):
                continue
            fresh = look_again(self._call.vault, row)
            if fresh is not None:
                reading = classify_in(self._call.vault, fresh)
                if reading.kind is Kind.MEMORY:
                    found[row.path] = reading
        return found

    def _planned(
        self,
        memories: dict[str, Reading],
        lost: Collection[str],
        left: Collection[str],
        *,
        accept: bool,
    ) -> list[Change]:
        """What happened; a note in the archive that is `left` for an edited one is no memory's."""
        seen = [
            SeenNote(one.path, one.id, readable=one.decoded is not None)
            for one in memories.values()
            if one.path not in left
        ]
        ids = {note.id for note in seen if note.id}
        at = {
            row.id: Known(row.path, row.state) for row in self._concerned(ids, {*memories, *lost})
        }
        changes = plan(seen, [*lost, *left], at)
        for path in lost:  # a copy, a broken newcomer: no memory goes with it
            if not any(isinstance(one, Vanished) and one.path == path for one in changes):
                self._forget_file(path, at)
        gone = [one for one in changes if isinstance(one, Vanished)]
        unexplained = {
            one.path
            for one in gone
            if origin_of_loss(self._call, one.id) not in (Origin.DEVICE, Origin.EXTERNAL)
            and one.path not in self._baseline.external()
        }
        live = [row.path for row in self._baseline.memories(state=MemoryState.LIVE)] if gone else []
        if accept or not too_many_vanished(unexplained, live):
            return changes
        text = f"{len(unexplained)} memories have vanished at once; they stay in force for now."
        self._findings.append(finding("VM320", text))
        return [one for one in changes if one.path not in unexplained or one not in gone]

    def _forget_file(self, path: str, at: dict[str, Known]) -> None:
        """Drop the row of a vanished file that is no memory's place any more."""
        row = self._baseline.note(path)
        known = at.get(row.id) if row is not None else None
        if known is None or known.path != path or known.state != MemoryState.LIVE:
            self._baseline.drop_note(path)

    def _concerned(self, ids: set[str], paths: set[str]) -> list[MemoryRow]:
        if len(ids) + len(paths) > _FEW:
            return self._baseline.memories()
        rows = [self._baseline.memory(identifier) for identifier in sorted(ids)]
        found = {row.id: row for row in rows if row is not None}
        for path in sorted(paths):
            found |= {row.id: row for row in self._baseline.memories_at(path)}
        return list(found.values())

    def _result(self, seen: list[Seen], applied: int, problems: list[Finding]) -> SyncResult:
        counts: dict[str, int] = {}
        for one in seen:
            counts[one.change] = counts.get(one.change, 0) + 1
        told = [*self._findings, *problems]
        standing = standing_findings(self._call, self._seen)
        return SyncResult(
            created=counts.get("created", 0) + counts.get("restored", 0),
            edited=counts.get("edited", 0),
            moved=counts.get("moved", 0),
            deleted=counts.get("deleted", 0),
            external=counts.get("external", 0),
            applied=applied,
            unchanged=self._seen.total - len(self._seen.fresh),
            changes=tuple(seen),
            findings=tuple(dict.fromkeys((*told, *standing))),
            notebook=self._then.version,
        )


_FEW = 200
"""Notes up to which asking for each is quicker than reading every memory's place."""

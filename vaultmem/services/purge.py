"""Purge: remove a memory and what it said from vault, state and cache; list what is left."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.deletion import DeletionReason
from vaultmem.core.finding import Finding, finding
from vaultmem.core.operation import Deletion
from vaultmem.core.state import MemoryState
from vaultmem.errors import (
    BusyError,
    DiskFailedError,
    NoteError,
    NoteNotFoundError,
    ReadOnlyError,
    VaultmemError,
)
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.forget import finish
from vaultmem.services.lookup import find_memory, load
from vaultmem.services.purging.left import Left, Where, places_left
from vaultmem.services.purging.notes import plan_notes, purge_notes
from vaultmem.services.purging.state import hide, purge_state
from vaultmem.services.purging.target import target_of
from vaultmem.services.sync import ensure_current
from vaultmem.services.tombstones import write_tombstone
from vaultmem.store.erase import Intent, begin, end, intents
from vaultmem.store.etag import etag_of
from vaultmem.store.files import read_note

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vaultmem.core.model import Memory
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.services.purging.notes import NotesPurged, Planned
    from vaultmem.store.etag import Etag


class Purged(NamedTuple):
    """What a purge did.

    Attributes:
        id: the memory's.
        removed: files of the vault that are gone.
        cut: notes that lost lines.
        left: places that it did not reach.
        finished: False where another process was in the way; the next sync goes on.
    """

    id: str
    removed: tuple[str, ...]
    cut: tuple[str, ...]
    left: tuple[Left, ...]
    finished: bool


class PurgeReach(NamedTuple):
    """What a purge would reach.

    Attributes:
        id: the memory's.
        statement: what it says; "" where nothing is known of that any more.
        touched: the notes that go or lose lines.
        left: places that it would not reach.
        versions: of the memory, and of the notes that go whole; of the others only lines go that
            say what it says, whatever else is written there meanwhile.
    """

    id: str
    statement: str
    touched: tuple[str, ...]
    left: tuple[Left, ...]
    versions: frozenset[Etag]


def foresee(
    call: Call, name: str, *, also: Sequence[str] = (), sessions: Sequence[Path] = ()
) -> PurgeReach:
    """What a purge would do, for a person to look at before they say yes; nothing is written.

    Raises:
        AgentRefusedError, NoteNotFoundError, AmbiguousIdError, UnsafePathError: as `purge`.
    """
    call.person_only("forget --purge")
    ensure_current(call)
    for path in also:
        read_note(call.vault.path, path)
    with call.vault.lock():
        found = find_memory(call, name)
        intent = Intent(found.row.id, Deletion.PURGE, also=tuple(also))
        planned = _planned(call, intent)
        touched = tuple(cut.path for cut in planned.cuts)
        left = places_left(call, planned.target, sessions)
    others = tuple(one for one in left if one.path not in touched)
    statement = found.decoded.memory.statement
    return PurgeReach(intent.id, statement, touched, others, _versions(found, planned))


def _planned(call: Call, intent: Intent) -> Planned:
    return plan_notes(call, target_of(call, intent.id), intent)


def _versions(found: FoundMemory, planned: Planned) -> frozenset[Etag]:
    """What nobody can have back: the memory as it is in force, and the notes that go whole."""
    whole = (etag_of(cut.old) for cut in planned.cuts if cut.data is None)
    return frozenset((etag_of(found.data), *whole))


def purge(
    call: Call,
    name: str,
    *,
    reason: DeletionReason = DeletionReason.USER_REQUESTED,
    also: Sequence[str] = (),
    sessions: Sequence[Path] = (),
    seen: PurgeReach | None = None,
) -> Purged:
    """Remove a memory for good; what was begun is finished by the next sync if we are killed.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts; a memory that was forgotten before, too.
        reason: all that the tombstone says of why.
        also: notes of the person's, relative to the vault, whose lines that hold nothing but a
            text of the memory go as well.
        sessions: the folders of the agent's sessions, which are searched and never written.
        seen: what a person was shown before they said yes, where they were shown something.

    Raises:
        AgentRefusedError: if an agent calls.
        NoteChangedError: if something would go that the person was not shown; nothing was done.
        NoteNotFoundError, AmbiguousIdError: if no or several memories answer to the name, or a
            note of `also` is not there; then nothing was done.
        UnsafePathError: if a path of `also` leaves the vault.
        BusyError, ReadOnlyError, DiskFailedError, VaultError: if it cannot be begun.
    """
    call.person_only("forget --purge")
    ensure_current(call)
    for path in also:
        read_note(call.vault.path, path)
    with call.vault.lock():
        if seen is not None:
            now = _planned(call, Intent(seen.id, Deletion.PURGE, also=tuple(also)))
            same = _versions(find_memory(call, seen.id), now) <= seen.versions
            need_as_shown("The memory, or a note that goes with it,", same=same)
        return purge_now(call, name, reason=reason, also=also, sessions=sessions)


def purge_now(
    call: Call,
    name: str,
    *,
    reason: DeletionReason = DeletionReason.USER_REQUESTED,
    also: Sequence[str] = (),
    sessions: Sequence[Path] = (),
) -> Purged:
    """As `purge`; the caller holds the lock, the baseline is current, and a person decided."""
    found = find_memory(call, name)
    intents_now = []
    for memory in (found.decoded.memory, *_unseen_twins(call, found)):
        intent = Intent(memory.id, Deletion.PURGE, also=tuple(dict.fromkeys(also)))
        begin(call.vault.baseline, intent)
        write_tombstone(call, memory, by="person", mode=Deletion.PURGE, reason=reason)
        intents_now.append(intent)
    done, *twins = _carry_out(call, intents_now, sessions)
    return done._replace(finished=all(one.finished for one in (done, *twins)))


def _unseen_twins(call: Call, found: FoundMemory) -> list[Memory]:
    """Memories of the same statement that have no note any more: nobody else would remove them."""
    rows = call.vault.baseline.memories_that_say(found.row.statement_key)
    unseen = (
        row
        for row in rows
        if row.state in (MemoryState.MISSING, MemoryState.GONE) and row.id != found.row.id
    )
    return [load(call, row).decoded.memory for row in unseen]


def _carry_out(call: Call, begun: Sequence[Intent], sessions: Sequence[Path]) -> list[Purged]:
    """Do or go on with purges that were begun: the vault first, then state and cache once."""
    in_vault: list[NotesPurged] = []
    for intent in begun:
        target = target_of(call, intent.id)
        hide(call, target)
        in_vault.append(purge_notes(call, plan_notes(call, target, intent)))
    why = ""
    try:
        purge_state(call, [done.target for done in in_vault if not done.failed])
    except VaultmemError as error:
        why = str(error)
    return [
        _result(call, intent, done, why, sessions)
        for intent, done in zip(begun, in_vault, strict=True)
    ]


def _result(
    call: Call, intent: Intent, done: NotesPurged, why: str, sessions: Sequence[Path]
) -> Purged:
    unfinished = [Left(Where.UNFINISHED, *one) for one in done.failed]
    if why:
        unfinished.append(Left(Where.UNFINISHED, None, why))
    if not unfinished:
        end(call.vault.baseline, intent.id)
    left = places_left(call, done.target, sessions) if intent.everywhere else []
    left = [one._replace(how=_SAYS_MORE) if one.path in intent.also else one for one in left]
    return Purged(intent.id, done.removed, done.cut, (*unfinished, *left), not unfinished)


_SAYS_MORE = "The lines say more than the memory, so `--also` left them. Edit the note."


def go_on(call: Call) -> list[Finding]:
    """Finish the deletions that were begun here or asked for by another device; say what is left.

    The caller holds the lock and no transaction. What cannot be finished now is a finding.
    """
    told: list[Finding] = []
    begun: list[Intent] = []
    for intent in intents(call.vault.baseline):
        _mark(call, intent)
        if intent.mode is Deletion.PURGE:
            begun.append(intent)
            continue
        try:
            finish(call, intent.id)
        except (NoteError, BusyError, ReadOnlyError, DiskFailedError) as error:
            told.append(finding("VM341", f"A deletion is not finished: {error}"))
    done = _carry_out(call, begun, ()) if begun else []
    return [*told, *(_told(left) for one in done for left in one.left if left.certain)]


def _mark(call: Call, intent: Intent) -> None:
    """Write the tombstone that a deletion of ours lacks, if we were killed before it."""
    row = call.vault.baseline.memory(intent.id)
    if row is None or not intent.everywhere:
        return
    with suppress(NoteNotFoundError):  # nothing is left of the text, so the tombstone came first
        write_tombstone(call, load(call, row).decoded.memory, by="person", mode=intent.mode)


def _told(one: Left) -> Finding:
    if one.where is Where.UNFINISHED:
        return finding("VM341", f"A purge is not finished: {one.how}", path=one.path)
    return finding("VM342", path=one.path, remedy=one.how, line=next(iter(one.lines), None))

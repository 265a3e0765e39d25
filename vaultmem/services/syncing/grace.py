"""What time decides: a missing note's memory is deleted in a week, a late change is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Status
from vaultmem.core.place import Kind
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.core.turn import LATE_SECONDS
from vaultmem.errors import VaultmemError
from vaultmem.services.force import sign_force, use_force_lines
from vaultmem.services.syncing.attribution import (
    EXTERNAL_ACT,
    PLACE_ACTS,
    is_explained,
    lines_of_mac,
    new_place_lines,
    since,
    use_place_lines,
    was_first,
)
from vaultmem.services.syncing.classify import decode_in
from vaultmem.services.syncing.record import (
    put_good_version,
    put_lost,
    recount,
)
from vaultmem.services.tombstones import (
    RESTORED,
    is_wanted_back,
    signed_tombstone,
    standing_tombstone,
    withdraw,
    write_tombstone,
)
from vaultmem.services.write import SINCE, content_mac, entry
from vaultmem.store.files import read_note
from vaultmem.store.finding_text import findings_of, findings_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.ledger import LedgerEntry, Scalar
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow, MemoryRow, Pending
    from vaultmem.store.walk import Stat

GRACE_SECONDS = 7 * 86_400
"""How long a vanished note may come back before its memory is deleted (DESIGN §3.2)."""


def pass_time(call: Call) -> int:
    """Delete what was missing too long and settle what nobody explained; how many were deleted."""
    _turn_back(call)
    _settle(call)
    deleted = 0
    for row in call.vault.baseline.memories(state=MemoryState.MISSING):
        if call.seconds - row.since >= GRACE_SECONDS and not _lies_somewhere(call, row):
            _delete(call, row)
            deleted += 1
    return deleted


def due(call: Call) -> bool:
    """Whether `pass_time` may have something to do, or something was begun and is not finished."""
    baseline = call.vault.baseline
    if baseline.has_unfinished():
        return True
    if any(_is_over(call, change.at, _wait(change)) for change in baseline.pending.all()):
        return True
    missing = baseline.memories(state=MemoryState.MISSING)
    return any(_is_over(call, row.since, GRACE_SECONDS) for row in missing)


def _wait(change: Pending) -> float:
    """Seconds after which a change that nobody explained is the person's.

    Another device waits as long before it signs for what its person changed by hand. To bring a
    memory back ends a deletion everywhere, so that word is given time to arrive.
    """
    return 2 * LATE_SECONDS if change.act == RESTORED else LATE_SECONDS


def _is_over(call: Call, since: float, seconds: float) -> bool:
    """Whether a span is over, or began in what is now the future."""
    return not 0 <= call.seconds - since < seconds


def _turn_back(call: Call) -> None:
    """A span that began in the future, because the clock was wrong then, begins now."""
    baseline = call.vault.baseline
    for change in baseline.pending.all():
        if change.at > call.seconds:
            baseline.pending.put(change._replace(at=call.seconds))
    for row in baseline.memories(state=MemoryState.MISSING):
        if row.since > call.seconds:
            baseline.set_state(row.id, MemoryState.MISSING, call.seconds)


def _delete(call: Call, row: MemoryRow) -> None:
    data = call.vault.baseline.content(row.id)
    if data is not None:
        memory = decode_in(call.vault.root, row.path, data).memory
        write_tombstone(call, memory, by="person")
    call.vault.baseline.set_state(row.id, MemoryState.GONE, call.seconds)


def _lies_somewhere(call: Call, row: MemoryRow) -> bool:
    """Whether any note still holds the id, also one that is not or cannot be read."""
    if call.vault.baseline.notes_with_id(row.id):
        return True
    for note in call.vault.baseline.notes():
        if note.state != NoteState.BROKEN and note.kind != Kind.CONFLICT:
            continue
        try:
            if row.id.encode() in read_note(call.vault.path, note.path):
                return True
        except VaultmemError:
            return True  # what cannot be opened may hold it
    return False


def _settle(call: Call) -> None:
    """Call a change the person's when its quiet minutes brought no other explanation."""
    baseline = call.vault.baseline
    for change in baseline.pending.all():
        explained = _explained(call, change)
        is_over = call.seconds - change.at >= _wait(change)
        left: list[str] = []
        if explained is not None:
            _undo(call, change, explained)
            left = _left(call, change)
        elif is_over:
            _sign(call, change)
        else:
            continue
        if left and not is_over:  # who explains the newest version did not make those before
            baseline.pending.put(change._replace(after=" ".join(left)))
        else:
            _write_down(call, change, left)
            baseline.pending.settle(change)
        if explained is not None:
            use_force_lines(call, change.id)
        if change.act in PLACE_ACTS:
            use_place_lines(call, change.id)


def _undo(call: Call, change: Pending, explained: str) -> None:
    """Take a change out of force if what another device says of it asks for that."""
    if explained == EXTERNAL_ACT and change.act == "vanished":
        _call_back(call, change)
    elif explained == EXTERNAL_ACT and change.act not in PLACE_ACTS:
        _take_back(call, change, NoteState.EXTERNAL, "VM310")
    elif change.act == RESTORED and _brings_nothing_back(call, change):
        _take_back(call, change, NoteState.LATE, "VM313")


def _brings_nothing_back(call: Call, change: Pending) -> bool:
    """Whether another device made the change before it knew that the memory was deleted."""
    stone = signed_tombstone(call, change.id)
    return stone is not None and not is_wanted_back(call, change.id, change.newest, stone)


def _take_back(call: Call, change: Pending, state: NoteState, code: str) -> None:
    """What another device signed for is out of force here: the version before it holds.

    An agent made the change there, or a person to whom the memory was not deleted yet.
    """
    baseline = call.vault.baseline
    row = baseline.memory(change.id)
    note = baseline.note(row.path) if row is not None else None
    if row is None or note is None:
        return
    before = baseline.content_before(change.id)
    if before is None:
        baseline.forget(change.id)
    else:
        decoded = decode_in(call.vault.root, row.path, before)
        put_good_version(call, row.path, before, decoded)
        forgotten = decoded.memory.status is Status.DELETED
        if not forgotten and signed_tombstone(call, change.id) is not None:
            baseline.set_state(change.id, MemoryState.GONE, call.seconds)
    held = [*findings_of(note.findings), finding(code, path=row.path)]
    baseline.put_note(note._replace(state=state, findings=findings_text(held)))


def _call_back(call: Call, change: Pending) -> None:
    """Another device knows that an agent removed the note: its memory is in force after all."""
    baseline = call.vault.baseline
    row = baseline.memory(change.id)
    if row is None or row.state != MemoryState.MISSING:
        return
    baseline.set_state(row.id, MemoryState.LIVE, call.seconds)
    put_lost(call, row.path, Kind.MEMORY, row.id, [finding("VM314", path=row.path)])


def _explained(call: Call, change: Pending) -> str | None:
    """The act by which another device signed for the change; None if none did."""
    if change.act in PLACE_ACTS:
        gone = change.act == "vanished"
        acts = {EXTERNAL_ACT, change.act, "removed" if gone else "moved"}
        places = new_place_lines(call, change.id)
        device = call.vault.device
        stat = None if gone else _stat(call, change)
        return next(
            (
                at.act
                for at in places
                if at.act in acts and at.device != device and not _was_ours(at, stat)
            ),
            None,
        )
    stat = _stat(call, change)
    acts_of_bytes = [
        line.act
        for line in lines_of_mac(call, change.id, change.newest)
        if line.device != call.vault.device
        and not (_was_ours(line, stat) or (line.act == EXTERNAL_ACT and is_explained(call, line)))
    ]
    told = [act for act in acts_of_bytes if act != EXTERNAL_ACT]
    return next(iter([*told, *acts_of_bytes]), None)


def _left(call: Call, change: Pending) -> list[str]:
    """The versions before the newest that no other device signed for."""
    if change.act == RESTORED or change.act in PLACE_ACTS:
        return []
    ours = call.vault.device
    return [
        one
        for one in change.versions[:-1]
        if all(line.device == ours for line in lines_of_mac(call, change.id, one))
    ]


def _was_ours(line: LedgerRow, stat: Stat | None) -> bool:
    """Whether another device calls external what was here before it was there."""
    return line.act == EXTERNAL_ACT and was_first(line, stat)


def _stat(call: Call, change: Pending) -> Stat | None:
    """What the disk says of the file that a change made; None where it is another one by now."""
    row = call.vault.baseline.memory(change.id)
    note = call.vault.baseline.note(row.path) if row is not None else None
    content = call.vault.baseline.content(change.id)
    if note is None or row is None or content is None or note.etag != row.etag:
        return None
    return note.stat if content_mac(call, content) == change.newest else None


def _sign(call: Call, change: Pending) -> None:
    """Write down that a change is the person's, with what follows from it."""
    if change.act == RESTORED and standing_tombstone(call, change.id) is not None:
        return  # it was deleted again, on another device
    _write_down(call, change, [*_left(call, change), change.newest])
    if change.act == RESTORED:
        withdraw(call, change.id)
    row = call.vault.baseline.memory(change.id)
    standing = call.vault.baseline.standing(change.id)
    if row is not None and standing is not None and standing.force:
        sign_force(call, change.id, row.force_mac, via="sync")


def _write_down(call: Call, change: Pending, versions: Iterable[str]) -> None:
    for version in versions:  # each line is later than the one before, by its id
        call.vault.append(LedgerKind.ACTIVITY, [_line(call, change, version)])
    recount(call.vault.baseline, change.id)


def _line(call: Call, change: Pending, version: str) -> LedgerEntry:
    """The line that calls one version of a change the person's."""
    values: dict[str, Scalar] = {"by": "person", "via": "sync", "after": version}
    stat = _stat(call, change) if version == change.newest else None
    if stat is not None:
        values[SINCE] = since(stat)
    if change.keys:
        values["folder" if change.act in PLACE_ACTS else "keys"] = change.keys
    return entry(call, change.act, change.id, values)

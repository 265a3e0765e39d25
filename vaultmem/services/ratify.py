"""Ratify: a person gives force to a memory, or accepts a note that was held back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.force import can_act, needs_force
from vaultmem.core.ids import is_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Layer
from vaultmem.core.naming import as_text
from vaultmem.core.standing import IN_USE
from vaultmem.core.state import HELD_BACK, MemoryState, NoteState
from vaultmem.errors import (
    CaptureRefusedError,
    KeyMissingError,
    NoteNotFoundError,
    NoteUnreadableError,
)
from vaultmem.services.as_shown import need_as_shown
from vaultmem.services.capturing.guarding import texts_of
from vaultmem.services.capturing.secret_scan import refuse_fields
from vaultmem.services.edit import refuse_status
from vaultmem.services.force import sign_force
from vaultmem.services.lookup import FoundMemory, find_memory, load
from vaultmem.services.note_property import note_path
from vaultmem.services.settings_in_force import accept_settings
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.attribution import APPROVED, use_place_lines
from vaultmem.services.syncing.classify import Reading, classify_in
from vaultmem.services.syncing.identify import Following, follow
from vaultmem.services.syncing.observe import fresh_now
from vaultmem.services.syncing.record import put_good_version, put_reading
from vaultmem.services.tombstones import RESTORED, lift, standing_tombstone
from vaultmem.services.write import content_mac, entry
from vaultmem.store.files import read_note
from vaultmem.store.settings import settings_path

if TYPE_CHECKING:
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import NoteRow


class Ratified(NamedTuple):
    """What was accepted: `force` given to a memory, a `version`, a `removal`, or `nothing`."""

    id: str
    path: str
    accepted: str
    statement: str


def unreviewed(call: Call, *, identity: bool = False) -> list[FoundMemory]:
    """The memories whose force this machine has not seen signed, by path.

    Those of the person's identity, which are ratified one by one, only if `identity` asks for them.
    """
    ensure_current(call)
    found = [load(call, row) for row in call.vault.baseline.unreviewed_memories()]
    chosen = [
        one
        for one in found
        if needs_force(one.decoded.memory)
        and (identity or one.decoded.memory.layer is not Layer.IDENTITY)
    ]
    return sorted(chosen, key=lambda one: one.row.path)


def ratify(call: Call, name: str) -> Ratified:
    """Give force to a memory, or accept the version of its note that was held back.

    Args:
        call: the circumstances.
        name: what `find_memory` accepts, or the path of a note that is held back.

    Raises:
        AgentRefusedError: if an agent calls.
        KeyMissingError: if this device cannot sign.
        NoteNotFoundError, AmbiguousIdError: if no such memory or note is there.
        NoteUnreadableError: if the note that was held back cannot be read.
        EditRefusedError: if the memory is out of use, or its note is gone.
    """
    call.person_only("ratify")
    need_key(call)
    ensure_current(call)
    with call.vault.lock():
        return ratify_now(call, name)


def ratify_now(call: Call, name: str) -> Ratified:
    """As `ratify`; the caller holds the lock, the baseline is current, and a person decided."""
    need_key(call)
    settings = settings_path(call.vault.root)
    if note_path(call, name) == settings and accept_settings(call):
        return Ratified("", settings, "version", "")
    held = _held_note(call, name)
    if held is not None:
        return _accept(call, held)
    found = find_memory(call, name)
    refuse_status(found, "ratify", IN_USE)
    return give_force(call, found)


def ratify_seen(call: Call, seen: FoundMemory) -> Ratified:
    """Give force to the version that a person was shown, and to no other.

    Args:
        call: the circumstances.
        seen: what `unreviewed` found when it was shown. A version of its note that is held back,
            which nobody was shown, stays so.

    Raises:
        AgentRefusedError, KeyMissingError: as `ratify`.
        NoteChangedError: if another version is in force by now.
        NoteNotFoundError, EditRefusedError: if it was forgotten, or its note is gone.
    """
    call.person_only("ratify")
    need_key(call)
    ensure_current(call)
    with call.vault.lock():
        found = find_memory(call, seen.row.id)
        refuse_status(found, "ratify", IN_USE)
        same = (found.row.force_mac, found.data) == (seen.row.force_mac, seen.data)
        need_as_shown("The memory", same=same)
        return give_force(call, found)


def need_key(call: Call) -> None:
    """Refuse what this device could not sign.

    Raises:
        KeyMissingError: if it has no key.
    """
    if call.vault.key is None:
        raise KeyMissingError(
            "This device has no key, so it cannot sign. Run `vaultmem key export` on a device that "
            "has it and `vaultmem key import` here."
        )


def give_force(call: Call, found: FoundMemory) -> Ratified:
    """Sign for the present version of a memory."""
    memory = found.decoded.memory
    if not can_act(memory):
        return Ratified(found.row.id, found.row.path, "nothing", memory.statement)
    sign_force(call, found.row.id, found.row.force_mac, via="ratify")
    call.vault.baseline.set_force(found.row.id, force=True)
    return Ratified(found.row.id, found.row.path, "force", memory.statement)


def _held_note(call: Call, name: str) -> NoteRow | None:
    baseline = call.vault.baseline
    rows = baseline.notes_with_id(name) if is_id(name) else []
    row = baseline.note(as_text(note_path(call, name))) if not rows else None
    held = [one for one in [*rows, row] if one is not None and one.state in HELD_BACK]
    # an agent that moves a note leaves two: the place that is empty now says nothing
    return min(held, key=lambda one: not one.etag, default=None)


def _accept(call: Call, row: NoteRow) -> Ratified:
    vault = call.vault
    try:
        data = read_note(vault.path, row.path)
    except NoteNotFoundError:
        return _let_go(call, row)
    reading = classify_in(vault, fresh_now(vault, row.path, data))
    decoded = reading.decoded
    if decoded is None:
        found = reading.findings[-1] if reading.findings else None
        raise NoteUnreadableError(
            found.message if found else "It cannot be read.",
            found.remedy if found else "Correct it.",
            line=found.line if found else None,
            path=row.path,
        )
    if refusal := refuse_fields(*texts_of(decoded.memory)):
        raise CaptureRefusedError(refusal.text)
    if not reading.id:
        return _as_new(call, reading)
    deleted = standing_tombstone(call, reading.id) is not None
    lift(call, reading.id, decoded.memory)
    values = {"by": "person", "via": "ratify", "after": content_mac(call, data)}
    acts = (APPROVED, RESTORED) if deleted else (APPROVED,)
    vault.append(LedgerKind.ACTIVITY, [entry(call, act, reading.id, values) for act in acts])
    with vault.baseline.transaction():
        for other in vault.baseline.notes_with_id(reading.id):
            if other.state == NoteState.EXTERNAL and not other.etag:
                vault.baseline.drop_note(other.path)
        put_reading(call, reading, state=NoteState.LIVE)
        put_good_version(call, row.path, data, decoded)
        use_place_lines(call, reading.id)
    found_now = find_memory(call, reading.id)
    if can_act(found_now.decoded.memory):
        give_force(call, found_now)
    return Ratified(reading.id, row.path, "version", decoded.memory.statement)


def _as_new(call: Call, reading: Reading) -> Ratified:
    """A held note that has no id yet becomes a memory like any that a person writes."""
    decoded = reading.decoded
    statement = decoded.memory.statement if decoded is not None else ""
    if decoded is not None:
        lift(call, "", decoded.memory)
    identifier = call.new_id("mem")
    _, problems = follow(call, [Following(reading, identifier, "person", typed=True)])
    if problems:
        first = problems[0]
        raise NoteUnreadableError(first.message, first.remedy, line=first.line, path=reading.path)
    return Ratified(identifier, reading.path, "version", statement)


def _let_go(call: Call, row: NoteRow) -> Ratified:
    """Accept that a note which an agent removed is gone; the grace of seven days begins."""
    baseline = call.vault.baseline
    with baseline.transaction():
        baseline.drop_note(row.path)
        baseline.set_state(row.id, MemoryState.MISSING, call.seconds)
        use_place_lines(call, row.id)
    call.vault.append(
        LedgerKind.ACTIVITY, [entry(call, "vanished", row.id, {"by": "person", "via": "ratify"})]
    )
    return Ratified(row.id, row.path, "removal", "")

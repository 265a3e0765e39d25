"""Decisions and ticks that were written into the notes of open patches, found by a sync."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.patch_rules import Applier
from vaultmem.core.patch_status import PatchStatus
from vaultmem.core.place import Kind
from vaultmem.core.state import NoteState
from vaultmem.core.turn import Turn
from vaultmem.errors import CANNOT_WRITE, AmbiguousIdError, NoteError, PatchRefusedError
from vaultmem.notes.codec import finding_of
from vaultmem.notes.patch import PatchDecision, decode_patch
from vaultmem.services.apply import apply, resume
from vaultmem.services.call import Actor
from vaultmem.services.decided import came_back, says_otherwise
from vaultmem.services.lookup import refuse_copies
from vaultmem.services.patches import OpenPatch, reject_open
from vaultmem.services.patching import ledger as patch_ledger
from vaultmem.services.patching.ticks import disown_marks, keep_marks
from vaultmem.services.syncing.attribution import Origin
from vaultmem.services.syncing.record import put_reading
from vaultmem.services.syncing.turns import is_left_over, origin_of_note, turn_now
from vaultmem.store.baseline_rows import IMPORT
from vaultmem.store.etag import etag_of
from vaultmem.store.patches import UNFINISHED

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.patching.result import Applied
    from vaultmem.services.syncing.classify import Reading


_STILL_WAITS = "It was not applied; what it was about still waits, see `vaultmem inbox`."


def go_on(call: Call) -> list[Finding]:
    """Finish what a crash left half done; what cannot go on is told.

    Raises:
        DiskFailedError, BusyError: as `resume`.
    """
    try:
        done = resume(call)
        if call.vault.baseline.meta(IMPORT):
            from vaultmem.services.migrating.finish import finish  # after a crash only

            finish(call)
    except (NoteError, *CANNOT_WRITE) as error:
        return [finding("VM659", str(error))]
    waiting = (one for one in done if one.status in UNFINISHED)
    return [
        finding("VM659", f"{one.id} was cut short and cannot go on yet.", remedy=skipped.reason)
        for one in waiting
        for skipped in one.skipped[-1:]
    ]


def decided_patches(
    call: Call, readings: list[Reading], waited: frozenset[str]
) -> tuple[int, list[Finding]]:
    """Do what the person wrote into patches; how many were decided, and what could not be done.

    A decision counts only if the note's present bytes are the person's and nobody else wrote it
    before, and a tick only if nobody else set it.

    Args:
        call: the circumstances.
        readings: the patches whose notes are new or changed.
        waited: the notes whose present bytes were found to be the person's before.
    """
    decided = 0
    problems: list[Finding] = []
    for one in readings:
        try:
            decided += _decide(call, one, problems, waited=one.path in waited)
        except (NoteError, *CANNOT_WRITE) as error:
            problems.append(finding("VM657", str(error), path=one.path))
    return decided, problems


def _decide(call: Call, reading: Reading, problems: list[Finding], *, waited: bool) -> int:
    opened = _opened(call, reading)
    if opened is None:
        return 0
    found = [*opened.decoded.findings, *_unsigned(call, opened)]
    if says_otherwise(call, opened.id, (patch_ledger.CLOSED,), opened.data):
        put_reading(call, reading, *found, came_back(opened.path, "The patch was decided"))
        return 0
    persons = _is_persons(call, opened, reading, waited=waited)
    if opened.decoded.decision in (None, PatchDecision.DEFER):
        put_reading(call, reading, *found)
        return 0
    turn = turn_now(call, reading, persons=persons, elsewhere=_belongs_elsewhere(call, opened))
    if turn is Turn.OURS:
        return _carry_out(call, opened, reading, found, problems)
    if turn is Turn.WAITS:
        told = [] if call.actor is Actor.AGENT else [_waits(call, opened)]
        put_reading(call, reading, *found, *told, state=NoteState.WAITING)
    else:
        put_reading(call, reading, *found, finding("VM658", path=reading.path))
    return 0


def _is_persons(call: Call, opened: OpenPatch, reading: Reading, *, waited: bool) -> bool:
    """Whether the decision is the person's; which ticks are theirs is remembered.

    Ticks in a device's own bytes count, and a decision in them is none.
    """
    origin = origin_of_note(call, reading, opened.id, waited=waited)
    left = is_left_over(call, reading, opened.id, _word(opened), origin=origin)
    if not waited:
        foreign = origin not in (Origin.PERSON, Origin.DEVICE)
        keep_marks(call, opened.decoded, foreign=foreign)
    elif origin is not Origin.PERSON:
        disown_marks(call, opened.decoded)
    return origin is Origin.PERSON and not left


def _word(opened: OpenPatch) -> str:
    """The decision as it is spelled: who writes it in another way has written it."""
    decided = opened.decoded.decision is not None
    return str(opened.decoded.properties.get("decision")) if decided else ""


def _carry_out(
    call: Call,
    opened: OpenPatch,
    reading: Reading,
    found: list[Finding],
    problems: list[Finding],
) -> int:
    try:
        refuse_copies(call, opened.id, opened.path, Kind.PATCH)
    except AmbiguousIdError as error:
        told = [finding("VM657", str(error), path=opened.path)]
        put_reading(call, reading, *found, *told, state=NoteState.WAITING)
        return 0
    if opened.decoded.decision is PatchDecision.REJECT:
        if not reject_open(call, opened, via="sync").operations:
            problems.append(_rejected_too_late(opened.id))
        return 1
    half = opened.half_ticked
    try:
        done = apply(call, opened.patch, applier=Applier.PERSON, via="sync", opened=opened)
    except PatchRefusedError:  # nothing is ticked; a half-ticked box is told already
        told = [] if half else [finding("VM661", path=opened.path)]
        put_reading(call, reading, *found, *told)
        return 0
    told = [_told(opened, done, skipped.id, skipped.reason) for skipped in done.skipped]
    if done.status is PatchStatus.PROPOSED:
        put_reading(call, reading, *found, *told)
        return 0
    left = [finding(one.code, one.message, remedy=_STILL_WAITS) for one in half]
    problems += [*told, *left]
    return 1


def _opened(call: Call, reading: Reading) -> OpenPatch | None:
    """The patch, if it can be read; what is wrong with it is reported."""
    data = reading.fresh.data
    if data is None:
        return None
    try:
        decoded = decode_patch(data, path=reading.path)
    except NoteError as error:
        put_reading(call, reading, finding_of(error, reading.path))
        return None
    if not decoded.patch.id:
        put_reading(call, reading, *decoded.findings)
        return None
    return OpenPatch(reading.path, decoded.patch, decoded, etag_of(data), data)


def _waits(call: Call, opened: OpenPatch) -> Finding:
    """That a decision is kept for another device, and how it is carried out here at once."""
    who = "Another device made this patch"
    if not patch_ledger.proposer(call, opened.id):
        who = "No device is known to have made this patch"
    verb = "reject" if opened.decoded.decision is PatchDecision.REJECT else "apply"
    message = f"{who}, so the decision in it waits ten minutes for a device that knows more."
    remedy = f"To have it done now, run `vaultmem patch {verb} {opened.id}`."
    return finding("VM660", message, path=opened.path, remedy=remedy)


def _rejected_too_late(patch: str) -> Finding:
    remedy = f"Run `vaultmem patch revert {patch}` to take back what it did."
    return finding("VM657", f"{patch} was decided before it was rejected.", remedy=remedy)


def _told(opened: OpenPatch, done: Applied, operation: str, reason: str) -> Finding:
    path = opened.path if done.status is PatchStatus.PROPOSED else None
    return finding("VM657", f"{operation} of {done.id} was not applied.", path=path, remedy=reason)


def _unsigned(call: Call, opened: OpenPatch) -> list[Finding]:
    """What only somebody without the key can have written."""
    if call.vault.key is None:
        return []
    strange = patch_ledger.unvouched(call, opened.patch, opened.patch.operations)
    return [
        finding("VM652", f"No device signed for {one} as it is.", path=opened.path)
        for one in sorted(strange)
    ]


def _belongs_elsewhere(call: Call, opened: OpenPatch) -> bool:
    """Whether another device made the patch; its note is believed where nothing can be proved."""
    proposer = patch_ledger.proposer(call, opened.id)
    if call.vault.key is None:
        proposer = opened.patch.device or ""
    return proposer != call.vault.device

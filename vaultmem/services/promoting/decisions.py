"""Decisions that a person wrote into the notes of proposed promotions, found by a sync."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.ids import is_id
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.promotion_words import Destination, PromotionDecision, PromotionStatus
from vaultmem.core.state import NoteState
from vaultmem.core.turn import Turn
from vaultmem.errors import CANNOT_WRITE, CaptureRefusedError, NoteError
from vaultmem.notes.codec import finding_of
from vaultmem.notes.promotion import decode_promotion
from vaultmem.services.call import Actor
from vaultmem.services.curating.proposals import as_written
from vaultmem.services.decided import came_back, decided_before
from vaultmem.services.promoting.effects import KEPT
from vaultmem.services.promoting.lines import DECIDED, is_decided, said
from vaultmem.services.promoting.opened import Opened
from vaultmem.services.promoting.proposals import put_away
from vaultmem.services.promoting.settling import settle_accepted, settle_rejected
from vaultmem.services.promoting.trust import keep_content
from vaultmem.services.syncing.attribution import Origin, other_devices, said_mac, since
from vaultmem.services.syncing.record import put_reading
from vaultmem.services.syncing.turns import is_left_over, origin_of_note, turn_now
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.syncing.classify import Reading

VIA = "sync"
"""The verb that ledger lines name."""


def decided_promotions(
    call: Call, readings: list[Reading], waited: frozenset[str]
) -> tuple[int, list[Finding]]:
    """Do what the person wrote; how many were decided, and what could not be done.

    To link the knowledge note (`note`) accepts a `vault_ref`. A decision counts only if the note's
    present bytes are the person's: what an agent or another program wrote into it decides nothing
    (VM832), also when the note is saved again.

    Args:
        call: the circumstances.
        readings: the proposals whose notes are new or changed, or wait.
        waited: the notes whose present bytes were found to be the person's before.
    """
    decided = 0
    problems: list[Finding] = []
    for reading in readings:
        opened = _opened(call, reading)
        if opened is None:
            continue
        origin = origin_of_note(call, reading, opened.id, waited=reading.path in waited)
        if origin in (Origin.PERSON, Origin.DEVICE):
            keep_content(call, opened.promotion, opened.data, since=since(reading.fresh.stat))
        left = is_left_over(call, reading, opened.id, _word(call, opened), origin=origin)
        persons = origin is Origin.PERSON and not left
        decision = _decision(call, opened, reading, persons=persons)
        if decision is None:
            continue
        if problem := _settle(call, opened, decision, reading):
            problems.append(problem)
        else:
            decided += 1
    return decided, problems


def _opened(call: Call, reading: Reading) -> Opened | None:
    """The proposal, if it can be read and waits; what is wrong with it is reported."""
    data = reading.fresh.data
    if data is None:
        return None
    try:
        decoded = decode_promotion(data, path=reading.path)
    except NoteError as error:
        put_reading(call, reading, finding_of(error, reading.path))
        return None
    opened = Opened(reading.path, decoded, etag_of(data), data)
    decided = is_decided(call, opened.id)
    if decoded.usable and is_id(opened.id, "prom") and not decided:
        return opened
    if not (decided and _put_away(call, opened)):
        told = [_came_back(opened)] if decided and _says_more(call, opened) else []
        put_reading(call, reading, *decoded.findings, *told)
    return None


def _put_away(call: Call, opened: Opened) -> bool:
    """Finish with a note whose decision was cut short by a crash, or that a sync brought back.

    Returns:
        Whether it was done: not with a note that says more than what a device wrote or decided on.
    """
    status = said(call, opened.id).status
    ours = opened.decoded.decision is not None or as_written(call, opened.id, opened.data)
    waits = opened.promotion.status is PromotionStatus.PROPOSED and call.actor is not Actor.AGENT
    if status is None or not (ours and waits):
        return False
    keep = _is_kept(call, opened)
    if not keep and _says_more(call, opened):
        return False
    with suppress(NoteError, *CANNOT_WRITE):
        put_away(call, opened, status, via=VIA, keep=keep)
        return True
    return False


def _is_kept(call: Call, opened: Opened) -> bool:
    """Whether the note of a decided proposal stays, for its text."""
    accepted = said(call, opened.id).status is PromotionStatus.ACCEPTED
    return accepted and opened.promotion.destination in KEPT


def _says_more(call: Call, opened: Opened) -> bool:
    """Whether a note that is there after the decision says more than what was decided."""
    before = decided_before(call, opened.id, DECIDED)
    known = before is not None and before.is_about(call, opened.data)
    waits = opened.promotion.status is PromotionStatus.PROPOSED
    return waits and not (known or as_written(call, opened.id, opened.data))


def _came_back(opened: Opened) -> Finding:
    return came_back(opened.path, "The promotion was decided")


def _decision(
    call: Call, opened: Opened, reading: Reading, *, persons: bool
) -> PromotionDecision | None:
    """What is to be done now; None where nothing was decided, not by the person, or it waits."""
    decision, found = _said(opened), opened.decoded.findings
    if decision is None:
        put_reading(call, reading, *found)
        return None
    turn = turn_now(call, reading, persons=persons, elsewhere=_belongs_elsewhere(call, opened))
    if turn is Turn.OURS:
        return decision
    if turn is Turn.WAITS:
        put_reading(call, reading, *found, state=NoteState.WAITING)
    else:
        put_reading(call, reading, *found, finding("VM832", path=reading.path))
    return None


def _said(opened: Opened) -> PromotionDecision | None:
    """What the person decided, in so many words or by the note that they linked."""
    links = opened.promotion.destination is Destination.VAULT_REF and opened.promotion.note
    return opened.decoded.decision or (PromotionDecision.ACCEPT if links else None)


def _word(call: Call, opened: Opened) -> str:
    """The decision as it is spelled, and a keyed hash of the note that is linked; "" for none."""
    if _said(opened) is None:
        return ""
    decided = opened.decoded.decision is not None
    word = str(opened.promotion.decision) if decided else ""
    return f"{word} {said_mac(call, opened.promotion.note)}"


def _settle(
    call: Call, opened: Opened, decision: PromotionDecision, reading: Reading
) -> Finding | None:
    """Do it; what cannot be done is a finding that stands, and is tried again at the next sync."""
    try:
        if decision is PromotionDecision.REJECT:
            settle_rejected(call, opened, via=VIA)
        else:
            settle_accepted(call, opened, via=VIA)
    except (NoteError, CaptureRefusedError, *CANNOT_WRITE) as error:
        problem = finding("VM833", str(error), path=opened.path)
        found = (*opened.decoded.findings, problem)
        put_reading(call, reading, *found, state=NoteState.WAITING)
        return problem
    return None


def _belongs_elsewhere(call: Call, opened: Opened) -> bool:
    """Whether another device made the proposal and acts first; its lines tell, not its note."""
    if not other_devices(call):
        return False
    lines = call.vault.baseline.ledger.of_note(opened.id, LedgerKind.ACTIVITY)
    ours = (line for line in lines if line.device == call.vault.device and line.signed)
    return not any(line.act == "created" for line in ours)

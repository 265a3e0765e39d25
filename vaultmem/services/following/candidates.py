"""Decisions that a person wrote into the notes of candidates, found by a sync."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.ids import is_id, with_prefix
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.state import MemoryState, NoteState
from vaultmem.core.turn import Turn
from vaultmem.errors import CANNOT_WRITE, CaptureRefusedError, NoteError, NotRatifiedError
from vaultmem.notes.candidate import Decision, decode_candidate
from vaultmem.services.curating.candidates import DECIDED, REJECTED, REPEATED, Waiting
from vaultmem.services.decided import came_back, decided_before
from vaultmem.services.inbox import put_away, settle
from vaultmem.services.syncing.attribution import Origin, other_devices
from vaultmem.services.syncing.record import put_reading
from vaultmem.services.syncing.turns import is_left_over, origin_of_note, turn_now
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.decided import Decided
    from vaultmem.services.syncing.classify import Reading


_CANNOT_TELL = (
    "This device has no key, so it cannot tell whose decision this is; it does not count."
)


def decided_in_notes(
    call: Call, candidates: list[Reading], waited: frozenset[str] = frozenset()
) -> tuple[int, list[Finding]]:
    """Do what the person wrote; how many were decided, and what could not be done.

    A decision counts only if the note's present bytes are the person's: what an agent or another
    program wrote into it decides nothing (VM323), also when the note is saved again.

    Args:
        call: the circumstances.
        candidates: those whose notes are new or changed.
        waited: the notes whose present bytes were found to be the person's before.
    """
    problems: list[Finding] = []
    decided = sum(_decide(call, one, problems, waited=one.path in waited) for one in candidates)
    return decided, problems


def _decide(call: Call, reading: Reading, problems: list[Finding], *, waited: bool) -> bool:
    """Do what one note says; whether it was done. What could not be done joins `problems`."""
    origin = _origin(call, reading, waited=waited)
    try:
        one = _read(reading)
    except NoteError as error:
        problems.append(finding("VM315", str(error), path=reading.path))
        return False
    before = _before(call, reading)
    after = before.line if before is not None else ""
    left = is_left_over(call, reading, reading.id, _word(one), origin=origin, after=after)
    again = before is not None and _repeats(call, before, one)
    if before is not None and not again and (left or _says_more(call, before, one, reading)):
        put_reading(call, reading, _came_back(call, before, reading))
        return False
    if one is None:
        return False
    persons = origin is Origin.PERSON and (again or not left)
    decision = _decision(call, one, reading, persons=persons)
    if decision is None:
        return False
    problem = _settle(call, one, decision, reading, again=again)
    if problem is not None:
        problems.append(problem)
    return problem is None


def _origin(call: Call, reading: Reading, *, waited: bool) -> Origin:
    """Whose the bytes of a candidate are; looked at also without a decision."""
    if not is_id(reading.id, "cand") or reading.fresh.data is None:
        return Origin.DEVICE  # it decides nothing
    return origin_of_note(call, reading, reading.id, waited=waited)


def _before(call: Call, reading: Reading) -> Decided | None:
    """How the candidate of a note was decided before."""
    if not is_id(reading.id, "cand") or reading.fresh.data is None:
        return None
    return decided_before(call, reading.id, DECIDED)


def _repeats(call: Call, before: Decided, one: Waiting | None) -> bool:
    """Whether a note says what was decided, and decides it as it was: it may go again."""
    if one is None or not before.is_about(call, one.data):
        return False
    return one.decision is (Decision.REJECT if before.act == REJECTED else Decision.APPROVE)


def _says_more(call: Call, before: Decided, one: Waiting | None, reading: Reading) -> bool:
    """Whether a note in which nothing is decided came back with another text."""
    return one is None and not before.is_about(call, reading.fresh.data)


def _came_back(call: Call, before: Decided, reading: Reading) -> Finding:
    row = call.vault.baseline.memory(with_prefix(reading.id, "mem"))
    if before.act != REJECTED and row is not None and row.state == MemoryState.LIVE:
        remedy = f"Put what is new into `{row.path}`, then delete this note."
    else:
        remedy = (
            f"To decide anew, run `vaultmem inbox approve {reading.id}` or "
            f"`vaultmem inbox reject {reading.id}`; else delete the note."
        )
    what = "counted for a memory" if before.act == REPEATED else before.act
    return came_back(reading.path, f"The candidate was {what}", remedy)


def _word(one: Waiting | None) -> str:
    """The decision as it is spelled: who writes it in another way has written it."""
    if one is None or one.decision is None:
        return ""
    return str(one.decoded.properties.get("decision"))


def _read(reading: Reading) -> Waiting | None:
    """The candidate, if somebody wrote a decision into it, also one that means nothing."""
    data = reading.fresh.data
    if data is None:
        return None
    candidate, decoded = decode_candidate(data, path=reading.path)
    one = Waiting(reading.path, candidate, decoded, etag_of(data), data)
    decided = one.candidate.decision is not None or _meaningless(one)
    return one if decided and is_id(one.id, "cand") else None


def _meaningless(one: Waiting) -> list[Finding]:
    """What is said of a decision that is no word of ours."""
    return [found for found in one.decoded.findings if found.code == "VM122"]


def _decision(call: Call, one: Waiting, reading: Reading, *, persons: bool) -> Decision | None:
    """What is to be done now; None where the word means nothing, is not the person's, or waits."""
    if one.decision is None:
        put_reading(call, reading, *_meaningless(one))
        return None
    elsewhere = _belongs_elsewhere(call, one)
    cannot_tell = persons and elsewhere and call.vault.key is None
    turn = turn_now(call, reading, persons=persons and not cannot_tell, elsewhere=elsewhere)
    if turn is Turn.OURS:
        return one.decision
    if turn is Turn.WAITS:
        put_reading(call, reading, state=NoteState.WAITING)
    else:
        why = _CANNOT_TELL if cannot_tell else None
        put_reading(call, reading, finding("VM323", why, path=reading.path))
    return None


def _settle(
    call: Call, one: Waiting, decision: Decision, reading: Reading, *, again: bool
) -> Finding | None:
    """Do it; what cannot be done is a finding that stands, and is tried again at the next sync."""
    try:
        if again:
            put_away(call, one)
        else:
            settle(call, one, decision)
    except (NoteError, CaptureRefusedError, NotRatifiedError, *CANNOT_WRITE) as error:
        problem = finding("VM315", str(error), path=one.path)
        put_reading(call, reading, problem, state=NoteState.WAITING)
        return problem
    return None


def _belongs_elsewhere(call: Call, one: Waiting) -> bool:
    """Whether another device may have made the candidate; what its note says is not believed."""
    alone = not other_devices(call)
    if alone and one.candidate.device is None:
        return False
    lines = call.vault.baseline.ledger.of_note(one.id, LedgerKind.ACTIVITY)
    ours = (line for line in lines if line.device == call.vault.device)
    unsigned_counts = alone and call.vault.key is None
    made = (line for line in ours if line.act in ("created", "identified"))
    return not any(line.signed or unsigned_counts for line in made)

"""Decisions that a person wrote into the notes of candidates, found by a sync."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.finding import finding
from vaultmem.core.ids import is_id
from vaultmem.errors import CaptureRefusedError, NoteError, ReadOnlyError
from vaultmem.notes.candidate import decode_candidate
from vaultmem.services.attribution import Origin, origin_of_bytes
from vaultmem.services.grace import LATE_SECONDS
from vaultmem.services.inbox import Waiting, settle
from vaultmem.services.record import put_reading
from vaultmem.store.etag import etag_of

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.classify import Reading


def decided_in_notes(call: Call, candidates: list[Reading]) -> tuple[int, list[Finding]]:
    """Do what the person wrote; how many were decided, and what could not be done.

    A decision counts only if the note's present bytes are the person's: what an agent or another
    program wrote into it decides nothing (VM323).
    """
    decided = 0
    problems: list[Finding] = []
    for one in candidates:
        try:
            decided += _decide(call, one)
        except (NoteError, CaptureRefusedError, ReadOnlyError) as error:
            problems.append(finding("VM315", str(error), path=one.path))
    return decided, problems


def _decide(call: Call, reading: Reading) -> int:
    data = reading.fresh.data
    if data is None:
        return 0
    candidate, decoded = decode_candidate(data, path=reading.path)
    one = Waiting(reading.path, candidate, decoded, etag_of(data), data)
    if one.candidate.decision is None or not is_id(one.id, "cand"):
        return 0
    if one.decision is None:
        _report(call, reading, *(found for found in decoded.findings if found.code == "VM122"))
        return 0
    if origin_of_bytes(call, one.id, reading.fresh) is not Origin.PERSON:
        _report(call, reading, finding("VM323", path=reading.path))
        return 0
    if _belongs_elsewhere(call, one, reading):
        put_reading(call, reading, state="waiting")
        return 0
    settle(call, one, one.decision)
    return 1


def _belongs_elsewhere(call: Call, one: Waiting, reading: Reading) -> bool:
    """Whether the device that made the candidate should act first, so that not two do."""
    if one.candidate.device in (None, call.vault.device):
        return False
    age = (call.nanoseconds - reading.fresh.stat[0]) / 1_000_000_000
    return age < LATE_SECONDS


def _report(call: Call, reading: Reading, *findings: Finding) -> None:
    put_reading(call, reading._replace(findings=(*reading.findings, *findings)))

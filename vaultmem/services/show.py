"""Show one memory or candidate: every property, its text, and what follows from them today."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.place import Kind
from vaultmem.core.scoring import lifecycle
from vaultmem.core.selection import score_on, today
from vaultmem.core.validity import Validity, validity
from vaultmem.errors import NoteNotFoundError
from vaultmem.notes.schema import CANDIDATE, MEMORY
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.curating.candidates import find_waiting
from vaultmem.services.diagnosing.succession import deleted_at, successor_of
from vaultmem.services.lookup import find_memory
from vaultmem.services.sync import catch_up
from vaultmem.services.track_record import track_record
from vaultmem.store.finding_text import findings_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultmem.core.finding import Finding
    from vaultmem.notes.property import Property
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.curating.foresee import Foreseen
    from vaultmem.services.track_record import TrackRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A memory, or a candidate that waits, as `show` tells it.

    Attributes:
        properties: every property that memories have, at its default where the note has none,
            then the person's own; of a candidate also its own ones, computed now.
        lifecycle: "" for a candidate, which has no score either.
        state: live, missing or gone; of a candidate new or deferred.
        force: whether a signed force line covers this version.
        evidence: the live count, later ledger lines included.
        validity: from when until when it held.
        foreseen: what approving a candidate would do; None for a memory.
        record: what came of a memory; None for a candidate.
    """

    id: str
    path: str
    properties: Mapping[str, object]
    statement: str
    body: str
    lifecycle: str
    score: float
    state: str
    force: bool
    evidence: float
    validity: Validity
    findings: tuple[Finding, ...]
    foreseen: Foreseen | None = None
    record: TrackRecord | None = None


def show(call: Call, name: str) -> Shown:
    """Everything about one memory, or about one candidate of that name where there is no memory.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
    """
    catch_up(call)
    try:
        found = find_memory(call, name)
    except NoteNotFoundError:
        with suppress(NoteNotFoundError):
            return _waiting(call, find_waiting(call, name))
        raise
    memory, standing = found.decoded.memory, found.standing
    value = score_on(standing, today(call.seconds))
    known = _properties(MEMORY, memory)
    known["type"] = Kind.MEMORY.value
    if call.agent is not None:
        remember_shown(call, (memory.statement, *found.decoded.body.splitlines()))
    own = {key: item for key, item in found.decoded.properties.items() if key not in known}
    return Shown(
        id=found.row.id,
        path=found.row.path,
        properties=known | own,
        statement=memory.statement,
        body=found.decoded.body,
        lifecycle=lifecycle(value).value,
        score=value,
        state=found.row.state,
        force=bool(standing.force),
        evidence=standing.evidence_count,
        validity=validity(
            memory, deleted=deleted_at(call, memory.id), successor=successor_of(call, memory)
        ),
        findings=_findings(call, found.row.path),
        record=track_record(call, memory),
    )


def _waiting(call: Call, one: Waiting) -> Shown:
    """A candidate; what its note claims of itself is computed anew, as in the inbox."""
    from vaultmem.services.curating.foresee import foresee  # patterns that no memory needs

    memory, body = one.candidate.memory, one.decoded.body
    (foreseen,) = foresee(call, [one])
    if call.agent is not None:
        remember_shown(call, (memory.statement, *body.splitlines()))
    known = _properties(CANDIDATE, one.candidate, memory) | {
        "type": Kind.CANDIDATE.value,
        "trust": foreseen.trust,
        "durability": foreseen.durability,
        "verification": foreseen.verification,
        "reasons": foreseen.reasons,
        "vault_ref_suggestions": _suggested(call, one),
    }
    own = {key: item for key, item in one.decoded.properties.items() if key not in known}
    return Shown(
        id=one.id,
        path=one.path,
        properties=known | own,
        statement=memory.statement,
        body=body,
        lifecycle="",
        score=0.0,
        state=one.candidate.state.value,
        force=False,
        evidence=memory.evidence_count,
        validity=validity(memory),
        findings=_findings(call, one.path),
        foreseen=foreseen,
    )


def _suggested(call: Call, one: Waiting) -> tuple[str, ...]:
    """The links that a device wrote there; they name notes that an agent may not know of."""
    from vaultmem.services.curating.hinting import hints_of  # as above

    return () if call.agent is not None else tuple(hint.link for hint in hints_of(call, one))


def _properties(rows: Iterable[Property], *holders: object) -> dict[str, object]:
    """Every property, as the first of the objects says that has it."""
    return {
        row.name: next((getattr(one, row.name) for one in holders if hasattr(one, row.name)), None)
        for row in rows
    }


def _findings(call: Call, path: str) -> tuple[Finding, ...]:
    note = call.vault.baseline.note(path)
    return tuple(findings_of(note.findings)) if note is not None else ()

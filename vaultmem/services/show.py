"""Show one memory: every property, its text, and what follows from them today."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.scoring import lifecycle
from vaultmem.core.selection import score_on, today
from vaultmem.core.validity import Validity, validity
from vaultmem.notes.schema import MEMORY
from vaultmem.services.capturing.shown import remember_shown
from vaultmem.services.diagnosing.succession import deleted_at, successor_of
from vaultmem.services.lookup import find_memory
from vaultmem.services.sync import ensure_current
from vaultmem.services.syncing.record import findings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A memory as `show` tells it.

    Attributes:
        properties: every property that memories have, at its default where the note has none,
            then the person's own.
        state: live, missing or gone.
        force: whether a signed force line covers this version.
        evidence: the live count, later ledger lines included.
        validity: from when until when it held.
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


def show(call: Call, name: str) -> Shown:
    """Everything about one memory.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
    """
    ensure_current(call)
    found = find_memory(call, name)
    memory, standing = found.decoded.memory, found.standing
    value = score_on(standing, today(call.seconds))
    known: dict[str, object] = {row.name: getattr(memory, row.name, None) for row in MEMORY}
    known["type"] = "memory"
    if call.agent is not None:
        remember_shown(call, (memory.statement, *found.decoded.body.splitlines()))
    own = {key: item for key, item in found.decoded.properties.items() if key not in known}
    note = call.vault.baseline.note(found.row.path)
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
        findings=tuple(findings_of(note.findings)) if note is not None else (),
    )

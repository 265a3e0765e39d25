"""Say that a memory was right: a person as often as they like, an agent once for what it saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import finding
from vaultmem.core.reinforcement import Outcome
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.lookup import find_memory
from vaultmem.services.outcomes import BY_NAME, record
from vaultmem.services.promote import consider
from vaultmem.services.session_use import is_in_force, session_use
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.services.sync import ensure_current

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.services.promote import Proposed


_BY_TOOL = "Look it up with memory_search or memory_read, then reinforce it again."
"""What an agent does that has tools and no command line."""


class Confirmed(NamedTuple):
    """What became of it.

    Attributes:
        outcome: reinforced; known, where the session counted before; or refused.
        id, path, statement: the memory's.
        evidence: its live count now.
        findings: why it was not counted.
        promotions: the forms that it has earned by this: proposed, or a guardrail that was made.
    """

    outcome: str
    id: str
    path: str
    statement: str
    evidence: float
    findings: tuple[Finding, ...] = ()
    promotions: tuple[Proposed, ...] = ()


def confirm(
    call: Call,
    name: str,
    *,
    session: str = "",
    note: str = "",
    project: str | None = None,
    hosted: bool = False,
) -> Confirmed:
    """Count one more piece of evidence for a memory and renew its date.

    An agent's own word counts once for each memory and session, where it names the session itself
    also once a day, only for what that session was told (outside of any: for what it was shown),
    and never toward promotion. At a threshold the forms that the memory has earned are proposed.

    Args:
        call: the circumstances; who says it.
        name: what `find_memory` accepts.
        session: the agent's session, "" outside of any.
        note: what was said of it, kept as evidence.
        project: the project's identity, where remembering may be switched off.
        hosted: the agent's host named the session, and not the agent.

    Raises:
        NoteNotFoundError, AmbiguousIdError: as `find_memory`.
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    ensure_current(call)
    with call.vault.lock():
        found = find_memory(call, name)
        stop = switched_off(call, WRITE, project=project, session=session) or _stop(
            call, found, session, hosted=hosted
        )
        if stop is not None:
            return _told(call, found, "refused", stop)
        memory_id = found.decoded.memory.id
        counted = record(
            call,
            memory_id,
            Outcome.REINFORCED,
            session=session,
            note=note,
            via=BY_NAME,
            hosted=hosted,
        )
        if not counted:
            return _told(call, found, "known", finding("VM626"))
        earned = consider(call, memory_id)
        done = _told(call, found, "reinforced")
        return done._replace(promotions=(*earned.proposed, *earned.applied))


def _stop(call: Call, found: FoundMemory, session: str, *, hosted: bool) -> Finding | None:
    """Why nothing can be counted for a memory, or not by this agent."""
    if not is_in_force(found.row.state, found.standing.status):
        return finding("VM861")
    if call.agent is None:
        return None
    if session:
        told = found.row.id in session_use(call, session).shown
    else:
        told = was_shown(call, found.standing.statement)
    if told:
        return None
    return finding("VM862", remedy=_BY_TOOL) if hosted else finding("VM862")


def _told(call: Call, found: FoundMemory, outcome: str, *findings: Finding) -> Confirmed:
    now = call.vault.baseline.standing(found.row.id) or found.standing
    return Confirmed(
        outcome, found.row.id, found.row.path, now.statement, now.evidence_count, findings
    )

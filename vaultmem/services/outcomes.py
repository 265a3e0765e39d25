"""What happened with memories, as signed lines of the ledger: confirmed, corrected, silently right.

A confirmation is one piece of evidence more (`services.reinforce`). The others count nothing and
renew no date, but for a citation, which renews it by the day: `cited` of a line is how often.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Polarity, SourceKind, new_evidence
from vaultmem.core.inert import clean
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.reinforcement import Outcome, near, says_otherwise
from vaultmem.core.trust import TrustClass
from vaultmem.services.call import Actor
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.evidence import record as record_evidence
from vaultmem.services.reinforce import (
    REINFORCED,
    has_agent_counted_today,
    has_counted,
    reinforce,
)
from vaultmem.services.session_use import doubted, session_name, session_use, statements_of
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.services.syncing.record import recount
from vaultmem.services.write import entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.ledger import LedgerEntry, Scalar
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

HAPPENED = "outcome"
"""The act of the ledger line of an outcome that is no piece of evidence."""
BY_NAME = "reinforce"
"""The verb by which somebody reinforces a memory that they name."""
_OUTCOMES = {one.value: one for one in Outcome}
_POLARITY = {
    Outcome.REINFORCED: Polarity.SUPPORTS,
    Outcome.SUCCESS: Polarity.SUPPORTS,
    Outcome.CORRECTED: Polarity.CONTRADICTS,
}


def record(
    call: Call,
    memory_id: MemoryId,
    outcome: Outcome,
    *,
    session: str,
    note: str = "",
    via: str = "outcome",
    hosted: bool = False,
) -> bool:
    """Record what happened with a memory, once for each session and outcome.

    Args:
        call: the circumstances; `call.actor` says it.
        memory_id: a memory in force.
        outcome: a confirmation adds one piece of evidence; the others add none.
        session: the agent's session, "" outside of any, where a person's word counts each time; an
            agent's counts once a day by whatever name.
        note: what was said of it; kept as a piece of evidence, secrets redacted.
        via: the verb or channel.
        hosted: the agent's host named the session; a name of the agent's own counts once a day.

    Returns:
        Whether it was counted: not twice in a session, and not for a memory that is not in force.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    with call.vault.lock():
        if not statements_of(call, (memory_id,)):
            return False
        if outcome is Outcome.REINFORCED:
            return _confirm(call, memory_id, session=session, note=note, via=via, hosted=hosted)
        name = session_name(call, session)
        if name and outcome in told_of(call, memory_id, name):
            return False
        pieces = _pieces(call, outcome, note, session)
        line = line_of(call, memory_id, outcome, name, via=via, pieces=pieces)
        call.vault.append(LedgerKind.REINFORCEMENT, [line])
        recount(call.vault.baseline, memory_id)
    return True


def outcomes_of(call: Call, memory_id: str, since: float | None = None) -> tuple[Outcome, ...]:
    """The signed outcomes of a memory on all devices, the oldest first.

    Args:
        call: the circumstances.
        memory_id: `mem_…`.
        since: only what happened later, in seconds as `Standing` counts them; None for all.
    """
    rows = call.vault.baseline.ledger.signed(memory_id, LedgerKind.REINFORCEMENT)
    later = (row for row in rows if since is None or row.number("local") > since)
    return tuple(outcome for row in later if (outcome := outcome_in(row)) is not None)


def outcome_in(row: LedgerRow) -> Outcome | None:
    """The outcome that a line of a reinforcement ledger tells; None for one that tells none.

    What an agent reinforced by itself confirms nothing: it was told so before.
    """
    values = json.loads(row.data)
    if row.act == REINFORCED:
        own_words = not values.get("pieces") or values.get("via") == BY_NAME
        alone = values.get("by") == Actor.AGENT and own_words
        return None if alone else Outcome.REINFORCED
    return _OUTCOMES.get(str(values.get("outcome", "")))


def link_correction(
    call: Call, text: str, *, session: str, project: str | None = None
) -> MemoryId | None:
    """Count a correction of the user's against the one memory, of those shown, that it is about.

    A sentence that says what a memory says corrects the agent, not the memory. Where several
    memories are near, none is corrected. None that is near has been a success.

    Args:
        call: the circumstances; whoever calls, policy acts.
        text: the sentence, whose user the caller vouches for.
        session: the agent's session; without one nothing is known to have been shown.
        project: the project's identity, where remembering may be switched off.

    Returns:
        The memory; None for none, or where it was counted in this session before.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    if not session or switched_off(call, WRITE, project=project, session=session):
        return None
    shown = statements_of(call, session_use(call, session).shown)
    close = near(text, shown)
    if not close:
        return None
    doubted(call, close, session=session)
    (first, *others) = close
    if others or not says_otherwise(text, shown[first]):
        return None
    policy = call.by_policy()
    counted = record(policy, first, Outcome.CORRECTED, session=session, via="message")
    return first if counted else None


def _confirm(
    call: Call, memory_id: str, *, session: str, note: str, via: str, hosted: bool
) -> bool:
    within, by = session or None, call.actor
    if has_counted(call, memory_id, session=within, by=by):
        return False
    if by is Actor.AGENT and not hosted and has_agent_counted_today(call, memory_id):
        return False  # it may call its session what it likes
    pieces = _pieces(call, Outcome.REINFORCED, note, session)
    return reinforce(call, memory_id, session=within, evidence=pieces, by=by, via=via)


def _pieces(call: Call, outcome: Outcome, note: str, session: str) -> tuple[str, ...]:
    """The id of the piece that holds what was said; none where nothing was."""
    said = redact(note) if note else ""
    if not clean(said).text:
        return ()
    persons = call.actor is Actor.PERSON
    piece = new_evidence(
        source_kind=SourceKind.CONVERSATION,
        trust=TrustClass.DIRECT_USER_INSTRUCTION if persons else TrustClass.AGENT_INFERENCE,
        excerpt=said,
        session=session,
        polarity=_POLARITY.get(outcome, Polarity.QUALIFIES),
        created=call.local,
    )
    record_evidence(call, (piece,))
    return (piece.id,)


def line_of(
    call: Call,
    memory_id: MemoryId,
    outcome: Outcome,
    session: str,
    *,
    via: str,
    pieces: Sequence[str] = (),
    cited: int = 0,
) -> LedgerEntry:
    """The ledger line of an outcome that is no piece of evidence.

    Args:
        call: the circumstances; who says it.
        memory_id: the memory.
        outcome: what happened.
        session: its name, as `session_use.session_name` has it; "" outside of any.
        via: the verb or channel.
        pieces: ids of the evidence that says so.
        cited: how often replies named it, which renews its date by the day.
    """
    values: dict[str, Scalar] = {
        "outcome": outcome.value,
        "local": call.seconds,
        "by": call.actor.value,
        "via": via,
    }
    if session:
        values["session"] = session
    if pieces:
        values["pieces"] = " ".join(pieces)
    if cited:
        values["cited"] = cited
    return entry(call, HAPPENED, memory_id, values)


def told_of(call: Call, memory_id: str, session: str) -> set[Outcome]:
    """What was recorded of a memory for a session."""
    rows = call.vault.baseline.ledger.signed(memory_id, LedgerKind.REINFORCEMENT)
    here = [row for row in rows if json.loads(row.data).get("session") == session]
    return {outcome for row in here if (outcome := outcome_in(row)) is not None}

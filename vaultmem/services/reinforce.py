"""Reinforce a memory: one piece of evidence more, as a line of the ledger, once a session."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ledger import LedgerKind
from vaultmem.core.selection import today
from vaultmem.services.call import Actor
from vaultmem.services.syncing.record import recount
from vaultmem.services.write import entry
from vaultmem.store.baseline_rows import number_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.ledger import LedgerEntry
    from vaultmem.services.call import Call
    from vaultmem.store.baseline_rows import LedgerRow

REINFORCED = "reinforced"


def reinforce(
    call: Call,
    memory_id: str,
    *,
    session: str | None,
    evidence: Sequence[str] = (),
    by: Actor,
    via: str,
) -> bool:
    """Count one more piece of evidence for a memory and renew its date.

    Args:
        call: the circumstances.
        memory_id: `mem_…`, a memory in force.
        session: the agent's session in which it was said; None outside of any. Whoever is no person
            and has no session has one for the day, so that a loop counts once.
        evidence: ids of recorded pieces that say it.
        by: whose word it is; only a person's counts toward promotion.
        via: the verb or channel.

    Returns:
        Whether it was counted: not where this session has counted for the memory before.
    """
    one = Reinforcement(memory_id, session, tuple(evidence))
    return bool(reinforce_all(call, [one], by=by, via=via))


class Reinforcement(NamedTuple):
    """One piece of evidence more for a memory: `reinforce` says what each part means."""

    memory: str
    session: str | None
    evidence: tuple[str, ...] = ()


def reinforce_all(
    call: Call, wanted: Iterable[Reinforcement], *, by: Actor, via: str
) -> tuple[Reinforcement, ...]:
    """As `reinforce`, for many at once; those that were counted."""
    with call.vault.lock():
        counted: dict[tuple[str, str], Reinforcement] = {}
        before = cache(partial(sessions_counted, call))
        for number, one in enumerate(wanted):
            place = _place(call, one.session, by)
            if place not in before(one.memory):
                counted.setdefault((one.memory, place or str(number)), one)
        lines = [_line(call, one, by, via) for one in counted.values()]
        with call.vault.baseline.transaction():  # a line that is known here is counted here
            call.vault.append(LedgerKind.REINFORCEMENT, lines)
            for memory in dict.fromkeys(one.memory for one in counted.values()):
                recount(call.vault.baseline, memory)
    return tuple(counted.values())


def _line(call: Call, one: Reinforcement, by: Actor, via: str) -> LedgerEntry:
    values: dict[str, str | float] = {
        "evidence": 1,
        "local": call.seconds,
        "by": by.value,
        "via": via,
    }
    if place := _place(call, one.session, by):
        values["session"] = place
    if one.evidence:
        values["pieces"] = " ".join(one.evidence)
    return entry(call, REINFORCED, one.memory, values)


def has_counted(call: Call, memory_id: str, *, session: str | None, by: Actor) -> bool:
    """Whether a session has counted for a memory; what a person types outside of any counts."""
    place = _place(call, session, by)
    return bool(place) and place in sessions_counted(call, memory_id)


def sessions_counted(call: Call, memory_id: str) -> frozenset[str]:
    """The sessions that have counted for a memory."""
    lines = (json.loads(row.data) for row in _rows(call, memory_id))
    return frozenset(line["session"] for line in lines if line.get("session"))


def has_agent_counted_today(call: Call, memory_id: str) -> bool:
    """Whether an agent's word has counted for a memory today, in whatever session."""
    lines = (json.loads(row.data) for row in _rows(call, memory_id))
    days = (today(number_in(line, "local")) for line in lines if line.get("by") == Actor.AGENT)
    return today(call.seconds) in days


def reinforcing_pieces(call: Call, memory_id: str) -> tuple[str, ...]:
    """The ids of the pieces that reinforced a memory, in the order in which they did."""
    found = (json.loads(row.data).get("pieces", "") for row in _rows(call, memory_id))
    return tuple(dict.fromkeys(one for text in found for one in str(text).split()))


def _place(call: Call, session: str | None, by: Actor) -> str:
    """What counts as the session; "" where each time counts."""
    if session is not None or by is Actor.PERSON:
        return session or ""
    return f"{by.value} {call.local.date().isoformat()}"


def _rows(call: Call, memory_id: str) -> list[LedgerRow]:
    rows = call.vault.baseline.ledger.signed(memory_id, LedgerKind.REINFORCEMENT)
    return [row for row in rows if row.act == REINFORCED]

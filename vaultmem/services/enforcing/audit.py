"""What rules did, from this machine's telemetry, and one line a memory into the ledger at the end.

A rule's outcome is no evidence and renews no date (DESIGN §5): whether a rule is right is for the
person to say, not for how often it was met.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId
from vaultmem.core.standing import local_moment
from vaultmem.services.session_use import session_name
from vaultmem.services.switch import WRITE, switched_off
from vaultmem.store.telemetry import WORD, Enforced, add_event, read_events, read_session

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from vaultmem.core.enforcement.happening import RuleAct
    from vaultmem.services.call import Call

_OTHER = "other"
VIA = "enforcement"
"""The channel of the ledger's lines."""


class AuditLine(NamedTuple):
    """One thing that one rule did.

    Attributes:
        at: by the person's clock.
        act: a value of `RuleAct`.
        id: the memory.
        statement: what it says now, "" where it is not in force any more.
        trigger: what it is met by now, "" likewise or for a verifier; what was run is not kept.
        tool: the tool that met it, "" where that does not matter.
        session: the agent's session.
    """

    at: datetime
    act: str
    id: MemoryId
    statement: str
    trigger: str
    tool: str
    session: str


def happened(
    call: Call, act: RuleAct, ids: Sequence[MemoryId], *, session: str, tool: str = ""
) -> None:
    """Log what rules did; nothing that was said or run is kept."""
    named = tool if WORD.fullmatch(tool) else _OTHER
    name = session_name(call, session)
    event = Enforced(name, int(call.seconds), act.value, named, tuple(ids))
    add_event(call.vault.state.cache, event)


def audit(call: Call, *, limit: int = 50, session: str | None = None) -> tuple[AuditLine, ...]:
    """What rules did on this machine, the newest first.

    Args:
        call: the circumstances; the baseline is up to date.
        limit: the most lines.
        session: of that session only; None for all.
    """
    cache = call.vault.state.cache
    events = (
        read_events(cache) if session is None else read_session(cache, session_name(call, session))
    )
    rules = (event for event in reversed(events) if isinstance(event, Enforced))
    named = list(islice(((event, one) for event in rules for one in event.ids), limit))
    known = _triggers(call) if named else {}
    return tuple(_line(call, event, one, known.get(one, "")) for event, one in named)


def _triggers(call: Call) -> dict[MemoryId, str]:
    """What each guardrail is met by."""
    from vaultmem.services.enforcing.rules import guardrails  # only to be shown

    return {
        MemoryId(one.standing.id): str(one.rule.trigger)
        for one in guardrails(call)
        if one.rule is not None and one.rule.trigger
    }


def settle_rules(call: Call, session: str) -> tuple[MemoryId, ...]:
    """When a session ends, one ledger line for each memory whose rule did something in it.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: if it cannot be written.
    """
    if call.vault.key is None or switched_off(call, WRITE, session=session):
        return ()
    from vaultmem.core.reinforcement import Outcome  # not on the way of a tool that is checked
    from vaultmem.services.outcomes import record

    policy = call.by_policy()
    events = read_session(call.vault.state.cache, session_name(call, session))
    ids = dict.fromkeys(one for event in events if isinstance(event, Enforced) for one in event.ids)
    return tuple(
        one for one in ids if record(policy, one, Outcome.NEUTRAL, session=session, via=VIA)
    )


def _line(call: Call, event: Enforced, identifier: MemoryId, trigger: str) -> AuditLine:
    standing = call.vault.baseline.live_standing(identifier)
    return AuditLine(
        at=local_moment(event.at),
        act=event.act,
        id=identifier,
        statement=standing.statement if standing is not None else "",
        trigger=trigger,
        tool=event.tool,
        session=event.session,
    )

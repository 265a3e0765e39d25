"""What was told and used in a session of the agent, from this machine's telemetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.standing import IN_USE
from vaultmem.core.state import MemoryState
from vaultmem.store.telemetry import (
    WORD,
    Doubted,
    Enforced,
    Injected,
    Settled,
    Used,
    add_event,
    read_events,
    read_session,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vaultmem.core.ids import MemoryId
    from vaultmem.services.call import Call
    from vaultmem.store.telemetry import Event


class SessionUse(NamedTuple):
    """What became of the memories of one session.

    Attributes:
        shown: those that it was told, in that order.
        used: how often a reply named each memory that was used: 0 where it was only repeated.
        doubted: those that a correction of the user's is near.
        last: when anything was heard of the session last.
        settled: whether its use is in the ledger.
    """

    shown: tuple[MemoryId, ...] = ()
    used: Mapping[MemoryId, int] = {}
    doubted: frozenset[MemoryId] = frozenset()
    last: int = 0
    settled: bool = False


def sessions(call: Call) -> dict[str, SessionUse]:
    """What became of the memories of every session, by its name."""
    by_name: dict[str, list[Event]] = {}
    for event in read_events(call.vault.state.cache):
        by_name.setdefault(event.session, []).append(event)
    return {name: use_of(events) for name, events in by_name.items()}


def session_use(call: Call, session: str) -> SessionUse:
    """What became of the memories of one session; empty where it was told none."""
    return use_of(read_session(call.vault.state.cache, session_name(call, session)))


def use_of(events: Iterable[Event]) -> SessionUse:
    """What the events of one session come to, in their order."""
    shown: dict[MemoryId, None] = {}
    used: dict[MemoryId, int] = {}
    near: set[MemoryId] = set()
    last, done = 0, False
    for event in events:
        last = max(last, event.at)
        done = isinstance(event, Settled)
        match event:
            case Injected():
                shown |= dict.fromkeys(one.id for one in event.told)
            case Used():
                for one in event.used:
                    used[one] = used.get(one, 0) + (one in event.cited)
            case Doubted():
                near |= set(event.near)
            case Settled() | Enforced():
                pass
    return SessionUse(tuple(shown), used, frozenset(near), last, done)


def doubted(call: Call, near: Sequence[MemoryId], *, session: str) -> None:
    """Log that a correction of the user's is near these memories: they have no silent success."""
    event = Doubted(session_name(call, session), int(call.seconds), tuple(near))
    add_event(call.vault.state.cache, event)


def settled(call: Call, name: str) -> None:
    """Log that the use of the session called `name` is in the ledger."""
    add_event(call.vault.state.cache, Settled(name, int(call.seconds)))


def session_name(call: Call, session: str) -> str:
    """What a session is called here: its id, or a keyed hash where it could be a sentence."""
    if WORD.fullmatch(session):
        return session
    return call.vault.keyed_hash("session", session.encode("utf-8", "surrogatepass"))


def statements_of(call: Call, ids: Iterable[MemoryId]) -> dict[MemoryId, str]:
    """The statements of those memories that are in force, in the order of `ids`."""
    found: dict[MemoryId, str] = {}
    for identifier in ids:
        standing = call.vault.baseline.live_standing(identifier)
        if standing is not None and standing.status in IN_USE:
            found[identifier] = standing.statement
    return found


def is_in_force(state: str, status: str) -> bool:
    """Whether outcomes can count for a memory: its note is there, and it is not out of use."""
    return state == MemoryState.LIVE and status in IN_USE

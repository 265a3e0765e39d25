"""Log what agents were told and what their replies used, on this machine, in ids; count it up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId
from vaultmem.core.standing import local_moment
from vaultmem.services.capturing.shown import remember_shown, was_shown
from vaultmem.services.session_use import session_name, statements_of, use_of
from vaultmem.store.telemetry import (
    FOUND,
    WORD,
    Injected,
    Told,
    Used,
    add_event,
    read_events,
    read_session,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from vaultmem.core.citation import CitedPlace
    from vaultmem.services.call import Call
    from vaultmem.store.telemetry import Event

__all__ = ["Replied", "Told", "Usage", "injected", "replied", "usage"]

_OTHER = "other"


class Replied(NamedTuple):
    """What a reply used.

    Attributes:
        text: the reply without its citation, as it is shown and stored.
        used: the memories that it repeats or names, each once.
        cited: those of them that it names.
        places: lines of the notebook that it names.
        sessions: sessions that it names, by id or stem.
    """

    text: str
    used: tuple[MemoryId, ...]
    cited: tuple[MemoryId, ...]
    places: tuple[CitedPlace, ...] = ()
    sessions: tuple[str, ...] = ()


class Usage(NamedTuple):
    """What this machine still knows of a memory's use; a few hundred prompts back.

    Attributes:
        id: the memory's.
        injected: prompts whose sections held it.
        used: those of them after which a reply used it.
        cited: those of them after which a reply named it.
        last: when it was last injected, in seconds as `Standing` counts them; 0 for never.
    """

    id: MemoryId
    injected: int
    used: int
    cited: int
    last: int

    @property
    def rate(self) -> float:
        """The part of the prompts after which it was used, 0 to 1, two digits."""
        return round(self.used / self.injected, 2) if self.injected else 0.0


def injected(call: Call, *, session: str, query_class: str, told: Iterable[Told]) -> None:
    """Log which memories an agent is about to be told; nothing where there are none.

    Args:
        call: the circumstances.
        session: the agent's session, "" outside of any.
        query_class: what the prompt was taken for.
        told: the memories, each with its section and similarity; all that one prompt tells, in one
            call, since a reply is compared with the last. Reminders come in calls of their own.
    """
    listed = tuple(
        one._replace(
            where=one.where if WORD.fullmatch(one.where) else _OTHER,
            similarity=None if one.similarity is None else round(one.similarity, 3),
        )
        for one in told
    )
    if listed:
        kind = query_class if WORD.fullmatch(query_class) else _OTHER
        event = Injected(session_name(call, session), int(call.seconds), kind, listed)
        add_event(call.vault.state.cache, event)


def looked_up(call: Call, memories: Iterable[MemoryId], *, session: str) -> None:
    """Log that an agent is told memories that it asked for, by whatever tool; as for a search."""
    told = (Told(one, FOUND) for one in memories)
    injected(call, session=session, query_class=FOUND, told=told)


def replied(call: Call, text: str, *, session: str) -> Replied:
    """Take the citation out of an agent's reply, and log which memories it used.

    The same reply may come in parts or several times: after one prompt a memory counts once. Only
    what the session was told, or this machine told an agent before, can be used.

    Args:
        call: the circumstances.
        text: the reply, with its citation.
        session: the agent's session.
    """
    from vaultmem.core.citation import parse, resolve  # what tells an agent reads no reply
    from vaultmem.core.usage import used_in

    said = parse(text)
    name = session_name(call, session)
    events = read_session(call.vault.state.cache, name)
    shown = statements_of(call, use_of(events).shown)
    elsewhere = [end for end in said.ids if not resolve((end,), shown)]
    cited = (*resolve(said.ids, shown), *_seen_elsewhere(call, elsewhere, shown))
    used = tuple(dict.fromkeys((*cited, *used_in(said.text, shown))))
    new = _not_logged(events, used, cited)
    if new.used:
        add_event(call.vault.state.cache, new._replace(session=name, at=int(call.seconds)))
    return Replied(said.text, used, cited, said.places, said.sessions)


def usage(call: Call) -> tuple[Usage, ...]:
    """What is known of each memory that an agent was told, the most often told first."""
    counts: dict[MemoryId, Usage] = {}
    now: dict[str, dict[MemoryId, str]] = {}
    for event in read_events(call.vault.state.cache):
        if isinstance(event, Injected):
            current = {} if event.is_prompt else now.get(event.session, {})
            now[event.session] = current
            for one in event.told:
                old = counts.get(one.id, Usage(one.id, 0, 0, 0, 0))
                added = 0 if one.id in current else 1
                counts[one.id] = old._replace(injected=old.injected + added, last=event.at)
                current.setdefault(one.id, "told")
        elif isinstance(event, Used):
            _count_used(counts, now.get(event.session, {}), event)
    return tuple(sorted(counts.values(), key=lambda one: (-one.injected, -one.used, one.id)))


def usage_with_statements(call: Call) -> list[tuple[Usage, str]]:
    """The same, each with the memory's statement; "" where it is not in force any more.

    What an agent sees of it is never learned from.
    """
    from vaultmem.services.sync import catch_up  # what an agent is told is logged without a writer

    catch_up(call)
    found = usage(call)
    statements = statements_of(call, (one.id for one in found))
    if call.agent is not None:
        remember_shown(call, statements.values())
    return [(one, statements.get(one.id, "")) for one in found]


def usage_of(call: Call, memory_id: str) -> Usage:
    """What is known of one memory; all zero where it was never told."""
    nothing = Usage(MemoryId(memory_id), 0, 0, 0, 0)
    return next((one for one in usage(call) if one.id == memory_id), nothing)


def injections_of(call: Call, memory_id: str) -> tuple[datetime, ...]:
    """When a memory was injected, by the person's clock, the newest first."""
    return tuple(
        local_moment(event.at)
        for event in reversed(read_events(call.vault.state.cache))
        if isinstance(event, Injected) and any(one.id == memory_id for one in event.told)
    )


def _seen_elsewhere(
    call: Call, ends: Sequence[str], shown: Mapping[MemoryId, str]
) -> tuple[MemoryId, ...]:
    """Memories that a reply names and that the agent saw by another way: by a search, say."""
    found: list[MemoryId] = []
    for end in ends:
        rows = call.vault.baseline.memories_with_end(end.upper())
        there = statements_of(call, (MemoryId(row.id) for row in rows))
        if len(there) == 1 and not there.keys() & shown.keys():
            ((identifier, statement),) = there.items()
            if was_shown(call, statement):
                found.append(identifier)
    return tuple(found)


def _not_logged(
    events: Sequence[Event], used: Iterable[MemoryId], cited: Iterable[MemoryId]
) -> Used:
    """What of a reply is new since the last prompt of its session."""
    known_used: set[MemoryId] = set()
    known_cited: set[MemoryId] = set()
    for event in reversed(events):
        if isinstance(event, Injected) and event.is_prompt:
            break
        if isinstance(event, Used):
            known_used |= set(event.used)
            known_cited |= set(event.cited)
    new_cited = tuple(one for one in cited if one not in known_cited)
    new_used = tuple(one for one in used if one not in known_used or one in new_cited)
    return Used("", 0, new_used, new_cited)


def _count_used(counts: dict[MemoryId, Usage], current: dict[MemoryId, str], event: Used) -> None:
    """Count a reply for those memories that the prompt before it told, each once."""
    for one in event.used:
        if current.get(one) == "told":
            counts[one] = counts[one]._replace(used=counts[one].used + 1)
            current[one] = "used"
        if current.get(one) == "used" and one in event.cited:
            counts[one] = counts[one]._replace(cited=counts[one].cited + 1)
            current[one] = "cited"

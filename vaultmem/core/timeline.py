"""What happened in the memory, oldest first, and from when until when each memory held."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.validity import Successor, validity
from vaultmem.core.wording import short

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from vaultmem.core.holdings import Held, Holdings
    from vaultmem.core.validity import Validity


class Event(NamedTuple):
    """One thing that happened.

    Attributes:
        at: the person's clock time.
        type: a word of the governed memory: memory_created, tombstone, …
        id: of what it happened to.
        memory: the memory that it is about, "" for none.
        summary: what it says, at most 80 characters.
    """

    at: datetime
    type: str
    id: str
    memory: str
    summary: str


class Timeline(NamedTuple):
    """The events by time, type and id; the validity of each memory that is told, by its id."""

    events: tuple[Event, ...]
    held: tuple[tuple[str, Validity], ...]


def build_timeline(held: Holdings, *, memory: str = "") -> Timeline:
    """Everything that has a date.

    Args:
        held: what the vault holds.
        memory: the id of the one memory that is told with all that is about it; "" for everything.
    """
    known = held.by_id()
    events = {one for one in _events(held, known) if memory in ("", one.memory)}
    ordered = sorted(events, key=lambda one: (one.at, one.type, one.id, one.memory))
    gone: dict[str, datetime] = {}
    for stone in sorted(held.deleted, key=lambda one: one.at):
        gone.setdefault(stone.memory, stone.at)
    told = (one for one in held.memories if memory in ("", one.memory.id))
    spans = tuple((one.memory.id, _validity(one, known, gone)) for one in told)
    return Timeline(tuple(ordered), spans)


def _events(held: Holdings, known: Mapping[str, Held]) -> Iterator[Event]:
    cited = {piece: one.memory.id for one in held.memories for piece in (*one.cites, *one.counted)}
    for one in held.memories:
        yield from _of_memory(one, known)
    for piece in held.evidence:
        if piece.created is not None:
            about = cited.get(piece.id, "")
            yield Event(piece.created, "evidence_created", piece.id, about, short(piece.text))
    for waits in held.candidates:
        memory = waits.memory
        if memory.created is not None:
            about = waits.matched[0] if len(waits.matched) == 1 else ""
            said = short(memory.statement)
            yield Event(memory.created, "candidate_created", memory.id, about, said)
    for happened in held.outcomes:
        said = happened.outcome.value.replace("_", " ")
        yield Event(happened.at, "reinforcement_event", happened.id, happened.memory, said)
    for asked in held.inquiries:
        about, said = next(iter(asked.memories), ""), short(asked.question)
        if asked.first_seen is not None:
            yield Event(asked.first_seen, "inquiry_created", asked.id, about, said)
        if asked.answer is not None and asked.last_seen is not None:
            yield Event(asked.last_seen, "inquiry_answered", asked.id, asked.answer, said)
    for gone in held.deleted:
        yield Event(gone.at, "tombstone", gone.id, gone.memory, f"deleted ({gone.mode})")


def _of_memory(one: Held, known: Mapping[str, Held]) -> Iterator[Event]:
    memory = one.memory
    said = short(memory.statement)
    if memory.created is not None:
        yield Event(memory.created, "memory_created", memory.id, memory.id, said)
    if memory.updated is not None and memory.updated != memory.created:
        yield Event(memory.updated, "memory_updated", memory.id, memory.id, said)
    for name in one.supersedes:
        if memory.created is not None and name in known:
            old = short(f"replaced: {known[name].memory.statement}")
            yield Event(memory.created, "supersession", memory.id, name, old)


def _validity(one: Held, known: Mapping[str, Held], gone: Mapping[str, datetime]) -> Validity:
    after = next((known[name].memory for name in one.superseded_by if name in known), None)
    successor = None if after is None else Successor(after.id, after.created)
    return validity(one.memory, deleted=gone.get(one.memory.id), successor=successor)

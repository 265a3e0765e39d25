"""What a dream shows to the model: candidates, memories and a few sessions, redacted."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId
from vaultmem.core.naming import title_of
from vaultmem.core.notebook.dream import SESSIONS
from vaultmem.core.notebook.dream_proposals import World, may_touch, review_mark
from vaultmem.core.notebook.transcript import most_tokens
from vaultmem.core.topic import topic
from vaultmem.core.trust import Durability
from vaultmem.services.capturing.secret_scan import redact
from vaultmem.services.curating.proposals import as_written, undecided
from vaultmem.services.diagnosing.examined import load_live
from vaultmem.services.notebook.dreaming.told import keyed, was_told
from vaultmem.services.notebook.sending import MaySend

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import date

    from vaultmem.core.model import Memory
    from vaultmem.core.notebook.card import Card
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting
    from vaultmem.services.lookup import FoundMemory

MOST_CANDIDATES = 40
"""Candidates that one dream looks at, the oldest first; our own."""
MOST_MEMORIES = 200
"""Memories that one dream looks at; a larger vault takes turns by the day; our own."""
FULL_TOKENS = 20_000
"""What all of it takes, about: 60 tokens a statement, 500 a recap, and the instructions."""
MOST_SEEN = 5_000
"""Marks that are kept of what models have seen, 13 characters each."""
MOST_TEXT = 600
"""Characters of a statement; longer ones are cut."""
MOST_SUMMARY = 2_000
"""Characters of a session's recap."""


class Shown(NamedTuple):
    """What the model is shown, and what its short ids mean.

    Attributes:
        text: one JSON object a line below three headings; redacted.
        marks: a keyed hash of each memory and session that is in it, as it is now.
        candidates: the notes, by their short ids.
        memories: likewise; `evidence_count` is the live count.
        until: the watermark of the newest session that this or an earlier dream looked at.
    """

    text: str
    marks: tuple[str, ...]
    candidates: Mapping[str, Waiting]
    memories: Mapping[str, Memory]
    until: float

    def is_news(self, seen: str) -> bool:
        """Whether it holds anything that no model has judged; `seen` is as `all_seen` gave it."""
        return bool(self.candidates) or not set(self.marks) <= set(seen.split())

    def world(self, call: Call) -> World:
        """The same for `core.notebook.dream_proposals.proposals`."""
        return World(
            memories=self.memories,
            candidates={name: one.candidate.memory for name, one in self.candidates.items()},
            now=call.local,
            new_id=lambda: MemoryId(call.new_id("mem")),
            link=_linker(call),
        )


class Room(NamedTuple):
    """How many of each fit into one question."""

    candidates: int = MOST_CANDIDATES
    memories: int = MOST_MEMORIES
    sessions: int = SESSIONS


def room_in(window: int | None) -> Room:
    """What fits into a model's window, in tokens; everything where it is not known."""
    part = min(1.0, most_tokens(window) / FULL_TOKENS)
    return Room(*(max(1, int(part * most)) for most in Room()))


def show(
    call: Call,
    projects: Collection[str],
    cards: Iterable[Card],
    since: float,
    room: Room,
) -> Shown:
    """Gather it.

    Args:
        call: the circumstances; the baseline is up to date.
        projects: those in which the notebook is on; what belongs to another one is not sent.
        cards: of this machine's sessions.
        since: the watermark of the newest session that a dream looked at.
        room: how many of each there may be.
    """
    may_send = MaySend(call, projects)
    waiting = [one for one in unsorted(call) if _may_be_sent(one.candidate.memory, may_send)]
    candidates = {f"c{at}": one for at, one in enumerate(waiting[: room.candidates], 1)}
    live, _ = load_live(call)
    found = [one for one in live if _is_shown(one.decoded.memory, may_send)]
    turn = in_turn(sorted(found, key=_topic), call.local.date(), room.memories)
    memories = {f"m{at}": _counted(one) for at, one in enumerate(turn, 1)}
    new = (one for one in cards if one.watermark > since and may_send.of(one.project, one.session))
    sessions = sorted(new, key=lambda one: (one.watermark, one.session))[: room.sessions]
    rows = [_candidate(name, one) for name, one in candidates.items()]
    facts = [_memory(name, memory) for name, memory in memories.items()]
    told = [_session(one) for one in sessions]
    text = "\n".join(
        (f"TODAY: {call.local.date()}", "", "CANDIDATES", *rows, "", "MEMORIES", *facts)
    )
    return Shown(
        text="\n".join((text, "", "SESSIONS", *told, "")),
        marks=(
            *(_mark(call, one) for one in memories.values()),
            *(_hash(call, f"{one.session} {one.watermark}") for one in sessions),
        ),
        candidates=candidates,
        memories=memories,
        until=sessions[-1].watermark if sessions else since,
    )


def unsorted(call: Call) -> list[Waiting]:
    """The candidates of unknown durability that no dream has sorted, the oldest first."""
    return [
        one
        for one in undecided(call)
        if one.candidate.durability == Durability.UNKNOWN
        and as_written(call, one.id, one.data)
        and not was_told(call, one.id, review_mark(one.candidate.memory))
    ]


def in_turn(found: Sequence[FoundMemory], day: date, most: int) -> Sequence[FoundMemory]:
    """The part of a long list whose day it is; what stands side by side stays so."""
    parts = max(1, -(-len(found) // most))
    at = day.toordinal() % parts
    return found[at * most : (at + 1) * most]


def _is_shown(memory: Memory, may_send: MaySend) -> bool:
    return may_touch(memory) and _may_be_sent(memory, may_send)


def _may_be_sent(memory: Memory, may_send: MaySend) -> bool:
    return not memory.project or may_send.of(memory.project)


def _topic(one: FoundMemory) -> tuple[str, str, str]:
    memory = one.decoded.memory
    return memory.project or "", topic(memory.tags, memory.statement), memory.id


def _counted(one: FoundMemory) -> Memory:
    return replace(one.decoded.memory, evidence_count=int(one.standing.evidence_count))


def _candidate(name: str, one: Waiting) -> str:
    memory = one.candidate.memory
    return _line(id=name, category=memory.category, project=memory.project, text=_text(memory))


def _memory(name: str, memory: Memory) -> str:
    said = memory.reinforced or memory.created
    return _line(
        id=name,
        category=memory.category,
        project=memory.project,
        confirmed=str(said.date()) if said else None,
        evidence=memory.evidence_count,
        text=_text(memory),
    )


def _session(card: Card) -> str:
    return _line(project=card.project or None, summary=redact(card.summary)[:MOST_SUMMARY])


def _text(memory: Memory) -> str:
    return redact(memory.statement)[:MOST_TEXT]


def _line(**values: str | int | None) -> str:
    """One object on a line of its own, without what is not known."""
    known = {name: value for name, value in values.items() if value is not None}
    return json.dumps(known, ensure_ascii=False)


def _mark(call: Call, memory: Memory) -> str:
    return _hash(call, f"{memory.id} {memory.category} {memory.statement}")


def _hash(call: Call, text: str) -> str:
    return keyed(call, text)[:12]


def _linker(call: Call) -> Callable[[MemoryId], str]:
    def link(identifier: MemoryId) -> str:
        row = call.vault.baseline.memory(identifier)
        return f"[[{title_of(row.path)}]]" if row is not None else ""

    return link


def all_seen(marks: Iterable[str], before: str) -> str:
    """What models have seen, one word for each, with these marks added; the oldest go first."""
    return " ".join(tuple(dict.fromkeys((*before.split(), *marks)))[-MOST_SEEN:])

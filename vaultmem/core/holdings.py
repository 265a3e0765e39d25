"""What a vault holds, as plain values: what every export and overview is made of.

Whoever fills this in has taken secrets out and made each text one visible line; the exports only
choose, order and cut. Moments are the person's clock time, without a zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inquiry import Priority

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory
    from vaultmem.core.reinforcement import Outcome


class Held(NamedTuple):
    """A memory that is there in some form.

    Attributes:
        memory: as its version in force says.
        path: its note, relative to the vault.
        link: the wikilink that leads there from any note.
        cites: the pieces that it names.
        counted: the pieces that the ledgers count for it beside those.
        supersedes, superseded_by, derived_from, informs: its links that lead to memories.
    """

    memory: Memory
    path: str
    link: str
    cites: tuple[EvidenceId, ...] = ()
    supersedes: tuple[MemoryId, ...] = ()
    superseded_by: tuple[MemoryId, ...] = ()
    derived_from: tuple[MemoryId, ...] = ()
    informs: tuple[MemoryId, ...] = ()
    counted: tuple[EvidenceId, ...] = ()


class Waits(NamedTuple):
    """A candidate of the inbox: `memory.id` is its own, `matched` are the memories it touches."""

    memory: Memory
    path: str
    link: str
    matched: tuple[MemoryId, ...] = ()
    cites: tuple[EvidenceId, ...] = ()


class Happened(NamedTuple):
    """An outcome of a memory; `id` is that of the ledger's line."""

    id: str
    memory: MemoryId
    at: datetime
    outcome: Outcome


class Deleted(NamedTuple):
    """A standing tombstone; `id` is that of the ledger's line, `mode` how it was deleted."""

    id: str
    memory: MemoryId
    at: datetime
    mode: str


class Asked(NamedTuple):
    """A question: `memories` are those that it is about, `answer` the one that answers it.

    `sessions` are those in which it came up.
    """

    id: str
    question: str
    is_open: bool
    priority: Priority = Priority.MEDIUM
    sessions: tuple[str, ...] = ()
    project: str = ""
    tags: tuple[str, ...] = ()
    memories: tuple[MemoryId, ...] = ()
    answer: MemoryId | None = None
    first_seen: datetime | None = None
    last_seen: datetime | None = None


class Undecided(NamedTuple):
    """A patch or a promotion that waits: `about` are ids of memories and candidates."""

    id: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """Everything, each kind by id."""

    memories: tuple[Held, ...] = ()
    candidates: tuple[Waits, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    outcomes: tuple[Happened, ...] = ()
    deleted: tuple[Deleted, ...] = ()
    inquiries: tuple[Asked, ...] = ()
    patches: tuple[Undecided, ...] = ()
    promotions: tuple[Undecided, ...] = ()

    def of_project(self, project: str, *, shared: bool = True) -> Holdings:
        """What belongs to a project, and without one everything.

        Args:
            project: its identity, in any case; "" for everything.
            shared: whether what belongs to no project is part of it.
        """
        if not project:
            return self
        places = {project.casefold(), *([""] if shared else [])}
        memories = tuple(one for one in self.memories if place_of(one.memory) in places)
        candidates = tuple(one for one in self.candidates if place_of(one.memory) in places)
        names = {one.memory.id for one in memories}
        waiting = names | {one.memory.id for one in candidates}
        cited = {piece for one in memories for piece in (*one.cites, *one.counted)}
        cited |= {piece for one in candidates for piece in one.cites}
        return Holdings(
            memories=memories,
            candidates=candidates,
            evidence=tuple(one for one in self.evidence if one.id in cited),
            outcomes=tuple(one for one in self.outcomes if one.memory in names),
            deleted=tuple(one for one in self.deleted if one.memory in names),
            inquiries=tuple(one for one in self.inquiries if one.project.casefold() in places),
            patches=tuple(one for one in self.patches if not waiting.isdisjoint(one.about)),
            promotions=tuple(one for one in self.promotions if not waiting.isdisjoint(one.about)),
        )

    def by_id(self) -> Mapping[str, Held]:
        """The memories by their id."""
        return {one.memory.id: one for one in self.memories}


def place_of(memory: Memory) -> str:
    """The project of a memory, in no case; "" for none."""
    return (memory.project or "").casefold()

"""Small holdings for the tests of exports: memories named by a number, dated by a day."""

from __future__ import annotations

from datetime import datetime

from vaultmem.core.evidence import Evidence, EvidenceId, SourceKind
from vaultmem.core.holdings import Asked, Deleted, Happened, Held, Waits
from vaultmem.core.ids import MemoryId, ulid
from vaultmem.core.model import Memory
from vaultmem.core.reinforcement import Outcome
from vaultmem.core.trust import TrustClass

LINKS = ("supersedes", "superseded_by", "derived_from", "informs")


def mem(number: int) -> MemoryId:
    """The id of the memory with this number."""
    return MemoryId(f"mem_{ulid(number, bytes(10))}")


def ev(number: int) -> EvidenceId:
    """The id of the piece with this number."""
    return EvidenceId(f"ev_{ulid(number, bytes(10))}")


def day(number: int) -> datetime:
    """Noon of a day of November."""
    return datetime(2026, 11, number, 12)


def held(number: int, statement: str = "", *, cites: tuple[int, ...] = (), **values) -> Held:
    """A memory; its links are numbers."""
    links = {name: tuple(map(mem, values.pop(name, ()))) for name in LINKS}
    memory = Memory(id=mem(number), statement=statement or f"Rule {number} holds.", **values)
    path = f"Memory/Lessons/Rule {number}.md"
    return Held(memory, path, f"[[Rule {number}]]", cites=tuple(map(ev, cites)), **links)


def waits(number: int, statement: str = "", *, matched=(), cites=(), **values) -> Waits:
    """A candidate."""
    identifier = MemoryId(f"cand_{ulid(number, bytes(10))}")
    memory = Memory(id=identifier, statement=statement or f"Idea {number}.", **values)
    link = f"[[Idea {number}]]"
    return Waits(
        memory, "Memory/Inbox/Idea.md", link, tuple(map(mem, matched)), tuple(map(ev, cites))
    )


def piece(number: int, text: str = "They said so.", **values) -> Evidence:
    """A piece of evidence."""
    given = {
        "source_kind": SourceKind.CONVERSATION,
        "trust": TrustClass.DIRECT_USER_INSTRUCTION,
        **values,
    }
    return Evidence(id=ev(number), excerpt=text, **given)


def happened(number: int, memory: int, outcome: Outcome = Outcome.REINFORCED, at: int = 3):
    """An outcome of a memory."""
    return Happened(ulid(number, bytes(10)), mem(memory), day(at), outcome)


def gone(number: int, memory: int, at: int = 5, mode: str = "audit_preserving") -> Deleted:
    """A tombstone."""
    return Deleted(ulid(number, bytes(10)), mem(memory), day(at), mode)


def asked(
    number: int, question: str = "Which one?", *, memories=(), answer=None, **values
) -> Asked:
    """A question."""
    identifier = f"inq_{ulid(number, bytes(10))}"
    given = {"is_open": answer is None, **values}
    about = tuple(map(mem, memories))
    by = None if answer is None else mem(answer)
    return Asked(identifier, question, memories=about, answer=by, **given)

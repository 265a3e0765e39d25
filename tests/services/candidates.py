"""Candidates with evidence in a vault, as a capture of ours writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.ids import MemoryId
from vaultmem.core.model import Category, Memory
from vaultmem.core.place import INBOX
from vaultmem.core.trust import Durability, TrustClass
from vaultmem.notes.candidate import Candidate, encode_candidate
from vaultmem.services import evidence
from vaultmem.services.curating.candidates import waiting
from vaultmem.services.write import Write, write_notes

if TYPE_CHECKING:
    from tests.world import World
    from vaultmem.core.evidence import Evidence
    from vaultmem.services.call import Call
    from vaultmem.services.curating.candidates import Waiting


def captured(
    call: Call,
    statement: str,
    *,
    sessions: tuple[str, ...] = ("s1",),
    said: str | None = None,
    trust: TrustClass = TrustClass.USER_CORRECTION,
    durability: Durability = Durability.PROJECT,
    confidence: float = 0.9,
    **changes: object,
) -> str:
    """A waiting candidate; returns its path.

    Args:
        call: the circumstances.
        statement: what it proposes.
        sessions: where its evidence was heard, one piece each.
        said: the words of the evidence; the statement itself by default.
        trust, durability: of the evidence, and what the note claims.
        confidence: of the source.
        changes: fields of the memory.
    """
    pieces = [
        new_evidence(
            source_kind=SourceKind.CONVERSATION,
            trust=trust,
            excerpt=said or statement,
            session=session,
            durability=durability,
            created=call.local,
        )
        for session in sessions
    ]
    fields: dict[str, object] = {
        "category": Category.LESSON,
        "created": call.local,
        "reinforced": call.local,
        "evidence": evidence.record(call, pieces),
        **changes,
    }
    memory = Memory(
        id=MemoryId(call.new_id("cand")),
        statement=statement,
        confidence=confidence,
        **fields,  # type: ignore[arg-type]
    )
    candidate = Candidate(
        memory=memory, device=call.vault.device, trust=trust.value, durability=durability.value
    )
    path = call.vault.free_path(INBOX, statement, memory.id)
    data = encode_candidate(candidate)
    write_notes(call, [Write(path, data, None, memory.id, "created", "person", "inbox")])
    return path


def inbox(world: World) -> list[Waiting]:
    """The candidates that wait."""
    return waiting(world.here.call())


def pieces(world: World, one: Waiting) -> tuple[Evidence, ...]:
    """The evidence that a candidate cites."""
    return evidence.find(world.here.call(), evidence.cited(one.candidate.memory.evidence))

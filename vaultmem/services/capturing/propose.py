"""Propose a memory: record its evidence, check it, and let its candidate wait in the inbox."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId, is_id
from vaultmem.core.likeness import MatchKind, known
from vaultmem.core.matching import REASONS, Match, match
from vaultmem.core.proposal import Proposal
from vaultmem.core.verification import NEXT_STEP, verify
from vaultmem.services import evidence
from vaultmem.services.curating.neighbours import neighbours
from vaultmem.services.curating.put_candidate import put_candidate

if TYPE_CHECKING:
    from vaultmem.core.evidence import Evidence
    from vaultmem.core.model import Memory
    from vaultmem.core.trust import Durability, TrustClass
    from vaultmem.core.verification import Verification
    from vaultmem.services.call import Call


class Assessed(NamedTuple):
    """What the checks say of a candidate now, as its note tells it.

    Attributes:
        verification: the word.
        reasons: one sentence each, with the next step.
        matched: the memories that it touches.
    """

    verification: str
    reasons: tuple[str, ...]
    matched: tuple[MemoryId, ...]


def propose(
    call: Call,
    memory: Memory,
    pieces: tuple[Evidence, ...],
    *,
    trust: TrustClass,
    durability: Durability,
    against: str | None = None,
) -> tuple[str, str]:
    """Record the evidence and write the candidate's note; the caller holds the lock.

    Args:
        call: the circumstances.
        memory: what it would become.
        pieces: what speaks for it; without secrets.
        trust: the class of its source.
        durability: for how long it was meant.
        against: the memory that it is known to contradict.

    Returns:
        Its id and its path.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    links = evidence.record(call, pieces)
    own = memory.id if is_id(memory.id, "cand") else call.new_id("cand")
    proposed = replace(memory, id=MemoryId(own), evidence=links)
    told = assess(call, proposed, pieces, trust=trust, durability=durability, against=against)
    return put_candidate(
        call,
        proposed,
        trust=trust.value,
        durability=durability.value,
        verification=told.verification,
        reasons=told.reasons,
        matched=told.matched,
    )


def assess(
    call: Call,
    memory: Memory,
    pieces: tuple[Evidence, ...],
    *,
    trust: TrustClass,
    durability: Durability,
    against: str | None = None,
) -> Assessed:
    """Check a candidate against its evidence and the memories near it; nothing is written.

    Arguments as for `propose`; `memory.id` is the candidate's own.
    """
    found = match(memory, (known(one) for one in neighbours(call, [memory])))
    if against is not None and MemoryId(against) not in found.memories:
        touched = (MemoryId(against), *found.memories)
        found = Match(MatchKind.CONFLICT, touched, REASONS[MatchKind.CONFLICT])
    proposal = Proposal(
        memory=memory,
        trust=trust,
        durability=durability,
        cited=tuple(piece.id for piece in pieces),
        evidence=pieces,
    )
    verification = verify(proposal, found.kind, evidence.checks(call))
    told = sentences(found, verification)
    return Assessed(verification.outcome.value, told, found.memories)


def sentences(found: Match, verification: Verification) -> tuple[str, ...]:
    """Why a candidate waits and what to do, one sentence for each reason."""
    about = () if found.kind is MatchKind.NEW else (found.reason,)
    return (*about, *(NEXT_STEP[reason] for reason in verification.reasons))

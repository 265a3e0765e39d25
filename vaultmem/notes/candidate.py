"""A candidate from the bytes of its note in the inbox, and the bytes of a new one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.notes.codec import Decoded, decode_note
from vaultmem.notes.schema import CANDIDATE, MEMORY, NoteType
from vaultmem.notes.writing import encode, written

if TYPE_CHECKING:
    from vaultmem.core.model import Memory


class State(StrEnum):
    """Whether a waiting candidate was put off."""

    NEW = "new"
    DEFERRED = "deferred"


class Decision(StrEnum):
    """What a person may write as `decision`."""

    APPROVE = "approve"
    REJECT = "reject"
    DEFER = "defer"


_APPROVALS = frozenset({"approve", "approved", "ok", "yes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A proposed memory that waits in the inbox.

    `memory.id` is the candidate's own, `cand_<ulid>`. `decision` is what the person wrote, as
    written; `trust`, `durability` and `verification` are words of the tables in `notes.schema`,
    claims that are computed again before anything acts on them.
    """

    memory: Memory
    state: State = State.NEW
    device: str | None = None
    decision: str | None = None
    trust: str | None = None
    durability: str = "unknown"
    verification: str = "unverified"
    reasons: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    vault_ref_suggestions: tuple[str, ...] = ()


def read_decision(text: str | None) -> Decision | None:
    """The decision that a person's word means, in any case; None for no or another word."""
    word = (text or "").strip().rstrip(".!").casefold()
    if word in _APPROVALS:
        return Decision.APPROVE
    return Decision(word) if word in (Decision.REJECT, Decision.DEFER) else None


def decode_candidate(data: bytes, *, path: str) -> tuple[Candidate, Decoded]:
    """Read a candidate's note; a `decision` that means nothing is a finding (VM122).

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    decoded, reader = decode_note(data, NoteType.CANDIDATE, path=path)
    decision = reader.text("decision")
    if decision is not None and read_decision(decision) is None:
        reader.report(
            "VM122", f"`decision` is `{decision}`, which decides nothing.", key="decision"
        )
    candidate = Candidate(
        memory=decoded.memory,
        state=reader.enum("state", State) or State.NEW,
        device=reader.text("device"),
        decision=decision,
        trust=reader.text("trust"),
        durability=reader.text("durability") or "unknown",
        verification=reader.text("verification") or "unverified",
        reasons=reader.texts("reasons"),
        matched=reader.texts("matched"),
        vault_ref_suggestions=reader.texts("vault_ref_suggestions"),
    )
    return candidate, decoded.with_findings(reader.findings)


def encode_candidate(candidate: Candidate, *, body: str = "") -> bytes:
    """Make a new candidate's note; `decision` is there and empty unless it is given.

    Raises:
        ValueError: the statement is empty once what cannot be seen is taken out.
    """
    own = written(CANDIDATE, candidate)
    of_memory = written(MEMORY, candidate.memory)
    values = own | of_memory
    properties: dict[str, object] = {"id": candidate.memory.id, "type": str(NoteType.CANDIDATE)}
    properties |= {row.name: values[row.name] for row in CANDIDATE if row.name in values}
    return encode(properties, candidate.memory.statement, body)

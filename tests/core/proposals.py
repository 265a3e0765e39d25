"""Candidates, evidence and a store that knows about them, for the tests of governance."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from vaultmem.core.evidence import Evidence, Redaction, SourceKind, new_evidence
from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.model import Memory, Scope
from vaultmem.core.normal import statement_key
from vaultmem.core.proposal import Checks, Proposal, Tombstone
from vaultmem.core.trust import Durability, TrustClass

PROJECT = "github.com/acme/billing-web"
NOON = datetime(2026, 11, 29, 12, 0)
_DURABLE = Durability.PROJECT


def number_id(number: int, prefix: str = "mem") -> MemoryId:
    return MemoryId(f"{prefix}_01JDR3Z8Q4M5N6P7R8{number:08d}")


def memory(number: int, statement: str, **changes: object) -> Memory:
    own: dict[str, object] = {"scope": Scope.PROJECT, "project": PROJECT, "created": NOON}
    return Memory(id=number_id(number), statement=statement, **(own | changes))  # type: ignore[arg-type]


def piece(text: str, **changes: object) -> Evidence:
    own: dict[str, object] = {
        "source_kind": SourceKind.CONVERSATION,
        "trust": TrustClass.USER_CORRECTION,
        "durability": _DURABLE,
        "project": PROJECT,
        "session": "s1",
        "excerpt": text,
    }
    return new_evidence(**(own | changes))  # type: ignore[arg-type]


def without_words(evidence: Evidence, redaction: Redaction) -> Evidence:
    """The piece as a store leaves it that must keep the record and not the words."""
    return replace(
        evidence, excerpt="", summary=f"[{redaction}]", excerpt_hash=None, redaction=redaction
    )


def proposal(
    number: int,
    statement: str,
    *evidence: Evidence,
    confidence: float = 0.9,
    trust: TrustClass | None = TrustClass.USER_CORRECTION,
    durability: Durability = _DURABLE,
    **changes: object,
) -> Proposal:
    """A candidate; where no evidence is given, the user said just this."""
    given = evidence or (piece(statement),)
    return Proposal(
        memory=candidate(number, statement, confidence=confidence, **changes),
        trust=trust,
        durability=durability,
        cited=tuple(one.id for one in given),
        evidence=given,
    )


def legacy(number: int, statement: str, **changes: object) -> Proposal:
    """What a migration brought: no class, no evidence, a count."""
    return Proposal(memory=candidate(number, statement, **changes), legacy=True)


def candidate(number: int, statement: str, **changes: object) -> Memory:
    own: dict[str, object] = {"id": number_id(number, "cand"), "confidence": 0.9}
    made = memory(number, statement)
    return Memory(
        **{name: getattr(made, name) for name in made.__dataclass_fields__} | own | changes  # type: ignore[arg-type]
    )


def store(
    *,
    ids: tuple[str, ...] = (),
    texts: tuple[str, ...] = (),
    unsigned: tuple[str, ...] = (),
    unrecorded: tuple[str, ...] = (),
) -> Checks:
    """A store in which these were deleted and these pieces of evidence were never recorded."""
    keys = {statement_key(text) for text in texts}

    def tombstone(identifier: str, statement: str) -> Tombstone:
        own = with_prefix(identifier, "mem")
        if own in ids or statement_key(statement) in keys:
            return Tombstone.SIGNED
        return Tombstone.UNSIGNED if own in unsigned else Tombstone.NONE

    return Checks(tombstone, lambda identifier: identifier not in unrecorded)

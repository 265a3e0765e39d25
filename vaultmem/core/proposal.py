"""A candidate as the checks take it: the memory it would become, its claims, its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.trust import Durability, TrustClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.core.model import Memory


class Tombstone(StrEnum):
    """Whether an id or a text was deleted, and whether this vault's key signed that."""

    NONE = "none"
    UNSIGNED = "unsigned"
    SIGNED = "signed"


class Checks(NamedTuple):
    """What only the store can say.

    Attributes:
        tombstone: for a candidate's id and statement; compares the id of the memory that it would
            become, and the text.
        recorded: whether a signed ledger line names this evidence id.
    """

    tombstone: Callable[[str, str], Tombstone]
    recorded: Callable[[EvidenceId], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A candidate with its evidence, as found; what it claims can only take trust away.

    Attributes:
        memory: what it would become; `memory.id` is the candidate's own, `cand_<ulid>`.
        trust: the class that the note claims, None where it claims none.
        durability: the durability that the note claims.
        cited: the evidence ids that it names.
        evidence: those pieces that were found.
        legacy: a migration brought it, which a signed ledger line says; a note cannot.
        balance: how many pieces of evidence it had in the store that it was imported from, by a
            signed line; 0 for what was not imported.
        as_written: the note is as a device signed it; what somebody changed since then, be it the
            person or an agent with a shell, only a person can judge.
        secret: a secret stands in it, which somebody wrote after it was captured.
    """

    memory: Memory
    trust: TrustClass | None = None
    durability: Durability = Durability.UNKNOWN
    cited: tuple[EvidenceId, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    legacy: bool = False
    balance: int = 0
    as_written: bool = True
    secret: bool = False

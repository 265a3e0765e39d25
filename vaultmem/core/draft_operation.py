"""The operation that a candidate asks for, by what it is to the memories that stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.likeness import MatchKind, telling_stems
from vaultmem.core.model import Status
from vaultmem.core.operation import Op, Operation, Risk
from vaultmem.core.topic import SUPERSEDES
from vaultmem.core.verification import NEXT_STEP, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultmem.core.matching import Match
    from vaultmem.core.model import Memory
    from vaultmem.core.proposal import Proposal
    from vaultmem.core.verification import Verification


APPROVED_EVIDENCE = 2
"""Evidence of a memory that a person approved: it stays provisional for a whole half-life."""


class Case(NamedTuple):
    """A candidate with everything that was found out about it.

    `target` is the memory that it is about, None where it is about none or several.
    """

    proposal: Proposal
    found: Match
    verification: Verification
    target: Memory | None
    approved: bool

    @property
    def repeats(self) -> bool:
        """Whether it says nothing that its target does not say."""
        if self.target is None or self.found.kind is not MatchKind.STRENGTHENS:
            return self.found.kind is MatchKind.DUPLICATE
        new, old = self.proposal.memory.statement, self.target.statement
        return telling_stems(new) <= telling_stems(old)

    @property
    def loses_words(self) -> bool:
        """Whether its wording would drop some of its target's; then a person words it."""
        if self.target is None or self.found.kind not in _REWORDING:
            return False
        new, old = self.proposal.memory.statement, self.target.statement
        return not telling_stems(old) <= telling_stems(new)


_REWORDING = (MatchKind.UPDATES, MatchKind.STRENGTHENS)


def operation_of(case: Case) -> Operation:
    """The operation that a candidate asks for, not selected, with the risk that its source has."""
    build = _BUILD.get(case.found.kind, _add) if case.target is not None else _add
    return build(case)


def _add(case: Case) -> Operation:
    return _operation(case, Op.ADD, memory=_memory(case))


def _supersede(case: Case) -> Operation:
    return _operation(case, Op.SUPERSEDE, target=case.target, memory=_memory(case))


def _oppose(case: Case) -> Operation:
    """The user's word replaces what it contradicts; anything else only puts it in doubt."""
    in_doubt = case.target is not None and case.target.status is Status.CONTESTED
    if case.verification.own_sentence or case.approved or in_doubt:
        return _supersede(case)
    return _operation(case, Op.CONTEST, target=case.target)


def _update(case: Case) -> Operation:
    return _operation(case, Op.UPDATE, target=case.target, statement=case.proposal.memory.statement)


_BUILD: dict[MatchKind, Callable[[Case], Operation]] = {
    MatchKind.UPDATES: _update,
    MatchKind.STRENGTHENS: _update,
    MatchKind.CONFLICT: _oppose,
    MatchKind.SUPERSEDES: _supersede,
}
"""What each kind asks for; all others add."""


def _operation(
    case: Case,
    op: Op,
    *,
    target: Memory | None = None,
    memory: Memory | None = None,
    statement: str | None = None,
) -> Operation:
    reasons = (case.found.reason, *(NEXT_STEP[one] for one in case.verification.reasons))
    return Operation(
        op=op,
        target=None if target is None else target.id,
        memory=memory,
        changes={} if statement is None else {"statement": statement},
        reason=" ".join(reasons),
        risk=Risk.HIGH if case.verification.risk is Risk.HIGH else Risk.LOW,
        candidate=case.proposal.memory.id,
    )


def _memory(case: Case) -> Memory:
    """The memory that a candidate becomes, with the same ULID; a person's approval is evidence."""
    memory = case.proposal.memory
    review = memory.review
    if review is None and memory.created is not None:
        review = (memory.created + timedelta(days=memory.review_days)).date()
    counted = len(case.verification.supporting) + case.approved
    counted = max(counted, APPROVED_EVIDENCE if case.approved else 1)
    if case.verification.outcome is Outcome.UNVERIFIED:
        counted = memory.evidence_count
    return replace(
        memory,
        id=MemoryId(with_prefix(memory.id, "mem")),
        tags=tuple(tag for tag in memory.tags if not SUPERSEDES.search(tag)),
        evidence_count=counted,
        review=review,
    )

"""The operation that a candidate asks for, by what it is to the memories that stand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import in_project
from vaultmem.core.ids import MemoryId, with_prefix
from vaultmem.core.likeness import MatchKind, telling_stems
from vaultmem.core.model import Layer, Scope, Status
from vaultmem.core.operation import Op, Operation, Risk
from vaultmem.core.topic import SUPERSEDES, scope_of
from vaultmem.core.verification import NEXT_STEP, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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
    def settles_doubt(self) -> bool:
        """Whether the user says again what is contested: no repetition, but the answer."""
        if self.target is None or self.target.status is not Status.CONTESTED:
            return False
        theirs = self.approved or self.verification.own_sentence
        return theirs and self.found.kind is MatchKind.DUPLICATE

    @property
    def opposes_elsewhere(self) -> bool:
        """Whether it contradicts a memory that holds in a wider or in a narrower place."""
        if self.target is None or self.found.kind is not MatchKind.CONFLICT:
            return False
        return scope_of(self.target) != scope_of(self.proposal.memory)

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
    if case.settles_doubt:
        return _operation(case, Op.UNCONTEST, target=case.target)
    build = _BUILD.get(case.found.kind, _add) if case.target is not None else _add
    return build(case)


def exceptions_between(
    new: Memory, others: Iterable[Memory], *, selected: bool
) -> Iterator[tuple[Operation, Memory]]:
    """What lets a new memory and those of other places stand although they contradict each other.

    The global one gets the other one's project as an exception, and goes on everywhere else. What a
    task or a session says ends by itself and would leave its exception behind, and identity (L1)
    changes only by the person's own ratification, so these get none.

    Args:
        new: the memory that is added, `mem_…`; if it is global, it is the one with the exception.
        others: what it contradicts.
        selected: whether they are ticked.

    Yields:
        An operation, and the memory that it changes.
    """
    added: dict[MemoryId, tuple[Memory, list[str]]] = {}
    for other in others:
        wide, narrow = (new, other) if new.scope is Scope.GLOBAL else (other, new)
        everywhere = wide.scope is Scope.GLOBAL and wide.layer is not Layer.IDENTITY
        if everywhere and narrow.scope is Scope.PROJECT and narrow.project:
            _, phrases = added.setdefault(wide.id, (wide, []))
            phrases.append(in_project(narrow.project))
    for wide, phrases in added.values():
        operation = Operation(
            op=Op.ADD_EXCEPTION,
            target=wide.id,
            changes={"exceptions": tuple(dict.fromkeys(phrases))},
            reason=f"There the opposite holds; choose it together with the new {new.id}.",
            selected=selected,
        )
        yield operation, wide


def _add(case: Case) -> Operation:
    return _operation(case, Op.ADD, memory=_memory(case))


def _supersede(case: Case) -> Operation:
    return _operation(case, Op.SUPERSEDE, target=case.target, memory=_memory(case))


def _oppose(case: Case) -> Operation:
    """The user's word replaces what it contradicts; anything else only puts it in doubt.

    What holds in another place is neither replaced nor put in doubt: both can stand.
    """
    if case.opposes_elsewhere:
        return _add(case)
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
    counted = max(counted, case.proposal.balance)
    if case.verification.outcome is Outcome.UNVERIFIED:
        counted = memory.evidence_count
    return replace(
        memory,
        id=MemoryId(with_prefix(memory.id, "mem")),
        tags=tuple(tag for tag in memory.tags if not SUPERSEDES.search(tag)),
        evidence_count=counted,
        review=review,
    )

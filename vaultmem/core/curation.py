"""Curation: all candidates of the inbox together, and what policy applies of the result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.drafting import Draft, Held, Hold, Reinforcement, decide, held_back
from vaultmem.core.governance_keys import ALL_ELIGIBLE, AUTO, OFF
from vaultmem.core.likeness import MatchKind, known, telling_stems
from vaultmem.core.matching import REVIEWED, match, named_in
from vaultmem.core.operation import Risk
from vaultmem.core.shortlist import Shortlist
from vaultmem.core.verification import may_apply_alone

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.governance import Governance
    from vaultmem.core.ids import MemoryId
    from vaultmem.core.likeness import Known
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.core.proposal import Checks, Proposal
    from vaultmem.core.verification import Verification


class Priority(StrEnum):
    """How much a question matters."""

    MEDIUM = "medium"
    HIGH = "high"


class Question(NamedTuple):
    """What only the person can say about a candidate."""

    candidate: str
    priority: Priority
    text: str
    memories: tuple[MemoryId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curation:
    """What a run says of every candidate, in their order; each is in one of the first three."""

    drafts: tuple[Draft, ...]
    reinforcements: tuple[Reinforcement, ...]
    held: tuple[Held, ...]
    questions: tuple[Question, ...]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """What a patch would hold."""
        return tuple(draft.operation for draft in self.drafts)


_QUESTIONS: dict[MatchKind, tuple[Priority, str]] = {
    MatchKind.CONFLICT: (Priority.HIGH, "Which holds, or is one an exception of the other?"),
    MatchKind.AMBIGUOUS: (Priority.MEDIUM, "Which of these memories is it about?"),
}


def curate(
    candidates: Iterable[Proposal],
    memories: Iterable[Memory],
    governance: Governance,
    checks: Checks,
) -> Curation:
    """Turn candidates into operations, reinforcements and reasons to wait.

    Writes nothing. What a draft would add counts as known for the candidates after it, so that two
    of them never propose one thing twice; where they contradict each other, neither is selected.

    Args:
        candidates: those of the inbox that are neither deferred nor decided, the oldest first.
        memories: everything that stands.
        governance: the settings that hold (`core.governance.govern`).
        checks: what only the store can say.
    """
    run = _Run(memories, governance, checks)
    for proposal in candidates:
        run.take(proposal)
    return run.result()


def applied_at_session_end(curation: Curation, governance: Governance) -> tuple[Operation, ...]:
    """The operations that policy applies by itself (`curator_auto_curate`)."""
    if governance.auto_curate == OFF:
        return ()
    floor = 0.0 if governance.auto_curate == ALL_ELIGIBLE else governance.high_threshold
    return tuple(
        draft.operation
        for draft in curation.drafts
        if _is_chosen(draft.operation) and draft.confidence >= floor
    )


def left_to_person(verification: Verification, confidence: float, governance: Governance) -> str:
    """Why policy leaves a candidate to the person although no check says so; "" where it does not.

    One sentence with the next step, as the checks' own (`core.verification.NEXT_STEP`).
    """
    if governance.auto_curate == OFF:
        return (
            "Nothing is applied by itself here (`curator_auto_curate`); approve it if it is right."
        )
    if not may_apply_alone(verification, governance.mode):
        return "It does not say that it is to last; approve it if it is."
    floor, key = governance.min_confidence, "curator_min_confidence"
    if governance.auto_curate != ALL_ELIGIBLE and governance.high_threshold > floor:
        floor, key = governance.high_threshold, "curator_auto_curate_high_threshold"
    if confidence >= floor:
        return ""
    return (
        f"It is {confidence:.2f} sure; only from {floor:.2f} is it applied by itself (`{key}`). "
        "Approve it if it is right."
    )


def applied_by_command(curation: Curation, governance: Governance) -> tuple[Operation, ...]:
    """The operations that a curation on command applies without asking (`curator_mode`)."""
    if governance.curator_mode != AUTO:
        return ()
    return tuple(filter(_is_chosen, curation.operations))


def _is_chosen(operation: Operation) -> bool:
    return operation.selected and operation.risk is not Risk.HIGH


class _Run:
    """One look at all candidates; collects what is decided."""

    def __init__(self, memories: Iterable[Memory], governance: Governance, checks: Checks) -> None:
        self._governance = governance
        self._checks = checks
        self._standing = {memory.id: memory for memory in memories}
        self._others: list[Known] = []
        self._places: dict[str, int] = {}
        """Where each id, case folded, stands in them."""
        self._words = Shortlist()
        for memory in self._standing.values():
            self._know(memory)
        self._drafts: list[Draft] = []
        self._proposed: dict[MemoryId, int] = {}
        """The place of the draft that would make each new memory."""
        self._reinforcements: list[Reinforcement] = []
        self._held: list[Held] = []
        self._questions: list[Question] = []

    def take(self, proposal: Proposal) -> None:
        found = match(proposal.memory, self._near(proposal.memory))
        repeated = [self._proposed[one] for one in found.memories if one in self._proposed]
        if repeated:
            self._held.append(held_back(proposal, Hold.REPEATED, found))
            for place in repeated if found.kind in REVIEWED else ():
                self._drafts[place] = _unselected(self._drafts[place])
            return
        decided = decide(proposal, found, self._standing, self._governance, self._checks)
        if isinstance(decided, Draft):
            self._keep(decided)
        elif isinstance(decided, Reinforcement):
            self._reinforcements.append(decided)
        else:
            self._held.append(decided)
        if found.kind in _QUESTIONS and _is_worth_asking(decided):
            question = Question(proposal.memory.id, *_QUESTIONS[found.kind], found.memories)
            self._questions.append(question)

    def result(self) -> Curation:
        return Curation(
            drafts=tuple(self._drafts),
            reinforcements=tuple(self._reinforcements),
            held=tuple(self._held),
            questions=tuple(self._questions),
        )

    def _know(self, memory: Memory) -> None:
        one = known(memory)
        self._places[memory.id.casefold()] = self._words.add(one.stems)
        self._others.append(one)

    def _near(self, candidate: Memory) -> list[Known]:
        """What the candidate could have to do with, in the order in which it became known."""
        places = {*self._words.nearest(telling_stems(candidate.statement))}
        places |= {self._places[name] for name in named_in(candidate) if name in self._places}
        return [self._others[place] for place in sorted(places)]

    def _keep(self, draft: Draft) -> None:
        new = draft.operation.memory
        if new is not None:
            self._proposed[new.id] = len(self._drafts)
            self._know(new)
        self._drafts.append(draft)


def _is_worth_asking(decided: Draft | Reinforcement | Held) -> bool:
    """Whether the candidate waits for nothing but the person's answer."""
    return not isinstance(decided, Held) or decided.hold is Hold.AMBIGUOUS


def _unselected(draft: Draft) -> Draft:
    return replace(draft, operation=replace(draft.operation, selected=False))

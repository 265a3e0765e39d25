"""What becomes of one candidate: an operation, a reinforcement, or a reason to wait."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from vaultmem.core.draft_operation import Case, exceptions_between, operation_of
from vaultmem.core.force import can_act
from vaultmem.core.likeness import MatchKind
from vaultmem.core.operation import Risk
from vaultmem.core.patch_rules import may_select, risk_of
from vaultmem.core.trust import PASSING
from vaultmem.core.verification import NEXT_STEP, Outcome, Reason, may_apply_alone, verify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultmem.core.evidence import EvidenceId
    from vaultmem.core.governance import Governance
    from vaultmem.core.ids import MemoryId
    from vaultmem.core.matching import Match
    from vaultmem.core.model import Memory
    from vaultmem.core.operation import Operation
    from vaultmem.core.proposal import Checks, Proposal
    from vaultmem.core.verification import Verification


class Hold(StrEnum):
    """Why a candidate waits and nothing is proposed."""

    CONFIDENCE = "low_confidence"
    REJECTED = "rejected"
    UNSUPPORTED = "unsupported"
    UNCORROBORATED = "uncorroborated"
    AMBIGUOUS = "ambiguous"
    REPEATED = "repeats_a_candidate"
    ACTS = "edited_to_act"


HOLD: dict[Hold, str] = {
    Hold.CONFIDENCE: "Its confidence is below `curator_min_confidence`; approve it in the inbox if "
    "it is right.",
    Hold.REJECTED: "The checks rejected it.",
    Hold.UNSUPPORTED: "It repeats what is known, and its evidence cannot be counted.",
    Hold.UNCORROBORATED: "It needs evidence from another session, or the user's own sentence; "
    "approve it in the inbox if it is right.",
    Hold.AMBIGUOUS: "It fits several memories; edit it so that it fits one, or merge them.",
    Hold.ACTS: "It would act, and its note was changed after it was captured; look at the note, "
    "then approve it in the inbox.",
    Hold.REPEATED: "Another candidate of the inbox says something on the same; decide that first.",
}
"""One sentence with the next step for each."""


class Held(NamedTuple):
    """A candidate that waits."""

    candidate: str
    hold: Hold
    reasons: tuple[Reason, ...] = ()
    memories: tuple[MemoryId, ...] = ()
    outcome: Outcome | None = None
    """What the checks said; None where nothing was checked because another candidate is first."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Why it waits and what to do, one sentence for each reason."""
        return (HOLD[self.hold], *(NEXT_STEP[reason] for reason in self.reasons))

    @property
    def sentence(self) -> str:
        """All of it as one text."""
        return " ".join(self.sentences)


class Reinforcement(NamedTuple):
    """A candidate that says what is known: its evidence counts there, once per session."""

    candidate: str
    memory: MemoryId
    evidence: tuple[EvidenceId, ...]
    by_user: bool
    """Whether it is the user's own sentence; only that counts toward promotion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An operation with what it rests on.

    Attributes:
        operation: as a patch takes it, with its candidate and its tick.
        target: the memory that it changes, as it was looked at.
        confidence: the candidate's.
        against: the memory of another place that it contradicts, and that goes on to stand.
        beside: what belongs to the operation and is chosen with it, each with its target.
    """

    operation: Operation
    target: Memory | None
    confidence: float
    against: Memory | None = None
    beside: tuple[tuple[Operation, Memory], ...] = ()

    @property
    def steps(self) -> tuple[tuple[Operation, Memory | None], ...]:
        """All operations with their targets, in the order in which they are applied."""
        return ((self.operation, self.target), *self.beside)


Decided: TypeAlias = Draft | Reinforcement | Held

_UNCOUNTED = frozenset(
    (
        Reason.MISSING_EVIDENCE,
        Reason.ALTERED_EVIDENCE,
        Reason.CONTRADICTED,
        Reason.NOT_SUPPORTIVE,
        Reason.SCOPE,
        Reason.EDITED,
    )
)


def decide(
    proposal: Proposal,
    found: Match,
    standing: Mapping[MemoryId, Memory],
    governance: Governance,
    checks: Checks,
) -> Decided:
    """What becomes of one candidate where nobody has decided about it.

    Args:
        proposal: the candidate with its evidence.
        found: what it is to the memories that stand.
        standing: these memories.
        governance: the settings that hold.
        checks: what only the store can say.
    """
    case = _case(proposal, found, standing, checks, approved=False)
    if (hold := _why_held(case, governance)) is not None:
        return held_back(proposal, hold, found, case.verification)
    operation = operation_of(case)
    selected = _selects_itself(case, operation, governance)
    return _made(case, operation, standing, selected=selected)


def approve(
    proposal: Proposal, found: Match, standing: Mapping[MemoryId, Memory], checks: Checks
) -> Draft | Reinforcement:
    """What becomes of a candidate that a person approved.

    They need no evidence and stand above every gate, so its operation is ticked.

    Args:
        proposal: the candidate with its evidence.
        found: what it is to the memories that stand.
        standing: these memories.
        checks: what only the store can say.
    """
    case = _case(proposal, found, standing, checks, approved=True)
    return _made(case, operation_of(case), standing, selected=True)


def _case(
    proposal: Proposal,
    found: Match,
    standing: Mapping[MemoryId, Memory],
    checks: Checks,
    *,
    approved: bool,
) -> Case:
    one = found.memories[0] if found.memories and found.kind is not MatchKind.AMBIGUOUS else None
    target = None if one is None else standing[one]
    return Case(proposal, found, verify(proposal, found.kind, checks), target, approved)


def _made(
    case: Case, operation: Operation, standing: Mapping[MemoryId, Memory], *, selected: bool
) -> Draft | Reinforcement:
    """The operation with its risk and its tick; for what is known, the reinforcement."""
    verification, target = case.verification, case.target
    if target is not None and case.repeats and not case.settles_doubt:
        evidence = tuple(piece.id for piece in verification.supporting)
        by_user = case.approved or verification.own_sentence
        return Reinforcement(case.proposal.memory.id, target.id, evidence, by_user)
    draft = Draft(
        operation=replace(operation, risk=risk_of(operation, target), selected=selected),
        target=target,
        confidence=case.proposal.memory.confidence,
    )
    if not case.opposes_elsewhere or operation.memory is None:
        return draft
    # An addition that will be refused must not leave exceptions for nothing.
    lost = Reason.GONE_EVIDENCE in verification.reasons
    others = [] if lost else [standing[one] for one in case.found.memories]
    beside = exceptions_between(operation.memory, others, selected=selected)
    return replace(draft, target=None, against=target, beside=tuple(beside))


def held_back(
    proposal: Proposal, hold: Hold, found: Match, verification: Verification | None = None
) -> Held:
    """A candidate that waits, with what says why and what to do."""
    held = Held(proposal.memory.id, hold, memories=found.memories)
    if verification is None:
        return held
    return held._replace(reasons=verification.reasons, outcome=verification.outcome)


def _selects_itself(case: Case, operation: Operation, governance: Governance) -> bool:
    return (
        may_apply_alone(case.verification, governance.mode)
        and not case.loses_words
        and may_select(operation, case.target)
    )


def _why_held(case: Case, governance: Governance) -> Hold | None:
    verification = case.verification
    holds = {
        Hold.CONFIDENCE: case.proposal.memory.confidence < governance.min_confidence,
        Hold.REJECTED: verification.outcome is Outcome.REJECTED,
        Hold.ACTS: not case.proposal.as_written and can_act(case.proposal.memory),
        Hold.UNSUPPORTED: case.repeats and not _counts(verification),
        Hold.UNCORROBORATED: not case.repeats and not _corroborated(case, governance),
        Hold.AMBIGUOUS: case.found.kind is MatchKind.AMBIGUOUS,
    }
    return next((hold for hold, applies in holds.items() if applies), None)


def _corroborated(case: Case, governance: Governance) -> bool:
    """Whether there is evidence enough: the user's own sentence, or records of several sessions."""
    found = case.verification
    if found.outcome is Outcome.UNVERIFIED:  # an older store kept a count and no records
        return case.proposal.memory.evidence_count >= governance.min_evidence_count
    return found.own_sentence or found.sessions >= governance.min_evidence_count


def _counts(verification: Verification) -> bool:
    """Whether a repetition may strengthen a memory."""
    return (
        verification.risk is not Risk.HIGH
        and verification.durability not in PASSING
        and _UNCOUNTED.isdisjoint(verification.reasons)
    )

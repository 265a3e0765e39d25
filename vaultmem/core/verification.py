"""The checks that say whether a candidate may be applied without a person, in a fixed order.

They are those of the governed memory that vaultmem follows, with its faults mended: evidence that
contradicts does not support, words are compared as words, a tombstone stops the text as well as the
id, and neither trust nor durability nor a former outcome is believed where a note claims it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.evidence import Polarity, Redaction, computed_trust, is_intact
from vaultmem.core.governance_keys import STRICT
from vaultmem.core.matching import REVIEWED
from vaultmem.core.model import Scope
from vaultmem.core.operation import Risk
from vaultmem.core.proposal import Tombstone
from vaultmem.core.support import SUPPORTIVE, support_ratio
from vaultmem.core.trust import (
    LOW_TRUST,
    OWN_SENTENCE,
    PASSING,
    Durability,
    Eligibility,
    TrustClass,
    eligibility,
    lower_of,
    poisoning,
    shorter_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.evidence import Evidence, EvidenceId
    from vaultmem.core.likeness import MatchKind
    from vaultmem.core.proposal import Checks, Proposal


class Outcome(StrEnum):
    """What the checks say of a candidate; the words of the property `verification`."""

    UNVERIFIED = "unverified"
    """An older store brought it and nothing is known that could be checked."""
    VERIFIED = "verified"
    REVIEW = "review_required"
    REJECTED = "rejected"


class Reason(StrEnum):
    """Why a candidate is not simply verified."""

    TOMBSTONED = "tombstoned_recreation"
    UNSIGNED_TOMBSTONE = "unsigned_tombstone"
    MISSING_EVIDENCE = "missing_evidence"
    GONE_EVIDENCE = "redacted_or_deleted_evidence"
    ALTERED_EVIDENCE = "altered_evidence"
    CONTRADICTED = "contradicting_evidence"
    NOT_SUPPORTIVE = "source_not_supportive"
    SCOPE = "scope_unsupported"
    PASSING = "temporary_durability"
    LOW_TRUST = "low_trust_source"
    POISONING = "high_poisoning_risk"
    MATCH = "match_requires_review"
    EDITED = "edited_after_capture"
    UNSAFE = "holds_a_secret"


NEXT_STEP: dict[Reason, str] = {
    Reason.TOMBSTONED: "This was deleted; let a person decide whether it comes back.",
    Reason.UNSIGNED_TOMBSTONE: "An unsigned tombstone names this; let a person approve or reject "
    "it.",
    Reason.MISSING_EVIDENCE: "Evidence that it cites is not there; say it again with its source, "
    "or let a person approve it.",
    Reason.GONE_EVIDENCE: "Its evidence was deleted or redacted; say it again with a source that "
    "is still there.",
    Reason.ALTERED_EVIDENCE: "Its evidence is no longer what was recorded; undo the edit of the "
    "evidence note, or let a person approve it.",
    Reason.CONTRADICTED: "Some of its evidence says the opposite; let a person say which holds.",
    Reason.NOT_SUPPORTIVE: "Its evidence does not say this; use the source's own words, or let "
    "a person approve it.",
    Reason.SCOPE: "Its evidence comes from other projects; let a person say whether it holds here.",
    Reason.PASSING: "It was meant for now and not to last; let a person say if it always holds.",
    Reason.LOW_TRUST: "No user said this; let a person decide.",
    Reason.POISONING: "It comes from text that anybody could have written; let a person read and "
    "approve it.",
    Reason.MATCH: "It touches something that is known; let a person say which of them holds.",
    Reason.EDITED: "Its note was changed after it was captured; let a person decide.",
    Reason.UNSAFE: "It holds a secret, which is never remembered; edit it so that it names where "
    "the secret is kept, or reject it.",
}
"""One sentence for a person or a model: what is the matter, and what to do next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What the checks say, with everything that they computed on the way."""

    outcome: Outcome
    reasons: tuple[Reason, ...]
    trust: TrustClass
    durability: Durability
    risk: Risk
    eligibility: Eligibility
    supporting: tuple[Evidence, ...]

    @property
    def sessions(self) -> int:
        """In how many sessions something was said that supports it."""
        return len({piece.session for piece in self.supporting})

    @property
    def own_sentence(self) -> bool:
        """Whether it rests on the user's own sentence."""
        return self.trust in OWN_SENTENCE


_REJECTING = frozenset((Reason.TOMBSTONED, Reason.GONE_EVIDENCE, Reason.UNSAFE))


def verify(proposal: Proposal, kind: MatchKind, checks: Checks) -> Verification:
    """Check a candidate; nothing that its note says about former checks is looked at.

    Args:
        proposal: the candidate with the evidence that was found.
        kind: what it is to the memories that stand (`core.matching.match`).
        checks: what only the store can say.
    """
    supporting = tuple(_supporting(proposal, checks))
    computed = computed_trust(supporting)
    trust = lower_of(proposal.trust or computed, computed)
    durability = shorter_of(proposal.durability, (piece.durability for piece in supporting))
    reasons = tuple(
        reason
        for reason, holds in (
            *_of_tombstones(proposal, checks),
            *(() if _is_legacy(proposal) else _of_evidence(proposal, supporting, checks)),
            *(() if _is_legacy(proposal) else _of_source(trust, durability)),
            (Reason.MATCH, kind in REVIEWED),
            (Reason.EDITED, not proposal.as_written),
            (Reason.UNSAFE, proposal.secret),
        )
        if holds
    )
    return Verification(
        outcome=_outcome(reasons, legacy=_is_legacy(proposal)),
        reasons=reasons,
        trust=trust,
        durability=durability,
        risk=poisoning(trust, durability),
        eligibility=eligibility(trust, durability, proposal.memory.layer),
        supporting=supporting,
    )


def may_apply_alone(verification: Verification, mode: str) -> bool:
    """Whether a candidate may be applied without a person, in governance mode `mode`.

    What the checks verified still has to come from the user and be meant to last. What an older
    store brought without evidence may in `compatibility`; `strict` knows no exception.
    """
    if verification.outcome is Outcome.UNVERIFIED:
        return mode != STRICT and verification.eligibility is not Eligibility.L1_REVIEW
    return verification.outcome is Outcome.VERIFIED and verification.eligibility is Eligibility.AUTO


def _is_legacy(proposal: Proposal) -> bool:
    """Whether nothing but a signed migration speaks for it; anything said about it is checked."""
    structured = proposal.trust or proposal.cited or proposal.durability is not Durability.UNKNOWN
    return proposal.legacy and not structured


def _supporting(proposal: Proposal, checks: Checks) -> Iterator[Evidence]:
    seen: set[EvidenceId] = set()
    for piece in proposal.evidence:
        if piece.id in seen or not _holds(piece, checks):
            continue
        seen.add(piece.id)
        says = support_ratio(proposal.memory.statement, piece.text) >= SUPPORTIVE
        if piece.polarity is Polarity.SUPPORTS and says:
            yield piece


def _holds(piece: Evidence, checks: Checks) -> bool:
    """Whether a piece is what was recorded; what is not supports nothing."""
    return piece.redaction is Redaction.NONE and is_intact(piece) and checks.recorded(piece.id)


def _of_tombstones(proposal: Proposal, checks: Checks) -> Iterator[tuple[Reason, bool]]:
    stone = checks.tombstone(proposal.memory.id, proposal.memory.statement)
    yield Reason.TOMBSTONED, stone is Tombstone.SIGNED
    yield Reason.UNSIGNED_TOMBSTONE, stone is Tombstone.UNSIGNED


def _of_evidence(
    proposal: Proposal, supporting: tuple[Evidence, ...], checks: Checks
) -> Iterator[tuple[Reason, bool]]:
    memory, found = proposal.memory, proposal.evidence
    there = [piece for piece in found if piece.redaction is Redaction.NONE]
    held = [piece for piece in there if _holds(piece, checks)]
    elsewhere = memory.scope is Scope.PROJECT and all(
        piece.project not in (None, memory.project) for piece in supporting
    )
    yield Reason.MISSING_EVIDENCE, not set(proposal.cited) <= {piece.id for piece in found}
    yield Reason.GONE_EVIDENCE, len(there) < len(found)
    yield Reason.ALTERED_EVIDENCE, len(held) < len(there)
    yield Reason.CONTRADICTED, any(piece.polarity is Polarity.CONTRADICTS for piece in held)
    yield Reason.NOT_SUPPORTIVE, bool(held) and not supporting
    yield Reason.SCOPE, bool(supporting) and elsewhere


def _of_source(trust: TrustClass, durability: Durability) -> Iterator[tuple[Reason, bool]]:
    yield Reason.PASSING, durability in PASSING
    yield Reason.LOW_TRUST, trust in LOW_TRUST
    yield Reason.POISONING, poisoning(trust, durability) is Risk.HIGH


def _outcome(reasons: tuple[Reason, ...], *, legacy: bool) -> Outcome:
    if not _REJECTING.isdisjoint(reasons):
        return Outcome.REJECTED
    if reasons:
        return Outcome.REVIEW
    return Outcome.UNVERIFIED if legacy else Outcome.VERIFIED

"""The words of a promotion: where a memory can go, where a proposal is, and what a person decides.

They stand apart from the rules, because reading any note needs them and should not need those.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from vaultmem.core.ids import hashed_id

if TYPE_CHECKING:
    from vaultmem.core.ids import MemoryId


class Destination(StrEnum):
    """What a memory can be promoted to."""

    MEMORY = "memory"
    """It stays what it is."""
    ENFORCEMENT = "enforcement"
    """A guardrail: the memory gets a trigger and an action."""
    SKILL = "skill"
    """A procedure that the agent can read: `Skills/<name>/SKILL.md`."""
    PROJECT_RULE = "project_rule"
    """A line for the project's own rules, which the person writes there."""
    VAULT_REF = "vault_ref"
    """A knowledge note, which the person writes and the memory then links."""
    DISCARD = "discard"
    """It goes out of use."""


class PromotionStatus(StrEnum):
    """Where a proposal is in its life; only those that are not decided, or accepted, have notes."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class PromotionDecision(StrEnum):
    """What a person may write as `decision`."""

    ACCEPT = "accept"
    REJECT = "reject"


_WORDS = {
    "accept": PromotionDecision.ACCEPT,
    "accepted": PromotionDecision.ACCEPT,
    "approve": PromotionDecision.ACCEPT,
    "approved": PromotionDecision.ACCEPT,
    "ok": PromotionDecision.ACCEPT,
    "yes": PromotionDecision.ACCEPT,
    "reject": PromotionDecision.REJECT,
    "rejected": PromotionDecision.REJECT,
    "no": PromotionDecision.REJECT,
}


def read_promotion_decision(text: str | None) -> PromotionDecision | None:
    """The decision that a person's word means, in any case; None for no or another word."""
    return _WORDS.get((text or "").strip().rstrip(".!").casefold())


def promotion_id(destination: Destination, memory: MemoryId) -> str:
    """The id of the proposal, the same on every device and day, so that none is made twice."""
    return hashed_id("prom", f"{destination}\n{memory}")

"""How far a source is trusted, for how long its word was meant, and what may follow by itself.

Classes, weights, floors and rules are those of the governed memory that vaultmem follows. What is
our own: a class is computed from the evidence, and where a note claims more the lower one holds.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Layer
from vaultmem.core.operation import Risk
from vaultmem.core.support import said_by_user

if TYPE_CHECKING:
    from collections.abc import Iterable


class TrustClass(StrEnum):
    """Classes of a source, the most trusted first."""

    DIRECT_USER_INSTRUCTION = "direct_user_instruction"
    USER_CORRECTION = "user_correction"
    REPEATED_USER_PREFERENCE = "repeated_user_preference"
    ACCEPTED_CODE_REVIEW_OUTCOME = "accepted_code_review_outcome"
    EXISTING_PROJECT_CONVENTION = "existing_project_convention"
    PASSING_TOOL_OR_TEST_OUTCOME = "passing_tool_or_test_outcome"
    AGENT_INFERENCE = "agent_inference"
    SINGLE_SESSION_OBSERVATION = "single_session_observation"
    REPOSITORY_TEXT = "repository_text"
    GENERATED_CONTENT = "generated_content"
    THIRD_PARTY_DOCUMENTATION = "third_party_documentation"


class Durability(StrEnum):
    """For how long a statement was meant."""

    TEMPORARY = "temporary"
    SESSION = "session"
    TASK = "task"
    PROJECT = "project"
    REPOSITORY = "repository"
    USER_GLOBAL = "user_global"
    LONG_TERM = "long_term"
    UNKNOWN = "unknown"


class Eligibility(StrEnum):
    """Who may turn a candidate into a memory."""

    AUTO = "auto_candidate"
    REVIEW = "review_only"
    L1_REVIEW = "l1_review_only"


class Standing(NamedTuple):
    """What a class is worth.

    Attributes:
        weight: 0 to 1; tells a person how much, nothing multiplies by it.
        floor: the least risk of poisoning.
        eligible: who may apply it where it is durable.
    """

    weight: float
    floor: Risk
    eligible: Eligibility


TRUST: dict[TrustClass, Standing] = {
    TrustClass.DIRECT_USER_INSTRUCTION: Standing(1.0, Risk.LOW, Eligibility.AUTO),
    TrustClass.USER_CORRECTION: Standing(1.0, Risk.LOW, Eligibility.AUTO),
    TrustClass.REPEATED_USER_PREFERENCE: Standing(0.9, Risk.LOW, Eligibility.AUTO),
    TrustClass.ACCEPTED_CODE_REVIEW_OUTCOME: Standing(0.8, Risk.LOW, Eligibility.REVIEW),
    TrustClass.EXISTING_PROJECT_CONVENTION: Standing(0.65, Risk.LOW, Eligibility.REVIEW),
    TrustClass.PASSING_TOOL_OR_TEST_OUTCOME: Standing(0.55, Risk.LOW, Eligibility.REVIEW),
    TrustClass.AGENT_INFERENCE: Standing(0.35, Risk.MEDIUM, Eligibility.REVIEW),
    TrustClass.SINGLE_SESSION_OBSERVATION: Standing(0.3, Risk.MEDIUM, Eligibility.REVIEW),
    TrustClass.REPOSITORY_TEXT: Standing(0.25, Risk.HIGH, Eligibility.REVIEW),
    TrustClass.GENERATED_CONTENT: Standing(0.2, Risk.HIGH, Eligibility.REVIEW),
    TrustClass.THIRD_PARTY_DOCUMENTATION: Standing(0.2, Risk.HIGH, Eligibility.REVIEW),
}
"""The table of the governed memory."""

OWN_SENTENCE = frozenset((TrustClass.DIRECT_USER_INSTRUCTION, TrustClass.USER_CORRECTION))
"""The user's own sentence, which is evidence enough by itself."""

LOW_TRUST = frozenset(one for one, row in TRUST.items() if row.floor is not Risk.LOW)
"""The five classes that a person must look at in any case."""

PASSING = frozenset((Durability.TEMPORARY, Durability.SESSION, Durability.TASK))
"""What was not meant to last."""

_CLASSES = tuple(TrustClass)


def eligibility(trust: TrustClass, durability: Durability, layer: Layer) -> Eligibility:
    """Who may turn a candidate of that class, durability and layer into a memory."""
    if layer is Layer.IDENTITY:
        return Eligibility.L1_REVIEW
    if durability is Durability.UNKNOWN or durability in PASSING:
        return Eligibility.REVIEW
    return TRUST[trust].eligible


def poisoning(trust: TrustClass, durability: Durability) -> Risk:
    """The risk that a candidate of that class and durability would spoil the memory."""
    floor = TRUST[trust].floor
    return Risk.MEDIUM if floor is Risk.LOW and durability in PASSING else floor


def lower_of(claimed: TrustClass, computed: TrustClass) -> TrustClass:
    """The less trusted of two classes: what a note claims can only take trust away."""
    return max(claimed, computed, key=_CLASSES.index)


def best_of(classes: Iterable[TrustClass]) -> TrustClass:
    """The most trusted of several classes; of none, what an agent thought by itself."""
    return min(classes, key=_CLASSES.index, default=TrustClass.AGENT_INFERENCE)


def shorter_of(claimed: Durability, shown: Iterable[Durability]) -> Durability:
    """What a note claims about its durability, but no longer than its best evidence shows."""
    longest = max(shown, key=_span, default=Durability.UNKNOWN)
    return min(claimed, longest, key=_span)


def longer_of(one: Durability, other: Durability) -> Durability:
    """The one of two durabilities that lasts longer; of two that last, the first."""
    return max(one, other, key=_span)


def trust_of_tool_call(statement: str, user_messages: Iterable[str]) -> TrustClass:
    """The class of what an agent's tool wants to remember.

    Args:
        statement: what it wants to remember.
        user_messages: every message that the user wrote in this session, as written.

    Returns:
        A direct instruction if the user's own, unquoted words say at least `SUPPORTIVE` of it in
        one place; else the agent's inference.
    """
    if said_by_user(statement, user_messages):
        return TrustClass.DIRECT_USER_INSTRUCTION
    return TrustClass.AGENT_INFERENCE


def _span(durability: Durability) -> int:
    """How long it lasts: temporary, session, task, unknown, and all that is durable."""
    order = (*sorted(PASSING, key=list(Durability).index), Durability.UNKNOWN)
    return order.index(durability) if durability in order else len(order)

"""What outcomes say about a memory: a score, how stable it looks, and what to do about it.

Outcomes, weights and recommendations are those of the governed memory. Two things are our own:
silent successes never make a memory stable, however many there are, and a correction is linked to
a memory only if it fits exactly one.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.duplicate import Difference, difference
from vaultmem.core.model import Stability
from vaultmem.core.support import SOFT, says_the_opposite
from vaultmem.core.words import content_stems, share

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory


class Outcome(StrEnum):
    """What happened with a memory."""

    REINFORCED = "explicit_reinforcement"
    """The user or another session said it again, or said that it was right."""
    SUCCESS = "implicit_success"
    """It was followed and nobody objected."""
    NEUTRAL = "neutral"
    CORRECTED = "explicit_correction"
    """The user said that it was wrong."""


WEIGHT: dict[Outcome, float] = {
    Outcome.REINFORCED: 1.0,
    Outcome.SUCCESS: 0.2,
    Outcome.NEUTRAL: 0.0,
    Outcome.CORRECTED: -1.0,
}
"""From the governed memory."""

STABLE_AT = 1.0
"""The score from which a memory looks stable."""
CONTEST_AT = 2
"""Corrections from which a memory is better contested than kept."""
STEADY_AT = 2
"""Explicit reinforcements, without a correction, that raise a memory's stability."""
_OTHER_VALUE = frozenset((Difference.NUMBER, Difference.VERSION))
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_REPLACES = re.compile(r"\b(?:from now on|no longer|any ?more|actually)\b", re.IGNORECASE)
LINKED = 0.45
"""The least share of words that a correction has in common with the one memory that it is about."""


class Summary(NamedTuple):
    """The outcomes of one memory, added up."""

    score: float
    reinforced: int
    corrected: int

    @property
    def stability(self) -> Stability:
        """How stable the memory looks; `stable` needs one explicit reinforcement."""
        if self.needs_review:
            return Stability.LOW
        steady = self.score >= STABLE_AT and self.reinforced > 0
        return Stability.STABLE if steady else Stability.SEMI_STABLE

    @property
    def needs_review(self) -> bool:
        """Whether a person should look at it."""
        return self.corrected > 0 or self.score < 0


class Advice(StrEnum):
    """What to do about a memory."""

    REVIEW_DUE = "review_due"
    REVIEW = "review_memory"
    LESS_STABLE = "decrease_stability"
    MORE_STABLE = "increase_stability"
    CONTEST = "mark_contested_suggestion"


def summarize(outcomes: Iterable[Outcome]) -> Summary:
    """Add the outcomes of one memory up; the score is rounded to two digits."""
    listed = list(outcomes)
    return Summary(
        round(sum(WEIGHT[one] for one in listed), 2),
        listed.count(Outcome.REINFORCED),
        listed.count(Outcome.CORRECTED),
    )


def recommend(memory: Memory, summary: Summary, today: date) -> tuple[Advice, ...]:
    """What to do about a memory, in the order of the table; a review is due the day after its date.

    Args:
        memory: as it stands.
        summary: its outcomes since they were last acted on.
        today: the person's local date.
    """
    corrected = summary.corrected > 0
    raised = not corrected and summary.reinforced >= STEADY_AT
    applies = {
        Advice.REVIEW_DUE: is_overdue(memory, today),
        Advice.REVIEW: corrected,
        Advice.LESS_STABLE: corrected and memory.stability is not Stability.LOW,
        Advice.CONTEST: summary.corrected >= CONTEST_AT,
        Advice.MORE_STABLE: raised and memory.stability is not Stability.STABLE,
    }
    return tuple(advice for advice, holds in applies.items() if holds)


def is_overdue(memory: Memory, today: date) -> bool:
    """Whether the day of its review has passed; on the day itself there is still time."""
    return memory.review is not None and memory.review < today


def next_stability(memory: Memory, advice: Advice) -> Stability:
    """The stability one step down or up from the memory's."""
    if advice is Advice.MORE_STABLE:
        return Stability.STABLE
    stable = memory.stability is Stability.STABLE
    return Stability.SEMI_STABLE if stable else Stability.LOW


def near(correction: str, shown: Mapping[MemoryId, str]) -> tuple[MemoryId, ...]:
    """The memories that share enough words with a correction, in the order of `shown`.

    Args:
        correction: the user's message.
        shown: the statements of the memories that the session was given, by id.
    """
    said = _about(correction)
    return tuple(
        identifier
        for identifier, statement in shown.items()
        if share(said, _about(statement)) >= LINKED
    )


def says_otherwise(correction: str, statement: str) -> bool:
    """Whether a correction that is near a statement is against it.

    Who says once more what the statement says corrects somebody who did not follow it.
    """
    if says_the_opposite(correction, statement):
        return True
    if difference(correction, statement) in _OTHER_VALUE:
        return True
    replaces = _REPLACES.search(correction) is not None
    return replaces and not content_stems(statement) <= content_stems(correction)


def _about(text: str) -> frozenset[str]:
    """What a text is about, without how it permits or forbids."""
    found = content_stems(_NOT.sub(" not ", text))
    return found - SOFT or found

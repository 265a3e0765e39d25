"""The score of a memory, which fades with age and grows with evidence, and what it says.

    score = cue weight * exp(-age / half-life) * ln(1 + evidence)

The formula, the weights and the half-lives are those of the topic-file memory that vaultmem
follows. Its exponential is natural, so a "half-life" is really the time after which 36.8 % is left.
The thresholds are our own: there, one explicit statement (0.693) fell below the lowest threshold
that is still shown and vanished at the next session. Here it stands for half a half-life, and one
that a person stated and approved (two pieces of evidence, 1.099) for a whole one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultmem.core.model import Lifecycle

CUE_WEIGHT: dict[str, float] = {
    "explicit": 1.0,
    "structural": 0.9,
    "behavioral": 0.7,
    "recurrence": 0.6,
}
"""How much one piece of evidence is worth, by the way the memory was learned."""

HALF_LIFE: dict[str, float] = {
    "preference": 90 * 86_400.0,
    "lesson": 60 * 86_400.0,
    "pattern": 30 * 86_400.0,
    "decision": 30 * 86_400.0,
    "done": 14 * 86_400.0,
    "mistake": 14 * 86_400.0,
}
"""The e-folding time of a category, in seconds."""

STRONG = 1.5
PROVISIONAL = 0.40
FAINT = 0.15
"""The lowest score of each lifecycle; below `FAINT` a memory is dropped."""


def score(cue: str, category: str, evidence: float, age_seconds: float) -> float:
    """Score a memory.

    Args:
        cue: a value of `model.Cue`.
        category: a value of `model.Category`.
        evidence: the live evidence count; less than nothing counts as nothing.
        age_seconds: time since it was last reinforced; a date in the future counts as now.

    Returns:
        A number >= 0; it grows with `evidence` and never grows with `age_seconds`.

    Raises:
        KeyError: if the cue or the category is not a known one.
    """
    # Ten thousand times per report: a comparison is cheaper than a call of max().
    age = age_seconds if age_seconds > 0.0 else 0.0
    strength = math.log1p(evidence) if evidence > 0.0 else 0.0
    return CUE_WEIGHT[cue] * math.exp(-age / HALF_LIFE[category]) * strength


def lifecycle(value: float) -> Lifecycle:
    """What a score says; every threshold belongs to the stronger side."""
    # Imported here: the report compares numbers and does not need the dataclasses of the model.
    from vaultmem.core.model import Lifecycle

    if value >= STRONG:
        return Lifecycle.STRONG
    if value >= PROVISIONAL:
        return Lifecycle.PROVISIONAL
    return Lifecycle.FAINT if value >= FAINT else Lifecycle.DROPPED

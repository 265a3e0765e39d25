"""What a day and a project decide about each memory, whatever is asked: the report's slow half.

A process that answers many prompts keeps the answer. Of ten thousand memories a few dozen are left
for `selection.select`, which gives for them what it would have given for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.scoring import PROVISIONAL
from vaultmem.core.selection import CATEGORY_BUDGET, OVERFLOW, Excluded, faded, not_here, score_on

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultmem.core.standing import Standing


class Settled(NamedTuple):
    """Memories that a prompt or a moment can still decide about, and those that it cannot.

    Attributes:
        rest: what `select` has to look at.
        excluded: the others, by id, with the reasons that `select` would give.
    """

    rest: list[Standing]
    excluded: list[Excluded]


class SettledFor(NamedTuple):
    """What was settled, and for what."""

    memories: list[Standing]
    day: float
    project: str
    settled: Settled

    def fits(self, memories: list[Standing], day: float, project: str) -> bool:
        """Whether it holds for that very list of rows, unchanged, and for day and project."""
        return self.memories is memories and (self.day, self.project) == (day, project)


def settle(memories: Iterable[Standing], *, day: float, project: str) -> Settled:
    """Decide what can be decided for a whole day.

    Args:
        memories: every memory that the baseline knows, in any order.
        day: the beginning of today, in local seconds (`selection.today`).
        project: the project's identity, "" outside of any.
    """
    rest: list[Standing] = []
    excluded: list[Excluded] = []
    scored: dict[str, list[tuple[float, str, Standing]]] = {name: [] for name in CATEGORY_BUDGET}
    for memory in memories:
        if reason := not_here(memory, project):
            excluded.append(Excluded(memory.id, reason))
        elif memory.force or memory.status == "contested" or _is_conditional(memory):
            rest.append(memory)
        elif (value := score_on(memory, day)) >= PROVISIONAL:
            scored[memory.category].append((-value, memory.id, memory))
        else:
            excluded.append(Excluded(memory.id, faded(value)))
    for category, found in scored.items():
        found.sort()
        # Behind so many of its own category none can stand, whoever else comes in between.
        most = CATEGORY_BUDGET[category] + OVERFLOW
        rest += [memory for _, _, memory in found[:most]]
        excluded += [Excluded(name, "category_budget") for _, name, _ in found[most:]]
    excluded.sort()
    return Settled(rest, excluded)


def _is_conditional(memory: Standing) -> bool:
    """Whether the moment, the session or the prompt has a say."""
    return bool(
        memory.applies_when
        or memory.not_when
        or memory.expires
        or memory.valid_from
        or memory.valid_to
        or memory.scope in {"session", "task"}
    )

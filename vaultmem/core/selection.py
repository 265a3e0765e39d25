"""Who may stand in the report: filters with their reasons, force, and the categories' budgets.

The order of the filters is that of the governed memory which vaultmem follows: status, whose it is,
where it holds, when it does not. Three things are our own: force needs a signed line, what
`applies_when` names must be at hand, and a foreign project's memory is left out at every layer.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.context import Context, Surroundings
from vaultmem.core.scoring import FAINT, PROVISIONAL, score
from vaultmem.core.standing import DAY, IN_USE, Standing, lacks_project

if TYPE_CHECKING:
    from collections.abc import Iterable

CATEGORY_BUDGET: dict[str, int] = {
    "preference": 8,
    "lesson": 8,
    "pattern": 6,
    "decision": 4,
    "done": 4,
    "mistake": 4,
}
"""How many memories of a category stand by their score; from the topic-file memory."""

OVERFLOW = 6
"""How many more may stand over all categories, the best that found their category full."""

HARD_RULE_TYPES = frozenset(("avoid_pattern", "prefer_pattern", "correction", "convention"))
HARD_RULE_CONFIDENCE = 0.85
"""Rule types and confidence of a hard rule; from the governed memory. Ours needs force as well."""

SESSION_SECONDS = DAY
TASK_SECONDS = 14 * DAY
"""How long a memory of the session and of the task scope stands at most."""

NO_PROJECT = "no_project"
"""The reason of a memory that holds in a project only and names none, so that it holds nowhere."""

CONTESTED_AT_MOST = 2
_RELEVANT = 0.15
"""How many contested memories are told, and the share of words that they must have in common with
a prompt where there are more; from the governed memory."""


class Excluded(NamedTuple):
    """A memory that does not stand, with the reason as `word` or `word:detail`."""

    id: str
    reason: str


class Selection(NamedTuple):
    """Everything that may stand, best first; what the token budget does with it comes later.

    `day` is the beginning of the local day, for which all scores and ages hold.
    """

    hard_rules: list[Standing]
    identity: list[Standing]
    pinned: list[Standing]
    categories: dict[str, list[Standing]]
    contested: list[Standing]
    excluded: list[Excluded]
    day: float


def today(now: float) -> float:
    """The beginning of the local day. Scores and ages use it, so that a report holds for a day."""
    return now - now % DAY


def age_seconds(memory: Standing, day: float) -> float:
    """Whole days since a memory was reinforced or else made, in seconds; 0.0 where no date says."""
    since = memory.reinforced or memory.created
    return day - (since - since % DAY) if 0 < since < day else 0.0


def wants_to_act(memory: Standing) -> bool:
    """Whether it claims force, which only a signed line gives it."""
    return bool(memory.pinned or memory.enforced or memory.layer == "L1")


def is_unreviewed(memory: Standing) -> bool:
    """Whether it claims force that no signed line gives it; then it only informs.

    What is out of use claims nothing any more.
    """
    return not memory.force and memory.status in IN_USE and wants_to_act(memory)


def is_hard_rule(memory: Standing) -> bool:
    """Whether an active playbook memory is a rule: enforced, or of a rule's type and sure."""
    return bool(
        memory.force
        and memory.status == "active"
        and memory.layer == "L2"
        and (
            memory.enforced
            or (memory.rule in HARD_RULE_TYPES and memory.confidence >= HARD_RULE_CONFIDENCE)
        )
    )


def faded(value: float) -> str:
    """The reason for which a memory without force does not stand, by its score."""
    return "lifecycle:faint" if value >= FAINT else "lifecycle:dropped"


def not_here(memory: Standing, project: str) -> str:
    """The reason for which a memory stands in a project at no time and for no prompt, or ""."""
    if memory.status not in IN_USE:
        return f"status:{memory.status}"
    if memory.layer == "L3":
        return "layer:L3"
    if lacks_project(memory.scope, memory.project):
        return NO_PROJECT  # told everywhere it would be what it does not claim to be
    return f"project:{other}" if (other := other_project(memory.project, project)) else ""


def other_project(project: str, here: str) -> str:
    """The project of a memory where it is another one than that in which it is told, else "".

    They are compared as people write them; hosts do not mind the case either.
    """
    return project if project.casefold() != here.casefold() else ""


def why_not(memory: Standing, context: Context, surroundings: Surroundings) -> str:
    """The reason for which a memory does not stand in this context, "" if it may."""
    return (
        not_here(memory, context.project)
        or _over(memory, context)
        or _elsewhere(memory, surroundings)
    )


def caution(memory: Standing, now: float) -> str:
    """Why a memory that a search found must not be taken for what holds, "" if it may be.

    Unlike the report, a search finds what is over and what is doubtful, and says so.

    Args:
        memory: one that is searched.
        now: the moment, as `Context.now`.
    """
    if memory.status != "active":
        return memory.status
    if lacks_project(memory.scope, memory.project):
        return NO_PROJECT
    return _over(memory, Context(now)) or ("unreviewed" if is_unreviewed(memory) else "")


def is_over(memory: Standing, now: float) -> bool:
    """Whether its time has passed: it neither repeats nor contradicts what is said now."""
    over = _over(memory, Context(now, session=memory.session))
    return over not in ("", "not_yet_valid")


def why_nowhere(memory: Standing, now: float) -> str:
    """Why a memory stands in no report now, whatever the project and the words are, or ""."""
    at_home = Context(now, session=memory.session)
    return not_here(memory, memory.project) or _over(memory, at_home)


def select(memories: Iterable[Standing], context: Context) -> Selection:
    """Decide for every memory whether and where it may stand.

    The result does not depend on the order of `memories`: equal scores stand by id.
    """
    day = today(context.now)
    chosen = Selection([], [], [], {}, [], [], day)
    by_score: dict[str, list[tuple[float, str, Standing]]] = {name: [] for name in CATEGORY_BUDGET}
    surroundings = Surroundings(context)
    for memory in memories:
        if reason := why_not(memory, context, surroundings):
            chosen.excluded.append(Excluded(memory.id, reason))
        elif memory.status == "contested":
            chosen.contested.append(memory)
        elif memory.force and memory.layer == "L1":
            chosen.identity.append(memory)
        elif memory.force and is_hard_rule(memory):
            chosen.hard_rules.append(memory)
        elif memory.force and memory.pinned:
            chosen.pinned.append(memory)
        else:
            value = score_on(memory, day)
            if value >= PROVISIONAL:
                by_score[memory.category].append((-value, memory.id, memory))
            else:
                chosen.excluded.append(Excluded(memory.id, faded(value)))
    _fill_categories(by_score, chosen)
    for group in (chosen.hard_rules, chosen.identity, chosen.pinned):
        group.sort(key=lambda memory: (-score_on(memory, day), memory.id))
    chosen.hard_rules.sort(key=attrgetter("confidence"), reverse=True)
    _rank_contested(chosen, context.prompt)
    return chosen


def score_on(memory: Standing, day: float) -> float:
    """The score of a memory on the local day that begins at `day`."""
    return score(memory.cue, memory.category, memory.evidence_count, age_seconds(memory, day))


def _end(valid_to: float) -> float:
    """When validity ends; a bare date, which reads as midnight, includes its day."""
    return valid_to if valid_to % DAY else valid_to + DAY


def _over(memory: Standing, context: Context) -> str:
    """Why a memory does not hold now."""
    if memory.scope in {"session", "task"} and (over := _scope_over(memory, context)):
        return over
    if memory.expires and memory.expires <= context.now:
        return "expired"
    if memory.valid_from > context.now:
        return "not_yet_valid"
    return "no_longer_valid" if memory.valid_to and _end(memory.valid_to) <= context.now else ""


def _scope_over(memory: Standing, context: Context) -> str:
    """Why a memory of a session or task is over; one without any date is."""
    age = context.now - (memory.created or memory.reinforced)
    if memory.scope == "task":
        return "task_over" if age >= TASK_SECONDS else ""
    # Without a session of its own only the safety limit ends it.
    elsewhere = memory.session not in {"", context.session}
    return "session_over" if elsewhere or age >= SESSION_SECONDS else ""


def _elsewhere(memory: Standing, surroundings: Surroundings) -> str:
    """Why a memory does not hold in these surroundings."""
    if memory.not_when and (phrase := surroundings.excludes(memory.not_when)):
        return f"not_when:{phrase}"
    return (
        "applies_when"
        if memory.applies_when and not surroundings.holds(memory.applies_when)
        else ""
    )


def _fill_categories(
    by_score: dict[str, list[tuple[float, str, Standing]]], chosen: Selection
) -> None:
    """Fill the categories' budgets, then the pool, by score."""
    overflow: list[tuple[float, str, Standing]] = []
    for category, found in by_score.items():
        found.sort()
        budget = CATEGORY_BUDGET[category]
        chosen.categories[category] = [memory for _, _, memory in found[:budget]]
        overflow += found[budget:]
    overflow.sort()
    for _, _, memory in overflow[:OVERFLOW]:
        chosen.categories[memory.category].append(memory)
    chosen.excluded.extend(
        Excluded(identifier, "category_budget") for _, identifier, _ in overflow[OVERFLOW:]
    )


def _rank_contested(chosen: Selection, prompt: str) -> None:
    """Order the contested ones by score, and by nearness to the prompt where not all can stand.

    A report with few of them stays the same from prompt to prompt, which keeps a model's cache.
    """
    ranked = [
        (0.0, -score_on(memory, chosen.day), memory.id, memory) for memory in chosen.contested
    ]
    if len(ranked) > CONTESTED_AT_MOST and prompt.strip():
        # Imported here: most reports have nothing contested, and then no words are needed.
        from vaultmem.core.words import content_stems, share

        asked = content_stems(prompt)
        near = [
            (-share(asked, content_stems(memory.statement)), value, name, memory)
            for _, value, name, memory in ranked
        ]
        ranked = [entry for entry in near if -entry[0] > _RELEVANT]
        kept = {name for _, _, name, _ in ranked}
        chosen.excluded.extend(
            Excluded(name, "contested") for _, _, name, _ in near if name not in kept
        )
    chosen.contested[:] = [memory for *_, memory in sorted(ranked)]

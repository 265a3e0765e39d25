"""Draws identity candidates (L1) from stable playbook memories that are about one thing.

Nothing here is ever applied: each result is a candidate that only a person can approve. Grouping,
number and cuts are those of the governed memory. Two things are our own: every member must be
stable, and a counterexample is looked for among all that is known, in other projects too.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.evidence import Redaction
from vaultmem.core.holdings import place_of
from vaultmem.core.ids import short_id
from vaultmem.core.model import Layer, Scope, Stability, Status
from vaultmem.core.topic import key_of, topic
from vaultmem.core.wording import short
from vaultmem.core.words import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from vaultmem.core.evidence import EvidenceId
    from vaultmem.core.holdings import Held, Holdings
    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory


class Limits(NamedTuple):
    """The settings `meta_consolidation_*` that a run obeys; see `core.governance_keys`."""

    min_records: int = 2
    min_score: float = 0.0
    max_candidates: int = 5
    max_input: int = 50
    counterexamples: bool = True


class Counter(NamedTuple):
    """What speaks against a candidate: the id of what it is, and one sentence."""

    id: str
    reason: str


class Abstraction(NamedTuple):
    """An identity candidate that a person may approve.

    Attributes:
        statement: the words of the member that says most.
        sources: the members, by id.
        evidence: the pieces that they cite.
        searched: whether counterexamples were looked for.
        counterexamples: what speaks against it.
        questions: what could not be settled, one sentence each.
    """

    statement: str
    sources: tuple[MemoryId, ...]
    evidence: tuple[EvidenceId, ...]
    searched: bool
    counterexamples: tuple[Counter, ...]
    questions: tuple[str, ...]


class Left(NamedTuple):
    """A playbook memory of which nothing was drawn, and why: a word."""

    id: MemoryId
    reason: str


class Drawn(NamedTuple):
    """The candidates by key, and every memory that is in none of them, by id."""

    candidates: tuple[Abstraction, ...]
    left: tuple[Left, ...]


def draw(
    held: Holdings,
    limits: Limits,
    *,
    share: Callable[[MemoryId], float],
    is_known: Callable[[tuple[MemoryId, ...]], bool],
) -> Drawn:
    """Draw the candidates of one run.

    Args:
        held: what the vault holds.
        limits: the settings.
        share: how much a memory was reinforced, 0 to 1.
        is_known: whether a candidate was drawn from just these members before, whatever became of
            it.
    """
    left: list[Left] = []
    fit: list[Held] = []
    buried = {gone.memory for gone in held.deleted}
    for one in held.memories:
        if one.memory.layer is not Layer.PLAYBOOK:
            continue
        reason = _why_not(one.memory, buried)
        if not reason and share(one.memory.id) < limits.min_score:
            reason = "too_little_reinforced"
        if reason:
            left.append(Left(one.memory.id, reason))
        else:
            fit.append(one)
    # The best supported first, so that a small `max_input` reads what says most.
    fit.sort(key=lambda one: (-one.memory.evidence_count, one.memory.id))
    left += (Left(one.memory.id, "beyond_the_input") for one in fit[limits.max_input :])
    groups: dict[tuple[str, str], list[Held]] = defaultdict(list)
    for one in fit[: limits.max_input]:
        groups[place_of(one.memory), key_of(one.memory)].append(one)
    candidates: list[Abstraction] = []
    for (_, key), members in sorted(groups.items()):
        members.sort(key=lambda one: one.memory.id)
        reason = _why_no_group(members, limits, is_known, len(candidates))
        if reason:
            left += (Left(one.memory.id, reason) for one in members)
        else:
            candidates.append(_abstraction(held, key, members, searched=limits.counterexamples))
    return Drawn(tuple(candidates), tuple(sorted(left)))


def _why_not(memory: Memory, buried: AbstractSet[MemoryId]) -> str:
    if memory.status is not Status.ACTIVE:
        return f"status:{memory.status}"
    if memory.stability is not Stability.STABLE:
        return f"stability:{memory.stability}"
    if memory.scope in (Scope.TASK, Scope.SESSION):
        return f"scope:{memory.scope}"
    return "tombstoned" if memory.id in buried else ""


def _why_no_group(
    members: Sequence[Held],
    limits: Limits,
    is_known: Callable[[tuple[MemoryId, ...]], bool],
    taken: int,
) -> str:
    if len(members) < limits.min_records:
        return "alone"
    if is_known(tuple(one.memory.id for one in members)):
        return "drawn_before"
    return "beyond_the_candidates" if taken >= limits.max_candidates else ""


def _abstraction(
    held: Holdings, key: str, members: Sequence[Held], *, searched: bool
) -> Abstraction:
    longest = max(members, key=lambda one: (len(one.memory.statement), one.memory.id))
    against = tuple(sorted(set(_against(held, key, members)))) if searched else ()
    open_ones = tuple(_questions(held, members)) if searched else ()
    return Abstraction(
        statement=longest.memory.statement,
        sources=tuple(one.memory.id for one in members),
        evidence=tuple(dict.fromkeys(piece for one in members for piece in one.cites)),
        searched=searched,
        counterexamples=against,
        questions=open_ones,
    )


def _against(held: Holdings, key: str, members: Sequence[Held]) -> Iterator[Counter]:
    """What is known of the same thing and does not stand, or stands in another place."""
    ours = {one.memory.id for one in members}
    place, about = place_of(members[0].memory), _topic(key)
    buried = {gone.memory for gone in held.deleted}
    for one in held.memories:
        memory = one.memory
        if memory.id in ours or _topic(key_of(memory)) != about:
            continue
        said = f"{short_id(memory.id)} ({short(memory.statement)})"
        if memory.id in buried:
            yield Counter(memory.id, f"{short_id(memory.id)}, on the same, was deleted.")
        elif memory.status is not Status.ACTIVE:
            yield Counter(memory.id, f"{said}, on the same, is {memory.status}.")
        elif place_of(one.memory) != place:
            yield Counter(memory.id, f"{said} says something on the same in another project.")


def _topic(key: str) -> str:
    """The part of a normal key that says what a memory is about."""
    return key.split("|")[3]


def _questions(held: Holdings, members: Sequence[Held]) -> Iterator[str]:
    """What is open about the members: words that were taken out, questions that wait."""
    pieces = {one.id: one for one in held.evidence}
    cited = dict.fromkeys(piece for one in members for piece in one.cites)
    for name in cited:
        if name in pieces and pieces[name].redaction is not Redaction.NONE:
            yield f"The words of {name} were taken out, so nobody can check them."
    ours = {one.memory.id for one in members}
    topics = {topic(one.memory.tags, one.memory.statement) for one in members}
    for asked in held.inquiries:
        about = {tag.removeprefix("memory/").casefold() for tag in asked.tags}
        about |= set(words(asked.question))
        if asked.is_open and (ours & set(asked.memories) or topics & about):
            yield f"A question is open: {short(asked.question)}"

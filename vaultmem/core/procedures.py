"""Memories that together may be a procedure, for a person to look at; nothing is made of them.

Words, number and cuts are those of the governed memory. Four things are our own: words are
compared as words ("latest" tells nothing of a test), each project has its own procedures, only
memories that hang together are one (`_is_near`), and what is skipped says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.model import Layer, RuleType, Scope, Stability, Status
from vaultmem.core.words import content_stems, share, stem, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultmem.core.evidence import EvidenceId
    from vaultmem.core.holdings import Held
    from vaultmem.core.ids import MemoryId

LEAST = 3
"""Memories that a procedure needs where nobody says another number; from the governed memory."""
STEPS = 6
"""Steps of one procedure; from the governed memory."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TELLING = frozenset(
    map(stem, _set("workflow testing tool tooling run verify commit push test typecheck"))
)
_CHECKS = frozenset(map(stem, _set("test typecheck verify")))
_NEAR = 0.5
"""How much of the shorter of two statements both must hold to be near without a common tag."""
_RULES = (RuleType.WORKFLOW, RuleType.TESTING, RuleType.TOOL)


class Procedure(NamedTuple):
    """A procedure to be looked at; it always needs a person's review.

    Attributes:
        title: what kind it is.
        project: whose it is, "" for every project.
        steps: the statements, in the order in which they were learned.
        checks: those of them that verify something.
        sources: the memories.
        evidence: the pieces that these cite.
        confidence: the mean of theirs, two digits.
    """

    title: str
    project: str
    steps: tuple[str, ...]
    checks: tuple[str, ...]
    sources: tuple[MemoryId, ...]
    evidence: tuple[EvidenceId, ...]
    confidence: float


class Skipped(NamedTuple):
    """A memory that is part of no procedure, and why: a word."""

    id: MemoryId
    reason: str


class Procedures(NamedTuple):
    """The procedures by project and their first memory, and every other memory by id."""

    found: tuple[Procedure, ...]
    skipped: tuple[Skipped, ...]


def find_procedures(held: Iterable[Held], *, least: int = LEAST) -> Procedures:
    """The procedures that the memories hold, each of memories of one project that hang together.

    Args:
        held: memories in any order.
        least: how many memories a procedure needs.
    """
    skipped: list[Skipped] = []
    groups: dict[str, list[Held]] = {}
    for one in sorted(held, key=lambda one: one.memory.id):
        if reason := why_not(one):
            skipped.append(Skipped(one.memory.id, reason))
        else:
            groups.setdefault(one.memory.project or "", []).append(one)
    found: list[Procedure] = []
    for project, members in sorted(groups.items()):
        for together in _together(members):
            if len(together) < least:
                reason = "too_few" if len(together) > 1 else "unrelated"
                skipped += (Skipped(one.memory.id, reason) for one in together)
                continue
            found.append(_procedure(project, together[:STEPS]))
            skipped += (Skipped(one.memory.id, "beyond_the_steps") for one in together[STEPS:])
    return Procedures(tuple(found), tuple(sorted(skipped)))


def why_not(one: Held) -> str:
    """Why a memory is no step of a procedure, "" if it may be one."""
    memory = one.memory
    if memory.layer is not Layer.PLAYBOOK:
        return f"layer:{memory.layer}"
    if memory.status is not Status.ACTIVE:
        return f"status:{memory.status}"
    if memory.stability is Stability.LOW:
        return "stability:low"
    if memory.scope in (Scope.TASK, Scope.SESSION):
        return f"scope:{memory.scope}"
    said = words(" ".join((memory.statement, *memory.tags)))
    if memory.rule in _RULES or not _TELLING.isdisjoint(map(stem, said)):
        return ""
    return "no_procedure_word"


class _Step(NamedTuple):
    """A memory with what is compared of it, which is looked up once: every two are compared."""

    held: Held
    said: frozenset[str]
    tags: frozenset[str]
    linked: frozenset[MemoryId]


def _step(one: Held) -> _Step:
    tags = frozenset(tag.casefold() for tag in one.memory.tags)
    linked = frozenset((*one.derived_from, *one.informs))
    return _Step(one, content_stems(one.memory.statement), tags, linked)


def _together(members: Iterable[Held]) -> list[list[Held]]:
    """The members in groups that hang together, each in the members' order."""
    groups: list[list[_Step]] = []
    for one in map(_step, members):
        joined, apart = [one], []
        for group in groups:
            if any(_is_near(one, other) for other in group):
                joined += group
            else:
                apart.append(group)
        groups = [*apart, joined]
    ordered = (
        sorted((step.held for step in group), key=lambda one: one.memory.id) for group in groups
    )
    return sorted(ordered, key=lambda group: group[0].memory.id)


def _is_near(one: _Step, other: _Step) -> bool:
    """Whether two memories can be steps of one thing.

    They were said in one session, or one links to the other, or they say nearly the same words, or
    they share a tag and a word beside those that tell a step anywhere.
    """
    mine, theirs = one.held.memory, other.held.memory
    if mine.source_session and mine.source_session == theirs.source_session:
        return True
    if theirs.id in one.linked or mine.id in other.linked:
        return True
    if share(one.said, other.said) >= _NEAR:
        return True
    return bool(one.tags & other.tags) and bool((one.said & other.said) - _TELLING)


def _procedure(project: str, members: Sequence[Held]) -> Procedure:
    steps = tuple(one.memory.statement for one in members)
    checks = tuple(text for text in steps if not _CHECKS.isdisjoint(map(stem, words(text))))
    confidence = sum(one.memory.confidence for one in members) / len(members)
    return Procedure(
        title="Verification workflow" if checks else "Workflow",
        project=project,
        steps=steps,
        checks=checks,
        sources=tuple(one.memory.id for one in members),
        evidence=tuple(dict.fromkeys(piece for one in members for piece in one.cites)),
        confidence=round(confidence, 2),
    )

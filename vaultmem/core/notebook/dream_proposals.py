"""Which entries of a dream's answer become operations that wait for the person, and which do not.

A model's word moves nothing that acts, and merges no two texts that differ in a number, a version,
a negation or a name, whatever it says of them.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.contradiction import contradicts
from vaultmem.core.duplicate import difference
from vaultmem.core.force import needs_force
from vaultmem.core.likeness import ABOUT, telling_stems
from vaultmem.core.maintenance import REVIEW_WITHIN
from vaultmem.core.model import Layer, Scope, Status
from vaultmem.core.notebook.dream import Lasts
from vaultmem.core.operation import Op, Operation
from vaultmem.core.support import says_the_opposite
from vaultmem.core.topic import scope_of
from vaultmem.core.words import share

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from vaultmem.core.ids import MemoryId
    from vaultmem.core.model import Memory
    from vaultmem.core.notebook.dream import DreamAnswer, Misfiled, Same, Sorted, Stale


class ProposalKind(StrEnum):
    """What a dream proposes, in the order of a patch."""

    REJECT = "reject"
    MERGE = "merge"
    REFILE = "refile"
    STALE = "stale"
    ORIGIN = "origin"


Step = tuple[Operation, "Memory | None"]
"""An operation and the memory that it changes, as a patch takes them."""


class DreamProposal(NamedTuple):
    """What belongs together of a patch.

    Attributes:
        kind: what it proposes.
        about: the ids of the memories, or the candidate, that it is about.
        mark: 32 hex digits that name what is proposed about which words, on every device.
        steps: its operations.
    """

    kind: ProposalKind
    about: tuple[str, ...]
    mark: str
    steps: tuple[Step, ...]


class World(NamedTuple):
    """What was shown to the model, and what only the caller can say.

    Attributes:
        memories: by their short ids; `evidence_count` is the live count.
        candidates: likewise.
        now: local to the person.
        new_id: makes the id of a memory.
        link: the wikilink of a memory's note.
    """

    memories: Mapping[str, Memory]
    candidates: Mapping[str, Memory]
    now: datetime
    new_id: Callable[[], MemoryId]
    link: Callable[[MemoryId], str]


def may_touch(memory: Memory) -> bool:
    """Whether a dream may propose anything about a memory.

    What acts (pinned, enforced, L1) is the person's alone, what is contested waits for their word,
    and what holds for a session or a task ends by itself.
    """
    standing = memory.status is Status.ACTIVE and memory.layer is Layer.PLAYBOOK
    bounded = memory.scope in (Scope.SESSION, Scope.TASK)
    return standing and not needs_force(memory) and not bounded


def may_merge(one: Memory, other: Memory) -> bool:
    """Whether a model may be believed that two memories say the same in the same place.

    Their words must be near each other as well: a model can mix up what it was shown.
    """
    if any(getattr(one, name) != getattr(other, name) for name in _ALIKE):
        return False
    first, second = one.statement, other.statement
    if share(telling_stems(first), telling_stems(second)) < ABOUT:
        return False
    if difference(first, second) is not None or says_the_opposite(first, second):
        return False
    return scope_of(one) == scope_of(other) and contradicts(first, second) is None


_ALIKE = ("applies_when", "not_when", "exceptions", "valid_from", "valid_to", "expires")
"""When a memory holds: where two differ in it they do not say the same."""


def proposals(answer: DreamAnswer, world: World) -> tuple[DreamProposal, ...]:
    """The operations that an answer asks for and may have; no memory is in two of them.

    What names something that was not shown, or may not be, is left out.
    """
    found: list[DreamProposal] = []
    taken: set[str] = set()
    for one in _all(answer, world):
        if taken.isdisjoint(one.about):
            taken.update(one.about)
            found.append(one)
    return tuple(found)


def review_mark(candidate: Memory) -> str:
    """The mark of a candidate that was sorted, whatever came out."""
    return _mark(ProposalKind.REJECT, [candidate])


def origin(memory: Memory, session: str) -> DreamProposal:
    """Where a memory came from, as its evidence tells."""
    changes = {"source_session": session}
    reason = "Its evidence was recorded in that session."
    step = Operation(op=Op.UPDATE, target=memory.id, changes=changes, reason=reason, selected=True)
    mark = _mark(ProposalKind.ORIGIN, [memory], session)
    return DreamProposal(ProposalKind.ORIGIN, (memory.id,), mark, ((step, memory),))


def _all(answer: DreamAnswer, world: World) -> Iterator[DreamProposal]:
    made = [_reject(one, world) for one in answer.verdicts.values()]
    made += [_merge(one, world) for one in answer.same]
    made += [_refile(one, world) for one in answer.misfiled]
    made += [_stale(one, world) for one in answer.stale]
    yield from filter(None, made)


def _reject(one: Sorted, world: World) -> DreamProposal | None:
    memory = world.candidates.get(one.id)
    if memory is None or one.lasts is not Lasts.NO:
        return None
    step = Operation(op=Op.REJECT_CANDIDATE, candidate=memory.id, reason=_said(one.reason))
    return DreamProposal(ProposalKind.REJECT, (memory.id,), review_mark(memory), ((step, None),))


def _merge(one: Same, world: World) -> DreamProposal | None:
    """One memory with the words that are kept and the evidence of all replaces them.

    The kept one is superseded by it, the others go out of use: of several that are superseded each
    would bring a memory of its own.
    """
    group = [world.memories[name] for name in one.ids if name in world.memories]
    keep = world.memories.get(one.keep)
    others = [memory for memory in group if memory is not keep]
    if keep is None or not others or len(others) == len(group) or len(group) != len(one.ids):
        return None
    if not all(map(may_touch, group)):
        return None
    if not all(may_merge(first, second) for first, second in combinations(group, 2)):
        return None
    names = ", ".join(map(_quoted, group))
    new = _merged(keep, others, world)
    steps: list[Step] = [
        (
            Operation(
                op=Op.SUPERSEDE,
                target=keep.id,
                memory=new,
                reason=f"{names} say the same; one memory has the evidence of all. "
                f"{_said(one.reason)}",
            ),
            keep,
        )
    ]
    for memory in others:
        reason = "The new memory of the operation above says it; choose the two together."
        steps.append((Operation(op=Op.DEPRECATE, target=memory.id, reason=reason), memory))
    mark = _mark(ProposalKind.MERGE, group)
    return DreamProposal(
        ProposalKind.MERGE, tuple(memory.id for memory in group), mark, tuple(steps)
    )


def _merged(keep: Memory, others: Sequence[Memory], world: World) -> Memory:
    group = (keep, *others)
    today = world.now.date()
    return replace(
        keep,
        id=world.new_id(),
        evidence_count=sum(one.evidence_count for one in group),
        confidence=max(one.confidence for one in group),
        tags=_union(one.tags for one in group),
        domains=_union(one.domains for one in group),
        evidence=_union(one.evidence for one in group),
        informs=_union(one.informs for one in group),
        derived_from=tuple(world.link(one.id) for one in group),
        source_session=next(filter(None, (one.source_session for one in group)), None),
        vault_ref=next(filter(None, (one.vault_ref for one in group)), None),
        reinforced=max(filter(None, (one.reinforced for one in group)), default=None),
        created=world.now,
        updated=None,
        review=today + timedelta(days=keep.review_days),
        supersedes=(),
        superseded_by=(),
    )


def _union(parts: Iterator[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for part in parts for item in part))


def _refile(one: Misfiled, world: World) -> DreamProposal | None:
    memory = world.memories.get(one.id)
    if memory is None or not may_touch(memory) or memory.category is one.category:
        return None
    step = Operation(
        op=Op.UPDATE,
        target=memory.id,
        changes={"category": one.category},
        reason=_said(one.reason),
    )
    mark = _mark(ProposalKind.REFILE, [memory], one.category)
    return DreamProposal(ProposalKind.REFILE, (memory.id,), mark, ((step, memory),))


def _stale(one: Stale, world: World) -> DreamProposal | None:
    memory = world.memories.get(one.id)
    today = world.now.date()
    soon = today + REVIEW_WITHIN
    if memory is None or not may_touch(memory):
        return None
    if memory.review is not None and memory.review <= soon:  # it is due by itself
        return None
    step = Operation(
        op=Op.FLAG_FOR_REVIEW,
        target=memory.id,
        changes={"review": soon},
        reason=_said(one.reason),
    )
    mark = _mark(ProposalKind.STALE, [memory])
    return DreamProposal(ProposalKind.STALE, (memory.id,), mark, ((step, memory),))


def _quoted(memory: Memory) -> str:
    """The whole statement: of one that is cut short a purge could not find the rest."""
    return f"“{' '.join(memory.statement.split())}”"


def _said(reason: str) -> str:
    return reason or "The model gave no reason."


def _mark(kind: ProposalKind, group: Sequence[Memory], value: str = "") -> str:
    lines = sorted(f"{one.id} {' '.join(one.statement.split())}" for one in group)
    text = "\n".join((kind, value, *lines))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]

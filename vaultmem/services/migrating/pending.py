"""What is left of an import behind its patch, kept on this machine until all of it is written.

The patch is what decides: where it was begun, the next sync finishes it and then this; where it was
not, nothing of the import has happened.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.operation import Op, Operation, operation_id
from vaultmem.notes.operation import operation_block, read_operation
from vaultmem.store.baseline_rows import IMPORT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.model import Memory
    from vaultmem.services.reinforce import Reinforcement
    from vaultmem.store.baseline import Baseline


class WaitingCandidate(NamedTuple):
    """A candidate that is to be written.

    Attributes:
        memory: what it would become; its id is the candidate's own.
        durability: as its source said.
        reason: why it waits.
        about: the memory that it touches, "" for none.
        balance: its pieces of evidence in the source.
        unchecked: nothing but the migration speaks for it.
        source: a sentence on where it comes from; "" where an older version kept it.
    """

    memory: Memory
    durability: str
    reason: str
    about: str
    balance: int
    unchecked: bool
    source: str = ""


class WaitingInquiry(NamedTuple):
    """A question that is to be asked; moments in ISO format, "" for none."""

    question: str
    context: str
    priority: str
    project: str
    tags: tuple[str, ...]
    sessions: tuple[str, ...]
    created: str
    last_seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """What is left.

    Attributes:
        patch: the id of the patch that brings the memories; "" where none does.
        candidates, counted, asked, tasks: what is to be written, in this order.
        report: the lines of the report note, the last that is written.
    """

    patch: str
    candidates: tuple[WaitingCandidate, ...] = ()
    counted: tuple[Reinforcement, ...] = ()
    asked: tuple[WaitingInquiry, ...] = ()
    tasks: tuple[str, ...] = ()
    report: tuple[str, ...] = ()


def keep(baseline: Baseline, pending: Pending) -> None:
    """Record it, before the patch is begun."""
    rows = {
        "patch": pending.patch,
        "candidates": [[_spelled(one.memory), *one[1:]] for one in pending.candidates],
        "counted": pending.counted,
        "asked": pending.asked,
        "tasks": pending.tasks,
        "report": pending.report,
    }
    baseline.set_meta(IMPORT, json.dumps(rows))


def kept(baseline: Baseline) -> Pending | None:
    """What is left, or None."""
    return baseline.parsed_meta(IMPORT, _parsed)


def _parsed(text: str) -> Pending:
    from vaultmem.services.reinforce import Reinforcement  # as below

    rows = json.loads(text)
    return Pending(
        patch=rows["patch"],
        candidates=tuple(_candidate(row) for row in rows["candidates"]),
        counted=tuple(
            Reinforcement(memory, session, tuple(pieces))
            for memory, session, pieces in rows["counted"]
        ),
        asked=tuple(_inquiry(row) for row in rows["asked"]),
        tasks=tuple(rows["tasks"]),
        report=tuple(rows["report"]),
    )


def drop(baseline: Baseline) -> None:
    """All of it is written, or nothing of the import has happened."""
    baseline.set_meta(IMPORT, "")


_PLACE = "patch_00000000000000000000000000"
_FIRST = operation_id(1)


def _spelled(memory: Memory) -> str:
    return operation_block(_PLACE, Operation(op=Op.ADD, id=_FIRST, memory=memory))


def _candidate(row: Sequence[str]) -> WaitingCandidate:
    block, durability, reason, about, balance, unchecked, *source = row
    memory = read_operation(_PLACE, block).memory
    if memory is None:  # pragma: no cover - `_spelled` wrote one
        raise ValueError(block)
    return WaitingCandidate(
        memory, durability, reason, about, int(balance), bool(unchecked), *source
    )


def _inquiry(row: Sequence[str]) -> WaitingInquiry:
    question, context, priority, project, tags, sessions, created, last_seen = row
    return WaitingInquiry(
        question,
        context,
        priority,
        project,
        tuple(tags),
        tuple(sessions),
        created,
        last_seen,
    )

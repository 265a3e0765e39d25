"""Which memories have earned a form that nobody proposed yet, and how it is proposed or given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.governance_keys import HIGH_ONLY, OFF
from vaultmem.core.ids import MemoryId
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Category, Layer, Memory, RuleType, Scope, Status
from vaultmem.core.operation import Op, Operation
from vaultmem.core.patch_rules import Applier
from vaultmem.core.promotion import may_earn, propose
from vaultmem.core.promotion_words import Destination, PromotionStatus, promotion_id
from vaultmem.services.apply import apply_all
from vaultmem.services.call import Actor
from vaultmem.services.curating.proposals import NO_KEY
from vaultmem.services.lookup import load
from vaultmem.services.promoting.build import build
from vaultmem.services.promoting.heard import heard_of
from vaultmem.services.promoting.proposals import VIA, is_closed, tell, write_proposal
from vaultmem.services.promoting.suggesting import suggestions
from vaultmem.services.syncing.attribution import tool_is_running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultmem.core.promotion import Heard, Promoted
    from vaultmem.core.standing import Standing
    from vaultmem.services.call import Call
    from vaultmem.services.lookup import FoundMemory
    from vaultmem.services.promoting.suggesting import Knowledge

_LEAST = 2
"""Pieces of evidence below which no form is earned."""
_CITED = re.compile(rb"#\^ev-[0-9a-z]{26}")


class Proposed(NamedTuple):
    """A form that was proposed, or that policy gave.

    Attributes:
        id: of the proposal.
        memory: the memory's id.
        path: the proposal's note, or the memory's where policy gave the form.
        patch: what gave it, "" where it waits for the person.
    """

    id: str
    destination: Destination
    memory: str
    statement: str
    path: str
    patch: str = ""


class Earned(NamedTuple):
    """A form that a memory has earned and that is not closed."""

    found: FoundMemory
    form: Promoted
    heard: Heard

    @property
    def memory(self) -> Memory:
        """The memory, as it is in force."""
        return self.found.decoded.memory


def earned(call: Call, only: frozenset[str]) -> Iterator[Earned]:
    """Every form that was not proposed before, by the memories' ids.

    Args:
        call: the circumstances; the baseline is up to date.
        only: ids of the memories to look at; none for all.
    """
    found = [load(call, row) for row in map(call.vault.baseline.memory, _worth(call, only)) if row]
    heard = heard_of(call, [one.decoded.memory for one in found])
    for one in found:
        memory = one.decoded.memory
        for form in propose(memory, heard[memory.id], today=call.local.date()):
            if not is_closed(call, promotion_id(form.destination, memory.id)):
                yield Earned(one, form, heard[memory.id])


def write(call: Call, one: Earned, knowledge: Knowledge | None) -> Proposed:
    """Let a form wait in `Promotions/` for the person; the caller holds the lock.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `write_notes`.
    """
    memory, row = one.memory, one.found.row
    suggested = suggestions(call, knowledge, memory, one.form.destination)
    made = build(call, memory, row.path, one.form, one.heard, suggested=suggested)
    path = write_proposal(call, made, memory)
    return Proposed(made.id, made.destination, memory.id, memory.statement, path)


def give(call: Call, one: Earned) -> Proposed | None:
    """Let policy make the guardrail that a memory spells out; None if it cannot be done now.

    Raises:
        NoteError, ReadOnlyError, DiskFailedError, BusyError: as `services.apply.apply`.
    """
    memory, row, guardrail = one.memory, one.found.row, one.form.guardrail
    policy = call.by_policy()
    operation = Operation(
        op=Op.UPDATE,
        target=memory.id,
        changes={"trigger": guardrail.trigger, "action": guardrail.action},
        reason=one.form.reason,
        selected=True,
    )
    done = apply_all(policy, [(operation, memory)], applier=Applier.POLICY, via=VIA)
    if not done.applied:
        return None
    made = build(policy, memory, row.path, one.form, one.heard)
    accepted = PromotionStatus.ACCEPTED.value
    tell(policy, accepted, made, memory.id, by=Actor.POLICY.value, via=VIA)
    return Proposed(made.id, made.destination, memory.id, memory.statement, row.path, done.id)


def kept_back(call: Call) -> str:
    """Why policy gives no form now, one sentence; "" where it may."""
    if call.actor is Actor.AGENT:
        return "An agent only proposes."
    if call.governance.auto_curate == OFF:
        return "`curator_auto_curate` is off, so guardrails wait for you."
    if call.vault.key is None:
        return NO_KEY
    if tool_is_running(call):
        return "A tool of the agent is running; guardrails are made when the next session ends."
    return ""


def is_sure(call: Call, memory: Memory) -> bool:
    """Whether the settings let policy act on a memory that is as sure as this one."""
    governance = call.governance
    high = governance.auto_curate == HIGH_ONLY
    return memory.confidence >= (governance.high_threshold if high else governance.min_confidence)


def _worth(call: Call, only: frozenset[str]) -> list[str]:
    """The memories of which it is worth reading the notes and what the user said.

    Most were said once and never again, which no form is earned by; that is seen without reading.
    """
    baseline = call.vault.baseline
    said_again = {row.note for row in baseline.ledger.of_kind(LedgerKind.REINFORCEMENT)}
    return sorted(
        row.id
        for row in baseline.standings()
        if row.evidence_count >= _LEAST
        and (not only or row.id in only)
        and (row.id in said_again or _pieces(baseline.content(row.id)) >= _LEAST)
        and may_earn(_sketch(row), evidence=row.evidence_count)
    )


def _pieces(data: bytes | None) -> int:
    """How many pieces of evidence a note cites."""
    return len(set(_CITED.findall(data or b"")))


def _sketch(row: Standing) -> Memory:
    """A memory as far as its row tells it: enough to rule most of them out."""
    return Memory(
        id=MemoryId(row.id),
        statement=row.statement,
        layer=Layer(row.layer),
        category=Category(row.category),
        rule=RuleType(row.rule) if row.rule else None,
        status=Status(row.status),
        scope=Scope(row.scope),
        project=row.project or None,
        confidence=row.confidence,
        pinned=bool(row.pinned),
    )
